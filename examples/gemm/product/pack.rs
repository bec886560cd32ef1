//! Packing: a copy from one layout to another of the same shape, so that a register block reads memory in a straight line.
//!
//! ```text
//! from    ((W,k),(panels,1)):((dr,dk),(W*dr,0))       panels of the matrix, as zipped_divide cut them
//! to      ((W,k),(panels,1)):((1, W), (W*k, 0))       the same shape, compact, W static
//! ```
//!
//! `to[packed(c)] = from[source(c)]` for every coordinate `c`, and zeros where a panel hangs over the edge. The rest of the file
//! chooses an order of the coordinates that suits the strides.

use super::tiles::Tiles;
use super::vector::{Element, Task};
use layout_algebra::prelude::*;

/// The coordinate `((row, k), (panel, 0))` of an element.
type Coordinate = ((usize, usize), (usize, usize));

/// A copy to be made, with panels of `W` rows.
pub struct Pack<'x, E, const W: usize, L> {
    pub from: &'x [E],
    pub source: Tiles,
    pub to: &'x mut [E],
    pub packed: L,
}

/// As many steps of k are copied at a time as fill a cache line.
const STEPS: usize = 16;

impl<E: Element, const W: usize, L> Task for Pack<'_, E, W, L>
where
    L: Layout<Offset = usize, Coordinate = Coordinate>,
{
    #[inline(always)]
    fn run(mut self) {
        let ((_, k), (panels, _)) = self.source.layout.shape();
        let ((step_row, step_k), _) = self.source.layout.stride();
        let whole = |panel| self.source.extent(panel, 0).0 == W;
        let whole_panels = (0..panels).take_while(|&panel| whole(panel)).count();
        let long = k - k % STEPS;
        if step_row == 1 {
            // A few steps of every panel, and then the next few: several panels share a cache line.
            for start in (0..k).step_by(STEPS) {
                for panel in 0..whole_panels {
                    (start..k.min(start + STEPS)).for_each(|p| self.copy_column(p, panel));
                }
            }
        } else {
            for panel in 0..whole_panels {
                let split = if step_k == 1 { long } else { 0 };
                (0..split).step_by(STEPS).for_each(|p| self.transpose(p, panel));
                (split..k).for_each(|p| self.copy_elements(W, p, panel));
            }
        }
        for panel in whole_panels..panels {
            let rows = self.source.extent(panel, 0).0;
            (0..k).for_each(|p| self.copy_elements(rows, p, panel));
        }
    }
}

impl<E: Element, const W: usize, L> Pack<'_, E, W, L>
where
    L: Layout<Offset = usize, Coordinate = Coordinate>,
{
    /// Where row 0 of column `p` of a panel goes.
    #[inline(always)]
    fn column(&mut self, p: usize, panel: usize) -> &mut [E; W] {
        let at = self.packed.locate(((0, p), (panel, 0)));
        self.to[at..].first_chunk_mut().expect("W:1 is a column of a packed panel")
    }

    /// One column of any strides: `rows` that exist, and zeros.
    #[inline(always)]
    fn copy_elements(&mut self, rows: usize, p: usize, panel: usize) {
        let (from, source) = (self.from, self.source.layout);
        for (i, to) in self.column(p, panel).iter_mut().enumerate() {
            *to = if i < rows { from[source.index(((i, p), (panel, 0)))] } else { E::default() };
        }
    }

    /// One column whose rows are neighbours: `(W):(1)` to `(W):(1)`.
    #[inline(always)]
    fn copy_column(&mut self, p: usize, panel: usize) {
        let at = self.source.layout.index(((0, p), (panel, 0)));
        *self.column(p, panel) = *self.from[at..].first_chunk().expect("W:1 is a column of the source");
    }

    /// `STEPS` columns whose steps of k are neighbours: `(W,16):(dr,1)` to `(W,16):(1,W)`.
    #[inline(always)]
    fn transpose(&mut self, p: usize, panel: usize) {
        let (from, source) = (self.from, self.source.layout);
        let row = |i| -> &[E; STEPS] {
            from[source.index(((i, p), (panel, 0)))..].first_chunk().expect("STEPS:1 is a row of the source")
        };
        let at = self.packed.locate(((0, p), (panel, 0)));
        let (to, _) = self.to[at..].as_chunks_mut::<W>();
        let to: &mut [[E; W]; STEPS] = to.first_chunk_mut().expect("(W,STEPS):(1,W)");
        let squares = W / STEPS;
        for square in 0..squares {
            let rows = Square(std::array::from_fn(|i| *row(square * STEPS + i)));
            for (to, column) in to.iter_mut().zip(rows.transposed().0) {
                to.as_chunks_mut().0[square] = column;
            }
        }
        for i in squares * STEPS..W {
            to.iter_mut().zip(row(i)).for_each(|(to, &x)| to[i] = x);
        }
    }
}

/// 16 x 16 elements.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Square<E>([[E; STEPS]; STEPS]);

impl<E: Element> Square<E> {
    /// `(2,128):(128,1)` four times over is `(16,16):(16,1)`, the transpose, and once is an instruction or two per register.
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
