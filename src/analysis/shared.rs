//! The best layout of shared memory for a tile that is written in one way and read in another: computed, with a proof.
//!
//! ```text
//! element e, offset o = L(e)           L(x ^ y) = L(x) ^ L(y), L a bijection of the numbers of n bits
//! best = least (accesses of all threads, bank conflicts)     over all such L
//! ```
//!
//! **What an access asks of L.** A side, the writes or the reads, takes the bits of thread and value linearly to bits
//! of elements. That every thread moves `2^k` values at once says where the lowest k bits of offsets come from:
//!
//! ```text
//! L(value bit i) = 2^i  for i < k,          L(every other bit of thread or value) = 0  modulo 2^k
//! ```
//!
//! The second are linear equations in the k lowest rows of L. So two widths, `2^j` on one side and `2^k >= 2^j` on the
//! other, are possible together if and only if the first j value bits of both are the same elements, and the equations
//! of each side, and those of both modulo `2^j`, contradict one another nowhere. All pairs of widths are asked, and
//! that is what is proved of accesses.
//!
//! **What a phase costs.** Let an element's offset have w bits within a word, then b bits of the bank:
//! `w + b = 10 - log2(bits of an element)`, for 1024 bits are in all banks together. The words of a phase are `Q / K`,
//! where Q is spanned by the bits of its threads and of the values of an access, and K is what lies in one word; every
//! bank that has any of them has equally many:
//!
//! ```text
//! passes = 2^d,    d = dim(Q / K) - rank(bank bits on Q)
//! ```
//!
//! **No less.** Let the wider side move `2^k` values, a word or more: then the lowest `k - w` bits of the bank are
//! those of its values, and the equations above say what they are on the narrower side's Q, but for what the wider
//! side never touches. Let r be the greatest rank that they can have there. The other `b - (k - w)` bits have rank 1
//! each at most, so
//!
//! ```text
//! d >= dim(Q / K) - r - (b - (k - w))         and d >= 0
//! ```
//!
//! If neither side moves a word at once, nothing but `d >= 0` is known, and it is reached.
//!
//! **And no more.** Let C be the offsets whose lowest k bits are 0, A and B what the two sides' phases span there, of
//! which B may be the larger. The `far` offsets, those whose bank and place within the word are zero, are a subspace
//! of C of our choice, and `2^d` is the size of what a phase has in common with it. Two subspaces have a common
//! complement: if `A = I + <x_1, x_2, ..>` and `B = I + <y_1, y_2, ..>` with `I` in both, then the `x_i ^ y_i`, with
//! anything that completes A + B, meet neither; what is still missing are further y, each of which costs B a factor of
//! 2, and the bound counts these. So the bound is reached, always: the `x_i ^ y_i` are the swizzle, and it can be that
//! not even one conflict remains. Conflicts are then counted on the layout that was found, not read off the
//! construction.

use core::fmt::{self, Display, Formatter};

use super::access::{WARP, WarpAccess};
use super::side::WIDEST;
use super::total;
use crate::layout::flat::{CoordinateBits, FlatLayout, Message, Modes};
use crate::layout::traits::StaticLayout;
use crate::pad::pad;
use crate::swizzle::{BitBasis, DynSwizzle};

/// The most bits of an element's number: tiles of up to 524,288 elements, more than a shared memory has room for.
const BITS: usize = 19;
/// Bits for a place within an access, beside a vector.
const PLACE: usize = 7;

/// A layout of shared memory that is linear in the bits of an element's number, what accesses are like under it, and
/// what they are like at least under any such layout.
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
    basis: [usize; BITS],
    bits: usize,
    /// Bits that a thread writes at once.
    pub write_bits: usize,
    /// Bits that a thread reads at once.
    pub read_bits: usize,
    /// Accesses of all warps, writes and reads.
    pub accesses: usize,
    /// Bank conflicts of all writes.
    pub write_conflicts: usize,
    /// Bank conflicts of all reads.
    pub read_conflicts: usize,
    /// The fewest accesses under any linear layout of the size.
    pub least_accesses: usize,
    /// With so few accesses, the fewest bank conflicts under any linear layout of the size.
    pub least_conflicts: usize,
}

impl BestSharedLayout {
    /// Where each bit of an element's number goes: all that the layout is.
    ///
    /// `L(e) = XOR of basis()[b] over the bits b of e`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let (writes, reads) = (FlatLayout::of(&layout!((8, 4):(1, 8))), FlatLayout::of(&layout!((8, 4):(4, 1))));
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
        assert!(element < self.size(), "the tile has no such element");
        self.sum(element)
    }

    const fn sum(&self, element: usize) -> usize {
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

    /// Has no linear layout of the size fewer accesses, nor as few with fewer conflicts? The counts of this layout
    /// reach the lower bounds, which are computed from the two thread-value layouts alone. True of every result.
    ///
    /// `accesses == least_accesses and conflicts() == least_conflicts`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// // Four floats of a row at once, and one float of 32 rows, all of them in every fourth bank.
    /// let (writes, reads) = (layout!(((2, 64), 4):((256, 1), 64)), layout!((512, 1):(1, 0)));
    /// let best = FlatLayout::of(&writes).best_shared_layout(&FlatLayout::of(&reads), 32);
    /// assert_eq!((best.write_bits, best.read_bits), (128, 32));
    /// assert_eq!((best.conflicts(), best.least_conflicts, best.is_optimal()), (48, 48, true));
    /// ```
    #[track_caller]
    pub const fn is_optimal(&self) -> bool {
        self.accesses == self.least_accesses && self.conflicts() == self.least_conflicts
    }

    /// The layout as a swizzle over a plain one, where it is that.
    ///
    /// `L(e) = swizzle.apply(plain.at(e))`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// // 8 rows of 64 halves, as tensor cores take them.
    /// let (writes, reads) = (layout!(((8, 8), 8):((64, 1), 8)), layout!(((8, 8), 8):((1, 64), 8)));
    /// let best = FlatLayout::of(&writes).best_shared_layout(&FlatLayout::of(&reads), 16);
    /// let (swizzle, plain) = best.swizzled().expect("a swizzle");
    /// assert_eq!((swizzle.to_string(), plain.to_string()), ("Sw<3,3,3>".to_string(), "(8,64):(64,1)".to_string()));
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

/// The layout, coalesced. A coordinate times a stride `^d` is a product of polynomials over F2, and sums are XOR.
///
/// ```
/// use layout_algebra::prelude::*;
/// let (writes, reads) = (layout!((1024, 1):(1, 0)), layout!(((32, 32), 1):((32, 1), 0)));
/// let (writes, reads) = (FlatLayout::of(&writes), FlatLayout::of(&reads));
/// assert_eq!(reads.best_shared_layout(&writes, 32).to_string(), "(32,32):(^33,^1)");
/// ```
impl Display for BestSharedLayout {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // Does the stride of this bit go on with that of the one before?
        let goes_on = |bit: usize| self.basis[bit] == self.basis[bit - 1] << 1;
        let starts = || (0..self.bits).filter(move |&bit| bit == 0 || !goes_on(bit));
        let extent = |start: usize| {
            let end = (start + 1..self.bits).find(|&bit| !goes_on(bit)).unwrap_or(self.bits);
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

/// One side, the writes or the reads, in bits of thread and value.
struct LinearSide<'a> {
    layout: &'a FlatLayout,
    bits: CoordinateBits,
    element_bits: usize,
    /// log2 of the most elements of an access.
    most: usize,
}

impl<'a> LinearSide<'a> {
    #[track_caller]
    const fn new(layout: &'a FlatLayout, element_bits: usize, name: &str) -> Self {
        let bits = match layout.coordinate_bits() {
            Ok(bits) => bits,
            Err(reason) => {
                let message =
                    Message::new().text("the ").text(name).text(" are not linear in the bits of thread and value: ");
                panic!("{}", reason.told(message).as_str());
            }
        };
        let widest = (WIDEST / element_bits).ilog2() as usize;
        let values = bits.count - bits.lead;
        LinearSide { layout, bits, element_bits, most: if values < widest { values } else { widest } }
    }

    const fn value(&self, bit: usize) -> usize {
        self.bits.vectors[self.bits.lead + bit]
    }

    #[track_caller]
    const fn access(&self, width: usize) -> WarpAccess {
        WarpAccess::new(self.layout, self.element_bits, self.element_bits << width)
    }

    /// Accesses of all warps, by `2^width` elements at once.
    #[track_caller]
    const fn accesses(&self, width: usize) -> usize {
        total(0, self.layout.threads().div_ceil(WARP), self.layout.values() >> width)
    }

    /// Bits of the thread that tell the threads of a phase apart, and how many phases an access of a warp has.
    const fn phase(&self, access: &WarpAccess) -> (usize, usize) {
        let bits = if self.bits.lead < WARP.ilog2() as usize { self.bits.lead } else { WARP.ilog2() as usize };
        let mut lanes = access.phase.ilog2() as usize;
        // Do two phases go as one? A missing neighbour asks nothing.
        let (one, two) = (bits == 0 || self.bits.vectors[0] == 0, bits < 2 || self.bits.vectors[1] == 0);
        if access.merges() && (one || two) {
            lanes += 1;
        }
        if lanes < bits { (lanes, 1 << (bits - lanes)) } else { (bits, 1) }
    }

    /// Adds what accesses of `2^width` elements say of the lowest `modulo` bits of offsets: each vector with its place.
    const fn add_places(&self, places: &mut BitBasis, width: usize, modulo: usize) {
        let mut bit = 0;
        while bit < self.bits.count {
            let value = bit.wrapping_sub(self.bits.lead);
            let place = if bit >= self.bits.lead && value < width && value < modulo { 1 << value } else { 0 };
            places.insert(with_place(self.bits.vectors[bit], place));
            bit += 1;
        }
        places.insert(with_place(self.bits.origin, 0));
    }
}

const fn with_place(vector: usize, place: usize) -> u128 {
    (vector as u128) << PLACE | place as u128
}

/// Is no vector said to have two places?
const fn consistent(places: &BitBasis) -> bool {
    let mut k = 0;
    while k < places.count {
        if places.vectors[k] >> PLACE == 0 {
            return false;
        }
        k += 1;
    }
    true
}

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

    /// Those that enlarge the span, which they are added to.
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
struct Pair<'a> {
    wide: &'a LinearSide<'a>,
    narrow: &'a LinearSide<'a>,
    /// log2 of the elements of their accesses.
    widths: (usize, usize),
    writes_are_wide: bool,
    /// Bits of an element's number, of an offset within a word, and of those with the bank's.
    bits: usize,
    word: usize,
    banks: usize,
}

impl Pair<'_> {
    /// Do the equations of both sides contradict one another nowhere?
    const fn possible(&self) -> bool {
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

    /// The place of every vector within an access of the wide side, such that the narrow side's phases have as many
    /// places as can be; and how many bits of these are its, from bit `word` on.
    const fn places(&self) -> (BitBasis, usize) {
        let ((k, j), mut places) = (self.widths, BitBasis::NONE);
        self.wide.add_places(&mut places, k, k);
        // The span of the places that a phase of the narrow side has for certain: those of its own values, and ..
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
    const fn least_conflicts(&self) -> usize {
        let (k, j) = self.widths;
        if k < self.word || self.bits <= self.word + self.banks {
            return 0;
        }
        let (_, reached) = self.places();
        let wide = self.least_of(self.wide, k, k - self.word);
        total(wide, 1, self.least_of(self.narrow, j, reached))
    }

    /// The lower bound of one side, whose phases have `2^reached` places of the wide side's vectors.
    #[track_caller]
    const fn least_of(&self, side: &LinearSide<'_>, width: usize, reached: usize) -> usize {
        let access = side.access(width);
        let ((phase, phases), (mut words, mut bit)) = (side.phase(&access), (BitBasis::NONE, 0));
        while bit < self.word {
            words.insert(self.wide.value(bit) as u128);
            bit += 1;
        }
        bit = 0;
        while bit < width + phase {
            words.insert(if bit < width { side.value(bit) } else { side.bits.vectors[bit - width] } as u128);
            bit += 1;
        }
        let (words, banks) = (words.count - self.word, reached + self.banks - (self.widths.0 - self.word));
        let ways = 1 << words.saturating_sub(banks);
        total(0, total(0, side.accesses(width), phases), ways - 1)
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
        // Those vectors of the narrow side whose place is 0, but for the places of the word and of its own values.
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
    const fn layout(&self) -> [usize; BITS] {
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
            let vector = if i < candidates.count { candidates.all[i] } else { c.all[i - candidates.count] };
            if span.insert(vector as u128) {
                far.push(vector);
            }
            i += 1;
        }
        // Of the bank's bits, the writer's threads come first: it goes through memory in a row.
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

impl BestSharedLayout {
    /// log2 of the elements of the widest access of a side under this layout.
    const fn width(&self, side: &LinearSide<'_>) -> usize {
        let (mut width, mut bit) = (0, 0);
        while width < side.most && self.sum(side.value(width)) == 1 << width {
            width += 1;
        }
        while bit <= side.bits.count {
            // A value bit has the place of its own, which is 0 beyond the access.
            let vector = if bit < side.bits.count { side.bits.vectors[bit] } else { side.bits.origin };
            let own = bit >= side.bits.lead && bit < side.bits.lead + width;
            let place = self.sum(vector);
            if !own && place != 0 && (place.trailing_zeros() as usize) < width {
                // Narrower: bits between become others.
                width = place.trailing_zeros() as usize;
                bit = 0;
            } else {
                bit += 1;
            }
        }
        width
    }

    /// The conflicts of a side, counted: the words of a phase, and their banks.
    #[track_caller]
    const fn count(&self, side: &LinearSide<'_>, width: usize) -> usize {
        let access = side.access(width);
        let ((phase, phases), (mut words, mut banks, mut bit)) =
            (side.phase(&access), (BitBasis::NONE, BitBasis::NONE, 0));
        while bit < width + phase {
            let vector = if bit < width { side.value(bit) } else { side.bits.vectors[bit - width] };
            let word = (self.sum(vector) * side.element_bits / access.bank_bits) as u128;
            words.insert(word);
            banks.insert(word & (access.banks as u128 - 1));
            bit += 1;
        }
        // The words within an element are in banks of their own.
        total(0, total(0, side.accesses(width), phases), (1 << (words.count - banks.count)) - 1)
    }
}

impl FlatLayout {
    /// See [`best_shared_layout`]. The layout itself is the writes'.
    ///
    /// # Panics
    /// If an element is not of 2^k bits, 4 to 128; if an extent of either layout is no power of two, or the sums of
    /// its strides carry; if the tile has more than 524,288 elements.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// // Halves: 128 bits of a row are written at once, and pairs read, as an accumulator of tensor cores has them.
    /// let writes: DynLayout = "((8,32),8):((256,1),32)".parse()?;
    /// let reads: DynLayout = "(((4,8),8),(2,4)):(((64,1),256),(32,8))".parse()?;
    /// let best = FlatLayout::of(&writes).best_shared_layout(&FlatLayout::of(&reads), 16);
    /// assert_eq!((best.write_bits, best.read_bits, best.conflicts()), (128, 32, 0));
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[track_caller]
    pub const fn best_shared_layout(&self, reads: &FlatLayout, element_bits: usize) -> BestSharedLayout {
        assert!(
            element_bits.is_power_of_two() && element_bits >= 4 && element_bits <= WIDEST,
            "an element is of 2^k bits, 4 to 128"
        );
        let write = LinearSide::new(self, element_bits, "writes");
        let read = LinearSide::new(reads, element_bits, "reads");
        let (by_writes, by_reads) = (write.bits.reach(), read.bits.reach());
        let bits = if by_writes > by_reads { by_writes } else { by_reads } as usize;
        if bits > BITS {
            let message = Message::new().text("a tile of 2^").number(bits).text(" elements, and 2^").number(BITS);
            panic!("{}", message.text(" are the most").as_str());
        }
        // All banks have 32 * 32 bits.
        let element = element_bits.ilog2() as usize;
        let word = 5usize.saturating_sub(element);
        let banks = 10 - element - word;
        // All pairs of widths of whole bytes.
        let mut found: Option<(Pair<'_>, usize, usize)> = None;
        let narrowest = 3usize.saturating_sub(element);
        let mut j = narrowest;
        while j <= write.most {
            let mut k = narrowest;
            while k <= read.most {
                let accesses = total(write.accesses(j), 1, read.accesses(k));
                let (wide, narrow, widths) = if j >= k { (&write, &read, (j, k)) } else { (&read, &write, (k, j)) };
                let pair = Pair { wide, narrow, widths, writes_are_wide: j >= k, bits, word, banks };
                let hopeful = match &found {
                    None => true,
                    Some((_, fewest, _)) => accesses <= *fewest,
                };
                if hopeful && pair.possible() {
                    let conflicts = pair.least_conflicts();
                    let better = match &found {
                        None => true,
                        Some((_, fewest, least)) => accesses < *fewest || conflicts < *least,
                    };
                    if better {
                        found = Some((pair, accesses, conflicts));
                    }
                }
                k += 1;
            }
            j += 1;
        }
        let Some((pair, least_accesses, least_conflicts)) = found else { panic!("no access of whole bytes") };
        let mut best = BestSharedLayout {
            basis: pair.layout(),
            bits,
            write_bits: 0,
            read_bits: 0,
            accesses: 0,
            write_conflicts: 0,
            read_conflicts: 0,
            least_accesses,
            least_conflicts,
        };
        let (by_write, by_read) = (best.width(&write), best.width(&read));
        (best.write_bits, best.read_bits) = (element_bits << by_write, element_bits << by_read);
        best.accesses = total(write.accesses(by_write), 1, read.accesses(by_read));
        best.write_conflicts = best.count(&write, by_write);
        best.read_conflicts = best.count(&read, by_read);
        best
    }
}

/// The linear layout of shared memory with which the writes by one thread-value layout and the reads by another take
/// the fewest accesses of up to 128 bits, so go by the widest vectors, and among those have the fewest bank conflicts;
/// with a proof that no linear layout of the size does better. Both take (thread, value) to the number of an element.
///
/// Computed by elimination over bits, in a time that is that of the bits and not of the tile: 128 x 128 elements take
/// 0.1 s of const evaluation. [`best_swizzle`](super::best_swizzle) searches, for a tile whose plain
/// layout is given; it never does better. Triton: `optimalSwizzling`.
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
/// // the writes are not linear in the bits of thread and value: an extent is 24, which is no power of two
/// const BEST: BestSharedLayout = best_shared_layout::<Layout!((24, 4)), Layout!((32, 4))>(32);
/// ```
#[track_caller]
pub const fn best_shared_layout<Writes: StaticLayout, Reads: StaticLayout>(element_bits: usize) -> BestSharedLayout {
    Writes::FLAT.best_shared_layout(&Reads::FLAT, element_bits)
}
