//! The best swizzle for a tile that is written in one way and read in another.
//!
//! ```text
//! best = least (accesses of all threads, bank conflicts, order of search)        over all Sw<B,M,S> with B <= 5 within the offsets' bits
//! ```
//!
//! All swizzles are tried; what makes that cheap is that a swizzle is linear in the bits of an offset, `Sw(x ^ y) = Sw(x) ^ Sw(y)`.
//! Whether values are neighbours under a swizzle is decided on a basis of their offsets. And two phases whose offsets differ by one
//! constant, `x_i ^ c`, have the same conflicts under every swizzle, since an XOR of all addresses with one number permutes banks and
//! words: so each pattern of offsets is looked at once.

use super::access::{WARP, WarpAccess};
use super::banks::Phase;
use super::linear::Basis;
use crate::flat::FlatLayout;
use crate::layout::StaticLayout;
use crate::swizzle::DynSwizzle;

/// The widest access in bits: what a thread can move to and from shared memory at once.
const WIDEST: usize = 128;
/// Bits of a bank's words that swizzles spread: 32 banks.
const MOST_BITS: u32 = 5;
/// The lowest bits of an offset that are swizzled: tiles of up to 65,536 elements.
const OFFSET_BITS: u32 = 16;
/// All swizzles of up to 5 bits within 16, with both signs, and the one that moves nothing.
const CANDIDATES: usize = 701;
/// Patterns that are evaluated together.
const PATTERNS: usize = 16;

/// A swizzle, and what accesses are like under it.
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

/// One side of the pattern: who has what, and how wide the accesses can be under a swizzle.
struct Side<'a> {
    memory: &'a FlatLayout,
    threads: &'a FlatLayout,
    element_bits: usize,
    /// The most elements of an access.
    most: usize,
    /// Spans `(offset, value)`, the value, modulo `most`, in the lowest bits.
    places: Basis,
    /// `differences[b]` spans `offset(v) ^ offset(v - 2^b)` for the values `v` whose lowest bit is `b`.
    differences: [Basis; 8],
}
/// Bits for the value in [`Side::places`]: an access has up to 128 elements.
const VALUE_BITS: u32 = 7;

impl<'a> Side<'a> {
    const fn new(memory: &'a FlatLayout, threads: &'a FlatLayout, element_bits: usize) -> Self {
        let (count, values) = (threads.threads(), threads.values());
        let mut most = if values == 0 { 1 } else { 1 << values.trailing_zeros() };
        while most > 1 && most * element_bits > WIDEST {
            most /= 2;
        }
        let (mut places, mut differences) = (Basis::NONE, [Basis::NONE; 8]);
        let (mut thread, mut last) = (0, [0usize; 8]);
        while thread < count {
            let mut value = 0;
            while value < values {
                let (offset, place) = (memory.at(threads.of_thread(thread, value)), value % most);
                places.insert(offset << VALUE_BITS | place);
                // `last[b]` is the offset of the last value that is a multiple of 2^b.
                let bit = if place == 0 { 7 } else { place.trailing_zeros() as usize };
                if place != 0 {
                    differences[bit].insert(offset ^ last[bit + 1]);
                }
                let mut k = 0;
                while k <= bit {
                    last[k] = offset;
                    k += 1;
                }
                value += 1;
            }
            thread += 1;
        }
        Side { memory, threads, element_bits, most, places, differences }
    }

    /// The most elements of an access under a swizzle.
    const fn elements(&self, swizzle: &DynSwizzle) -> usize {
        let mut elements = self.most;
        // The place of each value within its access is its lowest bits under the swizzle.
        let mut k = 0;
        while k < self.places.0.len() {
            let (offset, value) = (self.places.0[k] >> VALUE_BITS, self.places.0[k] & (self.most - 1));
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
            while k < self.differences[bit].0.len() {
                let difference = self.differences[bit].0[k];
                if difference != 0 && swizzle.apply(difference) >= elements {
                    return false;
                }
                k += 1;
            }
            bit += 1;
        }
        true
    }

    /// Accesses of all warps, by `elements` at once.
    const fn instructions(&self, elements: usize) -> usize {
        self.threads.threads().div_ceil(WARP) * (self.threads.values() / elements)
    }
}

/// The offsets of the threads of a phase, each XORed with the first one's, and how many phases are so.
#[derive(Clone, Copy)]
struct Pattern {
    offsets: [usize; WARP],
    lanes: usize,
    phases: usize,
}

impl Pattern {
    const fn same(&self, other: &Pattern) -> bool {
        let mut lane = 0;
        while lane < self.lanes && self.offsets[lane] == other.offsets[lane] {
            lane += 1;
        }
        lane == self.lanes && lane == other.lanes
    }
}

/// The candidates, and the conflicts of each so far.
struct Search {
    swizzles: [DynSwizzle; CANDIDATES],
    writes: [usize; CANDIDATES],
    reads: [usize; CANDIDATES],
    conflicts: [usize; CANDIDATES],
    count: usize,
}

impl Search {
    /// Adds the conflicts of all phases of one side to those candidates under which it goes by `elements` at once.
    const fn add(&mut self, side: &Side<'_>, elements: usize, writes: bool) {
        let access = WarpAccess::new(side.threads, side.element_bits, elements * side.element_bits);
        let (warps, accesses, threads) = (access.warps(), access.accesses(), side.threads.threads());
        let (mut patterns, mut known) = ([Pattern { offsets: [0; WARP], lanes: 0, phases: 0 }; PATTERNS], 0);
        let mut warp = 0;
        while warp < warps {
            let mut number = 0;
            while number < accesses {
                let mut lane = 0;
                while lane < WARP && warp * WARP + lane < threads {
                    let mut pattern = Pattern { offsets: [0; WARP], lanes: 0, phases: 1 };
                    let mut first = 0;
                    while pattern.lanes < access.phase && lane < WARP && warp * WARP + lane < threads {
                        let offset = side.memory.at(side.threads.of_thread(warp * WARP + lane, number * elements));
                        if pattern.lanes == 0 {
                            first = offset;
                        }
                        pattern.offsets[pattern.lanes] = offset ^ first;
                        pattern.lanes += 1;
                        lane += 1;
                    }
                    let mut k = 0;
                    while k < known && !patterns[k].same(&pattern) {
                        k += 1;
                    }
                    if k < known {
                        patterns[k].phases += 1;
                        continue;
                    }
                    if known == PATTERNS {
                        self.evaluate(&access, elements, writes, &patterns, known);
                        known = 0;
                    }
                    patterns[known] = pattern;
                    known += 1;
                }
                number += 1;
            }
            warp += 1;
        }
        self.evaluate(&access, elements, writes, &patterns, known);
    }

    const fn evaluate(
        &mut self,
        access: &WarpAccess,
        elements: usize,
        writes: bool,
        patterns: &[Pattern; PATTERNS],
        known: usize,
    ) {
        let mut candidate = 0;
        while candidate < self.count {
            let goes = if writes { self.writes[candidate] } else { self.reads[candidate] };
            let mut k = 0;
            while k < known && goes == elements {
                let (mut phase, mut lane) = (Phase::new(), 0);
                while lane < patterns[k].lanes {
                    phase.add(access, lane, self.swizzles[candidate].apply(patterns[k].offsets[lane]));
                    lane += 1;
                }
                self.conflicts[candidate] += (phase.ways - 1) * patterns[k].phases;
                k += 1;
            }
            candidate += 1;
        }
    }
}

impl FlatLayout {
    /// See [`best_swizzle`].
    ///
    /// # Panics
    /// If an element is not of 2^k bits, 4 to 128.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// // 8 rows of 64 halves: written row by row, and read as an ldmatrix does, 8 halves of each of 8 rows.
    /// let tile = FlatLayout::of(&layout!((8, 64):(64, 1)));
    /// let (writes, reads) = (layout!(((8, 8), 8):((64, 1), 8)), layout!(((8, 8), 8):((1, 64), 8)));
    /// let best = tile.best_swizzle(&FlatLayout::of(&writes), &FlatLayout::of(&reads), 16);
    /// assert_eq!(best.swizzle.to_string(), "Sw<3,3,3>");
    /// assert_eq!((best.write_bits, best.read_bits, best.conflicts), (128, 128, 0));
    /// ```
    pub const fn best_swizzle(&self, writes: &FlatLayout, reads: &FlatLayout, element_bits: usize) -> BestSwizzle {
        assert!(
            element_bits.is_power_of_two() && element_bits >= 4 && element_bits <= WIDEST,
            "an element is of 2^k bits, 4 to 128"
        );
        let cosize = self.cosize();
        let bits = if cosize <= 1 { 0 } else { (cosize - 1).ilog2() + 1 };
        let bits = if bits > OFFSET_BITS { OFFSET_BITS } else { bits };
        let (write, read) = (Side::new(self, writes, element_bits), Side::new(self, reads, element_bits));
        let mut search = Search {
            swizzles: [DynSwizzle::IDENTITY; CANDIDATES],
            writes: [0; CANDIDATES],
            reads: [0; CANDIDATES],
            conflicts: [0; CANDIDATES],
            count: 0,
        };
        // The fewest accesses; only the candidates that reach it are kept.
        let mut fewest = usize::MAX;
        let (mut count, mut distance, mut down, mut base) = (0, 0, false, 0);
        loop {
            let swizzle = DynSwizzle::known(count, base, if down { -(distance as i32) } else { distance as i32 });
            let (by_write, by_read) = (write.elements(&swizzle), read.elements(&swizzle));
            // An element narrower than a byte does not go alone.
            if by_write * element_bits >= 8 && by_read * element_bits >= 8 {
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
        let (mut best, mut k) = (0, 1);
        while k < search.count {
            if search.conflicts[k] < search.conflicts[best] {
                best = k;
            }
            k += 1;
        }
        BestSwizzle {
            swizzle: search.swizzles[best],
            write_bits: search.writes[best] * element_bits,
            read_bits: search.reads[best] * element_bits,
            conflicts: search.conflicts[best],
        }
    }
}

/// The swizzle of the tile `Smem` with which the writes by one thread-value layout and the reads by another take the fewest accesses of up
/// to 128 bits, so go by the widest vectors, and among those have the fewest bank conflicts; of equals the one of the fewest bits.
///
/// All swizzles of up to 5 bits are searched that stay within the bits of the tile's offsets, the lowest 16 at most. The result is data;
/// as a type it is `Swizzle<{ BITS }, { BASE }, { SHIFT }>` of its [`parameters`](DynSwizzle::parameters).
///
/// ```
/// use layout_algebra::{analysis::*, prelude::*};
/// // A transpose: a warp writes rows and reads columns.
/// type Tile = Layout!((32, 32):(32, 1));
/// const BEST: BestSwizzle = best_swizzle::<Tile, Layout!((32, 32):(32, 1)), Layout!((32, 32):(1, 32))>(32);
/// const P: (u32, u32, i32) = BEST.swizzle.parameters();
/// type Swizzled = ComposedLayout<Swizzle<{ P.0 }, { P.1 }, { P.2 }>, Int<0>, Tile>;
/// assert_eq!(format!("{:#}", Swizzled::default()), "Sw<3,2,3> o 0 o (32,32):(32,1)");
/// ```
pub const fn best_swizzle<Smem: StaticLayout, Writes: StaticLayout, Reads: StaticLayout>(
    element_bits: usize,
) -> BestSwizzle {
    Smem::FLAT.best_swizzle(&Writes::FLAT, &Reads::FLAT, element_bits)
}
