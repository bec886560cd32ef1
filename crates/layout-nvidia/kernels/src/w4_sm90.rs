//! `Y = X W^T` of halves X and weights W of 4 bits, a scale for each 64 of a row, on Hopper's tensor cores.
//!
//! ```text
//! product      Y^T = W X^T: weights are the operand in registers, 64 rows of them for a warpgroup; rows of X, 8 to 256,
//!              are the operand in shared memory
//! piece        64 x 64 of W as the threads of a warpgroup have it: each 4 words of 8 weights side by side; behind them
//!              the scales of its rows
//! block        3 warpgroups of 128 threads: one fetches, two multiply, one above the other: 128 rows of W
//! stage        128 columns of X, and 2 x 2 pieces, which lie side by side in memory
//! cluster      1 to 8 blocks with a part of K each; the first one adds up what they have
//! ```
//!
//! A weight comes from memory once for each tile of X, as it lies there, and is made a half in the register that the
//! product reads.

use half::{bf16, f16};
use layout_algebra::atom::{UniversalCopy, copy, make_tiled_mma};
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::Shared as InShared;
use layout_algebra::tensor::{Addressable, Fragment, StaticCosize, TileMut};
use layout_algebra::{FlatLayout, StaticLayout, for_static};
use layout_nvidia::cluster_size;
use layout_nvidia::device::{self, Ended, SharedTile, SharedTiles, kernel};
use layout_nvidia::hopper::{
    self, Cluster, Going, Mbarrier, Nibbles, Ring, TensorMap, TilesInGroups, WgmmaRegisters, is_first, load_run,
};

/// Rows of 128 bytes, whose units of 16 change places by the number of the row.
pub type Rows128 = Swizzle<3, 3, 3>;

/// Who multiplies which weights of a piece, (thread, (value, step)) to (row, k): `wgmma`'s operand in registers at four
/// steps along K.
pub type Values = Layout!(((4, 8, 4), ((2, 2, 2), 4)):((128, 1, 16), ((64, 8, 512), 1024)));
/// Where that weight lies, in nibbles: a word for each step, of whose 8 nibbles two that a register has as halves are 16
/// bits apart.
pub type Order = Layout!(((4, 8, 4), ((2, 2, 2), 4)):((32, 128, 1024), ((4, 1, 2), 8)));
/// So the nibble of weight (row, k) of a piece.
pub type Piece = Composition<Order, RightInverseOf<Values>>;
/// The scale of a row, in halves: the two of a thread's rows side by side.
pub type PieceScales = Layout!((8, 2, 4):(2, 1, 16));
/// The words of a piece: weights, and scales behind them.
pub const PIECE: usize = 512 + 32;
/// A thread's scales, in words behind the weights.
type Scales = Layout!(((4, 8, 4)):((0, 1, 8)));
/// The weights of a thread in a piece, as operand.
type Weights = Layout!(((2, 2, 2), 1, 4));
/// Barriers, the full and the empty ones.
pub type Sides = Layout!(64);

/// Tiles in shared memory.
pub type Tiles<T, L> = Tensor<TileMut<'static, T, InShared>, L>;
/// What a block has in shared memory: stages of W and X, Y on its way out, barriers.
pub type Shared<T, R, const STAGES: u32> = (
    SharedTile<u32, <R as Rows<T, STAGES>>::StagesW>,
    SharedTile<T, <R as Rows<T, STAGES>>::StagesX>,
    SharedTile<T, <R as Rows<T, STAGES>>::PartsY>,
    SharedTile<Mbarrier, Sides>,
);

/// A number of rows of X in a tile.
#[allow(clippy::type_complexity, reason = "the stages of both operands")]
pub trait Rows<T: Nibbles, const STAGES: u32>: 'static {
    /// The threads of a block.
    type Threads: StaticLayout + Default;
    /// (word, warpgroups, pieces along K, stages).
    type StagesW: hopper::Described + Addressable + Default;
    /// (row, k, pieces along K of all stages).
    type StagesX: hopper::Described + Addressable + Default;
    /// (column, row, (two, warpgroups)).
    type PartsY: hopper::Described + Addressable + Default;
    /// What is fetched of X at once, (row, k).
    type BoxX: hopper::Described;
    /// What is stored of Y at once, (column, row).
    type BoxY: hopper::Described;
    /// A thread's sums.
    type Sums: Addressable + StaticCosize + StaticLayout;
    /// How many rows of X leave at once.
    const PART: usize;

    /// Starts the copies of a stage: the pieces at `w`, and X from these coordinates on; fills it.
    ///
    /// # Safety
    /// They are there.
    unsafe fn fetch(
        w: *const u32,
        x: &TensorMap<T, Self::BoxX>,
        at: (usize, usize),
        to: (&mut Tiles<u32, Self::StagesW>, &mut Tiles<T, Self::StagesX>),
        stage: hopper::Reserved<'_, hopper::Full<STAGES>>,
    );
    /// Adds the product of a piece and a stage of X to the sums, and waits for the product before.
    ///
    /// # Safety
    /// All threads of the warpgroup come here; the stage is full.
    unsafe fn add(
        sums: &mut Going<Fragment<f32, Self::Sums>>,
        weights: &Fragment<T, Weights>,
        x: &Tiles<T, Self::StagesX>,
        piece: usize,
        thread: usize,
    );
    /// Adds the products of both pieces of a stage along K, with their scales, when they are over.
    ///
    /// # Safety
    /// All threads of the warpgroup come here; the stage is full.
    unsafe fn add_scaled(
        sums: &mut Fragment<f32, Self::Sums>,
        w: &Tiles<u32, Self::StagesW>,
        x: &Tiles<T, Self::StagesX>,
        stage: usize,
        warpgroup: usize,
        thread: usize,
    );
    /// A thread's 4 words of its warpgroup's piece, and the scales of its two rows.
    ///
    /// # Safety
    /// There is such a stage.
    unsafe fn words(w: &Tiles<u32, Self::StagesW>, piece: usize, warpgroup: usize, thread: usize) -> [u32; 5];
    /// Writes a thread's sums of part `j` of the rows to tile `i` of a warpgroup's, and has it stored.
    ///
    /// # Safety
    /// All threads of the warpgroup come here.
    unsafe fn send(
        sums: &Fragment<f32, Self::Sums>,
        j: usize,
        to: &mut Tiles<T, Self::PartsY>,
        at: (usize, usize),
        y: &TensorMap<T, Self::BoxY>,
        warpgroup: usize,
        thread: usize,
    );
}
/// So many rows.
pub struct Of<const ROWS: usize>;

/// Rows: of X in a tile, of them in a part of Y, and its sums; stages; their layouts; the instructions.
macro_rules! rows {
    ($($rows:literal: $part:literal [$n8:literal $p8:literal], $stages:literal $threads:literal, $x:literal, $y:literal, $mma:ident $part_mma:ident;)*) => {$(
        impl<T: Nibbles> Rows<T, $stages> for Of<$rows> {
            type Threads = Layout!($threads);
            type StagesW = Layout!(((4, 136), 2, (2, $stages)):((1, 4), 544, (1088, 2176)));
            type StagesX = ComposedLayout<Rows128, Int<0>, Layout!(($rows, 64, {2 * $stages}):(64, 1, $x))>;
            type PartsY = ComposedLayout<Rows128, Int<0>, Layout!((64, $part, (2, 2)):(1, 64, ($y, {2 * $y})))>;
            type BoxX = ComposedLayout<Rows128, Int<0>, Layout!(($rows, 64):(64, 1))>;
            type BoxY = ComposedLayout<Rows128, Int<0>, Layout!((64, $part):(1, 64))>;
            type Sums = Layout!(((2, 2, $n8), 1, 1));
            const PART: usize = $part;
            #[inline(always)]
            unsafe fn fetch(
                w: *const u32,
                x: &TensorMap<T, Self::BoxX>,
                at: (usize, usize),
                to: (&mut Tiles<u32, Self::StagesW>, &mut Tiles<T, Self::StagesX>),
                stage: hopper::Reserved<'_, hopper::Full<$stages>>,
            ) {
                let i = stage.number() as usize;
                let of_x = Tensor::coordinates(identity(shape!((2147483648, 2147483648))));
                // SAFETY: the tile is one of the stage's; the rest is the caller's promise.
                unsafe {
                    let words = load_run(w, &mut to.0.slice_unchecked_mut((.., .., (.., i))), &stage);
                    for_static!(P in 0..2, {
                        let from = of_x.local_tile(tiler!($rows, 64), (at.0, 2 * at.1 + P)).unwrap_unchecked();
                        x.load(&from, &mut to.1.slice_unchecked_mut((.., .., 2 * i + P)), &stage);
                    });
                    stage.fill(words + 2 * TensorMap::<T, Self::BoxX>::BYTES);
                }
            }
            #[inline(always)]
            unsafe fn add(
                sums: &mut Going<Fragment<f32, Self::Sums>>,
                weights: &Fragment<T, Weights>,
                x: &Tiles<T, Self::StagesX>,
                piece: usize,
                thread: usize,
            ) {
                let mma = make_tiled_mma(T::$mma::default(), layout!((2, 1, 1)), tiler!(_, _, _));
                // SAFETY: the caller's promises.
                unsafe {
                    let x = mma.get_slice(thread).unwrap_unchecked().partition_b_unchecked(x);
                    sums.gemm_registers(&mma, weights, &x.slice_unchecked((.., .., .., piece)), true);
                    sums.wait::<1, <T::$mma as WgmmaRegisters>::Shared>();
                }
            }
            #[inline(always)]
            unsafe fn add_scaled(
                sums: &mut Fragment<f32, Self::Sums>,
                w: &Tiles<u32, Self::StagesW>,
                x: &Tiles<T, Self::StagesX>,
                stage: usize,
                warpgroup: usize,
                thread: usize,
            ) {
                let mma = make_tiled_mma(T::$mma::default(), layout!((2, 1, 1)), tiler!(_, _, _));
                // SAFETY: the caller's promises.
                unsafe {
                    let x = mma.get_slice(thread).unwrap_unchecked().partition_b_unchecked(x);
                    let ones = by_words::<T>(&[0; 5], |_, _| [T::of_bits(T::ONE); 2]);
                    let go = |piece: usize| {
                        let words = <Self as Rows<T, $stages>>::words(w, piece, warpgroup, thread % 128);
                        let weights = by_words::<T>(&words, |_, word| T::raised(word));
                        let (mut product, mut sum) = (Going::start(Fragment::<f32, Self::Sums>::zeroed()), Going::start(Fragment::<f32, Self::Sums>::zeroed()));
                        let x = x.slice_unchecked((.., .., .., piece));
                        product.gemm_registers(&mma, &weights, &x, false);
                        sum.gemm_registers(&mma, &ones, &x, false);
                        (product, sum, words[4])
                    };
                    let mut add = |product: &Fragment<f32, Self::Sums>, sum: &Fragment<f32, Self::Sums>, scales: u32| {
                        let scales = [scales as u16, (scales >> 16) as u16].map(|bits| T::of_bits(bits).wide());
                        for_static!(V in 0..64, {
                            if const { V < 4 * $n8 } {
                                let scale = scales[V / 2 % 2];
                                let exact = device::multiply_add(-T::LESS, sum[V], product[V]);
                                sums[V] = device::multiply_add(scale, exact, sums[V]);
                            }
                        });
                    };
                    let (product, sum, scales) = go(2 * stage);
                    let (next, next_sum, next_scales) = go(2 * stage + 1);
                    add(&product.finish_but::<2>(), &sum.finish_but::<2>(), scales);
                    add(&next.finish_but::<0>(), &next_sum.finish_but::<0>(), next_scales);
                }
            }
            #[inline(always)]
            unsafe fn words(w: &Tiles<u32, Self::StagesW>, piece: usize, warpgroup: usize, thread: usize) -> [u32; 5] {
                let (mut words, mut scales) = (Fragment::<u32, Layout!(4)>::zeroed(), Fragment::<u32, Layout!(1)>::zeroed());
                // SAFETY: the caller's promise.
                unsafe {
                    let mine = w.slice_unchecked(((.., thread), warpgroup, piece));
                    let _ = copy(&UniversalCopy::<u32, Int<4>>::new(), &mine, &mut words);
                    let scale = Scales::default().index(thread);
                    let mine = w.slice_unchecked(((scale % 4, 128 + scale / 4), warpgroup, piece));
                    let _ = copy(&UniversalCopy::<u32>::new(), &mine, &mut scales);
                }
                [words[0], words[1], words[2], words[3], scales[0]]
            }
            #[inline(always)]
            unsafe fn send(
                sums: &Fragment<f32, Self::Sums>,
                j: usize,
                to: &mut Tiles<T, Self::PartsY>,
                at: (usize, usize),
                y: &TensorMap<T, Self::BoxY>,
                warpgroup: usize,
                thread: usize,
            ) {
                let mma = make_tiled_mma(T::$part_mma::default(), layout!((1, 1, 1)), tiler!(_, _, _));
                let of_y = Tensor::coordinates(identity(shape!((2147483648, 2147483648))));
                // SAFETY: the tile is the product's; the rest is the caller's promise.
                unsafe {
                    let mut to = to.slice_unchecked_mut((.., .., (j % 2, warpgroup)));
                    if is_first(thread) {
                        hopper::stored::<1>();
                    }
                    hopper::group_sync::<128>(1 + warpgroup as u32);
                    let mut part = Fragment::<T, Layout!(((2, 2, $p8), 1, 1))>::zeroed();
                    for_static!(I in 0..16, {
                        if const { I < 2 * $p8 } {
                            let first = 4 * $p8 * j + 2 * I;
                            let both = T::pair(sums[first], sums[first + 1]);
                            part[2 * I] = both[0];
                            part[2 * I + 1] = both[1];
                        }
                    });
                    let mut mine = mma.get_slice(thread).unwrap_unchecked().partition_c_unchecked_mut(&mut to);
                    let _ = copy(&UniversalCopy::<T>::new(), &part, &mut mine);
                    hopper::fence_async();
                    hopper::group_sync::<128>(1 + warpgroup as u32);
                    if is_first(thread) {
                        y.store(&of_y.local_tile(tiler!(64, $part), at).unwrap_unchecked(), &to);
                    }
                }
            }
        }
    )*};
}
rows! {
    8: 8 [1 1], 10 288, 512, 512, Registers8 Registers8;
    16: 16 [2 2], 8 288, 1024, 1024, Registers16 Registers16;
    32: 32 [4 4], 5 288, 2048, 2048, Registers32 Registers32;
    64: 64 [8 8], 3 288, 4096, 4096, Registers64 Registers64;
    128: 64 [16 8], 4 384, 8192, 4096, Registers128 Registers64;
    256: 64 [32 8], 2 384, 16384, 4096, Registers256 Registers64;
}

/// The product by `rows` x `columns` tiles of Y^T, 128 x `ROWS`, `depth` times 128 of K, by `clusters` clusters of `PARTS`
/// blocks, each of which has a part of K.
///
/// # Safety
/// `w` leads to the pieces of `128 rows` rows, of 128 `depth` columns; the maps are those of X, (row, k), and of Y^T. If
/// there is more than one part, there are as many clusters as tiles.
#[kernel(threads = <Of<ROWS> as Rows<T, STAGES>>::Threads, shared = Shared<T, Of<ROWS>, STAGES>, instances(<bf16, 8, 10, 1>, <bf16, 8, 10, 2>, <bf16, 16, 8, 1>, <bf16, 16, 8, 2>, <bf16, 32, 5, 2>, <bf16, 64, 3, 1>, <bf16, 64, 3, 2>, <bf16, 128, 4, 1>, <bf16, 128, 4, 2>, <bf16, 256, 2, 1>, <f16, 16, 8, 2>, <f16, 256, 2, 1>))]
pub unsafe fn w4_sm90<T: Nibbles, const ROWS: usize, const STAGES: u32, const PARTS: u32>(
    rows: u32,
    columns: u32,
    depth: u32,
    clusters: u32,
    w: *const u32,
    x: *const TensorMap<T, <Of<ROWS> as Rows<T, STAGES>>::BoxX>,
    y: *const TensorMap<T, <Of<ROWS> as Rows<T, STAGES>>::BoxY>,
) -> Result<(), Ended>
where
    Of<ROWS>: Rows<T, STAGES>,
{
    cluster_size!(PARTS);
    // SAFETY: the caller's promises; a stage is written between `reserve` and `fill`, and read between `wait` and
    // `release`; the parts of Y are each warpgroup's own, between its barriers.
    unsafe {
        let (x, y) = (&*x, &*y);
        let (mut sw, mut sx, mut sy, barriers) = Shared::<T, Of<ROWS>, STAGES>::tensors();
        let (alone, cluster, thread) = (Cluster::<1>::here(), Cluster::<PARTS>::here(), device::thread());
        let ring = Ring::<STAGES, 1>::at(&barriers, 0, alone);
        if is_first(thread) {
            ring.init(2);
        }
        if is_first(thread ^ 32) {
            x.prepare();
        }
        if is_first(thread ^ 64) {
            y.prepare();
        }
        hopper::cluster_sync(alone);

        let (warpgroup, rank) = (device::first_of_warp(thread as u64 / 128) as usize, cluster.rank());
        let Some(tiles) = TilesInGroups::<8>::new(rows, columns) else { device::stop() };
        let mut tile = device::block().0 as u32 / PARTS;
        let (first, last) = (depth * rank / PARTS, depth * (rank + 1) / PARTS);
        if warpgroup == 2 {
            if ROWS > 64 {
                hopper::less_registers::<40>();
            }
            if thread == 256 {
                let mut ring = ring.producer();
                while let Some((row, column)) = tiles.get(tile) {
                    for step in first..last {
                        let from = w.add((row * depth as usize + step as usize) * 4 * PIECE);
                        Of::<ROWS>::fetch(from, x, (column, step as usize), (&mut sw, &mut sx), ring.reserve());
                    }
                    tile += clusters;
                }
                ring.finish();
            }
            if PARTS > 1 {
                device::barrier();
                hopper::cluster_sync(cluster);
            }
        } else {
            if ROWS > 64 {
                hopper::more_registers::<232>();
            }
            let mine = thread % 128;
            let mut ring = ring.consumer(mine);
            while let Some((row, column)) = tiles.get(tile) {
                let mut sums = Fragment::<f32, <Of<ROWS> as Rows<T, STAGES>>::Sums>::zeroed();
                if ROWS <= 32 {
                    for _ in first..last {
                        let stage = ring.wait();
                        Of::<ROWS>::add_scaled(&mut sums, &sw, &sx, stage.number() as usize, warpgroup, thread);
                        stage.release();
                    }
                } else {
                    let mut going = Going::start(sums);
                    // A piece is made of halves while the one before is multiplied, which is over then.
                    let add = |sums: &mut _, piece: usize| {
                        let words = Of::<ROWS>::words(&sw, piece, warpgroup, mine);
                        let scales = [T::of_bits(words[4] as u16), T::of_bits((words[4] >> 16) as u16)];
                        // Every other register has weights of the second row.
                        let weights = by_words::<T>(&words, |i, word| T::scaled(word, [scales[i % 2]; 2]));
                        Of::<ROWS>::add(sums, &weights, &sx, piece, thread);
                    };
                    let mut before = ring.wait();
                    add(&mut going, 2 * before.number() as usize);
                    add(&mut going, 2 * before.number() as usize + 1);
                    for _ in first + 1..last {
                        let stage = ring.wait();
                        add(&mut going, 2 * stage.number() as usize);
                        before.release();
                        add(&mut going, 2 * stage.number() as usize + 1);
                        before = stage;
                    }
                    sums = going.finish_but::<0>();
                    before.release();
                }
                if PARTS > 1 {
                    // The stages of X are free: sums go there, four of a thread beside those of the next one.
                    device::barrier();
                    let at = sx.address(0).unwrap_unchecked().cast_mut().cast::<f32>();
                    let place = |i: usize| at.add(layout!((4, 256, 64):(1, 4, 1024)).index((0, thread, i)));
                    if rank > 0 {
                        for_static!(I in 0..32, {
                            if I < ROWS / 8 {
                                let four = Fragment::<f32, Layout!(4)>::from_fn(|v: usize| sums.value(4 * I + v).copied().unwrap_or(0.0));
                                let _ = copy(&UniversalCopy::<f32, Int<4>>::new(), &four, &mut Tensor::from_shared(place(I), layout!(4)));
                            }
                        });
                    }
                    hopper::cluster_sync(cluster);
                    if rank == 0 {
                        for_static!(I in 0..32, {
                            if I < ROWS / 8 {
                                for_static!(P in 1..8, {
                                    if P < PARTS as usize {
                                        let four = cluster.read(place(I), P as u32);
                                        for_static!(V in 0..4, {
                                            if let Some(sum) = sums.value_mut(4 * I + V) {
                                                *sum += four[V];
                                            }
                                        });
                                    }
                                });
                            }
                        });
                    }
                }
                if rank == 0 {
                    for_static!(J in 0..4, {
                        if J < ROWS / Of::<ROWS>::PART {
                            let at = (2 * row + warpgroup, ROWS / Of::<ROWS>::PART * column + J);
                            Of::<ROWS>::send(&sums, J, &mut sy, at, y, warpgroup, mine);
                        }
                    });
                }
                tile += clusters;
            }
            if is_first(mine) {
                hopper::stored::<0>();
            }
        }
        // Nobody leaves while others may still read of it.
        hopper::cluster_sync(cluster);
        Ok(())
    }
}

/// A thread's weights of a piece, of its 4 words, where the layout of the nibbles says: `each` makes of a word, shifted to
/// them, those of register `i`.
#[inline(always)]
fn by_words<T: Nibbles>(words: &[u32; 5], each: impl Fn(usize, u32) -> [T; 2]) -> Fragment<T, Weights> {
    let mut weights = Fragment::<T, Weights>::zeroed();
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
