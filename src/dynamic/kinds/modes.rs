//! Flat lists of modes with mixed strides: their size and cosize, and whether their strides go
//! together.

use alloc::vec::Vec;

use smallvec::{SmallVec, smallvec};

use super::bits::{between, bits, carries, clmul, coordinate_bits, width};
use super::stride::DynStride;
use crate::dynamic::flat::{DynMode, MergedList};
use crate::error::Fault;

/// One mode: `extent` steps of `stride`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KindMode {
    pub(crate) extent: usize,
    pub(crate) stride: DynStride,
}

/// Modes from left to right.
pub(crate) type KindModes = SmallVec<[KindMode; 8]>;

impl KindMode {
    #[inline]
    pub(crate) fn new(extent: usize, stride: DynStride) -> Self {
        KindMode { extent, stride }
    }

    /// Whether two of its coordinates have different offsets.
    pub(crate) fn moves(self) -> bool {
        self.extent > 1 && self.stride.number() != 0
    }

    /// The extent and the number of the stride.
    pub(crate) fn numbers(self) -> (u128, u128) {
        (self.extent as u128, self.stride.number() as u128)
    }

    /// The bits of the products without carries.
    pub(crate) fn bits(self) -> u128 {
        let (extent, number) = self.numbers();
        bits(extent, number)
    }

    /// Whether a product with its stride carries.
    pub(crate) fn carries(self) -> bool {
        let (extent, number) = self.numbers();
        carries(extent, number)
    }
}

/// Adds a mode: dropped if its extent is 1, joined to the last one if it continues that.
#[inline]
pub(crate) fn push_merged(modes: &mut KindModes, mode: KindMode) {
    if mode.extent == 1 {
        return;
    }
    match modes.last_mut() {
        Some(last) if last.stride.continues(last.extent, mode.stride) => last.extent *= mode.extent,
        _ => modes.push(mode),
    }
}

impl MergedList for KindModes {
    fn push_merged(&mut self, mode: DynMode) {
        push_merged(self, KindMode::new(mode.extent, DynStride::Natural(mode.stride)));
    }
}

/// The fewest modes of the same function.
#[inline]
pub(crate) fn merged(modes: impl IntoIterator<Item = KindMode>) -> KindModes {
    let mut list = KindModes::new();
    modes.into_iter().for_each(|mode| push_merged(&mut list, mode));
    list
}

/// The modes as a function beyond the size too: a last mode of extent 1 stays, for its stride.
pub(crate) fn left_modes(modes: &[KindMode]) -> KindModes {
    let Some((last, before)) = modes.split_last() else { return KindModes::new() };
    let mut list = merged(before.iter().copied());
    match list.last_mut() {
        Some(before) if before.stride.continues(before.extent, last.stride) => {
            before.extent *= last.extent
        }
        _ => list.push(*last),
    }
    list
}

/// A number that has to fit.
pub(crate) fn fit(number: u128) -> Result<usize, Fault> {
    usize::try_from(number).map_err(|_| Fault::Overflow)
}

/// Whether an XOR mode has an equivalent natural mode: it does not carry, and is disjoint in bits
/// from all other XOR modes.
pub(crate) fn has_natural_equivalent(modes: &[KindMode], index: usize) -> bool {
    let bits = modes[index].bits();
    let is_own = |(other, mode): (usize, &KindMode)| {
        other == index || !mode.stride.is_xor() || mode.bits() & bits == 0
    };
    modes[index].stride.is_xor() && !modes[index].carries() && modes.iter().enumerate().all(is_own)
}

/// The modes, merged, with equivalent natural modes in place of XOR modes.
pub(crate) fn plain(modes: &[KindMode]) -> KindModes {
    let stride = |k: usize| match has_natural_equivalent(modes, k) {
        true => DynStride::Natural(modes[k].stride.number()),
        false => modes[k].stride,
    };
    merged((0..modes.len()).map(|k| KindMode::new(modes[k].extent, stride(k))))
}

/// Natural modes that move, and the bits that their sums may have.
pub(crate) struct PartOfSum {
    mask: u128,
    pub(crate) lowest: u128,
    pub(crate) reach: u128,
    pub(crate) modes: KindModes,
}

/// The natural modes in parts whose sums have no bit in common. A mode whose multiples do not carry
/// has the bits of these; any other one, and modes that share bits, at most those from the lowest
/// one to the highest one of their sum.
pub(crate) fn parts_of_sums(modes: &[KindMode]) -> Vec<PartOfSum> {
    let mut parts: Vec<PartOfSum> = Vec::new();
    for &mode in modes.iter().filter(|mode| mode.moves() && !mode.stride.is_xor()) {
        let (extent, number) = mode.numbers();
        let (lowest, reach) = (1 << number.trailing_zeros(), (extent - 1) * number);
        let mask = if mode.carries() { between(lowest, reach) } else { mode.bits() };
        let mut part = PartOfSum { mask, lowest, reach, modes: smallvec![mode] };
        while let Some(other) = parts.iter().position(|other| other.mask & part.mask != 0) {
            let other = parts.swap_remove(other);
            (part.lowest, part.reach) = (part.lowest.min(other.lowest), part.reach + other.reach);
            part.mask = between(part.lowest, part.reach);
            part.modes.extend(other.modes);
        }
        parts.push(part);
    }
    parts
}

/// The bits that sums of the natural modes may have.
pub(crate) fn sum_bits(modes: &[KindMode]) -> u128 {
    parts_of_sums(modes).iter().fold(0, |all, part| all | part.mask)
}

/// The bits of the XOR modes.
pub(crate) fn xor_bits(modes: &[KindMode]) -> u128 {
    modes.iter().filter(|mode| mode.stride.is_xor()).fold(0, |all, mode| all | mode.bits())
}

/// Whether the strides go together in a layout.
pub(crate) fn check(modes: &[KindMode]) -> Result<(), Fault> {
    let without = xor_bits(modes);
    if without == 0 {
        return Ok(());
    }
    if let Some(mode) =
        modes.iter().find(|mode| mode.moves() && matches!(mode.stride, DynStride::Negative(_)))
    {
        return Err(Fault::XorAndNegative { stride: mode.stride.number() });
    }
    let shared = without & sum_bits(modes);
    if shared != 0 { Err(Fault::PartsOverlap { bit: shared.trailing_zeros() }) } else { Ok(()) }
}

/// The largest offset of XOR modes. The coordinates below an extent are those that part from its
/// bits at one of its ones: the bits above are the extent's, and those below are any.
fn largest_xor(modes: &[KindMode]) -> u128 {
    fn of_piece(first: u128, vectors: &[u128]) -> u128 {
        let mut rows: Vec<u128> = Vec::new();
        for &vector in vectors {
            let vector = rows.iter().fold(vector, |vector, &row| vector.min(vector ^ row));
            if vector != 0 {
                let place = rows.iter().position(|&row| row < vector).unwrap_or(rows.len());
                rows.insert(place, vector);
            }
        }
        rows.iter().fold(first, |all, &row| all.max(all ^ row))
    }
    fn largest(first: u128, vectors: &mut Vec<u128>, modes: &[KindMode]) -> u128 {
        let Some((mode, rest)) = modes.split_first() else { return of_piece(first, vectors) };
        let (extent, number) = mode.numbers();
        let before = vectors.len();
        let mut most = 0;
        for one in (0..width(extent)).filter(|one| extent >> one & 1 == 1) {
            vectors.extend((0..one).map(|place| number << place));
            most = most.max(largest(
                first ^ clmul(((extent >> one) - 1) << one, number),
                vectors,
                rest,
            ));
            vectors.truncate(before);
        }
        most
    }
    largest(0, &mut Vec::new(), modes)
}

/// Size and cosize of modes whose strides go together, if they fit: the cosize counts the offsets
/// from the least to the largest.
pub(crate) fn measure(modes: &[KindMode]) -> Result<(usize, usize), Fault> {
    // The most pieces of extents that are no powers of two, in the search for the largest offset.
    const PIECES: u128 = 1 << 12;
    let (mut size, mut reach, mut pieces) = (1u128, 0u128, 1u128);
    let empty = modes.iter().any(|mode| mode.extent == 0);
    for &mode in modes.iter().filter(|mode| mode.extent != 0) {
        let (extent, number) = mode.numbers();
        size = fit(size * extent)? as u128;
        if mode.stride.is_xor() {
            fit(mode.bits())?;
            pieces = (pieces * u128::from(extent.count_ones())).min(PIECES + 1);
        } else {
            reach = fit(reach + fit((extent - 1) * number)? as u128)? as u128;
        }
    }
    // Of an empty layout too, since its modes are layouts.
    check(modes)?;
    if pieces > PIECES {
        return Err(Fault::XorExtents);
    }
    let without: KindModes =
        modes.iter().copied().filter(|mode| mode.moves() && mode.stride.is_xor()).collect();
    let cosize = fit(reach + largest_xor(&without) + 1)?;
    Ok(if empty { (0, 0) } else { (fit(size)?, cosize) })
}

/// How far the first offset lies above the least one.
pub(crate) fn base(modes: &[KindMode]) -> usize {
    let negative = modes.iter().filter(|mode| matches!(mode.stride, DynStride::Negative(_)));
    negative.map(|mode| (mode.extent.saturating_sub(1)) * mode.stride.number()).sum()
}

/// The offset of the coordinate with one number for each mode.
pub(crate) fn offset(modes: impl Iterator<Item = (usize, DynStride)>) -> Option<i128> {
    let (mut sum, mut without) = (0i128, 0u128);
    for (number, stride) in modes {
        let (c, d) = (number as u128, stride.number() as u128);
        match stride {
            DynStride::Xor(_) => without ^= clmul(c, d),
            DynStride::Natural(_) => sum = sum.checked_add(i128::try_from(c * d).ok()?)?,
            DynStride::Negative(_) => sum = sum.checked_sub(i128::try_from(c * d).ok()?)?,
        }
    }
    sum.checked_add(i128::try_from(without).ok()?)
}

/// The coordinate with this number, beside the stride of each mode: the leftmost mode fastest, the
/// last one without an end.
fn coordinate(
    modes: &[KindMode],
    mut number: usize,
) -> impl Iterator<Item = (usize, DynStride)> + '_ {
    let last = modes.len().saturating_sub(1);
    modes.iter().enumerate().map(move |(index, mode)| {
        let digit = if index == last { number } else { number % mode.extent };
        number /= mode.extent.max(1);
        (digit, mode.stride)
    })
}

/// The offset of the coordinate with this number.
pub(crate) fn at(modes: &[KindMode], number: usize) -> Option<i128> {
    offset(coordinate(modes, number))
}

/// A mode as bits of its coordinate, each with where it goes and its weight in the coordinate's
/// number, for a mode whose steps go `step` far in the domain.
pub(crate) fn of_coordinate_bits(
    mode: KindMode,
    step: u128,
    count: u32,
) -> impl Iterator<Item = (u128, u128)> {
    let number = mode.stride.number() as u128;
    (0..count.min(coordinate_bits(mode.extent))).map(move |place| (number << place, step << place))
}
