//! From natural strides to XOR strides and back: the same function, where no sum carries.
//!
//! ```text
//! linear(L)(c) = L(c)
//!         with XOR strides: possible if and only if no two bits' strides share a bit that add up
//! natural(L)(c) = L(c)    with natural ones: the same condition
//! swizzled(L)(c) = L(c)   a swizzle of a layout of natural strides
//! ```

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::bits::{bits, width};
use super::modes::{KindMode, KindModes, of_coordinate_bits, sum_bits};
use super::stride::{DynStride, DynStrideKind};
use crate::dynamic::layout::{DynLayout, from_profile};
use crate::error::{Fault, LayoutError};
use crate::swizzle::DynSwizzle;

fn is_empty(modes: &[KindMode]) -> bool {
    modes.iter().any(|mode| mode.extent == 0)
}

/// The modes that move, a bit of the coordinate each: `2:d`, where the extents say that two bits
/// are never set at once.
fn shared(modes: &[KindMode], kind: DynStrideKind) -> Result<(), Fault> {
    // No coordinate of an empty layout sets a bit.
    if is_empty(modes) {
        return Ok(());
    }
    let mut before: KindModes = KindModes::new();
    for &mode in modes.iter().filter(|mode| mode.moves() && mode.stride.kind() == kind) {
        let (extent, number) = mode.numbers();
        for place in 0..width(extent - 1) {
            let stride = number << place;
            // Of its own bits, those that a coordinate below the extent has beside this one.
            let own = (0..place)
                .filter(|other| (1 << place) + (1 << other) < extent)
                .map(|other| number << other);
            let others = before
                .iter()
                .flat_map(|&mode| of_coordinate_bits(mode, 0, u32::MAX).map(|(vector, _)| vector));
            if let Some(first) = others.chain(own).find(|first| first & stride != 0) {
                let bit = (first & stride).trailing_zeros();
                // They are strides of bits of a layout, whose offsets fit.
                let [first, second] =
                    [first, stride].map(|stride| usize::try_from(stride).unwrap_or(usize::MAX));
                return Err(Fault::SharedBit { first, second, bit });
            }
        }
        before.push(mode);
    }
    Ok(())
}

pub(crate) fn linear(modes: &[KindMode]) -> Result<KindModes, Fault> {
    let backwards =
        |mode: &&KindMode| mode.moves() && matches!(mode.stride, DynStride::Negative(_));
    if let Some(mode) = modes.iter().find(backwards).filter(|_| !is_empty(modes)) {
        return Err(Fault::NoXor { extent: mode.extent, stride: mode.stride.number() });
    }
    // A negative one never moves.
    in_kind(modes, DynStrideKind::Natural, |stride| match stride {
        DynStride::Negative(_) => DynStride::Natural(0),
        _ => DynStride::xor(stride.number()),
    })
}

fn natural(modes: &[KindMode]) -> Result<KindModes, Fault> {
    in_kind(modes, DynStrideKind::Xor, |stride| match stride {
        DynStride::Xor(number) => DynStride::Natural(number),
        _ => stride,
    })
}

/// The same function with the strides of one kind replaced, if no two bits of these strides add up.
fn in_kind(
    modes: &[KindMode],
    kind: DynStrideKind,
    to: fn(DynStride) -> DynStride,
) -> Result<KindModes, Fault> {
    shared(modes, kind)?;
    Ok(modes.iter().map(|mode| KindMode::new(mode.extent, to(mode.stride))).collect())
}

/// The natural modes without an equivalent XOR mode: their multiples carry, or they share bits with
/// other modes. Modes that share bits with the sums of these count too.
fn carrying(modes: &[KindMode]) -> KindModes {
    let mut apart: KindModes =
        modes.iter().copied().filter(|mode| mode.moves() && !mode.stride.is_xor()).collect();
    let mut kept = KindModes::new();
    loop {
        let sums = sum_bits(&kept);
        let carries = |k: usize| {
            let others =
                apart[..k].iter().chain(&apart[k + 1..]).fold(sums, |all, mode| all | mode.bits());
            apart[k].carries() || apart[k].bits() & others != 0
        };
        match (0..apart.len()).find(|&k| carries(k)) {
            Some(k) => kept.push(apart.swap_remove(k)),
            None => return kept,
        }
    }
}

/// The most sums of carrying modes that are compared for one swizzle, modulo the power of two
/// beyond the bits that the swizzle reads or changes; a swizzle that reads bits of more sums is
/// passed over. The largest shared memory has as many offsets.
const SUMS: usize = 1 << 16;

/// The bits below the first `low` ones that the sums of natural modes have once they are swizzled,
/// if these are sums of the swizzled strides.
///
/// The low bits of a number decide what a swizzle adds to it. So one test for each sum modulo
/// `2^low` is enough: one more step of a mode changes the added number by as much as the stride
/// alone does.
fn swizzled_sums(kept: &[KindMode], swizzle: &DynSwizzle, low: u32) -> Option<u128> {
    let mask = (1u128 << low) - 1;
    let apply = |number: u128| swizzle.apply(number as usize) as u128;
    let added = |number: u128| apply(number) as i128 - number as i128;
    let mut sums = BTreeSet::new();
    sums.insert(0);
    for mode in kept {
        let (extent, number) = mode.numbers();
        let step = number & mask;
        let mut last: Vec<u128> = sums.iter().copied().collect();
        for _ in 1..extent {
            let mut next = Vec::new();
            for sum in last {
                let one_more = (sum + step) & mask;
                if added(one_more) - added(sum) != added(step) {
                    return None;
                }
                if sums.insert(one_more) {
                    next.push(one_more);
                }
            }
            if sums.len() > SUMS {
                return None;
            }
            // The later steps from sums that are known already have been taken.
            if next.is_empty() {
                break;
            }
            last = next;
        }
    }
    Some(sums.into_iter().fold(0, |all, sum| all | apply(sum)))
}

/// The first swizzle that turns these strides into natural ones; as its own inverse it also turns
/// those into these. All swizzles are tried: the fewest bits first, then the lowest ones, then the
/// nearest.
pub(crate) fn swizzled(modes: &[KindMode]) -> Result<(DynSwizzle, KindModes), Fault> {
    let plain = match natural(modes) {
        Ok(plain) => return Ok((DynSwizzle::IDENTITY, plain)),
        Err(fault) => fault,
    };
    let kept = carrying(modes);
    let sums = sum_bits(&kept);
    let stays = |mode: &KindMode| kept.contains(mode);
    let linear_ones: KindModes = modes.iter().copied().filter(|mode| !stays(mode)).collect();
    let linear_ones = linear(&linear_ones).map_err(|_| plain)?;
    let used = width(
        linear_ones.iter().filter(|mode| mode.moves()).fold(sums, |all, mode| all | mode.bits()),
    );
    let signed = |shift: u32| [shift as i32, -(shift as i32)];
    let candidates = (1..=used / 2).flat_map(|bits| {
        (0..=used - 2 * bits).flat_map(move |base| {
            (bits..=used - bits - base)
                .flat_map(move |shift| signed(shift).map(|shift| (bits, base, shift)))
        })
    });
    for (bits_moved, base, shift) in candidates {
        let Ok(swizzle) = DynSwizzle::new(bits_moved, base, shift) else { continue };
        let apply = |number: u128| swizzle.apply(number as usize) as u128;
        let unswizzled = |mode: &KindMode| {
            let (extent, number) = mode.numbers();
            let first = apply(number);
            // A mode is one stride again if all of its bits are swizzled to one.
            let even = (0..if extent > 1 { width(extent - 1) } else { 0 }).all(|place| {
                apply(number << place) == first << place && bits(extent, first) >> usize::BITS == 0
            });
            even.then(|| KindMode::new(mode.extent, mode.stride.with_number(first as usize)))
        };
        let Some(found) = linear_ones.iter().map(unswizzled).collect::<Option<KindModes>>() else {
            continue;
        };
        let Ok(found) = natural(&found) else { continue };
        // The sums are computed below the first `low` bits; above, their bits do not change.
        let low = bits_moved + base + shift.unsigned_abs();
        let Some(of_sums) = swizzled_sums(&kept, &swizzle, low) else { continue };
        let of_sums = of_sums | sums >> low << low;
        if found.iter().any(|mode| mode.moves() && mode.bits() & of_sums != 0) {
            continue;
        }
        let mut found = found.into_iter();
        let swizzled = |mode: &KindMode| {
            KindMode::new(mode.extent, mode.stride.with_number(apply(mode.numbers().1) as usize))
        };
        // As many as there are linear ones.
        let all = modes
            .iter()
            .map_while(|mode| if stays(mode) { Some(swizzled(mode)) } else { found.next() });
        return Ok((swizzle, all.collect()));
    }
    Err(plain)
}

impl DynLayout {
    /// This layout with other strides.
    pub(crate) fn with_modes(&self, modes: &KindModes) -> Result<DynLayout, Fault> {
        from_profile(&self.profile, modes.iter().copied())
    }

    /// The same function with XOR strides: a layout that is linear in the bits of its coordinate.
    ///
    /// Law: `linear(L)(c) = L(c)`. There is one if and only if no sum of two bits' strides carries;
    /// of an empty layout there always is. Triton: a linear layout, whose bases are the products of
    /// its strides with powers of two.
    ///
    /// # Errors
    /// `carry` with the two strides that share a bit, `stride` if one is negative.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!("(8,8):(8,1)".parse::<DynLayout>()?.linear()?.to_string(), "(8,8):(^8,^1)");
    /// let error = "(8,8):(1,9)".parse::<DynLayout>()?.linear().unwrap_err();
    /// assert!(
    ///     error.to_string().ends_with("the strides 1 and 9 of two bits of the coordinate share bit 0")
    /// );
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn linear(&self) -> Result<DynLayout, LayoutError> {
        linear(&self.every_mode())
            .and_then(|modes| self.with_modes(&modes))
            .map_err(|fault| LayoutError::new("linear", fault).with_operand(self))
    }

    /// The same function without XOR strides.
    ///
    /// Law: `natural(L)(c) = L(c)`. There is one if and only if no two bits' strides share a bit
    /// that are ever set at once; of an empty layout there always is.
    ///
    /// # Errors
    /// `carry` with the two strides that share a bit.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!("(8,8):(^8,^1)".parse::<DynLayout>()?.natural()?.to_string(), "(8,8):(8,1)");
    /// assert_eq!("(8,8):(^1,^9)".parse::<DynLayout>()?.natural().unwrap_err().kind().as_str(), "carry");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn natural(&self) -> Result<DynLayout, LayoutError> {
        natural(&self.every_mode())
            .and_then(|modes| self.with_modes(&modes))
            .map_err(|fault| LayoutError::new("natural", fault).with_operand(self))
    }
}
