//! Compositions that are looked for, where the rule of `compose` has no answer.
//!
//! ```text
//! R(c) = A(B(c))       values[i] = A(B(i)), a stride for each step of B
//! ```
//!
//! The rule knows the modes of `A` and not what they come to: `8:^1` is `8:1`, and strides that share a bit may do so
//! where `B` never leads. So the offsets of `B` are followed, if they are few. Each leaf is taken apart into steps by 2
//! and by odd numbers. Each step has one stride, whose kind is found last: XOR, but for those that go on otherwise,
//! alone or beside another, and for those that share a bit with these. What comes out is compared with all values.

use alloc::vec::Vec;
use core::ops::Range;

use super::bits::clmul;
use super::modes::{
    KindMode, KindModes, at, check, left_modes, merged, offset, says_as_natural, sum_bits, xor_of, xor_part,
};
use super::stride::DynStride;

/// The largest size of a layout whose offsets are followed.
pub(crate) const MOST: usize = 1 << 14;

/// Steps of one leaf: how many, how far each goes, and how far it goes in the domain.
type LeafSteps = (usize, i128, usize);

fn product(c: usize, value: i128) -> i128 {
    // A coordinate below `MOST`, and an offset that is not negative.
    clmul(c as u128, value as u128) as i128
}

/// Are the first `t` values multiples of a stride, and do all values go on by them?
fn goes_evenly(values: &[i128], t: usize) -> bool {
    let value = values[1];
    let sums = (0..t).all(|i| values[i] == i as i128 * value);
    let steps = sums || value >= 0 && (0..t).all(|i| values[i] == product(i, value));
    let joined = |i: usize| {
        let (before, step) = (values[i - i % t], values[i % t]);
        values[i] == before + step || before >= 0 && step >= 0 && values[i] == before ^ step
    };
    steps && (0..values.len()).all(joined)
}

/// The extents of a function of one coordinate, the least ones first; `None` if it is not that of a layout.
fn extents(values: &[i128]) -> Option<Vec<usize>> {
    let n = values.len();
    let any = (2..=n).filter(|&t| n % t == 0 && (t == 2 || t % 2 == 1) && goes_evenly(values, t));
    let mut each = any.filter_map(|t| {
        let mut list = extents(&values.iter().copied().step_by(t).collect::<Vec<_>>())?;
        list.insert(0, t);
        Some(list)
    });
    if n == 1 { Some(Vec::new()) } else { each.next() }
}

/// Which steps are natural or negative.
fn naturals(values: &[i128], all: &[LeafSteps]) -> Vec<bool> {
    if all.iter().any(|&(_, value, _)| value < 0) {
        return alloc::vec![true; all.len()];
    }
    let is_xor = |k: usize, l: usize| {
        let ((s, value, x), (t, _, y)) = (all[k], all[l]);
        match k == l {
            true => (0..s).all(|i| values[i * x] == product(i, value)),
            false => (0..s).all(|i| (0..t).all(|j| values[i * x + j * y] == values[i * x] ^ values[j * y])),
        }
    };
    let mut natural: Vec<bool> = (0..all.len()).map(|k| !(0..all.len()).all(|l| is_xor(k, l))).collect();
    let mode = |k: usize| KindMode::new(all[k].0, DynStride::Natural(all[k].1 as usize));
    loop {
        let used = sum_bits(&(0..all.len()).filter(|&k| natural[k]).map(mode).collect::<KindModes>());
        let Some(more) = (0..all.len()).find(|&k| !natural[k] && mode(k).bits() & used != 0) else { return natural };
        natural[more] = true;
    }
}

/// The modes in place of each mode of the right layout, if there are any. Of natural numbers alone none are looked for,
/// as the types do not.
pub(super) fn looked_for(left: &[KindMode], right: &[KindMode]) -> Option<Vec<KindModes>> {
    let natural = |mode: &KindMode| matches!(mode.stride, DynStride::Natural(_));
    let size = right.iter().try_fold(1usize, |size, mode| size.checked_mul(mode.extent))?;
    let empty = left[..left.len() - 1].iter().any(|mode| mode.extent == 0);
    if left.iter().chain(right).all(natural) || empty || !(1..=MOST).contains(&size) {
        return None;
    }
    let value = |i: usize| at(left, usize::try_from(at(right, i)?).ok()?);
    let values: Vec<i128> = (0..size).map(value).collect::<Option<_>>()?;
    let (mut all, mut leaves, mut place) = (Vec::<LeafSteps>::new(), Vec::new(), 1);
    for mode in right {
        let own: Vec<i128> = (0..mode.extent).map(|c| values[place * c]).collect();
        let before = all.len();
        for extent in extents(&own)? {
            usize::try_from(values[place].unsigned_abs()).ok()?;
            all.push((extent, values[place], place));
            place *= extent;
        }
        leaves.push(before..all.len());
    }
    let modes = of_values(&values, &all)?;
    Some(leaves.into_iter().map(|steps| merged(&modes[steps])).collect())
}

/// One mode of several, composed by itself: both layouts, and the leaves of the result, those of a tile and those of
/// what counts it.
#[derive(Clone)]
pub(crate) struct ComposedMode {
    pub(crate) left: KindModes,
    pub(crate) right: KindModes,
    pub(crate) tile: Range<usize>,
    pub(crate) rest: Range<usize>,
    /// Whether the leaves of the rest stand behind those of the tile already.
    pub(crate) placed: bool,
}

impl ComposedMode {
    fn leaves(&self) -> impl Iterator<Item = usize> {
        self.tile.clone().chain(self.rest.clone())
    }

    /// The natural and the XOR part of the left layout's offset at each coordinate of the right one.
    fn values(&self) -> Option<Vec<(i128, u128)>> {
        let left = left_modes(&self.left);
        let value = |i: usize| {
            let place = usize::try_from(at(&self.right, i)?).ok()?;
            let without = xor_part(&left, place);
            Some((at(&left, place)? - without as i128, without))
        };
        (0..self.right.iter().map(|mode| mode.extent).product()).map(value).collect()
    }
}

/// The leaves of a result mode by mode, of the kinds that all modes together ask for, if there are such; where each
/// mode has its own kinds, they may not go together. Leaves of no composed mode are what they are.
pub(crate) fn of_all_modes(leaves: &[KindMode], composed: &[ComposedMode]) -> Option<KindModes> {
    let size = leaves.iter().try_fold(1usize, |size, mode| size.checked_mul(mode.extent))?;
    if !(1..=MOST).contains(&size) {
        return None;
    }
    let kept: Vec<bool> =
        (0..leaves.len()).map(|leaf| !composed.iter().any(|mode| mode.leaves().any(|mine| mine == leaf))).collect();
    let of_modes: Vec<Vec<(i128, u128)>> = composed.iter().map(ComposedMode::values).collect::<Option<_>>()?;
    let value = |mut number: usize| {
        let mut digits = Vec::with_capacity(leaves.len());
        let mut as_it_is = KindModes::new();
        for (mode, &kept) in leaves.iter().zip(&kept) {
            digits.push(number % mode.extent);
            as_it_is.push(KindMode::new(mode.extent, if kept { mode.stride } else { DynStride::Natural(0) }));
            number /= mode.extent;
        }
        let own = || digits.iter().copied().zip(as_it_is.iter().map(|mode| mode.stride));
        let mut without = xor_of(own());
        let mut sum = offset(own())? - without as i128;
        for (mode, values) in composed.iter().zip(&of_modes) {
            let (mut place, mut step) = (0, 1);
            for leaf in mode.leaves() {
                place += digits[leaf] * step;
                step *= leaves[leaf].extent;
            }
            let (natural, products) = *values.get(place)?;
            (sum, without) = (sum.checked_add(natural)?, without ^ products);
        }
        sum.checked_add(i128::try_from(without).ok()?)
    };
    let values: Vec<i128> = (0..size).map(value).collect::<Option<_>>()?;
    let (mut all, mut place) = (Vec::<LeafSteps>::new(), 1);
    for mode in leaves.iter().filter(|mode| mode.extent > 1) {
        usize::try_from(values[place].unsigned_abs()).ok()?;
        all.push((mode.extent, values[place], place));
        place *= mode.extent;
    }
    let mut found = of_values(&values, &all)?.into_iter();
    leaves.iter().map(|&mode| if mode.extent > 1 { found.next() } else { Some(mode) }).collect()
}

/// The steps as modes of the kinds that the values have, if these are their offsets.
fn of_values(values: &[i128], all: &[LeafSteps]) -> Option<KindModes> {
    let natural = naturals(values, all);
    let stride = |(k, &(_, value, _)): (usize, &LeafSteps)| match natural[k] {
        true => DynStride::signed(value),
        false => Some(DynStride::xor(value as usize)),
    };
    let strides = all.iter().enumerate().map(|steps| Some(KindMode::new(steps.1.0, stride(steps)?)));
    let kinds: KindModes = strides.collect::<Option<_>>()?;
    let plain = |k: usize| {
        if says_as_natural(&kinds, k) { DynStride::Natural(kinds[k].stride.number()) } else { kinds[k].stride }
    };
    let modes: KindModes = (0..kinds.len()).map(|k| KindMode::new(kinds[k].extent, plain(k))).collect();
    check(&modes).ok()?;
    let right = (0..values.len()).all(|i| at(&modes, i) == Some(values[i]));
    right.then_some(modes)
}
