//! Rows of any length: a copy, and a row reduction, RMSNorm. A block has a row.
//!
//! A row of any length begins anywhere. It is seen from the multiple of 16 bytes before it on: all
//! vectors are aligned then, and `copy_edges_if` copies the first and the last one element by
//! element, as far as they are the row's.

use layout_algebra::atom::{UniversalCopy, copy_edges_if, make_tiled_copy};
use layout_algebra::prelude::*;
use layout_nvidia::device::{self, SharedTile, SharedTiles, Trap, kernel};

/// The threads of a block.
pub type Threads = Layout!(256);
/// What a block takes at once of a row: 4 vectors of 4 for each thread.
pub type Tile = Tiler!(4096);
/// An element for each warp.
pub type Shared = (SharedTile<f32, Layout!(8)>,);

/// The multiple of 16 bytes before a row, and how many elements behind it the row begins.
fn aligned(row: *const f32) -> (*const f32, usize) {
    let before = row.addr() % 16 / 4;
    (row.wrapping_sub(before), before)
}

/// `to = from`, a row of `n` elements for each block.
///
/// # Safety
/// `n` elements for each block lie behind both pointers, whose addresses differ by a multiple of
/// 16.
#[kernel(threads = Threads)]
pub unsafe fn copy_rows(n: u32, from: *const f32, to: *mut f32) -> Result<(), Trap> {
    let (n, row) = (n as usize, device::block_index().0);
    let (from, before) = aligned(from.wrapping_add(n * row));
    let to = to.wrapping_add(n * row).wrapping_sub(before);
    let (end, tiled) = (
        before + n,
        make_tiled_copy(UniversalCopy::<f32, Int<4>>::new(), layout!(256), layout!(4))?,
    );
    let all = layout!((end)).try_round_up(Tile::default())?;
    // SAFETY: the caller's promise; what is outside of the row is not touched, and each block has
    // its own row.
    let (from, mut to) =
        unsafe { (Tensor::from_global_ref(from, all), Tensor::from_global(to, all)) };
    let places = Tensor::coordinates(identity(shape!(end)).try_round_up(Tile::default())?);
    let Some(thread) = tiled.get_slice(device::thread_index()) else { device::trap() };
    for tile in 0..end.div_ceil(4096) {
        let places = thread.share_s().coordinates(&places.local_tile(Tile::default(), (tile,))?)?;
        // ((4, 1), 4)
        let there = |i: usize| (before..end).contains(&places.index(i));
        let from = from.local_tile(Tile::default(), (tile,))?; // (4096)
        let from = thread.partition_s(&from)?; // ((4, 1), 4)
        let mut values = from.fragment_like::<f32>();
        copy_edges_if(&tiled, &from, &mut values, there)?;
        let mut to = to.local_tile_mut(Tile::default(), (tile,))?;
        copy_edges_if(&tiled, &values, &mut thread.partition_d_mut(&mut to)?, there)?;
    }
    Ok(())
}

/// `y = x / sqrt(mean(x^2) + epsilon)`, a row of `n` elements for each block, which is read twice:
/// the second time from the cache.
///
/// # Safety
/// `n` elements for each block lie behind both pointers, whose addresses differ by a multiple of
/// 16.
#[kernel(threads = Threads, shared = Shared)]
pub unsafe fn rms_norm(n: u32, epsilon: f32, from: *const f32, to: *mut f32) -> Result<(), Trap> {
    let (n, row) = (n as usize, device::block_index().0);
    let (from, before) = aligned(from.wrapping_add(n * row));
    let to = to.wrapping_add(n * row).wrapping_sub(before);
    let (end, tiled) = (
        before + n,
        make_tiled_copy(UniversalCopy::<f32, Int<4>>::new(), layout!(256), layout!(4))?,
    );
    let all = layout!((end)).try_round_up(Tile::default())?;
    // SAFETY: as in `copy_rows`; shared memory is `reduce_block`'s alone.
    let (from, mut to, (mut scratch,)) = unsafe {
        (Tensor::from_global_ref(from, all), Tensor::from_global(to, all), Shared::make_tensors())
    };
    let places = Tensor::coordinates(identity(shape!(end)).try_round_up(Tile::default())?);
    let Some(thread) = tiled.get_slice(device::thread_index()) else { device::trap() };
    let mut sum = 0.0;
    for tile in 0..end.div_ceil(4096) {
        let places = thread.share_s().coordinates(&places.local_tile(Tile::default(), (tile,))?)?;
        let from = from.local_tile(Tile::default(), (tile,))?;
        let from = thread.partition_s(&from)?;
        let mut values = from.fragment_like::<f32>();
        copy_edges_if(&tiled, &from, &mut values, |i| (before..end).contains(&places.index(i)))?;
        for_static!(I in 0..16, {
            sum = device::multiply_add(values[I], values[I], sum);
        });
    }
    // SAFETY: all threads of the block come here.
    let sum = unsafe { device::reduce_block(sum, |a, b| a + b, &mut scratch) };
    let factor = device::rsqrt(device::divide(sum, n as f32) + epsilon);
    for tile in 0..end.div_ceil(4096) {
        let places = thread.share_s().coordinates(&places.local_tile(Tile::default(), (tile,))?)?;
        let there = |i: usize| (before..end).contains(&places.index(i));
        let from = from.local_tile(Tile::default(), (tile,))?;
        let from = thread.partition_s(&from)?;
        let mut values = from.fragment_like::<f32>();
        copy_edges_if(&tiled, &from, &mut values, there)?;
        for_static!(I in 0..16, {
            values[I] *= factor;
        });
        let mut to = to.local_tile_mut(Tile::default(), (tile,))?;
        copy_edges_if(&tiled, &values, &mut thread.partition_d_mut(&mut to)?, there)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use layout_nvidia::host;

    /// Lengths around those of a vector and of a tile; what lies around the rows stays as it was.
    #[test]
    fn rows_of_any_length() {
        for n in [0, 1, 2, 3, 4, 5, 7, 255, 1023, 4094, 4096, 4097, 8191, 11003] {
            let (rows, from) =
                (3, (0..3 * n + 4).map(|i| (i % 97) as f32 - 31.0).collect::<Vec<_>>());
            let mut to = vec![f32::NAN; 3 * n + 4];
            // SAFETY: three rows of `n` elements.
            unsafe { host::launch::<copy_rows>(rows, (n as u32, &from[..], &mut to[..])) };
            assert_eq!(to[..3 * n], from[..3 * n], "rows of {n}");
            assert!(to[3 * n..].iter().all(|x| x.is_nan()), "rows of {n}");
            // SAFETY: as above.
            unsafe { host::launch::<rms_norm>(rows, (n as u32, 1e-6_f32, &from[..], &mut to[..])) };
            for row in 0..rows {
                let row = n * row..n * (row + 1);
                let squares: f64 = from[row.clone()].iter().map(|x| f64::from(x * x)).sum();
                let factor = 1.0 / (squares / n as f64 + 1e-6).sqrt();
                for i in row {
                    let exact = f64::from(from[i]) * factor;
                    assert!(
                        (f64::from(to[i]) - exact).abs() <= 1e-5 * exact.abs(),
                        "rows of {n}, element {i}"
                    );
                }
            }
        }
    }
}
