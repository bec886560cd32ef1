//! The main loop of a product with operands in a ring.

use core::ops::RangeFull;

use layout_algebra::StaticLayout;
use layout_algebra::atom::{At, TiledMma, TiledOperands};
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::Registers;
use layout_algebra::tensor::space::Shared;
use layout_algebra::tensor::{
    Addressable, Fragment, Partition, PartitionOf, SliceIn, StaticCosize, Storage, StorageMut,
};

use crate::hopper::{Barriers, Consumer, HasDescriptor, InFlight, Wgmma, WgmmaRegisters};

/// The coordinate of a stage in the partition of an operand, `(V, M, K, stages)`.
type Stage = (RangeFull, RangeFull, RangeFull, usize);
/// A thread's part of an operand with the layout `L`.
type PartOfA<L, M> = PartitionOf<L, <M as TiledOperands>::A, At>;
type PartOfB<L, M> = PartitionOf<L, <M as TiledOperands>::B, At>;

/// `sums = A B` over `depth` stages of a ring. `a` and `b` are partitions `(V, M, K, stages)` and
/// `(V, N, K, stages)` of the tiles in shared memory.
///
/// The products of a stage run while the thread waits for the next stage: the previous stage is
/// released then. `meanwhile` runs during the products of the last stage.
///
/// # Safety
/// All threads of the warpgroup call this. The operands have as many stages as the ring, whose
/// producer fills at least `depth` stages; `depth` is at least 1.
#[inline(always)]
pub unsafe fn gemm_stages<A, H, P, SA, LA, SB, LB, S, L, F, E>(
    mma: &TiledMma<A, H, P>,
    a: &Tensor<SA, LA>,
    b: &Tensor<SB, LB>,
    ring: &mut Consumer<F, E>,
    depth: u32,
    sums: Tensor<S, L>,
    meanwhile: impl FnOnce(),
) -> Tensor<S, L>
where
    TiledMma<A, H, P>: TiledOperands,
    A: Wgmma,
    SA: Storage<Item = A::A, Space = Shared>,
    SB: Storage<Item = A::B, Space = Shared>,
    LA: Addressable,
    LB: Addressable,
    Stage: SliceIn<LA, Output: HasDescriptor> + SliceIn<LB, Output: HasDescriptor>,
    S: StorageMut<Item = f32>,
    L: Addressable + StaticLayout,
    F: Barriers,
    E: Barriers + Clone,
{
    let mut sums = InFlight::from_accumulators(sums);
    let mut before = ring.consumer_wait();
    let i = before.stage_index() as usize;
    // SAFETY: there are as many tiles as stages; the rest is the caller's promise.
    unsafe {
        sums.gemm(
            mma,
            &a.slice_unchecked((.., .., .., i)),
            &b.slice_unchecked((.., .., .., i)),
            false,
        )
    };
    let mut step = 1;
    while step < depth {
        let stage = ring.consumer_wait();
        let i = stage.stage_index() as usize;
        // SAFETY: as above.
        unsafe {
            sums.gemm(
                mma,
                &a.slice_unchecked((.., .., .., i)),
                &b.slice_unchecked((.., .., .., i)),
                true,
            );
            sums.warpgroup_wait::<1, A>();
        }
        before.consumer_release();
        before = stage;
        step += 1;
    }
    meanwhile();
    // SAFETY: as above.
    let sums = unsafe { sums.into_accumulators::<A>() };
    before.consumer_release();
    sums
}

/// [`gemm_stages`] of tiles in shared memory with all their stages, `(M, K, stages)` and `(N, K,
/// stages)`, for thread `thread`, with accumulators that start at zero.
///
/// # Safety
/// Those of `gemm_stages`; `thread` is a thread of the product, whose tile divides both tiles.
#[inline(always)]
pub unsafe fn gemm_tile<A, H, P, SA, LA, SB, LB, L, F, E>(
    mma: &TiledMma<A, H, P>,
    thread: usize,
    a: &Tensor<SA, LA>,
    b: &Tensor<SB, LB>,
    ring: &mut Consumer<F, E>,
    depth: u32,
) -> Fragment<f32, L>
where
    TiledMma<A, H, P>: TiledOperands,
    A: Wgmma,
    SA: Storage<Item = A::A, Space = Shared>,
    SB: Storage<Item = A::B, Space = Shared>,
    LA: Partition<<TiledMma<A, H, P> as TiledOperands>::A, At>,
    LB: Partition<<TiledMma<A, H, P> as TiledOperands>::B, At>,
    Stage: SliceIn<PartOfA<LA, TiledMma<A, H, P>>, Output: HasDescriptor>
        + SliceIn<PartOfB<LB, TiledMma<A, H, P>>, Output: HasDescriptor>,
    L: Addressable + StaticLayout + StaticCosize + Default,
    F: Barriers,
    E: Barriers + Clone,
{
    // SAFETY: the caller's promises.
    unsafe {
        let share = mma.get_slice(thread).unwrap_unchecked();
        let (a, b) = (share.partition_a_unchecked(a), share.partition_b_unchecked(b));
        gemm_stages(mma, &a, &b, ring, depth, Fragment::zeroed(), || ())
    }
}

/// Starts `sums = A B` for a stage of B: `a` and `b` are tiles in shared memory, `b` with its
/// stages.
///
/// # Safety
/// All threads of the warpgroup call this, `thread` is a thread of the product, and the stage
/// exists. The tiles have been written, and are not overwritten until the products complete.
#[inline(always)]
pub unsafe fn gemm_stage<A, H, P, SA, LA, SB, LB, S, L>(
    mma: &TiledMma<A, H, P>,
    thread: usize,
    a: &Tensor<SA, LA>,
    b: &Tensor<SB, LB>,
    stage: u32,
    sums: Tensor<S, L>,
) -> InFlight<Tensor<S, L>>
where
    TiledMma<A, H, P>: TiledOperands,
    A: Wgmma,
    SA: Storage<Item = A::A, Space = Shared>,
    SB: Storage<Item = A::B, Space = Shared>,
    LA: Partition<<TiledMma<A, H, P> as TiledOperands>::A, At, Part: HasDescriptor>,
    LB: Partition<<TiledMma<A, H, P> as TiledOperands>::B, At>,
    Stage: SliceIn<PartOfB<LB, TiledMma<A, H, P>>, Output: HasDescriptor>,
    S: StorageMut<Item = f32>,
    L: Addressable + StaticLayout,
{
    let mut sums = InFlight::from_accumulators(sums);
    // SAFETY: the caller's promise; a tile that the product's does not divide does not compile.
    unsafe {
        let share = mma.get_slice(thread).unwrap_unchecked();
        let (a, b) = (share.partition_a_unchecked(a), share.partition_b_unchecked(b));
        sums.gemm(mma, &a, &b.slice_unchecked((.., .., .., stage as usize)), false);
    }
    sums
}

/// Starts `sums += A B` for a stage of B: `a` is a thread's fragment, `b` a tile in shared memory
/// with its stages.
///
/// # Safety
/// Those of [`gemm_stage`].
#[inline(always)]
pub unsafe fn gemm_registers_stage<A, H, P, SA, LA, SB, LB, S, L>(
    mma: &TiledMma<A, H, P>,
    thread: usize,
    a: &Tensor<SA, LA>,
    b: &Tensor<SB, LB>,
    stage: u32,
    sums: Tensor<S, L>,
) -> InFlight<Tensor<S, L>>
where
    TiledMma<A, H, P>: TiledOperands,
    A: WgmmaRegisters,
    SA: Storage<Item = A::A, Space = Registers>,
    SB: Storage<Item = A::B, Space = Shared>,
    LA: Addressable + StaticLayout,
    LB: Partition<<TiledMma<A, H, P> as TiledOperands>::B, At>,
    Stage: SliceIn<PartOfB<LB, TiledMma<A, H, P>>, Output: HasDescriptor>,
    S: StorageMut<Item = f32>,
    L: Addressable + StaticLayout,
{
    let mut sums = InFlight::from_accumulators(sums);
    // SAFETY: as above.
    unsafe {
        let b = mma.get_slice(thread).unwrap_unchecked().partition_b_unchecked(b);
        sums.gemm_registers(mma, a, &b.slice_unchecked((.., .., .., stage as usize)), true);
    }
    sums
}
