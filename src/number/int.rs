//! Static integers: typenum's type-level numbers, and the arithmetic on them that the algebra
//! needs.
//!
//! A static integer is a list of bits, the lowest one outermost: `UInt<UInt<UTerm, B1>, B0>` is 2.
//! The functions here are traits with an `Output`. Each is total, so that a case without an answer
//! is a type to match on (`NotExact`, `Underflow`) and never an unmet bound in the middle of a
//! recursion. Division avoids typenum's `Div`, which costs tens of milliseconds for one pair of
//! numbers: layouts divide exactly or not at all, and an exact quotient comes cheaply from the low
//! bit up.

use core::fmt::Debug;
use core::hash::Hash;

use typenum::{B0, B1, Const, Equal, Greater, Less, ToUInt, UInt, UTerm};

use crate::list::{Leaf, Nested};

/// The static integer `N` as a type: typenum's `U<N>`, which knows 0 to 1024 and some larger ones.
/// `Int!` reaches every number, and is to be used in bounds that bound an associated type as well,
/// `L: Upcast<Int!(2), Output: Copy>`: the compiler does not look through an alias there.
///
/// ```
/// use layout_algebra::prelude::*;
/// assert_eq!(shape!(24), Int::<24>::new());
/// ```
pub type Int<const N: usize> = <() as IntOf<N>>::Output;
/// typenum's table of numbers, with a message.
#[diagnostic::on_unimplemented(
    message = "`Int<{N}>` is not known to be a static integer",
    label = "`{N}`: a const parameter, or a number that is not in typenum's table",
    note = "generic code takes a static integer as a type, `fn f<N: StaticInt>(n: N)`, called with `int!(4)`, or has the \
            bound `Const<{N}>: ToUInt<Output: StaticInt>`, both of `layout_algebra::typenum`; `Int!(5000)` reaches every \
            number"
)]
pub trait IntOf<const N: usize> {
    type Output;
}
#[diagnostic::do_not_recommend]
impl<const N: usize> IntOf<N> for ()
where
    Const<N>: ToUInt,
{
    type Output = typenum::U<N>;
}

/// 0.
pub type Zero = UTerm;
/// 1, the extent that every operation treats apart.
pub type One = UInt<UTerm, B1>;

/// A type-level truth value.
pub struct True;
/// A type-level truth value.
pub struct False;
/// Whether both are [`True`].
pub trait And<R> {
    type Output;
}
cases! { And:
    [R] True, R => R;
    [R] False, R => False;
}

// ---- bits ---------------------------------------------------------------------------------------

/// A static integer: its value, and its double. The compiler proves bounds on associated types
/// once, at the function, and not at its callers; so each function states with this bound that its
/// answer is an integer.
#[diagnostic::on_unimplemented(
    message = "this is not a static integer",
    label = "`{Self}` is no number known at compile time",
    note = "write `int!(4)` for a number known at compile time"
)]
pub trait StaticInt:
    Nested<Node = Leaf<Self>> + Copy + Default + Debug + Eq + Hash + 'static
{
    /// `2 * self`
    type Double: StaticInt;
    /// `2 * self + 1`
    type DoubleAndOne: StaticInt;
    /// The number itself.
    const VALUE: usize;
}

impl StaticInt for UTerm {
    type Double = UTerm;
    type DoubleAndOne = One;
    const VALUE: usize = 0;
}
impl<U: StaticInt> StaticInt for UInt<U, B0> {
    type Double = UInt<Self, B0>;
    type DoubleAndOne = UInt<Self, B1>;
    const VALUE: usize = doubled(U::VALUE);
}
impl<U: StaticInt> StaticInt for UInt<U, B1> {
    type Double = UInt<Self, B0>;
    type DoubleAndOne = UInt<Self, B1>;
    const VALUE: usize = doubled(U::VALUE) + 1;
}

const fn doubled(n: usize) -> usize {
    match n.checked_mul(2) {
        Some(n) => n,
        None => panic!("overflow: a static integer of this layout is beyond usize"),
    }
}

/// `2 * self` and `2 * self + 1`, without a leading zero, where `self` may also be the lack of an
/// answer, which stays what it is.
pub trait Digits {
    type Zero: Digits;
    type One: Digits;
}
impl Digits for UTerm {
    type Zero = UTerm;
    type One = One;
}
impl<U, A> Digits for UInt<U, A> {
    type Zero = UInt<Self, B0>;
    type One = UInt<Self, B1>;
}
impl Digits for Underflow {
    type Zero = Underflow;
    type One = Underflow;
}
impl Digits for NotExact {
    type Zero = NotExact;
    type One = NotExact;
}

// ---- equality and order -------------------------------------------------------------------------

/// `self == R`, as [`True`] or [`False`].
pub trait Same<R> {
    type Output;
}
cases! { Same:
    [] UTerm, UTerm => True;
    [V, C] UTerm, UInt<V, C> => False;
    [U, B] UInt<U, B>, UTerm => False;
    [] One, One => True;
    [U, A] UInt<UInt<U, A>, B1>, One => False;
    [V, C] One, UInt<UInt<V, C>, B1> => False;
    [U, V] UInt<U, B0>, UInt<V, B1> => False;
    [U, V] UInt<U, B1>, UInt<V, B0> => False;
}
/// Two bits a step: a step costs much the same, however many bits it looks at.
macro_rules! same_two_bits {
    ($($low:ident),*) => {
        $(impl<U: Same<V>, V> Same<UInt<UInt<V, B0>, $low>> for UInt<UInt<U, B0>, $low> {
            type Output = U::Output;
        }
        impl<U: Same<V>, V> Same<UInt<UInt<V, B1>, $low>> for UInt<UInt<U, B1>, $low> {
            type Output = U::Output;
        }
        impl<U, V> Same<UInt<UInt<V, B1>, $low>> for UInt<UInt<U, B0>, $low> {
            type Output = False;
        }
        impl<U, V> Same<UInt<UInt<V, B0>, $low>> for UInt<UInt<U, B1>, $low> {
            type Output = False;
        })*
    };
}
same_two_bits!(B0, B1);

/// The order of `self` and `R`: [`Less`], [`Equal`] or [`Greater`]. From the low bit up;
/// `SoFar` is the order of the bits below.
pub trait Order<R, SoFar = Equal> {
    type Output;
}
cases! { Order:
    [SoFar] UTerm, UTerm, SoFar => SoFar;
    [V, C, SoFar] UTerm, UInt<V, C>, SoFar => Less;
    [U, B, SoFar] UInt<U, B>, UTerm, SoFar => Greater;
    [SoFar] One, One, SoFar => SoFar;
    [V, A, C, SoFar] One, UInt<UInt<V, A>, C>, SoFar => Less;
    [U, A, B, SoFar] UInt<UInt<U, A>, B>, One, SoFar => Greater;
}
/// Two bits a step, the high one first.
macro_rules! order_two_bits {
    ($($a1:ident $a0:ident, $b1:ident $b0:ident => $so_far:ident;)*) => {
        $(impl<U: Order<V, $so_far>, V, SoFar> Order<UInt<UInt<V, $b1>, $b0>, SoFar> for UInt<UInt<U, $a1>, $a0> {
            type Output = U::Output;
        })*
    };
}
order_two_bits! {
    B0 B0, B0 B0 => SoFar; B0 B0, B0 B1 => Less; B0 B0, B1 B0 => Less; B0 B0, B1 B1 => Less;
    B0 B1, B0 B0 => Greater; B0 B1, B0 B1 => SoFar; B0 B1, B1 B0 => Less; B0 B1, B1 B1 => Less;
    B1 B0, B0 B0 => Greater; B1 B0, B0 B1 => Greater; B1 B0, B1 B0 => SoFar; B1 B0, B1 B1 => Less;
    B1 B1, B0 B0 => Greater; B1 B1, B0 B1 => Greater; B1 B1, B1 B0 => Greater; B1 B1, B1 B1 => SoFar;
}

// ---- sums ---------------------------------------------------------------------------------------

/// `self + R + Carry`.
pub trait AddInt<R, Carry = B0> {
    type Output: StaticInt;
}
cases! { AddInt:
    [] UTerm, UTerm, B0 => UTerm;
    [] UTerm, UTerm, B1 => One;
    [V, C] UTerm, UInt<V, C>, B0 where (UInt<V, C>: StaticInt) => UInt<V, C>;
    [V: StaticInt] UTerm, UInt<V, B0>, B1 => UInt<V, B1>;
    [V] UTerm, UInt<V, B1>, B1 where (UTerm: AddInt<V, B1>) => UInt<<UTerm as AddInt<V, B1>>::Output, B0>;
    [U, B] UInt<U, B>, UTerm, B0 where (UInt<U, B>: StaticInt) => UInt<U, B>;
    [U: StaticInt] UInt<U, B0>, UTerm, B1 => UInt<U, B1>;
    [U: AddInt<UTerm, B1>] UInt<U, B1>, UTerm, B1 => UInt<U::Output, B0>;
    [U: AddInt<V, B0>, V] UInt<U, B0>, UInt<V, B0>, B0 => UInt<U::Output, B0>;
    [U: AddInt<V, B0>, V] UInt<U, B0>, UInt<V, B0>, B1 => UInt<U::Output, B1>;
    [U: AddInt<V, B0>, V] UInt<U, B0>, UInt<V, B1>, B0 => UInt<U::Output, B1>;
    [U: AddInt<V, B1>, V] UInt<U, B0>, UInt<V, B1>, B1 => UInt<U::Output, B0>;
    [U: AddInt<V, B0>, V] UInt<U, B1>, UInt<V, B0>, B0 => UInt<U::Output, B1>;
    [U: AddInt<V, B1>, V] UInt<U, B1>, UInt<V, B0>, B1 => UInt<U::Output, B0>;
    [U: AddInt<V, B1>, V] UInt<U, B1>, UInt<V, B1>, B0 => UInt<U::Output, B0>;
    [U: AddInt<V, B1>, V] UInt<U, B1>, UInt<V, B1>, B1 => UInt<U::Output, B1>;
}

/// The answer of a subtraction below zero.
pub struct Underflow;

/// `self - R - Borrow`, or [`Underflow`].
pub trait SubInt<R, Borrow = B0> {
    type Output: Digits;
}
cases! { SubInt:
    [] UTerm, UTerm, B0 => UTerm;
    [] UTerm, UTerm, B1 => Underflow;
    [V, C, Borrow] UTerm, UInt<V, C>, Borrow => Underflow;
    [U, B] UInt<U, B>, UTerm, B0 => UInt<U, B>;
    [U: Digits] UInt<U, B1>, UTerm, B1 => U::Zero;
    [U: SubInt<UTerm, B1>] UInt<U, B0>, UTerm, B1 => <U::Output as Digits>::One;
    [U: SubInt<V, B0>, V] UInt<U, B0>, UInt<V, B0>, B0 => <U::Output as Digits>::Zero;
    [U: SubInt<V, B1>, V] UInt<U, B0>, UInt<V, B0>, B1 => <U::Output as Digits>::One;
    [U: SubInt<V, B1>, V] UInt<U, B0>, UInt<V, B1>, B0 => <U::Output as Digits>::One;
    [U: SubInt<V, B1>, V] UInt<U, B0>, UInt<V, B1>, B1 => <U::Output as Digits>::Zero;
    [U: SubInt<V, B0>, V] UInt<U, B1>, UInt<V, B0>, B0 => <U::Output as Digits>::One;
    [U: SubInt<V, B0>, V] UInt<U, B1>, UInt<V, B0>, B1 => <U::Output as Digits>::Zero;
    [U: SubInt<V, B0>, V] UInt<U, B1>, UInt<V, B1>, B0 => <U::Output as Digits>::Zero;
    [U: SubInt<V, B1>, V] UInt<U, B1>, UInt<V, B1>, B1 => <U::Output as Digits>::One;
}

// ---- products -----------------------------------------------------------------------------------

/// `self * R`. Zeros at the low end of either are put aside; of two odd factors,
/// `(2u + 1) * r == 2ur + r`, one addition for each 1 in `self`.
pub trait MulInt<R> {
    type Output: StaticInt;
}
cases! { MulInt:
    [R] UTerm, R => UTerm;
    [U, B] UInt<U, B>, UTerm => UTerm;
    // Zeros are put aside up to four at once: a step costs much the same, however many bits it
    // looks at.
    [U, V, C] UInt<UInt<UInt<UInt<U, B0>, B0>, B0>, B0>, UInt<V, C> where (U: MulInt<UInt<V, C>>)
        => UInt<UInt<UInt<UInt<<U as MulInt<UInt<V, C>>>::Output, B0>, B0>, B0>, B0>;
    [U, V, C] UInt<UInt<UInt<UInt<U, B1>, B0>, B0>, B0>, UInt<V, C> where (UInt<U, B1>: MulInt<UInt<V, C>>)
        => UInt<UInt<UInt<<UInt<U, B1> as MulInt<UInt<V, C>>>::Output, B0>, B0>, B0>;
    [U, V, C] UInt<UInt<UInt<U, B1>, B0>, B0>, UInt<V, C> where (UInt<U, B1>: MulInt<UInt<V, C>>)
        => UInt<UInt<<UInt<U, B1> as MulInt<UInt<V, C>>>::Output, B0>, B0>;
    [U, V, C] UInt<UInt<U, B1>, B0>, UInt<V, C> where (UInt<U, B1>: MulInt<UInt<V, C>>)
        => UInt<<UInt<U, B1> as MulInt<UInt<V, C>>>::Output, B0>;
    [V, C] One, UInt<V, C> where (UInt<V, C>: StaticInt) => UInt<V, C>;
    [U, A, V] UInt<UInt<U, A>, B1>, UInt<UInt<UInt<UInt<V, B0>, B0>, B0>, B0> where (Self: MulInt<V>)
        => UInt<UInt<UInt<UInt<<Self as MulInt<V>>::Output, B0>, B0>, B0>, B0>;
    [U, A, V] UInt<UInt<U, A>, B1>, UInt<UInt<UInt<UInt<V, B1>, B0>, B0>, B0> where (Self: MulInt<UInt<V, B1>>)
        => UInt<UInt<UInt<<Self as MulInt<UInt<V, B1>>>::Output, B0>, B0>, B0>;
    [U, A, V] UInt<UInt<U, A>, B1>, UInt<UInt<UInt<V, B1>, B0>, B0> where (Self: MulInt<UInt<V, B1>>)
        => UInt<UInt<<Self as MulInt<UInt<V, B1>>>::Output, B0>, B0>;
    [U, A, V] UInt<UInt<U, A>, B1>, UInt<UInt<V, B1>, B0> where (Self: MulInt<UInt<V, B1>>)
        => UInt<<Self as MulInt<UInt<V, B1>>>::Output, B0>;
    [U, A] UInt<UInt<U, A>, B1>, One where (Self: StaticInt) => Self;
    [U, A, V, C] UInt<UInt<U, A>, B1>, UInt<UInt<V, C>, B1>
        where (UInt<U, A>: MulInt<UInt<UInt<V, C>, B1>, Output: AddInt<UInt<V, C>>>)
        => UInt<<<UInt<U, A> as MulInt<UInt<UInt<V, C>, B1>>>::Output as AddInt<UInt<V, C>>>::Output, B1>;
}

// ---- quotients ----------------------------------------------------------------------------------

/// The divisor does not divide.
pub struct NotExact;

/// `self / R` where `R` divides `self`: the quotient, else [`NotExact`]. Zeros that both end in are
/// stripped; then the divisor is odd, and the quotient's bits follow from the low end: subtract
/// where the dividend is odd, halve, repeat.
pub trait QuotientInt<R> {
    type Output: Digits;
}
cases! { QuotientInt:
    [R] UTerm, R => UTerm;
    [U, A] UInt<U, A>, UTerm => NotExact;
    [U] UInt<U, B0>, One => UInt<U, B0>;
    [U] UInt<U, B1>, One => UInt<U, B1>;
    // Zeros of both, up to four at once.
    [U: QuotientInt<V>, V] UInt<UInt<UInt<UInt<U, B0>, B0>, B0>, B0>, UInt<UInt<UInt<UInt<V, B0>, B0>, B0>, B0>
        => U::Output;
    [U: QuotientInt<UInt<V, B1>>, V] UInt<UInt<UInt<U, B0>, B0>, B0>, UInt<UInt<UInt<UInt<V, B1>, B0>, B0>, B0>
        => U::Output;
    [U, V] UInt<UInt<UInt<UInt<U, B1>, B0>, B0>, B0>, UInt<UInt<UInt<UInt<V, B0>, B0>, B0>, B0> => NotExact;
    [U: QuotientInt<UInt<V, B1>>, V] UInt<UInt<U, B0>, B0>, UInt<UInt<UInt<V, B1>, B0>, B0> => U::Output;
    [U, V] UInt<UInt<UInt<U, B1>, B0>, B0>, UInt<UInt<UInt<V, B0>, B0>, B0> => NotExact;
    [U: QuotientInt<UInt<V, B1>>, V] UInt<U, B0>, UInt<UInt<V, B1>, B0> => U::Output;
    [U, V] UInt<UInt<U, B1>, B0>, UInt<UInt<V, B0>, B0> => NotExact;
    [U, V] UInt<U, B1>, UInt<V, B0> => NotExact;
    [U: QuotientInt<UInt<UInt<V, C>, B1>>, V, C] UInt<UInt<UInt<UInt<U, B0>, B0>, B0>, B0>, UInt<UInt<V, C>, B1>
        => <<<<U::Output as Digits>::Zero as Digits>::Zero as Digits>::Zero as Digits>::Zero;
    [U, V, C] UInt<UInt<UInt<UInt<U, B1>, B0>, B0>, B0>, UInt<UInt<V, C>, B1>
        where (UInt<U, B1>: QuotientInt<UInt<UInt<V, C>, B1>>)
        => <<<<UInt<U, B1> as QuotientInt<UInt<UInt<V, C>, B1>>>::Output
            as Digits>::Zero as Digits>::Zero as Digits>::Zero;
    [U, V, C] UInt<UInt<UInt<U, B1>, B0>, B0>, UInt<UInt<V, C>, B1>
        where (UInt<U, B1>: QuotientInt<UInt<UInt<V, C>, B1>>)
        => <<<UInt<U, B1> as QuotientInt<UInt<UInt<V, C>, B1>>>::Output as Digits>::Zero as Digits>::Zero;
    [U, V, C] UInt<UInt<U, B1>, B0>, UInt<UInt<V, C>, B1> where (UInt<U, B1>: QuotientInt<UInt<UInt<V, C>, B1>>)
        => <<UInt<U, B1> as QuotientInt<UInt<UInt<V, C>, B1>>>::Output as Digits>::Zero;
    [U, V, C] UInt<U, B1>, UInt<UInt<V, C>, B1>
        where (U: SubInt<UInt<V, C>, B0, Output: QuotientInt<UInt<UInt<V, C>, B1>>>)
        => <<<U as SubInt<UInt<V, C>>>::Output as QuotientInt<UInt<UInt<V, C>, B1>>>::Output as Digits>::One;
    [R] Underflow, R => NotExact;
}
