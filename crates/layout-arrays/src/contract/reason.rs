//! The three arrays of a contraction, and why one of them is copied.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::error::NeedsCopy;

/// The indices of the left array, the right array and the result in arrays of three.
pub(super) const LEFT: usize = 0;
pub(super) const RIGHT: usize = 1;
pub(super) const RESULT: usize = 2;

/// The names of the three arrays in messages.
pub(super) const OPERANDS: [&str; 3] = ["left array", "right array", "result"];

/// One of the three arrays of a [`Contraction`](crate::Contraction).
///
/// ```
/// assert_eq!(layout_arrays::Operand::Left.to_string(), "left array");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// The array before the comma.
    Left,
    /// The array after the comma.
    Right,
    /// The array after the arrow.
    Result,
}

/// An array that a [`Contraction`](crate::Contraction) copies in each run, and why.
///
/// ```
/// use layout_arrays::{ArrayLayout, Contraction, Operand};
/// let cube = ArrayLayout::row_major(&[32; 4])?;
/// let plan = Contraction::plan("a b c d, d b e f -> a c e f", &cube, &cube)?;
/// let [copy] = plan.copies() else { panic!() };
/// assert_eq!(copy.operand, Operand::Left);
/// assert_eq!(
///     copy.to_string(),
///     "left array: a copy is needed: axis `d` (extent 32, stride 1) and axis `b` (extent 32, \
///      stride 1024) have one stride only if the stride of axis `d` is 32 * 1024"
/// );
/// # Ok::<(), layout_arrays::ArrayError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperandCopy {
    /// The array.
    pub operand: Operand,
    /// Why it is copied.
    pub reason: CopyReason,
}

/// Why a [`Contraction`](crate::Contraction) copies an array.
///
/// ```
/// use layout_arrays::{ArrayLayout, Contraction, CopyReason};
/// let (a, b) = (ArrayLayout::row_major(&[2, 3])?, ArrayLayout::row_major(&[4])?);
/// let plan = Contraction::plan("i x, j -> i j", &a, &b)?;
/// assert_eq!(plan.copies()[0].reason, CopyReason::Sum { names: vec!["x".into()] });
/// # Ok::<(), layout_arrays::ArrayError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CopyReason {
    /// Two axes of one group have no single stride.
    Fold(NeedsCopy),
    /// Axes that only this array has are summed first.
    Sum {
        /// The names of the axes.
        names: Vec<String>,
    },
    /// The elements of a row of the result lie apart.
    Row {
        /// The axis along which the result is contiguous.
        row: String,
        /// The stride of the array along this axis.
        stride: isize,
    },
    /// The elements of a matrix lie apart, because an axis of the batch lies between them.
    Scattered {
        /// The axis of the batch.
        axis: String,
        /// Its stride.
        stride: isize,
    },
}

impl Operand {
    pub(super) const ALL: [Operand; 3] = [Operand::Left, Operand::Right, Operand::Result];
}
impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(OPERANDS[*self as usize])
    }
}
impl fmt::Display for OperandCopy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.operand, self.reason)
    }
}
impl fmt::Display for CopyReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fold(fault) => fault.fmt(f),
            Self::Sum { names } => {
                write!(f, "axis `{}` is summed up first", names.join("`, axis `"))
            }
            Self::Row { row, stride } => write!(
                f,
                "along axis `{row}` its elements lie {stride} apart, and those of the result side \
                 by side"
            ),
            Self::Scattered { axis, stride } => {
                write!(
                    f,
                    "axis `{axis}` of the batch, of stride {stride}, lies within its matrices"
                )
            }
        }
    }
}
