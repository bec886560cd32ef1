//! A convolution along one mode, with a halo: a block computes 2,048 neighbours, and needs some
//! more elements on both sides, which its neighbours need too. All of them go through shared
//! memory, so that each comes from global memory once, but for the halo.
//!
//! A block loads, waits, computes and ends; six of them are on a multiprocessor, and while one
//! waits, others compute. With more to compute, `overlap.rs` is faster.

use layout_algebra::atom::{UniversalCopy, copy};
use layout_algebra::prelude::*;
use layout_algebra::tensor::Fragment;
use layout_nvidia::device::{self, AlignedRow, SharedTile, SharedTiles, Trap, kernel};

/// The threads of a block.
pub type Threads = Layout!(256);
/// The shared memory of a block: 4 neighbours, 256 threads, 3 vectors of each; the third vector
/// is the end of the halo.
pub type Shared = (SharedTile<f32, Layout!((4, 256, 3))>,);

/// `to[i] = sum_k weights[k] from[i + k - 3]`, 7 weights, a block for each 2,048 results. Elements
/// before the first one and behind the last one count as 0. `n` is below 2^31.
///
/// # Safety
/// `n` elements lie behind `from` and `to`, whose addresses 16 divides, and 7 behind `weights`.
#[kernel(threads = Threads, shared = Shared)]
pub unsafe fn convolve_7(
    n: u32,
    weights: *const f32,
    from: *const f32,
    to: *mut f32,
) -> Result<(), Trap> {
    device::min_blocks_per_multiprocessor::<6>();
    let (thread, tile) = (device::thread_index(), device::block_index().0);
    if n >= 1 << 31 {
        device::trap()
    }
    let tiles = n.div_ceil(2048) as usize;
    // SAFETY: the caller's promise; what is outside of the `n` elements is not touched, each block
    // writes its own tile, and shared memory is read behind the barrier.
    let (input, mut to, weights, (mut staged,)) = unsafe {
        // Neighbours, threads, vectors, tiles: one tile begins 2,048 elements behind the other, and
        // reaches into the next one. The halo of 4 is a multiple of 4, so that vectors are aligned.
        let overlapping = layout!((4, 256, 3, tiles):(1, 4, 1024, 2048));
        (
            Tensor::from_global_ref(from.wrapping_sub(4), overlapping),
            Tensor::from_global(to, layout!((4, 256, 2, tiles))),
            Tensor::from_global_ref(weights, layout!(7)),
            Shared::make_tensors(),
        )
    };
    let (four, one) = (UniversalCopy::<f32, Int<4>>::new(), UniversalCopy::<f32, Int<1>>::new());
    let first = 2048 * tile + 4 * thread;
    // Two rows: the elements that the block reads, and all elements.
    let read = AlignedRow::new(from, n.min(2048 * tile as u32 + 2048 + 4));
    let all = AlignedRow::new(from, n);
    let mut x = Fragment::<f32, Layout!((4, 3))>::zeroed();
    let place = |v: usize| (first + 1024 * (v / 4) + v % 4).wrapping_sub(4);
    read.copy(&four, &input.slice((.., thread, .., tile)), &mut x, place)?;
    copy(&four, &x, &mut staged.slice_mut((.., thread, ..)))?;
    let mut w = Fragment::<f32, Layout!(7)>::zeroed();
    copy(&one, &weights, &mut w)?;
    // SAFETY: all threads of the block come here.
    unsafe { device::sync_threads() };
    for_static!(V in 0..2, {
        // 4 neighbours of the result take a window of 3 vectors.
        let windows = layout!((4, 3, 256, 2):(1, 4, 4, 1024));
        let mut x = Fragment::<f32, Layout!((4, 3))>::zeroed();
        copy(&four, &staged.cut(windows, (.., .., thread, V))?, &mut x)?;
        let mut sum = Fragment::<f32, Layout!(4)>::zeroed();
        for_static!(K in 0..7, {
            for_static!(J in 0..4, {
                sum[J] = device::multiply_add(w[K], x[J + K + 1], sum[J]);
            });
        });
        let first = first + 1024 * V;
        all.copy(&four, &sum, &mut to.slice_mut((.., thread, V, tile)), |i| first + i)?;
    });
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
        let mut lengths = vec![0, 1, 2, 3, 5, 2044, 2045, 2047, 2048, 2049, 2052, 4093, 4097, 8209];
        lengths.extend((0..6).map(|_| random.below(12000)));
        for n in lengths {
            let said = format!("{n} elements, seed {}", random.seed());
            let mut floats = |n: usize| -> Vec<f32> {
                (0..n).map(|_| random.below(2000) as f32 / 1000.0 - 1.0).collect()
            };
            let (from, weights) = (floats(n), floats(7));
            let mut to = vec![f32::NAN; n + 4];
            let arguments = (n as u32, &weights[..], &from[..], &mut to[..]);
            // SAFETY: `n` elements, and all weights.
            unsafe { host::launch::<convolve_7>(n.div_ceil(2048), arguments) };
            for (i, found) in to[..n].iter().enumerate() {
                let products =
                    (0..7).filter_map(|k| Some((weights[k], *from.get((i + k).checked_sub(3)?)?)));
                let sum = products.fold(0.0, |sum, (w, x)| w.mul_add(x, sum));
                assert_eq!(*found, sum, "element {i}, {said}");
            }
            assert!(to[n..].iter().all(|x| x.is_nan()), "{said}");
        }
    }
}
