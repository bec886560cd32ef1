//! Numbers and trees as compiler messages show them: `N<20>` in place of typenum's bits.
//!
//! Only error messages need these traits; a program that compiles never uses them.

use core::marker::PhantomData;

use typenum::{B0, B1, UInt, UTerm};

use crate::list::{Cons, Leaf, Nested, Nil, Untangle, Whole};
use crate::number::int::{Int, One};
use crate::number::multiple::Multiple;
use crate::number::quotient::DivideInt;

/// A static integer in a compiler message: the number `V` in decimals, `N<20>`. A number beyond
/// 4095 that is no small multiple of a power of two is written by its digits: `N<4, 0, 9, 7>` is
/// 4097.
pub struct N<
    const V: u64,
    const D1: u64 = 10,
    const D2: u64 = 10,
    const D3: u64 = 10,
    const D4: u64 = 10,
    const D5: u64 = 10,
    const D6: u64 = 10,
    const D7: u64 = 10,
    const D8: u64 = 10,
    const D9: u64 = 10,
    const D10: u64 = 10,
    const D11: u64 = 10,
    const D12: u64 = 10,
    const D13: u64 = 10,
    const D14: u64 = 10,
    const D15: u64 = 10,
    const D16: u64 = 10,
    const D17: u64 = 10,
    const D18: u64 = 10,
    const D19: u64 = 10,
>;

/// The form of a type in a compiler message.
pub trait Show {
    type Output;
}
/// The form of `T` in a compiler message.
pub type Shown<T> = <T as Show>::Output;

impl<T: Nested<Node: ShowNode>> Show for T {
    type Output = <T::Node as ShowNode>::Output;
}

// ---- trees --------------------------------------------------------------------------------------

/// [`Show`] for a node: the tuple of what it shows.
pub trait ShowNode {
    type Output;
}
cases! { ShowNode:
    [H, T] Cons<H, T> where (Cons<H, T>: ShowList<Output: Untangle>) => <<Self as ShowList>::Output as Untangle>::Tree;
    [] Leaf<usize> => usize;
    [F: Show] Leaf<Multiple<F>> => Multiple<F::Output>;
    [] Whole => core::ops::RangeFull;
    [] Leaf<UTerm> => N<0>;
    [U, B] Leaf<UInt<U, B>> where (UInt<U, B>: ShowInt) => <UInt<U, B> as ShowInt>::Output;
}

/// [`Show`] for every item of a list.
pub trait ShowList {
    type Output;
}
cases! { ShowList:
    [] Nil => Nil;
    [H: Show, T: ShowList] Cons<H, T> => Cons<H::Output, T::Output>;
}

// ---- numbers ------------------------------------------------------------------------------------

/// [`Show`] for a static integer. Three cases: below 4096, a small multiple of a power of two, any
/// other.
///
/// The numbers stand in rows of 32, which the five lowest bits pick from: a row is one type, and so
/// has one impl instead of 32. With one for each number, checking the impls against one another
/// took longer than all else in the crate.
pub trait ShowInt {
    type Output;
}

/// Hands a macro the places in a row: a name, and its number in bits.
macro_rules! each_place {
    ($macro:ident!) => {
        $macro! {
            T0 B0 B0 B0 B0 B0; T1 B0 B0 B0 B0 B1; T2 B0 B0 B0 B1 B0; T3 B0 B0 B0 B1 B1;
            T4 B0 B0 B1 B0 B0; T5 B0 B0 B1 B0 B1; T6 B0 B0 B1 B1 B0; T7 B0 B0 B1 B1 B1;
            T8 B0 B1 B0 B0 B0; T9 B0 B1 B0 B0 B1; T10 B0 B1 B0 B1 B0; T11 B0 B1 B0 B1 B1;
            T12 B0 B1 B1 B0 B0; T13 B0 B1 B1 B0 B1; T14 B0 B1 B1 B1 B0; T15 B0 B1 B1 B1 B1;
            T16 B1 B0 B0 B0 B0; T17 B1 B0 B0 B0 B1; T18 B1 B0 B0 B1 B0; T19 B1 B0 B0 B1 B1;
            T20 B1 B0 B1 B0 B0; T21 B1 B0 B1 B0 B1; T22 B1 B0 B1 B1 B0; T23 B1 B0 B1 B1 B1;
            T24 B1 B1 B0 B0 B0; T25 B1 B1 B0 B0 B1; T26 B1 B1 B0 B1 B0; T27 B1 B1 B0 B1 B1;
            T28 B1 B1 B1 B0 B0; T29 B1 B1 B1 B0 B1; T30 B1 B1 B1 B1 B0; T31 B1 B1 B1 B1 B1;
        }
    };
}

/// A row of numbers. Its impls have no parameters, so that what an impl asks for is kept for each
/// number.
pub trait RowOf {
    type Row;
}
macro_rules! declare_row {
    ($($name:ident $($bit:ident)*;)*) => {
        /// 32 numbers.
        pub struct Row<$(const $name: u64),*>;
        /// The number in the row `R` at the place `self`.
        pub trait Pick<R> {
            type Output;
        }
        declare_row!(@each ($($name)*) $($name $($bit)*;)*);
    };
    (@each $all:tt $($name:ident $($bit:ident)*;)*) => { $(declare_row!(@one $all $name $($bit)*);)* };
    (@one ($($all:ident)*) $name:ident $($bit:ident)*) => {
        impl<$(const $all: u64),*> Pick<Row<$($all),*>> for Place<$($bit),*> {
            type Output = N<$name>;
        }
    };
}
each_place!(declare_row!);

/// A place in a row, in bits.
pub struct Place<A, B, C, D, E>(PhantomData<(A, B, C, D, E)>);

/// A number below 32 as a place in a row.
pub trait AsPlace {
    type Place;
}
macro_rules! as_places {
    ($([$($bit:ident)*] $int:ty: $($zero:ident)*;)*) => {
        $(impl<$($bit),*> AsPlace for $int {
            type Place = Place<$($zero,)* $($bit),*>;
        })*
    };
}
as_places! {
    [] UTerm: B0 B0 B0 B0 B0;
    [] One: B0 B0 B0 B0 B1;
    [E] UInt<One, E>: B0 B0 B0 B1;
    [D E] UInt<UInt<One, D>, E>: B0 B0 B1;
    [C D E] UInt<UInt<UInt<One, C>, D>, E>: B0 B1;
    [B C D E] UInt<UInt<UInt<UInt<One, B>, C>, D>, E>: B1;
}
/// The numbers of at most five bits, and those above the places of numbers that have rows: their
/// types
/// by what is not known of them.
macro_rules! by_bits {
    ($macro:ident) => {
        $macro! {
            [] One; [E] UInt<One, E>; [D E] UInt<UInt<One, D>, E>; [C D E] UInt<UInt<UInt<One, C>, D>, E>;
            [B C D E] UInt<UInt<UInt<UInt<One, B>, C>, D>, E>;
        }
    };
}
macro_rules! below_32 {
    ($([$($bit:ident)*] $int:ty;)*) => {
        $(impl<$($bit),*> ShowInt for $int
        where
            Self: AsPlace<Place: Pick<<UTerm as RowOf>::Row>>,
        {
            type Output = <<Self as AsPlace>::Place as Pick<<UTerm as RowOf>::Row>>::Output;
        })*
    };
}
by_bits!(below_32);
impl<U, High, A, B, C, D, E> ShowInt for UInt<UInt<UInt<UInt<UInt<UInt<U, High>, A>, B>, C>, D>, E>
where
    UInt<U, High>: ShowAbove<Place<A, B, C, D, E>, Self>,
{
    type Output = <UInt<U, High> as ShowAbove<Place<A, B, C, D, E>, Self>>::Output;
}

/// What is shown for the number `Whole`, whose bits above the place `P` are `self`.
pub trait ShowAbove<P, Whole> {
    type Output;
}
/// The rows above the places of the first 128 numbers.
macro_rules! below_4096 {
    ($($above:ident: $($number:literal)*;)*) => {
        $(impl RowOf for typenum::consts::$above {
            type Row = Row<$($number),*>;
        })*
    };
}
macro_rules! show_above {
    ($([$($bit:ident)*] $int:ty;)*) => {
        $(impl<$($bit,)* P, Whole> ShowAbove<P, Whole> for $int
        where
            Self: RowOf,
            P: Pick<<Self as RowOf>::Row>,
        {
            type Output = P::Output;
        })*
    };
}
by_bits!(show_above);
show_above! {
    [A B C D E] UInt<UInt<UInt<UInt<UInt<One, A>, B>, C>, D>, E>;
    [A B C D E F] UInt<UInt<UInt<UInt<UInt<UInt<One, A>, B>, C>, D>, E>, F>;
}

/// A number of at least 13 bits: an odd number and the zeros behind that.
impl<U, A, B, C, D, E, F, G, H, P, Whole> ShowAbove<P, Whole>
    for UInt<UInt<UInt<UInt<UInt<UInt<UInt<UInt<U, A>, B>, C>, D>, E>, F>, G>, H>
where
    Whole: StripZeros<(), Odd: Scaled<<Whole as StripZeros<()>>::Zeros, Whole>>,
{
    type Output =
        <<Whole as StripZeros<()>>::Odd as Scaled<<Whole as StripZeros<()>>::Zeros, Whole>>::Output;
}

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
impl<Zeros: Multiples<Place<B0, B0, B0, B0, B0>, Whole>, Whole> Scaled<Zeros, Whole> for One {
    type Output = Zeros::Output;
}
macro_rules! odd_below_64 {
    ($([$($bit:ident)*] $half:ty;)*) => {
        $(impl<Zeros, Whole, $($bit),*> Scaled<Zeros, Whole> for UInt<$half, B1>
        where
            $half: AsPlace,
            Zeros: Multiples<<$half as AsPlace>::Place, Whole>,
        {
            type Output = Zeros::Output;
        })*
    };
}
by_bits!(odd_below_64);
impl<U, A, B, C, D, E, F, Zeros, Whole> Scaled<Zeros, Whole>
    for UInt<UInt<UInt<UInt<UInt<UInt<UInt<U, A>, B>, C>, D>, E>, F>, B1>
where
    Whole: ToDigits<(), Output: FromDigits>,
{
    type Output = <Whole::Output as FromDigits>::Output;
}

/// What is shown for the number `Whole`: the odd number at the place `P`, times the power of two
/// with the zeros `self`.
pub trait Multiples<P, Whole> {
    type Output;
}
macro_rules! multiples {
    ($zeros:ty;) => {
        /// More zeros than the table has.
        impl<More, P, Whole: ToDigits<(), Output: FromDigits>> Multiples<P, Whole> for ($zeros, More) {
            type Output = <Whole::Output as FromDigits>::Output;
        }
    };
    ($zeros:ty; [$($number:literal)*] $($more:tt)*) => {
        impl RowOf for ($zeros, ()) {
            type Row = Row<$($number),*>;
        }
        impl<P: Pick<<Self as RowOf>::Row>, Whole> Multiples<P, Whole> for ($zeros, ()) {
            type Output = P::Output;
        }
        multiples!(($zeros, ()); $($more)*);
    };
}
include!("decimals.in");

/// The decimal digits of a number, in front of the digits `Behind`: pairs of a digit and the rest,
/// as a list that takes less nesting in the JSON of rustdoc, of which its readers take 128 levels.
pub trait ToDigits<Behind> {
    type Output;
}
cases! { ToDigits:
    [Behind] UTerm, Behind => Behind;
    [U, B, Behind] UInt<U, B>, Behind
        where (
            Self: LastDigit<Digit: Show>,
            <Self as LastDigit>::Rest: ToDigits<(Shown<<Self as LastDigit>::Digit>, Behind)>,
        ) => <<Self as LastDigit>::Rest as ToDigits<(Shown<<Self as LastDigit>::Digit>, Behind)>>::Output;
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
        impl<$(const $digit: u64),*> FromDigits for from_digits!(@list $($digit)*) {
            type Output = N<$($digit),*>;
        }
    };
    (@list) => { () };
    (@list $first:ident $($more:ident)*) => { (N<$first>, from_digits!(@list $($more)*)) };
    (@each $($digit:ident)*;) => {};
    (@each $($digit:ident)*; $next:ident $($more:ident)*) => {
        from_digits!($($digit)* $next);
        from_digits!(@each $($digit)* $next; $($more)*);
    };
}
from_digits!(@each A B C; D E F G H I J K L M O P Q R S T U);

#[cfg(all(test, feature = "macros"))]
mod tests {
    use super::*;
    use crate::number::int::StaticInt;

    /// The number that is shown in one part, or by its digits.
    trait Read {
        const PARTS: u64;
        const NUMBER: u64;
    }
    impl<const A: u64, const B: u64, const C: u64, const D: u64> Read for N<A, B, C, D> {
        const PARTS: u64 = if B == 10 { 1 } else { 4 };
        const NUMBER: u64 = if B == 10 { A } else { 1000 * A + 100 * B + 10 * C + D };
    }
    fn shows<T: ShowInt<Output: Read> + StaticInt>(parts: u64) {
        assert_eq!((T::Output::PARTS, T::Output::NUMBER), (parts, T::VALUE as u64));
    }

    #[test]
    fn what_is_shown_is_the_number() {
        macro_rules! shown {
            ($parts:literal: $($number:literal)*) => { $(shows::<layout_macros::Int!($number)>($parts);)* };
        }
        shown! { 1: 1 2 3 6 9 21 31 32 33 63 64 100 127 128 500 1000 1023 1024 }
        shown! { 1: 1025 1537 2047 2049 3001 4000 4094 4095 }
        // Multiples of powers of two.
        shown! { 1: 4096 4224 8064 12288 24576 31744 32256 65536 1015808 66060288 }
        #[cfg(target_pointer_width = "64")]
        shown! { 1: 4294967296 2199023255552 138538465099776 }
        shown! { 4: 4097 4160 5001 8000 9999 }
    }

    /// The table has the numbers that it says.
    #[test]
    fn the_table_follows_its_rule() {
        let table = include_str!("decimals.in");
        let words = || {
            table
                .lines()
                .filter(|line| !line.starts_with("//"))
                .flat_map(|line| line.split([' ', ';', ':']))
        };
        let multiples =
            (7..42).flat_map(|zeros| (0..32u64).map(move |half| (2 * half + 1) << zeros));
        let mut numbers = words().filter_map(|word| word.parse::<u64>().ok());
        assert!(numbers.by_ref().take(4096).eq(0..4096u64));
        assert!(numbers.eq(multiples));
        let heads = words().filter_map(|word| word.strip_prefix('U')?.parse::<u64>().ok());
        assert!(heads.eq(0..128u64));
    }
}
