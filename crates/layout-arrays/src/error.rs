//! What can go wrong, a sentence each, with the numbers.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use layout_algebra::LayoutError;

/// The most axes that a layout has.
pub(crate) const MAX_RANK: usize = 32;

/// Why an array has no such view. Nothing has been changed or copied then.
///
/// ```
/// use layout_arrays::ArrayLayout;
/// let error = ArrayLayout::row_major(&[2, 3])?.reshape(&[7]).unwrap_err();
/// assert_eq!(error.to_string(), "6 elements cannot take a shape of 7 elements");
/// # Ok::<(), layout_arrays::ArrayError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArrayError {
    /// More axes than a layout has.
    TooManyAxes {
        /// The number of axes.
        rank: usize,
    },
    /// A shape and strides of different lengths.
    Lengths {
        /// The number of extents.
        shape: usize,
        /// The number of strides.
        strides: usize,
    },
    /// The extents multiply to more elements than `isize` counts. Extents of 0 do not count.
    TooManyElements,
    /// An offset beyond the largest `isize`.
    TooFar,
    /// An element before offset 0.
    Below {
        /// The offset of the first element.
        offset: usize,
        /// How far below it the strides lead.
        below: usize,
    },
    /// There is no such axis.
    Axis {
        /// The axis that was named.
        axis: usize,
        /// How many axes there are.
        rank: usize,
    },
    /// A range of axes that ends before it begins or behind the last one.
    Axes {
        /// Where the range begins.
        start: usize,
        /// Where it ends.
        end: usize,
        /// How many axes there are.
        rank: usize,
    },
    /// The axes of a permutation are not each of the axes once.
    Permutation {
        /// How many axes were named.
        named: usize,
        /// How many axes there are.
        rank: usize,
        /// An axis that is named twice or does not exist.
        axis: Option<usize>,
    },
    /// A range of an axis that ends before it begins or behind the last element.
    Range {
        /// The axis.
        axis: usize,
        /// Where the range begins.
        start: usize,
        /// Where it ends.
        end: usize,
        /// The extent of the axis.
        extent: usize,
    },
    /// A step of 0, or one that does not fit `isize`.
    Step {
        /// The axis.
        axis: usize,
    },
    /// A coordinate outside of the shape.
    Coordinate {
        /// The axis.
        axis: usize,
        /// The coordinate's number on this axis.
        at: usize,
        /// The extent of the axis.
        extent: usize,
    },
    /// A coordinate of another rank than that of the layout.
    CoordinateRank {
        /// How many numbers the coordinate has.
        numbers: usize,
        /// How many axes there are.
        rank: usize,
    },
    /// A shape of another number of elements.
    Size {
        /// How many there are.
        from: usize,
        /// How many the shape has.
        to: usize,
    },
    /// Extents that do not multiply to the extent of the axis that they cut.
    Split {
        /// The axis.
        axis: usize,
        /// Its extent.
        extent: usize,
        /// The product of the extents.
        product: usize,
    },
    /// An extent that is neither 1 nor the one asked for.
    Broadcast {
        /// The axis, counted from the last one, which is 1.
        from_last: usize,
        /// The extent of the layout.
        extent: usize,
        /// The extent asked for.
        to: usize,
    },
    /// Fewer axes than there are.
    BroadcastRank {
        /// How many axes there are.
        rank: usize,
        /// How many were asked for.
        to: usize,
    },
    /// No view has this shape: the elements have to be copied.
    NeedsCopy(NeedsCopy),
    /// A `DynLayout` has no offset beside the one that its negative strides need.
    Offset {
        /// The offset of the first element.
        offset: usize,
        /// The offset that the strides need.
        base: usize,
    },
    /// XOR strides, or offsets under a swizzle: no stride for each axis.
    NoStrides,
    /// A stride that does not fit `isize`.
    Stride {
        /// The axis.
        axis: usize,
        /// The stride without its sign.
        stride: usize,
    },
    /// A pattern of names that does not say what to do, or not with these shapes.
    Pattern(Box<PatternError>),
    /// A copy between arrays of two shapes.
    Shapes {
        /// The shape of the source.
        from: Vec<usize>,
        /// That of the destination.
        to: Vec<usize>,
    },
    /// A result of another shape than the contraction's.
    ResultShape {
        /// The shape of the contraction.
        shape: Vec<usize>,
        /// That of the result.
        given: Vec<usize>,
    },
    /// Fewer elements, or bytes, than an array reaches.
    Length {
        /// How many it reaches.
        needed: usize,
        /// How many there are.
        given: usize,
    },
    /// Fewer elements than an array of a contraction reaches.
    Operand {
        /// Which array.
        operand: &'static str,
        /// How many it reaches.
        needed: usize,
        /// How many there are.
        given: usize,
    },
    /// A buffer of fewer bytes than an array reaches.
    Bytes {
        /// How many it reaches.
        needed: usize,
        /// How many there are.
        given: usize,
    },
    /// Rows that are longer than the distance between them.
    Pitch {
        /// The bytes of a row.
        row: usize,
        /// The distance.
        pitch: isize,
    },
    /// Elements of no bytes.
    NoBytes,
    /// Elements of another size.
    Element {
        /// The bytes of an element of the array.
        wanted: usize,
        /// The bytes of the other one.
        given: usize,
    },
    /// A stride or an offset between elements.
    Divided {
        /// The stride or the offset.
        bytes: usize,
        /// The bytes of an element.
        element: usize,
    },
    /// Bytes that do not begin where an element may.
    Alignment {
        /// The alignment of an element.
        bytes: usize,
    },
    /// Another number of axes than needed.
    Rank {
        /// The number that is needed.
        needed: usize,
        /// The number there is.
        rank: usize,
    },
    /// An axis that goes backwards, where axes go forwards.
    Backwards {
        /// The axis.
        axis: usize,
        /// Its stride.
        stride: isize,
    },
    /// Two coordinates that share an element, or axes that interleave, where each writes its own.
    Overlap {
        /// The layout.
        layout: String,
    },
    /// Matrices that have no product of this shape.
    Product {
        /// The shapes of the factors and of the product.
        shapes: [[usize; 2]; 3],
    },
    /// Something that came through DLPack and that is no tensor.
    #[cfg(feature = "dlpack")]
    Dlpack(crate::DlpackFault),
    /// There is no plan for a copy, or it does not run.
    #[cfg(feature = "relayout")]
    Relayout(Box<layout_relayout::RelayoutError>),
    /// An operation of the crate `layout-algebra` has no result.
    Layout(Box<LayoutError>),
}

/// Two axes that no single stride leads through.
///
/// `outer` and `inner` are axes of the layout that was to be viewed, `inner` the next one behind
/// `outer` that has more than one element. They fold if `strides[0] == extents[1] * strides[1]`.
///
/// ```
/// use layout_arrays::{ArrayError, ArrayLayout};
/// let columns = ArrayLayout::row_major(&[4, 6])?.transpose();
/// let Err(ArrayError::NeedsCopy(fault)) = columns.reshape(&[24]) else { panic!() };
/// assert_eq!((fault.outer, fault.inner, fault.extents, fault.strides), (0, 1, [6, 4], [1, 6]));
/// assert_eq!(
///     fault.to_string(),
///     "a copy is needed: axis 0 (extent 6, stride 1) and axis 1 (extent 4, stride 6) \
///      have one stride only if the stride of axis 0 is 4 * 6"
/// );
/// # Ok::<(), ArrayError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeedsCopy {
    /// The outer axis.
    pub outer: usize,
    /// The inner axis.
    pub inner: usize,
    /// The extents of the outer and of the inner axis.
    pub extents: [usize; 2],
    /// Their strides.
    pub strides: [isize; 2],
    /// The names of the two axes, where a pattern has given them some.
    pub names: Option<Box<[String; 2]>>,
}

/// What a pattern does not say, and where in the pattern.
///
/// ```
/// use layout_arrays::Rearrange;
/// let error = Rearrange::new("b (h p) w -> b h w p q").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "axis `q` is on the right side only\n  b (h p) w -> b h w p q\n                       ^"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError {
    /// The pattern.
    pub pattern: String,
    /// The bytes of the pattern that are at fault.
    pub at: core::ops::Range<usize>,
    /// What is wrong, in a sentence.
    pub message: String,
}

/// What came through DLPack and is no tensor.
#[cfg(feature = "dlpack")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DlpackFault {
    /// A major version other than 1.
    Version {
        /// The version.
        major: u32,
    },
    /// Memory of another device than the CPU.
    Device {
        /// The number of the device's type.
        device: u32,
    },
    /// Elements of another type.
    ElementType {
        /// The type's code, its bits and its lanes.
        found: [u16; 3],
        /// The code and the bits of the type asked for.
        wanted: [u16; 2],
    },
    /// A number that does not fit `usize` or `isize`.
    Number,
    /// No memory, and yet elements.
    NoMemory {
        /// How many elements there should be.
        needed: usize,
    },
    /// Memory that may be read and not written.
    ReadOnly,
}

#[cfg(feature = "dlpack")]
impl fmt::Display for DlpackFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version { major } => {
                write!(f, "DLPack of version {major}, and this reads version 1")
            }
            Self::Device { device } => {
                write!(f, "the memory of a device of type {device}, and 1 is the CPU")
            }
            Self::ElementType { found: [code, bits, lanes], wanted } => write!(
                f,
                "elements of type code {code} of {bits} bits, {lanes} in one, and not {} of {}",
                wanted[0], wanted[1]
            ),
            Self::Number => f.write_str("an extent, a stride or an offset does not fit `isize`"),
            Self::NoMemory { needed } => write!(f, "a null pointer for {needed} elements"),
            Self::ReadOnly => f.write_str("the memory may be read and not written"),
        }
    }
}

impl From<PatternError> for ArrayError {
    fn from(error: PatternError) -> Self {
        ArrayError::Pattern(Box::new(error))
    }
}
impl From<LayoutError> for ArrayError {
    fn from(error: LayoutError) -> Self {
        ArrayError::Layout(Box::new(error))
    }
}
impl From<NeedsCopy> for ArrayError {
    fn from(error: NeedsCopy) -> Self {
        ArrayError::NeedsCopy(error)
    }
}

impl fmt::Display for NeedsCopy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NeedsCopy { outer, inner, extents: [n, m], strides: [d, e], names } = self;
        let name = |f: &mut fmt::Formatter<'_>, which: usize, axis: &usize| match names {
            Some(names) => write!(f, "axis `{}`", names[which]),
            None => write!(f, "axis {axis}"),
        };
        f.write_str("a copy is needed: ")?;
        name(f, 0, outer)?;
        write!(f, " (extent {n}, stride {d}) and ")?;
        name(f, 1, inner)?;
        write!(f, " (extent {m}, stride {e}) have one stride only if the stride of ")?;
        name(f, 0, outer)?;
        write!(f, " is {m} * {e}")
    }
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PatternError { pattern, at, message } = self;
        let columns = |bytes: core::ops::Range<usize>| {
            pattern.get(bytes).map_or(0, |text| text.chars().count())
        };
        let (before, width) = (columns(0..at.start), columns(at.clone()).max(1));
        write!(f, "{message}\n  {pattern}\n  {:before$}{:^<width$}", "", "")
    }
}

impl fmt::Display for ArrayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyAxes { rank } => {
                write!(f, "{rank} axes, and an array has at most {MAX_RANK}")
            }
            Self::Lengths { shape, strides } => {
                write!(f, "a shape of {shape} axes and {strides} strides")
            }
            Self::TooManyElements => {
                write!(
                    f,
                    "the extents that are not 0 multiply to more than {} elements",
                    isize::MAX
                )
            }
            Self::TooFar => write!(f, "the last element lies beyond offset {}", isize::MAX - 1),
            Self::Below { offset, below } => {
                write!(
                    f,
                    "the first offset is {offset}, and negative strides lead {below} below it"
                )
            }
            Self::Axis { axis, rank } => {
                write!(f, "there is no axis {axis} among {rank} axes, counted from 0")
            }
            Self::Axes { start, end, rank } => {
                write!(f, "{start}..{end} is no range of {rank} axes")
            }
            Self::Permutation { named, rank, axis: None } => {
                write!(f, "a permutation of {named} axes, and there are {rank}")
            }
            Self::Permutation { rank, axis: Some(axis), .. } if axis < rank => {
                write!(f, "the permutation of {rank} axes names axis {axis} twice")
            }
            Self::Permutation { rank, axis: Some(axis), .. } => {
                write!(
                    f,
                    "the permutation of {rank} axes names axis {axis}, and axes are counted from 0"
                )
            }
            Self::Range { axis, start, end, extent } => {
                write!(
                    f,
                    "{start}..{end} is no range of axis {axis}, which has the extent {extent}"
                )
            }
            Self::Step { axis } => {
                write!(f, "the step along axis {axis} is 0 or does not fit `isize`")
            }
            Self::Coordinate { axis, at, extent } => {
                write!(f, "coordinate {at} on axis {axis}, which has the extent {extent}")
            }
            Self::CoordinateRank { numbers, rank } => {
                write!(f, "a coordinate of {numbers} numbers, and there are {rank} axes")
            }
            Self::Size { from, to } => {
                write!(f, "{from} elements cannot take a shape of {to} elements")
            }
            Self::Split { axis, extent, product } => {
                write!(
                    f,
                    "axis {axis} has the extent {extent}, and the parts multiply to {product}"
                )
            }
            Self::Broadcast { from_last, extent, to } => {
                write!(
                    f,
                    "the extent {extent}, on axis {from_last} from the last, is neither 1 nor {to}"
                )
            }
            Self::BroadcastRank { rank, to } => {
                write!(f, "an array of {rank} axes cannot be broadcast to {to} axes")
            }
            Self::NeedsCopy(fault) => fault.fmt(f),
            Self::Offset { offset, base } => write!(
                f,
                "a `DynLayout` begins at the offset {base} that its strides need, and this at {offset}: \
                 `DynComposedLayout` has an offset of its own"
            ),
            Self::NoStrides => f.write_str("XOR strides and swizzles have no stride for each axis"),
            Self::Stride { axis, stride } => {
                write!(f, "the stride {stride} of axis {axis} does not fit `isize`")
            }
            Self::Pattern(fault) => fault.fmt(f),
            Self::Shapes { from, to } => {
                write!(f, "no copy from the shape {from:?} to the shape {to:?}")
            }
            Self::ResultShape { shape, given } => {
                write!(f, "the contraction has the shape {shape:?}, and the result {given:?}")
            }
            Self::Length { needed, given } => {
                write!(f, "the array reaches {needed} elements, and there are {given}")
            }
            Self::Operand { operand, needed, given } => {
                write!(f, "the {operand} reaches {needed} elements, and there are {given}")
            }
            Self::Bytes { needed, given } => {
                write!(f, "the array reaches {needed} bytes, and there are {given}")
            }
            Self::Pitch { row, pitch } => {
                write!(f, "rows of {row} bytes do not fit a pitch of {pitch} bytes")
            }
            Self::NoBytes => f.write_str("elements of 0 bytes have no place in a row of bytes"),
            Self::Element { wanted, given } => {
                write!(f, "the array has elements of {wanted} bytes, and these have {given}")
            }
            Self::Divided { bytes, element } => {
                write!(f, "{bytes} bytes are no multiple of the {element} bytes of an element")
            }
            Self::Alignment { bytes } => {
                write!(f, "the bytes do not begin at a multiple of the {bytes} that elements need")
            }
            Self::Rank { needed, rank } => {
                write!(f, "{needed} axes are needed, and there are {rank}")
            }
            Self::Backwards { axis, stride } => {
                write!(
                    f,
                    "axis {axis} has the stride {stride}, and only axes that go forwards fit here"
                )
            }
            Self::Overlap { layout } => {
                write!(f, "two coordinates of {layout} may share an element")
            }
            Self::Product { shapes: [[m, k], [l, n], [r, c]] } => {
                write!(
                    f,
                    "matrices of the shapes ({m}, {k}) and ({l}, {n}) have no product of the shape ({r}, {c})"
                )
            }
            #[cfg(feature = "dlpack")]
            Self::Dlpack(fault) => fault.fmt(f),
            #[cfg(feature = "relayout")]
            Self::Relayout(fault) => fault.fmt(f),
            Self::Layout(fault) => fault.fmt(f),
        }
    }
}

impl core::error::Error for NeedsCopy {}
impl core::error::Error for PatternError {}
impl core::error::Error for ArrayError {}
