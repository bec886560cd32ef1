//! The product on several cores: C is cut into tiles, and each core computes one of them by itself.
//! Two rows of tiles lie one between the other in memory, column by column, and yet share no
//! element.
//!
//! ```text
//! C    ((mc,n),(m/mc,1)):((1,dc),(mc,0))          a tile for each core
//! A    ((mc,k),(m/mc,1)):((dm,dk),(mc*dm,0))      the rows of A that it takes, and packs: nobody else does
//! ```
//!
//! Or columns of tiles, `((m,nc),(1,n/nc))`, and of B, if that leaves the cores less to wait for
//! each other.

use super::kernel::Blocks;
use super::tiles::{Matrix, Tiles, fits, transposed, unit_rows};
use super::{Blocking, InstructionSet, Workspace, product, product_to, register_block};
use layout_algebra::prelude::*;

/// [`product`] on as many cores as there are workspaces.
pub fn product_on_cores<E: Blocks>(
    set: InstructionSet,
    blocking: Blocking,
    workspaces: &mut [Workspace<E>],
    (a, la): (&[E], Matrix),
    (b, lb): (&[E], Matrix),
    (c, lc): (&mut [E], Matrix),
) {
    if lc.stride().0 != 1 {
        // C^T = B^T * A^T
        assert!(lc.stride().1 == 1, "C is row- or column-major");
        let (a, b) = ((a, transposed(la)), (b, transposed(lb)));
        return product_on_cores(set, blocking, workspaces, b, a, (c, transposed(lc)));
    }
    let ((m, n), (k, _)) = (lc.shape(), lb.shape());
    assert!(la.shape() == (m, k) && lb.shape() == (k, n), "A is (m, k), B is (k, n), C is (m, n)");
    assert!(
        fits(la, a.len()) && fits(lb, b.len()) && fits(lc, c.len()),
        "each layout fits its memory"
    );
    if m == 0 || n == 0 || k == 0 || lc.stride().1 < m {
        // Nothing to share, or columns that overlap.
        let workspace = workspaces.first_mut().expect("a workspace for each core, one at least");
        return product(set, blocking, workspace, (a, la), (b, lb), (c, lc));
    }
    // Whole register blocks for all but the last, which has the least to do.
    let (block_rows, block_columns) = register_block::<E>(set, m);
    let share = |x: usize, block: usize| x.div_ceil(block).div_ceil(workspaces.len()) * block;
    let (rows, columns) = (share(m, block_rows), share(n, block_columns));
    let by_rows = rows * n <= m * columns;
    let (rows, columns) = if by_rows { (rows, n) } else { (m, columns) };
    let (tiles_a, tiles_b) = (Tiles::new(la, rows, k), Tiles::new(lb, k, columns));
    let mut c = Tensor::new(c, unit_rows(lc)).expect("each layout fits its memory");
    let tiles_c = c.ragged_tiles_mut(tiler!(rows, columns)).enumerate();
    let mut tiles = workspaces.iter_mut().zip(tiles_c).map(|(workspace, (i, c))| {
        let (x, y) = if by_rows { (i, 0) } else { (0, i) };
        let ((tile_a, at_a), (tile_b, at_b)) = (tiles_a.tile(x, 0), tiles_b.tile(0, y));
        move || {
            product_to(
                set,
                blocking,
                workspace,
                (&a[at_a..], tile_a),
                (&b[at_b..], tile_b),
                c,
                false,
            )
        }
    });
    // The thread that calls computes the first tile itself: nobody has to wake it, as the others
    // wake late.
    let first = tiles.next();
    rayon::in_place_scope(|scope| {
        tiles.for_each(|compute| scope.spawn(move |_| compute()));
        first.into_iter().for_each(|compute| compute());
    });
}
