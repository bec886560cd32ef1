//! `C = s A B` of floats of 8 bits with sums in fp32, on Hopper's tensor cores: [`hgemm_sm90`](crate::hgemm_sm90) with
//! twice as many columns in a stage. A and B have K first, as `wgmma` takes them; `s` is the product of their scales;
//! C is row-major, of `bf16`.
//!
//! Tensor cores keep about 14 bits of a sum of such products. `fp8_sm90_e4m3` leaves all of a sum to them; in
//! `fp8_sm90_e4m3_fp32` they add up one stage, 128 of K, and the threads add these in fp32. `fp8_sm90_e5m2` has A with
//! more exponent and less mantissa, as gradients have.

use core::marker::PhantomData;

use half::bf16;
use layout_algebra::atom::{UniversalCopy, copy, make_tiled_mma};
use layout_algebra::for_static;
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::Shared as InShared;
use layout_algebra::tensor::{Addressable, Fragment, StaticCosize, TileMut};
use layout_nvidia::device::{self, Ended, SharedTile, SharedTiles, kernel};
use layout_nvidia::element::E4m3;
use layout_nvidia::hopper::{
    self, Cluster, Epilogue, Going, Mbarrier, Ring, RingConsumer, SM90_64x128x32_F32E4M3E4M3_SS_TN,
    SM90_64x128x32_F32E5M2E4M3_SS_TN, SM90_64x256x32_F32E4M3E4M3_SS_TN, SM90_64x256x32_F32E5M2E4M3_SS_TN, TensorMap,
    TilesInGroups, Turns, Wgmma, gemm_stages, is_first,
};
use layout_nvidia::{LaidOutAs, cluster_size};

use self::form::{e4m3, e4m3_fp32, e4m3_fp32_narrow, e4m3_narrow, e5m2, e5m2_narrow};
pub use crate::hgemm_sm90::{BoxC, Part, Sides, StagesC, Threads, Warpgroups, is_narrow};

/// What is fetched of an operand at once.
pub type Operand = Tiler!(128, 128);
/// Rows of 128 bytes, whose units of 16 change places by the number of the row.
pub type Rows128 = Swizzle<3, 4, 3>;
/// The stages of A: rows, K, stages.
pub type StagesA = ComposedLayout<Rows128, Int<0>, Layout!((128, 128, 4):(128, 1, 16384))>;
/// What is fetched of B, a box behind the other: two for each stage, one from each block of the cluster ..
pub type BoxesB = ComposedLayout<Rows128, Int<0>, Layout!((128, 128, 8):(128, 1, 16384))>;
/// .. which are its stages, rows, K, stages; or one for each stage.
pub type StagesB = ComposedLayout<Rows128, Int<0>, Layout!(((128, 2), 128, 4):((128, 16384), 1, 32768))>;
/// What is fetched at once.
pub type Box = ComposedLayout<Rows128, Int<0>, Layout!((128, 128):(128, 1))>;
/// What a block has in shared memory.
pub type Shared<A, B> =
    (SharedTile<A, StagesA>, SharedTile<B, BoxesB>, SharedTile<bf16, StagesC>, SharedTile<Mbarrier, Sides>);
/// A thread's sums of its warpgroup's 64 x 256.
pub type Sums = Layout!(((2, 2, 32), 1, 1));
/// The stages of an operand.
pub type Stages<T, L> = Tensor<TileMut<'static, T, InShared>, L>;

/// What is multiplied, and how it is added up.
pub trait Form: 'static {
    /// The elements of A.
    type A: 'static;
    /// The elements of B.
    type B: 'static;
    /// The columns of a tile, in units of 128.
    const WIDE: usize;
    /// The sums of a thread.
    type Sums: Addressable + StaticCosize;
    /// The sums of a tile, of `depth` stages.
    ///
    /// # Safety
    /// All threads of the warpgroup come here, of 256 in all; the ring brings so many stages.
    unsafe fn sums(
        a: &Stages<Self::A, StagesA>,
        b: &Stages<Self::B, BoxesB>,
        thread: usize,
        ring: &mut RingConsumer<4, 2>,
        depth: u32,
    ) -> Fragment<f32, Self::Sums>;
}
/// What the instruction `I` of 256 columns multiplies, all of which tensor cores add up.
pub struct Wide<I>(PhantomData<I>);
impl<I> Form for Wide<I>
where
    I: Wgmma<A: 'static, B: 'static> + LaidOutAs<SM90_64x256x32_F32E4M3E4M3_SS_TN> + Default + 'static,
{
    type A = I::A;
    type B = I::B;
    const WIDE: usize = 2;
    type Sums = Layout!(((2, 2, 32), 1, 1));
    #[inline(always)]
    unsafe fn sums(
        a: &Stages<I::A, StagesA>,
        b: &Stages<I::B, BoxesB>,
        thread: usize,
        ring: &mut RingConsumer<4, 2>,
        depth: u32,
    ) -> Fragment<f32, Self::Sums> {
        let mma = make_tiled_mma(I::default(), Warpgroups::default(), tiler!(_, _, _));
        // SAFETY: the tiles of the product divide the stages, which are all boxes; the rest is the caller's promise.
        unsafe {
            let share = mma.get_slice(thread).unwrap_unchecked();
            let b = b.view().relayout_unchecked(StagesB::default());
            let (pa, pb) = (share.partition_a_unchecked(a), share.partition_b_unchecked(&b));
            gemm_stages(&mma, &pa, &pb, ring, depth, Fragment::zeroed())
        }
    }
}
/// The same of 128 columns.
pub struct Narrow<I>(PhantomData<I>);
impl<I> Form for Narrow<I>
where
    I: Wgmma<A: 'static, B: 'static> + LaidOutAs<SM90_64x128x32_F32E4M3E4M3_SS_TN> + Default + 'static,
{
    type A = I::A;
    type B = I::B;
    const WIDE: usize = 1;
    type Sums = Layout!(((2, 2, 16), 1, 1));
    #[inline(always)]
    unsafe fn sums(
        a: &Stages<I::A, StagesA>,
        b: &Stages<I::B, BoxesB>,
        thread: usize,
        ring: &mut RingConsumer<4, 2>,
        depth: u32,
    ) -> Fragment<f32, Self::Sums> {
        let mma = make_tiled_mma(I::default(), Warpgroups::default(), tiler!(_, _, _));
        // SAFETY: as above, a box for each stage.
        unsafe {
            let share = mma.get_slice(thread).unwrap_unchecked();
            let (pa, pb) = (share.partition_a_unchecked(a), share.partition_b_unchecked(b));
            gemm_stages(&mma, &pa, &pb, ring, depth, Fragment::zeroed())
        }
    }
}
/// What has its sums added up by tensor cores, and the same by tiles of 128 columns.
#[allow(non_camel_case_types, reason = "as they are named in the kernels")]
pub mod form {
    use super::*;
    /// `e4m3`.
    pub type e4m3 = Wide<SM90_64x256x32_F32E4M3E4M3_SS_TN>;
    /// `e4m3` by narrow tiles.
    pub type e4m3_narrow = Narrow<SM90_64x128x32_F32E4M3E4M3_SS_TN>;
    /// `e5m2` by `e4m3`.
    pub type e5m2 = Wide<SM90_64x256x32_F32E5M2E4M3_SS_TN>;
    /// `e5m2` by `e4m3` by narrow tiles.
    pub type e5m2_narrow = Narrow<SM90_64x128x32_F32E5M2E4M3_SS_TN>;
    /// `e4m3`, of which tensor cores add up one stage.
    pub type e4m3_fp32 = Promoted<2>;
    /// The same by narrow tiles.
    pub type e4m3_fp32_narrow = Promoted<1>;
}
/// `e4m3`, of which tensor cores add up one stage: 128 columns at a time, since a thread has registers for half a tile
/// beside the whole. While one warpgroup adds, the other one multiplies: they take turns.
pub struct Promoted<const WIDE: usize>;
/// A thread's sums of 64 rows and 128 columns.
type Half = Layout!(((2, 2, 16), 1, 1));
impl<const WIDE: usize> Form for Promoted<WIDE> {
    type A = E4m3;
    type B = E4m3;
    const WIDE: usize = WIDE;
    type Sums = Layout!(((2, 2, 16), 1, 2));
    #[inline(always)]
    unsafe fn sums(
        a: &Stages<E4m3, StagesA>,
        b: &Stages<E4m3, BoxesB>,
        thread: usize,
        ring: &mut RingConsumer<4, 2>,
        depth: u32,
    ) -> Fragment<f32, Self::Sums> {
        type I = SM90_64x128x32_F32E4M3E4M3_SS_TN;
        let mma = make_tiled_mma(I::default(), Warpgroups::default(), tiler!(_, _, _));
        let mut total = Fragment::<f32, Self::Sums>::zeroed();
        // SAFETY: the tiles of the product divide the stages; both warpgroups have as many turns; the rest is the caller's
        // promise.
        unsafe {
            let turns = Turns::<3>::begin(thread / 128);
            let share = mma.get_slice(thread).unwrap_unchecked();
            let (pa, pb) = (share.partition_a_unchecked(a), share.partition_b_unchecked(b));
            for _ in 0..depth {
                let stage = ring.wait();
                let i = stage.number() as usize;
                for_static!(N in 0..2, {
                    if N < WIDE {
                        turns.take();
                        let mut sums = Going::start(Fragment::<f32, Half>::zeroed());
                        let (a, b) =
                            (pa.slice_unchecked((.., .., .., i)), pb.slice_unchecked((.., .., .., WIDE * i + N)));
                        sums.gemm(&mma, &a, &b, false);
                        turns.give();
                        let sums = sums.finish::<I>();
                        let mut total = total.slice_mut((.., .., N));
                        for_static!(I in 0..64, {
                            total[I] += sums[I];
                        });
                    }
                });
                stage.release();
            }
            turns.end();
        }
        total
    }
}

/// The number in global memory.
///
/// # Safety
/// It is there.
#[inline(always)]
unsafe fn number(at: *const f32) -> f32 {
    let mut one = Fragment::<f32, Layout!(1)>::zeroed();
    // SAFETY: the caller's promise.
    let _ = copy(&UniversalCopy::<f32>::new(), &unsafe { Tensor::from_global_ref(at, layout!(1)) }, &mut one);
    one[0]
}

/// `rows` x `columns` tiles of 256 x 256 of C, `depth` stages along K, one at least, by `clusters` clusters: each is the
/// product of both scales and of the sums.
///
/// # Safety
/// The maps are those of the matrices, and the scales are there.
#[kernel(threads = Threads, shared = Shared<F::A, F::B>, instances(<e4m3>, <e4m3_narrow>, <e4m3_fp32>, <e4m3_fp32_narrow>, <e5m2>, <e5m2_narrow>))]
pub unsafe fn fp8_sm90<F: Form>(
    rows: u32,
    columns: u32,
    depth: u32,
    clusters: u32,
    a: *const TensorMap<F::A, Box>,
    b: *const TensorMap<F::B, Box>,
    c: *const TensorMap<bf16, BoxC>,
    scale_a: *const f32,
    scale_b: *const f32,
) -> Result<(), Ended> {
    cluster_size!(2);
    // SAFETY: the caller's promises; a stage is written between `reserve` and `fill`, and read between `wait` and
    // `release`; the parts of C are each warpgroup's own, between its barriers. Where warpgroups multiply, threads and
    // tiles are below their numbers, and no question is asked: what a warp's threads may answer differently, ptxas
    // computes in each of them from there on.
    unsafe {
        let (a, b, c) = (&*a, &*b, &*c);
        let (mut sa, mut sb, mut sc, barriers) = Shared::<F::A, F::B>::tensors();
        let (cluster, thread) = (Cluster::<2>::here(), device::thread());
        let ring = Ring::<4, 2>::at(&barriers, 0, cluster);
        // Four warps, side by side: to make a map known takes time.
        if is_first(thread) {
            // Two warpgroups of each block empty a stage.
            ring.init(2);
        }
        if is_first(thread ^ 32) {
            a.prepare();
        }
        if is_first(thread ^ 64) {
            b.prepare();
        }
        if is_first(thread ^ 96) {
            c.prepare();
        }
        hopper::cluster_sync(cluster);

        let (warpgroup, rank) = (thread / 128, cluster.rank() as usize);
        let Some(tiles) = TilesInGroups::<8>::new(rows, columns) else { device::stop() };
        let mut tile = device::block().0 as u32 / 2;
        let m = Multiple::<Int<256>>::new(rows as usize * 256)?;
        let n = Multiple::<Int<128>>::new(columns as usize * F::WIDE * 128)?;
        let k = Multiple::<Int<128>>::new(depth as usize * 128)?;
        if warpgroup == 2 {
            hopper::less_registers::<40>();
            if thread == 256 {
                let mut ring = ring.producer();
                let (of_a, of_b) = (Tensor::coordinates(identity((m, k))), Tensor::coordinates(identity((n, k))));
                while let Some((row, column)) = tiles.get(tile) {
                    for step in 0..depth as usize {
                        // Which box of the stage this block fetches for both: its half, or all of it every other time.
                        let (half, turn) = if F::WIDE == 2 { (rank, rank) } else { (0, step % 2) };
                        let from_a = of_a.local_tile(Operand::default(), (2 * row + rank, step))?;
                        let from_b = of_b.local_tile(Operand::default(), (F::WIDE * column + half, step))?;
                        let stage = ring.reserve();
                        let i = stage.number() as usize;
                        a.load(&from_a, &mut sa.slice_unchecked_mut((.., .., i)), &stage);
                        if turn == rank {
                            let mut to = sb.slice_unchecked_mut((.., .., F::WIDE * i + half));
                            b.load_to_all(cluster, &from_b, &mut to, &stage);
                        }
                        stage.fill(TensorMap::<F::A, Box>::BYTES + F::WIDE as u32 * TensorMap::<F::B, Box>::BYTES);
                    }
                    tile += clusters;
                }
                ring.finish();
            }
        } else {
            hopper::more_registers::<232>();
            let mine = thread % 128;
            let epilogue = Epilogue::of(warpgroup, mine).unwrap_unchecked();
            let mut ring = ring.consumer(mine);
            let of_c = Tensor::coordinates(identity((m, n)));
            let scale = number(scale_a) * number(scale_b);
            while let Some((row, column)) = tiles.get(tile) {
                let sums = F::sums(&sa, &sb, thread, &mut ring, depth);
                for_static!(J in 0..4, {
                    if J < 2 * F::WIDE {
                        let mut to = sc.slice_unchecked_mut((.., .., (J % 2, warpgroup)));
                        let at = (4 * row + 2 * rank + warpgroup, 2 * F::WIDE * column + J);
                        let there = of_c.local_tile(Part::default(), at).unwrap_unchecked();
                        epilogue.send(|_| epilogue.part(&sums, J, |_, sum| scale * sum), &mut to, c, &there);
                    }
                });
                tile += clusters;
            }
            epilogue.finish();
        }
        // Nobody leaves while others may still write to it or arrive at its barriers.
        hopper::cluster_sync(cluster);
        Ok(())
    }
}
