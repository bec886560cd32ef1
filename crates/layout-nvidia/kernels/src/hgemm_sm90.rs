//! `C = A B` of halves with sums in fp32, on Hopper's tensor cores: `wgmma` out of shared memory that TMA fills. A and
//! B have K first (BLAS: TN), C is row-major.
//!
//! ```text
//! cluster      2 blocks, one above the other: 256 x 256 of C, 128 x 256 each. Both need the same rows of B: each block
//!              fetches half of them, for both
//! block        3 warpgroups of 128 threads: one fetches, two multiply 64 x 256 each
//! stage        128 x 64 of A and 256 x 64 of B, four of them in a ring
//! result       64 x 64 at a time through shared memory, while the next tile is fetched
//! ```
//!
//! The blocks stay, and go through the tiles of C by themselves.

use half::{bf16, f16};
use layout_algebra::atom::make_tiled_mma;
use layout_algebra::for_static;
use layout_algebra::prelude::*;
use layout_nvidia::cluster_size;
use layout_nvidia::device::{self, Ended, SharedTile, SharedTiles, kernel};
use layout_nvidia::hopper::{self, Cluster, Epilogue, Half, Mbarrier, Ring, TensorMap, TilesInGroups, gemm_stages};

/// The tile of C of a cluster.
pub type ClusterTile = Tiler!(256, 256);
/// What is fetched of an operand at once.
pub type Operand = Tiler!(128, 64);
/// What is stored of C at once.
pub type Part = Tiler!(64, 64);
/// The threads of a block.
pub type Threads = Layout!(384);
/// Rows of 128 bytes, whose units of 16 change places by the number of the row.
pub type Rows128 = Swizzle<3, 3, 3>;
/// The stages of A: rows, K, stages.
pub type StagesA = ComposedLayout<Rows128, Int<0>, Layout!((128, 64, 4):(64, 1, 8192))>;
/// The stages of B: rows in two halves, one from each block of the cluster.
pub type StagesB = ComposedLayout<Rows128, Int<0>, Layout!(((128, 2), 64, 4):((64, 8192), 1, 16384))>;
/// Parts of the result on their way out: two for each warpgroup that multiplies.
pub type StagesC = ComposedLayout<Rows128, Int<0>, Layout!((64, 64, (2, 2)):(64, 1, (4096, 8192)))>;
/// What is fetched at once.
pub type Box = ComposedLayout<Rows128, Int<0>, Layout!((128, 64):(64, 1))>;
/// What is stored at once.
pub type BoxC = ComposedLayout<Rows128, Int<0>, Layout!((64, 64):(64, 1))>;
/// The full and the empty side of the ring.
pub type Sides = Layout!((4, 2));
/// The warpgroups that multiply: one above the other.
pub type Warpgroups = Layout!((2, 1, 1));
/// What a block has in shared memory.
pub type Shared<T> =
    (SharedTile<T, StagesA>, SharedTile<T, StagesB>, SharedTile<T, StagesC>, SharedTile<Mbarrier, Sides>);

/// `rows` x `columns` tiles of 256 x 256 of C, `depth` stages along K, one at least, by `clusters` clusters.
///
/// # Safety
/// The maps are those of the matrices.
#[cfg(feature = "hgemm_sm90")]
#[kernel(threads = Threads, shared = Shared<T>, instances(<f16>, <bf16>))]
pub unsafe fn hgemm_sm90<T: Half>(
    rows: u32,
    columns: u32,
    depth: u32,
    clusters: u32,
    a: *const TensorMap<T, Box>,
    b: *const TensorMap<T, Box>,
    c: *const TensorMap<T, BoxC>,
) -> Result<(), Ended> {
    cluster_size!(2);
    // SAFETY: the caller's promises; a stage is written between `reserve` and `fill`, and read between `wait` and
    // `release`; the parts of C are each warpgroup's own, between its barriers. Where warpgroups multiply, threads and
    // tiles are below their numbers, and no question is asked: what a warp's threads may answer differently, ptxas
    // computes in each of them from there on.
    unsafe {
        let (a, b, c) = (&*a, &*b, &*c);
        let (mut sa, mut sb, mut sc, barriers) = Shared::<T>::tensors();
        let (cluster, thread) = (Cluster::<2>::here(), device::thread());
        let ring = Ring::<4, 2>::at(&barriers, 0, cluster);
        if thread == 0 {
            // Two warpgroups of each block empty a stage.
            ring.init(2);
            a.prepare();
            b.prepare();
            c.prepare();
        }
        hopper::cluster_sync(cluster);

        let (warpgroup, rank) = (thread / 128, cluster.rank() as usize);
        // Tiles in groups of 8 rows, so that those that are computed at a time share their operands.
        let Some(tiles) = TilesInGroups::<8>::new(rows, columns) else { device::stop() };
        let mut tile = device::block().0 as u32 / 2;
        // What is copied, as coordinates that are cut as the matrices would be.
        let m = Multiple::<Int<256>>::new(rows as usize * 256)?;
        let n = Multiple::<Int<256>>::new(columns as usize * 256)?;
        let k = Multiple::<Int<64>>::new(depth as usize * 64)?;
        if warpgroup == 2 {
            hopper::less_registers::<40>();
            if thread == 256 {
                let mut ring = ring.producer();
                let (of_a, of_b) = (Tensor::coordinates(identity((m, k))), Tensor::coordinates(identity((n, k))));
                while let Some((row, column)) = tiles.get(tile) {
                    for step in 0..depth as usize {
                        let from_a = of_a.local_tile(Operand::default(), (2 * row + rank, step))?;
                        let from_b = of_b.local_tile(Operand::default(), (2 * column + rank, step))?;
                        let stage = ring.reserve();
                        let i = stage.number() as usize;
                        a.load(&from_a, &mut sa.slice_unchecked_mut((.., .., i)), &stage);
                        b.load_to_all(cluster, &from_b, &mut sb.slice_unchecked_mut(((.., rank), .., i)), &stage);
                        stage.fill(3 * TensorMap::<T, Box>::BYTES);
                    }
                    tile += clusters;
                }
                ring.finish();
            }
        } else {
            hopper::more_registers::<232>();
            let mine = thread % 128;
            let mma = make_tiled_mma(T::Shared256::default(), Warpgroups::default(), tiler!(_, _, _));
            let share = mma.get_slice(thread).unwrap_unchecked();
            let epilogue = Epilogue::of(warpgroup, mine).unwrap_unchecked();
            let (pa, pb) = (share.partition_a_unchecked(&sa), share.partition_b_unchecked(&sb));
            let whole = Tensor::from_global_ref(core::ptr::null::<f32>(), layout!((128, 256)));
            let mut ring = ring.consumer(mine);
            let of_c = Tensor::coordinates(identity((m, n)));
            while let Some((row, column)) = tiles.get(tile) {
                let sums = gemm_stages(&mma, &pa, &pb, &mut ring, depth, share.partition_fragment_c(&whole));
                for_static!(J in 0..4, {
                    let mut to = sc.slice_unchecked_mut((.., .., (J % 2, warpgroup)));
                    let at = (4 * row + 2 * rank + warpgroup, 4 * column + J);
                    let there = of_c.local_tile(Part::default(), at).unwrap_unchecked();
                    epilogue.send(|| epilogue.part(&sums, J, |_, sum| sum), &mut to, c, &there);
                });
                tile += clusters;
            }
            epilogue.finish();
        }
        // Nobody leaves while others may still write to it or arrive at its barriers.
        hopper::cluster_sync(cluster);
        Ok(())
    }
}
