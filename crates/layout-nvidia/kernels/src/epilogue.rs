//! `D = gelu(A B + bias) + residual` of halves: a fused epilogue of a product in a network, in the
//! registers of its accumulators.
//!
//! The bias has one number for each column: as a matrix its rows have stride 0, and it is
//! partitioned as the accumulators are.

use half::f16;
use layout_algebra::atom::{UniversalCopy, copy, copy_if, make_tiled_copy};
use layout_algebra::for_static;
use layout_algebra::prelude::*;
use layout_algebra::tensor::Fragment;
use layout_nvidia::cluster_size;
use layout_nvidia::copy::SM80_CP_ASYNC_CACHEGLOBAL;
use layout_nvidia::device::{self, Trap, kernel};
use layout_nvidia::hopper::{
    Accumulators, Coordinates, Epilogue, EpilogueOp, Map, MapMut, PartValues, TensorMap, TileC,
    TileProduct,
};

use crate::hgemm_sm90::form::{f16_narrow, f16_wide};
use crate::hgemm_sm90::{Box, Shared, Threads, multiply_tiles};

/// A part of C that one store writes.
type Part = Tiler!(64, 64);

/// The tile of a block in `gelu_apart`, the epilogue as a kernel of its own.
pub type TileApart = Tiler!(32, 128);
/// The threads of this kernel: 16 along a row, each with 8 contiguous elements.
pub type ThreadsApart = Layout!((16, 16): right);
/// The contiguous values of a thread.
pub type ValuesApart = Layout!((1, 8));

/// `x` times the probability that a standard normal variable is below `x`, by `tanh`.
#[inline]
fn gelu(x: f32) -> f32 {
    // sqrt(2 / pi) (x + 0.044715 x^3)
    const SCALE: f32 = 0.797_884_6;
    let half = 0.5 * x;
    device::multiply_add(
        half,
        device::tanh(x * device::multiply_add(0.044_715 * SCALE * x, x, SCALE)),
        half,
    )
}

/// The bias and the residual of a result of `m` x `n`.
struct Gelu<'m> {
    m: usize,
    n: usize,
    bias: *const f16,
    residual: *const f16,
    /// The row stride of the residual.
    map: &'m TensorMap<f16, Box>,
}
impl Gelu<'_> {
    /// A thread's pairs of part `at` of a matrix with this row stride. The matrix is padded to
    /// whole tiles; elements beyond its edge are not read.
    ///
    /// # Safety
    /// The matrix exists, and part `at` exists.
    #[inline(always)]
    unsafe fn read_pairs(
        &self,
        from: *const f16,
        apart: usize,
        at: (usize, usize),
        epilogue: &Epilogue,
    ) -> Fragment<f16, PartValues> {
        let (pairs, mut mine) = (UniversalCopy::<f16, Int<2>>::new(), Fragment::zeroed());
        // (V, M, N)
        // SAFETY: the caller's promise.
        unsafe {
            let high = Multiple::<Int<64>>::new(64 * (at.0 + 1)).unwrap_unchecked();
            let wide = Multiple::<Int<64>>::new(64 * (at.1 + 1)).unwrap_unchecked();
            let all = Tensor::from_global_ref(from, layout!((high, wide):(apart, 1)));
            // (rows, columns)
            let part = all.local_tile(Part::default(), at).unwrap_unchecked(); // (64, 64)
            let part = epilogue.thread_mma().partition_c_unchecked(&part); // (V, M, N)
            if high.get() <= self.m && wide.get() <= self.n {
                let _ = copy(&pairs, &part, &mut mine);
            } else {
                let there =
                    Tensor::coordinates(identity((high, wide))).local_tile(Part::default(), at);
                // (64, 64)
                let there = epilogue
                    .thread_mma()
                    .slice_c()
                    .coordinates(&there.unwrap_unchecked())
                    .unwrap_unchecked(); // (V, M, N)
                let there = there.within((self.m, self.n));
                let _ = copy_if(&pairs, &part, &mut mine, |i| there.holds(i));
            }
        }
        mine
    }
    /// Whether all elements of part `at` exist.
    #[inline(always)]
    fn is_whole_part(&self, at: (usize, usize)) -> bool {
        64 * (at.0 + 1) <= self.m && 64 * (at.1 + 1) <= self.n
    }
    /// Starts copies of the residual to a tile of shared memory, if the whole part exists.
    /// Neighbouring threads copy neighbouring elements.
    ///
    /// # Safety
    /// As for the thread's pairs; and nothing else uses the tile.
    #[inline(always)]
    unsafe fn start_copies(
        &self,
        at: (usize, usize),
        epilogue: &Epilogue,
        tile: &mut TileC<'_, f16>,
    ) {
        // SAFETY: the caller's promise.
        unsafe {
            if self.is_whole_part(at) {
                let high = Multiple::<Int<64>>::new(64 * (at.0 + 1)).unwrap_unchecked();
                let wide = Multiple::<Int<64>>::new(64 * (at.1 + 1)).unwrap_unchecked();
                let all = Tensor::from_global_ref(self.residual, layout!((high, wide):(self.n, 1)));
                // (rows, columns)
                let part = all.local_tile(Part::default(), at).unwrap_unchecked(); // (64, 64)
                let eight = SM80_CP_ASYNC_CACHEGLOBAL::<u128, f16>::new();
                let rows = make_tiled_copy(eight, layout!((16, 8): right), layout!((1, 8)))
                    .unwrap_unchecked();
                let thread = rows
                    .get_slice(device::black_box(epilogue.thread_in_warpgroup()))
                    .unwrap_unchecked();
                let _ = copy(
                    &rows,
                    &thread.partition_s_unchecked(&part),
                    &mut thread.partition_d_unchecked_mut(tile),
                );
            }
        }
    }
}
impl<F: TileProduct<C = f16>> EpilogueOp<F> for Gelu<'_> {
    const LOADS_SOURCE: bool = true;
    #[inline(always)]
    unsafe fn load_source(
        &self,
        at: (usize, usize),
        epilogue: &Epilogue,
        tile: &mut TileC<'_, f16>,
    ) {
        // SAFETY: the caller's promise.
        unsafe { self.start_copies(at, epilogue, tile) }
    }
    #[inline(always)]
    fn prefetch_source(&self, there: &impl Coordinates<2>) {
        self.map.prefetch_tile(there);
    }
    #[inline(always)]
    unsafe fn compute_part(
        &self,
        at: (usize, usize),
        j: usize,
        epilogue: &Epilogue,
        sums: &Accumulators<F>,
        tile: &mut TileC<'_, f16>,
    ) -> Fragment<f16, PartValues> {
        // SAFETY: the caller's promise, and all threads of the warpgroup call this.
        unsafe {
            // The bias is the same for all rows.
            let shift = self.read_pairs(self.bias, 0, at, epilogue); // (V, M, N)
            if j >= 2 {
                self.start_copies(at, epilogue, tile);
            }
            device::cp_async_wait_all();
            epilogue.sync_warpgroup();
            let mut add = Fragment::<f16, PartValues>::zeroed(); // (V, M, N)
            if self.is_whole_part(at) {
                let tile = epilogue.thread_mma().partition_c_unchecked(tile); // (V, M, N)
                let _ = copy(&UniversalCopy::<f16, Int<2>>::new(), &tile, &mut add);
            } else {
                add = self.read_pairs(self.residual, self.n, at, epilogue);
            }
            epilogue.convert_part(sums, j, |i, sum| {
                gelu(sum + device::widen_to_f32(shift[i - 32 * j]))
                    + device::widen_to_f32(add[i - 32 * j])
            })
        }
    }
}

/// Computes the product and the epilogue: `m` x `n`, `depth` stages along K, at least one, on
/// `clusters` clusters. A and B have K first; the residual and D are row-major. The kernel may
/// start before the previous launch ends.
///
/// # Safety
/// The maps belong to A, B, D and the residual; the bias and the residual exist; 16 divides their
/// addresses, and 8 divides `n`.
#[kernel(
    threads = Threads, shared = Shared<f16>,
    instances(<f16_wide, 4, 2>, <f16_narrow, 6, 4>, <f16_narrow, 6, 1>)
)]
pub unsafe fn hgemm_gelu<F, const STAGES: u32, const BLOCKS: u32>(
    m: u32,
    n: u32,
    depth: u32,
    clusters: u32,
    a: Map<f16, Box>,
    b: Map<f16, Box>,
    d: MapMut<f16, Box>,
    bias: *const f16,
    residual: *const f16,
    map: Map<f16, Box>,
) -> Result<(), Trap>
where
    F: TileProduct<A = f16, B = f16, C = f16, Box = Box>,
{
    cluster_size!(BLOCKS);
    // SAFETY: the caller's promises.
    unsafe {
        let op = || Gelu { m: m as usize, n: n as usize, bias, residual, map: &map };
        let tiles = (
            m.div_ceil(128 * BLOCKS.min(2)),
            n.div_ceil(128 * F::WIDE as u32 * BLOCKS.div_ceil(2)),
        );
        multiply_tiles::<F, _, STAGES, BLOCKS>(
            (tiles.0, tiles.1, depth, clusters),
            (&a, &b, &d),
            op,
        );
    }
    Ok(())
}

/// Computes the epilogue only, of a product in memory: the difference in time shows the gain of
/// fusion. `m` is a multiple of 32, `n` of 128.
///
/// # Safety
/// The matrices are there, and 16 divides their addresses.
#[kernel(threads = ThreadsApart)]
pub unsafe fn gelu_apart(
    m: u32,
    n: u32,
    c: *const f16,
    bias: *const f16,
    residual: *const f16,
    d: *mut f16,
) -> Result<(), Trap> {
    let (m, n) = (Multiple::<Int<32>>::new(m as usize)?, Multiple::<Int<128>>::new(n as usize)?);
    let (threads, values) = (ThreadsApart::default(), ValuesApart::default());
    let halves = make_tiled_copy(UniversalCopy::<f16, Int<8>>::new(), threads, values)?;
    let Some(thread) = halves.get_slice(device::thread_index()) else { device::trap() };
    // SAFETY: the caller's promises: each block has its tile of D.
    let (c, bias, residual, mut d) = unsafe {
        (
            Tensor::from_global_ref(c, layout!((m, n):(n, 1))),
            Tensor::from_global_ref(bias, layout!((m, n):(0, 1))),
            Tensor::from_global_ref(residual, layout!((m, n):(n, 1))),
            Tensor::from_global(d, layout!((m, n):(n, 1))),
        )
    }; // (m, n), the bias with stride 0 along m
    // Consecutive blocks along the first mode of the grid have tiles of one row.
    let (bn, bm, _) = device::block_index();
    let c = c.local_tile(TileApart::default(), (bm, bn))?; // (32, 128)
    let bias = bias.local_tile(TileApart::default(), (bm, bn))?; // (32, 128)
    let residual = residual.local_tile(TileApart::default(), (bm, bn))?; // (32, 128)
    let mut d = d.local_tile_mut(TileApart::default(), (bm, bn))?; // (32, 128)
    let (c, bias, residual) =
        (thread.partition_s(&c)?, thread.partition_s(&bias)?, thread.partition_s(&residual)?);
    // (V, M, N)
    let (mut out, mut shift, mut add) =
        (c.fragment_like::<f16>(), c.fragment_like::<f16>(), c.fragment_like::<f16>()); // (V, M, N)
    copy(&halves, &c, &mut out)?;
    copy(&halves, &bias, &mut shift)?;
    copy(&halves, &residual, &mut add)?;
    for_static!(I in 0..16, {
        let x = gelu(device::widen_to_f32(out[I]) + device::widen_to_f32(shift[I]))
            + device::widen_to_f32(add[I]);
        out[I] = device::narrow_to_f16(x);
    });
    copy(&halves, &out, &mut thread.partition_d_mut(&mut d)?)?;
    Ok(())
}
