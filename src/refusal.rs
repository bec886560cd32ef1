//! The reasons for which an operation has no answer, and the messages of the compiler for each.
//!
//! A reason names the rule and holds the numbers. For each operation that can meet it, alone or in one mode, there is a
//! trait that nothing implements; its message is what the compiler says. Numbers are its constants, so that they stand
//! there in bare decimals. A number that has no [`N`] of one part is shown as a type by the trait of the reason itself.

// The names of constants stand in the messages, where they read better as words.
#![allow(non_upper_case_globals)]

use core::marker::PhantomData;

use typenum::{UInt, UTerm};

use crate::algebra::operation;
use crate::int::GcdInt;
use crate::multiple::Multiple;
use crate::number::RoundTo;
use crate::show::{N, Show, Shown};

/// A reason that the compiler can explain for the operation `Op`. Holds for no reason: its bounds are the messages.
pub trait Explain<Op> {}

/// An operand was refused before: that was said, and this is no second mistake.
pub struct Before;
impl<Op> Explain<Op> for Before {}

/// The operation `Op` in mode `K` of its left operand.
pub struct InMode<const K: usize, Op>(PhantomData<Op>);

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

// ---- operations by verb -------------------------------------------------------------------------------------------

/// What an operation does, for the messages: all divides divide.
pub trait Verb {
    type Verb;
}
/// A verb in mode `K`.
pub struct VerbInMode<const K: usize, V>(PhantomData<V>);
/// A verb in mode `K` of mode `J`.
pub struct VerbInModes<const J: usize, const K: usize, V>(PhantomData<V>);
impl<const K: usize, Op: VerbHere<K>> Verb for InMode<K, Op> {
    type Verb = Op::Verb;
}
/// [`Verb`] in mode `K`.
pub trait VerbHere<const K: usize> {
    type Verb;
}
impl<const K: usize, const J: usize, Op: VerbBelow<J, K>> VerbHere<K> for InMode<J, Op> {
    type Verb = Op::Verb;
}
/// [`Verb`] in mode `K` of mode `J`; in tilers nested deeper, the outermost two modes count.
pub trait VerbBelow<const J: usize, const K: usize> {
    type Verb;
}
impl<const I: usize, const J: usize, const K: usize, Op: VerbBelow<I, J>> VerbBelow<J, K> for InMode<I, Op> {
    type Verb = Op::Verb;
}
macro_rules! verbs {
    ($($verb:ident: $($operation:ident)*;)*) => {
        $(#[doc = concat!("What is refused: ", stringify!($verb))]
        pub struct $verb;
        $(impl Verb for operation::$operation {
            type Verb = $verb;
        }
        impl<const K: usize> VerbHere<K> for operation::$operation {
            type Verb = VerbInMode<K, $verb>;
        }
        impl<const J: usize, const K: usize> VerbBelow<J, K> for operation::$operation {
            type Verb = VerbInModes<J, K, $verb>;
        })*)*
    };
}
verbs! {
    LayOut: LayoutLike;
    Flatten: Flatten;
    Filter: Filter;
    Invert: RightInverse Nullspace;
    Common: MaxCommonLayout;
    Select: Select;
    Ungroup: Ungroup;
    Replace: Replace;
    Append: Append;
    Prepend: Prepend;
    Reverse: Reverse Transpose;
    Compose: Compose WithShape;
    Divide: LogicalDivide ZippedDivide TiledDivide FlatDivide;
    Multiply: LogicalProduct ZippedProduct TiledProduct FlatProduct BlockedProduct RakedProduct;
    Tile: TileToShape;
    Complement: Complement ComplementCeil;
    LeftInvert: LeftInverse;
    RoundUp: RoundUp;
    Coalesce: Coalesce CoalesceBy;
    FilterBy: FilterBy;
    Upcast: Upcast;
    Downcast: Downcast;
    Recast: Recast;
    Make: Tensor;
    Part: PartsMut;
}

// ---- reasons ------------------------------------------------------------------------------------------------------

/// A reason: its numbers, and a trait that goes on, for the verbs that follow, alone or in a mode, to the one with the message, its numbers
/// shown as types. That goes on to the same with its numbers as constants, where they are [`N`]s of one part. In a mode of a mode, the
/// message is the one behind `+`, or that of the outer mode.
macro_rules! reason {
    (
        $(#[$doc:meta])* $reason:ident $numbers:tt, $trait:ident: $message:literal;
        {
            $(
                $verb:ident $(in $mode:ident)?: $refusal:ident $message_here:literal;
                $(+ $inner:ident: $refusal_below:ident $message_below:literal;)?
            )*
        }
        label $label:literal; note $note:literal;
    ) => {
        reason! { @struct $numbers $(#[$doc])* $reason, $trait: $message $label $note }
        $(reason! {
            @here $numbers $reason $trait $verb $(in $mode)?: $refusal $message_here $label $note;
            $($inner $refusal_below $message_below)?
        })*
    };
    (@struct ($($number:ident),*) $(#[$doc:meta])* $reason:ident, $trait:ident: $message:literal $label:literal $note:literal) => {
        $(#[$doc])*
        pub struct $reason<$($number),*>(PhantomData<($($number,)*)>);
        impl<Op: Verb, $($number: Show),*> Explain<Op> for $reason<$($number),*> where
            (): $trait<Op::Verb, $(Shown<$number>),*>
        {
        }
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
        #[doc = concat!("Has no instance that a program needs: the messages of [`", stringify!($reason), "`].")]
        pub trait $trait<Verb, $($number),*> {}
    };
    (@here ($($number:ident),*) $reason:ident $trait:ident $verb:ident: $refusal:ident $message:literal $label:literal $note:literal;) => {
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
        #[doc = concat!("Implemented by nothing: the message of [`", stringify!($reason), "`].")]
        pub trait $refusal<$(const $number: usize),*> {}
        const _: () = {
            #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
            pub trait Typed<$($number),*> {}
            impl<This: Typed<$($number),*>, $($number),*> $trait<$verb, $($number),*> for This {}
            impl<This: $refusal<$($number),*>, $(const $number: usize),*> Typed<$(N<$number>),*> for This {}
        };
    };
    (
        @here ($($number:ident),*) $reason:ident $trait:ident $verb:ident in $mode:ident:
        $refusal:ident $message:literal $label:literal $note:literal; $($below:tt)*
    ) => {
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
        #[doc = concat!("Implemented by nothing: the message of [`", stringify!($reason), "`] in a mode.")]
        pub trait $refusal<const $mode: usize, $(const $number: usize),*> {}
        const _: () = {
            #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
            pub trait Typed<const $mode: usize, $($number),*> {}
            impl<This: Typed<$mode, $($number),*>, const $mode: usize, $($number),*>
                $trait<VerbInMode<$mode, $verb>, $($number),*> for This
            {
            }
            impl<This: $refusal<$mode, $($number),*>, const $mode: usize, $(const $number: usize),*>
                Typed<$mode, $(N<$number>),*> for This
            {
            }
            reason! { @below ($($number),*) $reason $trait $verb $mode $label $note; $($below)* }
        };
    };
    (@below ($($number:ident),*) $reason:ident $trait:ident $verb:ident $mode:ident $label:literal $note:literal;) => {
        impl<This: Typed<$mode, $($number),*>, const $mode: usize, const Inner: usize, $($number),*>
            $trait<VerbInModes<$mode, Inner, $verb>, $($number),*> for This
        {
        }
    };
    (
        @below ($($number:ident),*) $reason:ident $trait:ident $verb:ident $mode:ident $label:literal $note:literal;
        $inner:ident $refusal:ident $message:literal
    ) => {
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
        #[doc = concat!("Implemented by nothing: the message of [`", stringify!($reason), "`] in a mode of a mode.")]
        pub trait $refusal<const $mode: usize, const $inner: usize, $(const $number: usize),*> {}
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
        pub trait TypedBelow<const $mode: usize, const $inner: usize, $($number),*> {}
        impl<This: TypedBelow<$mode, $inner, $($number),*>, const $mode: usize, const $inner: usize, $($number),*>
            $trait<VerbInModes<$mode, $inner, $verb>, $($number),*> for This
        {
        }
        impl<This: $refusal<$mode, $inner, $($number),*>, const $mode: usize, const $inner: usize, $(const $number: usize),*>
            TypedBelow<$mode, $inner, $(N<$number>),*> for This
        {
        }
    };
}

reason! {
    /// Composition: `Count` steps of the right mode fill modes of the left layout, and do not divide its extent.
    Steps(Extent, Stride, Count), StepsHolds: "there is no exact result: the right mode {Extent}:{Stride} leaves a mode of the left layout after {Count} steps, and {Count} does not divide {Extent}";
    {
        Compose: ComposeSteps "cannot compose: the right mode {Extent}:{Stride} leaves a mode of the left layout after {Count} steps, and {Count} does not divide {Extent}";
        Compose in Mode: ComposeStepsInMode "cannot compose mode {Mode}: the right mode {Extent}:{Stride} leaves a mode of the left layout after {Count} steps, and {Count} does not divide {Extent}";
        + Inner: ComposeStepsInModes "cannot compose mode {Mode}.{Inner}: the right mode {Extent}:{Stride} leaves a mode of the left layout after {Count} steps, and {Count} does not divide {Extent}";
        Divide: DivideSteps "cannot divide: the right mode {Extent}:{Stride} leaves a mode of the left layout after {Count} steps, and {Count} does not divide {Extent}";
        Divide in Mode: DivideStepsInMode "cannot divide mode {Mode}: the right mode {Extent}:{Stride} leaves a mode of the left layout after {Count} steps, and {Count} does not divide {Extent}";
        + Inner: DivideStepsInModes "cannot divide mode {Mode}.{Inner}: the right mode {Extent}:{Stride} leaves a mode of the left layout after {Count} steps, and {Count} does not divide {Extent}";
        Multiply: MultiplySteps "cannot multiply: the right mode {Extent}:{Stride} leaves a mode of the left layout after {Count} steps, and {Count} does not divide {Extent}";
        Multiply in Mode: MultiplyStepsInMode "cannot multiply mode {Mode}: the right mode {Extent}:{Stride} leaves a mode of the left layout after {Count} steps, and {Count} does not divide {Extent}";
        Tile: TileSteps "cannot tile the shape: the right mode {Extent}:{Stride} leaves a mode of the left layout after {Count} steps, and {Count} does not divide {Extent}";
    }
    label "divisibility: {Count} does not divide {Extent}"; note "take an extent that is a multiple of {Count}, or pad the left layout with `round_up`";
}
/// Composition: digits add up across the mode `Extent:Stride` of the left layout.
pub struct Carry<Sum, Extent, Stride>(PhantomData<(Sum, Extent, Stride)>);
impl<Op, Sum, Extent, Stride: CarryReason<Sum, Extent, Output: Explain<Op>>> Explain<Op>
    for Carry<Sum, Extent, Stride>
{
}

/// The reason that [`Carry`] stands for; `self` is the stride of the mode.
pub trait CarryReason<Sum, Extent> {
    type Output;
}
macro_rules! carry_reasons {
    ($([$($generic:ident)*] $stride:ty: $reason:ty;)*) => {
        $(impl<Sum, Extent, $($generic),*> CarryReason<Sum, Extent> for $stride {
            type Output = $reason;
        })*
    };
}
carry_reasons! {
    [] UTerm: CarryAt<Sum, Extent, Self>;
    [U B] UInt<U, B>: CarryAt<Sum, Extent, Self>;
    [] usize: CarryIn<Sum, Extent>;
    [F] Multiple<F>: CarryIn<Sum, Extent>;
}
reason! {
    /// [`Carry`] in a mode of static stride.
    CarryAt(Sum, Extent, Stride), CarryAtHolds: "there is no exact result: offsets of the right layout add up to {Sum} in the mode {Extent}:{Stride} of the left layout";
    {
        Compose: ComposeCarryAt "cannot compose: offsets of the right layout add up to {Sum} in the mode {Extent}:{Stride} of the left layout";
        Compose in Mode: ComposeCarryAtInMode "cannot compose mode {Mode}: offsets of the right layout add up to {Sum} in the mode {Extent}:{Stride} of the left layout";
        + Inner: ComposeCarryAtInModes "cannot compose mode {Mode}.{Inner}: offsets of the right layout add up to {Sum} in the mode {Extent}:{Stride} of the left layout";
        Divide: DivideCarryAt "cannot divide: offsets of the right layout add up to {Sum} in the mode {Extent}:{Stride} of the left layout";
        Divide in Mode: DivideCarryAtInMode "cannot divide mode {Mode}: offsets of the right layout add up to {Sum} in the mode {Extent}:{Stride} of the left layout";
        Multiply: MultiplyCarryAt "cannot multiply: offsets of the right layout add up to {Sum} in the mode {Extent}:{Stride} of the left layout";
        Multiply in Mode: MultiplyCarryAtInMode "cannot multiply mode {Mode}: offsets of the right layout add up to {Sum} in the mode {Extent}:{Stride} of the left layout";
        Tile: TileCarryAt "cannot tile the shape: offsets of the right layout add up to {Sum} in the mode {Extent}:{Stride} of the left layout";
    }
    label "carry: {Sum} is not below {Extent}"; note "the offsets of the right layout, all modes together, have to stay within each mode of the left layout but the last";
}
reason! {
    /// [`Carry`] in a mode whose stride is known only at run time.
    CarryIn(Sum, Extent), CarryInHolds: "there is no exact result: offsets of the right layout add up to {Sum} in a mode of the left layout, which has extent {Extent}";
    {
        Compose: ComposeCarryIn "cannot compose: offsets of the right layout add up to {Sum} in a mode of the left layout, which has extent {Extent}";
        Compose in Mode: ComposeCarryInInMode "cannot compose mode {Mode}: offsets of the right layout add up to {Sum} in a mode of the left layout, which has extent {Extent}";
        Divide: DivideCarryIn "cannot divide: offsets of the right layout add up to {Sum} in a mode of the left layout, which has extent {Extent}";
        Divide in Mode: DivideCarryInInMode "cannot divide mode {Mode}: offsets of the right layout add up to {Sum} in a mode of the left layout, which has extent {Extent}";
    }
    label "carry: {Sum} is not below {Extent}"; note "the offsets of the right layout, all modes together, have to stay within each mode of the left layout but the last";
}
reason! {
    /// Composition: where a dynamic step lands is not known.
    DynamicStep(Extent), DynamicStepHolds: "there is no exact result: a stride of the right layout is known only at run time, and the left layout has a mode of extent {Extent} to cross";
    {
        Compose: ComposeDynamicStep "cannot compose: a stride of the right layout is known only at run time, and the left layout has a mode of extent {Extent} to cross";
        Compose in Mode: ComposeDynamicStepInMode "cannot compose mode {Mode}: a stride of the right layout is known only at run time, and the left layout has a mode of extent {Extent} to cross";
        Divide: DivideDynamicStep "cannot divide: a stride of the right layout is known only at run time, and the left layout has a mode of extent {Extent} to cross";
        Divide in Mode: DivideDynamicStepInMode "cannot divide mode {Mode}: a stride of the right layout is known only at run time, and the left layout has a mode of extent {Extent} to cross";
        Multiply: MultiplyDynamicStep "cannot multiply: a stride of the right layout is known only at run time, and the left layout has a mode of extent {Extent} to cross";
        Multiply in Mode: MultiplyDynamicStepInMode "cannot multiply mode {Mode}: a stride of the right layout is known only at run time, and the left layout has a mode of extent {Extent} to cross";
        Tile: TileDynamicStep "cannot tile the shape: a stride of the right layout is known only at run time, and the left layout has a mode of extent {Extent} to cross";
    }
    label "a stride of the right layout has to be static"; note "the form of the result would depend on a run-time value: write this number as a literal, or use `DynLayout`";
}
reason! {
    /// Composition: where a step lands behind a dynamic extent is not known.
    DynamicExtent(Stride), DynamicExtentHolds: "there is no exact result: a right stride of {Stride} has to cross a mode of the left layout whose extent is known only at run time";
    {
        Compose: ComposeDynamicExtent "cannot compose: a right stride of {Stride} has to cross a mode of the left layout whose extent is known only at run time";
        Compose in Mode: ComposeDynamicExtentInMode "cannot compose mode {Mode}: a right stride of {Stride} has to cross a mode of the left layout whose extent is known only at run time";
        Divide: DivideDynamicExtent "cannot divide: a right stride of {Stride} has to cross a mode of the left layout whose extent is known only at run time";
        Divide in Mode: DivideDynamicExtentInMode "cannot divide mode {Mode}: a right stride of {Stride} has to cross a mode of the left layout whose extent is known only at run time";
        Multiply: MultiplyDynamicExtent "cannot multiply: a right stride of {Stride} has to cross a mode of the left layout whose extent is known only at run time";
        Multiply in Mode: MultiplyDynamicExtentInMode "cannot multiply mode {Mode}: a right stride of {Stride} has to cross a mode of the left layout whose extent is known only at run time";
        Tile: TileDynamicExtent "cannot tile the shape: a right stride of {Stride} has to cross a mode of the left layout whose extent is known only at run time";
    }
    label "all extents of the left layout but the last have to be static"; note "the form of the result would depend on a run-time value: write this number as a literal, or use `DynLayout`";
}
reason! {
    /// Composition: how many of a dynamic number of steps stay in a mode is not known.
    DynamicRightExtent(Stride, Extent), DynamicRightExtentHolds: "there is no exact result: an extent of the right layout at stride {Stride} is known only at run time, and the left layout has a mode of extent {Extent} to cross";
    {
        Compose: ComposeDynamicRightExtent "cannot compose: an extent of the right layout at stride {Stride} is known only at run time, and the left layout has a mode of extent {Extent} to cross";
        Compose in Mode: ComposeDynamicRightExtentInMode "cannot compose mode {Mode}: an extent of the right layout at stride {Stride} is known only at run time, and the left layout has a mode of extent {Extent} to cross";
        Divide: DivideDynamicRightExtent "cannot divide: an extent of the right layout at stride {Stride} is known only at run time, and the left layout has a mode of extent {Extent} to cross";
        Divide in Mode: DivideDynamicRightExtentInMode "cannot divide mode {Mode}: an extent of the right layout at stride {Stride} is known only at run time, and the left layout has a mode of extent {Extent} to cross";
        Multiply: MultiplyDynamicRightExtent "cannot multiply: an extent of the right layout at stride {Stride} is known only at run time, and the left layout has a mode of extent {Extent} to cross";
        Multiply in Mode: MultiplyDynamicRightExtentInMode "cannot multiply mode {Mode}: an extent of the right layout at stride {Stride} is known only at run time, and the left layout has a mode of extent {Extent} to cross";
        Tile: TileDynamicRightExtent "cannot tile the shape: an extent of the right layout at stride {Stride} is known only at run time, and the left layout has a mode of extent {Extent} to cross";
    }
    label "an extent of the right layout has to be static"; note "the form of the result would depend on a run-time value: write this number as a literal, or use `DynLayout`";
}
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
reason! {
    /// Upcast: the offsets below one unit add up to a whole unit.
    UnitCarry(Sum, Unit), UnitCarryHolds: "there is no exact result: offsets below one unit add up to {Sum}, which is not under {Unit}";
    {
        Upcast: UpcastUnitCarry "cannot upcast: offsets below one unit add up to {Sum}, which is not under {Unit}";
        Recast: RecastUnitCarry "cannot recast: offsets below one unit add up to {Sum}, which is not under {Unit}";
    }
    label "carry: {Sum} is not below {Unit}"; note "the modes within a unit have to be contiguous";
}
reason! {
    /// Upcast: a mode does not regroup into whole units.
    Regroup(Extent, Stride, Unit), RegroupHolds: "there is no exact result: the mode {Extent}:{Stride} does not regroup into units of {Unit}";
    {
        Upcast: UpcastRegroup "cannot upcast: the mode {Extent}:{Stride} does not regroup into units of {Unit}";
        Recast: RecastRegroup "cannot recast: the mode {Extent}:{Stride} does not regroup into units of {Unit}";
    }
    label "divisibility: the mode is no whole number of units of {Unit}"; note "pad the mode to whole units, or coalesce first";
}
reason! {
    /// Downcast: not exactly one mode of stride 1.
    UnitStride(Count), UnitStrideHolds: "there is no exact result: exactly one mode of stride 1 is needed, and there are {Count}";
    {
        Downcast: DowncastUnitStride "cannot downcast: exactly one mode of stride 1 is needed, and there are {Count}";
        Recast: RecastUnitStride "cannot recast: exactly one mode of stride 1 is needed, and there are {Count}";
    }
    label "unit-stride: {Count} modes of stride 1"; note "coalesce first, so that what is contiguous is one mode";
}
reason! {
    /// Recast: a unit known only at run time.
    DynamicUnit(), DynamicUnitHolds: "there is no exact result: the number of elements in a unit is known only at run time";
    {
        Upcast: UpcastDynamicUnit "cannot upcast: the number of elements in a unit is known only at run time";
        Downcast: DowncastDynamicUnit "cannot downcast: the number of elements in a unit is known only at run time";
        Recast: RecastDynamicUnit "cannot recast: the number of elements in a unit is known only at run time";
    }
    label "this number has to be static"; note "write `int!(4)`, or use `DynLayout`";
}
reason! {
    /// A by-mode tiler or profile has more modes than the layout, or, for a composition, not as many.
    Rank(Tiles, Modes), RankHolds: "there is no exact result: a tiler of rank {Tiles} does not fit a layout of rank {Modes}";
    {
        Compose: ComposeRank "cannot compose: a tiler of rank {Tiles} does not fit a layout of rank {Modes}";
        Compose in Mode: ComposeRankInMode "cannot compose mode {Mode}: a tiler of rank {Tiles} does not fit a layout of rank {Modes}";
        + Inner: ComposeRankInModes "cannot compose mode {Mode}.{Inner}: a tiler of rank {Tiles} does not fit a layout of rank {Modes}";
        Divide: DivideRank "cannot divide: a tiler of rank {Tiles} does not fit a layout of rank {Modes}";
        Divide in Mode: DivideRankInMode "cannot divide mode {Mode}: a tiler of rank {Tiles} does not fit a layout of rank {Modes}";
        + Inner: DivideRankInModes "cannot divide mode {Mode}.{Inner}: a tiler of rank {Tiles} does not fit a layout of rank {Modes}";
        Multiply: MultiplyRank "cannot multiply: a tiler of rank {Tiles} does not fit a layout of rank {Modes}";
        Multiply in Mode: MultiplyRankInMode "cannot multiply mode {Mode}: a tiler of rank {Tiles} does not fit a layout of rank {Modes}";
        RoundUp: RoundUpRank "cannot round up: a tiler of rank {Tiles} does not fit a layout of rank {Modes}";
        RoundUp in Mode: RoundUpRankInMode "cannot round up mode {Mode}: a tiler of rank {Tiles} does not fit a layout of rank {Modes}";
        + Inner: RoundUpRankInModes "cannot round up mode {Mode}.{Inner}: a tiler of rank {Tiles} does not fit a layout of rank {Modes}";
        Coalesce: CoalesceRank "cannot coalesce: a profile of rank {Tiles} does not fit a layout of rank {Modes}";
        FilterBy: FilterByRank "cannot filter: a profile of rank {Tiles} does not fit a layout of rank {Modes}";
        FilterBy in Mode: FilterByRankInMode "cannot filter mode {Mode}: a profile of rank {Tiles} does not fit a layout of rank {Modes}";
        Coalesce in Mode: CoalesceRankInMode "cannot coalesce mode {Mode}: a profile of rank {Tiles} does not fit a layout of rank {Modes}";
    }
    label "rank: {Tiles} entries for {Modes} modes"; note "a by-mode tiler or profile has at most one entry for each mode, and for a composition one for each; `_` leaves a mode alone";
}
reason! {
    /// A result has more modes on one level than a tuple here has items.
    TooManyModes(Modes), TooManyModesHolds: "the result has {Modes} modes on one level, and 8 is the most";
    {
        Flatten: FlattenTooManyModes "cannot flatten: the result has {Modes} modes on one level, and 8 is the most";
        Filter: FilterTooManyModes "cannot filter: the result has {Modes} modes on one level, and 8 is the most";
        FilterBy: FilterByTooManyModes "cannot filter: the result has {Modes} modes on one level, and 8 is the most";
        FilterBy in Mode: FilterByTooManyModesInMode "cannot filter mode {Mode}: the result has {Modes} modes on one level, and 8 is the most";
        Coalesce: CoalesceTooManyModes "cannot coalesce: the result has {Modes} modes on one level, and 8 is the most";
        Coalesce in Mode: CoalesceTooManyModesInMode "cannot coalesce mode {Mode}: the result has {Modes} modes on one level, and 8 is the most";
        Ungroup: UngroupTooManyModes "cannot ungroup: the result has {Modes} modes on one level, and 8 is the most";
        Append: AppendTooManyModes "cannot append: the result has {Modes} modes on one level, and 8 is the most";
        Prepend: PrependTooManyModes "cannot prepend: the result has {Modes} modes on one level, and 8 is the most";
        Compose: ComposeTooManyModes "cannot compose: the result has {Modes} modes on one level, and 8 is the most";
        Compose in Mode: ComposeTooManyModesInMode "cannot compose mode {Mode}: the result has {Modes} modes on one level, and 8 is the most";
        Divide: DivideTooManyModes "cannot divide: the result has {Modes} modes on one level, and 8 is the most";
        Divide in Mode: DivideTooManyModesInMode "cannot divide mode {Mode}: the result has {Modes} modes on one level, and 8 is the most";
        Multiply: MultiplyTooManyModes "cannot multiply: the result has {Modes} modes on one level, and 8 is the most";
        Multiply in Mode: MultiplyTooManyModesInMode "cannot multiply mode {Mode}: the result has {Modes} modes on one level, and 8 is the most";
        Complement: ComplementTooManyModes "cannot take the complement: the result has {Modes} modes on one level, and 8 is the most";
        Invert: InvertTooManyModes "cannot invert: the result has {Modes} modes on one level, and 8 is the most";
        Common: CommonTooManyModes "cannot take the common layout: an inverse on the way to it has {Modes} modes on one level, and 8 is the most";
        LeftInvert: LeftInvertTooManyModes "cannot take the left inverse: the result has {Modes} modes on one level, and 8 is the most";
    }
    label "{Modes} modes do not fit a tuple of the types"; note "`group` or `coalesce` modes first, ask for a form of fewer modes (`zipped_divide` in place of `flat_divide`), or use `DynLayout`, which has no such limit";
}
reason! {
    /// A layout is wanted on the right.
    WantsLayout(), WantsLayoutHolds: "the right operand has to be a layout";
    {
        Replace: ReplaceWantsLayout "cannot replace a mode: the mode has to be a layout";
        Append: AppendWantsLayout "cannot append: the mode has to be a layout";
        Prepend: PrependWantsLayout "cannot prepend: the mode has to be a layout";
        Common: CommonWantsLayout "cannot take the common layout: the right operand has to be a layout";
        Multiply: MultiplyWantsLayout "cannot multiply: the right operand of this product has to be a layout or a number";
    }
    label "this is not a layout"; note "a number `n` as a layout is written `layout!(n:1)`; the product that takes a tiler is `logical_product`";
}
reason! {
    /// A number is wanted on the right.
    WantsNumber(), WantsNumberHolds: "the right operand has to be a number";
    {
        Complement: ComplementWantsNumber "cannot take the complement: the range has to be a number";
        Upcast: UpcastWantsNumber "cannot upcast: the number of elements in a unit has to be a number";
        Downcast: DowncastWantsNumber "cannot downcast: the number of elements in a unit has to be a number";
    }
    label "this is not a number"; note "write `int!(4)` for a number known at compile time, and a `usize` for one known at run time";
}
reason! {
    /// A tuple is wanted on the right.
    WantsTuple(), WantsTupleHolds: "the right operand has to be a tuple";
    {
        Select: SelectWantsTuple "cannot select modes: the modes have to be a tuple of static numbers";
        Recast: RecastWantsTuple "cannot recast: the sizes have to be a pair of static numbers";
    }
    label "this is not a tuple"; note "write `shape!((8, 16))` for a tuple of static numbers";
}
reason! {
    /// A shape is wanted on the right.
    WantsShape(), WantsShapeHolds: "the right operand has to be a shape";
    {
        Tile: TileWantsShape "cannot tile the shape: the right operand has to be a shape";
        Compose: ComposeWantsShape "cannot take the shape: the right operand has to be a shape";
        Coalesce: CoalesceWantsShape "cannot coalesce: the profile has to be a number or a tuple of numbers";
        FilterBy: FilterByWantsShape "cannot filter: the profile has to be a number or a tuple of numbers";
    }
    label "this is not a tuple of numbers"; note "a shape is written `shape!((4, 6))`; that of a layout is `l.shape()`";
}
reason! {
    /// A tile is wanted on the right.
    WantsTile(), WantsTileHolds: "the right operand has to be a layout, a number or a tiler";
    {
        Compose: ComposeWantsTile "cannot compose: the right operand is a tuple, and has to be a layout, a number or a tiler";
        Compose in Mode: ComposeWantsTileInMode "cannot compose mode {Mode}: the right operand is a tuple, and has to be a layout, a number or a tiler";
        Divide: DivideWantsTile "cannot divide: the right operand is a tuple, and has to be a layout, a number or a tiler";
        Divide in Mode: DivideWantsTileInMode "cannot divide mode {Mode}: the right operand is a tuple, and has to be a layout, a number or a tiler";
        Multiply: MultiplyWantsTile "cannot multiply: the right operand is a tuple, and has to be a layout, a number or a tiler";
        Multiply in Mode: MultiplyWantsTileInMode "cannot multiply mode {Mode}: the right operand is a tuple, and has to be a layout, a number or a tiler";
        RoundUp: RoundUpWantsTile "cannot round up: the right operand is a tuple, and has to be a layout, a number or a tiler";
        RoundUp in Mode: RoundUpWantsTileInMode "cannot round up mode {Mode}: the right operand is a tuple, and has to be a layout, a number or a tiler";
    }
    label "this is a tuple"; note "a tiler goes mode by mode and is written `tiler!(2, 3)`, or `<2, 3>` within one; a layout is written `layout!((2, 3))`";
}
reason! {
    /// A plain layout is wanted on the right.
    WantsPlain(), WantsPlainHolds: "the right operand is a composed layout, and has to be a plain one";
    {
        Divide: DivideWantsPlain "cannot divide: the right operand is a composed layout, and has to be a plain one";
        Multiply: MultiplyWantsPlain "cannot multiply: the right operand is a composed layout, and has to be a plain one";
        RoundUp: RoundUpWantsPlain "cannot round up: the right operand is a composed layout, and has to be a plain one";
        Append: AppendWantsPlain "cannot append: the mode is a composed layout, and has to be a plain one";
        Prepend: PrependWantsPlain "cannot prepend: the mode is a composed layout, and has to be a plain one";
        Common: CommonWantsPlain "cannot take the common layout: the right operand is a composed layout, and has to be a plain one";
    }
    label "this layout is behind a swizzle or another function"; note "only the composition with a plain layout takes a composed one on the right; its plain part is `l.inner()`";
}
reason! {
    /// The unit divides what a swizzle moves as a whole.
    SwizzleUnit(Block, By), SwizzleUnitDivides: "the swizzle moves blocks of {Block}, which is not a multiple of the unit's {By}";
    {
        Upcast: UpcastSwizzleUnit "cannot upcast: the swizzle moves blocks of {Block}, which is not a multiple of the unit's {By}";
        Recast: RecastSwizzleUnit "cannot recast: the swizzle moves blocks of {Block}, which is not a multiple of the unit's {By}";
    }
    label "divisibility: the swizzle acts within a unit"; note "`Swizzle<B, M, S>` moves blocks of 2^M elements; in units of 2^k it is `Swizzle<B, M - k, S>`";
}
reason! {
    /// An element falls into a power of two of parts under a swizzle.
    SwizzleParts(Parts), SwizzlePartsFit: "the swizzle moves bits, and {Parts} parts of an element are no power of two";
    {
        Downcast: DowncastSwizzleParts "cannot downcast: the swizzle moves bits, and {Parts} parts of an element are no power of two";
        Recast: RecastSwizzleParts "cannot recast: the swizzle moves bits, and {Parts} parts of an element are no power of two";
    }
    label "divisibility: the swizzle has no form in such parts"; note "`Swizzle<B, M, S>` in 2^k parts of an element is `Swizzle<B, M + k, S>`";
}
reason! {
    /// The unit divides the offset of a composed layout.
    OffsetUnit(Offset, By), OffsetUnitDivides: "the offset before the swizzle, {Offset}, is not a multiple of the unit's {By}";
    {
        Upcast: UpcastOffsetUnit "cannot upcast: the offset before the swizzle, {Offset}, is not a multiple of the unit's {By}";
        Recast: RecastOffsetUnit "cannot recast: the offset before the swizzle, {Offset}, is not a multiple of the unit's {By}";
    }
    label "divisibility: the offset is no whole number of units"; note "upcast(Sw o f o L, n) = upcast(Sw, n) o f/n o upcast(L, n)";
}
reason! {
    /// A unit of no elements.
    ZeroUnit(), ZeroUnitHolds: "a unit of 0 elements holds nothing";
    {
        Upcast: UpcastZeroUnit "cannot upcast: a unit of 0 elements holds nothing";
        Recast: RecastZeroUnit "cannot recast: a unit of 0 elements holds nothing";
        Downcast: DowncastZeroUnit "cannot downcast: a unit of 0 elements holds nothing";
    }
    label "divisibility: 0 divides nothing"; note "a unit has at least one element";
}
reason! {
    /// Composition: the left layout is empty.
    Empty(), EmptyHolds: "a mode of the left layout has extent 0, and no offset lies in it";
    {
        Compose: ComposeEmpty "cannot compose: a mode of the left layout has extent 0, and no offset lies in it";
        Compose in Mode: ComposeEmptyInMode "cannot compose mode {Mode}: a mode of the left layout has extent 0, and no offset lies in it";
        Divide: DivideEmpty "cannot divide: a mode of the left layout has extent 0, and no offset lies in it";
        Divide in Mode: DivideEmptyInMode "cannot divide mode {Mode}: a mode of the left layout has extent 0, and no offset lies in it";
    }
    label "carry: nothing is below 0"; note "only the last mode of a left operand may be of any extent";
}
reason! {
    /// Composition: the right layout is empty.
    EmptyRight(), EmptyRightHolds: "a mode of the right layout has extent 0, and no coordinate lies in it";
    {
        Compose: ComposeEmptyRight "cannot compose: a mode of the right layout has extent 0, and no coordinate lies in it";
        Compose in Mode: ComposeEmptyRightInMode "cannot compose mode {Mode}: a mode of the right layout has extent 0, and no coordinate lies in it";
        Divide: DivideEmptyRight "cannot divide: a mode of the right layout has extent 0, and no coordinate lies in it";
        Divide in Mode: DivideEmptyRightInMode "cannot divide mode {Mode}: a mode of the right layout has extent 0, and no coordinate lies in it";
        Multiply: MultiplyEmptyRight "cannot multiply: a mode of the right layout has extent 0, and no coordinate lies in it";
        Multiply in Mode: MultiplyEmptyRightInMode "cannot multiply mode {Mode}: a mode of the right layout has extent 0, and no coordinate lies in it";
    }
    label "an extent of the right layout is 0"; note "`DynLayout` composes with what is empty";
}
reason! {
    /// A mode is asked for that the layout does not have.
    NoMode(Asked, Modes), NoModeHolds: "there is no mode {Asked} in rank {Modes}";
    {
        Select: SelectNoMode "cannot select modes: there is no mode {Asked} in rank {Modes}";
    }
    label "rank: modes are counted from 0, so mode {Asked} is beyond rank {Modes}"; note "`append` adds a mode; `flatten` and `ungroup` make modes of the modes within one";
}
reason! {
    /// The number of a mode is known only at run time.
    DynamicMode(), DynamicModeHolds: "the number of a mode is known only at run time";
    {
        Select: SelectDynamicMode "cannot select modes: the number of a mode is known only at run time";
    }
    label "these numbers have to be static"; note "write `shape!((1, 0))`, or use `DynLayout`";
}

// ---- memory -------------------------------------------------------------------------------------------------------

reason! {
    /// The storage of a tensor is shorter than the layout reaches.
    Short(Cosize, Length), ShortHolds: "the layout reaches {Cosize} elements, and the storage holds {Length}";
    {
        Make: MakeShort "cannot make a tensor: the layout reaches {Cosize} elements, and the storage holds {Length}";
    }
    label "bounds: {Length} is less than {Cosize}"; note "take storage of at least {Cosize} elements, the layout's cosize, or smaller extents and strides";
}
reason! {
    /// How far a layout reaches is known only at run time.
    DynamicCosize(), DynamicCosizeHolds: "the cosize of this layout is known only at run time";
    {
        Make: MakeDynamicCosize "cannot make a tensor: the cosize of this layout is known only at run time";
    }
    label "every number of this layout has to be static"; note "`Tensor::new` takes any layout, and compares the storage with it when it runs";
}
reason! {
    /// Mutable parts: modes overlap, or interleave.
    Shared(Extent, Stride, Below), SharedHolds: "the mode {Extent}:{Stride} overlaps the {Below} offsets that the modes below it span";
    {
        Part: PartShared "cannot hand out disjoint parts: the mode {Extent}:{Stride} overlaps the {Below} offsets that the modes below it span";
    }
    label "overlap: stride {Stride} is less than {Below}"; note "modes have to lie apart: make this stride at least {Below}; modes that interleave and share no offset, as in (5,3):(3,5), \
        pass `try_tiles_mut`, which looks at run time";
}

// ---- modes by number ----------------------------------------------------------------------------------------------

/// Implements no trait with a message. It is another type than that of the traits which lead to them: of several traits of one type,
/// rustc names the first.
pub struct Numbers;

/// A trait that nothing implements, about modes that a layout does not have: the one that is asked for, by the rank as it is shown, and
/// the one with the message, by the rank as a number.
macro_rules! no_modes {
    ($($asked:ident $refusal:ident [$($n:ident)*] $message:literal;)*) => {
        $(
            #[diagnostic::on_unimplemented(message = $message, label = "rank: there are {Count} modes")]
            #[doc = concat!("The message of [`", stringify!($refusal), "`].")]
            pub trait $asked<$(const $n: usize,)* Count> {}
            impl<$(const $n: usize,)* const Count: usize> $asked<$($n,)* N<Count>> for () where
                Numbers: $refusal<$($n,)* Count>
            {
            }

            #[diagnostic::on_unimplemented(
                message = $message,
                label = "rank: there are {Count} modes",
                note = "modes are counted from 0, and a range of them ends before its second number"
            )]
            #[doc = "Implemented by nothing."]
            pub trait $refusal<$(const $n: usize,)* const Count: usize> {}
        )*
    };
}
no_modes! {
    NoModesToTake TakeModes [First Last] "cannot take modes: modes {First} to {Last} are no range in rank {Count}";
    NoModesToGroup GroupModes [First Last] "cannot group modes: modes {First} to {Last} are no range in rank {Count}";
    NoModeToUngroup UngroupMode [Mode] "cannot ungroup a mode: there is no mode {Mode} in rank {Count}";
    NoModeToFind FindMode [Mode] "cannot take a mode: there is no mode {Mode} in rank {Count}";
    NoModeToReplace ReplaceMode [Mode] "cannot replace a mode: there is no mode {Mode} in rank {Count}";
}
