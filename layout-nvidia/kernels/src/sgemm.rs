//! `C = A B` in fp32: tiles of 128 x 128 x 16 through three stages of shared memory, 8 x 8 sums in each thread.
//!
//! An operand lies in memory with its M or N mode first (BLAS: N for A, T for B), or with K first. In shared memory K
//! is always the slow mode, so that a thread reads its rows and columns 4 at a time: an operand with K first is turned
//! on its way there, in numbers one by one, to columns that are 4 numbers apart from being multiples of all banks.

use layout_algebra::atom::{UniversalCopy, copy, gemm, make_tiled_copy, make_tiled_mma};
use layout_algebra::for_static;
use layout_algebra::prelude::*;
use layout_nvidia::copy::{SM80_CP_ASYNC_CACHEALWAYS_ZFILL, SM80_CP_ASYNC_CACHEGLOBAL};
use layout_nvidia::device::{self, Fma8x8, Pipeline, SharedTile, SharedTiles};
use layout_nvidia::kernel;

/// The tile of C of a block.
pub type Tile = Tiler!(128, 128);
/// The tile of an operand.
pub type Operand = Tiler!(128, 16);
/// The threads of a block: 16 x 16, so that a warp has 8 x 4 of them.
pub type Threads = Layout!(((8, 2), (4, 4), 1):((1, 32), (8, 64), 0));
/// The rows, and the columns, of a thread: 4 neighbours, and 4 more 64 further.
pub type Order = Tiler!((4, 2, 16):(1, 64, 4), (4, 2, 16):(1, 64, 4), _);

/// Four neighbours at once, to shared memory while the threads go on ..
pub type Vectors = SM80_CP_ASYNC_CACHEGLOBAL<u128, f32>;
/// .. or a number, or zero.
pub type Numbers = SM80_CP_ASYNC_CACHEALWAYS_ZFILL<u32, f32>;

/// An operand with M or N first: 32 x 8 threads copy 4 neighbours each ..
pub type FetchFirst = (Layout!((32, 8)), Layout!((4, 1)));
/// .. to a tile as it stands.
pub type First = Layout!((128, 16, 3));
/// An operand with K first: 8 threads along K, 4 such down, 8 of these ..
pub type FetchLast = (Layout!(((4, 8), 8):((8, 32), 1)), Layout!((1, 1)));
/// .. to a tile whose columns begin 4 banks apart.
pub type Last = Layout!((128, 16, 3):(1, 132, 2112));

#[cfg(feature = "sgemm")]
macro_rules! sgemm {
    ($(#[$doc:meta])* $name:ident, $shared:ident:
        $a:tt $fetch_a:ident $by_a:ident $tile_a:ident, $b:tt $fetch_b:ident $by_b:ident $tile_b:ident) => {
        /// The tiles of both operands.
        pub type $shared = (SharedTile<f32, $tile_a>, SharedTile<f32, $tile_b>);
        kernel! {
            $(#[$doc])*
            /// C is column-major; `m` and `n` are multiples of 128, `k` is one of 16.
            ///
            /// # Safety
            /// The matrices are there, and 16 divides their addresses.
            pub fn $name(m: u32, n: u32, k: u32, a: *const f32, b: *const f32, c: *mut f32)
            threads: Threads, shared: $shared;
            {
                let (Ok(m), Ok(n), Ok(k)) = (
                    Multiple::<Int<128>>::new(m as usize),
                    Multiple::<Int<128>>::new(n as usize),
                    Multiple::<Int<16>>::new(k as usize),
                ) else {
                    return;
                };
                let (Ok(copy_a), Ok(copy_b)) = (
                    make_tiled_copy($by_a::new(), <$fetch_a>::default().0, <$fetch_a>::default().1),
                    make_tiled_copy($by_b::new(), <$fetch_b>::default().0, <$fetch_b>::default().1),
                ) else {
                    return;
                };
                let vectors = UniversalCopy::<f32, Int<4>>::new();
                let mma = make_tiled_mma(Fma8x8, Threads::default(), Order::default());
                let id = device::thread();
                let (Some(ta), Some(tb), Some(thread)) = (copy_a.get_slice(id), copy_b.get_slice(id), mma.get_slice(id))
                else {
                    return;
                };
                let (bm, bn) = device::block();
                // SAFETY: the caller's promises: each block has its tile of C; shared memory is written by copies that
                // the pipeline waits for, and read behind its barriers.
                unsafe {
                    let a = Tensor::from_global_ref(a, sgemm!(@ $a m k));
                    let b = Tensor::from_global_ref(b, sgemm!(@ $b n k));
                    let mut c = Tensor::from_global(c, layout!((m, n)));
                    let (mut sa, mut sb) = $shared::tensors();
                    let ga = a.local_tile_unchecked(Operand::default(), (bm, ..));
                    let gb = b.local_tile_unchecked(Operand::default(), (bn, ..));
                    let mut c = c.local_tile_unchecked_mut(Tile::default(), (bm, bn));
                    let (ga, gb) = (ta.partition_s_unchecked(&ga), tb.partition_s_unchecked(&gb));

                    macro_rules! fetch {
                        () => {
                            |tile, stage| {
                                let mut da = ta.partition_d_unchecked_mut(&mut sa);
                                let mut db = tb.partition_d_unchecked_mut(&mut sb);
                                let from_a = ga.slice_unchecked((.., .., .., tile));
                                let from_b = gb.slice_unchecked((.., .., .., tile));
                                let _ = copy(&copy_a, &from_a, &mut da.slice_unchecked_mut((.., .., .., stage)));
                                let _ = copy(&copy_b, &from_b, &mut db.slice_unchecked_mut((.., .., .., stage)));
                            }
                        };
                    }
                    let mut pipe = Pipeline::<3>::new(k.get() / 16);
                    pipe.fill(fetch!());

                    let mut sum = thread.partition_fragment_c(&c);
                    let mut fa = [(); 2].map(|()| {
                        thread.partition_a_unchecked(&sa).slice_unchecked((.., .., 0, 0)).fragment_like::<f32>()
                    });
                    let mut fb = [(); 2].map(|()| {
                        thread.partition_b_unchecked(&sb).slice_unchecked((.., .., 0, 0)).fragment_like::<f32>()
                    });
                    macro_rules! load {
                        ($k:expr) => {
                            let (pa, pb) = (thread.partition_a_unchecked(&sa), thread.partition_b_unchecked(&sb));
                            let _ = copy(&vectors, &pa.slice_unchecked((.., .., $k, pipe.read())), &mut fa[$k % 2]);
                            let _ = copy(&vectors, &pb.slice_unchecked((.., .., $k, pipe.read())), &mut fb[$k % 2]);
                        };
                    }
                    load!(0);
                    while pipe.more() {
                        for_static!(K in 0..16, {
                            const NEXT: usize = (K + 1) % 16;
                            if NEXT == 0 {
                                pipe.next();
                            }
                            load!(NEXT);
                            if K == 0 {
                                pipe.fetch(fetch!());
                                pipe.commit();
                            }
                            gemm(&mma, &fa[K % 2], &fb[K % 2], &mut sum);
                        });
                    }
                    let _ = copy(&vectors, &sum, &mut thread.partition_c_unchecked_mut(&mut c));
                }
            }
        }
    };
    (@ first $m:ident $k:ident) => { layout!(($m, $k)) };
    (@ last $m:ident $k:ident) => { layout!(($m, $k):($k, 1)) };
}
#[cfg(feature = "sgemm")]
sgemm! {
    /// A with M first, B with N first: BLAS NT.
    sgemm_nt, SharedNt: first FetchFirst Vectors First, first FetchFirst Vectors First
}
#[cfg(feature = "sgemm")]
sgemm! {
    /// A with K first, B with K first: BLAS TN.
    sgemm_tn, SharedTn: last FetchLast Numbers Last, last FetchLast Numbers Last
}
#[cfg(feature = "sgemm")]
sgemm! {
    /// A with M first, B with K first: BLAS NN.
    sgemm_nn, SharedNn: first FetchFirst Vectors First, last FetchLast Numbers Last
}
#[cfg(feature = "sgemm")]
sgemm! {
    /// A with K first, B with N first: BLAS TT.
    sgemm_tt, SharedTt: last FetchLast Numbers Last, first FetchFirst Vectors First
}
