//! XOR strides: linear algebra over bits, and no search.
//!
//! ```text
//! L injective <=>  the products d_k (x) 2^j, one for each bit j of a coordinate, are independent
//! image(L)     =   f ^ span of these products          if all extents are powers of two; else it lies within
//! ```

use super::{CAPACITY, SortedModes};
use crate::error::Fault;
use crate::number::table::without_carries;
use crate::swizzle::DynSwizzle;
use crate::tuple::bits::{BitSpan, LargestXor, PIECES, SumParts, bits};

impl SortedModes {
    /// One past the largest offset of XOR and natural modes, unless it is not known, or leaves `usize`.
    pub(in crate::tensor) const fn span(&self) -> Option<usize> {
        match self.reach_of_bits() {
            Ok(reach) if self.swizzle.is_none() || self.count == 0 => Some(reach),
            _ => None,
        }
    }

    /// [`span`](Self::span), or why there is none.
    pub(in crate::tensor) const fn reach_of_bits(&self) -> Result<usize, Fault> {
        if self.empty {
            return Ok(0);
        }
        if self.overfull {
            return Err(Fault::Leaves { limit: CAPACITY });
        }
        // Nothing moves, but all of it.
        if let (Some((swizzle, moved)), 0) = (&self.swizzle, self.count + self.xor_count) {
            return match swizzle.apply(*moved).checked_add(1) {
                Some(reach) => Ok(reach),
                None => Err(Fault::Overflow),
            };
        }
        let reach = match self.reaches() {
            Ok(reach) => reach,
            Err(fault) => return Err(fault),
        };
        let (mut pieces, mut k) = (1usize, CAPACITY - self.xor_count);
        while k < CAPACITY {
            if bits(self.list[k].0, self.list[k].1) >> usize::BITS != 0 {
                return Err(Fault::Overflow);
            }
            pieces = pieces.saturating_mul(self.list[k].0.count_ones() as usize);
            k += 1;
        }
        if pieces > PIECES {
            return Err(Fault::XorExtents);
        }
        match self.largest(CAPACITY - self.xor_count, self.from, LargestXor::new()) {
            Ok(largest) => match reach[self.count].checked_add(largest) {
                Some(last) if last < usize::MAX => Ok(last + 1),
                _ => Err(Fault::Overflow),
            },
            Err(fault) => Err(fault),
        }
    }

    /// The largest of `first` XOR an offset of the XOR modes from the `k`-th on, and of `span`. The coordinates below
    /// an extent are those that part from its bits at one of its ones: the bits above are the extent's, those below
    /// any.
    const fn largest(&self, k: usize, first: usize, span: LargestXor) -> Result<usize, Fault> {
        if k == CAPACITY {
            return span.from(first);
        }
        let ((extent, number), mut largest, mut one) = (self.list[k], 0, 0);
        while one < usize::BITS {
            if extent >> one & 1 == 1 {
                let (mut with, mut place) = (span, 0);
                while place < one {
                    with.push(2, self.through.apply(number << place));
                    place += 1;
                }
                let above = without_carries(((extent >> one) - 1) << one, number);
                let here = match self.largest(k + 1, first ^ self.through.apply(above), with) {
                    Ok(here) => here,
                    Err(fault) => return Err(fault),
                };
                largest = if here > largest { here } else { largest };
            }
            one += 1;
        }
        Ok(largest)
    }

    /// Whether sums of natural modes have a bit of the offsets of XOR modes, or of `from`, which is XORed with these.
    pub(in crate::tensor) const fn parts_meet(&self, from: usize) -> bool {
        let (mut parts, mut k) = (SumParts::new(), 0);
        while k < self.count {
            parts.add(self.list[k].0, self.list[k].1);
            k += 1;
        }
        let (mut xor, mut k) = (from as u128, CAPACITY - self.xor_count);
        while k < CAPACITY {
            xor |= bits(self.list[k].0, self.list[k].1);
            k += 1;
        }
        !self.empty && parts.bits() & xor != 0
    }

    /// Ok if no two coordinates of XOR modes share an offset. Two of a mode differ, bit by bit, by any number that has
    /// no more bits than the extent less one, and so the offsets differ by any sum of the bits' products.
    pub(super) const fn independent(&self) -> Result<(), Fault> {
        let (mut span, mut k) = (BitSpan::new(), CAPACITY - self.xor_count);
        while k < CAPACITY {
            let (extent, stride) = self.list[k];
            if bits(extent, stride) >> usize::BITS != 0 {
                return Err(Fault::Overflow);
            }
            if !span.add_mode(extent, stride) {
                return Err(Fault::XorOverlap { extent, stride });
            }
            k += 1;
        }
        Ok(())
    }

    /// [`covers`](Self::covers), where one of both has XOR strides: exact, unless extents of XOR strides are no powers
    /// of two, or sums of natural ones carry.
    pub(super) const fn covers_bits(&self, other: &Self) -> Result<(), Fault> {
        // Either part within the other's.
        let natural = SortedModes { xor_count: 0, ..*self }.covers(&SortedModes { xor_count: 0, ..*other });
        if natural.is_ok() && self.covers_xor(other) {
            return Ok(());
        }
        // All as bits: the image is what is XORed with the sums of these, or lies within.
        if let (Some((image, from, full)), Some((part, begin, _))) = (self.linear(), other.linear()) {
            let (mut within, mut place) = (image.rest(from ^ begin) == 0, 0);
            while place < usize::BITS {
                within &= image.rest(part.vector(place)) == 0;
                place += 1;
            }
            match (within, full) {
                (true, true) => return Ok(()),
                (false, _) => return Err(Fault::Image),
                _ => {}
            }
        }
        Err(Fault::ImageOfBits)
    }

    /// Whether what the XOR modes of `other` make is among what these make: so if it is, and the image is a span, or
    /// the modes are the same.
    const fn covers_xor(&self, other: &Self) -> bool {
        let (mut span, mut full, mut same) = (BitSpan::new(), true, self.xor_count == other.xor_count);
        let mut k = CAPACITY - self.xor_count;
        while k < CAPACITY {
            let ((extent, number), (n, d)) = (self.list[k], other.list[k]);
            full &= extent.is_power_of_two();
            same &= extent == n && number == d;
            let mut place = 0;
            while place < usize::BITS && (extent - 1) >> place != 0 {
                span.add(self.through.apply(number << place));
                place += 1;
            }
            k += 1;
        }
        let ((b, m, w), (bits, base, shift)) = (self.through.parameters(), other.through.parameters());
        same &= b == bits && m == base && w == shift;
        let (from, begin) = (self.xor_from(), other.xor_from());
        if same && from == begin {
            return true;
        }
        let (mut all, mut k) = (span, CAPACITY - other.xor_count);
        let mut within = span.rest(from ^ begin) == 0;
        while k < CAPACITY {
            // A vector more, and the span is another one.
            let mut place = 0;
            while place < usize::BITS && (other.list[k].0 - 1) >> place != 0 {
                within &= !all.add(other.through.apply(other.list[k].1 << place));
                place += 1;
            }
            k += 1;
        }
        full && within
    }

    /// What is XORed with the offsets of XOR strides.
    const fn xor_from(&self) -> usize {
        if self.xor_count > 0 { self.from } else { 0 }
    }

    /// The span of the offsets' bits, what is XORed with it, and whether the image is all of that: of modes whose sums
    /// do not carry.
    const fn linear(&self) -> Option<(BitSpan, usize, bool)> {
        let (swizzle, moved) = match &self.swizzle {
            None => (DynSwizzle::IDENTITY, 0),
            Some((swizzle, moved)) => (*swizzle, *moved),
        };
        let (mut span, mut full, mut used, mut k) = (BitSpan::new(), true, moved, 0);
        while k < CAPACITY {
            let (extent, number) = self.list[k];
            let natural = k < self.count;
            if natural || k >= CAPACITY - self.xor_count {
                full &= extent.is_power_of_two();
                let mut place = 0;
                while place < usize::BITS && (extent - 1) >> place != 0 {
                    let vector = number << place;
                    if natural && (used & vector != 0 || vector >> place != number) {
                        return None;
                    }
                    used |= if natural { vector } else { 0 };
                    span.add(if natural { swizzle.apply(vector) } else { self.through.apply(vector) });
                    place += 1;
                }
            }
            k += 1;
        }
        Some((span, swizzle.apply(moved) ^ self.xor_from(), full))
    }
}
