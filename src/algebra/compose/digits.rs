//! The general rule of composition: a step with digits in several modes.
//!
//! Write the step `e` in the mixed radix of `A`'s extents: `e = sum c_j * s_0 .. s_(j-1)`. Multiples of `e` stay
//! linear until a digit overflows, which is after `t = min ceil(s_j / c_j)` steps. So the result has the mode
//! `t : A(e)`, and `n / t` steps of `t * e` go on from there; `t` has to divide `n`. Long division is dear, and
//! no everyday layout comes here.

use core::marker::PhantomData;

use typenum::{Equal, Greater, Less, UInt, UTerm};

use crate::algebra::compose::carry::{AddCarry, ModesAndCarries};
use crate::algebra::compose::one_mode::{CarryOfOne, OfOneMode, StepsOut};
use crate::algebra::mode::Mode;
use crate::error::Fault;
use crate::list::{Cons, Nil};
use crate::number::int::{DivideInt, MulInt, NotExact, One, Order, RoundQuotient, StaticInt, SubInt};
use crate::number::multiple::Multiple;
use crate::number::table::{Exact, Plus, Quotient, Times};
use crate::refusal::undefined::Undefined;
use crate::refusal::{DynamicExtent, DynamicRightExtent, Empty};

/// The digits of a step in all modes but the last, how many steps stay linear, and where a step leads.
pub struct StepDigits<Digits, Limit, Stride> {
    digits: PhantomData<(Digits, Limit)>,
    stride: Stride,
}
impl<Digits, Limit, Stride> StepDigits<Digits, Limit, Stride> {
    /// A step that leads as far as `stride`.
    #[inline]
    pub fn to(stride: Stride) -> Self {
        StepDigits { digits: PhantomData, stride }
    }
}

/// No digit ever overflows.
pub struct Endless;

/// The step `E` split in the modes `self`: [`StepDigits`], or [`Undefined`].
pub trait SplitStep<E> {
    type Output;
    fn split_step(&self) -> Result<Self::Output, Fault>;
}
cases! { SplitStep::split_step -> Result<Self::Output, Fault>:
    // A row for each kind: one for all would hide the message of an identity layout's step along two axes.
    [D, M, T, E] Cons<Mode<usize, D>, Cons<M, T>>, E => Undefined<DynamicExtent<E>>, (&self) => Ok(Undefined::new());
    [D, M, T, E, Factor] Cons<Mode<Multiple<Factor>, D>, Cons<M, T>>, E => Undefined<DynamicExtent<E>>,
        (&self) => Ok(Undefined::new());
    // Nothing lands in a mode of extent 0.
    [D, M, T, E] Cons<Mode<UTerm, D>, Cons<M, T>>, E => Undefined<Empty>, (&self) => Ok(Undefined::new());
    [U, B, D, M, T, E: DivideInt<UInt<U, B>>] Cons<Mode<UInt<U, B>, D>, Cons<M, T>>, E
        where (Cons<M, T>: SplitStep<E::Quotient, Output: AddDigit<E::Remainder, UInt<U, B>, D>>)
        => <<Cons<M, T> as SplitStep<E::Quotient>>::Output as AddDigit<E::Remainder, UInt<U, B>, D>>::Output,
        (&self) => self.tail.split_step()?.add_digit(&self.head.stride);
}

/// The digit `C` in a mode `S:D` before the digits `self`.
pub trait AddDigit<C, S, D> {
    type Output;
    fn add_digit(self, stride: &D) -> Result<Self::Output, Fault>;
}
impl<C, S, D, Digits, Limit, Stride> AddDigit<C, S, D> for StepDigits<Digits, Limit, Stride>
where
    C: StaticInt + Times<D, Output: Plus<Stride>> + LimitIn<S, Output: Minimum<Limit>>,
{
    type Output = StepDigits<
        Cons<C, Digits>,
        <<C as LimitIn<S>>::Output as Minimum<Limit>>::Output,
        <<C as Times<D>>::Output as Plus<Stride>>::Output,
    >;
    #[inline]
    fn add_digit(self, stride: &D) -> Result<Self::Output, Fault> {
        Ok(StepDigits { digits: PhantomData, stride: C::default().times(stride)?.plus(&self.stride)? })
    }
}
impl<C, S, D, R> AddDigit<C, S, D> for Undefined<R> {
    type Output = Self;
    #[inline]
    fn add_digit(self, _: &D) -> Result<Self, Fault> {
        Ok(self)
    }
}

/// `ceil(S / self)`, after how many steps of a digit it overflows in an extent `S`.
pub trait LimitIn<S> {
    type Output;
}
cases! { LimitIn:
    [S] UTerm, S => Endless;
    [U, B, S: DivideInt<UInt<U, B>>] UInt<U, B>, S where (S::Remainder: RoundQuotient<S::Quotient>)
        => <S::Remainder as RoundQuotient<S::Quotient>>::Output;
}

/// The smaller of two limits.
pub trait Minimum<R> {
    type Output;
}
cases! { Minimum:
    [R] Endless, R => R;
    [U, B] UInt<U, B>, Endless => Self;
    [U, B, V, C] UInt<U, B>, UInt<V, C> where (Self: Order<UInt<V, C>, Output: SmallerOf<Self, UInt<V, C>>>)
        => <<Self as Order<UInt<V, C>>>::Output as SmallerOf<Self, UInt<V, C>>>::Output;
}

/// The smaller of `A` and `B`; `self` is their order.
pub trait SmallerOf<A, B> {
    type Output;
}
cases! { SmallerOf:
    [A, B] Less, A, B => A;
    [A, B] Equal, A, B => A;
    [A, B] Greater, A, B => B;
}

/// The modes `self` composed with `N:E` by the general rule, onto the modes `Out`:
/// [`ModesAndCarries`] or [`Undefined`].
pub trait General<N, E, Out, Carries> {
    type Output;
    fn general(&self, extent: N, step: E, out: Out) -> Result<Self::Output, Fault>;
}
impl<M, T, N, E, Out, Carries> General<N, E, Out, Carries> for Cons<M, T>
where
    Self: Runs<N, E, Out, Carries, Output: OfOneMode<Self, N, E>>,
{
    type Output = <<Self as Runs<N, E, Out, Carries>>::Output as OfOneMode<Self, N, E>>::Output;
    #[inline]
    fn general(&self, extent: N, step: E, out: Out) -> Result<Self::Output, Fault> {
        Ok(self.runs(extent, step, out)?.of_one_mode())
    }
}

/// [`General`], run by run.
pub trait Runs<N, E, Out, Carries> {
    type Output;
    fn runs(&self, extent: N, step: E, out: Out) -> Result<Self::Output, Fault>;
}
impl<M, T, N, E, Out, Carries> Runs<N, E, Out, Carries> for Cons<M, T>
where
    Self: SplitStep<E, Output: Proceed<Self, N, E, Out, Carries>>,
{
    type Output = <<Self as SplitStep<E>>::Output as Proceed<Self, N, E, Out, Carries>>::Output;
    #[inline]
    fn runs(&self, extent: N, _: E, out: Out) -> Result<Self::Output, Fault> {
        self.split_step()?.proceed(self, extent, out)
    }
}

/// The step `E` is split; now the steps.
pub trait Proceed<A, N, E, Out, Carries> {
    type Output;
    fn proceed(self, modes: &A, extent: N, out: Out) -> Result<Self::Output, Fault>;
}
cases! { Proceed::proceed -> Result<Self::Output, Fault>:
    [A, N, E, Out, Carries, R] Undefined<R>, A, N, E, Out, Carries => Self, (self, _: &A, _: N, _: Out) => Ok(self);
    [A, N, E, Out, Carries, Digits, Stride] StepDigits<Digits, Endless, Stride>, A, N, E, Out, Carries
        => ModesAndCarries<Cons<Mode<N, Stride>, Out>, Carries>, (self, _: &A, extent: N, out: Out) => {
        let head = Mode { shape: extent, stride: self.stride };
        Ok(ModesAndCarries { out: Cons { head, tail: out }, carries: PhantomData })
    };
}
macro_rules! dynamic_right_extents {
    ($([$($generic:ident)*] $extent:ty;)*) => {
        $(impl<A, E, Out, Carries, Digits, V, C, Stride, $($generic),*> Proceed<A, $extent, E, Out, Carries>
            for StepDigits<Digits, UInt<V, C>, Stride>
        {
            type Output = Undefined<DynamicRightExtent<E, UInt<V, C>>>;
            #[inline]
            fn proceed(self, _: &A, _: $extent, _: Out) -> Result<Self::Output, Fault> {
                Ok(Undefined::new())
            }
        })*
    };
}
dynamic_right_extents! { [] usize; [Factor] Multiple<Factor>; }
impl<A, U, B, E, Out, Carries, Digits, V, C, Stride> Proceed<A, UInt<U, B>, E, Out, Carries>
    for StepDigits<Digits, UInt<V, C>, Stride>
where
    UInt<U, B>: Order<UInt<V, C>>,
    <UInt<U, B> as Order<UInt<V, C>>>::Output: Turn<A, UInt<U, B>, E, UInt<V, C>, Out, Carries, Digits, Stride>,
{
    type Output = <<UInt<U, B> as Order<UInt<V, C>>>::Output as Turn<
        A,
        UInt<U, B>,
        E,
        UInt<V, C>,
        Out,
        Carries,
        Digits,
        Stride,
    >>::Output;
    #[inline]
    fn proceed(self, modes: &A, extent: UInt<U, B>, out: Out) -> Result<Self::Output, Fault> {
        <UInt<U, B> as Order<UInt<V, C>>>::Output::turn(modes, extent, self.stride, out)
    }
}

/// `Limit` of the `N` steps stay linear; `self` is the order of `N` and `Limit`.
pub trait Turn<A, N, E, Limit, Out, Carries, Digits, Stride> {
    type Output;
    fn turn(modes: &A, extent: N, stride: Stride, out: Out) -> Result<Self::Output, Fault>;
}
macro_rules! all_steps {
    ($($order:ty),*) => {
        $(impl<A, N, E, Limit, Out, Carries, Digits, Stride> Turn<A, N, E, Limit, Out, Carries, Digits, Stride>
            for $order
        where
            N: SubInt<One>,
            A: CarryAll<N::Output, Digits, Carries>,
            A::Output: Settle<N, Stride, Out>,
        {
            type Output = <A::Output as Settle<N, Stride, Out>>::Output;
            #[inline]
            fn turn(_: &A, extent: N, stride: Stride, out: Out) -> Result<Self::Output, Fault> {
                Ok(A::Output::settle(Mode { shape: extent, stride }, out))
            }
        })*
    };
}
all_steps!(Less, Equal);
impl<A, N: Quotient<Limit>, E, Limit, Out, Carries, Digits, Stride> Turn<A, N, E, Limit, Out, Carries, Digits, Stride>
    for Greater
where
    N::Output: TurnOn<A, N, E, Limit, Out, Carries, Digits, Stride>,
{
    type Output = <N::Output as TurnOn<A, N, E, Limit, Out, Carries, Digits, Stride>>::Output;
    #[inline]
    fn turn(modes: &A, _: N, stride: Stride, out: Out) -> Result<Self::Output, Fault> {
        N::Output::turn_on(modes, stride, out)
    }
}

/// `Limit` steps, then the rest of them; `self` is the quotient of `N` and `Limit`.
pub trait TurnOn<A, N, E, Limit, Out, Carries, Digits, Stride> {
    type Output;
    fn turn_on(modes: &A, stride: Stride, out: Out) -> Result<Self::Output, Fault>;
}
cases! { TurnOn::turn_on -> Result<Self::Output, Fault>:
    [A, N, E, Limit, Out, Carries, Digits, Stride] NotExact, A, N, E, Limit, Out, Carries, Digits, Stride
        => Undefined<StepsOut<A, N, E, Limit, Digits>>,
        (_: &A, _: Stride, _: Out) => Ok(Undefined::new());
    [A, N, E, Limit, Out, Carries, Digits, Stride, Q] Exact<Q>, A, N, E, Limit, Out, Carries, Digits, Stride
        where (
            Limit: StaticInt + SubInt<One> + MulInt<E>,
            Q: StaticInt,
            A: CarryAll<<Limit as SubInt<One>>::Output, Digits, Carries>,
            A::Output: SettleAndTurn<A, Limit, Stride, Q, <Limit as MulInt<E>>::Output, Out>,
        )
        => <A::Output as SettleAndTurn<A, Limit, Stride, Q, <Limit as MulInt<E>>::Output, Out>>::Output,
        (modes: &A, stride: Stride, out: Out) =>
            A::Output::settle_and_turn(modes, Mode { shape: Limit::default(), stride }, out);
}

/// The carry `self` with `Steps` steps of `C` more, in the mode `S:D`.
pub trait AddSteps<Steps, C, S, D> {
    type Output;
}
cases! { AddSteps:
    [Steps: MulInt<C>, C, S, D] UTerm, Steps, C, S, D where (Self: AddCarry<Steps::Output, C, S, D>)
        => <Self as AddCarry<Steps::Output, C, S, D>>::Output;
    [U, B, Steps: MulInt<C>, C, S, D] UInt<U, B>, Steps, C, S, D where (Self: AddCarry<Steps::Output, C, S, D>)
        => <Self as AddCarry<Steps::Output, C, S, D>>::Output;
}

/// The carries of all modes.
pub struct Carried<Carries>(PhantomData<Carries>);

/// `Steps` times the digits `Digits` added to the carries in the modes `self`: [`Carried`] or [`Undefined`].
pub trait CarryAll<Steps, Digits, Carries> {
    type Output;
}
cases! { CarryAll:
    [M, Steps] Cons<M, Nil>, Steps, Nil, Nil => Carried<Nil>;
    // Behind a last mode that has a carry.
    [Steps] Nil, Steps, Nil, Nil => Carried<Nil>;
    [S, D, T, Steps, C, CT, C0, C0T] Cons<Mode<S, D>, T>, Steps, Cons<C, CT>, Cons<C0, C0T>
        where (
            C0: AddSteps<Steps, C, S, D>,
            T: CarryAll<Steps, CT, C0T>,
            C0::Output: CarryOne<T::Output>,
        ) => <C0::Output as CarryOne<T::Output>>::Output;
}

/// The carry `self` before the carries `Tail`.
pub trait CarryOne<Tail> {
    type Output;
}
cases! { CarryOne:
    [Tail] UTerm, Carried<Tail> => Carried<Cons<UTerm, Tail>>;
    [U, B, Tail] UInt<U, B>, Carried<Tail> => Carried<Cons<UInt<U, B>, Tail>>;
    [Sum, Step, Tail] CarryOfOne<Sum, Step>, Carried<Tail> => Carried<Cons<CarryOfOne<Sum, Step>, Tail>>;
    [R] UTerm, Undefined<R> => Undefined<R>;
    [U, B, R] UInt<U, B>, Undefined<R> => Undefined<R>;
    [Sum, Step, R] CarryOfOne<Sum, Step>, Undefined<R> => Undefined<R>;
    [Tail, R] Undefined<R>, Tail => Self;
}

/// The mode `N:D` is the last of the result's, if the carries `self` are in order.
pub trait Settle<N, D, Out> {
    type Output;
    fn settle(mode: Mode<N, D>, out: Out) -> Self::Output;
}
cases! { Settle::settle -> Self::Output:
    [N, D, Out, Carries] Carried<Carries>, N, D, Out => ModesAndCarries<Cons<Mode<N, D>, Out>, Carries>,
        (mode: Mode<N, D>, out: Out) => ModesAndCarries { out: Cons { head: mode, tail: out }, carries: PhantomData };
    [N, D, Out, R] Undefined<R>, N, D, Out => Self, (_: Mode<N, D>, _: Out) => Undefined::new();
}

/// The mode `N:D` is one of the result's, if the carries `self` are in order, and `Q` steps of `E` go on.
pub trait SettleAndTurn<A, N, D, Q, E, Out> {
    type Output;
    fn settle_and_turn(modes: &A, mode: Mode<N, D>, out: Out) -> Result<Self::Output, Fault>;
}
cases! { SettleAndTurn::settle_and_turn -> Result<Self::Output, Fault>:
    [A, N, D, Q, E, Out, Carries] Carried<Carries>, A, N, D, Q, E, Out
        where (A: Runs<Q, E, Cons<Mode<N, D>, Out>, Carries>, Q: StaticInt, E: StaticInt)
        => A::Output,
        (modes: &A, mode: Mode<N, D>, out: Out) =>
            modes.runs(Q::default(), E::default(), Cons { head: mode, tail: out });
    [A, N, D, Q, E, Out, R] Undefined<R>, A, N, D, Q, E, Out => Self,
        (_: &A, _: Mode<N, D>, _: Out) => Ok(Undefined::new());
}
