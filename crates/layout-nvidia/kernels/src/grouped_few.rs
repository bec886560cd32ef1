//! [`grouped_sm90`](crate::grouped_sm90) for groups of few rows: the device's memory sets the time,
//! in which B is read.
//!
//! ```text
//! product      C^T = B A^T by `mma.sync`: 16 columns of C, or two strips of them, 8 rows or 16
//! warp         of these all that it multiplies along K: every eighth 64. They come to stages of the warp's own, and no
//!              warp waits for another one
//! block        8 warps, whose accumulators are added up when a tile is done: by then the next one's operands are on their way
//! ```
//!
//! The blocks stay, two on a multiprocessor, and go through the tiles of all groups.

use core::num::NonZeroU32;

use half::{bf16, f16};
use layout_algebra::atom::{UniversalCopy, copy, gemm, make_tiled_mma};
use layout_algebra::for_static;
use layout_algebra::prelude::*;
use layout_algebra::tensor::Fragment;
use layout_nvidia::copy::{
    SM75_U32x4_LDSM_N, SM80_CP_ASYNC_CACHEALWAYS_ZFILL, SM80_CP_ASYNC_CACHEGLOBAL_ZFILL,
};
use layout_nvidia::device::{self, Pipeline, SharedTile, SharedTiles, kernel};

use crate::grouped_sm90::{Schedule, Tile, row_range};
use crate::hgemm::Half;
use crate::hgemm_sm90::Rows128;

/// The threads of a block.
pub type Threads = Layout!(256);
/// What a warp has of B in a stage: 16 columns of C, or twice as many, 64 along K in units of 16
/// bytes.
pub type Strips = ComposedLayout<
    Rows128,
    Int<0>,
    OrderedLayout<Shape!(((16, 2), (8, 8))), Shape!(((2, 3), (0, 1)))>,
>;
/// What it has of A: 8 rows.
pub type Eight =
    ComposedLayout<Rows128, Int<0>, OrderedLayout<Shape!((8, (8, 8))), Shape!((2, (0, 1)))>>;
/// The stages of all warps, of each B, and A: four of them with 8 rows of A, three with 16, two
/// with 16 and two strips.
pub type Stages = Layout!((6144, 8));
/// The accumulators of all warps, where a thread has them: columns of C, rows, warps; twice, in
/// turns, or for two strips.
pub type Accumulators =
    OrderedLayout<Shape!(((8, 2), (2, 4, 2), 8, 2)), Shape!(((3, 1), (0, 2, 4), 5, 6))>;
/// What a block has in shared memory.
pub type Shared<T> = (SharedTile<T, Stages>, SharedTile<f32, Accumulators>);
/// A unit of 16 bytes.
type Unit = Layout!(8);
/// A thread's operands: the two halves of the four steps along K lie side by side.
type OperandB = Layout!(((2, 2, 2), 1, (2, 2)));
type OperandA = Layout!(((2, 2), 1, (2, 2)));
/// A thread's accumulators.
type Products = Layout!(((2, 2), 1, 1));

/// The products of `groups` groups, `ROWS` rows and `STRIPS` strips at a time, `n` columns each,
/// `k` along K, by `blocks` blocks. It may be launched early.
///
/// # Safety
/// The matrices are there, B of `groups` times `n` rows of `k` elements; 8 divides `k`, 16 the
/// addresses of `a` and `b`. `offsets` are `groups + 1` elements that do not fall, from 0 to the
/// rows of A and C.
#[kernel(
    threads = Threads, shared = Shared<T>,
    instances(
        <f16, 8, 1, 4>, <f16, 16, 1, 3>, <f16, 16, 2, 2>,
        <bf16, 8, 1, 4>, <bf16, 16, 1, 3>, <bf16, 16, 2, 2>
    )
)]
pub unsafe fn grouped_few<T: Half, const ROWS: u32, const STRIPS: usize, const STAGES: usize>(
    groups: u32,
    n: u32,
    k: u32,
    blocks: u32,
    offsets: *const u32,
    a: *const T,
    b: *const T,
    c: *mut T,
) {
    const { assert!(ROWS <= 16 && STRIPS <= 2, "a thread's sums") };
    const { assert!(STAGES * (1024 * STRIPS + 64 * ROWS as usize) <= 6144, "stages of a warp") };
    // SAFETY: the caller's promises; a stage is its warp's own, written by copies that the pipeline
    // waits for. Accumulators are written by each thread for itself, and read behind a barrier;
    // those of the next tile but one are written behind the next barrier, those of two strips
    // behind one more. What is not there is not read, but for zeros along K, and its products are
    // not written.
    unsafe {
        device::launch_dependents();
        let (mut stages, mut sums) = Shared::<T>::make_tensors();
        // (elements, warps), (columns, rows, warps, turns)
        device::grid_dependency_wait();
        let (n, k, thread) = (n as usize, k as usize, device::thread_index());
        let (warp, lane) = (device::first_of_warp(thread as u64 / 32) as usize, thread % 32);
        let stages = stages.address_mut(0).unwrap_unchecked().add(6144 * warp);
        let sums = sums.address_mut(0).unwrap_unchecked();
        let rows_of = row_range(offsets, groups);
        let columns = n.div_ceil(16 * STRIPS) as u32;
        let (first, tiles) = (
            device::block_index().0 as u32,
            Schedule::<ROWS>::new(groups, columns).count_tiles(rows_of),
        );
        let Some(every) = NonZeroU32::new(blocks) else { device::trap() };
        let mine = if first < tiles { (tiles - first - 1) / every + 1 } else { 0 };
        let pieces = (k.div_ceil(64) + 7 - warp) / 8;

        // The tile whose operands are fetched, and which of the warp's pieces along K.
        let mut ahead = (Schedule::<ROWS>::new(groups, columns), first, None::<Tile>, pieces);
        let mut fetch = |to: usize| {
            if ahead.3 == pieces {
                (ahead.2, ahead.3) = (ahead.0.find_tile(ahead.1, rows_of), 0);
                ahead.1 += blocks;
            }
            let Some(tile) = ahead.2 else { return };
            let (row, unit) = (lane / 8, 64 * (warp + 8 * ahead.3) + 8 * (lane % 8));
            let to = stages.add(const { 1024 * STRIPS + 64 * ROWS as usize } * to);
            let column = 16 * STRIPS * tile.column as usize + row;
            let from = b.add((tile.group as usize * n + column) * k + unit);
            for_static!(R in 0..8, {
                if const { R < 4 * STRIPS } && column + 4 * R < n {
                    let from = Tensor::from_global_ref(from.add(4 * R * k), Unit::default()); // (8)
                    let mut strips = Tensor::from_shared(to, Strips::default());
                    // ((columns, strips), K)
                    let mut to = strips.slice_unchecked_mut((4 * R + row, (.., lane % 8))); // (8)
                    let _ = copy(&SM80_CP_ASYNC_CACHEGLOBAL_ZFILL::<u128, T>::new()
                        .with_predicate(unit < k), &from, &mut to);
                }
            });
            let at = (tile.rows.0 + ROWS * tile.row) as usize + row;
            let from = a.add(at * k + unit);
            for_static!(R in 0..4, {
                if const { 4 * R < ROWS as usize } && at + 4 * R < tile.rows.1 as usize {
                    let from = Tensor::from_global_ref(from.add(4 * R * k), Unit::default()); // (8)
                    let mut eight = Tensor::from_shared(to.add(1024 * STRIPS + 512 * (R / 2)),
                        Eight::default());
                    // (8 rows, K)
                    let mut to = eight.slice_unchecked_mut((4 * (R % 2) + row, (.., lane % 8)));
                    // (8)
                    let _ = copy(&SM80_CP_ASYNC_CACHEALWAYS_ZFILL::<u128, T>::new()
                        .with_predicate(unit < k), &from, &mut to);
                }
            });
            ahead.3 += 1;
        };
        let mut pipe = Pipeline::<STAGES, true>::new(mine as usize * pieces);
        let Ok(()) = pipe.load_prologue(|_, to| {
            fetch(to);
            Ok(())
        });

        let mma = make_tiled_mma(T::Atom::default(), layout!((1, 1, 1)), tiler!(_, _, _));
        let (mut schedule, mut number, mut turn) =
            (Schedule::<ROWS>::new(groups, columns), first, 0);
        while let Some(tile) = schedule.find_tile(number, rows_of) {
            let mut products =
                [[(); 2]; 2].map(|strip| strip.map(|()| Fragment::<f32, Products>::zeroed()));
            // (V, M, N) for each strip and each 8 rows
            for _ in 0..pieces {
                let Ok(()) = pipe.fetch_next(|_, to| {
                    fetch(to);
                    Ok(())
                });
                pipe.commit_group();
                let at =
                    stages.add(const { 1024 * STRIPS + 64 * ROWS as usize } * pipe.read_stage());
                let strips = Tensor::from_shared(at, Strips::default()); // ((columns, strips), K)
                let four = SM75_U32x4_LDSM_N::<T>::new();
                let mut fb = [(); 2].map(|()| Fragment::<T, OperandB>::zeroed());
                // (V, M, K) of B for each strip
                for_static!(S in 0..2, {
                    if const { S < STRIPS } {
                        for_static!(STEP in 0..4, {
                            let from = strips.slice_unchecked((lane % 16 + 16 * S,
                                (.., 2 * STEP + lane / 16)));
                            // (8)
                            let _ = copy(&four, &from,
                                &mut fb[S].slice_unchecked_mut((.., .., (STEP % 2, STEP / 2))));
                        });
                    }
                });
                for_static!(E in 0..2, {
                    if const { 8 * E < ROWS as usize } {
                        let eight = Tensor::from_shared(at.add(1024 * STRIPS + 512 * E),
                            Eight::default());
                        // (8 rows, K)
                        let mut fa = Fragment::<T, OperandA>::zeroed(); // (V, N, K) of A
                        for_static!(H in 0..2, {
                            let from = eight.slice_unchecked((lane % 8, (.., 4 * H + lane / 8)));
                            // (8)
                            let _ = copy(&four, &from,
                                &mut fa.slice_unchecked_mut((.., .., (.., H))));
                        });
                        for_static!(S in 0..2, {
                            if const { S < STRIPS } {
                                gemm(&mma, &fb[S], &fa, &mut products[S][E]);
                            }
                        });
                    }
                });
                pipe.wait_next();
            }
            if STRIPS == 2 {
                device::sync_threads();
            }
            for_static!(S in 0..2, {
                for_static!(E in 0..2, {
                    if const { S < STRIPS && 8 * E < ROWS as usize } {
                        let at = sums.add(2048 * (turn + S) + 256 * warp + 128 * E + 4 * lane);
                        let mut four = Tensor::from_shared(at, layout!(4)); // (4)
                        let _ = copy(&UniversalCopy::<f32, Int<4>>::new(), &products[S][E],
                            &mut four);
                    }
                });
            });
            device::sync_threads();
            let (column, row) = (thread % 16, thread / 16);
            if row < ROWS as usize {
                for_static!(S in 0..2, {
                    if const { S < STRIPS } {
                        let mut sum = 0.0;
                        for_static!(W in 0..8, {
                            let mut one = Fragment::<f32, Layout!(1)>::zeroed(); // (1)
                            let at = sums.add(Accumulators::default()
                                .index((column, row, W, turn + S)));
                            let _ = copy(&UniversalCopy::<f32>::new(),
                                &Tensor::from_shared(at, layout!(1)), &mut one);
                            sum += one[0];
                        });
                        let row = (ROWS * tile.row) as usize + row;
                        let column = 16 * (STRIPS * tile.column as usize + S) + column;
                        if row < (tile.rows.1 - tile.rows.0) as usize && column < n {
                            c.add((tile.rows.0 as usize + row) * n + column)
                                .write(T::convert_pair(sum, sum)[0]);
                        }
                    }
                });
            }
            number += blocks;
            turn = 2 - STRIPS - turn;
        }
    }
}
