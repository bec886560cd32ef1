//! [`grouped_sm90`](crate::grouped_sm90) for groups of few rows. The bandwidth of reading B sets
//! the time.
//!
//! ```text
//! product      C^T = B A^T by `mma.sync`: 16 columns of C, or two strips of them, 8 rows or 16
//! warp         of these all that it multiplies along K: every eighth 64. They come to stages of the warp's own, and no
//!              warp waits for another one
//! block        8 warps, whose accumulators are added up when a tile is done: by then the next one's operands are on their way
//! ```
//!
//! The blocks are persistent, two on a multiprocessor, and go through the tiles of all groups.

use core::num::NonZeroU32;

use half::{bf16, f16};
use layout_algebra::atom::{UniversalCopy, copy, gemm, make_tiled_mma};
use layout_algebra::for_static;
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::Shared as InShared;
use layout_algebra::tensor::{Fragment, TileMut};
use layout_nvidia::copy::{
    SM75_U32x4_LDSM_N, SM80_CP_ASYNC_CACHEALWAYS_ZFILL, SM80_CP_ASYNC_CACHEGLOBAL_ZFILL,
};
use layout_nvidia::device::{self, Pipeline, SharedTile, SharedTiles, kernel};

use crate::grouped_sm90::{Schedule, Tile, row_range};
use crate::hgemm::{Half, Units};

/// The threads of a block.
pub type Threads = Layout!(256);
/// The stages of all warps: the 8 halves of a unit, units, warps. A box is 64 units: eight rows of
/// A or eight columns of C, and 64 along K. A stage has boxes of B, followed by boxes of A. The
/// size suffices for four stages of one strip and 8 rows of A, three with 16 rows, or two with 16
/// rows and two strips.
pub type Stages = Layout!((8, 768, 8));
/// The accumulators of all warps, ordered by thread: columns of C, rows, warps, and two buffers,
/// which alternate or belong to two strips.
pub type Accumulators =
    OrderedLayout<Shape!(((8, 2), (2, 4, 2), 8, 2)), Shape!(((3, 1), (0, 2, 4), 5, 6))>;
/// The stages of one warp: the 8 halves of a unit, units, stages.
type StagesOf<'a, T> = Tensor<TileMut<'a, T, InShared>, Layout!((8, usize, usize):(1, 8, usize))>;
/// What a block has in shared memory.
pub type Shared<T> = (SharedTile<T, Stages>, SharedTile<f32, Accumulators>);
/// A thread's operands: the two halves of the four steps along K are contiguous.
type OperandB = Layout!(((2, 2, 2), 1, (2, 2)));
type OperandA = Layout!(((2, 2), 1, (2, 2)));
/// A thread's accumulators.
type Products = Layout!(((2, 2), 1, 1));

/// Computes the products of `groups` groups: `ROWS` rows and `STRIPS` strips at a time, `n` columns
/// for each group, `k` along K, on `blocks` blocks. The kernel may start before the previous launch
/// ends.
///
/// The matrices exist; B has `groups * n` rows of `k` elements; 8 divides `k`, and 16 divides the
/// addresses of `a` and `b`. `offsets` are `groups + 1` ascending elements, from 0 to the number of
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
    // The number of boxes of B in a stage, and the number of all boxes.
    let (boxes_b, boxes) = const { (2 * STRIPS, 2 * STRIPS + ROWS as usize / 8) };
    const { assert!(STAGES * (2 * STRIPS + ROWS as usize / 8) <= 768 / 64, "stages of a warp") };
    // SAFETY: the caller's promises. A stage belongs to its warp; copies that the pipeline waits
    // for write it. Each thread writes its own accumulators, and others read them after a barrier;
    // the tile after the next one is written after the next barrier, a second strip one barrier
    // later. Elements outside the matrices are not read, except for zeros along K, and their
    // products are not written.
    unsafe {
        device::launch_dependents();
        let (mut stages, mut sums) = Shared::<T>::make_tensors();
        // (8, units, warps), (columns, rows, warps, turns)
        device::grid_dependency_wait();
        let (n, k, thread) = (n as usize, k as usize, device::thread_index());
        let (warp, lane) = (device::first_of_warp(thread as u64 / 32) as usize, thread % 32);
        let rows_of = row_range(offsets, groups);
        let mut stages = stages.slice_unchecked_mut((.., .., warp)); // (8, units)
        let mut stages = stages.view_mut().with_layout_unchecked(layout!((8, 64 * boxes, STAGES)));
        // (8, units, stages)
        // Rows of `k`, in units, four rows at a time. Rows that do not exist are not read.
        let (units, tiles_of_n) = (8 * k.div_ceil(64), n.div_ceil(16 * STRIPS));
        let b = Tensor::from_global_ref(
            b,
            layout!((8, units, 4, 4 * STRIPS, tiles_of_n, groups as usize)
                : (1, 8, k, 4 * k, 16 * STRIPS * k, n * k)),
        ); // (8, units, 4 columns, fours, tiles, groups)
        let columns = n.div_ceil(16 * STRIPS) as u32;
        let (first, tiles) = (
            device::block_index().0 as u32,
            Schedule::<ROWS>::new(groups, columns).count_tiles(rows_of),
        );
        let Some(every) = NonZeroU32::new(blocks) else { device::trap() };
        let mine = if first < tiles { (tiles - first - 1) / every + 1 } else { 0 };
        let pieces = (k.div_ceil(64) + 7 - warp) / 8;

        // The tile whose operands are fetched next, and the next of the warp's pieces along K.
        let mut ahead = (Schedule::<ROWS>::new(groups, columns), first, None::<Tile>, pieces);
        let mut fetch = |stages: &mut StagesOf<'_, T>, to: usize| {
            if ahead.3 == pieces {
                (ahead.2, ahead.3) = (ahead.0.find_tile(ahead.1, rows_of), 0);
                ahead.1 += blocks;
            }
            let Some(tile) = ahead.2 else { return };
            let (row, unit) = (lane / 8, 8 * (warp + 8 * ahead.3) + lane % 8);
            let places = [0, 4].map(|down| Units::default().index((row + down, lane % 8)));
            let mut to = stages.slice_unchecked_mut((.., .., to)); // (8, units)
            let column = 16 * STRIPS * tile.column as usize + row;
            let b =
                b.slice_unchecked((.., unit, row, .., tile.column as usize, tile.group as usize));
            // (8, fours)
            for_static!(R in 0..8, {
                if const { R < 4 * STRIPS } && column + 4 * R < n {
                    let mut to = to.slice_unchecked_mut((.., 64 * (R / 2) + places[R % 2])); // (8)
                    let _ = copy(&SM80_CP_ASYNC_CACHEGLOBAL_ZFILL::<u128, T>::new()
                        .with_predicate(8 * unit < k), &b.slice_unchecked((.., R)), &mut to);
                }
            });
            let (at, end) = ((tile.rows.0 + ROWS * tile.row) as usize + row, tile.rows.1 as usize);
            let a = Tensor::from_global_ref(
                a,
                layout!((8, units, end, ROWS as usize / 4):(1, 8, k, 4 * k)),
            ); // (8, units, rows, fours from a row on)
            let a = a.slice_unchecked((.., unit, at, ..)); // (8, fours)
            for_static!(R in 0..4, {
                if const { 4 * R < ROWS as usize } && at + 4 * R < end {
                    let place = 64 * (boxes_b + R / 2) + places[R % 2];
                    let mut to = to.slice_unchecked_mut((.., place)); // (8)
                    let _ = copy(&SM80_CP_ASYNC_CACHEALWAYS_ZFILL::<u128, T>::new()
                        .with_predicate(8 * unit < k), &a.slice_unchecked((.., R)), &mut to);
                }
            });
            ahead.3 += 1;
        };
        let mut pipe = Pipeline::<STAGES, true>::new(mine as usize * pieces);
        let Ok(()) = pipe.load_prologue(|_, to| {
            fetch(&mut stages, to);
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
                    fetch(&mut stages, to);
                    Ok(())
                });
                pipe.commit_group();
                let stage = stages.slice_unchecked((.., .., pipe.read_stage())); // (8, units)
                let four = SM75_U32x4_LDSM_N::<T>::new();
                let mut fb = [(); 2].map(|()| Fragment::<T, OperandB>::zeroed());
                // (V, M, K) of B for each strip
                for_static!(S in 0..2, {
                    if const { S < STRIPS } {
                        for_static!(STEP in 0..4, {
                            let at = Units::default().index((lane % 16, 2 * STEP + lane / 16));
                            let from = stage.slice_unchecked((.., 128 * S + at)); // (8)
                            let _ = copy(&four, &from,
                                &mut fb[S].slice_unchecked_mut((.., .., (STEP % 2, STEP / 2))));
                        });
                    }
                });
                for_static!(E in 0..2, {
                    if const { 8 * E < ROWS as usize } {
                        let mut fa = Fragment::<T, OperandA>::zeroed(); // (V, N, K) of A
                        for_static!(H in 0..2, {
                            let at = Units::default().index((lane % 8, 4 * H + lane / 8));
                            let from = stage.slice_unchecked((.., 64 * (boxes_b + E) + at)); // (8)
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
            let mut of_lanes = sums.view_mut().with_layout_unchecked(layout!((4, 32, 2, 8, 2)));
            // (V, lanes, eights of rows, warps, turns)
            for_static!(S in 0..2, {
                for_static!(E in 0..2, {
                    if const { S < STRIPS && 8 * E < ROWS as usize } {
                        let mut four = of_lanes.slice_unchecked_mut((.., lane, E, warp, turn + S));
                        // (V)
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
                        let of_warps = sums.slice_unchecked((column, row, .., turn + S)); // (warps)
                        let mut each = Fragment::<f32, Layout!(8)>::zeroed(); // (warps)
                        let _ = copy(&UniversalCopy::<f32>::new(), &of_warps, &mut each);
                        let mut sum = 0.0;
                        for_static!(W in 0..8, {
                            sum += each[W];
                        });
                        let (row, end) =
                            ((tile.rows.0 + ROWS * tile.row) as usize + row, tile.rows.1 as usize);
                        let column = 16 * (STRIPS * tile.column as usize + S) + column;
                        if row < end && column < n {
                            let mut c = Tensor::from_global(c, layout!((end, n):(n, 1)));
                            // (rows, columns)
                            *c.get_unchecked_mut((row, column)) = T::convert_pair(sum, sum)[0];
                        }
                    }
                });
            }
            number += blocks;
            turn = 2 - STRIPS - turn;
        }
    }
}
