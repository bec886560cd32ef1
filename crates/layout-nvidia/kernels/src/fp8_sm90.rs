//! `C = s A B` of floats of 8 bits with accumulators in fp32, on Hopper's tensor cores:
//! [`hgemm_sm90`](crate::hgemm_sm90) with twice as many columns in a stage. A and B have K first,
//! as `wgmma` requires; `s` is the product of their scales; C is row-major, of `bf16`.
//!
//! Tensor cores keep about 14 bits of a sum of such products. `fp8_sm90_e4m3` lets them compute the
//! whole sum; in `fp8_sm90_e4m3_fp32` they sum one stage, 128 of K, and the threads add the stages
//! in fp32. `fp8_sm90_e5m2` has an A with more exponent and less mantissa, as gradients need.

use half::bf16;
use layout_algebra::atom::{UniversalCopy, copy, make_tiled_mma};
use layout_algebra::for_static;
use layout_algebra::prelude::*;
use layout_algebra::tensor::Fragment;
use layout_nvidia::device::{Trap, kernel};
use layout_nvidia::element::E4m3;
use layout_nvidia::hopper::{
    Accumulators, Barriers, Consumer, InFlight, Map, MapMut, SM90_64x128x32_F32E4M3E4M3_SS_TN,
    SM90_64x128x32_F32E5M2E4M3_SS_TN, SM90_64x256x32_F32E4M3E4M3_SS_TN,
    SM90_64x256x32_F32E5M2E4M3_SS_TN, Scaled, TileProduct, Wgmma, gemm_stage, gemm_tile,
    warpgroup_fence_operand,
};
use layout_nvidia::{LaidOutAs, cluster_size};

use self::form::{e4m3, e4m3_fp32, e4m3_fp32_narrow, e4m3_narrow, e5m2, e5m2_narrow};
pub use crate::hgemm_sm90::{Box as BoxC, StagesC};
use crate::hgemm_sm90::{Shared, Threads, Warpgroups, multiply_tiles, tile_products};

/// The swizzle of rows of 128 bytes: the number of the row permutes its units of 16 bytes.
pub type Rows128 = Swizzle<3, 4, 3>;
/// The box of A or B that one copy fetches.
pub type Box = ComposedLayout<Rows128, Int<0>, Layout!((64, 128): right)>;
/// The stages of A: rows, K, stages.
pub type StagesA =
    ComposedLayout<Rows128, Int<0>, OrderedLayout<Shape!((128, 128, 4)), Shape!((1, 0, 2))>>;
/// The stages of B.
pub type StagesB =
    ComposedLayout<Rows128, Int<0>, OrderedLayout<Shape!((256, 128, 4)), Shape!((1, 0, 2))>>;
/// The stages of A, and of B, for tiles with 128 columns.
pub type StagesNarrow =
    ComposedLayout<Rows128, Int<0>, OrderedLayout<Shape!((128, 128, 6)), Shape!((1, 0, 2))>>;

tile_products! {
    /// Tiles of 128 x 256: tensor cores compute the whole sum.
    Wide: 2, SM90_64x256x32_F32E4M3E4M3_SS_TN, Layout!(((2, 2, 32), 1, 1)),
        [StagesA, StagesB], ('static) -> bf16;
    /// Tiles of 128 x 128.
    Narrow: 1, SM90_64x128x32_F32E4M3E4M3_SS_TN, Half, [StagesNarrow, StagesNarrow],
        ('static) -> bf16;
}
/// The forms by their names in the kernels.
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
    /// `e4m3`; tensor cores sum one stage, and the threads add the stages.
    pub type e4m3_fp32 = Promoted;
    /// `e4m3_fp32` by narrow tiles.
    pub type e4m3_fp32_narrow = PromotedNarrow;
}
/// `e4m3` by tiles of 128 x 256; tensor cores sum one stage. A warpgroup multiplies 128 columns at
/// a time, since a thread has registers for the tile and half of it. While one warpgroup adds, the
/// other one multiplies. No barrier orders them: barriers cost more than they gain.
pub struct Promoted;
/// The same by tiles of 128 x 128. A thread has registers for three of them: a stage is multiplied
/// while the one before is added.
pub struct PromotedNarrow;
/// A thread's accumulators of 64 rows and 128 columns.
type Half = Layout!(((2, 2, 16), 1, 1));
// SAFETY: the accumulators belong to the 64 rows of the instruction, and both operands are all
// boxes of the stages.
unsafe impl TileProduct for Promoted {
    type A = E4m3;
    type B = E4m3;
    type C = bf16;
    type Box = Box;
    const WIDE: usize = 2;
    type Accumulators = Layout!(((2, 2, 16), 1, 2));
    #[inline(always)]
    unsafe fn mainloop<S: Barriers, E: Barriers + Clone>(
        (a, b): (*mut E4m3, *mut E4m3),
        thread: usize,
        ring: &mut Consumer<S, E>,
        depth: u32,
    ) -> Accumulators<Self> {
        type I = SM90_64x128x32_F32E4M3E4M3_SS_TN;
        // B has a box of 128 rows for each half of a stage.
        type BoxesB = ComposedLayout<
            Rows128,
            Int<0>,
            OrderedLayout<Shape!((128, 128, 8)), Shape!((1, 0, 2))>,
        >;
        let mma = make_tiled_mma(I::default(), Warpgroups::default(), tiler!(_, _, _));
        let mut total = Accumulators::<Self>::zeroed();
        // SAFETY: the tiles of the product divide the stages; the rest is the caller's promise.
        unsafe {
            let (a, b) = (
                Tensor::from_shared(a, StagesNarrow::default()),
                Tensor::from_shared(b, BoxesB::default()),
            ); // (M, K, stages), (N / 2, K, (halves, stages))
            let share = mma.get_slice(thread).unwrap_unchecked();
            let (pa, pb) = (share.partition_a_unchecked(&a), share.partition_b_unchecked(&b));
            // (V, M, K, stages), (V, N / 2, K, (halves, stages))
            for _ in 0..depth {
                let stage = ring.consumer_wait();
                let i = stage.stage_index() as usize;
                for_static!(N in 0..2, {
                    let mut sums = InFlight::from_accumulators(Fragment::<f32, Half>::zeroed());
                    // (V, M, N / 2)
                    let (a, b) = (pa.slice_unchecked((.., .., .., i)),
                        pb.slice_unchecked((.., .., .., 2 * i + N)));
                    // (V, M, K), (V, N / 2, K)
                    sums.gemm(&mma, &a, &b, false);
                    let sums = sums.into_accumulators::<I>(); // (V, M, N / 2)
                    let mut total = total.slice_mut((.., .., N)); // (V, M)
                    for_static!(I in 0..64, {
                        total[I] += sums[I];
                    });
                });
                stage.consumer_release();
            }
        }
        total
    }
}

// SAFETY: as above.
unsafe impl TileProduct for PromotedNarrow {
    type A = E4m3;
    type B = E4m3;
    type C = bf16;
    type Box = Box;
    const WIDE: usize = 1;
    type Accumulators = Half;
    #[inline(always)]
    unsafe fn mainloop<S: Barriers, E: Barriers + Clone>(
        (a, b): (*mut E4m3, *mut E4m3),
        thread: usize,
        ring: &mut Consumer<S, E>,
        depth: u32,
    ) -> Accumulators<Self> {
        let add = |total: &mut Accumulators<Self>, more: &Accumulators<Self>| {
            for_static!(I in 0..64, {
                total[I] += more[I];
            });
            // A fence: the additions stay here, before the next product needs the registers.
            warpgroup_fence_operand(total);
        };
        let mma = make_tiled_mma(
            SM90_64x128x32_F32E4M3E4M3_SS_TN,
            Warpgroups::default(),
            tiler!(_, _, _),
        );
        let (mut total, mut x, mut y) = (
            Accumulators::<Self>::zeroed(),
            Accumulators::<Self>::zeroed(),
            Accumulators::<Self>::zeroed(),
        );
        // SAFETY: the tiles are those of the stages; the rest is the caller's promise.
        unsafe {
            let (a, b) = (
                Tensor::from_shared(a, StagesNarrow::default()),
                Tensor::from_shared(b, StagesNarrow::default()),
            ); // (M, K, stages), (N, K, stages)
            let start = |i: u32, sums| {
                gemm_stage(&mma, thread, &a.slice_unchecked((.., .., i as usize)), &b, i, sums)
            };
            // The loop takes four stages at a time, and waits for the last of them: if accumulators
            // of running products are live across the loop's end, ptxas makes every product wait
            // for the previous one.
            for _ in 0..depth % 4 {
                let stage = ring.consumer_wait();
                x = start(stage.stage_index(), x).wait_group::<0>();
                add(&mut total, &x);
                stage.consumer_release();
            }
            for _ in 0..depth / 4 {
                let mut before = ring.consumer_wait();
                let mut going = start(before.stage_index(), x);
                for_static!(I in 0..3, {
                    let stage = ring.consumer_wait();
                    let next = start(stage.stage_index(), y);
                    y = going.wait_group::<1>();
                    add(&mut total, &y);
                    before.consumer_release();
                    (before, going) = (stage, next);
                });
                // After an even number of stages the sums are in their initial registers.
                (x, y) = (y, going.wait_group::<0>());
                add(&mut total, &y);
                before.consumer_release();
            }
        }
        total
    }
}

/// Reads a number from global memory.
///
/// # Safety
/// The number is there.
#[inline(always)]
unsafe fn read_scale(at: *const f32) -> f32 {
    let mut one = Fragment::<f32, Layout!(1)>::zeroed(); // (1)
    // SAFETY: the caller's promise.
    let _ = copy(
        &UniversalCopy::<f32>::new(),
        &unsafe { Tensor::from_global_ref(at, layout!(1)) },
        &mut one,
    );
    one[0]
}

/// Computes `rows` x `columns` tiles of C for each cluster, `depth` stages along K, at least one,
/// on `clusters` clusters. The accumulators are multiplied by both scales. The kernel may start
/// before the previous launch ends.
///
/// # Safety
/// The maps belong to the matrices, and the scales exist.
#[kernel(
    threads = Threads, shared = Shared<bf16>,
    instances(
        <e4m3, 4, 2>, <e4m3_narrow, 6, 4>, <e4m3_narrow, 6, 1>,
        <e4m3_fp32, 4, 2>, <e4m3_fp32_narrow, 6, 4>, <e4m3_fp32_narrow, 6, 1>,
        <e5m2, 4, 2>, <e5m2_narrow, 6, 4>, <e5m2_narrow, 6, 1>
    )
)]
pub unsafe fn fp8_sm90<F, const STAGES: u32, const BLOCKS: u32>(
    rows: u32,
    columns: u32,
    depth: u32,
    clusters: u32,
    a: Map<F::A, Box>,
    b: Map<F::B, Box>,
    c: MapMut<bf16, BoxC>,
    scale_a: *const f32,
    scale_b: *const f32,
) -> Result<(), Trap>
where
    F: TileProduct<C = bf16, Box = Box>,
{
    cluster_size!(BLOCKS);
    // SAFETY: the caller's promises.
    unsafe {
        let scaled = || Scaled(read_scale(scale_a) * read_scale(scale_b));
        multiply_tiles::<F, _, STAGES, BLOCKS>(
            (rows, columns, depth, clusters),
            (&a, &b, &c),
            scaled,
        );
    }
    Ok(())
}
