//! `O = softmax(Q K^T / sqrt(d)) V`: attention forward on Hopper's tensor cores, for many heads at once. Operands are
//! halves, sums are fp32. Q, K, V and O of a head are `(rows, d)`, row-major; V is seen as `(d, rows)`.
//!
//! ```text
//! block        3 warpgroups of 128 threads: one fetches, two have 64 queries each
//! tile         128 queries of a head; the block goes through 128 keys at a time, the last ones first
//! scores       64 x 128 of a warpgroup: a thread has parts of two rows of them. Narrowed, its values of scores are its
//!              values of the operand that multiplies V: the scores never leave their registers
//! ring         Q in one stage, K and V in two each, so that the next Q is there when a tile ends
//! ```
//!
//! While the tensor cores multiply one tile's powers by V, a warpgroup computes the next tile's:
//!
//! ```text
//! S(t) = Q K(t)^T        on its way  |
//! O   += P(t+1) V(t+1)   on its way  |  S(t) is over: largest scores of its rows, P(t) = 2^(S(t) - largest), sums
//!                                       O is over: it shrinks by what the largest scores have grown
//! ```

use layout_algebra::prelude::*;

/// Rows of 128 bytes, whose units of 16 change places by the number of the row.
pub type Rows128 = Swizzle<3, 3, 3>;
/// The threads of a block.
pub type Threads = Layout!(384);
/// The warpgroups that multiply: one above the other.
pub type Warpgroups = Layout!((2, 1, 1));
/// What is fetched of Q and K at once, of a tile of 128 rows of a head.
pub type Fetched = Tiler!(128, 64, 1);
/// The same of V.
pub type FetchedV = Tiler!(64, 128, 1);
/// What is stored of O at once, of a tile of 64 rows of a head.
pub type Stored = Tiler!(64, 64, 1);
/// The same in shared memory.
pub type Box = ComposedLayout<Rows128, Int<0>, Layout!((128, 64):(64, 1))>;
/// The same of V.
pub type BoxV = ComposedLayout<Rows128, Int<0>, Layout!((64, 128):(1, 64))>;
/// The same of O.
pub type BoxO = ComposedLayout<Rows128, Int<0>, Layout!((64, 64):(64, 1))>;
/// Barriers: two stages, the full and the empty side, and the rings of Q, K and V.
pub type Sides = Layout!((2, 2, 3));
/// Powers of 64 x 128 scores as a thread has them, in the shape of the operand that multiplies V.
pub type Powers = Layout!(((2, 2, 2), 1, 8));
/// The row that a thread's value is of, scores or sums: values by their number -> 0 or 1.
pub type RowOf = Layout!((2, 2, 32):(0, 1, 0));

/// The tiles in shared memory, by the head's size: 64 times `$wide`.
macro_rules! tiles {
    ($($q:ident $k:ident $v:ident $o:ident: $wide:literal, $stage:literal, $part:literal;)*) => {$(
        /// Q: rows, d.
        pub type $q = ComposedLayout<Rows128, Int<0>, Layout!((128, (64, $wide)):(64, (1, 8192)))>;
        /// Stages of K: rows, d, stages.
        pub type $k = ComposedLayout<Rows128, Int<0>, Layout!((128, (64, $wide), 2):(64, (1, 8192), $stage))>;
        /// Stages of V: d, rows, stages.
        pub type $v = ComposedLayout<Rows128, Int<0>, Layout!(((64, $wide), 128, 2):((1, 8192), 64, $stage))>;
        /// O on its way out: rows, d, warpgroups.
        pub type $o = ComposedLayout<Rows128, Int<0>, Layout!((64, (64, $wide), 2):(64, (1, 4096), $part))>;
    )*};
}
tiles! {
    Q64 K64 V64 O64: 1, 8192, 4096;
    Q128 K128 V128 O128: 2, 16384, 8192;
}

#[cfg(feature = "attention")]
mod kernels {
    use super::*;
    use core::num::NonZeroU32;
    use half::{bf16, f16};
    use layout_algebra::atom::{UniversalCopy, copy, make_tiled_mma};
    use layout_algebra::tensor::Fragment;
    use layout_algebra::{FlatLayout, for_static};
    use layout_nvidia::device::{self, SharedTile, SharedTiles};
    use layout_nvidia::hopper::{
        self, Cluster, Consumer, Empty, Full, Going, Mbarrier, Mbarriers, Producer, SM90_64x64x16_F32BF16BF16_RS,
        SM90_64x64x16_F32F16F16_RS, SM90_64x128x16_F32BF16BF16_RS, SM90_64x128x16_F32BF16BF16_SS,
        SM90_64x128x16_F32F16F16_RS, SM90_64x128x16_F32F16F16_SS, TensorMap,
    };
    use layout_nvidia::{cluster_size, kernel};

    /// The row that each value is of, as a table: the compiler of the program has no layout to compute 700 times.
    const ROW: [usize; 128] = {
        let (rows, mut table, mut value) = (FlatLayout::of_type::<RowOf>(), [0; 128], 0);
        while value < table.len() {
            table[value] = rows.at(value);
            value += 1;
        }
        table
    };

    /// What a thread knows of its two rows: the largest score so far, and its part of the sum of powers.
    #[derive(Clone, Copy)]
    struct Rows {
        most: [f32; 2],
        sum: [f32; 2],
    }
    /// The scores of a stage of keys, on their way. Where Q lies is computed anew each time: it would take 16 registers
    /// of a loop that has none.
    macro_rules! scores {
        ($mma:ident $thread:ident: $queries:ident by $keys:ident $stage:ident, $square:ident) => {{
            let share = $mma.get_slice(device::again($thread)).unwrap_unchecked();
            let mut scores = Going::start(share.partition_fragment_c(&$square));
            let keys = $keys.slice_unchecked((.., .., .., $stage.number() as usize));
            scores.gemm(&$mma, &share.partition_a_unchecked(&$queries), &keys, false);
            scores
        }};
    }
    /// Scores become powers of 2, `2^(scale (s - most))`, and are added up; the result is by how much whatever was
    /// computed of earlier scores shrinks.
    macro_rules! powers {
        ($scores:ident, $rows:ident, $scale:ident) => {{
            let before = $rows.most;
            for_static!(I in 0..64, {
                $rows.most[ROW[I]] = f32::max($rows.most[ROW[I]], $scores[I]);
            });
            $rows.most = $rows.most.map(|most| device::reduce_quad(most, f32::max));
            let shrink = [0, 1].map(|row| device::exp2((before[row] - $rows.most[row]) * $scale));
            let top = $rows.most.map(|most| -most * $scale);
            for_static!(R in 0..2, { $rows.sum[R] *= shrink[R]; });
            for_static!(I in 0..64, {
                $scores[I] = device::exp2(device::multiply_add($scores[I], $scale, top[ROW[I]]));
                $rows.sum[ROW[I]] += $scores[I];
            });
            shrink
        }};
    }

    macro_rules! kernels {
        ($($name:ident $shared:ident: $half:ident, d $d:literal $wide:literal $values:literal $pairs:literal,
            $q:ident $k:ident $v:ident $o:ident, $scores_atom:ident $out_atom:ident;)*) => {$(
            /// What a block has in shared memory.
            pub type $shared = (
                SharedTile<$half, $q>, SharedTile<$half, $k>, SharedTile<$half, $v>, SharedTile<$half, $o>,
                SharedTile<Mbarrier, Sides>,
            );
            kernel! {
                /// Of each of `heads` heads `queries` rows of O, from as many of Q and `keys` of K and V, by `blocks`
                /// blocks. `scale` is `log2(e) / sqrt(d)`. If `causal` is not 0, row `i` of Q sees rows 0 to `i` of K.
                ///
                /// # Safety
                /// The maps are those of the tensors, rows x d x heads, of V d x rows x heads.
                pub fn $name(
                    queries: u32, keys: u32, heads: u16, causal: u32, blocks: u32, scale: f32,
                    q: *const TensorMap<$half, Box, 3>, k: *const TensorMap<$half, Box, 3>,
                    v: *const TensorMap<$half, BoxV, 3>, o: *const TensorMap<$half, BoxO, 3>,
                )
                threads: Threads, shared: $shared;
                {
                    cluster_size!(1);
                    // SAFETY: the caller's promises; a stage is written between `reserve` and `fill`, and read between
                    // `wait` and `release`; the parts of O are each warpgroup's own, between its barriers. Tiles,
                    // threads and values are below their numbers: nothing ends the kernel in the middle of a role, or
                    // ptxas would not share the registers out anew.
                    unsafe {
                        let (q, k, v, o) = (&*q, &*k, &*v, &*o);
                        let (mut sq, mut sk, mut sv, mut so, sides) = <$shared>::tensors();
                        let (Some(full_q), Some(empty_q), Some(full_k), Some(empty_k), Some(full_v), Some(empty_v)) = (
                            sides.slice_unchecked((.., 0, 0)).address(0), sides.slice_unchecked((.., 1, 0)).address(0),
                            sides.slice_unchecked((.., 0, 1)).address(0), sides.slice_unchecked((.., 1, 1)).address(0),
                            sides.slice_unchecked((.., 0, 2)).address(0), sides.slice_unchecked((.., 1, 2)).address(0),
                        ) else {
                            return;
                        };
                        let (full_q, empty_q) = (Mbarriers::<1>::at(full_q), Mbarriers::<1>::at(empty_q));
                        let (full_k, empty_k) = (Mbarriers::<2>::at(full_k), Mbarriers::<2>::at(empty_k));
                        let (full_v, empty_v) = (Mbarriers::<2>::at(full_v), Mbarriers::<2>::at(empty_v));
                        let (alone, thread) = (Cluster::<1>::here(), device::thread());
                        if thread == 0 {
                            full_q.init(1);
                            empty_q.init(2);
                            full_k.init(1);
                            empty_k.init(2);
                            full_v.init(1);
                            empty_v.init(2);
                            q.prepare();
                            k.prepare();
                            v.prepare();
                            o.prepare();
                        }
                        hopper::cluster_sync(alone);

                        let (rows, columns) = (queries.div_ceil(128), keys.div_ceil(128));
                        let heads = u32::from(heads);
                        let Some(every) = NonZeroU32::new(heads) else { return };
                        // Tiles by the number: their rows, those with most keys first, and their heads.
                        let place = |tile: u32| (rows - 1 - tile / every, tile % every);
                        // The tiles of keys that a tile of queries sees.
                        let seen = |row: u32| if causal != 0 { u32::min(row + 1, columns) } else { columns };
                        // All rows, numbers and heads that there may be: where a tensor ends, its map knows.
                        let of_rows = Tensor::coordinates(identity(shape!((2147483648, $d, 65536))));
                        let of_columns = Tensor::coordinates(identity(shape!(($d, 2147483648, 65536))));
                        let (warpgroup, mut tile) = (thread / 128, device::block().0 as u32);
                        if thread >= 256 {
                            hopper::less_registers::<24>();
                            if thread == 256 {
                                let mut ring_q = Producer::new(Full(full_q), Empty::new(empty_q, alone, 0));
                                let mut ring_k = Producer::new(Full(full_k), Empty::new(empty_k, alone, 0));
                                let mut ring_v = Producer::new(Full(full_v), Empty::new(empty_v, alone, 0));
                                while tile < rows * heads {
                                    let (row, head) = place(tile);
                                    let head = head as usize;
                                    let stage = ring_q.reserve();
                                    let at = (row as usize, 0, head);
                                    let from = of_rows.local_tile(tiler!(128, $d, 1), at).unwrap_unchecked();
                                    for_static!(J in 0..$wide, {
                                        let from = from.local_tile(Fetched::default(), (0, J, 0)).unwrap_unchecked();
                                        q.load(&from, &mut sq.slice_unchecked_mut((.., (.., J))), &stage);
                                    });
                                    stage.fill($wide * TensorMap::<$half, Box, 3>::BYTES);
                                    let mut column = seen(row);
                                    while column > 0 {
                                        column -= 1;
                                        let at = column as usize;
                                        let stage = ring_k.reserve();
                                        let i = stage.number() as usize;
                                        let tile =
                                            of_rows.local_tile(tiler!(128, $d, 1), (at, 0, head)).unwrap_unchecked();
                                        for_static!(J in 0..$wide, {
                                            let from =
                                                tile.local_tile(Fetched::default(), (0, J, 0)).unwrap_unchecked();
                                            k.load(&from, &mut sk.slice_unchecked_mut((.., (.., J), i)), &stage);
                                        });
                                        stage.fill($wide * TensorMap::<$half, Box, 3>::BYTES);
                                        let stage = ring_v.reserve();
                                        let i = stage.number() as usize;
                                        let from =
                                            of_columns.local_tile(tiler!($d, 128, 1), (0, at, head)).unwrap_unchecked();
                                        for_static!(J in 0..$wide, {
                                            let from =
                                                from.local_tile(FetchedV::default(), (J, 0, 0)).unwrap_unchecked();
                                            v.load(&from, &mut sv.slice_unchecked_mut(((.., J), .., i)), &stage);
                                        });
                                        stage.fill($wide * TensorMap::<$half, BoxV, 3>::BYTES);
                                    }
                                    tile += blocks;
                                }
                                ring_q.finish();
                                ring_k.finish();
                                ring_v.finish();
                            }
                        } else {
                            hopper::more_registers::<240>();
                            let of_scores = make_tiled_mma($scores_atom, Warpgroups::default(), tiler!(_, _, _));
                            let of_out = make_tiled_mma($out_atom, Warpgroups::default(), tiler!(_, _, _));
                            let part = make_tiled_mma($out_atom, layout!((1, 1, 1)), tiler!(_, _, _));
                            let mine = thread % 128;
                            let scores_share = of_scores.get_slice(thread).unwrap_unchecked();
                            let out_share = of_out.get_slice(thread).unwrap_unchecked();
                            let tk = scores_share.partition_b_unchecked(&sk);
                            let tv = out_share.partition_b_unchecked(&sv);
                            let square = Tensor::from_global_ref(core::ptr::null::<f32>(), layout!((128, 128)));
                            let wide = Tensor::from_global_ref(core::ptr::null::<f32>(), layout!((128, $d)));
                            // Where the thread's first score lies in its tile, and how far from it the others do, as
                            // for every thread.
                            let whole = Tensor::coordinates(identity(shape!((128, 128))));
                            let (Ok(places), Some(Ok(offsets))) = (
                                scores_share.share_c().coordinates(&whole),
                                of_scores.get_slice(0).map(|share| share.share_c().coordinates(&whole)),
                            ) else {
                                return;
                            };
                            let (first_query, first_key) = places.corner();
                            let mut ring_q = Consumer::new(Full(full_q), Empty::new(empty_q, alone, mine));
                            let mut ring_k = Consumer::new(Full(full_k), Empty::new(empty_k, alone, mine));
                            let mut ring_v = Consumer::new(Full(full_v), Empty::new(empty_v, alone, mine));
                            while tile < rows * heads {
                                let (row, head) = place(tile);
                                let mut column = seen(row) - 1;
                                let query = ring_q.wait();
                                let key = ring_k.wait();
                                let mut scores = scores!(of_scores thread: sq by tk key, square).finish_but::<0>();
                                key.release();
                                // In the last tile of keys alone there are some that a row does not see. This row sees
                                // so many of them, from the thread's first one on:
                                let visible = [0, 8].map(|down| {
                                    let there = (keys - 128 * column) as i32;
                                    let past = 128 * (row as i32 - column as i32) + (first_query + down) as i32 + 1;
                                    (if causal != 0 { i32::min(there, past) } else { there }) - first_key as i32
                                });
                                for_static!(I in 0..64, {
                                    let (_, right) = offsets.get(I).unwrap_unchecked();
                                    let hidden = right as i32 >= visible[ROW[I]];
                                    scores[I] = if hidden { f32::NEG_INFINITY } else { scores[I] };
                                });
                                let mut sums = Rows { most: [f32::NEG_INFINITY; 2], sum: [0.0; 2] };
                                let _ = powers!(scores, sums, scale);
                                let mut out = out_share.partition_fragment_c(&wide);
                                while column > 0 {
                                    let mut powers = Fragment::<$half, Powers>::zeroed();
                                    hopper::narrow(&scores, &mut powers);
                                    let key = ring_k.wait();
                                    let next = scores!(of_scores thread: sq by tk key, square);
                                    let value = ring_v.wait();
                                    let mut sum = Going::start(out);
                                    let pv = tv.slice_unchecked((.., .., .., value.number() as usize));
                                    sum.gemm_registers(&of_out, &powers, &pv, true);
                                    scores = next.finish_but::<1>();
                                    key.release();
                                    let shrink = powers!(scores, sums, scale);
                                    hopper::computed(&mut scores);
                                    out = sum.finish_but::<0>();
                                    value.release();
                                    for_static!(I in 0..$values, { out[I] *= shrink[ROW[I]]; });
                                    column -= 1;
                                }
                                query.release();
                                let mut powers = Fragment::<$half, Powers>::zeroed();
                                hopper::narrow(&scores, &mut powers);
                                let value = ring_v.wait();
                                let mut sum = Going::start(out);
                                let pv = tv.slice_unchecked((.., .., .., value.number() as usize));
                                sum.gemm_registers(&of_out, &powers, &pv, true);
                                let parts = sums.sum.map(|sum| {
                                    device::reciprocal(device::reduce_quad(sum, core::ops::Add::add))
                                });
                                out = sum.finish_but::<0>();
                                value.release();
                                for_static!(I in 0..$values, { out[I] *= parts[ROW[I]]; });

                                // The part of O that was stored before has left shared memory.
                                if mine == 0 {
                                    hopper::stored::<0>();
                                }
                                hopper::group_sync::<128>(1 + warpgroup as u32);
                                let mut to = so.slice_unchecked_mut((.., .., warpgroup));
                                {
                                    let own = part.get_slice(device::again(mine)).unwrap_unchecked();
                                    let mut to = own.partition_c_unchecked_mut(&mut to);
                                    let mut halves = to.fragment_like::<$half>();
                                    hopper::narrow(&out, &mut halves);
                                    let _ = copy(&UniversalCopy::<$half, Int<2>>::new(), &halves, &mut to);
                                }
                                hopper::fence_async();
                                hopper::group_sync::<128>(1 + warpgroup as u32);
                                if mine == 0 {
                                    let at = (2 * row as usize + warpgroup, 0, head as usize);
                                    let there = of_rows.local_tile(tiler!(64, $d, 1), at).unwrap_unchecked();
                                    for_static!(J in 0..$wide, {
                                        let there = there.local_tile(Stored::default(), (0, J, 0)).unwrap_unchecked();
                                        o.store(&there, &to.slice_unchecked((.., (.., J))));
                                    });
                                }
                                tile += blocks;
                            }
                            if mine == 0 {
                                hopper::stored_all();
                            }
                        }
                    }
                }
            }
        )*};
    }
    kernels! {
        attention_64_f16 Shared64F16: f16, d 64 1 32 16, Q64 K64 V64 O64,
            SM90_64x128x16_F32F16F16_SS SM90_64x64x16_F32F16F16_RS;
        attention_64_bf16 Shared64Bf16: bf16, d 64 1 32 16, Q64 K64 V64 O64,
            SM90_64x128x16_F32BF16BF16_SS SM90_64x64x16_F32BF16BF16_RS;
        attention_128_f16 Shared128F16: f16, d 128 2 64 32, Q128 K128 V128 O128,
            SM90_64x128x16_F32F16F16_SS SM90_64x128x16_F32F16F16_RS;
        attention_128_bf16 Shared128Bf16: bf16, d 128 2 64 32, Q128 K128 V128 O128,
            SM90_64x128x16_F32BF16BF16_SS SM90_64x128x16_F32BF16BF16_RS;
    }
}
#[cfg(feature = "attention")]
pub use kernels::*;
