//! Why the general rule refuses one mode of the right operand: asked only for a message, and of no cost before.
//!
//! ```text
//! (20,3):(1,40) o 6:8     8 does not divide 20: 3 steps reach 16, and go on with 2:24, whose digits 4 and 1 reach 20
//! (20,3):(1,40) o 6:7     7 does not either, but 3 steps reach 14, and go on with 2:21: 1 more reaches 15, below 20
//! ```
//!
//! So a step that does not divide the extent of a left mode is the reason only if the runs of its right mode alone add
//! up beyond that. If they need those of another right mode too, it is the sum of both (*carry*).

use core::marker::PhantomData;

use typenum::{Equal, Greater, Less, UInt, UTerm};

use crate::algebra::compose::carry::ModesAndCarries;
use crate::algebra::compose::composition::NoCarries;
use crate::algebra::compose::digits::{AddSteps, Endless, LimitIn, Runs};
use crate::algebra::mode::{End, Mode};
use crate::list::{Cons, Nil};
use crate::number::int::{AddInt, MulInt, NotExact, Order, Zero};
use crate::number::table::{Exact, Quotient, RunTimeNumber};
use crate::refusal::undefined::Undefined;
use crate::refusal::{
    Carry, DynamicExtent, DynamicRightExtent, DynamicStep, Empty, EmptyRight, Explain, Overshoot, Steps, TooManyModes,
};

// ---- steps that leave a left mode and do not divide the extent ----------------------------------------------------

/// `Limit` steps of the right mode `N:E`, which has the digits `Digits`, leave one of the modes `A`, and do not divide
/// `N`: [`Steps`], as soon as it is known which.
pub struct StepsOut<A, N, E, Limit, Digits>(PhantomData<(A, N, E, Limit, Digits)>);
impl<Op, A, N, E, Limit, Digits> Explain<Op> for StepsOut<A, N, E, Limit, Digits> where
    A: FirstLeft<N, E, Limit, Digits, Output: Explain<Op>>
{
}

/// [`Steps`] out of the first of the modes `self` that `Limit` steps leave.
pub trait FirstLeft<N, E, Limit, Digits> {
    type Output;
}
cases! { FirstLeft:
    [S, D, T, N, E, Limit, C: LimitIn<S>, Digits] Cons<Mode<S, D>, T>, N, E, Limit, Cons<C, Digits>
        where (C::Output: Compared<Limit, Output: LeftOr<Self, N, E, Limit, Digits>>)
        => <<C::Output as Compared<Limit>>::Output as LeftOr<Self, N, E, Limit, Digits>>::Output;
}

/// The order of the limit in one mode, `self`, and that in all.
pub trait Compared<Limit> {
    type Output;
}
cases! { Compared:
    [Limit] Endless, Limit => Greater;
    [U, B, Limit] UInt<U, B>, Limit where (Self: Order<Limit>) => <Self as Order<Limit>>::Output;
}

/// [`FirstLeft`] of the modes `A`; `self` is the order of the limit in the first of them and that in all.
pub trait LeftOr<A, N, E, Limit, Digits> {
    type Output;
}
cases! { LeftOr:
    [S, D, T, N, E, Limit, Digits] Equal, Cons<Mode<S, D>, T>, N, E, Limit, Digits => Steps<N, E, Limit, S, D>;
    [M, T: FirstLeft<N, E, Limit, Digits>, N, E, Limit, Digits] Greater, Cons<M, T>, N, E, Limit, Digits => T::Output;
}

// ---- carries within one right mode --------------------------------------------------------------------------------

/// What the right mode `N:E` became in the modes `A`, or why there is nothing: of a carry it is asked whether the runs
/// of this mode are enough for it. (Not of an identity layout, whose steps along several axes have no sum.)
pub trait OfOneMode<A, N, E> {
    type Output;
    fn of_one_mode(self) -> Self::Output;
}
cases! { OfOneMode::of_one_mode -> Self::Output:
    [A, N, E, Out, Carries] ModesAndCarries<Out, Carries>, A, N, E => Self, (self) => self;
    [A, N, E, Sum, S, U, B] Undefined<Carry<Sum, S, UInt<U, B>>>, A, N, E
        => Undefined<CarryOf<A, N, E, Carry<Sum, S, UInt<U, B>>>>,
        (self) => Undefined::new();
    [A, N, E, Sum, S] Undefined<Carry<Sum, S, UTerm>>, A, N, E
        => Undefined<CarryOf<A, N, E, Carry<Sum, S, UTerm>>>,
        (self) => Undefined::new();
    [A, N, E, Sum, S, D: RunTimeNumber] Undefined<Carry<Sum, S, D>>, A, N, E
        => Undefined<CarryOf<A, N, E, Carry<Sum, S, D>>>,
        (self) => Undefined::new();
    [A, N, E, M, Limit, F, Digits] Undefined<StepsOut<A, M, F, Limit, Digits>>, A, N, E => Self, (self) => self;
    [A, N, E, F] Undefined<DynamicExtent<F>>, A, N, E => Self, (self) => self;
    [A, N, E, F, S] Undefined<DynamicRightExtent<F, S>>, A, N, E => Self, (self) => self;
    [A, N, E] Undefined<Empty>, A, N, E => Self, (self) => self;
}

/// The right mode `N:E` adds up beyond one of the modes `A`, by itself or with those before it: [`Overshoot`], or else
/// the reason `R`.
pub struct CarryOf<A, N, E, R>(PhantomData<(A, N, E, R)>);
impl<Op, A, N, E, R> Explain<Op> for CarryOf<A, N, E, R>
where
    A: NoSteps + Runs<N, E, End, <A as NoSteps>::Output, Output: OvershootOr<R>>,
    <<A as Runs<N, E, End, <A as NoSteps>::Output>>::Output as OvershootOr<R>>::Output: Explain<Op>,
{
}

/// The reason why a right mode is refused by itself, `self`, if that is [`Overshoot`], or else `R`.
pub trait OvershootOr<R> {
    type Output;
}
cases! { OvershootOr:
    [Out, Carries, R] ModesAndCarries<Out, Carries>, R => R;
    [Step, S, D, R] Undefined<Overshoot<Step, S, D>>, R => Overshoot<Step, S, D>;
    [Sum, S, D, R] Undefined<Carry<Sum, S, D>>, R => R;
    // By itself it gets further, to where its steps do not divide it.
    [A, N, E, Limit, Digits, R] Undefined<StepsOut<A, N, E, Limit, Digits>>, R => StepsOut<A, N, E, Limit, Digits>;
}

// ---- behind a mode that was passed --------------------------------------------------------------------------------

/// The reason `R`, met in the modes behind one of extent `S`: what it says of steps counts them in units of `S`.
pub struct BehindMode<R, S>(PhantomData<(R, S)>);
impl<Op, R: InUnits<S, Output: Explain<Op>>, S> Explain<Op> for BehindMode<R, S> {}

/// The reason `self` with its right mode as it stood before it passed a left mode of extent `S`.
pub trait InUnits<S> {
    type Output;
}
cases! { InUnits:
    [N, E: MulInt<S>, Count, X, D, S] Steps<N, E, Count, X, D>, S => Steps<N, E::Output, Count, X, D>;
    [A, N, E: MulInt<S>, Limit, Digits, S] StepsOut<A, N, E, Limit, Digits>, S
        => StepsOut<A, N, E::Output, Limit, Digits>;
    [R: InUnits<T, Output: InUnits<S>>, T, S] BehindMode<R, T>, S => <R::Output as InUnits<S>>::Output;
    [A, N, E, R, S] CarryOf<A, N, E, R>, S
        where (
            A: NoSteps + Runs<N, E, End, <A as NoSteps>::Output, Output: OvershootOr<R>>,
            <<A as Runs<N, E, End, <A as NoSteps>::Output>>::Output as OvershootOr<R>>::Output: InUnits<S>,
        )
        => <<<A as Runs<N, E, End, <A as NoSteps>::Output>>::Output as OvershootOr<R>>::Output as InUnits<S>>::Output;
    [Sum, X, D, S] Carry<Sum, X, D>, S => Self;
    [Step, X, D, S] Overshoot<Step, X, D>, S => Self;
    [E, S] DynamicExtent<E>, S => Self;
    [E, X, S] DynamicRightExtent<E, X>, S => Self;
    [X, S] DynamicStep<X>, S => Self;
    [S] Empty, S => Self;
    [S] EmptyRight, S => Self;
    [Modes, S] TooManyModes<Modes>, S => Self;
}

/// A carry of one right mode alone: the sum, and the first step that does not divide the extent, or [`NoStep`].
pub struct CarryOfOne<Sum, Step>(PhantomData<(Sum, Step)>);

/// All steps so far divide the extent.
pub struct NoStep;

/// A [`CarryOfOne`] of 0 for every mode but the last, and for that its own carry, if it has one.
pub trait NoSteps {
    type Output;
}
cases! { NoSteps:
    [M] Cons<M, Nil> where (Self: NoCarries) => <Self as NoCarries>::Output;
    [M, N, T] Cons<M, Cons<N, T>> where (Cons<N, T>: NoSteps)
        => Cons<CarryOfOne<Zero, NoStep>, <Cons<N, T> as NoSteps>::Output>;
}

impl<Sum, Step, Count, C, S, D> AddSteps<Count, C, S, D> for CarryOfOne<Sum, Step>
where
    Step: OrStep<C, S>,
    Count: MulInt<C>,
    Sum: AddInt<Count::Output, Output: Order<S>>,
    <Sum::Output as Order<S>>::Output: BelowAlone<Sum::Output, Step::Output, S, D>,
{
    type Output = <<Sum::Output as Order<S>>::Output as BelowAlone<Sum::Output, Step::Output, S, D>>::Output;
}

/// The first step that does not divide the extent `S`: `self`, or else `C`, or else [`NoStep`].
pub trait OrStep<C, S> {
    type Output;
}
cases! { OrStep:
    [U, B, C, S] UInt<U, B>, C, S => Self;
    [S] NoStep, UTerm, S => NoStep;
    [U, B, S: Quotient<UInt<U, B>>] NoStep, UInt<U, B>, S where (S::Output: StepOf<UInt<U, B>>)
        => <S::Output as StepOf<UInt<U, B>>>::Output;
}

/// The step `C` if it does not divide the extent; `self` is the quotient of that and the step.
pub trait StepOf<C> {
    type Output;
}
cases! { StepOf:
    [C] NotExact, C => C;
    [C, Q] Exact<Q>, C => NoStep;
}

/// Is the sum below the extent of the mode `S:D`? `self` is their order.
pub trait BelowAlone<Sum, Step, S, D> {
    type Output;
}
cases! { BelowAlone:
    [Sum, Step, S, D] Less, Sum, Step, S, D => CarryOfOne<Sum, Step>;
    [Sum, Step: BeyondAlone<Sum, S, D>, S, D] Equal, Sum, Step, S, D => Undefined<Step::Output>;
    [Sum, Step: BeyondAlone<Sum, S, D>, S, D] Greater, Sum, Step, S, D => Undefined<Step::Output>;
}

/// The reason for a sum beyond the mode `S:D`; `self` is the first step that does not divide the extent.
pub trait BeyondAlone<Sum, S, D> {
    type Output;
}
cases! { BeyondAlone:
    [U, B, Sum, S, D] UInt<U, B>, Sum, S, D => Overshoot<Self, S, D>;
    [Sum, S, D] NoStep, Sum, S, D => Carry<Sum, S, D>;
}
