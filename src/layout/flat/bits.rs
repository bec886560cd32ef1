//! A layout as a linear function of the bits of its coordinate, if it is one.
//!
//! ```text
//! L(i) = L(0) ^ XOR of L(2^b) ^ L(0) over the bits b of i
//!         if extents are powers of two, and no sum carries
//! ```

use super::{FlatLayout, MAPS, Map, Message, Modes, multiple_added};

/// The most bits of a coordinate.
const COORDINATE_BITS: usize = usize::BITS as usize;

/// Where the coordinate 0 goes, and what each bit of a coordinate adds to that, without carries.
#[derive(Clone, Copy)]
pub(crate) struct CoordinateBits {
    pub(crate) origin: usize,
    pub(crate) vectors: [usize; COORDINATE_BITS],
    pub(crate) count: usize,
    /// The bits of the first mode: those of the thread.
    pub(crate) lead: usize,
}

impl CoordinateBits {
    /// The exponent of the least power of two above all offsets.
    pub(crate) const fn reach(&self) -> u32 {
        let (mut all, mut k) = (self.origin, 0);
        while k < self.count {
            all |= self.vectors[k];
            k += 1;
        }
        usize::BITS - all.leading_zeros()
    }

    /// One more bit, whose number has no bit in common with those before.
    const fn push(&mut self, number: usize) -> Result<(), NotLinear> {
        if self.origin & number != 0 {
            return Err(NotLinear::Carries(self.origin, number));
        }
        let mut k = 0;
        while k < self.count {
            if self.vectors[k] & number != 0 {
                return Err(NotLinear::Carries(self.vectors[k], number));
            }
            k += 1;
        }
        self.vectors[self.count] = number;
        self.count += 1;
        Ok(())
    }

    /// Composes with a layout that is read as a function.
    const fn under(&mut self, modes: &Modes) -> Result<(), NotLinear> {
        let (mut used, mut k) = (self.origin, 0);
        while k < self.count {
            used |= self.vectors[k];
            k += 1;
        }
        k = 0;
        while k + 1 < modes.count {
            if !modes.extents[k].is_power_of_two() {
                return Err(NotLinear::NoPower(modes.extents[k]));
            }
            k += 1;
        }
        // The images of the bits that occur.
        let mut images =
            CoordinateBits { origin: 0, vectors: [0; COORDINATE_BITS], count: 0, lead: 0 };
        let mut bit = 0;
        while bit < COORDINATE_BITS {
            let image = if used >> bit & 1 == 0 || modes.count == 0 {
                0
            } else {
                modes.offset(0, modes.count, 1 << bit)
            };
            if let Err(reason) = images.push(image) {
                return Err(reason);
            }
            bit += 1;
        }
        self.origin = images.sum(self.origin);
        k = 0;
        while k < self.count {
            self.vectors[k] = images.sum(self.vectors[k]);
            k += 1;
        }
        Ok(())
    }

    /// Where a coordinate goes.
    pub(crate) const fn sum(&self, coordinate: usize) -> usize {
        let (mut sum, mut k) = (self.origin, 0);
        while k < self.count {
            if coordinate >> k & 1 == 1 {
                sum ^= self.vectors[k];
            }
            k += 1;
        }
        sum
    }
}

/// Why a layout is not linear in bits.
#[derive(Clone, Copy)]
pub(crate) enum NotLinear {
    /// Two numbers that are added have a bit in common.
    Carries(usize, usize),
    /// An extent.
    NoPower(usize),
    /// The bits of a coordinate are more than those of `usize`.
    TooMany,
}

impl NotLinear {
    /// The text with the reason behind it.
    pub(crate) const fn describe(&self, message: Message) -> Message {
        match self {
            NotLinear::Carries(a, b) => message
                .number(*a)
                .text(" and ")
                .number(*b)
                .text(" are added to one another, and the sum carries"),
            NotLinear::NoPower(extent) => {
                message.text("an extent is ").number(*extent).text(", which is no power of two")
            }
            NotLinear::TooMany => message.text("it has more coordinates than usize has numbers"),
        }
    }
}

impl FlatLayout {
    /// The layout as a linear function of the bits of its coordinate, or why it is none.
    #[track_caller]
    pub(crate) const fn coordinate_bits(&self) -> Result<CoordinateBits, NotLinear> {
        let mut bits = CoordinateBits {
            origin: self.offset,
            vectors: [0; COORDINATE_BITS],
            count: 0,
            lead: 0,
        };
        let (modes, mut k) = (&self.modes, 0);
        while k < modes.count {
            let (extent, mut step) = (modes.extents[k], 1);
            if !extent.is_power_of_two() {
                return Err(NotLinear::NoPower(extent));
            }
            while step < extent {
                if bits.count == COORDINATE_BITS {
                    return Err(NotLinear::TooMany);
                }
                if let Err(reason) = bits.push(multiple_added(0, step, modes.strides[k])) {
                    return Err(reason);
                }
                step *= 2;
            }
            k += 1;
            if k == self.lead {
                bits.lead = bits.count;
            }
        }
        k = 0;
        while k < MAPS {
            match &self.maps[k] {
                Some(Map::Swizzle(swizzle)) => {
                    bits.origin = swizzle.apply(bits.origin);
                    let mut bit = 0;
                    while bit < bits.count {
                        bits.vectors[bit] = swizzle.apply(bits.vectors[bit]);
                        bit += 1;
                    }
                }
                Some(Map::Layout(modes)) => {
                    if let Err(reason) = bits.under(modes) {
                        return Err(reason);
                    }
                }
                None => break,
            }
            k += 1;
        }
        Ok(bits)
    }
}
