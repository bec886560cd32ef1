//! Reasons of complements and inverses, where modes lie one above the other.

use super::*;

reason! {
    /// Complement and the operations built on it: modes overlap.
    Overlap(Extent, Stride, Below), OverlapHolds: "there is no exact result: the mode {Extent}:{Stride} overlaps the {Below} offsets that the modes below it span";
    {
        Complement: ComplementOverlap "cannot take the complement: the mode {Extent}:{Stride} overlaps the {Below} offsets that the modes below it span";
        Divide: DivideOverlap "cannot divide: the mode {Extent}:{Stride} overlaps the {Below} offsets that the modes below it span";
        Divide in Mode: DivideOverlapInMode "cannot divide mode {Mode}: the mode {Extent}:{Stride} overlaps the {Below} offsets that the modes below it span";
        + Inner: DivideOverlapInModes "cannot divide mode {Mode}.{Inner}: the mode {Extent}:{Stride} overlaps the {Below} offsets that the modes below it span";
        Multiply: MultiplyOverlap "cannot multiply: the mode {Extent}:{Stride} overlaps the {Below} offsets that the modes below it span";
        Multiply in Mode: MultiplyOverlapInMode "cannot multiply mode {Mode}: the mode {Extent}:{Stride} overlaps the {Below} offsets that the modes below it span";
        Tile: TileOverlap "cannot tile the shape: the mode {Extent}:{Stride} overlaps the {Below} offsets that the modes below it span";
        RoundUp: RoundUpOverlap "cannot round up: the mode {Extent}:{Stride} overlaps the {Below} offsets that the modes below it span";
        RoundUp in Mode: RoundUpOverlapInMode "cannot round up mode {Mode}: the mode {Extent}:{Stride} overlaps the {Below} offsets that the modes below it span";
    }
    label "overlap: stride {Stride} is less than {Below}"; note "modes have to lie apart: make this stride at least {Below}";
}
reason! {
    /// Complement: a gap is no whole number of what lies below it.
    Gap(Stride, Below), GapHolds: "there is no exact result: stride {Stride} is not a multiple of {Below}, what the modes below it span";
    {
        Complement: ComplementGap "cannot take the complement: stride {Stride} is not a multiple of {Below}, what the modes below it span";
        Divide: DivideGap "cannot divide: stride {Stride} is not a multiple of {Below}, what the modes below it span";
        Divide in Mode: DivideGapInMode "cannot divide mode {Mode}: stride {Stride} is not a multiple of {Below}, what the modes below it span";
        + Inner: DivideGapInModes "cannot divide mode {Mode}.{Inner}: stride {Stride} is not a multiple of {Below}, what the modes below it span";
        RoundUp: RoundUpGap "cannot round up: stride {Stride} is not a multiple of {Below}, what the modes below it span";
        RoundUp in Mode: RoundUpGapInMode "cannot round up mode {Mode}: stride {Stride} is not a multiple of {Below}, what the modes below it span";
    }
    label "divisibility: {Below} does not divide {Stride}"; note "pad the stride to a multiple of {Below}";
}
/// Complement: the extent is no whole number of what the layout spans.
pub struct Span<Extent, Below>(PhantomData<(Extent, Below)>);
impl<Op, Extent, Below: SpanReason<Extent, Output: Explain<Op>>> Explain<Op> for Span<Extent, Below> {}

/// The reason that [`Span`] stands for; `self` is what is spanned.
pub trait SpanReason<Extent> {
    type Output;
}
impl<Extent> SpanReason<Extent> for UTerm {
    type Output = SpanOfNothing<Extent>;
}
impl<Extent: RoundTo<Self>, U, B> SpanReason<Extent> for UInt<U, B>
where
    Self: GcdInt<Extent>,
{
    type Output = SpanWithHelp<Extent, Self, Extent::Output, <Self as GcdInt<Extent>>::Output>;
}
reason! {
    /// [`Span`] of a layout without elements.
    SpanOfNothing(Extent), SpanOfNothingHolds: "there is no exact result: extent {Extent} is not a multiple of 0, what the tile spans";
    {
        Complement: ComplementSpanOfNothing "cannot take the complement: extent {Extent} is not a multiple of 0, what the layout spans";
        Divide: DivideSpanOfNothing "cannot divide: extent {Extent} is not a multiple of 0, what the tile spans";
        Divide in Mode: DivideSpanOfNothingInMode "cannot divide mode {Mode}: extent {Extent} is not a multiple of 0, what the tile spans";
    }
    label "divisibility: 0 does not divide {Extent}"; note "an extent of 0 leaves no element: take one of at least 1";
}
reason! {
    /// [`Span`], with what would help: the next multiple, and the largest number that divides both.
    SpanWithHelp(Extent, Below, Padded, Divisor), SpanHolds: "there is no exact result: extent {Extent} is not a multiple of {Below}, what the tile spans";
    {
        Complement: ComplementSpan "cannot take the complement: extent {Extent} is not a multiple of {Below}, what the layout spans";
        Divide: DivideSpan "cannot divide: extent {Extent} is not a multiple of {Below}, what the tile spans";
        Divide in Mode: DivideSpanInMode "cannot divide mode {Mode}: extent {Extent} is not a multiple of {Below}, what the tile spans";
        + Inner: DivideSpanInModes "cannot divide mode {Mode}.{Inner}: extent {Extent} is not a multiple of {Below}, what the tile spans";
    }
    label "divisibility: {Below} does not divide {Extent}"; note "{Padded} is the next multiple: `round_up` pads a layout to it, `complement_ceil` a range, and `ragged_tile` cuts over the edge of a tensor; {Divisor} is the largest number that divides both";
}
reason! {
    /// Complement and left inverse: the order of the strides is not known.
    DynamicOrder(), DynamicOrderHolds: "there is no exact result: several modes have strides of which some are known only at run time, and their order decides the result";
    {
        LayOut: LayOutDynamicOrder "cannot lay out alike: several modes have strides of which some are known only at run time, and their order decides the result";
        Complement: ComplementDynamicOrder "cannot take the complement: several modes have strides of which some are known only at run time, and their order decides the result";
        Divide: DivideDynamicOrder "cannot divide: several modes have strides of which some are known only at run time, and their order decides the result";
        Divide in Mode: DivideDynamicOrderInMode "cannot divide mode {Mode}: several modes have strides of which some are known only at run time, and their order decides the result";
        Multiply: MultiplyDynamicOrder "cannot multiply: several modes have strides of which some are known only at run time, and their order decides the result";
        Multiply in Mode: MultiplyDynamicOrderInMode "cannot multiply mode {Mode}: several modes have strides of which some are known only at run time, and their order decides the result";
        Tile: TileDynamicOrder "cannot tile the shape: several modes have strides of which some are known only at run time, and their order decides the result";
        RoundUp: RoundUpDynamicOrder "cannot round up: several modes have strides of which some are known only at run time, and their order decides the result";
        RoundUp in Mode: RoundUpDynamicOrderInMode "cannot round up mode {Mode}: several modes have strides of which some are known only at run time, and their order decides the result";
        LeftInvert: LeftInvertDynamicOrder "cannot take the left inverse: several modes have strides of which some are known only at run time, and their order decides the result";
    }
    label "these strides have to be static"; note "the form of the result would depend on a run-time value: write this number as a literal, or use `DynLayout`";
}
reason! {
    /// Left inverse: a stride lies within the offsets of the mode below it.
    Within(Stride, Extent, Below), WithinHolds: "there is no exact result: stride {Stride} lies within the offsets of the mode {Extent}:{Below}";
    {
        LeftInvert: LeftInvertWithin "cannot take the left inverse: stride {Stride} lies within the offsets of the mode {Extent}:{Below}";
    }
    label "overlap: stride {Stride} is less than {Extent} steps of {Below}"; note "modes have to lie apart: each stride at least what the mode of the next smaller stride spans";
}
reason! {
    /// Left inverse: a stride is no multiple of the one below it.
    Strides(Stride, Below), StridesHolds: "there is no exact result: stride {Stride} is not a multiple of stride {Below} below it";
    {
        LeftInvert: LeftInvertStrides "cannot take the left inverse: stride {Stride} is not a multiple of stride {Below} below it";
    }
    label "divisibility: {Below} does not divide {Stride}"; note "pad the stride to a multiple of {Below}";
}
reason! {
    /// tile_to_shape: an extent of the shape is no multiple of the block's.
    BlockDivides(Extent, Block), BlockDividesHolds: "there is no exact result: extent {Extent} is not a multiple of the block's {Block}";
    {
        Tile: TileBlockDivides "cannot tile the shape: extent {Extent} is not a multiple of the block's {Block}";
    }
    label "divisibility: {Block} does not divide {Extent}"; note "take a shape of whole blocks: a multiple of {Block} here";
}
