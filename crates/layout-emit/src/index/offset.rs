//! The offset of a coordinate as a node.

use layout_algebra::DynSwizzle;

use super::expr::Node;
use super::linear::{Linear, Row, linear_function, rows_of_bits};
use super::sum::Work;
use crate::error::EmitError;
use crate::source::NamedLayout;

/// Whether every coordinate is below its extent.
pub fn within(work: &mut Work<'_>, coordinates: &[Node], layout: &NamedLayout) -> Node {
    let mut all = None;
    for (mode, &c) in coordinates.iter().enumerate() {
        let extent = work.product(&layout.extent(mode));
        let is_below = work.graph.compare_less(c, extent);
        all = work.graph.join_conditions(all, Some(is_below));
    }
    all.unwrap_or_else(|| work.graph.insert_number(1))
}

/// The offset of a coordinate, and whether it may be negative: as a sum or as a linear function of
/// bits, whichever takes fewer operations.
pub fn offset(
    work: &mut Work<'_>,
    coordinates: &[Node],
    layout: &NamedLayout,
) -> Result<(Node, bool), EmitError> {
    let (swizzle, from) =
        layout.outer.map_or((None, 0), |(swizzle, from)| (Some(swizzle), from as u64));
    let as_linear = |work: &mut Work<'_>, swizzled: bool| {
        let linear = linear_function(work, coordinates, &layout.modes, from)?;
        let linear = if let (Some(swizzle), true) = (swizzle, swizzled) {
            linear.apply_swizzle_to(swizzle)
        } else {
            linear
        };
        Some(linear.node(work.graph))
    };
    let summed = if layout.has_xor_strides() {
        let Some(sum) = as_linear(work, false) else {
            return EmitError::refused(format!(
                "{layout} has XOR strides beside negative ones or names"
            ));
        };
        sum
    } else {
        let mut terms = Vec::new();
        coordinates
            .iter()
            .zip(&layout.modes)
            .for_each(|(&c, leaves)| work.add_terms(c, leaves, &mut terms));
        let sum = work.sum(terms, from.into());
        match layout.reach() {
            Some((lo, hi)) => work.graph.narrow_range(sum, lo + from as i128, hi + from as i128),
            None if !layout.has_negative_strides() => work.graph.narrow_range(sum, 0, work.limit),
            None => work.graph.narrow_range(sum, -work.limit / 2 - 1, work.limit / 2),
        }
        sum
    };
    let Some(swizzle) = swizzle else {
        return Ok((summed, layout.has_negative_strides()));
    };
    let swizzled = apply_swizzle(work, summed, swizzle);
    let linear = as_linear(work, true);
    let best = linear.filter(|&node| {
        work.graph.count_instructions(&[node]) <= work.graph.count_instructions(&[swizzled])
    });
    Ok((best.unwrap_or(swizzled), false))
}

/// `x ^ ((x & mask) >> shift)`
pub fn apply_swizzle(work: &mut Work<'_>, x: Node, swizzle: DynSwizzle) -> Node {
    let rows = rows_of_bits(work.graph, x).into_iter();
    let moved =
        |row: Row| Row { vector: row.vector ^ swizzle.apply(row.vector as usize) as u64, ..row };
    let rows = rows.map(moved).filter(|row| row.vector != 0).collect();
    let moved = Linear { constant: 0, rows }.node(work.graph);
    work.graph.xor_nodes(x, moved)
}
