//! `D = gelu(A B + bias) + residual` of halves: what follows a product in a network, in the registers of its sums.
//!
//! The bias has a number for each column: as a matrix its rows have stride 0, and it is dealt out as the sums are.

use half::f16;
use layout_algebra::atom::{UniversalCopy, copy, make_tiled_copy};
use layout_algebra::for_static;
use layout_algebra::prelude::*;
use layout_nvidia::device::{self, Ended, SharedTile, SharedTiles, kernel};

use crate::hgemm::{Stages, Threads, Tile, product};

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

/// The product and what follows it: all matrices row-major, B with K first; `m` and `n` are multiples of 128, `k` is one
/// of 64.
///
/// # Safety
/// The matrices are there, and 16 divides their addresses.
#[kernel(threads = Threads, shared = Shared)]
pub unsafe fn hgemm_gelu(
    m: u32,
    n: u32,
    k: u32,
    a: *const f16,
    b: *const f16,
    bias: *const f16,
    residual: *const f16,
    d: *mut f16,
) -> Result<(), Ended> {
    let (m, n) = (Multiple::<Int<128>>::new(m as usize)?, Multiple::<Int<128>>::new(n as usize)?);
    // SAFETY: the caller's promises: each block has its tile of the result.
    let ((thread, sum), bias, residual, mut d) = unsafe {
        (
            product(m, n, Multiple::<Int<64>>::new(k as usize)?, a, b)?,
            Tensor::from_global_ref(bias, layout!((m, n):(0, 1))),
            Tensor::from_global_ref(residual, layout!((m, n):(n, 1))),
            Tensor::from_global(d, layout!((m, n):(n, 1))),
        )
    };
    let bias = bias.local_tile(Tile::default(), device::block())?;
    let residual = residual.local_tile(Tile::default(), device::block())?;
    let mut d = d.local_tile_mut(Tile::default(), device::block())?;
    let (bias, residual) = (thread.partition_c(&bias)?, thread.partition_c(&residual)?);
    let mut d = thread.partition_c_mut(&mut d)?;
    let pairs = UniversalCopy::<f16, Int<2>>::new();
    // The bias is the same for all rows: one row of atoms has all of it.
    let mut shift = sum.slice((.., 0, ..)).fragment_like::<f16>();
    copy(&pairs, &bias.slice((.., 0, ..)), &mut shift)?;
    // What is read for a row of atoms is on its way all at once.
    for_static!(M in 0..4, {
        let sum = sum.slice((.., M, ..));
        let mut add = sum.fragment_like::<f16>();
        copy(&pairs, &residual.slice((.., M, ..)), &mut add)?;
        for_static!(I in 0..32, {
            let x = gelu(sum[I] + device::widen(shift[I])) + device::widen(add[I]);
            add[I] = device::narrow(x);
        });
        copy(&pairs, &add, &mut d.slice_mut((.., M, ..)))?;
    });
    Ok(())
}

/// What follows a product, whose sums are in memory: to see what fusing saves. `m` is a multiple of 32, `n` one of 128.
///
/// # Safety
/// The matrices are there, and 16 divides their addresses.
#[kernel(threads = ThreadsApart)]
pub unsafe fn gelu_apart(
    m: u32,
    n: u32,
    c: *const f32,
    bias: *const f16,
    residual: *const f16,
    d: *mut f16,
) -> Result<(), Ended> {
    let (m, n) = (Multiple::<Int<32>>::new(m as usize)?, Multiple::<Int<128>>::new(n as usize)?);
    let (threads, values) = (ThreadsApart::default(), ValuesApart::default());
    let wide = make_tiled_copy(UniversalCopy::<f32, Int<4>>::new(), threads, values)?;
    let halves = make_tiled_copy(UniversalCopy::<f16, Int<4>>::new(), threads, values)?;
    let id = device::thread();
    let (Some(thread), Some(half)) = (wide.get_slice(id), halves.get_slice(id)) else { device::stop() };
    // SAFETY: the caller's promises: each block has its tile of D.
    let (c, bias, residual, mut d) = unsafe {
        (
            Tensor::from_global_ref(c, layout!((m, n):(n, 1))),
            Tensor::from_global_ref(bias, layout!((m, n):(0, 1))),
            Tensor::from_global_ref(residual, layout!((m, n):(n, 1))),
            Tensor::from_global(d, layout!((m, n):(n, 1))),
        )
    };
    // The tiles of a row follow one another in the grid's first mode.
    let (bn, bm) = device::block();
    let c = c.local_tile(TileApart::default(), (bm, bn))?;
    let bias = bias.local_tile(TileApart::default(), (bm, bn))?;
    let residual = residual.local_tile(TileApart::default(), (bm, bn))?;
    let mut d = d.local_tile_mut(TileApart::default(), (bm, bn))?;
    let (c, bias, residual) = (thread.partition_s(&c)?, half.partition_s(&bias)?, half.partition_s(&residual)?);
    let mut sums = c.fragment_like::<f32>();
    let (mut out, mut add) = (c.fragment_like::<f16>(), c.fragment_like::<f16>());
    copy(&wide, &c, &mut sums)?;
    copy(&halves, &bias, &mut out)?;
    copy(&halves, &residual, &mut add)?;
    for_static!(I in 0..16, {
        let x = gelu(sums[I] + device::widen(out[I])) + device::widen(add[I]);
        out[I] = device::narrow(x);
    });
    copy(&halves, &out, &mut half.partition_d_mut(&mut d)?)?;
    Ok(())
}
