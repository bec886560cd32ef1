//! One side, the writes or the reads: what its accesses require of a layout, and their cost under
//! one.

use super::best::BestSharedLayout;
use crate::analysis::access::{WARP, WarpAccess};
use crate::analysis::side::WIDEST;
use crate::analysis::total;
use crate::layout::flat::{CoordinateBits, FlatLayout, Message};
use crate::swizzle::BitBasis;

/// Bits for a place within an access, beside a vector.
pub(super) const PLACE: usize = 7;

/// One side, the writes or the reads, in bits of thread and value.
pub(super) struct LinearSide<'a> {
    pub(super) layout: &'a FlatLayout,
    pub(super) bits: CoordinateBits,
    pub(super) element_bits: usize,
    /// log2 of the most elements of an access.
    pub(super) most: usize,
}

impl<'a> LinearSide<'a> {
    #[track_caller]
    pub(super) const fn new(layout: &'a FlatLayout, element_bits: usize, name: &str) -> Self {
        let bits = match layout.coordinate_bits() {
            Ok(bits) => bits,
            Err(reason) => {
                let message = Message::new()
                    .text("the ")
                    .text(name)
                    .text(" are not linear in the bits of thread and value: ");
                panic!("{}", reason.describe(message).as_str());
            }
        };
        let widest = (WIDEST / element_bits).ilog2() as usize;
        let values = bits.count - bits.lead;
        LinearSide {
            layout,
            bits,
            element_bits,
            most: if values < widest { values } else { widest },
        }
    }

    pub(super) const fn value(&self, bit: usize) -> usize {
        self.bits.vectors[self.bits.lead + bit]
    }

    #[track_caller]
    pub(super) const fn access(&self, width: usize) -> WarpAccess {
        WarpAccess::new(self.layout, self.element_bits, self.element_bits << width)
    }

    /// Accesses of all warps, by `2^width` elements at once.
    #[track_caller]
    pub(super) const fn accesses(&self, width: usize) -> usize {
        total(0, self.layout.threads().div_ceil(WARP), self.layout.values() >> width)
    }

    /// Phases of all accesses by `2^width` elements: the passes without conflicts.
    #[track_caller]
    pub(super) const fn phases(&self, width: usize) -> usize {
        total(0, self.accesses(width), self.phase(&self.access(width)).1)
    }

    /// Bits of the thread that tell the threads of a phase apart, and how many phases an access of
    /// a warp has.
    pub(super) const fn phase(&self, access: &WarpAccess) -> (usize, usize) {
        let bits = if self.bits.lead < WARP.ilog2() as usize {
            self.bits.lead
        } else {
            WARP.ilog2() as usize
        };
        let mut lanes = access.phase.ilog2() as usize;
        // Are two phases one? A missing neighbour sets no condition.
        let (one, two) =
            (bits == 0 || self.bits.vectors[0] == 0, bits < 2 || self.bits.vectors[1] == 0);
        if access.merges() && (one || two) {
            lanes += 1;
        }
        if lanes < bits { (lanes, 1 << (bits - lanes)) } else { (bits, 1) }
    }

    /// Adds what accesses of `2^width` elements say of the lowest `modulo` bits of offsets: each
    /// vector with its place.
    pub(super) const fn add_places(&self, places: &mut BitBasis, width: usize, modulo: usize) {
        let mut bit = 0;
        while bit < self.bits.count {
            let value = bit.wrapping_sub(self.bits.lead);
            let place = if bit >= self.bits.lead && value < width && value < modulo {
                1 << value
            } else {
                0
            };
            places.insert(with_place(self.bits.vectors[bit], place));
            bit += 1;
        }
        places.insert(with_place(self.bits.origin, 0));
    }
}

/// A vector with a place within an access.
pub(super) const fn with_place(vector: usize, place: usize) -> u128 {
    (vector as u128) << PLACE | place as u128
}

/// Does every vector have one place at most?
pub(super) const fn consistent(places: &BitBasis) -> bool {
    let mut k = 0;
    while k < places.count {
        if places.vectors[k] >> PLACE == 0 {
            return false;
        }
        k += 1;
    }
    true
}

impl BestSharedLayout {
    /// log2 of the elements of the widest access of a side under this layout.
    pub(super) const fn width(&self, side: &LinearSide<'_>) -> usize {
        let (mut width, mut bit) = (0, 0);
        while width < side.most && self.sum(side.value(width)) == 1 << width {
            width += 1;
        }
        while bit <= side.bits.count {
            // A value bit has the place of its own, which is 0 beyond the access.
            let vector =
                if bit < side.bits.count { side.bits.vectors[bit] } else { side.bits.origin };
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
    pub(super) const fn count(&self, side: &LinearSide<'_>, width: usize) -> usize {
        let access = side.access(width);
        let (phase, (mut words, mut banks, mut bit)) =
            (side.phase(&access).0, (BitBasis::NONE, BitBasis::NONE, 0));
        while bit < width + phase {
            let vector = if bit < width { side.value(bit) } else { side.bits.vectors[bit - width] };
            let word = (self.sum(vector) * side.element_bits / access.bank_bits) as u128;
            words.insert(word);
            banks.insert(word & (access.banks as u128 - 1));
            bit += 1;
        }
        // The words within an element are in banks of their own.
        total(0, side.phases(width), (1 << (words.count - banks.count)) - 1)
    }
}
