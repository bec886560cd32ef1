//! Errors.

use std::fmt;

use layout_algebra::{DynLayout, LayoutError};

/// Why a question has no answer, or a search no result.
///
/// [`is_undecided`](Error::is_undecided): the search gave up, rather than proved that there is no
/// result.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_analysis::Analysis;
/// let error = "(2,3):(1,1)".parse::<DynLayout>()?.permutation().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "(2,3):(1,1) is no permutation: offset 4 below its size 6 is not reached"
/// );
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// An error of the algebra.
    Layout(LayoutError),
    /// An offset, a count or a size exceeds its integer type.
    Overflow {
        /// The layout.
        layout: String,
    },
    /// More coordinates or offsets than the limit of the search.
    TooMany {
        /// The layout.
        layout: String,
        /// How many there are.
        count: u128,
        /// The limit.
        most: usize,
    },
    /// A search reached its limit of steps.
    GaveUp {
        /// What was searched for.
        what: String,
        /// The steps.
        steps: usize,
    },
    /// No coordinate has this offset below the size, or a coordinate has this offset outside
    /// `0..size`.
    NoPermutation {
        /// The layout.
        layout: String,
        /// Its size.
        size: usize,
        /// The offset.
        offset: i128,
    },
    /// No layout has these values.
    NoLayout {
        /// The expression that the layout should be.
        what: String,
        /// Why there is none.
        reason: NoLayout,
    },
    /// No coordinate of the left operand has an offset of the other one.
    NotReached {
        /// The layout whose coordinates are searched.
        left: String,
        /// The layout that has the offset.
        right: String,
        /// The index of the coordinate of `right` with the offset.
        coordinate: usize,
        /// The offset.
        offset: i128,
    },
    /// All natural strides and all XOR strides were tried, and none solves the equation.
    NoSolution {
        /// The layout on the left.
        left: String,
        /// The layout on the right of the equation.
        right: String,
    },
    /// A range outside of a mode.
    Range {
        /// The layout.
        layout: String,
        /// The mode.
        mode: usize,
        /// The range.
        range: std::ops::Range<usize>,
        /// The size of the mode, or `None` if the layout has no such mode.
        size: Option<usize>,
    },
    /// Text that is not an [`AxisLayout`](crate::AxisLayout).
    AxisText {
        /// The text.
        text: String,
        /// Why.
        why: String,
    },
    /// A stride names an axis that the layout does not have.
    NoAxis {
        /// The layout.
        layout: String,
        /// The axis.
        axis: usize,
        /// The rank of the layout.
        rank: usize,
    },
    /// An order of lanes that is not a permutation.
    Order {
        /// The number of lanes.
        lanes: usize,
    },
    /// Elements of one access that are not contiguous, not aligned or not in the memory.
    Access {
        /// Which, and why.
        reason: String,
    },
    /// A number that is not allowed.
    Number {
        /// The parameter.
        what: &'static str,
        /// The number.
        number: usize,
        /// The allowed numbers.
        needed: &'static str,
    },
}

/// Why no layout has these values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoLayout {
    /// The stride is constant for `steps` steps, which do not divide the remaining steps.
    Steps {
        /// The mode of the right operand.
        mode: usize,
        /// The steps of constant stride.
        steps: usize,
        /// The remaining steps.
        left: usize,
    },
    /// The value at a coordinate is not the sum of the values of its digits.
    NotAdditive {
        /// The index of the coordinate.
        coordinate: usize,
        /// Its value.
        value: i128,
        /// The sum.
        sum: i128,
    },
}

impl Error {
    /// Whether the search gave up, so that there may be a result.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_analysis::Analysis;
    /// let large: DynLayout = "(1000003,1000003):(1000003,1)".parse()?;
    /// assert!(large.permutation().unwrap_err().is_undecided());
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn is_undecided(&self) -> bool {
        matches!(self, Error::TooMany { .. } | Error::GaveUp { .. } | Error::Overflow { .. })
    }

    pub(crate) fn overflow(layout: &DynLayout) -> Error {
        Error::Overflow { layout: layout.to_string() }
    }
}

impl From<LayoutError> for Error {
    fn from(error: LayoutError) -> Self {
        Error::Layout(error)
    }
}

impl fmt::Display for NoLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoLayout::Steps { mode, steps, left } => {
                write!(
                    f,
                    "in mode {mode} the stride is constant for {steps} steps, which do not divide \
                     the remaining {left}"
                )
            }
            NoLayout::NotAdditive { coordinate, value, sum } => {
                write!(
                    f,
                    "the value at coordinate {coordinate} is {value}, and the sum over its digits \
                     is {sum}"
                )
            }
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Layout(error) => fmt::Display::fmt(error, f),
            Error::Overflow { layout } => {
                write!(f, "a count or an offset of {layout} exceeds its integer type")
            }
            Error::TooMany { layout, count, most } => {
                write!(
                    f,
                    "not decided: {layout} has {count} coordinates or offsets, and the limit is \
                     {most}"
                )
            }
            Error::GaveUp { what, steps } => {
                write!(f, "not decided: no {what} was found within {steps} steps")
            }
            Error::NoPermutation { layout, size, offset }
                if (0..*size as i128).contains(offset) =>
            {
                write!(
                    f,
                    "{layout} is no permutation: offset {offset} below its size {size} is not \
                     reached"
                )
            }
            Error::NoPermutation { layout, size, offset } => {
                write!(
                    f,
                    "{layout} is no permutation: it reaches offset {offset}, and its size is \
                     {size}"
                )
            }
            Error::NoLayout { what, reason } => write!(f, "no layout is {what}: {reason}"),
            Error::NotReached { left, right, coordinate, offset } => write!(
                f,
                "there is no x with {left} o x = {right}: coordinate {coordinate} of {right} has \
                 the offset {offset}, which no coordinate of {left} has"
            ),
            Error::NoSolution { left, right } => {
                write!(
                    f,
                    "there is no x with {left} o x = {right}: all natural strides and all XOR \
                     strides were tried"
                )
            }
            Error::Range { layout, mode, range, size: Some(size) } => {
                let (start, end) = (range.start, range.end);
                write!(
                    f,
                    "{start}..{end} is no range of mode {mode} of {layout}, whose size is {size}"
                )
            }
            Error::Range { layout, mode, size: None, .. } => {
                write!(f, "{layout} has no mode {mode}")
            }
            Error::AxisText { text, why } => {
                write!(f, "{text} is no layout of steps along axes: {why}")
            }
            Error::NoAxis { layout, axis, rank } => {
                write!(f, "there are steps along axis {axis}, and {layout} has rank {rank}")
            }
            Error::Order { lanes } => write!(f, "an order of lanes has each of 0..{lanes} once"),
            Error::Access { reason } => f.write_str(reason),
            Error::Number { what, number, needed } => {
                write!(f, "{what} is {number}, and has to be {needed}")
            }
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}
