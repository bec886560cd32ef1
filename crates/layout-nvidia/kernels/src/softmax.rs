//! `to(i, j) = exp(from(i, j)) / sum_k exp(from(i, k))`: a row in the registers of a block, read once and written once.

use layout_algebra::atom::{UniversalCopy, copy, copy_if, make_tiled_copy};
use layout_algebra::for_static;
use layout_algebra::prelude::*;
use layout_algebra::tensor::Fragment;
use layout_nvidia::device::{self, Ended, SharedTile, SharedTiles};
use layout_nvidia::kernel;

/// The values of a thread side by side: one access of 128 bits.
pub type Values = Layout!(4);

/// What `join` makes of a number of each thread of the block, through shared memory.
macro_rules! reduce_block {
    ($value:expr, $join:path, $numbers:ident of $warps:literal) => {{
        let mine: Fragment<f32, Layout!(1)> = Fragment::from_fn(|_| device::reduce_warp($value, $join));
        let (lane, warp) = idx2crd(device::thread(), (32, $warps));
        if lane == 0 {
            copy(&UniversalCopy::<f32>::new(), &mine, &mut $numbers.local_tile_mut(tiler!(1), warp)?)?;
        }
        device::barrier();
        let mut all: Fragment<f32, Layout!($warps)> = Fragment::zeroed();
        copy(&UniversalCopy::<f32, Int<2>>::new(), &$numbers, &mut all)?;
        let mut joined = all[0];
        for_static!(I in 1..$warps, { joined = $join(joined, all[I]); });
        joined
    }};
}

macro_rules! softmax {
    ($(#[$doc:meta])* $name:ident $row:ident $threads:ident $shared:ident:
        $columns:literal of $count:literal threads, $warps:literal warps, $each:literal each,
        $blocks:literal at once) => {
        /// The longest row of a block.
        pub type $row = Tiler!($columns);
        /// The threads of a block.
        pub type $threads = Layout!($count);
        /// The largest number of each warp, and its sum.
        pub type $shared = (SharedTile<f32, Layout!($warps)>, SharedTile<f32, Layout!($warps)>);
        kernel! {
            $(#[$doc])*
            /// `n` is a multiple of 4, and no more than that; a block for each of `m` rows.
            ///
            /// # Safety
            /// Both matrices are there, and 16 divides their addresses.
            pub fn $name(m: u32, n: u32, from: *const f32, to: *mut f32) -> Result<(), Ended>
            threads: $threads, shared: $shared;
            {
                // Memory is waited for by as many threads as there can be: 64 registers each.
                device::at_once::<$blocks>();
                let (n, m) = (Multiple::<Int<4>>::new(n as usize)?, m as usize);
                if n.get() > $columns {
                    device::stop()
                }
                // A row, and what a block has room for.
                let matrix = layout!(($columns, m):(1, n));
                // SAFETY: the caller's promises: each block has its row, of which no thread reaches what is beyond its
                // end; what is written to shared memory is read behind a barrier.
                let (from, mut to, (mut largest, mut sums)) = unsafe {
                    (Tensor::from_global_ref(from, matrix), Tensor::from_global(to, matrix), $shared::tensors())
                };
                let (row, _) = device::block();
                let (from, mut to) = (from.slice((.., row)), to.slice_mut((.., row)));

                let vectors = UniversalCopy::<f32, Int<4>>::new();
                let tiled = make_tiled_copy(vectors, $threads::default(), Values::default())?;
                let Some(thread) = tiled.get_slice(device::thread()) else { device::stop() };
                let from = thread.partition_s(&from)?;
                let places = Tensor::coordinates(identity($columns));
                let there = thread.share_s().coordinates(&places)?.within(n.get());

                let mut values = from.fragment_like::<f32>();
                copy_if(&tiled, &from, &mut values, |i| there.holds(i))?;
                let mut most = f32::NEG_INFINITY;
                for_static!(I in 0..$each, {
                    most = if there.holds(I) { f32::max(most, values[I]) } else { most };
                });
                let most = reduce_block!(most, f32::max, largest of $warps);
                let mut sum = 0.0;
                for_static!(I in 0..$each, {
                    values[I] = device::exp2((values[I] - most) * core::f32::consts::LOG2_E);
                    sum = if there.holds(I) { sum + values[I] } else { sum };
                });
                let scale = device::reciprocal(reduce_block!(sum, core::ops::Add::add, sums of $warps));
                for_static!(I in 0..$each, { values[I] *= scale; });
                copy_if(&tiled, &values, &mut thread.partition_d_mut(&mut to)?, |i| there.holds(i))?;
                Ok(())
            }
        }
    };
}
softmax! {
    /// Rows of at most 8192 numbers.
    softmax_rows Row Threads Shared: 8192 of 256 threads, 8 warps, 32 each, 4 at once
}
softmax! {
    /// Rows of at most 1024 numbers.
    softmax_short ShortRow ShortThreads ShortShared: 1024 of 64 threads, 2 warps, 16 each, 16 at once
}
