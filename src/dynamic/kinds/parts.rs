//! The XOR bits of compositions by mode, and whether all modes go together.

use super::modes::{KindMode, xor_bits};
use crate::error::Fault;

/// Bits of compositions mode by mode. Each is one of a mode alone, and the modes add up, but for
/// what is XORed:
///
/// ```text
/// A(B0(c0), B1(c1)) = R(c0, c1)
///         if and only if x0 & x1 = r0 & r1 for the XOR parts, x of A and r of R
/// ```
///
/// at all coordinates, since `x ^ y = x + y - 2 (x & y)`. A bit shared by
/// two modes is harmless unless one of them has it where `x` and `r` differ.
#[derive(Clone, Copy, Default)]
pub(crate) struct PartsOfModes {
    /// The bits of the XOR parts of the left layout.
    left: u128,
    /// The bits of the XOR parts of the result.
    result: u128,
    /// The bits that only one of both has at some coordinate.
    changed: u128,
    /// The bits at which two modes together differ from each of them alone.
    shared: u128,
}

impl PartsOfModes {
    /// The parts of a layout as it is.
    pub(crate) fn kept(modes: &[KindMode]) -> Self {
        let bits = xor_bits(modes);
        PartsOfModes { left: bits, result: bits, ..Self::default() }
    }

    /// Records the XOR bits common to both, and the bits that only the result encodes as XOR.
    pub(super) fn add(&mut self, both: u128, encoded: u128) {
        self.left |= both;
        self.result |= both | encoded;
        self.changed |= encoded;
    }

    /// Adds the parts of another mode.
    pub(crate) fn join(&mut self, other: Self) {
        let both = self.left & other.left | self.result & other.result;
        self.shared |= other.shared | both & (self.changed | other.changed);
        self.left |= other.left;
        self.result |= other.result;
        self.changed |= other.changed;
    }

    /// Whether the modes together compose as each of them does alone.
    pub(crate) fn check(&self) -> Result<(), Fault> {
        if self.shared != 0 {
            Err(Fault::PartsOverlap { bit: self.shared.trailing_zeros() })
        } else {
            Ok(())
        }
    }
}
