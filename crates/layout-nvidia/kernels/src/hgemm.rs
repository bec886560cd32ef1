//! `C = A B` of halves with accumulators in fp32, on tensor cores by `mma.sync`: for every GPU from
//! sm_80 on. A and B have K first (BLAS: TN), C is row-major.
//!
//! Tiles of 128 x 128 x 64 go through three stages of swizzled shared memory; each of four warps
//! has 64 x 64 accumulators. While the product of one step of 16 along K runs, `ldmatrix` reads the
//! operands of the next step.

use half::{bf16, f16};
use layout_algebra::atom::{
    MmaAtom, ThrMma, TiledMma, UniversalCopy, copy, gemm, make_tiled_copy, make_tiled_mma,
};
use layout_algebra::atom::{make_tiled_copy_a, make_tiled_copy_b};
use layout_algebra::for_static;
use layout_algebra::prelude::*;
use layout_algebra::tensor::Fragment;
use layout_nvidia::LaidOutAs;
use layout_nvidia::copy::{Element, SM75_U32x4_LDSM_N, SM80_CP_ASYNC_CACHEGLOBAL};
use layout_nvidia::device::{
    self, GroupedTileOrder, Narrow, Pipeline, SharedTile, SharedTiles, Trap, kernel,
};
use layout_nvidia::mma::{SM80_16x8x16_F32BF16BF16F32_TN, SM80_16x8x16_F32F16F16F32_TN};

/// The tile of C of a block.
pub type Tile = Tiler!(128, 128);
/// The tile of an operand.
pub type Operand = Tiler!(128, 64);
/// The warps of a block: 2 x 2, one atom each.
pub type Warps = Layout!((2, 2, 1));
/// The permutation that makes the columns of consecutive atoms contiguous: one `ldmatrix` reads
/// them.
pub type Order = Tiler!(32, 32, 16);
/// The threads of a block.
pub type Threads = Layout!((32, (2, 2)));
/// The threads that copy: 8 along K, each with 8 contiguous elements, and 16 rows.
pub type Fetch = (Layout!((16, 8): right), Layout!((1, 8)));
/// Three stages of a tile, rows of 128 bytes. The row permutes its units of 16 bytes, so that the 8
/// rows that `ldmatrix` reads at a time are in different banks.
pub type Stages = ComposedLayout<
    Swizzle<3, 3, 3>,
    Int<0>,
    OrderedLayout<Shape!((128, 64, 3)), Shape!((1, 0, 2))>,
>;

/// The units of 16 bytes of 16 rows of 64 halves, by row and unit: permuted as in [`Stages`].
pub type Units = ComposedLayout<Swizzle<3, 0, 3>, Int<0>, Layout!((16, 8): right)>;

/// The number of rows of tiles in a group. Blocks go through the tiles group by group, so that
/// concurrent blocks read the same operands from the cache.
pub const GROUP: u32 = 8;

/// The shared memory of a block.
pub type Shared<T> = (SharedTile<T, Stages>, SharedTile<T, Stages>);
/// A thread's accumulators.
pub type Accumulators = Layout!(((2, 2), 4, 8));
/// A thread of the product.
pub type Thread<T> = ThrMma<TiledMma<<T as Half>::Atom, Warps, Order>>;

/// A number of 16 bits, and its instruction.
pub trait Half: Narrow + Element<Bits = Int<16>> {
    /// The instruction.
    type Atom: MmaAtom<A = Self, B = Self, C = f32>
        + LaidOutAs<SM80_16x8x16_F32F16F16F32_TN>
        + Default;
}
impl Half for f16 {
    type Atom = SM80_16x8x16_F32F16F16F32_TN;
}
impl Half for bf16 {
    type Atom = SM80_16x8x16_F32BF16BF16F32_TN;
}

/// Computes the product of a block. Returns the thread that has the accumulators, and the
/// accumulators.
///
/// # Safety
/// The matrices exist, and 16 divides their addresses.
#[inline(always)]
pub(crate) unsafe fn multiply_tile<T: Half>(
    m: Multiple<Int<128>>,
    n: Multiple<Int<128>>,
    k: Multiple<Int<64>>,
    a: *const T,
    b: *const T,
    (bm, bn): (usize, usize),
) -> Result<(Thread<T>, Fragment<f32, Accumulators>), Trap> {
    // SAFETY: the caller's promises; shared memory is written by copies that the pipeline waits
    // for, and read after its barriers.
    let (a, b, (mut sa, mut sb)) = unsafe {
        let (a, b) = (
            Tensor::from_global_ref(a, layout!((m, k):(k, 1))),
            Tensor::from_global_ref(b, layout!((n, k):(k, 1))),
        ); // (m, k), (n, k)
        (a, b, Shared::<T>::make_tensors())
    }; // (m, k), (n, k), (M, K, stages), (N, K, stages)
    let (ga, gb) =
        (a.local_tile(Operand::default(), (bm, ..))?, b.local_tile(Operand::default(), (bn, ..))?);
    // (M, K, tiles), (N, K, tiles)

    let eight = SM80_CP_ASYNC_CACHEGLOBAL::<u128, T>::new();
    let fetch = make_tiled_copy(eight, <Fetch>::default().0, <Fetch>::default().1)?;
    let mma = make_tiled_mma(T::Atom::default(), Warps::default(), Order::default());
    let load_a = make_tiled_copy_a(SM75_U32x4_LDSM_N::<T>::new(), &mma)?;
    let load_b = make_tiled_copy_b(SM75_U32x4_LDSM_N::<T>::new(), &mma)?;
    let id = device::thread_index();
    let (Some(mine), Some(thread), Some(la), Some(lb)) =
        (fetch.get_slice(id), mma.get_slice(id), load_a.get_slice(id), load_b.get_slice(id))
    else {
        device::trap()
    };
    let (ga, gb) = (mine.partition_s(&ga)?, mine.partition_s(&gb)?);
    // (V, M, K, tiles), (V, N, K, tiles)
    let bring = |tile, stage, sa: &mut _, sb: &mut _| -> Result<(), Trap> {
        copy(
            &fetch,
            &ga.slice((.., .., .., tile)),
            &mut mine.partition_d_mut(sa)?.slice_mut((.., .., .., stage)),
        )?;
        copy(
            &fetch,
            &gb.slice((.., .., .., tile)),
            &mut mine.partition_d_mut(sb)?.slice_mut((.., .., .., stage)),
        )?;
        Ok(())
    };
    let mut fa = thread.partition_a(&sa)?.slice((.., .., .., 0)).fragment_like::<T>(); // (V, M, K)
    let mut fb = thread.partition_b(&sb)?.slice((.., .., .., 0)).fragment_like::<T>(); // (V, N, K)
    let mut sum = Fragment::<f32, Accumulators>::zeroed(); // (V, M, N)

    // SAFETY: all threads call this, with the same tiles.
    let mut pipe = unsafe { Pipeline::<3>::new(k.get() / 64) };
    pipe.load_prologue(|tile, stage| bring(tile, stage, &mut sa, &mut sb))?;
    let mut ra = la.retile_d_mut(&mut fa, thread.slice_a())?; // (V, M, K)
    let mut rb = lb.retile_d_mut(&mut fb, thread.slice_b())?; // (V, N, K)
    copy(
        &load_a,
        &la.partition_s(&sa)?.slice((.., .., 0, pipe.read_stage())),
        &mut ra.slice_mut((.., .., 0)),
    )?;
    copy(
        &load_b,
        &lb.partition_s(&sb)?.slice((.., .., 0, pipe.read_stage())),
        &mut rb.slice_mut((.., .., 0)),
    )?;
    while pipe.has_tiles() {
        for_static!(K in 0..4, {
            if K == 3 {
                pipe.wait_next();
            }
            let (pa, pb) = (la.partition_s(&sa)?, lb.partition_s(&sb)?);
            // (V, M, K, stages), (V, N, K, stages)
            let mut ra = la.retile_d_mut(&mut fa, thread.slice_a())?; // (V, M, K)
            copy(&load_a, &pa.slice((.., .., next!(K), pipe.read_stage())),
                &mut ra.slice_mut((.., .., next!(K))))?;
            let mut rb = lb.retile_d_mut(&mut fb, thread.slice_b())?; // (V, N, K)
            copy(&load_b, &pb.slice((.., .., next!(K), pipe.read_stage())),
                &mut rb.slice_mut((.., .., next!(K))))?;
            if K == 0 {
                pipe.fetch_next(|tile, stage| bring(tile, stage, &mut sa, &mut sb))?;
                pipe.commit_group();
            }
            gemm(&mma, &fa.slice((.., .., K)), &fb.slice((.., .., K)), &mut sum);
        });
    }
    Ok((thread, sum))
}

/// `m` and `n` are multiples of 128, `k` of 64.
///
/// # Safety
/// The matrices exist, and 16 divides their addresses.
#[cfg(feature = "hgemm")]
#[kernel(threads = Threads, shared = Shared<T>, instances(<f16>, <bf16>))]
pub unsafe fn hgemm<T: Half>(
    m: u32,
    n: u32,
    k: u32,
    a: *const T,
    b: *const T,
    c: *mut f32,
) -> Result<(), Trap> {
    let (m, n) = (Multiple::<Int<128>>::new(m as usize)?, Multiple::<Int<128>>::new(n as usize)?);
    let (rows, (x, y, _)) = (m.get() / 128, device::block_index());
    let Some(place) = GroupedTileOrder::<GROUP>::new(rows as u32, (n.get() / 128) as u32) else {
        device::trap()
    };
    let Some(place) = place.tile_coordinate((x + rows * y) as u32) else { device::trap() };
    // SAFETY: the caller's promises: each block has its tile of the result.
    let (mut c, (thread, sum)) = unsafe {
        let product = multiply_tile(m, n, Multiple::<Int<64>>::new(k as usize)?, a, b, place)?;
        // (V, M, N)
        (Tensor::from_global(c, layout!((m, n):(n, 1))), product)
    }; // (m, n), (V, M, N)
    let mut c = c.local_tile_mut(Tile::default(), place)?; // (M, N)
    copy(&UniversalCopy::<f32, Int<2>>::new(), &sum, &mut thread.partition_c_mut(&mut c)?)?;
    Ok(())
}
