//! A grid of cells with its title and its sides.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use super::axis::Axis;
use super::color::Scale;
use crate::dynamic::DynShape;
use crate::error::Fault;
use crate::layout::print::RuledCells;

/// One place of a grid.
#[derive(Clone, Default)]
pub(super) struct Cell {
    /// What stands there, in one line or two.
    pub(super) label: String,
    /// All that a table says there, where the label is shorter.
    pub(super) all: Option<String>,
    /// What it is coloured by.
    pub(super) number: Option<usize>,
    /// 0 to 3, paler and paler.
    pub(super) shade: u8,
    pub(super) mark: Mark,
}

/// What a cell is singled out as.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Mark {
    #[default]
    None,
    /// One that was asked for.
    Chosen,
    /// One that is in another's way.
    Conflict,
}

/// A grid of cells. Cells are known by their number, rows the fastest.
#[derive(Clone)]
pub(super) struct Panel {
    pub(super) title: String,
    pub(super) rows: Axis,
    pub(super) columns: Axis,
    pub(super) scale: Scale,
    pub(super) cells: Vec<Cell>,
}

/// The first of those that share a cell, and how many others do.
pub(super) fn and_others(first: &dyn fmt::Display, others: usize) -> String {
    if others == 0 { first.to_string() } else { format!("{first}+{others}") }
}

/// The most cells of a grid.
pub(super) const MOST_CELLS: usize = 1 << 18;

/// Refuses more cells than are drawn.
pub(super) fn few_enough(cells: usize) -> Result<usize, Fault> {
    if cells > MOST_CELLS { Err(Fault::Cells { cells, most: MOST_CELLS }) } else { Ok(cells) }
}

/// The sides of a grid of this shape, whose size fits: a row for each coordinate of mode 0; a single mode is one row.
pub(super) fn sides(shape: &DynShape) -> Result<(Axis, Axis), Fault> {
    let modes: Vec<_> = shape.children().collect();
    match &modes[..] {
        [mode] => Ok((Axis::numbers(1, 1), Axis::of(mode))),
        [rows, columns] => Ok((Axis::of(rows), Axis::of(columns))),
        _ => Err(Fault::Rank { needed: 2, rank: modes.len() }),
    }
}

impl Panel {
    /// As rows and columns of a terminal.
    pub(super) fn write(&self, colors: bool, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.title)?;
        // A single row has no number.
        let sides =
            if self.rows.levels().next().is_none() { vec![&self.columns] } else { vec![&self.rows, &self.columns] };
        let grid = RuledCells {
            rank: sides.len(),
            extent: &|mode| sides[mode].count(),
            head: &|mode, i, out| out.write_str(&sides[mode].head(i)),
            colour: &|i| self.cells[i].number.filter(|_| colors),
        };
        grid.ruled(f, &|i, out| {
            let cell = &self.cells[i];
            match &cell.all {
                Some(all) => out.write_str(all)?,
                None => cell.label.split('\n').try_for_each(|line| out.write_str(line))?,
            }
            out.write_str(match cell.mark {
                Mark::None => "",
                Mark::Chosen => "*",
                Mark::Conflict => "!",
            })
        })
    }
}
