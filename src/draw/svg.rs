//! A picture as SVG text: a file that needs nothing else, in light and in dark.
//!
//! All numbers are whole pixels. Text is in letters of one width, so that it is known what fits: what does not fit is
//! left out, never written over something else.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::axis::{Axis, Level};
use super::color::Color;
use super::panel::{Mark, Panel};
use super::picture::{Picture, Placed};

/// Sizes of letters: titles and notes, coordinates, and the most and the least in cells.
const TITLE: usize = 13;
const TICK: usize = 10;
const LARGEST: usize = 12;
const SMALLEST: usize = 6;
/// Around the whole picture and between panels.
const MARGIN: usize = 16;
/// How wide or high the cells of a picture are together, unless the reader asks for more.
const MOST_PIXELS: usize = 1200;
/// The least width of a title's lines.
const NARROWEST: usize = 260;

/// What `letters` of a size take.
fn width_of(letters: usize, size: usize) -> usize {
    (letters * size * 61).div_ceil(100)
}

/// The height of capital letters and digits.
fn capital(size: usize) -> usize {
    (size * 73).div_ceil(100)
}

/// From the top of the first line to the foot of the last.
fn letters_height(lines: usize, size: usize) -> usize {
    lines.saturating_sub(1) * (size + 1) + capital(size)
}

/// The size of all cells of a picture, and that of the letters in them if there is room for any.
struct Cells {
    width: usize,
    height: usize,
    letters: Option<usize>,
}

impl Cells {
    fn of(picture: &Picture) -> Self {
        let labels = || picture.panels.iter().flat_map(|placed| &placed.panel.cells).map(|cell| &cell.label);
        let longest = labels().flat_map(|label| label.split('\n')).map(|line| line.chars().count()).max().unwrap_or(0);
        let lines = labels().map(|label| label.split('\n').count()).max().unwrap_or(1);
        // How many cells stand beside and below one another.
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
        let fits = |size: usize| width_of(longest, size) + 4 <= width && letters_height(lines, size) + 6 <= height;
        let letters = (SMALLEST..=LARGEST).rev().find(|&size| longest > 0 && fits(size));
        let square = width.min(height).clamp(4, 26);
        match letters.or(picture.cell_size) {
            Some(_) => Cells { width, height, letters },
            None => Cells { width: square, height: square, letters },
        }
    }
}

/// The row of a panel among the others, or its column.
type PlaceOf = fn(&Placed) -> usize;

/// What is drawn, in layers.
#[derive(Default)]
struct Layers {
    fills: BTreeMap<Color, String>,
    /// Lines by how much ends there: a cell, a mode, a mode around it, ..
    lines: [String; 3],
    chosen: String,
    conflicts: String,
    labels: String,
    ticks: String,
    titles: String,
}

impl Layers {
    fn text(layer: &mut String, class: &str, x: usize, y: usize, text: &str) {
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        layer.push_str(&format!("<text{class} x=\"{x}\" y=\"{y}\">{text}</text>\n"));
    }
}

/// A panel with its places in the picture.
struct Frame<'a> {
    panel: &'a Panel,
    cells: &'a Cells,
    title: Vec<String>,
    /// Where its first cell begins.
    x: usize,
    y: usize,
}

impl<'a> Frame<'a> {
    /// With its place still to come.
    fn new(panel: &'a Panel, cells: &'a Cells) -> Self {
        let width = (panel.columns.count() * cells.width).max(NARROWEST);
        Frame { panel, cells, title: wrapped(&panel.title, width), x: 0, y: 0 }
    }
    fn width(&self) -> usize {
        self.panel.columns.count() * self.cells.width
    }
    fn height(&self) -> usize {
        self.panel.rows.count() * self.cells.height
    }
    /// What the coordinates of rows take on the left.
    fn left(&self) -> usize {
        self.panel.rows.levels().map(|level| level_width(&self.panel.rows, level)).sum::<usize>() + 4
    }
    /// What the coordinates of columns and the title take above.
    fn top(&self) -> usize {
        self.panel.columns.levels().count() * (TICK + 5) + self.title.len() * (TITLE + 4) + 8
    }

    /// What the cells or the title take to the right.
    fn right(&self) -> usize {
        let title = self.title.iter().map(|line| width_of(line.chars().count(), TITLE));
        title.fold(self.width(), usize::max)
    }

    fn draw(&self, layers: &mut Layers) {
        self.fill(layers);
        self.labels(layers);
        self.lines(layers);
        self.ticks(layers);
        let above = self.panel.columns.levels().count() * (TICK + 5) + 8;
        for (k, line) in self.title.iter().rev().enumerate() {
            Layers::text(&mut layers.titles, "", self.x, self.y - above - k * (TITLE + 4), line);
        }
    }

    /// Cells of one colour below one another are one rectangle.
    fn fill(&self, layers: &mut Layers) {
        let (rows, width, height) = (self.panel.rows.count(), self.cells.width, self.cells.height);
        for (column, cells) in self.panel.cells.chunks(rows.max(1)).enumerate() {
            let color =
                |row: usize| cells.get(row).and_then(|cell| Some(self.panel.scale.color(cell.number?, cell.shade)));
            let mut row = 0;
            while row < cells.len() {
                let here = color(row);
                let same = (row..cells.len()).take_while(|&below| color(below) == here).count();
                if let Some(here) = here {
                    let (x, y, h) = (self.x + column * width, self.y + row * height, same * height);
                    let path = layers.fills.entry(here).or_default();
                    path.push_str(&format!("M{x} {y}h{width}v{h}h-{width}z"));
                }
                row += same;
            }
        }
    }

    fn labels(&self, layers: &mut Layers) {
        let (rows, width, height) = (self.panel.rows.count().max(1), self.cells.width, self.cells.height);
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
                Layers::text(&mut layers.labels, "", x + width / 2, y + first + k * (size + 1), line);
            }
        }
    }

    /// The sides of chosen cell `i` behind which there is none that was chosen.
    fn outline(&self, i: usize, path: &mut String) {
        let (rows, columns) = (self.panel.rows.count(), self.panel.columns.count());
        let (row, column, width, height) = (i % rows, i / rows, self.cells.width, self.cells.height);
        let (x, y) = (self.x + column * width, self.y + row * height);
        let is_chosen = |i: usize| self.panel.cells.get(i).is_some_and(|cell| cell.mark == Mark::Chosen);
        let sides = [
            (row == 0 || !is_chosen(i - 1), format!("M{x} {y}h{width}")),
            (row + 1 == rows || !is_chosen(i + 1), format!("M{x} {}h{width}", y + height)),
            (column == 0 || !is_chosen(i - rows), format!("M{x} {y}v{height}")),
            (column + 1 == columns || !is_chosen(i + rows), format!("M{} {y}v{height}", x + width)),
        ];
        sides.iter().filter(|side| side.0).for_each(|side| path.push_str(&side.1));
    }

    /// Between cells if these are not too small, and where modes end, the thicker the more end.
    fn lines(&self, layers: &mut Layers) {
        let (width, height) = (self.width(), self.height());
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
            let room = width_of(columns.text(level.extent.saturating_sub(1)).len(), TICK) + 6;
            for i in ticks(level, columns.count(), self.cells.width, room) {
                let middle = (2 * i + 1) * level.run * self.cells.width / 2;
                Layers::text(&mut layers.ticks, "", self.x + middle, y, &columns.text(i % level.extent));
            }
        }
        let rows = &self.panel.rows;
        let mut right = self.x - 4;
        for level in rows.levels() {
            for i in ticks(level, rows.count(), self.cells.height, TICK + 2) {
                let middle = (2 * i + 1) * level.run * self.cells.height / 2;
                let y = self.y + middle + TICK * 3 / 8;
                Layers::text(&mut layers.ticks, " class=\"e\"", right, y, &rows.text(i % level.extent));
            }
            right -= level_width(rows, level);
        }
    }
}

/// What the coordinates of a level of rows take.
fn level_width(rows: &Axis, level: Level) -> usize {
    width_of(rows.text(level.extent.saturating_sub(1)).len(), TICK) + 8
}

/// Which coordinates of a level are written, counted from the first to the last of the side, if one takes `room` and a
/// cell has `size`: all of them, or every second, fourth, .. of each round, or none.
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

/// The lines of a text in letters of the size of titles, broken before what goes beyond `width`: after a space or a
/// colon, or else a comma, if there is one.
fn wrapped(text: &str, width: usize) -> Vec<String> {
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

impl Picture {
    /// The picture as SVG: a file of its own, or a part of a page of HTML. Its colours are light or dark as the reader's
    /// are.
    ///
    /// ```
    /// use layout_algebra::draw::{self, ColorBy};
    /// use layout_algebra::prelude::*;
    /// let svg = draw::layout(&layout!((4, 6)), ColorBy::Offset)?.svg();
    /// assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.contains("prefers-color-scheme:dark"));
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn svg(&self) -> String {
        let cells = Cells::of(self);
        let mut frames: Vec<_> = self.panels.iter().map(|placed| (placed, Frame::new(&placed.panel, &cells))).collect();
        // The places of rows and columns of panels: sides and titles of one row or column have one size.
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
        let (xs, mut width) = place(most(column, |frame| frame.left()), most(column, |frame| frame.right()));
        let (ys, mut height) = place(most(row, |frame| frame.top()), most(row, |frame| frame.height()));

        let mut layers = Layers::default();
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
        if !self.notes.is_empty() {
            height += MARGIN - 4;
        }
        document(&self.title, (width, height), &cells, &layers)
    }
}

/// The file. Its rules are about itself alone, by a class that no other picture has: many may stand in one page.
fn document(title: &str, (width, height): (usize, usize), cells: &Cells, layers: &Layers) -> String {
    let mut body = String::new();
    let (mut light, mut dark) = (String::new(), String::new());
    for (k, (color, path)) in layers.fills.iter().enumerate() {
        light.push_str(&format!(".c{k}{{fill:#{:06x}}}\n", color.light()));
        dark.push_str(&format!(".c{k}{{fill:#{:06x}}}\n", color.dark()));
        body.push_str(&format!("<path class=\"c{k}\" d=\"{path}\"/>\n"));
    }
    let layer = |body: &mut String, class: &str, path: &str| {
        if !path.is_empty() {
            body.push_str(&format!("<path class=\"{class}\" d=\"{path}\"/>\n"));
        }
    };
    let group = |body: &mut String, attributes: &str, texts: &str| {
        if !texts.is_empty() {
            body.push_str(&format!("<g {attributes}>\n{texts}</g>\n"));
        }
    };
    for (k, lines) in layers.lines.iter().enumerate() {
        layer(&mut body, &format!("l l{k}"), lines);
    }
    layer(&mut body, "k", &layers.chosen);
    layer(&mut body, "x", &layers.conflicts);
    group(&mut body, &format!("class=\"m\" font-size=\"{}\"", cells.letters.unwrap_or(LARGEST)), &layers.labels);
    group(&mut body, &format!("class=\"m t\" font-size=\"{TICK}\""), &layers.ticks);
    group(&mut body, &format!("font-size=\"{TITLE}\""), &layers.titles);

    let name = body
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    let name = format!("p{name:016x}");
    let own = |rules: &str| rules.lines().map(|rule| format!(".{name} {rule}\n")).collect::<String>();
    let title = title.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!(
        "<svg class=\"{name}\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',\
         monospace\">\n<title>{title}</title>\n<style>\n{}{}@media(prefers-color-scheme:dark){{\n{}{}}}\n</style>\n\
         <rect class=\"b\" width=\"{width}\" height=\"{height}\"/>\n{body}</svg>\n",
        own(LIGHT),
        own(&light),
        own(DARK),
        own(&dark),
    )
}

const LIGHT: &str = "\
.b{fill:#ffffff}
text{fill:#1b1f24}
.t text{fill:#59636e}
.m{text-anchor:middle}
.m .e{text-anchor:end}
.l{fill:none;stroke:#1b1f24}
.l0{stroke-width:1;stroke-opacity:.15}
.l1{stroke-width:1.5}
.l2{stroke-width:3}
.k{fill:none;stroke:#1b1f24;stroke-width:2.5;stroke-linecap:square}
.x{fill:none;stroke:#d1242f;stroke-width:2}
";
const DARK: &str = "\
.b{fill:#0f1318}
text{fill:#e6edf3}
.t text{fill:#9198a1}
.l{stroke:#c9d1d9}
.l0{stroke-opacity:.22}
.k{stroke:#ffffff}
.x{stroke:#ff7b72}
";
