//! A picture in a terminal: cells in rows and columns with rules between them, as CuTe's
//! `print_layout` prints them.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Debug, Display, Formatter};

use crate::axis::Axis;
use crate::panel::{Cell, Mark, Panel};
use crate::picture::Picture;

impl Picture {
    /// The picture as a table: plain text, or with colours in a terminal. `*` marks chosen cells,
    /// `!` cells in a bank conflict.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_draw::Draw;
    /// let picture = layout!((2, 2):(1, 2)).draw_thread_values((2, 2), Some(1))?;
    /// assert_eq!(picture.table().to_string(), "\
    /// (2,2):(1,2) in (2,2)
    ///           0       1
    ///     +-------+-------+
    ///  0  |  T0V0 |  T0V1 |
    ///     +-------+-------+
    ///  1  | T1V0* | T1V1* |
    ///     +-------+-------+
    /// ");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn table(self) -> Table {
        Table { picture: self, width: usize::MAX }
    }
}

/// A picture as a table, by [`Picture::table`].
///
/// `Display` is always plain text, so that tests can compare it. `print` (feature `std`) writes to
/// the standard output, with colours if that is a terminal; [`colored`](Table::colored) is the text
/// with colours.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_draw::{ColorBy, Draw};
/// let table = layout!((2, 3): right).draw(ColorBy::Offset)?.table();
/// table.print(); // with colours in a terminal
/// assert!(!table.to_string().contains('\x1b') && table.colored().to_string().contains("\x1b[30;48;5;153m 0 \x1b[0m"));
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Clone)]
pub struct Table {
    picture: Picture,
    width: usize,
}

impl Table {
    /// The table in lines of at most `width` characters, if possible: columns that do not fit
    /// follow below, and text is wrapped at spaces. A column wider than `width` is not split.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_draw::{ColorBy, Draw};
    /// let table = layout!((1, 8)).draw(ColorBy::Offset)?.table().within(20);
    /// assert!(table.to_string().lines().all(|line| line.len() <= 20));
    /// assert_eq!(table.to_string().matches("| 0 |").count(), 1);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn within(self, width: usize) -> Table {
        Table { width, ..self }
    }
    /// The table with colours by ANSI escape sequences: eight colours, repeated.
    pub fn colored(&self) -> impl Display + '_ {
        Colored(self)
    }
    /// Prints the table, with colours if the standard output is a terminal and `NO_COLOR` is unset
    /// or empty.
    #[cfg(feature = "std")]
    pub fn print(&self) {
        use std::io::IsTerminal;
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        match std::io::stdout().is_terminal() && !refused {
            true => std::print!("{}", self.colored()),
            false => std::print!("{self}"),
        }
    }
}

impl Display for Table {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write(self, false, f)
    }
}
impl Debug for Table {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

struct Colored<'a>(&'a Table);
impl Display for Colored<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write(self.0, true, f)
    }
}

fn write(Table { picture, width }: &Table, colors: bool, f: &mut Formatter<'_>) -> fmt::Result {
    picture.panels.iter().try_for_each(|placed| placed.panel.write(colors, *width, f))?;
    // Signs for the outlines of SVG.
    let notes = picture.notes.iter().map(|note| note.replace("outlined: ", "!: "));
    notes.into_iter().try_for_each(|note| broken(&note, *width, f))
}

/// A text in lines, wrapped at spaces.
fn broken(text: &str, width: usize, f: &mut Formatter<'_>) -> fmt::Result {
    let mut used = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        match used {
            0 => {}
            _ if used + 1 + length > width => {
                f.write_str("\n")?;
                used = 0;
            }
            _ => {
                f.write_str(" ")?;
                used += 1;
            }
        }
        f.write_str(word)?;
        used += length;
    }
    f.write_str("\n")
}

/// Light backgrounds under black text, of a terminal's 256 colours.
const COLORS: [u8; 8] = [153, 228, 157, 217, 189, 223, 159, 252];

/// The length of the longest of these texts.
fn widest<'a>(texts: impl IntoIterator<Item = &'a String>) -> usize {
    texts.into_iter().map(|text| text.chars().count()).max().unwrap_or(0)
}

fn heads(axis: &Axis) -> Vec<String> {
    (0..axis.count()).map(|i| axis.head(i)).collect()
}

/// The full label of a cell, in one line.
fn text(cell: &Cell) -> String {
    let mark = match cell.mark {
        Mark::None => "",
        Mark::Chosen => "*",
        Mark::Conflict => "!",
    };
    match &cell.all {
        Some(all) => format!("{all}{mark}"),
        None => cell.label.replace('\n', "") + mark,
    }
}

impl Panel {
    fn write(&self, colors: bool, room: usize, f: &mut Formatter<'_>) -> fmt::Result {
        let (rows, columns) = (heads(&self.rows), heads(&self.columns));
        let texts: Vec<_> = self.cells.iter().map(text).collect();
        let width = widest(&texts).max(widest(&columns));
        // A single row has no coordinate.
        let is_single = self.rows.levels().next().is_none();
        let side = if is_single { 2 } else { widest(&rows).max(2) };
        let rule = |f: &mut Formatter<'_>, count: usize| {
            write!(f, "{:side$}  ", "")?;
            (0..count).try_for_each(|_| write!(f, "+{:->1$}", "", width + 2))?;
            f.write_str("+\n")
        };
        let at_once = (room.saturating_sub(side + 3) / (width + 3)).max(1);

        broken(&self.title, room, f)?;
        let firsts = (0..columns.len().max(1)).step_by(at_once);
        for taken in firsts.map(|first| first..columns.len().min(first.saturating_add(at_once))) {
            write!(f, "{:side$} ", "")?;
            columns[taken.clone()].iter().try_for_each(|head| write!(f, "   {head:>width$}"))?;
            f.write_str("\n")?;
            rule(f, taken.len())?;
            for (row, head) in rows.iter().enumerate() {
                write!(f, "{:>side$}  ", if is_single { "" } else { head })?;
                for i in taken.clone().map(|column| row + rows.len() * column) {
                    match self.cells[i].number.filter(|_| colors) {
                        None => write!(f, "| {:>width$} ", texts[i])?,
                        Some(number) => {
                            let color = COLORS[number % COLORS.len()];
                            write!(f, "|\x1b[30;48;5;{color}m {:>width$} \x1b[0m", texts[i])?;
                        }
                    }
                }
                f.write_str("|\n")?;
                rule(f, taken.len())?;
            }
        }
        Ok(())
    }
}
