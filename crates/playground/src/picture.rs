//! The cells of a picture, row by row: some modes run along rows, the others along columns; a
//! layout of one mode is a row, or lines of a row, and so is memory.

use layout_algebra::prelude::*;
use layout_cli::{AnyLayout, is_natural};

use crate::value::Value;

/// The length of lines for a layout of one mode; memory, whose cells contain coordinates, has
/// shorter lines.
const LINE: usize = 32;
const MEMORY_LINE: usize = 16;
/// The most offsets of memory, and the most coordinates in them.
const PLACES: usize = 1 << 20;
/// The most cells that one call returns.
const MOST_CELLS: usize = 1 << 22;
/// The first number that JavaScript does not represent exactly: pictures have fewer cells.
const EXACT: u64 = 1 << 53;
/// An empty cell, or a number that is not exact.
pub const EMPTY: f64 = f64::INFINITY;
/// A cell of several threads.
pub const SHARED: f64 = EXACT as f64;

/// The subject of a picture.
enum Source {
    Memory(Box<AnyLayout>, usize),
    Function(Box<(DynLayout, DynLayout)>),
    /// For each element of a tile its thread and value as one number; the number of threads.
    Owners(Vec<f64>, usize),
    /// For each offset of memory the index of its coordinate.
    Places(Vec<f64>),
}

/// A number as a cell.
#[inline]
fn cell(offset: usize) -> f64 {
    if (offset as u64) < EXACT { offset as f64 } else { EMPTY }
}

/// A mode of a picture.
#[derive(Clone, Copy)]
pub struct Mode {
    /// The number of coordinates.
    pub extent: usize,
    /// Whether the mode runs along rows.
    pub down: bool,
}

/// A picture.
pub struct Picture {
    source: Source,
    /// The number of cells.
    pub size: usize,
    /// Its rows.
    pub rows: usize,
    /// Its columns.
    pub columns: usize,
    /// The modes, each with its direction.
    pub modes: Vec<Mode>,
    /// The extents of the leaves along rows, from the innermost out.
    pub row_modes: Vec<usize>,
    /// The same for columns.
    pub column_modes: Vec<usize>,
    /// Whether the index of a cell runs along the lines, from left to right.
    pub lines: bool,
    /// Shape of the cells, for their coordinates.
    shape: DynShape,
}

impl Picture {
    /// The picture of a value, if it has one: with fewer than 2^53 elements, the limit of
    /// JavaScript's numbers. In a layout of three or more modes, those whose bit is set in `down`
    /// run along rows.
    pub fn of(value: &Value, down: u32) -> Option<Self> {
        // Memory has no offsets below 0.
        let is_below = match value {
            Value::Memory(AnyLayout::Plain(layout)) | Value::Part(AnyLayout::Plain(layout), _) => {
                layout.base() != 0
            }
            Value::Function(left, right) => left.base() != 0 || right.base() != 0,
            _ => false,
        };
        if is_below {
            return None;
        }
        let grid = |shape, source| Self::grid(shape, source, down);
        let picture = match value {
            Value::Memory(memory) => {
                Some(grid(memory.strided().shape(), Source::Memory(Box::new(memory.clone()), 0)))
            }
            // The offset of a swizzled part is inside the part, and the separate offset is 0.
            Value::Part(memory, offset) => Some(grid(
                memory.strided().shape(),
                Source::Memory(Box::new(memory.clone()), *offset),
            )),
            Value::Function(left, right) => {
                Some(grid(right.shape(), Source::Function(Box::new((left.clone(), right.clone())))))
            }
            Value::Banks(banks) => Some(grid(
                banks.memory.strided().shape(),
                Source::Memory(Box::new(banks.memory.clone()), 0),
            )),
            Value::ThreadValues(layout, tile) => {
                let mut owners = vec![EMPTY; tile.size()];
                let threads = layout.modes().next().map_or(1, |mode| mode.size());
                for index in 0..layout.size() {
                    let owner = &mut owners[layout.index(index)];
                    *owner = if *owner == EMPTY { cell(index) } else { SHARED };
                }
                Some(grid(tile.clone(), Source::Owners(owners, threads)))
            }
            _ => None,
        };
        picture.filter(|picture| (picture.size as u64) < EXACT)
    }

    /// Memory as a line, with the index of the coordinate at each offset.
    pub fn memory(value: &Value) -> Option<Self> {
        let (layout, begin) = match value {
            Value::Memory(layout) => (layout, 0),
            Value::Part(layout, begin) => (layout, *begin),
            _ => return None,
        };
        if layout.strided().base() != 0 {
            return None;
        }
        let length = layout.cosize().checked_add(begin).filter(|&length| length <= PLACES)?;
        if layout.size() > PLACES {
            return None;
        }
        let mut there = vec![EMPTY; if layout.size() > 0 { length } else { 0 }];
        for index in 0..layout.size() {
            let place = &mut there[begin + layout.at(index)];
            *place = if *place == EMPTY { cell(index) } else { SHARED };
        }
        let line = DynShape::from(there.len());
        Some(Picture {
            shape: layout.strided().shape(),
            ..Self::grid(line, Source::Places(there), 0)
        })
    }

    fn grid(shape: DynShape, source: Source, down: u32) -> Self {
        let modes: Vec<DynShape> =
            if shape.depth() == 0 { vec![shape.clone()] } else { shape.children().collect() };
        let size = shape.size();
        let leaves = |modes: &[DynShape]| {
            modes.iter().flat_map(|mode| mode.leaves().to_vec()).collect::<Vec<_>>()
        };
        let lines = modes.len() == 1;
        let line = if let Source::Places(_) = source { MEMORY_LINE } else { LINE };
        let is_down = |mode: usize| match modes.len() {
            1 => false,
            2 => mode == 0,
            _ => mode < 32 && down >> mode & 1 == 1,
        };
        let along = |down: bool| -> Vec<DynShape> {
            (0..modes.len())
                .filter(|&mode| is_down(mode) == down)
                .map(|mode| modes[mode].clone())
                .collect()
        };
        let product = |modes: &[DynShape]| modes.iter().map(DynShape::size).product();
        let (rows, columns) = match lines {
            true => (size.div_ceil(line), size.min(line)),
            false if size == 0 => (0, 0),
            false => (product(&along(true)), product(&along(false))),
        };
        let (row_modes, column_modes) = (leaves(&along(true)), leaves(&along(false)));
        let modes = modes
            .iter()
            .enumerate()
            .map(|(mode, shape)| Mode { extent: shape.size(), down: is_down(mode) });
        Picture {
            source,
            size,
            rows,
            columns,
            modes: modes.collect(),
            row_modes,
            column_modes,
            lines,
            shape,
        }
    }

    /// The part of an index that row `k` determines, or column `k`.
    fn part(&self, mut k: usize, down: bool) -> usize {
        let (mut number, mut before) = (0, 1);
        for mode in &self.modes {
            if mode.down == down {
                number += k % mode.extent * before;
                k /= mode.extent;
            }
            before *= mode.extent;
        }
        number
    }

    /// The index of the coordinate in a cell, if there is one.
    pub fn index(&self, row: usize, column: usize) -> Option<usize> {
        if row >= self.rows || column >= self.columns {
            return None;
        }
        let index = if self.lines {
            row * self.columns + column
        } else {
            self.part(row, true) + self.part(column, false)
        };
        (index < self.size).then_some(index)
    }

    /// The content of the cell of coordinate `index`.
    fn at(&self, index: usize) -> f64 {
        match &self.source {
            Source::Memory(memory, offset) => memory.at(index).checked_add(*offset),
            Source::Function(both) => both.0.try_index(both.1.index(index)).ok(),
            Source::Owners(cells, _) | Source::Places(cells) => return cells[index],
        }
        .map_or(EMPTY, cell)
    }

    /// The number of threads, for a thread-value layout.
    pub fn threads(&self) -> Option<usize> {
        match &self.source {
            Source::Owners(_, threads) => Some(*threads),
            _ => None,
        }
    }

    /// The cells of a window that exist, row by row; no cells if the window has too many.
    pub fn cells(&self, row: usize, column: usize, rows: usize, columns: usize) -> Vec<f64> {
        let rows = rows.min(self.rows.saturating_sub(row));
        let columns = columns.min(self.columns.saturating_sub(column));
        if rows.checked_mul(columns).is_none_or(|cells| cells > MOST_CELLS) {
            return Vec::new();
        }
        let mut cells = Vec::with_capacity(rows * columns);
        match &self.source {
            // Offsets of rows and of columns add up before a swizzle: two lists replace a table.
            Source::Memory(memory, offset)
                if !self.lines && self.size > 0 && is_natural(&memory.strided()) =>
            {
                let layout = memory.strided();
                let across: Vec<usize> = (column..column + columns)
                    .map(|column| layout.at(self.part(column, false)))
                    .collect();
                for down in (row..row + rows).map(|row| layout.at(self.part(row, true))) {
                    match &**memory {
                        AnyLayout::Plain(_) => {
                            cells.extend(across.iter().map(|across| {
                                (down + across).checked_add(*offset).map_or(EMPTY, cell)
                            }));
                        }
                        AnyLayout::Swizzled(_) => cells
                            .extend(across.iter().map(|across| cell(memory.moved(down + across)))),
                    }
                }
            }
            _ => {
                let places = (row..row + rows)
                    .flat_map(|row| (column..column + columns).map(move |column| (row, column)));
                cells.extend(places.map(|(row, column)| {
                    self.index(row, column).map_or(EMPTY, |index| self.at(index))
                }));
            }
        }
        cells
    }

    /// The coordinate in a cell.
    pub fn coordinate(&self, row: usize, column: usize) -> Option<String> {
        let mut index = self.index(row, column)?;
        if let Source::Places(there) = &self.source {
            match there[index] {
                EMPTY => return None,
                SHARED => return Some("\u{2265}2".into()),
                one => index = one as usize,
            }
        }
        self.shape.try_coord(index).ok().map(|coordinate| coordinate.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::evaluate;

    fn picture(text: &str) -> Picture {
        let evaluated = evaluate(text);
        Picture::of(&evaluated.parts.last().expect("a part").operand.value, 1).expect("a picture")
    }

    fn all(picture: &Picture) -> Vec<f64> {
        picture.cells(0, 0, picture.rows, picture.columns)
    }

    #[test]
    fn rows_count_mode_0() {
        let p = picture("(2,3):(1,2)");
        assert_eq!((p.rows, p.columns, all(&p)), (2, 3, vec![0.0, 2.0, 4.0, 1.0, 3.0, 5.0]));
        let p = picture("((2,2),(2,2)):((1,4),(2,8))");
        assert_eq!((p.row_modes.as_slice(), p.column_modes.as_slice()), (&[2, 2][..], &[2, 2][..]));
        assert_eq!(p.coordinate(3, 1).as_deref(), Some("((1,1),(1,0))"));
        assert_eq!(p.index(1, 2), Some(9));
    }

    #[test]
    fn cells_are_what_the_layout_says() {
        for text in [
            "((2,3),(2,2)):((1,4),(2,12))",
            "(4,3,2):(7,0,100)",
            "(8,8):(^1,^9)",
            "Sw<3,3,3> o 72 o (8,64):(64,1)",
            "Sw<3,3,3> o 0 o (8,64):(64,1).slice((2,_))",
            "(8,64):(64,1).slice((2..5,_))",
        ] {
            let p = picture(text);
            let cells = all(&p);
            for (k, &found) in cells.iter().enumerate() {
                let index = p.index(k / p.columns, k % p.columns);
                assert_eq!(found, index.map_or(EMPTY, |index| p.at(index)), "{text}");
            }
        }
    }

    #[test]
    fn any_modes_go_down() {
        for (text, modes) in [
            ("(4,3,2):(7,0,100)", 3),
            ("(4,4,2):(^1,^5,^24)", 3),
            ("Sw<3,3,3> o 72 o (2,8,(4,4)):(256,32,(1,8))", 3),
        ] {
            let value = evaluate(text).parts.remove(0).operand.value;
            let Value::Memory(layout) = &value else { panic!("{text}") };
            for down in 0..1 << modes {
                let p = Picture::of(&value, down).expect("a picture");
                assert_eq!(p.rows * p.columns, p.size);
                let mut seen = vec![false; p.size];
                for (k, &found) in all(&p).iter().enumerate() {
                    let index = p.index(k / p.columns, k % p.columns).expect("a coordinate");
                    assert_eq!(found as usize, layout.at(index), "{text} {down}");
                    assert!(!std::mem::replace(&mut seen[index], true));
                }
            }
        }
    }

    #[test]
    fn memory_is_a_line() {
        let memory = |text: &str| {
            Picture::memory(&evaluate(text).parts.last().expect("a part").operand.value)
                .expect("a picture")
        };
        let p = memory("(2,3):(4,1)");
        assert_eq!((p.rows, p.columns, all(&p)), (1, 7, vec![0.0, 2.0, 4.0, EMPTY, 1.0, 3.0, 5.0]));
        assert_eq!((p.coordinate(0, 4).as_deref(), p.coordinate(0, 3)), (Some("(1,0)"), None));
        assert_eq!(all(&memory("(2,3):(0,1)")), [SHARED; 3]);
        assert_eq!(memory("(2,3):(0,1)").coordinate(0, 1).as_deref(), Some("\u{2265}2"));
        assert_eq!(
            all(&memory("(4,6):(6,1).slice((1,0..2))")),
            [[EMPTY; 6].as_slice(), &[0.0, 1.0]].concat()
        );
        assert_eq!(all(&memory("(0,4):(1,4)")), []);
    }

    #[test]
    fn one_mode_is_a_row_in_lines() {
        let p = picture("40:2");
        assert_eq!((p.rows, p.columns), (2, 32));
        assert_eq!(p.cells(1, 7, 1, 2), [78.0, EMPTY]);
        assert_eq!(p.coordinate(1, 0).as_deref(), Some("32"));
    }

    #[test]
    fn numbers_that_are_not_exact_are_none() {
        let p = picture("(2,2):(1,9007199254740991)");
        assert_eq!(all(&p), [0.0, 9007199254740991.0, 1.0, EMPTY]);
        let too_many = evaluate("(4294967296,2097152)").parts.remove(0).operand.value;
        assert!(Picture::of(&too_many, 1).is_none());
    }

    #[test]
    fn nothing_is_drawn_of_what_is_empty() {
        for text in ["0:1", "(4,0):(1,4)", "(0,4):(1,4)"] {
            let p = picture(text);
            assert_eq!((p.size, all(&p).len()), (0, 0), "{text}");
            assert_eq!(p.coordinate(0, 0), None);
        }
    }

    #[test]
    fn a_tile_shows_who_has_what() {
        let p = picture("(2,2):(2,1).thread_value_table((2,2))");
        assert_eq!((all(&p), p.threads()), (vec![0.0, 1.0, 2.0, 3.0], Some(2)));
        let p = picture("(2,2):(1,0).thread_value_table((3,1))");
        assert_eq!(all(&p), [SHARED, SHARED, EMPTY]);
    }

    #[test]
    fn numbers_beyond_the_last_cell_are_not_read() {
        let p = picture("(2,3):(1,2)");
        assert_eq!(p.cells(5, 5, 1, 1), []);
        assert_eq!(p.cells(1, 1, usize::MAX, usize::MAX), [3.0, 5.0]);
        assert_eq!(p.coordinate(2, 0), None);
    }
}
