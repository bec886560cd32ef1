//! `C = A B` of halves with sums in fp32, on Hopper's tensor cores: `wgmma` out of shared memory that TMA fills. A and
//! B have K first (BLAS: TN), C is row-major.
//!
//! ```text
//! block        3 warpgroups of 128 threads: one fetches, two multiply; a tile of C of 128 x 256, or 128 x 128
//! cluster      blocks that need the same rows of A, or of B: each fetches its share of them, for all
//! box          64 rows of 128 bytes, 64 halves: what is fetched of A and B at once
//! stage        the boxes of A and of B for 64 steps along K: four stages in a ring, or six of narrow tiles
//! result       64 x 64 at a time through shared memory, while the next tile is fetched
//! ```
//!
//! The blocks stay, and go through the tiles of C by themselves.

use layout_algebra::atom::make_tiled_mma;
use layout_algebra::for_static;
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::Shared as InShared;
use layout_algebra::tensor::{Addressable, Fragment, StaticCosize, TileMut};
use layout_nvidia::device::{self, Ended, SharedTile, SharedTiles, kernel};
use layout_nvidia::hopper::{
    self, Barriers, Cluster, Consumer, Coordinates, Described, Epilogue, Half, Mbarrier, Narrow as Rounds, PartSlice,
    PartValues, Ring, SM90_64x128x16_F32BF16BF16_SS, SM90_64x128x16_F32F16F16_SS, SM90_64x256x16_F32BF16BF16_SS,
    SM90_64x256x16_F32F16F16_SS, TensorMap, TilesInGroups, Wgmma, gemm_tile, is_first,
};
use layout_nvidia::{LaidOutAs, cluster_size};

use self::form::{bf16_narrow, bf16_wide, f16_narrow, f16_wide};

/// The threads of a block.
pub type Threads = Layout!(384);
/// The warpgroups that multiply: one above the other.
pub type Warpgroups = Layout!((2, 1, 1));
/// Rows of 128 bytes, whose units of 16 change places by the number of the row.
pub type Rows128 = Swizzle<3, 3, 3>;
/// What is fetched of A and B, and stored of C, at once: 64 rows of 128 bytes.
pub type Box = ComposedLayout<Rows128, Int<0>, Layout!((64, 64):(64, 1))>;
/// All boxes of A and B that a block has: of each stage those of A, and behind them of each stage those of B.
pub type Boxes = ComposedLayout<Rows128, Int<0>, Layout!((64, 64, 24):(64, 1, 4096))>;
/// Parts of the result on their way out: two for each warpgroup that multiplies.
pub type StagesC = ComposedLayout<Rows128, Int<0>, Layout!((64, 64, (2, 2)):(64, 1, (4096, 8192)))>;
/// The full and the empty side of the ring.
pub type Sides = Layout!((6, 2));
/// What a block has in shared memory: words of 16 bits of A and B, numbers of C.
pub type Shared<C> = (SharedTile<u16, Boxes>, SharedTile<C, StagesC>, SharedTile<Mbarrier, Sides>);
/// The maps of A, B and C.
pub type Maps<'m, F> = (
    &'m TensorMap<<F as Form>::A, <F as Form>::Box>,
    &'m TensorMap<<F as Form>::B, <F as Form>::Box>,
    &'m TensorMap<<F as Form>::C, Box>,
);
/// The tile that a part of C leaves by.
pub type TileC<'t, T> = Tensor<TileMut<'t, T, InShared>, PartSlice>;
/// A thread's sums.
pub type Sums<F> = Fragment<f32, <F as Form>::Sums>;

/// What is multiplied, by which instruction, and how wide the tiles are.
pub trait Form: 'static {
    /// The elements of A.
    type A: 'static;
    /// The elements of B.
    type B: 'static;
    /// The numbers of C.
    type C: Rounds;
    /// 64 rows of 128 bytes of A and B.
    type Box: Described + Default;
    /// The columns of a tile, in units of 128.
    const WIDE: usize;
    /// The stages.
    const STAGES: u32 = 8 - 2 * Self::WIDE as u32;
    /// A thread's sums of its warpgroup's 64 rows.
    type Sums: Addressable + StaticCosize;
    /// The sums of a tile, of `depth` stages, whose boxes are those from `boxes` on.
    ///
    /// # Safety
    /// All threads of the warpgroup come here, of 256 in all; the ring brings so many stages.
    unsafe fn sums<S: Barriers, E: Barriers + Clone>(
        boxes: (*mut Self::A, *mut Self::B),
        thread: usize,
        ring: &mut Consumer<S, E>,
        depth: u32,
    ) -> Sums<Self>
    where
        Self: Sized;
}
/// Tiles of 128 x 256 by the instruction `I`, whose sums are rounded to C.
pub struct Wide<I>(core::marker::PhantomData<I>);
impl<T: Half, I> Form for Wide<I>
where
    I: Wgmma<A = T, B = T> + LaidOutAs<SM90_64x256x16_F32F16F16_SS> + Default + 'static,
{
    type A = T;
    type B = T;
    type C = T;
    type Box = Box;
    const WIDE: usize = 2;
    type Sums = Layout!(((2, 2, 32), 1, 1));
    #[inline(always)]
    unsafe fn sums<S: Barriers, E: Barriers + Clone>(
        (a, b): (*mut T, *mut T),
        thread: usize,
        ring: &mut Consumer<S, E>,
        depth: u32,
    ) -> Sums<Self> {
        type A = ComposedLayout<Rows128, Int<0>, Layout!((128, 64, 4):(64, 1, 8192))>;
        type B = ComposedLayout<Rows128, Int<0>, Layout!((256, 64, 4):(64, 1, 16384))>;
        let mma = make_tiled_mma(I::default(), Warpgroups::default(), tiler!(_, _, _));
        // SAFETY: the boxes of the stages lie one behind the other; the rest is the caller's promise.
        unsafe {
            let (a, b) = (Tensor::from_shared(a, A::default()), Tensor::from_shared(b, B::default()));
            gemm_tile(&mma, thread, &a, &b, ring, depth)
        }
    }
}
/// Tiles of 128 x 128.
pub struct Narrow<I>(core::marker::PhantomData<I>);
impl<T: Half, I> Form for Narrow<I>
where
    I: Wgmma<A = T, B = T> + LaidOutAs<SM90_64x128x16_F32F16F16_SS> + Default + 'static,
{
    type A = T;
    type B = T;
    type C = T;
    type Box = Box;
    const WIDE: usize = 1;
    type Sums = Layout!(((2, 2, 16), 1, 1));
    #[inline(always)]
    unsafe fn sums<S: Barriers, E: Barriers + Clone>(
        (a, b): (*mut T, *mut T),
        thread: usize,
        ring: &mut Consumer<S, E>,
        depth: u32,
    ) -> Sums<Self> {
        type Both = ComposedLayout<Rows128, Int<0>, Layout!((128, 64, 6):(64, 1, 8192))>;
        let mma = make_tiled_mma(I::default(), Warpgroups::default(), tiler!(_, _, _));
        // SAFETY: as above.
        unsafe {
            let (a, b) = (Tensor::from_shared(a, Both::default()), Tensor::from_shared(b, Both::default()));
            gemm_tile(&mma, thread, &a, &b, ring, depth)
        }
    }
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

/// How a product is cut, for one of the instances of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The columns of a tile, in units of 128.
    pub wide: usize,
    /// The blocks of a cluster that share their operands, two above one another.
    pub blocks: usize,
}
impl Cut {
    /// Those that there are kernels of.
    pub const ALL: [Cut; 3] = [Cut { wide: 2, blocks: 2 }, Cut { wide: 1, blocks: 4 }, Cut { wide: 1, blocks: 1 }];
    /// The number in [`ALL`](Cut::ALL) of the one that takes least time for a result of so many rows and columns, on a
    /// device of so many multiprocessors.
    ///
    /// Clusters go through the tiles in rounds. A stage of a wide tile takes as long as 16/9 stages of a narrow one, or as
    /// two of narrow tiles in a cluster of four, which fetches least: figures of an H100 at five shapes.
    ///
    /// ```
    /// use layout_nvidia_kernels::hgemm_sm90::Cut;
    /// // 32 wide tiles leave half of 66 clusters idle, 128 narrow ones do not.
    /// assert_eq!(Cut::of(2048, 1024, 132), 2);
    /// // 24 tiles, for 66 clusters of two or 30 of four blocks.
    /// assert_eq!(Cut::of(1000, 1520, 132), 1);
    /// // 256 wide tiles in 4 rounds, or 1024 narrow ones in 8.
    /// assert_eq!(Cut::of(4096, 4096, 132), 0);
    /// ```
    #[must_use]
    pub const fn of(m: usize, n: usize, processors: usize) -> usize {
        let (mut best, mut least, mut i) = (0, usize::MAX, 0);
        while i < Cut::ALL.len() {
            let cut = Cut::ALL[i];
            let (rows, columns, _) = cut.sizes(m, n, processors);
            let rounds = (rows as usize * columns as usize).div_ceil(cut.at_once(processors));
            let takes = rounds
                * if cut.wide == 2 {
                    16
                } else if cut.blocks == 4 {
                    8
                } else {
                    9
                };
            if takes < least {
                (best, least) = (i, takes);
            }
            i += 1;
        }
        best
    }
    /// How many clusters run at a time. Multiprocessors come in groups of 16 or 18, and a cluster has to fit into one: of
    /// clusters of four 30 run on 132 of them.
    const fn at_once(self, processors: usize) -> usize {
        let at_once = if self.blocks == 4 { processors * 10 / 44 } else { processors / self.blocks };
        if at_once > 0 { at_once } else { 1 }
    }
    /// Of a product, on a device of so many multiprocessors: the tiles of a cluster along M and along N, and the clusters, as a
    /// kernel is told.
    #[must_use]
    pub const fn sizes(self, m: usize, n: usize, processors: usize) -> (u32, u32, u32) {
        let (high, across) = if self.blocks == 1 { (1, 1) } else { (2, self.blocks / 2) };
        let (rows, columns) = (m.div_ceil(128 * high), n.div_ceil(128 * self.wide * across));
        let (tiles, at_once) = (rows * columns, self.at_once(processors));
        (rows as u32, columns as u32, if tiles < at_once { tiles } else { at_once } as u32)
    }
}

/// What leaves of a product's sums. (No closure: the compiler does not inline one that is called in four places, and sums
/// that a function is given lie in memory.)
pub trait Leaves<F: Form> {
    /// One thread knows that the sums of this part of C are going to leave: it may have something fetched for them.
    fn ahead(&self, _there: &impl Coordinates<2>) {}
    /// Before the sums of a tile are computed: a thread may start copies, for part `at` of C, to the tile that the part
    /// leaves by. All threads of the warpgroup come here.
    ///
    /// # Safety
    /// There is such a part, and the tile is free.
    unsafe fn begin(&self, _at: (usize, usize), _: &Epilogue, _tile: &mut TileC<'_, F::C>) {}
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
        sums: &Sums<F>,
        tile: &mut TileC<'_, F::C>,
    ) -> Fragment<F::C, PartValues>;
}
/// The sums times a number, rounded.
pub struct Scaled(pub f32);
impl<F: Form> Leaves<F> for Scaled {
    #[inline(always)]
    unsafe fn part(
        &self,
        _: (usize, usize),
        j: usize,
        epilogue: &Epilogue,
        sums: &Sums<F>,
        _: &mut TileC<'_, F::C>,
    ) -> Fragment<F::C, PartValues> {
        epilogue.part(sums, j, |_, sum| self.0 * sum)
    }
}

/// The product by `rows` x `columns` tiles of C of a cluster, `depth` stages along K, by `clusters` clusters of `BLOCKS`
/// blocks, two above one another: `leaves` says what becomes of the sums.
///
/// # Safety
/// All threads come here, of a kernel of clusters of `BLOCKS` blocks with this shared memory. The maps are those of the
/// matrices.
#[inline(always)]
pub unsafe fn multiply<F: Form, L: Leaves<F>, const STAGES: u32, const BLOCKS: u32>(
    (rows, columns, depth, clusters): (u32, u32, u32, u32),
    (a, b, c): Maps<'_, F>,
    leaves: impl FnOnce() -> L,
) {
    const { assert!(STAGES == F::STAGES && BLOCKS.is_power_of_two() && BLOCKS <= 4) };
    let (high, across) = const { (if BLOCKS > 1 { 2 } else { 1 }, BLOCKS.div_ceil(2) as usize) };
    // SAFETY: the caller's promises; a stage is written between `reserve` and `fill`, and read between `wait` and
    // `release`; the parts of C are each warpgroup's own, between its barriers. Where warpgroups multiply, threads and
    // tiles are below their numbers, and no question is asked: what a warp's threads may answer differently, ptxas
    // computes in each of them from there on.
    unsafe {
        device::let_next_begin();
        let (mut boxes, mut sc, barriers) = Shared::<F::C>::tensors();
        let (cluster, thread) = (Cluster::<BLOCKS>::here(), device::thread());
        let ring = Ring::<STAGES, BLOCKS>::at(&barriers, 0, cluster);
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
        // From here on memory is read that the launch before may have written.
        device::after_launch_before();
        let leaves = leaves();

        let (warpgroup, rank) = (thread / 128, cluster.rank() as usize);
        // The block's place in its cluster, and its first box along M and N.
        let (row_of, column_of) = (rank % high, rank / high);
        // Tiles in groups of 8 rows, so that those that are computed at a time share their operands.
        let Some(tiles) = TilesInGroups::<8>::new(rows, columns) else { device::stop() };
        let mut tile = device::block().0 as u32 / BLOCKS;
        let (of_a, of_b) = (boxes.address_mut(0).unwrap_unchecked(), 2 * STAGES as usize);
        let of_b = of_a.wrapping_add(4096 * of_b);
        let first =
            |row: usize, column: usize| (2 * (high * row + row_of), 2 * F::WIDE * (across * column + column_of));
        if warpgroup == 2 {
            hopper::less_registers::<40>();
            if thread == 256 {
                let mut ring = ring.producer();
                // Which boxes of a stage this block fetches, for the blocks beside it and below or above it.
                let (of_a_each, of_b_each) = (2 / across, 2 * F::WIDE / high);
                let beside = if across > 1 { 0b101 << row_of } else { 1 << rank };
                let above = ((1 << high) - 1) << (high * column_of);
                while let Some((row, column)) = tiles.get(tile) {
                    let (m, n) = first(row, column);
                    for j in 0..4 * F::WIDE {
                        leaves.ahead(&c.tile(m + j % 2, n + j / 2));
                    }
                    for step in 0..depth as usize {
                        let stage = ring.reserve();
                        let i = stage.number() as usize;
                        for j in of_a_each * column_of..of_a_each * (column_of + 1) {
                            let to = of_a.wrapping_add(4096 * (2 * i + j)).cast::<F::A>();
                            let mut to = Tensor::from_shared(to, F::Box::default());
                            a.load_to(across > 1, beside, &a.tile(m + j, step), &mut to, &stage);
                        }
                        for j in of_b_each * row_of..of_b_each * (row_of + 1) {
                            let to = of_b.wrapping_add(4096 * (2 * F::WIDE * i + j)).cast::<F::B>();
                            let mut to = Tensor::from_shared(to, F::Box::default());
                            b.load_to(high > 1, above, &b.tile(n + j, step), &mut to, &stage);
                        }
                        stage.fill((2 + 2 * F::WIDE as u32) * TensorMap::<F::A, F::Box>::BYTES);
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
                let (m, n) = first(row, column);
                let at = |j| (m + warpgroup, n + j);
                if L::BEGINS {
                    epilogue.free();
                    for_static!(J in 0..2, {
                        leaves.begin(at(J), &epilogue, &mut sc.slice_unchecked_mut((.., .., (J, warpgroup))));
                    });
                }
                let sums = F::sums((of_a.cast(), of_b.cast()), thread, &mut ring, depth);
                for_static!(J in 0..4, {
                    if J < 2 * F::WIDE {
                        let mut to = sc.slice_unchecked_mut((.., .., (J % 2, warpgroup)));
                        let there = c.tile(at(J).0, at(J).1);
                        epilogue.send(|tile| leaves.part(at(J), J, &epilogue, &sums, tile), &mut to, c, &there);
                    }
                });
                tile += clusters;
            }
            epilogue.finish();
        }
    }
}

/// The product, by `rows` x `columns` tiles of a cluster and `depth` stages along K, one at least, in `clusters` clusters. It
/// may be launched early.
///
/// # Safety
/// The maps are those of the matrices, which the host has copied to the device.
#[cfg(feature = "hgemm_sm90")]
#[kernel(threads = Threads, shared = Shared<F::C>, instances(<f16_wide, 4, 2>, <f16_narrow, 6, 4>, <f16_narrow, 6, 1>, <bf16_wide, 4, 2>, <bf16_narrow, 6, 4>, <bf16_narrow, 6, 1>))]
pub unsafe fn hgemm_sm90<F: Form, const STAGES: u32, const BLOCKS: u32>(
    rows: u32,
    columns: u32,
    depth: u32,
    clusters: u32,
    a: *const TensorMap<F::A, F::Box>,
    b: *const TensorMap<F::B, F::Box>,
    c: *const TensorMap<F::C, Box>,
) -> Result<(), Ended> {
    cluster_size!(BLOCKS);
    // SAFETY: the caller's promises.
    unsafe {
        multiply::<F, _, STAGES, BLOCKS>((rows, columns, depth, clusters), (&*a, &*b, &*c), || Scaled(1.0));
    }
    Ok(())
}
