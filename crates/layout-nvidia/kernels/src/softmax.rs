//! `to(i, j) = exp(from(i, j)) / sum_k exp(from(i, k))`: a block keeps a row in its registers,
//! reads it once and writes it once.

use layout_algebra::atom::{UniversalCopy, copy};
use layout_algebra::for_static;
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::Shared as InShared;
use layout_algebra::tensor::{Fragment, TileMut};
use layout_nvidia::device::{self, SharedTile, SharedTiles, Trap, kernel};

/// The contiguous values of a thread: one access of 128 bits.
pub type Values = Tiler!(4);
/// The most values of a row in a thread.
pub type Row = Layout!((4, 8));
/// A number for each warp; a block has up to 8 warps.
pub type OfWarps = Layout!(8);
/// The maximum and the sum of each warp.
pub type Shared = (SharedTile<f32, OfWarps>, SharedTile<f32, OfWarps>);

/// The longest rows, and their threads: each thread of a block has up to 8 times 4 elements.
pub trait Length: 'static {
    /// The longest row.
    const COLUMNS: usize;
    /// The threads of a block.
    type Threads: StaticLayout;
    /// For as many waiting threads as possible: 64 registers each.
    fn min_blocks_per_multiprocessor();
}
/// Rows of at most 8192 elements.
#[allow(non_camel_case_types, reason = "as it is named in the kernel")]
pub enum rows {}
impl Length for rows {
    const COLUMNS: usize = 8192;
    type Threads = Layout!(256);
    #[inline(always)]
    fn min_blocks_per_multiprocessor() {
        device::min_blocks_per_multiprocessor::<4>();
    }
}
/// Rows of at most 1024 elements.
#[allow(non_camel_case_types, reason = "as it is named in the kernel")]
pub enum short {}
impl Length for short {
    const COLUMNS: usize = 1024;
    type Threads = Layout!(64);
    #[inline(always)]
    fn min_blocks_per_multiprocessor() {
        device::min_blocks_per_multiprocessor::<16>();
    }
}

/// Reduces one number of each thread of a block of `warps` warps by `join`, through shared memory.
#[inline(always)]
fn reduce_block(
    value: f32,
    join: impl Fn(f32, f32) -> f32 + Copy,
    numbers: &mut Tensor<TileMut<'static, f32, InShared>, OfWarps>,
    warps: usize,
) -> Result<f32, Trap> {
    // SAFETY: all threads of the block call this.
    let mine: Fragment<f32, Layout!(1)> =
        Fragment::from_fn(|_| unsafe { device::reduce_warp(value, join) }); // (1)
    let (lane, warp) = idx2crd(device::thread_index(), (32, warps));
    if lane == 0 {
        copy(&UniversalCopy::<f32>::new(), &mine, &mut numbers.local_tile_mut(tiler!(1), warp)?)?;
    }
    // SAFETY: all threads of the block call this.
    unsafe { device::sync_threads() };
    let mut all: Fragment<f32, OfWarps> = Fragment::zeroed(); // (numbers of the warps)
    for_static!(PAIR in 0..4, {
        if 2 * PAIR < warps {
            let from = numbers.local_tile(tiler!(2), PAIR)?; // (2)
            copy(&UniversalCopy::<f32, Int<2>>::new(), &from,
                &mut all.local_tile_mut(tiler!(2), PAIR)?)?;
        }
    });
    let mut joined = all[0];
    for_static!(I in 1..8, {
        if I < warps {
            joined = join(joined, all[I]);
        }
    });
    Ok(joined)
}

/// A block computes each of `m` rows. `n` is a multiple of 4, and at most the longest row.
///
/// # Safety
/// Both matrices exist, and 16 divides their addresses.
#[kernel(threads = L::Threads, shared = Shared, instances(<rows>, <short>))]
pub unsafe fn softmax<L: Length>(
    m: u32,
    n: u32,
    from: *const f32,
    to: *mut f32,
) -> Result<(), Trap> {
    L::min_blocks_per_multiprocessor();
    let threads = const { <L::Threads as StaticLayout>::SIZE };
    let (each, warps) = const {
        (
            L::COLUMNS / 4 / <L::Threads as StaticLayout>::SIZE,
            <L::Threads as StaticLayout>::SIZE / 32,
        )
    };
    let (n, m) = (Multiple::<Int<4>>::new(n as usize)?, m as usize);
    if n.get() > L::COLUMNS {
        device::trap()
    }
    // A row, in the largest layout that a block can hold.
    let matrix = layout!((8192, m):(1, n));
    // SAFETY: the caller's promises: each block has its row, and no thread accesses elements after
    // its end; shared memory is read after a barrier.
    let (from, mut to, (mut largest, mut sums)) = unsafe {
        (
            Tensor::from_global_ref(from, matrix),
            Tensor::from_global(to, matrix),
            Shared::make_tensors(),
        )
    }; // (row, rows), (warps), (warps)
    let (row, ..) = device::block_index();
    let (from, mut to) = (from.slice((.., row)), to.slice_mut((.., row))); // (row)

    // The index in the row of a thread's vector `v`, which exists if it begins within the row.
    let place = |v: usize| device::thread_index() + threads * v;
    let there = |v: usize| 4 * place(v) < n.get();
    let vector = UniversalCopy::<f32, Int<4>>::new();
    let mut values = Fragment::<f32, Row>::zeroed(); // (V)
    for_static!(V in 0..8, {
        if V < each && there(V) {
            copy(&vector, &from.local_tile(Values::default(), place(V))?,
                &mut values.slice_mut((.., V)))?;
        }
    });
    let mut most = f32::NEG_INFINITY;
    for_static!(I in 0..32, {
        most = if I / 4 < each && there(I / 4) { f32::max(most, values[I]) } else { most };
    });
    let most = reduce_block(most, f32::max, &mut largest, warps)?;
    let mut sum = 0.0;
    for_static!(I in 0..32, {
        values[I] = device::exp2((values[I] - most) * core::f32::consts::LOG2_E);
        sum = if I / 4 < each && there(I / 4) { sum + values[I] } else { sum };
    });
    let scale = device::reciprocal(reduce_block(sum, core::ops::Add::add, &mut sums, warps)?);
    for_static!(V in 0..8, {
        if V < each && there(V) {
            for_static!(I in 0..4, {
                values[4 * V + I] *= scale;
            });
            copy(&vector, &values.slice((.., V)),
                &mut to.local_tile_mut(Values::default(), place(V))?)?;
        }
    });
    Ok(())
}
