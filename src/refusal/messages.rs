//! The messages of the compiler, put together of the verbs and the sentences of the table `reasons`. This file is
//! written by the test `wording` of the package `ui-tests`: change the table, and have it written anew.

use super::*;

messages! {
    StepsAt(extent, stride, steps, left_extent, left_stride)
    "divisibility: {steps} does not divide {extent}"
    "take an extent that is a multiple of {steps}, or pad the left layout with `round_up`"
    ComposeStepsAt Compose: "cannot compose: the right mode {extent}:{stride} leaves the mode \
        {left_extent}:{left_stride} of the left layout after {steps} steps, and {steps} does not divide {extent}";
    ComposeStepsAtInMode Compose at mode: "cannot compose mode {mode}: the right mode {extent}:{stride} leaves the \
        mode {left_extent}:{left_stride} of the left layout after {steps} steps, and {steps} does not divide \
        {extent}";
    ComposeStepsAtInModes Compose in modes: "cannot compose mode {mode}.{inner}: the right mode {extent}:{stride} \
        leaves the mode {left_extent}:{left_stride} of the left layout after {steps} steps, and {steps} does not \
        divide {extent}";
    DivideStepsAt Divide: "cannot divide: the right mode {extent}:{stride} leaves the mode \
        {left_extent}:{left_stride} of the left layout after {steps} steps, and {steps} does not divide {extent}";
    DivideStepsAtInMode Divide at mode: "cannot divide mode {mode}: the right mode {extent}:{stride} leaves the mode \
        {left_extent}:{left_stride} of the left layout after {steps} steps, and {steps} does not divide {extent}";
    DivideStepsAtInModes Divide in modes: "cannot divide mode {mode}.{inner}: the right mode {extent}:{stride} \
        leaves the mode {left_extent}:{left_stride} of the left layout after {steps} steps, and {steps} does not \
        divide {extent}";
    MultiplyStepsAt Multiply: "cannot multiply: the right mode {extent}:{stride} leaves the mode \
        {left_extent}:{left_stride} of the left layout after {steps} steps, and {steps} does not divide {extent}";
    MultiplyStepsAtInMode Multiply in mode: "cannot multiply mode {mode}: the right mode {extent}:{stride} leaves \
        the mode {left_extent}:{left_stride} of the left layout after {steps} steps, and {steps} does not divide \
        {extent}";
    TileStepsAt Tile: "cannot tile the shape: the right mode {extent}:{stride} leaves the mode \
        {left_extent}:{left_stride} of the left layout after {steps} steps, and {steps} does not divide {extent}";
}

messages! {
    StepsIn(extent, stride, steps, left_extent)
    "divisibility: {steps} does not divide {extent}"
    "take an extent that is a multiple of {steps}, or pad the left layout with `round_up`"
    ComposeStepsIn Compose: "cannot compose: the right mode {extent}:{stride} leaves a mode of the left layout, \
        which has extent {left_extent}, after {steps} steps, and {steps} does not divide {extent}";
    ComposeStepsInInMode Compose in mode: "cannot compose mode {mode}: the right mode {extent}:{stride} leaves a \
        mode of the left layout, which has extent {left_extent}, after {steps} steps, and {steps} does not divide \
        {extent}";
    DivideStepsIn Divide: "cannot divide: the right mode {extent}:{stride} leaves a mode of the left layout, which \
        has extent {left_extent}, after {steps} steps, and {steps} does not divide {extent}";
    DivideStepsInInMode Divide in mode: "cannot divide mode {mode}: the right mode {extent}:{stride} leaves a mode \
        of the left layout, which has extent {left_extent}, after {steps} steps, and {steps} does not divide \
        {extent}";
}

messages! {
    OvershootAt(step, extent, stride)
    "carry: {step} does not divide {extent}"
    "take a stride whose steps divide the extent of the left mode or are multiples of it, or so few steps that they \
        stay within the mode"
    ComposeOvershootAt Compose: "cannot compose: the right layout takes steps of {step} in the mode \
        {extent}:{stride} of the left layout, and {step} does not divide {extent}";
    ComposeOvershootAtInMode Compose at mode: "cannot compose mode {mode}: the right layout takes steps of {step} in \
        the mode {extent}:{stride} of the left layout, and {step} does not divide {extent}";
    ComposeOvershootAtInModes Compose in modes: "cannot compose mode {mode}.{inner}: the right layout takes steps of \
        {step} in the mode {extent}:{stride} of the left layout, and {step} does not divide {extent}";
    DivideOvershootAt Divide: "cannot divide: the right layout takes steps of {step} in the mode {extent}:{stride} \
        of the left layout, and {step} does not divide {extent}";
    DivideOvershootAtInMode Divide in mode: "cannot divide mode {mode}: the right layout takes steps of {step} in \
        the mode {extent}:{stride} of the left layout, and {step} does not divide {extent}";
    MultiplyOvershootAt Multiply: "cannot multiply: the right layout takes steps of {step} in the mode \
        {extent}:{stride} of the left layout, and {step} does not divide {extent}";
    MultiplyOvershootAtInMode Multiply in mode: "cannot multiply mode {mode}: the right layout takes steps of {step} \
        in the mode {extent}:{stride} of the left layout, and {step} does not divide {extent}";
    TileOvershootAt Tile: "cannot tile the shape: the right layout takes steps of {step} in the mode \
        {extent}:{stride} of the left layout, and {step} does not divide {extent}";
}

messages! {
    OvershootIn(step, extent)
    "carry: {step} does not divide {extent}"
    "take a stride whose steps divide the extent of the left mode or are multiples of it, or so few steps that they \
        stay within the mode"
    ComposeOvershootIn Compose: "cannot compose: the right layout takes steps of {step} in a mode of the left \
        layout, which has extent {extent}, and {step} does not divide {extent}";
    ComposeOvershootInInMode Compose in mode: "cannot compose mode {mode}: the right layout takes steps of {step} in \
        a mode of the left layout, which has extent {extent}, and {step} does not divide {extent}";
    DivideOvershootIn Divide: "cannot divide: the right layout takes steps of {step} in a mode of the left layout, \
        which has extent {extent}, and {step} does not divide {extent}";
    DivideOvershootInInMode Divide in mode: "cannot divide mode {mode}: the right layout takes steps of {step} in a \
        mode of the left layout, which has extent {extent}, and {step} does not divide {extent}";
}

messages! {
    CarryAt(sum, extent, stride)
    "carry: {sum} is not below {extent}"
    "the offsets of the right layout, all modes together, have to stay within each mode of the left layout but the \
        last"
    ComposeCarryAt Compose: "cannot compose: offsets of the right layout add up to {sum} in the mode \
        {extent}:{stride} of the left layout";
    ComposeCarryAtInMode Compose at mode: "cannot compose mode {mode}: offsets of the right layout add up to {sum} \
        in the mode {extent}:{stride} of the left layout";
    ComposeCarryAtInModes Compose in modes: "cannot compose mode {mode}.{inner}: offsets of the right layout add up \
        to {sum} in the mode {extent}:{stride} of the left layout";
    DivideCarryAt Divide: "cannot divide: offsets of the right layout add up to {sum} in the mode {extent}:{stride} \
        of the left layout";
    DivideCarryAtInMode Divide in mode: "cannot divide mode {mode}: offsets of the right layout add up to {sum} in \
        the mode {extent}:{stride} of the left layout";
    MultiplyCarryAt Multiply: "cannot multiply: offsets of the right layout add up to {sum} in the mode \
        {extent}:{stride} of the left layout";
    MultiplyCarryAtInMode Multiply in mode: "cannot multiply mode {mode}: offsets of the right layout add up to \
        {sum} in the mode {extent}:{stride} of the left layout";
    TileCarryAt Tile: "cannot tile the shape: offsets of the right layout add up to {sum} in the mode \
        {extent}:{stride} of the left layout";
}

messages! {
    CarryIn(sum, extent)
    "carry: {sum} is not below {extent}"
    "the offsets of the right layout, all modes together, have to stay within each mode of the left layout but the \
        last"
    ComposeCarryIn Compose: "cannot compose: offsets of the right layout add up to {sum} in a mode of the left \
        layout, which has extent {extent}";
    ComposeCarryInInMode Compose in mode: "cannot compose mode {mode}: offsets of the right layout add up to {sum} \
        in a mode of the left layout, which has extent {extent}";
    DivideCarryIn Divide: "cannot divide: offsets of the right layout add up to {sum} in a mode of the left layout, \
        which has extent {extent}";
    DivideCarryInInMode Divide in mode: "cannot divide mode {mode}: offsets of the right layout add up to {sum} in a \
        mode of the left layout, which has extent {extent}";
}

messages! {
    DynamicStep(extent)
    "a stride of the right layout has to be static"
    "the form of the result would depend on a run-time value: write this number as a literal, or use `DynLayout`"
    ComposeDynamicStep Compose: "cannot compose: a stride of the right layout is known only at run time, and the \
        left layout has a mode of extent {extent} to cross";
    ComposeDynamicStepInMode Compose in mode: "cannot compose mode {mode}: a stride of the right layout is known \
        only at run time, and the left layout has a mode of extent {extent} to cross";
    DivideDynamicStep Divide: "cannot divide: a stride of the right layout is known only at run time, and the left \
        layout has a mode of extent {extent} to cross";
    DivideDynamicStepInMode Divide in mode: "cannot divide mode {mode}: a stride of the right layout is known only \
        at run time, and the left layout has a mode of extent {extent} to cross";
    MultiplyDynamicStep Multiply: "cannot multiply: a stride of the right layout is known only at run time, and the \
        left layout has a mode of extent {extent} to cross";
    MultiplyDynamicStepInMode Multiply in mode: "cannot multiply mode {mode}: a stride of the right layout is known \
        only at run time, and the left layout has a mode of extent {extent} to cross";
    TileDynamicStep Tile: "cannot tile the shape: a stride of the right layout is known only at run time, and the \
        left layout has a mode of extent {extent} to cross";
}

messages! {
    DynamicExtent(stride)
    "all extents of the left layout but the last have to be static"
    "the form of the result would depend on a run-time value: write this number as a literal, or use `DynLayout`"
    ComposeDynamicExtent Compose: "cannot compose: a right stride of {stride} has to cross a mode of the left layout \
        whose extent is known only at run time";
    ComposeDynamicExtentInMode Compose in mode: "cannot compose mode {mode}: a right stride of {stride} has to cross \
        a mode of the left layout whose extent is known only at run time";
    DivideDynamicExtent Divide: "cannot divide: a right stride of {stride} has to cross a mode of the left layout \
        whose extent is known only at run time";
    DivideDynamicExtentInMode Divide in mode: "cannot divide mode {mode}: a right stride of {stride} has to cross a \
        mode of the left layout whose extent is known only at run time";
    MultiplyDynamicExtent Multiply: "cannot multiply: a right stride of {stride} has to cross a mode of the left \
        layout whose extent is known only at run time";
    MultiplyDynamicExtentInMode Multiply in mode: "cannot multiply mode {mode}: a right stride of {stride} has to \
        cross a mode of the left layout whose extent is known only at run time";
    TileDynamicExtent Tile: "cannot tile the shape: a right stride of {stride} has to cross a mode of the left \
        layout whose extent is known only at run time";
}

messages! {
    DynamicRightExtent(stride, extent)
    "an extent of the right layout has to be static"
    "the form of the result would depend on a run-time value: write this number as a literal, or use `DynLayout`"
    ComposeDynamicRightExtent Compose: "cannot compose: an extent of the right layout at stride {stride} is known \
        only at run time, and the left layout has a mode of extent {extent} to cross";
    ComposeDynamicRightExtentInMode Compose in mode: "cannot compose mode {mode}: an extent of the right layout at \
        stride {stride} is known only at run time, and the left layout has a mode of extent {extent} to cross";
    DivideDynamicRightExtent Divide: "cannot divide: an extent of the right layout at stride {stride} is known only \
        at run time, and the left layout has a mode of extent {extent} to cross";
    DivideDynamicRightExtentInMode Divide in mode: "cannot divide mode {mode}: an extent of the right layout at \
        stride {stride} is known only at run time, and the left layout has a mode of extent {extent} to cross";
    MultiplyDynamicRightExtent Multiply: "cannot multiply: an extent of the right layout at stride {stride} is known \
        only at run time, and the left layout has a mode of extent {extent} to cross";
    MultiplyDynamicRightExtentInMode Multiply in mode: "cannot multiply mode {mode}: an extent of the right layout \
        at stride {stride} is known only at run time, and the left layout has a mode of extent {extent} to cross";
    TileDynamicRightExtent Tile: "cannot tile the shape: an extent of the right layout at stride {stride} is known \
        only at run time, and the left layout has a mode of extent {extent} to cross";
}

messages! {
    XorCarry(step)
    "carry: bits of XOR strides do not add up"
    "XOR strides are linear in the bits of a coordinate: let all modes of the right layout together use each bit \
        once, with steps that are powers of two; `l.to_dynamic()` names the bit"
    ComposeXorCarry Compose: "cannot compose: steps of {step} of the right layout carry in an XOR mode of the left \
        layout, by themselves or with those of another mode";
    ComposeXorCarryInMode Compose in mode: "cannot compose mode {mode}: steps of {step} of the right layout carry in \
        an XOR mode of the left layout, by themselves or with those of another mode";
    DivideXorCarry Divide: "cannot divide: steps of {step} of the right layout carry in an XOR mode of the left \
        layout, by themselves or with those of another mode";
    DivideXorCarryInMode Divide in mode: "cannot divide mode {mode}: steps of {step} of the right layout carry in an \
        XOR mode of the left layout, by themselves or with those of another mode";
    MultiplyXorCarry Multiply: "cannot multiply: steps of {step} of the right layout carry in an XOR mode of the \
        left layout, by themselves or with those of another mode";
    MultiplyXorCarryInMode Multiply in mode: "cannot multiply mode {mode}: steps of {step} of the right layout carry \
        in an XOR mode of the left layout, by themselves or with those of another mode";
    TileXorCarry Tile: "cannot tile the shape: steps of {step} of the right layout carry in an XOR mode of the left \
        layout, by themselves or with those of another mode";
    CommonXorCarry Common: "cannot take the common layout: steps of {step} of the right layout carry in an XOR mode \
        of the left layout, by themselves or with those of another mode";
}

messages! {
    DynamicXorStep()
    "a stride of the right layout has to be static"
    "write this number as a literal, or compose at run time: `l.to_dynamic()`"
    ComposeDynamicXorStep Compose: "cannot compose: a stride of the right layout is known only at run time, and so \
        is whether it carries in an XOR mode of the left layout";
    ComposeDynamicXorStepInMode Compose in mode: "cannot compose mode {mode}: a stride of the right layout is known \
        only at run time, and so is whether it carries in an XOR mode of the left layout";
}

messages! {
    NoRuleForInverse()
    "run time looks for a composition here"
    "exchange the two layouts: what is in step with one is in step with the other; `l.to_dynamic()` has the common \
        layout of any two"
    CommonNoRuleForInverse Common: "cannot take the common layout: no rule composes the left layout with the inverse \
        of the right one, whose XOR strides reach it";
}

messages! {
    NegativeCoordinate(extent, stride)
    "stride: no coordinate is negative"
    "`flip` turns a mode round"
    ComposeNegativeCoordinate Compose: "cannot compose: the mode {extent}:-{stride} leads to negative offsets, which \
        are no coordinates of another layout";
    ComposeNegativeCoordinateInMode Compose in mode: "cannot compose mode {mode}: the mode {extent}:-{stride} leads \
        to negative offsets, which are no coordinates of another layout";
    DivideNegativeCoordinate Divide: "cannot divide: the mode {extent}:-{stride} leads to negative offsets, which \
        are no coordinates of another layout";
    DivideNegativeCoordinateInMode Divide in mode: "cannot divide mode {mode}: the mode {extent}:-{stride} leads to \
        negative offsets, which are no coordinates of another layout";
    MultiplyNegativeCoordinate Multiply: "cannot multiply: the mode {extent}:-{stride} leads to negative offsets, \
        which are no coordinates of another layout";
    MultiplyNegativeCoordinateInMode Multiply in mode: "cannot multiply mode {mode}: the mode {extent}:-{stride} \
        leads to negative offsets, which are no coordinates of another layout";
}

messages! {
    DynamicRightXor()
    "all numbers beside XOR strides have to be static"
    "write them as literals; `l.to_dynamic()` has the operation for all numbers"
    ComposeDynamicRightXor Compose: "cannot compose: a number of the right layout is known only at run time, and the \
        bits of its XOR strides decide the result";
    ComposeDynamicRightXorInMode Compose in mode: "cannot compose mode {mode}: a number of the right layout is known \
        only at run time, and the bits of its XOR strides decide the result";
    DivideDynamicRightXor Divide: "cannot divide: a number of the right layout is known only at run time, and the \
        bits of its XOR strides decide the result";
    DivideDynamicRightXorInMode Divide in mode: "cannot divide mode {mode}: a number of the right layout is known \
        only at run time, and the bits of its XOR strides decide the result";
    MultiplyDynamicRightXor Multiply: "cannot multiply: a number of the right layout is known only at run time, and \
        the bits of its XOR strides decide the result";
    MultiplyDynamicRightXorInMode Multiply in mode: "cannot multiply mode {mode}: a number of the right layout is \
        known only at run time, and the bits of its XOR strides decide the result";
}

messages! {
    DynamicLeftXor()
    "all numbers that XOR strides reach have to be static"
    "write them as literals; `l.to_dynamic()` has the operation for all numbers"
    ComposeDynamicLeftXor Compose: "cannot compose: XOR strides of the right layout reach a mode of the left layout \
        of which a number is known only at run time";
    ComposeDynamicLeftXorInMode Compose in mode: "cannot compose mode {mode}: XOR strides of the right layout reach \
        a mode of the left layout of which a number is known only at run time";
    DivideDynamicLeftXor Divide: "cannot divide: XOR strides of the right layout reach a mode of the left layout of \
        which a number is known only at run time";
    DivideDynamicLeftXorInMode Divide in mode: "cannot divide mode {mode}: XOR strides of the right layout reach a \
        mode of the left layout of which a number is known only at run time";
    MultiplyDynamicLeftXor Multiply: "cannot multiply: XOR strides of the right layout reach a mode of the left \
        layout of which a number is known only at run time";
    MultiplyDynamicLeftXorInMode Multiply in mode: "cannot multiply mode {mode}: XOR strides of the right layout \
        reach a mode of the left layout of which a number is known only at run time";
}

messages! {
    XorIntoMode(extent, stride)
    "carry: sums of steps of {stride} are no XOR"
    "let XOR strides reach modes that do not carry: whose strides, for all bits of a coordinate, share no bit"
    ComposeXorIntoMode Compose: "cannot compose: XOR strides of the right layout reach the mode {extent}:{stride} of \
        the left layout, whose offsets carry";
    ComposeXorIntoModeInMode Compose in mode: "cannot compose mode {mode}: XOR strides of the right layout reach the \
        mode {extent}:{stride} of the left layout, whose offsets carry";
    DivideXorIntoMode Divide: "cannot divide: XOR strides of the right layout reach the mode {extent}:{stride} of \
        the left layout, whose offsets carry";
    DivideXorIntoModeInMode Divide in mode: "cannot divide mode {mode}: XOR strides of the right layout reach the \
        mode {extent}:{stride} of the left layout, whose offsets carry";
    MultiplyXorIntoMode Multiply: "cannot multiply: XOR strides of the right layout reach the mode {extent}:{stride} \
        of the left layout, whose offsets carry";
    MultiplyXorIntoModeInMode Multiply in mode: "cannot multiply mode {mode}: XOR strides of the right layout reach \
        the mode {extent}:{stride} of the left layout, whose offsets carry";
}

messages! {
    XorIntoLast(stride)
    "carry: sums of steps of {stride} are no XOR"
    "let XOR strides reach modes that do not carry: whose strides, for all bits of a coordinate, share no bit"
    ComposeXorIntoLast Compose: "cannot compose: XOR strides of the right layout reach the last mode of the left \
        one, of stride {stride}, whose offsets carry";
    ComposeXorIntoLastInMode Compose in mode: "cannot compose mode {mode}: XOR strides of the right layout reach the \
        last mode of the left one, of stride {stride}, whose offsets carry";
    DivideXorIntoLast Divide: "cannot divide: XOR strides of the right layout reach the last mode of the left one, \
        of stride {stride}, whose offsets carry";
    DivideXorIntoLastInMode Divide in mode: "cannot divide mode {mode}: XOR strides of the right layout reach the \
        last mode of the left one, of stride {stride}, whose offsets carry";
    MultiplyXorIntoLast Multiply: "cannot multiply: XOR strides of the right layout reach the last mode of the left \
        one, of stride {stride}, whose offsets carry";
    MultiplyXorIntoLastInMode Multiply in mode: "cannot multiply mode {mode}: XOR strides of the right layout reach \
        the last mode of the left one, of stride {stride}, whose offsets carry";
}

messages! {
    XorIntoAxes()
    "coordinates have no XOR"
    "compose with natural strides"
    ComposeXorIntoAxes Compose: "cannot compose: XOR strides of the right layout reach a mode of the left one whose \
        offsets are coordinates";
    ComposeXorIntoAxesInMode Compose in mode: "cannot compose mode {mode}: XOR strides of the right layout reach a \
        mode of the left one whose offsets are coordinates";
    DivideXorIntoAxes Divide: "cannot divide: XOR strides of the right layout reach a mode of the left one whose \
        offsets are coordinates";
    DivideXorIntoAxesInMode Divide in mode: "cannot divide mode {mode}: XOR strides of the right layout reach a mode \
        of the left one whose offsets are coordinates";
}

messages! {
    XorAcross(place)
    "divisibility: {place} is no power of two"
    "let XOR strides stay within modes whose extents, with those before, are powers of two"
    ComposeXorAcross Compose: "cannot compose: XOR strides of the right layout go across the place {place} of the \
        left layout, which is no power of two";
    ComposeXorAcrossInMode Compose in mode: "cannot compose mode {mode}: XOR strides of the right layout go across \
        the place {place} of the left layout, which is no power of two";
    DivideXorAcross Divide: "cannot divide: XOR strides of the right layout go across the place {place} of the left \
        layout, which is no power of two";
    DivideXorAcrossInMode Divide in mode: "cannot divide mode {mode}: XOR strides of the right layout go across the \
        place {place} of the left layout, which is no power of two";
    MultiplyXorAcross Multiply: "cannot multiply: XOR strides of the right layout go across the place {place} of the \
        left layout, which is no power of two";
    MultiplyXorAcrossInMode Multiply in mode: "cannot multiply mode {mode}: XOR strides of the right layout go \
        across the place {place} of the left layout, which is no power of two";
}

messages! {
    XorMeetsNatural(bit)
    "overlap: natural and XOR strides share bit {bit}"
    "beyond its size the left layout goes on with its last mode: let the right one stay within it"
    ComposeXorMeetsNatural Compose: "cannot compose: bit {bit} is one of the offsets of natural strides and one of \
        XOR strides', so that sum and XOR differ";
    ComposeXorMeetsNaturalInMode Compose in mode: "cannot compose mode {mode}: bit {bit} is one of the offsets of \
        natural strides and one of XOR strides', so that sum and XOR differ";
}

messages! {
    ModesMeet(bit)
    "overlap: natural and XOR strides share bit {bit}"
    "natural and XOR strides of one layout have bits of their own"
    ComposeModesMeet Compose: "cannot compose: bit {bit} is one of the offsets of natural strides and one of XOR \
        strides', so that sum and XOR differ";
    DivideModesMeet Divide: "cannot divide: bit {bit} is one of the offsets of natural strides and one of XOR \
        strides', so that sum and XOR differ";
    MultiplyModesMeet Multiply: "cannot multiply: bit {bit} is one of the offsets of natural strides and one of XOR \
        strides', so that sum and XOR differ";
    AddModesMeet Add: "cannot add: bit {bit} is one of the offsets of natural strides and one of XOR strides', so \
        that sum and XOR differ";
}

messages! {
    StepInTwoParts(steps, natural, without)
    "carry: sums of steps of {natural} are no XOR"
    "let the natural part of a step take each bit once, and no bit of XOR strides; `l.to_dynamic()` looks for other \
        strides too"
    ComposeStepInTwoParts Compose: "cannot compose: {steps} steps go {natural} far and ^{without} far at once, which \
        no stride says";
    MultiplyStepInTwoParts Multiply: "cannot multiply: {steps} steps go {natural} far and ^{without} far at once, \
        which no stride says";
    AddStepInTwoParts Add: "cannot add: {steps} steps go {natural} far and ^{without} far at once, which no stride \
        says";
}

messages! {
    DynamicTwoParts()
    "all numbers beside such a step have to be static"
    "write them as literals; `l.to_dynamic()` has the operation for all numbers"
    ComposeDynamicTwoParts Compose: "cannot compose: a step of the result goes along natural and XOR strides at \
        once, and a number beside it is known only at run time";
    AddDynamicTwoParts Add: "cannot add: a step of the result goes along natural and XOR strides at once, and a \
        number beside it is known only at run time";
}

messages! {
    Uneven(steps, extent)
    "divisibility: {steps} does not divide {extent}"
    "take an extent that is a power of two"
    ComposeUneven Compose: "cannot compose: the bits of the result go on evenly for {steps} steps, and {steps} does \
        not divide {extent}";
    ComposeUnevenInMode Compose in mode: "cannot compose mode {mode}: the bits of the result go on evenly for \
        {steps} steps, and {steps} does not divide {extent}";
    MultiplyUneven Multiply: "cannot multiply: the bits of the result go on evenly for {steps} steps, and {steps} \
        does not divide {extent}";
    MultiplyUnevenInMode Multiply in mode: "cannot multiply mode {mode}: the bits of the result go on evenly for \
        {steps} steps, and {steps} does not divide {extent}";
}

messages! {
    XorBesideNegative()
    "stride: offsets with a sign have no XOR"
    "let XOR strides stand beside none that are negative, or that lead to negative ones"
    ComposeXorBesideNegative Compose: "cannot compose: the result would have XOR strides and negative ones, which \
        have no meaning together";
    DivideXorBesideNegative Divide: "cannot divide: the result would have XOR strides and negative ones, which have \
        no meaning together";
    MultiplyXorBesideNegative Multiply: "cannot multiply: the result would have XOR strides and negative ones, which \
        have no meaning together";
    AppendXorBesideNegative Append: "cannot append: the result would have XOR strides and negative ones, which have \
        no meaning together";
    PrependXorBesideNegative Prepend: "cannot prepend: the result would have XOR strides and negative ones, which \
        have no meaning together";
    ReplaceXorBesideNegative Replace: "cannot replace a mode: the result would have XOR strides and negative ones, \
        which have no meaning together";
    AddXorBesideNegative Add: "cannot add: the result would have XOR strides and negative ones, which have no \
        meaning together";
}

messages! {
    Empty()
    "carry: nothing is below 0"
    "only the last mode of a left operand may be of any extent"
    ComposeEmpty Compose: "cannot compose: a mode of the left layout has extent 0, and no offset lies in it";
    ComposeEmptyInMode Compose in mode: "cannot compose mode {mode}: a mode of the left layout has extent 0, and no \
        offset lies in it";
    DivideEmpty Divide: "cannot divide: a mode of the left layout has extent 0, and no offset lies in it";
    DivideEmptyInMode Divide in mode: "cannot divide mode {mode}: a mode of the left layout has extent 0, and no \
        offset lies in it";
}

messages! {
    EmptyRight()
    "an extent of the right layout is 0"
    "`DynLayout` composes with what is empty"
    ComposeEmptyRight Compose: "cannot compose: a mode of the right layout has extent 0, and no coordinate lies in \
        it";
    ComposeEmptyRightInMode Compose in mode: "cannot compose mode {mode}: a mode of the right layout has extent 0, \
        and no coordinate lies in it";
    DivideEmptyRight Divide: "cannot divide: a mode of the right layout has extent 0, and no coordinate lies in it";
    DivideEmptyRightInMode Divide in mode: "cannot divide mode {mode}: a mode of the right layout has extent 0, and \
        no coordinate lies in it";
    MultiplyEmptyRight Multiply: "cannot multiply: a mode of the right layout has extent 0, and no coordinate lies \
        in it";
    MultiplyEmptyRightInMode Multiply in mode: "cannot multiply mode {mode}: a mode of the right layout has extent \
        0, and no coordinate lies in it";
}

messages! {
    Rank(entries, modes)
    "rank: {entries} entries for {modes} modes"
    "a by-mode tiler or profile has at most one entry for each mode, and for a composition one for each; `_` leaves \
        a mode alone"
    ComposeRank Compose: "cannot compose: a tiler of rank {entries} does not fit a layout of rank {modes}";
    ComposeRankInMode Compose at mode: "cannot compose mode {mode}: a tiler of rank {entries} does not fit a layout \
        of rank {modes}";
    ComposeRankInModes Compose in modes: "cannot compose mode {mode}.{inner}: a tiler of rank {entries} does not fit \
        a layout of rank {modes}";
    DivideRank Divide: "cannot divide: a tiler of rank {entries} does not fit a layout of rank {modes}";
    DivideRankInMode Divide at mode: "cannot divide mode {mode}: a tiler of rank {entries} does not fit a layout of \
        rank {modes}";
    DivideRankInModes Divide in modes: "cannot divide mode {mode}.{inner}: a tiler of rank {entries} does not fit a \
        layout of rank {modes}";
    MultiplyRank Multiply: "cannot multiply: a tiler of rank {entries} does not fit a layout of rank {modes}";
    MultiplyRankInMode Multiply in mode: "cannot multiply mode {mode}: a tiler of rank {entries} does not fit a \
        layout of rank {modes}";
    RoundUpRank RoundUp: "cannot round up: a tiler of rank {entries} does not fit a layout of rank {modes}";
    RoundUpRankInMode RoundUp at mode: "cannot round up mode {mode}: a tiler of rank {entries} does not fit a layout \
        of rank {modes}";
    RoundUpRankInModes RoundUp in modes: "cannot round up mode {mode}.{inner}: a tiler of rank {entries} does not \
        fit a layout of rank {modes}";
    CoalesceRank Coalesce: "cannot coalesce: a profile of rank {entries} does not fit a layout of rank {modes}";
    CoalesceRankInMode Coalesce in mode: "cannot coalesce mode {mode}: a profile of rank {entries} does not fit a \
        layout of rank {modes}";
    FilterByRank FilterBy: "cannot filter: a profile of rank {entries} does not fit a layout of rank {modes}";
    FilterByRankInMode FilterBy in mode: "cannot filter mode {mode}: a profile of rank {entries} does not fit a \
        layout of rank {modes}";
}

messages! {
    TooManyModes(modes)
    "{modes} modes do not fit a tuple of the types"
    "`group` or `coalesce` modes first, ask for a form of fewer modes (`zipped_divide` in place of `flat_divide`), \
        or use `DynLayout`, which has no such limit"
    FlattenTooManyModes Flatten: "cannot flatten: the result has {modes} modes on one level, and 8 is the most";
    FilterTooManyModes Filter: "cannot filter: the result has {modes} modes on one level, and 8 is the most";
    FilterByTooManyModes FilterBy: "cannot filter: the result has {modes} modes on one level, and 8 is the most";
    FilterByTooManyModesInMode FilterBy in mode: "cannot filter mode {mode}: the result has {modes} modes on one \
        level, and 8 is the most";
    CoalesceTooManyModes Coalesce: "cannot coalesce: the result has {modes} modes on one level, and 8 is the most";
    CoalesceTooManyModesInMode Coalesce in mode: "cannot coalesce mode {mode}: the result has {modes} modes on one \
        level, and 8 is the most";
    UngroupTooManyModes Ungroup: "cannot ungroup: the result has {modes} modes on one level, and 8 is the most";
    AppendTooManyModes Append: "cannot append: the result has {modes} modes on one level, and 8 is the most";
    PrependTooManyModes Prepend: "cannot prepend: the result has {modes} modes on one level, and 8 is the most";
    ComposeTooManyModes Compose: "cannot compose: the result has {modes} modes on one level, and 8 is the most";
    ComposeTooManyModesInMode Compose in mode: "cannot compose mode {mode}: the result has {modes} modes on one \
        level, and 8 is the most";
    DivideTooManyModes Divide: "cannot divide: the result has {modes} modes on one level, and 8 is the most";
    DivideTooManyModesInMode Divide in mode: "cannot divide mode {mode}: the result has {modes} modes on one level, \
        and 8 is the most";
    MultiplyTooManyModes Multiply: "cannot multiply: the result has {modes} modes on one level, and 8 is the most";
    MultiplyTooManyModesInMode Multiply in mode: "cannot multiply mode {mode}: the result has {modes} modes on one \
        level, and 8 is the most";
    ComplementTooManyModes Complement: "cannot take the complement: the result has {modes} modes on one level, and 8 \
        is the most";
    InvertTooManyModes Invert: "cannot invert: the result has {modes} modes on one level, and 8 is the most";
    LeftInvertTooManyModes LeftInvert: "cannot take the left inverse: the result has {modes} modes on one level, and \
        8 is the most";
    AddTooManyModes Add: "cannot add: the result has {modes} modes on one level, and 8 is the most";
    CommonDomainTooManyModes CommonDomain: "cannot take the common domain: the result has {modes} modes on one \
        level, and 8 is the most";
    CommonTooManyModes Common: "cannot take the common layout: an inverse on the way to it has {modes} modes on one \
        level, and 8 is the most";
}

messages! {
    WantsLayout()
    "this is not a layout"
    "a number `n` as a layout is written `layout!(n:1)`; the product that takes a tiler is `logical_product`"
    ReplaceWantsLayout Replace: "cannot replace a mode: the mode has to be a layout";
    AppendWantsLayout Append: "cannot append: the mode has to be a layout";
    PrependWantsLayout Prepend: "cannot prepend: the mode has to be a layout";
    AddWantsLayout Add: "cannot add: the right operand has to be a layout";
    CommonWantsLayout Common: "cannot take the common layout: the right operand has to be a layout";
    MultiplyWantsLayout Multiply: "cannot multiply: the right operand of this product has to be a layout or a number";
}

messages! {
    WantsNumber()
    "this is not a number"
    "write `int!(4)` for a number known at compile time, and a `usize` for one known at run time"
    ComplementWantsNumber Complement: "cannot take the complement: the range has to be a number";
    UpcastWantsNumber Upcast: "cannot upcast: the number of elements in a unit has to be a number";
    DowncastWantsNumber Downcast: "cannot downcast: the number of elements in a unit has to be a number";
}

messages! {
    WantsTuple()
    "this is not a tuple"
    "write `shape!((8, 16))` for a tuple of static numbers"
    SelectWantsTuple Select: "cannot select modes: the modes have to be a tuple of static numbers";
    RecastWantsTuple Recast: "cannot recast: the sizes have to be a pair of static numbers";
}

messages! {
    WantsShape()
    "this is not a tuple of numbers"
    "a shape is written `shape!((4, 6))`; that of a layout is `l.shape()`"
    TileWantsShape Tile: "cannot tile the shape: the right operand has to be a shape";
    ComposeWantsShape Compose: "cannot take the shape: the right operand has to be a shape";
    CommonDomainWantsShape CommonDomain: "cannot take the common domain: the right operand has to be a shape or a \
        layout";
    CoalesceWantsShape Coalesce: "cannot coalesce: the profile has to be a number or a tuple of numbers";
    FilterByWantsShape FilterBy: "cannot filter: the profile has to be a number or a tuple of numbers";
}

messages! {
    WantsTile()
    "this is a tuple"
    "a tiler goes mode by mode and is written `tiler!(2, 3)`, or `<2, 3>` within one; a layout is written \
        `layout!((2, 3))`"
    ComposeWantsTile Compose: "cannot compose: the right operand is a tuple, and has to be a layout, a number or a \
        tiler";
    ComposeWantsTileInMode Compose in mode: "cannot compose mode {mode}: the right operand is a tuple, and has to be \
        a layout, a number or a tiler";
    DivideWantsTile Divide: "cannot divide: the right operand is a tuple, and has to be a layout, a number or a \
        tiler";
    DivideWantsTileInMode Divide in mode: "cannot divide mode {mode}: the right operand is a tuple, and has to be a \
        layout, a number or a tiler";
    MultiplyWantsTile Multiply: "cannot multiply: the right operand is a tuple, and has to be a layout, a number or \
        a tiler";
    MultiplyWantsTileInMode Multiply in mode: "cannot multiply mode {mode}: the right operand is a tuple, and has to \
        be a layout, a number or a tiler";
    RoundUpWantsTile RoundUp: "cannot round up: the right operand is a tuple, and has to be a layout, a number or a \
        tiler";
    RoundUpWantsTileInMode RoundUp in mode: "cannot round up mode {mode}: the right operand is a tuple, and has to \
        be a layout, a number or a tiler";
}

messages! {
    WantsPlain()
    "this layout is behind a swizzle or another function"
    "only the composition with a plain layout takes a composed one on the right; its plain part is `l.inner()`"
    DivideWantsPlain Divide: "cannot divide: the right operand is a composed layout, and has to be a plain one";
    MultiplyWantsPlain Multiply: "cannot multiply: the right operand is a composed layout, and has to be a plain one";
    RoundUpWantsPlain RoundUp: "cannot round up: the right operand is a composed layout, and has to be a plain one";
    AddWantsPlain Add: "cannot add: the right operand is a composed layout, and has to be a plain one";
    CommonWantsPlain Common: "cannot take the common layout: the right operand is a composed layout, and has to be a \
        plain one";
    ReplaceWantsPlain Replace: "cannot replace a mode: the mode is a composed layout, and has to be a plain one";
    AppendWantsPlain Append: "cannot append: the mode is a composed layout, and has to be a plain one";
    PrependWantsPlain Prepend: "cannot prepend: the mode is a composed layout, and has to be a plain one";
}

messages! {
    NoMode(mode, rank)
    "rank: modes are counted from 0, so mode {mode} is beyond rank {rank}"
    "`append` adds a mode; `flatten` and `ungroup` make modes of the modes within one"
    SelectNoMode Select: "cannot select modes: there is no mode {mode} in rank {rank}";
}

messages! {
    DynamicMode()
    "these numbers have to be static"
    "write `shape!((1, 0))`, or use `DynLayout`"
    SelectDynamicMode Select: "cannot select modes: the number of a mode is known only at run time";
}

messages! {
    Overlap(extent, stride, below)
    "overlap: stride {stride} is less than {below}"
    "modes have to lie apart: make this stride at least {below}"
    ComplementOverlap Complement: "cannot take the complement: the mode {extent}:{stride} overlaps the {below} \
        offsets that the modes below it span";
    DivideOverlap Divide: "cannot divide: the mode {extent}:{stride} overlaps the {below} offsets that the modes \
        below it span";
    DivideOverlapInMode Divide at mode: "cannot divide mode {mode}: the mode {extent}:{stride} overlaps the {below} \
        offsets that the modes below it span";
    DivideOverlapInModes Divide in modes: "cannot divide mode {mode}.{inner}: the mode {extent}:{stride} overlaps \
        the {below} offsets that the modes below it span";
    MultiplyOverlap Multiply: "cannot multiply: the mode {extent}:{stride} overlaps the {below} offsets that the \
        modes below it span";
    MultiplyOverlapInMode Multiply in mode: "cannot multiply mode {mode}: the mode {extent}:{stride} overlaps the \
        {below} offsets that the modes below it span";
    TileOverlap Tile: "cannot tile the shape: the mode {extent}:{stride} overlaps the {below} offsets that the modes \
        below it span";
    RoundUpOverlap RoundUp: "cannot round up: the mode {extent}:{stride} overlaps the {below} offsets that the modes \
        below it span";
    RoundUpOverlapInMode RoundUp in mode: "cannot round up mode {mode}: the mode {extent}:{stride} overlaps the \
        {below} offsets that the modes below it span";
}

messages! {
    Gap(stride, below)
    "divisibility: {below} does not divide {stride}"
    "pad the stride to a multiple of {below}"
    ComplementGap Complement: "cannot take the complement: stride {stride} is not a multiple of {below}, what the \
        modes below it span";
    DivideGap Divide: "cannot divide: stride {stride} is not a multiple of {below}, what the modes below it span";
    DivideGapInMode Divide at mode: "cannot divide mode {mode}: stride {stride} is not a multiple of {below}, what \
        the modes below it span";
    DivideGapInModes Divide in modes: "cannot divide mode {mode}.{inner}: stride {stride} is not a multiple of \
        {below}, what the modes below it span";
    RoundUpGap RoundUp: "cannot round up: stride {stride} is not a multiple of {below}, what the modes below it span";
    RoundUpGapInMode RoundUp in mode: "cannot round up mode {mode}: stride {stride} is not a multiple of {below}, \
        what the modes below it span";
}

messages! {
    SpanOfNothing(extent, span)
    "divisibility: {span} does not divide {extent}"
    "an extent of 0 leaves no element: take one of at least 1"
    ComplementSpanOfNothing Complement: "cannot take the complement: extent {extent} is not a multiple of {span}, \
        what the layout spans";
    DivideSpanOfNothing Divide: "cannot divide: extent {extent} is not a multiple of {span}, what the tile spans";
    DivideSpanOfNothingInMode Divide in mode: "cannot divide mode {mode}: extent {extent} is not a multiple of \
        {span}, what the tile spans";
}

messages! {
    SpanWithHelp(extent, span, padded, divisor)
    "divisibility: {span} does not divide {extent}"
    "{padded} is the next multiple: `round_up` pads a layout to it, `complement_ceil` a range, and `ragged_tile` \
        cuts over the edge of a tensor; {divisor} is the largest number that divides both"
    ComplementSpanWithHelp Complement: "cannot take the complement: extent {extent} is not a multiple of {span}, \
        what the layout spans";
    DivideSpanWithHelp Divide: "cannot divide: extent {extent} is not a multiple of {span}, what the tile spans";
    DivideSpanWithHelpInMode Divide at mode: "cannot divide mode {mode}: extent {extent} is not a multiple of \
        {span}, what the tile spans";
    DivideSpanWithHelpInModes Divide in modes: "cannot divide mode {mode}.{inner}: extent {extent} is not a multiple \
        of {span}, what the tile spans";
}

messages! {
    DynamicOrder()
    "these strides have to be static"
    "the form of the result would depend on a run-time value: write this number as a literal, or use `DynLayout`"
    LayOutDynamicOrder LayOut: "cannot lay out alike: several modes have strides of which some are known only at run \
        time, and their order decides the result";
    ComplementDynamicOrder Complement: "cannot take the complement: several modes have strides of which some are \
        known only at run time, and their order decides the result";
    DivideDynamicOrder Divide: "cannot divide: several modes have strides of which some are known only at run time, \
        and their order decides the result";
    DivideDynamicOrderInMode Divide in mode: "cannot divide mode {mode}: several modes have strides of which some \
        are known only at run time, and their order decides the result";
    MultiplyDynamicOrder Multiply: "cannot multiply: several modes have strides of which some are known only at run \
        time, and their order decides the result";
    MultiplyDynamicOrderInMode Multiply in mode: "cannot multiply mode {mode}: several modes have strides of which \
        some are known only at run time, and their order decides the result";
    TileDynamicOrder Tile: "cannot tile the shape: several modes have strides of which some are known only at run \
        time, and their order decides the result";
    RoundUpDynamicOrder RoundUp: "cannot round up: several modes have strides of which some are known only at run \
        time, and their order decides the result";
    RoundUpDynamicOrderInMode RoundUp in mode: "cannot round up mode {mode}: several modes have strides of which \
        some are known only at run time, and their order decides the result";
    LeftInvertDynamicOrder LeftInvert: "cannot take the left inverse: several modes have strides of which some are \
        known only at run time, and their order decides the result";
}

messages! {
    Within(stride, extent, below)
    "overlap: stride {stride} is less than {extent} steps of {below}"
    "modes have to lie apart: each stride at least what the mode of the next smaller stride spans"
    LeftInvertWithin LeftInvert: "cannot take the left inverse: stride {stride} lies within the offsets of the mode \
        {extent}:{below}";
}

messages! {
    Strides(stride, below)
    "divisibility: {below} does not divide {stride}"
    "pad the stride to a multiple of {below}"
    LeftInvertStrides LeftInvert: "cannot take the left inverse: stride {stride} is not a multiple of stride {below} \
        below it";
}

messages! {
    DynamicXor()
    "all numbers beside XOR strides have to be static"
    "write them as literals; `l.to_dynamic()` has the operation for all numbers"
    ComplementDynamicXor Complement: "cannot take the complement: a number of this layout of XOR strides is known \
        only at run time, and its bits decide the result";
    DivideDynamicXor Divide: "cannot divide: a number of this layout of XOR strides is known only at run time, and \
        its bits decide the result";
    DivideDynamicXorInMode Divide in mode: "cannot divide mode {mode}: a number of this layout of XOR strides is \
        known only at run time, and its bits decide the result";
    RoundUpDynamicXor RoundUp: "cannot round up: a number of this layout of XOR strides is known only at run time, \
        and its bits decide the result";
    RoundUpDynamicXorInMode RoundUp in mode: "cannot round up mode {mode}: a number of this layout of XOR strides is \
        known only at run time, and its bits decide the result";
    MultiplyDynamicXor Multiply: "cannot multiply: a number of this layout of XOR strides is known only at run time, \
        and its bits decide the result";
    MultiplyDynamicXorInMode Multiply in mode: "cannot multiply mode {mode}: a number of this layout of XOR strides \
        is known only at run time, and its bits decide the result";
    TileDynamicXor Tile: "cannot tile the shape: a number of this layout of XOR strides is known only at run time, \
        and its bits decide the result";
    InvertDynamicXor Invert: "cannot invert: a number of this layout of XOR strides is known only at run time, and \
        its bits decide the result";
    LeftInvertDynamicXor LeftInvert: "cannot take the left inverse: a number of this layout of XOR strides is known \
        only at run time, and its bits decide the result";
    CommonDynamicXor Common: "cannot take the common layout: a number of this layout of XOR strides is known only at \
        run time, and its bits decide the result";
    WriteSwizzledDynamicXor WriteSwizzled: "cannot write as a swizzle: a number of this layout of XOR strides is \
        known only at run time, and its bits decide the result";
}

messages! {
    AmongXor(extent, stride)
    "divisibility: this mode is not linear in its bits"
    "let natural strides be multiples of all that XOR strides reach"
    ComplementAmongXor Complement: "cannot take the complement: the mode {extent}:{stride} lies among the bits of \
        XOR strides, and is not linear in its own";
    DivideAmongXor Divide: "cannot divide: the mode {extent}:{stride} lies among the bits of XOR strides, and is not \
        linear in its own";
    DivideAmongXorInMode Divide in mode: "cannot divide mode {mode}: the mode {extent}:{stride} lies among the bits \
        of XOR strides, and is not linear in its own";
    RoundUpAmongXor RoundUp: "cannot round up: the mode {extent}:{stride} lies among the bits of XOR strides, and is \
        not linear in its own";
    RoundUpAmongXorInMode RoundUp in mode: "cannot round up mode {mode}: the mode {extent}:{stride} lies among the \
        bits of XOR strides, and is not linear in its own";
    MultiplyAmongXor Multiply: "cannot multiply: the mode {extent}:{stride} lies among the bits of XOR strides, and \
        is not linear in its own";
    MultiplyAmongXorInMode Multiply in mode: "cannot multiply mode {mode}: the mode {extent}:{stride} lies among the \
        bits of XOR strides, and is not linear in its own";
    TileAmongXor Tile: "cannot tile the shape: the mode {extent}:{stride} lies among the bits of XOR strides, and is \
        not linear in its own";
    LeftInvertAmongXor LeftInvert: "cannot take the left inverse: the mode {extent}:{stride} lies among the bits of \
        XOR strides, and is not linear in its own";
}

messages! {
    FreeAmongNatural()
    "overlap: natural and XOR strides share a bit"
    "`l.linear()` makes XOR strides of all"
    ComplementFreeAmongNatural Complement: "cannot take the complement: what is left free by XOR strides has bits of \
        natural strides beside them, so that sum and XOR differ";
    DivideFreeAmongNatural Divide: "cannot divide: what is left free by XOR strides has bits of natural strides \
        beside them, so that sum and XOR differ";
    DivideFreeAmongNaturalInMode Divide in mode: "cannot divide mode {mode}: what is left free by XOR strides has \
        bits of natural strides beside them, so that sum and XOR differ";
}

messages! {
    NoPowerOfTwo(number)
    "divisibility: {number} is no power of two"
    "bits of coordinates are free of one another in extents that are powers of two"
    ComplementNoPowerOfTwo Complement: "cannot take the complement: {number} is no power of two, and XOR strides are \
        of bits";
    DivideNoPowerOfTwo Divide: "cannot divide: {number} is no power of two, and XOR strides are of bits";
    DivideNoPowerOfTwoInMode Divide in mode: "cannot divide mode {mode}: {number} is no power of two, and XOR \
        strides are of bits";
    RoundUpNoPowerOfTwo RoundUp: "cannot round up: {number} is no power of two, and XOR strides are of bits";
    RoundUpNoPowerOfTwoInMode RoundUp in mode: "cannot round up mode {mode}: {number} is no power of two, and XOR \
        strides are of bits";
    MultiplyNoPowerOfTwo Multiply: "cannot multiply: {number} is no power of two, and XOR strides are of bits";
    MultiplyNoPowerOfTwoInMode Multiply in mode: "cannot multiply mode {mode}: {number} is no power of two, and XOR \
        strides are of bits";
    TileNoPowerOfTwo Tile: "cannot tile the shape: {number} is no power of two, and XOR strides are of bits";
    LeftInvertNoPowerOfTwo LeftInvert: "cannot take the left inverse: {number} is no power of two, and XOR strides \
        are of bits";
    UpcastNoPowerOfTwo Upcast: "cannot upcast: {number} is no power of two, and XOR strides are of bits";
    DowncastNoPowerOfTwo Downcast: "cannot downcast: {number} is no power of two, and XOR strides are of bits";
    RecastNoPowerOfTwo Recast: "cannot recast: {number} is no power of two, and XOR strides are of bits";
    MakeNoPowerOfTwo Make: "cannot make a tensor: {number} is no power of two, and XOR strides are of bits";
    AddNoPowerOfTwo Add: "cannot add: {number} is no power of two, and XOR strides are of bits";
}

messages! {
    XorOverlap(extent, stride)
    "overlap: the bits of stride {stride} are sums of those of other strides"
    "`l.nullspace()` has the coordinates that share an offset"
    ComplementXorOverlap Complement: "cannot take the complement: the mode {extent}:^{stride} leads to offsets that \
        other modes lead to";
    DivideXorOverlap Divide: "cannot divide: the mode {extent}:^{stride} leads to offsets that other modes lead to";
    DivideXorOverlapInMode Divide in mode: "cannot divide mode {mode}: the mode {extent}:^{stride} leads to offsets \
        that other modes lead to";
    RoundUpXorOverlap RoundUp: "cannot round up: the mode {extent}:^{stride} leads to offsets that other modes lead \
        to";
    RoundUpXorOverlapInMode RoundUp in mode: "cannot round up mode {mode}: the mode {extent}:^{stride} leads to \
        offsets that other modes lead to";
    MultiplyXorOverlap Multiply: "cannot multiply: the mode {extent}:^{stride} leads to offsets that other modes \
        lead to";
    MultiplyXorOverlapInMode Multiply in mode: "cannot multiply mode {mode}: the mode {extent}:^{stride} leads to \
        offsets that other modes lead to";
    TileXorOverlap Tile: "cannot tile the shape: the mode {extent}:^{stride} leads to offsets that other modes lead \
        to";
    PartXorOverlap Part: "cannot hand out disjoint parts: the mode {extent}:^{stride} leads to offsets that other \
        modes lead to";
}

messages! {
    SharedBits(first, second, bit)
    "carry: no swizzle parts {first} and {second}"
    "a swizzle XORs a range of bits into as many others, all at one distance, and leaves natural strides that share \
        no bit; `l.linear()` of a composed layout is the way there"
    WriteSwizzledSharedBits WriteSwizzled: "cannot write as a swizzle: the strides {first} and {second} of two bits \
        of the coordinate share bit {bit}";
}

messages! {
    NegativeOffset(extent, stride)
    "stride: no coordinate is negative"
    "`flip` turns a mode round"
    LeftInvertNegativeOffset LeftInvert: "cannot take the left inverse: the mode {extent}:-{stride} leads to \
        negative offsets, which are no coordinates of another layout";
}

messages! {
    BlockDivides(extent, block)
    "divisibility: {block} does not divide {extent}"
    "take a shape of whole blocks: a multiple of {block} here"
    TileBlockDivides Tile: "cannot tile the shape: extent {extent} is not a multiple of the block's {block}";
}

messages! {
    SizesDiffer(left, right)
    "profile: {left} elements and {right} elements"
    "a sum is taken element by element: `compose` takes the part of a layout that fits, and a mode of stride 0 \
        repeats one"
    AddSizesDiffer Add: "cannot add: sizes {left} and {right} differ";
}

messages! {
    NoRefinement(extent, stride, other_extent, other_stride)
    "divisibility: {extent} does not divide {other_extent}"
    "the extents of both layouts, coalesced, have to divide one another where they meet"
    AddNoRefinement Add: "cannot add: the modes {extent}:{stride} and {other_extent}:{other_stride} have no common \
        refinement";
}

messages! {
    DynamicSum()
    "all extents but the last have to be static"
    "the form of the result would depend on a run-time value: write this number as a literal, or use `DynLayout`"
    AddDynamicSum Add: "cannot add: an extent before the last one is known only at run time, and so is where it \
        meets the other layout's";
}

messages! {
    XorSum(bit)
    "overlap: XOR strides of both layouts have bit {bit}"
    "let the XOR strides of both layouts have bits of their own"
    AddXorSum Add: "cannot add: bit {bit} is one of the offsets of XOR strides of both layouts, so that their sums \
        carry";
}

messages! {
    DynamicXorSum()
    "all numbers beside XOR strides have to be static"
    "write them as literals; `l.to_dynamic()` has the operation for all numbers"
    AddDynamicXorSum Add: "cannot add: a number beside XOR strides is known only at run time, and the bits that both \
        layouts have decide the sum";
}

messages! {
    DynamicDomain()
    "these extents have to be static"
    "the form of the result would depend on a run-time value: write this number as a literal, or use `DynShape` or \
        `DynLayout`"
    CommonDomainDynamicDomain CommonDomain: "cannot take the common domain: an extent is known only at run time, and \
        the factors that it has decide the result";
}

messages! {
    UnitCarry(sum, unit)
    "carry: {sum} is not below {unit}"
    "the modes within a unit have to be contiguous"
    UpcastUnitCarry Upcast: "cannot upcast: offsets below one unit add up to {sum}, which is not under {unit}";
    RecastUnitCarry Recast: "cannot recast: offsets below one unit add up to {sum}, which is not under {unit}";
}

messages! {
    Regroup(extent, stride, unit)
    "divisibility: the mode is no whole number of units of {unit}"
    "pad the mode to whole units, or coalesce first"
    UpcastRegroup Upcast: "cannot upcast: the mode {extent}:{stride} does not regroup into units of {unit}";
    RecastRegroup Recast: "cannot recast: the mode {extent}:{stride} does not regroup into units of {unit}";
}

messages! {
    UnitStride(modes)
    "unit-stride: {modes} modes of stride 1"
    "coalesce first, so that what is contiguous is one mode"
    DowncastUnitStride Downcast: "cannot downcast: exactly one mode of stride 1 is needed, and there are {modes}";
    RecastUnitStride Recast: "cannot recast: exactly one mode of stride 1 is needed, and there are {modes}";
}

messages! {
    DynamicUnit()
    "this number has to be static"
    "write `int!(4)`, or use `DynLayout`"
    UpcastDynamicUnit Upcast: "cannot upcast: the number of elements in a unit is known only at run time";
    DowncastDynamicUnit Downcast: "cannot downcast: the number of elements in a unit is known only at run time";
    RecastDynamicUnit Recast: "cannot recast: the number of elements in a unit is known only at run time";
}

messages! {
    SwizzleUnit(block, unit)
    "divisibility: the swizzle acts within a unit"
    "`Swizzle<B, M, S>` moves blocks of 2^M elements; in units of 2^k it is `Swizzle<B, M - k, S>`"
    UpcastSwizzleUnit Upcast: "cannot upcast: the swizzle moves blocks of {block}, which is not a multiple of the \
        unit's {unit}";
    RecastSwizzleUnit Recast: "cannot recast: the swizzle moves blocks of {block}, which is not a multiple of the \
        unit's {unit}";
}

messages! {
    SwizzleParts(parts)
    "divisibility: the swizzle has no form in such parts"
    "`Swizzle<B, M, S>` in 2^k parts of an element is `Swizzle<B, M + k, S>`"
    DowncastSwizzleParts Downcast: "cannot downcast: the swizzle moves bits, and {parts} parts of an element are no \
        power of two";
    RecastSwizzleParts Recast: "cannot recast: the swizzle moves bits, and {parts} parts of an element are no power \
        of two";
}

messages! {
    OffsetUnit(offset, unit)
    "divisibility: the offset is no whole number of units"
    "upcast(Sw o f o L, n) = upcast(Sw, n) o f/n o upcast(L, n)"
    UpcastOffsetUnit Upcast: "cannot upcast: the offset before the swizzle, {offset}, is not a multiple of the \
        unit's {unit}";
    RecastOffsetUnit Recast: "cannot recast: the offset before the swizzle, {offset}, is not a multiple of the \
        unit's {unit}";
}

messages! {
    ZeroUnit()
    "divisibility: 0 divides nothing"
    "a unit has at least one element"
    UpcastZeroUnit Upcast: "cannot upcast: a unit of 0 elements holds nothing";
    RecastZeroUnit Recast: "cannot recast: a unit of 0 elements holds nothing";
    DowncastZeroUnit Downcast: "cannot downcast: a unit of 0 elements holds nothing";
}

messages! {
    Short(cosize, length)
    "bounds: {length} is less than {cosize}"
    "take storage of at least {cosize} elements, the layout's cosize, or smaller extents and strides"
    MakeShort Make: "cannot make a tensor: the layout reaches {cosize} elements, and the storage holds {length}";
}

messages! {
    ShortOfBlocks(blocks, length)
    "bounds: {length} is less than {blocks}"
    "take storage of {blocks} elements, or `Tensor::new`, which finds out where in the last block the layout ends"
    MakeShortOfBlocks Make: "cannot make a tensor: the swizzled layout lies in blocks of {blocks} elements in all, \
        and the storage holds {length}";
}

messages! {
    DynamicCosize()
    "every number of this layout has to be static"
    "`Tensor::new` takes any layout, and compares the storage with it when it runs"
    MakeDynamicCosize Make: "cannot make a tensor: the cosize of this layout is known only at run time";
}

messages! {
    Shared(extent, stride, below)
    "overlap: stride {stride} is less than {below}"
    "modes have to lie apart: make this stride at least {below}; modes that interleave and share no offset, as in \
        (5,3):(3,5), pass `try_tiles_mut`, which looks at run time"
    PartShared Part: "cannot hand out disjoint parts: the mode {extent}:{stride} overlaps the {below} offsets that \
        the modes below it span";
}

message! {
    NoModesToTake TakeModes[first, last](rank)
    "rank: there are {rank} modes"
    "modes are counted from 0, and a range of them ends before its second number"
    "cannot take modes: modes {first} to {last} are no range in rank {rank}"
}

message! {
    NoModesToGroup GroupModes[first, last](rank)
    "rank: there are {rank} modes"
    "modes are counted from 0, and a range of them ends before its second number"
    "cannot group modes: modes {first} to {last} are no range in rank {rank}"
}

message! {
    NoModeToUngroup UngroupMode[mode](rank)
    "rank: there are {rank} modes"
    "modes are counted from 0, and a range of them ends before its second number"
    "cannot ungroup a mode: there is no mode {mode} in rank {rank}"
}

message! {
    NoModeToFind FindMode[mode](rank)
    "rank: there are {rank} modes"
    "modes are counted from 0, and a range of them ends before its second number"
    "cannot take a mode: there is no mode {mode} in rank {rank}"
}

message! {
    NoModeToReplace ReplaceMode[mode](rank)
    "rank: there are {rank} modes"
    "modes are counted from 0, and a range of them ends before its second number"
    "cannot replace a mode: there is no mode {mode} in rank {rank}"
}
