//! `to = transpose of from`: tiles through shared memory, with a swizzle against bank conflicts.

use layout_algebra::atom::{UniversalCopy, copy, make_tiled_copy};
use layout_algebra::prelude::*;
use layout_nvidia::device::{self, SharedTile, SharedTiles, Trap, kernel};

/// The tile of a block.
pub type Tile = Tiler!(64, 64);
/// The threads of a block: 16 along the columns of the source, each with 4 contiguous elements, and
/// 16 across.
pub type Threads = Layout!((16, 16));
/// The 4 x 4 values of a thread, column by column as they are read ..
pub type Columns = Layout!((4, 4));
/// .. and row by row as they are written to shared memory: the order of the registers is the
/// transpose.
pub type Rows = Layout!((4, 4): right);
/// The values of a thread read from shared memory: 4 contiguous along the other mode.
pub type Neighbours = Layout!((4, 1));
/// The tile in shared memory, row-major. The index of a unit of 4 elements within a row is XORed
/// with a quarter of the row, so that 8 threads at a time access all banks, along rows and across.
pub type Staged = ComposedLayout<Swizzle<4, 2, 6>, Int<0>, Layout!((64, 64): right)>;
/// The same with columns first.
pub type Across = ComposedLayout<Swizzle<4, 2, 6>, Int<0>, Layout!((64, 64))>;
/// All of shared memory.
pub type Shared = (SharedTile<f32, Staged>,);

/// A column-major matrix of `m` x `n`, multiples of 64, to a column-major one of `n` x `m`.
///
/// # Safety
/// Both matrices exist, and 16 divides their addresses.
#[kernel(threads = Threads, shared = Shared)]
pub unsafe fn transpose_tiles(m: u32, n: u32, from: *const f32, to: *mut f32) -> Result<(), Trap> {
    let (m, n) = (Multiple::<Int<64>>::new(m as usize)?, Multiple::<Int<64>>::new(n as usize)?);
    // SAFETY: the caller's promises: each block has its tile, and each thread its part of the tile;
    // shared memory is read after a barrier.
    let (from, mut to, (mut staged,)) = unsafe {
        (
            Tensor::from_global_ref(from, layout!((m, n))),
            Tensor::from_global(to, layout!((n, m))),
            Shared::make_tensors(),
        )
    }; // (m, n), (n, m), (64, 64)
    let (bm, bn, _) = device::block_index();
    let from = from.local_tile(Tile::default(), (bm, bn))?; // (64, 64)
    let mut to = to.local_tile_mut(Tile::default(), (bn, bm))?; // (64, 64)

    let four = UniversalCopy::<f32, Int<4>>::new();
    let load = make_tiled_copy(four, Threads::default(), Columns::default())?;
    let store = make_tiled_copy(four, Threads::default(), Rows::default())?;
    let leave = make_tiled_copy(four, Threads::default(), Neighbours::default())?;
    let id = device::thread_index();
    let (Some(load), Some(store), Some(leave)) =
        (load.get_slice(id), store.get_slice(id), leave.get_slice(id))
    else {
        device::trap()
    };
    let from = load.partition_s(&from)?; // (V, M, N)
    let mut values = from.fragment_like::<f32>(); // (V, M, N)
    copy(load.tiled_copy(), &from, &mut values)?;
    let rows = store.retile_s(&values, load.slice_d())?; // (V, M, N)
    copy(store.tiled_copy(), &rows, &mut store.partition_d_mut(&mut staged)?)?;
    // SAFETY: all threads of the block call this.
    unsafe { device::sync_threads() };
    let across = staged.with_layout(Across::default())?; // (64, 64)
    let from = leave.partition_s(&across)?; // (V, M, N)
    let mut values = from.fragment_like::<f32>(); // (V, M, N)
    copy(leave.tiled_copy(), &from, &mut values)?;
    copy(leave.tiled_copy(), &values, &mut leave.partition_d_mut(&mut to)?)?;
    Ok(())
}
