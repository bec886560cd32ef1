//! `G = greatest_common_domain(X, Y)` of two shapes: a layout whose modes are factors that both have at the same place,
//! so that both compose with it.
//!
//! Both shapes are gone through from the left. Where the extents before the first leaf of each multiply to different
//! places, both leaves go on to their least common multiple, if they divide there; what they then have in common is a
//! mode. Where there is none, the leaf that ends first is done.
//!
//! The layout is made of types alone: the form of the result depends on every extent of both.

use typenum::{Equal, Greater, Less, UInt, UTerm};

use crate::algebra::mode::{IntoResult, Mode, ModesOnto, Push};
use crate::algebra::operation::{self, Apply, Operand, With, right, settle};
use crate::algebra::outcome::Outcome;
use crate::error::{Fault, LayoutError};
use crate::layout::stand_in::StandIn;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::list::{Cons, Nested, Nil};
use crate::number::int::{DivideInt, GcdInt, MulInt, NotExact, One, Order, QuotientInt};
use crate::number::multiple::Multiple;
use crate::number::table::RunTimeNumber;
use crate::refusal::DynamicDomain;
use crate::refusal::undefined::Undefined;
use crate::tuple::int_tuple::IntTuple;

// ---- the public face ----------------------------------------------------------------------------------------------

/// `A: GreatestCommonDomain<B>` says that `a.greatest_common_domain(b)` has a result, each a shape or a layout, which
/// counts by its shape: see [`greatest_common_domain`](crate::LayoutAlgebra::greatest_common_domain).
#[diagnostic::on_unimplemented(
    message = "cannot take the common domain: nothing says that this shape or layout can",
    label = "`{Self}` is not known to have this operation",
    note = "generic code names what it needs as a bound: `A: GreatestCommonDomain<B>`"
)]
pub trait GreatestCommonDomain<B>: Sized {
    /// The result.
    type Output: Layout;
    #[doc(hidden)]
    fn evaluated(left: Self, right: B) -> Result<Self::Output, LayoutError>;
}
/// The type of `a.greatest_common_domain(b)`: see
/// [`greatest_common_domain`](crate::LayoutAlgebra::greatest_common_domain).
pub type GreatestCommonDomainOf<A, B> = <A as GreatestCommonDomain<B>>::Output;

/// What the right operand `B` and the shape `S` have in common, before the gate.
type Common<S, B> = <<B as right::GreatestCommonDomain>::Accepted as Apply<operation::GreatestCommonDomain, S>>::Output;

impl<S: IntTuple + Operand, B> GreatestCommonDomain<B> for S
where
    B: right::GreatestCommonDomain<
            Accepted: Apply<operation::GreatestCommonDomain, S, Output: Outcome<operation::GreatestCommonDomain>>,
        >,
{
    type Output = <Common<S, B> as Outcome<operation::GreatestCommonDomain>>::Output;
    #[inline]
    fn evaluated(left: S, right: B) -> Result<Self::Output, LayoutError> {
        settle::<operation::GreatestCommonDomain, _, _>(left, With(right.accepted()))
    }
}
impl<S: IntTuple, D: IntTuple, B> GreatestCommonDomain<B> for StridedLayout<S, D>
where
    S: GreatestCommonDomain<B>,
{
    type Output = S::Output;
    #[inline]
    fn evaluated(left: Self, right: B) -> Result<Self::Output, LayoutError> {
        S::evaluated(left.into_parts().0, right)
    }
}
impl<B> GreatestCommonDomain<B> for StandIn {
    type Output = Self;
    fn evaluated(left: Self, _: B) -> Result<Self, LayoutError> {
        Ok(left)
    }
}

/// [`LayoutAlgebra::greatest_common_domain`](crate::LayoutAlgebra::greatest_common_domain) as a method of shapes.
pub trait ShapeAlgebra: IntTuple {
    /// What this shape and another one, or the shape of a layout, have in common: see
    /// [`LayoutAlgebra::greatest_common_domain`](crate::LayoutAlgebra::greatest_common_domain).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let g = shape!((5, 3, 4)).greatest_common_domain(shape!((10, 6)));
    /// assert_eq!(g, layout!((5, 2):(1, 30)));
    /// ```
    #[inline]
    #[track_caller]
    fn greatest_common_domain<B>(&self, other: B) -> GreatestCommonDomainOf<Self, B>
    where
        Self: GreatestCommonDomain<B>,
    {
        crate::error::expect(<Self as GreatestCommonDomain<B>>::evaluated(*self, other))
    }
}
impl<S: IntTuple> ShapeAlgebra for S {}

// ---- the leaves of a shape ----------------------------------------------------------------------------------------

/// Extents are listed, those of 0 and 1 left out.
pub struct AboveOne;
macro_rules! left_out {
    ($($extent:ty)*) => {
        $(impl<L, D> Push<AboveOne, $extent, D> for L {
            type Output = L;
            #[inline]
            fn push(self, _: Mode<$extent, D>) -> Result<L, Fault> {
                Ok(self)
            }
        })*
    };
}
left_out! { UTerm One }
cases! { Push::push -> Result<Self::Output, Fault>:
    [L, D, U, A, B] L, AboveOne, UInt<UInt<U, A>, B>, D => Cons<UInt<UInt<U, A>, B>, L>,
        (self, mode: Mode<UInt<UInt<U, A>, B>, D>) => Ok(Cons { head: mode.shape, tail: self });
    [L, D, N: RunTimeNumber] L, AboveOne, N, D => Cons<N, L>,
        (self, mode: Mode<N, D>) => Ok(Cons { head: mode.shape, tail: self });
}

/// `self` in front of the extents `List`, if it is above 1.
type ModeInFront<N, List> = <List as Push<AboveOne, N, N>>::Output;

impl<S, T: IntTuple, E> Apply<operation::GreatestCommonDomain, S> for StridedLayout<T, E>
where
    T: Apply<operation::GreatestCommonDomain, S>,
{
    type Output = T::Output;
    #[inline]
    fn apply(self, left: S) -> Result<Self::Output, Fault> {
        self.into_parts().0.apply(left)
    }
}
/// The modes that the shapes `S` and `self` have in common, or [`Undefined`].
pub trait CommonOf<S> {
    type Output: IntoResult + Default;
}
impl<S: Nested, T: Nested, P, Q> CommonOf<S> for T
where
    S::Node: ModesOnto<S::Node, Nil, AboveOne, Output = P>,
    T::Node: ModesOnto<T::Node, Nil, AboveOne, Output = Q>,
    P: CommonModes<One, Q, One, One, Output: IntoResult + Default>,
{
    type Output = P::Output;
}
impl<S: IntTuple + CommonOf<Left>, Left> Apply<operation::GreatestCommonDomain, Left> for S {
    type Output = <<S as CommonOf<Left>>::Output as IntoResult>::Output;
    #[inline]
    fn apply(self, _: Left) -> Result<Self::Output, Fault> {
        Ok(<S as CommonOf<Left>>::Output::default().into_result())
    }
}

// ---- both shapes from the left ------------------------------------------------------------------------------------

/// The modes that the extents `self`, which begin at `A * Place`, and the extents `Q`, from `B * Place`, have in
/// common: `Place` is where the last mode ended. Or [`Undefined`].
pub trait CommonModes<A, Q, B, Place> {
    type Output;
}
cases! { CommonModes:
    [A, Q, B, Place] Nil, A, Q, B, Place => Nil;
    [S, P, A, B, Place] Cons<S, P>, A, Nil, B, Place => Nil;
    [S: FirstCommon<T, P, A, Q, B, Place>, P, A, T, Q, B, Place] Cons<S, P>, A, Cons<T, Q>, B, Place => S::Output;
}

/// [`CommonModes`] of the extent `self` before `P`, and `T` before `Q`: both have to be static.
pub trait FirstCommon<T, P, A, Q, B, Place> {
    type Output;
}
cases! { FirstCommon:
    [P, A, Q, B, Place, T] usize, T, P, A, Q, B, Place => Undefined<DynamicDomain>;
    [P, A, Q, B, Place, F, T] Multiple<F>, T, P, A, Q, B, Place => Undefined<DynamicDomain>;
    [P, A, Q, B, Place, U, C] UInt<U, C>, usize, P, A, Q, B, Place => Undefined<DynamicDomain>;
    [P, A, Q, B, Place, U, C, F] UInt<U, C>, Multiple<F>, P, A, Q, B, Place => Undefined<DynamicDomain>;
}
/// The least common multiple of the places is `A * (B / gcd) * Place`, so that `S` goes on by
/// `B / gcd`, and `T` by `A / gcd`.
impl<U, C, V, E, P, A, Q, B, Place, G, I, J> FirstCommon<UInt<V, E>, P, A, Q, B, Place> for UInt<U, C>
where
    A: GcdInt<B, Output = G> + DivideInt<G, Quotient = J>,
    B: DivideInt<G, Quotient = I>,
    Self: QuotientInt<I>,
    UInt<V, E>: QuotientInt<J>,
    <Self as QuotientInt<I>>::Output:
        Meet<<UInt<V, E> as QuotientInt<J>>::Output, ExtentsFrom<Self, P, A>, ExtentsFrom<UInt<V, E>, Q, B>, Place, I>,
{
    type Output = <<Self as QuotientInt<I>>::Output as Meet<
        <UInt<V, E> as QuotientInt<J>>::Output,
        ExtentsFrom<Self, P, A>,
        ExtentsFrom<UInt<V, E>, Q, B>,
        Place,
        I,
    >>::Output;
}
/// The extent `S` that begins at `A`, and the extents `P` behind it.
pub struct ExtentsFrom<S, P, A>(core::marker::PhantomData<(S, P, A)>);

/// `self` and `T` are what is left of both extents from the least common multiple of their places on, if they divide
/// there. That is `I` times the place on the left.
pub trait Meet<T, Left, Right, Place, I> {
    type Output;
}
cases! { Meet:
    [T, Left: Further<Right, Place>, Right, Place, I] NotExact, T, Left, Right, Place, I => Left::Output;
    [U, C, Left: Further<Right, Place>, Right, Place, I] UInt<U, C>, NotExact, Left, Right, Place, I => Left::Output;
    [U, C, V, E, Left, Right, Place, I] UInt<U, C>, UInt<V, E>, Left, Right, Place, I
        where (
            Self: GcdInt<UInt<V, E>>,
            <Self as GcdInt<UInt<V, E>>>::Output: Factor<Self, UInt<V, E>, Left, Right, Place, I>,
        ) => <<Self as GcdInt<UInt<V, E>>>::Output as Factor<Self, UInt<V, E>, Left, Right, Place, I>>::Output;
}

/// The factor `self` that `S` and `T` have in common is a mode, unless it is 1.
pub trait Factor<S, T, Left, Right, Place, I> {
    type Output;
}
impl<S, T, Left: Further<Right, Place>, Right, Place, I> Factor<S, T, Left, Right, Place, I> for One {
    type Output = Left::Output;
}
impl<U, C, E, S, T, S0, P, A, T0, Q, B, Place, I, Here, Next>
    Factor<S, T, ExtentsFrom<S0, P, A>, ExtentsFrom<T0, Q, B>, Place, I> for UInt<UInt<U, C>, E>
where
    Place: MulInt<A>,
    <Place as MulInt<A>>::Output: MulInt<I, Output = Here>,
    Here: MulInt<Self, Output = Next>,
    S: DivideInt<Self>,
    T: DivideInt<Self>,
    P: Push<AboveOne, S::Quotient, S::Quotient>,
    Q: Push<AboveOne, T::Quotient, T::Quotient>,
    ModeInFront<S::Quotient, P>: CommonModes<One, ModeInFront<T::Quotient, Q>, One, Next>,
    <ModeInFront<S::Quotient, P> as CommonModes<One, ModeInFront<T::Quotient, Q>, One, Next>>::Output:
        WithMode<Mode<Self, Here>>,
{
    type Output =
        <<ModeInFront<S::Quotient, P> as CommonModes<One, ModeInFront<T::Quotient, Q>, One, Next>>::Output as WithMode<
            Mode<Self, Here>,
        >>::Output;
}

/// The mode `M` in front of the modes `self`, if they are there.
pub trait WithMode<M> {
    type Output;
}
cases! { WithMode:
    [M] Nil, M => Cons<M, Nil>;
    [H, T, M] Cons<H, T>, M => Cons<M, Self>;
    [R, M] Undefined<R>, M => Self;
}

/// Nothing in common here: of `self` and `Right`, the one whose first extent ends first goes on to its next one.
pub trait Further<Right, Place> {
    type Output;
}
impl<S, P, A: MulInt<S, Output = X>, T, Q, B: MulInt<T, Output = Y>, Place, X: Order<Y>, Y>
    Further<ExtentsFrom<T, Q, B>, Place> for ExtentsFrom<S, P, A>
where
    X::Output: PassFirstExtent<Self, ExtentsFrom<T, Q, B>, X, Y, Place>,
{
    type Output = <X::Output as PassFirstExtent<Self, ExtentsFrom<T, Q, B>, X, Y, Place>>::Output;
}
/// See [`Further`]; `self` is the order of `X` and `Y`, where the first extents end.
pub trait PassFirstExtent<Left, Right, X, Y, Place> {
    type Output;
}
macro_rules! left_ends {
    ($($order:ty)*) => {
        $(impl<S, P: CommonModes<X, Cons<T, Q>, B, Place>, A, T, Q, B, X, Y, Place>
            PassFirstExtent<ExtentsFrom<S, P, A>, ExtentsFrom<T, Q, B>, X, Y, Place> for $order
        {
            type Output = P::Output;
        })*
    };
}
left_ends! { Less Equal }
impl<S, P, A, T, Q, B, X, Y, Place> PassFirstExtent<ExtentsFrom<S, P, A>, ExtentsFrom<T, Q, B>, X, Y, Place> for Greater
where
    Cons<S, P>: CommonModes<A, Q, Y, Place>,
{
    type Output = <Cons<S, P> as CommonModes<A, Q, Y, Place>>::Output;
}
