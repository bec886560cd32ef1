//! What a swizzle does to many offsets, computed from few: a swizzle is linear in bits, so a basis
//! decides.
//!
//! ```text
//! Sw(x ^ y) = Sw(x) ^ Sw(y)          span(basis) = span(vectors)
//! ```

/// A basis of the span of vectors of bits. No two have the same highest bit.
#[derive(Clone, Copy)]
pub(crate) struct BitBasis {
    pub(crate) vectors: [u128; BITS],
    pub(crate) count: usize,
    /// By highest bit: which vector has it, counted from 1; 0 for none.
    highest: [usize; BITS],
}
/// Those of an offset, and as many more as a place within an access takes, or as the words of a
/// bank have to an element.
const BITS: usize = usize::BITS as usize + 7;

impl BitBasis {
    pub(crate) const NONE: Self = BitBasis { vectors: [0; BITS], count: 0, highest: [0; BITS] };

    /// Adds a vector to the span; `true` if the span did not have it.
    pub(crate) const fn insert(&mut self, vector: u128) -> bool {
        let vector = self.reduced(vector);
        if vector == 0 {
            return false;
        }
        self.vectors[self.count] = vector;
        self.count += 1;
        self.highest[vector.ilog2() as usize] = self.count;
        true
    }

    /// `vector ^ x` for an `x` in the span such that its highest bit is that of no vector of the
    /// basis: 0 where the vector is in the span.
    pub(crate) const fn reduced(&self, mut vector: u128) -> u128 {
        while vector != 0 {
            let highest = vector.ilog2() as usize;
            if self.highest[highest] == 0 {
                return vector;
            }
            vector ^= self.vectors[self.highest[highest] - 1];
        }
        0
    }

    /// The largest `vector ^ x` for `x` in the span: a bit that can be 1 outweighs all below it.
    pub(crate) const fn largest(&self, mut vector: u128) -> u128 {
        let mut bit = BITS;
        while bit > 0 {
            bit -= 1;
            if self.highest[bit] != 0 && vector >> bit & 1 == 0 {
                vector ^= self.vectors[self.highest[bit] - 1];
            }
        }
        vector
    }
}

#[cfg(test)]
mod tests {
    use super::BitBasis;

    #[test]
    fn a_basis_spans_what_was_inserted() {
        let mut basis = BitBasis::NONE;
        let new = [0b110, 0b011, 0b101, 0b1000, 0].map(|vector| basis.insert(vector));
        assert_eq!((new, basis.count), ([true, true, false, true, false], 3));
        assert!((0..16).all(|vector: u32| (basis.reduced(vector.into()) == 0)
            == ((vector & 7).count_ones() % 2 == 0)));
        let span = [0, 0b110, 0b011, 0b101].into_iter().flat_map(|x| [x, x ^ 0b1000]);
        for vector in 0..64 {
            assert_eq!(basis.largest(vector), span.clone().map(|x| x ^ vector).max().unwrap());
        }
    }
}
