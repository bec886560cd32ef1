//! Memory as a line, broken as lines of text are.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::axis::Axis;
use super::color::Scale;
use super::drawn::{Drawn, RunTimeLayout};
use super::panel::{Cell, Panel, and_others, few_enough};
use super::picture::Picture;
use crate::error::{Fault, LayoutError};

/// How many places stand beside one another, and how many where coordinates are longer than [`LONG`].
const PER_LINE: [usize; 2] = [16, 8];
const LONG: usize = 9;

/// Memory as a line, in rows of 16 places, or of 8 where coordinates are long: at each offset the coordinate that lies
/// there. A place that no coordinate reaches is empty; where several lie, the first one is written and how many others
/// there are. Colours go with the numbers of the coordinates, the leftmost mode the fastest.
///
/// # Errors
/// `bounds` for more than 262,144 coordinates or places, `stride` if offsets are negative.
///
/// ```
/// use layout_algebra::draw;
/// use layout_algebra::prelude::*;
/// // Rows 4 apart, of which 3 places are used.
/// assert_eq!(draw::memory(&layout!((2, 3):(4, 1)))?.table().to_string(), "\
/// (2,3):(4,1) in memory
///           0       1       2       3       4       5       6
///     +-------+-------+-------+-------+-------+-------+-------+
///     | (0,0) | (0,1) | (0,2) |       | (1,0) | (1,1) | (1,2) |
///     +-------+-------+-------+-------+-------+-------+-------+
/// ");
/// # Ok::<(), LayoutError>(())
/// ```
pub fn memory<L: Drawn>(layout: &L) -> Result<Picture, LayoutError> {
    let layout = layout.to_dynamic();
    let panel = line(&layout, format!("{layout} in memory"));
    panel.map(Picture::of).map_err(|fault| LayoutError::new("draw", fault).with_operand(&layout))
}

fn line(layout: &impl RunTimeLayout, title: String) -> Result<Panel, Fault> {
    layout.fault().map_or(Ok(()), Err)?;
    let shape = layout.shape();
    let offsets: Vec<usize> = (0..few_enough(layout.size())?).map(|i| layout.at(i)).collect();
    let length = match offsets.iter().max() {
        Some(&last) => few_enough(last.saturating_add(1))?,
        None => 0,
    };
    // The coordinate of the last number has the most digits.
    let letters = layout.size().checked_sub(1).map_or(0, |last| shape.coord(last).to_string().len());
    let columns = length.clamp(1, PER_LINE[usize::from(letters > LONG)]);
    let rows = length.div_ceil(columns);
    // The numbers of the coordinates at each offset.
    let mut there = vec![Vec::new(); rows * columns];
    offsets.iter().enumerate().for_each(|(i, &offset)| there[offset].push(i));
    let cell = |i: usize| match &there[i % rows * columns + i / rows][..] {
        [] => Cell::default(),
        all @ [first, others @ ..] => {
            let texts: Vec<_> = all.iter().map(|&i| shape.coord(i).to_string()).collect();
            Cell {
                label: and_others(&texts[0], others.len()),
                all: Some(texts.join(" ")),
                number: Some(*first),
                ..Cell::default()
            }
        }
    };
    Ok(Panel {
        title,
        rows: Axis::numbers(rows, columns),
        columns: Axis::numbers(columns.min(length), 1),
        scale: Scale::Ramp { most: layout.size().saturating_sub(1) },
        cells: (0..rows * columns).map(cell).collect(),
    })
}
