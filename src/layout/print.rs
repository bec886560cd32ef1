//! Tables of offsets.
//!
//! ```text
//! (2,3):(3,1)
//!       0   1   2
//!     +---+---+---+
//!  0  | 0 | 1 | 2 |
//!     +---+---+---+
//!  1  | 3 | 4 | 5 |
//!     +---+---+---+
//! ```

use core::fmt;

use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::tuple::int_tuple::IntTuple;

/// A table of offsets with row and column headers, as CuTe's `print_layout` prints it. It is written when it is
/// displayed, row by row, and takes no memory.
#[derive(Clone, Copy)]
pub(crate) struct Table<T, F> {
    title: T,
    rows: usize,
    columns: usize,
    cosize: usize,
    offset: F,
}

impl<T: fmt::Display, F: Fn(usize, usize) -> usize> Table<T, F> {
    /// A table of `rows` and `columns` whose entries, all below `cosize`, are
    /// `offset(row, column)`; `title` is the first line.
    pub(crate) const fn new(title: T, rows: usize, columns: usize, cosize: usize, offset: F) -> Self {
        Table { title, rows, columns, cosize, offset }
    }
}

/// Decimal digits of the largest number below `end`.
fn digits(end: usize) -> usize {
    end.saturating_sub(1).checked_ilog10().map_or(1, |log| log as usize + 1)
}

impl<T: fmt::Display, F: Fn(usize, usize) -> usize> fmt::Display for Table<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = digits(self.cosize).max(digits(self.columns));
        let head = digits(self.rows).max(2);
        let rule = |f: &mut fmt::Formatter<'_>| {
            write!(f, "{:head$}  ", "")?;
            (0..self.columns).try_for_each(|_| write!(f, "+{:->1$}", "", width + 2))?;
            f.write_str("+\n")
        };
        writeln!(f, "{:#}", self.title)?;
        write!(f, "{:head$} ", "")?;
        (0..self.columns).try_for_each(|column| write!(f, "   {column:>width$}"))?;
        f.write_str("\n")?;
        rule(f)?;
        for row in 0..self.rows {
            write!(f, "{row:>head$}  ")?;
            (0..self.columns).try_for_each(|column| write!(f, "| {:>width$} ", (self.offset)(row, column)))?;
            f.write_str("|\n")?;
            rule(f)?;
        }
        Ok(())
    }
}

impl<R: IntTuple, C: IntTuple, RD: IntTuple, CD: IntTuple> StridedLayout<(R, C), (RD, CD)> {
    /// The offsets of a layout of rank 2 as a table with row and column headers. CuTe's `print_layout`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((2, 3):(3, 1)).table().to_string(), "\
    /// (2,3):(3,1)
    ///       0   1   2
    ///     +---+---+---+
    ///  0  | 0 | 1 | 2 |
    ///     +---+---+---+
    ///  1  | 3 | 4 | 5 |
    ///     +---+---+---+
    /// ");
    /// ```
    pub fn table(&self) -> impl fmt::Display + use<R, C, RD, CD> {
        let layout = *self;
        let (rows, columns) = self.shape();
        Table::new(layout, rows.size(), columns.size(), self.cosize(), move |i, j| layout.index((i, j)))
    }
}
