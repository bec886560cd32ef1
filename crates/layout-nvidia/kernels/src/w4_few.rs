//! `Y = X W^T` of up to 16 rows of halves X and weights of 4 bits: the device's memory sets the
//! time.
//!
//! ```text
//! product      Y^T = W X^T by `mma.sync`: 16 rows of W, 8 rows of X
//! warp         2 or 4 such strips of a piece of W, at every `WARPS`-th piece along K. They come to stages of the warp's
//!              own, and X beside them: no warp waits for another one
//! block        its warps' rows of W, all of K: the accumulators of its warps are added up at the end
//! ```
//!
//! Pieces lie in memory as `w4_sm90` has them: a warp's strip of a warpgroup's operand is the
//! operand of `mma.sync`.

use half::{bf16, f16};
use layout_algebra::atom::{UniversalCopy, copy, gemm, make_tiled_mma};
use layout_algebra::for_static;
use layout_algebra::prelude::*;
use layout_algebra::tensor::{Addressable, Fragment};
use layout_nvidia::copy::{
    SM75_U32x4_LDSM_N, SM80_CP_ASYNC_CACHEALWAYS, SM80_CP_ASYNC_CACHEGLOBAL,
};
use layout_nvidia::device::{self, Pipeline, SharedTile, SharedTiles, kernel};
use layout_nvidia::hopper::{self, Nibbles};

use crate::hgemm::Half;
use crate::w4_sm90::{PIECE, Rows128, unpack_weights};

/// Eight rows of X and 64 of K, of eight units of 16 bytes.
pub type Eight =
    ComposedLayout<Rows128, Int<0>, OrderedLayout<Shape!((8, (8, 8))), Shape!((2, (0, 1)))>>;
/// A strip's words, 4 of a lane side by side.
pub type Strip = Layout!((4, 32));
/// The scales of 4 strips, in words of two, and in units of 16 bytes.
pub type Scales = Layout!((4, 8));
/// The words of a lane, and a unit of 16 bytes of X.
type Words = Layout!(4);
type Unit = Layout!(8);
/// A thread's X, as operand: the two halves of the four steps lie side by side.
type Operand = Layout!(((2, 2), 1, (2, 2)));
/// A thread's products.
type Products = Layout!(((2, 2), 1, 1));

/// What a block is made of: eights of rows of X, strips of a warp, warps, stages.
pub struct Block<const EIGHTS: usize, const STRIPS: usize, const WARPS: usize, const STAGES: usize>;
/// Its threads and its shared memory.
pub trait Sizes: 'static {
    /// The threads of a block.
    type Threads: StaticLayout + Default;
    /// The words of all stages of all warps: in each X, strips, and their scales.
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
/// Their memory.
pub type Shared<B> = (SharedTile<u32, <B as Sizes>::Words>,);

/// The product of `m` rows, up to `8 EIGHTS`: on a block for each `16 STRIPS` rows of W, of which
/// there are `n`, of `k` columns.
///
/// # Safety
/// The matrices are there, X and Y row-major, W in pieces of 64 x 64; 128 divides `n`, 64 divides
/// `k`, 16 the addresses. What the launch before this one writes is not W.
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
    // SAFETY: the caller's promises; a stage is its warp's own, written by copies that the pipeline
    // waits for. The accumulators are written where stages were when no warp reads them any more,
    // and read behind a barrier.
    unsafe {
        let (mut words,) = Shared::<Block<EIGHTS, STRIPS, WARPS, STAGES>>::make_tensors();
        // (words)
        let (m, n, k, thread) = (m as usize, n as usize, k as usize, device::thread_index());
        let (warp, lane) = (device::first_of_warp(thread as u64 / 32) as usize, thread % 32);
        let all = words.address_mut(0).unwrap_unchecked();
        // The block's first strip.
        let first = STRIPS * device::block_index().0;
        let place = (warp, lane, first);
        let sums = if const { EIGHTS == 1 && STRIPS == 2 } {
            multiply_by_piece::<T, EIGHTS, STRIPS, WARPS, STAGES>((m, k), (w, x), all, place)
        } else {
            multiply_by_stage::<T, EIGHTS, STRIPS, WARPS, STAGES>((m, k), (w, x), all, place)
        }; // [strip][8 rows of X][V]

        // The accumulators go where the stages were, four of a thread beside those of the next one.
        device::sync_threads();
        let of_warps = layout!((4, 32, STRIPS, EIGHTS, WARPS));
        let place = |lane: usize, s: usize, e: usize, warp: usize| {
            Tensor::from_shared(
                all.cast::<f32>().add(of_warps.index((0, lane, s, e, warp))),
                Words::default(),
            )
        };
        let four = UniversalCopy::<f32, Int<4>>::new();
        for_static!(S in 0..4, {
            for_static!(E in 0..2, {
                if const { S < STRIPS && E < EIGHTS } {
                    let mine = Fragment::<f32, Words>::from_fn(|v: usize| sums[S][E][v]); // (V)
                    let _ = copy(&four, &mine, &mut place(lane, S, E, warp));
                }
            });
        });
        device::sync_threads();
        let mut each = thread;
        while each < 32 * STRIPS * EIGHTS {
            let (lane, s, e) = (each % 32, each / 32 % STRIPS, each / 32 / STRIPS);
            let mut sum = [0.0_f32; 4];
            for_static!(W in 0..8, {
                if const { W < WARPS } {
                    let mut one = Fragment::<f32, Words>::zeroed(); // (V)
                    let _ = copy(&four, &place(lane, s, e, W), &mut one);
                    for_static!(V in 0..4, {
                        sum[V] += one[V];
                    });
                }
            });
            // Two rows of X, at rows `lane / 4` of W and 8 more.
            let (row, column) = (8 * e + lane % 4 * 2, 16 * (first + s) + lane / 4);
            for_static!(R in 0..2, {
                let both = T::convert_pair(sum[2 * R], sum[2 * R + 1]);
                for_static!(V in 0..2, {
                    if row + V < m {
                        y.add((row + V) * n + column + 8 * R).write(both[V]);
                    }
                });
            });
            each += 32 * WARPS;
        }
    }
}

/// The accumulators of a warp: a turn of the loop is a piece.
///
/// # Safety
/// The kernel's promises; `all` is the block's shared memory.
#[inline(always)]
unsafe fn multiply_by_piece<
    T: Nibbles + Half,
    const EIGHTS: usize,
    const STRIPS: usize,
    const WARPS: usize,
    const STAGES: usize,
>(
    (m, k): (usize, usize),
    (w, x): (*const u32, *const T),
    all: *mut u32,
    (warp, lane, first): (usize, usize, usize),
) -> [[[f32; 4]; EIGHTS]; STRIPS] {
    // SAFETY: the caller's promises.
    unsafe {
        let stages = all.add(warp * const { STAGES * (256 * EIGHTS + 136 * STRIPS) });
        let stage = |i: usize| stages.add(i * const { 256 * EIGHTS + 136 * STRIPS });
        // Two pieces lie side by side for each step along K, four strips in each.
        let w = w.add(PIECE * (first / 4 % 2 + 2 * (first / 8 * (k / 64) + warp)));
        let (strips, scales) =
            (w.add(128 * (first % 4) + 4 * lane), w.add(512 + 8 * (first % 4) + 4 * lane));
        let x = x.add(64 * warp + lane / 8 * k + 8 * (lane % 8));

        let fetch_w = |i: usize, to: usize| {
            let (far, to) = (2 * PIECE * WARPS * i, stage(to).add(256 * EIGHTS));
            let four = SM80_CP_ASYNC_CACHEGLOBAL::<u128, u32>::new();
            for_static!(S in 0..4, {
                if const { S < STRIPS } {
                    let from = Tensor::from_global_ref(strips.add(far + 128 * S), Words::default());
                    // (4 words)
                    let mut strip = Tensor::from_shared(to.add(128 * S), Strip::default());
                    // (4 words, lanes)
                    let _ = copy(&four, &from, &mut strip.slice_unchecked_mut((.., lane)));
                }
            });
            if lane < 2 * STRIPS {
                let from = Tensor::from_global_ref(scales.add(far), Words::default()); // (4 words)
                let mut scales = Tensor::from_shared(to.add(128 * STRIPS), Scales::default());
                // (4 words, lanes)
                let _ = copy(&four, &from, &mut scales.slice_unchecked_mut((.., lane)));
            }
        };
        let fetch_x = |i: usize, to: usize| {
            for_static!(R in 0..4, {
                // Rows that are not there are not read, and their products not written.
                let row = 4 * R + lane / 8;
                if const { R < 2 * EIGHTS } && row < m {
                    let from = Tensor::from_global_ref(x.add(4 * R * k + 64 * WARPS * i),
                        Unit::default());
                    // (8)
                    let mut eight = Tensor::from_shared(stage(to).add(256 * (R / 2)).cast::<T>(),
                        Eight::default());
                    // (8 rows, K)
                    let mut to = eight.slice_unchecked_mut((row % 8, (.., lane % 8))); // (8)
                    let _ = copy(&SM80_CP_ASYNC_CACHEALWAYS::<u128, T>::new(), &from, &mut to);
                }
            });
        };
        let pieces = (k / 64 + WARPS - 1 - warp) / WARPS;
        let mut pipe = Pipeline::<STAGES, true>::new(pieces);
        // W is not what the launch before writes.
        for i in 0..STAGES - 1 {
            if i < pieces {
                fetch_w(i, i);
            }
        }
        device::grid_dependency_wait();
        let Ok(()) = pipe.load_prologue(|i, to| {
            fetch_x(i, to);
            Ok(())
        });

        let mma = make_tiled_mma(T::Atom::default(), layout!((1, 1, 1)), tiler!(_, _, _));
        let mut sums = [[[0.0_f32; 4]; EIGHTS]; STRIPS];
        let mut left = pieces as u32;
        while pipe.has_tiles() {
            left -= 1;
            if left < STAGES as u32 - 1 {
                // Nothing is left to be fetched, but by the next launch.
                device::launch_dependents();
            }
            let Ok(()) = pipe.fetch_next(|i, to| {
                fetch_w(i, to);
                fetch_x(i, to);
                Ok(())
            });
            pipe.commit_group();
            let at = stage(pipe.read_stage());
            let mut operands = [(); EIGHTS].map(|()| Fragment::<T, Operand>::zeroed());
            // (V, N, K) for each 8 rows of X
            for_static!(E in 0..2, {
                if const { E < EIGHTS } {
                    let eight = Tensor::from_shared(at.add(256 * E).cast::<T>(), Eight::default());
                    // (8 rows, K)
                    for_static!(H in 0..2, {
                        let from = eight.slice_unchecked((lane % 8, (.., 4 * H + lane / 8))); // (8)
                        let mut to = operands[E].slice_unchecked_mut((.., .., (.., H))); // (V, N)
                        let _ = copy(&SM75_U32x4_LDSM_N::<T>::new(), &from, &mut to);
                    });
                }
            });
            for_static!(S in 0..4, {
                if const { S < STRIPS } {
                    let strip = at.add(256 * EIGHTS + 128 * S);
                    let mut words = Fragment::<u32, Words>::zeroed(); // (4 words)
                    let mine = Tensor::from_shared(strip, Strip::default()); // (4 words, lanes)
                    let _ = copy(&UniversalCopy::<u32, Int<4>>::new(),
                        &mine.slice_unchecked((.., lane)), &mut words);
                    let weights = unpack_weights::<T>(&[words[0], words[1], words[2], words[3]],
                        |_, word| T::center_nibbles(word));
                    // (V, M, K)
                    // Those of rows `lane / 4` and 8 more.
                    let mut scales = Fragment::<u32, Layout!(1)>::zeroed(); // (1 word)
                    let two = at.add(256 * EIGHTS + 128 * STRIPS + 8 * S + lane / 4);
                    let _ = copy(&UniversalCopy::<u32>::new(),
                        &Tensor::from_shared(two, layout!(1)), &mut scales);
                    let scales = [scales[0] as u16, (scales[0] >> 16) as u16]
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
            pipe.wait_next();
        }
        sums
    }
}

/// The same, a turn of the loop is a piece for each stage: a quarter fewer instructions.
///
/// # Safety
/// The kernel's promises; `all` is the block's shared memory.
#[inline(always)]
unsafe fn multiply_by_stage<
    T: Nibbles + Half,
    const EIGHTS: usize,
    const STRIPS: usize,
    const WARPS: usize,
    const STAGES: usize,
>(
    (m, k): (usize, usize),
    (w, x): (*const u32, *const T),
    all: *mut u32,
    (warp, lane, first): (usize, usize, usize),
) -> [[[f32; 4]; EIGHTS]; STRIPS] {
    const { assert!(STAGES <= 4, "a turn of the loop has four stages at most") };
    // SAFETY: the caller's promises.
    unsafe {
        // X of all warps and stages lies first, each eight rows of it where banks begin, then W,
        // then scales. What a lane writes and reads of all stages has one address: their numbers
        // are known to the compiler.
        let stages = |warp: usize| {
            let w = all.add(const { 256 * EIGHTS * STAGES * WARPS } + 128 * STRIPS * STAGES * warp);
            let scales = all.add(
                const { (256 * EIGHTS + 128 * STRIPS) * STAGES * WARPS }
                    + 8 * STRIPS * STAGES * warp,
            );
            (all.add(256 * EIGHTS * STAGES * warp).cast::<T>(), w, scales)
        };
        // What one lane has of all strips and stages: strides beyond the swizzle and beyond the
        // lanes, written down so that a lane keeps one address. (A slice of the whole would swizzle
        // each of the addresses.)
        let of_x = |x: *mut T, row: usize, unit: usize| {
            let at = x.add(Eight::default().index((row, (0, unit))));
            Tensor::from_shared(at, layout!((8, EIGHTS, STAGES):(1, 512, 512 * EIGHTS)))
        };
        let of_w = |w: *mut u32| {
            Tensor::from_shared(
                w.add(4 * lane),
                layout!((4, STRIPS, STAGES):(1, 128, 128 * STRIPS)),
            )
        };
        // Two pieces lie side by side for each step along K, four strips in each.
        let w = w.add(PIECE * (first / 4 % 2 + 2 * (first / 8 * (k / 64) + warp)));
        let mut w = w.add(128 * (first % 4) + 4 * lane);
        let mut x = x.add(64 * warp + lane / 8 * k + 8 * (lane % 8));

        // The piece that is so many ahead.
        let fetch_w = |at: (*mut T, *mut u32, *mut u32), w: *const u32, ahead: usize, to: usize| {
            let mut words = of_w(at.1);
            let four = SM80_CP_ASYNC_CACHEGLOBAL::<u128, u32>::new();
            for_static!(S in 0..4, {
                if const { S < STRIPS } {
                    let from = w.add(2 * PIECE * WARPS * ahead + 128 * S);
                    let from = Tensor::from_global_ref(from, Words::default()); // (4 words)
                    let _ = copy(&four, &from, &mut words.slice_unchecked_mut((.., S, to)));
                }
            });
            if lane < 2 * STRIPS {
                let from = w.add(512 - 120 * (first % 4)).add(2 * PIECE * WARPS * ahead);
                let from = Tensor::from_global_ref(from, Words::default()); // (4 words)
                let mut to_scales =
                    Tensor::from_shared(at.2.add(4 * lane), layout!((4, STAGES):(1, 8 * STRIPS)));
                // (4 words, stages)
                let _ = copy(&four, &from, &mut to_scales.slice_unchecked_mut((.., to)));
            }
        };
        let fetch_x = |at: (*mut T, *mut u32, *mut u32),
                       x: *const T,
                       k: usize,
                       ahead: usize,
                       to: usize| {
            let mut rows = [0, 1].map(|half| of_x(at.0, lane / 8 + 4 * half, lane % 8));
            for_static!(R in 0..4, {
                // Rows that are not there are not read, and their products not written.
                if const { R < 2 * EIGHTS } && 4 * R + lane / 8 < m {
                    let from = Tensor::from_global_ref(x.add(4 * R * k).add(64 * WARPS * ahead),
                        Unit::default());
                    // (8)
                    let mut to = rows[R % 2].slice_unchecked_mut((.., R / 2, to)); // (8)
                    if const { EIGHTS == 1 } {
                        let _ = copy(&SM80_CP_ASYNC_CACHEALWAYS::<u128, T>::new(), &from, &mut to);
                    } else {
                        let _ = copy(&SM80_CP_ASYNC_CACHEGLOBAL::<u128, T>::new(), &from, &mut to);
                    }
                }
            });
        };
        let pieces = (k / 64 + WARPS - 1 - warp) / WARPS;
        let at = stages(warp);
        let mut pipe = Pipeline::<STAGES, true>::new(pieces);
        // W is not what the launch before writes.
        for_static!(I in 0..3, {
            if const { I + 1 < STAGES } && I < pieces {
                fetch_w(at, w, I, I);
            }
        });
        device::grid_dependency_wait();
        let Ok(()) = pipe.load_prologue(|i, to| {
            fetch_x(at, x, k, i, to);
            Ok(())
        });

        let mma = make_tiled_mma(T::Atom::default(), layout!((1, 1, 1)), tiler!(_, _, _));
        let mut sums = [[[0.0_f32; 4]; EIGHTS]; STRIPS];
        let mut left = pieces as u32;
        while left != 0 {
            // Four strips leave no registers for the addresses of all stages: they are computed
            // here.
            let hidden =
                |number| if const { STRIPS == 4 } { device::black_box(number) } else { number };
            let (at, k) = (stages(hidden(warp)), hidden(k));
            let from_x = [0, 1].map(|half| of_x(at.0, lane % 8, 4 * half + lane / 8));
            let from_w = of_w(at.1);
            let scales = Tensor::from_shared(
                at.2.add(lane / 4),
                layout!((1, STRIPS, STAGES):(1, 8, 8 * STRIPS)),
            ); // (1 word, strips, stages)
            for_static!(P in 0..4, {
                if const { P < STAGES } && left != 0 {
                    left -= 1;
                    if left < STAGES as u32 - 1 {
                        // Nothing is left to be fetched, but by the next launch.
                        device::launch_dependents();
                    } else {
                        let ahead = const { P + STAGES - 1 };
                        fetch_w(at, w, ahead, ahead % STAGES);
                        fetch_x(at, x, k, ahead, ahead % STAGES);
                    }
                    pipe.commit_group();
                    let mut operands = [(); EIGHTS].map(|()| Fragment::<T, Operand>::zeroed());
                    // (V, N, K) for each 8 rows of X
                    for_static!(E in 0..2, {
                        if const { E < EIGHTS } {
                            for_static!(H in 0..2, {
                                let from = from_x[H].slice_unchecked((.., E, P)); // (8)
                                let mut to = operands[E].slice_unchecked_mut((.., .., (.., H)));
                                // (V, N)
                                let _ = copy(&SM75_U32x4_LDSM_N::<T>::new(), &from, &mut to);
                            });
                        }
                    });
                    for_static!(S in 0..4, {
                        if const { S < STRIPS } {
                            let mut words = Fragment::<u32, Words>::zeroed(); // (4 words)
                            let from = from_w.slice_unchecked((.., S, P)); // (4 words)
                            let _ = copy(&UniversalCopy::<u32, Int<4>>::new(), &from, &mut words);
                            let words = [words[0], words[1], words[2], words[3]];
                            let weights =
                                unpack_weights::<T>(&words, |_, word| T::center_nibbles(word));
                            // (V, M, K)
                            // Those of rows `lane / 4` and 8 more.
                            let mut two = Fragment::<u32, Layout!(1)>::zeroed(); // (1 word)
                            let _ = copy(&UniversalCopy::<u32>::new(),
                                &scales.slice_unchecked((.., S, P)), &mut two);
                            let scales = [two[0] as u16, (two[0] >> 16) as u16]
                                .map(|bits| T::half_from_bits(bits).widen_to_f32());
                            for_static!(E in 0..2, {
                                if const { E < EIGHTS } {
                                    let mut product = Fragment::<f32, Products>::zeroed();
                                    // (V, M, N)
                                    gemm(&mma, &weights, &operands[E], &mut product);
                                    for_static!(V in 0..4, {
                                        sums[S][E][V] = device::multiply_add(scales[V / 2],
                                            product[V], sums[S][E][V]);
                                    });
                                }
                            });
                        }
                    });
                    pipe.wait_next();
                }
            });
            // What is behind the last piece is not fetched.
            w = w.wrapping_add(2 * PIECE * WARPS * STAGES);
            x = x.wrapping_add(64 * WARPS * STAGES);
        }
        sums
    }
}
