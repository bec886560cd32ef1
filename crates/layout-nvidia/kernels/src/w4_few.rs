//! `Y = X W^T` of up to 16 rows of halves X and weights of 4 bits. The bandwidth of reading W sets
//! the time.
//!
//! ```text
//! product      Y^T = W X^T by `mma.sync`: 16 rows of W, 8 rows of X
//! warp         2 or 4 such strips of a piece of W, at every `WARPS`-th piece along K. They come to stages of the warp's
//!              own, and X beside them: no warp waits for another one
//! block        its warps' rows of W, all of K: the accumulators of its warps are added up at the end
//! ```
//!
//! W in memory is as for `w4_sm90`, in pieces: the strip of a warp in a warpgroup's operand is the
//! operand of `mma.sync`.

use core::ptr;

use half::{bf16, f16};
use layout_algebra::atom::{UniversalCopy, copy, gemm, make_tiled_mma};
use layout_algebra::for_static;
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::{Global, Shared as InShared};
use layout_algebra::tensor::{Addressable, Fragment, Tile, TileMut};
use layout_nvidia::copy::{
    SM75_U32x4_LDSM_N, SM80_CP_ASYNC_CACHEALWAYS, SM80_CP_ASYNC_CACHEGLOBAL,
};
use layout_nvidia::device::{self, Pipeline, SharedTile, SharedTiles, kernel};
use layout_nvidia::hopper::{self, Nibbles};

use crate::hgemm::{Half, Units};
use crate::w4_sm90::{PIECE, unpack_weights};

/// The words of a lane, and a unit of 16 bytes of X.
type Words = Layout!(4);
/// A thread's X as operand: the two halves of the four steps are contiguous.
type Operand = Layout!(((2, 2), 1, (2, 2)));
/// A thread's products.
type Products = Layout!(((2, 2), 1, 1));
/// A thread's accumulators: strips, eights of rows of X, values.
type Sums<const EIGHTS: usize, const STRIPS: usize> = [[[f32; 4]; EIGHTS]; STRIPS];
/// The X of a lane: 8 elements of a piece, every fourth row, pieces of the warp.
type LaneX<'a, T> = Tensor<Tile<'a, T, Global>, Layout!((8, usize, usize):(1, usize, usize))>;
/// The W of a lane: 4 words of a strip, strips, pieces of the warp.
type LaneW<'a> = Tensor<Tile<'a, u32, Global>, Layout!((4, usize, usize):(1, usize, usize))>;
/// The scales of a lane: 4 words, pieces of the warp.
type LaneScales<'a> = Tensor<Tile<'a, u32, Global>, Layout!((4, usize):(1, usize))>;

/// The halves in eight rows of a piece of X; the elements of such a row; the words of a strip.
const EIGHT: usize = 8 * PIECE_K;
const PIECE_K: usize = 64;
const STRIP: usize = 4 * 32;

/// A block: eights of rows of X, strips of a warp, warps, stages.
pub struct Block<const EIGHTS: usize, const STRIPS: usize, const WARPS: usize, const STAGES: usize>;
impl<const EIGHTS: usize, const STRIPS: usize, const WARPS: usize, const STAGES: usize>
    Block<EIGHTS, STRIPS, WARPS, STAGES>
{
    /// Whether a turn of the loop takes one piece for each stage, which needs a quarter fewer
    /// instructions, or one piece.
    const ALL_STAGES: bool = EIGHTS > 1 || STRIPS > 2;
}
/// The threads and the shared memory of a block.
pub trait Sizes: 'static {
    /// The threads of a block.
    type Threads: StaticLayout + Default;
    /// The words of all stages of all warps: each stage has X, strips of W, and their scales.
    type Words: hopper::HasDescriptor + Addressable + Default;
}
macro_rules! sizes {
    ($($eights:literal $strips:literal $warps:literal $stages:literal;)*) => {$(
        impl Sizes for Block<$eights, $strips, $warps, $stages> {
            type Threads = Layout!({ 32 * $warps });
            type Words = Layout!({ $warps * $stages * (256 * $eights + 136 * $strips) });
        }
    )*};
}
sizes! { 1 2 8 4; 1 4 8 4; 2 2 8 4; 2 4 8 3; }
/// The shared memory of a block.
pub type Shared<B> = (SharedTile<u32, <B as Sizes>::Words>,);

/// Computes the product of `m` rows, at most `8 EIGHTS`, with W of `n` rows and `k` columns. A
/// block has `16 STRIPS` rows of W.
///
/// # Safety
/// The matrices are there: X and Y are row-major, W is in pieces of 64 x 64; 128 divides `n`, 64
/// divides `k`, and 16 divides the addresses. The previous launch does not write W.
#[kernel(
    threads = <Block<EIGHTS, STRIPS, WARPS, STAGES> as Sizes>::Threads,
    shared = Shared<Block<EIGHTS, STRIPS, WARPS, STAGES>>,
    instances(
        <bf16, 1, 2, 8, 4>, <bf16, 1, 4, 8, 4>, <bf16, 2, 2, 8, 4>, <bf16, 2, 4, 8, 3>,
        <f16, 1, 2, 8, 4>, <f16, 1, 4, 8, 4>, <f16, 2, 2, 8, 4>, <f16, 2, 4, 8, 3>
    )
)]
pub unsafe fn w4_few<
    T: Nibbles + Half,
    const EIGHTS: usize,
    const STRIPS: usize,
    const WARPS: usize,
    const STAGES: usize,
>(
    m: u32,
    n: u32,
    k: u32,
    w: *const u32,
    x: *const T,
    y: *mut T,
) where
    Block<EIGHTS, STRIPS, WARPS, STAGES>: Sizes,
{
    // SAFETY: the caller's promises. A stage belongs to its warp; copies that the pipeline waits
    // for write it. The accumulators replace the stages after the last read of a stage, and are
    // read after a barrier. The layouts of X and of the scales have more rows and lanes than exist:
    // no copy reads these.
    unsafe {
        let (mut words,) = Shared::<Block<EIGHTS, STRIPS, WARPS, STAGES>>::make_tensors();
        // (words)
        let (m, n, k, thread) = (m as usize, n as usize, k as usize, device::thread_index());
        let (warp, lane) = (device::first_of_warp(thread as u64 / 32) as usize, thread % 32);
        let block = device::block_index().0;
        let mut stages = Stages::<T>::new::<EIGHTS, STRIPS, WARPS, STAGES>(&mut words);
        // For each step along K two pieces lie side by side, each with four strips. A warp has
        // every `WARPS`-th step.
        let (steps, two) = (k / PIECE_K, 2 * PIECE);
        let every = (steps + WARPS - 1 - warp) / WARPS;
        let w_of_all = Tensor::from_global_ref(
            w,
            layout!((4, 32, STRIPS, (4 / STRIPS, 2, n / 128), WARPS, every)
                : (1, 4, STRIP, (STRIP * STRIPS, PIECE, two * steps), two, two * WARPS)),
        ); // (4 words, lanes, strips, blocks, warps, pieces)
        let scales_of_all = Tensor::from_global_ref(
            w.add(4 * STRIP),
            layout!((4, 2 * STRIPS, (4 / STRIPS, 2, n / 128), WARPS, every)
                : (1, 4, (8 * STRIPS, PIECE, two * steps), two, two * WARPS)),
        ); // (4 words, lanes, blocks, warps, pieces)
        let x_of_all = Tensor::from_global_ref(
            x,
            layout!((8, 8, 4, m.div_ceil(4), WARPS, every)
                : (1, 8, k, 4 * k, PIECE_K, PIECE_K * WARPS)),
        ); // (8, units, 4 rows, fours, warps, pieces)
        let w = w_of_all.slice_unchecked((.., lane, .., block, warp, ..));
        // (4 words, strips, pieces)
        let scales = scales_of_all.slice_unchecked((.., lane, block, warp, ..));
        // (4 words, pieces)
        let x = x_of_all.slice_unchecked((.., lane % 8, lane / 8, .., warp, ..));
        // (8, fours, pieces)
        let (mine, place) = ((m, &w, &scales, &x), (lane, warp));
        let sums = if const { Block::<EIGHTS, STRIPS, WARPS, STAGES>::ALL_STAGES } {
            multiply_by_stages::<T, EIGHTS, STRIPS, WARPS, STAGES>(mine, &mut stages, place)
        } else {
            multiply_by_pieces::<T, EIGHTS, STRIPS, STAGES>(mine, &mut stages, place)
        }; // [strip][8 rows of X][V]

        // The accumulators replace the stages: the four of a thread are followed by the four of the
        // next thread.
        device::sync_threads();
        let mut of_warps = Tensor::from_shared(
            words.address_mut(0).unwrap_unchecked().cast::<f32>(),
            layout!((4, 32, STRIPS, EIGHTS, WARPS)),
        ); // (V, lanes, strips, eights, warps)
        let four = UniversalCopy::<f32, Int<4>>::new();
        for_static!(S in 0..4, {
            for_static!(E in 0..2, {
                if const { S < STRIPS && E < EIGHTS } {
                    let mine = Fragment::<f32, Words>::from_fn(|v: usize| sums[S][E][v]); // (V)
                    let mut to = of_warps.slice_unchecked_mut((.., lane, S, E, warp)); // (V)
                    let _ = copy(&four, &mine, &mut to);
                }
            });
        });
        device::sync_threads();
        let mut y = Tensor::from_global(y, layout!((m, n):(n, 1))); // (rows of X, rows of W)
        let mut each = thread;
        while each < 32 * STRIPS * EIGHTS {
            let (lane, s, e) = (each % 32, each / 32 % STRIPS, each / 32 / STRIPS);
            let mut sum = [0.0_f32; 4];
            for_static!(W in 0..8, {
                if const { W < WARPS } {
                    let mut one = Fragment::<f32, Words>::zeroed(); // (V)
                    let _ = copy(&four, &of_warps.slice_unchecked((.., lane, s, e, W)), &mut one);
                    for_static!(V in 0..4, {
                        sum[V] += one[V];
                    });
                }
            });
            // Two rows of Y^T for each lane: row `lane / 4` of W, and the row 8 below.
            let (row, column) = (8 * e + lane % 4 * 2, 16 * (STRIPS * block + s) + lane / 4);
            for_static!(R in 0..2, {
                let both = T::convert_pair(sum[2 * R], sum[2 * R + 1]);
                for_static!(V in 0..2, {
                    if row + V < m {
                        *y.get_unchecked_mut((row + V, column + 8 * R)) = both[V];
                    }
                });
            });
            each += 32 * WARPS;
        }
    }
}

/// The stages of X: 8 of a unit, units, eights of rows, stages, warps.
type StagesX = Layout!((8, 64, usize, usize, usize):(1, 8, usize, usize, usize));
/// The stages of W: 4 words of a lane, lanes, strips, stages, warps.
type StagesW = Layout!((4, 32, usize, usize, usize):(1, 4, usize, usize, usize));
/// The stages of the scales: 8 words, strips, stages, warps.
type StagesOfScales = Layout!((8, usize, usize, usize):(1, 8, usize, usize));
/// The stages of all warps in shared memory.
struct Stages<T: 'static> {
    x: Tensor<TileMut<'static, T, InShared>, StagesX>,
    w: Tensor<TileMut<'static, u32, InShared>, StagesW>,
    scales: Tensor<TileMut<'static, u32, InShared>, StagesOfScales>,
}
impl<T: Nibbles + Half> Stages<T> {
    /// Divides the words among X, W and the scales. If a turn of the loop takes all stages, X of
    /// all warps and stages comes first (each eight rows begin at the first bank), then W, then the
    /// scales: the compiler knows the numbers of the stages, and a lane needs one address for all
    /// of them. Otherwise X, W and the scales of a stage lie together.
    ///
    /// # Safety
    /// The words belong to the block, and nothing else uses them while the stages live.
    #[inline(always)]
    unsafe fn new<
        const EIGHTS: usize,
        const STRIPS: usize,
        const WARPS: usize,
        const STAGES: usize,
    >(
        words: &mut Tensor<TileMut<'static, u32, InShared>, impl Addressable>,
    ) -> Self {
        // The words of a stage: X, W, scales.
        let [x, w, scales] = [EIGHT / 2 * EIGHTS, STRIP * STRIPS, 8 * STRIPS];
        let (first, each) = if Block::<EIGHTS, STRIPS, WARPS, STAGES>::ALL_STAGES {
            ([0, x, x + w].map(|words| words * STAGES * WARPS), [x, w, scales])
        } else {
            ([0, x, x + w], [x + w + scales; 3])
        };
        // SAFETY: the caller's promise; there are `WARPS` times `STAGES` stages.
        unsafe {
            let [x, w, scales] = first.map(|word| words.address_mut(word).unwrap_unchecked());
            let [of_x, of_w, of_scales] = each;
            Stages {
                x: Tensor::from_shared(
                    x.cast::<T>(),
                    layout!((8, 64, EIGHTS, STAGES, WARPS)
                        : (1, 8, EIGHT, 2 * of_x, 2 * of_x * STAGES)),
                ),
                w: Tensor::from_shared(
                    w,
                    layout!((4, 32, STRIPS, STAGES, WARPS):(1, 4, STRIP, of_w, of_w * STAGES)),
                ),
                scales: Tensor::from_shared(
                    scales,
                    layout!((8, STRIPS, STAGES, WARPS):(1, 8, of_scales, of_scales * STAGES)),
                ),
            }
        }
    }
    /// Starts copies of a piece of W and of its scales to a stage: the words of this lane.
    ///
    /// # Safety
    /// The piece and the stage exist; the stage belongs to the warp, and no thread reads it.
    #[inline(always)]
    unsafe fn fetch_w<const STRIPS: usize>(
        &mut self,
        (w, scales): (&LaneW<'_>, &LaneScales<'_>),
        i: usize,
        (lane, warp, stage): (usize, usize, usize),
    ) {
        let four = SM80_CP_ASYNC_CACHEGLOBAL::<u128, u32>::new();
        // SAFETY: the caller's promises; two lanes copy the scales of a strip.
        unsafe {
            let mut of_lane = self.w.slice_unchecked_mut((.., lane, .., .., warp));
            // (4 words, strips, stages)
            for_static!(S in 0..4, {
                if const { S < STRIPS } {
                    let from = w.slice_unchecked((.., S, i)); // (4 words)
                    let mut to = of_lane.slice_unchecked_mut((.., S, stage)); // (4 words)
                    let _ = copy(&four, &from, &mut to);
                }
            });
            if lane < 2 * STRIPS {
                let from = scales.slice_unchecked((.., i)); // (4 words)
                let ((_, _, stages, warps), (_, _, of_stage, of_warp)) =
                    (self.scales.shape(), self.scales.layout().stride());
                let mut of_lanes = self.scales.view_mut().with_layout_unchecked(
                    layout!((4, 2 * STRIPS, stages, warps):(1, 4, of_stage, of_warp)),
                ); // (4 words, lanes, stages, warps)
                let mut of_lane = of_lanes.slice_unchecked_mut((.., lane, .., warp)); // (4, stages)
                let mut to = of_lane.slice_unchecked_mut((.., stage)); // (4 words)
                let _ = copy(&four, &from, &mut to);
            }
        }
    }
    /// Starts copies of a piece of X to a stage: the units of this lane.
    ///
    /// # Safety
    /// As for [`fetch_w`](Stages::fetch_w).
    #[inline(always)]
    unsafe fn fetch_x<const EIGHTS: usize>(
        &mut self,
        (m, x): (usize, &LaneX<'_, T>),
        i: usize,
        (lane, warp, stage): (usize, usize, usize),
    ) {
        let units = [0, 4].map(|down| Units::default().index((lane / 8 + down, lane % 8)));
        for_static!(R in 0..4, {
            // Rows that do not exist are not read, and their products are not written.
            if const { R < 2 * EIGHTS } && 4 * R + lane / 8 < m {
                // SAFETY: the caller's promises.
                let (from, mut of_lane) = unsafe {
                    (x.slice_unchecked((.., R, i)),
                        self.x.slice_unchecked_mut((.., units[R % 2], .., .., warp)))
                }; // (8), (8, eights, stages)
                // SAFETY: as above.
                let mut to = unsafe { of_lane.slice_unchecked_mut((.., R / 2, stage)) }; // (8)
                if const { EIGHTS == 1 } {
                    let _ = copy(&SM80_CP_ASYNC_CACHEALWAYS::<u128, T>::new(), &from, &mut to);
                } else {
                    let _ = copy(&SM80_CP_ASYNC_CACHEGLOBAL::<u128, T>::new(), &from, &mut to);
                }
            }
        });
    }
    /// Adds the products of a stage to a warp's accumulators.
    ///
    /// # Safety
    /// All lanes of the warp call this and see the stage; no thread writes it.
    #[inline(always)]
    unsafe fn multiply<const EIGHTS: usize, const STRIPS: usize>(
        &self,
        (lane, warp, stage): (usize, usize, usize),
        sums: &mut Sums<EIGHTS, STRIPS>,
    ) {
        let mma = make_tiled_mma(T::Atom::default(), layout!((1, 1, 1)), tiler!(_, _, _));
        let mut operands = [(); EIGHTS].map(|()| Fragment::<T, Operand>::zeroed());
        // (V, N, K) for each 8 rows of X
        let units = [0, 4].map(|right| Units::default().index((lane % 8, right + lane / 8)));
        // SAFETY: the caller's promises.
        unsafe {
            let x = units.map(|unit| self.x.slice_unchecked((.., unit, .., .., warp)));
            // (8, eights, stages) of each half of K
            let w = self.w.slice_unchecked((.., lane, .., .., warp)); // (4 words, strips, stages)
            let scales = self.scales.slice_unchecked((lane / 4, .., .., warp)); // (strips, stages)
            for_static!(E in 0..2, {
                if const { E < EIGHTS } {
                    for_static!(H in 0..2, {
                        let from = x[H].slice_unchecked((.., E, stage)); // (8)
                        let mut to = operands[E].slice_unchecked_mut((.., .., (.., H))); // (V, N)
                        let _ = copy(&SM75_U32x4_LDSM_N::<T>::new(), &from, &mut to);
                    });
                }
            });
            for_static!(S in 0..4, {
                if const { S < STRIPS } {
                    let mut words = Fragment::<u32, Words>::zeroed(); // (4 words)
                    let from = w.slice_unchecked((.., S, stage)); // (4 words)
                    let _ = copy(&UniversalCopy::<u32, Int<4>>::new(), &from, &mut words);
                    let words = [words[0], words[1], words[2], words[3]];
                    let weights = unpack_weights::<T>(&words, |_, word| T::center_nibbles(word));
                    // (V, M, K)
                    // The accumulators of row `lane / 4` and of the row 8 below.
                    let two = *scales.get_unchecked((S, stage));
                    let scales = [two as u16, (two >> 16) as u16]
                        .map(|bits| T::half_from_bits(bits).widen_to_f32());
                    for_static!(E in 0..2, {
                        if const { E < EIGHTS } {
                            let mut product = Fragment::<f32, Products>::zeroed(); // (V, M, N)
                            gemm(&mma, &weights, &operands[E], &mut product);
                            for_static!(V in 0..4, {
                                sums[S][E][V] =
                                    device::multiply_add(scales[V / 2], product[V], sums[S][E][V]);
                            });
                        }
                    });
                }
            });
        }
    }
}

/// Computes a warp's accumulators; a turn of the loop takes one piece.
///
/// # Safety
/// All lanes of the warp call this, with what they read and the stages of the block.
#[inline(always)]
unsafe fn multiply_by_pieces<
    T: Nibbles + Half,
    const EIGHTS: usize,
    const STRIPS: usize,
    const STAGES: usize,
>(
    (m, w, scales, x): (usize, &LaneW<'_>, &LaneScales<'_>, &LaneX<'_, T>),
    stages: &mut Stages<T>,
    (lane, warp): (usize, usize),
) -> Sums<EIGHTS, STRIPS> {
    // SAFETY: the caller's promises.
    unsafe {
        let pieces = x.shape().2;
        let mut pipe = Pipeline::<STAGES, true>::new(pieces);
        // The previous launch does not write W: the copies of W start before it ends.
        for i in 0..STAGES - 1 {
            if i < pieces {
                stages.fetch_w::<STRIPS>((w, scales), i, (lane, warp, i));
            }
        }
        device::grid_dependency_wait();
        let Ok(()) = pipe.load_prologue(|i, to| {
            stages.fetch_x::<EIGHTS>((m, x), i, (lane, warp, to));
            Ok(())
        });
        let mut sums = [[[0.0_f32; 4]; EIGHTS]; STRIPS];
        let mut left = pieces as u32;
        while pipe.has_tiles() {
            left -= 1;
            if left < STAGES as u32 - 1 {
                // All copies have started: the next launch may begin.
                device::launch_dependents();
            }
            let Ok(()) = pipe.fetch_next(|i, to| {
                stages.fetch_w::<STRIPS>((w, scales), i, (lane, warp, to));
                stages.fetch_x::<EIGHTS>((m, x), i, (lane, warp, to));
                Ok(())
            });
            pipe.commit_group();
            stages.multiply((lane, warp, pipe.read_stage()), &mut sums);
            pipe.wait_next();
        }
        sums
    }
}

/// Computes a warp's accumulators; a turn of the loop takes one piece for each stage, which needs a
/// quarter fewer instructions.
///
/// # Safety
/// All lanes of the warp call this, with what they read and the stages of the block.
#[inline(always)]
unsafe fn multiply_by_stages<
    T: Nibbles + Half,
    const EIGHTS: usize,
    const STRIPS: usize,
    const WARPS: usize,
    const STAGES: usize,
>(
    (m, w, scales, x): (usize, &LaneW<'_>, &LaneScales<'_>, &LaneX<'_, T>),
    stages: &mut Stages<T>,
    (lane, warp): (usize, usize),
) -> Sums<EIGHTS, STRIPS> {
    const { assert!(STAGES <= 4, "a turn of the loop has four stages at most") };
    // SAFETY: the caller's promises; nothing after the last piece is fetched.
    unsafe {
        let ((_, fours, pieces), (_, of_four, _)) = (x.shape(), x.layout().stride());
        let mut pipe = Pipeline::<STAGES, true>::new(pieces);
        // The previous launch does not write W: the copies of W start before it ends.
        for_static!(I in 0..3, {
            if const { I + 1 < STAGES } && I < pieces {
                stages.fetch_w::<STRIPS>((w, scales), I, (lane, warp, I));
            }
        });
        device::grid_dependency_wait();
        let Ok(()) = pipe.load_prologue(|i, to| {
            stages.fetch_x::<EIGHTS>((m, x), i, (lane, warp, to));
            Ok(())
        });
        let mut sums = [[[0.0_f32; 4]; EIGHTS]; STRIPS];
        let mut left = pieces as u32;
        // The addresses of the lane's W and X in the first piece of a turn: the loop advances both.
        let (mut w, mut x) =
            (ptr::from_ref(w.get_unchecked((0, 0, 0))), ptr::from_ref(x.get_unchecked((0, 0, 0))));
        let to_scales = ptr::from_ref(scales.get_unchecked((0, 0))).offset_from(w);
        while left != 0 {
            // With four strips no registers are left for the addresses of all stages, which are
            // computed here.
            let hidden =
                |number| if const { STRIPS == 4 } { device::black_box(number) } else { number };
            let (warp, of_four) = (hidden(warp), hidden(of_four));
            let of_w = 2 * PIECE * WARPS;
            let ahead_w =
                Tensor::from_global_ref(w, layout!((4, STRIPS, 2 * STAGES):(1, STRIP, of_w)));
            // (4 words, strips, pieces)
            let ahead_scales = Tensor::from_global_ref(
                w.wrapping_offset(to_scales),
                layout!((4, 2 * STAGES):(1, of_w)),
            ); // (4 words, pieces)
            let ahead_x = Tensor::from_global_ref(
                x,
                layout!((8, fours, 2 * STAGES):(1, of_four, PIECE_K * WARPS)),
            ); // (8, fours, pieces)
            for_static!(P in 0..4, {
                if const { P < STAGES } && left != 0 {
                    left -= 1;
                    if left < STAGES as u32 - 1 {
                        // All copies have started: the next launch may begin.
                        device::launch_dependents();
                    } else {
                        let ahead = const { P + STAGES - 1 };
                        let to = (lane, warp, ahead % STAGES);
                        stages.fetch_w::<STRIPS>((&ahead_w, &ahead_scales), ahead, to);
                        stages.fetch_x::<EIGHTS>((m, &ahead_x), ahead, to);
                    }
                    pipe.commit_group();
                    stages.multiply((lane, warp, P), &mut sums);
                    pipe.wait_next();
                }
            });
            w = w.wrapping_add(of_w * STAGES);
            x = x.wrapping_add(PIECE_K * WARPS * STAGES);
        }
        sums
    }
}
