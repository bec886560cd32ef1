//! Panels beside and below one another: a picture.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::panel::Panel;

/// A picture: SVG or a table.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_draw::{ColorBy, Draw, Picture};
/// let picture: Picture = layout!((2, 3): right).draw(ColorBy::Offset)?;
/// assert_eq!(picture.table().to_string(), "\
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
#[derive(Clone)]
pub struct Picture {
    pub(crate) title: String,
    pub(crate) panels: Vec<Placed>,
    /// Lines below the panels.
    pub(crate) notes: Vec<String>,
    pub(crate) cell_size: Option<usize>,
}

/// A panel and its place among the others.
#[derive(Clone)]
pub(crate) struct Placed {
    pub(crate) row: usize,
    pub(crate) column: usize,
    pub(crate) panel: Panel,
}

impl Picture {
    /// A picture of one panel.
    pub(crate) fn of(panel: Panel) -> Self {
        let title = panel.title.clone();
        Picture::row(title, vec![panel])
    }
    /// Panels from left to right.
    pub(crate) fn row(title: String, panels: Vec<Panel>) -> Self {
        let placed = panels.into_iter().enumerate().map(|(column, panel)| Placed { row: 0, column, panel });
        Picture { title, panels: placed.collect(), notes: Vec::new(), cell_size: None }
    }
    /// Panels from the top down.
    pub(crate) fn column(title: String, panels: Vec<Panel>) -> Self {
        let placed = panels.into_iter().enumerate().map(|(row, panel)| Placed { row, column: 0, panel });
        Picture { title, panels: placed.collect(), notes: Vec::new(), cell_size: None }
    }

    /// The picture with cells of `pixels` by `pixels`, at least 2. Without it cells are as large as their labels ask
    /// for, and smaller, in the end without labels, where all cells would be more than 1536 wide or high.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_draw::{ColorBy, Draw};
    /// let picture = layout!((128, 128)).draw(ColorBy::Offset)?;
    /// assert!(!picture.svg().contains(">16383<") && picture.with_cell_size(32).svg().contains(">16383<"));
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[must_use]
    pub fn with_cell_size(self, pixels: usize) -> Self {
        Picture { cell_size: Some(pixels.clamp(2, 200)), ..self }
    }
}

/// Its title.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_draw::Draw;
/// assert_eq!(format!("{:?}", layout!((2, 3)).draw_memory()?), "Picture(\"(2,3):(1,2) in memory\")");
/// # Ok::<(), LayoutError>(())
/// ```
impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Picture").field(&self.title).finish()
    }
}
