//! Composition of layouts of mixed strides, exact.
//!
//! ```text
//! R = A o B        R(c) = A(B(c)) for every coordinate c of B
//! ```
//!
//! A natural leaf of `B` goes through the modes of `A` as in `composition`: its stride has a digit
//! in each of them, and its steps stay linear until a digit overflows or, in an XOR mode, carries.
//! Digits of several leaves may add up in a natural mode, and may not share a bit in an XOR mode.
//! An XOR leaf is read bit by bit; a mode of `A` that it shares with another leaf has to be linear
//! in the bits of its coordinate too, and begin at a power of two.

use alloc::vec::{self, Vec};

use super::bits::{bits, carries, clmul, coordinate_bits, first_carry, width};
use super::modes::{
    KindMode, KindModes, check, fit, has_natural_equivalent, left_modes, push_merged,
};
use super::parts::PartsOfModes;
use super::stride::DynStride;
use crate::error::Fault;

/// The modes of `extent` coordinates, a power of two times an odd number, whose bits go where
/// `images` says.
pub(crate) fn group(
    images: &[u128],
    extent: usize,
    mut emit: impl FnMut(KindMode),
) -> Result<(), Fault> {
    let mut first = 0;
    for place in 1..=images.len() {
        if place == images.len() {
            emit(KindMode::new(extent >> first, DynStride::xor(fit(images[first])?)));
        } else if images[place] != images[place - 1] << 1 {
            if extent % (1 << place) != 0 {
                return Err(Fault::Uneven { steps: 1 << place, extent });
            }
            emit(KindMode::new(1 << (place - first), DynStride::xor(fit(images[first])?)));
            first = place;
        }
    }
    Ok(())
}

/// The modes of bits that go where `images` says, all coordinates together a power of two.
pub(crate) fn of_units(images: &[u128], modes: &mut KindModes) -> Result<(), Fault> {
    let extent = u32::try_from(images.len())
        .ok()
        .and_then(|bits| 1usize.checked_shl(bits))
        .ok_or(Fault::Overflow)?;
    if images.is_empty() { Ok(()) } else { group(images, extent, |mode| push_merged(modes, mode)) }
}

/// A mode of the left layout, with the digits that the right layout has reached in it.
struct Left {
    mode: KindMode,
    /// The largest sum of digits so far.
    reach: u128,
    /// The bits of digits so far, of an XOR mode.
    used: u128,
    /// Whether it is a natural mode, replaced by an equivalent XOR mode.
    encoded: bool,
}

/// The left layout of a composition; its last mode has no end.
struct ComposerOfKinds {
    left: Vec<Left>,
    /// The XOR modes of the right layout that have equivalent natural modes.
    as_natural: KindModes,
    /// The bits of natural parts that became XOR strides, and, in `without`, those of the XOR
    /// parts.
    turned: u128,
    without: u128,
    /// The XOR bits, for the check over all modes of a composition by mode.
    parts: PartsOfModes,
}

impl ComposerOfKinds {
    /// The left layout, and all modes of the right one.
    fn new(left: &KindModes, right: &[KindMode]) -> Result<Self, Fault> {
        if let Some(mode) =
            right.iter().find(|mode| mode.moves() && matches!(mode.stride, DynStride::Negative(_)))
        {
            return Err(Fault::NegativeOffset {
                extent: mode.extent,
                stride: mode.stride.number(),
            });
        }
        let left =
            left.iter().map(|&mode| Left { mode, reach: 0, used: 0, encoded: false }).collect();
        let as_natural = (0..right.len())
            .filter(|&k| has_natural_equivalent(right, k))
            .map(|k| right[k])
            .collect();
        let parts = PartsOfModes::default();
        let mut composer = ComposerOfKinds { left, as_natural, turned: 0, without: 0, parts };
        composer.meet(right)?;
        Ok(composer)
    }

    /// Makes the left modes that XOR strides of the right layout reach linear in their bits, or
    /// says which cannot be.
    fn meet(&mut self, right: &[KindMode]) -> Result<(), Fault> {
        let is_natural = |mode: &KindMode| !mode.stride.is_xor() || self.as_natural.contains(mode);
        let mask =
            right.iter().filter(|mode| !is_natural(mode)).fold(0, |all, mode| all | mode.bits());
        if mask == 0 {
            return Ok(());
        }
        let steps: u128 = right.iter().filter(|mode| is_natural(mode)).fold(0, |sum, mode| {
            let (extent, number) = mode.numbers();
            sum + extent.saturating_sub(1) * number
        });
        let (mut place, mut sums, mut products) = (1u128, 0, 0);
        let last = self.left.len() - 1;
        for (index, left) in self.left.iter_mut().enumerate() {
            let (extent, number) = left.mode.numbers();
            if extent == 0 && index != last {
                return Err(Fault::Carry {
                    sum: 0,
                    mode: index,
                    extent: 0,
                    stride: left.mode.stride.number(),
                });
            }
            let digit = if index == last { mask / place } else { mask / place % extent };
            (left.reach, left.used) = (digit, digit);
            let most = (steps + mask) / place + 1;
            let most = if index == last { most } else { most.min(extent) };
            if left.mode.stride.is_xor() {
                products |= bits(most, number);
            } else if digit != 0 {
                let backwards = matches!(left.mode.stride, DynStride::Negative(_));
                if backwards || carries(most, number) || sums & bits(most, number) != 0 {
                    return Err(Fault::XorInto {
                        extent: left.mode.extent,
                        stride: left.mode.stride.number(),
                    });
                }
                sums |= bits(most, number);
                left.mode.stride = DynStride::xor(left.mode.stride.number());
                left.encoded = true;
            }
            if index != last {
                place = place.checked_mul(extent).ok_or(Fault::Overflow)?;
                if place <= mask && !place.is_power_of_two() {
                    return Err(Fault::XorAcross { place: fit(place)? });
                }
            }
        }
        match sums & products {
            0 => Ok(()),
            shared => Err(Fault::PartsOverlap { bit: shared.trailing_zeros() }),
        }
    }

    /// Composes with one leaf of the right layout: the modes that come in its place.
    fn leaf(&mut self, right: KindMode, mut emit: impl FnMut(KindMode)) -> Result<(), Fault> {
        if !right.stride.is_xor() || right.extent <= 1 || self.as_natural.contains(&right) {
            return self.steps(right.extent, right.stride.number() as u128, emit);
        }
        let mut images: Vec<u128> = Vec::new();
        for place in 0..coordinate_bits(right.extent) {
            let mut rest = fit((right.stride.number() as u128) << place)? as u128;
            let (mut image, mut encoded) = (0, 0);
            let last = self.left.len() - 1;
            for (index, left) in self.left.iter().enumerate() {
                let (extent, number) = left.mode.numbers();
                let digit = if index == last { rest } else { rest % extent };
                rest /= extent.max(1);
                image ^= clmul(digit, number);
                encoded ^= if left.encoded { clmul(digit, number) } else { 0 };
            }
            self.without |= image;
            self.parts.add(image ^ encoded, encoded);
            images.push(image);
        }
        group(&images, right.extent, &mut emit)
    }

    /// `extent` steps of the natural stride `step`.
    fn steps(
        &mut self,
        mut extent: usize,
        mut step: u128,
        mut emit: impl FnMut(KindMode),
    ) -> Result<(), Fault> {
        if extent == 1 {
            emit(KindMode::new(1, DynStride::Natural(0)));
            return Ok(());
        }
        loop {
            let last = self.left.len() - 1;
            fit(step)?;
            let (mut rest, mut count) = (step, extent as u128);
            let mut digits: Vec<u128> = Vec::new();
            let mut stop = KindMode::new(1, DynStride::Natural(0));
            for (index, left) in self.left.iter().enumerate() {
                let bound = left.mode.extent as u128;
                if index != last && bound == 0 {
                    return Err(Fault::Carry {
                        sum: 0,
                        mode: index,
                        extent: 0,
                        stride: left.mode.stride.number(),
                    });
                }
                let digit = if index == last { rest } else { rest % bound };
                rest /= bound.max(1);
                digits.push(digit);
                let before = count;
                if digit != 0 && index != last {
                    count = count.min(bound.div_ceil(digit));
                }
                if digit != 0 && left.mode.stride.is_xor() {
                    count = count.min(first_carry(digit).unwrap_or(count));
                }
                if count < before {
                    stop = left.mode;
                }
            }
            let (mut sum, mut without, mut encoded) = (0i128, 0, 0);
            for (left, &digit) in self.left.iter_mut().zip(&digits) {
                let (_, number) = left.mode.numbers();
                left.reach += count.saturating_sub(1) * digit;
                if left.mode.stride.is_xor() {
                    without ^= clmul(digit, number);
                    encoded ^= if left.encoded { clmul(digit, number) } else { 0 };
                    let mine = bits(count, digit);
                    let shared = left.used & mine;
                    if shared != 0 {
                        let (extent, bit) = (left.mode.extent, shared.trailing_zeros());
                        return Err(Fault::XorCarry {
                            extent,
                            stride: left.mode.stride.number(),
                            bit,
                        });
                    }
                    left.used |= mine;
                } else {
                    let term = digit.checked_mul(number).and_then(|term| i128::try_from(term).ok());
                    let term = term.ok_or(Fault::Overflow)?;
                    let backwards = matches!(left.mode.stride, DynStride::Negative(_));
                    sum = sum
                        .checked_add(if backwards { -term } else { term })
                        .ok_or(Fault::Overflow)?;
                }
            }
            let count = fit(count)?;
            emit(KindMode::new(count, self.sum_of_parts(count, sum, without)?));
            self.parts.add(bits(count as u128, without ^ encoded), bits(count as u128, encoded));
            if count == extent {
                return Ok(());
            }
            if extent % count != 0 {
                return Err(Fault::Steps {
                    extent,
                    stride: fit(step)?,
                    steps: count,
                    left_extent: stop.extent,
                    left_stride: stop.stride.number(),
                });
            }
            (extent, step) =
                (extent / count, step.checked_mul(count as u128).ok_or(Fault::Overflow)?);
        }
    }

    /// The stride of `extent` steps with this natural part and this XOR part.
    fn sum_of_parts(
        &mut self,
        extent: usize,
        natural: i128,
        without: u128,
    ) -> Result<DynStride, Fault> {
        let steps = extent as u128;
        if width(without) + coordinate_bits(extent) > u128::BITS {
            return Err(Fault::Overflow);
        }
        self.without |= bits(steps, without);
        let along = DynStride::signed(natural).ok_or(Fault::Overflow)?;
        let (distance, without) = (along.number(), fit(without)?);
        if without == 0 {
            return Ok(along);
        }
        if natural == 0 {
            return Ok(DynStride::Xor(without));
        }
        let mine = bits(steps, distance as u128);
        if natural < 0 || carries(steps, distance as u128) || mine & self.turned != 0 {
            return Err(Fault::TwoParts { steps: extent, natural: distance, without });
        }
        self.turned |= mine;
        self.parts.add(0, mine);
        Ok(DynStride::Xor(distance | without))
    }

    /// The rule *carry*: whether the digits stay within each left mode.
    fn finish(&self) -> Result<(), Fault> {
        let shared = self.turned & self.without;
        if shared != 0 {
            return Err(Fault::PartsOverlap { bit: shared.trailing_zeros() });
        }
        let bounded = &self.left[..self.left.len() - 1];
        match bounded.iter().enumerate().find(|(_, left)| left.reach >= left.mode.extent as u128) {
            None => Ok(()),
            Some((mode, left)) => Err(Fault::Carry {
                sum: fit(left.reach)?,
                mode,
                extent: left.mode.extent,
                stride: left.mode.stride.number(),
            }),
        }
    }
}

/// The composition of the left layout with the modes `right`: the modes in place of each right
/// mode, by the digits of its stride, and the XOR bits of the whole. The left layout continues with
/// the stride of a last mode of extent 1.
pub(crate) fn compose(
    left: &[KindMode],
    right: &[KindMode],
) -> Result<(vec::IntoIter<KindModes>, PartsOfModes), Fault> {
    let mut composer = ComposerOfKinds::new(&left_modes(left), right)?;
    let leaf = |&mode: &KindMode| {
        let mut modes = KindModes::new();
        composer.leaf(mode, |mode| modes.push(mode)).map(|()| modes)
    };
    let parts: Vec<KindModes> = right.iter().map(leaf).collect::<Result<_, _>>()?;
    composer.finish()?;
    let all: KindModes = parts.iter().flatten().copied().collect();
    if all.iter().all(|mode| mode.extent != 0) {
        check(&all)?;
    }
    Ok((parts.into_iter(), composer.parts))
}
