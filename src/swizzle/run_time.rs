//! A swizzle whose parameters are known at run time.
//!
//! ```text
//! mask  = (2^B - 1) << (M + max(S, 0))
//! Sw(x) = x ^ ((x & mask) >> S)          S < 0: shifted left instead
//! ```
//!
//! A swizzle is linear in the bits of an offset, `Sw(x ^ y) = Sw(x) ^ Sw(y)`, so its images of
//! single bits determine it. From these images a composition of swizzles is known to be a swizzle,
//! or not.

use core::fmt;

use crate::error::{Fault, LayoutError};
use crate::pad::pad;

/// `Swizzle<B, M, S>` with its parameters known at run time: `B` bits are XORed into the bits that
/// lie `|S|` away, `M` bits are left alone.
///
/// Law: a bijection and its own inverse. CuTe: `Swizzle<B, M, S>`.
///
/// ```
/// # use layout_algebra::prelude::*;
/// let swizzle = DynSwizzle::new(3, 4, 3)?;
/// assert_eq!(swizzle.apply(0b111_0000000), 0b111_1110000);
/// assert_eq!(swizzle.apply(swizzle.apply(1234)), 1234);
/// assert_eq!(swizzle.to_string(), "Sw<3,4,3>");
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
    /// The swizzle that moves nothing: `Sw<0,0,0>`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!(DynSwizzle::IDENTITY.apply(7), 7);
    /// ```
    pub const IDENTITY: Self = DynSwizzle { bits: 0, base: 0, shift: 0, mask: 0 };

    /// The swizzle of `bits` bits, above the lowest `base`, `shift` apart.
    ///
    /// # Errors
    /// `overlap` if `|shift| < bits`: bits would be changed and read at once; `overflow` if a bit
    /// lies beyond `usize`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!(DynSwizzle::new(3, 3, 2).unwrap_err().kind().as_str(), "overlap");
    /// assert_eq!(DynSwizzle::new(3, 60, 3).unwrap_err().kind().as_str(), "overflow");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub const fn new(bits: u32, base: u32, shift: i32) -> Result<Self, LayoutError> {
        let distance = shift.unsigned_abs();
        if distance < bits {
            return Err(LayoutError::new("swizzle", Fault::SwizzleOverlap { bits, shift }));
        }
        let needed = bits as u64 + base as u64 + distance as u64;
        if needed > usize::BITS as u64 {
            return Err(LayoutError::new(
                "swizzle",
                Fault::SwizzleWidth { needed, width: usize::BITS },
            ));
        }
        Ok(DynSwizzle::known(bits, base, shift))
    }

    /// `2^M`: the bits below it are left alone and not read.
    #[inline(always)]
    pub(crate) const fn unit(&self) -> usize {
        1 << if self.bits == 0 { usize::BITS - 1 } else { self.base }
    }

    /// The bits from the lowest to the highest one that is read or changed; those above it pass
    /// through, and `Sw(x + y) = Sw(x) + y` for a `y` that has no others.
    #[inline(always)]
    pub(crate) const fn reached(&self) -> usize {
        let top = self.base + self.shift.unsigned_abs() + self.bits;
        if self.bits == 0 {
            0
        } else if top < usize::BITS {
            (1 << top) - 1
        } else {
            usize::MAX
        }
    }

    /// The swizzle of parameters that are known to be good.
    pub(crate) const fn known(bits: u32, base: u32, shift: i32) -> Self {
        // All shifts are below the width: bits <= needed / 2, and base + shift < needed unless bits
        // is 0.
        let low = if shift > 0 { base + shift.unsigned_abs() } else { base };
        let mask = if bits == 0 { 0 } else { ((1usize << bits) - 1) << low };
        DynSwizzle { bits, base, shift, mask }
    }

    /// The offset to which the swizzle moves `offset`.
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
        offset
            ^ if self.shift < 0 {
                read << self.shift.unsigned_abs()
            } else {
                read >> self.shift.unsigned_abs()
            }
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

    /// One past the highest bit that the swizzle reads or changes; 0 for one that moves nothing.
    pub(crate) const fn top(&self) -> u32 {
        if self.bits == 0 { 0 } else { self.base + self.bits + self.shift.unsigned_abs() }
    }

    #[cfg(feature = "alloc")]
    /// How many of the lowest bits the swizzle neither reads nor changes: all for one that moves
    /// nothing.
    pub(crate) const fn bottom(&self) -> u32 {
        if self.bits == 0 { usize::BITS } else { self.base }
    }

    /// One past the highest bit that the swizzle changes.
    pub(crate) const fn changed(&self) -> u32 {
        if self.shift > 0 { self.base + self.bits } else { self.top() }
    }

    /// `None` if the swizzle maps `[0, size)` onto itself: no offset below `size` has a bit that it
    /// reads, or `size` is a multiple of the block within which it moves offsets. Else that block.
    pub(crate) const fn block_beyond(&self, size: usize) -> Option<usize> {
        let read = 1usize << (self.mask.trailing_zeros() % usize::BITS);
        if self.mask == 0 || size <= read {
            return None;
        }
        let block = 1usize << (self.changed() % usize::BITS);
        if self.changed() < usize::BITS && size % block == 0 { None } else { Some(block) }
    }

    /// The swizzle that does what `other` and then this one does, if there is one.
    ///
    /// Law: `R(x) = self(other(x))`. CuTe: `composition`, which XORs the masks and is wrong where
    /// one swizzle reads what the other changes.
    ///
    /// # Errors
    /// `overlap` if no swizzle does that: bits of different distances, with a hole between them, or
    /// read after they were changed.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let (a, b) = (DynSwizzle::new(1, 0, 3)?, DynSwizzle::new(2, 1, 3)?);
    /// assert_eq!(a.compose(&b)?.to_string(), "Sw<3,0,3>");
    /// assert_eq!(a.compose(&a)?, DynSwizzle::IDENTITY);
    /// assert!(a.compose(&DynSwizzle::new(1, 0, 4)?).is_err());
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub const fn compose(&self, other: &DynSwizzle) -> Result<DynSwizzle, LayoutError> {
        let (mut read, mut shift, mut bit) = (0usize, 0i32, 0u32);
        while bit < usize::BITS {
            let changed = self.apply(other.apply(1 << bit)) ^ (1 << bit);
            if changed != 0 {
                let distance = bit as i32 - changed.trailing_zeros() as i32;
                if !changed.is_power_of_two() || (read != 0 && distance != shift) {
                    return Err(LayoutError::new("compose", Fault::NoSwizzle));
                }
                (read, shift) = (read | 1 << bit, distance);
            }
            bit += 1;
        }
        if read == 0 {
            return Ok(DynSwizzle::IDENTITY);
        }
        let (bits, low) = (read.count_ones(), read.trailing_zeros());
        let contiguous = bits + low + read.leading_zeros() == usize::BITS;
        if !contiguous || shift.unsigned_abs() < bits {
            return Err(LayoutError::new("compose", Fault::NoSwizzle));
        }
        Ok(DynSwizzle::known(bits, if shift > 0 { low - shift.unsigned_abs() } else { low }, shift))
    }

    /// The swizzle of the same memory in units of `unit` elements.
    ///
    /// Law: `R(x / unit) = Sw(x) / unit`, and elements keep their place within a unit. CuTe:
    /// `upcast`.
    ///
    /// # Errors
    /// `divisibility` if `unit` is no power of two, or the swizzle acts within a unit.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!(DynSwizzle::new(3, 4, 3)?.upcast(2)?.to_string(), "Sw<3,3,3>");
    /// assert!(DynSwizzle::new(3, 4, 3)?.upcast(32).is_err());
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub const fn upcast(&self, unit: usize) -> Result<DynSwizzle, LayoutError> {
        if self.bits == 0 && unit != 0 {
            return Ok(*self);
        }
        if !unit.is_power_of_two() || unit.trailing_zeros() > self.base {
            return Err(LayoutError::new(
                "upcast",
                Fault::SwizzleUnit { block: 1usize.wrapping_shl(self.base), unit },
            ));
        }
        Ok(DynSwizzle::known(self.bits, self.base - unit.trailing_zeros(), self.shift))
    }

    /// The swizzle of the same memory in units of a `parts`-th of an element.
    ///
    /// Law: `R(parts * x + k) = parts * Sw(x) + k` for `k < parts`. CuTe: `downcast`.
    ///
    /// # Errors
    /// `divisibility` if `parts` is no power of two, `overflow` if a bit would lie beyond `usize`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!(DynSwizzle::new(3, 4, 3)?.downcast(8)?.to_string(), "Sw<3,7,3>");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub const fn downcast(&self, parts: usize) -> Result<DynSwizzle, LayoutError> {
        if self.bits == 0 && parts != 0 {
            return Ok(*self);
        }
        if !parts.is_power_of_two() {
            return Err(LayoutError::new("downcast", Fault::SwizzleParts { parts }));
        }
        DynSwizzle::new(self.bits, self.base + parts.trailing_zeros(), self.shift)
    }
}

impl fmt::Display for DynSwizzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        pad(f, &|f| write!(f, "Sw<{},{},{}>", self.bits, self.base, self.shift))
    }
}
debug_as_display! { [] DynSwizzle; }
