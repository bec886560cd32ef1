//! The table of reasons. A row has
//!
//! - what the reason is about, its name and its numbers, and whether it can arise `in modes` of the
//!   left operand;
//! - its sentence: that of a fault at run time, whose numbers have the same names, or one of its
//!   own;
//! - a word at the call, which begins with the kind of the fault if it has one; in a mode the
//!   compiler names the mode;
//! - what helps.

use super::*;

reasons! {
    // ---- compositions, and the operations built on them -----------------------------------------

    /// [`Steps`] out of a mode of static stride.
    StepsAt(extent, stride, steps, left_extent, left_stride) in modes {
        Fault::Steps
        "divisibility: {steps} does not divide {extent}"
        "take an extent that is a multiple of {steps}, or pad the left layout with `round_up`"
    }
    /// [`Steps`] out of a mode whose stride is known only at run time.
    StepsIn(extent, stride, steps, left_extent) in modes {
        "the right mode {extent}:{stride} leaves a mode of the left layout, which has extent {left_extent}, after \
         {steps} steps, and {steps} does not divide {extent}"
        "divisibility: {steps} does not divide {extent}"
        "take an extent that is a multiple of {steps}, or pad the left layout with `round_up`"
    }
    /// [`Carry`] in a mode of static stride.
    CarryAt(sum, extent, stride) in modes {
        Fault::Carry
        "carry: not below {extent}"
        "the offsets of the right layout, all modes together, have to stay within each mode of the left layout but \
         the last"
    }
    /// [`Carry`] in a mode whose stride is known only at run time.
    CarryIn(sum, extent) in modes {
        "offsets of the right layout add up to {extent} or more in a mode of the left layout, which has extent {extent}, \
         and carry"
        "carry: not below {extent}"
        "the offsets of the right layout, all modes together, have to stay within each mode of the left layout but \
         the last"
    }
    /// Composition: where a dynamic step lands is not known.
    DynamicStep(extent) in modes {
        "a stride of the right layout is known only at run time, and the left layout has a mode of extent {extent} \
         to cross"
        "a stride of the right layout has to be static"
        "the form of the result would depend on a run-time value: write the number as a literal or a constant in \
         braces, `{{TILE}}`, or use `DynLayout`"
    }
    /// Composition: where a step lands behind a dynamic extent is not known.
    DynamicExtent(stride) in modes {
        "a right stride of {stride} has to cross a mode of the left layout whose extent is known only at run time"
        "all extents of the left layout but the last have to be static"
        "the form of the result would depend on a run-time value: write the number as a literal or a constant in \
         braces, `{{TILE}}`, or use `DynLayout`"
    }
    /// Composition: how many of a dynamic number of steps stay in a mode is not known.
    DynamicRightExtent(stride, extent) in modes {
        "an extent of the right layout at stride {stride} is known only at run time, and the left layout has a mode \
         of extent {extent} to cross"
        "an extent of the right layout has to be static"
        "the form of the result would depend on a run-time value: write the number as a literal or a constant in \
         braces, `{{TILE}}`, or use `DynLayout`"
    }
    /// Composition: the left layout is empty.
    Empty() in modes {
        "a mode of the left layout has extent 0, and no offset lies in it"
        "carry: nothing is below 0"
        "only the last mode of a left operand may be of any extent"
    }
    /// Composition: the right layout is empty.
    EmptyRight() in modes {
        "a mode of the right layout has extent 0, and no coordinate lies in it"
        "an extent of the right layout is 0"
        "`DynLayout` composes with what is empty"
    }

    // ---- the kind of an operand, its rank and the rank of the result ----------------------------

    /// A by-mode tiler or profile has more modes than the layout, or, for a composition, not as
    /// many.
    Rank(tiler, layout) in modes {
        Fault::TilerRank
        "rank: {tiler} entries for {layout} modes"
        "a by-mode tiler or profile has at most one entry for each mode, and for a composition one for each; `_` \
         leaves a mode alone"
    }
    /// A result has more modes on one level than a tuple here has items.
    TooManyModes(modes) in modes {
        "the result has {modes} modes on one level, and 8 is the most"
        "{modes} modes do not fit a tuple of the types"
        "`group` or `coalesce` modes first, ask for a form of fewer modes (`zipped_divide` in place of \
         `flat_divide`), or use `DynLayout`, which has no such limit"
    }
    /// A layout is wanted on the right.
    WantsLayout() {
        "the right operand has to be a layout"
        "this is not a layout"
        "a number `n` as a layout is written `layout!(n:1)`; the product that takes a tiler is `logical_product`"
    }
    /// A number is wanted on the right.
    WantsNumber() {
        "the right operand has to be a number"
        "this is not a number"
        "write `int!(4)` for a number known at compile time, and a `usize` for one known at run time"
    }
    /// A tuple is wanted on the right.
    WantsTuple() {
        "the right operand has to be a tuple of static numbers"
        "this is not a tuple"
        "write `shape!((8, 16))` for a tuple of static numbers"
    }
    /// A shape is wanted on the right.
    WantsShape() {
        "the right operand has to be a shape: a number or a tuple of numbers"
        "this is not a tuple of numbers"
        "a shape is written `shape!((4, 6))`; that of a layout is `l.shape()`"
    }
    /// A tile is wanted on the right.
    WantsTile() in modes {
        "the right operand is a tuple, and has to be a layout, a number or a tiler"
        "this is a tuple"
        "a tiler goes mode by mode and is written `tiler!(2, 3)`, or `<2, 3>` within one; a layout is written \
         `layout!((2, 3))`"
    }
    /// A plain layout is wanted on the right.
    WantsPlain() {
        "the right operand is a composed layout, and has to be a plain one"
        "this layout is behind a swizzle or another function"
        "only the composition with a plain layout takes a composed one on the right; its plain part is `l.inner()`"
    }
    /// A mode is asked for that the layout does not have.
    NoMode(mode, rank) {
        Fault::Mode
        "rank: modes are counted from 0, so mode {mode} is beyond rank {rank}"
        "`append` adds a mode; `flatten` and `ungroup` make modes of the modes within one"
    }
    /// A range of modes is empty, or goes beyond the layout.
    NoModes(first, last, rank) {
        Fault::Modes
        "rank: there are {rank} modes"
        "modes are counted from 0, and a range of them ends before its second number"
    }
    /// The number of a mode is known only at run time.
    DynamicMode() {
        "the number of a mode is known only at run time"
        "these numbers have to be static"
        "write `shape!((1, 0))`, or use `DynLayout`"
    }

    // ---- complements and inverses, where modes lie one above the other --------------------------

    /// Complement and the operations built on it: modes overlap.
    Overlap(extent, stride, below) in modes {
        Fault::Overlap
        "overlap: stride {stride} is less than {below}"
        "modes have to lie apart: make this stride at least {below}"
    }
    /// Complement: a gap is no whole number of what lies below it.
    Gap(stride, below) in modes {
        Fault::Stride
        "divisibility: {below} does not divide {stride}"
        "pad the stride to a multiple of {below}"
    }
    /// [`Span`] of a layout without elements.
    SpanOfNothing(extent, span) in modes {
        Fault::Span
        "divisibility: {span} does not divide {extent}"
        "an extent of 0 leaves no element: take one of at least 1"
    }
    /// [`Span`], with what would help: the next multiple, and the largest number that divides both.
    SpanWithHelp(extent, span, padded, divisor) in modes {
        Fault::Span
        "divisibility: {span} does not divide {extent}"
        "{padded} is the next multiple: `round_up` pads a layout to it, `complement_ceil` a range, and \
         `ragged_tile` cuts over the edge of a tensor; {divisor} is the largest number that divides both"
    }
    /// Complement and left inverse: the order of the strides is not known.
    DynamicOrder() in modes {
        "several modes have strides of which some are known only at run time, and their order decides the result"
        "these strides have to be static"
        "the form of the result would depend on a run-time value: write the number as a literal or a constant in \
         braces, `{{TILE}}`, or use `DynLayout`"
    }
    /// Left inverse: a stride lies within the offsets of the mode below it.
    Within(stride, extent, below) {
        Fault::Within
        "overlap: stride {stride} is less than {extent} steps of {below}"
        "modes have to lie apart: each stride at least what the mode of the next smaller stride spans"
    }
    /// Left inverse: a stride is no multiple of the one below it.
    Strides(stride, below) {
        Fault::Strides
        "divisibility: {below} does not divide {stride}"
        "pad the stride to a multiple of {below}"
    }
    /// tile_to_shape: an extent of the shape is no multiple of the block's.
    BlockDivides(extent, block) {
        Fault::Block
        "divisibility: {block} does not divide {extent}"
        "take a shape of whole blocks: a multiple of {block} here"
    }
    /// tile_to_shape: two modes have the same number in the order.
    NoPermutation(rank) {
        Fault::NoPermutation
        "profile: two modes have the same number"
        "the mode with the least number is the fastest: `shape!((1, 0))` is row-major for two modes"
    }

    // ---- casts: elements put together to units, or taken apart ----------------------------------

    /// Upcast: the offsets below one unit add up to a whole unit.
    UnitCarry(sum, unit) {
        Fault::UnitCarry
        "carry: {sum} is not below {unit}"
        "the modes within a unit have to be contiguous"
    }
    /// Upcast: a mode does not regroup into whole units.
    Regroup(extent, stride, unit) {
        Fault::Regroup
        "divisibility: the mode is no whole number of units of {unit}"
        "pad the mode to whole units, or coalesce first"
    }
    /// Downcast: not exactly one mode of stride 1.
    UnitStride(modes) {
        Fault::UnitStride
        "unit-stride: {modes} modes of stride 1"
        "coalesce first, so that what is contiguous is one mode"
    }
    /// Recast: a unit known only at run time.
    DynamicUnit() {
        "the number of elements in a unit is known only at run time"
        "this number has to be static"
        "write `int!(4)`, or use `DynLayout`"
    }
    /// The unit divides what a swizzle moves as a whole.
    SwizzleUnit(block, unit) {
        Fault::SwizzleUnit
        "divisibility: the swizzle acts within a unit"
        "`Swizzle<B, M, S>` moves blocks of 2^M elements; in units of 2^k it is `Swizzle<B, M - k, S>`"
    }
    /// An element falls into a power of two of parts under a swizzle.
    SwizzleParts(parts) {
        Fault::SwizzleParts
        "divisibility: the swizzle has no form in such parts"
        "`Swizzle<B, M, S>` in 2^k parts of an element is `Swizzle<B, M + k, S>`"
    }
    /// The unit divides the offset of a composed layout.
    OffsetUnit(offset, unit) {
        Fault::OffsetUnit
        "divisibility: the offset is no whole number of units"
        "upcast(Sw o f o L, n) = upcast(Sw, n) o f/n o upcast(L, n)"
    }
    /// A unit of no elements.
    ZeroUnit() {
        Fault::ZeroUnit
        "divisibility: 0 divides nothing"
        "a unit has at least one element"
    }
}
