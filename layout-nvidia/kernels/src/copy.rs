//! `to = from`: a matrix, tile by tile.

use layout_algebra::atom::{UniversalCopy, copy, make_tiled_copy};
use layout_algebra::prelude::*;
use layout_nvidia::{device, kernel};

/// The tile of a block.
pub type Tile = Tiler!(128, 64);
/// The threads of a block in the tile: 32 down, each with 4 neighbours, and 8 across.
pub type Threads = Layout!((32, 8));
/// The values of a thread side by side, one access of 128 bits.
pub type Values = Layout!((4, 1));

kernel! {
    /// A column-major matrix of `m` x `n`, multiples of 128 and 64.
    ///
    /// # Safety
    /// Both matrices are there, and 16 divides their addresses.
    pub fn copy_tiles(m: u32, n: u32, from: *const f32, to: *mut f32)
    threads: Threads, shared: ();
    {
        let (m, n) = (Multiple::<Int<128>>::new(m as usize), Multiple::<Int<64>>::new(n as usize));
        let (Ok(m), Ok(n)) = (m, n) else { return };
        let matrix = layout!((m, n));
        // SAFETY: the caller's promises: each block has its tile, and each thread of it its part.
        unsafe {
            let (from, mut to) = (Tensor::from_global_ref(from, matrix), Tensor::from_global(to, matrix));
            let (from, mut to) = (
                from.local_tile_unchecked(Tile::default(), device::block()),
                to.local_tile_unchecked_mut(Tile::default(), device::block()),
            );
            let vectors = UniversalCopy::<f32, Int<4>>::new();
            let Ok(tiled) = make_tiled_copy(vectors, Threads::default(), Values::default()) else { return };
            let Some(thread) = tiled.get_slice(device::thread()) else { return };
            let (from, mut to) = (thread.partition_s_unchecked(&from), thread.partition_d_unchecked_mut(&mut to));
            let mut values = from.fragment_like::<f32>();
            let _ = copy(&tiled, &from, &mut values);
            let _ = copy(&tiled, &values, &mut to);
        }
    }
}
