//! A matrix cut into tiles: the one thing that all loops of the product run over.

use layout_algebra::prelude::*;

/// A matrix in any order, or a part of a larger one: both strides are known at run time.
pub type Matrix = Layout!((_, _):(_, _));

/// `((rows, columns) of a tile, (rows, columns) of tiles)`.
pub type Divided = Layout!(((_, _), (_, _)):((_, _), (_, _)));

/// The matrix with its modes swapped: `transposed(L)(j, i) == L(i, j)`. The elements stay where
/// they are.
pub fn transposed(matrix: Matrix) -> Matrix {
    let ((m, n), (step_m, step_n)) = (matrix.shape(), matrix.stride());
    layout!((n, m):(step_n, step_m))
}

/// A matrix whose rows are neighbours.
pub type UnitRows = Layout!((_, _):(1, _));

/// The same strides, with the 1 of the rows in the type: rows are neighbours, and a register can
/// hold some.
#[inline]
pub fn unit_rows(matrix: Matrix) -> UnitRows {
    let ((m, n), (step_m, step_n)) = (matrix.shape(), matrix.stride());
    assert!(step_m == 1);
    layout!((m, n):(1, step_n))
}

/// The same layout, its static numbers forgotten.
pub fn dynamic<S, D>(layout: StridedLayout<S, D>) -> StridedLayout<S::Dynamic, D::Dynamic>
where
    S: IntTuple<Dynamic: Congruent<D::Dynamic>>,
    D: IntTuple,
{
    StridedLayout::new(layout.shape().to_dynamic(), layout.stride().to_dynamic())
}

/// Whether every element of the matrix lies within `length` of them: `cosize(L) <= length`, also
/// where cosize is beyond `usize`.
pub fn fits(matrix: Matrix, length: usize) -> bool {
    let ((m, n), (step_m, step_n)) = (matrix.shape(), matrix.stride());
    let last = |extent: usize, step: usize| (extent - 1).checked_mul(step);
    m.checked_mul(n) == Some(0)
        || last(m, step_m)
            .zip(last(n, step_n))
            .and_then(|(i, j)| i.checked_add(j))
            .is_some_and(|last| last < length && matrix.cosize() == last + 1)
}

/// A matrix cut into tiles, of which the last ones may hang over its edge.
#[derive(Clone, Copy)]
pub struct Tiles {
    pub layout: Divided,
    /// The shape of the matrix: what lies beyond it does not exist.
    shape: Shape!((_, _)),
}

impl Tiles {
    /// `zipped_divide(round_up(L, T), T)`: padded to whole tiles, then cut exactly. With
    /// `T = <tm, tn>` and `L = (m,n):(dm,dn)` this is
    /// `((tm,tn),(m/tm,n/tn)):((dm,dn),(tm*dm,tn*dn))`, quotients rounded up.
    #[inline]
    pub fn new(matrix: Matrix, rows: usize, columns: usize) -> Self {
        let tile = tiler!(rows, columns);
        Tiles { layout: matrix.round_up(tile).zipped_divide(tile), shape: matrix.shape() }
    }

    /// Tiles that all exist, as they lie in `layout`.
    pub fn whole(layout: Divided) -> Self {
        let ((rows, columns), (down, across)) = layout.shape();
        Tiles { layout, shape: ((rows, down).size(), (columns, across).size()) }
    }

    /// How many tiles there are along each mode.
    #[inline]
    pub fn count(&self) -> Shape!((_, _)) {
        self.layout.shape().1
    }

    /// The row and the column where tile `(i, j)` begins.
    #[inline]
    pub fn begin(&self, i: usize, j: usize) -> Shape!((_, _)) {
        let ((rows, columns), (down, across)) = self.layout.shape();
        (crd2idx((0, i), (rows, down)), crd2idx((0, j), (columns, across)))
    }

    /// How much of tile `(i, j)` exists.
    #[inline]
    pub fn extent(&self, i: usize, j: usize) -> Shape!((_, _)) {
        let ((rows, columns), _) = self.layout.shape();
        let (row, column) = self.begin(i, j);
        ((self.shape.0 - row).min(rows), (self.shape.1 - column).min(columns))
    }

    /// Tile `(i, j)` and the offset where it begins, without what hangs over the edge: composed
    /// with the shape that exists, for `(L o <a, b>)(x, y) == L(x, y)` on the shape `(a, b)`.
    #[inline]
    pub fn tile(&self, i: usize, j: usize) -> (Matrix, usize) {
        let (tile, offset) = self.layout.slice((.., (i, j)));
        let (rows, columns) = self.extent(i, j);
        // Most tiles are whole, and composing with all of a shape changes nothing.
        if (rows, columns) == tile.shape() {
            (tile, offset)
        } else {
            (tile.compose(tiler!(rows, columns)), offset)
        }
    }
}
