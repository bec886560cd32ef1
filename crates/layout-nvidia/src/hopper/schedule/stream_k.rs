//! Stream-K: persistent clusters share tiles so that all finish at about the same time; a cluster
//! passes partial accumulators to another one.

use layout_algebra::atom::{UniversalCopy, copy};
use layout_algebra::for_static;
use layout_algebra::prelude::*;
use layout_algebra::tensor::{Addressable, Fragment, StorageMut};

use crate::hopper::{elect_one, named_barrier_sync};

/// A cluster's share of a tile: one of `parts` parts along K.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkTile {
    /// The number of the tile.
    pub tile: u32,
    /// The number of the part. Part 0 adds up the others.
    pub part: u32,
    /// The parts of this tile.
    pub parts: u32,
    /// The distance between the first clusters of two consecutive parts.
    pub cluster_stride: u32,
}
impl WorkTile {
    /// The steps along K of this part, of `depth` in all: the first, and the one after the last.
    ///
    /// ```
    /// use layout_nvidia::hopper::WorkTile;
    /// let part = |part| WorkTile { tile: 7, part, parts: 3, cluster_stride: 20 };
    /// assert_eq!([0, 1, 2].map(|i| part(i).k_tile_range(64)), [(0, 21), (21, 42), (42, 64)]);
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn k_tile_range(&self, depth: u32) -> (u32, u32) {
        let at = |part: u32| match core::num::NonZeroU32::new(self.parts) {
            Some(parts) => depth * part / parts,
            None => 0,
        };
        (at(self.part), at(self.part + 1))
    }
}

/// The shares of a cluster of a number of tiles: whole tiles in rounds; if the last round has fewer
/// tiles than half of the clusters, its tiles are divided along K, into as many parts as there are
/// clusters for, at most 8.
///
/// Tiles are divided only if that is worth it: a part costs the clusters that store and add it
/// about as much as 4 steps. All parts with the same number are computed concurrently, so that they
/// share operands.
///
/// ```
/// use layout_nvidia::hopper::{StreamK, WorkTile};
/// // 10 tiles for 8 clusters: the two of the second round in 4 parts each.
/// let shares = |cluster| StreamK::new(10, 64, 8, cluster).collect::<Vec<_>>();
/// assert_eq!(shares(5), [
///     WorkTile { tile: 5, part: 0, parts: 1, cluster_stride: 0 },
///     WorkTile { tile: 9, part: 2, parts: 4, cluster_stride: 2 },
/// ]);
/// // With 8 steps along K, dividing is not worth it.
/// assert_eq!(StreamK::new(10, 8, 8, 5).count(), 1);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct StreamK {
    /// The first tile after the whole rounds.
    whole: u32,
    clusters: u32,
    next: u32,
    last: Option<WorkTile>,
}
impl StreamK {
    /// The shares of cluster number `cluster` of `clusters`, for `tiles` tiles of `depth` steps.
    #[inline(always)]
    #[must_use]
    pub fn new(tiles: u32, depth: u32, clusters: u32, cluster: u32) -> Self {
        let all = core::num::NonZeroU32::new(clusters).unwrap_or(core::num::NonZeroU32::MIN);
        let rest = tiles % all;
        let Some(cluster_stride) = core::num::NonZeroU32::new(rest) else {
            return StreamK { whole: tiles, clusters, next: cluster, last: None };
        };
        let parts = (clusters / cluster_stride).clamp(1, 8);
        // The steps saved, against the cost in steps.
        let parts = if depth - depth.div_ceil(parts) > 4 * parts { parts } else { 1 };
        let (tile, part) = (tiles - rest + cluster % cluster_stride, cluster / cluster_stride);
        let last = (part < parts).then_some(WorkTile {
            tile,
            part,
            parts,
            cluster_stride: if parts > 1 { rest } else { 0 },
        });
        StreamK { whole: tiles - rest, clusters, next: cluster, last }
    }
}
impl Iterator for StreamK {
    type Item = WorkTile;
    #[inline(always)]
    fn next(&mut self) -> Option<WorkTile> {
        if self.next < self.whole {
            let tile = self.next;
            self.next += self.clusters;
            return Some(WorkTile { tile, part: 0, parts: 1, cluster_stride: 0 });
        }
        self.last.take()
    }
}

/// Four values of a thread are contiguous, and followed by those of the next thread.
type PartialsLayout = OrderedLayout<Shape!((4, 4, 8, 128, _)), Shape!((0, 2, 3, 1, 4))>;

/// Partial accumulators that warpgroups pass to others, in global memory, and a flag for each: 1 if
/// they are written.
#[derive(Clone, Copy, Debug)]
pub struct StreamKWorkspace {
    sums: *mut f32,
    flags: *mut u32,
    warpgroups: usize,
}
impl StreamKWorkspace {
    /// The workspace of `warpgroups` warpgroups.
    ///
    /// # Safety
    /// There is memory for 128 elements of 128 threads for each warpgroup, and for a flag of each,
    /// all of which are 0; nothing else uses it while the kernel runs.
    #[inline(always)]
    #[must_use]
    pub unsafe fn from_pointers(sums: *mut f32, flags: *mut u32, warpgroups: usize) -> Self {
        StreamKWorkspace { sums, flags, warpgroups }
    }
    /// Value (4 x 4 x 8), thread, warpgroup: four values of a thread are contiguous, and followed
    /// by those of the next thread.
    #[inline(always)]
    fn partials_layout(&self) -> PartialsLayout {
        // The strides are those of the type, or this does not compile. (The operation that gives
        // them, `PartialsLayout::ordered`, costs the kernel an instruction.)
        layout!((4, 4, 8, 128, self.warpgroups):(1, 512, 2048, 4, 16384))
    }
    /// Stores the accumulators of the warpgroup with this number: of the warps whose rows are
    /// `wanted`.
    ///
    /// # Safety
    /// The warpgroup exists, and all its threads call this, `thread` of 128, once in the kernel.
    #[inline(always)]
    pub unsafe fn store_partials<S: StorageMut<Item = f32>, L: Addressable>(
        &self,
        sums: &Tensor<S, L>,
        warpgroup: usize,
        thread: usize,
        wanted: bool,
        barrier: u32,
    ) {
        // SAFETY: the caller's promises.
        unsafe {
            let mut all = Tensor::from_global(self.sums, self.partials_layout());
            for_static!(J in 0..8, { if wanted {
                let part = Fragment::<f32,
                    Layout!(16)>::from_fn(|i: usize| sums.value(16 * J + i).copied()
                    .unwrap_or(0.0));
                let _ = copy(&UniversalCopy::<f32, Int<4>>::new(), &part,
                    &mut all.slice_unchecked_mut((.., .., J, thread, warpgroup)));
            } });
            named_barrier_sync::<128>(barrier);
            if elect_one(thread) {
                release_flag(self.flags.add(warpgroup));
            }
        }
    }
    /// Waits for the partial accumulators of the warpgroup with this number, and adds them to the
    /// accumulators of the warps whose rows are `wanted`.
    ///
    /// # Safety
    /// That warpgroup stores accumulators, once, without waiting for others; all threads of this
    /// warpgroup call this, `thread` of 128, and no others for these accumulators.
    #[inline(always)]
    pub unsafe fn reduce_into<S: StorageMut<Item = f32>, L: Addressable>(
        &self,
        sums: &mut Tensor<S, L>,
        warpgroup: usize,
        thread: usize,
        wanted: bool,
        barrier: u32,
    ) {
        // SAFETY: the caller's promises.
        unsafe {
            if elect_one(thread) {
                acquire_flag(self.flags.add(warpgroup));
            }
            named_barrier_sync::<128>(barrier);
            let all = Tensor::from_global_ref(self.sums.cast_const(), self.partials_layout());
            for_static!(J in 0..8, { if wanted {
                let mut part = Fragment::<f32, Layout!(16)>::zeroed();
                let _ = copy(&UniversalCopy::<f32, Int<4>>::new(),
                    &all.slice_unchecked((.., .., J, thread, warpgroup)), &mut part);
                for_static!(I in 0..16, {
                    if let Some(sum) = sums.value_mut(16 * J + I) {
                        *sum += part[I];
                    }
                });
            } });
        }
    }
}

/// Sets the flag to 1, and releases earlier writes: `st.release.gpu`.
///
/// # Safety
/// The flag exists.
#[inline]
unsafe fn release_flag(flag: *mut u32) {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: the caller's promise.
    unsafe {
        core::arch::asm!("fence.acq_rel.gpu; st.relaxed.gpu.global.u32 [{flag}], {one};",
            flag = in(reg64) flag,
            one = in(reg32) 1_u32, options(nostack));
    }
    #[cfg(not(target_arch = "nvptx64"))]
    // SAFETY: the caller's promise.
    unsafe {
        flag.write(1);
    }
}
/// Waits until the flag is 1, and resets it: `ld.acquire.gpu`.
///
/// # Safety
/// The flag exists.
#[inline]
unsafe fn acquire_flag(flag: *mut u32) {
    #[cfg(target_arch = "nvptx64")]
    loop {
        let there: u32;
        // SAFETY: the caller's promise.
        unsafe {
            core::arch::asm!("ld.acquire.gpu.global.u32 {there}, [{flag}];",
                there = lateout(reg32) there,
                flag = in(reg64) flag, options(nostack));
        }
        if there != 0 {
            // SAFETY: as above.
            unsafe {
                core::arch::asm!("st.relaxed.gpu.global.u32 [{flag}], {zero};",
                    flag = in(reg64) flag,
                    zero = in(reg32) 0_u32, options(nostack));
            }
            return;
        }
    }
    #[cfg(not(target_arch = "nvptx64"))]
    // SAFETY: the caller's promise.
    unsafe {
        flag.write(0);
    }
}
