//! Loops unrolled by recursion over a type-level number, so that every turn knows its number as a
//! constant.
//!
//! ```text
//! each(2 n + b) = each(n), each(n) from n on, and one more turn where b is 1
//! ```
//!
//! A compiler may or may not unroll a plain loop, which leaves a fragment in memory; these loops
//! keep it in registers.

use generic_array::ArrayLength;
use typenum::{B0, B1, UInt, UTerm};

use crate::number::int::StaticInt;
use crate::number::table::{Number, RunTimeNumber};

/// The body of a loop.
pub trait Body {
    /// Turn `i`.
    fn turn(&mut self, i: usize);
}

/// A static number of turns.
#[diagnostic::on_unimplemented(
    message = "the number of atoms or of values is known only at run time",
    label = "every extent that counts atoms or values has to be static",
    note = "loops over atoms and their values are unrolled: cut a tile of static shape out first, with `local_tile`, \
            or write the extents as literals"
)]
pub trait Unroll: StaticInt + ArrayLength {
    /// The turns `first .. first + self`.
    #[doc(hidden)]
    fn each<F: Body>(first: usize, body: &mut F);
    /// The turns `0 .. self`. A build with debug assertions is not optimised: there it is a
    /// loop, which compiles faster.
    #[inline(always)]
    fn turns_of<F: Body>(body: &mut F) {
        #[cfg(debug_assertions)]
        turns(Self::VALUE, body);
        #[cfg(not(debug_assertions))]
        Self::each(0, body);
    }
    /// The turns `0 .. self`, unrolled if there are at most 256, else a loop.
    #[doc(hidden)]
    #[inline(always)]
    fn few_turns_of<F: Body>(body: &mut F) {
        if Self::VALUE <= 256 {
            Self::turns_of(body);
        } else {
            turns(Self::VALUE, body);
        }
    }
}
/// The turns `0 .. count` as a loop: a closure in a `for_each` would be six functions for each
/// body.
#[inline(always)]
pub(crate) fn turns<F: Body>(count: usize, body: &mut F) {
    let mut i = 0;
    while i < count {
        body.turn(i);
        i += 1;
    }
}
impl Unroll for UTerm {
    #[inline(always)]
    fn each<F: Body>(_: usize, _: &mut F) {}
}
impl<U: Unroll> Unroll for UInt<U, B0>
where
    Self: StaticInt + ArrayLength,
{
    #[inline(always)]
    fn each<F: Body>(first: usize, body: &mut F) {
        U::each(first, body);
        U::each(first + U::VALUE, body);
    }
}
impl<U: Unroll> Unroll for UInt<U, B1>
where
    Self: StaticInt + ArrayLength,
{
    #[inline(always)]
    fn each<F: Body>(first: usize, body: &mut F) {
        U::each(first, body);
        U::each(first + U::VALUE, body);
        body.turn(first + 2 * U::VALUE);
    }
}

/// A number of turns: unrolled if it is static and at most 256, else a loop.
pub trait Turns: Number {
    /// The turns `0 .. self`.
    fn turns<F: Body>(self, body: &mut F);
}
macro_rules! unrolled {
    ($([$($generic:ident)*] $number:ty;)*) => {
        $(impl<$($generic),*> Turns for $number
        where
            Self: Unroll,
        {
            #[inline(always)]
            fn turns<F: Body>(self, body: &mut F) {
                Self::few_turns_of(body);
            }
        })*
    };
}
unrolled! { [] UTerm; [U B] UInt<U, B>; }
impl<N: RunTimeNumber> Turns for N {
    #[inline(always)]
    fn turns<F: Body>(self, body: &mut F) {
        turns(self.get(), body);
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;

    struct Record(std::vec::Vec<usize>);
    impl Body for Record {
        fn turn(&mut self, i: usize) {
            self.0.push(i);
        }
    }

    #[test]
    fn every_turn_in_order() {
        macro_rules! check {
            ($($n:literal)*) => {$({
                let mut record = Record(std::vec::Vec::new());
                <crate::number::int::Int<$n>>::each(0, &mut record);
                assert_eq!(record.0, (0..$n).collect::<std::vec::Vec<_>>());
            })*};
        }
        check! { 0 1 2 3 5 8 13 64 100 }
    }
}
