//! Bank conflicts of many swizzles at once: each pattern of a tile's accesses is examined once.
//!
//! ```text
//! conflicts(Sw, x_0 .. x_31) = conflicts(Sw, x_0 ^ c .. x_31 ^ c)
//!         an XOR with one number permutes banks and words
//! ```

use super::access::{WARP, WarpAccess};
use super::banks::Phase;
use super::side::Side;
use super::total;
use crate::swizzle::{BitBasis, DynSwizzle};

/// All swizzles of up to 5 bits within 16, with both signs, and the one that moves nothing.
const CANDIDATES: usize = 701;
/// Patterns that are evaluated together.
const PATTERNS: usize = 16;

/// The offsets of the threads of a phase, each XORed with the first one's, and how many phases have
/// them.
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

    /// The passes of the phase under a swizzle. The words of a linear pattern are a space, and so
    /// are its banks: every bank has as many of the words.
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
        let (mut words, mut banks) = (BitBasis::NONE, BitBasis::NONE);
        lane = 1;
        while lane < self.lanes {
            // Bits are counted in `u128`: there may be more of them than `usize` can count.
            let bits = swizzle.apply(self.offsets[lane]) as u128 * access.element_bits as u128;
            let word = bits >> access.bank_bits.trailing_zeros();
            words.insert(word);
            banks.insert(word & (access.banks as u128 - 1));
            lane *= 2;
        }
        // The words within an access.
        let mut word = 1;
        while word * access.bank_bits < access.access_bits {
            words.insert(word as u128);
            banks.insert(word as u128 & (access.banks as u128 - 1));
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

/// The candidates that take the fewest accesses, the conflicts of each so far, and patterns not yet
/// examined.
pub(super) struct Search {
    pub(super) swizzles: [DynSwizzle; CANDIDATES],
    pub(super) writes: [usize; CANDIDATES],
    pub(super) reads: [usize; CANDIDATES],
    conflicts: [usize; CANDIDATES],
    pub(super) count: usize,
    patterns: [Pattern; PATTERNS],
    known: usize,
}

impl Search {
    pub(super) const fn new() -> Self {
        let none = Pattern {
            offsets: [0; WARP],
            lanes: 0,
            phases: 0,
            writes: false,
            elements: 0,
            linear: false,
        };
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

    /// Adds the patterns of all phases of one side, for accesses of `elements` elements.
    #[track_caller]
    pub(super) const fn add(&mut self, side: &Side<'_>, elements: usize, writes: bool) {
        let access = side.access(elements);
        let (warps, accesses, threads) =
            (access.warps(), access.accesses(), side.threads.threads());
        // Where bits of threads and of values do not mix, all accesses of a warp have the pattern
        // of the first one.
        let (accesses, alike) =
            if side.offsets.bitwise && accesses > 0 { (1, accesses) } else { (accesses, 1) };
        let mut number = 0;
        while number < accesses * warps {
            let (warp, value) = (number / accesses, number % accesses * elements);
            let mut lane = 0;
            while lane < WARP && warp * WARP + lane < threads {
                let mut pattern = Pattern {
                    offsets: [0; WARP],
                    lanes: 0,
                    phases: alike,
                    writes,
                    elements,
                    linear: false,
                };
                let (mut first, lanes) =
                    (0, access.phase_at(&side.offsets, warp, value / elements, lane));
                while pattern.lanes < lanes && lane < WARP && warp * WARP + lane < threads {
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

    #[track_caller]
    const fn add_pattern(&mut self, pattern: &Pattern, access: &WarpAccess) {
        let mut k = 0;
        while k < self.known {
            if self.patterns[k].same(pattern) {
                self.patterns[k].phases = total(self.patterns[k].phases, 1, pattern.phases);
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
    #[track_caller]
    const fn conflicts_of(&self, candidate: usize, access: &WarpAccess, enough: usize) -> usize {
        let (swizzle, mut conflicts, mut k) =
            (&self.swizzles[candidate], self.conflicts[candidate], 0);
        while k < self.known && conflicts < enough {
            let pattern = &self.patterns[k];
            let goes = if pattern.writes { self.writes[candidate] } else { self.reads[candidate] };
            if goes == pattern.elements {
                let access = WarpAccess { access_bits: access.element_bits * goes, ..*access };
                conflicts = total(conflicts, pattern.passes(&access, swizzle) - 1, pattern.phases);
            }
            k += 1;
        }
        conflicts
    }

    /// The first candidate with the fewest conflicts, and how many.
    #[track_caller]
    pub(super) const fn best(&self, access: &WarpAccess) -> (usize, usize) {
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
