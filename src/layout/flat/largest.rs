//! The largest offset of a swizzled layout: intervals of inner offsets, cut in half as long as one
//! could hold it.
//!
//! ```text
//! max Sw(x) for x in [low, high]
//!         blocks x = base ^ y of 2^j offsets: Sw(x) = Sw(base) ^ Sw(y), y in a span of bits
//! ```
//!
//! If a layout has all offsets of an interval, the bound is the answer: one step for a tile without
//! holes, however long its modes are. For any other layout the bound says which half to search
//! next.

use super::{FlatLayout, LEAVES};
use crate::swizzle::BitBasis;

/// The offsets `begin + d * stride(mode) + x` for `d < extent`, and all that the modes after this
/// one add as `x`.
#[derive(Clone, Copy)]
struct LargestPart {
    begin: usize,
    mode: usize,
    extent: usize,
    /// An upper bound of the offsets to which they are mapped.
    bound: usize,
}

/// More parts than ever wait: one for each time that an extent is cut in half, and the size fits
/// `usize`.
const PARTS: usize = usize::BITS as usize + LEAVES + 1;

impl FlatLayout {
    /// The largest offset of a layout under swizzles that is not empty, or a number beyond `usize`
    /// that its cosize is at least.
    pub(super) const fn largest(&self) -> Result<usize, u128> {
        let modes = self.modes.moving();
        let count = modes.count;
        // Of the modes from `k` on: what they can add, how many of the lowest bits they leave
        // alone, and whether they reach every multiple of that up to there.
        let mut reach = [0usize; LEAVES + 1];
        let mut zeros = [usize::BITS; LEAVES + 1];
        let mut whole = [true; LEAVES + 1];
        let mut k = count;
        while k > 0 {
            k -= 1;
            let stride = modes.strides[k];
            // The product of two numbers of 64 bits and one more number fit 128 bits.
            let last = (modes.extents[k] as u128 - 1) * stride as u128 + reach[k + 1] as u128;
            if self.offset as u128 + last > usize::MAX as u128 {
                return Err(self.offset as u128 + last + 1);
            }
            reach[k] = last as usize;
            zeros[k] = if stride.trailing_zeros() < zeros[k + 1] {
                stride.trailing_zeros()
            } else {
                zeros[k + 1]
            };
            let alike = k + 1 == count || zeros[k] == zeros[k + 1];
            whole[k] = whole[k + 1] && alike && stride - (1 << zeros[k]) <= reach[k + 1];
        }
        let mut largest = self.map(self.offset);
        let mut parts = [LargestPart { begin: 0, mode: 0, extent: 0, bound: 0 }; PARTS];
        let mut waiting = 0;
        let mut part = LargestPart { begin: self.offset, mode: 0, extent: 1, bound: usize::MAX };
        if count > 0 {
            part.extent = modes.extents[0];
        }
        loop {
            // Down, to one digit of the mode and the modes after it.
            while part.extent == 1 && part.mode < count {
                part.mode += 1;
                part.extent = if part.mode < count { modes.extents[part.mode] } else { 1 };
            }
            let stride = if part.mode < count { modes.strides[part.mode] } else { 0 };
            let after = if part.mode < count { reach[part.mode + 1] } else { 0 };
            let end = part.begin + (part.extent - 1) * stride + after;
            let last = self.map(end);
            if last > largest {
                largest = last;
            }
            part.bound = self.largest_between(part.begin, end, zeros[part.mode]);
            if part.bound > largest {
                if whole[part.mode] {
                    largest = part.bound;
                } else {
                    // The upper half first: offsets that no swizzle moves are largest there.
                    let half = part.extent / 2;
                    parts[waiting] = LargestPart { extent: half, ..part };
                    waiting += 1;
                    part = LargestPart {
                        begin: part.begin + half * stride,
                        extent: part.extent - half,
                        ..part
                    };
                    continue;
                }
            }
            loop {
                if waiting == 0 {
                    return Ok(largest);
                }
                waiting -= 1;
                part = parts[waiting];
                if part.bound > largest {
                    break;
                }
            }
        }
    }

    /// The largest that the swizzles make of `low + n * 2^zeros` up to `high`, which is one of
    /// them.
    const fn largest_between(&self, low: usize, high: usize, zeros: u32) -> usize {
        // Blocks of `2^bit` offsets: the first one, the last one, and what the offsets within a
        // block differ by.
        let (mut first, mut last, mut bit) = (low, high, zeros);
        let (mut within, mut largest) = (BitBasis::NONE, 0);
        while first < last {
            // A block that is no half of one twice as long is compared.
            if first >> bit & 1 == 1 {
                largest = self.larger(largest, first, &within);
                first += 1 << bit;
            }
            if last >> bit & 1 == 0 {
                largest = self.larger(largest, last, &within);
                last -= 1 << bit;
            }
            if first > last {
                return largest;
            }
            within.insert(self.map(1 << bit) as u128);
            last &= !(1 << bit);
            bit += 1;
        }
        self.larger(largest, first, &within)
    }

    /// `largest`, or what the swizzles make of an offset of the block at `base`, whichever is
    /// larger.
    const fn larger(&self, largest: usize, base: usize, within: &BitBasis) -> usize {
        let mapped = within.largest(self.map(base) as u128) as usize;
        if mapped > largest { mapped } else { largest }
    }
}
