//! From an offset to the coordinate, where no two coordinates share an offset.
//!
//! ```text
//! sums:   strides d_0 < d_1 < .., each beyond what those below reach     c_k = x % d_(k+1) / d_k
//! bits:   elimination over F2: each bit of a coordinate is an XOR of bits of the offset
//! ```

use super::expr::Node;
use super::linear::{Linear, Row, linear_function};
use super::offset::{apply_swizzle, offset, within};
use super::sum::{Digit, Work};
use crate::error::EmitError;
use crate::source::{Leaf, NamedLayout, Product, Step};

/// The coordinates, and the condition under which they have the offset; `None` is *always*.
type Found = (Vec<Node>, Option<Node>);

/// The coordinates of the offset `x`, which is at least `lo`. With `is_asked`, `x` is any number,
/// and the condition says whether it is an offset.
pub fn find_coordinates(
    work: &mut Work<'_>,
    x: Node,
    lo: i128,
    layout: &NamedLayout,
    is_asked: bool,
) -> Result<Found, EmitError> {
    let summed = if layout.has_xor_strides() {
        Err(String::new())
    } else {
        find_by_strides(work, x, lo, layout, is_asked)
    };
    let is_bits =
        |leaf: &Leaf| leaf.extent.as_number().is_some_and(|extent| extent & (extent - 1) == 0);
    let mut bits = if layout.leaves().all(is_bits) || layout.has_xor_strides() {
        find_by_bits(work, x, layout)
    } else {
        None
    };
    if let (Some((coordinates, inside)), true) = (&mut bits, is_asked) {
        // The number is an offset if these coordinates have it as theirs.
        let within = within(work, coordinates, layout);
        let again = offset(work, coordinates, layout)?.0;
        let same = work.graph.compare_equal(again, x);
        *inside = work.graph.join_conditions(Some(within), same);
    }
    let roots = |found: &Found| found.0.iter().copied().chain(found.1).collect::<Vec<_>>();
    match (summed, bits) {
        (Ok(sum), Some(bits)) => {
            let is_less = work.graph.count_instructions(&roots(&bits))
                < work.graph.count_instructions(&roots(&sum));
            Ok(if is_less { bits } else { sum })
        }
        (Ok(found), None) | (Err(_), Some(found)) => Ok(found),
        (Err(why), None) => {
            let why = if why.is_empty() { "two coordinates share an offset".into() } else { why };
            EmitError::refused(format!("no coordinate is found from an offset of {layout}: {why}"))
        }
    }
}

fn find_by_strides(
    work: &mut Work<'_>,
    x: Node,
    lo: i128,
    layout: &NamedLayout,
    is_asked: bool,
) -> Result<Found, String> {
    let (below, reach) = layout.reach().ok_or("strides that are names have no order")?;
    let (mut x, limit) = (x, work.limit);
    if let Some((swizzle, from)) = layout.outer {
        x = apply_swizzle(work, x, swizzle);
        let from = work.graph.insert_number(from as i128);
        x = work.graph.subtract_nodes(x, from);
    }
    let base = work.graph.insert_number(-below);
    x = work.graph.add_nodes(x, base);
    if is_asked {
        x = work.graph.mask_bits(x, limit as u128);
    } else if layout.outer.is_some() || lo < 0 {
        work.graph.narrow_range(x, 0, reach - below);
    }
    // Digits that are to be found: stride, extent, and where.
    let mut sought: Vec<(i128, i128, usize, usize)> = Vec::new();
    for (mode, leaves) in layout.modes.iter().enumerate() {
        for (leaf, Leaf { extent, step }) in leaves.iter().enumerate() {
            let (Some(extent), Step::Sum(stride)) = (extent.as_number(), step) else { continue };
            match stride.factor {
                _ if extent == 1 => {}
                0 => {
                    return Err(format!(
                        "{extent} coordinates of a mode of stride 0 share each offset"
                    ));
                }
                stride => sought.push((stride, extent, mode, leaf)),
            }
        }
    }
    sought.sort_by_key(|digit| digit.0.abs());
    let (mut reached, mut last) = (0, 0);
    for (stride, extent, ..) in &sought {
        let stride = stride.abs();
        if stride == last {
            return Err(format!("two modes have the stride {stride}"));
        }
        if stride <= reached {
            return Err(format!(
                "the modes below the stride {stride} reach {reached}, so that they interlock"
            ));
        }
        (reached, last) = (reached + (extent - 1) * stride, stride);
    }
    // From the largest stride down: the digit is what is divided, the rest what remains.
    let mut found: Vec<Vec<Option<Node>>> =
        layout.modes.iter().map(|leaves| vec![None; leaves.len()]).collect();
    let (mut rest, mut inside) = (x, None);
    for &(stride, extent, mode, leaf) in sought.iter().rev() {
        let part = work.graph.divide_number(rest, stride.abs());
        rest = work.graph.remainder_number(rest, stride.abs());
        if !is_asked {
            work.graph.narrow_range(part, 0, extent - 1);
        }
        if is_asked && work.graph.range_of(part).hi >= extent {
            let extent = work.graph.insert_number(extent);
            let is_below = work.graph.compare_less(part, extent);
            inside = work.graph.join_conditions(inside, Some(is_below));
        }
        let mut value = part;
        if stride < 0 {
            let last = work.graph.insert_number(extent - 1);
            value = work.graph.subtract_nodes(last, part);
            if is_asked {
                value = work.graph.mask_bits(value, limit as u128);
            }
        }
        found[mode][leaf] = Some(value);
    }
    if is_asked {
        let zero = work.graph.insert_number(0);
        let ends = work.graph.compare_equal(rest, zero);
        inside = work.graph.join_conditions(inside, ends);
    }
    let mut coordinates = Vec::new();
    for (leaves, found) in layout.modes.iter().zip(found) {
        let (mut terms, mut size) = (Vec::new(), Product::number(1));
        for (leaf, value) in leaves.iter().zip(found) {
            if let Some(value) = value {
                terms.push(work.term(digit_of_node(work, value), &size));
            }
            size = size.times(&leaf.extent);
        }
        let mut coordinate = work.sum(terms, 0);
        let range = work.graph.range_of(coordinate);
        if is_asked && (range.lo < 0 || range.hi > limit) {
            // Only a number that is no offset gets here beyond a word, and then nobody reads the
            // coordinate.
            coordinate = work.graph.mask_bits(coordinate, limit as u128);
        }
        coordinates.push(coordinate);
    }
    Ok((coordinates, inside))
}

/// A number as bits of the number that it was cut from, so that bits that move equally far move
/// together.
fn digit_of_node(work: &Work<'_>, value: Node) -> Digit {
    use super::expr::Op;
    let whole = |base| Digit { base, lo: 0, mask: u128::MAX };
    match *work.graph.operation_of(value) {
        Op::And(base, mask) => match *work.graph.operation_of(base) {
            Op::Shr(base, lo) => Digit { base, lo, mask: mask << lo },
            _ => Digit { mask, ..whole(base) },
        },
        Op::Shr(base, lo) => match *work.graph.operation_of(base) {
            Op::And(base, mask) => Digit { base, lo, mask: mask >> lo << lo },
            _ => Digit { base, lo, mask: u128::MAX << lo },
        },
        _ => whole(value),
    }
}

/// By elimination; `None` if the bits of the coordinates are not independent.
fn find_by_bits(work: &mut Work<'_>, x: Node, layout: &NamedLayout) -> Option<Found> {
    // An input for each mode: a coordinate without bits beyond the extent.
    let inputs: Vec<Node> = (0..layout.modes.len())
        .map(|mode| {
            layout
                .extent(mode)
                .as_number()
                .map(|size| work.graph.insert_input(&format!("\0{mode}"), 0, size - 1))
        })
        .collect::<Option<_>>()?;
    let (swizzle, from) =
        layout.outer.map_or((layout_algebra::DynSwizzle::IDENTITY, 0), |outer| outer);
    let forwards =
        linear_function(work, &inputs, &layout.modes, from as u64)?.apply_swizzle_to(swizzle);
    // Rows by bit of a coordinate. Each bit stands in one row, or else in several of an XOR of
    // them.
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
    // Each vector of the reduced basis has a bit that no other has, and is an XOR of bits of
    // coordinates.
    let mut basis: Vec<(u64, u128)> = Vec::new();
    for (k, &(mut vector, _)) in rows.iter().enumerate() {
        let mut of = 1u128 << k;
        for (other, parts) in &basis {
            if vector & highest_bit(*other) != 0 {
                (vector, of) = (vector ^ other, of ^ parts);
            }
        }
        if vector == 0 {
            return None;
        }
        for (other, parts) in basis.iter_mut().filter(|(other, _)| other & highest_bit(vector) != 0)
        {
            (*other, *parts) = (*other ^ vector, *parts ^ of);
        }
        basis.push((vector, of));
    }
    let number = work.graph.insert_number(forwards.constant.into());
    let moved = work.graph.xor_nodes(x, number);
    let coordinate = |mode: usize| {
        let row = |&(vector, of): &(u64, u128)| {
            let is_of = |(k, (_, (of_mode, _))): &(usize, &(u64, (usize, u32)))| {
                of >> k & 1 == 1 && *of_mode == mode
            };
            let goes_to = rows
                .iter()
                .enumerate()
                .filter(is_of)
                .fold(0, |to, (_, (_, (_, bit)))| to | 1 << bit);
            Row { atom: moved, bit: highest_bit(vector).trailing_zeros(), vector: goes_to }
        };
        Linear { constant: 0, rows: basis.iter().map(row).filter(|row| row.vector != 0).collect() }
    };
    Some(((0..inputs.len()).map(|mode| coordinate(mode).node(work.graph)).collect(), None))
}

/// The highest bit.
fn highest_bit(vector: u64) -> u64 {
    1 << (63 - vector.leading_zeros())
}
