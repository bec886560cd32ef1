//! The operations by name: compile errors and [`LayoutError`](crate::LayoutError) say which one was refused.

use crate::display::{Notation, notation};
use crate::error::{Fault, LayoutError};
use crate::undefined::Outcome;

/// What an operation takes: it is copied for the error message, should there be one.
pub trait Operand: Notation + Copy {}
impl<T: Notation + Copy> Operand for T {}

/// Runs an operation, and makes an error of a fault: the operation, both operands, the rule.
#[inline(always)]
pub(crate) fn settle<Op, A, B, R>(
    left: A,
    right: B,
    compute: impl FnOnce(A, B) -> Result<R, Fault>,
) -> Result<R::Output, LayoutError>
where
    Op: Operation,
    A: Operand,
    B: Operand,
    R: Outcome<Op>,
{
    match compute(left, right) {
        Ok(result) => Ok(result.outcome()),
        Err(fault) => Err(refuse::<Op, A, B>(left, right, fault)),
    }
}

#[cold]
fn refuse<Op: Operation, A: Operand, B: Operand>(left: A, right: B, fault: Fault) -> LayoutError {
    LayoutError::new(Op::NAME, fault).with_operands(&notation(left), &notation(right))
}

/// An operation, as messages name it.
pub trait Operation {
    /// The name of the method.
    const NAME: &'static str;
}

macro_rules! operations {
    ($($operation:ident $name:literal;)*) => {
        $(#[doc = concat!("`", $name, "`")]
        pub struct $operation;
        impl Operation for $operation {
            const NAME: &'static str = $name;
        })*
    };
}
operations! {
    CoalesceBy "coalesce_by";
    Compose "compose";
    Complement "complement";
    ComplementCeil "complement_ceil";
    LogicalDivide "logical_divide";
    ZippedDivide "zipped_divide";
    RoundUp "round_up";
}

/// The operations whose right operand is a tile, so that a number `n` means the layout `n:1`.
pub trait OnTiles {}
impl OnTiles for Compose {}
impl OnTiles for LogicalDivide {}
impl OnTiles for RoundUp {}
