//! What an operation gives: a layout, or a reason why there is none; and the gate that stands before the public traits.
//!
//! The functions of the algebra are total: where there is no answer, their output is [`Undefined`] with a reason. The
//! gate lets results pass, and asks for the message of a reason. A refused operation still has an output, a
//! [`StandIn`], so that one mistake gives one error.

use crate::error::Fault;
use crate::layout::stand_in::StandIn;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::list::Crowded;
use crate::refusal::count::Count;
use crate::refusal::undefined::Undefined;
use crate::refusal::{Explain, TooManyModes};
use crate::tuple::constant::constant;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::node::{static_product, static_span};

/// A shape and a congruent stride: what an operation gives where it is defined.
#[derive(Clone, Copy)]
pub struct Defined<S, D> {
    pub shape: S,
    pub stride: D,
}

/// The gate: lets [`Defined`] pass as a layout, and explains why the operation `Op` is [`Undefined`].
pub trait Outcome<Op> {
    type Output: Layout;
    /// Whether the layout is [`known`](Outcome::known): all of it is static, and its size and cosize fit.
    const KNOWN: bool = false;
    /// The layout of this type, where it is known.
    fn known() -> Self::Output {
        unreachable!("a layout with dynamic leaves is not known from its type")
    }
    /// The layout, if its size and cosize fit: what only run time knows.
    fn outcome(self) -> Result<Self::Output, Fault>;
    /// The layout, where it is known to fit.
    #[inline]
    fn layout(self) -> Self::Output
    where
        Self: Sized,
    {
        self.outcome().unwrap_or_else(|fault| panic!("{fault}"))
    }
}
impl<Op, S: IntTuple, D: IntTuple> Outcome<Op> for Defined<S, D> {
    type Output = StridedLayout<S, D>;
    const KNOWN: bool = size_of::<StridedLayout<S, D>>() == 0
        && static_product::<S::Node>().is_some()
        && static_span::<S::Node, D::Node>().is_some();
    #[inline]
    fn known() -> Self::Output {
        // In a constant, so that nothing of it is compiled for these types.
        const { StridedLayout::assemble(constant(), constant()) }
    }
    #[inline]
    fn outcome(self) -> Result<Self::Output, Fault> {
        let layout = StridedLayout::assemble(self.shape, self.stride);
        if layout.span().is_some() { Ok(layout) } else { Err(Fault::Overflow) }
    }
    #[inline]
    fn layout(self) -> Self::Output {
        StridedLayout::assemble(self.shape, self.stride)
    }
}
impl<Op, R: Explain<Op>> Outcome<Op> for Undefined<R> {
    type Output = StandIn;
    const KNOWN: bool = true;
    #[inline]
    fn known() -> StandIn {
        StandIn
    }
    #[inline]
    fn outcome(self) -> Result<StandIn, Fault> {
        Ok(StandIn)
    }
    #[inline]
    fn layout(self) -> StandIn {
        StandIn
    }
}

/// A tuple of extents, `self`, and one of strides, `D`, as what an operation gives: [`Defined`], or [`Undefined`] where
/// there are more modes than a tuple here has items.
pub trait Fit<D> {
    type Output;
    fn fit(self, stride: D) -> Self::Output;
}
macro_rules! tuples_fit {
    ($($Item:ident $item:ident)+) => {
        impl<Stride, $($Item),+> Fit<Stride> for ($($Item,)+) {
            type Output = Defined<Self, Stride>;
            #[inline]
            fn fit(self, stride: Stride) -> Self::Output {
                Defined { shape: self, stride }
            }
        }
    };
}
each_arity!(tuples_fit);
impl<L, D> Fit<D> for Crowded<L> {
    type Output = Undefined<TooManyModes<Count<L>>>;
    #[inline]
    fn fit(self, _: D) -> Self::Output {
        Undefined::new()
    }
}
