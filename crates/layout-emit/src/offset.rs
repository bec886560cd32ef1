//! The offset of a coordinate as a node.

use layout_algebra::DynSwizzle;

use crate::error::EmitError;
use crate::expr::Node;
use crate::linear::{Linear, Row, every_bit, linear};
use crate::source::{Leaf, NamedLayout, Product, Step};
use crate::sum::Work;

/// Whether every coordinate is below its extent.
pub fn within(work: &mut Work<'_>, coordinates: &[Node], layout: &NamedLayout) -> Node {
    let mut all = None;
    for (mode, &c) in coordinates.iter().enumerate() {
        let extent = work.product(&layout.extent(mode));
        let is_below = work.graph.less(c, extent);
        all = work.graph.both(all, Some(is_below));
    }
    all.unwrap_or_else(|| work.graph.number(1))
}

/// The offset of a coordinate, and whether it may be negative: whichever way takes fewer operations.
pub fn offset(work: &mut Work<'_>, coordinates: &[Node], layout: &NamedLayout) -> Result<(Node, bool), EmitError> {
    let (swizzle, from) = layout.outer.map_or((None, 0), |(swizzle, from)| (Some(swizzle), from as u64));
    let as_linear = |work: &mut Work<'_>, swizzled: bool| {
        let linear = linear(work, coordinates, &layout.modes, from)?;
        let linear = if let (Some(swizzle), true) = (swizzle, swizzled) { linear.swizzled(swizzle) } else { linear };
        Some(linear.node(work.graph))
    };
    let summed = if layout.has_xor() {
        let Some(sum) = as_linear(work, false) else {
            return EmitError::refused(format!("{layout} has XOR strides beside negative ones or names"));
        };
        sum
    } else {
        let mut terms = Vec::new();
        coordinates.iter().zip(&layout.modes).for_each(|(&c, leaves)| work.terms(c, leaves, &mut terms));
        let sum = work.sum(terms, from.into());
        match layout.reach() {
            Some((lo, hi)) => work.graph.narrow(sum, lo + from as i128, hi + from as i128),
            None if layout.leaves().all(is_natural) => work.graph.narrow(sum, 0, work.limit),
            None => work.graph.narrow(sum, -work.limit / 2 - 1, work.limit / 2),
        }
        sum
    };
    let Some(swizzle) = swizzle else {
        return Ok((summed, layout.leaves().any(|leaf| leaf.extent.as_number() != Some(1) && !is_natural(leaf))));
    };
    let swizzled = swizzle_of(work, summed, swizzle);
    let linear = as_linear(work, true);
    let best = linear.filter(|&node| work.graph.cost(&[node]) <= work.graph.cost(&[swizzled]));
    Ok((best.unwrap_or(swizzled), false))
}

fn is_natural(leaf: &Leaf) -> bool {
    !matches!(&leaf.step, Step::Sum(Product { factor, .. }) if *factor < 0)
}

/// `x ^ ((x & mask) >> shift)`
pub fn swizzle_of(work: &mut Work<'_>, x: Node, swizzle: DynSwizzle) -> Node {
    let rows = every_bit(work.graph, x).into_iter();
    let moved = |row: Row| Row { vector: row.vector ^ swizzle.apply(row.vector as usize) as u64, ..row };
    let rows = rows.map(moved).filter(|row| row.vector != 0).collect();
    let moved = Linear { constant: 0, rows }.node(work.graph);
    work.graph.xor(x, moved)
}
