//! [`StepThrough`] with a step or a left extent known only at run time. About a `usize` the types
//! know nothing. About a multiple of a number they know two things: steps that are multiples of an
//! extent pass the mode, and steps whose reach is below a divisor of the extent stay within the
//! mode.

use typenum::{Equal, Greater, Less, UInt, UTerm};

use crate::algebra::compose::composition::{BehindMode, Reach, StepThrough};
use crate::algebra::mode::{Mode, Stepped};
use crate::error::Fault;
use crate::list::Cons;
use crate::number::int::{AddInt, NotExact, Order, QuotientInt};
use crate::number::multiple::{Multiple, MultipleOf};
use crate::number::table::{Number, Times, Unknown};
use crate::reasons::undefined::Undefined;
use crate::reasons::{DynamicExtent, DynamicStep, Empty};

cases! { StepThrough::step_through -> Result<Self::Output, Fault>:
    // Unknown: the mode in which the step lands.
    [S, D, M, T, N, Out, Carries] Cons<Mode<S, D>, Cons<M, T>>, N, usize, Out, Carries => Undefined<DynamicStep<S>>,
        (&self, _: N, _: usize, _: Out) => Ok(Undefined::new());
    // Unknown: where the step lands behind a mode of dynamic extent.
    [D, M, T, N, U, B, Out, Carries] Cons<Mode<usize, D>, Cons<M, T>>, N, UInt<U, B>, Out, Carries
        => Undefined<DynamicExtent<UInt<U, B>>>, (&self, _: N, _: UInt<U, B>, _: Out) => Ok(Undefined::new());
    [D, M, T, N, F, Out, Carries] Cons<Mode<usize, D>, Cons<M, T>>, N, Multiple<F>, Out, Carries
        => Undefined<DynamicExtent<Multiple<F>>>, (&self, _: N, _: Multiple<F>, _: Out) => Ok(Undefined::new());
    [K, D, M, T, N, F, Out, Carries] Cons<Mode<Multiple<K>, D>, Cons<M, T>>, N, Multiple<F>, Out, Carries
        => Undefined<DynamicExtent<Multiple<F>>>, (&self, _: N, _: Multiple<F>, _: Out) => Ok(Undefined::new());
    [D, M, T, N, F, Out, Carries] Cons<Mode<UTerm, D>, Cons<M, T>>, N, Multiple<F>, Out, Carries => Undefined<Empty>,
        (&self, _: N, _: Multiple<F>, _: Out) => Ok(Undefined::new());
    // A step known to be a multiple of the extent passes the mode; any other multiple lands at an
    // unknown place.
    [V, C, D, M, T, N, F: QuotientInt<UInt<V, C>>, Out, Carries]
        Cons<Mode<UInt<V, C>, D>, Cons<M, T>>, N, Multiple<F>, Out, Carries
        where (F::Output: PassMultiple<Self, N, Multiple<F>, Out, Carries>)
        => <F::Output as PassMultiple<Self, N, Multiple<F>, Out, Carries>>::Output,
        (&self, extent: N, step: Multiple<F>, out: Out) => F::Output::pass_multiple(self, extent, step, out);
    // A multiple of `F` is at least `F` unless it is 0; run time checks that.
    [F, D, M, T, N: Reach<UInt<U, B>, Output: Order<F>>, U, B, Out, Carries]
        Cons<Mode<Multiple<F>, D>, Cons<M, T>>, N, UInt<U, B>, Out, Carries
        where (<N::Output as Order<F>>::Output: StayBelow<Self, N, UInt<U, B>, Out, Carries>)
        => <<N::Output as Order<F>>::Output as StayBelow<Self, N, UInt<U, B>, Out, Carries>>::Output,
        (&self, extent: N, step: UInt<U, B>, out: Out) =>
            <N::Output as Order<F>>::Output::stay_below(self, extent, step, out);
}

/// [`StepThrough`] with a step that is a multiple of a number; `self` is the quotient of that
/// number and the first extent.
pub trait PassMultiple<A, N, E, Out, Carries> {
    type Output;
    fn pass_multiple(modes: &A, extent: N, step: E, out: Out) -> Result<Self::Output, Fault>;
}
cases! { PassMultiple::pass_multiple -> Result<Self::Output, Fault>:
    [S, D, T, N, E, Out, Carries] NotExact, Cons<Mode<S, D>, T>, N, E, Out, Carries => Undefined<DynamicStep<S>>,
        (_: &Cons<Mode<S, D>, T>, _: N, _: E, _: Out) => Ok(Undefined::new());
    [S: Number, D, T, N, E: Number, Out, C0, CT, U, B] UInt<U, B>, Cons<Mode<S, D>, T>, N, E, Out, Cons<C0, CT>
        where (Self: MultipleOf, T: StepThrough<N, <Self as MultipleOf>::Output, Out, CT>, T::Output: BehindMode<S, C0>)
        => <T::Output as BehindMode<S, C0>>::Output, (modes: &Cons<Mode<S, D>, T>, extent: N, step: E, out: Out) => {
        let step = Self::multiple_of(step.get() / modes.head.shape.get());
        Ok(modes.tail.step_through(extent, step, out)?.behind_mode())
    };
}

/// [`StepThrough`] into a mode whose extent is a multiple of a number; `self` is the order of the
/// reach of all steps and that number.
pub trait StayBelow<A, N, E, Out, Carries> {
    type Output;
    fn stay_below(modes: &A, extent: N, step: E, out: Out) -> Result<Self::Output, Fault>;
}
cases! { StayBelow::stay_below -> Result<Self::Output, Fault>:
    [M, D, T, N: Reach<E>, E: Times<D>, Out, C0: AddInt<N::Output>, CT]
        Less, Cons<Mode<M, D>, T>, N, E, Out, Cons<C0, CT>
        => Stepped<Cons<Mode<N, E::Output>, Out>, Cons<C0::Output, CT>>,
        (modes: &Cons<Mode<M, D>, T>, extent: N, step: E, out: Out) =>
            Ok(Stepped::behind(Mode { shape: extent, stride: step.times(&modes.head.stride)? }, out));
}
cases! { StayBelow::stay_below -> Result<Self::Output, Fault>, for { [] Equal; [] Greater; [] Unknown; }:
    [A, N, E, Out, Carries] Self, A, N, E, Out, Carries => Undefined<DynamicExtent<E>>,
        (_: &A, _: N, _: E, _: Out) => Ok(Undefined::new());
}
