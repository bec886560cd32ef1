//! What a layout has in common with one of XOR strides or negative ones.
//!
//! ```text
//! (8,8):(^1,^9), (8,8):(^1,^9)      (8,8):(^1,^9): both hold all 64 elements in that order
//! (8,8):(1,8), (8,8):(^1,^9)        8:1
//! ```
//!
//! As of natural strides: the first run of the left layout composed with the right inverse of the other. That inverse
//! may have XOR strides itself, and so may what both have in common.

use crate::algebra::common::{CommonRun, KnownExtents, NoneOr};
use crate::algebra::inverse::RightInverseModes;
use crate::algebra::mode::IntoResult;
use crate::algebra::operation::{self, Apply};
use crate::algebra::outcome::Defined;
use crate::error::Fault;
use crate::layout::strided::StridedLayout;
use crate::list::Nested;
use crate::refusal::undefined::Undefined;
use crate::refusal::{
    DynamicLeftXor, DynamicRightXor, NoRuleForInverse, Uneven, XorAcross, XorIntoLast, XorIntoMode, XorMeetsNatural,
};
use crate::stepped::layout::SteppedLayout;
use crate::stepped::of_kinds::{DefinedOfKinds, IntoKinds};
use crate::stepped::right_operand::ComposeWithKinds;

impl<SA, DA, T, SB, DB> Apply<operation::MaxCommonLayout, StridedLayout<SA, DA>> for SteppedLayout<T, SB, DB>
where
    StridedLayout<SB, DB>: RightInverseModes<Output: KnownExtents<Output: IntoResult + Clone>>,
    InverseOf<SB, DB>: LeftOf<StridedLayout<SA, DA>, Output: CommonRun<KnownOf<SB, DB>, Output: IntoKinds>>,
{
    type Output = <<<InverseOf<SB, DB> as LeftOf<StridedLayout<SA, DA>>>::Output as CommonRun<
        KnownOf<SB, DB>,
    >>::Output as IntoKinds>::Output;
    #[inline]
    fn apply(self, left: StridedLayout<SA, DA>) -> Result<Self::Output, Fault> {
        let inverse = self.strided().right_inverse_modes()?.known_extents();
        Ok(inverse.clone().into_result().left_of(left)?.common_run(inverse)?.into_kinds())
    }
}
/// The modes of the right inverse of `S:D`, as far as their extents are known.
type KnownOf<S, D> = <<StridedLayout<S, D> as RightInverseModes>::Output as KnownExtents>::Output;
/// They as a layout, or [`Undefined`].
type InverseOf<S, D> = <KnownOf<S, D> as IntoResult>::Output;

// What was refused stays so.
cases! { KnownExtents::known_extents -> Self::Output: [R] Undefined<R> => Self, (self) => self; }

/// The layout `A` composed with `self`.
pub trait LeftOf<A> {
    type Output;
    fn left_of(self, left: A) -> Result<Self::Output, Fault>;
}
cases! { LeftOf::left_of -> Result<Self::Output, Fault>:
    [R, A] Undefined<R>, A => Self, (self, _: A) => Ok(self);
    [S: Nested, D: Nested, A: ComposeWithKinds<S::Node, D::Node>] Defined<S, D>, A => A::Output,
        (self, left: A) => left.compose_with_kinds(self.shape.node(), self.stride.node());
}
impl<Inverse, S, D> CommonRun<Inverse> for DefinedOfKinds<S, D>
where
    Defined<S, D>: CommonRun<Inverse>,
{
    type Output = <Defined<S, D> as CommonRun<Inverse>>::Output;
    #[inline]
    fn common_run(self, inverse: Inverse) -> Result<Self::Output, Fault> {
        Defined { shape: self.shape, stride: self.stride }.common_run(inverse)
    }
}

// Run time looks for a composition where no rule gives one.
macro_rules! looked_for {
    ($($reason:ident<$($number:ident),*>)*) => {
        $(impl<$($number),*> NoneOr for $reason<$($number),*> {
            type Output = Undefined<NoRuleForInverse>;
            #[inline]
            fn none_or() -> Self::Output {
                Undefined::new()
            }
        })*
    };
}
looked_for! {
    DynamicLeftXor<> DynamicRightXor<> Uneven<Steps, E> XorAcross<Place> XorIntoLast<D> XorIntoMode<S, D>
    XorMeetsNatural<Bit>
}
