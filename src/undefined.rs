//! What an operation gives: a layout, or a reason why there is none; and the gate that stands before the public traits.
//!
//! The functions of the algebra are total: where there is no answer, their output is [`Undefined`] with a reason. The gate lets
//! results pass, and asks for the message of a reason. A refused operation still has an output, a harmless [`StandIn`], so that one mistake
//! gives one error.

use core::marker::PhantomData;

use crate::int::{One, Zero};
use crate::int_tuple::IntTuple;
use crate::layout::Layout;
use crate::refusal::Explain;
use crate::strided::StridedLayout;

/// A shape and a congruent stride: what an operation gives where it is defined.
#[derive(Clone, Copy)]
pub struct Defined<S, D> {
    pub shape: S,
    pub stride: D,
}

/// In place of a result: there is none, for the reason `R`.
pub struct Undefined<R>(PhantomData<R>);
impl<R> Undefined<R> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Undefined(PhantomData)
    }
}

/// What the compiler goes on with after it has refused an operation.
pub type StandIn = StridedLayout<One, Zero>;

/// The gate: lets [`Defined`] pass as a layout, and explains why the operation `Op` is [`Undefined`].
pub trait Outcome<Op> {
    type Output: Layout;
    fn outcome(self) -> Self::Output;
}
impl<Op, S: IntTuple, D: IntTuple> Outcome<Op> for Defined<S, D> {
    type Output = StridedLayout<S, D>;
    #[inline(always)]
    fn outcome(self) -> Self::Output {
        StridedLayout::assemble(self.shape, self.stride)
    }
}
impl<Op, R: Explain<Op>> Outcome<Op> for Undefined<R> {
    type Output = StandIn;
    #[inline(always)]
    fn outcome(self) -> StandIn {
        StandIn::default()
    }
}
