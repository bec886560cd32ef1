//! One side of an access pattern, the writes or the reads: how wide its accesses can be under any
//! swizzle.
//!
//! ```text
//! offset(v) = offset(v - v % n) + v % n
//!         for all values v: accesses of n elements, which begin at multiples of n
//! ```
//!
//! Both hold of all values if they hold of a basis of their offsets, swizzles being linear in bits.

use super::access::{WARP, WarpAccess};
use super::offsets::OffsetTables;
use crate::layout::flat::FlatLayout;
use crate::swizzle::{BitBasis, DynSwizzle};

/// The widest access in bits: what a thread can move to and from shared memory at once.
pub(super) const WIDEST: usize = 128;

/// One side of the pattern: who has what, and how wide the accesses can be under a swizzle.
pub(super) struct Side<'a> {
    pub(super) offsets: OffsetTables<'a>,
    pub(super) threads: &'a FlatLayout,
    element_bits: usize,
    /// The most elements of an access.
    pub(super) most: usize,
    /// Spans `(offset, value)`, the value, modulo `most`, in the lowest bits.
    places: BitBasis,
    /// `differences[b]` spans `offset(v) ^ offset(v - 2^b)` for the values `v` whose lowest bit is
    /// `b`.
    differences: [BitBasis; 8],
}
/// Bits for the value in [`Side::places`]: an access has up to 128 elements.
const VALUE_BITS: u32 = 7;

impl<'a> Side<'a> {
    #[track_caller]
    pub(super) const fn new(
        memory: &'a FlatLayout,
        threads: &'a FlatLayout,
        element_bits: usize,
    ) -> Self {
        let (count, values) = (threads.threads(), threads.values());
        let mut most = if values == 0 { 1 } else { 1 << values.trailing_zeros() };
        while most > WIDEST / element_bits {
            most /= 2;
        }
        let mut side = Side {
            offsets: OffsetTables::new(memory, threads),
            threads,
            element_bits,
            most,
            places: BitBasis::NONE,
            differences: [BitBasis::NONE; 8],
        };
        // Where bits of threads and of values do not mix, the first value of each thread and the
        // values of the first thread span all.
        let mut thread = 0;
        while thread < count {
            side.add_thread(
                thread,
                if side.offsets.bitwise && thread > 0 && values > 1 { 1 } else { values },
            );
            thread += 1;
        }
        side
    }

    /// The first `values` values of a thread.
    #[track_caller]
    const fn add_thread(&mut self, thread: usize, values: usize) {
        let (mut last, mut value) = ([0usize; 8], 0);
        while value < values {
            let (offset, place) = (self.offsets.get(thread, value), value % self.most);
            self.places.insert((offset as u128) << VALUE_BITS | place as u128);
            // `last[b]` is the offset of the last value that is a multiple of 2^b.
            let bit = if place == 0 { 7 } else { place.trailing_zeros() as usize };
            if place != 0 {
                self.differences[bit].insert((offset ^ last[bit + 1]) as u128);
            }
            let mut k = 0;
            while k <= bit {
                last[k] = offset;
                k += 1;
            }
            value += 1;
        }
    }

    /// The most elements of an access under a swizzle.
    pub(super) const fn elements(&self, swizzle: &DynSwizzle) -> usize {
        let mut elements = self.most;
        // The place of each value within its access is its lowest bits under the swizzle.
        let mut k = 0;
        while k < self.places.count && elements > 1 {
            let (offset, value) = (
                (self.places.vectors[k] >> VALUE_BITS) as usize,
                self.places.vectors[k] as usize & (self.most - 1),
            );
            let wrong = (swizzle.apply(offset) ^ value) & (elements - 1);
            if wrong != 0 {
                elements = 1 << wrong.trailing_zeros();
            }
            k += 1;
        }
        // And all values of an access agree above these bits.
        while elements > 1 && !self.agree(swizzle, elements) {
            elements /= 2;
        }
        elements
    }

    const fn agree(&self, swizzle: &DynSwizzle, elements: usize) -> bool {
        let mut bit = 0;
        while 1 << bit < elements {
            let mut k = 0;
            while k < self.differences[bit].count {
                if swizzle.apply(self.differences[bit].vectors[k] as usize) >= elements {
                    return false;
                }
                k += 1;
            }
            bit += 1;
        }
        true
    }

    #[track_caller]
    pub(super) const fn access(&self, elements: usize) -> WarpAccess {
        WarpAccess::new(self.threads, self.element_bits, elements * self.element_bits)
    }

    /// Accesses of all warps, by `elements` at once.
    #[track_caller]
    pub(super) const fn instructions(&self, elements: usize) -> u128 {
        self.threads.threads().div_ceil(WARP) as u128 * (self.threads.values() / elements) as u128
    }
}
