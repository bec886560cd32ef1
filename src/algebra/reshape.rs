//! Other layouts for a shape: the same function with another shape, a compact layout in the
//! same order, a share of a shape.
//!
//! ```text
//! with_shape(L, S)(c) = L(crd2idx(c, S))             L composed with the compact layout of S
//! layout_like(L)                                     the shape of L, compact, strides in the same order
//! domain_distribute(S, n)                            n elements spread over S by the factors that they share
//! ```

use typenum::{UInt, UTerm};

use crate::algebra::coalesce::Merge;
use crate::algebra::mode::{IntoTrees, Mode, ModesOnto};
use crate::algebra::operation::Apply;
use crate::algebra::operation::{self, Evaluate};
use crate::algebra::outcome::Defined;
use crate::error::Fault;
use crate::layout::compact::CompactLeft;
use crate::layout::ordered::{LeafInOrder, OrderedStrides, PairLeaves, Refill, RefilledBy};
use crate::layout::strided::StridedLayout;
use crate::list::{Cons, Nested, Nil, Untangle};
use crate::number::int::{DivideInt, False, GcdInt, One, StaticInt, True, Zero};
use crate::number::table::{Number, RunTimeNumber};
use crate::refusal::DynamicOrder;
use crate::refusal::undefined::Undefined;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::int_tuple::IsStatic;

impl<S: IntTuple + CompactLeft, Left> Apply<operation::WithShape, Left> for S
where
    StridedLayout<S, S::Stride>: Apply<operation::Compose, Left>,
{
    type Output = <StridedLayout<S, S::Stride> as Apply<operation::Compose, Left>>::Output;
    #[inline]
    fn apply(self, left: Left) -> Result<Self::Output, Fault> {
        StridedLayout::assemble(self, self.left_strides()?).apply(left)
    }
}

// ---- in the same order --------------------------------------------------------------------------------------------

impl<S, D: Nested<Node: IsStatic<Output: AlikeIf<S, D>>>> Evaluate<operation::LayoutLike> for StridedLayout<S, D> {
    type Output = <<D::Node as IsStatic>::Output as AlikeIf<S, D>>::Output;
    #[inline]
    fn evaluate(self) -> Result<Self::Output, Fault> {
        <D::Node as IsStatic>::Output::alike_if(self)
    }
}

/// The compact layout in the order of `S:D`; `self` says whether all strides of that are static.
pub trait AlikeIf<S, D> {
    type Output;
    fn alike_if(layout: StridedLayout<S, D>) -> Result<Self::Output, Fault>;
}
cases! { AlikeIf::alike_if -> Result<Self::Output, Fault>:
    [S, D] False, S, D => Undefined<DynamicOrder>, (_: StridedLayout<S, D>) => Ok(Undefined::new());
    [S: IntTuple, D: IntTuple, List] True, S, D
        where (
            S::Node: PairLeaves<D::Node, Nil, Output: StayStill<Output: OrderedStrides<Nil, Output = List>>>,
            S::Node: Refill<List, Output: Untangle>,
        )
        => Defined<S, <RefilledBy<S::Node, List> as Untangle>::Tree>, (layout: StridedLayout<S, D>) => {
        let (shape, stride) = layout.into_parts();
        let strides = shape.node().leaves(stride.node(), Nil).stay_still().ordered_strides(&Nil)?;
        Ok(Defined { shape, stride: shape.node().refill(strides).0.tree() })
    };
}

/// Leaves whose place is their stride: with a stride of 0 they count as of extent 1, which
/// neither moves nor moves others.
pub trait StayStill {
    type Output;
    fn stay_still(self) -> Self::Output;
}
cases! { StayStill::stay_still -> Self::Output:
    [] Nil => Nil, (self) => Nil;
    [S, T: StayStill] Cons<LeafInOrder<S, UTerm>, T> => Cons<LeafInOrder<One, Zero>, T::Output>,
        (self) => Cons { head: LeafInOrder(One::default(), UTerm), tail: self.tail.stay_still() };
    [S, T: StayStill, U, B] Cons<LeafInOrder<S, UInt<U, B>>, T> => Cons<LeafInOrder<S, UInt<U, B>>, T::Output>,
        (self) => Cons { head: self.head, tail: self.tail.stay_still() };
    [S, T: StayStill, N: RunTimeNumber] Cons<LeafInOrder<S, N>, T> => Cons<LeafInOrder<S, N>, T::Output>,
        (self) => Cons { head: self.head, tail: self.tail.stay_still() };
}

// ---- a share of a shape -------------------------------------------------------------------------------------------

/// `S: DomainDistribute<N>`: `N` elements spread over the shape `S`, both static, by common factors: as many as
/// the first mode can take evenly, then the next. Factors that no mode has are left out, so compare the size with
/// `N`. CuTe's `domain_distribute`.
///
/// ```
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// // 6 elements of a 15 x 14 matrix: 3 rows, for 6 and 15 share 3, and 2 columns.
/// assert_type_eq_all!(DomainDistribution<Shape!((15, 14)), Int!(6)>, Layout!((3, 2):(1, 15)));
/// assert_eq!(domain_distribute(shape!((15, 14)), int!(6)), layout!((3, 2):(1, 15)));
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot distribute elements over a shape: not both are static",
    label = "`{N}` elements over the shape `{Self}`: the shape and the number have to be static",
    note = "`DynLayout::domain_distribute` takes numbers known at run time"
)]
pub trait DomainDistribute<N>: IntTuple {
    /// The shape of the share.
    type Shape: IntTuple + Default;
    /// Its strides in the compact layout of the whole shape.
    type Stride: IntTuple + Default;
}
/// The type of the share of `N` elements in the shape `S`.
///
/// ```
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(DomainDistribution<Shape!((4, 6)), Int!(6)>, Layout!((2, 3):(1, 4)));
/// ```
pub type DomainDistribution<S, N> =
    StridedLayout<<S as DomainDistribute<N>>::Shape, <S as DomainDistribute<N>>::Stride>;

impl<S: CompactLeft, N> DomainDistribute<N> for S
where
    S::Node: ModesOnto<<S::Stride as Nested>::Node, Nil, Output: TakeFactors<N, Output: Merge>>,
    SharedBy<S, N>: IntoTrees<Shape: IntTuple + Default, Stride: IntTuple + Default>,
{
    type Shape = <SharedBy<S, N> as IntoTrees>::Shape;
    type Stride = <SharedBy<S, N> as IntoTrees>::Stride;
}
/// The merged modes of the share of `N` elements in `S`.
type SharedBy<S, N> = <<<<S as Nested>::Node as ModesOnto<
    <<S as CompactLeft>::Stride as Nested>::Node,
    Nil,
>>::Output as TakeFactors<N>>::Output as Merge>::Output;

/// The modes `self` with the factors of `Rest` that they take, from the left.
pub trait TakeFactors<Rest> {
    type Output;
}
cases! { TakeFactors:
    [Rest] Nil, Rest => Nil;
    [S: GcdInt<Rest>, D, T, Rest: DivideInt<S::Output>] Cons<Mode<S, D>, T>, Rest where (T: TakeFactors<Rest::Quotient>)
        => Cons<Mode<S::Output, D>, T::Output>;
}

/// The layout of `count` elements spread over a shape by common factors. CuTe's `domain_distribute`.
///
/// See [`DomainDistribute`].
///
/// ```
/// use layout_algebra::prelude::*;
/// // 6 of 4 x 6 elements: 2 rows, for 6 and 4 share 2, and 3 columns.
/// assert_eq!(domain_distribute(shape!((4, 6)), int!(6)), layout!((2, 3):(1, 4)));
/// ```
pub fn domain_distribute<S: DomainDistribute<N>, N: Number + StaticInt>(_: S, _: N) -> DomainDistribution<S, N> {
    StridedLayout::assemble(S::Shape::default(), S::Stride::default())
}
