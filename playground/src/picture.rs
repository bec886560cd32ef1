//! The cells of a picture, row by row: rows count mode 0, columns all modes behind it; a layout of one mode is a row,
//! or lines of a row.

use layout_algebra::prelude::*;

use crate::value::{Memory, Value};

/// A layout of one mode is drawn in lines of this length.
const LINE: usize = 32;
/// The most cells that are handed out at once.
const MOST_CELLS: usize = 1 << 22;
/// A cell that nothing is in.
pub const EMPTY: u32 = u32::MAX;
/// A cell that several threads have.
pub const SHARED: u32 = u32::MAX - 1;

/// What a picture is of.
enum Source {
    Memory(Memory, usize),
    Function(DynLayout, DynLayout),
    /// For each element of a tile its thread and value as one number; how many threads there are.
    Owners(Vec<u32>, usize),
}

/// A number as a cell.
#[inline]
fn cell(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(EMPTY)
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
    /// The extents of the leaves that rows count, from the innermost out.
    pub row_modes: Vec<usize>,
    /// The same for columns.
    pub column_modes: Vec<usize>,
    /// Does a cell's number run along the lines, from left to right?
    pub lines: bool,
    /// Shape of the cells, for their coordinates.
    shape: DynShape,
}

impl Picture {
    /// The picture of a value, if it has one.
    pub fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Memory(memory) => Some(Self::grid(memory.strided().shape(), Source::Memory(memory.clone(), 0))),
            // The offset of a swizzled part is within it, and the one beside it is 0.
            Value::Part(memory, offset) => {
                Some(Self::grid(memory.strided().shape(), Source::Memory(memory.clone(), *offset)))
            }
            Value::Function(left, right) => {
                Some(Self::grid(right.shape(), Source::Function(left.clone(), right.clone())))
            }
            Value::Banks(banks) => {
                Some(Self::grid(banks.memory.strided().shape(), Source::Memory(banks.memory.clone(), 0)))
            }
            Value::ThreadValues(layout, tile) => {
                let mut owners = vec![EMPTY; tile.size()];
                let threads = layout.modes().next().map_or(1, |mode| mode.size());
                for index in 0..layout.size() {
                    let owner = &mut owners[layout.index(index)];
                    *owner = if *owner == EMPTY { index as u32 } else { SHARED };
                }
                Some(Self::grid(tile.clone(), Source::Owners(owners, threads)))
            }
            _ => None,
        }
    }

    fn grid(shape: DynShape, source: Source) -> Self {
        let modes: Vec<DynShape> = if shape.depth() == 0 { vec![shape.clone()] } else { shape.children().collect() };
        let size = shape.size();
        let leaves = |modes: &[DynShape]| modes.iter().flat_map(|mode| mode.leaves().to_vec()).collect::<Vec<_>>();
        let lines = modes.len() == 1;
        let (rows, columns, row_modes, column_modes) = match lines {
            true => (size.div_ceil(LINE), size.min(LINE), Vec::new(), leaves(&modes)),
            false => {
                let rows = modes[0].size();
                (rows, size.checked_div(rows).unwrap_or(0), leaves(&modes[..1]), leaves(&modes[1..]))
            }
        };
        Picture { source, size, rows, columns, row_modes, column_modes, lines, shape }
    }

    /// The number of the coordinate in a cell, if there is one.
    pub fn index(&self, row: usize, column: usize) -> Option<usize> {
        if row >= self.rows || column >= self.columns {
            return None;
        }
        let index = if self.lines { row * self.columns + column } else { row + column * self.rows };
        (index < self.size).then_some(index)
    }

    /// What stands at coordinate number `index`.
    fn at(&self, index: usize) -> u32 {
        match &self.source {
            Source::Memory(memory, offset) => memory.at(index).checked_add(*offset),
            Source::Function(left, right) => left.try_index(right.index(index)).ok(),
            Source::Owners(owners, _) => return owners[index],
        }
        .map_or(EMPTY, cell)
    }

    /// How many threads it is dealt out to, if it is.
    pub fn threads(&self) -> Option<usize> {
        match &self.source {
            Source::Owners(_, threads) => Some(*threads),
            _ => None,
        }
    }

    /// The cells of a window, row by row, as far as there are some; none of a window of too many.
    pub fn cells(&self, row: usize, column: usize, rows: usize, columns: usize) -> Vec<u32> {
        let rows = rows.min(self.rows.saturating_sub(row));
        let columns = columns.min(self.columns.saturating_sub(column));
        if rows.checked_mul(columns).is_none_or(|cells| cells > MOST_CELLS) {
            return Vec::new();
        }
        let mut cells = Vec::with_capacity(rows * columns);
        match &self.source {
            // Offsets of rows and of columns add up below a swizzle: two lists in place of a table.
            Source::Memory(memory, offset) if !self.lines && self.size > 0 => {
                let layout = memory.strided();
                let across: Vec<usize> =
                    (column..column + columns).map(|column| layout.at(column * self.rows)).collect();
                for down in (row..row + rows).map(|row| layout.at(row)) {
                    match memory {
                        Memory::Plain(_) => {
                            cells.extend(
                                across.iter().map(|across| (down + across).checked_add(*offset).map_or(EMPTY, cell)),
                            );
                        }
                        Memory::Swizzled(_) => {
                            cells.extend(across.iter().map(|across| cell(memory.moved(down + across))))
                        }
                    }
                }
            }
            _ => {
                let places =
                    (row..row + rows).flat_map(|row| (column..column + columns).map(move |column| (row, column)));
                cells.extend(places.map(|(row, column)| self.index(row, column).map_or(EMPTY, |index| self.at(index))));
            }
        }
        cells
    }

    /// The coordinate in a cell.
    pub fn coordinate(&self, row: usize, column: usize) -> Option<String> {
        self.index(row, column)
            .and_then(|index| self.shape.try_coord(index).ok())
            .map(|coordinate| coordinate.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::evaluate;

    fn picture(text: &str) -> Picture {
        let evaluated = evaluate(text);
        Picture::of(&evaluated.parts.last().expect("a part").operand.value).expect("a picture")
    }

    fn all(picture: &Picture) -> Vec<u32> {
        picture.cells(0, 0, picture.rows, picture.columns)
    }

    #[test]
    fn rows_count_mode_0() {
        let p = picture("(2,3):(1,2)");
        assert_eq!((p.rows, p.columns, all(&p)), (2, 3, vec![0, 2, 4, 1, 3, 5]));
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
    fn one_mode_is_a_row_in_lines() {
        let p = picture("40:2");
        assert_eq!((p.rows, p.columns), (2, 32));
        assert_eq!(p.cells(1, 7, 1, 2), [78, EMPTY]);
        assert_eq!(p.coordinate(1, 0).as_deref(), Some("32"));
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
        assert_eq!((all(&p), p.threads()), (vec![0, 1, 2, 3], Some(2)));
        let p = picture("(2,2):(1,0).thread_value_table((3,1))");
        assert_eq!(all(&p), [SHARED, SHARED, EMPTY]);
    }

    #[test]
    fn numbers_beyond_the_last_cell_are_not_read() {
        let p = picture("(2,3):(1,2)");
        assert_eq!(p.cells(5, 5, 1, 1), []);
        assert_eq!(p.cells(1, 1, usize::MAX, usize::MAX), [3, 5]);
        assert_eq!(p.coordinate(2, 0), None);
    }
}
