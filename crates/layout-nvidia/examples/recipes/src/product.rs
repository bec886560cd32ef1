//! `C = A B` of halves on `mma.sync`, with C in halves, too. A and B have K first (BLAS: TN), C is
//! row-major.
//!
//! The guide's page *A product on `mma.sync`* explains the main loop. Here tiles are larger, 256 x
//! 128 by eight warps, and C is stored through shared memory: a thread has pairs of neighbours, 4
//! bytes, and a store takes 16. When the last tile of the operands is read, their memory is free,
//! and becomes the tile of C.

use half::f16;
use layout_algebra::atom::{
    UniversalCopy, copy, gemm, make_tiled_copy, make_tiled_copy_a, make_tiled_copy_b,
    make_tiled_mma,
};
use layout_algebra::prelude::*;
use layout_algebra::tensor::Fragment;
use layout_nvidia::copy::{SM75_U32x4_LDSM_N, SM80_CP_ASYNC_CACHEGLOBAL};
use layout_nvidia::device::{
    self, GroupedTileOrder, Pipeline, SharedTile, SharedTiles, Trap, kernel, narrow_fragment,
};
use layout_nvidia::mma::SM80_16x8x16_F32F16F16F32_TN;

/// The tile of C of a block.
pub type Tile = Tiler!(256, 128);
/// The threads of a block: eight warps, 4 x 2.
pub type Threads = Layout!(256);
/// Three stages of a tile of A, 256 x 64, in rows of 128 bytes.
pub type StagesOfA = ComposedLayout<
    Swizzle<3, 3, 3>,
    Int<0>,
    OrderedLayout<Shape!((256, 64, 3)), Shape!((1, 0, 2))>,
>;
/// Three stages of a tile of B, 128 x 64.
pub type StagesOfB = ComposedLayout<
    Swizzle<3, 3, 3>,
    Int<0>,
    OrderedLayout<Shape!((128, 64, 3)), Shape!((1, 0, 2))>,
>;
/// The tile of C where the stages of A were: two halves of 64 columns, in rows of 128 bytes. The
/// swizzle is that of the stages, so that `with_layout` compares modes alone, and need not search.
pub type StagedC =
    ComposedLayout<Swizzle<3, 3, 3>, Int<0>, Layout!((256, (64, 2)):(64, (1, 16384)))>;
/// The shared memory of a block: 147 KB.
pub type Shared = (SharedTile<f16, StagesOfA>, SharedTile<f16, StagesOfB>);
/// A thread's accumulators.
pub type Accumulators = Layout!(((2, 2), 4, 8));

/// `m` is a multiple of 256, `n` of 128, `k` of 64. Sums are in fp32.
///
/// # Safety
/// The matrices are there, and 16 divides their addresses.
#[kernel(threads = Threads, shared = Shared)]
pub unsafe fn product(
    m: u32,
    n: u32,
    k: u32,
    a: *const f16,
    b: *const f16,
    c: *mut f16,
) -> Result<(), Trap> {
    let (m, n) = (Multiple::<Int<256>>::new(m as usize)?, Multiple::<Int<128>>::new(n as usize)?);
    let k = Multiple::<Int<64>>::new(k as usize)?;
    let (rows, (x, y, _)) = (m.get() / 256, device::block_index());
    let Some(order) = GroupedTileOrder::<8>::new(rows as u32, (n.get() / 128) as u32) else {
        device::trap()
    };
    let Some((bm, bn)) = order.tile_coordinate((x + rows * y) as u32) else { device::trap() };
    // SAFETY: the caller's promises; each block has its own tile of C; shared memory is read behind
    // the pipeline's barriers.
    let (a, b, mut c, (mut sa, mut sb)) = unsafe {
        (
            Tensor::from_global_ref(a, layout!((m, k):(k, 1))),
            Tensor::from_global_ref(b, layout!((n, k):(k, 1))),
            Tensor::from_global(c, layout!((m, n):(n, 1))),
            Shared::make_tensors(),
        )
    };
    let (ga, gb) =
        (a.local_tile(tiler!(256, 64), (bm, ..))?, b.local_tile(tiler!(128, 64), (bn, ..))?);
    // (M, K, tiles), (N, K, tiles)

    let eight = SM80_CP_ASYNC_CACHEGLOBAL::<u128, f16>::new();
    let fetch = make_tiled_copy(eight, layout!((32, 8): right), layout!((1, 8)))?;
    let mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, layout!((4, 2, 1)), tiler!(64, 32, 16));
    let load_a = make_tiled_copy_a(SM75_U32x4_LDSM_N::<f16>::new(), &mma)?;
    let load_b = make_tiled_copy_b(SM75_U32x4_LDSM_N::<f16>::new(), &mma)?;
    let store = make_tiled_copy(
        UniversalCopy::<f16, Int<8>>::new(),
        layout!((16, 16): right),
        layout!((1, 8)),
    )?;
    let id = device::thread_index();
    let (Some(mine), Some(thread), Some(la), Some(lb), Some(out)) = (
        fetch.get_slice(id),
        mma.get_slice(id),
        load_a.get_slice(id),
        load_b.get_slice(id),
        store.get_slice(id),
    ) else {
        device::trap()
    };
    let (ga, gb) = (mine.partition_s(&ga)?, mine.partition_s(&gb)?);
    // (V, M, K, tiles), (V, N, K, tiles)
    let bring = |tile, stage, sa: &mut _, sb: &mut _| -> Result<(), Trap> {
        let (mut sa, mut sb) = (mine.partition_d_mut(sa)?, mine.partition_d_mut(sb)?);
        copy(&fetch, &ga.slice((.., .., .., tile)), &mut sa.slice_mut((.., .., .., stage)))?;
        copy(&fetch, &gb.slice((.., .., .., tile)), &mut sb.slice_mut((.., .., .., stage)))?;
        Ok(())
    };
    let mut fa = thread.partition_a(&sa)?.slice((.., .., .., 0)).fragment_like::<f16>();
    let mut fb = thread.partition_b(&sb)?.slice((.., .., .., 0)).fragment_like::<f16>();
    let mut sum = Fragment::<f32, Accumulators>::zeroed(); // (V, M, N)

    // SAFETY: all threads come here, with the same tiles.
    let mut pipe = unsafe { Pipeline::<3>::new(k.get() / 64) };
    pipe.load_prologue(|tile, stage| bring(tile, stage, &mut sa, &mut sb))?;
    let mut ra = la.retile_d_mut(&mut fa, thread.slice_a())?; // (V, M, K)
    let mut rb = lb.retile_d_mut(&mut fb, thread.slice_b())?; // (V, N, K)
    let (pa, pb) = (la.partition_s(&sa)?, lb.partition_s(&sb)?); // (V, M, K, stages), ..
    copy(&load_a, &pa.slice((.., .., 0, pipe.read_stage())), &mut ra.slice_mut((.., .., 0)))?;
    copy(&load_b, &pb.slice((.., .., 0, pipe.read_stage())), &mut rb.slice_mut((.., .., 0)))?;
    while pipe.has_tiles() {
        for_static!(K in 0..4, {
            if K == 3 {
                pipe.wait_next();
            }
            let (pa, pb) = (la.partition_s(&sa)?, lb.partition_s(&sb)?);
            let mut ra = la.retile_d_mut(&mut fa, thread.slice_a())?;
            copy(&load_a, &pa.slice((.., .., next!(K), pipe.read_stage())),
                &mut ra.slice_mut((.., .., next!(K))))?;
            let mut rb = lb.retile_d_mut(&mut fb, thread.slice_b())?;
            copy(&load_b, &pb.slice((.., .., next!(K), pipe.read_stage())),
                &mut rb.slice_mut((.., .., next!(K))))?;
            if K == 0 {
                pipe.fetch_next(|tile, stage| bring(tile, stage, &mut sa, &mut sb))?;
                pipe.commit_group();
            }
            gemm(&mma, &fa.slice((.., .., K)), &fb.slice((.., .., K)), &mut sum);
        });
    }

    // The next phase reuses the memory: no copy may be in flight, and no thread may still read.
    device::cp_async_wait_all();
    // SAFETY: all threads of the block come here.
    unsafe { device::sync_threads() };
    let mut staged = sa.with_layout(StagedC::default())?; // (M, N)
    let mut halves = Fragment::<f16, Accumulators>::zeroed();
    narrow_fragment(&sum, &mut halves);
    let pairs = UniversalCopy::<f16, Int<2>>::new();
    copy(&pairs, &halves, &mut thread.partition_c_mut(&mut staged)?)?;
    // SAFETY: as above.
    unsafe { device::sync_threads() };
    let mut c = c.local_tile_mut(Tile::default(), (bm, bn))?; // (M, N)
    copy(&store, &out.partition_s(&staged)?, &mut out.partition_d_mut(&mut c)?)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use layout_nvidia::host;

    /// Each element is compared, for random numbers of tiles; sums of small integers are exact.
    #[test]
    fn each_element_is_the_sum() {
        let mut random = Random::from_clock();
        let (m, n, k) = (256, 128 * (1 + random.below(2)), 64 * (1 + random.below(6)));
        let mut numbers = |count: usize| -> Vec<f16> {
            (0..count).map(|_| f16::from_f32(random.below(5) as f32 - 2.0)).collect()
        };
        let (a, b, mut c) = (numbers(m * k), numbers(n * k), vec![f16::NAN; m * n]);
        let arguments = (m as u32, n as u32, k as u32, &a[..], &b[..], &mut c[..]);
        // SAFETY: matrices of these sizes.
        unsafe { host::launch::<product>((m / 256, n / 128), arguments) };
        for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let sum: f32 = (0..k).map(|l| a[k * i + l].to_f32() * b[k * j + l].to_f32()).sum();
            assert_eq!(c[n * i + j].to_f32(), sum, "{i} {j}, k = {k}, seed {}", random.seed());
        }
    }
}
