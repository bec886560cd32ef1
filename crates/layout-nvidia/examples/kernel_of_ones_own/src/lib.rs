//! A kernel: `to = transpose of from`, tile by tile through shared memory.

use layout_algebra::atom::{UniversalCopy, copy, make_tiled_copy};
use layout_algebra::prelude::*;
use layout_nvidia::device::{self, SharedTile, SharedTiles, Trap, kernel};

/// A block has a tile, and a thread 4 x 4 elements of it.
pub type Tile = Tiler!(64, 64);
pub type Threads = Layout!((16, 16));
/// The tile in shared memory, row-major. Groups of 4 elements change places within a row, so that
/// rows and columns meet all banks.
pub type Staged = ComposedLayout<Swizzle<4, 2, 6>, Int<0>, Layout!((64, 64): right)>;
pub type Across = ComposedLayout<Swizzle<4, 2, 6>, Int<0>, Layout!((64, 64))>;
pub type Shared = (SharedTile<f32, Staged>,);

/// A column-major matrix of `m` x `n`, multiples of 64, to a column-major one of `n` x `m`.
///
/// # Safety
/// `m n` elements lie behind each pointer, and 16 divides both.
#[kernel(threads = Threads, shared = Shared)]
pub unsafe fn transpose(m: u32, n: u32, from: *const f32, to: *mut f32) -> Result<(), Trap> {
    let (m, n) = (Multiple::<Int<64>>::new(m as usize)?, Multiple::<Int<64>>::new(n as usize)?);
    // SAFETY: the caller's promise; each block writes its own tile of `to`, and what its threads
    // write to shared memory is read behind a barrier.
    let (from, mut to, (mut staged,)) = unsafe {
        (
            Tensor::from_global_ref(from, layout!((m, n))),
            Tensor::from_global(to, layout!((n, m))),
            Shared::make_tensors(),
        )
    };
    let (i, j, _) = device::block_index();
    let from = from.local_tile(Tile::default(), (i, j))?;
    let mut to = to.local_tile_mut(Tile::default(), (j, i))?;

    // Vectors of 4 elements: `columns` copies along columns, `rows` writes the rows of the tile in
    // shared memory.
    let four = UniversalCopy::<f32, Int<4>>::new();
    let columns = make_tiled_copy(four, Threads::default(), layout!((4, 4)))?;
    let rows = make_tiled_copy(four, Threads::default(), layout!((4, 4): right))?;
    let id = device::thread_index();
    let (Some(read), Some(stage)) = (columns.get_slice(id), rows.get_slice(id)) else {
        device::trap()
    };

    let part = read.partition_s(&from)?;
    let mut values = part.fragment_like::<f32>();
    copy(&columns, &part, &mut values)?;
    copy(
        &rows,
        &stage.retile_s(&values, read.slice_d())?,
        &mut stage.partition_d_mut(&mut staged)?,
    )?;
    // SAFETY: all threads of the block come here.
    unsafe { device::sync_threads() };
    let staged = staged.with_layout(Across::default())?;
    copy(&columns, &read.partition_s(&staged)?, &mut values)?;
    copy(&columns, &values, &mut read.partition_d_mut(&mut to)?)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same function on the CPU, a thread of the operating system for each of the device.
    #[test]
    fn every_number_is_where_it_belongs() {
        let (m, n) = (128, 192);
        let from: Vec<f32> = (0..m * n).map(|i| i as f32).collect();
        let mut to = vec![f32::NAN; m * n];
        // SAFETY: both have m n elements.
        unsafe {
            layout_nvidia::host::launch::<transpose>(
                (2, 3),
                (128_u32, 192_u32, &from[..], &mut to[..]),
            )
        };
        for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
            assert_eq!(to[layout!((n, m)).index((j, i))], from[layout!((m, n)).index((i, j))]);
        }
    }
}
