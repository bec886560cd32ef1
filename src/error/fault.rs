//! The rules that an operation can break, one variant each.

use core::fmt;

use super::ErrorKind;

/// The rule that was broken, with the numbers at fault. Its text is a sentence with the numbers in decimals.
///
/// ```
/// # use layout_algebra::prelude::*;
/// let fault = Fault::Span { extent: 25, span: 4 };
/// assert_eq!(fault.kind(), ErrorKind::Divisibility);
/// assert_eq!(fault.to_string(), "extent 25 is not a multiple of 4, what the layout spans");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fault {
    /// Composition: the right mode `extent:stride` leaves a left mode after `steps` steps, which do not divide `extent`.
    Steps {
        /// Extent of the right mode.
        extent: usize,
        /// Stride of the right mode.
        stride: usize,
        /// Steps that stay linear in the left layout.
        steps: usize,
    },
    /// Composition: offsets of the right layout add up across a left mode.
    Carry {
        /// The largest sum of digits that the right layout reaches in the left mode.
        sum: usize,
        /// The left mode, counted after coalescing.
        mode: usize,
        /// Extent of that mode.
        extent: usize,
        /// Stride of that mode.
        stride: usize,
    },
    /// Complement and product: a mode begins within what the modes of smaller stride span.
    Overlap {
        /// Extent of the mode.
        extent: usize,
        /// Stride of the mode.
        stride: usize,
        /// Offsets spanned below it.
        below: usize,
    },
    /// Complement: a stride is no multiple of what the modes below it span.
    Stride {
        /// The stride.
        stride: usize,
        /// Offsets spanned below it.
        below: usize,
    },
    /// Complement: the extent to fill is no multiple of what the layout spans.
    Span {
        /// The extent to fill.
        extent: usize,
        /// What the layout spans.
        span: usize,
    },
    /// Sum: the sizes differ.
    Sizes {
        /// Size of the left layout.
        left: usize,
        /// Size of the right layout.
        right: usize,
    },
    /// Sum: of two modes that meet, no extent divides the other.
    NoRefinement {
        /// The lesser extent.
        extent: usize,
        /// Stride of its mode.
        stride: usize,
        /// The greater extent.
        other_extent: usize,
        /// Stride of its mode.
        other_stride: usize,
    },
    /// Left inverse: a stride lies within the offsets of the mode below it.
    Within {
        /// The stride.
        stride: usize,
        /// Extent of the mode below.
        extent: usize,
        /// Stride of the mode below.
        below: usize,
    },
    /// Left inverse: a stride is no multiple of the stride below it.
    Strides {
        /// The stride.
        stride: usize,
        /// The next smaller stride.
        below: usize,
    },
    /// Upcast: the offsets below one unit add up to a whole unit.
    UnitCarry {
        /// What they add up to.
        sum: usize,
        /// Elements in a unit.
        unit: usize,
    },
    /// Upcast: a mode does not regroup into whole units.
    Regroup {
        /// Extent of the mode.
        extent: usize,
        /// Stride of the mode.
        stride: usize,
        /// Elements in a unit.
        unit: usize,
    },
    /// Downcast: not exactly one mode of stride 1.
    UnitStride {
        /// How many modes of stride 1 there are, those of extent 1 left out.
        modes: usize,
    },
    /// Recast: a unit of no elements, or an element of no size.
    ZeroUnit,
    /// tile_to_shape: an extent of the shape is no multiple of the block's.
    Block {
        /// Extent wanted.
        extent: usize,
        /// Extent of the block.
        block: usize,
    },
    /// A number that the types take for one that moves, an extent above 1 or a stride above 0, does not at run time, and the
    /// form of the result cannot say so.
    Still {
        /// Extent of the mode.
        extent: usize,
        /// Stride of the mode.
        stride: usize,
    },
    /// A number is no multiple of the one that it was said to be a multiple of.
    Multiple {
        /// The number.
        number: usize,
        /// What should divide it.
        divisor: usize,
    },
    /// A by-mode tiler does not fit the rank of the layout.
    TilerRank {
        /// Rank of the tiler.
        tiler: usize,
        /// Rank of the layout.
        layout: usize,
    },
    /// A by-mode profile has more modes than the layout.
    ProfileRank {
        /// Rank of the profile.
        profile: usize,
        /// Rank of the layout.
        layout: usize,
    },
    /// A mode is asked for that the layout does not have.
    Mode {
        /// The mode asked for, counted from 0.
        mode: usize,
        /// Rank of the layout.
        rank: usize,
    },
    /// A range of modes is empty, or reaches beyond the layout.
    Modes {
        /// First mode of the range.
        first: usize,
        /// One past the last mode of the range.
        last: usize,
        /// Rank of the layout.
        rank: usize,
    },
    /// The operation is there for one rank alone.
    Rank {
        /// Rank that the operation needs.
        needed: usize,
        /// Rank that it got.
        rank: usize,
    },
    /// A tuple without elements.
    EmptyTuple,
    /// Tuples are nested deeper than is accepted.
    Depth {
        /// The deepest nesting accepted.
        limit: usize,
    },
    /// Two nested tuples had to be congruent: a shape and its stride, say.
    Incongruent,
    /// A coordinate, an order or a profile does not weakly match the shape that it is for.
    NotWeaklyCongruent,
    /// A leaf is not the number that its type says.
    Leaf {
        /// Position of the leaf, counted from 0 from left to right.
        leaf: usize,
        /// The number that the type says.
        expected: usize,
        /// The number found.
        found: usize,
    },
    /// An empty layout has no index.
    NoIndex,
    /// Swizzle: the bits read and the bits changed overlap.
    SwizzleOverlap {
        /// Number of bits.
        bits: u32,
        /// How far the bits read lie from the bits changed.
        shift: i32,
    },
    /// Swizzle: the bits lie beyond the `width` bits of `usize`.
    SwizzleWidth {
        /// One past the highest bit needed.
        needed: u64,
        /// Bits of `usize`.
        width: u32,
    },
    /// Swizzles: what they do one after the other, no single swizzle does.
    NoSwizzle,
    /// Recast: a swizzle that leaves the lowest `base` bits alone acts within a unit, or the unit is no power of two.
    SwizzleUnit {
        /// Elements that the swizzle moves as a whole.
        block: usize,
        /// Elements in a unit.
        unit: usize,
    },
    /// Recast of a swizzled layout: the offset before the swizzle is no whole number of units.
    OffsetUnit {
        /// The offset.
        offset: usize,
        /// Elements in a unit.
        unit: usize,
    },
    /// Downcast of a swizzled layout: the parts of an element are no power of two.
    SwizzleParts {
        /// Parts of an element.
        parts: usize,
    },
    /// Inverse of a swizzled layout: the swizzle is of offsets that do not begin at 0.
    SwizzleOffset {
        /// What is added before the swizzle.
        offset: usize,
    },
    /// Composition: a layout would have to carry a swizzle through, and does not take its bits to bits.
    SwizzleBits,
    /// Tensor: the storage is shorter than the layout reaches.
    Storage {
        /// Elements that the layout needs.
        cosize: usize,
        /// Elements that the storage holds.
        length: usize,
    },
    /// Tensor: an array of another library goes backwards along an axis, and a layout does not.
    Backwards {
        /// The axis.
        axis: usize,
        /// Its stride.
        stride: isize,
    },
    /// Tensor: the storage does not begin where elements of another type may.
    Alignment {
        /// What the address has to be a multiple of, in bytes.
        bytes: usize,
    },
    /// Tensor: a coordinate lies outside of the shape.
    Coordinate,
    /// Tensor: two tensors that go together element by element have different shapes.
    Shapes,
    /// Tensor: a tile that owns only its own elements is given a layout that reaches others.
    Image,
    /// Tensor: whether a layout reaches elements that do not belong to the tile was not decided: the search was given up.
    ImageUndecided {
        /// Steps after which the search was given up.
        steps: usize,
    },
    /// Retile: what a thread moves is not what its fragment holds.
    Share {
        /// Number of the value that the copy moves.
        value: usize,
        /// The element of the tile that it is.
        element: usize,
    },
    /// Copy: of the values that an atom copies at once, some are meant and others are not.
    Predicate {
        /// Number of the first value that differs from the first one of its atom.
        value: usize,
        /// Values of an atom.
        values: usize,
    },
    /// Tensor: more modes than a check of disjointness takes on.
    Leaves {
        /// The most modes.
        limit: usize,
    },
    /// Tensor: whether two coordinates share an offset was not decided: the modes interleave, and the search was given up.
    Undecided {
        /// Extent of the first mode that begins within what the modes of smaller stride span.
        extent: usize,
        /// Stride of the mode.
        stride: usize,
        /// Steps after which the search was given up.
        steps: usize,
    },
    /// A number left `usize`.
    Overflow,
    /// Text: the number that begins at this byte is larger than its place holds: `usize`, or the parameters of a
    /// swizzle.
    SyntaxNumber {
        /// Where, counted in bytes from 0.
        byte: usize,
        /// The largest number that fits there.
        largest: usize,
    },
    /// Text: something else was expected at this byte.
    Syntax {
        /// Where, counted in bytes from 0.
        byte: usize,
        /// What was expected there.
        expected: &'static str,
    },
    /// Text: the stride parts from the profile of the shape at this byte.
    SyntaxProfile {
        /// Where, counted in bytes from 0.
        byte: usize,
    },
}

impl Fault {
    /// The family that the fault belongs to.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// assert_eq!(Fault::TilerRank { tiler: 3, layout: 2 }.kind(), ErrorKind::Rank);
    /// ```
    pub const fn kind(&self) -> ErrorKind {
        use Fault::*;
        match self {
            Steps { .. } | Stride { .. } | Span { .. } | Strides { .. } | NoRefinement { .. } => {
                ErrorKind::Divisibility
            }
            Regroup { .. } | ZeroUnit | Block { .. } | Multiple { .. } | Alignment { .. } | Predicate { .. } => {
                ErrorKind::Divisibility
            }
            Carry { .. } | UnitCarry { .. } => ErrorKind::Carry,
            Overlap { .. } | Within { .. } | SwizzleOverlap { .. } | NoSwizzle => ErrorKind::Overlap,
            TilerRank { .. } | ProfileRank { .. } | Mode { .. } | Modes { .. } | Rank { .. } => ErrorKind::Rank,
            UnitStride { .. } => ErrorKind::UnitStride,
            EmptyTuple | Depth { .. } | Incongruent | NotWeaklyCongruent => ErrorKind::Profile,
            Leaf { .. } | NoIndex | Still { .. } => ErrorKind::Profile,
            SwizzleUnit { .. } | OffsetUnit { .. } | SwizzleParts { .. } | SwizzleOffset { .. } => {
                ErrorKind::Divisibility
            }
            SwizzleBits => ErrorKind::Carry,
            SwizzleWidth { .. } | SyntaxNumber { .. } | Overflow => ErrorKind::Overflow,
            Storage { .. } | Coordinate | Image | ImageUndecided { .. } | Share { .. } | Backwards { .. } => {
                ErrorKind::Bounds
            }
            Shapes | Sizes { .. } => ErrorKind::Profile,
            Leaves { .. } => ErrorKind::Rank,
            Undecided { .. } => ErrorKind::Overlap,
            Syntax { .. } | SyntaxProfile { .. } => ErrorKind::Parse,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Fault::Steps { extent, stride, steps } => write!(
                f,
                "the right mode {extent}:{stride} leaves a mode of the left layout after {steps} steps, and {steps} does \
                 not divide {extent}"
            ),
            Fault::Carry { sum, extent, stride, .. } => write!(
                f,
                "offsets of the right layout add up to {sum} in the mode {extent}:{stride} of the left layout"
            ),
            Fault::Overlap { extent, stride, below } => {
                write!(f, "the mode {extent}:{stride} overlaps the {below} offsets that the modes below it span")
            }
            Fault::Stride { stride, below } => {
                write!(f, "stride {stride} is not a multiple of {below}, what the modes below it span")
            }
            Fault::Span { extent, span } => {
                write!(f, "extent {extent} is not a multiple of {span}, what the layout spans")
            }
            Fault::Sizes { left, right } => write!(f, "sizes {left} and {right} differ"),
            Fault::NoRefinement { extent, stride, other_extent, other_stride } => {
                write!(f, "the modes {extent}:{stride} and {other_extent}:{other_stride} have no common refinement")
            }
            Fault::Within { stride, extent, below } => {
                write!(f, "stride {stride} lies within the offsets of the mode {extent}:{below}")
            }
            Fault::Strides { stride, below } => {
                write!(f, "stride {stride} is not a multiple of stride {below} below it")
            }
            Fault::UnitCarry { sum, unit } => {
                write!(f, "offsets below one unit add up to {sum}, which is not under {unit}")
            }
            Fault::Regroup { extent, stride, unit } => {
                write!(f, "the mode {extent}:{stride} does not regroup into units of {unit}")
            }
            Fault::UnitStride { modes } => write!(f, "exactly one mode of stride 1 is needed, and there are {modes}"),
            Fault::ZeroUnit => f.write_str("a unit of 0 elements holds nothing"),
            Fault::Block { extent, block } => write!(f, "extent {extent} is not a multiple of the block's {block}"),
            Fault::Still { extent, stride } => write!(
                f,
                "the mode {extent}:{stride} does not move, and the form of the result is that of one which does: a static \
                 extent of 1 or stride of 0 would say so, or `DynLayout`"
            ),
            Fault::Multiple { number, divisor } => write!(f, "{number} is not a multiple of {divisor}"),
            Fault::TilerRank { tiler, layout } => {
                write!(f, "a tiler of rank {tiler} does not fit a layout of rank {layout}")
            }
            Fault::ProfileRank { profile, layout } => {
                write!(f, "a profile of rank {profile} does not fit a layout of rank {layout}")
            }
            Fault::Mode { mode, rank } => write!(f, "there is no mode {mode} in rank {rank}"),
            Fault::Modes { first, last, rank } => write!(f, "modes {first} to {last} are no range in rank {rank}"),
            Fault::Rank { needed, rank } => write!(f, "rank {needed} is needed, and this is rank {rank}"),
            Fault::EmptyTuple => f.write_str("a tuple has at least one element"),
            Fault::Depth { limit } => write!(f, "tuples are nested more than {limit} deep"),
            Fault::Incongruent => f.write_str("their profiles differ, and they must be congruent"),
            Fault::NotWeaklyCongruent => f.write_str("the profile of the one does not weakly match the other's"),
            Fault::Leaf { leaf, expected, found } => write!(f, "leaf {leaf} is {found}, and the type says {expected}"),
            Fault::NoIndex => f.write_str("an empty layout has no valid index"),
            Fault::SwizzleOverlap { bits, shift } => {
                write!(f, "{bits} bits at a distance of {shift} overlap the bits that they are read from")
            }
            Fault::SwizzleWidth { needed, width } => write!(f, "{needed} bits are needed, and usize has {width}"),
            Fault::NoSwizzle => f.write_str("what they do one after the other, no single swizzle does"),
            Fault::SwizzleUnit { block, unit } => {
                write!(f, "the swizzle moves blocks of {block}, which is not a multiple of the unit's {unit}")
            }
            Fault::OffsetUnit { offset, unit } => {
                write!(f, "the offset before the swizzle, {offset}, is not a multiple of the unit's {unit}")
            }
            Fault::SwizzleParts { parts } => {
                write!(f, "the swizzle moves bits, and {parts} parts of an element are no power of two")
            }
            Fault::SwizzleOffset { offset } => write!(f, "{offset} is added before the swizzle, and it has to be 0"),
            Fault::SwizzleBits => {
                f.write_str("the left layout does not take the bits of the swizzle to bits of its offsets")
            }
            Fault::Storage { cosize, length } => {
                write!(f, "the layout reaches {cosize} elements, and the storage holds {length}")
            }
            Fault::Backwards { axis, stride } => {
                write!(f, "axis {axis} has stride {stride}, and a layout has no negative strides")
            }
            Fault::Alignment { bytes } => {
                write!(f, "the storage begins at an address that is not a multiple of {bytes} bytes")
            }
            Fault::Coordinate => f.write_str("the coordinate lies outside of the shape"),
            Fault::Shapes => f.write_str("their shapes differ"),
            Fault::Image => f.write_str("the new layout reaches elements that do not belong to this tile"),
            Fault::ImageUndecided { steps } => write!(
                f,
                "{steps} steps of search have not decided whether the new layout reaches elements that do not belong to \
                 this tile"
            ),
            Fault::Share { value, element } => {
                write!(
                    f,
                    "value {value} of the copy is element {element} of the tile, and the fragment of the thread has another one there"
                )
            }
            Fault::Predicate { value, values } => {
                write!(
                    f,
                    "an atom copies {values} values at once, and the predicate of value {value} is not that of the first of its atom"
                )
            }
            Fault::Leaves { limit } => write!(f, "a layout of more than {limit} modes is beyond what is checked here"),
            Fault::Undecided { extent, stride, steps } => write!(
                f,
                "the mode {extent}:{stride} interleaves with the modes below it, and {steps} steps of search have not decided whether \
                 two coordinates share an offset"
            ),
            Fault::Overflow => write!(f, "a number grows beyond {}, the largest usize", usize::MAX),
            Fault::SyntaxNumber { byte, largest } => {
                write!(f, "the number at byte {byte} is larger than {largest}, the largest that fits there")
            }
            Fault::Syntax { byte, expected } => write!(f, "expected {expected} at byte {byte}"),
            Fault::SyntaxProfile { byte } => {
                write!(f, "the profile of the stride parts from the profile of the shape at byte {byte}")
            }
        }
    }
}
