//! Memory as a line, wrapped into rows.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use layout_algebra::{Fault, LayoutError};

use crate::axis::Axis;
use crate::color::Scale;
use crate::drawn::{Drawn, RunTimeLayout};
use crate::panel::{Cell, Panel, and_others, few_enough};
use crate::picture::Picture;

/// The cells of a row, and those of a row with coordinates longer than [`LONG`].
const PER_LINE: [usize; 2] = [16, 8];
const LONG: usize = 9;

/// See [`draw_memory`](crate::Draw::draw_memory).
pub(crate) fn memory<L: Drawn + ?Sized>(layout: &L) -> Result<Picture, LayoutError> {
    let layout = layout.to_dynamic();
    let first = if layout.base() > 0 {
        format!(", from offset -{} on", layout.base())
    } else {
        String::new()
    };
    let panel = line(&layout, format!("{layout} in memory{first}"));
    panel.map(Picture::of).map_err(|fault| LayoutError::new("draw", fault).with_operand(&layout))
}

fn line(layout: &impl RunTimeLayout, title: String) -> Result<Panel, Fault> {
    let shape = layout.shape();
    let offsets: Vec<usize> =
        (0..few_enough(layout.size())?).map(|i| layout.above_base(i)).collect();
    let length = match offsets.iter().max() {
        Some(&last) => few_enough(last.saturating_add(1))?,
        None => 0,
    };
    // The last coordinate has the most digits.
    let letters =
        layout.size().checked_sub(1).map_or(0, |last| shape.coord(last).to_string().len());
    let columns = length.clamp(1, PER_LINE[usize::from(letters > LONG)]);
    let rows = length.div_ceil(columns);
    // The indices of the coordinates at each offset.
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
