//! The errors. Each message is a sentence.

use std::fmt;

use layout_algebra::LayoutError;

use crate::machine::InstructionSet;

/// Why there is no plan, or why a plan does not run. In both cases nothing has been written.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_relayout::Relayout;
/// let error = Relayout::plan(&layout!((4, 6)), &layout!((6, 4)), 4).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "no relayout of (4,6):(1,4) to (6,4):(1,6): their shapes (4,6) and (6,4) have other coordinates; \
///      `plan_by_number` pairs those of one number"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RelayoutError {
    /// The two layouts do not have the same coordinates.
    Shapes {
        /// The source's layout.
        from: String,
        /// The destination's layout.
        to: String,
        /// Why the coordinates differ, with the numbers.
        why: String,
    },
    /// A slice is shorter than the cosize of its layout.
    Length {
        /// `source` or `destination`.
        of: &'static str,
        /// The cosize.
        cosize: usize,
        /// The length of the slice.
        length: usize,
    },
    /// The plan was made for elements of another size.
    Element {
        /// The bytes of an element of the plan.
        planned: usize,
        /// The bytes of an element of the slices.
        given: usize,
    },
    /// The bytes of a layout exceed `isize`.
    Overflow {
        /// The layout.
        layout: String,
        /// The bytes of an element.
        element: usize,
    },
    /// The number of bytes to move exceeds `isize`: a stride of 0 repeats some bytes.
    Count {
        /// The layout.
        layout: String,
        /// The number of its coordinates.
        size: usize,
        /// The bytes of an element.
        element: usize,
    },
    /// The reduced modes are empty, and an empty set has no largest element.
    Empty {
        /// The destination's layout.
        to: String,
    },
    /// The number of scales or of biases differs from the size of the source's mode.
    Channels {
        /// The source's layout.
        from: String,
        /// The mode.
        mode: usize,
        /// The size of the mode, if the mode exists.
        size: Option<usize>,
        /// The numbers of scales and of biases.
        given: [usize; 2],
    },
    /// The processor does not have the instruction set.
    Unavailable(InstructionSet),
    /// Two coordinates of the destination share an offset, and the result would be undefined.
    Overlap {
        /// The destination's layout.
        to: String,
    },
    /// An operation of the algebra has no result.
    Layout(LayoutError),
}

/// A count with its noun, in the singular or the plural.
struct Counted(usize, &'static str);

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}{}", self.0, self.1, if self.0 == 1 { "" } else { "s" })
    }
}

impl fmt::Display for RelayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shapes { from, to, why } => write!(f, "no relayout of {from} to {to}: {why}"),
            Self::Length { of, cosize, length } => {
                write!(
                    f,
                    "the {of}'s layout needs {}, and the slice has {length}",
                    Counted(*cosize, "element")
                )
            }
            Self::Element { planned, given } => {
                write!(
                    f,
                    "the plan moves elements of {}, and these have {given}",
                    Counted(*planned, "byte")
                )
            }
            Self::Overflow { layout, element } => {
                let element = Counted(*element, "byte");
                write!(
                    f,
                    "elements of {element} under {layout} take more than {} bytes",
                    isize::MAX
                )
            }
            Self::Count { layout, size, element } => write!(
                f,
                "{} of {}, one for each coordinate of {layout}, are more than {} bytes",
                Counted(*size, "element"),
                Counted(*element, "byte"),
                isize::MAX
            ),
            Self::Empty { to } => write!(f, "no largest element: a mode that {to} drops is empty"),
            Self::Channels { from, mode, size: None, .. } => write!(f, "{from} has no mode {mode}"),
            Self::Channels { from, mode, size: Some(size), given: [scales, biases] } => write!(
                f,
                "mode {mode} of {from} has {}, and there are {} and {}",
                Counted(*size, "coordinate"),
                Counted(*scales, "scale"),
                if *biases == 1 { "1 bias".to_string() } else { format!("{biases} biases") }
            ),
            Self::Unavailable(set) => write!(f, "this processor does not have {set}"),
            Self::Overlap { to } => {
                write!(f, "two coordinates of the destination {to} may share an element")
            }
            Self::Layout(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RelayoutError {}

impl From<LayoutError> for RelayoutError {
    fn from(error: LayoutError) -> Self {
        Self::Layout(error)
    }
}
