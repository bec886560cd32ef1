//! Softmax of long rows, of any length: a block has a row, and reads it once if its registers
//! suffice. Longer rows are read twice, the first time for the maximum and the sum.
//!
//! The maximum is computed online: when a thread finds a larger element, it scales its partial sum.

use layout_algebra::atom::{UniversalCopy, make_tiled_copy};
use layout_algebra::prelude::*;
use layout_nvidia::device::{self, AlignedRow, SharedTile, SharedTiles, Trap, kernel};

/// An element for each warp, of which a block has at most 32.
pub type Shared = (SharedTile<f32, Layout!(32)>,);

/// `e^x`.
#[inline(always)]
fn exp(x: f32) -> f32 {
    device::exp2(x * core::f32::consts::LOG2_E)
}

/// Softmax for a number of threads, the values of a thread in a tile, and the blocks on a
/// multiprocessor.
macro_rules! softmax {
    (
        $(#[$about:meta])* $name:ident, $threads:literal, $values:literal, $tile:literal,
        $blocks:literal
    ) => {
        $(#[$about])*
        ///
        /// # Safety
        /// `n` elements for each block lie behind both pointers, whose addresses differ by a
        /// multiple of 16.
        #[kernel(threads = Layout!($threads), shared = Shared)]
        pub unsafe fn $name(n: u32, from: *const f32, to: *mut f32) -> Result<(), Trap> {
            device::min_blocks_per_multiprocessor::<$blocks>();
            let begin = n as usize * device::block_index().0;
            let (from, to) = (from.wrapping_add(begin), to.wrapping_add(begin));
            let (row, tile) = (AlignedRow::new(from, n), tiler!($tile));
            let four = UniversalCopy::<f32, Int<4>>::new();
            let tiled = make_tiled_copy(four, layout!($threads), layout!(4))?;
            let (end, all) = (row.end(), layout!((row.end())).try_round_up(tile)?);
            // SAFETY: the caller's promise; what is outside of the row is not touched, and each
            // block has its own row; shared memory is `reduce_block`'s alone.
            let (from, mut to, (mut scratch,)) = unsafe {
                let from = Tensor::from_global_ref(row.begin(from), all);
                (from, Tensor::from_global(row.begin_mut(to), all), Shared::make_tensors())
            };
            let places = Tensor::coordinates(identity(shape!(end)).try_round_up(tile)?);
            let Some(thread) = tiled.get_slice(device::thread_index()) else { device::trap() };
            // A thread's values of a tile, -inf behind the end of the row: exp(-inf) = 0.
            let load = |i: usize| -> Result<_, Trap> {
                let places = thread.slice_s().coordinates(&places.local_tile(tile, (i,))?)?;
                let from = from.local_tile(tile, (i,))?; // (tile)
                let from = thread.partition_s(&from)?; // ((4, 1), vectors)
                let mut values = from.fragment_like::<f32>();
                values.fill(f32::NEG_INFINITY);
                row.copy(&tiled, &from, &mut values, |v| places.index(v))?;
                Ok(values)
            };
            let tiles = end.div_ceil($tile);
            if tiles == 0 {
                return Ok(());
            }
            // The last tile first, so that the first tile is in registers after all have been read.
            let Ok(mut values) = load(tiles - 1);
            // The initial maximum is finite, so that no thread subtracts infinities.
            let (mut largest, mut sum) = (f32::MIN, 0.0);
            for i in (0..tiles).rev() {
                if i + 1 < tiles {
                    let Ok(next) = load(i);
                    values = next;
                }
                let before = largest;
                for_static!(I in 0..$values, {
                    largest = largest.max(values[I]);
                });
                sum *= exp(before - largest);
                for_static!(I in 0..$values, {
                    sum += exp(values[I] - largest);
                });
            }
            let before = largest;
            // SAFETY: all threads of the block come here, and below.
            let largest = unsafe { device::reduce_block(largest, f32::max, &mut scratch) };
            sum *= exp(before - largest);
            // SAFETY: as above.
            let sum = unsafe { device::reduce_block(sum, |a, b| a + b, &mut scratch) };
            let factor = device::reciprocal(sum);
            for i in 0..tiles {
                if i > 0 {
                    let Ok(next) = load(i);
                    values = next;
                }
                for_static!(I in 0..$values, {
                    values[I] = factor * exp(values[I] - largest);
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
softmax! {
    /// `y = exp(x) / sum(exp(x))`, a row of `n` elements for each block: rows of up to 11,261
    /// elements are read once.
    softmax, 256, 44, 11264, 3
}
softmax! {
    /// [`softmax`](fn@softmax) of longer rows: a multiprocessor has one block, whose registers take
    /// 24,576 elements.
    softmax_of_very_long_rows, 1024, 24, 24576, 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use layout_nvidia::host;

    /// Lengths near those of a vector and of a tile, and random ones; large numbers, and -inf;
    /// elements around the rows are not written.
    #[test]
    fn rows_of_any_length() {
        let mut random = Random::from_clock();
        let mut lengths = vec![0, 1, 3, 1021, 11003];
        lengths.extend([random.below(40000)]);
        for n in lengths {
            let said = format!("rows of {n}, seed {}", random.seed());
            let mut from: Vec<f32> =
                (0..2 * n + 4).map(|_| random.below(4000) as f32 / 100.0 - 20.0).collect();
            for _ in 0..n / 100 {
                from[random.below(n)] = f32::NEG_INFINITY;
                from[n + random.below(n)] *= 1e4;
            }
            for long in [false, true] {
                let mut to = vec![f32::NAN; 2 * n + 4];
                let arguments = (n as u32, &from[..], &mut to[..]);
                // SAFETY: two rows of `n` elements.
                unsafe {
                    match long {
                        false => host::launch::<softmax>(2, arguments),
                        true => host::launch::<softmax_of_very_long_rows>(2, arguments),
                    }
                }
                assert!(to[2 * n..].iter().all(|x| x.is_nan()), "{said}");
                for row in 0..2 {
                    let row = n * row..n * (row + 1);
                    let largest = from[row.clone()].iter().copied().fold(f32::MIN, f32::max);
                    let exact = |x: &f32| f64::from(*x - largest).exp();
                    let sum: f64 = from[row.clone()].iter().map(exact).sum();
                    for (found, x) in to[row.clone()].iter().zip(&from[row]) {
                        let exact = exact(x) / sum;
                        let error = (f64::from(*found) - exact).abs();
                        assert!(error <= 2e-5 * exact + 1e-37, "{said}: {found} {exact}");
                    }
                }
            }
        }
    }
}
