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

/// The product of a block, and what is done with the sums of a thread: `|thread, sum, place, sizes| ..`.
macro_rules! product {
    ($half:ty, $atom:ty, $shared:ty; $m:ident $n:ident $k:ident, $a:ident $b:ident $c:ident;
        |$thread:ident, $sum:ident, $place:ident, $sizes:ident| $finish:block) => {
        use layout_algebra::atom::{UniversalCopy, copy, gemm, make_tiled_copy, make_tiled_mma};
        use layout_algebra::atom::{make_tiled_copy_a, make_tiled_copy_b};
        use layout_nvidia::copy::{SM75_U32x4_LDSM_N, SM80_CP_ASYNC_CACHEGLOBAL};
        use layout_nvidia::device::Pipeline;
        let (m, n) = (Multiple::<Int<128>>::new($m as usize)?, Multiple::<Int<128>>::new($n as usize)?);
        let k = Multiple::<Int<64>>::new($k as usize)?;
        // SAFETY: the caller's promises: each block has its tile of the result; shared memory is written by copies that
        // the pipeline waits for, and read behind its barriers.
        let (a, b, mut $c, (mut sa, mut sb)) = unsafe {(
            Tensor::from_global_ref($a, layout!((m, k):(k, 1))),
            Tensor::from_global_ref($b, layout!((n, k):(k, 1))),
            Tensor::from_global($c, layout!((m, n):(n, 1))),
            <$shared>::tensors(),
        )};
        let (bm, bn) = device::block();
        let (ga, gb) = (a.local_tile(Operand::default(), (bm, ..))?, b.local_tile(Operand::default(), (bn, ..))?);
        let mut $c = $c.local_tile_mut(Tile::default(), (bm, bn))?;

        let eight = SM80_CP_ASYNC_CACHEGLOBAL::<u128, $half>::new();
        let fetch = make_tiled_copy(eight, <Fetch>::default().0, <Fetch>::default().1)?;
        let mma = make_tiled_mma(<$atom>::default(), Warps::default(), Order::default());
        let load_a = make_tiled_copy_a(SM75_U32x4_LDSM_N::<$half>::new(), &mma)?;
        let load_b = make_tiled_copy_b(SM75_U32x4_LDSM_N::<$half>::new(), &mma)?;
        let id = device::thread();
        let (Some(mine), Some($thread), Some(la), Some(lb)) =
            (fetch.get_slice(id), mma.get_slice(id), load_a.get_slice(id), load_b.get_slice(id))
        else {
            device::stop()
        };
        let (ga, gb) = (mine.partition_s(&ga)?, mine.partition_s(&gb)?);
        let fetch = #[inline(always)] |tile, stage, sa: &mut _, sb: &mut _| -> Result<(), Ended> {
            copy(&fetch, &ga.slice((.., .., .., tile)), &mut mine.partition_d_mut(sa)?.slice_mut((.., .., .., stage)))?;
            copy(&fetch, &gb.slice((.., .., .., tile)), &mut mine.partition_d_mut(sb)?.slice_mut((.., .., .., stage)))?;
            Ok(())
        };
        let mut fa = $thread.partition_a(&sa)?.slice((.., .., .., 0)).fragment_like::<$half>();
        let mut fb = $thread.partition_b(&sb)?.slice((.., .., .., 0)).fragment_like::<$half>();
        let mut $sum = $thread.partition_fragment_c(&$c);

        let mut pipe = Pipeline::<3>::new(k.get() / 64);
        pipe.fill(|tile, stage| fetch(tile, stage, &mut sa, &mut sb))?;
        let mut ra = la.retile_d_mut(&mut fa, $thread.share_a())?;
        let mut rb = lb.retile_d_mut(&mut fb, $thread.share_b())?;
        copy(&load_a, &la.partition_s(&sa)?.slice((.., .., 0, pipe.read())), &mut ra.slice_mut((.., .., 0)))?;
        copy(&load_b, &lb.partition_s(&sb)?.slice((.., .., 0, pipe.read())), &mut rb.slice_mut((.., .., 0)))?;
        while pipe.more() {
            for_static!(K in 0..4, {
                if K == 3 {
                    pipe.next();
                }
                let (pa, pb) = (la.partition_s(&sa)?, lb.partition_s(&sb)?);
                let mut ra = la.retile_d_mut(&mut fa, $thread.share_a())?;
                copy(&load_a, &pa.slice((.., .., next!(K), pipe.read())), &mut ra.slice_mut((.., .., next!(K))))?;
                let mut rb = lb.retile_d_mut(&mut fb, $thread.share_b())?;
                copy(&load_b, &pb.slice((.., .., next!(K), pipe.read())), &mut rb.slice_mut((.., .., next!(K))))?;
                if K == 0 {
                    pipe.fetch(|tile, stage| fetch(tile, stage, &mut sa, &mut sb))?;
                    pipe.commit();
                }
                gemm(&mma, &fa.slice((.., .., K)), &fb.slice((.., .., K)), &mut $sum);
            });
        }
        let ($place, $sizes) = ((bm, bn), (m, n));
        $finish
    };
}

#[cfg(feature = "hgemm")]
mod kernels {
    use super::*;
    use half::{bf16, f16};
    use layout_algebra::for_static;
    use layout_nvidia::device::{self, Ended, SharedTile, SharedTiles};
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
                    -> Result<(), Ended>
                threads: Threads, shared: $shared;
                {
                    product! { $half, $atom, $shared; m n k, a b c; |thread, sum, _place, _sizes| {
                        copy(&UniversalCopy::<f32, Int<2>>::new(), &sum, &mut thread.partition_c_mut(&mut c)?)?;
                        Ok(())
                    } }
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
