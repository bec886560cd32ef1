//! A picture: panels beside and below each other.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use layout_algebra::LayoutError;

use crate::axis::Axis;
use crate::color::Scale;
use crate::panel::{Cell, Panel, few_enough};

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

/// A panel and its row and column among the others.
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
        let placed =
            panels.into_iter().enumerate().map(|(column, panel)| Placed { row: 0, column, panel });
        Picture { title, panels: placed.collect(), notes: Vec::new(), cell_size: None }
    }
    /// Panels from the top down.
    pub(crate) fn column(title: String, panels: Vec<Panel>) -> Self {
        let placed =
            panels.into_iter().enumerate().map(|(row, panel)| Placed { row, column: 0, panel });
        Picture { title, panels: placed.collect(), notes: Vec::new(), cell_size: None }
    }

    /// Cells in rows of `columns`, each with a label and the number of its hue; a cell without a
    /// number is empty.
    ///
    /// # Errors
    /// `bounds` for more than 262,144 cells.
    ///
    /// ```
    /// use layout_draw::Picture;
    /// let bits = [("q0", 0), ("q0", 0), ("q1", 1)].map(|(label, hue)| (label.to_string(), Some(hue)));
    /// let picture = Picture::places("three bits", 2, bits)?;
    /// assert!(picture.table().to_string().contains("| q1 |"));
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    pub fn places(
        title: &str,
        columns: usize,
        places: impl IntoIterator<Item = (String, Option<usize>)>,
    ) -> Result<Self, LayoutError> {
        let places: Vec<_> = places.into_iter().collect();
        let columns = columns.clamp(1, places.len().max(1));
        let rows = places.len().div_ceil(columns);
        few_enough(rows.saturating_mul(columns))
            .map_err(|fault| LayoutError::new("draw", fault))?;
        let cell = |i: usize| match places.get(i % rows * columns + i / rows) {
            Some((label, Some(number))) => {
                Cell { label: label.clone(), number: Some(*number), ..Cell::default() }
            }
            _ => Cell::default(),
        };
        Ok(Picture::of(Panel {
            title: title.into(),
            rows: Axis::numbers(rows, 1),
            columns: Axis::numbers(columns.min(places.len()), 1),
            scale: Scale::Hues,
            cells: (0..rows * columns).map(cell).collect(),
        }))
    }

    /// The picture with cells of `pixels` by `pixels`, at least 2. By default cells are as large as
    /// their labels need, but smaller, if necessary without labels, where all cells together would
    /// be more than 1536 pixels wide or high.
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

    /// This picture with another one to its right, and the title of this one.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_draw::{ColorBy, Draw};
    /// let by = ColorBy::Bank { element_bits: 32 };
    /// let (plain, swizzle) = (layout!((8, 8): right), Swizzle::<3, 0, 3>::new());
    /// let picture = plain.draw(by)?.beside(swizzle.compose(plain).draw(by)?);
    /// assert!(picture.table().to_string().contains("\nSw<3,0,3> o 0 o (8,8):(8,1)\n"));
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[must_use]
    pub fn beside(mut self, other: Picture) -> Self {
        let columns = self.panels.iter().map(|placed| placed.column + 1).max().unwrap_or(0);
        let moved = |placed: Placed| Placed { column: placed.column + columns, ..placed };
        self.panels.extend(other.panels.into_iter().map(moved));
        self.notes.extend(other.notes);
        self
    }

    /// The picture with another title: for example of a layout whose modes were grouped for the
    /// picture, the layout itself.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_draw::{ColorBy, Draw};
    /// let grouped: DynLayout = "(2,(3,4)):(1,(2,6))".parse()?;
    /// let picture = grouped.draw(ColorBy::Offset)?.with_title("(2,3,4):(1,2,6)");
    /// assert!(picture.table().to_string().starts_with("(2,3,4):(1,2,6)\n"));
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[must_use]
    pub fn with_title(mut self, title: &str) -> Self {
        if let [one] = &mut self.panels[..] {
            one.panel.title = title.into();
        }
        Picture { title: title.into(), ..self }
    }
}

/// The title.
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
