//! [`StepThrough`] with what is known of run-time numbers: a step that is a multiple of an extent passes the mode, and
//! steps that stay below what an extent is a multiple of stay within the mode.

use core::marker::PhantomData;

use typenum::UInt;

use crate::algebra::compose::carry::{AddCarry, ModesAndCarries};
use crate::algebra::compose::step_through::{Attach, Emit, Reach, StepThrough};
use crate::algebra::mode::Mode;
use crate::error::Fault;
use crate::list::{Cons, Nil};
use crate::number::int::{False, IsLess, MulInt, NotExact, Order, QuotientInt, StaticInt, SubInt, True};
use crate::number::multiple::{Multiple, MultipleOf};
use crate::number::table::{Number, RunTimeNumber, Times};
use crate::refusal::undefined::Undefined;
use crate::refusal::{DynamicExtent, DynamicStep};

impl<S, D, N, Factor: StaticInt, Out> StepThrough<N, Multiple<Factor>, Out, Nil> for Cons<Mode<S, D>, Nil>
where
    Multiple<Factor>: Times<D>,
{
    type Output = ModesAndCarries<Cons<Mode<N, <Multiple<Factor> as Times<D>>::Output>, Out>, Nil>;
    #[inline]
    fn step_through(&self, extent: N, step: Multiple<Factor>, out: Out) -> Result<Self::Output, Fault> {
        let mode = Mode { shape: extent, stride: step.times(&self.head.stride)? };
        Ok(ModesAndCarries { out: Cons { head: mode, tail: out }, carries: PhantomData })
    }
}
/// A step that is known to be a multiple of the extent passes the mode; where else it lands is not known.
impl<V, C, D, M, T, N, Factor, Out, Carries> StepThrough<N, Multiple<Factor>, Out, Carries>
    for Cons<Mode<UInt<V, C>, D>, Cons<M, T>>
where
    Factor: QuotientInt<UInt<V, C>>,
    Factor::Output: PassMultiple<Self, N, Multiple<Factor>, Out, Carries>,
{
    type Output = <Factor::Output as PassMultiple<Self, N, Multiple<Factor>, Out, Carries>>::Output;
    #[inline]
    fn step_through(&self, extent: N, step: Multiple<Factor>, out: Out) -> Result<Self::Output, Fault> {
        Factor::Output::pass_multiple(self, extent, step, out)
    }
}
/// [`StepThrough`] with a step that is a multiple of `Factor`; `self` is the quotient of that and the first extent.
pub trait PassMultiple<A, N, E, Out, Carries> {
    type Output;
    fn pass_multiple(modes: &A, extent: N, step: E, out: Out) -> Result<Self::Output, Fault>;
}
cases! { PassMultiple::pass_multiple -> Result<Self::Output, Fault>:
    [S, D, T, N, E, Out, Carries] NotExact, Cons<Mode<S, D>, T>, N, E, Out, Carries => Undefined<DynamicStep<S>>,
        (_: &Cons<Mode<S, D>, T>, _: N, _: E, _: Out) => Ok(Undefined::new());
    [S: Number, D, T, N, E: Number, Out, C0, CT, U, B] UInt<U, B>, Cons<Mode<S, D>, T>, N, E, Out, Cons<C0, CT>
        where (Self: MultipleOf, T: StepThrough<N, <Self as MultipleOf>::Output, Out, CT>, T::Output: Attach<C0, S>)
        => <T::Output as Attach<C0, S>>::Output, (modes: &Cons<Mode<S, D>, T>, extent: N, step: E, out: Out) => {
        let step = Self::multiple_of(step.get() / modes.head.shape.get());
        Ok(modes.tail.step_through(extent, step, out)?.attach())
    };
}
/// Of a multiple of `F` it is known that it is at least `F`, as long as it is not 0, which run time checks: steps that
/// stay below `F` stay within the mode.
impl<F, D, M, T, N: ReachBelow<UInt<U, B>, F>, U, B, Out, Carries> StepThrough<N, UInt<U, B>, Out, Carries>
    for Cons<Mode<Multiple<F>, D>, Cons<M, T>>
where
    N::Output: StayBelow<Self, N, UInt<U, B>, Out, Carries>,
{
    type Output = <N::Output as StayBelow<Self, N, UInt<U, B>, Out, Carries>>::Output;
    #[inline]
    fn step_through(&self, extent: N, step: UInt<U, B>, out: Out) -> Result<Self::Output, Fault> {
        N::Output::stay_below(self, extent, step, out)
    }
}
impl<K, D, M, T, N, Factor, Out, Carries> StepThrough<N, Multiple<Factor>, Out, Carries>
    for Cons<Mode<Multiple<K>, D>, Cons<M, T>>
{
    type Output = Undefined<DynamicExtent<Multiple<Factor>>>;
    #[inline]
    fn step_through(&self, _: N, _: Multiple<Factor>, _: Out) -> Result<Self::Output, Fault> {
        Ok(Undefined::new())
    }
}

/// Do `self` steps of `E` stay below `F`, as far as is known? [`True`] or [`False`].
pub trait ReachBelow<E, F> {
    type Output;
}
cases! { ReachBelow:
    [N: RunTimeNumber, E, F] N, E, F => False;
    [U, B, E, F] UInt<U, B>, E, F
        where (Self: MulInt<E, Output: SubInt<E, Output: Order<F>>>, <Reach<Self, E> as Order<F>>::Output: IsLess)
        => <<Reach<Self, E> as Order<F>>::Output as IsLess>::Output;
}

/// [`StepThrough`] into a mode whose extent is a multiple; `self` says whether all steps stay
/// below what it is a multiple of.
pub trait StayBelow<A, N, E, Out, Carries> {
    type Output;
    fn stay_below(modes: &A, extent: N, step: E, out: Out) -> Result<Self::Output, Fault>;
}
cases! { StayBelow::stay_below -> Result<Self::Output, Fault>:
    [A, N, E, Out, Carries] False, A, N, E, Out, Carries => Undefined<DynamicExtent<E>>,
        (_: &A, _: N, _: E, _: Out) => Ok(Undefined::new());
    [F, D, T, N, E, Out, C0, CT] True, Cons<Mode<Multiple<F>, D>, T>, N, E, Out, Cons<C0, CT>
        where (
            E: Times<D>,
            N: MulInt<E, Output: SubInt<E>>,
            C0: AddCarry<Reach<N, E>, E, F, D>,
            C0::Output: Emit<N, E::Output, Out, CT>,
        )
        => <C0::Output as Emit<N, E::Output, Out, CT>>::Output,
        (modes: &Cons<Mode<Multiple<F>, D>, T>, extent: N, step: E, out: Out) =>
            Ok(C0::Output::emit(Mode { shape: extent, stride: step.times(&modes.head.stride)? }, out));
}
