//! Products of many groups in one launch, on Hopper's tensor cores: each group has its own rows of
//! A and C, any number of them, and its own B, all of one size. (A mixture of experts: the rows are
//! tokens, in order of their experts.) Halves with sums in fp32; A and B have K first, C is
//! row-major.
//!
//! ```text
//! A, C      the rows of all groups, one below the other; group g has those from offsets(g) to offsets(g + 1)
//! B         columns of the result, K, groups
//! cluster   2 blocks above one another: 256 x 256 of C, 128 x 256 each. Both need the same columns of B: each block
//!           fetches half of them, for both. Where a group has an odd number of 128 rows, the last ones are 128 x 512, two
//!           blocks side by side, which fetch the same rows of A in turns, for both
//! block     as in `hgemm_sm90`
//! ```
//!
//! The blocks are persistent and go through the tiles of all groups, down the columns of a group
//! first. Rows of a tile beyond the end of its group are computed but not written: 64 rows that all
//! exist are stored by TMA, others by predicated stores. The missing rows are computed from zeros,
//! which take less power than the rows of the next group. For this the map of A has every run of
//! 128 rows, `(128, K, rows - 127):(K, 1, K)`, and a box that begins above the last 128 rows of a
//! group ends with the group. (The first 128 rows of A have no such box.)

use core::num::NonZeroU32;

use half::{bf16, f16};
use layout_algebra::atom::{UniversalCopy, copy, copy_if, make_tiled_mma};
use layout_algebra::for_static;
use layout_algebra::prelude::*;
use layout_algebra::tensor::Fragment;
use layout_nvidia::cluster_size;
use layout_nvidia::device::{self, SharedTile, SharedTiles, Trap, kernel};
use layout_nvidia::hopper::{
    self, Cluster, Epilogue, Half, Map, MapMut, Mbarrier, Ring, StreamK, StreamKWorkspace,
    TensorMap, domain_offset, gemm_stages,
};

pub use crate::hgemm_sm90::{Box as BoxC, Rows128, StagesC, Threads, Warpgroups};

/// The part of C that one copy stores.
pub type Part = Tiler!(64, 64);
/// The full and the empty barriers of the ring.
pub type Sides = Layout!((4, 2));
/// The stages of A: rows, K, stages.
pub type StagesA =
    ComposedLayout<Rows128, Int<0>, OrderedLayout<Shape!((128, 64, 4)), Shape!((1, 0, 2))>>;
/// The stages of B: columns of the result in two halves, one from each block of the cluster.
pub type StagesB = ComposedLayout<
    Rows128,
    Int<0>,
    OrderedLayout<Shape!(((128, 2), 64, 4)), Shape!(((1, 2), 0, 3))>,
>;
/// The box of A or B that one copy fetches.
pub type BoxAB = ComposedLayout<Rows128, Int<0>, Layout!((128, 64): right)>;

/// A tile of the result; in `grouped_sm90` the tile of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// The group that the tile belongs to.
    pub group: u32,
    /// The first row of the group, and the row after its last one.
    pub rows: (u32, u32),
    /// The coordinate of the tile in the group, along the rows.
    pub row: u32,
    /// The coordinate of the tile in the group, along the columns.
    pub column: u32,
}
impl Tile {
    /// The tile of 128 x 256 of block `rank` of a cluster, and whether the cluster's two blocks are
    /// one above the other. (A cluster's tile counts as 128 x 512; two such tiles, one above the
    /// other, are computed as two of 256 x 256.)
    ///
    /// ```
    /// use layout_nvidia_kernels::grouped_sm90::Tile;
    /// // 300 rows are three tiles.
    /// let of = |row| [0, 1].map(|rank| Tile { group: 0, rows: (7, 307), row, column: 5 }.tile_of_block(rank));
    /// assert_eq!(of(0), [(0, 10, true), (1, 10, true)]);
    /// assert_eq!(of(1), [(0, 11, true), (1, 11, true)]);
    /// assert_eq!(of(2), [(2, 10, false), (2, 11, false)]);
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn tile_of_block(&self, rank: usize) -> (usize, usize, bool) {
        let (row, column) = (self.row as usize, 2 * self.column as usize);
        if 128 * (row | 1) < (self.rows.1 - self.rows.0) as usize {
            ((row & !1) + rank, column + (row & 1), true)
        } else {
            (row, column + rank, false)
        }
    }
}
/// All tiles of all groups in order, each of `HIGH` rows: group by group, column by column.
#[derive(Clone, Copy, Debug)]
pub struct Schedule<const HIGH: u32> {
    groups: u32,
    columns: u32,
    group: u32,
    /// The number of tiles in the groups before `group`.
    before: u32,
}
impl<const HIGH: u32> Schedule<HIGH> {
    /// The schedule of `groups` groups, each of `columns` tiles along the columns.
    #[inline]
    pub fn new(groups: u32, columns: u32) -> Self {
        Schedule { groups, columns, group: 0, before: 0 }
    }
    /// The number of tiles.
    #[inline]
    pub fn count_tiles(&self, rows_of: impl Fn(u32) -> (u32, u32)) -> u32 {
        let mut tiles = 0;
        for group in 0..self.groups {
            let rows = rows_of(group);
            tiles += (rows.1 - rows.0).div_ceil(HIGH) * self.columns;
        }
        tiles
    }
    /// The tile number `tile`; `None` beyond the last one. The numbers of consecutive calls ascend.
    #[inline]
    pub fn find_tile(&mut self, tile: u32, rows_of: impl Fn(u32) -> (u32, u32)) -> Option<Tile> {
        while self.group < self.groups {
            let rows = rows_of(self.group);
            let high = (rows.1 - rows.0).div_ceil(HIGH);
            let (number, tiles) = (tile - self.before, high * self.columns);
            if let (Some(high), true) = (NonZeroU32::new(high), number < tiles) {
                return Some(Tile {
                    group: self.group,
                    rows,
                    row: number % high,
                    column: number / high,
                });
            }
            self.before += tiles;
            self.group += 1;
        }
        None
    }
}

/// The first row of a group, and the row after its last one. There are `groups + 1` offsets: the
/// end of a group is the begin of the next.
///
/// # Safety
/// The offsets exist, and the function is called for groups that exist.
#[inline(always)]
pub(crate) unsafe fn row_range(
    offsets: *const u32,
    groups: u32,
) -> impl Fn(u32) -> (u32, u32) + Copy {
    // SAFETY: the caller's promise.
    let offsets = unsafe { Tensor::from_global_ref(offsets, layout!((2, groups as usize):(1, 1))) };
    // (first and end, groups)
    move |group| {
        let mut rows = Fragment::<u32, Layout!(2)>::zeroed(); // (first and end)
        // SAFETY: as above.
        let here = unsafe { offsets.slice_unchecked((.., group as usize)) }; // (first and end)
        let _ = copy(&UniversalCopy::<u32>::new(), &here, &mut rows);
        (rows[0], rows[1])
    }
}

/// What a block has in shared memory.
pub type Shared<T> = (
    SharedTile<T, StagesA>,
    SharedTile<T, StagesB>,
    SharedTile<T, StagesC>,
    SharedTile<Mbarrier, Sides>,
);

/// Computes the products of `groups` groups, `n` columns for each group, `depth` stages along K, at
/// least one, on `clusters` clusters.
///
/// # Safety
/// The maps belong to the matrices; the map of A has every run of 128 rows (or all rows once, if
/// there are fewer); `c` is the address of the map of C; `offsets` are `groups + 1` ascending
/// elements, from 0 to the number of rows of A and C. `left` has 65536 numbers for each cluster,
/// and `flags` has 4 for each cluster, all 0.
#[kernel(threads = Threads, shared = Shared<T>, instances(<f16>, <bf16>))]
pub unsafe fn grouped_sm90<T: Half>(
    groups: u32,
    n: u32,
    depth: u32,
    clusters: u32,
    offsets: *const u32,
    a: Map<T, BoxAB, 3>,
    b: Map<T, BoxAB, 3>,
    map: MapMut<T, BoxC>,
    c: *mut T,
    left: *mut f32,
    flags: *mut u32,
) -> Result<(), Trap> {
    cluster_size!(2);
    // SAFETY: the caller's promises; a stage is written between `producer_acquire` and
    // `arrive_and_expect_tx`, and read between `consumer_wait` and `consumer_release`; each
    // warpgroup has its own parts of C, between its barriers; each block has its tiles of C, and no
    // row beyond the end of a group. In warpgroups that multiply, threads and tiles are in range
    // without a check: after a check that may differ among the threads of a warp, ptxas computes
    // uniform values in each thread.
    unsafe {
        let (mut sa, mut sb, mut sc, barriers) = Shared::<T>::make_tensors();
        // (M, K, stages), ((N, blocks), K, stages), (64, 64, (turns, warpgroups)), (stages, sides)
        let (cluster, thread) = (Cluster::<2>::of_this_block(), device::thread_index());
        let ring = Ring::<4, 2>::from_barriers(&barriers, 0, cluster);
        if thread == 0 {
            ring.initialize(2);
            a.prefetch_descriptor();
            b.prefetch_descriptor();
            map.prefetch_descriptor();
        }
        hopper::cluster_sync(cluster);
        let (warpgroup, rank) = (thread / 128, cluster.block_rank() as usize);

        let rows_of = row_range(offsets, groups);
        let columns = n.div_ceil(512);
        let mut schedule = Schedule::<128>::new(groups, columns);
        let place = device::block_index().0 as u32 / 2;
        let mut stream_k = StreamK::new(schedule.count_tiles(rows_of), depth, clusters, place);
        // Finds the next tile. The consumer calls it while the last products of a tile run, so that
        // the wait for the group's offset is hidden.
        let mut next = move || {
            let share = stream_k.next()?;
            Some((share, schedule.find_tile(share.tile, rows_of)?))
        };
        let wide = Multiple::<Int<512>>::new(columns as usize * 512)?;
        // The rows of a group, rounded up to whole tiles.
        let high = |tile: &Tile| {
            Multiple::<Int<128>>::new((tile.rows.1 - tile.rows.0).div_ceil(128) as usize * 128)
                .unwrap_unchecked()
        };
        if warpgroup == 2 {
            hopper::setmaxnreg_dec::<56>();
            if thread == 256 {
                let (mut ring, mut at) = (ring.producer(), next());
                let begin =
                    |at: [usize; 3]| domain_offset(at, Tensor::coordinates(identity((128, 64, 1))));
                while let Some((share, tile)) = at {
                    let (row, column, above) = tile.tile_of_block(rank);
                    // The first row of the tile, and the row where the box of A begins.
                    let (first, end) = (tile.rows.0 as usize + 128 * row, tile.rows.1 as usize);
                    let from_a = usize::min(first + 128, end).saturating_sub(128);
                    let (column, group) =
                        (256 * column + if above { 128 * rank } else { 0 }, tile.group as usize);
                    let (from, to) = share.k_tile_range(depth);
                    for step in from as usize..to as usize {
                        if step + 1 == to as usize {
                            at = next();
                        }
                        let stage = ring.producer_acquire();
                        let i = stage.stage_index() as usize;
                        let box_a = begin([first - from_a, 64 * step, from_a]);
                        let box_b = |half: usize| begin([column + 128 * half, 64 * step, group]);
                        let mut sa = sa.slice_unchecked_mut((.., .., i)); // (M, K)
                        if above {
                            a.load_tile(&box_a, &mut sa, &stage);
                            b.load_multicast(
                                cluster,
                                &box_b(0),
                                &mut sb.slice_unchecked_mut(((.., rank), .., i)),
                                &stage,
                            );
                        } else {
                            if step % 2 == rank {
                                a.load_multicast(cluster, &box_a, &mut sa, &stage);
                            }
                            b.load_tile(
                                &box_b(0),
                                &mut sb.slice_unchecked_mut(((.., 0), .., i)),
                                &stage,
                            );
                            b.load_tile(
                                &box_b(1),
                                &mut sb.slice_unchecked_mut(((.., 1), .., i)),
                                &stage,
                            );
                        }
                        stage.arrive_and_expect_tx(3 * TensorMap::<T, BoxAB, 3>::BYTES);
                    }
                }
                ring.producer_tail();
            }
        } else {
            hopper::setmaxnreg_inc::<224>();
            let mine = thread % 128;
            let mma =
                make_tiled_mma(T::Shared256::default(), Warpgroups::default(), tiler!(_, _, _));
            let thread_of = mma.get_slice(thread).unwrap_unchecked();
            let epilogue = Epilogue::for_thread(warpgroup, mine).unwrap_unchecked();
            let (pa, pb) =
                (thread_of.partition_a_unchecked(&sa), thread_of.partition_b_unchecked(&sb));
            // (V, M, K, stages), (V, N, K, stages)
            let whole = Tensor::from_global_ref(core::ptr::null::<f32>(), layout!((128, 256)));
            // (M, N)
            let mut ring = ring.consumer(mine);
            let workspace = StreamKWorkspace::from_pointers(left, flags, 4 * clusters as usize);
            let warpgroup_of = |cluster: u32| 4 * cluster as usize + 2 * rank + warpgroup;
            let mut at = next();
            while let Some((share, tile)) = at {
                let (from, to) = share.k_tile_range(depth);
                let zeros = thread_of.partition_fragment_c(&whole); // (V, M, N)
                let mut sums =
                    gemm_stages(&mma, &pa, &pb, &mut ring, to - from, zeros, || at = next());
                // (V, M, N)
                // If a tile is divided along K, the block with its first part adds the others.
                let barrier = 1 + warpgroup as u32;
                // Whether this warp has rows of the group.
                let (row, column, _) = tile.tile_of_block(rank);
                let row = 2 * row + warpgroup;
                let rows = (tile.rows.1 - tile.rows.0) as usize;
                let wanted = 64 * row + mine / 32 * 16 < rows;
                if share.part > 0 {
                    workspace.store_partials(&sums, warpgroup_of(place), mine, wanted, barrier);
                    continue;
                }
                for part in 1..share.parts {
                    workspace.reduce_into(
                        &mut sums,
                        warpgroup_of(place + part * share.cluster_stride),
                        mine,
                        wanted,
                        barrier,
                    );
                }
                let (high, first) = (high(&tile), tile.rows.0 as usize);
                let places = Tensor::coordinates(identity((high, wide))); // (rows of the group, n)
                if 64 * (row + 1) <= rows {
                    for_static!(J in 0..4, {
                        let there = places.local_tile(Part::default(), (row, 4 * column + J))
                            .unwrap_unchecked();
                        // (64, 64)
                        let there = domain_offset([first, 0], there); // (64, 64)
                        let mut to = sc.slice_unchecked_mut((.., .., (J % 2, warpgroup)));
                        // (64, 64)
                        epilogue.store_part(|_| epilogue.convert_part(&sums, J, |_, sum| sum),
                            &mut to, &map, &there);
                    });
                } else {
                    // The C of the group, padded to whole tiles; only elements that exist are
                    // written.
                    let all = layout!((high, wide):(n as usize, 1));
                    let mut c = Tensor::from_global(c.add(all.index((first, 0))), all);
                    // (rows of the group, n)
                    for_static!(J in 0..4, {
                        let there = places.local_tile(Part::default(), (row, 4 * column + J))
                            .unwrap_unchecked();
                        // (64, 64)
                        let there = epilogue.thread_mma().slice_c().coordinates(&there)
                            .unwrap_unchecked();
                        // (V, M, N)
                        let there = there.within((rows, n as usize));
                        let mut c = c.local_tile_mut(Part::default(), (row, 4 * column + J))
                            .unwrap_unchecked();
                        // (64, 64)
                        let mut c = epilogue.thread_mma().partition_c_unchecked_mut(&mut c);
                        // (V, M, N)
                        let part = epilogue.convert_part(&sums, J, |_, sum| sum); // (V, M, N)
                        let _ = copy_if(&UniversalCopy::<T, Int<2>>::new(), &part, &mut c,
                            |i| there.holds(i));
                    });
                }
            }
            epilogue.store_tail();
        }
        // No block ends while others may still write to its memory or arrive at its barriers.
        hopper::cluster_sync(cluster);
        Ok(())
    }
}
