//! Reasons of compositions, and of the operations built on them.

use super::*;

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
