//! The rules that an operation can break, one row each: what it is about, its numbers, its family,
//! and its sentence.
//!
//! The sentence is the one of [`LayoutError`](super::LayoutError) at run time, and of the compiler
//! where the types have the same reason (`reasons/table.rs`).

use super::Text;

faults! { $
    /// Composition: the right mode `extent:stride` leaves the left mode `left_extent:left_stride`
    /// after `steps` steps, which do not divide `extent`.
    Steps {
        /// Extent of the right mode.
        extent: usize,
        /// Stride of the right mode.
        stride: usize,
        /// Steps that stay linear in the left layout.
        steps: usize,
        /// Extent of the left mode, which is one of the coalesced layout.
        left_extent: usize,
        /// Stride of that mode.
        left_stride: usize,
    } => Divisibility
        "the right mode {extent}:{stride} leaves the mode {left_extent}:{left_stride} of the left layout after {steps} \
         steps, and {steps} does not divide {extent}";
    /// Composition: offsets of the right layout add up across a left mode.
    Carry {
        /// What the digits of the right modes add up to in the left mode, with the first one that
        /// makes it too much.
        sum: usize,
        /// The left mode, counted after coalescing.
        mode: usize,
        /// Extent of that mode.
        extent: usize,
        /// Stride of that mode.
        stride: usize,
    } => Carry
        "offsets of the right layout add up to {extent} or more in the mode {extent}:{stride} of the left layout, and \
         carry";
    /// Complement and product: a mode begins within what the modes of smaller stride span.
    Overlap {
        /// Extent of the mode.
        extent: usize,
        /// Stride of the mode.
        stride: usize,
        /// Offsets spanned below it.
        below: usize,
    } => Overlap "the mode {extent}:{stride} overlaps the {below} offsets that the modes below it span";
    /// Complement: a stride is no multiple of what the modes below it span.
    Stride {
        /// The stride.
        stride: usize,
        /// Offsets spanned below it.
        below: usize,
    } => Divisibility "stride {stride} is not a multiple of {below}, what the modes below it span";
    /// Complement: the extent to fill is no multiple of what the layout spans.
    Span {
        /// The extent to fill.
        extent: usize,
        /// What the layout spans.
        span: usize,
    } => Divisibility "extent {extent} is not a multiple of the span {span}";
    /// Sum: the sizes differ.
    Sizes {
        /// Size of the left layout.
        left: usize,
        /// Size of the right layout.
        right: usize,
    } => Profile "sizes {left} and {right} differ";
    /// Sum: two modes overlap, and no extent divides the other.
    NoRefinement {
        /// The lesser extent.
        extent: usize,
        /// Stride of its mode.
        stride: usize,
        /// The greater extent.
        other_extent: usize,
        /// Stride of its mode.
        other_stride: usize,
    } => Divisibility "the modes {extent}:{stride} and {other_extent}:{other_stride} have no common refinement";
    /// Left inverse: a stride lies within the offsets of the mode below it.
    Within {
        /// The stride.
        stride: usize,
        /// Extent of the mode below.
        extent: usize,
        /// Stride of the mode below.
        below: usize,
    } => Overlap "stride {stride} lies within the offsets of the mode {extent}:{below}";
    /// Left inverse: a stride is no multiple of the stride below it.
    Strides {
        /// The stride.
        stride: usize,
        /// The next smaller stride.
        below: usize,
    } => Divisibility "stride {stride} is not a multiple of stride {below} below it";
    /// Right inverse: a mode is part of it, and the types do not know that.
    DynamicLink {
        /// Extent of the mode.
        extent: usize,
        /// Stride of the mode.
        stride: usize,
    } => Profile
        "the mode {extent}:{stride} is part of the inverse, and only run time knows that it is: static extents and strides \
         would say so, or `DynLayout`";
    /// Upcast: the offsets below one unit add up to a whole unit.
    UnitCarry {
        /// What they add up to.
        sum: usize,
        /// Elements in a unit.
        unit: usize,
    } => Carry "offsets below one unit add up to {sum}, which is not under {unit}";
    /// Upcast: a mode does not regroup into whole units.
    Regroup {
        /// Extent of the mode.
        extent: usize,
        /// Stride of the mode.
        stride: usize,
        /// Elements in a unit.
        unit: usize,
    } => Divisibility "the mode {extent}:{stride} does not regroup into units of {unit}";
    /// Downcast: not exactly one mode of stride 1.
    UnitStride {
        /// How many modes of stride 1 there are, those of extent 1 left out.
        modes: usize,
    } => UnitStride "exactly one mode of stride 1 is needed, and there are {modes}";
    /// Recast: a unit of no elements, or an element of no size.
    ZeroUnit => Divisibility "a unit of 0 elements holds nothing";
    /// tile_to_shape: an extent of the shape is no multiple of the block's.
    Block {
        /// Extent wanted.
        extent: usize,
        /// Extent of the block.
        block: usize,
    } => Divisibility "extent {extent} is not a multiple of the block's {block}";
    /// A number that the types take for one that moves, an extent above 1 or a stride above 0, does
    /// not at run time, and the form of the result cannot say so.
    Still {
        /// Extent of the mode.
        extent: usize,
        /// Stride of the mode.
        stride: usize,
    } => Profile
        "the mode {extent}:{stride} does not move, and the form of the result is that of one which does: a static \
         extent of 1 or stride of 0 would say so, or `DynLayout`";
    /// An extent that only run time knows is 0, and the form of the result is that of a layout with
    /// elements.
    NoElements => Profile
        "the layout has no elements, and the form of the result is that of one which does: a static extent of 0 would \
         say so, or `DynLayout`";
    /// A number is no multiple of the one that it was said to be a multiple of.
    Multiple {
        /// The number.
        number: usize,
        /// What should divide it.
        divisor: usize,
    } => Divisibility "{number} is not a multiple of {divisor}";
    /// A by-mode tiler does not fit the rank of the layout.
    TilerRank {
        /// Rank of the tiler.
        tiler: usize,
        /// Rank of the layout.
        layout: usize,
    } => Rank "a tiler or profile of rank {tiler} does not fit a layout of rank {layout}";
    /// A by-mode profile has more modes than the layout.
    ProfileRank {
        /// Rank of the profile.
        profile: usize,
        /// Rank of the layout.
        layout: usize,
    } => Rank "a tiler or profile of rank {profile} does not fit a layout of rank {layout}";
    /// A mode is asked for that the layout does not have.
    Mode {
        /// The mode asked for, counted from 0.
        mode: usize,
        /// Rank of the layout.
        rank: usize,
    } => Rank "there is no mode {mode} in rank {rank}";
    /// A range of modes is empty, or reaches beyond the layout.
    Modes {
        /// First mode of the range.
        first: usize,
        /// One past the last mode of the range.
        last: usize,
        /// Rank of the layout.
        rank: usize,
    } => Rank "modes {first} to {last} are no range in rank {rank}";
    /// The operation is there for one rank alone.
    Rank {
        /// Rank that the operation needs.
        needed: usize,
        /// Rank that it got.
        rank: usize,
    } => Rank "rank {needed} is needed, and this is rank {rank}";
    /// A tuple without elements.
    EmptyTuple => Profile "a tuple has at least one element";
    /// Tuples are nested deeper than is accepted.
    Depth {
        /// The deepest nesting accepted.
        limit: usize,
    } => Profile "tuples are nested more than {limit} deep";
    /// Two nested tuples had to be congruent: a shape and its stride, say.
    Incongruent => Profile "their profiles differ, and they must be congruent";
    /// A coordinate, an order or a profile does not weakly match the shape that it is for.
    NotWeaklyCongruent => Profile "the profile of the one does not weakly match the other's";
    /// A leaf is not the number that its type says.
    Leaf {
        /// Position of the leaf, counted from 0 from left to right.
        leaf: usize,
        /// The number that the type says.
        expected: usize,
        /// The number found.
        found: usize,
    } => Profile "leaf {leaf} is {found}, and the type says {expected}";
    /// From a layout known at run time: a stride is of another kind than the type says.
    LeafKind {
        /// Position of the leaf, counted from 0 from left to right, those of the shape first.
        leaf: usize,
    } => Profile "the stride at leaf {leaf} is of another kind than the type says: natural, negative or XOR";
    /// Picture: more cells than are drawn.
    Cells {
        /// How many there would be.
        cells: usize,
        /// The most that are drawn.
        most: usize,
    } => Bounds "there are {cells} cells, and pictures have at most {most}";
    /// Picture: there is no thread of that number.
    Thread {
        /// The thread asked for.
        thread: usize,
        /// How many there are.
        threads: usize,
    } => Bounds "there is no thread {thread} among {threads}";
    /// Picture: a thread-value layout reaches beyond its tile or the memory, or an entry of a tiler
    /// beyond its mode.
    Tile {
        /// Elements that the layout reaches.
        cosize: usize,
        /// Elements of the tile.
        size: usize,
    } => Bounds "{cosize} elements are reached, and there are {size}";
    /// Picture: the elements that are moved at once are no neighbours.
    Access {
        /// Bits that are moved at once.
        access_bits: usize,
        /// The most that the layout allows.
        most: usize,
    } => Divisibility
        "{access_bits} bits at once are asked for, and neighbours that begin at a multiple of their size are at most \
         {most}";
    /// An empty layout has no index.
    NoIndex => Profile "an empty layout has no valid index";
    /// Swizzle: the bits read and the bits changed overlap.
    SwizzleOverlap {
        /// Number of bits.
        bits: u32,
        /// How far the bits read lie from the bits changed.
        shift: i32,
    } => Overlap "{bits} bits at a distance of {shift} overlap the bits that they are read from";
    /// Swizzle: the bits lie beyond the `width` bits of `usize`.
    SwizzleWidth {
        /// One past the highest bit needed.
        needed: u64,
        /// Bits of `usize`.
        width: u32,
    } => Overflow "{needed} bits are needed, and usize has {width}";
    /// Swizzles: what they do one after the other, no single swizzle does.
    NoSwizzle => Overlap "what they do one after the other, no single swizzle does";
    /// Recast: a swizzle that leaves the lowest `base` bits alone acts within a unit, or the unit
    /// is no power of two.
    SwizzleUnit {
        /// Elements that the swizzle moves as a whole.
        block: usize,
        /// Elements in a unit.
        unit: usize,
    } => Divisibility "the swizzle moves blocks of {block}, which is not a multiple of the unit's {unit}";
    /// Recast of a swizzled layout: the offset before the swizzle is no whole number of units.
    OffsetUnit {
        /// The offset.
        offset: usize,
        /// Elements in a unit.
        unit: usize,
    } => Divisibility "the offset before the swizzle, {offset}, is not a multiple of the unit's {unit}";
    /// Downcast of a swizzled layout: the parts of an element are no power of two.
    SwizzleParts {
        /// Parts of an element.
        parts: usize,
    } => Divisibility "the swizzle moves bits, and {parts} parts of an element are no power of two";
    /// Inverse of a swizzled layout: the swizzle is of offsets that do not begin at 0.
    SwizzleOffset {
        /// What is added before the swizzle.
        offset: usize,
    } => Divisibility "{offset} is added before the swizzle, and it has to be 0";
    /// Composition: a layout would have to carry a swizzle through, and does not take its bits to
    /// bits.
    SwizzleBits => Carry "the left layout does not take the bits of the swizzle to bits of its offsets";
    /// Tensor: the storage is shorter than the layout reaches.
    Storage {
        /// Elements that the layout needs.
        cosize: usize,
        /// Elements that the storage holds.
        length: usize,
    } => Bounds "the layout reaches {cosize} elements, and the storage holds {length}";
    /// Tensor: the storage does not begin where elements of another type may.
    Alignment {
        /// What the address has to be a multiple of, in bytes.
        bytes: usize,
    } => Divisibility "the storage begins at an address that is not a multiple of {bytes} bytes";
    /// Tensor: a coordinate lies outside of the shape.
    Coordinate => Bounds "the coordinate lies outside of the shape";
    /// Tensor: a number of a coordinate is not below the extent that it counts in.
    Outside {
        /// The number.
        number: usize,
        /// The extent.
        extent: usize,
    } => Bounds "coordinate {number} is out of bounds: the extent is {extent}";
    /// Slice: a range, or what a window takes of a mode, ends beyond its mode.
    Range {
        /// Where it begins.
        start: usize,
        /// Where it ends.
        end: usize,
        /// Extent of the mode.
        extent: usize,
    } => Bounds "the range {start}..{end} reaches beyond the extent {extent}";
    /// Slice: a range ends before it begins.
    RangeOrder {
        /// Where it begins.
        start: usize,
        /// Where it ends.
        end: usize,
    } => Bounds "the range {start}..{end} ends before it begins";
    /// Slice: what a range keeps of a nested mode is no layout.
    RangeBlock {
        /// Where it begins.
        start: usize,
        /// Where it ends.
        end: usize,
        /// The size of the blocks.
        block: usize,
    } => Divisibility
        "the range {start}..{end} crosses blocks of {block} elements that a nested mode is made of, and does not \
         begin and end with a block";
    /// Ragged tiles: an entry of the tiler is neither a number nor `_`.
    NoBlock => Profile "a ragged tile is a block: an entry of its tiler is a number or `_`";
    /// Tensor: two tensors that go together element by element have different shapes.
    Shapes => Profile "their shapes differ";
    /// Thread-value layout: there are elements that no thread gets.
    Undealt {
        /// How many elements the threads get.
        dealt: usize,
        /// How many there are.
        elements: usize,
    } => Profile "the thread-value layout deals out {dealt} elements, and there are {elements}";
    /// Copy: a mode of the source has other values than that of the destination.
    CopyModes {
        /// The mode, counted from 0.
        mode: usize,
        /// Its values in the source.
        source: usize,
        /// Its values in the destination.
        destination: usize,
    } => Profile
        "mode {mode} has {source} values in the source and {destination} in the destination, as those of two copies do: \
         `retile_s` or `retile_d` gives a fragment the order of the other copy";
    /// Tensor: a tile that owns only its own elements is given a layout that reaches others.
    Image => Bounds "the new layout reaches elements that do not belong to this tile";
    /// Tensor: whether a layout reaches elements that do not belong to the tile was not decided:
    /// the search was given up.
    ImageUndecided {
        /// Steps after which the search was given up.
        steps: usize,
    } => Bounds
        "{steps} steps of search have not decided whether the new layout reaches elements that do not belong to \
         this tile";
    /// Retile: what a thread moves is not what its fragment holds.
    Share {
        /// Number of the value that the copy moves.
        value: usize,
        /// The element of the tile that it is.
        element: usize,
    } => Bounds
        "value {value} of the copy is element {element} of the tile, and the fragment of the thread has another one \
         there";
    /// Copy: of the values that an atom copies at once, some are meant and others are not.
    Predicate {
        /// Number of the first value that differs from the first one of its atom.
        value: usize,
        /// Values of an atom.
        values: usize,
    } => Divisibility
        "an atom copies {values} values at once, and the predicate of value {value} is not that of the first of its \
         atom";
    /// Tensor: more modes than a check of disjointness takes on.
    Leaves {
        /// The most modes.
        limit: usize,
    } => Rank "a layout of more than {limit} modes is beyond what is checked here";
    /// Tensor: whether two coordinates share an offset was not decided: the modes interleave, and
    /// the search was given up.
    Undecided {
        /// Extent of the first mode that begins within what the modes of smaller stride span.
        extent: usize,
        /// Stride of the mode.
        stride: usize,
        /// Steps after which the search was given up.
        steps: usize,
    } => Overlap
        "the mode {extent}:{stride} interleaves with the modes below it, and {steps} steps of search have not \
         decided whether two coordinates share an offset";
    /// A layout: XOR strides stand beside a negative one.
    XorAndNegative {
        /// The negative stride, without its sign.
        stride: usize,
    } => Stride "the stride -{stride} stands beside XOR strides, and they have no meaning together";
    /// A layout: the offsets of its natural strides and those of its XOR strides overlap in a bit.
    PartsOverlap {
        /// The bit, counted from the lowest one.
        bit: u32,
    } => Overlap
        "bit {bit} is one of the offsets of natural strides and one of XOR strides, so that sum and XOR differ";
    /// A sum: the XOR strides of both layouts share a bit.
    XorSum {
        /// The bit, counted from the lowest one.
        bit: u32,
    } => Overlap "bit {bit} is one of the offsets of XOR strides of both layouts, so that their sums carry";
    /// A layout: too many extents of XOR strides are not powers of two, so its largest offset
    /// cannot be computed.
    XorExtents => Overflow
        "too many extents of XOR strides are no powers of two, and the largest offset is not searched for";
    /// Surjective: XOR modes that overlap have too many coordinates to count their offsets.
    CountUndecided {
        /// The most coordinates that are counted.
        most: usize,
    } => Overflow
        "whether every offset is reached was not decided: XOR strides overlap, with extents that are no powers of two, \
         and offsets are counted for at most {most} coordinates";
    /// Cosize: XOR strides behind a swizzle have too many coordinates to count their offsets.
    CosizeUndecided {
        /// The most coordinates that are counted.
        most: usize,
    } => Overflow
        "the largest offset was not found: of XOR strides behind a swizzle, and behind a layout, \
         it is searched for among at most {most} coordinates";
    /// Ragged tiles: a nested mode has too many blocks to ask of each whether it is a layout.
    BlocksUndecided {
        /// The most blocks that are asked.
        most: usize,
    } => Overflow
        "whether every block of a nested mode is a layout was not decided: at most {most} blocks are asked";
    /// A tensor: a swizzled layout has too many coordinates to look for its largest offset.
    ReachUndecided {
        /// The most coordinates that are looked at.
        most: usize,
    } => Overflow
        "the largest offset was not found: of more than 32 modes behind a swizzle it is searched for among at most {most} \
         coordinates";
    /// Tile to shape: an order that is no permutation of the modes.
    NoPermutation {
        /// The number of modes.
        rank: usize,
    } => Profile
        "the order is no permutation: it has to have {rank} different numbers, one for each mode";
    /// A layout whose strides are read as numbers: a stride is negative or an XOR stride.
    NoNaturalStrides => Stride "a stride is negative or an XOR stride, and it has to be a natural number";
    /// Composition: a step along several axes at once is taken as often as only run time knows.
    DiagonalSteps => Stride
        "a step along several axes at once is taken as often as only run time knows, and no type says how far";
    /// Slice: a range of an XOR mode, or what a window takes of it, begins where the numbers that
    /// it keeps carry.
    RangeCarries {
        /// Where it begins.
        start: usize,
        /// Where it ends.
        end: usize,
        /// What it would have to begin at a multiple of.
        unit: usize,
    } => Divisibility
        "the range {start}..{end} of XOR strides does not begin at a multiple of {unit}: {start} has a bit in common \
         with numbers that are kept, so that sum and XOR differ";
    /// Slice: the fixed part and the kept part share a bit, so that no offset can be added.
    SliceOverlaps {
        /// The bit, counted from the lowest one.
        bit: u32,
    } => Overlap
        "what the slice fixes and what it keeps share bit {bit} of XOR strides, so that it is not a sum of both";
    /// Index, composition and inverse: a mode leads to negative offsets, which are no coordinates.
    NegativeOffset {
        /// Extent of the mode.
        extent: usize,
        /// Its stride, without the sign.
        stride: usize,
    } => Stride "the mode {extent}:-{stride} leads to negative offsets, which are no coordinates of another layout";
    /// Index: the offset of a coordinate is negative.
    Below {
        /// The offset, without its sign.
        offset: usize,
    } => Stride "the offset -{offset} is negative: `signed_index` gives it, and `base` what to add to every offset";
    /// Tensor: its layout has XOR strides.
    XorInMemory => Stride
        "a tensor's strides are natural numbers or negative ones: `swizzled()` gives a layout with XOR strides as one \
         under a swizzle, which a tensor takes";
    /// Composition, sum: one step goes along natural strides and along XOR strides at once.
    TwoParts {
        /// The number of steps.
        steps: usize,
        /// How far a step goes along natural strides.
        natural: usize,
        /// How far a step goes along XOR strides.
        without: usize,
    } => Stride "each of {steps} steps goes {natural} far and ^{without} far at once, which no stride says";
    /// Composition: offsets of the right layout share a bit within an XOR mode of the left one.
    XorCarry {
        /// Extent of the mode.
        extent: usize,
        /// Stride of the mode.
        stride: usize,
        /// The bit, counted from the lowest one of the mode.
        bit: u32,
    } => Carry
        "offsets of the right layout share bit {bit} in the mode {extent}:^{stride} of the left layout, and carry";
    /// Composition: XOR strides of the right layout reach a mode of the left one that is not linear
    /// in its bits.
    XorInto {
        /// Extent of the mode.
        extent: usize,
        /// Stride of the mode.
        stride: usize,
    } => Carry
        "XOR strides of the right layout reach the mode {extent}:{stride} of the left layout, whose offsets carry";
    /// Composition: XOR strides of the right layout go across a place of the left one that is no
    /// power of two.
    XorAcross {
        /// The place: the product of extents before it.
        place: usize,
    } => Divisibility
        "XOR strides of the right layout go across the place {place} of the left layout, which is no power of two";
    /// XOR strides: the bits of a mode continue evenly for so many steps, which do not divide its
    /// extent.
    Uneven {
        /// The steps.
        steps: usize,
        /// The extent.
        extent: usize,
    } => Divisibility "the bits of the result go on evenly for {steps} steps, and {steps} does not divide {extent}";
    /// XOR strides: a number has to be a power of two.
    NoPowerOfTwo {
        /// The number.
        number: usize,
    } => Divisibility "{number} is no power of two, and XOR strides are of bits";
    /// XOR strides: a natural mode lies among them, and is not linear in its bits.
    AmongXor {
        /// Extent of the mode.
        extent: usize,
        /// Stride of the mode.
        stride: usize,
    } => Divisibility "the mode {extent}:{stride} lies among the bits of XOR strides, and is not linear in its own";
    /// Complement: a mode of XOR strides overlaps other modes.
    XorOverlap {
        /// Extent of the mode.
        extent: usize,
        /// Stride of the mode.
        stride: usize,
    } => Overlap "the mode {extent}:^{stride} leads to offsets that other modes lead to";
    /// Linear and natural: the strides of two bits share a bit, so that sum and XOR differ.
    SharedBit {
        /// The stride of the first bit of the coordinate.
        first: usize,
        /// That of the second.
        second: usize,
        /// The bit that they share.
        bit: u32,
    } => Carry "the strides {first} and {second} of two bits of the coordinate share bit {bit}";
    /// Linear: a negative stride is no XOR stride.
    NoXor {
        /// Extent of the mode.
        extent: usize,
        /// Its stride, without the sign.
        stride: usize,
    } => Stride "the mode {extent}:-{stride} goes backwards, and XOR strides do not";
    /// A number left `usize`.
    Overflow => Overflow "a number grows beyond {}, the largest there is", usize::MAX;
    /// Text: the number that begins at this byte is larger than its place holds: `usize`, or the
    /// parameters of a swizzle.
    SyntaxNumber {
        /// Where, counted in bytes from 0.
        byte: usize,
        /// The largest number that fits there.
        largest: usize,
    } => Overflow "the number at byte {byte} is larger than {largest}, the largest that fits there";
    /// Text: something else was expected at this byte.
    Syntax {
        /// Where, counted in bytes from 0.
        byte: usize,
        /// What was expected there.
        expected: Text,
    } => Parse "expected {expected} at byte {byte}";
    /// Text: the stride parts from the profile of the shape at this byte.
    SyntaxProfile {
        /// Where, counted in bytes from 0.
        byte: usize,
    } => Parse "the profile of the stride parts from the profile of the shape at byte {byte}";
}
