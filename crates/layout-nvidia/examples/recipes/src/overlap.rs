//! A convolution with so many weights that computing takes about as long as loading: a block goes
//! through many tiles, and copies the next tile while it computes one. `halo.rs` has the simple
//! form.

use layout_algebra::atom::{CopyAtom, UniversalCopy, copy};
use layout_algebra::prelude::*;
use layout_algebra::tensor::Fragment;
use layout_nvidia::copy::{SM80_CP_ASYNC_CACHEALWAYS_ZFILL, SM80_CP_ASYNC_CACHEGLOBAL_ZFILL};
use layout_nvidia::device::{self, AlignedRow, Pipeline, SharedTile, SharedTiles, Trap, kernel};

/// The threads of a block.
pub type Threads = Layout!(256);
/// The shared memory of a block: 4 neighbours, 256 threads, 5 vectors of each, 4,096 elements
/// with the halo on both sides, in stages; and the weights, in vectors.
pub type Shared = (SharedTile<f32, Layout!((4, 256, 5, 2))>, SharedTile<f32, Layout!((4, 8))>);

/// `to[i] = sum_k weights[k] from[i + k - 15]`, 31 weights. Elements before the first one and behind
/// the last one count as 0. `n` is below 2^31. Any number of blocks goes through the tiles of 4,096.
///
/// The halo of 16 is a multiple of 4, so that all vectors are aligned; 4 neighbours of the result
/// take a window of 9 vectors, 36 elements.
///
/// # Safety
/// `n` elements lie behind `from` and `to`, whose addresses 16 divides, and all weights behind
/// `weights`.
#[kernel(threads = Threads, shared = Shared)]
pub unsafe fn convolve_31(
    n: u32,
    weights: *const f32,
    from: *const f32,
    to: *mut f32,
) -> Result<(), Trap> {
    device::min_blocks_per_multiprocessor::<3>();
    let (thread, tiles) = (device::thread_index(), n.div_ceil(4096) as usize);
    let (block, blocks) = (device::block_index().0, device::blocks_per_grid().0);
    if n >= 1 << 31 {
        device::trap()
    }
    // SAFETY: the caller's promise; what is outside of the `n` elements is not touched,
    // each block writes its own tiles, and shared memory is read behind the pipeline's
    // barriers.
    let (input, mut to, weights, (mut staged, mut taps)) = unsafe {
        // Neighbours, threads, vectors, tiles: one tile begins 4,096 elements behind the
        // other, and reaches into the next one.
        let overlapping = layout!((4, 256, 5, tiles):(1, 4, 1024, 4096));
        (
            Tensor::from_global_ref(from.wrapping_sub(16), overlapping),
            Tensor::from_global(to, layout!((4, 256, 4, tiles))),
            Tensor::from_global_ref(weights, layout!(31)),
            Shared::make_tensors(),
        )
    };
    let all = AlignedRow::new(from, n);
    let (vector, value) = (
        SM80_CP_ASYNC_CACHEGLOBAL_ZFILL::<u128, f32>::new(),
        SM80_CP_ASYNC_CACHEALWAYS_ZFILL::<u32, f32>::new(),
    );
    let fetch = |turn: usize, stage: usize, staged: &mut Tensor<_, _>| -> Result<(), Trap> {
        let tile = block + blocks * turn;
        let from = input.slice((.., thread, .., tile));
        let mut to = staged.slice_mut((.., thread, .., stage));
        let first = (4096 * tile + 4 * thread).wrapping_sub(16);
        for_static!(V in 0..5, {
            // The fifth vector is the end of the halo. What is outside becomes 0.
            if V < 4 || thread < 8 {
                let first = first.wrapping_add(1024 * V);
                let whole = all.contains_all(first, 4);
                if whole || !all.contains(first) {
                    vector.with_predicate(whole).copy(&from, &mut to, 4 * V);
                } else {
                    for_static!(I in 0..4, {
                        let there = all.contains(first + I);
                        value.with_predicate(there).copy(&from, &mut to, 4 * V + I);
                    });
                }
            }
        });
        Ok(())
    };
    if thread < 32 {
        taps[thread] = weights.value(thread).copied().unwrap_or(0.0);
    }
    let turns = (tiles + blocks - 1).saturating_sub(block).checked_div(blocks).unwrap_or(0);
    // SAFETY: all threads of the block come here, with the same tiles.
    let mut pipe = unsafe { Pipeline::<2>::new(turns) };
    pipe.load_prologue(|turn, stage| fetch(turn, stage, &mut staged))?;
    let four = UniversalCopy::<f32, Int<4>>::new();
    let mut w = Fragment::<f32, Layout!((4, 8))>::zeroed();
    copy(&four, &taps, &mut w)?;
    let mut tile = block;
    while pipe.has_tiles() {
        pipe.fetch_next(|turn, stage| fetch(turn, stage, &mut staged))?;
        pipe.commit_group();
        for v in 0..4 {
            // Neighbours and vectors of a window, threads, vectors of the result, stages.
            let windows = layout!((4, 9, 256, 4, 2):(1, 4, 4, 1024, 5120));
            let window = staged.cut(windows, (.., .., thread, v, pipe.read_stage()))?;
            let mut x = Fragment::<f32, Layout!((4, 9))>::zeroed();
            copy(&four, &window, &mut x)?;
            let mut sum = Fragment::<f32, Layout!(4)>::zeroed();
            for_static!(P in 0..36, {
                for_static!(J in 0..4, {
                    // Result J has the first weight at the element `J + 1`.
                    let tap = P as isize - J as isize - 1;
                    if (0..31).contains(&tap) {
                        sum[J] = device::multiply_add(w[tap as usize], x[P], sum[J]);
                    }
                });
            });
            let first = 4096 * tile + 1024 * v + 4 * thread;
            all.copy(&four, &sum, &mut to.slice_mut((.., thread, v, tile)), |i| first + i)?;
        }
        tile += blocks;
        pipe.wait_next();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use layout_nvidia::host;

    /// Lengths near those of a vector and of a tile, primes, and random ones; elements after the
    /// last one are not written.
    #[test]
    fn any_length() {
        let mut random = Random::from_clock();
        let mut lengths = vec![0, 1, 2, 3, 5, 4093, 4095, 4096, 4097, 4099, 8191, 8209];
        lengths.extend((0..6).map(|_| random.below(12000)));
        for n in lengths {
            let said = format!("{n} elements, seed {}", random.seed());
            let mut floats = |n: usize| -> Vec<f32> {
                (0..n).map(|_| random.below(2000) as f32 / 1000.0 - 1.0).collect()
            };
            let (from, weights) = (floats(n), floats(31));
            let blocks = 1 + random.below(3);
            let mut to = vec![f32::NAN; n + 4];
            let arguments = (n as u32, &weights[..], &from[..], &mut to[..]);
            // SAFETY: `n` elements, and all weights.
            unsafe { host::launch::<convolve_31>(blocks, arguments) };
            for (i, found) in to[..n].iter().enumerate() {
                let products = (0..31)
                    .filter_map(|k| Some((weights[k], *from.get((i + k).checked_sub(15)?)?)));
                let sum = products.fold(0.0, |sum, (w, x)| w.mul_add(x, sum));
                assert_eq!(*found, sum, "element {i}, {said}");
            }
            assert!(to[n..].iter().all(|x| x.is_nan()), "{said}");
        }
    }
}
