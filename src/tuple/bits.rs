//! The bits of products without carries, and of sums: whether natural and XOR strides share one, and the largest offset
//! of XOR strides.

use crate::error::Fault;
use crate::number::table::{StrideKind, without_carries};
use crate::tuple::node::{Kind, Node};

/// How many bits a number has that is below `extent`.
const fn coordinate_bits(extent: usize) -> u32 {
    usize::BITS - extent.saturating_sub(1).leading_zeros()
}

/// The bits that `i (x) d` has for some `i < n`.
pub(crate) const fn bits(n: usize, d: usize) -> u128 {
    let (mut all, mut place) = (0, 0);
    while place < coordinate_bits(n) {
        all |= (d as u128) << place;
        place += 1;
    }
    all
}

/// Does `i * d` carry for some `i < n`? If not, it is `i (x) d`.
const fn carries(n: usize, d: usize) -> bool {
    let mut gap = 1;
    while gap < usize::BITS && (d >> gap) != 0 {
        // Two copies of `d`, so far apart, share a bit.
        if d & (d << gap) != 0 {
            return (1u128 << gap) + 1 < n as u128;
        }
        gap += 1;
    }
    false
}

/// The bits from the lowest one of `lowest`, a power of two, to the highest one of `reach`.
const fn between(lowest: u128, reach: u128) -> u128 {
    let width = u128::BITS - reach.leading_zeros();
    (if width == u128::BITS { 0u128 } else { 1 << width }).wrapping_sub(lowest)
}

/// Calls `visit` with the extent, the number and the kind of each mode.
fn each_leaf<S: Node, D: Node>(shape: S, stride: D, visit: &mut impl FnMut(usize, usize, StrideKind)) {
    match S::KIND {
        Kind::Nil => {}
        Kind::Leaf => visit(shape.leaf(), stride.leaf(), D::STRIDE),
        Kind::Cons => {
            each_leaf(shape.head(), stride.head(), visit);
            each_leaf(shape.tail(), stride.tail(), visit);
        }
    }
}
/// The same of each mode that moves.
fn each_mode<S: Node, D: Node>(shape: S, stride: D, visit: &mut impl FnMut(usize, usize, StrideKind)) {
    each_leaf(shape, stride, &mut |extent, number, kind| {
        if extent != 1 && number != 0 {
            visit(extent, number, kind);
        }
    });
}

/// Can there be modes that move, with XOR strides or with others?
const fn has<D: Node>(xor: bool) -> bool {
    match D::KIND {
        Kind::Nil => false,
        Kind::Leaf => matches!(D::STRIDE, StrideKind::Xor) == xor && !matches!(D::STATIC, Some(0)),
        Kind::Cons => has::<D::Head>(xor) || has::<D::Tail>(xor),
    }
}
/// Can there be modes of both kinds that move?
const fn is_mixed<D: Node>() -> bool {
    has::<D>(true) && has::<D>(false)
}

/// The largest sum of natural modes, if it fits.
fn last_natural<S: Node, D: Node>(shape: S, stride: D) -> Option<usize> {
    let mut sum = Some(0usize);
    each_mode(shape, stride, &mut |extent, number, kind| {
        if kind != StrideKind::Xor {
            sum = sum.and_then(|sum| sum.checked_add((extent - 1).checked_mul(number)?));
        }
    });
    sum
}

/// The bits of all sums of natural modes; none of an empty layout.
pub(crate) fn natural_bits<S: Node, D: Node>(shape: S, stride: D) -> u128 {
    if const { !has::<D>(false) } || shape.product() == Some(0) {
        return 0;
    }
    let mut parts = SumParts::new();
    each_mode(shape, stride, &mut |extent, number, kind| {
        if kind != StrideKind::Xor {
            parts.add(extent, number);
        }
    });
    parts.bits()
}

/// The bits of all sums of natural modes, where the last mode goes on as far as `reach` coordinates do.
pub(crate) fn natural_bits_below<S: Node, D: Node>(reach: usize, shape: S, stride: D) -> u128 {
    let (mut leaves, mut last) = (0, 1);
    each_leaf(shape, stride, &mut |extent, _, _| (leaves, last) = (leaves + 1, extent));
    let (Some(size), mut parts) = (shape.product(), SumParts::new()) else { return u128::MAX };
    if const { !has::<D>(false) } || size == 0 {
        return 0;
    }
    let (beyond, mut leaf) = (reach.div_ceil(size / last), 0);
    each_leaf(shape, stride, &mut |extent, number, kind| {
        leaf += 1;
        let extent = if leaf == leaves { extent.max(beyond) } else { extent };
        if kind != StrideKind::Xor && extent != 1 && number != 0 {
            parts.add(extent, number);
        }
    });
    parts.bits()
}

/// The bits of all XOR modes.
pub(crate) fn xor_bits<S: Node, D: Node>(shape: S, stride: D) -> u128 {
    let mut all = 0;
    each_mode(shape, stride, &mut |extent, number, kind| {
        if kind == StrideKind::Xor {
            all |= bits(extent, number);
        }
    });
    all
}

/// Parts of sums of natural modes that share no bit with one another: at most one for each bit.
pub(crate) struct SumParts {
    of: [(u128, u128, u128); 128],
    count: usize,
}
impl SumParts {
    pub(crate) const fn new() -> Self {
        SumParts { of: [(0, 0, 0); 128], count: 0 }
    }

    /// The bits of all sums.
    pub(crate) const fn bits(&self) -> u128 {
        let (mut all, mut k) = (0, 0);
        while k < self.count {
            all |= self.of[k].0;
            k += 1;
        }
        all
    }

    /// Adds a mode of natural stride that moves.
    pub(crate) const fn add(&mut self, extent: usize, number: usize) {
        let (mut lowest, mut reach) = (1 << number.trailing_zeros(), (extent as u128 - 1) * number as u128);
        let mut mask = if carries(extent, number) { between(lowest, reach) } else { bits(extent, number) };
        let mut k = 0;
        while k < self.count {
            let (bits, low, far) = self.of[k];
            if bits & mask == 0 {
                k += 1;
                continue;
            }
            // Both are one part, whose bits those that have been looked at may have too.
            self.count -= 1;
            self.of[k] = self.of[self.count];
            lowest = if low < lowest { low } else { lowest };
            reach = reach.saturating_add(far);
            mask = between(lowest, reach);
            k = 0;
        }
        self.of[self.count] = (mask, lowest, reach);
        self.count += 1;
    }
}

/// Why the strides have no meaning together: natural and XOR ones share a bit, or natural ones and `from`, which is
/// XORed with all offsets.
pub(crate) fn parts_meet<S: Node, D: Node>(from: usize, shape: S, stride: D) -> Option<Fault> {
    if const { !has::<D>(false) } || (const { !is_mixed::<D>() } && from == 0) || shape.product() == Some(0) {
        return None;
    }
    match natural_bits(shape, stride) & (xor_bits(shape, stride) | from as u128) {
        0 => None,
        shared => Some(Fault::PartsMeet { bit: shared.trailing_zeros() }),
    }
}

/// The bits of XOR modes within one mode of the first level; none if it is not there.
fn bits_of_mode<S: Node, D: Node>(mode: usize, shape: S, stride: D) -> u128 {
    match S::KIND {
        Kind::Cons if mode == 0 => xor_bits(shape.head(), stride.head()),
        Kind::Cons => bits_of_mode(mode - 1, shape.tail(), stride.tail()),
        Kind::Nil | Kind::Leaf => 0,
    }
}
/// The most modes of a level.
pub(crate) const RANK: usize = 8;
/// Why the modes of a result have no meaning together, each of which is a mode of the left layout rearranged: what
/// natural strides of the left layout make adds up over all modes, and where XOR strides tell it, it is XORed. Of each
/// mode, `naturals` has the bits of natural strides that the result may tell. In a `zipped` result tiles and rests
/// stand apart.
pub(crate) fn modes_meet<S: Node, D: Node>(
    (shape, stride): (S, D),
    naturals: [u128; RANK],
    zipped: bool,
) -> Option<Fault> {
    let (mut turned, mut all) = (0, 0);
    for (mode, natural) in naturals.into_iter().enumerate() {
        let without = match zipped {
            true => {
                let ((tiles, by), rests) = ((shape.head(), stride.head()), shape.tail().head());
                bits_of_mode(mode, tiles, by) | bits_of_mode(mode, rests, stride.tail().head())
            }
            false => bits_of_mode(mode, shape, stride),
        };
        let mine = without & natural;
        let shared = mine & all | turned & without;
        if shared != 0 {
            return Some(Fault::PartsMeet { bit: shared.trailing_zeros() });
        }
        (turned, all) = (turned | mine, all | without);
    }
    None
}

/// The first two bits of a coordinate whose strides, of this kind, share a bit and add up: sum and XOR differ. An empty
/// layout has no coordinate.
pub(crate) fn shared_bit<S: Node, D: Node>(shape: S, stride: D, kind: StrideKind) -> Option<Fault> {
    let (mut found, mut index, mut empty) = (None, 0, false);
    each_leaf(shape, stride, &mut |extent, _, _| empty |= extent == 0);
    each_mode(shape, stride, &mut |extent, number, of| {
        if of != kind {
            return;
        }
        for place in 0..coordinate_bits(extent) {
            let second = (number as u128) << place;
            let mut meets = |first: u128| {
                if found.is_none() && first & second != 0 {
                    let bit = (first & second).trailing_zeros();
                    found = Some(Fault::SharedBit { first: first as usize, second: second as usize, bit });
                }
            };
            let mut before = 0;
            each_mode(shape, stride, &mut |extent, number, of| {
                if of == kind && before < index {
                    (0..coordinate_bits(extent)).for_each(|place| meets((number as u128) << place));
                }
                before += usize::from(of == kind);
            });
            // Of its own bits, those that a coordinate below the extent has beside this one.
            let own = (0..place).filter(|&other| (1u128 << place) + (1 << other) < extent as u128);
            own.for_each(|other| meets((number as u128) << other));
        }
        index += 1;
    });
    found.filter(|_| !empty)
}

/// Vectors of bits, each in the place of its highest bit.
#[derive(Clone, Copy)]
pub(crate) struct BitSpan([usize; usize::BITS as usize]);
impl BitSpan {
    pub(crate) const fn new() -> Self {
        BitSpan([0; usize::BITS as usize])
    }

    /// What is left of a vector without what the span has of it: 0 if it is in the span.
    pub(crate) const fn rest(&self, mut vector: usize) -> usize {
        while vector != 0 && self.0[vector.ilog2() as usize] != 0 {
            vector ^= self.0[vector.ilog2() as usize];
        }
        vector
    }

    /// The vector whose highest bit is this one, or 0.
    pub(crate) const fn vector(&self, bit: u32) -> usize {
        self.0[bit as usize]
    }

    /// Adds a vector; `false` if the span had it.
    pub(crate) const fn add(&mut self, vector: usize) -> bool {
        let rest = self.rest(vector);
        if rest != 0 {
            self.0[rest.ilog2() as usize] = rest;
        }
        rest != 0
    }

    /// Adds the products of `number` and the powers of two below `2^count`; `false` if they depend on one another.
    const fn add_products(&mut self, number: usize, count: u32) -> bool {
        let (mut place, mut apart) = (0, true);
        while place < count {
            apart &= self.add(number << place);
            place += 1;
        }
        apart
    }

    /// Adds the offsets of the mode `extent:^number`, and their sums; `false` if the span had one of these but 0.
    pub(crate) const fn add_mode(&mut self, extent: usize, number: usize) -> bool {
        self.add_products(number, coordinate_bits(extent))
    }

    /// The largest sum of `first` and vectors of the span.
    const fn largest(&self, first: usize) -> usize {
        let (mut sum, mut place) = (first, usize::BITS as usize);
        while place > 0 {
            place -= 1;
            if sum ^ self.0[place] > sum {
                sum ^= self.0[place];
            }
        }
        sum
    }
}

/// The most modes that are no powers of two in a search for the largest offset, and the most pieces that they make.
const ODD_MODES: usize = 12;
pub(crate) const PIECES: usize = 1 << ODD_MODES;

/// XOR modes, of which the largest offset is asked for. The coordinates below an extent are those that part from its
/// bits at one of its ones: the bits above are the extent's, and those below are any.
#[derive(Clone, Copy)]
pub(crate) struct LargestXor {
    span: BitSpan,
    odd: [(usize, usize); ODD_MODES],
    count: usize,
    pieces: usize,
    fits: bool,
}
impl LargestXor {
    pub(crate) const fn new() -> Self {
        LargestXor { span: BitSpan::new(), odd: [(0, 0); ODD_MODES], count: 0, pieces: 1, fits: true }
    }

    /// Adds the mode `extent:^number`, of which neither is 0.
    pub(crate) const fn push(&mut self, extent: usize, number: usize) {
        self.fits = self.fits && bits(extent, number) >> usize::BITS == 0;
        if !self.fits {
        } else if extent.is_power_of_two() {
            self.span.add_products(number, extent.ilog2());
        } else {
            self.pieces = self.pieces.saturating_mul(extent.count_ones() as usize);
            if self.count < ODD_MODES {
                self.odd[self.count] = (extent, number);
            }
            self.count += 1;
        }
    }

    /// The largest of `from` XOR an offset.
    pub(crate) const fn from(&self, from: usize) -> Result<usize, Fault> {
        match () {
            () if !self.fits => Err(Fault::Overflow),
            () if self.pieces > PIECES => Err(Fault::XorExtents),
            () => Ok(largest_of_pieces(from, self.span, self.odd.split_at(self.count).0)),
        }
    }
}

const fn largest_of_pieces(first: usize, span: BitSpan, modes: &[(usize, usize)]) -> usize {
    let Some((&(extent, number), rest)) = modes.split_first() else { return span.largest(first) };
    let (mut largest, mut one) = (0, 0);
    while one < usize::BITS {
        if extent >> one & 1 == 1 {
            let mut with = span;
            with.add_products(number, one);
            let above = ((extent >> one) - 1) << one;
            let here = largest_of_pieces(first ^ without_carries(above, number), with, rest);
            largest = if here > largest { here } else { largest };
        }
        one += 1;
    }
    largest
}

/// One past the largest offset of a layout that is not empty, what the XOR modes make XORed with `from`.
pub(crate) fn cosize_from<S: Node, D: Node>(from: usize, shape: S, stride: D) -> Result<usize, Fault> {
    let (natural, mut xor) = (last_natural(shape, stride).ok_or(Fault::Overflow)?, LargestXor::new());
    each_mode(shape, stride, &mut |extent, number, kind| {
        if kind == StrideKind::Xor {
            xor.push(extent, number);
        }
    });
    let last = natural.checked_add(xor.from(from)?);
    last.and_then(|last| last.checked_add(1)).ok_or(Fault::Overflow)
}
