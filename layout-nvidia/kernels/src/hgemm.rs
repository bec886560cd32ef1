//! `C = A B` of halves with sums in fp32, on tensor cores by `mma.sync`: what every GPU from sm_80 on has. A and B have
//! K first (BLAS: TN), C is row-major.
//!
//! Tiles of 128 x 128 x 64 go through three stages of swizzled shared memory; four warps have 64 x 64 sums each. While
//! the product of one step of 16 along K runs, `ldmatrix` reads the operands of the next one.

use layout_algebra::prelude::*;

/// The tile of C of a block.
pub type Tile = Tiler!(128, 128);
/// The tile of an operand.
pub type Operand = Tiler!(128, 64);
/// The warps of a block, 2 x 2, one atom each ..
pub type Warps = Layout!((2, 2, 1));
/// .. and with those that follow one another as neighbours: what `ldmatrix` reads at once.
pub type Order = Tiler!(32, 32, 16);
/// The threads of a block.
pub type Threads = Layout!((32, (2, 2)));
/// The threads that fetch: 8 along K, each with 8 neighbours, and 16 rows.
pub type Fetch = (Layout!((16, 8): right), Layout!((1, 8)));
/// Three stages of a tile, rows of 128 bytes. Units of 16 bytes change places within a row by its number, so that the 8
/// rows that `ldmatrix` reads at a time lie in different banks.
pub type Stages = ComposedLayout<Swizzle<3, 3, 3>, Int<0>, Layout!((128, 64, 3):(64, 1, 8192))>;

/// The product of a block, and what is done with the sums of a thread: `|thread, sum, place| ..`.
macro_rules! product {
    ($half:ty, $atom:ty, $shared:ty; $m:ident $n:ident $k:ident, $a:ident $b:ident;
        |$thread:ident, $sum:ident, $place:ident, $sizes:ident| $finish:block) => {
        use layout_algebra::atom::{UniversalCopy, copy, gemm, make_tiled_copy, make_tiled_mma};
        use layout_algebra::atom::{make_tiled_copy_a, make_tiled_copy_b};
        use layout_nvidia::copy::{SM75_U32x4_LDSM_N, SM80_CP_ASYNC_CACHEGLOBAL};
        use layout_nvidia::device::Pipeline;
        let (Ok(m), Ok(n), Ok(k)) = (
            Multiple::<Int<128>>::new($m as usize),
            Multiple::<Int<128>>::new($n as usize),
            Multiple::<Int<64>>::new($k as usize),
        ) else {
            return;
        };
        let (threads, values) = <Fetch>::default();
        let eight = SM80_CP_ASYNC_CACHEGLOBAL::<u128, $half>::new();
        let Ok(fetch) = make_tiled_copy(eight, threads, values) else { return };
        let mma = make_tiled_mma(<$atom>::default(), Warps::default(), Order::default());
        let (Ok(load_a), Ok(load_b)) = (
            make_tiled_copy_a(SM75_U32x4_LDSM_N::<$half>::new(), &mma),
            make_tiled_copy_b(SM75_U32x4_LDSM_N::<$half>::new(), &mma),
        ) else {
            return;
        };
        let id = device::thread();
        let (Some(mine), Some($thread), Some(la), Some(lb)) =
            (fetch.get_slice(id), mma.get_slice(id), load_a.get_slice(id), load_b.get_slice(id))
        else {
            return;
        };
        let (bm, bn) = device::block();
        let ga = Tensor::from_global_ref($a, layout!((m, k):(k, 1)));
        let gb = Tensor::from_global_ref($b, layout!((n, k):(k, 1)));
        let (mut sa, mut sb) = <$shared>::tensors();
        let ga = ga.local_tile_unchecked(Operand::default(), (bm, ..));
        let gb = gb.local_tile_unchecked(Operand::default(), (bn, ..));
        let (ga, gb) = (mine.partition_s_unchecked(&ga), mine.partition_s_unchecked(&gb));
        macro_rules! fetch {
            () => {
                |tile, stage| {
                    let mut da = mine.partition_d_unchecked_mut(&mut sa);
                    let mut db = mine.partition_d_unchecked_mut(&mut sb);
                    let (from_a, from_b) = (ga.slice_unchecked((.., .., .., tile)), gb.slice_unchecked((.., .., .., tile)));
                    let _ = copy(&fetch, &from_a, &mut da.slice_unchecked_mut((.., .., .., stage)));
                    let _ = copy(&fetch, &from_b, &mut db.slice_unchecked_mut((.., .., .., stage)));
                }
            };
        }
        let mut pipe = Pipeline::<3>::new(k.get() / 64);
        pipe.fill(fetch!());

        let mut fa = thread_fragment!($thread partition_a_unchecked sa $half);
        let mut fb = thread_fragment!($thread partition_b_unchecked sb $half);
        let tile = Tensor::from_global_ref(core::ptr::null::<f32>(), layout!((128, 128)));
        let mut $sum = $thread.partition_fragment_c(&tile);
        macro_rules! load {
            ($step:expr) => {
                let (Ok(mut ra), Ok(mut rb)) =
                    (la.retile_d_mut(&mut fa, $thread.share_a()), lb.retile_d_mut(&mut fb, $thread.share_b()))
                else {
                    return;
                };
                let (pa, pb) = (la.partition_s_unchecked(&sa), lb.partition_s_unchecked(&sb));
                let at = (.., .., $step, pipe.read());
                let _ = copy(&load_a, &pa.slice_unchecked(at), &mut ra.slice_unchecked_mut((.., .., $step)));
                let _ = copy(&load_b, &pb.slice_unchecked(at), &mut rb.slice_unchecked_mut((.., .., $step)));
            };
        }
        load!(0);
        while pipe.more() {
            for_static!(K in 0..4, {
                const NEXT: usize = (K + 1) % 4;
                if NEXT == 0 {
                    pipe.next();
                }
                load!(NEXT);
                if K == 0 {
                    pipe.fetch(fetch!());
                    pipe.commit();
                }
                gemm(&mma, &fa.slice_unchecked((.., .., K)), &fb.slice_unchecked((.., .., K)), &mut $sum);
            });
        }
        let ($place, $sizes) = ((bm, bn), (m, n));
        $finish
    };
}
/// The fragment of one stage of an operand.
macro_rules! thread_fragment {
    ($thread:ident $partition:ident $tile:ident $half:ty) => {
        $thread.$partition(&$tile).slice_unchecked((.., .., .., 0)).fragment_like::<$half>()
    };
}

#[cfg(feature = "hgemm")]
mod kernels {
    use super::*;
    use half::{bf16, f16};
    use layout_algebra::for_static;
    use layout_nvidia::device::{self, SharedTile, SharedTiles};
    use layout_nvidia::kernel;
    use layout_nvidia::mma::{SM80_16x8x16_F32BF16BF16F32_TN, SM80_16x8x16_F32F16F16F32_TN};

    macro_rules! kernels {
        ($($name:ident $shared:ident $half:ident $atom:ident;)*) => {$(
            /// The tiles of both operands.
            pub type $shared = (SharedTile<$half, Stages>, SharedTile<$half, Stages>);
            kernel! {
                /// `m` and `n` are multiples of 128, `k` is one of 64.
                ///
                /// # Safety
                /// The matrices are there, and 16 divides their addresses.
                pub fn $name(m: u32, n: u32, k: u32, a: *const $half, b: *const $half, c: *mut f32)
                threads: Threads, shared: $shared;
                {
                    // SAFETY: the caller's promises: each block has its tile of C; shared memory is written by copies
                    // that the pipeline waits for, and read behind its barriers.
                    unsafe {
                        product! { $half, $atom, $shared; m n k, a b; |thread, sum, place, sizes| {
                            let (m, n) = sizes;
                            let mut c = Tensor::from_global(c, layout!((m, n):(n, 1)));
                            let mut c = c.local_tile_unchecked_mut(Tile::default(), place);
                            let pairs = UniversalCopy::<f32, Int<2>>::new();
                            let _ = copy(&pairs, &sum, &mut thread.partition_c_unchecked_mut(&mut c));
                        } }
                    }
                }
            }
        )*};
    }
    kernels! {
        hgemm_f16 SharedF16 f16 SM80_16x8x16_F32F16F16F32_TN;
        hgemm_bf16 SharedBf16 bf16 SM80_16x8x16_F32BF16BF16F32_TN;
    }
}
#[cfg(feature = "hgemm")]
pub use kernels::*;
