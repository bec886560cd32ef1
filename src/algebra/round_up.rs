//! `round_up(L, T)` grows each extent to the next multiple of the tiler's span in that mode, and
//! keeps the strides: sizes that do not divide are padded explicitly, and then divide exactly.
//!
//! A mode of several leaves grows in its last: with the leaves before it of size `p`, the last
//! extent becomes the next multiple of `span / gcd(span, p)`.

use crate::algebra::complement::{ComplementNode, NoRange, Spanned, is_empty};
use crate::algebra::operation;
use crate::algebra::outcome::{Apply, Defined};
use crate::error::Fault;
use crate::layout::strided::StridedLayout;
use crate::list::{Cons, Leaf, Nested, Nil, Untangle};
use crate::number::int::One;
use crate::number::quotient::{Cofactor, RoundTo};
use crate::number::table::Times;
use crate::reasons::undefined::Undefined;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::node::Node;
use crate::tuple::profile::SizeOf;

impl<S: IntTuple, D, ST: IntTuple, DT: IntTuple> Apply<operation::RoundUp, StridedLayout<S, D>>
    for StridedLayout<ST, DT>
where
    ST::Node: ComplementNode<DT::Node, NoRange, Output: PadBy<S::Node, D>>,
{
    type Output =
        <<ST::Node as ComplementNode<DT::Node, NoRange>>::Output as PadBy<S::Node, D>>::Output;
    #[inline]
    fn apply(self, left: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
        let ((shape, stride), (extents, strides)) = (self.into_parts(), left.into_parts());
        is_empty(shape, extents.node().product().unwrap_or(usize::MAX))?;
        shape.node().complement_node(stride.node(), NoRange)?.pad_by(extents.node(), strides)
    }
}

/// The shape `S` grown to a multiple of the span `self`, with the stride `D`.
pub trait PadBy<S, D> {
    type Output;
    fn pad_by(self, shape: S, stride: D) -> Result<Self::Output, Fault>;
}
cases! { PadBy::pad_by -> Result<Self::Output, Fault>:
    [S, D, R] Undefined<R>, S, D => Self, (self, _: S, _: D) => Ok(self);
    [S: Pad<Run, One, Output: Untangle>, D, Run] Spanned<Run>, S, D => Defined<<S::Output as Untangle>::Tree, D>,
        (self, shape: S, stride: D) => Ok(Defined { shape: shape.pad(&self.0, One::default())?.tree(), stride });
}

/// The shape `self` with its last leaf grown so that the size, times the size `Before` of what
/// stands before, is a multiple of `Run`.
pub trait Pad<Run, Before> {
    type Output;
    fn pad(self, run: &Run, before: Before) -> Result<Self::Output, Fault>;
}
cases! { Pad::pad -> Result<Self::Output, Fault>:
    [N, Run: Cofactor<Before>, Before] Leaf<N>, Run, Before where (N: RoundTo<Run::Output>) => N::Output,
        (self, run: &Run, before: Before) => self.0.round_to(&run.cofactor(&before));
    [H: Nested<Node: Pad<Run, Before>>, Run, Before] Cons<H, Nil>, Run, Before
        where (<H::Node as Pad<Run, Before>>::Output: Untangle)
        => Cons<<<H::Node as Pad<Run, Before>>::Output as Untangle>::Tree, Nil>,
        (self, run: &Run, before: Before) => Ok(Cons { head: self.head.node().pad(run, before)?.tree(), tail: Nil });
    [H: Nested<Node: SizeOf> + Copy, I, T, Run, Before] Cons<H, Cons<I, T>>, Run, Before
        where (Before: Times<<H::Node as SizeOf>::Output>, Cons<I, T>: Pad<Run, Before::Output>)
        => Cons<H, <Cons<I, T> as Pad<Run, Before::Output>>::Output>, (self, run: &Run, before: Before) => {
        let before = before.times(&self.head.node().size_of()?)?;
        Ok(Cons { head: self.head, tail: self.tail.pad(run, before)? })
    };
}
