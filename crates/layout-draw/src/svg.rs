//! A picture as SVG: a self-contained file with light and dark colours.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use crate::frame::{Cells, Frame, wrapped};
use crate::layers::{LARGEST, Layers, MARGIN, SMALLEST, TITLE, document, letters_height, width_of};
use crate::panel::Panel;
use crate::picture::{Picture, Placed};

/// The largest width and height of all cells of a picture by default.
const MOST_PIXELS: usize = 1536;
/// The row or the column of a panel among the others.
type PlaceOf = fn(&Placed) -> usize;

/// Cells as large as their labels need, or smaller, with labels if these are still legible.
fn cells(picture: &Picture) -> Cells {
    let labels =
        || picture.panels.iter().flat_map(|placed| &placed.panel.cells).map(|cell| &cell.label);
    let longest = labels()
        .flat_map(|label| label.split('\n'))
        .map(|line| line.chars().count())
        .max()
        .unwrap_or(0);
    let lines = labels().map(|label| label.split('\n').count()).max().unwrap_or(1);
    // The numbers of cells across and down.
    let along = |of: PlaceOf, count: fn(&Panel) -> usize| {
        let mut sums = BTreeMap::<usize, usize>::new();
        for placed in &picture.panels {
            *sums.entry(of(placed)).or_default() += count(&placed.panel);
        }
        sums.into_values().max().unwrap_or(0).max(1)
    };
    let across = along(|placed| placed.row, |panel| panel.columns.count());
    let down = along(|placed| placed.column, |panel| panel.rows.count());
    let (width, height) = match picture.cell_size {
        Some(size) => (size, size),
        None => (
            (width_of(longest, LARGEST) + 8).max(26).min(MOST_PIXELS / across),
            (lines * (LARGEST + 2) + 8).max(26).min(MOST_PIXELS / down),
        ),
    };
    let fits = |size: usize| {
        width_of(longest, size) + 4 <= width && letters_height(lines, size) + 6 <= height
    };
    let letters = (SMALLEST..=LARGEST).rev().find(|&size| longest > 0 && fits(size));
    let square = width.min(height).clamp(4, 26);
    match letters.or(picture.cell_size) {
        Some(_) => Cells { width, height, letters },
        None => Cells { width: square, height: square, letters },
    }
}

/// The most categories of a legend.
const NAMED: usize = 64;
/// A swatch of a legend.
const SWATCH: usize = 12;

impl Picture {
    /// If cells have no labels, a legend of numbers and colours at `height`; returns the height
    /// below it.
    fn legend(&self, room: usize, height: usize, layers: &mut Layers) -> usize {
        let colors = self.panels.iter().flat_map(|placed| {
            let numbers = placed.panel.cells.iter().filter_map(|cell| cell.number);
            let scale = placed.panel.scale;
            numbers
                .filter(move |_| scale.has_categories())
                .map(move |number| (number, scale.color(number, 0)))
        });
        let mut of_number = BTreeMap::new();
        for (number, color) in colors {
            of_number.insert(number, color);
            if of_number.len() > NAMED {
                return height;
            }
        }
        let longest = of_number.keys().map(|number| number.to_string().len()).max().unwrap_or(0);
        let apart = SWATCH + 16 + width_of(longest, TITLE);
        let in_a_row = room / apart;
        if in_a_row == 0 {
            return height;
        }
        for (k, (number, color)) in of_number.iter().enumerate() {
            let (x, y) = (MARGIN + k % in_a_row * apart, height + k / in_a_row * (SWATCH + 6));
            let path = format!("M{x} {y}h{SWATCH}v{SWATCH}h-{SWATCH}z");
            layers.fills.entry(*color).or_default().push_str(&path);
            Layers::text(
                &mut layers.titles,
                "",
                x + SWATCH + 4,
                y + SWATCH - 2,
                &number.to_string(),
            );
        }
        match of_number.len() {
            0 => height,
            count => height + count.div_ceil(in_a_row) * (SWATCH + 6) + MARGIN - 4,
        }
    }

    /// The picture as SVG: a file, or a part of a page of HTML. Its colours follow the reader's
    /// light or dark colour scheme.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_draw::{ColorBy, Draw};
    /// let svg = layout!((4, 6)).draw(ColorBy::Offset)?.svg();
    /// assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.contains("prefers-color-scheme:dark"));
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn svg(&self) -> String {
        let cells = cells(self);
        let mut frames: Vec<_> =
            self.panels.iter().map(|placed| (placed, Frame::new(&placed.panel, &cells))).collect();
        // The positions of rows and columns of panels: the sides and titles of a row or column have
        // the same size.
        let most = |of: PlaceOf, size: fn(&Frame<'_>) -> usize| {
            let mut sizes = vec![0; self.panels.iter().map(of).max().map_or(0, |last| last + 1)];
            for (placed, frame) in &frames {
                sizes[of(placed)] = size(frame).max(sizes[of(placed)]);
            }
            sizes
        };
        let place = |before: Vec<usize>, sizes: Vec<usize>| {
            let (mut places, mut at) = (Vec::new(), MARGIN);
            for (before, size) in before.into_iter().zip(sizes) {
                places.push(at + before);
                at += before + size + MARGIN;
            }
            (places, at)
        };
        let (row, column): (PlaceOf, PlaceOf) = (|placed| placed.row, |placed| placed.column);
        let (xs, mut width) =
            place(most(column, |frame| frame.left()), most(column, |frame| frame.right()));
        let (ys, mut height) =
            place(most(row, |frame| frame.top()), most(row, |frame| frame.height()));

        let mut layers = Layers { letters: cells.letters.unwrap_or(LARGEST), ..Layers::default() };
        for (placed, frame) in &mut frames {
            (frame.x, frame.y) = (xs[placed.column], ys[placed.row]);
            frame.draw(&mut layers);
        }
        let room = (width - 2 * MARGIN).max(320);
        for note in self.notes.iter().flat_map(|note| wrapped(note, room)) {
            width = width.max(width_of(note.chars().count(), TITLE) + 2 * MARGIN);
            Layers::text(&mut layers.titles, "", MARGIN, height + TITLE - 4, &note);
            height += TITLE + 5;
        }
        if cells.letters.is_none() {
            height = self.legend(width - 2 * MARGIN, height, &mut layers);
        }
        if !self.notes.is_empty() {
            height += MARGIN - 4;
        }
        document(&self.title, (width, height), &layers)
    }
}
