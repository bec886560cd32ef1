//! Packing: a copy from one layout to another of the same shape, so that a register block
//! reads memory in a straight line.
//!
//! ```text
//! from    ((W,k),(panels,1)):((dr,dk),(W*dr,0))       panels of the matrix, as zipped_divide cut them
//! to      ((W,k),(panels,1)):((1, W), (W*k, 0))       the same shape, compact, W static
//! ```
//!
//! `to[packed(c)] = from[source(c)]` for every coordinate `c`, and zeros where a panel hangs over
//! the edge. The rest of the file chooses an order of the coordinates that suits the strides.

#![allow(clippy::needless_range_loop, reason = "a layout takes a coordinate, not what lies there")]

use super::tiles::Tiles;
use layout_algebra::prelude::*;
use layout_registers::{Element, Task};

/// The coordinate `((row, k), (panel, 0))` of an element.
type Coordinate = ((usize, usize), (usize, usize));

/// A copy to be made, with panels of `W` rows.
pub struct Pack<'x, E, const W: usize, L> {
    pub from: &'x [E],
    pub source: Tiles,
    pub to: &'x mut [E],
    pub packed: L,
}

/// Steps of k that are copied together: for f32, a cache line of them.
const STEPS: usize = 16;

impl<E: Element, const W: usize, L> Task for Pack<'_, E, W, L>
where
    L: Layout<Offset = usize, Coordinate = Coordinate>,
{
    #[inline(always)]
    fn run(mut self) {
        let ((_, k), (panels, _)) = self.source.layout.shape();
        let ((step_row, step_k), _) = self.source.layout.stride();
        if step_row == 1 {
            // A few steps of every panel, and then the next few: several panels share a cache line.
            for start in (0..k).step_by(STEPS) {
                for panel in 0..panels {
                    let rows = self.source.extent(panel, 0).0;
                    for p in start..k.min(start + STEPS) {
                        self.copy_column(p, panel, rows);
                    }
                }
            }
            return;
        }
        // The squares of k: (16,k/16), those of the rows likewise below.
        let squares = layout!((16, if step_k == 1 { k / STEPS } else { 0 }));
        for panel in 0..panels {
            let rows = self.source.extent(panel, 0).0;
            for square in 0..squares.shape().1 {
                let p = squares.index((0, square));
                // The same twice, the first time with a number of rows that the compiler knows.
                if rows == W { self.transpose(p, panel, W) } else { self.transpose(p, panel, rows) }
            }
            for p in squares.size()..k {
                self.copy_elements(p, panel, rows);
            }
        }
    }
}

impl<E: Element, const W: usize, L> Pack<'_, E, W, L>
where
    L: Layout<Offset = usize, Coordinate = Coordinate>,
{
    /// Where column `p` of a panel goes.
    #[inline(always)]
    fn column(&mut self, p: usize, panel: usize) -> &mut [E; W] {
        let at = self.packed.locate(((0, p), (panel, 0)));
        self.to[at..].first_chunk_mut().expect("W:1 is a column of a packed panel")
    }

    /// One column of any strides.
    #[inline(always)]
    fn copy_elements(&mut self, p: usize, panel: usize, rows: usize) {
        let (from, source) = (self.from, self.source.layout);
        for (i, to) in self.column(p, panel).iter_mut().enumerate() {
            *to = if i < rows { from[source.index(((i, p), (panel, 0)))] } else { E::default() };
        }
    }

    /// One column whose rows are neighbours: `(W):(1)` to `(W):(1)`.
    #[inline(always)]
    fn copy_column(&mut self, p: usize, panel: usize, rows: usize) {
        let from = &self.from[self.source.layout.index(((0, p), (panel, 0)))..];
        let to = self.column(p, panel);
        if rows == W {
            *to = *from.first_chunk().expect("W:1 is a column of the source");
        } else {
            to[..rows].copy_from_slice(&from[..rows]);
            to[rows..].fill(E::default());
        }
    }

    /// `STEPS` columns whose steps of k are neighbours: `(W,16):(dr,1)` to `(W,16):(1,W)`.
    #[inline(always)]
    fn transpose(&mut self, p: usize, panel: usize, rows: usize) {
        let at = self.packed.locate(((0, p), (panel, 0)));
        let (to, _) = self.to[at..].as_chunks_mut::<W>();
        let to: &mut [[E; W]; STEPS] =
            to.first_chunk_mut().expect("(W,STEPS):(1,W) is in a packed panel");
        let (from, source) = (self.from, self.source.layout);
        let squares = layout!((16, rows / STEPS));
        for square in 0..squares.shape().1 {
            let mut elements = Square([[E::default(); STEPS]; STEPS]);
            for i in 0..STEPS {
                let at = source.index(((squares.index((i, square)), p), (panel, 0)));
                elements.0[i] = *from[at..].first_chunk().expect("STEPS:1 is a row of the source");
            }
            let elements = elements.transposed();
            for q in 0..STEPS {
                to[q].as_chunks_mut().0[square] = elements.0[q];
            }
        }
        for i in squares.size()..rows {
            let at = source.index(((i, p), (panel, 0)));
            let row: &[E; STEPS] =
                from[at..].first_chunk().expect("STEPS:1 is a row of the source");
            for q in 0..STEPS {
                to[q][i] = row[q];
            }
        }
        for column in to {
            column[rows..].fill(E::default());
        }
    }
}

/// 16 x 16 elements.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Square<E>([[E; STEPS]; STEPS]);

impl<E: Element> Square<E> {
    /// `(2,128):(128,1)` four times over is `(16,16):(16,1)`, the transpose, and once is an
    /// instruction or two per register.
    #[inline(always)]
    fn transposed(self) -> Self {
        self.shuffled().shuffled().shuffled().shuffled()
    }
    #[inline(always)]
    fn shuffled(self) -> Self {
        let (from, to) = (layout!((2, 128):(128, 1)), layout!((2, 128)));
        let mut square = self;
        let elements = square.0.as_flattened_mut();
        for j in 0..128 {
            for i in 0..2 {
                elements[to.index((i, j))] = self.0.as_flattened()[from.index((i, j))];
            }
        }
        square
    }
}
