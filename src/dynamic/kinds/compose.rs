//! Composition of layouts of every kind, exact.
//!
//! ```text
//! R = A o B        R(c) = A(B(c)) for every coordinate c of B
//! ```
//!
//! A natural leaf of `B` goes through the modes of `A` as in `composition`: its stride has a digit in each of them, and
//! its steps stay linear until a digit overflows or, in an XOR mode, carries. Digits of several leaves may add up in a
//! natural mode, and may not share a bit in an XOR mode. An XOR leaf is read bit by bit; where it shares a mode of `A`
//! with anything, that mode has to be linear in the bits of its coordinate too, and begin at a power of two.

use alloc::vec::{self, Vec};

use super::bits::{bits, carries, clmul, coordinate_bits, first_carry, width};
use super::looked_for::looked_for;
use super::modes::{KindMode, KindModes, at, check, fit, left_modes, push_merged, says_as_natural, xor_part};
use super::stride::DynStride;
use crate::dynamic::layout::{Draft, View};
use crate::error::Fault;

/// The modes of `extent` coordinates, a power of two times an odd number, whose bits go where `images` says.
pub(crate) fn group(images: &[u128], extent: usize, mut emit: impl FnMut(KindMode)) -> Result<(), Fault> {
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
    let extent = u32::try_from(images.len()).ok().and_then(|bits| 1usize.checked_shl(bits)).ok_or(Fault::Overflow)?;
    let mut each = |mode| push_merged(modes, mode);
    if images.is_empty() { Ok(()) } else { group(images, extent, &mut each) }
}

/// A mode of the left layout, and what the right one has used of it.
struct Left {
    mode: KindMode,
    /// The largest sum of digits so far.
    reach: u128,
    /// The bits of digits so far, of an XOR mode.
    used: u128,
    /// Whether it is a natural mode, told by an XOR stride.
    told: bool,
}

/// The left layout of a composition; its last mode has no end.
struct ComposerOfKinds {
    left: Vec<Left>,
    /// XOR modes of the right layout that natural strides say as well.
    as_natural: KindModes,
    /// The bits of natural parts that had to be told by XOR strides, and those of the XOR parts.
    turned: u128,
    without: u128,
    /// What there is to say where this is one mode of several.
    parts: PartsOfModes,
}

impl ComposerOfKinds {
    /// The left layout, and the modes of all that it will be composed with.
    fn new(left: &KindModes, right: &[KindMode]) -> Result<Self, Fault> {
        if let Some(mode) = right.iter().find(|mode| mode.moves() && matches!(mode.stride, DynStride::Negative(_))) {
            return Err(Fault::NegativeOffset { extent: mode.extent, stride: mode.stride.number() });
        }
        let left = left.iter().map(|&mode| Left { mode, reach: 0, used: 0, told: false }).collect();
        let as_natural = (0..right.len()).filter(|&k| says_as_natural(right, k)).map(|k| right[k]).collect();
        let parts = PartsOfModes::default();
        let mut composer = ComposerOfKinds { left, as_natural, turned: 0, without: 0, parts };
        composer.meet(right)?;
        Ok(composer)
    }

    /// What XOR strides of the right layout reach has to be linear in its bits.
    fn meet(&mut self, right: &[KindMode]) -> Result<(), Fault> {
        let is_natural = |mode: &KindMode| !mode.stride.is_xor() || self.as_natural.contains(mode);
        let mask = right.iter().filter(|mode| !is_natural(mode)).fold(0, |all, mode| all | mode.bits());
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
                return Err(Fault::Carry { sum: 0, mode: index, extent: 0, stride: left.mode.stride.number() });
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
                    return Err(Fault::XorInto { extent: left.mode.extent, stride: left.mode.stride.number() });
                }
                sums |= bits(most, number);
                left.mode.stride = DynStride::xor(left.mode.stride.number());
                left.told = true;
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
            shared => Err(Fault::PartsMeet { bit: shared.trailing_zeros() }),
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
            let (mut image, mut told) = (0, 0);
            let last = self.left.len() - 1;
            for (index, left) in self.left.iter().enumerate() {
                let (extent, number) = left.mode.numbers();
                let digit = if index == last { rest } else { rest % extent };
                rest /= extent.max(1);
                image ^= clmul(digit, number);
                told ^= if left.told { clmul(digit, number) } else { 0 };
            }
            self.without |= image;
            self.parts.add(image ^ told, told);
            images.push(image);
        }
        group(&images, right.extent, &mut emit)
    }

    /// `extent` steps of the natural stride `step`.
    fn steps(&mut self, mut extent: usize, mut step: u128, mut emit: impl FnMut(KindMode)) -> Result<(), Fault> {
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
                    return Err(Fault::Carry { sum: 0, mode: index, extent: 0, stride: left.mode.stride.number() });
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
            let (mut sum, mut without, mut told) = (0i128, 0, 0);
            for (left, &digit) in self.left.iter_mut().zip(&digits) {
                let (_, number) = left.mode.numbers();
                left.reach += count.saturating_sub(1) * digit;
                if left.mode.stride.is_xor() {
                    without ^= clmul(digit, number);
                    told ^= if left.told { clmul(digit, number) } else { 0 };
                    let mine = bits(count, digit);
                    let shared = left.used & mine;
                    if shared != 0 {
                        let (extent, bit) = (left.mode.extent, shared.trailing_zeros());
                        return Err(Fault::XorCarry { extent, stride: left.mode.stride.number(), bit });
                    }
                    left.used |= mine;
                } else {
                    let term = digit.checked_mul(number).and_then(|term| i128::try_from(term).ok());
                    let term = term.ok_or(Fault::Overflow)?;
                    let backwards = matches!(left.mode.stride, DynStride::Negative(_));
                    sum = sum.checked_add(if backwards { -term } else { term }).ok_or(Fault::Overflow)?;
                }
            }
            let count = fit(count)?;
            emit(KindMode::new(count, self.sum_of_parts(count, sum, without)?));
            self.parts.add(bits(count as u128, without ^ told), bits(count as u128, told));
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
            (extent, step) = (extent / count, step.checked_mul(count as u128).ok_or(Fault::Overflow)?);
        }
    }

    /// The stride that goes so far in the natural and in the XOR part of `extent` steps.
    fn sum_of_parts(&mut self, extent: usize, natural: i128, without: u128) -> Result<DynStride, Fault> {
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

    /// Whether what was composed with reached no end of a left mode.
    fn finish(&self) -> Result<(), Fault> {
        let shared = self.turned & self.without;
        if shared != 0 {
            return Err(Fault::PartsMeet { bit: shared.trailing_zeros() });
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

/// Bits of compositions mode by mode. Each is one of a mode alone, and the modes add up, but for what is XORed:
///
/// ```text
/// A(B0(c0), B1(c1)) = R(c0, c1)        if and only if x0 & x1 = r0 & r1 for the XOR parts, x of A and r of R
/// ```
///
/// at all coordinates, since `x ^ y = x + y - 2 (x & y)`. A bit that two modes have there is right as long as neither
/// has it where only one of its `x` and `r` has it.
#[derive(Clone, Copy, Default)]
pub(crate) struct PartsOfModes {
    /// The bits of XOR parts of the left layout.
    left: u128,
    /// Those of XOR parts of the result.
    result: u128,
    /// Those that only one of both has, at some coordinate.
    changed: u128,
    /// Those at fault, of two modes that are not what they are together.
    shared: u128,
}

impl PartsOfModes {
    /// The parts of a layout as it is.
    fn kept(modes: &[KindMode]) -> Self {
        let without = modes.iter().filter(|mode| mode.stride.is_xor() && mode.moves());
        let bits = without.fold(0, |all, mode| all | mode.bits());
        PartsOfModes { left: bits, result: bits, ..Self::default() }
    }

    /// The parts of a composition that was looked for, by all its offsets.
    fn of_offsets(left: &[KindMode], right: &[KindMode], result: &[KindMode]) -> Self {
        let size = right.iter().map(|mode| mode.extent).product();
        (0..size).fold(Self::default(), |mut parts, i| {
            let through = at(right, i).and_then(|offset| usize::try_from(offset).ok());
            let (before, after) = (through.map_or(0, |place| xor_part(left, place)), xor_part(result, i));
            parts.left |= before;
            parts.result |= after;
            parts.changed |= before ^ after;
            parts
        })
    }

    /// Adds bits of an XOR part of both, and such that only the result tells by XOR strides.
    fn add(&mut self, both: u128, told: u128) {
        self.left |= both;
        self.result |= both | told;
        self.changed |= told;
    }

    /// Adds the parts of another mode.
    pub(crate) fn join(&mut self, other: Self) {
        let both = self.left & other.left | self.result & other.result;
        self.shared |= other.shared | both & (self.changed | other.changed);
        self.left |= other.left;
        self.result |= other.result;
        self.changed |= other.changed;
    }

    /// Whether all modes together are what each of them is alone.
    pub(crate) fn check(&self) -> Result<(), Fault> {
        if self.shared != 0 { Err(Fault::PartsMeet { bit: self.shared.trailing_zeros() }) } else { Ok(()) }
    }
}

/// The parts of a layout that is kept as it is, beside modes that are composed.
pub(crate) fn parts_of(layout: View<'_>) -> PartsOfModes {
    if layout.is_natural() { PartsOfModes::default() } else { PartsOfModes::kept(&layout.every_mode()) }
}

/// A composition: the modes that come in place of each mode of the right layout, and their bits.
pub(crate) struct ComposedOfKinds(vec::IntoIter<KindModes>, PartsOfModes);

impl ComposedOfKinds {
    /// The composition of the left layout, whose last mode of extent 1 says how it goes on, with the modes `right`.
    pub(crate) fn new(left: &[KindMode], right: &[KindMode]) -> Result<Self, Fault> {
        let left = left_modes(left);
        let (modes, parts) = by_rule(&left, right).or_else(|fault| {
            let modes = looked_for(&left, right).ok_or(fault)?;
            let all: KindModes = modes.iter().flatten().copied().collect();
            let parts = PartsOfModes::of_offsets(&left, right, &all);
            Ok((modes, parts))
        })?;
        Ok(ComposedOfKinds(modes.into_iter(), parts))
    }

    /// The bits of the modes.
    pub(crate) fn parts(&self) -> PartsOfModes {
        self.1
    }

    /// Appends what comes in place of the next modes, a tree of them.
    pub(crate) fn tree(&mut self, right: View<'_>, draft: &mut Draft) {
        for &children in right.profile {
            match children {
                0 => draft.every(&self.0.next().unwrap_or_default()),
                _ => draft.profile.push(children),
            }
        }
    }

    /// Appends what comes in place of the next `count` modes: none is `1:0`, one is itself, more are a tuple.
    pub(crate) fn list(&mut self, count: usize, draft: &mut Draft) {
        if count > 1 {
            draft.open(count);
        }
        (0..count.max(1)).for_each(|_| draft.every(&self.0.next().unwrap_or_default()));
    }
}

/// Leaf by leaf, as the digits of the right strides say.
fn by_rule(left: &KindModes, right: &[KindMode]) -> Result<(Vec<KindModes>, PartsOfModes), Fault> {
    let mut composer = ComposerOfKinds::new(left, right)?;
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
    Ok((parts, composer.parts))
}
