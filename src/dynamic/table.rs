//! The table of a rank-2 layout.

use core::fmt;

use super::layout::DynLayout;
use crate::error::{Fault, LayoutError};
use crate::layout::print::Table;

impl DynLayout {
    /// The offsets of a rank-2 layout as a table with row and column headers.
    ///
    /// Law: row i, column j shows `L(i, j)`. CuTe: `print_layout`.
    ///
    /// # Errors
    /// `rank` if the rank is not 2.
    ///
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
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn table(&self) -> Result<impl fmt::Display + '_, LayoutError> {
        if self.rank() != 2 {
            let fault = Fault::Rank { needed: 2, rank: self.rank() };
            return Err(LayoutError::new("table", fault).with_operand(self));
        }
        let mut sizes = self.view().modes().map(|mode| mode.size());
        let (rows, columns) = (sizes.next().unwrap_or(1), sizes.next().unwrap_or(1));
        Ok(Table::new(self, rows, columns, self.cosize(), |row, column| self.index([row, column])))
    }
}
