//! `C = A B` of halves with accumulators in fp32, on Hopper's tensor cores: `wgmma` from shared
//! memory that TMA fills. A and B have K first (BLAS: TN), C is row-major.
//!
//! ```text
//! block        3 warpgroups of 128 threads: one fetches, two multiply; a tile of C of 128 x 256, or 128 x 128
//! cluster      blocks that need the same rows of A, or of B: each fetches its share of them, for all
//! box          64 rows of 128 bytes, 64 halves: what is fetched of A and B at once
//! stage        the boxes of A and of B for 64 steps along K: four stages in a ring, or six of narrow tiles
//! result       64 x 64 at a time through shared memory, while the next tile is fetched
//! ```
//!
//! The blocks are persistent: each goes through several tiles of C.

use layout_algebra::atom::make_tiled_mma;
use layout_algebra::for_static;
use layout_algebra::prelude::*;
use layout_nvidia::device::{self, GroupedTileOrder, SharedTile, SharedTiles, Trap, kernel};
use layout_nvidia::hopper::{
    self, Accumulators, Barriers, Cluster, Consumer, Epilogue, EpilogueOp, Half, Map, MapMut,
    Mbarrier, Ring, SM90_64x128x16_F32BF16BF16_SS, SM90_64x128x16_F32F16F16_SS,
    SM90_64x256x16_F32BF16BF16_SS, SM90_64x256x16_F32F16F16_SS, Scaled, TensorMap, TileProduct,
    Wgmma, elect_one, gemm_tile,
};
use layout_nvidia::{LaidOutAs, cluster_size};

use self::form::{bf16_narrow, bf16_wide, f16_narrow, f16_wide};

/// The threads of a block.
pub type Threads = Layout!(384);
/// The warpgroups that multiply, one above the other.
pub type Warpgroups = Layout!((2, 1, 1));
/// The swizzle of rows of 128 bytes: the row permutes its units of 16 bytes.
pub type Rows128 = Swizzle<3, 3, 3>;
/// The box that one copy fetches of A or B, or stores of C: 64 rows of 128 bytes.
pub type Box = ComposedLayout<Rows128, Int<0>, Layout!((64, 64): right)>;
/// All boxes of A and B in a block: the boxes of A of all stages, followed by the boxes of B of all
/// stages.
pub type Boxes =
    ComposedLayout<Rows128, Int<0>, OrderedLayout<Shape!((64, 64, 24)), Shape!((1, 0, 2))>>;
/// The parts of the result before they are stored: two for each warpgroup that multiplies.
pub type StagesC = ComposedLayout<
    Rows128,
    Int<0>,
    OrderedLayout<Shape!((64, 64, (2, 2))), Shape!((1, 0, (2, 3)))>,
>;
/// The full and the empty barriers of the ring.
pub type Sides = Layout!((6, 2));
/// The shared memory of a block: words of 16 bits of A and B, elements of C.
pub type Shared<C> = (SharedTile<u16, Boxes>, SharedTile<C, StagesC>, SharedTile<Mbarrier, Sides>);
/// The maps of A, B and C.
pub type Maps<'m, F> = (
    &'m Map<<F as TileProduct>::A, <F as TileProduct>::Box>,
    &'m Map<<F as TileProduct>::B, <F as TileProduct>::Box>,
    &'m MapMut<<F as TileProduct>::C, Box>,
);
/// Defines the products of a tile by an instruction `I` that reads A and B from shared memory. Each
/// row has the width of a tile, the instruction with the same layouts, the accumulators of a
/// thread, the stages of A and of B (rows, K, stages), and the element of C.
macro_rules! tile_products {
    ($($(#[$doc:meta])* $name:ident: $wide:literal, $instruction:ident, $accumulators:ty,
        [$stages_a:ty, $stages_b:ty], ($($of_a:tt)*) -> $c:ty;)*) => {$(
        $(#[$doc])*
        pub struct $name<I>(core::marker::PhantomData<I>);
        // SAFETY: the accumulators are those of the instruction's 64 rows, and both operands are
        // all boxes of the stages.
        unsafe impl<I> TileProduct for $name<I>
        where
            I: Wgmma<A: $($of_a)*, B: 'static> + LaidOutAs<$instruction> + Default + 'static,
        {
            type A = I::A;
            type B = I::B;
            type C = $c;
            type Box = Box;
            const WIDE: usize = $wide;
            type Accumulators = $accumulators;
            #[inline(always)]
            unsafe fn mainloop<S: Barriers, E: Barriers + Clone>(
                (a, b): (*mut I::A, *mut I::B),
                thread: usize,
                ring: &mut Consumer<S, E>,
                depth: u32,
            ) -> Accumulators<Self> {
                let mma = make_tiled_mma(I::default(), Warpgroups::default(), tiler!(_, _, _));
                // SAFETY: the boxes of the stages are contiguous; the rest is the caller's promise.
                unsafe {
                    let a = Tensor::from_shared(a, <$stages_a>::default()); // (M, K, stages)
                    let b = Tensor::from_shared(b, <$stages_b>::default()); // (N, K, stages)
                    gemm_tile(&mma, thread, &a, &b, ring, depth)
                }
            }
        }
    )*};
}
#[cfg(feature = "fp8_sm90")]
pub(crate) use tile_products;
/// Stages of `M` rows.
type Stages<M, N> =
    ComposedLayout<Rows128, Int<0>, OrderedLayout<(M, Int<64>, N), Shape!((1, 0, 2))>>;
tile_products! {
    /// Tiles of 128 x 256, whose accumulators are rounded to C.
    Wide: 2, SM90_64x256x16_F32F16F16_SS, Layout!(((2, 2, 32), 1, 1)),
        [Stages<Int<128>, Int<4>>, Stages<Int<256>, Int<4>>], (Half) -> I::A;
    /// Tiles of 128 x 128.
    Narrow: 1, SM90_64x128x16_F32F16F16_SS, Layout!(((2, 2, 16), 1, 1)),
        [Stages<Int<128>, Int<6>>, Stages<Int<128>, Int<6>>], (Half) -> I::A;
}
/// The forms by their names in the kernels.
#[allow(non_camel_case_types, reason = "as they are named in the kernels")]
pub mod form {
    use super::*;
    /// Tiles of 128 x 256 of `f16`.
    pub type f16_wide = Wide<SM90_64x256x16_F32F16F16_SS>;
    /// Tiles of 128 x 128.
    pub type f16_narrow = Narrow<SM90_64x128x16_F32F16F16_SS>;
    /// Tiles of 128 x 256 of `bf16`.
    pub type bf16_wide = Wide<SM90_64x256x16_F32BF16BF16_SS>;
    /// Tiles of 128 x 128.
    pub type bf16_narrow = Narrow<SM90_64x128x16_F32BF16BF16_SS>;
}

/// Computes `rows` x `columns` tiles of C for each cluster, `depth` stages along K, on `clusters`
/// clusters of `BLOCKS` blocks, two above one another. `op` makes the epilogue.
///
/// # Safety
/// All threads of a kernel with clusters of `BLOCKS` blocks and this shared memory call this. The
/// maps belong to the matrices.
#[inline(always)]
pub unsafe fn multiply_tiles<
    F: TileProduct,
    L: EpilogueOp<F>,
    const STAGES: u32,
    const BLOCKS: u32,
>(
    (rows, columns, depth, clusters): (u32, u32, u32, u32),
    (a, b, c): Maps<'_, F>,
    op: impl FnOnce() -> L,
) {
    const { assert!(STAGES == F::STAGES && BLOCKS.is_power_of_two() && BLOCKS <= 4) };
    let (high, across) = const { (if BLOCKS > 1 { 2 } else { 1 }, BLOCKS.div_ceil(2) as usize) };
    // SAFETY: the caller's promises; a stage is written between `producer_acquire` and
    // `arrive_and_expect_tx`, and read between `consumer_wait` and `consumer_release`; each
    // warpgroup has its own parts of C, between its barriers. In warpgroups that multiply, threads
    // and tiles are in range without a check: after a check that may differ among the threads of a
    // warp, ptxas computes uniform values in each thread.
    unsafe {
        device::launch_dependents();
        let (mut boxes, mut sc, barriers) = Shared::<F::C>::make_tensors();
        // (64 rows, 64 of K, boxes), (64, 64, (turns, warpgroups)), (stages, sides)
        let (cluster, thread) = (Cluster::<BLOCKS>::of_this_block(), device::thread_index());
        let ring = Ring::<STAGES, BLOCKS>::from_barriers(&barriers, 0, cluster);
        if elect_one(thread) {
            // Two warpgroups of each block empty a stage.
            ring.initialize(2);
        }
        if elect_one(thread ^ 32) {
            a.prefetch_descriptor();
            b.prefetch_descriptor();
            c.prefetch_descriptor();
        }
        hopper::cluster_sync(cluster);
        // From here on the kernel reads memory that the previous launch may have written.
        device::grid_dependency_wait();
        let op = op();

        // (The compiler does not know that the rank is below `BLOCKS`.)
        let (warpgroup, rank) = (thread / 128, (cluster.block_rank() % BLOCKS) as usize);
        // The block's coordinate in its cluster, and its first box along M and N.
        let (row_of, column_of) = (rank % high, rank / high);
        // Tiles in groups of 8 rows, so that concurrent tiles share their operands. The coordinate
        // of a tile is recomputed at each use, so that it takes no register during the main loop.
        let place = |tile: u32| {
            let (rows, columns) = (
                device::black_box(rows as usize) as u32,
                device::black_box(columns as usize) as u32,
            );
            let Some(tiles) = GroupedTileOrder::<8>::new(rows, columns) else { device::trap() };
            tiles.tile_coordinate(tile)
        };
        let first_tile = || device::black_box(device::block_index().0) as u32 / BLOCKS;
        // The boxes of A of all stages, followed by those of B.
        let mut box_address = |number: usize| {
            boxes.slice_unchecked_mut((.., .., number)).address_mut(0).unwrap_unchecked()
        };
        let first_of_b = 2 * STAGES as usize;
        let (of_a, of_b) = (box_address(0), box_address(first_of_b));
        let first = |row: usize, column: usize| {
            (2 * (high * row + row_of), 2 * F::WIDE * (across * column + column_of))
        };
        if warpgroup == 2 {
            hopper::setmaxnreg_dec::<40>();
            if thread == 256 {
                let (mut tile, mut ring) = (first_tile(), ring.producer());
                // The boxes of a stage that this block copies, also for the blocks beside it and
                // below or above it.
                let (of_a_each, of_b_each) = (2 / across, 2 * F::WIDE / high);
                let beside = if across > 1 { 0b101 << row_of } else { 1 << rank };
                let above = ((1 << high) - 1) << (high * column_of);
                while let Some((row, column)) = place(tile) {
                    let (m, n) = first(row, column);
                    for j in 0..4 * F::WIDE {
                        op.prefetch_source(&c.box_coordinates(m + j % 2, n + j / 2));
                    }
                    for step in 0..depth as usize {
                        let stage = ring.producer_acquire();
                        let i = stage.stage_index() as usize;
                        for j in of_a_each * column_of..of_a_each * (column_of + 1) {
                            let to = box_address(2 * i + j).cast::<F::A>();
                            let mut to = Tensor::from_shared(to, F::Box::default()); // (64 rows, K)
                            a.load_multicast_if(
                                across > 1,
                                beside,
                                &a.box_coordinates(m + j, step),
                                &mut to,
                                &stage,
                            );
                        }
                        for j in of_b_each * row_of..of_b_each * (row_of + 1) {
                            let to = box_address(first_of_b + 2 * F::WIDE * i + j);
                            let mut to = Tensor::from_shared(to.cast::<F::B>(), F::Box::default());
                            // (64 columns, K)
                            b.load_multicast_if(
                                high > 1,
                                above,
                                &b.box_coordinates(n + j, step),
                                &mut to,
                                &stage,
                            );
                        }
                        stage.arrive_and_expect_tx(
                            (2 + 2 * F::WIDE as u32) * TensorMap::<F::A, F::Box>::BYTES,
                        );
                    }
                    tile += clusters;
                }
                ring.producer_tail();
            }
        } else {
            hopper::setmaxnreg_inc::<232>();
            let epilogue =
                |thread| Epilogue::for_thread(thread / 128, thread % 128).unwrap_unchecked();
            let (mut tile, mut ring) = (first_tile(), ring.consumer(thread % 128));
            while let Some((row, column)) = place(tile) {
                if L::LOADS_SOURCE {
                    let ((m, n), epilogue) = (first(row, column), epilogue(thread));
                    epilogue.wait_for_tiles();
                    for_static!(J in 0..2, {
                        let mut to = sc.slice_unchecked_mut((.., .., (J, warpgroup))); // (64, 64)
                        op.load_source((m + warpgroup, n + J), &epilogue, &mut to);
                    });
                }
                let sums = F::mainloop((of_a.cast(), of_b.cast()), thread, &mut ring, depth);
                // (V, M, N)
                let ((row, column), thread) =
                    (place(tile).unwrap_unchecked(), device::black_box(thread));
                let ((m, n), warpgroup, epilogue) =
                    (first(row, column), thread / 128, epilogue(thread));
                for_static!(J in 0..4, {
                    if J < 2 * F::WIDE {
                        let mut to = sc.slice_unchecked_mut((.., .., (J % 2, warpgroup)));
                        // (64, 64)
                        let (at, there) =
                            ((m + warpgroup, n + J), c.box_coordinates(m + warpgroup, n + J));
                        epilogue.store_part(|tile| op.compute_part(at, J, &epilogue, &sums, tile),
                            &mut to, c, &there);
                    }
                });
                tile += clusters;
            }
            epilogue(thread).store_tail();
        }
    }
}

/// Computes `rows` x `columns` tiles of C for each cluster, `depth` stages along K, at least one,
/// on `clusters` clusters. The kernel may start before the previous launch ends.
///
/// # Safety
/// The maps belong to the matrices.
#[cfg(feature = "hgemm_sm90")]
#[kernel(
    threads = Threads, shared = Shared<F::C>,
    instances(
        <f16_wide, 4, 2>, <f16_narrow, 6, 4>, <f16_narrow, 6, 1>,
        <bf16_wide, 4, 2>, <bf16_narrow, 6, 4>, <bf16_narrow, 6, 1>
    )
)]
pub unsafe fn hgemm_sm90<F: TileProduct, const STAGES: u32, const BLOCKS: u32>(
    rows: u32,
    columns: u32,
    depth: u32,
    clusters: u32,
    a: Map<F::A, F::Box>,
    b: Map<F::B, F::Box>,
    c: MapMut<F::C, Box>,
) -> Result<(), Trap> {
    cluster_size!(BLOCKS);
    // SAFETY: the caller's promises.
    unsafe {
        multiply_tiles::<F, _, STAGES, BLOCKS>(
            (rows, columns, depth, clusters),
            (&a, &b, &c),
            || Scaled(1.0),
        );
    }
    Ok(())
}
