//! The value of a static integer tuple, in a constant: the type has one value, but `Default`, which
//! gives it, is no const function.

use core::mem::zeroed;

use crate::number::int::StaticInt;
use crate::tuple::int_tuple::IntTuple;

/// `T::default()`, in a constant.
///
/// # Panics
/// If a leaf is dynamic.
#[inline]
pub const fn constant<T: IntTuple>() -> T {
    // In a constant, so that the functions which make it are not compiled once more for each type.
    let value = const {
        if size_of::<T>() > 0 {
            None
        } else {
            // SAFETY: the type has no bytes that could be wrong, and it has a value: `IntTuple` has
            // the impls for numbers, and for tuples and arrays of one to eight integer tuples; and
            // no other, since its supertrait cannot be named outside of this crate. The numbers are
            // `usize` and `Multiple`, which have bytes, and typenum's `UTerm` and `UInt`, structs
            // of nothing but such, all of which anybody may make by `Default`; and the strides
            // `Basis` and `Neg`, structs of nothing but these, and `Diagonal`, one of nothing.
            Some(unsafe { zeroed() })
        }
    };
    match value {
        Some(value) => value,
        None => panic!("static integers have no data"),
    }
}

/// The value of a static integer: what the macros write for a literal.
#[inline]
pub const fn static_int<N: StaticInt>() -> N {
    constant()
}
