//! Steps along several axes at once: what a diagonal has for a stride.
//!
//! ```text
//! c * (a@i + b@j) = (c * a)@i + (c * b)@j          (a@i + b@j) + d@j = a@i + (b + d)@j
//! ```
//!
//! The axes are in order, each of them once, so that two equal sums are one type. All steps are known at compile time.

use core::fmt::{self, Debug, Formatter};
use core::marker::PhantomData;

use typenum::{Equal, Greater, Less, UInt, UTerm};

use crate::algebra::compose::composition::no_carries;
use crate::algebra::compose::one_mode::OfOneMode;
use crate::error::Fault;
use crate::number::int::{False, Order, StaticInt};
use crate::number::multiple::Multiple;
use crate::number::table::{Number, Plus, RunTimeNumber, Same, SealedNumber, StepsAlong, StrideKind, Times};
use crate::refusal::undefined::Undefined;
use crate::refusal::{ByStride, Carry};
use crate::stepped::basis::{Basis, SameSteps, StepAlong, SumAlong};

/// The steps `A` along one axis and those of `B`, along axes that come after it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Diagonal<A, B>(PhantomData<(A, B)>);

impl<A, B> Debug for Diagonal<A, B>
where
    Self: Number,
{
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match Self::STRIDE {
            StrideKind::Diagonal(axes) => write!(f, "{axes}"),
            _ => Ok(()),
        }
    }
}
leaves! { [A B] Diagonal<A, B>; }
impl<A, B> SealedNumber for Diagonal<A, B> {}

/// Steps whose axes and numbers are known.
pub trait AlongAxes: Number + Default {
    const AXES: StepsAlong;
}
impl<J: StaticInt, K: StaticInt> AlongAxes for Basis<J, K> {
    const AXES: StepsAlong = StepsAlong { axis: J::VALUE, steps: K::VALUE, others: None };
}
impl<J: StaticInt, K: StaticInt, B: AlongAxes> AlongAxes for Diagonal<Basis<J, K>, B> {
    const AXES: StepsAlong = StepsAlong { axis: J::VALUE, steps: K::VALUE, others: Some(&B::AXES) };
}
impl<J: StaticInt, K: StaticInt, B: AlongAxes> Number for Diagonal<Basis<J, K>, B> {
    const STATIC: Option<usize> = Some(1);
    const STRIDE: StrideKind = StrideKind::Diagonal(&<Self as AlongAxes>::AXES);
    /// One diagonal step; [`Number::STRIDE`] says where it leads.
    #[inline]
    fn get(self) -> usize {
        1
    }
}

// ---- products and sums --------------------------------------------------------------------------------------------

/// `N * self`. A trait of the steps, not of the number: of steps that are not known yet, the compiler looks no further.
pub trait TimesNumber<N> {
    type Output: Number + Default;
}
impl<J, K, N> TimesNumber<N> for Basis<J, K>
where
    N: Times<Basis<J, K>, Output: Default>,
{
    type Output = N::Output;
}
impl<A: TimesNumber<N>, B: TimesNumber<N>, N> TimesNumber<N> for Diagonal<A, B>
where
    Diagonal<A::Output, B::Output>: AlongAxes,
{
    type Output = Diagonal<A::Output, B::Output>;
}
cases! { Times::times -> Result<Self::Output, Fault>:
    [U, B, X, Y] UInt<U, B>, Diagonal<X, Y> where (Diagonal<X, Y>: TimesNumber<Self>)
        => <Diagonal<X, Y> as TimesNumber<Self>>::Output,
        (&self, _: &Diagonal<X, Y>) => Ok(Default::default());
    // As many steps as run time says are none of a type.
    [X, Y] usize, Diagonal<X, Y> where (Diagonal<X, Y>: Number) => Diagonal<X, Y>,
        (&self, _: &Diagonal<X, Y>) => Err(Fault::DiagonalSteps);
    [F, X, Y] Multiple<F>, Diagonal<X, Y> where (Diagonal<X, Y>: Number) => Diagonal<X, Y>,
        (&self, _: &Diagonal<X, Y>) => Err(Fault::DiagonalSteps);
}

/// `self`, which goes along an axis before those of `B`, and `B`.
pub trait AxisBefore<B> {
    type Output: Number;
}
cases! { AxisBefore:
    [J, U, C, I, V, D] Basis<J, UInt<U, C>>, Basis<I, UInt<V, D>> where (Diagonal<Self, Basis<I, UInt<V, D>>>: Number)
        => Diagonal<Self, Basis<I, UInt<V, D>>>;
    [J, U, C, X, Y] Basis<J, UInt<U, C>>, Diagonal<X, Y> where (Diagonal<Self, Diagonal<X, Y>>: Number)
        => Diagonal<Self, Diagonal<X, Y>>;
    // Steps that run time knows.
    [J, U, C, I, M: RunTimeNumber] Basis<J, UInt<U, C>>, Basis<I, M> where ((): StepAlong<Self, Basis<I, M>>, Self: Number)
        => Self;
    [J, K: RunTimeNumber, B] Basis<J, K>, B where ((): StepAlong<Self, B>, Self: Number) => Self;
}
impl<J, K, I, M> SumAlong<J, K, I, M> for Less
where
    Basis<J, K>: AxisBefore<Basis<I, M>, Output: Default>,
{
    type Output = <Basis<J, K> as AxisBefore<Basis<I, M>>>::Output;
    #[inline]
    fn sum_along(_: &Basis<J, K>, _: &Basis<I, M>) -> Result<Self::Output, Fault> {
        Ok(Default::default())
    }
}
impl<J, K, I, M> SumAlong<J, K, I, M> for Greater
where
    Basis<I, M>: AxisBefore<Basis<J, K>, Output: Default>,
{
    type Output = <Basis<I, M> as AxisBefore<Basis<J, K>>>::Output;
    #[inline]
    fn sum_along(_: &Basis<J, K>, _: &Basis<I, M>) -> Result<Self::Output, Fault> {
        Ok(Default::default())
    }
}

cases! { Plus::plus -> Result<Self::Output, Fault>:
    [A, B] Diagonal<A, B>, UTerm where (Self: Number) => Self, (&self, _: &UTerm) => Ok(*self);
    [J: Order<I, Output: Insert<Basis<J, K>, R, Basis<I, M>>>, K, R, I, M] Diagonal<Basis<J, K>, R>, Basis<I, M>
        => <J::Output as Insert<Basis<J, K>, R, Basis<I, M>>>::Output,
        (&self, _: &Basis<I, M>) => Ok(Default::default());
    // One axis after the other.
    [J, K, X, Y] Basis<J, K>, Diagonal<X, Y> where (Diagonal<X, Y>: PlusTo<Self>)
        => <Diagonal<X, Y> as PlusTo<Self>>::Output,
        (&self, right: &Diagonal<X, Y>) => right.plus_to(self);
    [A, B, X, Y] Diagonal<A, B>, Diagonal<X, Y> where (Diagonal<X, Y>: PlusTo<Self>)
        => <Diagonal<X, Y> as PlusTo<Self>>::Output,
        (&self, right: &Diagonal<X, Y>) => right.plus_to(self);
}
/// `L + self`, one axis after the other. A trait of the steps, as [`TimesNumber`] is.
pub trait PlusTo<L> {
    type Output: Number;
    fn plus_to(&self, left: &L) -> Result<Self::Output, Fault>;
}
impl<J, K, L> PlusTo<L> for Basis<J, K>
where
    L: Plus<Basis<J, K>>,
{
    type Output = L::Output;
    #[inline]
    fn plus_to(&self, left: &L) -> Result<Self::Output, Fault> {
        left.plus(self)
    }
}
impl<A: PlusTo<L> + Default, B: PlusTo<A::Output> + Default, L> PlusTo<L> for Diagonal<A, B> {
    type Output = B::Output;
    #[inline]
    fn plus_to(&self, left: &L) -> Result<Self::Output, Fault> {
        B::default().plus_to(&A::default().plus_to(left)?)
    }
}
/// The steps `A`, `R` and `N`; `self` is the order of the axes of `A` and `N`, and `R` goes along axes after that of
/// `A`.
pub trait Insert<A, R, N> {
    type Output: Number + Default;
}
cases! { Insert:
    [A: Plus<N>, R, N] Equal, A, R, N where (Diagonal<A::Output, R>: Number + Default) => Diagonal<A::Output, R>;
    [A, R: Plus<N>, N] Less, A, R, N where (Diagonal<A, R::Output>: Number + Default) => Diagonal<A, R::Output>;
    [A, R, N: AxisBefore<Diagonal<A, R>, Output: Default>] Greater, A, R, N => N::Output;
}

// ---- what the types know ------------------------------------------------------------------------------------------

cases! { Same:
    [A, B] UTerm, Diagonal<A, B> => False;
    [A, B, U, C] UInt<U, C>, Diagonal<A, B> => False;
    [A, B, J, K] Basis<J, K>, Diagonal<A, B> => False;
    [A, B] Diagonal<A, B>, UTerm => False;
    [A, B, U, C] Diagonal<A, B>, UInt<U, C> => False;
    [A, B] Diagonal<A, B>, usize => False;
    [A, B, F] Diagonal<A, B>, Multiple<F> => False;
    [A, B, J, K] Diagonal<A, B>, Basis<J, K> => False;
    [A: Same<X>, B, X, Y] Diagonal<A, B>, Diagonal<X, Y> where (A::Output: SameSteps<B, Y>)
        => <A::Output as SameSteps<B, Y>>::Output;
}

no_carries! { [A B] Diagonal<A, B>; }
cases! { OfOneMode::of_one_mode -> Self::Output:
    [A, N, E, Sum, S, X, Y] Undefined<Carry<Sum, S, Diagonal<X, Y>>>, A, N, E => Self, (self) => self;
}
/// Steps along axes have no stride to name.
impl<At, In, A, B> ByStride<At, In> for Diagonal<A, B> {
    type Output = In;
}
