//! A batched transpose: a permuted tensor of three modes, tiles of 64 x 64 of one matrix each,
//! through shared memory.

use layout_algebra::atom::{UniversalCopy, copy, make_tiled_copy};
use layout_algebra::prelude::*;
use layout_nvidia::device::{self, SharedTile, SharedTiles, Trap, kernel};

/// The tile of a block: of one matrix.
pub type Tile = Tiler!(64, 64, 1);
/// Who copies: 16 x 16 threads, of which each has 4 x 4 elements.
pub type Threads = Layout!((16, 16));
/// The tile in shared memory, row-major. Units of 4 elements change places within a row, so that
/// rows and columns meet all banks: `bank_conflicts`, in the test below.
pub type Staged = ComposedLayout<Swizzle<4, 2, 6>, Int<0>, Layout!((64, 64): right)>;
/// The same by columns.
pub type Across = ComposedLayout<Swizzle<4, 2, 6>, Int<0>, Layout!((64, 64))>;
/// What a block has in shared memory.
pub type Shared = (SharedTile<f32, Staged>,);

/// `to[b][m][n] = from[b][n][m]`, row-major both; `m` and `n` are multiples of 64.
///
/// # Safety
/// `b m n` elements lie behind each pointer, and 16 divides both.
#[kernel(threads = Threads, shared = Shared)]
pub unsafe fn batched_transpose(
    b: u32,
    m: u32,
    n: u32,
    from: *const f32,
    to: *mut f32,
) -> Result<(), Trap> {
    let (m, n) = (Multiple::<Int<64>>::new(m as usize)?, Multiple::<Int<64>>::new(n as usize)?);
    let b = b as usize;
    // SAFETY: the caller's promise; each block writes its own tile of `to`, and what its threads
    // write to shared memory is read behind a barrier.
    let (from, mut to, (mut staged,)) = unsafe {
        // (m, n, b) and (n, m, b), the mode of stride 1 first.
        let from =
            Tensor::from_global_ref(from, layout!((b, n, m): right).select(shape!((2, 1, 0))));
        let to = Tensor::from_global(to, layout!((b, m, n): right).select(shape!((2, 1, 0))));
        (from, to, Shared::make_tensors())
    };
    let (i, j, k) = device::block_index();
    let from = from.local_tile(Tile::default(), (i, j, k))?; // (64, 64, 1)
    let from = from.slice((.., .., 0)); // (64, 64)
    let mut to = to.local_tile_mut(Tile::default(), (j, i, k))?; // (64, 64, 1)
    let mut to = to.slice_mut((.., .., 0)); // (64, 64)

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
    use layout_nvidia::host;

    #[test]
    fn every_matrix_is_transposed() {
        for (b, m, n) in [(1, 64, 64), (3, 128, 64), (2, 64, 192), (0, 64, 64)] {
            let from: Vec<f32> = (0..b * m * n).map(|i| i as f32).collect();
            let mut to = vec![f32::NAN; b * m * n];
            // SAFETY: `b m n` elements each.
            unsafe {
                host::launch::<batched_transpose>(
                    (m / 64, n / 64, b),
                    (b as u32, m as u32, n as u32, &from[..], &mut to[..]),
                )
            };
            let (right, given) = (layout!((b, m, n): right), layout!((b, n, m): right));
            for (x, i, j) in
                (0..b).flat_map(|x| (0..m).flat_map(move |i| (0..n).map(move |j| (x, i, j))))
            {
                assert_eq!(to[right.index((x, i, j))], from[given.index((x, j, i))]);
            }
        }
    }
}
