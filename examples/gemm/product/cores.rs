//! The product on several cores: C is cut along the mode whose stride is not 1, so that its tiles are pieces of memory one behind the other,
//! and each core computes one of them by itself.
//!
//! ```text
//! C    ((m,nc),(1,n/nc)):((1,dc),(0,nc*dc))       tile (0, y) begins at y*nc*dc: where C's memory is split
//! B    ((k,nc),(1,n/nc)):((dk,dn),(0,nc*dn))      the columns of B that it takes
//! ```

use super::kernel::Blocks;
use super::tiles::{Matrix, Tiles, fits, transposed};
use super::{Blocking, InstructionSet, Workspace, block_columns, product};
use layout_algebra::prelude::*;

/// [`product`] on as many cores as there are workspaces.
pub fn product_on_cores<E: Blocks>(
    set: InstructionSet,
    blocking: Blocking,
    workspaces: &mut [Workspace<E>],
    (a, la): (&[E], Matrix),
    (b, lb): (&[E], Matrix),
    (mut c, lc): (&mut [E], Matrix),
) {
    if lc.stride().0 != 1 {
        // C^T = B^T * A^T
        assert!(lc.stride().1 == 1, "C is row- or column-major");
        let (a, b) = ((a, transposed(la)), (b, transposed(lb)));
        return product_on_cores(set, blocking, workspaces, b, a, (c, transposed(lc)));
    }
    let ((m, n), (k, _)) = (lc.shape(), lb.shape());
    assert!(la.shape() == (m, k) && lb.shape() == (k, n), "A is (m, k), B is (k, n), C is (m, n)");
    assert!(fits(la, a.len()) && fits(lb, b.len()) && fits(lc, c.len()), "each layout fits its memory");
    if m == 0 || n == 0 || k == 0 || n < workspaces.len() || lc.stride().1 < m {
        // Nothing to share, or columns that overlap.
        let workspace = workspaces.first_mut().expect("a workspace for each core, one at least");
        return product(set, blocking, workspace, (a, la), (b, lb), (c, lc));
    }
    // Whole register blocks for all but the last, which has the least to do.
    let columns = n.div_ceil(workspaces.len()).next_multiple_of(block_columns::<E>(set, m));
    let (tiles_b, tiles_c) = (Tiles::new(lb, k, columns), Tiles::new(lc, m, columns));
    let count = tiles_c.count().1;
    let mut begun = 0;
    let mut pieces = workspaces.iter_mut().enumerate().take(count).map(|(y, workspace)| {
        let ((tile_b, at_b), (tile_c, _)) = (tiles_b.tile(0, y), tiles_c.tile(0, y));
        let end = if y + 1 < count { tiles_c.tile(0, y + 1).1 } else { begun + c.len() };
        let piece = c.split_off_mut(..end - begun).expect("tiles of C follow each other");
        begun = end;
        move || product(set, blocking, workspace, (a, la), (&b[at_b..], tile_b), (piece, tile_c))
    });
    // The thread that calls computes the first tile itself: nobody has to wake it, as the others wake late.
    let first = pieces.next();
    rayon::in_place_scope(|scope| {
        pieces.for_each(|mut compute| scope.spawn(move |_| compute()));
        first.into_iter().for_each(|mut compute| compute());
    });
}
