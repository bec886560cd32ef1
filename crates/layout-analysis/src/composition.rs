//! Compositions, also those that the rule of the algebra refuses.
//!
//! ```text
//! R(c) = A(B(c)) for every coordinate c of B, and B's shape is compatible with R's
//! ```
//!
//! The rule applies if no coordinate carries from one mode of `A` into the next. There is a
//! composition if and only if, for some cut of `B`'s modes into runs, the carries cancel out at
//! every coordinate: each carry from mode `j` of the coalesced `A` adds the stride of the next mode
//! and subtracts the span of mode `j`, `s_j * d_j`. This is the theorem
//! `composition_iff_carries_cancel` of `crates/proof`; the certificate is its cut and its sums.

use layout_algebra::{DynLayout, DynStride};

use crate::error::{Error, NoLayout};
use crate::function::{Function, Leaf, bits_of, in_place_of, leaves, modes_of, stride};

/// A composition with its certificate.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_analysis::Analysis;
/// let (a, b): (DynLayout, DynLayout) = ("(2,3,2):(1,3,8)".parse()?, "(2,2):(1,5)".parse()?);
/// assert!(a.compose(&b).is_err()); // coordinate (1,1) is at 6 = 0 + 2 * (0 + 3 * 1): two digits carry
/// let found = a.find_composition(&b)?;
/// assert_eq!(found.layout().to_string(), "(2,2):(1,7)");
/// let carry = &found.carries()[0];
/// assert_eq!((&carry.carried[..], carry.gained, carry.lost, carry.coordinates), (&[1, 1][..], 11, 11, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Composition {
    layout: DynLayout,
    cut: Vec<Vec<usize>>,
    carries: Vec<Carries>,
}

/// The carries at some coordinates, and what they add to an offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carries {
    /// The carry from each mode of the coalesced left layout into the next one.
    pub carried: Vec<u128>,
    /// What the carries add to an offset: each adds the stride of the next mode.
    pub gained: u128,
    /// What the carries subtract from an offset: each subtracts the span of its mode.
    pub lost: u128,
    /// The index of the first coordinate with these carries.
    pub first: usize,
    /// The number of coordinates with these carries.
    pub coordinates: usize,
}

impl Composition {
    /// The layout.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// # use layout_analysis::Analysis;
    /// let (a, b): (DynLayout, DynLayout) = ("(4,6):(6,1)".parse()?, "(2,3):(2,4)".parse()?);
    /// assert_eq!(a.find_composition(&b)?.layout(), &a.compose(&b)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn layout(&self) -> &DynLayout {
        &self.layout
    }

    /// The extents that each leaf of the right layout is cut into; none for an extent of 1.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// # use layout_analysis::Analysis;
    /// let (a, b): (DynLayout, DynLayout) = ("(4,6):(6,1)".parse()?, "(8,1):(1,0)".parse()?);
    /// assert_eq!(a.find_composition(&b)?.cut(), [vec![4, 2], vec![]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cut(&self) -> &[Vec<usize>] {
        &self.cut
    }

    /// The carries that cancel out, each pattern once, in the order of their first coordinates.
    /// Empty where the rule applies, and for layouts with negative or XOR strides.
    ///
    /// `gained == lost`
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// # use layout_analysis::Analysis;
    /// let (a, b): (DynLayout, DynLayout) = ("(4,6):(6,1)".parse()?, "(2,3):(2,4)".parse()?);
    /// assert!(a.find_composition(&b)?.carries().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn carries(&self) -> &[Carries] {
        &self.carries
    }
}

pub(crate) fn find_composition(left: &DynLayout, right: &DynLayout) -> Result<Composition, Error> {
    let by_rule = left.compose(right);
    if let Ok(layout) = by_rule {
        let cut = cut_of(right, &layout);
        return Ok(Composition { layout, cut, carries: Vec::new() });
    }
    let (size, shape) = (right.size(), right.shape());
    if size == 0 {
        // There is no coordinate: any strides do.
        let layout = DynLayout::try_left(&shape)?;
        return Ok(Composition { cut: cut_of(right, &layout), layout, carries: Vec::new() });
    }
    // For negative offsets of `right`, and for empty left layouts, the rule's error is the reason.
    let outer = leaves(left);
    let coordinates = Function::new(right).table(right, size)?;
    if outer.iter().any(|leaf| leaf.extent == 0) || coordinates.iter().any(|&offset| offset < 0) {
        return Err(by_rule.err().map_or_else(|| Error::overflow(left), Error::Layout));
    }
    let of_left = Function::new(left);
    let at = |offset: &i128| usize::try_from(*offset).ok().and_then(|offset| of_left.at(offset));
    let values: Vec<i128> =
        coordinates.iter().map(at).collect::<Option<_>>().ok_or_else(|| Error::overflow(left))?;
    // The modes of each leaf alone, then a check of their sum.
    let extents = shape.leaves();
    let mut modes = Vec::new();
    let (mut step, mut refused) = (1, None);
    for (mode, &extent) in extents.iter().enumerate() {
        let of_leaf: Vec<i128> = (0..extent).map(|digit| values[digit * step]).collect();
        match modes_of(&of_leaf, mode) {
            Ok(found) => modes.push(found),
            Err(reason) => refused = refused.or(Some(reason)),
        }
        step *= extent;
    }
    if refused.is_none() {
        let all: Vec<(usize, i128)> = modes.iter().flatten().copied().collect();
        let sum = |coordinate: usize| {
            let mut rest = coordinate;
            all.iter()
                .map(|&(extent, stride)| {
                    let digit = rest % extent;
                    rest /= extent;
                    digit as i128 * stride
                })
                .sum::<i128>()
        };
        let differs = (0..size)
            .map(|coordinate| (coordinate, sum(coordinate)))
            .find(|&(c, sum)| values[c] != sum);
        refused = differs.map(|(coordinate, sum)| NoLayout::NotAdditive {
            coordinate,
            value: values[coordinate],
            sum,
        });
    }
    let signed = |modes: &[(usize, i128)]| {
        let mode = |&(extent, number): &(usize, i128)| Some((extent, stride(number)?));
        modes.iter().map(mode).collect::<Option<Vec<_>>>()
    };
    match refused {
        None => {
            let modes: Vec<_> = modes
                .iter()
                .map(|modes| signed(modes))
                .collect::<Option<_>>()
                .ok_or_else(|| Error::overflow(left))?;
            let layout = in_place_of(&shape, &modes)?;
            let cut: Vec<Vec<usize>> = modes
                .iter()
                .map(|modes| modes.iter().map(|&(extent, _)| extent).collect())
                .collect();
            let natural = outer
                .iter()
                .chain(&leaves(right))
                .all(|leaf| matches!(leaf.stride, DynStride::Natural(_)));
            let carries = if natural { carries(left, right, &cut, size)? } else { Vec::new() };
            Ok(Composition { layout, cut, carries })
        }
        Some(reason) => match bits_of(&values) {
            Some(bits) => {
                let mut bits = bits.into_iter();
                let of_leaf = |&extent: &usize| {
                    let count = extent.ilog2() as usize;
                    bits.by_ref().take(count).map(|number| (2, xor(number))).collect::<Vec<_>>()
                };
                let modes: Vec<_> = extents.iter().map(of_leaf).collect();
                let layout = in_place_of(&shape, &modes)?.coalesce_by(&shape)?;
                Ok(Composition { cut: cut_of(right, &layout), layout, carries: Vec::new() })
            }
            None => Err(Error::NoLayout { what: format!("{left} o {right}"), reason }),
        },
    }
}

pub(crate) fn xor(number: usize) -> DynStride {
    if number == 0 { DynStride::Natural(0) } else { DynStride::Xor(number) }
}

/// The extents in the result that each leaf of the right layout becomes.
fn cut_of(right: &DynLayout, layout: &DynLayout) -> Vec<Vec<usize>> {
    let shape = layout.shape();
    let mut found = shape.leaves().iter();
    let of_leaf = |&extent: &usize| {
        // An empty mode is one extent of 0.
        let (mut cut, mut size) = (Vec::new(), 1);
        while size != extent {
            let Some(&next) = found.next() else { break };
            size *= next;
            cut.push(next);
        }
        if extent == 1 {
            found.next();
        }
        cut
    };
    right.shape().leaves().iter().map(of_leaf).collect()
}

/// Every pattern of carries, by the definitions of `crates/proof/Carries.v`.
fn carries(
    left: &DynLayout,
    right: &DynLayout,
    cut: &[Vec<usize>],
    size: usize,
) -> Result<Vec<Carries>, Error> {
    // The left modes; the last one is unbounded.
    let bounded = leaves(&left.coalesce_z());
    // The runs: extents with strides, and the digits of the strides.
    let mut runs: Vec<(usize, Vec<u128>)> = Vec::new();
    for (leaf, cut) in leaves(right).iter().zip(cut) {
        let mut stride = leaf.signed() as u128;
        for &extent in cut {
            runs.push((extent, digits(&bounded, stride)));
            stride *= extent as u128;
        }
    }
    let mut found: Vec<Carries> = Vec::new();
    for coordinate in 0..size {
        let mut sums = vec![0u128; bounded.len()];
        let mut rest = coordinate;
        for (extent, digits) in &runs {
            let steps = (rest % extent) as u128;
            rest /= extent;
            sums.iter_mut().zip(digits).for_each(|(sum, digit)| *sum += steps * digit);
        }
        let (mut carried, mut gained, mut lost) = (Vec::new(), 0u128, 0u128);
        for (k, pair) in bounded.windows(2).enumerate() {
            let carry = sums[k] / pair[0].extent as u128;
            sums[k + 1] += carry;
            let product =
                |number: u128| carry.checked_mul(number).ok_or_else(|| Error::overflow(left));
            gained += product(pair[1].signed() as u128)?;
            lost += product(pair[0].extent as u128 * pair[0].signed() as u128)?;
            carried.push(carry);
        }
        if carried.iter().all(|&carry| carry == 0) {
            continue;
        }
        match found.iter_mut().find(|carries| carries.carried == carried) {
            Some(carries) => carries.coordinates += 1,
            None => {
                found.push(Carries { carried, gained, lost, first: coordinate, coordinates: 1 })
            }
        }
    }
    Ok(found)
}

/// The digits of a number in the modes; the last mode is unbounded.
fn digits(modes: &[Leaf], number: u128) -> Vec<u128> {
    let (mut rest, last) = (number, modes.len() - 1);
    let digit = |(k, leaf): (usize, &Leaf)| {
        let digit = if k == last { rest } else { rest % leaf.extent as u128 };
        rest /= leaf.extent as u128;
        digit
    };
    modes.iter().enumerate().map(digit).collect()
}
