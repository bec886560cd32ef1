//! The geometry of a panel: the positions of its cells, lines, coordinates and title. Text that
//! does not fit is omitted, so no text overlaps another.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::axis::{Axis, Level};
use crate::color::Color;
use crate::layers::{Layers, TICK, TITLE, capital, letters_height, width_of};
use crate::panel::{Mark, Panel};

/// The least width of a title's lines.
const NARROWEST: usize = 300;

/// The size of all cells of a picture, and of the letters in them if there is room for any.
pub(crate) struct Cells {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) letters: Option<usize>,
}

/// A panel with its position in the picture.
pub(crate) struct Frame<'a> {
    panel: &'a Panel,
    cells: &'a Cells,
    title: Vec<String>,
    /// The origin of the first cell.
    pub(crate) x: usize,
    pub(crate) y: usize,
}

impl<'a> Frame<'a> {
    /// A panel without a position yet.
    pub(crate) fn new(panel: &'a Panel, cells: &'a Cells) -> Self {
        let width = (panel.columns.count() * cells.width).max(NARROWEST);
        Frame { panel, cells, title: wrapped(&panel.title, width), x: 0, y: 0 }
    }
    fn width(&self) -> usize {
        self.panel.columns.count() * self.cells.width
    }
    fn cells_height(&self) -> usize {
        self.panel.rows.count() * self.cells.height
    }
    /// The height of the cells, and of the names of nested rows below them.
    pub(crate) fn height(&self) -> usize {
        self.cells_height() + if self.panel.rows.names().is_empty() { 0 } else { TICK + 4 }
    }
    /// The width of the coordinates of rows on the left, or of the names of nested columns.
    pub(crate) fn left(&self) -> usize {
        let rows = &self.panel.rows;
        let numbers = rows.levels().enumerate().map(|(k, level)| level_width(rows, k, level));
        let names = self.panel.columns.names().iter().map(|name| width_of(name.len(), TICK) + 8);
        numbers.sum::<usize>().max(names.max().unwrap_or(0)) + 4
    }
    /// The height of the coordinates of columns and the title.
    pub(crate) fn top(&self) -> usize {
        self.panel.columns.levels().count() * (TICK + 5) + self.title.len() * (TITLE + 4) + 8
    }

    /// The width of the cells or the title.
    pub(crate) fn right(&self) -> usize {
        let title = self.title.iter().map(|line| width_of(line.chars().count(), TITLE));
        title.fold(self.width(), usize::max)
    }

    pub(crate) fn draw(&self, layers: &mut Layers) {
        self.fill(layers);
        self.labels(layers);
        self.lines(layers);
        self.ticks(layers);
        let above = self.panel.columns.levels().count() * (TICK + 5) + 8;
        for (k, line) in self.title.iter().rev().enumerate() {
            Layers::text(&mut layers.titles, "", self.x, self.y - above - k * (TITLE + 4), line);
        }
    }

    /// Cells of one colour are merged into rectangles, vertically or horizontally, whichever gives
    /// fewer.
    fn fill(&self, layers: &mut Layers) {
        let (down, across) = (self.runs(true), self.runs(false));
        let (width, height) = (self.cells.width, self.cells.height);
        for (color, [row, column, rows, columns]) in
            if across.len() < down.len() { across } else { down }
        {
            let (x, y, w, h) =
                (self.x + column * width, self.y + row * height, columns * width, rows * height);
            layers.fills.entry(color).or_default().push_str(&format!("M{x} {y}h{w}v{h}h-{w}z"));
        }
    }

    /// Runs of one colour, down or across: row and column of the first cell, and the numbers of
    /// rows and columns.
    fn runs(&self, down: bool) -> Vec<(Color, [usize; 4])> {
        let (rows, columns) = (self.panel.rows.count(), self.panel.columns.count());
        let (lines, length) = if down { (columns, rows) } else { (rows, columns) };
        let mut runs = Vec::new();
        for line in 0..lines {
            let color = |along: usize| {
                let cell =
                    &self.panel.cells[if down { along + rows * line } else { line + rows * along }];
                cell.number.map(|number| self.panel.scale.color(number, cell.shade))
            };
            let mut first = 0;
            while first < length {
                let here = color(first);
                let same = (first..length).take_while(|&along| color(along) == here).count();
                let place = if down { [first, line, same, 1] } else { [line, first, 1, same] };
                runs.extend(here.map(|color| (color, place)));
                first += same;
            }
        }
        runs
    }

    fn labels(&self, layers: &mut Layers) {
        let (rows, width, height) =
            (self.panel.rows.count().max(1), self.cells.width, self.cells.height);
        for (i, cell) in self.panel.cells.iter().enumerate() {
            let (x, y) = (self.x + i / rows * width, self.y + i % rows * height);
            match cell.mark {
                Mark::None => {}
                Mark::Chosen => self.outline(i, &mut layers.chosen),
                Mark::Conflict => {
                    let (w, h) = (width.saturating_sub(2).max(1), height.saturating_sub(2).max(1));
                    layers.conflicts.push_str(&format!("M{} {}h{w}v{h}h-{w}z", x + 1, y + 1));
                }
            }
            let (Some(size), false) = (self.cells.letters, cell.label.is_empty()) else { continue };
            let lines: Vec<_> = cell.label.split('\n').collect();
            let first = (height - letters_height(lines.len(), size)) / 2 + capital(size);
            for (k, line) in lines.iter().enumerate() {
                Layers::text(
                    &mut layers.labels,
                    "",
                    x + width / 2,
                    y + first + k * (size + 1),
                    line,
                );
            }
        }
    }

    /// The sides of chosen cell `i` whose neighbour is not chosen.
    fn outline(&self, i: usize, path: &mut String) {
        let (rows, columns) = (self.panel.rows.count(), self.panel.columns.count());
        let (row, column, width, height) =
            (i % rows, i / rows, self.cells.width, self.cells.height);
        let (x, y) = (self.x + column * width, self.y + row * height);
        let is_chosen =
            |i: usize| self.panel.cells.get(i).is_some_and(|cell| cell.mark == Mark::Chosen);
        let sides = [
            (row == 0 || !is_chosen(i - 1), format!("M{x} {y}h{width}")),
            (row + 1 == rows || !is_chosen(i + 1), format!("M{x} {}h{width}", y + height)),
            (column == 0 || !is_chosen(i - rows), format!("M{x} {y}v{height}")),
            (column + 1 == columns || !is_chosen(i + rows), format!("M{} {y}v{height}", x + width)),
        ];
        sides.iter().filter(|side| side.0).for_each(|side| path.push_str(&side.1));
    }

    /// Lines between cells if these are not too small, and at the ends of modes: the more modes
    /// end, the thicker.
    fn lines(&self, layers: &mut Layers) {
        let (width, height) = (self.width(), self.cells_height());
        let weight = |axis: &Axis, i: usize| {
            let inner = axis.levels().skip(1).filter(|level| i % level.run == 0).count();
            // The sides are as thick as the end of a mode.
            if i == 0 || i == axis.count() { 1 } else { inner.min(2) }
        };
        for i in 0..=self.panel.columns.count() {
            let weight = weight(&self.panel.columns, i);
            if weight > 0 || self.cells.width >= 8 {
                let x = self.x + i * self.cells.width;
                layers.lines[weight].push_str(&format!("M{x} {}v{height}", self.y));
            }
        }
        for i in 0..=self.panel.rows.count() {
            let weight = weight(&self.panel.rows, i);
            if weight > 0 || self.cells.height >= 8 {
                let y = self.y + i * self.cells.height;
                layers.lines[weight].push_str(&format!("M{} {y}h{width}", self.x));
            }
        }
    }

    fn ticks(&self, layers: &mut Layers) {
        let columns = &self.panel.columns;
        for (k, level) in columns.levels().enumerate() {
            let y = self.y - 5 - k * (TICK + 5);
            if let Some(name) = columns.names().get(k) {
                Layers::text(&mut layers.ticks, " class=\"e\"", self.x - 4, y, name);
            }
            let room = width_of(columns.text(level.extent.saturating_sub(1)).len(), TICK) + 6;
            for i in ticks(level, columns.count(), self.cells.width, room) {
                let middle = (2 * i + 1) * level.run * self.cells.width / 2;
                Layers::text(
                    &mut layers.ticks,
                    "",
                    self.x + middle,
                    y,
                    &columns.text(i % level.extent),
                );
            }
        }
        let rows = &self.panel.rows;
        let mut right = self.x - 4;
        for (k, level) in rows.levels().enumerate() {
            if let Some(name) = rows.names().get(k) {
                let y = self.y + self.cells_height() + TICK;
                Layers::text(&mut layers.ticks, " class=\"e\"", right, y, name);
            }
            for i in ticks(level, rows.count(), self.cells.height, TICK + 2) {
                let middle = (2 * i + 1) * level.run * self.cells.height / 2;
                let y = self.y + middle + TICK * 3 / 8;
                Layers::text(
                    &mut layers.ticks,
                    " class=\"e\"",
                    right,
                    y,
                    &rows.text(i % level.extent),
                );
            }
            right -= level_width(rows, k, level);
        }
    }
}

/// The width of the coordinates of level `k` of rows, or of its name.
fn level_width(rows: &Axis, k: usize, level: Level) -> usize {
    let name = rows.names().get(k).map_or(0, String::len);
    width_of(rows.text(level.extent.saturating_sub(1)).len().max(name), TICK) + 8
}

/// Which coordinates of a level are written, counted from the first to the last of the side, if one
/// takes `room` and a cell has `size`: all of them, or every second, fourth, .. of each round, or
/// none.
fn ticks(level: Level, count: usize, size: usize, room: usize) -> impl Iterator<Item = usize> {
    let (run, rounds) = (level.run * size, count / (level.run * level.extent).max(1));
    let mut step = 1;
    while step * run < room && step < level.extent {
        step *= 2;
    }
    // The last one of a round is as far from the first one of the next.
    let last = move |i: usize| i == 0 || i + step <= level.extent;
    let is_room = rounds == 1 || level.extent * run >= room;
    let all = if is_room { rounds * level.extent } else { 0 };
    (0..all).filter(move |i| i % level.extent % step == 0 && last(i % level.extent))
}

/// The lines of a text in letters of the size of titles, broken before what goes beyond `width`:
/// after a space or a colon, or else a comma, if there is one.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let most = (width * 100 / (TITLE * 61)).max(8);
    let (mut lines, mut rest) = (Vec::new(), text);
    while rest.chars().count() > most {
        let (cut, _) = rest.char_indices().nth(most).unwrap_or((rest.len(), ' '));
        let at = rest[..cut].rfind([' ', ':']).or(rest[..cut].rfind(',')).map_or(cut, |at| at + 1);
        lines.push(rest[..at].trim_end().to_string());
        rest = &rest[at..];
    }
    lines.push(rest.to_string());
    lines
}
