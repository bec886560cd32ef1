//! The reasons for which an operation has no answer, and what the compiler says then.
//!
//! The functions of the algebra are total: where there is no answer, their output is [`Undefined`] with a reason. One gate
//! stands before the public traits. It lets results pass; for a reason it asks for a trait that nothing implements, whose
//! message names the operation, the rule and the numbers. A refused operation still has an output, a harmless
//! [`StandIn`], so that one mistake gives one error.

use core::marker::PhantomData;

use crate::int::{One, Zero};
use crate::int_tuple::IntTuple;
use crate::layout::Layout;
use crate::show::{Show, Shown};
use crate::strided::StridedLayout;

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

/// The operation `Op` in mode `K` of its left operand: what messages name as the place.
pub struct InMode<const K: usize, Op>(PhantomData<Op>);

/// A reason that the compiler can explain for the operation `Op`. Holds for no reason: its bounds are the messages.
pub trait Explain<Op> {}

/// Reasons: the type, what it holds, the trait whose message explains it, the message.
macro_rules! reasons {
    ($(
        $(#[$doc:meta])*
        $reason:ident<$($number:ident),*>, $trait:ident: $message:literal, $label:literal, $note:literal;
    )*) => {
        $($(#[$doc])*
        pub struct $reason<$($number),*>(PhantomData<($($number,)*)>);

        /// Implemented by nothing; its message says why an operation is undefined.
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
        pub trait $trait<$($number),*> {}

        impl<Op, $($number: Show),*> Explain<Op> for $reason<$($number),*> where Op: $trait<$(Shown<$number>),*> {})*
    };
}
reasons! {
    /// Composition: `Steps` steps of the right mode fill modes of the left layout, and do not divide its extent.
    Steps<Extent, Stride, Count>, StepsDivideExtent:
        "{Self}: the right mode {Extent}:{Stride} leaves a mode of the left layout after {Count} steps, and {Count} does not divide {Extent}",
        "divisibility: {Count} does not divide {Extent}",
        "choose an extent that is a multiple of {Count}, or pad the left layout with `round_up`";
    /// Composition: digits add up across a mode of the left layout.
    Carry<Sum, Extent>, CarryStaysBelowExtent:
        "{Self}: offsets of the right layout add up to {Sum} in a mode of the left layout, which has extent {Extent}",
        "carry: {Sum} is not below {Extent}",
        "the sum of all offsets of the right layout has to stay within each mode of the left layout but the last";
    /// Composition: where a dynamic step lands is not known.
    DynamicStep<Extent>, StaticRightStride:
        "{Self}: a stride of the right layout is known only at run time, and the left layout has a mode of extent {Extent} to cross",
        "this stride has to be static",
        "the form of the result would depend on a run-time value: make the stride a literal, or use `DynLayout`";
    /// Composition: where a step lands behind a dynamic extent is not known.
    DynamicExtent<Stride>, StaticLeftExtent:
        "{Self}: a right stride of {Stride} crosses a mode of the left layout whose extent is known only at run time",
        "this extent of the left layout has to be static; only its last one may be dynamic",
        "the form of the result would depend on a run-time value: make the extent a literal, or use `DynLayout`";
    /// Composition: how many of a dynamic number of steps stay in a mode is not known.
    DynamicRightExtent<Stride, Extent>, StaticRightExtent:
        "{Self}: an extent of the right layout at stride {Stride} is known only at run time, and the left layout has a mode of extent {Extent} to cross",
        "this extent of the right layout has to be static",
        "the form of the result would depend on a run-time value: make the extent a literal, or use `DynLayout`";
    /// Complement and the operations built on it: modes overlap.
    Overlap<Extent, Stride, Below>, ModesLieApart:
        "{Self}: the mode {Extent}:{Stride} overlaps the {Below} offsets that the modes below it span",
        "overlap: stride {Stride} is less than {Below}",
        "modes have to lie apart: each stride at least what the modes of smaller stride span";
    /// Complement: a gap is no whole number of what lies below it.
    Gap<Stride, Below>, StrideIsMultiple:
        "{Self}: stride {Stride} is not a multiple of {Below}, what the modes below it span",
        "divisibility: {Below} does not divide {Stride}",
        "pad the stride to a multiple of {Below}";
    /// Complement: the extent is no whole number of what the layout spans.
    Span<Extent, Below>, SpanDividesExtent:
        "{Self}: extent {Extent} is not a multiple of {Below}, what the tile spans",
        "divisibility: {Below} does not divide {Extent}",
        "choose a tile that divides {Extent}, or pad the layout with `round_up`";
    /// Complement: the order of the strides is not known.
    DynamicOrder<>, StaticStrides:
        "{Self}: several modes of this layout have strides that are known only at run time, and their order decides the result",
        "these strides have to be static",
        "the form of the result would depend on a run-time value: make the strides literals, or use `DynLayout`";
    /// Left inverse: a stride lies within the offsets of the mode below it.
    Within<Stride, Extent, Below>, StrideClearsMode:
        "{Self}: stride {Stride} lies within the offsets of the mode {Extent}:{Below}",
        "overlap: stride {Stride} is less than {Extent} steps of {Below}",
        "modes have to lie apart: each stride at least what the mode of the next smaller stride spans";
    /// Left inverse: a stride is no multiple of the one below it.
    Strides<Stride, Below>, StridesDivide:
        "{Self}: stride {Stride} is not a multiple of stride {Below} below it",
        "divisibility: {Below} does not divide {Stride}",
        "pad the strides so that each divides the next larger one";
    /// tile_to_shape: an extent of the shape is no multiple of the block's.
    BlockDivides<Extent, Block>, BlockDividesExtent:
        "{Self}: extent {Extent} of the shape is not a multiple of the block's {Block}",
        "divisibility: {Block} does not divide {Extent}",
        "choose a shape of whole blocks";
    /// Upcast: the offsets below one unit add up to a whole unit.
    UnitCarry<Sum, Unit>, OffsetsStayBelowUnit:
        "{Self}: offsets below one unit add up to {Sum}, which is not under {Unit}",
        "carry: {Sum} is not below {Unit}",
        "the modes within a unit have to be contiguous: coalesce first";
    /// Upcast: a mode does not regroup into whole units.
    Regroup<Extent, Stride, Unit>, ModeRegroups:
        "{Self}: the mode {Extent}:{Stride} does not regroup into units of {Unit}",
        "divisibility: neither does {Unit} divide {Stride}, nor do whole units divide {Extent}",
        "pad the mode to a whole number of units";
    /// Downcast: not exactly one mode of stride 1.
    UnitStride<Count>, OneModeHasStrideOne:
        "{Self}: exactly one mode of stride 1 is needed, and there are {Count}",
        "unit-stride: {Count} modes of stride 1",
        "coalesce first, so that what is contiguous is one mode";
    /// Recast: a unit known only at run time.
    DynamicUnit<>, StaticUnit:
        "{Self}: the number of elements in a unit is known only at run time",
        "this number has to be static",
        "write `int!(4)`, or use `DynLayout`";
    /// A by-mode tiler or profile has more modes than the layout, or not as many.
    Rank<Tiles, Modes>, TilerFitsRank:
        "{Self}: a tiler of rank {Tiles} does not fit a layout of rank {Modes}",
        "rank: {Tiles} modes against {Modes}",
        "a by-mode tiler has one entry for each mode; `_` leaves a mode alone";
}

/// A reason that arose in mode 0 of a list.
pub struct AtHead<R>(PhantomData<R>);
/// A reason that arose behind mode 0 of a list.
pub struct Behind<R>(PhantomData<R>);

/// Reasons in modes 0 to 7.
macro_rules! in_mode {
    ($reason:ty, $mode:expr;) => {};
    ($reason:ty, $mode:expr; * $($more:tt)*) => {
        impl<Op, R: Explain<InMode<{ $mode }, Op>>> Explain<Op> for $reason {}
        in_mode!(Behind<$reason>, $mode + 1; $($more)*);
    };
}
in_mode!(AtHead<R>, 0; * * * * * * * *);

/// A shape and a congruent stride: what an operation gives where it is defined.
#[derive(Clone, Copy)]
pub struct Defined<S, D> {
    pub shape: S,
    pub stride: D,
}

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
