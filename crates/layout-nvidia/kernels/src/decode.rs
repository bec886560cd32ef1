//! A decoding step on Hopper: one or a few rows of queries of each sequence attend to all keys so
//! far, which are in pages of a cache. Heads of queries share heads of keys and values. Halves with
//! accumulators in fp32.
//!
//! ```text
//! cache        K and V: slots x d x heads; a page is `16 per_page` slots, and a table has the pages of each sequence
//! rows         64 of a product: of one head of keys the heads of queries that share it, in boxes of 8, row by row
//! part         up to `chunk` tiles of 128 keys of a sequence: few sequences have many parts, which are joined at the end
//! block        4 warps multiply, the last tile of a part first; a warp fetches, each of its lanes 16 keys of a tile
//! ```
//!
//! The keys and values of a part are read once: the kernel is bound by memory bandwidth.

use core::num::NonZeroU32;

use half::{bf16, f16};
use layout_algebra::for_static;
use layout_algebra::prelude::*;
use layout_nvidia::cluster_size;
use layout_nvidia::device::{self, SharedTiles, kernel};
use layout_nvidia::hopper::{self, Half, Map, SoftmaxRows, TensorMap};

use crate::heads::{
    Head, HeadDim, Out, Rows128, Shared, first_score, narrow_scores, read_stage_word, set_up_rings,
};
use crate::parts::{Plan, unpack_part};

/// The threads of a block: a warpgroup that multiplies, and a warpgroup with one producer warp.
pub type Threads = Layout!(256);
/// The box of Q that one copy fetches: one row of 8 heads, which share their keys.
pub type BoxQ = ComposedLayout<Rows128, Int<0>, Layout!((8, 64): right)>;
/// The box of K that one copy fetches.
pub type BoxK = ComposedLayout<Rows128, Int<0>, Layout!((16, 64): right)>;
/// The box of V that one copy fetches.
pub type BoxV = ComposedLayout<Rows128, Int<0>, Layout!((64, 16))>;
/// The boxes of Q in shared memory, divided into what one copy fetches.
pub type PiecesQ = ComposedLayout<
    Rows128,
    Int<0>,
    OrderedLayout<Shape!(((8, 16), 64, 4)), Shape!(((1, 2), 0, 3))>,
>;
/// The boxes of K in shared memory, divided into what one copy fetches.
pub type PiecesK = ComposedLayout<
    Rows128,
    Int<0>,
    OrderedLayout<Shape!(((16, 8), 64, 4)), Shape!(((1, 2), 0, 3))>,
>;
/// The boxes of V in shared memory, divided into what one copy fetches.
pub type PiecesV = ComposedLayout<Rows128, Int<0>, Layout!((64, (16, 8), 4))>;

/// Computes the parts of a step. For each part and row, `sums` gets the sums of `P V`, not divided,
/// and `rows` gets the largest score and the sum of the powers: parts x sequences x queries x heads
/// x group. `scale` is `log2(e) / sqrt(d)`. The kernel may start before the previous launch ends.
///
/// # Safety
/// The maps belong to Q, group x d x (heads, queries, sequences), and to K and V, laid out as
/// above. `plan` is the plan of `lengths`, with the words of its parts behind it, and `table` has
/// the pages of all sequences; there is memory for all results.
#[kernel(
    threads = Threads, shared = Shared<T>,
    instances(<64, 4, f16>, <64, 4, bf16>, <128, 2, f16>, <128, 2, bf16>)
)]
pub unsafe fn decode<const D: usize, const STAGES: u32, T: Half>(
    plan: *mut [u64; 2],
    lengths: *const u32,
    table: *const u32,
    scale: f32,
    q: Map<T, BoxQ, 3>,
    k: Map<T, BoxK, 3>,
    v: Map<T, BoxV, 3>,
    sums: *mut f32,
    rows: *mut f32,
) where
    HeadDim<D>: Head<T>,
{
    cluster_size!(1);
    // SAFETY: the caller's promises; a stage is written between `producer_acquire` and
    // `arrive_and_expect_tx`, and read between `consumer_wait` and `consumer_release`, and so is
    // the word of its part; each part and row has its own place among the results.
    unsafe {
        device::launch_dependents();
        let wide = const { <HeadDim<D> as Head<T>>::WIDE };
        let (counter, parts, memory) =
            (plan.cast::<u32>(), plan.add(Plan::PAIRS), plan.cast::<Plan>());
        let (sq, sk, mut sv, _, barriers, mut words) = Shared::<T>::make_tensors();
        // (rows, 64, boxes) of Q and K, (64, rows, boxes), (barriers), (words, stages)
        let thread = device::thread_index();
        // The 32 lanes of a warp fill a stage, each with its bytes.
        let (ring_q, ring_k, ring_v) = set_up_rings::<STAGES>(&barriers, (32, 1), || {
            q.prefetch_descriptor();
            k.prefetch_descriptor();
            v.prefetch_descriptor();
        });
        let plan = memory.read();
        let lengths = Tensor::from_global_ref(lengths, layout!(plan.sequences as usize));
        // (sequences)

        // Neither number is 0.
        let [per_row, per_page] =
            [plan.group.div_ceil(8), plan.per_page].map(|x| NonZeroU32::new_unchecked(x));
        if thread >= 160 {
        } else if thread >= 128 {
            let lane = thread - 128;
            let mut sq = sq.with_layout_unchecked(PiecesQ::default());
            // ((8 heads, rows of queries), 64, boxes)
            let mut sk = sk.with_layout_unchecked(PiecesK::default());
            // ((16 slots, pieces), 64, boxes)
            let mut sv = sv.with_layout_unchecked(PiecesV::default());
            // (64, (16 slots, pieces), boxes)
            let of_q = Tensor::coordinates(identity(shape!((64, 128, 2147483648))));
            // (group, d, (heads, queries, sequences))
            let of_k = Tensor::coordinates(identity(shape!((2147483648, 128, 65536))));
            // (slots, d, heads)
            let of_v = Tensor::coordinates(identity(shape!((128, 2147483648, 65536))));
            // (d, slots, heads)
            let (mut ring_q, mut ring_k, mut ring_v) =
                (ring_q.producer(), ring_k.producer(), ring_v.producer());
            let table = Tensor::from_global_ref(
                table,
                layout!((plan.pages as usize, plan.sequences as usize)),
            ); // (pages, sequences)
            let bytes = |there: bool, each: u32| if there { wide as u32 * each } else { 0 };
            let mut number = device::block_index().0 as u32;
            loop {
                // After the last part comes a stage without a part.
                let part = parts.add(u32::min(number, plan.parts) as usize);
                let [sequence, head, first, count] = unpack_part(part.cast::<u64>().read());
                let stage = ring_q.producer_acquire();
                let i = wide * stage.stage_index() as usize;
                if lane == 0 {
                    hopper::load_word_pair(part, &mut words, &stage);
                }
                let word = if lane == 0 { 16 } else { 0 };
                if number >= plan.parts {
                    stage.arrive_and_expect_tx(word);
                    break;
                }
                let taken = if lane == 0 {
                    device::atomic_inc(counter, plan.parts.wrapping_sub(1))
                } else {
                    0
                };
                number = plan.blocks + device::first_of_warp(u64::from(taken)) as u32;
                let (row, part) = (lane as u32 / per_row, lane as u32 % per_row);
                let mine = row < plan.queries;
                if mine {
                    let third = ((sequence * plan.queries + row) * plan.heads + head) as usize;
                    for j in 0..wide {
                        let from = of_q
                            .local_tile(tiler!(8, 64, 1), (part as usize, j, third))
                            .unwrap_unchecked(); // (8 heads, 64 of d, 1)
                        q.load_tile(
                            &from,
                            &mut sq.slice_unchecked_mut(((.., lane), .., i + j)),
                            &stage,
                        );
                    }
                }
                stage.arrive_and_expect_tx(word + bytes(mine, TensorMap::<T, BoxQ, 3>::BYTES));
                let sixteens = lengths.get_unchecked(sequence as usize).div_ceil(16);
                let pages = table.slice_unchecked((.., sequence as usize)); // (pages)
                // The group of 16 slots that the lane fetches of a tile, and whether the lane has
                // one. (The page is read before this is known.)
                let slots = |column: u32| {
                    let sixteen = 8 * column + lane as u32 % 8;
                    let page = u32::min(sixteen / per_page, plan.pages - 1) as usize;
                    let at =
                        (pages.get_unchecked(page) * plan.per_page + sixteen % per_page) as usize;
                    (lane < 8 && sixteen < sixteens, at)
                };
                let mut next = slots(first + count - 1);
                for column in (first..first + count).rev() {
                    let (there, at) = next;
                    next = slots(column.saturating_sub(1));
                    let stage = ring_k.producer_acquire();
                    let i = wide * stage.stage_index() as usize;
                    if there {
                        for j in 0..wide {
                            let from = of_k
                                .local_tile(tiler!(16, 64, 1), (at, j, head as usize))
                                .unwrap_unchecked(); // (16 slots, 64 of d, 1 head)
                            k.load_tile(
                                &from,
                                &mut sk.slice_unchecked_mut(((.., lane), .., i + j)),
                                &stage,
                            );
                        }
                    }
                    stage.arrive_and_expect_tx(bytes(there, TensorMap::<T, BoxK, 3>::BYTES));
                    let stage = ring_v.producer_acquire();
                    let i = wide * stage.stage_index() as usize;
                    if there {
                        for j in 0..wide {
                            let from = of_v
                                .local_tile(tiler!(64, 16, 1), (j, at, head as usize))
                                .unwrap_unchecked(); // (64 of d, 16 slots, 1 head)
                            v.load_tile(
                                &from,
                                &mut sv.slice_unchecked_mut((.., (.., lane), i + j)),
                                &stage,
                            );
                        }
                    }
                    stage.arrive_and_expect_tx(bytes(there, TensorMap::<T, BoxV, 3>::BYTES));
                }
            }
            ring_q.producer_tail();
            ring_k.producer_tail();
            ring_v.producer_tail();
        } else {
            // The thread's two rows are in two boxes, one below the other.
            let (row, first_key) = first_score::<T>(thread);
            let places = [0, 1].map(|down| {
                let of = row as u32 / 8 + down;
                (of / per_row, 8 * (of % per_row) + row as u32 % 8)
            });
            let (mut ring_q, mut ring_k, mut ring_v) =
                (ring_q.consumer(thread % 32), ring_k.consumer(thread), ring_v.consumer(thread));
            let scores_of = |query, key| {
                HeadDim::<D>::gemm_query_key(&sq, query, &sk, key, device::black_box(thread))
            };
            loop {
                let query = ring_q.consumer_wait();
                let [sequence, head, first, count] =
                    unpack_part(read_stage_word(&words, query.stage_index(), thread % 32));
                if count == 0 {
                    query.consumer_release();
                    break;
                }
                let length = *lengths.get_unchecked(sequence as usize);
                let length = device::first_of_warp(length.into()) as i32;
                let key = ring_k.consumer_wait();
                let next = scores_of(query.stage_index(), key.stage_index()); // (V, M, N) of S
                let mut scores = next.wait_group::<0>(); // (V, M, N) of S
                key.consumer_release();
                let mut column = first + count - 1;
                // `there`: keys that exist in this tile. `seen`: keys that a row attends to. Both
                // count from the thread's first key.
                let there = |column: u32| length - 128 * column as i32;
                let seen = |column: u32| {
                    places.map(|(query, _)| {
                        there(column) - plan.queries as i32 + query as i32 + 1 - first_key as i32
                    })
                };
                hopper::mask_columns(&mut scores, seen(column));
                let mut softmax = SoftmaxRows::new();
                let _ = softmax.exponentiate(&mut scores, scale);
                let mut value = ring_v.consumer_wait();
                if there(column) < 128 {
                    // Slots behind the last key do not belong to the sequence and may hold NaN,
                    // which a power of 0 does not cancel: they are cleared.
                    if thread as i32 >= there(column) {
                        HeadDim::<D>::clear_row(
                            &mut sv,
                            value.stage_index(),
                            device::black_box(thread),
                        );
                    }
                    hopper::fence_async();
                    hopper::named_barrier_sync::<128>(1);
                }
                let mut out = Out::<HeadDim<D>, T>::zeroed();
                while column > first {
                    // This loop equals the one of `attention`.
                    let powers = narrow_scores::<T>(&scores); // (V, M, K) of P
                    let key = ring_k.consumer_wait();
                    let next = scores_of(query.stage_index(), key.stage_index()); // (V, M, N) of S
                    let sum = HeadDim::<D>::gemm_power_value(
                        out,
                        &powers,
                        &sv,
                        value.stage_index(),
                        thread,
                    ); // (V, M, N) of O
                    scores = next.wait_group::<1>();
                    key.consumer_release();
                    column -= 1;
                    hopper::mask_columns(&mut scores, seen(column));
                    let shrink = softmax.exponentiate(&mut scores, scale);
                    hopper::warpgroup_fence_operand(&mut scores);
                    out = sum.wait_group::<0>();
                    value.consumer_release();
                    value = ring_v.consumer_wait();
                    hopper::scale_rows(&mut out, shrink);
                }
                query.consumer_release();
                let powers = narrow_scores::<T>(&scores); // (V, M, K) of P
                out =
                    HeadDim::<D>::gemm_power_value(out, &powers, &sv, value.stage_index(), thread)
                        .wait_group::<0>();
                value.consumer_release();
                let (most, sum) = softmax.max_and_sum();
                // The plan is read a second time, so that no register keeps it during the loop.
                let plan = memory.read();
                let all = plan.queries * plan.heads * plan.group;
                let part = first / NonZeroU32::new_unchecked(plan.chunk);
                let results = (part + 1) * plan.sequences * all;
                let mut sums = Tensor::from_global(
                    sums.cast::<[f32; 2]>(),
                    layout!((4, D / 8, results as usize)),
                ); // (threads of a row, pairs, results)
                let mut rows =
                    Tensor::from_global(rows.cast::<[f32; 2]>(), layout!(results as usize));
                // (results)
                for_static!(R in 0..2, {
                    let (query, of) = places[R];
                    if query < plan.queries && of < plan.group {
                        let row = (query * plan.heads + head) * plan.group + of;
                        let at = ((part * plan.sequences + sequence) * all + row) as usize;
                        let mut pairs = sums.slice_unchecked_mut((first_key / 2, .., at));
                        // (pairs)
                        for_static!(I in 0..16, {
                            if let (Some(x), Some(y)) =
                                (out.value(4 * I + 2 * R), out.value(4 * I + 2 * R + 1))
                            {
                                *pairs.get_unchecked_mut(I) = [*x, *y];
                            }
                        });
                        // (Four threads write the same numbers.)
                        *rows.get_unchecked_mut(at) = [most[R], sum[R]];
                    }
                });
            }
        }
    }
}
