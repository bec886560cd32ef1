//! The value of a static integer in a constant: there is one, and `Default`, which gives it, is no const function.

use core::mem::zeroed;

use crate::number::int::StaticInt;

/// `N::default()`, in a constant.
#[inline(always)]
pub const fn constant<N: StaticInt>() -> N {
    const { assert!(size_of::<N>() == 0, "a static integer has no data") };
    // SAFETY: the type has no bytes that could be wrong, and it has a value: `StaticInt` has the impls for typenum's
    // `UTerm` and for `UInt` of a static integer and a bit, a struct of nothing but such, all of which anybody may make
    // by `Default`; and no other, since it cannot be named outside of this crate.
    unsafe { zeroed() }
}
