//! `Y = X W^T` of halves X and weights W of 4 bits, with a scale for each 64 weights of a row, on
//! Hopper's tensor cores.
//!
//! ```text
//! product      Y^T = W X^T: weights are the operand in registers, 64 rows of them for a warpgroup; rows of X, 64 to 256,
//!              are the operand in shared memory
//! piece        64 x 64 of W as the threads of a warpgroup have it: each 4 words of 8 weights side by side; behind them
//!              the scales of its rows
//! block        3 warpgroups of 128 threads: one fetches, two multiply, one above the other: 128 rows of W
//! stage        128 columns of X, and 2 x 2 pieces, which lie side by side in memory
//! cluster      1 or 2 blocks with a part of K each; the first one adds up what they have
//! ```
//!
//! A weight is read from memory once for each tile of X, and converted to a half in the register of
//! the operand. Up to 16 rows have a separate kernel, [`w4_few`](crate::w4_few); [`Strategy`]
//! chooses the kernel.

use half::{bf16, f16};
use layout_algebra::atom::{UniversalCopy, copy, make_tiled_mma};
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::Shared as InShared;
use layout_algebra::tensor::{Addressable, Fragment, StaticCosize, TileMut};
use layout_algebra::{FlatLayout, StaticLayout, for_static};
use layout_nvidia::cluster_size;
use layout_nvidia::device::{self, GroupedTileOrder, SharedTile, SharedTiles, Trap, kernel};
use layout_nvidia::hopper::{
    self, Cluster, InFlight, Map, MapMut, Mbarrier, Nibbles, Ring, TensorMap, WgmmaRegisters,
    elect_one, load_bulk,
};

/// The swizzle of rows of 128 bytes: the row permutes its units of 16 bytes.
pub type Rows128 = Swizzle<3, 3, 3>;

/// The thread-value layout of the weights of a piece, (thread, (value, step)) to (row, k):
/// `wgmma`'s operand in registers, four steps along K. (PTX gives the layout of an A in registers;
/// no operation of the algebra gives it. The mode of 4 steps follows it.)
pub type Values = Layout!(((4, 8, 4), ((2, 2, 2), 4)):((128, 1, 16), ((64, 8, 512), 1024)));
/// The place of this weight, in nibbles: each step has a word of 8 nibbles, and the two nibbles of
/// one register are 16 bits apart.
pub type Order =
    OrderedLayout<Shape!(((4, 8, 4), ((2, 2, 2), 4))), Shape!(((4, 5, 6), ((2, 0, 1), 3)))>;
/// The place of weight (row, k) of a piece, in nibbles.
pub type Piece = Composition<Order, RightInverseOf<Values>>;
/// The scales of the rows, in halves: the two rows of a thread are contiguous.
pub type PieceScales = Layout!((8, 2, 4):(2, 1, 16));
/// The number of words of a piece: the weights, and the scales behind them.
pub const PIECE: usize = 512 + 32;
/// The offset of a thread's scales, in words after the weights.
type Scales = Layout!(((4, 8, 4)):((0, 1, 8)));
/// A thread's weights of a piece, as operand.
pub type Weights = Layout!(((2, 2, 2), 1, 4));
/// The full and the empty barriers of the ring.
pub type Sides = Layout!(64);

/// How a product is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// By [`w4_few`](fn@crate::w4_few::w4_few).
    SmallM {
        /// A block has up to `8 n8_tiles` rows of X.
        n8_tiles: usize,
        /// A block has `16 m16_tiles` rows of W.
        m16_tiles: usize,
    },
    /// By [`w4_sm90`](fn@w4_sm90).
    Tiles {
        /// The rows of X in a tile.
        rows: usize,
        /// The number of blocks that divide K among them.
        parts: usize,
    },
}
impl Strategy {
    /// The strategies for which there are kernels.
    pub const ALL: [Strategy; 9] = [
        Strategy::SmallM { n8_tiles: 1, m16_tiles: 2 },
        Strategy::SmallM { n8_tiles: 1, m16_tiles: 4 },
        Strategy::SmallM { n8_tiles: 2, m16_tiles: 2 },
        Strategy::SmallM { n8_tiles: 2, m16_tiles: 4 },
        Strategy::Tiles { rows: 64, parts: 1 },
        Strategy::Tiles { rows: 64, parts: 2 },
        Strategy::Tiles { rows: 128, parts: 1 },
        Strategy::Tiles { rows: 128, parts: 2 },
        Strategy::Tiles { rows: 256, parts: 1 },
    ];
    /// The fastest strategy for `m` rows of X and weights of `n` rows and `k` columns on a device
    /// with this many multiprocessors, by times measured on an H100.
    ///
    /// # Errors
    /// A sentence, if there is none.
    ///
    /// ```
    /// use layout_nvidia_kernels::w4_sm90::Strategy;
    /// assert_eq!(Strategy::fastest_for(1, 14336, 4096, 132), Ok(Strategy::SmallM { n8_tiles: 1, m16_tiles: 4 }));
    /// // Half as many rows of W in a block keep twice as many multiprocessors busy.
    /// assert_eq!(Strategy::fastest_for(16, 4096, 4096, 132), Ok(Strategy::SmallM { n8_tiles: 2, m16_tiles: 2 }));
    /// assert_eq!(Strategy::fastest_for(64, 4096, 4096, 132), Ok(Strategy::Tiles { rows: 64, parts: 2 }));
    /// assert_eq!(Strategy::fastest_for(1, 100, 4096, 132), Err("no product: the rows of W are no multiple of 128"));
    /// ```
    pub const fn fastest_for(
        m: usize,
        n: usize,
        k: usize,
        processors: usize,
    ) -> Result<Strategy, &'static str> {
        if m == 0 {
            return Err("no product: X has no row");
        }
        if n == 0 || !n.is_multiple_of(128) {
            return Err("no product: the rows of W are no multiple of 128");
        }
        if k == 0 || !k.is_multiple_of(128) {
            return Err("no product: the columns of W are no multiple of 128");
        }
        let (mut best, mut least, mut i) = (Strategy::ALL[0], usize::MAX, 0);
        while i < Strategy::ALL.len() {
            let takes = Strategy::ALL[i].estimated_time(m, n, k, processors);
            if takes < least {
                (best, least) = (Strategy::ALL[i], takes);
            }
            i += 1;
        }
        Ok(best)
    }
    /// Its time in units of 10 ns. Blocks go through the tiles in rounds. The times of a stage of
    /// 128 columns, of a round, and of the whole launch were measured on an H100. A few rows are
    /// always faster with `SmallM`.
    const fn estimated_time(self, m: usize, n: usize, k: usize, processors: usize) -> usize {
        let (rows, parts, stage, round, once) = match self {
            Strategy::SmallM { n8_tiles, .. } if m > 8 * n8_tiles => return usize::MAX,
            Strategy::SmallM { n8_tiles, m16_tiles } => {
                return if (m16_tiles == 4) == (n >= 64 * processors) {
                    n8_tiles
                } else {
                    2 + n8_tiles
                };
            }
            Strategy::Tiles { parts, .. } if k / 128 < parts => return usize::MAX,
            Strategy::Tiles { rows: 64, parts: 1 } => (64, 1, 47, 300, 0),
            Strategy::Tiles { rows: 64, .. } => (64, 2, 47, 565, 0),
            Strategy::Tiles { rows: 128, parts: 1 } => (128, 1, 68, 240, 0),
            Strategy::Tiles { rows: 128, .. } => (128, 2, 63, 690, 0),
            Strategy::Tiles { .. } => (256, 1, 133, 200, 800),
        };
        let blocks = m.div_ceil(rows) * (n / 128) * parts;
        blocks.div_ceil(processors) * (k / 128 * stage / parts + round) + once
    }
}

/// Tiles in shared memory.
pub type Tiles<T, L> = Tensor<TileMut<'static, T, InShared>, L>;
/// The shared memory of a block: stages of W and X, Y before it is stored, barriers.
pub type Shared<T, R, const STAGES: u32> = (
    SharedTile<u32, <R as Rows<T, STAGES>>::StagesW>,
    SharedTile<T, <R as Rows<T, STAGES>>::StagesX>,
    SharedTile<T, <R as Rows<T, STAGES>>::PartsY>,
    SharedTile<Mbarrier, Sides>,
);

/// The number of rows of X in a tile.
#[allow(clippy::type_complexity, reason = "the stages of both operands")]
pub trait Rows<T: Nibbles, const STAGES: u32>: 'static {
    /// The threads of a block.
    type Threads: StaticLayout + Default;
    /// (word, warpgroups, pieces along K, stages).
    type StagesW: hopper::HasDescriptor + Addressable + Default;
    /// (row, k, pieces along K of all stages).
    type StagesX: hopper::HasDescriptor + Addressable + Default;
    /// (column, row, (two, warpgroups)).
    type PartsY: hopper::HasDescriptor + Addressable + Default;
    /// The box of X that one copy fetches, (row, k).
    type BoxX: hopper::HasDescriptor;
    /// The box of Y that one copy stores, (column, row).
    type BoxY: hopper::HasDescriptor;
    /// A thread's accumulators.
    type Accumulators: Addressable + StaticCosize + StaticLayout;
    /// The number of rows of X that one copy stores.
    const PART: usize;

    /// Starts the copies of a stage, and announces their bytes: the pieces at `w`, and X from these
    /// coordinates on.
    ///
    /// # Safety
    /// The pieces and the rows of X exist.
    unsafe fn fetch_stage(
        w: *const u32,
        x: &TensorMap<T, Self::BoxX>,
        at: (usize, usize),
        to: (&mut Tiles<u32, Self::StagesW>, &mut Tiles<T, Self::StagesX>),
        stage: hopper::Reserved<'_, hopper::Full<STAGES>>,
    );
    /// Adds the product of a piece and a stage of X to the accumulators, and waits for the previous
    /// product.
    ///
    /// # Safety
    /// All threads of the warpgroup call this; the stage is full.
    unsafe fn multiply_piece(
        sums: &mut InFlight<Fragment<f32, Self::Accumulators>>,
        weights: &Fragment<T, Weights>,
        x: &Tiles<T, Self::StagesX>,
        piece: usize,
        thread: usize,
    );
    /// Reads a thread's 4 words of its warpgroup's piece, and the scales of its two rows.
    ///
    /// # Safety
    /// The stage exists.
    unsafe fn read_words(
        w: &Tiles<u32, Self::StagesW>,
        piece: usize,
        warpgroup: usize,
        thread: usize,
    ) -> ([u32; 4], u32);
    /// Writes a thread's accumulators of part `j` of the rows to tile `i` of its warpgroup, and
    /// starts the store.
    ///
    /// # Safety
    /// All threads of the warpgroup call this.
    unsafe fn store_part(
        sums: &Fragment<f32, Self::Accumulators>,
        j: usize,
        to: &mut Tiles<T, Self::PartsY>,
        at: (usize, usize),
        y: &TensorMap<T, Self::BoxY>,
        warpgroup: usize,
        thread: usize,
    );
}
/// Tiles of `ROWS` rows of X.
pub struct TileRows<const ROWS: usize>;

/// Each row: the rows of X in a tile, the rows in a part of Y, and its accumulators; stages; their
/// layouts; the instructions.
macro_rules! rows {
    ($($rows:literal: $part:literal [$n8:literal $p8:literal], $stages:literal $threads:literal,
        $mma:ident $part_mma:ident;)*) => {$(
        impl<T: Nibbles> Rows<T, $stages> for TileRows<$rows> {
            type Threads = Layout!($threads);
            type StagesW = Layout!(((4, 136), 2, (2, $stages)));
            type StagesX = ComposedLayout<Rows128, Int<0>,
                OrderedLayout<Shape!(($rows, 64, {2 * $stages})), Shape!((1, 0, 2))>>;
            type PartsY = ComposedLayout<Rows128, Int<0>, Layout!((64, $part, (2, 2)))>;
            type BoxX = ComposedLayout<Rows128, Int<0>, Layout!(($rows, 64): right)>;
            type BoxY = ComposedLayout<Rows128, Int<0>, Layout!((64, $part))>;
            type Accumulators = Layout!(((2, 2, $n8), 1, 1));
            const PART: usize = $part;
            #[inline(always)]
            unsafe fn fetch_stage(
                w: *const u32,
                x: &TensorMap<T, Self::BoxX>,
                at: (usize, usize),
                to: (&mut Tiles<u32, Self::StagesW>, &mut Tiles<T, Self::StagesX>),
                stage: hopper::Reserved<'_, hopper::Full<$stages>>,
            ) {
                let i = stage.stage_index() as usize;
                let of_x = Tensor::coordinates(identity(shape!((2147483648, 2147483648))));
                // (rows of X, k)
                // SAFETY: the tile is one of the stage's; the rest is the caller's promise.
                unsafe {
                    let mut pieces = to.0.slice_unchecked_mut((.., .., (.., i))); // (words, warpgroups, pieces)
                    let bytes = load_bulk(w, &mut pieces, &stage);
                    for_static!(P in 0..2, {
                        let from = of_x.local_tile(tiler!($rows, 64), (at.0, 2 * at.1 + P))
                            .unwrap_unchecked();
                        // (rows of X, K)
                        x.load_tile(&from, &mut to.1.slice_unchecked_mut((.., .., 2 * i + P)),
                            &stage);
                    });
                    stage.arrive_and_expect_tx(bytes + 2 * TensorMap::<T, Self::BoxX>::BYTES);
                }
            }
            #[inline(always)]
            unsafe fn multiply_piece(
                sums: &mut InFlight<Fragment<f32, Self::Accumulators>>,
                weights: &Fragment<T, Weights>,
                x: &Tiles<T, Self::StagesX>,
                piece: usize,
                thread: usize,
            ) {
                let mma = make_tiled_mma(T::$mma::default(), layout!((2, 1, 1)), tiler!(_, _, _));
                // SAFETY: the caller's promises.
                unsafe {
                    let x = mma.get_slice(thread).unwrap_unchecked().partition_b_unchecked(x);
                    // (V, N, K, pieces of all stages)
                    sums.gemm_registers(&mma, weights, &x.slice_unchecked((.., .., .., piece)),
                        true);
                    sums.warpgroup_wait::<1, <T::$mma as WgmmaRegisters>::Shared>();
                }
            }
            #[inline(always)]
            unsafe fn read_words(w: &Tiles<u32, Self::StagesW>, piece: usize, warpgroup: usize,
                thread: usize) -> ([u32; 4], u32) {
                let (mut words, mut scales) =
                    (Fragment::<u32, Layout!(4)>::zeroed(), Fragment::<u32, Layout!(1)>::zeroed());
                // (4 words), (1 word)
                // SAFETY: the caller's promise.
                unsafe {
                    let mine = w.slice_unchecked(((.., thread), warpgroup, piece)); // (4 words)
                    let _ = copy(&UniversalCopy::<u32, Int<4>>::new(), &mine, &mut words);
                    let scale = Scales::default().index(thread);
                    let mine = w.slice_unchecked(((scale % 4, 128 + scale / 4), warpgroup, piece));
                    // (1 word)
                    let _ = copy(&UniversalCopy::<u32>::new(), &mine, &mut scales);
                }
                ([words[0], words[1], words[2], words[3]], scales[0])
            }
            #[inline(always)]
            unsafe fn store_part(
                sums: &Fragment<f32, Self::Accumulators>,
                j: usize,
                to: &mut Tiles<T, Self::PartsY>,
                at: (usize, usize),
                y: &TensorMap<T, Self::BoxY>,
                warpgroup: usize,
                thread: usize,
            ) {
                let mma = make_tiled_mma(T::$part_mma::default(), layout!((1, 1, 1)),
                    tiler!(_, _, _));
                let of_y = Tensor::coordinates(identity(shape!((2147483648, 2147483648))));
                // (n, rows of X)
                // SAFETY: the tile is the product's; the rest is the caller's promise.
                unsafe {
                    let mut to = to.slice_unchecked_mut((.., .., (j % 2, warpgroup)));
                    // (64 columns, rows)
                    if elect_one(thread) {
                        hopper::tma_store_wait::<1>();
                    }
                    hopper::named_barrier_sync::<128>(1 + warpgroup as u32);
                    let mut part = Fragment::<T, Layout!(((2, 2, $p8), 1, 1))>::zeroed();
                    // (V, M, N)
                    for_static!(I in 0..16, {
                        if const { I < 2 * $p8 } {
                            let first = 4 * $p8 * j + 2 * I;
                            let both = T::convert_pair(sums[first], sums[first + 1]);
                            part[2 * I] = both[0];
                            part[2 * I + 1] = both[1];
                        }
                    });
                    let mut mine = mma.get_slice(thread).unwrap_unchecked()
                        .partition_c_unchecked_mut(&mut to);
                    // (V, M, N)
                    let _ = copy(&UniversalCopy::<T>::new(), &part, &mut mine);
                    hopper::fence_async();
                    hopper::named_barrier_sync::<128>(1 + warpgroup as u32);
                    if elect_one(thread) {
                        y.store_tile(&of_y.local_tile(tiler!(64, $part), at).unwrap_unchecked(),
                            &to);
                    }
                }
            }
        }
    )*};
}
rows! {
    64: 64 [8 8], 7 288, Registers64 Registers64;
    128: 64 [16 8], 4 384, Registers128 Registers64;
    256: 64 [32 8], 2 384, Registers256 Registers64;
}

/// Computes `rows` x `columns` tiles of Y^T, 128 x `ROWS` each, with `depth` times 128 of K, on
/// `clusters` clusters of `PARTS` blocks, which divide K among them.
///
/// # Safety
/// `w` is the address of the pieces of `128 rows` rows and of `128 depth` columns; the maps belong
/// to X, (row, k), and to Y^T. If there is more than one part, there are as many clusters as tiles.
#[kernel(
    threads = <TileRows<ROWS> as Rows<T, STAGES>>::Threads,
    shared = Shared<T, TileRows<ROWS>, STAGES>,
    instances(
        <bf16, 64, 7, 1>, <bf16, 64, 7, 2>, <bf16, 128, 4, 1>, <bf16, 128, 4, 2>, <bf16, 256, 2, 1>,
        <f16, 64, 7, 1>, <f16, 64, 7, 2>, <f16, 128, 4, 1>, <f16, 128, 4, 2>, <f16, 256, 2, 1>
    )
)]
pub unsafe fn w4_sm90<T: Nibbles, const ROWS: usize, const STAGES: u32, const PARTS: u32>(
    rows: u32,
    columns: u32,
    depth: u32,
    clusters: u32,
    w: *const u32,
    x: Map<T, <TileRows<ROWS> as Rows<T, STAGES>>::BoxX>,
    y: MapMut<T, <TileRows<ROWS> as Rows<T, STAGES>>::BoxY>,
) -> Result<(), Trap>
where
    TileRows<ROWS>: Rows<T, STAGES>,
{
    cluster_size!(PARTS);
    // SAFETY: the caller's promises; a stage is written between `producer_acquire` and
    // `arrive_and_expect_tx`, and read between `consumer_wait` and `consumer_release`; each
    // warpgroup has its own parts of Y, between its barriers.
    unsafe {
        let (mut sw, mut sx, mut sy, barriers) =
            Shared::<T, TileRows<ROWS>, STAGES>::make_tensors();
        // (words, warpgroups, pieces), (rows, K, pieces), (columns, rows, parts), (barriers)
        let (alone, cluster, thread) = (
            Cluster::<1>::of_this_block(),
            Cluster::<PARTS>::of_this_block(),
            device::thread_index(),
        );
        let ring = Ring::<STAGES, 1>::from_barriers(&barriers, 0, alone);
        if elect_one(thread) {
            // Each thread releases a stage whose weights it has read.
            ring.initialize(256);
        }
        if elect_one(thread ^ 32) {
            x.prefetch_descriptor();
        }
        if elect_one(thread ^ 64) {
            y.prefetch_descriptor();
        }
        hopper::cluster_sync(alone);
        // The previous launch may write X or read Y until here.
        device::grid_dependency_wait();

        let (warpgroup, rank) =
            (device::first_of_warp(thread as u64 / 128) as usize, cluster.block_rank());
        let Some(tiles) = GroupedTileOrder::<8>::new(rows, columns) else { device::trap() };
        let mut tile = device::block_index().0 as u32 / PARTS;
        let (first, last) = (depth * rank / PARTS, depth * (rank + 1) / PARTS);
        if warpgroup == 2 {
            if ROWS > 64 {
                hopper::setmaxnreg_dec::<40>();
            }
            if thread == 256 {
                let mut ring = ring.producer();
                while let Some((row, column)) = tiles.tile_coordinate(tile) {
                    for step in first..last {
                        let from = w.add((row * depth as usize + step as usize) * 4 * PIECE);
                        TileRows::<ROWS>::fetch_stage(
                            from,
                            &x,
                            (column, step as usize),
                            (&mut sw, &mut sx),
                            ring.producer_acquire(),
                        );
                    }
                    tile += clusters;
                }
                // All copies have started: the next launch may begin.
                device::launch_dependents();
                ring.producer_tail();
            }
            if PARTS > 1 {
                device::sync_threads();
                hopper::cluster_sync(cluster);
            }
        } else {
            if ROWS > 64 {
                hopper::setmaxnreg_inc::<232>();
            }
            let mine = thread % 128;
            let mut ring = ring.consumer(0);
            while let Some((row, column)) = tiles.tile_coordinate(tile) {
                let mut going = InFlight::from_accumulators(Fragment::<
                    f32,
                    <TileRows<ROWS> as Rows<T, STAGES>>::Accumulators,
                >::zeroed()); // (V, M, N)
                // The weights of a piece are converted to halves while the product of the previous
                // piece runs.
                let add = |sums: &mut _, piece: usize| {
                    let (words, scales) = TileRows::<ROWS>::read_words(&sw, piece, warpgroup, mine);
                    let scales = [scales as u16, (scales >> 16) as u16].map(T::half_from_bits);
                    // Every other register has weights of the second row.
                    let weights = unpack_weights::<T>(&words, |i, word| {
                        T::scale_nibbles(word, [scales[i % 2]; 2])
                    }); // (V, M, K)
                    TileRows::<ROWS>::multiply_piece(sums, &weights, &sx, piece, thread);
                };
                let mut before = ring.consumer_wait();
                add(&mut going, 2 * before.stage_index() as usize);
                add(&mut going, 2 * before.stage_index() as usize + 1);
                for _ in first + 1..last {
                    let stage = ring.consumer_wait();
                    add(&mut going, 2 * stage.stage_index() as usize);
                    before.consumer_release();
                    add(&mut going, 2 * stage.stage_index() as usize + 1);
                    before = stage;
                }
                let mut sums = going.wait_group::<0>(); // (V, M, N)
                before.consumer_release();
                if PARTS > 1 {
                    // The stages of X are no longer read. They are replaced by the accumulators:
                    // the four of a thread are followed by the four of the next thread.
                    device::sync_threads();
                    let at = sx.address(0).unwrap_unchecked().cast_mut().cast::<f32>();
                    let place = |i: usize| {
                        at.add(layout!((4, 256, 64)).index((0, device::black_box(thread), i)))
                    };
                    if rank > 0 {
                        for_static!(I in 0..32, {
                            if I < ROWS / 8 {
                                store_four(&sums, I, place(I));
                            }
                        });
                    }
                    hopper::cluster_sync(cluster);
                    if rank == 0 {
                        for_static!(I in 0..32, {
                            if I < ROWS / 8 {
                                for part in 1..PARTS {
                                    let four = cluster.load_shared_cluster(place(I), part);
                                    add_four(&mut sums, I, |v| four[v]);
                                }
                            }
                        });
                    }
                }
                if rank == 0 {
                    for_static!(J in 0..4, {
                        if J < ROWS / TileRows::<ROWS>::PART {
                            let at = (2 * row + warpgroup,
                                ROWS / TileRows::<ROWS>::PART * column + J);
                            TileRows::<ROWS>::store_part(&sums, J, &mut sy, at, &y, warpgroup,
                                device::black_box(mine));
                        }
                    });
                }
                tile += clusters;
            }
            if elect_one(mine) {
                hopper::tma_store_wait::<0>();
            }
        }
        // No block ends while others may still read its memory.
        hopper::cluster_sync(cluster);
        Ok(())
    }
}

/// Unpacks a thread's weights of a piece from its 4 words, by the layout of the nibbles. `each`
/// gets a word, shifted to the nibbles of register `i`, and makes the two halves.
#[inline(always)]
pub(crate) fn unpack_weights<T: Nibbles>(
    words: &[u32; 4],
    each: impl Fn(usize, u32) -> [T; 2],
) -> Fragment<T, Weights> {
    let mut weights = Fragment::<T, Weights>::zeroed(); // (V, M, K)
    for_static!(STEP in 0..4, {
        for_static!(I in 0..4, {
            let at = const { FlatLayout::of_type::<Order>().of_thread(0, 2 * I) };
            let both = each(I, words[STEP] >> (4 * at));
            weights[8 * STEP + 2 * I] = both[0];
            weights[8 * STEP + 2 * I + 1] = both[1];
        });
    });
    weights
}

/// Writes four of a thread's accumulators to `at` in shared memory.
///
/// # Safety
/// 16 divides `at`, and no other thread writes there.
#[inline(always)]
unsafe fn store_four<L: Addressable + StaticCosize + StaticLayout>(
    sums: &Fragment<f32, L>,
    i: usize,
    at: *mut f32,
) {
    let four = Fragment::<f32, Layout!(4)>::from_fn(|v: usize| {
        sums.value(4 * i + v).copied().unwrap_or(0.0)
    }); // (V)
    // SAFETY: the caller's promise.
    let _ = copy(&UniversalCopy::<f32, Int<4>>::new(), &four, &mut unsafe {
        Tensor::from_shared(at, layout!(4))
    });
}
/// Adds four numbers to four of a thread's accumulators.
#[inline(always)]
fn add_four<L: Addressable + StaticCosize + StaticLayout>(
    sums: &mut Fragment<f32, L>,
    i: usize,
    four: impl Fn(usize) -> f32,
) {
    for_static!(V in 0..4, {
        if let Some(sum) = sums.value_mut(4 * i + V) {
            *sum += four(V);
        }
    });
}
