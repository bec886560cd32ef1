//! The best layout of shared memory for a tile that is written in one way and read in another:
//! computed, with a proof.
//!
//! ```text
//! element e, offset o = L(e)           L(x ^ y) = L(x) ^ L(y), L a bijection of the numbers of n bits
//! best = least (passes of all accesses, accesses of all threads)     over all such L
//! ```
//!
//! The proof considers two sides at two widths, for all pairs of widths; it stands at the top of
//! `pair.rs`.

mod best;
mod side;

mod pair;

pub use best::BestSharedLayout;

use best::BITS;
use pair::PairOfSides;
use side::LinearSide;

use super::side::WIDEST;
use super::total;
use crate::layout::flat::{FlatLayout, Message};
use crate::layout::traits::StaticLayout;

impl FlatLayout {
    /// See [`best_shared_layout`]. The layout itself is the writes'.
    ///
    /// # Panics
    /// If an element is not of 2^k bits, 4 to 128; if an extent of either layout is no power of
    /// two, or the sums of its strides carry; if the tile has more than 524,288 elements.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// // Halves: 128 bits of a row are written at once, and pairs read, as an accumulator of tensor cores
    /// // has them.
    /// let writes: DynLayout = "((8,32),8):((256,1),32)".parse()?;
    /// let reads: DynLayout = "(((4,8),8),(2,4)):(((64,1),256),(32,8))".parse()?;
    /// let best = FlatLayout::of(&writes).best_shared_layout(&FlatLayout::of(&reads), 16);
    /// assert_eq!((best.write_bits, best.read_bits, best.conflicts()), (128, 32, 0));
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[track_caller]
    pub const fn best_shared_layout(
        &self,
        reads: &FlatLayout,
        element_bits: usize,
    ) -> BestSharedLayout {
        let of_bits = element_bits.is_power_of_two() && element_bits >= 4 && element_bits <= WIDEST;
        Message::require(
            of_bits,
            &["an element is of 2^k bits, 4 to 128, and not of "],
            &[element_bits],
        );
        let write = LinearSide::new(self, element_bits, "writes");
        let read = LinearSide::new(reads, element_bits, "reads");
        let (by_writes, by_reads) = (write.bits.reach(), read.bits.reach());
        let bits = if by_writes > by_reads { by_writes } else { by_reads } as usize;
        if bits > BITS {
            let message = Message::new()
                .text("a tile of 2^")
                .number(bits)
                .text(" elements, and 2^")
                .number(BITS);
            panic!("{}", message.text(" are the most").as_str());
        }
        // All banks have 32 * 32 bits.
        let element = element_bits.ilog2() as usize;
        let word = 5usize.saturating_sub(element);
        let banks = 10 - element - word;
        // All pairs of widths of whole bytes.
        let mut found: Option<(PairOfSides<'_>, usize, usize)> = None;
        let narrowest = 3usize.saturating_sub(element);
        let mut j = narrowest;
        while j <= write.most {
            let mut k = narrowest;
            while k <= read.most {
                let accesses = total(write.accesses(j), 1, read.accesses(k));
                let phases = total(write.phases(j), 1, read.phases(k));
                let (wide, narrow, widths) =
                    if j >= k { (&write, &read, (j, k)) } else { (&read, &write, (k, j)) };
                let pair = PairOfSides {
                    wide,
                    narrow,
                    widths,
                    writes_are_wide: j >= k,
                    bits,
                    word,
                    banks,
                };
                let hopeful = match &found {
                    None => true,
                    Some((_, least, fewest)) => {
                        phases < *least || phases == *least && accesses < *fewest
                    }
                };
                if hopeful && pair.possible() {
                    let passes = total(phases, 1, pair.least_conflicts());
                    let better = match &found {
                        None => true,
                        Some((_, least, fewest)) => {
                            passes < *least || passes == *least && accesses < *fewest
                        }
                    };
                    if better {
                        found = Some((pair, passes, accesses));
                    }
                }
                k += 1;
            }
            j += 1;
        }
        let Some((pair, least_passes, least_accesses)) = found else {
            panic!("no access of whole bytes")
        };
        let mut best = BestSharedLayout {
            basis: pair.layout(),
            bits,
            write_bits: 0,
            read_bits: 0,
            accesses: 0,
            passes: 0,
            write_conflicts: 0,
            read_conflicts: 0,
            least_passes,
            least_accesses,
        };
        let (by_write, by_read) = (best.width(&write), best.width(&read));
        (best.write_bits, best.read_bits) = (element_bits << by_write, element_bits << by_read);
        best.accesses = total(write.accesses(by_write), 1, read.accesses(by_read));
        best.write_conflicts = best.count(&write, by_write);
        best.read_conflicts = best.count(&read, by_read);
        best.passes =
            total(total(write.phases(by_write), 1, read.phases(by_read)), 1, best.conflicts());
        best
    }
}

/// The linear layout of shared memory for the writes by one thread-value layout and the reads by
/// another under which both together take the fewest passes, that is, the least time of shared
/// memory, and among those the one with the fewest accesses of up to 128 bits, that is, the widest
/// vectors; with a proof that no linear layout of the size does better. Both thread-value layouts
/// take (thread, value) to the number of an element.
///
/// Computed by elimination over bits; the time grows with the number of bits and not with the tile:
/// 128 x 128 elements take 0.1 s of const evaluation. [`best_swizzle`](super::best_swizzle)
/// searches, for a tile whose plain layout is given; it never does better. Triton:
/// `optimalSwizzling`.
///
/// ```
/// use layout_algebra::{analysis::*, prelude::*};
/// // A transpose of 128 x 128 floats by 256 threads.
/// type Writes = Layout!(((32, 8), (4, 16)):((4, 128), (1, 1024)));
/// type Reads = Layout!(((32, 8), (4, 16)):((512, 1), (128, 8)));
/// const BEST: BestSharedLayout = best_shared_layout::<Writes, Reads>(32);
/// const _: () = assert!(BEST.is_optimal());
/// ```
///
/// ```compile_fail
/// use layout_algebra::{analysis::*, prelude::*};
/// // the writes are not linear in the bits of thread and value: an extent is 24, which is no power of
/// // two
/// const BEST: BestSharedLayout = best_shared_layout::<Layout!((24, 4)), Layout!((32, 4))>(32);
/// ```
#[track_caller]
pub const fn best_shared_layout<Writes: StaticLayout, Reads: StaticLayout>(
    element_bits: usize,
) -> BestSharedLayout {
    Writes::FLAT.best_shared_layout(&Reads::FLAT, element_bits)
}
