//! A batched transpose: a permuted tensor of three modes, tiles of 64 x 64 of one matrix each,
//! through shared memory.

use layout_algebra::atom::{UniversalCopy, copy, copy_if, make_tiled_copy};
use layout_algebra::prelude::*;
use layout_nvidia::device::{self, SharedTile, SharedTiles, Trap, kernel};

/// The tile of a block, in one matrix.
pub type Tile = Tiler!(64, 64, 1);
/// The threads of a block: 16 x 16, each with 4 x 4 elements.
pub type Threads = Layout!((16, 16));
/// The tile in shared memory, row-major. Units of 4 elements change places within a row, so that
/// rows and columns meet all banks: `bank_conflicts`, in the test below.
pub type Staged = ComposedLayout<Swizzle<4, 2, 6>, Int<0>, Layout!((64, 64): right)>;
/// The same memory, column-major.
pub type Across = ComposedLayout<Swizzle<4, 2, 6>, Int<0>, Layout!((64, 64))>;
/// The shared memory of a block.
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

/// The tile of a block of [`ragged_transpose`](fn@ragged_transpose), and the same of the result. It
/// is long where the result is contiguous.
pub type RaggedTile = Tiler!(32, 256, 1);
/// The tile in shared memory. A column more than there are elements: rows and columns meet all
/// banks.
pub type RaggedStaged = Layout!((32, 256):(1, 33));
/// The shared memory of a block.
pub type RaggedShared = (SharedTile<f32, RaggedStaged>,);

/// `to[b][m][n] = from[b][n][m]`, row-major both, of any sizes: 32 lanes copy 32 neighbours one by
/// one, since rows of any length begin anywhere.
///
/// # Safety
/// `m n` elements for each matrix of the grid's third mode lie behind each pointer.
#[kernel(threads = Layout!((32, 8)), shared = RaggedShared)]
pub unsafe fn ragged_transpose(m: u32, n: u32, from: *const f32, to: *mut f32) -> Result<(), Trap> {
    device::min_blocks_per_multiprocessor::<4>();
    let (m, n, (i, j, k)) = (m as usize, n as usize, device::block_index());
    let (tile, across) = (tiler!(32, 256), tiler!(256, 32));
    // SAFETY: the caller's promise; what is beyond an edge is not touched, each block writes its
    // own tile, and what its threads write to shared memory is read behind a barrier.
    let (from, mut to, (mut staged,)) = unsafe {
        let (from, to) = (from.wrapping_add(m * n * k), to.wrapping_add(m * n * k));
        (
            Tensor::from_global_ref(from, layout!((m, n)).try_round_up(tile)?),
            Tensor::from_global(to, layout!((n, m)).try_round_up(across)?),
            RaggedShared::make_tensors(),
        )
    };
    let from = from.local_tile(tile, (i, j))?; // (32, 256)
    let mut to = to.local_tile_mut(across, (j, i))?; // (256, 32)
    let one = UniversalCopy::<f32>::new();
    let tiled = make_tiled_copy(one, layout!((32, 8)), layout!((1, 1)))?;
    let Some(thread) = tiled.get_slice(device::thread_index()) else { device::trap() };

    let places = Tensor::coordinates(identity((m, n)).try_round_up(tile)?);
    let there = thread.slice_s().coordinates(&places.local_tile(tile, (i, j))?)?.within((m, n));
    let part = thread.partition_s(&from)?; // (1, 1, 32)
    let mut values = part.fragment_like::<f32>();
    copy_if(&tiled, &part, &mut values, |v| there.holds(v))?;
    copy(&tiled, &values, &mut thread.partition_d_mut(&mut staged)?)?;
    // SAFETY: all threads of the block come here.
    unsafe { device::sync_threads() };
    let staged = staged.with_layout(layout!((256, 32):(33, 1)))?;
    let places = Tensor::coordinates(identity((n, m)).try_round_up(across)?);
    let there = thread.slice_s().coordinates(&places.local_tile(across, (j, i))?)?.within((n, m));
    let part = thread.partition_s(&staged)?; // (1, 8, 4)
    let mut values = part.fragment_like::<f32>();
    copy(&tiled, &part, &mut values)?;
    copy_if(&tiled, &values, &mut thread.partition_d_mut(&mut to)?, |v| there.holds(v))?;
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

    /// Sizes near those of a tile, primes, and random ones; elements after the last matrix are not
    /// written.
    #[test]
    fn matrices_of_any_size() {
        let mut random = crate::random::Random::from_clock();
        let mut sizes = vec![(0, 5, 7), (2, 0, 3), (2, 3, 0), (1, 1, 1), (3, 1, 67), (2, 61, 1)];
        sizes.extend([(1, 32, 256), (1, 31, 257), (2, 127, 31)]);
        sizes.extend((0..4).map(|_| (1 + random.below(2), random.below(300), random.below(300))));
        for (b, m, n) in sizes {
            let said = format!("{b} x {m} x {n}, seed {}", random.seed());
            let from: Vec<f32> = (0..b * m * n).map(|_| random.below(1 << 20) as f32).collect();
            let tiles = (m.div_ceil(32), n.div_ceil(256), b);
            let mut to = vec![f32::NAN; b * m * n + 4];
            let arguments = (m as u32, n as u32, &from[..], &mut to[..]);
            // SAFETY: `b m n` elements each.
            unsafe { host::launch::<ragged_transpose>(tiles, arguments) };
            let (right, given) = (layout!((b, m, n): right), layout!((b, n, m): right));
            for (x, i, j) in
                (0..b).flat_map(|x| (0..m).flat_map(move |i| (0..n).map(move |j| (x, i, j))))
            {
                assert_eq!(to[right.index((x, i, j))], from[given.index((x, j, i))], "{said}");
            }
            assert!(to[b * m * n..].iter().all(|x| x.is_nan()), "{said}");
        }
    }
}
