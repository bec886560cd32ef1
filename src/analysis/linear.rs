//! What a swizzle does to many offsets, told from few: a swizzle is linear in bits, so that what holds of a basis holds of all.
//!
//! ```text
//! Sw(x ^ y) = Sw(x) ^ Sw(y)          span(basis) = span(vectors)
//! ```

/// A basis of the span of vectors of bits: `basis[b]` has its highest bit at `b`, or is 0.
#[derive(Clone, Copy)]
pub(super) struct Basis(pub(super) [usize; BITS]);
const BITS: usize = usize::BITS as usize;

impl Basis {
    pub(super) const NONE: Self = Basis([0; BITS]);

    /// The span with one vector more.
    pub(super) const fn insert(&mut self, mut vector: usize) {
        while vector != 0 {
            let highest = vector.ilog2() as usize;
            if self.0[highest] == 0 {
                self.0[highest] = vector;
                return;
            }
            vector ^= self.0[highest];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Basis;

    #[test]
    fn a_basis_spans_what_was_inserted() {
        let mut basis = Basis::NONE;
        [0b110, 0b011, 0b101, 0b1000, 0].map(|vector| basis.insert(vector));
        assert_eq!(basis.0.iter().filter(|&&vector| vector != 0).count(), 3);
    }
}
