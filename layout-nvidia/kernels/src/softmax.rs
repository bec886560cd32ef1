//! `to(i, j) = exp(from(i, j)) / sum_k exp(from(i, k))`: a row in the registers of a block, read once and written once.

use layout_algebra::atom::{UniversalCopy, copy, copy_if, make_tiled_copy};
use layout_algebra::for_static;
use layout_algebra::prelude::*;
use layout_algebra::tensor::Fragment;
use layout_nvidia::device::{self, SharedTile, SharedTiles};
use layout_nvidia::kernel;

/// The longest row of a block.
pub type Row = Tiler!(8192);
/// The threads of a block.
pub type Threads = Layout!(256);
/// The values of a thread side by side: one access of 128 bits.
pub type Values = Layout!(4);
/// A number of each warp.
pub type Warps = Layout!(8);
/// The largest number of each warp, and its sum.
pub type Shared = (SharedTile<f32, Warps>, SharedTile<f32, Warps>);

/// What `join` makes of a number of each thread of the block, through shared memory.
macro_rules! reduce_block {
    ($value:expr, $join:path, $warps:ident) => {{
        let mine: Fragment<f32, Layout!(1)> = Fragment::from_fn(|_| device::reduce_warp($value, $join));
        let (lane, warp) = idx2crd(device::thread(), (32, 8));
        if lane == 0 {
            let _ = copy(&UniversalCopy::<f32>::new(), &mine, &mut $warps.local_tile_unchecked_mut(tiler!(1), warp));
        }
        device::barrier();
        let mut all: Fragment<f32, Warps> = Fragment::zeroed();
        let _ = copy(&UniversalCopy::<f32, Int<4>>::new(), &$warps, &mut all);
        let mut joined = all[0];
        for_static!(I in 1..8, { joined = $join(joined, all[I]); });
        joined
    }};
}

kernel! {
    /// Rows of `n` numbers, at most 8192, and a multiple of 4; a block for each of `m` rows.
    ///
    /// # Safety
    /// Both matrices are there, and 16 divides their addresses.
    pub fn softmax_rows(m: u32, n: u32, from: *const f32, to: *mut f32)
    threads: Threads, shared: Shared;
    {
        let (Ok(n), (row, _)) = (Multiple::<Int<4>>::new(n as usize), device::block()) else { return };
        if n.get() > 8192 {
            return;
        }
        let Ok(tiled) = make_tiled_copy(UniversalCopy::<f32, Int<4>>::new(), Threads::default(), Values::default()) else { return };
        let Some(thread) = tiled.get_slice(device::thread()) else { return };
        // SAFETY: the caller's promises: each block has its row, of which no thread reaches what is beyond its end.
        unsafe {
            let matrix = layout!((n, m as usize));
            let (from, mut to) = (Tensor::from_global_ref(from, matrix), Tensor::from_global(to, matrix));
            let (from, to) = (from.slice_unchecked((.., row)), to.slice_unchecked_mut((.., row)));
            let (from, mut to) = (
                from.relayout_unchecked(layout!(8192)),
                to.relayout_unchecked(layout!(8192)),
            );
            let (from, mut to) = (thread.partition_s_unchecked(&from), thread.partition_d_unchecked_mut(&mut to));
            let Ok(places) = thread.share_s().coordinates(&Tensor::coordinates(identity(8192))) else { return };
            let there = places.within(n.get());
            let (mut largest, mut sums) = Shared::tensors();

            let mut values = from.fragment_like::<f32>();
            let _ = copy_if(&tiled, &from, &mut values, |i| there.holds(i));
            let mut most = f32::NEG_INFINITY;
            for_static!(I in 0..32, { most = if there.holds(I) { f32::max(most, values[I]) } else { most }; });
            let most = reduce_block!(most, f32::max, largest);
            let mut sum = 0.0;
            for_static!(I in 0..32, {
                values[I] = device::exp2((values[I] - most) * core::f32::consts::LOG2_E);
                if there.holds(I) { sum += values[I] }
            });
            let scale = device::reciprocal(reduce_block!(sum, core::ops::Add::add, sums));
            for_static!(I in 0..32, { values[I] *= scale; });
            let _ = copy_if(&tiled, &values, &mut to, |i| there.holds(i));
        }
    }
}
