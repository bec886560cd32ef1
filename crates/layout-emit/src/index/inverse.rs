//! The inverse: from an offset to the coordinate, for injective layouts.
//!
//! ```text
//! sums:   strides d_0 < d_1 < .., each beyond what those below reach     c_k = x % d_(k+1) / d_k
//! names:  the same, where each stride is a multiple of the lesser ones: the caller promises that it
//!         is beyond what those reach
//! bits:   elimination over F2: each bit of a coordinate is an XOR of bits of the offset
//! ```

use super::expr::Node;
use super::linear::{Linear, Row, linear_function};
use super::offset::{apply_swizzle, offset, within};
use super::sum::{Digit, Work};
use crate::error::EmitError;
use crate::source::{Leaf, NamedLayout, Product, Step};

/// The coordinates, and the condition that they have the offset; `None` is *always*.
type Found = (Vec<Node>, Option<Node>);

/// The coordinates of the offset `x`, which is at least `lo`. With `is_asked`, `x` is any number,
/// and the condition is that `x` is an offset.
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
        // The number is an offset if it is the offset of these coordinates.
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

/// A digit to find: its stride, its extent, and its position in the coordinate.
struct Sought {
    stride: Product,
    extent: Product,
    mode: usize,
    leaf: usize,
}

impl Sought {
    /// The stride without its sign.
    fn distance(&self) -> Product {
        Product { factor: self.stride.factor.abs(), names: self.stride.names.clone() }
    }
}

/// The digits of all modes with a nonzero stride.
fn moving_digits(layout: &NamedLayout) -> Result<Vec<Sought>, String> {
    let mut sought = Vec::new();
    for (mode, leaves) in layout.modes.iter().enumerate() {
        for (leaf, Leaf { extent, step }) in leaves.iter().enumerate() {
            let Step::Sum(stride) = step else { continue };
            match (stride.factor, extent.as_number()) {
                (_, Some(1)) => {}
                (0, Some(extent)) => {
                    return Err(format!(
                        "{extent} coordinates of a mode of stride 0 share each offset"
                    ));
                }
                (0, None) => {
                    return Err("coordinates of a mode of stride 0 share each offset".into());
                }
                _ => sought.push(Sought {
                    stride: stride.clone(),
                    extent: extent.clone(),
                    mode,
                    leaf,
                }),
            }
        }
    }
    Ok(sought)
}

/// In the order of strides: each stride exceeds the largest offset of those below.
fn digits_of_numbers(layout: &NamedLayout) -> Result<Vec<Sought>, String> {
    let mut sought = moving_digits(layout)?;
    sought.sort_by_key(|digit| digit.stride.factor.abs());
    let (mut reached, mut last) = (0, 0);
    for digit in &sought {
        let stride = digit.stride.factor.abs();
        if stride == last {
            return Err(format!("two modes have the stride {stride}"));
        }
        if stride <= reached {
            return Err(format!(
                "the modes below the stride {stride} reach {reached}, so that they interlock"
            ));
        }
        (reached, last) = (reached + (digit.extent.factor - 1) * stride, stride);
    }
    Ok(sought)
}

/// In the order of strides: each stride is a multiple of those below.
fn digits_of_names(layout: &NamedLayout) -> Result<Vec<Sought>, String> {
    if layout.outer.is_some() {
        return Err("strides that are names have no order under a swizzle".into());
    }
    let (mut rest, mut sought) = (moving_digits(layout)?, Vec::new());
    while !rest.is_empty() {
        let divides = |least: &Sought| {
            let is_multiple =
                |other: &Sought| other.distance().divided_by(&least.distance()).is_some();
            rest.iter().all(is_multiple)
        };
        let Some(least) = rest.iter().position(divides) else {
            return Err(
                "strides that are names have no order, if one is no multiple of another".into()
            );
        };
        let least = rest.swap_remove(least);
        if rest.iter().any(|other| other.distance() == least.distance()) {
            return Err("two modes have the same stride".into());
        }
        sought.push(least);
    }
    Ok(sought)
}

fn find_by_strides(
    work: &mut Work<'_>,
    mut x: Node,
    lo: i128,
    layout: &NamedLayout,
    is_asked: bool,
) -> Result<Found, String> {
    let limit = work.limit;
    let sought = match layout.reach() {
        Some((below, reach)) => {
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
            digits_of_numbers(layout)?
        }
        None => {
            let sought = digits_of_names(layout)?;
            for digit in sought.iter().filter(|digit| digit.stride.factor < 0) {
                let (span, step) = (digit.distance().times(&digit.extent), digit.distance());
                let (span, step) = (work.product(&span), work.product(&step));
                let far = work.graph.subtract_nodes(span, step);
                x = work.graph.add_nodes(x, far);
            }
            if is_asked {
                x = work.graph.mask_bits(x, limit as u128);
            } else {
                work.graph.narrow_range(x, 0, limit);
            }
            sought
        }
    };
    // From the largest stride down: the quotient is the digit, and the remainder continues with the
    // next stride.
    let mut found: Vec<Vec<Option<Node>>> =
        layout.modes.iter().map(|leaves| vec![None; leaves.len()]).collect();
    let (mut rest, mut inside) = (x, None);
    for (k, digit) in sought.iter().enumerate().rev() {
        let distance = digit.distance();
        let (part, left) = match distance.as_number() {
            Some(number) => {
                (work.graph.divide_number(rest, number), work.graph.remainder_number(rest, number))
            }
            None => {
                let distance = work.product(&distance);
                (
                    work.graph.divide_nodes(rest, distance),
                    work.graph.remainder_nodes(rest, distance),
                )
            }
        };
        rest = left;
        let number = digit.extent.as_number();
        if let (false, Some(extent)) = (is_asked, number) {
            work.graph.narrow_range(part, 0, extent - 1);
        }
        // The remainder of the stride above may already be below the end of this digit.
        let is_full = || {
            sought.get(k + 1).is_some_and(|above| above.distance() == distance.times(&digit.extent))
        };
        let may_be_beyond = match number {
            Some(extent) => work.graph.range_of(part).hi >= extent,
            None => true,
        };
        if is_asked && may_be_beyond && !is_full() {
            let extent = work.product(&digit.extent);
            let is_below = work.graph.compare_less(part, extent);
            inside = work.graph.join_conditions(inside, Some(is_below));
        }
        let mut value = part;
        if digit.stride.factor < 0 {
            let (extent, one) = (work.product(&digit.extent), work.graph.insert_number(1));
            let last = match number {
                Some(extent) => work.graph.insert_number(extent - 1),
                None => work.graph.subtract_nodes(extent, one),
            };
            value = work.graph.subtract_nodes(last, part);
            if is_asked {
                value = work.graph.mask_bits(value, limit as u128);
            } else {
                work.graph.narrow_range(value, 0, limit);
            }
        }
        found[digit.mode][digit.leaf] = Some(value);
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
            // Only a number that is not an offset exceeds a word here, and then the coordinate is
            // unused.
            coordinate = work.graph.mask_bits(coordinate, limit as u128);
        }
        coordinates.push(coordinate);
    }
    Ok((coordinates, inside))
}

/// A number as a digit of the number that contains its bits, so that bits with equal shifts move
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

/// By Gaussian elimination; `None` if the bits of the coordinates are not independent.
fn find_by_bits(work: &mut Work<'_>, x: Node, layout: &NamedLayout) -> Option<Found> {
    // An input for each mode: a coordinate without bits above the extent.
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
    // A row for each bit of a coordinate. A bit is in one row, or in several if it is an XOR of
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
    // More vectors than bits of an offset are dependent.
    if rows.len() > 64 || (0..inputs.len()).map(bits).sum::<u32>() as usize != rows.len() {
        return None;
    }
    // Each vector of the reduced basis has a bit of its own, and is an XOR of bits of coordinates.
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
