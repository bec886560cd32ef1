//! Swizzle: an XOR of bits that spreads rows over banks.
//!
//! ```text
//! mask  = (2^B - 1) << (M + max(S, 0))
//! S(x)  = x ^ ((x & mask) >> S)          S < 0: shifted left instead
//! ```

use crate::error::{Fault, LayoutError};

/// `Swizzle<B, M, S>` with its parameters known at run time: `B` bits are XORed into the bits that lie `|S|` away, `M` bits are left alone.
///
/// Law: a bijection and its own inverse. CuTe: `Swizzle<B, M, S>`.
///
/// ```
/// # use layout_algebra::prelude::*;
/// let swizzle = DynSwizzle::new(3, 4, 3)?;
/// assert_eq!(swizzle.apply(0b111_0000000), 0b111_1110000);
/// assert_eq!(swizzle.apply(swizzle.apply(1234)), 1234);
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct DynSwizzle {
    bits: u32,
    base: u32,
    shift: i32,
    mask: usize,
}

impl DynSwizzle {
    /// The swizzle of `bits` bits, above the lowest `base`, `shift` apart.
    ///
    /// # Errors
    /// `overlap` if `|shift| < bits`: bits would be changed and read at once; `overflow` if a bit lies beyond `usize`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!(DynSwizzle::new(3, 3, 2).unwrap_err().kind().as_str(), "overlap");
    /// assert_eq!(DynSwizzle::new(3, 60, 3).unwrap_err().kind().as_str(), "overflow");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn new(bits: u32, base: u32, shift: i32) -> Result<Self, LayoutError> {
        let refuse = |fault| Err(LayoutError::new("swizzle", fault));
        if shift.unsigned_abs() < bits {
            return refuse(Fault::SwizzleOverlap { bits, shift });
        }
        let needed = u64::from(bits) + u64::from(base) + u64::from(shift.unsigned_abs());
        if needed > u64::from(usize::BITS) {
            return refuse(Fault::SwizzleWidth { needed, width: usize::BITS });
        }
        // All shifts are below the width: bits <= needed / 2, and base + shift < needed unless bits is 0.
        let low = base + shift.max(0).unsigned_abs();
        let mask = if bits == 0 { 0 } else { ((1usize << bits) - 1) << low };
        Ok(DynSwizzle { bits, base, shift, mask })
    }

    /// The offset that `offset` is moved to.
    ///
    /// Law: `x ^ ((x & mask) >> S)`. CuTe: `Swizzle::operator()`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!(DynSwizzle::new(3, 2, -3)?.apply(3345), 3473);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub const fn apply(&self, offset: usize) -> usize {
        if self.mask == 0 {
            return offset;
        }
        let read = offset & self.mask;
        offset ^ if self.shift < 0 { read << self.shift.unsigned_abs() } else { read >> self.shift.unsigned_abs() }
    }

    /// `(bits, base, shift)`, as given to [`new`](Self::new).
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!(DynSwizzle::new(3, 4, -3)?.parameters(), (3, 4, -3));
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub const fn parameters(&self) -> (u32, u32, i32) {
        (self.bits, self.base, self.shift)
    }
}
