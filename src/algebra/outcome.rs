//! An operation as a function of types; its result, a layout or a reason; and the gate in front of
//! the public traits.
//!
//! The functions of the algebra are total: where there is no answer, their output is [`Undefined`]
//! with a reason. The gate lets a layout pass and prints the message of a reason. A refused
//! operation still has an output, a [`RefusedLayout`], so that one mistake gives one error.

use crate::error::Fault;
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::reasons::Explain;
use crate::reasons::undefined::Undefined;
use crate::tuple::constant::constant;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::node::{static_product, static_span};

/// The result of a defined operation: a shape and a congruent stride.
#[derive(Clone, Copy)]
pub struct Defined<S, D> {
    pub shape: S,
    pub stride: D,
}

// ---- the work -----------------------------------------------------------------------------------

/// Computes the operation `Op` of the layout `self`: [`Defined`] or [`Undefined`].
pub trait Evaluate<Op> {
    type Output;
    fn evaluate(self) -> Result<Self::Output, Fault>;
}

/// Computes the operation `Op` of the left operand `A` and the right operand `self`: [`Defined`] or
/// [`Undefined`].
///
/// The trait is implemented on the right operand. On the left operand, the compiler would try every
/// impl for `A` while the right operand is still unknown.
#[diagnostic::on_unimplemented(
    message = "these operands do not combine in this operation",
    label = "`{Self}` is no right operand here",
    note = "a bound names what is needed: `fn f<A: Compose<B>, B>(a: A, b: B)`"
)]
pub trait Apply<Op, A> {
    type Output;
    fn apply(self, left: A) -> Result<Self::Output, Fault>;
}

// ---- the gate -----------------------------------------------------------------------------------

/// The gate: lets [`Defined`] pass as a layout, and prints why the operation `Op` is [`Undefined`].
pub trait Outcome<Op> {
    type Output: Layout;
    /// Whether [`known`](Outcome::known) gives the layout: all of it is static, and its size and
    /// cosize fit.
    const KNOWN: bool = false;
    /// The layout of this type, if [`KNOWN`](Outcome::KNOWN).
    fn known() -> Self::Output {
        unreachable!("a layout with dynamic leaves is not known from its type")
    }
    /// The layout, or a fault if its size or cosize does not fit. The values are known only at run
    /// time.
    fn outcome(self) -> Result<Self::Output, Fault>;
    /// The layout, whose size and cosize are known to fit.
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
        // In a constant, so that nothing is compiled for these types.
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
    type Output = RefusedLayout;
    const KNOWN: bool = true;
    #[inline]
    fn known() -> RefusedLayout {
        RefusedLayout
    }
    #[inline]
    fn outcome(self) -> Result<RefusedLayout, Fault> {
        Ok(RefusedLayout)
    }
    #[inline]
    fn layout(self) -> RefusedLayout {
        RefusedLayout
    }
}
