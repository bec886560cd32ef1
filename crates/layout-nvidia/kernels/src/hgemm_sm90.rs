//! `C = A B` of halves with sums in fp32, on Hopper's tensor cores: `wgmma` out of shared memory that TMA fills. A and
//! B have K first (BLAS: TN), C is row-major.
//!
//! ```text
//! cluster      2 blocks, one above the other: 256 x 256 of C, 128 x 256 each. Both need the same rows of B: each block
//!              fetches half of them, for both. A result of few tiles is cut into 256 x 128 of C, 128 x 128 each: the
//!              blocks fetch B in turns
//! block        3 warpgroups of 128 threads: one fetches, two multiply 64 x 256 or 64 x 128 each
//! stage        128 x 64 of A and 256 x 64 of B, four of them in a ring
//! result       64 x 64 at a time through shared memory, while the next tile is fetched
//! ```
//!
//! The blocks stay, and go through the tiles of C by themselves.

use half::{bf16, f16};
use layout_algebra::atom::make_tiled_mma;
use layout_algebra::for_static;
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::Shared as InShared;
use layout_algebra::tensor::{Addressable, Fragment, StaticCosize, TileMut};
use layout_nvidia::cluster_size;
use layout_nvidia::device::{self, Ended, SharedTile, SharedTiles, kernel};
use layout_nvidia::hopper::{
    self, Cluster, Coordinates, Epilogue, Half, Mbarrier, PartSlice, PartValues, Ring, RingConsumer, TensorMap,
    TilesInGroups, gemm_stages, is_first,
};

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
/// What is fetched of B, a box behind the other: two for each stage, one from each block of the cluster ..
pub type BoxesB = ComposedLayout<Rows128, Int<0>, Layout!((128, 64, 8):(64, 1, 8192))>;
/// .. which are its stages, rows, K, stages; or one for each stage.
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
    (SharedTile<T, StagesA>, SharedTile<T, BoxesB>, SharedTile<T, StagesC>, SharedTile<Mbarrier, Sides>);
/// The maps of A, B and C.
pub type Maps<'m, T> = (&'m TensorMap<T, Box>, &'m TensorMap<T, Box>, &'m TensorMap<T, BoxC>);
/// Tiles in shared memory.
pub type Tiles<T, L> = Tensor<TileMut<'static, T, InShared>, L>;
/// The tile that a part of C leaves by.
pub type TileC<'t, T> = Tensor<TileMut<'t, T, InShared>, PartSlice>;
/// The stages of A and of B.
pub type Stages<'t, T> = (&'t Tiles<T, StagesA>, &'t Tiles<T, BoxesB>);
/// A thread's sums.
pub type Sums<T, W> = Fragment<f32, <W as Width<T>>::Sums>;

/// How wide the tiles are.
pub trait Width<T: Half>: 'static {
    /// In units of 128 columns.
    const WIDE: usize;
    /// A thread's sums of its warpgroup's 64 rows.
    type Sums: Addressable + StaticCosize;
    /// The sums of a tile, of `depth` stages.
    ///
    /// # Safety
    /// All threads of the warpgroup come here, of 256 in all; the ring brings so many stages.
    unsafe fn sums(of: Stages<'_, T>, thread: usize, ring: &mut RingConsumer<4, 2>, depth: u32) -> Sums<T, Self>;
}
/// 256 columns.
#[allow(non_camel_case_types, reason = "as it is named in the kernels")]
pub enum wide {}
impl<T: Half> Width<T> for wide {
    const WIDE: usize = 2;
    type Sums = Layout!(((2, 2, 32), 1, 1));
    #[inline(always)]
    unsafe fn sums((a, b): Stages<'_, T>, thread: usize, ring: &mut RingConsumer<4, 2>, depth: u32) -> Sums<T, Self> {
        let mma = make_tiled_mma(T::Shared256::default(), Warpgroups::default(), tiler!(_, _, _));
        // SAFETY: the tiles of the product divide the stages, which are all boxes; the rest is the caller's promise.
        unsafe {
            let share = mma.get_slice(thread).unwrap_unchecked();
            let b = b.view().relayout_unchecked(StagesB::default());
            let (pa, pb) = (share.partition_a_unchecked(a), share.partition_b_unchecked(&b));
            gemm_stages(&mma, &pa, &pb, ring, depth, Fragment::zeroed())
        }
    }
}
/// 128 columns.
#[allow(non_camel_case_types, reason = "as it is named in the kernels")]
pub enum narrow {}
impl<T: Half> Width<T> for narrow {
    const WIDE: usize = 1;
    type Sums = Layout!(((2, 2, 16), 1, 1));
    #[inline(always)]
    unsafe fn sums((a, b): Stages<'_, T>, thread: usize, ring: &mut RingConsumer<4, 2>, depth: u32) -> Sums<T, Self> {
        let mma = make_tiled_mma(T::Shared128::default(), Warpgroups::default(), tiler!(_, _, _));
        // SAFETY: as above, a box for each stage.
        unsafe {
            let share = mma.get_slice(thread).unwrap_unchecked();
            let (pa, pb) = (share.partition_a_unchecked(a), share.partition_b_unchecked(b));
            gemm_stages(&mma, &pa, &pb, ring, depth, Fragment::zeroed())
        }
    }
}

/// Which of them: `true` if a result of so many rows and columns takes tiles of 128 columns, on a device of so many
/// multiprocessors.
///
/// A narrow tile takes half as long as a wide one, and fetches 4/3 as much for each product. So narrow tiles are taken
/// if the clusters, which go through the tiles in rounds, are done with them in less than 5/6 of the time.
///
/// ```
/// use layout_nvidia_kernels::hgemm_sm90::is_narrow;
/// // 32 wide tiles leave half of 66 clusters idle, 64 narrow ones do not.
/// assert!(is_narrow(2048, 1024, 132));
/// // 256 wide tiles in 4 rounds, or 512 narrow ones in 8.
/// assert!(!is_narrow(4096, 4096, 132));
/// ```
#[must_use]
pub const fn is_narrow(m: usize, n: usize, processors: usize) -> bool {
    let (rows, clusters) = (m.div_ceil(256), if processors < 2 { 1 } else { processors / 2 });
    let (wide, narrow) = (rows * n.div_ceil(256), rows * n.div_ceil(128));
    6 * narrow.div_ceil(clusters) < 5 * 2 * wide.div_ceil(clusters)
}

/// What leaves of a product's sums. (No closure: the compiler does not inline one that is called in four places, and sums
/// that a function is given lie in memory.)
pub trait Leaves<T: Half, W: Width<T>> {
    /// One thread knows that the sums of this part of C are going to leave: it may have something fetched for them.
    fn ahead(&self, _there: &impl Coordinates<2>) {}
    /// Before the sums of a tile are computed: a thread may start copies, for part `at` of C, to the tile that the part
    /// leaves by. All threads of the warpgroup come here.
    ///
    /// # Safety
    /// There is such a part, and the tile is free.
    unsafe fn begin(&self, _at: (usize, usize), _: &Epilogue, _tile: &mut TileC<'_, T>) {}
    /// Are there such copies? Then the tiles have to be free by then.
    const BEGINS: bool = false;
    /// What a thread makes of part `j` of its warpgroup's sums, which is part `at` of C; the tile that it leaves by is
    /// free before. Copies have begun for parts 0 and 1.
    ///
    /// # Safety
    /// There is such a part.
    unsafe fn part(
        &self,
        at: (usize, usize),
        j: usize,
        epilogue: &Epilogue,
        sums: &Sums<T, W>,
        tile: &mut TileC<'_, T>,
    ) -> Fragment<T, PartValues>;
}
/// The sums, rounded.
pub struct Rounded;
impl<T: Half, W: Width<T>> Leaves<T, W> for Rounded {
    #[inline(always)]
    unsafe fn part(
        &self,
        _: (usize, usize),
        j: usize,
        epilogue: &Epilogue,
        sums: &Sums<T, W>,
        _: &mut TileC<'_, T>,
    ) -> Fragment<T, PartValues> {
        epilogue.part(sums, j, |_, sum| sum)
    }
}

/// The product by `rows` x `columns` tiles of C, `depth` stages along K, one at least, by `clusters` clusters: `leaves`
/// says what becomes of the sums.
///
/// # Safety
/// All threads come here, of a kernel of clusters of two blocks with this shared memory. The maps are those of the
/// matrices.
#[inline(always)]
pub unsafe fn multiply<T: Half, W: Width<T>, L: Leaves<T, W>>(
    (rows, columns, depth, clusters): (u32, u32, u32, u32),
    (a, b, c): Maps<'_, T>,
    leaves: L,
) -> Result<(), Ended> {
    // SAFETY: the caller's promises; a stage is written between `reserve` and `fill`, and read between `wait` and
    // `release`; the parts of C are each warpgroup's own, between its barriers. Where warpgroups multiply, threads and
    // tiles are below their numbers, and no question is asked: what a warp's threads may answer differently, ptxas
    // computes in each of them from there on.
    unsafe {
        let (mut sa, mut sb, mut sc, barriers) = Shared::<T>::tensors();
        let (cluster, thread) = (Cluster::<2>::here(), device::thread());
        let ring = Ring::<4, 2>::at(&barriers, 0, cluster);
        // Four warps, side by side: to make a map known takes time.
        if is_first(thread) {
            // Two warpgroups of each block empty a stage.
            ring.init(2);
        }
        if is_first(thread ^ 32) {
            a.prepare();
        }
        if is_first(thread ^ 64) {
            b.prepare();
        }
        if is_first(thread ^ 96) {
            c.prepare();
        }
        hopper::cluster_sync(cluster);

        let (warpgroup, rank) = (thread / 128, cluster.rank() as usize);
        // Tiles in groups of 8 rows, so that those that are computed at a time share their operands.
        let Some(tiles) = TilesInGroups::<8>::new(rows, columns) else { device::stop() };
        let mut tile = device::block().0 as u32 / 2;
        // What is copied, as coordinates that are cut as the matrices would be.
        let m = Multiple::<Int<256>>::new(rows as usize * 256)?;
        let n = Multiple::<Int<128>>::new(columns as usize * W::WIDE * 128)?;
        let k = Multiple::<Int<64>>::new(depth as usize * 64)?;
        let of_c = Tensor::coordinates(identity((m, n)));
        if warpgroup == 2 {
            hopper::less_registers::<40>();
            if thread == 256 {
                let mut ring = ring.producer();
                let (of_a, of_b) = (Tensor::coordinates(identity((m, k))), Tensor::coordinates(identity((n, k))));
                while let Some((row, column)) = tiles.get(tile) {
                    for j in 0..4 * W::WIDE {
                        let at = (4 * row + 2 * rank + j % 2, 2 * W::WIDE * column + j / 2);
                        leaves.ahead(&of_c.local_tile(Part::default(), at)?);
                    }
                    for step in 0..depth as usize {
                        // Which box of the stage this block fetches for both: its half, or all of it every other time.
                        let (half, turn) = if W::WIDE == 2 { (rank, rank) } else { (0, step % 2) };
                        let from_a = of_a.local_tile(Operand::default(), (2 * row + rank, step))?;
                        let from_b = of_b.local_tile(Operand::default(), (W::WIDE * column + half, step))?;
                        let stage = ring.reserve();
                        let i = stage.number() as usize;
                        a.load(&from_a, &mut sa.slice_unchecked_mut((.., .., i)), &stage);
                        if turn == rank {
                            let mut to = sb.slice_unchecked_mut((.., .., W::WIDE * i + half));
                            b.load_to_all(cluster, &from_b, &mut to, &stage);
                        }
                        stage.fill((1 + W::WIDE as u32) * TensorMap::<T, Box>::BYTES);
                    }
                    tile += clusters;
                }
                ring.finish();
            }
        } else {
            hopper::more_registers::<232>();
            let mine = thread % 128;
            let epilogue = Epilogue::of(warpgroup, mine).unwrap_unchecked();
            let mut ring = ring.consumer(mine);
            while let Some((row, column)) = tiles.get(tile) {
                let at = |j| (4 * row + 2 * rank + warpgroup, 2 * W::WIDE * column + j);
                if L::BEGINS {
                    epilogue.free();
                    for_static!(J in 0..2, {
                        leaves.begin(at(J), &epilogue, &mut sc.slice_unchecked_mut((.., .., (J, warpgroup))));
                    });
                }
                let sums = W::sums((&sa, &sb), thread, &mut ring, depth);
                for_static!(J in 0..4, {
                    if J < 2 * W::WIDE {
                        let mut to = sc.slice_unchecked_mut((.., .., (J % 2, warpgroup)));
                        let there = of_c.local_tile(Part::default(), at(J)).unwrap_unchecked();
                        epilogue.send(|tile| leaves.part(at(J), J, &epilogue, &sums, tile), &mut to, c, &there);
                    }
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

/// The product, by `rows` x `columns` tiles and `depth` stages along K, one at least, in `clusters` clusters.
///
/// # Safety
/// The maps are those of the matrices.
#[cfg(feature = "hgemm_sm90")]
#[kernel(threads = Threads, shared = Shared<T>, instances(<f16, wide>, <f16, narrow>, <bf16, wide>, <bf16, narrow>))]
pub unsafe fn hgemm_sm90<T: Half, W: Width<T>>(
    rows: u32,
    columns: u32,
    depth: u32,
    clusters: u32,
    a: *const TensorMap<T, Box>,
    b: *const TensorMap<T, Box>,
    c: *const TensorMap<T, BoxC>,
) -> Result<(), Ended> {
    cluster_size!(2);
    // SAFETY: the caller's promises.
    unsafe { multiply::<T, W, _>((rows, columns, depth, clusters), (&*a, &*b, &*c), Rounded) }
}
