//! The best swizzle for a tile that is written in one way and read in another.
//!
//! ```text
//! best = least (accesses of all threads, bank conflicts, order of search)
//!        over all Sw<B,M,S> with B <= 5 within the offsets' bits
//! ```
//!
//! All swizzles are tried. That is cheap because a swizzle is linear in the bits of an offset,
//! `Sw(x ^ y) = Sw(x) ^ Sw(y)`. Whether values are neighbours under a swizzle is decided on a basis
//! of their offsets. And two phases whose offsets differ by one constant, `x_i ^ c`, have the same
//! conflicts under every swizzle, because an XOR of all addresses with one number permutes banks
//! and words: so each pattern of offsets is examined once.

use super::search::Search;
use super::side::{Side, WIDEST};
use crate::layout::flat::{FlatLayout, Message};
use crate::layout::traits::StaticLayout;
use crate::swizzle::DynSwizzle;

/// Bits of a bank's words that swizzles spread: 32 banks.
const MOST_BITS: u32 = 5;
/// The lowest bits of an offset that are swizzled: tiles of up to 65,536 elements.
const OFFSET_BITS: u32 = 16;

/// A swizzle, and the cost of accesses under it.
///
/// ```
/// use layout_algebra::analysis::BestSwizzle;
/// use layout_algebra::prelude::*;
/// // A tile of 32 x 32 words: a warp writes a row at a time, and each of its threads reads a row of
/// // its own.
/// let tile = FlatLayout::of(&layout!((32, 32): right));
/// let (writes, reads) = (layout!((32, 32):(32, 1)), layout!((32, 32):(1, 32)));
/// let best: BestSwizzle = tile.best_swizzle(&FlatLayout::of(&writes), &FlatLayout::of(&reads), 32);
/// assert_eq!((best.conflicts, best.write_bits, best.read_bits), (0, 32, 128));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestSwizzle {
    /// The swizzle of offsets in elements.
    pub swizzle: DynSwizzle,
    /// Bits that a thread writes at once.
    pub write_bits: usize,
    /// Bits that a thread reads at once.
    pub read_bits: usize,
    /// Bank conflicts of all writes and reads.
    pub conflicts: usize,
}

impl FlatLayout {
    /// See [`best_swizzle`].
    ///
    /// # Panics
    /// If an element is not of 2^k bits, 4 to 128.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// // 8 rows of 64 halves: written row by row, and read as an ldmatrix does, 8 halves of each of 8
    /// // rows.
    /// let tile = FlatLayout::of(&layout!((8, 64):(64, 1)));
    /// let (writes, reads) = (layout!(((8, 8), 8):((64, 1), 8)), layout!(((8, 8), 8):((1, 64), 8)));
    /// let best = tile.best_swizzle(&FlatLayout::of(&writes), &FlatLayout::of(&reads), 16);
    /// assert_eq!(best.swizzle.to_string(), "Sw<3,3,3>");
    /// assert_eq!((best.write_bits, best.read_bits, best.conflicts), (128, 128, 0));
    /// ```
    #[track_caller]
    pub const fn best_swizzle(
        &self,
        writes: &FlatLayout,
        reads: &FlatLayout,
        element_bits: usize,
    ) -> BestSwizzle {
        let of_bits = element_bits.is_power_of_two() && element_bits >= 4 && element_bits <= WIDEST;
        Message::require(
            of_bits,
            &["an element is of 2^k bits, 4 to 128, and not of "],
            &[element_bits],
        );
        let cosize = self.cosize();
        let bits = if cosize <= 1 { 0 } else { (cosize - 1).ilog2() + 1 };
        let bits = if bits > OFFSET_BITS { OFFSET_BITS } else { bits };
        let (write, read) =
            (Side::new(self, writes, element_bits), Side::new(self, reads, element_bits));
        let mut search = Search::new();
        // The fewest accesses; only the candidates that reach it are kept.
        let mut fewest = u128::MAX;
        let (mut count, mut distance, mut down, mut base) = (0, 0, false, 0);
        loop {
            let swizzle = DynSwizzle::known(
                count,
                base,
                if down { -(distance as i32) } else { distance as i32 },
            );
            let by_write = write.elements(&swizzle);
            let hopeful = write.instructions(by_write) + read.instructions(read.most) <= fewest;
            let by_read = if hopeful { read.elements(&swizzle) } else { 0 };
            // An element narrower than a byte is never accessed alone.
            if hopeful && by_write * element_bits >= 8 && by_read * element_bits >= 8 {
                let instructions = write.instructions(by_write) + read.instructions(by_read);
                if instructions < fewest {
                    (fewest, search.count) = (instructions, 0);
                }
                if instructions == fewest {
                    search.swizzles[search.count] = swizzle;
                    search.writes[search.count] = by_write;
                    search.reads[search.count] = by_read;
                    search.count += 1;
                }
            }
            // The next one: up along the base, the sign, the distance, the number of bits.
            base += 1;
            if count == 0 || base + count + distance > bits {
                (base, down) = (0, !down);
                if !down || count == 0 {
                    (distance, down) = (distance + 1, false);
                }
                if count == 0 || count + distance > bits {
                    (count, distance) = (count + 1, count + 1);
                }
                if count > MOST_BITS || count + distance > bits {
                    break;
                }
            }
        }
        assert!(search.count > 0, "no access of whole bytes");
        let mut elements = 1;
        while elements <= WIDEST {
            let (mut written, mut red, mut k) = (false, false, 0);
            while k < search.count {
                written |= search.writes[k] == elements;
                red |= search.reads[k] == elements;
                k += 1;
            }
            if written {
                search.add(&write, elements, true);
            }
            if red {
                search.add(&read, elements, false);
            }
            elements *= 2;
        }
        let widest =
            if write.most > read.most { write.access(write.most) } else { read.access(read.most) };
        let (best, conflicts) = search.best(&widest);
        BestSwizzle {
            swizzle: search.swizzles[best],
            write_bits: search.writes[best] * element_bits,
            read_bits: search.reads[best] * element_bits,
            conflicts,
        }
    }
}

/// The best swizzle of the tile `Smem` for the writes by one thread-value layout and the reads by
/// another. Under it they take the fewest accesses of up to 128 bits, that is, use the widest
/// vectors; among the swizzles with as few accesses it has the fewest bank conflicts, and among
/// equals the fewest bits.
///
/// In const evaluation the search is for tiles whose strides are powers of two, as swizzled tiles
/// have them: a tile of 64x64 takes 0.15 s. With padded strides no two accesses are alike, and the
/// compiler's lint on long evaluations stops it: search at run time, with
/// [`FlatLayout::best_swizzle`].
///
/// All swizzles of up to 5 bits are searched that stay within the bits of the tile's offsets, the
/// lowest 16 at most. The result is data; as a type it is `Swizzle<{ BITS }, { BASE }, { SHIFT }>`
/// of its [`parameters`](DynSwizzle::parameters).
///
/// ```
/// use layout_algebra::{analysis::*, prelude::*};
/// // A transpose: a warp writes rows and reads columns.
/// type Tile = Layout!((32, 32):(32, 1));
/// const BEST: BestSwizzle =
///     best_swizzle::<Tile, Layout!((32, 32):(32, 1)), Layout!((32, 32):(1, 32))>(32);
/// const P: (u32, u32, i32) = BEST.swizzle.parameters();
/// type Swizzled = ComposedLayout<Swizzle<{ P.0 }, { P.1 }, { P.2 }>, Int<0>, Tile>;
/// assert_eq!(format!("{:#}", Swizzled::default()), "Sw<3,2,3> o 0 o (32,32):(32,1)");
/// ```
#[track_caller]
pub const fn best_swizzle<Smem: StaticLayout, Writes: StaticLayout, Reads: StaticLayout>(
    element_bits: usize,
) -> BestSwizzle {
    Smem::FLAT.best_swizzle(&Writes::FLAT, &Reads::FLAT, element_bits)
}
