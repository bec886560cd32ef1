//! Rows of any length: a copy, and a row reduction, RMSNorm. A block has a row.
//!
//! A row of any length begins anywhere. `AlignedRow` sees it from the multiple of 16 bytes before
//! the row on: all vectors are aligned then, and its `copy` copies the first and the last one
//! element by element, as far as they are the row's.

use half::f16;
use layout_algebra::atom::{UniversalCopy, make_tiled_copy};
use layout_algebra::prelude::*;
use layout_nvidia::device::{self, AlignedRow, SharedTile, SharedTiles, Trap, kernel};

/// The threads of a block.
pub type Threads = Layout!(256);
/// The tile of a row that a block copies at once: 4 vectors of 4 for each thread.
pub type Tile = Tiler!(4096);
/// An element for each warp, of which a block has at most 32.
pub type Shared = (SharedTile<f32, Layout!(32)>,);

/// `to = from`, a row of `n` elements for each block.
///
/// # Safety
/// `n` elements for each block lie behind both pointers, whose addresses differ by a multiple of
/// 16.
#[kernel(threads = Threads)]
pub unsafe fn copy_rows(n: u32, from: *const f32, to: *mut f32) -> Result<(), Trap> {
    let begin = n as usize * device::block_index().0;
    let (from, to) = (from.wrapping_add(begin), to.wrapping_add(begin));
    let row = AlignedRow::new(from, n);
    let tiled = make_tiled_copy(UniversalCopy::<f32, Int<4>>::new(), layout!(256), layout!(4))?;
    let (end, all) = (row.end(), layout!((row.end())).try_round_up(Tile::default())?);
    // SAFETY: the caller's promise; what is outside of the row is not touched, and each block has
    // its own row.
    let (from, mut to) = unsafe {
        let from = Tensor::from_global_ref(row.begin(from), all);
        (from, Tensor::from_global(row.begin_mut(to), all))
    };
    let places = Tensor::coordinates(identity(shape!(end)).try_round_up(Tile::default())?);
    let Some(thread) = tiled.get_slice(device::thread_index()) else { device::trap() };
    for tile in 0..end.div_ceil(4096) {
        let places = thread.slice_s().coordinates(&places.local_tile(Tile::default(), (tile,))?)?;
        // ((4, 1), 4)
        let from = from.local_tile(Tile::default(), (tile,))?; // (4096)
        let from = thread.partition_s(&from)?; // ((4, 1), 4)
        let mut values = from.fragment_like::<f32>();
        row.copy(&tiled, &from, &mut values, |v| places.index(v))?;
        let mut to = to.local_tile_mut(Tile::default(), (tile,))?;
        let mut to = thread.partition_d_mut(&mut to)?;
        row.copy(&tiled, &values, &mut to, |v| places.index(v))?;
    }
    Ok(())
}

/// RMSNorm for an element type and the elements of a vector, a number of threads, the values of a
/// thread in a tile, and the blocks on a multiprocessor. The first tile of a row stays in
/// registers: a row of one tile is read once. Sums are in fp32 for all element types.
macro_rules! rms_norm {
    (
        $(#[$about:meta])* $name:ident, $element:ident x $each:literal, $threads:literal,
        $values:literal, $tile:literal, $blocks:literal
    ) => {
        $(#[$about])*
        ///
        /// # Safety
        /// `n` elements for each block lie behind both pointers, whose addresses differ by a
        /// multiple of 16.
        #[kernel(threads = Layout!($threads), shared = Shared)]
        pub unsafe fn $name(
            n: u32,
            epsilon: f32,
            from: *const $element,
            to: *mut $element,
        ) -> Result<(), Trap> {
            device::min_blocks_per_multiprocessor::<$blocks>();
            let begin = n as usize * device::block_index().0;
            let (from, to) = (from.wrapping_add(begin), to.wrapping_add(begin));
            let (row, tile) = (AlignedRow::new(from, n), tiler!($tile));
            let atom = UniversalCopy::<$element, Int<$each>>::new();
            let tiled = make_tiled_copy(atom, layout!($threads), layout!($each))?;
            let (end, all) = (row.end(), layout!((row.end())).try_round_up(tile)?);
            // SAFETY: as in `copy_rows`; shared memory is `reduce_block`'s alone.
            let (from, mut to, (mut scratch,)) = unsafe {
                let from = Tensor::from_global_ref(row.begin(from), all);
                (from, Tensor::from_global(row.begin_mut(to), all), Shared::make_tensors())
            };
            let places = Tensor::coordinates(identity(shape!(end)).try_round_up(tile)?);
            let Some(thread) = tiled.get_slice(device::thread_index()) else { device::trap() };
            // A thread's values of a tile, zeros behind the end of the row.
            let load = |i: usize| -> Result<_, Trap> {
                let places = thread.slice_s().coordinates(&places.local_tile(tile, (i,))?)?;
                let from = from.local_tile(tile, (i,))?; // (tile)
                let from = thread.partition_s(&from)?; // ((each, 1), vectors)
                let mut values = from.fragment_like::<$element>();
                row.copy(&tiled, &from, &mut values, |v| places.index(v))?;
                Ok(values)
            };
            let tiles = end.div_ceil($tile);
            if tiles == 0 {
                return Ok(());
            }
            // The last tile first: the first one is there when all have been read.
            let Ok(mut values) = load(tiles - 1);
            let mut sum = 0.0;
            for i in (0..tiles).rev() {
                if i + 1 < tiles {
                    let Ok(next) = load(i);
                    values = next;
                }
                for_static!(I in 0..$values, {
                    let x = wide::$element(values[I]);
                    sum = device::multiply_add(x, x, sum);
                });
            }
            // SAFETY: all threads of the block come here.
            let sum = unsafe { device::reduce_block(sum, |a, b| a + b, &mut scratch) };
            let factor = device::rsqrt(device::divide(sum, n as f32) + epsilon);
            for i in 0..tiles {
                if i > 0 {
                    let Ok(next) = load(i);
                    values = next;
                }
                for_static!(I in 0..$values, {
                    values[I] = narrow::$element(factor * wide::$element(values[I]));
                });
                let places = thread.slice_s().coordinates(&places.local_tile(tile, (i,))?)?;
                let mut to = to.local_tile_mut(tile, (i,))?;
                let mut to = thread.partition_d_mut(&mut to)?;
                row.copy(&tiled, &values, &mut to, |v| places.index(v))?;
            }
            Ok(())
        }
    };
}
rms_norm! {
    /// `y = x / sqrt(mean(x^2) + epsilon)`, a row of `n` elements for each block: up to 4,096 of
    /// them are read once, the rest twice.
    rms_norm, f32 x 4, 256, 16, 4096, 5
}
rms_norm! {
    /// [`rms_norm`](fn@rms_norm) of long rows: up to 12,288 elements are read once, by more threads.
    rms_norm_of_long_rows, f32 x 4, 512, 24, 12288, 2
}
rms_norm! {
    /// [`rms_norm`](fn@rms_norm) of halves. A thread has each of them in a register of its own, so
    /// that a row takes as many registers as one of floats, for half the bytes: more rows at a time.
    rms_norm_of_halves, f16 x 8, 128, 32, 4096, 8
}
rms_norm! {
    /// [`rms_norm_of_long_rows`](fn@rms_norm_of_long_rows) of halves, up to 11,264 of them at once.
    rms_norm_of_long_rows_of_halves, f16 x 8, 352, 32, 11264, 3
}

/// Converts values of a type to floats ..
mod wide {
    pub use core::convert::identity as f32;
    pub use layout_nvidia::device::widen_to_f32 as f16;
}
/// .. and floats to values of the type.
mod narrow {
    pub use core::convert::identity as f32;
    pub use layout_nvidia::device::narrow_to_f16 as f16;
}

#[cfg(test)]
mod tests {
    use super::*;
    use layout_nvidia::host;

    /// Lengths near those of a vector and of a tile, of halves; elements around the rows are not
    /// written.
    #[test]
    fn rows_of_halves_of_any_length() {
        for n in [0, 1, 3, 8, 15, 255, 4096, 4103, 11003] {
            let half = |i: usize| f16::from_f32((i % 97) as f32 / 32.0 - 1.0);
            let from: Vec<_> = (0..3 * n + 8).map(half).collect();
            for long in [false, true] {
                let mut to = vec![f16::NAN; 3 * n + 8];
                let arguments = (n as u32, 1e-6_f32, &from[..], &mut to[..]);
                // SAFETY: three rows of `n` elements.
                unsafe {
                    match long {
                        false => host::launch::<rms_norm_of_halves>(3, arguments),
                        true => host::launch::<rms_norm_of_long_rows_of_halves>(3, arguments),
                    }
                }
                assert!(to[3 * n..].iter().all(|x| x.is_nan()), "rows of {n}");
                for row in 0..3 {
                    let row = n * row..n * (row + 1);
                    let numbers = from[row.clone()].iter().map(|x| f64::from(*x));
                    let squares: f64 = numbers.map(|x| x * x).sum();
                    let factor = 1.0 / (squares / n as f64 + 1e-6).sqrt();
                    for i in row {
                        let exact = f64::from(from[i]) * factor;
                        let error = (f64::from(to[i]) - exact).abs();
                        assert!(error <= 6e-4 * exact.abs(), "rows of {n}, element {i}");
                    }
                }
            }
        }
    }

    /// Lengths near those of a vector and of a tile; elements around the rows are not written.
    #[test]
    fn rows_of_any_length() {
        for n in [0, 1, 2, 3, 4, 5, 255, 4094, 4097, 11003] {
            let (rows, from) =
                (3, (0..3 * n + 4).map(|i| (i % 97) as f32 - 31.0).collect::<Vec<_>>());
            let mut to = vec![f32::NAN; 3 * n + 4];
            // SAFETY: three rows of `n` elements.
            unsafe { host::launch::<copy_rows>(rows, (n as u32, &from[..], &mut to[..])) };
            assert_eq!(to[..3 * n], from[..3 * n], "rows of {n}");
            assert!(to[3 * n..].iter().all(|x| x.is_nan()), "rows of {n}");
            for long in [false, true] {
                let arguments = (n as u32, 1e-6_f32, &from[..], &mut to[..]);
                // SAFETY: as above.
                unsafe {
                    match long {
                        false => host::launch::<rms_norm>(rows, arguments),
                        true => host::launch::<rms_norm_of_long_rows>(rows, arguments),
                    }
                }
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
}
