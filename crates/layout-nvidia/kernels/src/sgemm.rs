//! `C = A B` in fp32: tiles of 128 x 128 x 16 through three stages of shared memory, 8 x 16
//! accumulators in each of 128 threads.
//!
//! An operand in memory has M or N first (BLAS: N for A, T for B), or K first. In shared memory K
//! is always the slow mode, so that a thread reads its rows and columns 4 at a time: an operand
//! with K first is transposed by the copy, element by element, to columns whose stride in banks is
//! 4 more than a multiple of all banks. Such copies are slow, and delay reads of shared memory:
//! they are issued in parts, spread over the steps along K.

use layout_algebra::atom::order::SerpentineByColumns;
use layout_algebra::atom::{
    CopyAtom, ThrMma, TiledMmaOf, UniversalCopy, copy, gemm_in_order, make_tiled_copy,
    make_tiled_mma,
};
use layout_algebra::for_static;
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::Shared as InShared;
use layout_algebra::tensor::{Fragment, TileMut};
use layout_nvidia::copy::{SM80_CP_ASYNC_CACHEALWAYS, SM80_CP_ASYNC_CACHEGLOBAL};
use layout_nvidia::device::{self, Fma, Pipeline, SharedTile, SharedTiles, Trap, kernel};

use self::form::{nn, nt, tn, tt};

/// The tile of C of a block.
pub type Tile = Tiler!(128, 128);
/// The tile of an operand.
pub type Operand = Tiler!(128, 16);
/// The threads of a block: 16 x 8, so that a warp has 8 x 4.
pub type Threads = OrderedLayout<Shape!(((8, 2), (4, 2), 1)), Shape!(((0, 2), (1, 3), 4))>;
/// The rows and columns of a thread: 4 contiguous, and 4 more at a distance. Their products are
/// computed column by column: for this order ptxas finds registers in different banks for most of
/// them.
pub type Order = Tiler!((16, 4, 2):(4, 1, 64), (8, 4, 4):(4, 1, 32), _);
/// A thread's accumulators.
pub type Accumulators = Layout!((1, 8, 16):(0, 1, 8));
/// A tile of an operand in shared memory, three stages: the stride of columns is
/// [`OperandMajor::COLUMN`].
pub type Stages = Layout!((128, 16, 3):(1, _, _));
/// The largest of these layouts, for three stages. (The stride of columns is 132, 4 banks more than
/// their elements: no operation of the algebra leaves such gaps.)
pub type Room = Layout!((128, 16, 3):(1, 132, 2112));
/// The shared memory of a block.
pub type Shared = (SharedTile<f32, Room>, SharedTile<f32, Room>);
/// The stages of an operand.
pub type Tiles = Tensor<TileMut<'static, f32, InShared>, Stages>;

/// One of the 8 parts in which a tile is copied to a stage: two of the 16 elements of each thread,
/// if they are copied one by one.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    pub(crate) tile: usize,
    pub(crate) stage: usize,
    pub(crate) part: usize,
    /// Whether the tile is the last one, which is not whole along K.
    #[allow(dead_code, reason = "`ragged` asks for it")]
    pub(crate) last: bool,
}
/// The result of starting copies, or the end of the kernel.
pub type Copied = Result<(), Trap>;
/// The rows and the columns (K) of an operand.
pub type Sizes = (Multiple<Int<128>>, Multiple<Int<16>>);
/// The majorness of an operand in memory, its stride in shared memory, and its copies.
pub trait OperandMajor {
    /// The stride of columns of a stage in shared memory.
    const COLUMN: usize;
    /// Returns a closure that copies a part of a tile of rows `128 block ..`, of an operand of size
    /// `of`, all in bounds.
    ///
    /// # Safety
    /// The matrix exists, and 16 divides its address.
    unsafe fn make_fetch(
        from: *const f32,
        of: Sizes,
        block: usize,
    ) -> Result<impl Fn(&mut Tiles, Part) -> Copied, Trap>;
}
/// An operand with M or N first.
pub struct MnMajor;
/// An operand with K first.
pub struct KMajor;

impl OperandMajor for MnMajor {
    // A tile without gaps.
    const COLUMN: usize = 128;
    #[inline(always)]
    unsafe fn make_fetch(
        from: *const f32,
        of: Sizes,
        block: usize,
    ) -> Result<impl Fn(&mut Tiles, Part) -> Copied, Trap> {
        // 32 x 4 threads copy 4 contiguous elements each, the whole tile at the first part.
        let four = SM80_CP_ASYNC_CACHEGLOBAL::<u128, f32>::new();
        let tiled = make_tiled_copy(four, layout!((32, 4)), layout!((4, 1)))?;
        let Some(thread) = tiled.get_slice(device::thread_index()) else { device::trap() };
        // SAFETY: the caller's promise.
        let all = unsafe { Tensor::from_global_ref(from, layout!((of.0, of.1))) }; // (rows, k)
        let all = all.local_tile(Operand::default(), (block, ..))?; // (M, K, tiles)
        let mine = thread.partition_s(&all)?; // (V, M, K, tiles)
        // SAFETY: as above.
        let mine = unsafe { device::extend_lifetime(&mine, from) };
        Ok(move |to: &mut Tiles, at: Part| {
            if at.part == 0 {
                let mut to = thread.partition_d_mut(to)?; // (V, M, K, stages)
                // SAFETY: the pipeline requests tiles that exist.
                let from = unsafe { mine.slice_unchecked((.., .., .., at.tile)) }; // (V, M, K)
                copy(&tiled, &from, &mut to.slice_mut((.., .., .., at.stage)))?;
            }
            Ok(())
        })
    }
}
impl OperandMajor for KMajor {
    // Columns begin 4 banks apart.
    const COLUMN: usize = 132;
    #[inline(always)]
    unsafe fn make_fetch(
        from: *const f32,
        of: Sizes,
        block: usize,
    ) -> Result<impl Fn(&mut Tiles, Part) -> Copied, Trap> {
        // 8 threads along K and 16 along the rows copy a number each, 16 times.
        let one = SM80_CP_ASYNC_CACHEALWAYS::<u32, f32>::new();
        let tiled = make_tiled_copy(one, layout!(((4, 4), 8):((8, 32), 1)), layout!((1, 1)))?;
        let Some(thread) = tiled.get_slice(device::thread_index()) else { device::trap() };
        // SAFETY: the caller's promise.
        let all = unsafe { Tensor::from_global_ref(from, layout!((of.0, of.1):(of.1, 1))) };
        // (rows, k)
        let all = all.local_tile(Operand::default(), (block, ..))?; // (M, K, tiles)
        let mine = thread.partition_s(&all)?; // (V, M, K, tiles)
        // SAFETY: as above.
        let mine = unsafe { device::extend_lifetime(&mine, from) };
        Ok(move |to: &mut Tiles, at: Part| {
            let mut to = thread.partition_d_mut(to)?; // (V, M, K, stages)
            let mut to = to.slice_mut((.., .., .., at.stage)); // (V, M, K)
            // SAFETY: as above.
            let from = unsafe { mine.slice_unchecked((.., .., .., at.tile)) }; // (V, M, K)
            for_static!(I in 0..2, {
                one.copy(&from, &mut to, 2 * at.part + I);
            });
            Ok(())
        })
    }
}

/// A block's product: `fetch` copies the parts of tiles of both operands, `whole` of them, and a
/// partial one if `more`.
#[inline(always)]
pub(crate) fn multiply_tile(
    thread: &ThrMma<TiledMmaOf<Fma, Threads, Order>>,
    (mut sa, mut sb): (Tiles, Tiles),
    whole: usize,
    more: bool,
    fetch: impl Fn(&mut Tiles, &mut Tiles, Part) -> Copied,
) -> Result<Fragment<f32, Accumulators>, Trap> {
    // One block waits at a barrier while the other multiplies.
    device::min_blocks_per_multiprocessor::<2>();
    let vectors = UniversalCopy::<f32, Int<4>>::new();
    let mut sum = Fragment::<f32, Accumulators>::zeroed(); // (V, M, N)
    // Rows and columns of this step along K, and of the next one.
    let mut fa = [0, 1].map(|_| Fragment::<f32, Layout!((1, 8):(0, 1))>::zeroed());
    // (V, M), of two steps along K
    let mut fb = [0, 1].map(|_| Fragment::<f32, Layout!((1, 16):(0, 1))>::zeroed());
    // (V, N), of two steps along K

    // SAFETY: all threads call this, with the same tiles.
    let mut pipe = unsafe { Pipeline::<3>::new(whole) };
    pipe.load_prologue(|tile, stage| {
        for_static!(PART in 0..8, {
            fetch(&mut sa, &mut sb, Part { tile, stage, part: PART, last: false })?;
        });
        Ok(())
    })?;
    copy(&vectors, &thread.partition_a(&sa)?.slice((.., .., 0, pipe.read_stage())), &mut fa[0])?;
    copy(&vectors, &thread.partition_b(&sb)?.slice((.., .., 0, pipe.read_stage())), &mut fb[0])?;
    while pipe.has_tiles() {
        let (tile, stage) = pipe.next_write();
        for_static!(K in 0..16, {
            if K % 2 == 0 {
                fetch(&mut sa, &mut sb, Part { tile, stage, part: K / 2, last: false })?;
            }
            if K == 15 {
                pipe.commit_group();
                pipe.wait_next();
            }
            copy(&vectors, &thread.partition_a(&sa)?.slice((.., .., next!(K), pipe.read_stage())),
                &mut fa[next!(K) % 2])?;
            copy(&vectors, &thread.partition_b(&sb)?.slice((.., .., next!(K), pipe.read_stage())),
                &mut fb[next!(K) % 2])?;
            gemm_in_order(SerpentineByColumns, thread.mma(), &fa[K % 2], &fb[K % 2], &mut sum);
        });
    }
    if more {
        pipe.load_residue(|stage| {
            for_static!(PART in 0..8, {
                fetch(&mut sa, &mut sb, Part { tile: whole, stage, part: PART, last: true })?;
            });
            Ok(())
        })?;
        for k in 0..16 {
            copy(&vectors, &thread.partition_a(&sa)?.slice((.., .., k, 0)), &mut fa[0])?;
            copy(&vectors, &thread.partition_b(&sb)?.slice((.., .., k, 0)), &mut fb[0])?;
            gemm_in_order(SerpentineByColumns, thread.mma(), &fa[0], &fb[0], &mut sum);
        }
    }
    Ok(sum)
}

/// The majorness of both operands.
pub trait Form: 'static {
    /// A.
    type A: OperandMajor;
    /// B.
    type B: OperandMajor;
    /// The stages of both.
    ///
    /// # Safety
    /// That of [`SharedTiles::make_tensors`].
    #[inline(always)]
    unsafe fn shared_stages() -> (Tiles, Tiles) {
        let stages = |column| layout!((128, 16, 3):(1, column, 16 * column));
        // SAFETY: the caller's promise; no stage exceeds the shared memory.
        unsafe {
            let (a, b) = Shared::make_tensors(); // (M, K, stages), (N, K, stages)
            (
                a.with_layout_unchecked(stages(Self::A::COLUMN)),
                b.with_layout_unchecked(stages(Self::B::COLUMN)),
            )
        }
    }
}
impl<A: OperandMajor + 'static, B: OperandMajor + 'static> Form for (A, B) {
    type A = A;
    type B = B;
}
/// The forms by BLAS's letters: A with M first is N, B with N first is T.
#[allow(non_camel_case_types, reason = "as they are named in the kernels")]
pub mod form {
    use super::{KMajor, MnMajor};
    /// A with M first, B with N first.
    pub type nt = (MnMajor, MnMajor);
    /// A with M first, B with K first.
    pub type nn = (MnMajor, KMajor);
    /// A with K first, B with K first.
    pub type tn = (KMajor, KMajor);
    /// A with K first, B with N first.
    pub type tt = (KMajor, MnMajor);
}

/// C is column-major; `m` and `n` are multiples of 128, `k` of 16.
///
/// # Safety
/// The matrices exist, and 16 divides their addresses.
#[cfg(feature = "sgemm")]
#[kernel(threads = Threads, shared = Shared, instances(<nt>, <nn>, <tn>, <tt>))]
pub unsafe fn sgemm<F: Form>(
    m: u32,
    n: u32,
    k: u32,
    a: *const f32,
    b: *const f32,
    c: *mut f32,
) -> Result<(), Trap> {
    let (m, n) = (Multiple::<Int<128>>::new(m as usize)?, Multiple::<Int<128>>::new(n as usize)?);
    let k = Multiple::<Int<16>>::new(k as usize)?;
    let (bm, bn, _) = device::block_index();
    // SAFETY: the caller's promises: each block has its tile of C; shared memory is written by
    // copies that the pipeline waits for, and read after its barriers.
    let (fetch_a, fetch_b, mut c, tiles) = unsafe {
        let (a, b) = (F::A::make_fetch(a, (m, k), bm)?, F::B::make_fetch(b, (n, k), bn)?);
        (a, b, Tensor::from_global(c, layout!((m, n))), F::shared_stages())
    }; // (m, n), (M, K, stages), (N, K, stages)
    let mut c = c.local_tile_mut(Tile::default(), (bm, bn))?; // (M, N)
    let mma = make_tiled_mma(Fma, Threads::default(), Order::default());
    let Some(thread) = mma.get_slice(device::thread_index()) else { device::trap() };
    let sum = multiply_tile(&thread, tiles, k.get() / 16, false, |sa, sb, part| {
        fetch_a(sa, part)?;
        fetch_b(sb, part)
    })?; // (V, M, N)
    // One by one: accumulators for a vector store would be in four consecutive registers, and
    // products would read registers of one bank.
    copy(&UniversalCopy::<f32>::new(), &sum, &mut thread.partition_c_mut(&mut c)?)?;
    Ok(())
}
