//! The table of a layout of rank 1 or 2.

use super::layout::DynLayout;
use crate::error::{Fault, LayoutError};
use crate::layout::print::HasTable;

/// ```
/// # use layout_algebra::prelude::*;
/// let l: DynLayout = "(2,3):(3,1)".parse()?;
/// assert_eq!(l.table()?.to_string(), "\
/// (2,3):(3,1)
///       0   1   2
///     +---+---+---+
///  0  | 0 | 1 | 2 |
///     +---+---+---+
///  1  | 3 | 4 | 5 |
///     +---+---+---+
/// ");
/// assert_eq!("(2,3,4):(1,2,6)".parse::<DynLayout>()?.table().unwrap_err().kind().as_str(), "rank");
/// # Ok::<(), LayoutError>(())
/// ```
#[doc(hidden)]
impl HasTable for DynLayout {
    type Answer<T> = Result<T, LayoutError>;
    fn if_flat<T>(&self, make: impl FnOnce() -> T) -> Result<T, LayoutError> {
        match self.rank() {
            // The cells show offsets of memory.
            _ if self.base() != 0 => {
                Err(LayoutError::new("table", Fault::NoNaturalStrides).with_operand(self))
            }
            1 | 2 => Ok(make()),
            rank => {
                Err(LayoutError::new("table", Fault::Rank { needed: 2, rank }).with_operand(self))
            }
        }
    }
}
