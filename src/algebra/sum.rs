//! `R = layout_add(A, B)`: `R(i) == A(i) + B(i)` for all `i < size(A) == size(B)`.
//!
//! Both layouts are coalesced, and taken mode by mode: of the two first modes, the shorter one `n:d` and as many steps
//! of the other, `s:e`, make the mode `n:d+e` of the sum; what is left of the other is `s/n : n*e`. So there is a sum
//! exactly where one extent divides the other at each step, and the coalesced shapes have a common refinement.
//!
//! The sizes are equal: a last mode may be dynamic, for it is as long as the rest of the other layout.

use typenum::{Equal, Greater, Less, UInt, UTerm};

use crate::algebra::coalesce::Merging;
use crate::algebra::mode::{IntoResult, Mode, ModesOnto, Push};
use crate::algebra::operation::{self, Apply};
use crate::error::Fault;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::list::{Cons, Nested, Nil};
use crate::number::int::{NotExact, Zero};
use crate::number::multiple::Multiple;
use crate::number::table::{Exact, Number, Order, Plus, Quotient, RunTimeNumber, Times, Unknown};
use crate::refusal::undefined::Undefined;
use crate::refusal::{DynamicSum, NoRefinement, SizesDiffer};
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::profile::SizeOf;

/// The coalesced modes of the shape `S` and the stride `D`.
type Merged<S, D> = <<S as Nested>::Node as ModesOnto<<D as Nested>::Node, Nil, Merging>>::Output;
/// The size of the shape `S`.
type Size<S> = <<S as Nested>::Node as SizeOf>::Output;

impl<S: IntTuple, D: IntTuple, T: IntTuple, E: IntTuple> Apply<operation::LayoutAdd, StridedLayout<S, D>>
    for StridedLayout<T, E>
where
    S::Node: ModesOnto<D::Node, Nil, Merging> + SizeOf,
    T::Node: ModesOnto<E::Node, Nil, Merging> + SizeOf,
    Size<S>: Order<Size<T>>,
    <Size<S> as Order<Size<T>>>::Output: AddSized<Size<S>, Size<T>, Merged<S, D>, Merged<T, E>>,
{
    type Output =
        <<Size<S> as Order<Size<T>>>::Output as AddSized<Size<S>, Size<T>, Merged<S, D>, Merged<T, E>>>::Output;
    #[inline]
    fn apply(self, left: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
        let sizes = (left.size(), self.size());
        if sizes.0 != sizes.1 {
            return Err(Fault::Sizes { left: sizes.0, right: sizes.1 });
        }
        let ((s, d), (t, e)) = (left.into_parts(), self.into_parts());
        <Size<S> as Order<Size<T>>>::Output::add_sized(
            s.node().modes_onto(d.node(), Nil)?,
            t.node().modes_onto(e.node(), Nil)?,
        )
    }
}

/// The sum of the modes `P` and `Q` of layouts of the sizes `A` and `B`; `self` is the order of these.
pub trait AddSized<A, B, P, Q> {
    type Output;
    fn add_sized(left: P, right: Q) -> Result<Self::Output, Fault>;
}
macro_rules! sizes_differ {
    ($($order:ty)*) => {
        $(impl<A, B, P, Q> AddSized<A, B, P, Q> for $order {
            type Output = Undefined<SizesDiffer<A, B>>;
            #[inline]
            fn add_sized(_: P, _: Q) -> Result<Self::Output, Fault> {
                Ok(Undefined::new())
            }
        })*
    };
}
sizes_differ! { Less Greater }
macro_rules! sizes_agree {
    ($($order:ty)*) => {
        $(impl<A: AddOfSize<P, Q, Output: IntoResult>, B, P, Q> AddSized<A, B, P, Q> for $order {
            type Output = <A::Output as IntoResult>::Output;
            #[inline]
            fn add_sized(left: P, right: Q) -> Result<Self::Output, Fault> {
                Ok(A::add_of_size(left, right)?.into_result())
            }
        })*
    };
}
sizes_agree! { Equal Unknown }

/// The sum of the modes `P` and `Q`, whose size is `self`. Layouts without elements have the sum `0:0`.
pub trait AddOfSize<P, Q> {
    type Output;
    fn add_of_size(left: P, right: Q) -> Result<Self::Output, Fault>;
}
impl<P, Q> AddOfSize<P, Q> for UTerm {
    type Output = Cons<Mode<Zero, Zero>, Nil>;
    #[inline]
    fn add_of_size(_: P, _: Q) -> Result<Self::Output, Fault> {
        Ok(Cons::default())
    }
}
cases! { AddOfSize::add_of_size -> Result<Self::Output, Fault>:
    [P: AddModes<Q>, Q, U, B] UInt<U, B>, P, Q => P::Output, (left: P, right: Q) => left.add_modes(right);
    [P: AddModes<Q>, Q, N: RunTimeNumber] N, P, Q => P::Output, (left: P, right: Q) => left.add_modes(right);
}

// ---- mode by mode -------------------------------------------------------------------------------------------------

/// The sum of the modes `self` and `Q`, merged, or [`Undefined`].
pub trait AddModes<Q> {
    type Output;
    fn add_modes(self, other: Q) -> Result<Self::Output, Fault>;
}
// Where one list ends, what is left of the other has one element.
cases! { AddModes::add_modes -> Result<Self::Output, Fault>:
    [] Nil, Nil => Nil, (self, _: Nil) => Ok(Nil);
    [M, T] Nil, Cons<M, T> => Nil, (self, _: Cons<M, T>) => Ok(Nil);
    [M, T] Cons<M, T>, Nil => Nil, (self, _: Nil) => Ok(Nil);
}
impl<S: Order<T>, D, P, T, E, Q> AddModes<Cons<Mode<T, E>, Q>> for Cons<Mode<S, D>, P>
where
    S::Output: AddFirst<S, D, P, T, E, Q>,
{
    type Output = <S::Output as AddFirst<S, D, P, T, E, Q>>::Output;
    #[inline]
    fn add_modes(self, other: Cons<Mode<T, E>, Q>) -> Result<Self::Output, Fault> {
        S::Output::add_first(self, other)
    }
}

/// The sum of the mode `S:D` before the modes `P`, and `T:E` before `Q`; `self` is the order of the two extents.
pub trait AddFirst<S, D, P, T, E, Q> {
    type Output;
    fn add_first(left: Cons<Mode<S, D>, P>, right: Cons<Mode<T, E>, Q>) -> Result<Self::Output, Fault>;
}
impl<S: Number, D: Plus<E> + Number, P, T, E: Number, Q> AddFirst<S, D, P, T, E, Q> for Equal
where
    P: AddModes<Q, Output: Push<Merging, S, D::Output>>,
{
    type Output = <P::Output as Push<Merging, S, D::Output>>::Output;
    #[inline]
    fn add_first(left: Cons<Mode<S, D>, P>, right: Cons<Mode<T, E>, Q>) -> Result<Self::Output, Fault> {
        let mode = sum(left.head.shape, left.head.stride, right.head.stride)?;
        left.tail.add_modes(right.tail)?.push(mode)
    }
}
// The shorter mode is whole, and the other goes on.
cases! { AddFirst::add_first -> Result<Self::Output, Fault>:
    [S, D, P, T: Quotient<S>, E, Q] Less, S, D, P, T, E, Q where (T::Output: AddRest<S, D, P, T, E, Q>)
        => <T::Output as AddRest<S, D, P, T, E, Q>>::Output,
        (left: Cons<Mode<S, D>, P>, right: Cons<Mode<T, E>, Q>) => T::Output::add_rest(left, right);
    [S: Quotient<T>, D, P, T, E, Q] Greater, S, D, P, T, E, Q where (S::Output: AddRest<T, E, Q, S, D, P>)
        => <S::Output as AddRest<T, E, Q, S, D, P>>::Output,
        (left: Cons<Mode<S, D>, P>, right: Cons<Mode<T, E>, Q>) => S::Output::add_rest(right, left);
    // With a dynamic extent, it depends on where the lists end.
    [S, D, P: AddLast<S, D, T, E, Q>, T, E, Q] Unknown, S, D, P, T, E, Q => P::Output,
        (left: Cons<Mode<S, D>, P>, right: Cons<Mode<T, E>, Q>) => P::add_last(left, right);
}

/// The sum of the mode `S:D` before the modes `P`, and the longer `T:E` before `Q`; `self` is
/// the quotient of `T` and `S`.
pub trait AddRest<S, D, P, T, E, Q> {
    type Output;
    fn add_rest(short: Cons<Mode<S, D>, P>, long: Cons<Mode<T, E>, Q>) -> Result<Self::Output, Fault>;
}
impl<S, D, P, T, E, Q> AddRest<S, D, P, T, E, Q> for NotExact {
    type Output = Undefined<NoRefinement<S, D, T, E>>;
    #[inline]
    fn add_rest(_: Cons<Mode<S, D>, P>, _: Cons<Mode<T, E>, Q>) -> Result<Self::Output, Fault> {
        Ok(Undefined::new())
    }
}
impl<S: Number, D: Plus<E> + Number, P, T, E: Number, Q, N: Number> AddRest<S, D, P, T, E, Q> for Exact<N>
where
    T: Quotient<S, Output = Self> + Number,
    E: AddBehind<S, N, P, Q, Output: Push<Merging, S, D::Output>>,
{
    type Output = <E::Output as Push<Merging, S, D::Output>>::Output;
    #[inline]
    fn add_rest(short: Cons<Mode<S, D>, P>, long: Cons<Mode<T, E>, Q>) -> Result<Self::Output, Fault> {
        let (Mode { shape, stride }, Mode { shape: longer, stride: other }) = (short.head, long.head);
        let no_refinement = Fault::NoRefinement {
            extent: shape.get(),
            stride: stride.get(),
            other_extent: longer.get(),
            other_stride: other.get(),
        };
        let Exact(left) = longer.quotient(&shape).ok_or(no_refinement)?;
        let mode = sum(shape, stride, other)?;
        other.add_behind(shape, left, short.tail, long.tail)?.push(mode)
    }
}

/// The sum of the modes `P` and those behind `S` steps of the stride `self`: `N` more, and the modes `Q`.
pub trait AddBehind<S, N, P, Q> {
    type Output;
    fn add_behind(self, steps: S, extent: N, short: P, long: Q) -> Result<Self::Output, Fault>;
}
cases! { AddBehind::add_behind -> Result<Self::Output, Fault>, for { [] UTerm; [U B] UInt<U, B>; [] usize; [F] Multiple<F>; }:
    [S: Times<Self> + Number, N: Number, P: AddModes<Cons<Mode<N, S::Output>, Q>>, Q] Self, S, N, P, Q
        where (Self: Number)
        => P::Output,
        (self, steps: S, extent: N, short: P, long: Q) => add_rest(self, steps, extent, short, long);
}
/// The work of [`AddBehind`].
#[inline]
pub(crate) fn add_rest<D: Number, S: Times<D> + Number, N: Number, P: AddModes<Cons<Mode<N, S::Output>, Q>>, Q>(
    stride: D,
    steps: S,
    extent: N,
    short: P,
    long: Q,
) -> Result<P::Output, Fault> {
    let rest = Mode { shape: extent, stride: scaled(extent, stride, steps)? };
    short.add_modes(Cons { head: rest, tail: long })
}

/// [`AddFirst`] where an extent is dynamic: a last mode, before [`Nil`], is as long as all of
/// the rest of the other layout.
pub trait AddLast<S, D, T, E, Q>: Sized {
    type Output;
    fn add_last(left: Cons<Mode<S, D>, Self>, right: Cons<Mode<T, E>, Q>) -> Result<Self::Output, Fault>;
}
cases! { AddLast::add_last -> Result<Self::Output, Fault>:
    [S: StaticOfTwo<T>, D: Plus<E> + Number, T, E: Number] Nil, S, D, T, E, Nil
        => Cons<Mode<S::Output, D::Output>, Nil>, (left: Cons<Mode<S, D>, Nil>, right: Cons<Mode<T, E>, Nil>) => {
        let head = sum(left.head.shape.known(right.head.shape), left.head.stride, right.head.stride)?;
        Ok(Cons { head, tail: Nil })
    };
    [S: Quotient<T>, D, T, E, M, Q] Nil, S, D, T, E, Cons<M, Q> where (S::Output: AddRest<T, E, Cons<M, Q>, S, D, Nil>)
        => <S::Output as AddRest<T, E, Cons<M, Q>, S, D, Nil>>::Output,
        (left: Cons<Mode<S, D>, Nil>, right: Cons<Mode<T, E>, Cons<M, Q>>) => S::Output::add_rest(right, left);
    [S, D, T: Quotient<S>, E, M, P] Cons<M, P>, S, D, T, E, Nil where (T::Output: AddRest<S, D, Self, T, E, Nil>)
        => <T::Output as AddRest<S, D, Self, T, E, Nil>>::Output,
        (left: Cons<Mode<S, D>, Self>, right: Cons<Mode<T, E>, Nil>) => T::Output::add_rest(left, right);
    [S, D, T, E, M, P, N, Q] Cons<M, P>, S, D, T, E, Cons<N, Q> => Undefined<DynamicSum>,
        (_: Cons<Mode<S, D>, Self>, _: Cons<Mode<T, E>, Cons<N, Q>>) => Ok(Undefined::new());
}

/// The static one of two numbers that are equal, if one is.
pub trait StaticOfTwo<R> {
    type Output: Number;
    fn known(self, other: R) -> Self::Output;
}
cases! { StaticOfTwo::known -> Self::Output:
    [U, B, R] UInt<U, B>, R where (Self: Number) => Self, (self, _: R) => self;
    [R] UTerm, R => Self, (self, _: R) => self;
    [N: RunTimeNumber, R: Number] N, R => R, (self, other: R) => other;
}

/// The mode `extent : stride + other`. A mode that does not move has no sum that could overflow.
#[inline]
fn sum<S: Number, D: Plus<E> + Number, E: Number>(extent: S, stride: D, other: E) -> Result<Mode<S, D::Output>, Fault> {
    let still = |fault| if extent.get() <= 1 { stride.still().plus(&other.still()) } else { Err(fault) };
    Ok(Mode { shape: extent, stride: stride.plus(&other).or_else(still)? })
}
/// The stride `stride * steps` of a mode of the extent `extent`.
#[inline]
fn scaled<N: Number, E: Number, S: Times<E> + Number>(extent: N, stride: E, steps: S) -> Result<S::Output, Fault> {
    let still = |fault| if extent.get() <= 1 { steps.still().times(&stride.still()) } else { Err(fault) };
    steps.times(&stride).or_else(still)
}
