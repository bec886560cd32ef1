//! Swizzles of the same memory in other units: `Swizzle<B, M, S>` in units of `2^k` elements is
//! `Swizzle<B, M - k, S>`, in parts of `2^k` `Swizzle<B, M + k, S>`.
//!
//! A const parameter cannot be computed from another one in a type. So `2^M` is divided and
//! multiplied as a static integer, and the swizzle with that unit is found in a table.

use typenum::{B0, B1, UInt, UTerm};

use super::{DynSwizzle, Swizzle};
use crate::error::LayoutError;
use crate::number::int::{False, MulInt, NotExact, One, StaticInt, True};
use crate::number::quotient::{Exact, Quotient};
use crate::number::table::RunTimeNumber;
use crate::reasons::undefined::Undefined;
use crate::reasons::{SwizzleParts, SwizzleUnit};

/// The function of offsets `self` in units of `Units` elements, and then in parts, `Parts` of them
/// to a unit, both static: [`Exact`] or [`Undefined`].
#[diagnostic::on_unimplemented(
    message = "cannot change the unit of these offsets: only swizzles know theirs",
    label = "`{Self}` is not a swizzle of the types, nor a `DynSwizzle`, nor a chain of such",
    note = "types know swizzles of up to 16 bits below those that they change; `DynSwizzle` knows all"
)]
pub trait CastSwizzle<Units, Parts> {
    type Output;
    fn cast_swizzle(self) -> Result<Self::Output, LayoutError>;
}
cases! { CastSwizzle::cast_swizzle -> Result<Self::Output, LayoutError>:
    [const B: u32, const M: u32, const S: i32, Units, Parts] Swizzle<B, M, S>, Units, Parts
        where (
            Exponent<M>: PowerOfTwo<Output: Quotient<Units>>,
            <UnitOfSwizzle<M> as Quotient<Units>>::Output: WithUnit<Swizzle<B, M, S>, Units, Parts>,
        )
        => <<UnitOfSwizzle<M> as Quotient<Units>>::Output as WithUnit<Self, Units, Parts>>::Output,
        (self) => Ok(<UnitOfSwizzle<M> as Quotient<Units>>::Output::swizzle());
    [Units: StaticInt, Parts: StaticInt] DynSwizzle, Units, Parts => Exact<DynSwizzle>,
        (self) => Ok(Exact(self.upcast(Units::VALUE)?.downcast(Parts::VALUE)?));
}
/// `2^M`, the number of offsets that stay together.
pub(crate) type UnitOfSwizzle<const M: u32> = <Exponent<M> as PowerOfTwo>::Output;

/// The swizzle `Sw` with the unit `self * Parts`, where `self` is an [`Exact`] quotient.
pub trait WithUnit<Sw, Units, Parts> {
    type Output;
    fn swizzle() -> Self::Output;
}
cases! { WithUnit::swizzle -> Self::Output:
    [const B: u32, const M: u32, const S: i32, Units, Parts] NotExact, Swizzle<B, M, S>, Units, Parts
        where (Exponent<M>: PowerOfTwo)
        => Undefined<SwizzleUnit<UnitOfSwizzle<M>, Units>>,
        () => Undefined::new();
    [Q, Sw, Units, Parts: IsPowerOfTwo<Output: SwizzleInParts<Q, Parts, Sw>>] Exact<Q>, Sw, Units, Parts
        => <Parts::Output as SwizzleInParts<Q, Parts, Sw>>::Output,
        () => Parts::Output::swizzle();
}

/// The swizzle `Sw` with the unit `Q * Parts`, if `self` says that this is a power of two.
pub trait SwizzleInParts<Q, Parts, Sw> {
    type Output;
    fn swizzle() -> Self::Output;
}
cases! { SwizzleInParts::swizzle -> Self::Output:
    [Q, Parts, Sw] False, Q, Parts, Sw => Undefined<SwizzleParts<Parts>>, () => Undefined::new();
    [Q: MulInt<Parts, Output: Based<Sw>>, Parts, Sw] True, Q, Parts, Sw => Exact<<Q::Output as Based<Sw>>::Output>,
        () => Exact(Q::Output::BASED);
}

// ---- powers of two ------------------------------------------------------------------------------

/// The number `E` in the exponent.
pub struct Exponent<const E: u32>;
/// The number `|S|` in the exponent.
pub struct Distance<const S: i32>;

/// `2^E` and `2^|S|`
#[diagnostic::on_unimplemented(
    message = "a swizzle above this many bits is unknown to the types",
    label = "`{Self}` is beyond 16",
    note = "`DynSwizzle` knows all swizzles"
)]
pub trait PowerOfTwo {
    /// The power.
    type Output: StaticInt;
}
/// How far above the bits that it reads a swizzle changes others: `2^-S` times, or not at all if it
/// changes lower ones.
pub trait Upwards {
    type Output: StaticInt;
}
/// The swizzle with the bits and the distance of `Sw` and the unit `self`, a power of two.
#[diagnostic::on_unimplemented(
    message = "a swizzle above this many bits is unknown to the types",
    label = "the types know units of up to 65536 elements",
    note = "`DynSwizzle` knows all swizzles"
)]
pub trait Based<Sw> {
    type Output;
    const BASED: Self::Output;
}
macro_rules! powers {
    ($($exponent:literal $power:ident;)*) => {
        $(impl PowerOfTwo for Exponent<$exponent> {
            type Output = typenum::consts::$power;
        }
        impl PowerOfTwo for Distance<$exponent> {
            type Output = typenum::consts::$power;
        }
        impl Upwards for Distance<$exponent> {
            type Output = One;
        }
        impl<const B: u32, const M: u32, const S: i32> Based<Swizzle<B, M, S>> for typenum::consts::$power {
            type Output = Swizzle<B, $exponent, S>;
            const BASED: Self::Output = Swizzle;
        })*
    };
}
powers! {
    0 U1; 1 U2; 2 U4; 3 U8; 4 U16; 5 U32; 6 U64; 7 U128; 8 U256; 9 U512; 10 U1024; 11 U2048; 12 U4096; 13 U8192;
    14 U16384; 15 U32768; 16 U65536;
}
macro_rules! backwards {
    ($($distance:literal)*) => {
        $(impl PowerOfTwo for Distance<-$distance> {
            type Output = typenum::U<{ 1 << $distance }>;
        }
        impl Upwards for Distance<-$distance> {
            type Output = typenum::U<{ 1 << $distance }>;
        })*
    };
}
backwards!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);

/// Of two powers of two, `self` is a multiple of `P`: its exponent is no less.
pub trait MultipleOfPower<P> {}
impl MultipleOfPower<One> for One {}
impl<U> MultipleOfPower<One> for UInt<U, B0> {}
impl<U: MultipleOfPower<P>, P> MultipleOfPower<UInt<P, B0>> for UInt<U, B0> {}

/// Is the number a static power of two?
pub trait IsPowerOfTwo {
    type Output;
}
cases! { IsPowerOfTwo:
    [] UTerm => False;
    [] One => True;
    [U, B] UInt<UInt<U, B>, B0> where (UInt<U, B>: IsPowerOfTwo) => <UInt<U, B> as IsPowerOfTwo>::Output;
    [U, B] UInt<UInt<U, B>, B1> => False;
    [N: RunTimeNumber] N => False;
}
