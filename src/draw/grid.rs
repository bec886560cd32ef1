//! A layout as a grid of its offsets.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::color::Scale;
use super::drawn::{Drawn, RunTimeLayout};
use super::panel::{Cell, Panel, few_enough, sides};
use super::picture::Picture;
use crate::error::{Fault, LayoutError};

/// What the cells of a layout are coloured by.
///
/// ```
/// use layout_algebra::draw::{self, ColorBy};
/// use layout_algebra::prelude::*;
/// // 32 rows of 32 words: all of a column lies in one bank.
/// let tile = draw::layout(&layout!((32, 32): right), ColorBy::Bank { element_bits: 32 })?;
/// // Which of 8 threads has which element of a row.
/// let threads = draw::layout(&layout!((4, (2, 3)):(2, (1, 0))), ColorBy::Thread)?;
/// assert!(tile.svg() != threads.svg());
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorBy {
    /// From offset 0 to the last one, one colour turning into the next.
    #[default]
    Offset,
    /// Each offset is a thread, and each thread has a hue.
    Thread,
    /// The bank of shared memory, of 32 banks of 4 bytes, of elements of so many bits.
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
            ColorBy::Bank { element_bits } => (offset as u128 * element_bits as u128 / 32 % 32) as usize,
            _ => offset,
        }
    }
}

/// The offsets of a layout of one mode or two, as a grid: a row for each coordinate of mode 0, a column for each of
/// mode 1; a single mode is one row. CuTe's `print_latex`.
///
/// # Errors
/// `rank` for more modes than two, `bounds` for more than 262,144 cells, `stride` if offsets are negative.
///
/// ```
/// use layout_algebra::draw::{self, ColorBy};
/// use layout_algebra::prelude::*;
/// let nested: DynLayout = "((2,2),3):((1,6),2)".parse()?;
/// let picture = draw::layout(&nested, ColorBy::Offset)?;
/// assert_eq!(picture.table().to_string(), "\
/// ((2,2),3):((1,6),2)
///           0    1    2
///        +----+----+----+
/// (0,0)  |  0 |  2 |  4 |
///        +----+----+----+
/// (1,0)  |  1 |  3 |  5 |
///        +----+----+----+
/// (0,1)  |  6 |  8 | 10 |
///        +----+----+----+
/// (1,1)  |  7 |  9 | 11 |
///        +----+----+----+
/// ");
/// let error = draw::layout(&layout!((2, 3, 4)), ColorBy::Offset).unwrap_err();
/// assert_eq!(error.to_string(), "cannot draw (2,3,4):(1,2,6): rank 2 is needed, and this is rank 3");
/// # Ok::<(), LayoutError>(())
/// ```
pub fn layout<L: Drawn>(layout: &L, by: ColorBy) -> Result<Picture, LayoutError> {
    let layout = layout.to_dynamic();
    let panel = offsets(layout.to_string(), &layout, |most| by.scale(most), |_, offset| Some(by.number(offset)));
    panel.map(Picture::of).map_err(|fault| LayoutError::new("draw", fault).with_operand(&layout))
}

/// The offsets of a layout, a cell coloured by what `number` says of its number and its offset.
pub(super) fn offsets(
    title: String,
    layout: &impl RunTimeLayout,
    scale: impl FnOnce(usize) -> Scale,
    number: impl Fn(usize, usize) -> Option<usize>,
) -> Result<Panel, Fault> {
    layout.fault().map_or(Ok(()), Err)?;
    let (rows, columns) = sides(&layout.shape())?;
    let offsets: Vec<usize> = (0..few_enough(layout.size())?).map(|i| layout.at(i)).collect();
    let scale = scale(offsets.iter().copied().max().unwrap_or(0));
    let cell = |(i, offset): (usize, &usize)| Cell {
        label: offset.to_string(),
        number: number(i, *offset),
        ..Cell::default()
    };
    Ok(Panel { title, rows, columns, scale, cells: offsets.iter().enumerate().map(cell).collect() })
}
