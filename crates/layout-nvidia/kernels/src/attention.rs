//! `O = softmax(Q K^T / sqrt(d)) V`: attention forward on Hopper's tensor cores, for many heads at
//! once. Operands are halves, accumulators are fp32. Q, K, V and O of a head are `(rows, d)`,
//! row-major; V is seen as `(d, rows)`.
//!
//! ```text
//! block        3 warpgroups of 128 threads: one fetches, two have 64 queries each. The blocks stay, and take one tile after
//!              the other from a list (`HeadTiles`), whoever is first
//! tile         128 queries of a head; the block goes through 128 keys at a time, the last ones first
//! scores       64 x 128 of a warpgroup: a thread has parts of two rows of them. Narrowed, its values of scores are its
//!              values of the operand that multiplies V: the scores never leave their registers
//! rings        Q in two stages, with the word that says which tile it is of; K and V in two each, of heads of 64 in four
//! ```
//!
//! While the tensor cores multiply one tile's powers by V, a warpgroup computes the next tile's
//! powers:
//!
//! ```text
//! S(t) = Q K(t)^T        on its way  |
//! O   += P(t+1) V(t+1)   on its way  |  S(t) is over: largest scores of its rows, P(t) = 2^(S(t) - largest), sums
//!                                       O is over: it shrinks by what the largest scores have grown
//! ```
//!
//! The end of a tile of queries overlaps too: the next tile's first scores are being computed while
//! O is divided by the sums of powers and stored through shared memory.

use half::{bf16, f16};
use layout_algebra::for_static;
use layout_algebra::prelude::*;
use layout_nvidia::cluster_size;
use layout_nvidia::device::{self, SharedTiles, kernel};
use layout_nvidia::hopper::{self, Epilogue, Half, HeadTile, Map, MapMut, SoftmaxRows, TensorMap};

pub use crate::heads::*;

/// The threads of a block.
pub type Threads = Layout!(384);
/// The box of Q or of K that one copy fetches: 128 rows of a head, 64 elements of each.
pub type Fetched = Tiler!(128, 64, 1);
/// The box of V that one copy fetches.
pub type FetchedV = Tiler!(64, 128, 1);
/// The box of O that one copy stores: 64 rows of a head, 64 elements of each.
pub type Stored = Tiler!(64, 64, 1);
/// The box of Q or of K in shared memory.
pub type Box = ComposedLayout<Rows128, Int<0>, Layout!((128, 64): right)>;
/// The box of V in shared memory.
pub type BoxV = ComposedLayout<Rows128, Int<0>, Layout!((64, 128))>;
/// The box of O in shared memory.
pub type BoxO = ComposedLayout<Rows128, Int<0>, Layout!((64, 64): right)>;

/// Computes 128 rows of O for each tile of `schedule`, from the 128 rows of Q of this tile and
/// `keys` rows of K and V, by `blocks` blocks. `scale` is `log2(e) / sqrt(d)`. If `causal` is not
/// 0, row `i` of Q attends only to rows 0 to `i` of K. The kernel may start before the previous
/// launch ends, under programmatic dependent launch.
///
/// The maps belong to the tensors: Q, K and O are rows x d x heads, V is d x rows x heads.
/// `schedule` is a list of `tiles` tiles (`HeadTile::schedule_words`), each with the number of its
/// first row and of its heads; another launch that runs at the same time must not use this list,
/// since the blocks take tiles by its counter.
#[cfg(feature = "attention")]
#[kernel(
    threads = Threads, shared = Shared<T>,
    instances(<64, 4, f16>, <64, 4, bf16>, <128, 2, f16>, <128, 2, bf16>)
)]
pub unsafe fn attention<const D: usize, const STAGES: u32, T: Half>(
    keys: u32,
    causal: u32,
    tiles: u32,
    blocks: u32,
    scale: f32,
    schedule: *mut [u64; 2],
    q: Map<T, Box, 3>,
    k: Map<T, Box, 3>,
    v: Map<T, BoxV, 3>,
    o: MapMut<T, BoxO, 3>,
) where
    HeadDim<D>: Head<T>,
{
    cluster_size!(1);
    // SAFETY: the caller's promises; a stage is written between `producer_acquire` and
    // `arrive_and_expect_tx`, and read between `consumer_wait` and `consumer_release`, and so is
    // the word of its tile; each warpgroup has its own parts of O, between its barriers. Tiles,
    // threads and values are in range: nothing ends the kernel in the middle of a role, which would
    // keep ptxas from redistributing the registers.
    unsafe {
        device::launch_dependents();
        let wide = const { <HeadDim<D> as Head<T>>::WIDE };
        let (mut sq, mut sk, mut sv, mut so, barriers, mut words) = Shared::<T>::make_tensors();
        // (rows, 64, boxes) of Q, K; (64, rows, boxes), (64, 64, boxes), (barriers), (words,
        // stages)
        let thread = device::thread_index();
        let (ring_q, ring_k, ring_v) = set_up_rings::<STAGES>(&barriers, (1, 2), || {
            q.prefetch_descriptor();
            k.prefetch_descriptor();
            v.prefetch_descriptor();
            o.prefetch_descriptor();
        });

        // Larger than every tensor in rows and heads: the map of a tensor has its extents.
        let of_rows = Tensor::coordinates(identity(shape!((2147483648, 128, 65536))));
        // (rows, d, heads)
        let of_columns = Tensor::coordinates(identity(shape!((128, 2147483648, 65536))));
        // (d, rows, heads)
        let warpgroup = thread / 128;
        if thread >= 256 {
            hopper::setmaxnreg_dec::<24>();
            if thread == 256 {
                let (mut ring_q, mut ring_k, mut ring_v) =
                    (ring_q.producer(), ring_k.producer(), ring_v.producer());
                let mut number = device::block_index().0 as u32;
                loop {
                    // After the last tile comes a stage without a tile.
                    let words_of = schedule.add(1 + u32::min(number, tiles) as usize);
                    let stage = ring_q.producer_acquire();
                    hopper::load_word_pair(words_of, &mut words, &stage);
                    if number >= tiles {
                        stage.arrive_and_expect_tx(16);
                        break;
                    }
                    number = blocks + device::atomic_inc(schedule.cast(), tiles.wrapping_sub(1));
                    let tile = HeadTile::from_word(words_of.cast::<u64>().read());
                    let i = wide * stage.stage_index() as usize;
                    for j in 0..wide {
                        let at = (tile.row as usize, j, tile.head as usize);
                        let from = of_rows.local_tile(Fetched::default(), at).unwrap_unchecked();
                        // (128 rows, 64 of d, 1 head)
                        q.load_tile(&from, &mut sq.slice_unchecked_mut((.., .., i + j)), &stage);
                    }
                    stage.arrive_and_expect_tx(16 + wide as u32 * TensorMap::<T, Box, 3>::BYTES);
                    let head = tile.shared as usize;
                    for column in (0..tile.columns as usize).rev() {
                        let stage = ring_k.producer_acquire();
                        let i = wide * stage.stage_index() as usize;
                        for j in 0..wide {
                            let from = of_rows
                                .local_tile(Fetched::default(), (column, j, head))
                                .unwrap_unchecked(); // (128 rows, 64 of d, 1 head)
                            k.load_tile(
                                &from,
                                &mut sk.slice_unchecked_mut((.., .., i + j)),
                                &stage,
                            );
                        }
                        stage.arrive_and_expect_tx(wide as u32 * TensorMap::<T, Box, 3>::BYTES);
                        let stage = ring_v.producer_acquire();
                        let i = wide * stage.stage_index() as usize;
                        for j in 0..wide {
                            let from = of_columns
                                .local_tile(FetchedV::default(), (j, column, head))
                                .unwrap_unchecked(); // (64 of d, 128 rows, 1 head)
                            v.load_tile(
                                &from,
                                &mut sv.slice_unchecked_mut((.., .., i + j)),
                                &stage,
                            );
                        }
                        stage.arrive_and_expect_tx(wide as u32 * TensorMap::<T, BoxV, 3>::BYTES);
                    }
                }
                ring_q.producer_tail();
                ring_k.producer_tail();
                ring_v.producer_tail();
            }
        } else {
            hopper::setmaxnreg_inc::<240>();
            let mine = thread % 128;
            // Only the last tile of keys is partial or masked. The number of keys that each of the
            // two rows of the thread attends to, counted from the first key of the thread:
            let visible = |tile: &HeadTile| {
                let (column, (first_query, first_key)) =
                    (tile.columns - 1, first_score::<T>(device::black_box(thread)));
                [0, 8].map(|down| {
                    let there = (keys - 128 * column) as i32;
                    let past =
                        128 * (tile.row as i32 - column as i32) + (first_query + down) as i32 + 1;
                    (if causal != 0 { i32::min(there, past) } else { there }) - first_key as i32
                })
            };
            let mut send = |out: &mut Out<HeadDim<D>, T>, tile: &HeadTile| {
                // The store of the previous part of O has read shared memory.
                if hopper::elect_one(device::black_box(thread) % 128) {
                    hopper::tma_store_wait::<0>();
                }
                hopper::named_barrier_sync::<128>(1 + warpgroup as u32);
                let epilogue =
                    Epilogue::for_thread(warpgroup, device::black_box(mine)).unwrap_unchecked();
                for_static!(J in 0..2, {
                    if J < wide {
                        let part = epilogue.convert_part(out, J, |_, sum| sum);
                        // ((2, 2, 8), 1, 1): (V, M, N) of 64 columns
                        epilogue.copy_to_tile(&part,
                            &mut so.slice_unchecked_mut((.., .., wide * warpgroup + J)));
                    }
                });
                hopper::fence_async();
                hopper::named_barrier_sync::<128>(1 + warpgroup as u32);
                if hopper::elect_one(device::black_box(thread) % 128) {
                    for j in 0..wide {
                        let at = (2 * tile.row as usize + warpgroup, j, tile.head as usize);
                        let there = of_rows.local_tile(Stored::default(), at).unwrap_unchecked();
                        // (64 rows, 64 of d, 1 head)
                        o.store_tile(&there, &so.slice_unchecked((.., .., wide * warpgroup + j)));
                    }
                }
            };
            let (mut ring_q, mut ring_k, mut ring_v) =
                (ring_q.consumer(mine % 32), ring_k.consumer(mine), ring_v.consumer(mine));
            let tile_of = |stage: u32| {
                HeadTile::from_word(read_stage_word(&words, stage, device::black_box(thread) % 32))
            };
            let scores_of = |query, key| {
                HeadDim::<D>::gemm_query_key(&sq, query, &sk, key, device::black_box(thread))
            };
            let add_values = |out, powers: &P<T>, value| {
                HeadDim::<D>::gemm_power_value(out, powers, &sv, value, thread)
            };
            let mut query = ring_q.consumer_wait();
            let mut tile = tile_of(query.stage_index());
            if tile.columns > 0 {
                let key = ring_k.consumer_wait();
                let next = scores_of(query.stage_index(), key.stage_index()); // (V, M, N) of S
                let mut scores = next.wait_group::<0>(); // (V, M, N) of S
                key.consumer_release();
                hopper::mask_columns(&mut scores, visible(&tile));
                let mut softmax = SoftmaxRows::new();
                let _ = softmax.exponentiate(&mut scores, scale);
                let mut out = Out::<HeadDim<D>, T>::zeroed();
                loop {
                    let mut column = tile.columns - 1;
                    while column > 0 {
                        let powers = narrow_scores::<T>(&scores); // (V, M, K) of P
                        let key = ring_k.consumer_wait();
                        let next = scores_of(query.stage_index(), key.stage_index());
                        // (V, M, N) of S
                        let value = ring_v.consumer_wait();
                        let sum = add_values(out, &powers, value.stage_index()); // (V, M, N) of O
                        scores = next.wait_group::<1>();
                        key.consumer_release();
                        let shrink = softmax.exponentiate(&mut scores, scale);
                        hopper::warpgroup_fence_operand(&mut scores);
                        out = sum.wait_group::<0>();
                        value.consumer_release();
                        hopper::scale_rows(&mut out, shrink);
                        column -= 1;
                    }
                    query.consumer_release();
                    query = ring_q.consumer_wait();
                    let after = tile_of(query.stage_index());
                    let powers = narrow_scores::<T>(&scores); // (V, M, K) of P
                    if after.columns == 0 {
                        let value = ring_v.consumer_wait();
                        let sum = add_values(out, &powers, value.stage_index()); // (V, M, N) of O
                        let parts = softmax.reciprocal_sums();
                        out = sum.wait_group::<0>();
                        value.consumer_release();
                        hopper::scale_rows(&mut out, parts);
                        send(&mut out, &tile);
                        break;
                    }
                    // The next tile starts while this one ends.
                    let key = ring_k.consumer_wait();
                    let next = scores_of(query.stage_index(), key.stage_index()); // (V, M, N) of S
                    let value = ring_v.consumer_wait();
                    let sum = add_values(out, &powers, value.stage_index()); // (V, M, N) of O
                    scores = next.wait_group::<1>();
                    key.consumer_release();
                    let parts = softmax.reciprocal_sums();
                    softmax = SoftmaxRows::new();
                    hopper::mask_columns(&mut scores, visible(&after));
                    let _ = softmax.exponentiate(&mut scores, scale);
                    hopper::warpgroup_fence_operand(&mut scores);
                    out = sum.wait_group::<0>();
                    value.consumer_release();
                    hopper::scale_rows(&mut out, parts);
                    send(&mut out, &tile);
                    out = Out::<HeadDim<D>, T>::zeroed();
                    tile = after;
                }
            }
            query.consumer_release();
            if mine == 0 {
                hopper::tma_store_wait_all();
            }
        }
    }
}
