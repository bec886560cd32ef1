//! A 128 x 128 tile of C, row-major, dealt out to 256 threads by a permutation of its rows and
//! columns.
//!
//! Sixteen by sixteen threads compute a tile; which rows a thread has, is a choice. The layout
//! `(16,4):(4,1)` orders the rows so that the sixteen rows 0, 4, 8 .. come first, then those below
//! them: thread `tm` has the rows `tm*4 .. tm*4+3`, and with two such blocks in 128, the rows 64
//! further down as well. A logical divide of both modes by the permutation puts the thread first,
//! then the row within its four, then the block. Fixing the threads leaves a thread's fragment. In
//! CuTe this is a `TiledMMA` of FMA atoms with a permutation.
//!
//! | here | CuTe |
//! |---|---|
//! | `c.logical_divide(tiler!((16, 4):(4, 1), ..))` | `logical_divide(C, make_tile(P, P))` |
//! | `make_layout(rows.flatten(), columns.flatten())` | `make_layout(flatten(get<0>(l)), flatten(get<1>(l)))` |
//! | `l.slice(((tm, .., ..), (tn, .., ..)))` | `thr_mma.partition_C(C)` |

use layout_algebra::prelude::*;
use layout_algebra::tensor::make_layout;

/// The tile of C: 128 rows of 128.
pub type C = Layout!((128, 128): right);

/// A tile divided by a permutation, each mode flattened to (thread, element, block).
macro_rules! divided {
    ($tile:expr, $permutation:expr) => {{
        let divided = $tile.logical_divide(Tiler::new(($permutation, $permutation)));
        make_layout(divided.mode::<0>().flatten(), divided.mode::<1>().flatten())
    }};
}

/// The text of what one permutation gives: the divided tile, and the fragment of thread 0 as
/// (value, rows, columns).
macro_rules! describe {
    ($permutation:expr) => {{
        let flat = divided!(C::default(), $permutation);
        let (fragment, offset) = flat.slice(((0, .., ..), (0, .., ..)));
        assert_eq!(offset, 0);
        let fragment = fragment.group::<2, 4>().group::<0, 2>().prepend(layout!(1:0));
        (format!("{flat:#}"), format!("{fragment:#}"))
    }};
}

/// Divided tiles and fragments for the permutations `(16,4):(4,1)`, `(16,4):(1,16)` and
/// `(16,8):(8,1)`.
pub fn layouts() -> [(String, String); 3] {
    [
        describe!(layout!((16, 4):(4, 1))),
        describe!(layout!((16, 4):(1, 16))),
        describe!(layout!((16, 8):(8, 1))),
    ]
}

/// How often each element is written, and by which thread, if every thread writes its own:
/// 256 disjoint views of one tile.
pub fn owners() -> Result<Vec<(usize, usize)>, LayoutError> {
    let mut c = Tensor::filled(C::default(), (0, usize::MAX));
    // Of the numbers of the tile's elements: (tm, m, bm, tn, n, bn) -> ((tm, tn), ((m, bm), (n,
    // bn)))
    let modes = divided!(layout!((128, 128)), layout!((16, 4):(4, 1)))
        .flatten()
        .select(shape!((0, 3, 1, 2, 4, 5)));
    let tv = modes.group::<4, 6>().group::<2, 4>().group::<2, 4>().group::<0, 2>();
    for (thread, mut fragment) in c.partitions_mut(tv)?.enumerate() {
        fragment.transform(|&(times, _)| (times + 1, thread));
    }
    Ok(c.into_storage())
}

#[allow(dead_code, reason = "the test of this example calls the functions above")]
fn main() -> Result<(), LayoutError> {
    for (divided, fragment) in layouts() {
        println!("{divided}\n  thread 0: {fragment}");
    }
    let owners = owners()?;
    println!("elements written once: {}", owners.iter().filter(|(times, _)| *times == 1).count());
    Ok(())
}
