//! A matrix cut into tiles: the one thing that all loops of the product run over.

use layout_algebra::prelude::*;

/// A matrix in any order, or a part of a larger one: both strides are known at run time.
pub type Matrix = Layout!((_, _):(_, _));

/// `((rows, columns) of a tile, (rows, columns) of tiles)`.
pub type Divided = Layout!(((_, _), (_, _)):((_, _), (_, _)));

/// The matrix with its modes swapped: `transposed(L)(j, i) == L(i, j)`. The elements stay where they are.
pub fn transposed(matrix: Matrix) -> Matrix {
    let ((m, n), (step_m, step_n)) = (matrix.shape(), matrix.stride());
    layout!((n, m):(step_n, step_m))
}

/// A matrix cut into tiles, of which the last ones may hang over its edge.
#[derive(Clone, Copy)]
pub struct Tiles {
    pub layout: Divided,
    /// The shape of the matrix: what lies beyond it does not exist.
    shape: Shape!((_, _)),
}

impl Tiles {
    /// `zipped_divide(round_up(L, T), T)`: padded to whole tiles, then cut exactly. With `T = <tm, tn>` and `L = (m,n):(dm,dn)`
    /// this is `((tm,tn),(m/tm,n/tn)):((dm,dn),(tm*dm,tn*dn))`, quotients rounded up.
    #[inline]
    pub fn new(matrix: Matrix, rows: usize, columns: usize) -> Self {
        let tile = tiler!(rows, columns);
        Tiles { layout: matrix.round_up(tile).zipped_divide(tile), shape: matrix.shape() }
    }

    /// The same tiles of the same matrix, elsewhere in memory.
    pub fn moved(self, layout: Divided) -> Self {
        Tiles { layout, ..self }
    }

    /// How many tiles there are along each mode.
    #[inline]
    pub fn count(&self) -> Shape!((_, _)) {
        self.layout.shape().1
    }

    /// How much of tile `(i, j)` exists.
    #[inline]
    fn extent(&self, (i, j): (usize, usize)) -> Shape!((_, _)) {
        let ((rows, columns), (m, n)) = (self.layout.shape().0, self.shape);
        // The tiles of the matrix's coordinates, mode by mode: where the tile begins.
        let (i, j) = (layout!(rows:1).at(i * rows), layout!(columns:1).at(j * columns));
        ((m - i).min(rows), (n - j).min(columns))
    }

    /// Tile `(i, j)` and the offset where it begins, without what hangs over the edge: composed with the shape that exists, for
    /// `(L o <a, b>)(x, y) == L(x, y)` on the shape `(a, b)`.
    #[inline]
    pub fn tile(&self, i: usize, j: usize) -> (Matrix, usize) {
        let (tile, offset) = self.layout.slice((.., (i, j)));
        let (rows, columns) = self.extent((i, j));
        (tile.compose(tiler!(rows, columns)), offset)
    }
}
