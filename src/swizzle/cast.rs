//! Swizzles of the same memory in other units: `Swizzle<B, M, S>` in units of `2^k` elements is `Swizzle<B, M - k, S>`.
//!
//! A const parameter cannot be computed from another one in a type, so what is needed of `M` stands in tables: up to 16, and units
//! of up to 128 elements.

use super::Swizzle;
use crate::int::StaticInt;

/// `Self: UpcastSwizzle<N>`: the swizzle in units of `N` elements. CuTe's `upcast`.
///
/// `upcast(Sw)(x / n) == Sw(x) / n`, and elements keep their place within a unit.
///
/// ```
/// use layout_algebra::prelude::*;
/// let bytes = Swizzle::<3, 4, 3>::new();
/// let halves: Swizzle<3, 3, 3> = UpcastSwizzle::<Int<2>>::upcast_swizzle(bytes);
/// assert!((0..4096).all(|x| halves.apply(x / 2) == bytes.apply(x) / 2));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no form in units of that many elements",
    label = "the swizzle acts within a unit, or the unit is no power of two",
    note = "`Swizzle<B, M, S>` is known in units of 2^k elements for k up to M, and up to 7"
)]
pub trait UpcastSwizzle<N> {
    /// The swizzle of units.
    type Output;
    /// The same swizzle of units.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let halves = UpcastSwizzle::<Int<2>>::upcast_swizzle(Swizzle::<3, 4, 3>::new());
    /// assert_eq!(halves, Swizzle::<3, 3, 3>::new()); // units of 16 bytes stay whole
    /// ```
    fn upcast_swizzle(self) -> Self::Output;
}

/// `Self: DowncastSwizzle<N>`: the swizzle in units of 1/`N` of an element. CuTe's `downcast`.
///
/// `downcast(Sw)(n * x + k) == n * Sw(x) + k` for `k < n`
///
/// ```
/// use layout_algebra::prelude::*;
/// let halves = Swizzle::<3, 3, 3>::new();
/// let bytes: Swizzle<3, 4, 3> = DowncastSwizzle::<Int<2>>::downcast_swizzle(halves);
/// assert!((0..4096).all(|x| bytes.apply(2 * x + 1) == 2 * halves.apply(x) + 1));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no form in parts of an element as many as that",
    label = "the number of parts is no power of two",
    note = "`Swizzle<B, M, S>` is known in parts of 2^k for k up to 7, and M up to 16"
)]
pub trait DowncastSwizzle<N> {
    /// The swizzle of parts.
    type Output;
    /// The same swizzle of parts.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let bytes = DowncastSwizzle::<Int<4>>::downcast_swizzle(Swizzle::<3, 2, 3>::new());
    /// assert_eq!(bytes, Swizzle::<3, 4, 3>::new());
    /// ```
    fn downcast_swizzle(self) -> Self::Output;
}

/// The number `E` in the exponent.
pub struct Exponent<const E: u32>;

/// `2^E`
#[diagnostic::on_unimplemented(
    message = "a swizzle above this many bits is unknown to the types",
    label = "`{Self}` is beyond 16",
    note = "`DynSwizzle` knows all swizzles"
)]
pub trait PowerOfTwo {
    /// The power.
    type Output: StaticInt;
}

/// For each base `M` with the bases `M`, `M + 1`, .. above it, `2^0`, `2^1`, .. times as large.
macro_rules! bases {
    () => {};
    ($base:literal $($above:literal)*) => {
        impl PowerOfTwo for Exponent<$base> {
            type Output = typenum::U<{ 1 << $base }>;
        }
        bases!(@above $base; $base $($above)*; U1 U2 U4 U8 U16 U32 U64 U128);
        bases!($($above)*);
    };
    (@above $base:literal; ; $($unit:ident)*) => {};
    (@above $base:literal; $($above:literal)*; ) => {};
    (@above $base:literal; $above:literal $($more:literal)*; $unit:ident $($units:ident)*) => {
        impl<const B: u32, const S: i32> UpcastSwizzle<typenum::consts::$unit> for Swizzle<B, $above, S> {
            type Output = Swizzle<B, $base, S>;
            #[inline(always)]
            fn upcast_swizzle(self) -> Self::Output {
                Swizzle
            }
        }
        impl<const B: u32, const S: i32> DowncastSwizzle<typenum::consts::$unit> for Swizzle<B, $base, S> {
            type Output = Swizzle<B, $above, S>;
            #[inline(always)]
            fn downcast_swizzle(self) -> Self::Output {
                Swizzle
            }
        }
        bases!(@above $base; $($more)*; $($units)*);
    };
}
bases!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
