//! The epilogue: accumulators are rounded, and stored through shared memory by TMA.

use layout_algebra::atom::{ThrMma, TiledMmaOf, UniversalCopy, copy, make_tiled_mma};
use layout_algebra::for_static;
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::Shared;
use layout_algebra::tensor::{Addressable, Fragment, Storage, StorageMut};

use crate::device::Narrow;
use crate::hopper::{
    Coordinates, SM90_64x64x16_F32F16F16_SS, TensorMap, elect_one, fence_async, named_barrier_sync,
    tma_store_wait,
};

/// A part that one copy stores: 64 x 64 16-bit elements, in rows of 128 bytes whose units of 16 are
/// permuted by the row.
pub type PartTile = ComposedLayout<Swizzle<3, 3, 3>, Int<0>, Layout!((64, 64): right)>;
/// The same, as one of several in shared memory.
pub type PartSlice = ComposedLayout<Swizzle<3, 3, 3>, usize, Layout!((64, 64): right)>;
/// The same as a tiler.
pub type Part = Tiler!(64, 64);
/// The thread-value layout of the accumulators of a part: each of the four warps has 16 rows.
type PartMma = TiledMmaOf<SM90_64x64x16_F32F16F16_SS, Layout!((1, 1, 1)), Tiler!(_, _, _)>;
/// A thread's 32 elements of a part.
pub type PartValues = Layout!(((2, 2, 8), 1, 1));

/// The epilogue of a warpgroup: rounds 64 columns of the accumulators at a time to 16 bits, writes
/// them to shared memory by the accumulator's layout, and starts their store by TMA, while the
/// warpgroup continues.
///
/// A part of shared memory is reused when all but the last store have read theirs: a warpgroup
/// alternates between two.
#[derive(Clone, Copy, Debug)]
pub struct Epilogue {
    share: ThrMma<PartMma>,
    thread: usize,
    barrier: u32,
}
impl Epilogue {
    /// The epilogue for thread `thread` of 128 in warpgroup `warpgroup`, which uses the barrier `1
    /// + warpgroup`; `None` if there is no such thread.
    #[inline(always)]
    #[must_use]
    pub fn for_thread(warpgroup: usize, thread: usize) -> Option<Self> {
        let mma = make_tiled_mma(SM90_64x64x16_F32F16F16_SS, layout!((1, 1, 1)), tiler!(_, _, _));
        Some(Epilogue { share: mma.get_slice(thread)?, thread, barrier: 1 + warpgroup as u32 })
    }
    /// The thread's part of a tile of 64 x 64.
    #[inline(always)]
    #[must_use]
    pub fn thread_mma(&self) -> &ThrMma<PartMma> {
        &self.share
    }
    /// The accumulators of 64 rows and of the columns from `64 j` on, each mapped by `each(i,
    /// sum)`, with `i` its number among the thread's accumulators, and rounded, two at a time.
    #[inline(always)]
    pub fn convert_part<T: Narrow, S: Storage<Item = f32>, L: Addressable>(
        &self,
        sums: &Tensor<S, L>,
        j: usize,
        each: impl Fn(usize, f32) -> f32,
    ) -> Fragment<T, PartValues> {
        let mut part = Fragment::<T, PartValues>::zeroed();
        for_static!(I in 0..16, {
            let first = 32 * j + 2 * I;
            if let (Some(x), Some(y)) = (sums.value(first), sums.value(first + 1)) {
                let both = T::convert_pair(each(first, *x), each(first + 1, *y));
                part[2 * I] = both[0];
                part[2 * I + 1] = both[1];
            }
        });
        part
    }
    /// Writes the thread's part to a tile in shared memory.
    #[inline(always)]
    pub fn copy_to_tile<T: Narrow, S: StorageMut<Item = T, Space = Shared>>(
        &self,
        part: &Fragment<T, PartValues>,
        to: &mut Tensor<S, PartSlice>,
    ) {
        // SAFETY: 64 x 64 is the tile of the product.
        let mut mine = unsafe { self.share.partition_c_unchecked_mut(to) };
        let _ = copy(&UniversalCopy::<T, Int<2>>::new(), part, &mut mine);
    }
    /// Waits until the tiles of all stored parts may be overwritten.
    ///
    /// # Safety
    /// All threads of the warpgroup call this.
    #[inline(always)]
    pub unsafe fn wait_for_tiles(&self) {
        if elect_one(self.thread) {
            tma_store_wait::<0>();
        }
        // SAFETY: the caller's promise.
        unsafe { self.sync_warpgroup() };
    }
    /// Waits for all threads of the warpgroup.
    ///
    /// # Safety
    /// All threads of the warpgroup call this.
    #[inline(always)]
    pub unsafe fn sync_warpgroup(&self) {
        // SAFETY: the caller's promise.
        unsafe { named_barrier_sync::<128>(self.barrier) };
    }
    /// The index of the thread in its warpgroup.
    #[inline(always)]
    #[must_use]
    pub fn thread_in_warpgroup(&self) -> usize {
        self.thread
    }
    /// Stores a part to `there`, through the tile `to`, when the tile is free; `part` may use the
    /// tile before.
    ///
    /// # Safety
    /// All threads of the warpgroup call this, no other warpgroup uses the tile, and the last part
    /// used another tile.
    #[inline(always)]
    pub unsafe fn store_part<T: Narrow, S: StorageMut<Item = T, Space = Shared>>(
        &self,
        part: impl FnOnce(&mut Tensor<S, PartSlice>) -> Fragment<T, PartValues>,
        to: &mut Tensor<S, PartSlice>,
        map: &TensorMap<T, PartTile>,
        there: &impl Coordinates<2>,
    ) {
        if elect_one(self.thread) {
            tma_store_wait::<1>();
        }
        // SAFETY: the caller's promises; the tile is stored when all threads have written it.
        unsafe {
            named_barrier_sync::<128>(self.barrier);
            let part = part(to);
            self.copy_to_tile(&part, to);
            fence_async();
            named_barrier_sync::<128>(self.barrier);
            if elect_one(self.thread) {
                map.store_tile(there, to);
            }
        }
    }
    /// Waits until all stores have read shared memory: before the block ends.
    #[inline(always)]
    pub fn store_tail(self) {
        if self.thread == 0 {
            tma_store_wait::<0>();
        }
    }
}
