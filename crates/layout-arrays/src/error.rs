//! Errors, one sentence for each, with the numbers.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use layout_algebra::LayoutError;

/// The most axes that a layout has.
pub(crate) const MAX_RANK: usize = 32;

/// An enum of errors: a row for each, with its numbers and its sentence. After `from` come wrapped
/// errors, which have sentences of their own.
macro_rules! errors {
    (
        $(#[$about:meta])* $errors:ident {$(
            $(#[$row:meta])*
            $error:ident $({ $($(#[$of_field:meta])* $field:ident: $number:ty,)* })? =>
                $sentence:literal $(, $argument:expr)*;
        )*}
        $(from {$(
            $(#[doc = $what:literal])* $(#[cfg($feature:meta)])? $other:ident($inner:ty);
        )*})?
    ) => {
        $(#[$about])*
        #[non_exhaustive]
        pub enum $errors {
            $($(#[$row])* $error $({ $($(#[$of_field])* $field: $number,)* })?,)*
            $($($(#[doc = $what])* $(#[cfg($feature)])? $other($inner),)*)?
        }

        impl fmt::Display for $errors {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$error $({ $($field),* })? => write!(f, $sentence $(, $argument)*),)*
                    $($($(#[cfg($feature)])? Self::$other(error) => error.fmt(f),)*)?
                }
            }
        }
    };
}

errors! {
    /// Why an operation on arrays fails. Nothing has been changed or copied if it is returned.
    ///
    /// ```
    /// use layout_arrays::ArrayLayout;
    /// let error = ArrayLayout::row_major(&[2, 3])?.reshape(&[7]).unwrap_err();
    /// assert_eq!(error.to_string(), "6 elements cannot take a shape of 7 elements");
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    #[derive(Clone, Debug, PartialEq, Eq)]
    ArrayError {
        /// More axes than a layout has.
        TooManyAxes {
            /// The number of axes.
            rank: usize,
        } => "{rank} axes, and an array has at most {MAX_RANK}";
        /// A shape and strides of different lengths.
        Lengths {
            /// The number of extents.
            shape: usize,
            /// The number of strides.
            strides: usize,
        } => "a shape of {shape} axes and {strides} strides";
        /// The extents multiply to more elements than `isize` counts. Extents of 0 do not count.
        TooManyElements => "the extents that are not 0 multiply to more than {} elements",
            isize::MAX;
        /// An offset beyond the largest `isize`.
        TooFar => "the last element lies beyond offset {}", isize::MAX - 1;
        /// An element before offset 0.
        Below {
            /// The offset of the first element.
            offset: usize,
            /// How far below this offset the strides lead.
            below: usize,
        } => "the first offset is {offset}, and negative strides lead {below} below it";
        /// There is no such axis.
        Axis {
            /// The axis that was named.
            axis: usize,
            /// How many axes there are.
            rank: usize,
        } => "there is no axis {axis} among {rank} axes, counted from 0";
        /// A range of axes that ends before it begins, or beyond the last axis.
        Axes {
            /// Where the range begins.
            start: usize,
            /// Where it ends.
            end: usize,
            /// How many axes there are.
            rank: usize,
        } => "{start}..{end} is no range of {rank} axes";
        /// A permutation of another number of axes.
        PermutationRank {
            /// How many axes were named.
            named: usize,
            /// How many axes there are.
            rank: usize,
        } => "a permutation of {named} axes, and there are {rank}";
        /// The axes of a permutation are not each of the axes once.
        Permutation {
            /// How many axes there are.
            rank: usize,
            /// An axis that is named twice or does not exist.
            axis: usize,
        } => "the permutation of {rank} axes names axis {axis}{}",
            if axis < rank { " twice" } else { ", and axes are counted from 0" };
        /// A range of an axis that ends before it begins, or beyond the last element.
        Range {
            /// The axis.
            axis: usize,
            /// Where the range begins.
            start: usize,
            /// Where it ends.
            end: usize,
            /// The extent of the axis.
            extent: usize,
        } => "{start}..{end} is no range of axis {axis}, which has the extent {extent}";
        /// A step of 0, or one that does not fit `isize`.
        Step {
            /// The axis.
            axis: usize,
        } => "the step along axis {axis} is 0 or does not fit `isize`";
        /// A coordinate outside of the shape.
        Coordinate {
            /// The axis.
            axis: usize,
            /// The coordinate's number on this axis.
            at: usize,
            /// The extent of the axis.
            extent: usize,
        } => "coordinate {at} on axis {axis}, which has the extent {extent}";
        /// A coordinate whose rank is not that of the layout.
        CoordinateRank {
            /// How many numbers the coordinate has.
            numbers: usize,
            /// How many axes there are.
            rank: usize,
        } => "a coordinate of {numbers} numbers, and there are {rank} axes";
        /// A shape of another number of elements.
        Size {
            /// How many there are.
            from: usize,
            /// How many the shape has.
            to: usize,
        } => "{from} elements cannot take a shape of {to} elements";
        /// Extents whose product is not the extent of the axis to split.
        Split {
            /// The axis.
            axis: usize,
            /// Its extent.
            extent: usize,
            /// The product of the extents.
            product: usize,
        } => "axis {axis} has the extent {extent}, and the parts multiply to {product}";
        /// An extent that is neither 1 nor the requested one.
        Broadcast {
            /// The axis, counted from the last one, which is 1.
            from_last: usize,
            /// The extent of the layout.
            extent: usize,
            /// The requested extent.
            to: usize,
        } => "the extent {extent}, on axis {from_last} from the last, is neither 1 nor {to}";
        /// Fewer axes than there are.
        BroadcastRank {
            /// How many axes there are.
            rank: usize,
            /// The requested number of axes.
            to: usize,
        } => "an array of {rank} axes cannot be broadcast to {to} axes";
        /// A `DynLayout` cannot have an offset other than the one that its negative strides need.
        Offset {
            /// The offset of the first element.
            offset: usize,
            /// The offset that the strides need.
            base: usize,
        } => "a `DynLayout` begins at the offset {base} that its strides need, and this at \
              {offset}: `DynComposedLayout` has an offset of its own";
        /// XOR strides, or offsets under a swizzle: no stride for each axis.
        NoStrides => "XOR strides and swizzles have no stride for each axis";
        /// A stride that does not fit `isize`.
        Stride {
            /// The axis.
            axis: usize,
            /// The stride without its sign.
            stride: usize,
        } => "the stride {stride} of axis {axis} does not fit `isize`";
        /// A copy between arrays of two shapes.
        Shapes {
            /// The shape of the source.
            from: Vec<usize>,
            /// That of the destination.
            to: Vec<usize>,
        } => "no copy from the shape {from:?} to the shape {to:?}";
        /// A result of another shape than the contraction's.
        ResultShape {
            /// The shape of the contraction.
            shape: Vec<usize>,
            /// That of the result.
            given: Vec<usize>,
        } => "the contraction has the shape {shape:?}, and the result {given:?}";
        /// Fewer elements, or bytes, than an array reaches.
        Length {
            /// How many it reaches.
            needed: usize,
            /// How many there are.
            given: usize,
        } => "the array reaches {needed} elements, and there are {given}";
        /// Fewer elements than an array of a contraction reaches.
        Operand {
            /// Which array.
            operand: &'static str,
            /// How many it reaches.
            needed: usize,
            /// How many there are.
            given: usize,
        } => "the {operand} reaches {needed} elements, and there are {given}";
        /// A buffer of fewer bytes than an array reaches.
        Bytes {
            /// How many it reaches.
            needed: usize,
            /// How many there are.
            given: usize,
        } => "the array reaches {needed} bytes, and there are {given}";
        /// Rows that are longer than the distance between them.
        Pitch {
            /// The bytes of a row.
            row: usize,
            /// The distance.
            pitch: isize,
        } => "rows of {row} bytes do not fit a pitch of {pitch} bytes";
        /// Elements of no bytes.
        NoBytes => "elements of 0 bytes have no place in a row of bytes";
        /// Elements of another size.
        Element {
            /// The bytes of an element of the array.
            wanted: usize,
            /// The bytes of the other one.
            given: usize,
        } => "the array has elements of {wanted} bytes, and these have {given}";
        /// A stride or an offset between elements.
        Divided {
            /// The stride or the offset.
            bytes: usize,
            /// The bytes of an element.
            element: usize,
        } => "{bytes} bytes are no multiple of the {element} bytes of an element";
        /// Bytes that do not begin where an element may.
        Alignment {
            /// The alignment of an element.
            bytes: usize,
        } => "the bytes do not begin at a multiple of the {bytes} that elements need";
        /// Another number of axes than needed.
        Rank {
            /// The number that is needed.
            needed: usize,
            /// The number there is.
            rank: usize,
        } => "{needed} axes are needed, and there are {rank}";
        /// An axis that goes backwards, where axes go forwards.
        Backwards {
            /// The axis.
            axis: usize,
            /// Its stride.
            stride: isize,
        } => "axis {axis} has the stride {stride}, and only axes that go forwards fit here";
        /// Two coordinates share an element, or axes interleave, where every coordinate has to have
        /// an element of its own.
        Overlap {
            /// The layout.
            layout: String,
        } => "two coordinates of {layout} may share an element";
        /// Matrices that have no product of this shape.
        Product {
            /// The shape of the left factor.
            left: (usize, usize),
            /// The shape of the right factor.
            right: (usize, usize),
            /// The shape of the product.
            product: (usize, usize),
        } => "matrices of the shapes {left:?} and {right:?} have no product of the shape \
              {product:?}";
    } from {
        /// No view has this shape: the elements have to be copied.
        NeedsCopy(NeedsCopy);
        /// An invalid pattern of names, or one that does not fit the shapes.
        Pattern(Box<PatternError>);
        /// A DLPack tensor that cannot be used.
        #[cfg(feature = "dlpack")]
        Dlpack(crate::DlpackFault);
        /// A copy cannot be planned or run.
        #[cfg(feature = "relayout")]
        Relayout(Box<layout_relayout::RelayoutError>);
        /// An operation of the crate `layout-algebra` has no result.
        Layout(Box<LayoutError>);
    }
}

/// Two axes that cannot be folded to one stride.
///
/// `outer` and `inner` are axes of the layout; `inner` is the next axis after `outer` with more
/// than one element. They fold if `strides[0] == extents[1] * strides[1]`.
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
    /// The names of the two axes, if a pattern names them.
    pub names: Option<Box<[String; 2]>>,
}

/// An error in a pattern, and its place.
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
    /// The bytes of the pattern at which the error is.
    pub at: Range<usize>,
    /// What is wrong, in a sentence.
    pub message: String,
}

#[cfg(feature = "dlpack")]
errors! {
    /// Why a DLPack tensor cannot be used.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    DlpackFault {
        /// A major version other than 1.
        Version {
            /// The version.
            major: u32,
        } => "DLPack of version {major}, and this reads version 1";
        /// Memory of another device than the CPU.
        Device {
            /// The number of the device's type.
            device: u32,
        } => "the memory of a device of type {device}, and 1 is the CPU";
        /// Elements of another type.
        ElementType {
            /// The type's code, its bits and its lanes.
            found: [u16; 3],
            /// The code and the bits of the requested type.
            wanted: [u16; 2],
        } => "elements of type code {} of {} bits, {} in one, and not {} of {}",
            found[0], found[1], found[2], wanted[0], wanted[1];
        /// A number that does not fit `usize` or `isize`.
        Number => "an extent, a stride or an offset does not fit `isize`";
        /// A null pointer for a tensor with elements.
        NoMemory {
            /// How many elements there should be.
            needed: usize,
        } => "a null pointer for {needed} elements";
        /// Read-only memory.
        ReadOnly => "the memory may be read and not written";
    }
}

impl PatternError {
    pub(crate) fn new(pattern: &str, at: Range<usize>, message: impl Into<String>) -> Self {
        PatternError { pattern: pattern.into(), at, message: message.into() }
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
        let columns =
            |bytes: Range<usize>| pattern.get(bytes).map_or(0, |text| text.chars().count());
        let (before, width) = (columns(0..at.start), columns(at.clone()).max(1));
        write!(f, "{message}\n  {pattern}\n  {:before$}{:^<width$}", "", "")
    }
}

impl core::error::Error for NeedsCopy {}
impl core::error::Error for PatternError {}
impl core::error::Error for ArrayError {}
