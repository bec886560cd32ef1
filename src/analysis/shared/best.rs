//! The result: a linear layout, and the cost of accesses under it.

use core::fmt::{self, Display, Formatter};

use crate::analysis::total;
use crate::layout::flat::{FlatLayout, Message, Modes};
use crate::pad::pad;
use crate::swizzle::DynSwizzle;

/// The most bits of an element's number: tiles of up to 524,288 elements, more than a shared memory
/// has room for.
pub(super) const BITS: usize = 19;

/// A layout of shared memory that is linear over F2 in the bits of an element's number, the cost of
/// accesses under it, and the least cost under any such layout.
///
/// ```
/// use layout_algebra::prelude::*;
/// // A tile of 32 x 32 words: 32 warps write a column each, and read a row each.
/// let (writes, reads) = (layout!((1024, 1):(1, 0)), layout!(((32, 32), 1):((32, 1), 0)));
/// let (writes, reads) = (FlatLayout::of(&writes), FlatLayout::of(&reads));
/// let best = writes.best_shared_layout(&reads, 32);
/// assert_eq!(best.to_string(), "(32,32):(^1,^33)");
/// assert_eq!((best.write_bits, best.read_bits, best.conflicts()), (32, 32, 0));
/// assert!(best.is_optimal());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestSharedLayout {
    pub(super) basis: [usize; BITS],
    pub(super) bits: usize,
    /// Bits that a thread writes at once.
    pub write_bits: usize,
    /// Bits that a thread reads at once.
    pub read_bits: usize,
    /// Accesses of all warps, writes and reads.
    pub accesses: usize,
    /// Passes of all accesses: their phases, and their conflicts.
    pub passes: usize,
    /// Bank conflicts of all writes.
    pub write_conflicts: usize,
    /// Bank conflicts of all reads.
    pub read_conflicts: usize,
    /// The fewest passes under any linear layout of the size.
    pub least_passes: usize,
    /// The fewest accesses under any linear layout of the size with as few passes.
    pub least_accesses: usize,
}

impl BestSharedLayout {
    /// Where each bit of an element's number goes: all that the layout is.
    ///
    /// `L(e) = XOR of basis()[b] over the bits b of e`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let (writes, reads) =
    ///     (FlatLayout::of(&layout!((8, 4):(1, 8))), FlatLayout::of(&layout!((8, 4):(4, 1))));
    /// let best = writes.best_shared_layout(&reads, 32);
    /// assert_eq!(best.basis(), [1, 2, 4, 8, 16]); // less than a row of banks: nothing to swizzle
    /// ```
    pub const fn basis(&self) -> &[usize] {
        self.basis.split_at(self.bits).0
    }

    /// The offset of an element.
    ///
    /// # Panics
    /// If the tile has no such element.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let (writes, reads) = (layout!((1024, 1):(1, 0)), layout!(((32, 32), 1):((32, 1), 0)));
    /// let (writes, reads) = (FlatLayout::of(&writes), FlatLayout::of(&reads));
    /// let best = writes.best_shared_layout(&reads, 32);
    /// assert_eq!(best.at(5 + 32 * 3), 32 * 3 + (5 ^ 3));
    /// ```
    #[track_caller]
    pub const fn at(&self, element: usize) -> usize {
        Message::require(
            element < self.size(),
            &["there is no element ", " among "],
            &[element, self.size()],
        );
        self.sum(element)
    }

    /// [`at`](Self::at), unchecked.
    pub(super) const fn sum(&self, element: usize) -> usize {
        let (mut offset, mut bit) = (0, 0);
        while bit < self.bits {
            if element >> bit & 1 == 1 {
                offset ^= self.basis[bit];
            }
            bit += 1;
        }
        offset
    }

    /// Elements of the tile, and offsets: a power of two.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let row = FlatLayout::of(&layout!((32, 4):(4, 1)));
    /// assert_eq!(row.best_shared_layout(&row, 32).size(), 128);
    /// ```
    pub const fn size(&self) -> usize {
        1 << self.bits
    }

    /// Bank conflicts of all writes and reads.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let row = FlatLayout::of(&layout!((32, 4):(4, 1)));
    /// assert_eq!(row.best_shared_layout(&row, 32).conflicts(), 0);
    /// ```
    #[track_caller]
    pub const fn conflicts(&self) -> usize {
        total(self.write_conflicts, 1, self.read_conflicts)
    }

    /// Has no linear layout of the size fewer passes, nor as few with fewer accesses? The counts of
    /// this layout reach the lower bounds, which are computed from the two thread-value layouts
    /// alone. True of every result.
    ///
    /// `passes == least_passes and accesses == least_accesses`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// // Threads have four floats of a row, and a warp reads a column of 32: by vectors, of every four
    /// // banks one would be asked for a column, in 4 passes. So floats are written one by one.
    /// let (writes, reads) = (layout!(((2, 64), 4):((256, 1), 64)), layout!((512, 1):(1, 0)));
    /// let best = FlatLayout::of(&writes).best_shared_layout(&FlatLayout::of(&reads), 32);
    /// assert_eq!((best.write_bits, best.read_bits, best.conflicts()), (32, 32, 0));
    /// assert_eq!((best.passes, best.least_passes, best.is_optimal()), (32, 32, true));
    /// ```
    #[track_caller]
    pub const fn is_optimal(&self) -> bool {
        self.passes == self.least_passes && self.accesses == self.least_accesses
    }

    /// The layout as a swizzle over a plain layout, if it is one.
    ///
    /// `L(e) = swizzle.apply(plain.at(e))`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// // 8 rows of 64 halves, as tensor cores take them.
    /// let (writes, reads) = (layout!(((8, 8), 8):((64, 1), 8)), layout!(((8, 8), 8):((1, 64), 8)));
    /// let best = FlatLayout::of(&writes).best_shared_layout(&FlatLayout::of(&reads), 16);
    /// let (swizzle, plain) = best.swizzled().expect("a swizzle");
    /// assert_eq!(
    ///     (swizzle.to_string(), plain.to_string()),
    ///     ("Sw<3,3,3>".to_string(), "(8,64):(64,1)".to_string())
    /// );
    /// ```
    pub const fn swizzled(&self) -> Option<(DynSwizzle, FlatLayout)> {
        let mut down = false;
        loop {
            if let Some(found) = self.swizzled_by(down) {
                return Some(found);
            }
            if down {
                return None;
            }
            down = true;
        }
    }

    /// With the XOR going to lower bits, or to higher ones.
    const fn swizzled_by(&self, down: bool) -> Option<(DynSwizzle, FlatLayout)> {
        // The bits that the swizzle reads, and how far each goes.
        let (mut read, mut distance, mut bit) = (0usize, 0, 0);
        while bit < self.bits {
            let vector = self.basis[bit];
            if !vector.is_power_of_two() {
                let (high, low) = (vector.ilog2(), vector.trailing_zeros());
                if vector.count_ones() != 2 || (read != 0 && distance != high - low) {
                    return None;
                }
                distance = high - low;
                read |= 1 << if down { low } else { high };
            }
            bit += 1;
        }
        let (count, lowest) = (read.count_ones(), read.trailing_zeros());
        let swizzle = if read == 0 {
            DynSwizzle::IDENTITY
        } else if distance < count || read >> lowest != (1 << count) - 1 {
            return None;
        } else if down {
            DynSwizzle::known(count, lowest, -(distance as i32))
        } else {
            DynSwizzle::known(count, lowest - distance, distance as i32)
        };
        // Under the swizzle, which is its own inverse, all bits have to be single ones: strides.
        let (mut modes, mut bit) = (Modes::NONE, 0);
        while bit < self.bits {
            let stride = swizzle.apply(self.basis[bit]);
            if !stride.is_power_of_two() {
                return None;
            }
            let last = modes.count;
            if last > 0 && modes.strides[last - 1] * modes.extents[last - 1] == stride {
                modes.extents[last - 1] *= 2;
            } else {
                modes = modes.push(2, stride);
            }
            bit += 1;
        }
        if self.bits == 0 {
            modes = modes.push(1, 0);
        }
        let lead = if modes.count > 1 { 1 } else { modes.count };
        Some((swizzle, FlatLayout::strided(modes, lead)))
    }
}

/// The layout, coalesced. A coordinate times a stride `^d` is a product of polynomials over F2, and
/// sums are XOR.
///
/// ```
/// use layout_algebra::prelude::*;
/// let (writes, reads) = (layout!((1024, 1):(1, 0)), layout!(((32, 32), 1):((32, 1), 0)));
/// let (writes, reads) = (FlatLayout::of(&writes), FlatLayout::of(&reads));
/// assert_eq!(reads.best_shared_layout(&writes, 32).to_string(), "(32,32):(^33,^1)");
/// ```
impl Display for BestSharedLayout {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // Does the stride of this bit continue that of the one before?
        let continues = |bit: usize| self.basis[bit] == self.basis[bit - 1] << 1;
        let starts = || (0..self.bits).filter(move |&bit| bit == 0 || !continues(bit));
        let extent = |start: usize| {
            let end = (start + 1..self.bits).find(|&bit| !continues(bit)).unwrap_or(self.bits);
            1usize << (end - start)
        };
        pad(f, &|f| {
            if starts().nth(1).is_none() {
                return write!(f, "{}:^{}", self.size(), self.basis[0]);
            }
            for (k, start) in starts().enumerate() {
                write!(f, "{}{}", if k == 0 { "(" } else { "," }, extent(start))?;
            }
            for (k, start) in starts().enumerate() {
                write!(f, "{}^{}", if k == 0 { "):(" } else { "," }, self.basis[start])?;
            }
            f.write_str(")")
        })
    }
}
