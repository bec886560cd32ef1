//! A grid of cells with its title and its sides.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use layout_algebra::{DynShape, Fault};

use crate::axis::Axis;
use crate::color::Scale;

/// One cell of a grid.
#[derive(Clone, Default)]
pub(crate) struct Cell {
    /// The label, in one line or two.
    pub(crate) label: String,
    /// The full label of a table, if the label is abbreviated.
    pub(crate) all: Option<String>,
    /// The number of the colour.
    pub(crate) number: Option<usize>,
    /// 0 to 3, paler and paler.
    pub(crate) shade: u8,
    pub(crate) mark: Mark,
}

/// The highlight of a cell.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Mark {
    #[default]
    None,
    /// Chosen by the caller.
    Chosen,
    /// In a bank conflict.
    Conflict,
}

/// A grid of cells, in column-major order.
#[derive(Clone)]
pub(crate) struct Panel {
    pub(crate) title: String,
    pub(crate) rows: Axis,
    pub(crate) columns: Axis,
    pub(crate) scale: Scale,
    pub(crate) cells: Vec<Cell>,
}

/// The first label of a cell, and the number of further ones.
pub(crate) fn and_others(first: &dyn fmt::Display, others: usize) -> String {
    if others == 0 { first.to_string() } else { format!("{first}+{others}") }
}

/// The most cells of a grid.
pub(crate) const MOST_CELLS: usize = 1 << 18;

/// An error for too many cells.
pub(crate) fn few_enough(cells: usize) -> Result<usize, Fault> {
    if cells > MOST_CELLS { Err(Fault::Cells { cells, most: MOST_CELLS }) } else { Ok(cells) }
}

/// The sides of a grid of this shape, whose size fits `usize`: a row for each coordinate of mode 0;
/// a single mode is one row.
pub(crate) fn sides(shape: &DynShape) -> Result<(Axis, Axis), Fault> {
    let modes: Vec<_> = shape.children().collect();
    let (rows, columns) = match &modes[..] {
        [mode] => (Axis::numbers(1, 1), Axis::of(mode, 0)),
        [rows, columns] => (Axis::of(rows, 0), Axis::of(columns, 1)),
        _ => return Err(Fault::Rank { needed: 2, rank: modes.len() }),
    };
    // A grid without cells has sides as well.
    if rows.count().min(columns.count()) == 0 {
        few_enough(rows.count().max(columns.count()))?;
    }
    Ok((rows, columns))
}
