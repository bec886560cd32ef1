//! No two coordinates share an offset, proven by the types: `cargo check` says if mutable parts overlap.
//!
//! ```text
//! d_k > sum_(j<k) (s_j - 1) * d_j          for the modes that move, sorted by stride
//! ```
//!
//! Sufficient, and for most layouts necessary: modes may interleave and still share nothing, as in `(5,3):(3,5)`. Those
//! are refused here, and the exact check at run time (`try_tiles_mut`) lets them pass.

use typenum::{Equal, Greater, Less, UInt, UTerm};

use crate::algebra::complement::Sort;
use crate::algebra::mode::{Mode, ModesOnto};
use crate::algebra::operation;
use crate::composed::ComposedLayout;
use crate::layout::strided::StridedLayout;
use crate::list::{Cons, Leaf, Nested, Nil, TreeOf, Untangle};
use crate::number::int::{AddInt, One, SubInt, Zero};
use crate::number::table::{Order, Plus, RunTimeNumber, Times, Unknown};
use crate::refusal::undefined::Undefined;
use crate::refusal::{Explain, Shared};
use crate::stepped::layout::SignedLayout;
use crate::stepped::negative::Minus;

/// `L: Injective`: no two coordinates of the layout `L` share an offset, as far as the types know: what
/// [`Tensor::tiles_mut`](crate::Tensor::tiles_mut) asks for. Where a number is known only at run time, so is the
/// answer, and the bound holds.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::Injective;
/// use static_assertions::{assert_impl_all, assert_not_impl_any};
/// assert_impl_all!(Layout!((4, 6):(10, 1)): Injective);
/// assert_not_impl_any!(Layout!((4, 6):(0, 1)): Injective);
/// assert_not_impl_any!(Layout!((4, 6):(1, 3)): Injective);
/// assert_impl_all!(Layout!((4, _):(1, _)): Injective);
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot hand out disjoint parts: nothing says that no two coordinates of this layout share an offset",
    label = "not known to be injective",
    note = "generic code names what it needs as a bound: `L: Injective`; `try_tiles_mut` takes any layout, and looks \
            when it runs"
)]
pub trait Injective {}
#[doc(hidden)]
impl<S: Nested, D: Nested> Injective for StridedLayout<S, D>
where
    S::Node: ModesOnto<D::Node, Nil>,
    <S::Node as ModesOnto<D::Node, Nil>>::Output:
        Standing<Output: AndApart<<S::Node as ModesOnto<D::Node, Nil>>::Output>>,
    <<<S::Node as ModesOnto<D::Node, Nil>>::Output as Standing>::Output as AndApart<
        <S::Node as ModesOnto<D::Node, Nil>>::Output,
    >>::Output: SharesNothing,
{
}
/// Backwards, a mode has the offsets that it has forwards, moved.
#[doc(hidden)]
impl<S: Nested, D: Nested<Node: Forwards<Output: Untangle>>> Injective for SignedLayout<S, D> where
    StridedLayout<S, TreeOf<<D::Node as Forwards>::Output>>: Injective
{
}
/// Whether it is, is known at run time.
#[cfg(feature = "alloc")]
#[doc(hidden)]
impl Injective for crate::dynamic::DynLayout {}
/// A swizzle is a bijection.
#[doc(hidden)]
impl<O, F, L: Injective> Injective for ComposedLayout<O, F, L> {}

/// The strides of the node `self` without their signs.
pub trait Forwards {
    type Output;
}
cases! { Forwards:
    [] Nil => Nil;
    [] Leaf<UTerm> => Self;
    [U, B] Leaf<UInt<U, B>> => Self;
    [N: RunTimeNumber] Leaf<N> => Self;
    [N] Leaf<Minus<N>> => Leaf<N>;
    [H: Nested<Node: Forwards<Output: Untangle>>, T: Forwards] Cons<H, T>
        => Cons<TreeOf<<H::Node as Forwards>::Output>, T::Output>;
}

/// Nothing is known to be shared.
pub struct NothingShared;

/// The gate: lets [`NothingShared`] pass, and explains what is [`Undefined`].
pub trait SharesNothing {}
impl SharesNothing for NothingShared {}
impl<R: Explain<operation::PartsMut>> SharesNothing for Undefined<R> {}

// ---- modes that stand still ---------------------------------------------------------------------------------------

/// Does a mode of static extent above 1 in the list `self` have the static stride 0?
/// [`Undefined`], else [`NothingShared`].
pub trait Standing {
    type Output;
}
cases! { Standing:
    [] Nil => NothingShared;
    [S: StandsStill<T>, T] Cons<Mode<S, UTerm>, T> => S::Output;
    [S, T: Standing, U, B] Cons<Mode<S, UInt<U, B>>, T> => T::Output;
    [S, T: Standing, N: RunTimeNumber] Cons<Mode<S, N>, T> => T::Output;
}

/// [`Standing`] of a mode of the extent `self` and the stride 0, before the modes `T`.
pub trait StandsStill<T> {
    type Output;
}
cases! { StandsStill:
    [T: Standing] UTerm, T => T::Output;
    [T: Standing] One, T => T::Output;
    [U, A, B, T] UInt<UInt<U, A>, B>, T => Undefined<Shared<Self, Zero, One>>;
    [T: Standing, N: RunTimeNumber] N, T => T::Output;
}

// ---- modes that move ----------------------------------------------------------------------------------------------

/// If the list `L` of modes has none that stands still, which `self` says: do its modes lie apart?
pub trait AndApart<L> {
    type Output;
}
impl<L: Sort<Output: LieApart<Zero>>> AndApart<L> for NothingShared {
    type Output = <L::Output as LieApart<Zero>>::Output;
}
impl<R, L> AndApart<L> for Undefined<R> {
    type Output = Self;
}

/// Do the sorted modes `self` lie above those that reach to `Reach`, and each above those before it?
/// [`NothingShared`] or [`Undefined`].
pub trait LieApart<Reach> {
    type Output;
}
impl<Reach> LieApart<Reach> for Nil {
    type Output = NothingShared;
}
/// The order of the strides is known only at run time.
impl<R, Reach> LieApart<Reach> for Undefined<R> {
    type Output = NothingShared;
}
impl<S, D: Order<Reach>, T, Reach> LieApart<Reach> for Cons<Mode<S, D>, T>
where
    D::Output: LiesAbove<S, D, T, Reach>,
{
    type Output = <D::Output as LiesAbove<S, D, T, Reach>>::Output;
}

/// [`LieApart`] of the mode `S:D` and those above it, `T`; `self` is the order of `D` and `Reach`.
pub trait LiesAbove<S, D, T, Reach> {
    type Output;
}
impl<S, D, T, Reach> LiesAbove<S, D, T, Reach> for Unknown {
    type Output = NothingShared;
}
impl<S: LessOne<Output: Times<D, Output: Plus<Reach>>>, D, T, Reach> LiesAbove<S, D, T, Reach> for Greater
where
    T: LieApart<<<S::Output as Times<D>>::Output as Plus<Reach>>::Output>,
{
    type Output = T::Output;
}
macro_rules! lies_within {
    ($($order:ty),*) => {
        $(impl<S, D, T, Reach: AddInt<One>> LiesAbove<S, D, T, Reach> for $order {
            type Output = Undefined<Shared<S, D, Reach::Output>>;
        })*
    };
}
lies_within!(Equal, Less);

/// The largest number below the extent `self`.
pub trait LessOne {
    type Output;
}
cases! { LessOne:
    [] UTerm => UTerm;
    [U, B] UInt<U, B> where (Self: SubInt<One>) => <Self as SubInt<One>>::Output;
    [N: RunTimeNumber] N => usize;
}
