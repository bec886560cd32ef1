//! `C = A B` in fp32: tiles of 128 x 128 x 16 through three stages of shared memory, 8 x 16 sums in each of 128
//! threads.
//!
//! An operand lies in memory with its M or N mode first (BLAS: N for A, T for B), or with K first. In shared memory K
//! is always the slow mode, so that a thread reads its rows and columns 4 at a time: an operand with K first is turned
//! on its way there, in numbers one by one, to columns that are 4 numbers apart from being multiples of all banks. Such
//! copies are slow, and reads of shared memory wait for them: they are started in parts, spread over the steps along K.

#[cfg(feature = "ragged")]
use layout_algebra::atom::copy_if;
use layout_algebra::atom::order::SerpentineByColumns;
use layout_algebra::atom::{CopyAtom, UniversalCopy, copy, gemm_in_order, make_tiled_copy, make_tiled_mma};
use layout_algebra::for_static;
use layout_algebra::prelude::*;
#[cfg(feature = "ragged")]
use layout_nvidia::copy::SM80_CP_ASYNC_CACHEALWAYS_ZFILL;
#[cfg(feature = "sgemm")]
use layout_nvidia::copy::{SM80_CP_ASYNC_CACHEALWAYS, SM80_CP_ASYNC_CACHEGLOBAL};
use layout_nvidia::device::{self, Ended, Fma, Pipeline, SharedTile, SharedTiles};
use layout_nvidia::kernel;

/// The tile of C of a block.
pub type Tile = Tiler!(128, 128);
/// The tile of an operand.
pub type Operand = Tiler!(128, 16);
/// The threads of a block: 16 x 8, so that a warp has 8 x 4 of them.
pub type Threads = Layout!(((8, 2), (4, 2), 1):((1, 32), (8, 64), 0));
/// The rows and columns of a thread: 4 neighbours, and 4 more further on. Their products are computed column by column:
/// that is the order in which ptxas finds registers of different banks for most of them.
pub type Order = Tiler!((16, 4, 2):(4, 1, 64), (8, 4, 4):(4, 1, 32), _);

/// An operand with M or N first: a tile as it stands.
pub type First = Layout!((128, 16, 3));
/// 32 x 4 threads copy 4 neighbours each, to shared memory while the threads go on ..
pub type FetchFirst = (Layout!((32, 4)), Layout!((4, 1)));
/// .. or 64 x 2 a number, 16 times: as few columns lead to few addresses, as few rows to few predicates.
pub type FetchFirstOne = (Layout!((64, 2)), Layout!((1, 1)));

/// An operand with K first: to a tile whose columns begin 4 banks apart ..
pub type Last = Layout!((128, 16, 3):(1, 132, 2112));
/// .. 8 threads along K, 4 such down, 4 of these copy a number each, 16 times ..
pub type FetchLast = (Layout!(((4, 4), 8):((8, 32), 1)), Layout!((1, 1)));
/// .. or 4 along K and 32 down: rows, of which each has its predicate, are fewer.
pub type FetchLastOne = (Layout!((32, 4):(4, 1)), Layout!((1, 1)));

/// A block's product: `fetch`, `|tile, stage, part| ..`, brings one of so many parts of a tile of both operands to
/// shared memory; `last`, if there is one, a tile behind the others; and `|thread, sum| ..` takes the sums.
macro_rules! multiply {
    ($sa:ident $sb:ident, $c:ident, $tiles:expr;
        fetch $parts:literal |$tile:ident, $stage:ident, $part:ident| $fetch:block;
        $(last if $more:expr, |$end:ident, $piece:ident| $last:block;)?
        |$thread:ident, $sum:ident| $store:block) => {
        // One waits at a barrier while the other multiplies.
        device::at_once::<2>();
        let vectors = UniversalCopy::<f32, Int<4>>::new();
        let mma = make_tiled_mma(Fma, Threads::default(), Order::default());
        let Some($thread) = mma.get_slice(device::thread()) else { device::stop() };
        let mut $sum = $thread.partition_fragment_c(&$c);
        let (pa, pb) = ($thread.partition_a(&$sa)?, $thread.partition_b(&$sb)?);
        let (pa, pb) = (pa.slice((.., .., 0, 0)), pb.slice((.., .., 0, 0)));
        let mut fa = [pa.fragment_like::<f32>(), pa.fragment_like::<f32>()];
        let mut fb = [pb.fragment_like::<f32>(), pb.fragment_like::<f32>()];

        let mut pipe = Pipeline::<3>::new($tiles);
        pipe.fill(#[inline(always)] |$tile, $stage| {
            for_static!($part in 0..$parts, { $fetch });
            Ok(())
        })?;
        copy(&vectors, &$thread.partition_a(&$sa)?.slice((.., .., 0, pipe.read())), &mut fa[0])?;
        copy(&vectors, &$thread.partition_b(&$sb)?.slice((.., .., 0, pipe.read())), &mut fb[0])?;
        while pipe.more() {
            let ($tile, $stage) = pipe.ahead();
            for_static!(K in 0..16, {
                if K % (16 / $parts) == 0 {
                    const $part: usize = K / (16 / $parts);
                    $fetch
                }
                if K == 15 {
                    pipe.commit();
                    pipe.next();
                }
                let pa = $thread.partition_a(&$sa)?;
                copy(&vectors, &pa.slice((.., .., next!(K), pipe.read())), &mut fa[next!(K) % 2])?;
                let pb = $thread.partition_b(&$sb)?;
                copy(&vectors, &pb.slice((.., .., next!(K), pipe.read())), &mut fb[next!(K) % 2])?;
                gemm_in_order(SerpentineByColumns, &mma, &fa[K % 2], &fb[K % 2], &mut $sum);
            });
        }
        $(if $more {
            pipe.alone(#[inline(always)] |$end| {
                for_static!($piece in 0..$parts, { $last });
                Ok(())
            })?;
            for k in 0..16 {
                copy(&vectors, &$thread.partition_a(&$sa)?.slice((.., .., k, 0)), &mut fa[0])?;
                copy(&vectors, &$thread.partition_b(&$sb)?.slice((.., .., k, 0)), &mut fb[0])?;
                gemm_in_order(SerpentineByColumns, &mma, &fa[0], &fb[0], &mut $sum);
            }
        })?
        $store
    };
}
/// How an operand lies in memory and in shared memory, and who copies it.
macro_rules! operand {
    (layout first $mn:ident $k:ident $along:ident) => { layout!(($mn, $k):(1, $along)) };
    (layout last $mn:ident $k:ident $along:ident) => { layout!(($mn, $k):($along, 1)) };
    (layout first $mn:ident $k:ident) => { layout!(($mn, $k)) };
    (layout last $mn:ident $k:ident) => { layout!(($mn, $k):($k, 1)) };
    (tile first) => { First };
    (tile last) => { Last };
    (vectors first) => { operand!(SM80_CP_ASYNC_CACHEGLOBAL<u128>, FetchFirst) };
    (vectors last) => { operand!(SM80_CP_ASYNC_CACHEALWAYS<u32>, FetchLast) };
    (numbers first) => { operand!(SM80_CP_ASYNC_CACHEALWAYS_ZFILL<u32>, FetchFirstOne) };
    (numbers last) => { operand!(SM80_CP_ASYNC_CACHEALWAYS_ZFILL<u32>, FetchLastOne) };
    ($atom:ident<$access:ident>, $fetch:ident) => {{
        let (threads, values) = <$fetch>::default();
        let tiled = make_tiled_copy($atom::<$access, f32>::new(), threads, values)?;
        let Some(thread) = tiled.get_slice(device::thread()) else { device::stop() };
        thread
    }};
}

/// Copies a part of a tile: of one with K first two numbers of 16, of the other all at the first part.
#[cfg(feature = "sgemm")]
macro_rules! fetch_part {
    (first $fetch:ident $from:ident $tile:ident => $to:ident $stage:ident $part:ident) => {
        if $part == 0 {
            let mut to = $fetch.partition_d_mut(&mut $to)?;
            copy($fetch.tiled_copy(), &$from.slice((.., .., .., $tile)), &mut to.slice_mut((.., .., .., $stage)))?;
        }
    };
    (last $fetch:ident $from:ident $tile:ident => $to:ident $stage:ident $part:ident) => {
        let mut to = $fetch.partition_d_mut(&mut $to)?;
        let number = $fetch.tiled_copy().atom();
        let (from, mut to) = ($from.slice((.., .., .., $tile)), to.slice_mut((.., .., .., $stage)));
        for_static!(I in 0..2, { number.copy(&from, &mut to, 2 * $part + I); });
    };
}
#[cfg(feature = "sgemm")]
macro_rules! sgemm {
    ($(#[$doc:meta])* $name:ident, $shared:ident: $a:ident $b:ident) => {
        /// The tiles of both operands.
        pub type $shared = (SharedTile<f32, operand!(tile $a)>, SharedTile<f32, operand!(tile $b)>);
        kernel! {
            $(#[$doc])*
            /// C is column-major; `m` and `n` are multiples of 128, `k` is one of 16.
            ///
            /// # Safety
            /// The matrices are there, and 16 divides their addresses.
            pub fn $name(m: u32, n: u32, k: u32, a: *const f32, b: *const f32, c: *mut f32) -> Result<(), Ended>
            threads: Threads, shared: $shared;
            {
                let (m, n) = (Multiple::<Int<128>>::new(m as usize)?, Multiple::<Int<128>>::new(n as usize)?);
                let k = Multiple::<Int<16>>::new(k as usize)?;
                // SAFETY: the caller's promises: each block has its tile of C; shared memory is written by copies that
                // the pipeline waits for, and read behind its barriers.
                let (a, b, mut c, (mut sa, mut sb)) = unsafe {(
                    Tensor::from_global_ref(a, operand!(layout $a m k)),
                    Tensor::from_global_ref(b, operand!(layout $b n k)),
                    Tensor::from_global(c, layout!((m, n))),
                    $shared::tensors(),
                )};
                let (bm, bn) = device::block();
                let ga = a.local_tile(Operand::default(), (bm, ..))?;
                let gb = b.local_tile(Operand::default(), (bn, ..))?;
                let mut c = c.local_tile_mut(Tile::default(), (bm, bn))?;
                let (fetch_a, fetch_b) = (operand!(vectors $a), operand!(vectors $b));
                let (ga, gb) = (fetch_a.partition_s(&ga)?, fetch_b.partition_s(&gb)?);
                multiply! { sa sb, c, k.get() / 16;
                    fetch 8 |tile, stage, PART| {
                        fetch_part! { $a fetch_a ga tile => sa stage PART }
                        fetch_part! { $b fetch_b gb tile => sb stage PART }
                    };
                    |thread, sum| {
                        // One by one: sums that leave four at once lie in four neighbouring registers, and products
                        // meet registers of one bank.
                        copy(&UniversalCopy::<f32>::new(), &sum, &mut thread.partition_c_mut(&mut c)?)?;
                        Ok(())
                    }
                }
            }
        }
    };
}
#[cfg(feature = "sgemm")]
sgemm! {
    /// A with M first, B with N first: BLAS NT.
    sgemm_nt, SharedNt: first first
}
#[cfg(feature = "sgemm")]
sgemm! {
    /// A with K first, B with K first: BLAS TN.
    sgemm_tn, SharedTn: last last
}
#[cfg(feature = "sgemm")]
sgemm! {
    /// A with M first, B with K first: BLAS NN.
    sgemm_nn, SharedNn: first last
}
#[cfg(feature = "sgemm")]
sgemm! {
    /// A with K first, B with N first: BLAS TT.
    sgemm_tt, SharedTt: last first
}

/// Copies a part of a tile, two numbers of 16, that may reach over an edge, beyond which is zero.
#[cfg(feature = "ragged")]
macro_rules! fetch_there {
    ($fetch:ident $from:ident $tile:expr, if $there:ident => $to:ident $stage:ident $part:ident) => {
        let from = $from.slice((.., .., .., $tile));
        let mut to = $fetch.partition_d_mut(&mut $to)?;
        let mut to = to.slice_mut((.., .., .., $stage));
        let number = $fetch.tiled_copy().atom();
        for_static!(I in 0..2, {
            number.with($there.holds(2 * $part + I)).copy(&from, &mut to, 2 * $part + I);
        });
    };
}
/// Which of a thread's numbers of a tile of an operand are there: of one that is whole along K, and of the last one.
#[cfg(feature = "ragged")]
macro_rules! there {
    ($fetch:ident, $block:ident: $rows:ident, $k:ident) => {{
        let places = Tensor::coordinates(identity(($rows, 16)).try_round_up(Operand::default())?);
        let places = places.local_tile(Operand::default(), ($block, 0))?;
        let places = || $fetch.share_s().coordinates(&places);
        (places()?.within(($rows, 16)), places()?.within(($rows, $k % 16)))
    }};
}
#[cfg(feature = "ragged")]
macro_rules! ragged {
    ($(#[$doc:meta])* $name:ident, $shared:ident: $a:ident $b:ident) => {
        /// The tiles of both operands.
        pub type $shared = (SharedTile<f32, operand!(tile $a)>, SharedTile<f32, operand!(tile $b)>);
        kernel! {
            $(#[$doc])*
            /// Any sizes; `a_along` and `b_along` are the strides of the other mode. C is column-major. What is beyond
            /// an edge is zero in the tiles, and is not written.
            ///
            /// # Safety
            /// The matrices are there.
            pub fn $name(
                m: u32, n: u32, k: u32, a: *const f32, a_along: u32, b: *const f32, b_along: u32, c: *mut f32,
            ) -> Result<(), Ended>
            threads: Threads, shared: $shared;
            {
                let [m, n, k, a_along, b_along] = [m, n, k, a_along, b_along].map(|number| number as usize);
                // SAFETY: the caller's promises, and what is beyond an edge is not touched; each block has its tile of
                // C; shared memory is written by copies that the pipeline waits for, and read behind its barriers.
                let (a, b, mut c, (mut sa, mut sb)) = unsafe {(
                    Tensor::from_global_ref(a, operand!(layout $a m k a_along).try_round_up(Operand::default())?),
                    Tensor::from_global_ref(b, operand!(layout $b n k b_along).try_round_up(Operand::default())?),
                    Tensor::from_global(c, layout!((m, n):(1, m)).try_round_up(Tile::default())?),
                    $shared::tensors(),
                )};
                let (bm, bn) = device::block();
                let ga = a.local_tile(Operand::default(), (bm, ..))?;
                let gb = b.local_tile(Operand::default(), (bn, ..))?;
                let mut c = c.local_tile_mut(Tile::default(), (bm, bn))?;
                let (fetch_a, fetch_b) = (operand!(numbers $a), operand!(numbers $b));
                let (ga, gb) = (fetch_a.partition_s(&ga)?, fetch_b.partition_s(&gb)?);
                let (there_a, last_a) = there!(fetch_a, bm: m, k);
                let (there_b, last_b) = there!(fetch_b, bn: n, k);
                multiply! { sa sb, c, k / 16;
                    fetch 8 |tile, stage, PART| {
                        fetch_there! { fetch_b gb tile, if there_b => sb stage PART }
                        fetch_there! { fetch_a ga tile, if there_a => sa stage PART }
                    };
                    last if k % 16 != 0, |stage, PART| {
                        fetch_there! { fetch_a ga k / 16, if last_a => sa stage PART }
                        fetch_there! { fetch_b gb k / 16, if last_b => sb stage PART }
                    };
                    |thread, sum| {
                        let there = Tensor::coordinates(identity((m, n)).try_round_up(Tile::default())?);
                        let there = there.local_tile(Tile::default(), (bm, bn))?;
                        let there = thread.share_c().coordinates(&there)?.within((m, n));
                        let mut c = thread.partition_c_mut(&mut c)?;
                        copy_if(&UniversalCopy::<f32>::new(), &sum, &mut c, |i| there.holds(i))?;
                        Ok(())
                    }
                }
            }
        }
    };
}
#[cfg(feature = "ragged")]
ragged! {
    /// A with M first, B with N first: BLAS NT.
    ragged_nt, SharedRaggedNt: first first
}
#[cfg(feature = "ragged")]
ragged! {
    /// A with K first, B with K first: BLAS TN.
    ragged_tn, SharedRaggedTn: last last
}
#[cfg(feature = "ragged")]
ragged! {
    /// A with M first, B with K first: BLAS NN.
    ragged_nn, SharedRaggedNn: first last
}
#[cfg(feature = "ragged")]
ragged! {
    /// A with K first, B with N first: BLAS TT.
    ragged_tt, SharedRaggedTt: last first
}
