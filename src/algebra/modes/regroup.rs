//! Operations that regroup modes. Each mode stays as it is; only the tree around the modes changes.
//!
//! ```text
//! flatten(L) = all leaves on one level              select(L, (i, j, ..)) = (L_i, L_j, ..)
//! append(L, x) = (L_0, .., L_k, x)                  prepend(L, x) = (x, L_0, .., L_k)
//! group<b, e>(L) = (.., (L_b, .., L_(e-1)), ..)     ungroup<b>(group<b, e>(L)) = L
//! take<b, e>(L) = (L_b, .., L_(e-1))                replace<i>(L, x) = (.., x, ..)
//! reverse(L) = (L_k, .., L_0)                       transpose(L)(i, j) = L(j, i)
//! ```

use crate::algebra::mode::{Mode, ModesOnto};
use crate::algebra::operation;
use crate::algebra::outcome::{Apply, Defined, Evaluate};
use crate::algebra::trees::{Fit, IntoResult, IntoTuple, PairUp, TopModes};
use crate::error::Fault;
use crate::layout::strided::StridedLayout;
use crate::list::{Concat, Cons, Leaf, Nested, Nil, ReverseOnto};

// ---- whole layouts ------------------------------------------------------------------------------

impl<S: Nested<Node: FlattenNode<D>>, D: Nested> Evaluate<operation::Flatten>
    for StridedLayout<S, D>
{
    type Output = <S::Node as FlattenNode<D>>::Output;
    #[inline]
    fn evaluate(self) -> Result<Self::Output, Fault> {
        let (shape, stride) = self.into_parts();
        shape.node().flatten_node(stride)
    }
}

/// The leaves of the shape `self` and the stride `D` on one level; a number stays a number.
pub trait FlattenNode<D> {
    type Output;
    fn flatten_node(self, stride: D) -> Result<Self::Output, Fault>;
}
cases! { FlattenNode::flatten_node -> Result<Self::Output, Fault>:
    [N, D] Leaf<N>, D => Defined<N, D>, (self, stride: D) => Ok(Defined { shape: self.0, stride });
    [H, T, D: Nested] Cons<H, T>, D where (Self: ModesOnto<D::Node, Nil, Output: IntoResult>)
        => <<Self as ModesOnto<D::Node, Nil>>::Output as IntoResult>::Output,
        (self, stride: D) => Ok(self.modes_onto(stride.node(), Nil)?.into_result());
}

/// A list of modes of the first level as a tuple.
#[inline]
pub fn tuple<L: IntoTuple>(modes: L) -> Tuple<L> {
    let (shape, stride) = modes.into_tuple().into_parts();
    shape.fit(stride)
}
/// The type of a list of modes as a tuple: [`Defined`] or
/// [`Undefined`](crate::reasons::undefined::Undefined).
pub type Tuple<L> = <<L as IntoTuple>::Shape as Fit<<L as IntoTuple>::Stride>>::Output;
/// The modes of the first level of a layout.
pub type TopModesOf<L> = <L as TopModes>::Output;

impl<S: Nested<Node: ReverseNode<D>>, D: Nested> Evaluate<operation::Reverse>
    for StridedLayout<S, D>
{
    type Output = <S::Node as ReverseNode<D>>::Output;
    #[inline]
    fn evaluate(self) -> Result<Self::Output, Fault> {
        let (shape, stride) = self.into_parts();
        Ok(shape.node().reverse_node(stride))
    }
}

/// The modes of the shape `self` and the stride `D` in reverse order; a number stays a number.
pub trait ReverseNode<D> {
    type Output;
    fn reverse_node(self, stride: D) -> Self::Output;
}
cases! { ReverseNode::reverse_node -> Self::Output:
    [N, D] Leaf<N>, D => Defined<N, D>, (self, stride: D) => Defined { shape: self.0, stride };
    [H, T, D: Nested] Cons<H, T>, D where (Self: PairUp<D::Node, Output: ReverseOnto<Nil, Output: IntoTuple>>)
        => Tuple<<<Self as PairUp<D::Node>>::Output as ReverseOnto<Nil>>::Output>,
        (self, stride: D) => tuple(self.pair_up(stride.node()).reverse_onto(Nil));
}

impl<S: Swap<D>, D> Evaluate<operation::Transpose> for StridedLayout<S, D> {
    type Output = Defined<S::Shape, S::Stride>;
    #[inline]
    fn evaluate(self) -> Result<Self::Output, Fault> {
        let (shape, stride) = self.into_parts();
        Ok(shape.swap(stride))
    }
}

/// A shape of two modes, with the stride `D`.
#[diagnostic::on_unimplemented(
    message = "cannot transpose: rank 2 is needed, and this layout has another",
    label = "rank 2 is needed",
    note = "`select` puts any number of modes into any order"
)]
pub trait Swap<D> {
    type Shape;
    type Stride;
    fn swap(self, stride: D) -> Defined<Self::Shape, Self::Stride>;
}
impl<S0, S1, D0, D1> Swap<(D0, D1)> for (S0, S1) {
    type Shape = (S1, S0);
    type Stride = (D1, D0);
    #[inline]
    fn swap(self, stride: (D0, D1)) -> Defined<(S1, S0), (D1, D0)> {
        Defined { shape: (self.1, self.0), stride: (stride.1, stride.0) }
    }
}

cases! { Apply::apply -> Result<Self::Output, Fault>:
    [S, D, A: TopModes] StridedLayout<S, D>, operation::Append, A
        where (TopModesOf<A>: Concat<Cons<Mode<S, D>, Nil>, Output: IntoTuple>)
        => Tuple<<TopModesOf<A> as Concat<Cons<Mode<S, D>, Nil>>>::Output>, (self, left: A) => {
        let (shape, stride) = self.into_parts();
        Ok(tuple(left.top_modes().concat(Cons { head: Mode { shape, stride }, tail: Nil })))
    };
    [S, D, A: TopModes] StridedLayout<S, D>, operation::Prepend, A where (Cons<Mode<S, D>, TopModesOf<A>>: IntoTuple)
        => Tuple<Cons<Mode<S, D>, TopModesOf<A>>>, (self, left: A) => {
        let (shape, stride) = self.into_parts();
        Ok(tuple(Cons { head: Mode { shape, stride }, tail: left.top_modes() }))
    };
}
