//! `D = gelu(A B + bias) + residual` of halves: what follows a product in a network, in the registers of its sums.
//!
//! The bias has a number for each column: as a matrix its rows have stride 0, and it is dealt out as the sums are.

use half::f16;
use layout_algebra::for_static;
use layout_algebra::prelude::*;
use layout_nvidia::device::{self, SharedTile, SharedTiles};
use layout_nvidia::kernel;
use layout_nvidia::mma::SM80_16x8x16_F32F16F16F32_TN;

use crate::hgemm::{Fetch, Operand, Order, Stages, Threads, Tile, Warps};

/// The tiles of both operands.
pub type Shared = (SharedTile<f16, Stages>, SharedTile<f16, Stages>);
/// The tile of a block where the epilogue is a kernel of its own.
pub type TileApart = Tiler!(32, 128);
/// Its threads: 32 along a row, each with 4 neighbours.
pub type ThreadsApart = Layout!((8, 32): right);
/// The values of a thread side by side.
pub type ValuesApart = Layout!((1, 4));

/// `x` times the probability that a normally distributed number is below it, by `tanh`.
#[inline]
fn gelu(x: f32) -> f32 {
    // 1 + tanh(u) is 2 / (1 + exp(-2 u)), with u = sqrt(2 / pi) (x + 0.044715 x^3).
    const SCALE: f32 = -2.0 * 0.797_884_6 * core::f32::consts::LOG2_E;
    x * device::reciprocal(1.0 + device::exp2(SCALE * (x + 0.044_715 * x * x * x)))
}

kernel! {
    /// The product and what follows it: all matrices row-major, B with K first; `m` and `n` are multiples of 128, `k`
    /// is one of 64.
    ///
    /// # Safety
    /// The matrices are there, and 16 divides their addresses.
    pub fn hgemm_gelu(
        m: u32, n: u32, k: u32, a: *const f16, b: *const f16, bias: *const f16, residual: *const f16, d: *mut f16,
    )
    threads: Threads, shared: Shared;
    {
        // SAFETY: the caller's promises: each block has its tile of D; shared memory is written by copies that the
        // pipeline waits for, and read behind its barriers.
        unsafe {
            product! { f16, SM80_16x8x16_F32F16F16F32_TN, Shared; m n k, a b; |thread, sum, place, sizes| {
                let (m, n) = sizes;
                let bias = Tensor::from_global_ref(bias, layout!((m, n):(0, 1)));
                let residual = Tensor::from_global_ref(residual, layout!((m, n):(n, 1)));
                let mut d = Tensor::from_global(d, layout!((m, n):(n, 1)));
                let bias = bias.local_tile_unchecked(Tile::default(), place);
                let residual = residual.local_tile_unchecked(Tile::default(), place);
                let mut d = d.local_tile_unchecked_mut(Tile::default(), place);
                let bias = thread.partition_c_unchecked(&bias);
                let residual = thread.partition_c_unchecked(&residual);
                let mut d = thread.partition_c_unchecked_mut(&mut d);
                let pairs = UniversalCopy::<f16, Int<2>>::new();
                for_static!(M in 0..4, { for_static!(N in 0..8, {
                    let sum = sum.slice_unchecked((.., M, N));
                    let mut out = sum.fragment_like::<f16>();
                    let mut add = sum.fragment_like::<f16>();
                    let _ = copy(&pairs, &bias.slice_unchecked((.., M, N)), &mut out);
                    let _ = copy(&pairs, &residual.slice_unchecked((.., M, N)), &mut add);
                    for_static!(V in 0..4, {
                        let x = gelu(sum[V] + device::widen(out[V])) + device::widen(add[V]);
                        out[V] = device::narrow(x);
                    });
                    let _ = copy(&pairs, &out, &mut d.slice_unchecked_mut((.., M, N)));
                }); });
            } }
        }
    }

    /// What follows a product, whose sums are in memory: to see what fusing saves. `m` is a multiple of 32, `n` one of
    /// 128.
    ///
    /// # Safety
    /// The matrices are there, and 16 divides their addresses.
    pub fn gelu_apart(m: u32, n: u32, c: *const f32, bias: *const f16, residual: *const f16, d: *mut f16)
    threads: ThreadsApart, shared: ();
    {
        use layout_algebra::atom::{UniversalCopy, copy, make_tiled_copy};
        let (m, n) = (Multiple::<Int<32>>::new(m as usize), Multiple::<Int<128>>::new(n as usize));
        let (Ok(m), Ok(n)) = (m, n) else { return };
        let (Ok(wide), Ok(halves)) = (
            make_tiled_copy(UniversalCopy::<f32, Int<4>>::new(), ThreadsApart::default(), ValuesApart::default()),
            make_tiled_copy(UniversalCopy::<f16, Int<4>>::new(), ThreadsApart::default(), ValuesApart::default()),
        ) else {
            return;
        };
        let id = device::thread();
        let (Some(thread), Some(half)) = (wide.get_slice(id), halves.get_slice(id)) else { return };
        // The tiles of a row follow one another in the grid's first mode.
        let (bn, bm) = device::block();
        // SAFETY: the caller's promises: each block has its tile of D.
        unsafe {
            let c = Tensor::from_global_ref(c, layout!((m, n):(n, 1)));
            let bias = Tensor::from_global_ref(bias, layout!((m, n):(0, 1)));
            let residual = Tensor::from_global_ref(residual, layout!((m, n):(n, 1)));
            let mut d = Tensor::from_global(d, layout!((m, n):(n, 1)));
            let c = c.local_tile_unchecked(TileApart::default(), (bm, bn));
            let bias = bias.local_tile_unchecked(TileApart::default(), (bm, bn));
            let residual = residual.local_tile_unchecked(TileApart::default(), (bm, bn));
            let mut d = d.local_tile_unchecked_mut(TileApart::default(), (bm, bn));
            let (c, bias) = (thread.partition_s_unchecked(&c), half.partition_s_unchecked(&bias));
            let residual = half.partition_s_unchecked(&residual);
            let mut sums = c.fragment_like::<f32>();
            let (mut out, mut add) = (c.fragment_like::<f16>(), c.fragment_like::<f16>());
            let _ = copy(&wide, &c, &mut sums);
            let _ = copy(&halves, &bias, &mut out);
            let _ = copy(&halves, &residual, &mut add);
            for_static!(I in 0..16, {
                let x = gelu(sums[I] + device::widen(out[I])) + device::widen(add[I]);
                out[I] = device::narrow(x);
            });
            let _ = copy(&halves, &out, &mut half.partition_d_unchecked_mut(&mut d));
        }
    }
}
