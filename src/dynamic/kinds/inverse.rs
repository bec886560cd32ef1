//! Complement and inverses of layouts of mixed strides.
//!
//! ```text
//! complement       (L, R) reaches every offset once, counted from the least
//! right_inverse    L(R(i)) = i for i < size(R)
//! left_inverse     L(R(L(i))) = L(i)
//! nullspace        L(R(i)) = 0
//! ```
//!
//! The bits of XOR strides are eliminated; natural strides above these bits are sorted as usual.

use alloc::vec::Vec;

use super::compose::of_units;
use super::linear::{BitsAndAbove, KindDomainMode, TaggedSpan, domain_modes};
use super::modes::{KindMode, KindModes, check, of_coordinate_bits, plain, push_merged};
use super::stride::DynStride;
use crate::dynamic::flat::DynMode;
use crate::dynamic::sorted::{self, OffsetSpan, Rounded, gaps_of, top};
use crate::error::Fault;

fn is_negative(mode: KindMode) -> bool {
    mode.moves() && matches!(mode.stride, DynStride::Negative(_))
}

/// Appends the gaps of the modes, and returns their span; an empty layout spans nothing.
pub(crate) fn gaps(
    modes: &[KindMode],
    exact: bool,
    free: &mut KindModes,
) -> Result<OffsetSpan, Fault> {
    if modes.iter().any(|mode| mode.extent == 0) {
        return Ok(OffsetSpan::Offsets(0));
    }
    let parts = BitsAndAbove::new(domain_modes(modes), false)?;
    let mut span = TaggedSpan::default();
    for of in &parts.linear {
        let KindMode { extent, stride } = of.mode;
        if !extent.is_power_of_two() {
            return Err(Fault::NoPowerOfTwo { number: extent });
        }
        for (vector, _) in of_coordinate_bits(of.mode, 0, extent.trailing_zeros()) {
            if span.add(vector, 0).is_some() {
                return Err(Fault::XorOverlap { extent, stride: stride.number() });
            }
        }
    }
    let units: Vec<u128> =
        (0..parts.width).filter(|&bit| !span.has_pivot(bit)).map(|bit| 1 << bit).collect();
    of_units(&units, free)?;
    let Ok(unit) = parts.unit() else { return Ok(OffsetSpan::BeyondUsize) };
    let above = parts.above.iter().map(|mode| DynMode::new(mode.extent, mode.stride)).collect();
    gaps_of(above, unit, exact, free)
}

/// The modes of the complement in `extent`.
pub(crate) fn complement(
    modes: &[KindMode],
    extent: usize,
    rounded: Rounded,
) -> Result<KindModes, Fault> {
    let mut free = KindModes::new();
    let span = gaps(modes, true, &mut free)?;
    top(span, extent, rounded, &mut free)?;
    // The layout and its complement together are a layout: natural and XOR strides have to be
    // disjoint there too.
    if modes.iter().any(|mode| mode.moves() && mode.stride.is_xor()) {
        check(&modes.iter().chain(&free).copied().collect::<KindModes>())?;
    }
    Ok(free)
}

/// The bits of linear modes whose steps in the domain are a power of two, each with its weight in a
/// coordinate's number. All bits of coordinates below the greatest power of two in the extent are
/// any.
fn bits_of_any(linear: &[KindDomainMode]) -> impl Iterator<Item = (u128, u128)> + '_ {
    let whole = linear.iter().filter(|of| of.step.is_power_of_two());
    whole.flat_map(|of| {
        of_coordinate_bits(of.mode, of.step as u128, of.mode.extent.checked_ilog2().unwrap_or(0))
    })
}

/// The longest inverse from the right.
pub(crate) fn right_inverse(modes: &[KindMode]) -> Result<KindModes, Fault> {
    let mut inverse = KindModes::new();
    let mut domain = domain_modes(modes);
    domain.retain(|of| !is_negative(of.mode));
    let parts = BitsAndAbove::new(domain, true)?;
    // Nothing lies above bits that fill a number.
    let unit = parts.unit().unwrap_or(0);
    let mut span = TaggedSpan::default();
    bits_of_any(&parts.linear).for_each(|(vector, tag)| {
        span.add(vector, tag);
    });
    let found =
        (0..parts.width).map(|bit| span.reduce(1 << bit, 0)).take_while(|&(rest, _)| rest == 0);
    let images: Vec<u128> = found.map(|(_, tag)| tag).collect();
    of_units(&images, &mut inverse)?;
    if images.len() == parts.width as usize {
        sorted::right_inverse(parts.above, unit, &mut inverse);
    }
    Ok(inverse)
}

/// An inverse from the left.
pub(crate) fn left_inverse(modes: &[KindMode]) -> Result<KindModes, Fault> {
    if let Some(mode) = modes.iter().find(|mode| is_negative(**mode)) {
        return Err(Fault::NegativeOffset { extent: mode.extent, stride: mode.stride.number() });
    }
    let mut inverse = KindModes::new();
    let parts = BitsAndAbove::new(domain_modes(modes), false)?;
    let unit = parts.unit().unwrap_or(1);
    let mut span = TaggedSpan::default();
    for of in &parts.linear {
        if !of.step.is_power_of_two() {
            return Err(Fault::NoPowerOfTwo { number: of.step });
        }
        for (vector, tag) in of_coordinate_bits(of.mode, of.step as u128, u32::MAX) {
            span.add(vector, tag);
        }
    }
    for bit in 0..parts.width {
        if !span.has_pivot(bit) {
            span.add(1 << bit, 0);
        }
    }
    let images: Vec<u128> = (0..parts.width).map(|bit| span.reduce(1 << bit, 0).1).collect();
    of_units(&images, &mut inverse)?;
    sorted::left_inverse(parts.above, unit, &mut inverse)?;
    Ok(inverse)
}

/// The part of the domain that leads to 0.
pub(crate) fn nullspace(modes: &[KindMode]) -> Result<KindModes, Fault> {
    let mut still = KindModes::new();
    let domain = domain_modes(modes);
    for of in domain.iter().filter(|of| of.mode.stride.number() == 0) {
        push_merged(&mut still, KindMode::new(of.mode.extent, DynStride::Natural(of.step)));
    }
    let parts = BitsAndAbove::new(domain, true)?;
    let mut span = TaggedSpan::default();
    let found = bits_of_any(&parts.linear).filter_map(|(vector, tag)| span.add(vector, tag));
    let images: Vec<u128> = found.collect();
    let with = |images: &[u128]| {
        let mut modes = still.clone();
        of_units(images, &mut modes).map(|()| modes)
    };
    let all = with(&images)?;
    if check(&all).is_ok() {
        return Ok(all);
    }
    // Natural steps share a bit with XOR strides. XOR modes become equivalent natural modes, or are
    // left out one by one.
    let together = |images: &[u128]| {
        with(images).map(|modes| plain(&modes)).and_then(|modes| check(&modes).map(|()| modes))
    };
    let mut used: Vec<u128> = Vec::new();
    for image in images {
        used.push(image);
        if together(&used).is_err() {
            used.pop();
        }
    }
    together(&used)
}
