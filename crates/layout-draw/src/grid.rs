//! A layout as a grid of its offsets.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use layout_algebra::{Fault, LayoutError};

use crate::color::Scale;
use crate::drawn::{Drawn, RunTimeLayout};
use crate::panel::{Cell, Panel, few_enough, sides};
use crate::picture::Picture;

/// The colours of the cells of a layout.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_draw::{ColorBy, Draw};
/// // 32 rows of 32 words: a column is in one bank.
/// let tile = layout!((32, 32): right).draw(ColorBy::Bank { element_bits: 32 })?;
/// // The thread, of 8, of each element of a row.
/// let threads = layout!((4, (2, 3)):(2, (1, 0))).draw(ColorBy::Thread)?;
/// assert!(tile.svg() != threads.svg());
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorBy {
    /// A gradient from offset 0 to the last one.
    #[default]
    Offset,
    /// Each offset is a thread, and each thread has a hue.
    Thread,
    /// The bank of shared memory of an element of `element_bits` bits: 32 banks of 4 bytes.
    Bank {
        /// Bits of an element.
        element_bits: usize,
    },
}

impl ColorBy {
    fn scale(self, most: usize) -> Scale {
        match self {
            ColorBy::Offset => Scale::Ramp { most },
            ColorBy::Thread => Scale::Hues,
            ColorBy::Bank { .. } => Scale::Circle { count: 32 },
        }
    }
    fn number(self, offset: usize) -> usize {
        match self {
            ColorBy::Bank { element_bits } => {
                (offset as u128 * element_bits as u128 / 32 % 32) as usize
            }
            _ => offset,
        }
    }
}

/// See [`draw`](crate::Draw::draw).
pub(crate) fn layout<L: Drawn + ?Sized>(layout: &L, by: ColorBy) -> Result<Picture, LayoutError> {
    let layout = layout.to_dynamic();
    let panel = offsets(
        layout.to_string(),
        &layout,
        |most| by.scale(most),
        |_, offset| Some(by.number(offset)),
    );
    panel.map(Picture::of).map_err(|fault| LayoutError::new("draw", fault).with_operand(&layout))
}

/// The offsets of a layout. The colour of a cell is that of `number(index, offset - least offset)`.
pub(crate) fn offsets(
    title: String,
    layout: &impl RunTimeLayout,
    scale: impl FnOnce(usize) -> Scale,
    number: impl Fn(usize, usize) -> Option<usize>,
) -> Result<Panel, Fault> {
    let (rows, columns) = sides(&layout.shape())?;
    let offsets: Vec<usize> =
        (0..few_enough(layout.size())?).map(|i| layout.above_base(i)).collect();
    let scale = scale(offsets.iter().copied().max().unwrap_or(0));
    let cell = |(i, offset): (usize, &usize)| Cell {
        label: signed(*offset, layout.base()),
        number: number(i, *offset),
        ..Cell::default()
    };
    Ok(Panel { title, rows, columns, scale, cells: offsets.iter().enumerate().map(cell).collect() })
}

/// The offset at this distance from the least one, which is `-base`.
fn signed(above: usize, base: usize) -> String {
    above
        .checked_sub(base)
        .map_or_else(|| format!("-{}", base - above), |offset| offset.to_string())
}
