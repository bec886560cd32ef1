//! Carries in a mode of XOR strides. Its steps are linear in their bits, so that steps of the right layout may neither
//! carry themselves nor share a bit with those of another mode of it.
//!
//! ```text
//! n steps of e        the bits e, 2e, 4e, .. up to the highest one of n - 1; none of i * e carries for i < n
//! ```

use core::marker::PhantomData;

use typenum::{B0, B1, Equal, Greater, Less, UInt, UTerm};

use crate::algebra::coalesce::Unbounded;
use crate::algebra::compose::carry::{AddCarry, BelowExtent};
use crate::algebra::compose::digits::{AddSteps, Carried, CarryOne};
use crate::algebra::compose::step_through::{Emit, Reach, StepThrough};
use crate::algebra::mode::Mode;
use crate::error::Fault;
use crate::list::{Cons, Nil};
use crate::number::int::{AddInt, False, MulInt, One, Order, QuotientInt, StaticInt, SubInt, True};
use crate::number::multiple::Multiple;
use crate::number::table::Times;
use crate::refusal::undefined::Undefined;
use crate::refusal::{DynamicXorStep, XorCarry};

/// The carry of an XOR mode: the bits that steps have used so far, and what they add up to.
pub struct Used<Bits, Sum>(PhantomData<(Bits, Sum)>);

/// The carry of a last XOR mode where a number of steps that only run time knows uses all bits from `From` on.
pub struct UsedFrom<Bits, From>(PhantomData<(Bits, From)>);

// ---- the bits of steps --------------------------------------------------------------------------------------------

/// Have two numbers no bit in common? [`True`] or [`False`].
pub trait ShareNoBit<R> {
    type Output;
}
cases! { ShareNoBit:
    [R] UTerm, R => True;
    [U, B] UInt<U, B>, UTerm => True;
    [U: ShareNoBit<V>, V] UInt<U, B0>, UInt<V, B0> => U::Output;
    [U: ShareNoBit<V>, V] UInt<U, B0>, UInt<V, B1> => U::Output;
    [U: ShareNoBit<V>, V] UInt<U, B1>, UInt<V, B0> => U::Output;
    [U, V] UInt<U, B1>, UInt<V, B1> => False;
}

/// The bits of the steps of `self` that reach `X`: all of `i * self`. [`Carrying`] if one of them carries.
pub trait BitsUpTo<X> {
    type Output;
}
/// Steps carry.
pub struct Carrying;
cases! { BitsUpTo:
    [X: Filled] One, X => X::Output;
    // Up to four zeros a step: what reaches as far ends in as many.
    [E, V] UInt<UInt<E, B1>, B0>, UInt<V, B0> where (UInt<E, B1>: BitsUpTo<V, Output: BehindZeros>)
        => <<UInt<E, B1> as BitsUpTo<V>>::Output as BehindZeros>::One;
    [E, V] UInt<UInt<UInt<E, B1>, B0>, B0>, UInt<UInt<V, B0>, B0> where (UInt<E, B1>: BitsUpTo<V, Output: BehindZeros>)
        => <<UInt<E, B1> as BitsUpTo<V>>::Output as BehindZeros>::Two;
    [E, V] UInt<UInt<UInt<UInt<E, B1>, B0>, B0>, B0>, UInt<UInt<UInt<V, B0>, B0>, B0>
        where (UInt<E, B1>: BitsUpTo<V, Output: BehindZeros>)
        => <<UInt<E, B1> as BitsUpTo<V>>::Output as BehindZeros>::Three;
    [E: BitsUpTo<V, Output: BehindZeros>, V]
        UInt<UInt<UInt<UInt<E, B0>, B0>, B0>, B0>, UInt<UInt<UInt<UInt<V, B0>, B0>, B0>, B0>
        => <E::Output as BehindZeros>::Four;
    [E] UInt<E, B0>, UTerm => UTerm;
    // An odd step: copies of it as far apart as bits of the steps are must share none.
    [E, A, X: QuotientInt<Self, Output: StepsWithout<Self, UInt<Self, B0>, UInt<One, B0>>>] UInt<UInt<E, A>, B1>, X
        => <X::Output as StepsWithout<Self, UInt<Self, B0>, UInt<One, B0>>>::Output;
}
/// Bits with so many zeros below them, or [`Carrying`].
pub trait BehindZeros {
    type One;
    type Two;
    type Three;
    type Four;
}
macro_rules! behind_zeros {
    ($([$($generic:ident)*] $bits:ty => $one:ty, $two:ty, $three:ty, $four:ty;)*) => {
        $(impl<$($generic),*> BehindZeros for $bits {
            type One = $one;
            type Two = $two;
            type Three = $three;
            type Four = $four;
        })*
    };
}
behind_zeros! {
    [] Carrying => Self, Self, Self, Self;
    [] UTerm => Self, Self, Self, Self;
    [U B] UInt<U, B> => UInt<Self, B0>, UInt<UInt<Self, B0>, B0>, UInt<UInt<UInt<Self, B0>, B0>, B0>,
        UInt<UInt<UInt<UInt<Self, B0>, B0>, B0>, B0>;
}
/// All bits from the highest one of the number on down.
pub trait Filled {
    type Output;
}
cases! { Filled:
    [] UTerm => UTerm;
    [U: Filled, B] UInt<U, B> => UInt<U::Output, B1>;
}

/// The bits of steps of `E`, the last of which is number `self`: while `2^gap`, `Power`, is below that, `E` and `2^gap`
/// times it, `Shifted`, must share none.
pub trait StepsWithout<E, Shifted, Power> {
    type Output;
}
cases! { StepsWithout:
    [E, Shifted, Power] UTerm, E, Shifted, Power => UTerm;
    [U, B, E, Shifted, Power] UInt<U, B>, E, Shifted, Power
        where (Self: Order<Power>, <Self as Order<Power>>::Output: StepsBeyond<Self, E, Shifted, Power>)
        => <<Self as Order<Power>>::Output as StepsBeyond<Self, E, Shifted, Power>>::Output;
}
/// [`StepsWithout`] of `Last`; `self` is the order of that and the power of two.
pub trait StepsBeyond<Last, E, Shifted, Power> {
    type Output;
}
cases! { StepsBeyond:
    [Last: CopiesOf<E>, E, Shifted, Power] Less, Last, E, Shifted, Power => Last::Output;
    [Last: CopiesOf<E>, E, Shifted, Power] Equal, Last, E, Shifted, Power => Last::Output;
    [Last, E: ShareNoBit<Shifted, Output: CopyGap<Last, E, Shifted, Power>>, Shifted, Power] Greater, Last, E, Shifted, Power
        => <E::Output as CopyGap<Last, E, Shifted, Power>>::Output;
}
/// [`StepsWithout`] for the next gap, if `self` says that this one leaves the copies apart.
pub trait CopyGap<Last, E, Shifted, Power> {
    type Output;
}
cases! { CopyGap:
    [Last, E, Shifted, Power] False, Last, E, Shifted, Power => Carrying;
    [Last: StepsWithout<E, UInt<Shifted, B0>, UInt<Power, B0>>, E, Shifted, Power] True, Last, E, Shifted, Power
        => Last::Output;
}
/// The bits of `E`, `2E`, .. one for each bit of the number.
pub trait CopiesOf<E> {
    type Output;
}
cases! { CopiesOf:
    [E] One, E => E;
    [U, A, B, E] UInt<UInt<U, A>, B>, E where (UInt<U, A>: CopiesOf<UInt<E, B0>, Output: Union<E>>)
        => <<UInt<U, A> as CopiesOf<UInt<E, B0>>>::Output as Union<E>>::Output;
}
/// The bits of both numbers.
pub trait Union<R> {
    type Output: StaticInt;
}
cases! { Union:
    [R: StaticInt] UTerm, R => R;
    [U, B] UInt<U, B>, UTerm where (Self: StaticInt) => Self;
    [U: Union<V>, V] UInt<U, B0>, UInt<V, B0> => <U::Output as StaticInt>::Double;
    [U: Union<V>, V] UInt<U, B0>, UInt<V, B1> => <U::Output as StaticInt>::DoubleAndOne;
    [U: Union<V>, V] UInt<U, B1>, UInt<V, B0> => <U::Output as StaticInt>::DoubleAndOne;
    [U: Union<V>, V] UInt<U, B1>, UInt<V, B1> => <U::Output as StaticInt>::DoubleAndOne;
}

// ---- carries ------------------------------------------------------------------------------------------------------

/// Steps of `E` that reach `X`, in an XOR mode of extent `S` and stride `D`.
impl<Bits, Sum, X, E, S, D> AddCarry<X, E, S, D> for Used<Bits, Sum>
where
    E: BitsUpTo<X, Output: JoinBits<Self, X, E, S, D>>,
{
    type Output = <E::Output as JoinBits<Self, X, E, S, D>>::Output;
}
impl<Bits, From, X, E, S, D> AddCarry<X, E, S, D> for UsedFrom<Bits, From>
where
    E: BitsUpTo<X, Output: JoinBits<Self, X, E, S, D>>,
{
    type Output = <E::Output as JoinBits<Self, X, E, S, D>>::Output;
}
/// The carry `Before` with the bits `self`, of steps of `E` that reach `X`.
pub trait JoinBits<Before, X, E, S, D> {
    type Output;
}
cases! { JoinBits:
    [Before, X, E, S, D] Carrying, Before, X, E, S, D => Undefined<XorCarry<E>>;
    // No steps are taken in this mode.
    [Before, X, E, S, D] UTerm, Before, X, E, S, D => Before;
    // The first to come are below the extent by themselves.
    [U, B, X, E, S, D] UInt<U, B>, Used<UTerm, UTerm>, X, E, S, D => Used<Self, X>;
    [U, B, V, C, Sum, X, E, S, D] UInt<U, B>, Used<UInt<V, C>, Sum>, X, E, S, D
        where (Self: ShareNoBit<UInt<V, C>, Output: IfApart<Self, UInt<V, C>, Sum, X, E, S, D>>)
        => <<Self as ShareNoBit<UInt<V, C>>>::Output as IfApart<Self, UInt<V, C>, Sum, X, E, S, D>>::Output;
    [U, B, Bits, From, X, E, S, D] UInt<U, B>, UsedFrom<Bits, From>, X, E, S, D
        where (
            Self: Order<From> + ShareNoBit<Bits, Output: OrXorCarry<Self, E>>,
            <Self as Order<From>>::Output:
                BelowOpen<<<Self as ShareNoBit<Bits>>::Output as OrXorCarry<Self, E>>::Output, Bits, From, E>,
        )
        => <<Self as Order<From>>::Output
            as BelowOpen<<<Self as ShareNoBit<Bits>>::Output as OrXorCarry<Self, E>>::Output, Bits, From, E>>::Output;
}
/// The bits, if `self` says that these are others.
pub trait OrXorCarry<Bits, E> {
    type Output;
}
cases! { OrXorCarry:
    [Bits, E] False, Bits, E => Undefined<XorCarry<E>>;
    [Bits, E] True, Bits, E => Bits;
}
/// The carry `Used<Before, Sum>` with `Bits` more, if `self` says that these are others.
pub trait IfApart<Bits, Before, Sum, X, E, S, D> {
    type Output;
}
cases! { IfApart:
    [Bits, Before, Sum, X, E, S, D] False, Bits, Before, Sum, X, E, S, D => Undefined<XorCarry<E>>;
    [Bits: Union<Before>, Before, Sum: AddInt<X>, X, E, D] True, Bits, Before, Sum, X, E, Unbounded, D
        => Used<Bits::Output, Sum::Output>;
    // Of extents that are no powers of two, the sum may reach the end all the same.
    [Bits: Union<Before>, Before, Sum: AddInt<X, Output: Order<UInt<U, B>>>, X, E, U, B, D]
        True, Bits, Before, Sum, X, E, UInt<U, B>, D
        where (
            <Sum::Output as Order<UInt<U, B>>>::Output: BelowExtent<Sum::Output, UInt<U, B>, D>,
            <<Sum::Output as Order<UInt<U, B>>>::Output as BelowExtent<Sum::Output, UInt<U, B>, D>>::Output:
                WithBits<Bits::Output>,
        )
        => <<<Sum::Output as Order<UInt<U, B>>>::Output as BelowExtent<Sum::Output, UInt<U, B>, D>>::Output
            as WithBits<Bits::Output>>::Output;
}
/// The sum `self` with the bits.
pub trait WithBits<Bits> {
    type Output;
}
cases! { WithBits:
    [U, B, Bits] UInt<U, B>, Bits => Used<Bits, Self>;
    [R, Bits] Undefined<R>, Bits => Self;
}
/// The bits `Bits` and `Before`, if the first are below those that are all used from `From` on; `self` is the order.
pub trait BelowOpen<Bits, Before, From, E> {
    type Output;
}
cases! { BelowOpen:
    [R, Before, From, E] Less, Undefined<R>, Before, From, E => Undefined<R>;
    [U, B, Before, From, E] Less, UInt<U, B>, Before, From, E where (UInt<U, B>: Union<Before>)
        => UsedFrom<<UInt<U, B> as Union<Before>>::Output, From>;
    [Before, From, E] Less, UTerm, Before, From, E => UsedFrom<Before, From>;
    [Bits, Before, From, E] Equal, Bits, Before, From, E => Undefined<XorCarry<E>>;
    [Bits, Before, From, E] Greater, Bits, Before, From, E => Undefined<XorCarry<E>>;
}

/// [`AddSteps`] to the carry of an XOR mode.
macro_rules! add_steps {
    ($([$($generic:ident)*] $carry:ty;)*) => {
        $(impl<Steps: MulInt<C>, C, S, D, $($generic),*> AddSteps<Steps, C, S, D> for $carry
        where
            C: DigitSteps<Self, Steps::Output, S, D>,
        {
            type Output = C::Output;
        }
        impl<Tail, $($generic),*> CarryOne<Carried<Tail>> for $carry {
            type Output = Carried<Cons<Self, Tail>>;
        }
        impl<R, $($generic),*> CarryOne<Undefined<R>> for $carry {
            type Output = Undefined<R>;
        })*
    };
}
add_steps! { [Bits Sum] Used<Bits, Sum>; [Bits From] UsedFrom<Bits, From>; }
/// The carry `Before` with steps of `self` that reach `X`; of a digit of 0 there are none.
pub trait DigitSteps<Before, X, S, D> {
    type Output;
}
cases! { DigitSteps:
    [Before, X, S, D] UTerm, Before, X, S, D => Before;
    [U, B, Before: AddCarry<X, UInt<U, B>, S, D>, X, S, D] UInt<U, B>, Before, X, S, D => Before::Output;
}

// ---- the last mode ------------------------------------------------------------------------------------------------

/// The carry `self` of a last mode with `N` steps of `E`.
pub trait AddInLast<N, E, D> {
    type Output;
}
cases! { AddInLast:
    [Bits, Sum, U, B, E, D] Used<Bits, Sum>, UInt<U, B>, E, D
        where (UInt<U, B>: MulInt<E, Output: SubInt<E>>, Self: AddCarry<Reach<UInt<U, B>, E>, E, Unbounded, D>)
        => <Self as AddCarry<Reach<UInt<U, B>, E>, E, Unbounded, D>>::Output;
    [Bits, From, U, B, E, D] UsedFrom<Bits, From>, UInt<U, B>, E, D
        where (UInt<U, B>: MulInt<E, Output: SubInt<E>>, Self: AddCarry<Reach<UInt<U, B>, E>, E, Unbounded, D>)
        => <Self as AddCarry<Reach<UInt<U, B>, E>, E, Unbounded, D>>::Output;
    // A number of steps that only run time knows uses all bits from that of the step on.
    [Bits, Sum, E: OpenFrom<E, Bits>, D] Used<Bits, Sum>, usize, E, D => E::Output;
    [Bits, Sum, F, E: OpenFrom<E, Bits>, D] Used<Bits, Sum>, Multiple<F>, E, D => E::Output;
    [Bits, From, E, D] UsedFrom<Bits, From>, usize, E, D => Undefined<XorCarry<E>>;
    [Bits, From, F, E, D] UsedFrom<Bits, From>, Multiple<F>, E, D => Undefined<XorCarry<E>>;
}
/// All bits from the step `E` on, beside the bits `Before`: `E` has to be a power of two. `self` is `E`, shifted down.
pub trait OpenFrom<E, Before> {
    type Output;
}
cases! { OpenFrom:
    [U: OpenFrom<E, Before>, E, Before] UInt<U, B0>, E, Before => U::Output;
    [U, A, E, Before] UInt<UInt<U, A>, B1>, E, Before => Undefined<XorCarry<E>>;
    [E, Before: Order<E, Output: BelowOpen<UTerm, Before, E, E>>] One, E, Before
        => <Before::Output as BelowOpen<UTerm, Before, E, E>>::Output;
}

/// A mode of the result in the last, XOR mode of the left layout, if its carry, `self`, is in order.
macro_rules! last_xor_mode {
    ($([$($generic:ident)*] $carry:ty;)*) => {
        $(impl<N, E: Times<D>, D, Out, S, $($generic),*> InLast<N, E, D, Out, S> for $carry
        where
            Self: AddInLast<N, E, D, Output: Emit<N, E::Output, Out, Nil>>,
        {
            type Output = <<Self as AddInLast<N, E, D>>::Output as Emit<N, E::Output, Out, Nil>>::Output;
            #[inline]
            fn in_last(modes: &Cons<Mode<S, D>, Nil>, extent: N, step: E, out: Out) -> Result<Self::Output, Fault> {
                let mode = Mode { shape: extent, stride: step.times(&modes.head.stride)? };
                Ok(<Self as AddInLast<N, E, D>>::Output::emit(mode, out))
            }
        })*
    };
}
last_xor_mode! { [Bits Sum] Used<Bits, Sum>; [Bits From] UsedFrom<Bits, From>; }
/// `N` steps of `E` in the last mode, `S:D`; `self` is its carry, which only XOR modes have.
pub trait InLast<N, E, D, Out, S> {
    type Output;
    fn in_last(modes: &Cons<Mode<S, D>, Nil>, extent: N, step: E, out: Out) -> Result<Self::Output, Fault>;
}
impl<S, D, N, U, B, Out, C: InLast<N, UInt<U, B>, D, Out, S>> StepThrough<N, UInt<U, B>, Out, Cons<C, Nil>>
    for Cons<Mode<S, D>, Nil>
{
    type Output = C::Output;
    #[inline]
    fn step_through(&self, extent: N, step: UInt<U, B>, out: Out) -> Result<Self::Output, Fault> {
        C::in_last(self, extent, step, out)
    }
}
/// Whether steps that only run time knows carry is not known.
macro_rules! dynamic_steps {
    ($([$($generic:ident)*] $step:ty;)*) => {
        $(impl<S, D, N, Out, C, $($generic),*> StepThrough<N, $step, Out, Cons<C, Nil>> for Cons<Mode<S, D>, Nil> {
            type Output = Undefined<DynamicXorStep>;
            #[inline]
            fn step_through(&self, _: N, _: $step, _: Out) -> Result<Self::Output, Fault> {
                Ok(Undefined::new())
            }
        })*
    };
}
dynamic_steps! { [] usize; [Factor] Multiple<Factor>; }
