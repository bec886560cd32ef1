//! `to = from`: a matrix, tile by tile.

use layout_algebra::atom::{UniversalCopy, copy, make_tiled_copy};
use layout_algebra::prelude::*;
use layout_nvidia::device::{self, Trap, kernel};

/// The tile of a block.
pub type Tile = Tiler!(128, 64);
/// The threads of a block in the tile: 32 down, each with 4 contiguous elements, and 8 across.
pub type Threads = Layout!((32, 8));
/// The contiguous values of a thread, one access of 128 bits.
pub type Values = Layout!((4, 1));

/// A column-major matrix of `m` x `n`, multiples of 128 and 64.
///
/// # Safety
/// Both matrices exist, and 16 divides their addresses.
#[kernel(threads = Threads)]
pub unsafe fn copy_tiles(m: u32, n: u32, from: *const f32, to: *mut f32) -> Result<(), Trap> {
    let (m, n) = (Multiple::<Int<128>>::new(m as usize)?, Multiple::<Int<64>>::new(n as usize)?);
    // SAFETY: the caller's promises: each block has its tile, and each thread of it its part.
    let (from, mut to) = unsafe {
        (Tensor::from_global_ref(from, layout!((m, n))), Tensor::from_global(to, layout!((m, n))))
    }; // (m, n)
    let (x, y, _) = device::block_index();
    let from = from.local_tile(Tile::default(), (x, y))?; // (128, 64)
    let mut to = to.local_tile_mut(Tile::default(), (x, y))?; // (128, 64)
    let tiled = make_tiled_copy(
        UniversalCopy::<f32, Int<4>>::new(),
        Threads::default(),
        Values::default(),
    )?;
    let Some(thread) = tiled.get_slice(device::thread_index()) else { device::trap() };
    let from = thread.partition_s(&from)?; // (V, M, N)
    let mut values = from.fragment_like::<f32>(); // (V, M, N)
    copy(&tiled, &from, &mut values)?;
    copy(&tiled, &values, &mut thread.partition_d_mut(&mut to)?)?;
    Ok(())
}
