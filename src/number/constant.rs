//! A constant as a static number, whatever its value is: `{TILE}` in the macros, for
//! `const TILE: usize = 32`.
//!
//! In stable Rust only a table of values leads from a constant to a type, and typenum's table ends
//! at 1024. Each digit in base 1024 is in the table, and seven digits make any `usize`.

use typenum::consts::U1024;
use typenum::{Const, ToUInt};

use crate::number::int::{AddInt, MulInt};

/// `1024 * U + DIGIT`
pub type WithDigit<U, const DIGIT: usize> =
    <<U as MulInt<U1024>>::Output as AddInt<<Const<DIGIT> as ToUInt>::Output>>::Output;

/// A digit of a constant in base 1024, 6 being the highest one.
pub const fn digit(constant: usize, place: u32) -> usize {
    (constant as u64 >> (10 * place) & 1023) as usize
}

/// The lowest digit of a constant that may be any number.
pub const fn number(constant: usize) -> usize {
    digit(constant, 0)
}
/// The lowest digit of a constant that is an extent: checked here alone, so that a mistake is one
/// error.
#[track_caller]
pub const fn extent(constant: usize) -> usize {
    assert!(constant > 0, "an extent of 0: every mode of a shape has at least 1 element");
    digit(constant, 0)
}

/// The type of a constant expression: `constant! { number 2 * TILE }` is `U64` for a `TILE` of 32.
/// With `extent` in place of `number`, 0 is refused.
#[doc(hidden)]
#[macro_export]
macro_rules! constant {
    (@ [$number:ty] $last:ident $constant:tt) => {
        $crate::__private::WithDigit<$number, { $crate::__private::$last($constant) }>
    };
    (@ [$number:ty] $last:ident $constant:tt $place:literal $($places:literal)*) => {
        $crate::constant! {
            @ [$crate::__private::WithDigit<$number, { $crate::__private::digit($constant, $place) }>]
            $last $constant $($places)*
        }
    };
    ($last:ident $($constant:tt)*) => {
        $crate::constant! { @ [$crate::__private::UTerm] $last { $($constant)* } 6 5 4 3 2 1 }
    };
}
