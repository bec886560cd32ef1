//! `hgemm_sm90` in six steps, five of them in this file: each adds one idea to the previous one.
//! The guide's page *From `index` to `wgmma`* explains them, and shows lines of this file.
//!
//! ```text
//! step_1_index      a thread for each element of C: a loop, and where the layouts say that the numbers are
//! step_2_tiles      a block has a tile of C; its threads bring tiles of A and B to shared memory
//! step_3_wgmma      the threads of the block are one warpgroup, whose instruction reads the tiles itself
//! step_4_tma        one thread asks for the tiles, and a barrier says when they are there
//! step_5_ring       four stages of tiles: one warpgroup fetches while two multiply
//! hgemm_sm90_f16    clusters, blocks that stay, the result through shared memory
//! ```
//!
//! `C = A B` of halves with accumulators in fp32. A and B have K first (BLAS: TN), C is row-major.

use half::f16;
use layout_algebra::StaticLayout;
use layout_algebra::atom::{
    At, MmaAtom, ThrMma, TiledOperands, UniversalCopy, Values, copy, gemm, make_tiled_copy,
    make_tiled_mma,
};
use layout_algebra::for_static;
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::Global;
use layout_algebra::tensor::{Addressable, Fragment, Partition, Storage, StorageMut};
use layout_nvidia::device::{self, SharedTile, SharedTiles, Trap, kernel};
use layout_nvidia::hopper::{
    self, Cluster, Consumer, Empty, Full, InFlight, Map, Mbarrier, Mbarriers, Producer,
    SM90_64x128x16_F32F16F16_SS, SM90_64x256x16_F32F16F16_SS, TensorMap,
};

use crate::hgemm_sm90::{Rows128, Warpgroups};

/// The tile of C of a block, in steps 2 to 4.
pub type TileC = Tiler!(128, 128);
/// A tile of A, or of B, in shared memory: 128 rows of 64 halves, 128 bytes each, swizzled ..
pub type Tile = ComposedLayout<Rows128, Int<0>, Layout!((128, 64): right)>;
/// .. and as a tiler.
pub type Operand = Tiler!(128, 64);
/// The stages of A in step 5: rows, K, stages.
pub type StagesA =
    ComposedLayout<Rows128, Int<0>, OrderedLayout<Shape!((128, 64, 4)), Shape!((1, 0, 2))>>;
/// In step 2: 16 x 16 threads, each with one sum at a time, so that a warp has 8 x 4.
pub type Threads = OrderedLayout<Shape!(((8, 2), (4, 4), 1)), Shape!(((0, 2), (1, 3), 4))>;
/// The threads that copy, 8 along a row of 64 halves, with 8 halves each: 256 threads ..
pub type Fetch2 = (Layout!((32, 8): right), Layout!((1, 8)));
/// .. or the 128 of a warpgroup.
pub type Fetch3 = (Layout!((16, 8): right), Layout!((1, 8)));
/// The tile of C of a block in step 5.
pub type TileC5 = Tiler!(128, 256);
/// The box of B that one copy fetches in step 5 ..
pub type OperandB = Tiler!(256, 64);
/// .. and its layout in shared memory.
pub type BoxB = ComposedLayout<Rows128, Int<0>, Layout!((256, 64): right)>;
/// The stages of B in step 5.
pub type StagesB =
    ComposedLayout<Rows128, Int<0>, OrderedLayout<Shape!((256, 64, 4)), Shape!((1, 0, 2))>>;
/// The full and the empty barriers of a ring of one stage, in step 4, and of four.
pub type Sides4 = Layout!((1, 2));
/// The barriers of the ring in step 5.
pub type Sides5 = Layout!((4, 2));

/// The product of two halves, added to a sum in fp32: one thread, one product.
#[derive(Clone, Copy, Debug, Default)]
pub struct HalfFma;
impl MmaAtom for HalfFma {
    type ShapeMnk = Shape!((1, 1, 1));
    type ThrId = Layout!(1:0);
    type ALayout = Layout!((1, 1):(0, 0));
    type BLayout = Layout!((1, 1):(0, 0));
    type CLayout = Layout!((1, 1):(0, 0));
    type A = f16;
    type B = f16;
    type C = f32;
    #[inline]
    fn fma(
        &self,
        a: &Values<f16, Self::ALayout>,
        b: &Values<f16, Self::BLayout>,
        c: Values<f32, Self::CLayout>,
    ) -> Values<f32, Self::CLayout> {
        device::Fma.fma(
            &[device::widen_to_f32(a[0])].into(),
            &[device::widen_to_f32(b[0])].into(),
            c,
        )
    }
}

/// Writes 128 accumulators of a thread, rounded to halves, to its part of C, two contiguous
/// elements at a time.
#[inline(always)]
fn write_accumulators<M, S, L, R, C>(
    share: &ThrMma<M>,
    sums: &Tensor<S, L>,
    c: &mut Tensor<R, C>,
) -> Result<(), Trap>
where
    M: TiledOperands,
    S: Storage<Item = f32>,
    L: Addressable + StaticLayout,
    R: StorageMut<Item = f16, Space = Global>,
    C: Partition<M::C, At>,
{
    let mut out = Fragment::<f16, Layout!(128)>::zeroed(); // (V)
    device::narrow_fragment(sums, &mut out);
    copy(&UniversalCopy::<f16, Int<2>>::new(), &out, &mut share.partition_c_mut(c)?)?;
    Ok(())
}

/// A thread for each element of C. `m` and `n` are multiples of 16.
///
/// # Safety
/// The matrices exist.
#[kernel(threads = Layout!(256))]
pub unsafe fn step_1_index(m: u32, n: u32, k: u32, a: *const f16, b: *const f16, c: *mut f16) {
    let (m, n, k) = (m as usize, n as usize, k as usize);
    let (la, lb, lc) = (layout!((m, k):(k, 1)), layout!((n, k):(k, 1)), layout!((m, n):(n, 1)));
    let ((bn, bm, _), id) = (device::block_index(), device::thread_index());
    let (row, column) = (16 * bm + id / 16, 16 * bn + id % 16);
    let mut sum = 0.0;
    for k in 0..k {
        // SAFETY: the caller's promise.
        let (x, y) = unsafe { (*a.add(la.index((row, k))), *b.add(lb.index((column, k)))) };
        sum += device::widen_to_f32(x) * device::widen_to_f32(y);
    }
    // SAFETY: the caller's promise; no other thread has this element.
    unsafe { *c.add(lc.index((row, column))) = device::narrow_to_f16(sum) };
}

/// The tiles of both operands, in steps 2 and 3.
pub type Shared2 = (SharedTile<f16, Tile>, SharedTile<f16, Tile>);
/// Tiles in shared memory. `m` and `n` are multiples of 128, `k` of 64.
///
/// # Safety
/// The matrices exist, and 16 divides their addresses.
#[kernel(threads = Threads, shared = Shared2)]
pub unsafe fn step_2_tiles(
    m: u32,
    n: u32,
    k: u32,
    a: *const f16,
    b: *const f16,
    c: *mut f16,
) -> Result<(), Trap> {
    let (m, n) = (Multiple::<Int<128>>::new(m as usize)?, Multiple::<Int<128>>::new(n as usize)?);
    let k = Multiple::<Int<64>>::new(k as usize)?;
    // SAFETY: the caller's promises; each block has its tile of C; shared memory is written before
    // a barrier and read after it.
    let (a, b, mut c, (mut sa, mut sb)) = unsafe {
        (
            Tensor::from_global_ref(a, layout!((m, k):(k, 1))),
            Tensor::from_global_ref(b, layout!((n, k):(k, 1))),
            Tensor::from_global(c, layout!((m, n):(n, 1))),
            Shared2::make_tensors(),
        )
    }; // (m, k), (n, k), (m, n), (M, K), (N, K)
    let (bn, bm, _) = device::block_index();
    let (ga, gb) =
        (a.local_tile(Operand::default(), (bm, ..))?, b.local_tile(Operand::default(), (bn, ..))?);
    // (M, K, tiles), (N, K, tiles)
    let mut c = c.local_tile_mut(TileC::default(), (bm, bn))?; // (M, N)
    let (threads, values) = <Fetch2>::default();
    let fetch = make_tiled_copy(UniversalCopy::<f16, Int<8>>::new(), threads, values)?;
    let one = UniversalCopy::<f16>::new();
    let mma = make_tiled_mma(HalfFma, Threads::default(), tiler!(_, _, _));
    let id = device::thread_index();
    let (Some(mine), Some(share)) = (fetch.get_slice(id), mma.get_slice(id)) else {
        device::trap()
    };
    let (ga, gb) = (mine.partition_s(&ga)?, mine.partition_s(&gb)?);
    // (V, M, K, tiles), (V, N, K, tiles)
    let mut fa = share.partition_a(&sa)?.slice((.., .., 0)).fragment_like::<f16>(); // (V, M)
    let mut fb = share.partition_b(&sb)?.slice((.., .., 0)).fragment_like::<f16>(); // (V, N)
    let mut sums = share.partition_fragment_c(&c); // (V, M, N)
    for step in 0..k.get() / 64 {
        copy(&fetch, &ga.slice((.., .., .., step)), &mut mine.partition_d_mut(&mut sa)?)?;
        copy(&fetch, &gb.slice((.., .., .., step)), &mut mine.partition_d_mut(&mut sb)?)?;
        // SAFETY: all threads of the block come here.
        unsafe { device::sync_threads() };
        for k in 0..64 {
            copy(&one, &share.partition_a(&sa)?.slice((.., .., k)), &mut fa)?;
            copy(&one, &share.partition_b(&sb)?.slice((.., .., k)), &mut fb)?;
            gemm(&mma, &fa, &fb, &mut sums);
        }
        // SAFETY: all threads of the block come here.
        unsafe { device::sync_threads() };
    }
    let mut out = sums.fragment_like::<f16>(); // (V, M, N)
    for_static!(I in 0..64, { out[I] = device::narrow_to_f16(sums[I]); });
    copy(&one, &out, &mut share.partition_c_mut(&mut c)?)?;
    Ok(())
}

/// The product by a warpgroup. `m` and `n` are multiples of 128, `k` of 64.
///
/// # Safety
/// The matrices exist, and 16 divides their addresses.
#[kernel(threads = Layout!(128), shared = Shared2)]
pub unsafe fn step_3_wgmma(
    m: u32,
    n: u32,
    k: u32,
    a: *const f16,
    b: *const f16,
    c: *mut f16,
) -> Result<(), Trap> {
    let (m, n) = (Multiple::<Int<128>>::new(m as usize)?, Multiple::<Int<128>>::new(n as usize)?);
    let k = Multiple::<Int<64>>::new(k as usize)?;
    // SAFETY: as before.
    let (a, b, mut c, (mut sa, mut sb)) = unsafe {
        (
            Tensor::from_global_ref(a, layout!((m, k):(k, 1))),
            Tensor::from_global_ref(b, layout!((n, k):(k, 1))),
            Tensor::from_global(c, layout!((m, n):(n, 1))),
            Shared2::make_tensors(),
        )
    }; // (m, k), (n, k), (m, n), (M, K), (N, K)
    let (bn, bm, _) = device::block_index();
    let (ga, gb) =
        (a.local_tile(Operand::default(), (bm, ..))?, b.local_tile(Operand::default(), (bn, ..))?);
    // (M, K, tiles), (N, K, tiles)
    let mut c = c.local_tile_mut(TileC::default(), (bm, bn))?; // (M, N)
    let (threads, values) = <Fetch3>::default();
    let fetch = make_tiled_copy(UniversalCopy::<f16, Int<8>>::new(), threads, values)?;
    let mma = make_tiled_mma(SM90_64x128x16_F32F16F16_SS, layout!((1, 1, 1)), tiler!(_, _, _));
    let id = device::thread_index();
    let (Some(mine), Some(share)) = (fetch.get_slice(id), mma.get_slice(id)) else {
        device::trap()
    };
    let (ga, gb) = (mine.partition_s(&ga)?, mine.partition_s(&gb)?);
    // (V, M, K, tiles), (V, N, K, tiles)
    let mut sums = InFlight::from_accumulators(share.partition_fragment_c(&c)); // (V, M, N)
    for step in 0..k.get() / 64 {
        copy(&fetch, &ga.slice((.., .., .., step)), &mut mine.partition_d_mut(&mut sa)?)?;
        copy(&fetch, &gb.slice((.., .., .., step)), &mut mine.partition_d_mut(&mut sb)?)?;
        hopper::fence_async();
        // SAFETY: all threads of the block come here.
        unsafe { device::sync_threads() };
        // SAFETY: all threads of the warpgroup come here; nobody writes the tiles before the next
        // barrier.
        unsafe { sums.gemm(&mma, &share.partition_a(&sa)?, &share.partition_b(&sb)?, step > 0) };
        // SAFETY: all threads of the warpgroup come here.
        unsafe { sums.warpgroup_wait::<0, SM90_64x128x16_F32F16F16_SS>() };
        // SAFETY: all threads of the block come here.
        unsafe { device::sync_threads() };
    }
    // SAFETY: as above.
    let sums = unsafe { sums.into_accumulators::<SM90_64x128x16_F32F16F16_SS>() }; // (V, M, N)
    write_accumulators(&share, &sums, &mut c)?;
    Ok(())
}

/// The tiles of both operands, and the barriers.
pub type Shared4 = (SharedTile<f16, Tile>, SharedTile<f16, Tile>, SharedTile<Mbarrier, Sides4>);
/// The tiles are copied by TMA. `m` and `n` are multiples of 128, `k` of 64.
///
/// # Safety
/// The maps are those of the matrices, and C exists.
#[kernel(threads = Layout!(128), shared = Shared4)]
pub unsafe fn step_4_tma(
    m: u32,
    n: u32,
    k: u32,
    a: Map<f16, Tile>,
    b: Map<f16, Tile>,
    c: *mut f16,
) -> Result<(), Trap> {
    let (m, n) = (Multiple::<Int<128>>::new(m as usize)?, Multiple::<Int<128>>::new(n as usize)?);
    let k = Multiple::<Int<64>>::new(k as usize)?;
    // SAFETY: the caller's promises; a stage is written between `producer_acquire` and
    // `arrive_and_expect_tx`, and read between `consumer_wait` and `consumer_release`.
    let (mut c, (mut sa, mut sb, sides)) =
        unsafe { (Tensor::from_global(c, layout!((m, n):(n, 1))), Shared4::make_tensors()) };
    // (m, n), (M, K), (N, K), (stages, sides)
    let Some(sides) = sides.address(0) else { device::trap() };
    // SAFETY: the memory exists.
    let (full, empty) = unsafe {
        (Mbarriers::<1>::from_address(sides), Mbarriers::<1>::from_address(sides.add(1)))
    };
    let (id, (bn, bm, _)) = (device::thread_index(), device::block_index());
    if id == 0 {
        full.initialize(1);
        empty.initialize(1);
        a.prefetch_descriptor();
        b.prefetch_descriptor();
    }
    // SAFETY: all threads of the block come here.
    unsafe { device::sync_threads() };
    let mut fetch = Producer::new(Full(full), Empty::new(empty, Cluster::<1>::of_this_block(), 0));
    let mut tiles = Consumer::new(Full(full), Empty::new(empty, Cluster::<1>::of_this_block(), id));
    let (of_a, of_b) =
        (Tensor::coordinates(identity((m, k))), Tensor::coordinates(identity((n, k))));
    // (m, k), (n, k)
    let mut c = c.local_tile_mut(TileC::default(), (bm, bn))?; // (M, N)
    let mma = make_tiled_mma(SM90_64x128x16_F32F16F16_SS, layout!((1, 1, 1)), tiler!(_, _, _));
    let Some(share) = mma.get_slice(id) else { device::trap() };
    let mut sums = InFlight::from_accumulators(share.partition_fragment_c(&c)); // (V, M, N)
    for step in 0..k.get() / 64 {
        if id == 0 {
            let from_a = of_a.local_tile(Operand::default(), (bm, step))?; // (M, K)
            let from_b = of_b.local_tile(Operand::default(), (bn, step))?; // (N, K)
            let stage = fetch.producer_acquire();
            // SAFETY: the stage is reserved, and nobody reads its tiles before it is full.
            unsafe {
                a.load_tile(&from_a, &mut sa, &stage);
                b.load_tile(&from_b, &mut sb, &stage);
            }
            stage.arrive_and_expect_tx(2 * TensorMap::<f16, Tile>::BYTES);
        }
        let (pa, pb) = (share.partition_a(&sa)?, share.partition_b(&sb)?); // (V, M, K), (V, N, K)
        let stage = tiles.consumer_wait();
        // SAFETY: all threads of the warpgroup come here; the stage is full, and is released behind
        // it.
        unsafe { sums.gemm(&mma, &pa, &pb, step > 0) };
        // SAFETY: all threads of the warpgroup come here.
        unsafe { sums.warpgroup_wait::<0, SM90_64x128x16_F32F16F16_SS>() };
        stage.consumer_release();
    }
    // SAFETY: as above.
    let sums = unsafe { sums.into_accumulators::<SM90_64x128x16_F32F16F16_SS>() }; // (V, M, N)
    write_accumulators(&share, &sums, &mut c)?;
    Ok(())
}

/// The stages of both operands, and the barriers.
pub type Shared5 =
    (SharedTile<f16, StagesA>, SharedTile<f16, StagesB>, SharedTile<Mbarrier, Sides5>);
/// A ring of four stages, between a producer warpgroup and two that multiply. `m` is a multiple of
/// 128, `n` of 256, `k` of 64.
///
/// # Safety
/// The maps are those of the matrices, and C exists.
#[kernel(threads = Layout!(384), shared = Shared5)]
pub unsafe fn step_5_ring(
    m: u32,
    n: u32,
    k: u32,
    a: Map<f16, Tile>,
    b: Map<f16, BoxB>,
    c: *mut f16,
) -> Result<(), Trap> {
    let (m, n) = (Multiple::<Int<128>>::new(m as usize)?, Multiple::<Int<256>>::new(n as usize)?);
    let k = Multiple::<Int<64>>::new(k as usize)?;
    // SAFETY: as before.
    let (mut c, (mut sa, mut sb, sides)) =
        unsafe { (Tensor::from_global(c, layout!((m, n):(n, 1))), Shared5::make_tensors()) };
    // (m, n), (M, K, stages), (N, K, stages), (stages, sides)
    let Some(sides) = sides.address(0) else { device::trap() };
    // SAFETY: the memory exists.
    let (full, empty) = unsafe {
        (Mbarriers::<4>::from_address(sides), Mbarriers::<4>::from_address(sides.add(4)))
    };
    let (id, (bn, bm, _)) = (device::thread_index(), device::block_index());
    if id == 0 {
        full.initialize(1);
        empty.initialize(2);
        a.prefetch_descriptor();
        b.prefetch_descriptor();
    }
    // SAFETY: all threads of the block come here.
    unsafe { device::sync_threads() };
    if id == 256 {
        let mut fetch =
            Producer::new(Full(full), Empty::new(empty, Cluster::<1>::of_this_block(), 0));
        let (of_a, of_b) =
            (Tensor::coordinates(identity((m, k))), Tensor::coordinates(identity((n, k))));
        // (m, k), (n, k)
        for step in 0..k.get() / 64 {
            let from_a = of_a.local_tile(Operand::default(), (bm, step))?; // (M, K)
            let from_b = of_b.local_tile(OperandB::default(), (bn, step))?; // (N, K)
            let stage = fetch.producer_acquire();
            let i = stage.stage_index() as usize;
            // SAFETY: there are as many tiles as stages.
            unsafe {
                a.load_tile(&from_a, &mut sa.slice_unchecked_mut((.., .., i)), &stage);
                b.load_tile(&from_b, &mut sb.slice_unchecked_mut((.., .., i)), &stage);
            }
            stage.arrive_and_expect_tx(
                TensorMap::<f16, Tile>::BYTES + TensorMap::<f16, BoxB>::BYTES,
            );
        }
    } else if id < 256 {
        let mut tiles =
            Consumer::new(Full(full), Empty::new(empty, Cluster::<1>::of_this_block(), id % 128));
        let mut c = c.local_tile_mut(TileC5::default(), (bm, bn))?; // (M, N)
        let mma =
            make_tiled_mma(SM90_64x256x16_F32F16F16_SS, Warpgroups::default(), tiler!(_, _, _));
        let Some(share) = mma.get_slice(id) else { device::trap() };
        let (pa, pb) = (share.partition_a(&sa)?, share.partition_b(&sb)?);
        // (V, M, K, stages), (V, N, K, stages)
        let mut sums = InFlight::from_accumulators(share.partition_fragment_c(&c)); // (V, M, N)
        for step in 0..k.get() / 64 {
            let stage = tiles.consumer_wait();
            let i = stage.stage_index() as usize;
            // SAFETY: as before, and there are as many tiles as stages.
            unsafe {
                let (pa, pb) =
                    (pa.slice_unchecked((.., .., .., i)), pb.slice_unchecked((.., .., .., i)));
                // (V, M, K), (V, N, K)
                sums.gemm(&mma, &pa, &pb, step > 0);
            }
            // SAFETY: all threads of the warpgroup come here.
            unsafe { sums.warpgroup_wait::<0, SM90_64x256x16_F32F16F16_SS>() };
            stage.consumer_release();
        }
        // SAFETY: as above.
        let sums = unsafe { sums.into_accumulators::<SM90_64x256x16_F32F16F16_SS>() }; // (V, M, N)
        write_accumulators(&share, &sums, &mut c)?;
    }
    Ok(())
}
