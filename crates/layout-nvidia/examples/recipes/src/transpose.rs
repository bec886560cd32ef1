//! A batched transpose.

use layout_algebra::atom::{UniversalCopy, copy, make_tiled_copy};
use layout_algebra::prelude::*;
use layout_nvidia::device::{self, SharedTile, SharedTiles, Trap, kernel};

pub type Tile = Tiler!(64, 64);
pub type Threads = Layout!((16, 16));
pub type Staged = ComposedLayout<Swizzle<4, 2, 6>, Int<0>, Layout!((64, 64): right)>;
pub type Across = ComposedLayout<Swizzle<4, 2, 6>, Int<0>, Layout!((64, 64))>;
pub type Shared = (SharedTile<f32, Staged>,);

/// `to[b][m][n] = from[b][n][m]`.
///
/// # Safety
/// `b m n` elements each.
#[kernel(threads = Threads, shared = Shared)]
pub unsafe fn batched(b: u32, m: u32, n: u32, from: *const f32, to: *mut f32) -> Result<(), Trap> {
    let (m, n) = (Multiple::<Int<64>>::new(m as usize)?, Multiple::<Int<64>>::new(n as usize)?);
    let b = b as usize;
    // SAFETY: the caller's promise.
    let (from, mut to, (mut staged,)) = unsafe {
        let from = Tensor::from_global_ref(from, layout!((b, n, m): right).select(shape!((2, 1, 0))));
        let to = Tensor::from_global(to, layout!((b, m, n): right).select(shape!((2, 1, 0))));
        (from, to, Shared::tensors())
    };
    let (i, j, k) = device::block();
    let from = from.local_tile(tiler!(64, 64, 1), (i, j, k))?;
    let mut to = to.local_tile_mut(tiler!(64, 64, 1), (j, i, k))?;
    let from = from.slice((.., .., 0));
    let mut to = to.slice_mut((.., .., 0));

    let four = UniversalCopy::<f32, Int<4>>::new();
    let columns = make_tiled_copy(four, Threads::default(), layout!((4, 4)))?;
    let rows = make_tiled_copy(four, Threads::default(), layout!((4, 4): right))?;
    let id = device::thread();
    let (Some(read), Some(stage)) = (columns.get_slice(id), rows.get_slice(id)) else { device::trap() };

    let part = read.partition_s(&from)?;
    let mut values = part.fragment_like::<f32>();
    copy(&columns, &part, &mut values)?;
    copy(&rows, &stage.retile_s(&values, read.share_d())?, &mut stage.partition_d_mut(&mut staged)?)?;
    // SAFETY: all threads of the block come here.
    unsafe { device::barrier() };
    let staged = staged.relayout(Across::default())?;
    copy(&columns, &read.partition_s(&staged)?, &mut values)?;
    copy(&columns, &values, &mut read.partition_d_mut(&mut to)?)?;
    Ok(())
}

/// E1
/// # Safety
/// x
#[kernel(threads = Threads)]
pub unsafe fn e1_2mode_usize(m: u32, n: u32, from: *const f32, to: *mut f32) -> Result<(), Trap> {
    let (m, n) = (m as usize, n as usize);
    // SAFETY: the caller's promise.
    let (from, mut to) = unsafe { (Tensor::from_global_ref(from, layout!((m, n))), Tensor::from_global(to, layout!((m, n): right))) };
    let (i, j, _) = device::block();
    let from = from.local_tile(tiler!(64, 64), (i, j))?;
    let mut to = to.local_tile_mut(tiler!(64, 64), (i, j))?;
    let from = from.local_partition(layout!((16, 16)), device::thread())?;
    let mut to = to.local_partition_mut(layout!((16, 16)), device::thread())?;
    copy(&UniversalCopy::<f32, Int<1>>::new(), &from, &mut to)?;
    Ok(())
}
/// E2
/// # Safety
/// x
#[kernel(threads = Threads)]
pub unsafe fn e2_2mode_zipped(m: u32, n: u32, from: *const f32, to: *mut f32) -> Result<(), Trap> {
    let (m, n) = (Multiple::<Int<64>>::new(m as usize)?, Multiple::<Int<64>>::new(n as usize)?);
    // SAFETY: the caller's promise.
    let (from, mut to) = unsafe { (Tensor::from_global_ref(from, layout!((m, n))), Tensor::from_global(to, layout!((m, n): right))) };
    let (i, j, _) = device::block();
    let tiles = from.zipped_divide(tiler!(64, 64));
    let from = tiles.slice((.., (i, j)));
    let mut to = to.local_tile_mut(tiler!(64, 64), (i, j))?;
    let from = from.local_partition(layout!((16, 16)), device::thread())?;
    let mut to = to.local_partition_mut(layout!((16, 16)), device::thread())?;
    copy(&UniversalCopy::<f32, Int<1>>::new(), &from, &mut to)?;
    Ok(())
}
/// E3
/// # Safety
/// x
#[kernel(threads = Threads)]
pub unsafe fn e3_3mode_local(b: u32, m: u32, n: u32, from: *const f32, to: *mut f32) -> Result<(), Trap> {
    let (b, m, n) = (b as usize, Multiple::<Int<64>>::new(m as usize)?, Multiple::<Int<64>>::new(n as usize)?);
    // SAFETY: the caller's promise.
    let (from, mut to) = unsafe {
        let from = Tensor::from_global_ref(from, layout!((b, n, m): right).select(shape!((2, 1, 0))));
        let to = Tensor::from_global(to, layout!((b, m, n): right).select(shape!((1, 2, 0))));
        (from, to)
    };
    let (i, j, k) = device::block();
    let from = from.local_tile(tiler!(64, 64, 1), (i, j, k))?;
    let mut to = to.local_tile_mut(tiler!(64, 64, 1), (i, j, k))?;
    let from = from.local_partition(layout!((16, 16, 1)), device::thread())?;
    let mut to = to.local_partition_mut(layout!((16, 16, 1)), device::thread())?;
    copy(&UniversalCopy::<f32, Int<1>>::new(), &from, &mut to)?;
    Ok(())
}
/// E4
/// # Safety
/// x
#[kernel(threads = Threads)]
pub unsafe fn e4_3mode_tiled(b: u32, m: u32, n: u32, from: *const f32, to: *mut f32) -> Result<(), Trap> {
    let (b, m, n) = (b as usize, Multiple::<Int<64>>::new(m as usize)?, Multiple::<Int<64>>::new(n as usize)?);
    // SAFETY: the caller's promise.
    let (from, mut to) = unsafe {
        let from = Tensor::from_global_ref(from, layout!((b, n, m): right).select(shape!((0, 2, 1))));
        let to = Tensor::from_global(to, layout!((b, m, n): right));
        (from, to)
    };
    let (i, j, k) = device::block();
    let from = from.local_tile(tiler!(1, 64, 64), (k, i, j))?;
    let mut to = to.local_tile_mut(tiler!(1, 64, 64), (k, i, j))?;
    let one = UniversalCopy::<f32, Int<1>>::new();
    let columns = make_tiled_copy(one, layout!((1, 16, 16)), layout!((1, 4, 4)))?;
    let Some(read) = columns.get_slice(device::thread()) else { device::trap() };
    let part = read.partition_s(&from)?;
    let mut values = part.fragment_like::<f32>();
    copy(&columns, &part, &mut values)?;
    copy(&columns, &values, &mut read.partition_d_mut(&mut to)?)?;
    Ok(())
}
/// E5
/// # Safety
/// x
#[kernel(threads = Threads)]
pub unsafe fn e5_3mode_usize(b: u32, m: u32, n: u32, from: *const f32, to: *mut f32) -> Result<(), Trap> {
    let (b, m, n) = (b as usize, m as usize, n as usize);
    // SAFETY: the caller's promise.
    let (from, mut to) = unsafe {
        let from = Tensor::from_global_ref(from, layout!((b, n, m): right).select(shape!((2, 1, 0))));
        let to = Tensor::from_global(to, layout!((b, m, n): right).select(shape!((1, 2, 0))));
        (from, to)
    };
    let (i, j, k) = device::block();
    let from = from.local_tile(tiler!(64, 64, 1), (i, j, k))?;
    let mut to = to.local_tile_mut(tiler!(64, 64, 1), (i, j, k))?;
    let from = from.local_partition(layout!((16, 16, 1)), device::thread())?;
    let mut to = to.local_partition_mut(layout!((16, 16, 1)), device::thread())?;
    copy(&UniversalCopy::<f32, Int<1>>::new(), &from, &mut to)?;
    Ok(())
}
/// E6
/// # Safety
/// x
#[kernel(threads = Threads)]
pub unsafe fn e6_zipped(b: u32, m: u32, n: u32, from: *const f32, to: *mut f32) -> Result<(), Trap> {
    let (b, m, n) = (b as usize, m as usize, n as usize);
    // SAFETY: the caller's promise.
    let (from, mut to) = unsafe {
        let from = Tensor::from_global_ref(from, layout!((b, n, m): right).select(shape!((2, 1, 0))));
        let to = Tensor::from_global(to, layout!((b, m, n): right).select(shape!((1, 2, 0))));
        (from, to)
    };
    let (i, j, k) = device::block();
    let tiles = from.zipped_divide(tiler!(64, 64, 1));
    let from = tiles.slice((.., (i, j, k)));
    let from = from.slice((.., .., 0));
    let mut to = to.local_tile_mut(tiler!(64, 64, 1), (i, j, k))?;
    let mut to = to.slice_mut((.., .., 0));
    let from = from.local_partition(layout!((16, 16)), device::thread())?;
    let mut to = to.local_partition_mut(layout!((16, 16)), device::thread())?;
    copy(&UniversalCopy::<f32, Int<1>>::new(), &from, &mut to)?;
    Ok(())
}
