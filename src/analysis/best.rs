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
use super::offsets::Offsets;
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
    offsets: Offsets<'a>,
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
        let mut side = Side {
            offsets: Offsets::new(memory, threads),
            threads,
            element_bits,
            most,
            places: Basis::NONE,
            differences: [Basis::NONE; 8],
        };
        // Where bits of threads and of values do not mix, the first value of each thread and the values of the first thread span all.
        let mut thread = 0;
        while thread < count {
            side.add_thread(thread, if side.offsets.bitwise && thread > 0 && values > 1 { 1 } else { values });
            thread += 1;
        }
        side
    }

    /// The first `values` values of a thread.
    const fn add_thread(&mut self, thread: usize, values: usize) {
        let (mut last, mut value) = ([0usize; 8], 0);
        while value < values {
            let (offset, place) = (self.offsets.get(thread, value), value % self.most);
            self.places.insert(offset << VALUE_BITS | place);
            // `last[b]` is the offset of the last value that is a multiple of 2^b.
            let bit = if place == 0 { 7 } else { place.trailing_zeros() as usize };
            if place != 0 {
                self.differences[bit].insert(offset ^ last[bit + 1]);
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
    const fn elements(&self, swizzle: &DynSwizzle) -> usize {
        let mut elements = self.most;
        // The place of each value within its access is its lowest bits under the swizzle.
        let mut k = 0;
        while k < self.places.count && elements > 1 {
            let (offset, value) = (self.places.vectors[k] >> VALUE_BITS, self.places.vectors[k] & (self.most - 1));
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
                if swizzle.apply(self.differences[bit].vectors[k]) >= elements {
                    return false;
                }
                k += 1;
            }
            bit += 1;
        }
        true
    }

    const fn access(&self, elements: usize) -> WarpAccess {
        WarpAccess::new(self.threads, self.element_bits, elements * self.element_bits)
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
    /// Of a write or of a read, by so many elements at once.
    writes: bool,
    elements: usize,
    /// Is the offset of each thread the XOR of those of the threads 2^b in its number?
    linear: bool,
}

impl Pattern {
    const fn is_linear(&self) -> bool {
        let mut lane = 1;
        while lane < self.lanes {
            let lowest = 1 << lane.trailing_zeros();
            if self.offsets[lane] != self.offsets[lane ^ lowest] ^ self.offsets[lowest] {
                return false;
            }
            lane += 1;
        }
        self.lanes.is_power_of_two()
    }

    /// The passes of the phase under a swizzle. The words of a linear pattern are a space, and so are its banks: every bank has as many of
    /// the words.
    const fn passes(&self, access: &WarpAccess, swizzle: &DynSwizzle) -> usize {
        let mut lane = 0;
        if !self.linear {
            let mut phase = Phase::new();
            while lane < self.lanes {
                phase.add(access, lane, swizzle.apply(self.offsets[lane]));
                lane += 1;
            }
            return phase.ways;
        }
        let (mut words, mut banks) = (Basis::NONE, Basis::NONE);
        lane = 1;
        while lane < self.lanes {
            let word = swizzle.apply(self.offsets[lane]) * access.element_bits / access.bank_bits;
            words.insert(word);
            banks.insert(word % access.banks);
            lane *= 2;
        }
        // The words within an access.
        let mut word = 1;
        while word * access.bank_bits < access.access_bits {
            words.insert(word);
            banks.insert(word % access.banks);
            word *= 2;
        }
        1 << (words.count - banks.count)
    }

    const fn same(&self, other: &Pattern) -> bool {
        if self.writes != other.writes || self.elements != other.elements {
            return false;
        }
        let mut lane = 0;
        while lane < self.lanes && self.offsets[lane] == other.offsets[lane] {
            lane += 1;
        }
        lane == self.lanes && lane == other.lanes
    }
}

/// The candidates that take the fewest accesses, the conflicts of each so far, and patterns yet to be looked at.
struct Search {
    swizzles: [DynSwizzle; CANDIDATES],
    writes: [usize; CANDIDATES],
    reads: [usize; CANDIDATES],
    conflicts: [usize; CANDIDATES],
    count: usize,
    patterns: [Pattern; PATTERNS],
    known: usize,
}

impl Search {
    const fn new() -> Self {
        let none = Pattern { offsets: [0; WARP], lanes: 0, phases: 0, writes: false, elements: 0, linear: false };
        Search {
            swizzles: [DynSwizzle::IDENTITY; CANDIDATES],
            writes: [0; CANDIDATES],
            reads: [0; CANDIDATES],
            conflicts: [0; CANDIDATES],
            count: 0,
            patterns: [none; PATTERNS],
            known: 0,
        }
    }

    /// Adds the patterns of all phases of one side where it goes by `elements` at once.
    const fn add(&mut self, side: &Side<'_>, elements: usize, writes: bool) {
        let access = side.access(elements);
        let (warps, accesses, threads) = (access.warps(), access.accesses(), side.threads.threads());
        // Where bits of threads and of values do not mix, all accesses of a warp have the pattern of the first one.
        let (accesses, alike) = if side.offsets.bitwise && accesses > 0 { (1, accesses) } else { (accesses, 1) };
        let mut number = 0;
        while number < accesses * warps {
            let (warp, value) = (number / accesses, number % accesses * elements);
            let mut lane = 0;
            while lane < WARP && warp * WARP + lane < threads {
                let mut pattern =
                    Pattern { offsets: [0; WARP], lanes: 0, phases: alike, writes, elements, linear: false };
                let mut first = 0;
                while pattern.lanes < access.phase && lane < WARP && warp * WARP + lane < threads {
                    let offset = side.offsets.get(warp * WARP + lane, value);
                    if pattern.lanes == 0 {
                        first = offset;
                    }
                    pattern.offsets[pattern.lanes] = offset ^ first;
                    pattern.lanes += 1;
                    lane += 1;
                }
                self.add_pattern(&pattern, &access);
            }
            number += 1;
        }
    }

    const fn add_pattern(&mut self, pattern: &Pattern, access: &WarpAccess) {
        let mut k = 0;
        while k < self.known {
            if self.patterns[k].same(pattern) {
                self.patterns[k].phases += pattern.phases;
                return;
            }
            k += 1;
        }
        if self.known == PATTERNS {
            // No room: their conflicts are added up now.
            let mut candidate = 0;
            while candidate < self.count {
                self.conflicts[candidate] = self.conflicts_of(candidate, access, usize::MAX);
                candidate += 1;
            }
            self.known = 0;
        }
        self.patterns[self.known] = *pattern;
        self.patterns[self.known].linear = pattern.is_linear();
        self.known += 1;
    }

    /// The conflicts of a candidate, or some number from `enough` on if they are that many.
    const fn conflicts_of(&self, candidate: usize, access: &WarpAccess, enough: usize) -> usize {
        let (swizzle, mut conflicts, mut k) = (&self.swizzles[candidate], self.conflicts[candidate], 0);
        while k < self.known && conflicts < enough {
            let pattern = &self.patterns[k];
            let goes = if pattern.writes { self.writes[candidate] } else { self.reads[candidate] };
            if goes == pattern.elements {
                let access = WarpAccess { access_bits: access.element_bits * goes, ..*access };
                conflicts += (pattern.passes(&access, swizzle) - 1) * pattern.phases;
            }
            k += 1;
        }
        conflicts
    }

    /// The first candidate with the fewest conflicts, and how many.
    const fn best(&self, access: &WarpAccess) -> (usize, usize) {
        let (mut best, mut fewest, mut candidate) = (0, usize::MAX, 0);
        while candidate < self.count && fewest > 0 {
            let conflicts = self.conflicts_of(candidate, access, fewest);
            if conflicts < fewest {
                (best, fewest) = (candidate, conflicts);
            }
            candidate += 1;
        }
        (best, fewest)
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
        let mut search = Search::new();
        // The fewest accesses; only the candidates that reach it are kept.
        let mut fewest = usize::MAX;
        let (mut count, mut distance, mut down, mut base) = (0, 0, false, 0);
        loop {
            let swizzle = DynSwizzle::known(count, base, if down { -(distance as i32) } else { distance as i32 });
            let by_write = write.elements(&swizzle);
            let hopeful = write.instructions(by_write) + read.instructions(read.most) <= fewest;
            let by_read = if hopeful { read.elements(&swizzle) } else { 0 };
            // An element narrower than a byte does not go alone.
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
        let widest = if write.most > read.most { write.access(write.most) } else { read.access(read.most) };
        let (best, conflicts) = search.best(&widest);
        BestSwizzle {
            swizzle: search.swizzles[best],
            write_bits: search.writes[best] * element_bits,
            read_bits: search.reads[best] * element_bits,
            conflicts,
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
