//! The last text and its pictures: everything that the page calls, in safe Rust.

use crate::breaks::breaks;
use crate::evaluate::evaluate;
use crate::picture::Picture;
use crate::report::{operations, report};

/// The most coordinates that one call returns.
const MOST_COORDINATES: usize = 1 << 16;

/// The state of the page.
#[derive(Default)]
pub struct Session {
    /// The pictures of the last valid text: one for each part, one for the function of a refused
    /// composition, and one of memory for each part if memory is shown.
    pictures: Vec<Option<Picture>>,
    /// The modes along rows, a bit each.
    down: u32,
    /// Whether memory is shown.
    memory: bool,
}

impl Session {
    /// Sets the arrangement of pictures.
    pub fn arrange(&mut self, down: u32, memory: bool) {
        (self.down, self.memory) = (down, memory);
    }

    /// Evaluates `text`: returns JSON.
    pub fn evaluate(&mut self, text: &str) -> String {
        let evaluated = evaluate(text);
        let parts = evaluated.parts.iter().map(|part| &part.operand.value);
        let mut pictures: Vec<_> =
            parts.clone().map(|value| Picture::of(value, self.down)).collect();
        pictures.extend(evaluated.function.as_ref().map(|value| Picture::of(value, self.down)));
        if self.memory {
            pictures.extend(parts.map(Picture::memory));
        }
        let report = report(text, &evaluated, &breaks(&evaluated), &pictures);
        // While the user types, most texts do not parse: the page still shows the pictures of the
        // last text that did.
        if evaluated.trouble.is_none() || evaluated.refused.is_some() {
            self.pictures = pictures;
        }
        report
    }

    /// The available operations: JSON.
    pub fn operations(&self) -> String {
        operations()
    }

    /// Cells of a part's picture; no cells if there is no such part.
    pub fn cells(&self, part: usize, window: [usize; 4]) -> Vec<f64> {
        let [row, column, rows, columns] = window;
        let Some(picture) = self.pictures.get(part).and_then(Option::as_ref) else {
            return Vec::new();
        };
        picture.cells(row, column, rows, columns)
    }

    /// The coordinates of a window, with `;` between them.
    pub fn coordinates(&self, part: usize, window: [usize; 4]) -> String {
        let [row, column, rows, columns] = window;
        let Some(picture) = self.pictures.get(part).and_then(Option::as_ref) else {
            return String::new();
        };
        let rows = row..row.saturating_add(rows.min(picture.rows.saturating_sub(row)));
        let columns =
            column..column.saturating_add(columns.min(picture.columns.saturating_sub(column)));
        if rows.len().checked_mul(columns.len()).is_none_or(|cells| cells > MOST_COORDINATES) {
            return String::new();
        }
        let cells = rows.flat_map(|row| columns.clone().map(move |column| (row, column)));
        let coordinates =
            cells.map(|(row, column)| picture.coordinate(row, column).unwrap_or_default());
        coordinates.collect::<Vec<_>>().join(";")
    }
}
