//! Heads of 64 and of 128 elements: their boxes in shared memory, and the two products of
//! attention.

use layout_algebra::atom::{UniversalCopy, copy, make_tiled_mma};
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::Shared as InShared;
use layout_algebra::tensor::{Addressable, Fragment, StaticCosize, TileMut};
use layout_algebra::{StaticLayout, for_static};
use layout_nvidia::device::{self, SharedTile};
pub use layout_nvidia::hopper::RowOf;
use layout_nvidia::hopper::{self, Cluster, Half, InFlight, Mbarrier, Ring};

/// The swizzle of rows of 128 bytes: the row permutes its units of 16 bytes.
pub type Rows128 = Swizzle<3, 3, 3>;
/// The warpgroups that multiply, one above the other.
pub type Warpgroups = Layout!((2, 1, 1));

/// The boxes of Q in shared memory, contiguous, or the boxes of K. Heads of 128 elements have two
/// boxes for each stage.
pub type BoxesK =
    ComposedLayout<Rows128, Int<0>, OrderedLayout<Shape!((128, 64, 4)), Shape!((1, 0, 2))>>;
/// The boxes of V in shared memory.
pub type BoxesV = ComposedLayout<Rows128, Int<0>, Layout!((64, 128, 4))>;
/// The full and the empty barriers of the rings: Q has two stages, K and V have up to four.
pub type Sides = Layout!(20);
/// Two words for each stage of Q; the first one is the tile of the stage.
pub type Words = Layout!((2, 2));
/// The boxes of O before they are stored, for both warpgroups.
pub type BoxesO =
    ComposedLayout<Rows128, Int<0>, OrderedLayout<Shape!((64, 64, 4)), Shape!((1, 0, 2))>>;
/// The shared memory of a block.
pub type Shared<T> = (
    SharedTile<T, BoxesK>,
    SharedTile<T, BoxesK>,
    SharedTile<T, BoxesV>,
    SharedTile<T, BoxesO>,
    SharedTile<Mbarrier, Sides>,
    SharedTile<u64, Words>,
);
/// The rings of Q, of K and of V: Q has two stages, the others `STAGES`.
pub type Rings<const STAGES: u32> = (Ring<2, 1>, Ring<STAGES, 1>, Ring<STAGES, 1>);
/// Sets up a block: makes the rings, prefetches the descriptors by one thread, and waits for the
/// previous launch. `producers` threads fill a stage, and `warpgroups` warpgroups empty it; a stage
/// of Q is emptied by their warps, each of which reads its word.
///
/// # Safety
/// All threads of a block without a cluster call this, once.
#[inline(always)]
pub unsafe fn set_up_rings<const STAGES: u32>(
    barriers: &Tensor<TileMut<'static, Mbarrier, InShared>, Sides>,
    (producers, warpgroups): (u32, u32),
    prefetch_descriptors: impl FnOnce(),
) -> Rings<STAGES> {
    // SAFETY: there are 20 barriers, and the caller's promise.
    unsafe {
        let alone = Cluster::<1>::of_this_block();
        let rings = (
            Ring::from_barriers(barriers, 0, alone),
            Ring::from_barriers(barriers, 4, alone),
            Ring::from_barriers(barriers, 4 + 2 * STAGES as usize, alone),
        );
        if device::thread_index() == 0 {
            rings.0.initialize_with_producers(producers, 4 * warpgroups);
            rings.1.initialize_with_producers(producers, warpgroups);
            rings.2.initialize_with_producers(producers, warpgroups);
            prefetch_descriptors();
        }
        hopper::cluster_sync(alone);
        device::grid_dependency_wait();
        rings
    }
}
/// The boxes of Q or of K in shared memory.
pub type Keys<T> = Tensor<TileMut<'static, T, InShared>, BoxesK>;
/// The boxes of V in shared memory.
pub type Values<T> = Tensor<TileMut<'static, T, InShared>, BoxesV>;

/// Q and K as operands, for heads of 64: rows, d, stages.
pub type K64 =
    ComposedLayout<Rows128, Int<0>, OrderedLayout<Shape!((128, 64, 4)), Shape!((1, 0, 2))>>;
/// V as operand, for heads of 64: d, rows, stages.
pub type V64 = ComposedLayout<Rows128, Int<0>, Layout!((64, 128, 4))>;
/// Q and K as operands, for heads of 128: rows, d, stages.
pub type K128 = ComposedLayout<
    Rows128,
    Int<0>,
    OrderedLayout<Shape!((128, (64, 2), 2)), Shape!((1, (0, 2), 3))>,
>;
/// V as operand, for heads of 128: d, rows, stages.
pub type V128 = ComposedLayout<
    Rows128,
    Int<0>,
    OrderedLayout<Shape!(((64, 2), 128, 2)), Shape!(((0, 2), 1, 3))>,
>;

/// A thread's 64 scores of the 64 x 128 scores of its warpgroup.
pub type Scores = Layout!(((2, 2, 16), 1, 1));
/// A thread's powers of these scores, in the shape of the operand that multiplies V.
pub type Powers = Layout!(((2, 2, 2), 1, 8));
/// The powers of a thread.
pub type P<T> = Fragment<T, Powers>;
/// Accumulators of products that still run.
pub type Moving<L> = InFlight<Fragment<f32, L>>;
/// A thread's accumulators of the 64 rows of O of its warpgroup.
pub type Out<H, T> = Fragment<f32, <H as Head<T>>::Accumulators>;

/// The two products of attention, for one size of heads. All threads of a warpgroup call them, as
/// `thread` of 256, and the stages stay until the products are over.
pub trait Head<T: Half> {
    /// The number of boxes side by side in a tile of Q, K or V.
    const WIDE: usize;
    /// A thread's accumulators of the 64 rows of O of its warpgroup.
    type Accumulators: Addressable + StaticCosize + StaticLayout;
    /// Starts `Q K^T` of a stage of Q and a stage of K.
    ///
    /// # Safety
    /// As the trait says.
    unsafe fn gemm_query_key(
        q: &Keys<T>,
        query: u32,
        k: &Keys<T>,
        key: u32,
        thread: usize,
    ) -> Moving<Scores>;
    /// Starts `O + P V` of a stage of V.
    ///
    /// # Safety
    /// As the trait says.
    unsafe fn gemm_power_value(
        o: Out<Self, T>,
        p: &P<T>,
        v: &Values<T>,
        stage: u32,
        thread: usize,
    ) -> Moving<Self::Accumulators>;
    /// Writes zeros to row `row`, below 128, of a stage of V.
    ///
    /// # Safety
    /// Those of the trait; no thread reads the row meanwhile.
    #[inline(always)]
    unsafe fn clear_row(v: &mut Values<T>, stage: u32, row: usize) {
        let nothing = Fragment::<T, Layout!(8)>::zeroed(); // (8)
        for j in 0..Self::WIDE {
            // SAFETY: the caller's promise.
            let mut row =
                unsafe { v.slice_unchecked_mut((.., row, Self::WIDE * stage as usize + j)) };
            // (64 of d)
            for_static!(I in 0..8, {
                if let Ok(mut part) = row.local_tile_mut(tiler!(8), I) {
                    let _ = copy(&UniversalCopy::<T, Int<8>>::new(), &nothing, &mut part);
                }
            });
        }
    }
}
/// Heads of `D` elements.
pub struct HeadDim<const D: usize>;
impl<T: Half> Head<T> for HeadDim<64> {
    const WIDE: usize = 1;
    type Accumulators = Layout!(((2, 2, 8), 1, 1));
    #[inline(always)]
    unsafe fn gemm_query_key(
        q: &Keys<T>,
        query: u32,
        k: &Keys<T>,
        key: u32,
        thread: usize,
    ) -> Moving<Scores> {
        let mma = make_tiled_mma(T::Shared128::default(), Warpgroups::default(), tiler!(_, _, _));
        // SAFETY: the boxes of all stages are there; the rest is the caller's promise.
        unsafe {
            let (q, k) = (
                q.view().with_layout_unchecked(K64::default()),
                k.view().with_layout_unchecked(K64::default()),
            ); // (rows, d, stages)
            let q = q.slice_unchecked((.., .., query as usize)); // (rows, d)
            hopper::gemm_stage(&mma, thread, &q, &k, key, Fragment::zeroed())
        }
    }
    #[inline(always)]
    unsafe fn gemm_power_value(
        o: Out<Self, T>,
        p: &P<T>,
        v: &Values<T>,
        stage: u32,
        thread: usize,
    ) -> Moving<Self::Accumulators> {
        let mma = make_tiled_mma(T::Registers64::default(), Warpgroups::default(), tiler!(_, _, _));
        // SAFETY: as above.
        unsafe {
            let v = v.view().with_layout_unchecked(V64::default()); // (d, rows, stages)
            hopper::gemm_registers_stage(&mma, thread, p, &v, stage, o)
        }
    }
}
impl<T: Half> Head<T> for HeadDim<128> {
    const WIDE: usize = 2;
    type Accumulators = Layout!(((2, 2, 16), 1, 1));
    #[inline(always)]
    unsafe fn gemm_query_key(
        q: &Keys<T>,
        query: u32,
        k: &Keys<T>,
        key: u32,
        thread: usize,
    ) -> Moving<Scores> {
        let mma = make_tiled_mma(T::Shared128::default(), Warpgroups::default(), tiler!(_, _, _));
        // SAFETY: the boxes of all stages are there; the rest is the caller's promise.
        unsafe {
            let (q, k) = (
                q.view().with_layout_unchecked(K128::default()),
                k.view().with_layout_unchecked(K128::default()),
            ); // (rows, d, stages)
            let q = q.slice_unchecked((.., .., query as usize)); // (rows, d)
            hopper::gemm_stage(&mma, thread, &q, &k, key, Fragment::zeroed())
        }
    }
    #[inline(always)]
    unsafe fn gemm_power_value(
        o: Out<Self, T>,
        p: &P<T>,
        v: &Values<T>,
        stage: u32,
        thread: usize,
    ) -> Moving<Self::Accumulators> {
        let mma =
            make_tiled_mma(T::Registers128::default(), Warpgroups::default(), tiler!(_, _, _));
        // SAFETY: as above.
        unsafe {
            let v = v.view().with_layout_unchecked(V128::default()); // (d, rows, stages)
            hopper::gemm_registers_stage(&mma, thread, p, &v, stage, o)
        }
    }
}

/// Rounds the powers to the operand that multiplies V.
#[inline(always)]
pub fn narrow_scores<T: Half>(scores: &Fragment<f32, Scores>) -> Fragment<T, Powers> {
    let mut powers = Fragment::<T, Powers>::zeroed(); // (V, M, K)
    device::narrow_fragment(scores, &mut powers);
    powers
}
/// Reads the word of a stage. The first thread of the warp reads it, and releases the stage later:
/// this orders the read before the next write.
///
/// # Safety
/// All threads of the warp call this, as `lane` of 32.
#[inline(always)]
#[must_use]
pub unsafe fn read_stage_word(
    words: &Tensor<TileMut<'static, u64, InShared>, Words>,
    stage: u32,
    lane: usize,
) -> u64 {
    let mut word = Fragment::<u64, Layout!(2)>::zeroed(); // (2 words)
    if hopper::elect_one(lane) {
        // SAFETY: there are two stages.
        let _ = copy(
            &UniversalCopy::<u64>::new(),
            &unsafe { words.slice_unchecked((.., stage as usize)) },
            &mut word,
        );
    }
    // SAFETY: the caller's promise.
    unsafe { device::first_of_warp(word[0]) }
}
/// The row and the column of a thread's first score in a tile of 128 queries and 128 keys. The
/// thread's second row is 8 below.
///
/// # Safety
/// `thread` is below 256.
#[inline(always)]
#[must_use]
pub unsafe fn first_score<T: Half>(thread: usize) -> (usize, usize) {
    let mma = make_tiled_mma(T::Shared128::default(), Warpgroups::default(), tiler!(_, _, _));
    let whole = Tensor::coordinates(identity(shape!((128, 128)))); // (queries, keys)
    // SAFETY: the caller's promise; the tile is whole.
    unsafe {
        mma.get_slice(thread)
            .unwrap_unchecked()
            .slice_c()
            .coordinates(&whole)
            .unwrap_unchecked()
            .corner()
    }
}
