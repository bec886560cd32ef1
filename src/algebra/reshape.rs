//! Other layouts for a shape: the same function with another shape, a compact layout in the same
//! order.
//!
//! ```text
//! with_shape(L, S)(c) = L(crd2idx(c, S))            L composed with the compact layout of S
//! layout_like(L)                                    the shape of L, compact, strides in the same order
//! ```

use typenum::{UInt, UTerm};

use crate::algebra::operation;
use crate::algebra::outcome::{Apply, Defined, Evaluate};
use crate::error::Fault;
use crate::layout::compact::CompactLeft;
use crate::layout::ordered::{LeafInOrder, OrderedStrides, PairLeaves, Refill, RefilledBy};
use crate::layout::strided::StridedLayout;
use crate::list::{Cons, Nested, Nil, Untangle};
use crate::number::int::{False, One, True, Zero};
use crate::number::table::RunTimeNumber;
use crate::reasons::DynamicOrder;
use crate::reasons::undefined::Undefined;
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

// ---- in the same order --------------------------------------------------------------------------

impl<S, D: Nested<Node: IsStatic<Output: CompactAlike<S, D>>>> Evaluate<operation::LayoutLike>
    for StridedLayout<S, D>
{
    type Output = <<D::Node as IsStatic>::Output as CompactAlike<S, D>>::Output;
    #[inline]
    fn evaluate(self) -> Result<Self::Output, Fault> {
        <D::Node as IsStatic>::Output::compact_alike(self)
    }
}

/// The compact layout in the order of `S:D`; `self` says whether all strides of that are static.
pub trait CompactAlike<S, D> {
    type Output;
    fn compact_alike(layout: StridedLayout<S, D>) -> Result<Self::Output, Fault>;
}
cases! { CompactAlike::compact_alike -> Result<Self::Output, Fault>:
    [S, D] False, S, D => Undefined<DynamicOrder>, (_: StridedLayout<S, D>) => Ok(Undefined::new());
    [S: IntTuple, D: IntTuple, List] True, S, D
        where (
            S::Node: PairLeaves<D::Node, Nil, Output: StandingLeaves<Output: OrderedStrides<Nil, Output = List>>>,
            S::Node: Refill<List, Output: Untangle>,
        )
        => Defined<S, <RefilledBy<S::Node, List> as Untangle>::Tree>, (layout: StridedLayout<S, D>) => {
        let (shape, stride) = layout.into_parts();
        let strides = shape.node().leaves(stride.node(), Nil).stay_still().ordered_strides(&Nil)?;
        Ok(Defined { shape, stride: shape.node().refill(strides).0.tree() })
    };
}

/// Leaves whose place is their stride. A leaf of stride 0 counts as extent 1, which neither moves
/// nor moves others.
pub trait StandingLeaves {
    type Output;
    fn stay_still(self) -> Self::Output;
}
cases! { StandingLeaves::stay_still -> Self::Output:
    [] Nil => Nil, (self) => Nil;
    [S, T: StandingLeaves] Cons<LeafInOrder<S, UTerm>, T> => Cons<LeafInOrder<One, Zero>, T::Output>,
        (self) => Cons { head: LeafInOrder(One::default(), UTerm), tail: self.tail.stay_still() };
    [S, T: StandingLeaves, U, B] Cons<LeafInOrder<S, UInt<U, B>>, T> => Cons<LeafInOrder<S, UInt<U, B>>, T::Output>,
        (self) => Cons { head: self.head, tail: self.tail.stay_still() };
    [S, T: StandingLeaves, N: RunTimeNumber] Cons<LeafInOrder<S, N>, T> => Cons<LeafInOrder<S, N>, T::Output>,
        (self) => Cons { head: self.head, tail: self.tail.stay_still() };
}
