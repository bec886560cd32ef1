//! Tables: offsets, elements, or threads and values, in rows and columns.
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

use core::fmt::{self, Display, Formatter, Write};

use crate::layout::display::{Notation, notation};
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::number::table::Number;
use crate::pad::{Written, length_of};
use crate::tuple::int_tuple::IntTuple;

// ---- which layouts have one ---------------------------------------------------------------------

/// `L: HasTable`: the layout `L` has one mode or two, and so has a
/// [`table`](crate::LayoutAlgebra::table). For a `DynLayout` this is checked at run time.
///
/// ```
/// use layout_algebra::HasTable;
/// use layout_algebra::prelude::*;
/// fn is_there<L: HasTable>(layout: &L) -> L::Answer<usize> {
///     layout.if_flat(|| layout.size())
/// }
/// assert_eq!((is_there(&layout!((2, 3))), is_there(&"6:1".parse::<DynLayout>()?)?), (6, 6));
/// # Ok::<(), LayoutError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "this has no table: a layout of one mode or of two has one",
    label = "not a layout of one mode or of two",
    note = "`l.group::<1, 3>()` makes two modes of three, and `l.slice((.., .., 0))` takes two of them"
)]
pub trait HasTable: Layout<Offset: IntTuple> {
    /// `T`, or a `Result` of `T` if the rank is known only at run time.
    type Answer<T>;
    /// The result of `make`, if the layout has one mode or two.
    fn if_flat<T>(&self, make: impl FnOnce() -> T) -> Self::Answer<T>;
}
#[doc(hidden)]
impl<S: IntTuple + OneMode, D: IntTuple> HasTable for StridedLayout<S, D> {
    type Answer<T> = T;
    fn if_flat<T>(&self, make: impl FnOnce() -> T) -> T {
        make()
    }
}
#[doc(hidden)]
#[diagnostic::do_not_recommend]
impl HasTable for RefusedLayout {
    type Answer<T> = T;
    fn if_flat<T>(&self, make: impl FnOnce() -> T) -> T {
        make()
    }
}

/// A shape of one mode or two.
#[diagnostic::on_unimplemented(
    message = "this has no table: a layout of one mode or of two has one",
    label = "this layout has more than two modes",
    note = "`l.group::<1, 3>()` makes two modes of three, and `l.slice((.., .., 0))` takes two of them"
)]
pub trait OneMode {}
#[diagnostic::do_not_recommend]
impl<N: Number> OneMode for N {}
impl<A> OneMode for (A,) {}
impl<A, B> OneMode for (A, B) {}

// ---- tables -------------------------------------------------------------------------------------

/// A table, as [`LayoutAlgebra::table`](crate::LayoutAlgebra::table) and other methods return it.
///
/// Its `Display` is always plain text, so that a test can compare it. `print` (feature `std`)
/// writes to the standard output, with colours if that is a terminal; [`colored`](Table::colored)
/// is the text with colours.
///
/// ```
/// use layout_algebra::prelude::*;
/// let table = layout!((2, 3): right).table();
/// table.print(); // with colours in a terminal
/// assert!(!table.to_string().contains('\x1b') && table.colored().to_string().contains('\x1b'));
/// ```
#[derive(Clone, Copy)]
#[must_use]
pub struct Table<T>(pub(crate) T);

/// What can be drawn as a table.
pub trait Draw {
    /// Writes the table; cells are coloured if `colours` says so.
    #[doc(hidden)]
    fn draw(&self, colours: bool, out: &mut Formatter<'_>) -> fmt::Result;
}

impl<T: Draw> Display for Table<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.draw(false, f)
    }
}
debug_as_display! { [T: Draw] Table<T>; }
impl<T: Draw> Table<T> {
    /// The table with colours, by the escape sequences of terminals. Offsets have eight colours by
    /// turns, and so have threads: equal colours are offsets, or threads, that are equal modulo 8.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert!(layout!(4).table().colored().to_string().contains("\x1b[30;48;5;153m 0 \x1b[0m"));
    /// ```
    pub fn colored(&self) -> impl Display + '_ {
        Written(|f: &mut Formatter<'_>| self.0.draw(true, f))
    }
    /// Prints the table: with colours if the standard output is a terminal and the variable
    /// `NO_COLOR` is unset or empty, else without.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// layout!((4, 6)).table().print();
    /// ```
    #[cfg(feature = "std")]
    pub fn print(&self) {
        use std::io::IsTerminal;
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let colours = std::io::stdout().is_terminal() && !refused;
        std::print!("{}", Written(|f: &mut Formatter<'_>| self.0.draw(colours, f)));
    }
}

/// The offsets of a layout, as the content of its [`Table`].
#[derive(Clone, Copy)]
pub struct Offsets<L>(L);
impl<L: Layout<Offset: IntTuple> + Notation> Draw for Offsets<L> {
    fn draw(&self, colours: bool, f: &mut Formatter<'_>) -> fmt::Result {
        let layout = &self.0;
        writeln!(f, "{:#}", Written(|f: &mut Formatter<'_>| layout.write(f)))?;
        let colour = |i| {
            let mut sum = 0usize;
            L::Offset::each(layout.at(i).to_dynamic(), &mut |number| {
                sum = sum.wrapping_add(number)
            });
            colours.then_some(sum)
        };
        let grid = RuledCells {
            rank: layout.rank(),
            extent: &|mode| layout.mode_size(mode),
            colour: &colour,
        };
        grid.ruled(f, &|i, out| write!(out, "{:#}", notation(layout.at(i))))
    }
}
impl<L: HasTable> Offsets<L> {
    pub(crate) fn table(layout: &L) -> L::Answer<Table<Self>> {
        layout.if_flat(|| Table(Offsets(layout.clone())))
    }
}

/// Cells in rows and columns, one picture for each number of the modes behind the second. A cell is
/// named by its number, with the leftmost mode the fastest.
pub(crate) struct RuledCells<'a> {
    pub(crate) rank: usize,
    /// The size of a mode.
    pub(crate) extent: &'a dyn Fn(usize) -> usize,
    /// The number that decides the colour of a cell.
    pub(crate) colour: &'a dyn Fn(usize) -> Option<usize>,
}

/// Writes the cell of a number.
pub(crate) type WriteCell<'a> = &'a dyn Fn(usize, &mut dyn Write) -> fmt::Result;

impl RuledCells<'_> {
    fn is_empty(&self) -> bool {
        (0..self.rank).any(|mode| (self.extent)(mode) == 0)
    }
    fn rows(&self) -> usize {
        if self.rank < 2 { 1 } else { (self.extent)(0) }
    }
    fn columns(&self) -> usize {
        if self.rank < 2 { (self.extent)(0) } else { (self.extent)(1) }
    }
    fn size(&self) -> usize {
        if self.is_empty() { 0 } else { (0..self.rank).map(self.extent).product() }
    }

    /// The length of the longest cell.
    pub(crate) fn widest(&self, cell: WriteCell<'_>) -> Result<usize, fmt::Error> {
        (0..self.size()).try_fold(0, |widest, i| Ok(widest.max(length_of(|out| cell(i, out))?)))
    }

    /// Calls `picture` with the number of its first cell, once for each number of the modes behind
    /// the second; these numbers are written before the picture.
    pub(crate) fn pictures(
        &self,
        f: &mut Formatter<'_>,
        mut picture: impl FnMut(&mut Formatter<'_>, usize) -> fmt::Result,
    ) -> fmt::Result {
        let (area, pictures): (usize, usize) = match self.is_empty() {
            // The numbers of its rows and columns alone.
            true => (0, usize::from(self.rank <= 2)),
            false => (self.rows() * self.columns(), (2..self.rank).map(self.extent).product()),
        };
        for number in 0..pictures {
            if self.rank > 2 {
                f.write_str("(_,_")?;
                let mut rest = number;
                for mode in 2..self.rank {
                    write!(f, ",{}", rest % (self.extent)(mode))?;
                    rest /= (self.extent)(mode);
                }
                f.write_str(")\n")?;
            }
            picture(f, number * area)?;
        }
        Ok(())
    }

    /// The cells with rules between them and numbers of rows and columns, as CuTe's `print_layout`
    /// has them. A single mode is one row, without a number.
    pub(crate) fn ruled(&self, f: &mut Formatter<'_>, cell: WriteCell<'_>) -> fmt::Result {
        let (rows, columns) = (self.rows(), self.columns());
        let widest_head = |count: usize| count.checked_sub(1).map_or(0, digits);
        let width = self.widest(cell)?.max(widest_head(columns));
        let head = if self.rank < 2 { 2 } else { widest_head(rows).max(2) };
        let rule = |f: &mut Formatter<'_>| {
            write!(f, "{:head$}  ", "")?;
            (0..columns).try_for_each(|_| write!(f, "+{:->1$}", "", width + 2))?;
            f.write_str("+\n")
        };
        self.pictures(f, |f, first| {
            write!(f, "{:head$} ", "")?;
            (0..columns).try_for_each(|column| write!(f, "   {column:width$}"))?;
            f.write_str("\n")?;
            rule(f)?;
            for row in 0..rows {
                if self.rank < 2 {
                    write!(f, "{:head$}  ", "")?
                } else {
                    write!(f, "{row:head$}  ")?
                }
                for column in 0..columns {
                    let i = first + row + rows * column;
                    let text = |f: &mut Formatter<'_>| {
                        write!(f, " {:1$}", "", width - length_of(|out| cell(i, out))?)?;
                        cell(i, f)?;
                        f.write_str(" ")
                    };
                    f.write_str("|")?;
                    match (self.colour)(i) {
                        None => text(f)?,
                        Some(number) => {
                            write!(f, "\x1b[30;48;5;{}m", COLOURS[number % COLOURS.len()])?;
                            text(f)?;
                            f.write_str("\x1b[0m")?;
                        }
                    }
                }
                f.write_str("|\n")?;
                rule(f)?;
            }
            Ok(())
        })
    }

    /// The cells in columns of one width, two spaces before each.
    pub(crate) fn bare(
        &self,
        f: &mut Formatter<'_>,
        mut cell: impl FnMut(&mut Formatter<'_>, usize) -> fmt::Result,
    ) -> fmt::Result {
        if self.is_empty() {
            return Ok(());
        }
        let (rows, columns) = (self.rows(), self.columns());
        self.pictures(f, |f, first| {
            for row in 0..rows {
                for column in 0..columns {
                    f.write_str("  ")?;
                    cell(f, first + row + rows * column)?;
                }
                f.write_str("\n")?;
            }
            Ok(())
        })
    }
}

/// How many digits a number has.
fn digits(number: usize) -> usize {
    number.checked_ilog10().map_or(1, |tens| tens as usize + 1)
}

/// Light backgrounds under black text, of a terminal's 256 colours.
const COLOURS: [u8; 8] = [153, 228, 157, 217, 189, 223, 159, 252];

// ---- threads and values -------------------------------------------------------------------------

/// For each element of a tile, its thread and its number among the values of that thread:
/// [`LayoutAlgebra::thread_value_table`](crate::LayoutAlgebra::thread_value_table) shows them.
///
/// ```
/// use layout_algebra::prelude::*;
/// // Two threads below one another, with two values each side by side, in a tile of 2 x 2.
/// let tv = layout!((2, 2):(1, 2));
/// assert_eq!(tv.thread_value_table().of_tile((2, 2)).to_string(), "\
/// (2,2):(1,2)
///          0      1
///     +------+------+
///  0  | T0V0 | T0V1 |
///     +------+------+
///  1  | T1V0 | T1V1 |
///     +------+------+
/// ");
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone)]
pub struct ThreadValues {
    title: alloc::string::String,
    extents: alloc::vec::Vec<usize>,
    /// For each element its threads and values.
    owners: alloc::vec::Vec<alloc::vec::Vec<(usize, usize)>>,
}
#[cfg(feature = "alloc")]
impl ThreadValues {
    /// The elements that `layout` deals out, a tile of one mode.
    pub(crate) fn of<L: Layout<Offset = usize>>(layout: &L, title: impl Display) -> Self {
        let threads = layout.mode_size(0);
        let mut owners = alloc::vec::Vec::new();
        for i in 0..layout.size() {
            let element = layout.at(i);
            if element >= owners.len() {
                owners.resize(element + 1, alloc::vec::Vec::new());
            }
            owners[element].push((i % threads, i / threads));
        }
        ThreadValues {
            title: alloc::format!("{title:#}"),
            extents: alloc::vec![owners.len()],
            owners,
        }
    }
    /// The same elements in a tile of these extents.
    pub(crate) fn in_tile(mut self, extents: alloc::vec::Vec<usize>) -> Self {
        self.extents = extents;
        self
    }
}
#[cfg(feature = "alloc")]
impl Draw for ThreadValues {
    fn draw(&self, colours: bool, f: &mut Formatter<'_>) -> fmt::Result {
        let owners = |i: usize| self.owners.get(i).map_or(&[][..], |owners| owners);
        writeln!(f, "{}", self.title)?;
        let colour = |i| owners(i).first().filter(|_| colours).map(|owner| owner.0);
        let grid = RuledCells {
            rank: self.extents.len(),
            extent: &|mode| self.extents[mode],
            colour: &colour,
        };
        grid.ruled(f, &|i, out| {
            owners(i).iter().enumerate().try_for_each(|(k, (thread, value))| {
                out.write_str(if k > 0 { "," } else { "" })?;
                write!(out, "T{thread}V{value}")
            })
        })
    }
}
#[cfg(feature = "alloc")]
impl Table<ThreadValues> {
    /// The table of a tile of this shape, the leftmost mode the fastest: a row for each number of
    /// mode 0.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let (_, tv) = make_layout_tv(layout!((2, 1)), layout!((1, 2)))?;
    /// assert_eq!(tv.thread_value_table().of_tile((2, 2)).to_string(), "\
    /// (2,2):(1,2)
    ///          0      1
    ///     +------+------+
    ///  0  | T0V0 | T0V1 |
    ///     +------+------+
    ///  1  | T1V0 | T1V1 |
    ///     +------+------+
    /// ");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn of_tile<S: IntTuple>(self, shape: S) -> Self {
        let extents =
            (0..S::RANK).map(|mode| crate::tuple::node::mode_size(shape.node(), mode)).collect();
        Table(self.0.in_tile(extents))
    }
}
