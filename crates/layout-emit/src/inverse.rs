//! From an offset to the coordinate, where no two coordinates share an offset.
//!
//! ```text
//! sums:   strides d_0 < d_1 < .., each beyond what those below reach     c_k = x % d_(k+1) / d_k
//! bits:   elimination over F2: each bit of a coordinate is an XOR of bits of the offset
//! ```

use crate::error::EmitError;
use crate::expr::Node;
use crate::linear::{Linear, Row, linear};
use crate::offset::{offset, swizzle_of, within};
use crate::source::{Leaf, NamedLayout, Product, Step};
use crate::sum::{Digit, Work};

/// The coordinates, and under which condition the offset is theirs; `None` is *always*.
type Found = (Vec<Node>, Option<Node>);

/// The coordinates of the offset `x`, which is at least `lo`. Of any number `x`, if `is_asked`, and under which condition
/// it is an offset.
pub fn inverse(
    work: &mut Work<'_>,
    x: Node,
    lo: i128,
    layout: &NamedLayout,
    is_asked: bool,
) -> Result<Found, EmitError> {
    let summed = if layout.has_xor() { Err(String::new()) } else { by_strides(work, x, lo, layout, is_asked) };
    let is_bits = |leaf: &Leaf| leaf.extent.as_number().is_some_and(|extent| extent & (extent - 1) == 0);
    let mut bits = if layout.leaves().all(is_bits) || layout.has_xor() { by_bits(work, x, layout) } else { None };
    if let (Some((coordinates, inside)), true) = (&mut bits, is_asked) {
        // It is the offset of a coordinate if it is the offset of this one.
        let within = within(work, coordinates, layout);
        let again = offset(work, coordinates, layout)?.0;
        let same = work.graph.equal(again, x);
        *inside = work.graph.both(Some(within), same);
    }
    let roots = |found: &Found| found.0.iter().copied().chain(found.1).collect::<Vec<_>>();
    match (summed, bits) {
        (Ok(sum), Some(bits)) => {
            let is_less = work.graph.cost(&roots(&bits)) < work.graph.cost(&roots(&sum));
            Ok(if is_less { bits } else { sum })
        }
        (Ok(found), None) | (Err(_), Some(found)) => Ok(found),
        (Err(why), None) => {
            let why = if why.is_empty() { "two coordinates share an offset".into() } else { why };
            EmitError::refused(format!("no coordinate is found from an offset of {layout}: {why}"))
        }
    }
}

fn by_strides(work: &mut Work<'_>, x: Node, lo: i128, layout: &NamedLayout, is_asked: bool) -> Result<Found, String> {
    let (below, reach) = layout.reach().ok_or("strides that are names have no order")?;
    let (mut x, limit) = (x, work.limit);
    if let Some((swizzle, from)) = layout.outer {
        x = swizzle_of(work, x, swizzle);
        let from = work.graph.number(from as i128);
        x = work.graph.sub(x, from);
    }
    let base = work.graph.number(-below);
    x = work.graph.add(x, base);
    if is_asked {
        x = work.graph.and(x, limit as u128);
    } else if layout.outer.is_some() || lo < 0 {
        work.graph.narrow(x, 0, reach - below);
    }
    // Digits that are to be found: stride, extent, and where.
    let mut sought: Vec<(i128, i128, usize, usize)> = Vec::new();
    for (mode, leaves) in layout.modes.iter().enumerate() {
        for (leaf, Leaf { extent, step }) in leaves.iter().enumerate() {
            let (Some(extent), Step::Sum(stride)) = (extent.as_number(), step) else { continue };
            match stride.factor {
                _ if extent == 1 => {}
                0 => return Err(format!("{extent} coordinates of a mode of stride 0 share each offset")),
                stride => sought.push((stride, extent, mode, leaf)),
            }
        }
    }
    sought.sort_by_key(|digit| digit.0.abs());
    let mut reached = 0;
    for (stride, extent, ..) in &sought {
        let stride = stride.abs();
        if stride <= reached {
            return Err(format!("the modes below the stride {stride} reach {reached}, so that they interlock"));
        }
        reached += (extent - 1) * stride;
    }
    // From the largest stride down: the digit is what is divided, the rest what remains.
    let mut found: Vec<Vec<Option<Node>>> = layout.modes.iter().map(|leaves| vec![None; leaves.len()]).collect();
    let (mut rest, mut inside) = (x, None);
    for &(stride, extent, mode, leaf) in sought.iter().rev() {
        let part = work.graph.div(rest, stride.abs());
        rest = work.graph.rem(rest, stride.abs());
        if !is_asked {
            work.graph.narrow(part, 0, extent - 1);
        }
        if is_asked && work.graph.range(part).hi >= extent {
            let extent = work.graph.number(extent);
            let is_below = work.graph.less(part, extent);
            inside = work.graph.both(inside, Some(is_below));
        }
        let mut value = part;
        if stride < 0 {
            let last = work.graph.number(extent - 1);
            value = work.graph.sub(last, part);
            if is_asked {
                value = work.graph.and(value, limit as u128);
            }
        }
        found[mode][leaf] = Some(value);
    }
    if is_asked {
        let zero = work.graph.number(0);
        let ends = work.graph.equal(rest, zero);
        inside = work.graph.both(inside, ends);
    }
    let mut coordinates = Vec::new();
    for (leaves, found) in layout.modes.iter().zip(found) {
        let (mut terms, mut size) = (Vec::new(), Product::number(1));
        for (leaf, value) in leaves.iter().zip(found) {
            if let Some(value) = value {
                terms.push(work.term(bits_of(work, value), &size));
            }
            size = size.times(&leaf.extent);
        }
        let mut coordinate = work.sum(terms, 0);
        let range = work.graph.range(coordinate);
        if is_asked && (range.lo < 0 || range.hi > limit) {
            // Only of a number that is no offset, and then nobody reads it.
            coordinate = work.graph.and(coordinate, limit as u128);
        }
        coordinates.push(coordinate);
    }
    Ok((coordinates, inside))
}

/// A number as bits of the one that it was cut from, so that bits which move equally far are moved together.
fn bits_of(work: &Work<'_>, value: Node) -> Digit {
    use crate::expr::Op;
    let whole = |base| Digit { base, lo: 0, mask: u128::MAX };
    match *work.graph.op(value) {
        Op::And(base, mask) => match *work.graph.op(base) {
            Op::Shr(base, lo) => Digit { base, lo, mask: mask << lo },
            _ => Digit { mask, ..whole(base) },
        },
        Op::Shr(base, lo) => match *work.graph.op(base) {
            Op::And(base, mask) => Digit { base, lo, mask: mask >> lo << lo },
            _ => Digit { base, lo, mask: u128::MAX << lo },
        },
        _ => whole(value),
    }
}

/// By elimination; `None` if the bits of the coordinates are not independent.
fn by_bits(work: &mut Work<'_>, x: Node, layout: &NamedLayout) -> Option<Found> {
    // A coordinate of its own for each mode, of which no bit is beyond the extent.
    let inputs: Vec<Node> = (0..layout.modes.len())
        .map(|mode| layout.extent(mode).as_number().map(|size| work.graph.input(&format!("\0{mode}"), 0, size - 1)))
        .collect::<Option<_>>()?;
    let (swizzle, from) = layout.outer.map_or((layout_algebra::DynSwizzle::IDENTITY, 0), |outer| outer);
    let forwards = linear(work, &inputs, &layout.modes, from as u64)?.swizzled(swizzle);
    // Rows by bit of a coordinate. Each bit stands in one row, or else in several of an XOR of them.
    let mut rows: Vec<(u64, (usize, u32))> = Vec::new();
    for row in &forwards.rows {
        let mode = inputs.iter().position(|&input| input == row.atom)?;
        match rows.iter_mut().find(|(_, bit)| *bit == (mode, row.bit)) {
            Some((vector, _)) => *vector ^= row.vector,
            None => rows.push((row.vector, (mode, row.bit))),
        }
    }
    let bits = |mode: usize| 128 - (layout.extent(mode).factor as u128 - 1).leading_zeros();
    // More vectors than an offset has bits depend on one another.
    if rows.len() > 64 || (0..inputs.len()).map(bits).sum::<u32>() as usize != rows.len() {
        return None;
    }
    // Each vector of the reduced basis has a bit that no other has, and is an XOR of bits of coordinates.
    let mut basis: Vec<(u64, u128)> = Vec::new();
    for (k, &(mut vector, _)) in rows.iter().enumerate() {
        let mut of = 1u128 << k;
        for (other, parts) in &basis {
            if vector & top(*other) != 0 {
                (vector, of) = (vector ^ other, of ^ parts);
            }
        }
        if vector == 0 {
            return None;
        }
        for (other, parts) in basis.iter_mut().filter(|(other, _)| other & top(vector) != 0) {
            (*other, *parts) = (*other ^ vector, *parts ^ of);
        }
        basis.push((vector, of));
    }
    let number = work.graph.number(forwards.constant.into());
    let moved = work.graph.xor(x, number);
    let coordinate = |mode: usize| {
        let row = |&(vector, of): &(u64, u128)| {
            let is_of = |(k, (_, (of_mode, _))): &(usize, &(u64, (usize, u32)))| of >> k & 1 == 1 && *of_mode == mode;
            let goes_to = rows.iter().enumerate().filter(is_of).fold(0, |to, (_, (_, (_, bit)))| to | 1 << bit);
            Row { atom: moved, bit: top(vector).trailing_zeros(), vector: goes_to }
        };
        Linear { constant: 0, rows: basis.iter().map(row).filter(|row| row.vector != 0).collect() }
    };
    Some(((0..inputs.len()).map(|mode| coordinate(mode).node(work.graph)).collect(), None))
}

/// The highest bit.
fn top(vector: u64) -> u64 {
    1 << (63 - vector.leading_zeros())
}
