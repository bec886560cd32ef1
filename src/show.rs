//! Numbers and trees as compiler messages show them: `N<20>` in place of typenum's bits.
//!
//! Only the path to an error message comes here; a program that compiles never asks for any of it.

use typenum::{B0, B1, UInt, UTerm};

use crate::int::{DivideInt, Int, One};
use crate::multiple::Multiple;
use crate::tuple::{Cons, Leaf, Nested, Nil, Untangle, Whole};

/// A static integer in a compiler message: the number `V` in decimals, `N<20>`. A number beyond 1023 that is no small multiple
/// of a power of two is written by its digits: `N<1, 5, 3, 7>` is 1537.
pub struct N<
    const V: usize,
    const D1: usize = 10,
    const D2: usize = 10,
    const D3: usize = 10,
    const D4: usize = 10,
    const D5: usize = 10,
    const D6: usize = 10,
    const D7: usize = 10,
    const D8: usize = 10,
    const D9: usize = 10,
    const D10: usize = 10,
    const D11: usize = 10,
    const D12: usize = 10,
    const D13: usize = 10,
    const D14: usize = 10,
    const D15: usize = 10,
    const D16: usize = 10,
    const D17: usize = 10,
    const D18: usize = 10,
    const D19: usize = 10,
>;

/// What a compiler message shows for a type.
pub trait Show {
    type Output;
}
/// What a compiler message shows for `T`.
pub type Shown<T> = <T as Show>::Output;

impl<T: Nested<Node: ShowNode>> Show for T {
    type Output = <T::Node as ShowNode>::Output;
}

// ---- trees --------------------------------------------------------------------------------------------------------

/// [`Show`] for a node: the tuple of what it shows.
pub trait ShowNode {
    type Output;
}
impl<H, T> ShowNode for Cons<H, T>
where
    Cons<H, T>: ShowList<Output: Untangle>,
{
    type Output = <<Self as ShowList>::Output as Untangle>::Tree;
}
impl ShowNode for Leaf<usize> {
    type Output = usize;
}
impl<F: Show> ShowNode for Leaf<Multiple<F>> {
    type Output = Multiple<F::Output>;
}
impl ShowNode for Whole {
    type Output = core::ops::RangeFull;
}
impl ShowNode for Leaf<UTerm> {
    type Output = N<0>;
}
impl<U, B> ShowNode for Leaf<UInt<U, B>>
where
    UInt<U, B>: ShowInt,
{
    type Output = <UInt<U, B> as ShowInt>::Output;
}

/// [`Show`] for every item of a list.
pub trait ShowList {
    type Output;
}
impl ShowList for Nil {
    type Output = Nil;
}
impl<H: Show, T: ShowList> ShowList for Cons<H, T> {
    type Output = Cons<H::Output, T::Output>;
}

// ---- numbers ------------------------------------------------------------------------------------------------------

/// [`Show`] for a static integer. Three cases: below 1024, a small multiple of a power of two, any other.
pub trait ShowInt {
    type Output;
}

/// The impls for the number `$int` and all that begin with its bits and have at most as many more as there are stars.
macro_rules! small {
    ($int:ty, $value:expr;) => {
        impl ShowInt for $int {
            type Output = N<{ $value }>;
        }
    };
    ($int:ty, $value:expr; * $($more:tt)*) => {
        small!($int, $value;);
        small!(UInt<$int, B0>, 2 * $value; $($more)*);
        small!(UInt<$int, B1>, 2 * $value + 1; $($more)*);
    };
}
small!(One, 1; * * * * * * * * *);

/// A number of at least 11 bits, `U` with the bits `$bit` behind it: an odd number and the zeros behind that.
macro_rules! large {
    ($int:ty; $($bit:ident)*) => {
        impl<U, $($bit),*> ShowInt for $int
        where
            $int: StripZeros<(), Odd: Scaled<<$int as StripZeros<()>>::Zeros, $int>>,
        {
            type Output = <<$int as StripZeros<()>>::Odd as Scaled<<$int as StripZeros<()>>::Zeros, $int>>::Output;
        }
    };
    ($int:ty; $($bit:ident)*; $first:ident $($more:ident)*) => {
        large!(UInt<$int, $first>; $($bit)* $first; $($more)*);
    };
    ($int:ty; $($bit:ident)*;) => { large!($int; $($bit)*); };
}
large!(UInt<U, A>; A; B C D E F G H I J K);

/// The odd part of a number, and its zeros: `(((), ()), ())` is two of them.
pub trait StripZeros<Zeros> {
    type Odd;
    type Zeros;
}
impl<U: StripZeros<(Zeros, ())>, Zeros> StripZeros<Zeros> for UInt<U, B0> {
    type Odd = U::Odd;
    type Zeros = U::Zeros;
}
impl<U, Zeros> StripZeros<Zeros> for UInt<U, B1> {
    type Odd = Self;
    type Zeros = Zeros;
}

/// What is shown for the number `Whole`, whose odd part is `self`.
pub trait Scaled<Zeros, Whole> {
    type Output;
}
macro_rules! scaled {
    ($zeros:ty, $value:expr;) => {
        // More zeros than the table has.
        scaled!(@digits ($zeros, More);
            One; UInt<One, B1>; UInt<UInt<One, B0>, B1>; UInt<UInt<One, B1>, B1>;
            UInt<UInt<UInt<One, B0>, B0>, B1>; UInt<UInt<UInt<One, B0>, B1>, B1>;
            UInt<UInt<UInt<One, B1>, B0>, B1>; UInt<UInt<UInt<One, B1>, B1>, B1>;
        );
    };
    ($zeros:ty, $value:expr; * $($more:tt)*) => {
        scaled!(@odd $zeros, $value;
            One, 1; UInt<One, B1>, 3; UInt<UInt<One, B0>, B1>, 5; UInt<UInt<One, B1>, B1>, 7;
            UInt<UInt<UInt<One, B0>, B0>, B1>, 9; UInt<UInt<UInt<One, B0>, B1>, B1>, 11;
            UInt<UInt<UInt<One, B1>, B0>, B1>, 13; UInt<UInt<UInt<One, B1>, B1>, B1>, 15;
        );
        scaled!(($zeros, ()), 2 * ($value); $($more)*);
    };
    (@odd $zeros:ty, $value:expr; $($odd:ty, $times:expr;)*) => {
        $(impl<Whole> Scaled<$zeros, Whole> for $odd {
            type Output = N<{ $times * ($value) }>;
        })*
    };
    (@digits $zeros:ty; $($odd:ty;)*) => {
        $(impl<More, Whole: ToDigits<Nil, Output: FromDigits>> Scaled<$zeros, Whole> for $odd {
            type Output = <Whole::Output as FromDigits>::Output;
        })*
    };
}
scaled!((((((((), ()), ()), ()), ()), ()), ()), 1 << 6; * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * *);

/// An odd number beyond 15.
impl<U, A, B, C, D, Zeros, Whole> Scaled<Zeros, Whole> for UInt<UInt<UInt<UInt<UInt<U, A>, B>, C>, D>, B1>
where
    Whole: ToDigits<Nil, Output: FromDigits>,
{
    type Output = <Whole::Output as FromDigits>::Output;
}

/// The decimal digits of a number, in front of the digits `Behind`.
pub trait ToDigits<Behind> {
    type Output;
}
impl<Behind> ToDigits<Behind> for UTerm {
    type Output = Behind;
}
impl<U, B, Behind> ToDigits<Behind> for UInt<U, B>
where
    Self: LastDigit<Digit: Show>,
    <Self as LastDigit>::Rest: ToDigits<Cons<Shown<<Self as LastDigit>::Digit>, Behind>>,
{
    type Output = <<Self as LastDigit>::Rest as ToDigits<Cons<Shown<<Self as LastDigit>::Digit>, Behind>>>::Output;
}

/// A number as its last decimal digit and the rest.
pub trait LastDigit {
    type Digit;
    type Rest;
}
impl<A: DivideInt<Int<10>>> LastDigit for A {
    type Digit = A::Remainder;
    type Rest = A::Quotient;
}

/// A list of digits as one type.
pub trait FromDigits {
    type Output;
}
macro_rules! from_digits {
    ($($digit:ident)*) => {
        impl<$(const $digit: usize),*> FromDigits for from_digits!(@list $($digit)*) {
            type Output = N<$($digit),*>;
        }
    };
    (@list) => { Nil };
    (@list $first:ident $($more:ident)*) => { Cons<N<$first>, from_digits!(@list $($more)*)> };
    (@each $($digit:ident)*;) => {};
    (@each $($digit:ident)*; $next:ident $($more:ident)*) => {
        from_digits!($($digit)* $next);
        from_digits!(@each $($digit)* $next; $($more)*);
    };
}
from_digits!(@each A B C; D E F G H I J K L M O P Q R S T U);
