//! Two sides at two widths: what they require together, the lower bound, and the layout that
//! reaches it.
//!
//! **What an access requires of L.** A side, the writes or the reads, takes the bits of thread and
//! value linearly to bits of elements. If every thread moves `2^k` values at once, this fixes where
//! the lowest k bits of offsets come from:
//!
//! ```text
//! L(value bit i) = 2^i  for i < k,          L(every other bit of thread or value) = 0  modulo 2^k
//! ```
//!
//! The equations on the right are linear in the k lowest rows of L. So two widths, `2^j` on one
//! side and `2^k >= 2^j` on the other, are possible together if and only if the first j value bits
//! of both are the same elements, and the equations of each side, and those of both modulo `2^j`,
//! do not contradict one another. All pairs of widths are tried, each with the fewest passes that
//! it allows: a layout with fewer passes, or with as few in fewer accesses, would have its widths
//! among them. (A layout that allows wider accesses than those that it is used with takes no more
//! passes with the wider ones: of two accesses that become one, the second adds dimensions to a
//! phase, and as many or fewer to the rank of its banks.)
//!
//! **What a phase costs.** Let an element's offset have w bits within a word, then b bits of the
//! bank: `w + b = 10 - log2(bits of an element)`, for 1024 bits are in all banks together. The
//! words of a phase are `Q / K`, where Q is spanned by the bits of its threads and of the values of
//! an access, and K is what lies in one word; every bank that has any of them has equally many:
//!
//! ```text
//! passes = 2^d,    d = dim(Q / K) - rank(bank bits on Q)
//! ```
//!
//! **No less.** Let the wider side move `2^k` values, a word or more: then the lowest `k - w` bits
//! of the bank are those of its values, and the equations above say what they are on the narrower
//! side's Q, but for what the wider side never touches. Let r be the greatest rank that they can
//! have there. The other `b - (k - w)` bits have rank 1 each at most, so
//!
//! ```text
//! d >= dim(Q / K) - r - (b - (k - w))         and d >= 0
//! ```
//!
//! If neither side moves a word at once, nothing but `d >= 0` is known, and it is reached.
//!
//! **And no more.** Let C be the offsets whose lowest k bits are 0, and let A and B be what the two
//! sides' phases span in C, B the larger if they differ. The `far` offsets, those whose bank and
//! place within the word are zero, are a subspace of C that we may choose, and `2^d` is the size of
//! its intersection with what a phase spans. Two subspaces have a common complement: if
//! `A = I + <x_1, x_2, ..>` and `B = I + <y_1, y_2, ..>` with `I` in both, then the `x_i ^ y_i`,
//! together with anything that completes A + B, intersect both only in 0. Vectors that are still
//! missing are further y, each of which costs B a factor of 2; the bound counts these. So the bound
//! is always reached: the `x_i ^ y_i` are the swizzle, and it can be that no conflict remains.
//! Conflicts are then counted on the layout that was found, not derived from the construction.

use super::best::BITS;
use super::side::{LinearSide, PLACE, consistent, with_place};
use crate::analysis::total;
use crate::swizzle::BitBasis;

/// A list of vectors.
#[derive(Clone, Copy)]
struct Vectors {
    all: [usize; 2 * BITS],
    count: usize,
}

impl Vectors {
    const NONE: Self = Vectors { all: [0; 2 * BITS], count: 0 };

    const fn push(&mut self, vector: usize) {
        self.all[self.count] = vector;
        self.count += 1;
    }

    /// The vectors that enlarge the span; they are added to it.
    const fn new_to(&self, span: &mut BitBasis) -> Self {
        let (mut new, mut k) = (Vectors::NONE, 0);
        while k < self.count {
            if span.insert(self.all[k] as u128) {
                new.push(self.all[k]);
            }
            k += 1;
        }
        new
    }

    const fn span(&self) -> BitBasis {
        let (mut span, mut k) = (BitBasis::NONE, 0);
        while k < self.count {
            span.insert(self.all[k] as u128);
            k += 1;
        }
        span
    }
}

/// Two sides at two widths that are possible together.
pub(super) struct PairOfSides<'a> {
    pub(super) wide: &'a LinearSide<'a>,
    pub(super) narrow: &'a LinearSide<'a>,
    /// log2 of the elements of their accesses.
    pub(super) widths: (usize, usize),
    pub(super) writes_are_wide: bool,
    /// Bits of an element's number, of an offset within a word, and of those with the bank's.
    pub(super) bits: usize,
    pub(super) word: usize,
    pub(super) banks: usize,
}

impl PairOfSides<'_> {
    /// Are the equations of both sides consistent?
    pub(super) const fn possible(&self) -> bool {
        let ((k, j), mut bit) = (self.widths, 0);
        while bit < j {
            if self.wide.value(bit) != self.narrow.value(bit) {
                return false;
            }
            bit += 1;
        }
        let (mut wide, mut narrow, mut both) = (BitBasis::NONE, BitBasis::NONE, BitBasis::NONE);
        self.wide.add_places(&mut wide, k, k);
        self.narrow.add_places(&mut narrow, j, j);
        self.wide.add_places(&mut both, k, j);
        self.narrow.add_places(&mut both, j, j);
        consistent(&wide) && consistent(&narrow) && consistent(&both)
    }

    /// The place of every vector within an access of the wide side, such that the narrow side's
    /// phases have as many places as can be; and how many bits of these are its, from bit `word`
    /// on.
    const fn places(&self) -> (BitBasis, usize) {
        let ((k, j), mut places) = (self.widths, BitBasis::NONE);
        self.wide.add_places(&mut places, k, k);
        // The span of the places that a phase of the narrow side has for certain: those of its own
        // values, and ..
        let (mut known, mut bit) = (BitBasis::NONE, 0);
        let own = if j > self.word { j } else { self.word };
        while bit < own {
            known.insert(1 << bit);
            bit += 1;
        }
        // .. those of what the wide side has too.
        let ((phase, _), mut trial) = (self.narrow.phase(&self.narrow.access(j)), places);
        bit = 0;
        while bit < phase {
            let rest = trial.reduced(with_place(self.narrow.bits.vectors[bit], 0));
            if rest >> PLACE == 0 {
                known.insert(rest);
            } else {
                trial.insert(rest);
            }
            bit += 1;
        }
        // What the wide side does not have goes to the places that are missing.
        bit = 0;
        while bit < phase {
            let vector = with_place(self.narrow.bits.vectors[bit], 0);
            if places.reduced(vector) >> PLACE != 0 {
                let mut place = own;
                while place < k && known.reduced(1 << place) == 0 {
                    place += 1;
                }
                let place = if place < k { 1 << place } else { 0 };
                known.insert(place);
                places.insert(vector | place);
            }
            bit += 1;
        }
        // All else, those that the narrow side has first, is at place 0.
        bit = 0;
        while bit <= self.narrow.bits.count + self.bits {
            let vector = if bit < self.narrow.bits.count {
                self.narrow.bits.vectors[bit]
            } else if bit == self.narrow.bits.count {
                self.narrow.bits.origin
            } else {
                1 << (bit - self.narrow.bits.count - 1)
            };
            if places.reduced(with_place(vector, 0)) >> PLACE != 0 {
                places.insert(with_place(vector, 0));
            }
            bit += 1;
        }
        (places, known.count.saturating_sub(self.word))
    }

    /// The lower bound: conflicts of both sides at these widths under any linear layout.
    #[track_caller]
    pub(super) const fn least_conflicts(&self) -> usize {
        let (k, j) = self.widths;
        if k < self.word || self.bits <= self.word + self.banks {
            return 0;
        }
        let (_, reached) = self.places();
        let wide = self.least_of(self.wide, k, k - self.word);
        total(wide, 1, self.least_of(self.narrow, j, reached))
    }

    /// The lower bound of one side, whose phases have `2^reached` places of the wide side's
    /// vectors.
    #[track_caller]
    const fn least_of(&self, side: &LinearSide<'_>, width: usize, reached: usize) -> usize {
        let access = side.access(width);
        let (phase, (mut words, mut bit)) = (side.phase(&access).0, (BitBasis::NONE, 0));
        while bit < self.word {
            words.insert(self.wide.value(bit) as u128);
            bit += 1;
        }
        bit = 0;
        while bit < width + phase {
            words
                .insert(if bit < width { side.value(bit) } else { side.bits.vectors[bit - width] }
                    as u128);
            bit += 1;
        }
        let (words, banks) =
            (words.count - self.word, reached + self.banks - (self.widths.0 - self.word));
        let ways = 1 << words.saturating_sub(banks);
        total(0, side.phases(width), ways - 1)
    }

    /// A vector without its place: in C.
    const fn projected(&self, places: &BitBasis, vector: usize) -> usize {
        let (place, mut projected, mut bit) = (places.reduced(with_place(vector, 0)), vector, 0);
        while bit < self.widths.0 {
            if place >> bit & 1 == 1 {
                projected ^= self.wide.value(bit);
            }
            bit += 1;
        }
        projected
    }

    /// What the phases of both sides span in C, and C itself.
    const fn in_c(&self, places: &BitBasis) -> (Vectors, Vectors, Vectors) {
        let (k, j) = self.widths;
        let (mut a, mut b, mut c) = (Vectors::NONE, Vectors::NONE, Vectors::NONE);
        let ((phase, _), mut bit) = (self.wide.phase(&self.wide.access(k)), 0);
        while bit < phase {
            a.push(self.wide.bits.vectors[bit]);
            bit += 1;
        }
        // Those vectors of the narrow side whose place is 0, but for the places of the word and of
        // its own values.
        let own = if j > self.word { j } else { self.word };
        let ((phase, _), mut placed) = (self.narrow.phase(&self.narrow.access(j)), BitBasis::NONE);
        bit = 0;
        while bit < phase {
            let vector = self.narrow.bits.vectors[bit];
            let place = places.reduced(with_place(vector, 0)) >> own;
            let rest = placed.reduced(place << BITS | vector as u128);
            if rest >> BITS == 0 {
                b.push(self.projected(places, rest as usize));
            } else {
                placed.insert(rest);
            }
            bit += 1;
        }
        bit = 0;
        while bit < self.bits {
            c.push(self.projected(places, 1 << bit));
            bit += 1;
        }
        (a, b, c)
    }

    /// A layout that reaches the lower bound: the offset of each bit of an element's number.
    pub(super) const fn layout(&self) -> [usize; BITS] {
        let (k, ends) = (self.widths.0, self.word + self.banks);
        let (places, _) = self.places();
        let (a, b, c) = self.in_c(&places);
        // Bits of the offset that are neither of the vector nor of the bank.
        let within = if self.word < self.bits { self.word } else { self.bits };
        let wanted = within.saturating_sub(k) + self.bits.saturating_sub(ends);
        let (x, y) = (a.new_to(&mut b.span()), b.new_to(&mut a.span()));
        let mut both = a.span();
        b.new_to(&mut both);
        let mut candidates = c.new_to(&mut both);
        let (pairs, mut i) = (if x.count < y.count { x.count } else { y.count }, 0);
        while i < pairs {
            candidates.push(x.all[i] ^ y.all[i]);
            i += 1;
        }
        while i < y.count {
            candidates.push(y.all[i]);
            i += 1;
        }
        let (mut span, mut far) = (BitBasis::NONE, Vectors::NONE);
        i = 0;
        while far.count < wanted {
            let vector =
                if i < candidates.count { candidates.all[i] } else { c.all[i - candidates.count] };
            if span.insert(vector as u128) {
                far.push(vector);
            }
            i += 1;
        }
        // Of the bank's bits, the writer's threads come first: the writer goes through memory in
        // order.
        let (first, second) = if self.writes_are_wide { (a, b) } else { (b, a) };
        let near = [first.new_to(&mut span), second.new_to(&mut span), c.new_to(&mut span)];
        // Each vector with its offset.
        let (mut offsets, mut bit) = (BitBasis::NONE, 0);
        let (mut list, mut at, mut away) = (0, 0, 0);
        while bit < self.bits {
            let vector = if bit < k {
                self.wide.value(bit)
            } else if bit < self.word || bit >= ends {
                away += 1;
                far.all[away - 1]
            } else {
                while at == near[list].count {
                    (list, at) = (list + 1, 0);
                }
                at += 1;
                near[list].all[at - 1]
            };
            offsets.insert((vector as u128) << BITS | 1 << bit);
            bit += 1;
        }
        let mut basis = [0; BITS];
        bit = 0;
        while bit < self.bits {
            basis[bit] = offsets.reduced(1 << (BITS + bit)) as usize;
            bit += 1;
        }
        basis
    }
}
