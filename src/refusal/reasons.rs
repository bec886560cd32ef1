//! The table of reasons: what each is about, its numbers, its sentence, and the operations that can meet it.
//!
//! Each reason is a type here. The messages of the compiler are put together of the verb of an operation and the
//! sentence of a reason, and stand in the file `messages`: the compiler takes no text in parts, so a test writes that
//! file from these tables. After a change here or in `error/fault.rs`:
//!
//! ```text
//! WORDING=overwrite cargo test -p layout-algebra-ui-tests --test wording
//! ```

// What cannot be done, in words, by the families of operations: all divides divide. The table in `operations.rs` says
// which family each operation belongs to.
verbs! {
    Add "add";
    CommonDomain "take the common domain";
    LayOut "lay out alike";
    Flatten "flatten";
    Filter "filter";
    Invert "invert";
    Common "take the common layout";
    Select "select modes";
    Ungroup "ungroup";
    Replace "replace a mode";
    Append "append";
    Prepend "prepend";
    Reverse "reverse";
    Compose "compose";
    Divide "divide";
    Multiply "multiply";
    Tile "tile the shape";
    Complement "take the complement";
    LeftInvert "take the left inverse";
    RoundUp "round up";
    Coalesce "coalesce";
    FilterBy "filter";
    Upcast "upcast";
    Downcast "downcast";
    Recast "recast";
    Make "make a tensor";
    Part "hand out disjoint parts";
    WriteSwizzled "write as a swizzle";
}

// A reason with its numbers; its sentence, or the fault that has the same one at run time; the verbs that can meet it
// (`in mode`: also in a mode of the left operand; `in modes`: also in a mode of a mode); a word at the place of the
// mistake, which begins with the kind of the fault if it has one; and what helps.
reasons! {
    // ---- compositions, and the operations built on them ------------------------------------------------------------

    /// [`Steps`] out of a mode of static stride.
    StepsAt(extent, stride, steps, left_extent, left_stride) {
        Fault::Steps: Compose in modes, Divide in modes, Multiply in mode, Tile;
    }
    label "divisibility: {steps} does not divide {extent}";
    note "take an extent that is a multiple of {steps}, or pad the left layout with `round_up`";
    /// [`Steps`] out of a mode whose stride is known only at run time.
    StepsIn(extent, stride, steps, left_extent) {
        "the right mode {extent}:{stride} leaves a mode of the left layout, which has extent {left_extent}, after \
         {steps} steps, and {steps} does not divide {extent}": Compose in mode, Divide in mode;
    }
    label "divisibility: {steps} does not divide {extent}";
    note of StepsAt;
    /// [`Overshoot`] in a mode of static stride.
    OvershootAt(step, extent, stride) {
        Fault::Overshoot: Compose in modes, Divide in mode, Multiply in mode, Tile;
    }
    label "carry: {step} does not divide {extent}";
    note "take a stride whose steps divide the extent of the left mode or are multiples of it, or so few steps that \
          they stay within the mode";
    /// [`Overshoot`] in a mode whose stride is known only at run time.
    OvershootIn(step, extent) {
        "the right layout takes steps of {step} in a mode of the left layout, which has extent {extent}, and {step} \
         does not divide {extent}": Compose in mode, Divide in mode;
    }
    label "carry: {step} does not divide {extent}";
    note of OvershootAt;
    /// [`Carry`] in a mode of static stride.
    CarryAt(sum, extent, stride) {
        Fault::Carry: Compose in modes, Divide in mode, Multiply in mode, Tile;
    }
    label "carry: {sum} is not below {extent}";
    note "the offsets of the right layout, all modes together, have to stay within each mode of the left layout but \
          the last";
    /// [`Carry`] in a mode whose stride is known only at run time.
    CarryIn(sum, extent) {
        "offsets of the right layout add up to {sum} in a mode of the left layout, which has extent {extent}":
            Compose in mode, Divide in mode;
    }
    label "carry: {sum} is not below {extent}";
    note of CarryAt;
    /// Composition: where a dynamic step lands is not known.
    DynamicStep(extent) {
        "a stride of the right layout is known only at run time, and the left layout has a mode of extent {extent} \
         to cross": Compose in mode, Divide in mode, Multiply in mode, Tile;
    }
    label "a stride of the right layout has to be static";
    note "the form of the result would depend on a run-time value: write this number as a literal, or use \
          `DynLayout`";
    /// Composition: where a step lands behind a dynamic extent is not known.
    DynamicExtent(stride) {
        "a right stride of {stride} has to cross a mode of the left layout whose extent is known only at run time":
            Compose in mode, Divide in mode, Multiply in mode, Tile;
    }
    label "all extents of the left layout but the last have to be static";
    note of DynamicStep;
    /// Composition: how many of a dynamic number of steps stay in a mode is not known.
    DynamicRightExtent(stride, extent) {
        "an extent of the right layout at stride {stride} is known only at run time, and the left layout has a mode \
         of extent {extent} to cross": Compose in mode, Divide in mode, Multiply in mode, Tile;
    }
    label "an extent of the right layout has to be static";
    note of DynamicStep;
    /// Composition: steps carry in an XOR mode of the left layout, or share a bit there.
    XorCarry(step) {
        "steps of {step} of the right layout carry in an XOR mode of the left layout, by themselves or with those of \
         another mode": Compose in mode, Divide in mode, Multiply in mode, Tile, Common;
    }
    label "carry: bits of XOR strides do not add up";
    note "XOR strides are linear in the bits of a coordinate: let all modes of the right layout together use each bit \
          once, with steps that are powers of two; `l.to_dynamic()` names the bit";
    /// Composition: whether a dynamic step carries in an XOR mode is not known.
    DynamicXorStep() {
        "a stride of the right layout is known only at run time, and so is whether it carries in an XOR mode of the \
         left layout": Compose in mode;
    }
    label "a stride of the right layout has to be static";
    note "write this number as a literal, or compose at run time: `l.to_dynamic()`";
    /// Common layout: no rule composes the left layout with the XOR strides of the right inverse.
    NoRuleForInverse() {
        "no rule composes the left layout with the inverse of the right one, whose XOR strides reach it": Common;
    }
    label "run time looks for a composition here";
    note "exchange the two layouts: what is in step with one is in step with the other; `l.to_dynamic()` has the common \
          layout of any two";
    /// Composition: a mode of the right layout goes backwards.
    NegativeCoordinate(extent, stride) {
        Fault::NegativeOffset: Compose in mode, Divide in mode, Multiply in mode;
    }
    label "stride: no coordinate is negative";
    note "`flip` turns a mode round";
    /// Composition: a number beside XOR strides of the right layout is known only at run time.
    DynamicRightXor() {
        "a number of the right layout is known only at run time, and the bits of its XOR strides decide the result":
            Compose in mode, Divide in mode, Multiply in mode;
    }
    label "all numbers beside XOR strides have to be static";
    note "write them as literals; `l.to_dynamic()` has the operation for all numbers";
    /// Composition: XOR strides of the right layout reach a mode of the left one that only run time knows.
    DynamicLeftXor() {
        "XOR strides of the right layout reach a mode of the left layout of which a number is known only at run time":
            Compose in mode, Divide in mode, Multiply in mode;
    }
    label "all numbers that XOR strides reach have to be static";
    note of DynamicRightXor;
    /// Composition: XOR strides of the right layout reach a mode whose offsets carry.
    XorIntoMode(extent, stride) {
        Fault::XorInto: Compose in mode, Divide in mode, Multiply in mode;
    }
    label "carry: sums of steps of {stride} are no XOR";
    note "let XOR strides reach modes that do not carry: whose strides, for all bits of a coordinate, share no bit";
    /// Composition: they reach the last mode, whose offsets carry.
    XorIntoLast(stride) {
        "XOR strides of the right layout reach the last mode of the left one, of stride {stride}, whose offsets carry":
            Compose in mode, Divide in mode, Multiply in mode;
    }
    label "carry: sums of steps of {stride} are no XOR";
    note of XorIntoMode;
    /// Composition: they reach a mode of coordinates.
    XorIntoAxes() {
        "XOR strides of the right layout reach a mode of the left one whose offsets are coordinates":
            Compose in mode, Divide in mode;
    }
    label "coordinates have no XOR";
    note "compose with natural strides";
    /// Composition: they cross the end of a mode.
    XorAcross(place) {
        Fault::XorAcross: Compose in mode, Divide in mode, Multiply in mode;
    }
    label "divisibility: {place} is no power of two";
    note "let XOR strides stay within modes whose extents, with those before, are powers of two";
    /// Composition: bits of natural modes that they reach are bits of XOR modes.
    XorMeetsNatural(bit) {
        Fault::PartsMeet: Compose in mode;
    }
    label "overlap: natural and XOR strides share bit {bit}";
    note "beyond its size the left layout goes on with its last mode: let the right one stay within it";
    /// Natural and XOR strides of a result share a bit.
    ModesMeet(bit) {
        Fault::PartsMeet: Compose, Divide, Multiply, Add;
    }
    label "overlap: natural and XOR strides share bit {bit}";
    note "natural and XOR strides of one layout have bits of their own";
    /// Composition, sum: a step goes along natural and XOR strides at once, and no stride says as much.
    StepInTwoParts(steps, natural, without) {
        Fault::TwoParts: Compose, Multiply, Add;
    }
    label "carry: sums of steps of {natural} are no XOR";
    note "let the natural part of a step take each bit once, and no bit of XOR strides; `l.to_dynamic()` looks for other \
          strides too";
    /// The same, where a number is known only at run time.
    DynamicTwoParts() {
        "a step of the result goes along natural and XOR strides at once, and a number beside it is known only at run \
         time": Compose, Add;
    }
    label "all numbers beside such a step have to be static";
    note of DynamicRightXor;
    /// Composition: an XOR mode of the right layout changes its way where its coordinates do not divide.
    Uneven(steps, extent) {
        Fault::Uneven: Compose in mode, Multiply in mode;
    }
    label "divisibility: {steps} does not divide {extent}";
    note "take an extent that is a power of two";
    /// XOR strides and negative ones come together.
    XorBesideNegative() {
        "the result would have XOR strides and negative ones, which have no meaning together":
            Compose, Divide, Multiply, Append, Prepend, Replace, Add;
    }
    label "stride: offsets with a sign have no XOR";
    note "let XOR strides stand beside none that are negative, or that lead to negative ones";
    /// Composition: the left layout is empty.
    Empty() {
        "a mode of the left layout has extent 0, and no offset lies in it": Compose in mode, Divide in mode;
    }
    label "carry: nothing is below 0";
    note "only the last mode of a left operand may be of any extent";
    /// Composition: the right layout is empty.
    EmptyRight() {
        "a mode of the right layout has extent 0, and no coordinate lies in it":
            Compose in mode, Divide in mode, Multiply in mode;
    }
    label "an extent of the right layout is 0";
    note "`DynLayout` composes with what is empty";

    // ---- the kind of an operand, its rank and the rank of the result -----------------------------------------------

    /// A by-mode tiler or profile has more modes than the layout, or, for a composition, not as many.
    Rank(entries, modes) {
        Fault::TilerRank(entries, modes): Compose in modes, Divide in modes, Multiply in mode, RoundUp in modes;
        Fault::ProfileRank(entries, modes): Coalesce in mode, FilterBy in mode;
    }
    label "rank: {entries} entries for {modes} modes";
    note "a by-mode tiler or profile has at most one entry for each mode, and for a composition one for each; `_` \
          leaves a mode alone";
    /// A result has more modes on one level than a tuple here has items.
    TooManyModes(modes) {
        "the result has {modes} modes on one level, and 8 is the most":
            Flatten, Filter, FilterBy in mode, Coalesce in mode, Ungroup, Append, Prepend, Compose in mode,
            Divide in mode, Multiply in mode, Complement, Invert, LeftInvert, Add, CommonDomain;
        "an inverse on the way to it has {modes} modes on one level, and 8 is the most": Common;
    }
    label "{modes} modes do not fit a tuple of the types";
    note "`group` or `coalesce` modes first, ask for a form of fewer modes (`zipped_divide` in place of \
          `flat_divide`), or use `DynLayout`, which has no such limit";
    /// A layout is wanted on the right.
    WantsLayout() {
        "the mode has to be a layout": Replace, Append, Prepend;
        "the right operand has to be a layout": Add, Common;
        "the right operand of this product has to be a layout or a number": Multiply;
    }
    label "this is not a layout";
    note "a number `n` as a layout is written `layout!(n:1)`; the product that takes a tiler is `logical_product`";
    /// A number is wanted on the right.
    WantsNumber() {
        "the range has to be a number": Complement;
        "the number of elements in a unit has to be a number": Upcast, Downcast;
    }
    label "this is not a number";
    note "write `int!(4)` for a number known at compile time, and a `usize` for one known at run time";
    /// A tuple is wanted on the right.
    WantsTuple() {
        "the modes have to be a tuple of static numbers": Select;
        "the sizes have to be a pair of static numbers": Recast;
    }
    label "this is not a tuple";
    note "write `shape!((8, 16))` for a tuple of static numbers";
    /// A shape is wanted on the right.
    WantsShape() {
        "the right operand has to be a shape": Tile, Compose as "take the shape";
        "the right operand has to be a shape or a layout": CommonDomain;
        "the profile has to be a number or a tuple of numbers": Coalesce, FilterBy;
    }
    label "this is not a tuple of numbers";
    note "a shape is written `shape!((4, 6))`; that of a layout is `l.shape()`";
    /// A tile is wanted on the right.
    WantsTile() {
        "the right operand is a tuple, and has to be a layout, a number or a tiler":
            Compose in mode, Divide in mode, Multiply in mode, RoundUp in mode;
    }
    label "this is a tuple";
    note "a tiler goes mode by mode and is written `tiler!(2, 3)`, or `<2, 3>` within one; a layout is written \
          `layout!((2, 3))`";
    /// A plain layout is wanted on the right.
    WantsPlain() {
        "the right operand is a composed layout, and has to be a plain one":
            Divide, Multiply, RoundUp, Add, Common;
        "the mode is a composed layout, and has to be a plain one": Replace, Append, Prepend;
    }
    label "this layout is behind a swizzle or another function";
    note "only the composition with a plain layout takes a composed one on the right; its plain part is `l.inner()`";
    /// A mode is asked for that the layout does not have.
    NoMode(mode, rank) {
        Fault::Mode: Select;
    }
    label "rank: modes are counted from 0, so mode {mode} is beyond rank {rank}";
    note "`append` adds a mode; `flatten` and `ungroup` make modes of the modes within one";
    /// The number of a mode is known only at run time.
    DynamicMode() {
        "the number of a mode is known only at run time": Select;
    }
    label "these numbers have to be static";
    note "write `shape!((1, 0))`, or use `DynLayout`";

    // ---- complements and inverses, where modes lie one above the other ---------------------------------------------

    /// Complement and the operations built on it: modes overlap.
    Overlap(extent, stride, below) {
        Fault::Overlap: Complement, Divide in modes, Multiply in mode, Tile, RoundUp in mode;
    }
    label "overlap: stride {stride} is less than {below}";
    note "modes have to lie apart: make this stride at least {below}";
    /// Complement: a gap is no whole number of what lies below it.
    Gap(stride, below) {
        Fault::Stride: Complement, Divide in modes, RoundUp in mode;
    }
    label "divisibility: {below} does not divide {stride}";
    note "pad the stride to a multiple of {below}";
    /// [`Span`] of a layout without elements.
    SpanOfNothing(extent, span) {
        Fault::Span: Complement;
        Fault::Span of a tile: Divide in mode;
    }
    label "divisibility: {span} does not divide {extent}";
    note "an extent of 0 leaves no element: take one of at least 1";
    /// [`Span`], with what would help: the next multiple, and the largest number that divides both.
    SpanWithHelp(extent, span, padded, divisor) {
        Fault::Span: Complement;
        Fault::Span of a tile: Divide in modes;
    }
    label "divisibility: {span} does not divide {extent}";
    note "{padded} is the next multiple: `round_up` pads a layout to it, `complement_ceil` a range, and \
          `ragged_tile` cuts over the edge of a tensor; {divisor} is the largest number that divides both";
    /// Complement and left inverse: the order of the strides is not known.
    DynamicOrder() {
        "several modes have strides of which some are known only at run time, and their order decides the result":
            LayOut, Complement, Divide in mode, Multiply in mode, Tile, RoundUp in mode, LeftInvert;
    }
    label "these strides have to be static";
    note of DynamicStep;
    /// Left inverse: a stride lies within the offsets of the mode below it.
    Within(stride, extent, below) {
        Fault::Within: LeftInvert;
    }
    label "overlap: stride {stride} is less than {extent} steps of {below}";
    note "modes have to lie apart: each stride at least what the mode of the next smaller stride spans";
    /// Left inverse: a stride is no multiple of the one below it.
    Strides(stride, below) {
        Fault::Strides: LeftInvert;
    }
    label "divisibility: {below} does not divide {stride}";
    note of Gap;
    /// Complement and inverses of XOR strides: a number is known only at run time.
    DynamicXor() {
        "a number of this layout of XOR strides is known only at run time, and its bits decide the result":
            Complement, Divide in mode, RoundUp in mode, Multiply in mode, Tile, Invert, LeftInvert, Common,
            WriteSwizzled;
    }
    label "all numbers beside XOR strides have to be static";
    note "write them as literals; `l.to_dynamic()` has the operation for all numbers";
    /// Complement and inverses of XOR strides: a natural mode lies among their bits, and carries.
    AmongXor(extent, stride) {
        Fault::AmongXor: Complement, Divide in mode, RoundUp in mode, Multiply in mode, Tile, LeftInvert;
    }
    label "divisibility: this mode is not linear in its bits";
    note "let natural strides be multiples of all that XOR strides reach";
    /// Complement of XOR strides: what is free has bits of natural strides among them.
    FreeAmongNatural() {
        "what is left free by XOR strides has bits of natural strides beside them, so that sum and XOR differ":
            Complement, Divide in mode;
    }
    label "overlap: natural and XOR strides share a bit";
    note "`l.linear()` makes XOR strides of all";
    /// Complement, left inverse and sum of XOR strides: an extent or a step is no power of two.
    NoPowerOfTwo(number) {
        Fault::NoPowerOfTwo:
            Complement, Divide in mode, RoundUp in mode, Multiply in mode, Tile, LeftInvert, Upcast, Downcast, Recast, Make,
            Add;
    }
    label "divisibility: {number} is no power of two";
    note "bits of coordinates are free of one another in extents that are powers of two";
    /// Complement: XOR strides lead to an offset twice.
    XorOverlap(extent, stride) {
        Fault::XorOverlap: Complement, Divide in mode, RoundUp in mode, Multiply in mode, Tile, Part;
    }
    label "overlap: the bits of stride {stride} are sums of those of other strides";
    note "`l.nullspace()` has the coordinates that share an offset";
    /// As a swizzle of natural strides: two bits of the coordinate share a bit, whatever the swizzle.
    SharedBits(first, second, bit) {
        Fault::SharedBit: WriteSwizzled;
    }
    label "carry: no swizzle parts {first} and {second}";
    note "a swizzle XORs a range of bits into as many others, all at one distance, and leaves natural strides that share \
          no bit; `l.linear()` of a composed layout is the way there";
    /// Left inverse: a mode leads to negative offsets.
    NegativeOffset(extent, stride) {
        Fault::NegativeOffset: LeftInvert;
    }
    label "stride: no coordinate is negative";
    note "`flip` turns a mode round";
    /// tile_to_shape: an extent of the shape is no multiple of the block's.
    BlockDivides(extent, block) {
        Fault::Block: Tile;
    }
    label "divisibility: {block} does not divide {extent}";
    note "take a shape of whole blocks: a multiple of {block} here";

    // ---- sums of layouts, and what shapes have in common -----------------------------------------------------------

    /// Sum: the sizes differ.
    SizesDiffer(left, right) {
        Fault::Sizes: Add;
    }
    label "profile: {left} elements and {right} elements";
    note "a sum is taken element by element: `compose` takes the part of a layout that fits, and a mode of stride 0 \
          repeats one";
    /// Sum: of two modes that meet, no extent divides the other.
    NoRefinement(extent, stride, other_extent, other_stride) {
        Fault::NoRefinement: Add;
    }
    label "divisibility: {extent} does not divide {other_extent}";
    note "the extents of both layouts, coalesced, have to divide one another where they meet";
    /// Sum: a dynamic extent that is not the last one.
    DynamicSum() {
        "an extent before the last one is known only at run time, and so is where it meets the other layout's": Add;
    }
    label "all extents but the last have to be static";
    note of DynamicStep;
    /// Sum: both layouts have a bit among the offsets of their XOR strides.
    XorSum(bit) {
        Fault::XorSum: Add;
    }
    label "overlap: XOR strides of both layouts have bit {bit}";
    note "let the XOR strides of both layouts have bits of their own";
    /// Sum: a number beside XOR strides is known only at run time.
    DynamicXorSum() {
        "a number beside XOR strides is known only at run time, and the bits that both layouts have decide the sum": Add;
    }
    label "all numbers beside XOR strides have to be static";
    note of DynamicRightXor;
    /// Common domain: the walk over the extents meets a dynamic one.
    DynamicDomain() {
        "an extent is known only at run time, and the factors that it has decide the result": CommonDomain;
    }
    label "these extents have to be static";
    note "the form of the result would depend on a run-time value: write this number as a literal, or use `DynShape` \
          or `DynLayout`";

    // ---- casts: elements put together to units, or taken apart -----------------------------------------------------

    /// Upcast: the offsets below one unit add up to a whole unit.
    UnitCarry(sum, unit) {
        Fault::UnitCarry: Upcast, Recast;
    }
    label "carry: {sum} is not below {unit}";
    note "the modes within a unit have to be contiguous";
    /// Upcast: a mode does not regroup into whole units.
    Regroup(extent, stride, unit) {
        Fault::Regroup: Upcast, Recast;
    }
    label "divisibility: the mode is no whole number of units of {unit}";
    note "pad the mode to whole units, or coalesce first";
    /// Downcast: not exactly one mode of stride 1.
    UnitStride(modes) {
        Fault::UnitStride: Downcast, Recast;
    }
    label "unit-stride: {modes} modes of stride 1";
    note "coalesce first, so that what is contiguous is one mode";
    /// Recast: a unit known only at run time.
    DynamicUnit() {
        "the number of elements in a unit is known only at run time": Upcast, Downcast, Recast;
    }
    label "this number has to be static";
    note "write `int!(4)`, or use `DynLayout`";
    /// The unit divides what a swizzle moves as a whole.
    SwizzleUnit(block, unit) {
        Fault::SwizzleUnit: Upcast, Recast;
    }
    label "divisibility: the swizzle acts within a unit";
    note "`Swizzle<B, M, S>` moves blocks of 2^M elements; in units of 2^k it is `Swizzle<B, M - k, S>`";
    /// An element falls into a power of two of parts under a swizzle.
    SwizzleParts(parts) {
        Fault::SwizzleParts: Downcast, Recast;
    }
    label "divisibility: the swizzle has no form in such parts";
    note "`Swizzle<B, M, S>` in 2^k parts of an element is `Swizzle<B, M + k, S>`";
    /// The unit divides the offset of a composed layout.
    OffsetUnit(offset, unit) {
        Fault::OffsetUnit: Upcast, Recast;
    }
    label "divisibility: the offset is no whole number of units";
    note "upcast(Sw o f o L, n) = upcast(Sw, n) o f/n o upcast(L, n)";
    /// A unit of no elements.
    ZeroUnit() {
        Fault::ZeroUnit: Upcast, Recast, Downcast;
    }
    label "divisibility: 0 divides nothing";
    note "a unit has at least one element";

    // ---- tensors: storage, and who may write to it -----------------------------------------------------------------

    /// The storage of a tensor is shorter than the layout reaches.
    Short(cosize, length) {
        Fault::Storage: Make;
    }
    label "bounds: {length} is less than {cosize}";
    note "take storage of at least {cosize} elements, the layout's cosize, or smaller extents and strides";
    /// The storage of a tensor is shorter than the blocks of the swizzle in which its layout lies.
    ShortOfBlocks(blocks, length) {
        "the swizzled layout lies in blocks of {blocks} elements in all, and the storage holds {length}": Make;
    }
    label "bounds: {length} is less than {blocks}";
    note "take storage of {blocks} elements, or `Tensor::new`, which finds out where in the last block the layout \
          ends";
    /// How far a layout reaches is known only at run time.
    DynamicCosize() {
        "the cosize of this layout is known only at run time": Make;
    }
    label "every number of this layout has to be static";
    note "`Tensor::new` takes any layout, and compares the storage with it when it runs";
    /// Mutable parts: modes overlap, or interleave.
    Shared(extent, stride, below) {
        Fault::Overlap: Part;
    }
    label "overlap: stride {stride} is less than {below}";
    note "modes have to lie apart: make this stride at least {below}; modes that interleave and share no offset, as \
          in (5,3):(3,5), pass `try_tiles_mut`, which looks at run time";
}

// Modes that are asked for by constants, and are not there: the trait that is asked for, by the rank as it is shown,
// and the one with the message.
absent_modes! {
    label "rank: there are {rank} modes";
    note "modes are counted from 0, and a range of them ends before its second number";

    NoModesToTake TakeModes[first, last] "take modes": Fault::Modes;
    NoModesToGroup GroupModes[first, last] "group modes": Fault::Modes;
    NoModeToUngroup UngroupMode[mode] "ungroup a mode": Fault::Mode;
    NoModeToFind FindMode[mode] "take a mode": Fault::Mode;
    NoModeToReplace ReplaceMode[mode] "replace a mode": Fault::Mode;
}
