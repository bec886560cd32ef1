//! Multiplies every form that a descriptor describes: one warpgroup, 64 x 64 x 64, both operands in
//! the same form. And executes every copy of a box: to all blocks of a cluster, from shared memory,
//! and with an addition to memory.

use layout_algebra::prelude::*;

/// The threads of a block.
pub type Threads = Layout!(128);
/// The threads that fill an operand: each fills a row, two columns at a time.
pub type Fill = (Layout!((64, 2)), Layout!((1, 1)));
/// The box that one copy of `boxes` moves: 64 rows of 128 bytes.
pub type Rows = ComposedLayout<Swizzle<3, 2, 3>, Int<0>, Layout!((64, 32): right)>;
/// Two such boxes.
pub type TwoRows =
    ComposedLayout<Swizzle<3, 2, 3>, Int<0>, OrderedLayout<Shape!((64, 32, 2)), Shape!((1, 0, 2))>>;

#[cfg(feature = "forms")]
mod kernels {
    use super::*;
    use half::f16;
    use layout_algebra::atom::{UniversalCopy, copy, make_tiled_copy, make_tiled_mma};
    use layout_nvidia::cluster_size;
    use layout_nvidia::device::{self, SharedTile, SharedTiles, Trap, kernel};
    use layout_nvidia::hopper::{
        self, Cluster, Consumer, Empty, Full, InFlight, Map, MapMut, Mbarrier, Mbarriers, Producer,
        SM90_64x32x16_F32F16F16_SS, TensorMap,
    };

    macro_rules! kernels {
        ($($name:ident $tile:ident: $layout:ty;)*) => {$(
            #[doc = concat!("The tile of `", stringify!($name), "`: rows, K.")]
            pub type $tile = $layout;
            /// Computes `c = a b`, 64 x 64 each: `a` and `b` have K first, `c` is row-major.
            ///
            /// # Safety
            /// The matrices exist.
            #[kernel(threads = Threads, shared = (SharedTile<f16, $tile>, SharedTile<f16, $tile>))]
            pub unsafe fn $name(a: *const f16, b: *const f16, c: *mut f32) {
                    // SAFETY: the caller's promises; the tiles are written before the barrier and
                    // read after it.
                    unsafe {
                        let (threads, values) = <Fill>::default();
                        let one = UniversalCopy::<f16, Int<1>>::new();
                        let Ok(fill) = make_tiled_copy(one, threads, values) else { return };
                        let mma = make_tiled_mma(SM90_64x32x16_F32F16F16_SS, layout!((1, 1, 1)),
                            tiler!(_, _, _));
                        let id = device::thread_index();
                        let (Some(mine), Some(share)) =
                            (fill.get_slice(id), mma.get_slice(id)) else { return };
                        let ga = Tensor::from_global_ref(a, layout!((64, 64): right)); // (M, K)
                        let gb = Tensor::from_global_ref(b, layout!((64, 64): right)); // (N, K)
                        let mut gc = Tensor::from_global(c, layout!((64, 64): right)); // (M, N)
                        let (mut sa, mut sb) =
                            <(SharedTile<f16, $tile>, SharedTile<f16, $tile>)>::make_tensors();
                        // (M, K), (N, K)
                        let (from_a, from_b) =
                            (mine.partition_s_unchecked(&ga), mine.partition_s_unchecked(&gb));
                        // (V, M, K), (V, N, K)
                        let _ = copy(&fill, &from_a, &mut mine.partition_d_unchecked_mut(&mut sa));
                        let _ = copy(&fill, &from_b, &mut mine.partition_d_unchecked_mut(&mut sb));
                        hopper::fence_async();
                        device::sync_threads();
                        let mut sums = InFlight::from_accumulators(share.partition_fragment_c(&gc));
                        // (V, M, N)
                        sums.gemm(&mma, &share.partition_a_unchecked(&sa),
                            &share.partition_b_unchecked(&sb), false);
                        let sums = sums.into_accumulators::<SM90_64x32x16_F32F16F16_SS>();
                        // (V, M, N)
                        let one = UniversalCopy::<f32, Int<1>>::new();
                        let _ = copy(&one, &sums, &mut share.partition_c_unchecked_mut(&mut gc));
                    }
            }
        )*};
    }
    /// Two boxes, and the barriers of a ring of one stage.
    pub type SharedBoxes = (SharedTile<f32, TwoRows>, SharedTile<Mbarrier, Layout!(2)>);
    /// Two boxes of 64 x 32 are one above the other, and the two blocks of a cluster are contiguous
    /// in the first mode of the grid: each block copies one box to both blocks. Then each block
    /// stores the box that the other block copied; or each block adds both boxes, so that memory
    /// gets everything twice. `m` is a multiple of 128, and `k` of 32: these are the extents of all
    /// boxes; the tensors may be smaller.
    ///
    /// # Safety
    /// The maps belong to the tensors.
    #[kernel(threads = Layout!(32), shared = SharedBoxes)]
    pub unsafe fn boxes(
        m: u32,
        k: u32,
        add: u32,
        from: Map<f32, Rows>,
        to: MapMut<f32, Rows>,
    ) -> Result<(), Trap> {
        cluster_size!(2);
        let (m, k) =
            (Multiple::<Int<128>>::new(m as usize)?, Multiple::<Int<32>>::new(k as usize)?);
        // SAFETY: the caller's promise; the boxes are written between `producer_acquire` and
        // `arrive_and_expect_tx`, and read after `consumer_wait`.
        let (mut tiles, sides) = unsafe { SharedBoxes::make_tensors() };
        // (64 rows, 32, boxes), (2 barriers)
        let Some(sides) = sides.address(0) else { device::trap() };
        // SAFETY: the memory exists.
        let (full, empty) = unsafe {
            (Mbarriers::<1>::from_address(sides), Mbarriers::<1>::from_address(sides.add(1)))
        };
        let (cluster, thread, (row, column, _)) =
            (Cluster::<2>::of_this_block(), device::thread_index(), device::block_index());
        if thread == 0 {
            full.initialize(1);
            empty.initialize(2);
            from.prefetch_descriptor();
            to.prefetch_descriptor();
        }
        // SAFETY: all threads call this.
        unsafe { hopper::cluster_sync(cluster) };
        if thread == 0 {
            let (own, all) = (cluster.block_rank() as usize, Tensor::coordinates(identity((m, k))));
            // (m, k)
            let place = |rank| all.local_tile(tiler!(64, 32), (row / 2 * 2 + rank, column));
            let (first, second, here, there) = (place(0)?, place(1)?, place(own)?, place(1 - own)?);
            let mut fetch = Producer::new(Full(full), Empty::new(empty, cluster, 0));
            let mut fetched = Consumer::new(Full(full), Empty::new(empty, cluster, 0));
            let stage = fetch.producer_acquire();
            // SAFETY: there are two boxes, each of which one block writes.
            unsafe {
                from.load_multicast(
                    cluster,
                    &here,
                    &mut tiles.slice_unchecked_mut((.., .., own)),
                    &stage,
                )
            };
            stage.arrive_and_expect_tx(2 * TensorMap::<f32, Rows>::BYTES);
            let stage = fetched.consumer_wait();
            // SAFETY: the boxes are full, and no longer written.
            unsafe {
                if add == 0 {
                    to.store_tile(&there, &tiles.slice_unchecked((.., .., 1 - own)));
                } else {
                    to.reduce_add(&first, &tiles.slice_unchecked((.., .., 0)));
                    to.reduce_add(&second, &tiles.slice_unchecked((.., .., 1)));
                }
            }
            hopper::tma_store_wait_all();
            stage.consumer_release();
        }
        // No block ends while the other may still write to its memory or arrive at its barriers.
        // SAFETY: all threads call this.
        unsafe { hopper::cluster_sync(cluster) };
        Ok(())
    }
    kernels! {
        form_k_none KNone: TileToShapeOf<Layout!((8, 8): right), Shape!((64, 64))>;
        form_k_32 K32: ComposedLayout<Swizzle<1, 3, 3>, Int<0>,
            TileToShapeOf<Layout!((8, 16): right), Shape!((64, 64))>>;
        form_k_64 K64: ComposedLayout<Swizzle<2, 3, 3>, Int<0>,
            TileToShapeOf<Layout!((8, 32): right), Shape!((64, 64))>>;
        form_k_128 K128: ComposedLayout<Swizzle<3, 3, 3>, Int<0>, Layout!((64, 64): right)>;
        form_mn_none MnNone: TileToShapeOf<Layout!((8, 8)), Shape!((64, 64))>;
        form_mn_32 Mn32: ComposedLayout<Swizzle<1, 3, 3>, Int<0>,
            TileToShapeOf<Layout!((16, 8)), Shape!((64, 64))>>;
        form_mn_64 Mn64: ComposedLayout<Swizzle<2, 3, 3>, Int<0>,
            TileToShapeOf<Layout!((32, 8)), Shape!((64, 64))>>;
        form_mn_128 Mn128: ComposedLayout<Swizzle<3, 3, 3>, Int<0>, Layout!((64, 64))>;
    }
}
#[cfg(feature = "forms")]
pub use kernels::*;
