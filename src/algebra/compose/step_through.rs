//! One mode of the right operand, composed: it steps through the modes of the left one.
//!
//! A mode `n:e` of `B` meets the modes `s:d` of `A`, coalesced, the last one unbounded:
//!
//! ```text
//! s divides e      the step passes whole modes of extent s: go on behind it with n:(e/s)
//! (n-1)*e < s      all n steps stay within this mode: the result has the mode n:(e*d)
//! e divides s      s/e steps stay within, and they divide n: the mode (s/e):(e*d), then n/(s/e) steps of 1 behind it
//! otherwise        the step has digits in several modes: the general rule, by long division (`digits`)
//! ```
//!
//! The digits that all modes of `B` together reach in one mode of `A` must not add up to its extent: there
//! `A(x + y) == A(x) + A(y)` would fail. That sum is the *carry*, kept for each mode of `A` but the last.

use core::marker::PhantomData;

use typenum::{Equal, Greater, Less, UInt, UTerm};

use crate::algebra::compose::carry::{AddCarry, ModesAndCarries};
use crate::algebra::compose::digits::General;
use crate::algebra::compose::one_mode::BehindMode;
use crate::algebra::mode::Mode;
use crate::error::Fault;
use crate::list::{Cons, Nil};
use crate::number::int::{MulInt, NotExact, One, Order, StaticInt, SubInt, Zero};
use crate::number::multiple::Multiple;
use crate::number::table::{Exact, Quotient, Times};
use crate::refusal::undefined::Undefined;
use crate::refusal::{DynamicExtent, DynamicRightExtent, DynamicStep, Empty, Steps};

/// `self`, modes of `A`, composed with `N:E`, onto the modes `Out`. The answer is
/// [`ModesAndCarries`], or [`Undefined`].
pub trait StepThrough<N, E, Out, Carries> {
    type Output;
    fn step_through(&self, extent: N, step: E, out: Out) -> Result<Self::Output, Fault>;
}

/// A step of 0 stays where it is.
impl<M, T, N, Out, Carries> StepThrough<N, UTerm, Out, Carries> for Cons<M, T> {
    type Output = ModesAndCarries<Cons<Mode<N, Zero>, Out>, Carries>;
    #[inline]
    fn step_through(&self, extent: N, step: UTerm, out: Out) -> Result<Self::Output, Fault> {
        Ok(ModesAndCarries {
            out: Cons { head: Mode { shape: extent, stride: step }, tail: out },
            carries: PhantomData,
        })
    }
}
/// The last mode has no end.
impl<S, D, N, U, B, Out> StepThrough<N, UInt<U, B>, Out, Nil> for Cons<Mode<S, D>, Nil>
where
    UInt<U, B>: Times<D>,
{
    type Output = ModesAndCarries<Cons<Mode<N, <UInt<U, B> as Times<D>>::Output>, Out>, Nil>;
    #[inline]
    fn step_through(&self, extent: N, step: UInt<U, B>, out: Out) -> Result<Self::Output, Fault> {
        let mode = Mode { shape: extent, stride: step.times(&self.head.stride)? };
        Ok(ModesAndCarries { out: Cons { head: mode, tail: out }, carries: PhantomData })
    }
}
impl<S, D, N, Out> StepThrough<N, usize, Out, Nil> for Cons<Mode<S, D>, Nil>
where
    usize: Times<D>,
{
    type Output = ModesAndCarries<Cons<Mode<N, <usize as Times<D>>::Output>, Out>, Nil>;
    #[inline]
    fn step_through(&self, extent: N, step: usize, out: Out) -> Result<Self::Output, Fault> {
        let mode = Mode { shape: extent, stride: step.times(&self.head.stride)? };
        Ok(ModesAndCarries { out: Cons { head: mode, tail: out }, carries: PhantomData })
    }
}
/// Where a dynamic step lands is not known to the types.
impl<S, D, M, T, N, Out, Carries> StepThrough<N, usize, Out, Carries> for Cons<Mode<S, D>, Cons<M, T>> {
    type Output = Undefined<DynamicStep<S>>;
    #[inline]
    fn step_through(&self, _: N, _: usize, _: Out) -> Result<Self::Output, Fault> {
        Ok(Undefined::new())
    }
}
/// Where a step ends up behind a mode of dynamic extent is not known either.
macro_rules! dynamic_extents {
    ($([$($generic:ident)*] $extent:ty;)*) => {
        $(impl<D, M, T, N, U, B, Out, Carries, $($generic),*> StepThrough<N, UInt<U, B>, Out, Carries>
            for Cons<Mode<$extent, D>, Cons<M, T>>
        {
            type Output = Undefined<DynamicExtent<UInt<U, B>>>;
            #[inline]
            fn step_through(&self, _: N, _: UInt<U, B>, _: Out) -> Result<Self::Output, Fault> {
                Ok(Undefined::new())
            }
        }
        impl<D, M, T, N, Factor, Out, Carries, $($generic),*> StepThrough<N, Multiple<Factor>, Out, Carries>
            for Cons<Mode<$extent, D>, Cons<M, T>>
        {
            type Output = Undefined<DynamicExtent<Multiple<Factor>>>;
            #[inline]
            fn step_through(&self, _: N, _: Multiple<Factor>, _: Out) -> Result<Self::Output, Fault> {
                Ok(Undefined::new())
            }
        })*
    };
}
dynamic_extents! { [] usize; }
/// Nothing lands in a mode of extent 0.
impl<D, M, T, N, U, B, Out, Carries> StepThrough<N, UInt<U, B>, Out, Carries> for Cons<Mode<UTerm, D>, Cons<M, T>> {
    type Output = Undefined<Empty>;
    #[inline]
    fn step_through(&self, _: N, _: UInt<U, B>, _: Out) -> Result<Self::Output, Fault> {
        Ok(Undefined::new())
    }
}
impl<V, C, D, M, T, N, U, A, B, Out, Carries> StepThrough<N, UInt<UInt<U, A>, B>, Out, Carries>
    for Cons<Mode<UInt<V, C>, D>, Cons<M, T>>
where
    UInt<UInt<U, A>, B>: Quotient<UInt<V, C>>,
    <UInt<UInt<U, A>, B> as Quotient<UInt<V, C>>>::Output: Pass<Self, N, UInt<UInt<U, A>, B>, Out, Carries>,
{
    type Output = <<UInt<UInt<U, A>, B> as Quotient<UInt<V, C>>>::Output as Pass<
        Self,
        N,
        UInt<UInt<U, A>, B>,
        Out,
        Carries,
    >>::Output;
    #[inline]
    fn step_through(&self, extent: N, step: UInt<UInt<U, A>, B>, out: Out) -> Result<Self::Output, Fault> {
        <<UInt<UInt<U, A>, B> as Quotient<UInt<V, C>>>::Output>::pass(self, extent, step, out)
    }
}

/// [`StepThrough`] through the modes `A`; `self` is the quotient of the step and the first extent.
pub trait Pass<A, N, E, Out, Carries> {
    type Output;
    fn pass(modes: &A, extent: N, step: E, out: Out) -> Result<Self::Output, Fault>;
}
// The step passes the whole mode.
cases! { Pass::pass -> Result<Self::Output, Fault>:
    [S, D, T, N, E, Out, C0, CT, Q: StaticInt] Exact<Q>, Cons<Mode<S, D>, T>, N, E, Out, Cons<C0, CT>
        where (T: StepThrough<N, Q, Out, CT>, T::Output: Attach<C0, S>)
        => <T::Output as Attach<C0, S>>::Output,
        (modes: &Cons<Mode<S, D>, T>, extent: N, _: E, out: Out) =>
            Ok(modes.tail.step_through(extent, Q::default(), out)?.attach());
    [S, D, T, N, E, Out, Carries] NotExact, Cons<Mode<S, D>, T>, N, E, Out, Carries
        where (E: Order<S>, E::Output: Land<Cons<Mode<S, D>, T>, N, E, Out, Carries>)
        => <E::Output as Land<Cons<Mode<S, D>, T>, N, E, Out, Carries>>::Output,
        (modes: &Cons<Mode<S, D>, T>, extent: N, step: E, out: Out) => E::Output::land(modes, extent, step, out);
}

/// Puts the carry of a mode of extent `S` back in front of those of the modes behind it.
pub trait Attach<C0, S> {
    type Output;
    fn attach(self) -> Self::Output;
}
cases! { Attach::attach -> Self::Output:
    [C0, S, Out, Carries] ModesAndCarries<Out, Carries>, C0, S => ModesAndCarries<Out, Cons<C0, Carries>>,
        (self) => ModesAndCarries { out: self.out, carries: PhantomData };
    [C0, S, R] Undefined<R>, C0, S => Undefined<BehindMode<R, S>>, (self) => Undefined::new();
}

/// [`StepThrough`] with a step that does not pass the first mode; `self` is the order of the step and the extent.
pub trait Land<A, N, E, Out, Carries> {
    type Output;
    fn land(modes: &A, extent: N, step: E, out: Out) -> Result<Self::Output, Fault>;
}
/// A larger step has digits in several modes.
impl<A: General<N, E, Out, Carries>, N, E, Out, Carries> Land<A, N, E, Out, Carries> for Greater {
    type Output = A::Output;
    #[inline]
    fn land(modes: &A, extent: N, step: E, out: Out) -> Result<Self::Output, Fault> {
        modes.general(extent, step, out)
    }
}
// How often a smaller step stays within the mode is not known for a dynamic number of steps.
cases! { Land::land -> Result<Self::Output, Fault>:
    [S, D, T, E, Out, Carries] Less, Cons<Mode<S, D>, T>, usize, E, Out, Carries => Undefined<DynamicRightExtent<E, S>>,
        (_: &Cons<Mode<S, D>, T>, _: usize, _: E, _: Out) => Ok(Undefined::new());
    [S, D, T, E, Out, Carries, Factor] Less, Cons<Mode<S, D>, T>, Multiple<Factor>, E, Out, Carries
        => Undefined<DynamicRightExtent<E, S>>,
        (_: &Cons<Mode<S, D>, T>, _: Multiple<Factor>, _: E, _: Out) => Ok(Undefined::new());
}
impl<S, D, T, U, B, E, Out, Carries> Land<Cons<Mode<S, D>, T>, UInt<U, B>, E, Out, Carries> for Less
where
    UInt<U, B>: MulInt<E, Output: SubInt<E, Output: Order<S>>>,
    <Reach<UInt<U, B>, E> as Order<S>>::Output: Stay<Cons<Mode<S, D>, T>, UInt<U, B>, E, Out, Carries>,
{
    type Output =
        <<Reach<UInt<U, B>, E> as Order<S>>::Output as Stay<Cons<Mode<S, D>, T>, UInt<U, B>, E, Out, Carries>>::Output;
    #[inline]
    fn land(modes: &Cons<Mode<S, D>, T>, extent: UInt<U, B>, step: E, out: Out) -> Result<Self::Output, Fault> {
        <Reach<UInt<U, B>, E> as Order<S>>::Output::stay(modes, extent, step, out)
    }
}

/// `(N - 1) * E`, how far `N` steps reach.
pub type Reach<N, E> = <<N as MulInt<E>>::Output as SubInt<E>>::Output;

/// [`StepThrough`] with a step below the first extent; `self` is the order of the reach of all steps and the extent.
pub trait Stay<A, N, E, Out, Carries> {
    type Output;
    fn stay(modes: &A, extent: N, step: E, out: Out) -> Result<Self::Output, Fault>;
}
/// All steps stay within the mode.
impl<S, D, T, N, E, Out, C0, CT> Stay<Cons<Mode<S, D>, T>, N, E, Out, Cons<C0, CT>> for Less
where
    E: Times<D>,
    N: MulInt<E, Output: SubInt<E>>,
    C0: AddCarry<Reach<N, E>, E, S, D>,
    C0::Output: Emit<N, E::Output, Out, CT>,
{
    type Output = <C0::Output as Emit<N, E::Output, Out, CT>>::Output;
    #[inline]
    fn stay(modes: &Cons<Mode<S, D>, T>, extent: N, step: E, out: Out) -> Result<Self::Output, Fault> {
        Ok(C0::Output::emit(Mode { shape: extent, stride: step.times(&modes.head.stride)? }, out))
    }
}
macro_rules! leave {
    ($($order:ty),*) => {
        $(impl<S: Quotient<E>, D, T, N, E, Out, Carries> Stay<Cons<Mode<S, D>, T>, N, E, Out, Carries> for $order
        where
            S::Output: Leave<Cons<Mode<S, D>, T>, N, E, Out, Carries>,
        {
            type Output = <S::Output as Leave<Cons<Mode<S, D>, T>, N, E, Out, Carries>>::Output;
            #[inline]
            fn stay(modes: &Cons<Mode<S, D>, T>, extent: N, step: E, out: Out) -> Result<Self::Output, Fault> {
                S::Output::leave(modes, extent, step, out)
            }
        })*
    };
}
leave!(Equal, Greater);

/// [`StepThrough`] with steps that leave the first mode; `self` is the quotient of the extent and the step.
pub trait Leave<A, N, E, Out, Carries> {
    type Output;
    fn leave(modes: &A, extent: N, step: E, out: Out) -> Result<Self::Output, Fault>;
}
// The step overshoots the end of the mode: it has digits in several modes from there on.
cases! { Leave::leave -> Result<Self::Output, Fault>:
    [A: General<N, E, Out, Carries>, N, E, Out, Carries] NotExact, A, N, E, Out, Carries => A::Output,
        (modes: &A, extent: N, step: E, out: Out) => modes.general(extent, step, out);
    // `Filling` steps end just behind the mode.
    [A, N: Quotient<Filling>, E, Out, Carries, Filling] Exact<Filling>, A, N, E, Out, Carries
        where (N::Output: GoOn<A, N, E, Filling, Out, Carries>)
        => <N::Output as GoOn<A, N, E, Filling, Out, Carries>>::Output,
        (modes: &A, _: N, step: E, out: Out) => N::Output::go_on(modes, step, out);
}

/// [`StepThrough`] goes on behind the first mode, which `Filling` steps have filled; `self` is the
/// quotient of all steps and those.
pub trait GoOn<A, N, E, Filling, Out, Carries> {
    type Output;
    fn go_on(modes: &A, step: E, out: Out) -> Result<Self::Output, Fault>;
}
impl<S, D, T, N, E, Filling, Out, Carries> GoOn<Cons<Mode<S, D>, T>, N, E, Filling, Out, Carries> for NotExact {
    type Output = Undefined<Steps<N, E, Filling, S, D>>;
    #[inline]
    fn go_on(_: &Cons<Mode<S, D>, T>, _: E, _: Out) -> Result<Self::Output, Fault> {
        Ok(Undefined::new())
    }
}
impl<S, D, T, N, E, Filling, Out, C0, CT, Q> GoOn<Cons<Mode<S, D>, T>, N, E, Filling, Out, Cons<C0, CT>> for Exact<Q>
where
    E: Times<D>,
    S: SubInt<E>,
    C0: AddCarry<S::Output, E, S, D>,
    C0::Output: EmitAndGoOn<S, T, Filling, E::Output, Q, Out, CT>,
    Filling: StaticInt,
    Q: StaticInt,
{
    type Output = <C0::Output as EmitAndGoOn<S, T, Filling, E::Output, Q, Out, CT>>::Output;
    #[inline]
    fn go_on(modes: &Cons<Mode<S, D>, T>, step: E, out: Out) -> Result<Self::Output, Fault> {
        let mode = Mode { shape: Filling::default(), stride: step.times(&modes.head.stride)? };
        C0::Output::emit_and_go_on(mode, &modes.tail, out)
    }
}

/// The mode `N:D` is one of the result's, if the carry `self` is a number.
pub trait Emit<N, D, Out, CT> {
    type Output;
    fn emit(mode: Mode<N, D>, out: Out) -> Self::Output;
}
macro_rules! emit {
    ($([$($generic:ident)*] $carry:ty;)*) => {
        $(impl<N, D, Out, CT, $($generic),*> Emit<N, D, Out, CT> for $carry {
            type Output = ModesAndCarries<Cons<Mode<N, D>, Out>, Cons<Self, CT>>;
            #[inline]
            fn emit(mode: Mode<N, D>, out: Out) -> Self::Output {
                ModesAndCarries { out: Cons { head: mode, tail: out }, carries: PhantomData }
            }
        }
        impl<S, T, N, D, Q, Out, CT, $($generic),*> EmitAndGoOn<S, T, N, D, Q, Out, CT> for $carry
        where
            Q: StaticInt,
            T: StepThrough<Q, One, Cons<Mode<N, D>, Out>, CT>,
            T::Output: Attach<$carry, S>,
        {
            type Output = <T::Output as Attach<$carry, S>>::Output;
            #[inline]
            fn emit_and_go_on(mode: Mode<N, D>, modes: &T, out: Out) -> Result<Self::Output, Fault> {
                let out = Cons { head: mode, tail: out };
                Ok(modes.step_through(Q::default(), One::default(), out)?.attach())
            }
        })*
    };
}
emit! { [] UTerm; [U B] UInt<U, B>; }
impl<N, D, Out, CT, R> Emit<N, D, Out, CT> for Undefined<R> {
    type Output = Self;
    #[inline]
    fn emit(_: Mode<N, D>, _: Out) -> Self {
        Undefined::new()
    }
}

/// The mode `N:D` is one of the result's, if the carry `self` is a number, and `Q` steps of 1
/// go on through the modes `T`, behind the mode of extent `S`.
pub trait EmitAndGoOn<S, T, N, D, Q, Out, CT> {
    type Output;
    fn emit_and_go_on(mode: Mode<N, D>, modes: &T, out: Out) -> Result<Self::Output, Fault>;
}
impl<S, T, N, D, Q, Out, CT, R> EmitAndGoOn<S, T, N, D, Q, Out, CT> for Undefined<R> {
    type Output = Self;
    #[inline]
    fn emit_and_go_on(_: Mode<N, D>, _: &T, _: Out) -> Result<Self, Fault> {
        Ok(Undefined::new())
    }
}
