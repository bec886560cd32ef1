//! Indices of threads and blocks, barriers, and the end of a kernel.

use layout_algebra::LayoutError;

/// The index of the thread in its block.
#[inline]
#[must_use]
pub fn thread_index() -> usize {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: reads a register.
    let number = unsafe { core::arch::nvptx::_thread_idx_x() };
    #[cfg(not(target_arch = "nvptx64"))]
    let number = layout_instructions::block::thread_index();
    number as usize
}

/// The number of threads of the block. CUDA's `blockDim.x`.
#[inline]
#[must_use]
pub fn threads_per_block() -> usize {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: reads a register.
    let number = unsafe { core::arch::nvptx::_block_dim_x() } as usize;
    #[cfg(not(target_arch = "nvptx64"))]
    let number = layout_instructions::block::threads_per_block();
    number
}

/// The index of the block in the grid. CUDA's `blockIdx`.
#[inline]
#[must_use]
pub fn block_index() -> (usize, usize, usize) {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: reads registers.
    let (x, y, z) = unsafe {
        use core::arch::nvptx::{_block_idx_x, _block_idx_y, _block_idx_z};
        (_block_idx_x() as usize, _block_idx_y() as usize, _block_idx_z() as usize)
    };
    #[cfg(not(target_arch = "nvptx64"))]
    let (x, y, z) = layout_instructions::block::block_index();
    (x, y, z)
}

/// The dimensions of the grid. CUDA's `gridDim`.
#[inline]
#[must_use]
pub fn blocks_per_grid() -> (usize, usize, usize) {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: reads registers.
    let (x, y, z) = unsafe {
        use core::arch::nvptx::{_grid_dim_x, _grid_dim_y, _grid_dim_z};
        (_grid_dim_x() as usize, _grid_dim_y() as usize, _grid_dim_z() as usize)
    };
    #[cfg(not(target_arch = "nvptx64"))]
    let (x, y, z) = layout_instructions::block::blocks_per_grid();
    (x, y, z)
}

/// The numbers below `count` of this block, in a grid whose blocks take turns along mode 0: a grid
/// that fills the device goes through any number of tiles. CUDA's grid-stride loop.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_nvidia::device::{self, kernel};
/// use layout_nvidia::host;
/// /// Writes the index of the block to each of the 32 elements of a tile.
/// ///
/// /// # Safety
/// /// There are 32 elements for each tile.
/// #[kernel(threads = Layout!(32))]
/// pub unsafe fn mark(tiles: u32, to: *mut u32) {
///     for tile in device::grid_stride(tiles as usize) {
///         // SAFETY: the caller's promise; each thread writes its own number.
///         unsafe { to.add(32 * tile + device::thread_index()).write(device::block_index().0 as u32) }
///     }
/// }
/// let mut marks = [9; 32 * 5];
/// // SAFETY: five tiles.
/// unsafe { host::launch::<mark>((2, 1), (5_u32, &mut marks[..])) };
/// assert_eq!([marks[0], marks[32], marks[64], marks[96], marks[128]], [0, 1, 0, 1, 0]);
/// ```
#[inline]
pub fn grid_stride(count: usize) -> impl Iterator<Item = usize> {
    let (mut next, step) = (block_index().0, blocks_per_grid().0);
    core::iter::from_fn(move || {
        let here = (next < count).then_some(next);
        next = next.saturating_add(step);
        here
    })
}

/// The same number, hidden from the compilers: values that depend on it are computed here, and not
/// before a loop that has no registers for them. The number is below 2^32 and takes one register on
/// the device: casts between `u32` and `usize` take no instruction.
///
/// # Panics
/// Under `host::launch`, if the number is not below 2^32.
#[inline]
#[must_use]
pub fn black_box(number: usize) -> usize {
    #[cfg(target_arch = "nvptx64")]
    let number = {
        let mut number = number as u32;
        // SAFETY: a comment.
        unsafe {
            core::arch::asm!("// {0}", inout(reg32) number, options(nomem, nostack));
        }
        number as usize
    };
    #[cfg(not(target_arch = "nvptx64"))]
    assert!(u32::try_from(number).is_ok(), "`black_box` takes numbers below 2^32, not {number}");
    number
}

/// Requests `BLOCKS` resident blocks on a multiprocessor, which limits the registers of a thread.
/// PTX's `.minnctapersm`, CUDA's second launch bound. For a kernel that waits for memory, take the
/// largest number for which the build reports 0 bytes of local memory.
/// (`crates/layout-nvidia/build` writes it into the kernel's head.)
#[inline]
pub fn min_blocks_per_multiprocessor<const BLOCKS: usize>() {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: a comment.
    unsafe {
        core::arch::asm!("// head .minnctapersm {}", const BLOCKS, options(nomem, nostack, preserves_flags));
    }
}

/// Increments a counter that all blocks share, and returns the old value: 0, 1, .. `last`, and then
/// 0 again, so that a launch of `last + 1` calls resets the counter. CUDA's `atomicInc`.
///
/// ```
/// let mut counter = 0;
/// // SAFETY: the counter exists.
/// let old = [(); 4].map(|()| unsafe { layout_nvidia::device::atomic_inc(&mut counter, 2) });
/// assert_eq!(old, [0, 1, 2, 0]);
/// ```
///
/// # Safety
/// The counter exists, and nothing else writes it.
#[inline]
#[must_use]
pub unsafe fn atomic_inc(counter: *mut u32, last: u32) -> u32 {
    #[cfg(target_arch = "nvptx64")]
    {
        let old: u32;
        // SAFETY: the caller's promise.
        unsafe {
            core::arch::asm!("atom.global.relaxed.gpu.inc.u32 {old}, [{counter}], {last};",
                old = lateout(reg32) old, counter = in(reg64) counter, last = in(reg32) last, options(nostack));
        }
        old
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
        // SAFETY: the caller's promise: the counter exists, and is changed only here.
        let counter = unsafe { AtomicU32::from_ptr(counter) };
        let next = |old| Some(if old >= last { 0 } else { old + 1 });
        counter.fetch_update(Relaxed, Relaxed, next).unwrap_or_else(|old| old)
    }
}

/// Waits for all threads of the block, and for their writes to shared memory. CUDA's
/// `__syncthreads`.
///
/// ```
/// use layout_nvidia::device;
/// // SAFETY: this is not a thread of a block: it does not wait.
/// unsafe { device::sync_threads() };
/// ```
///
/// # Safety
/// All threads of the block call this, equally often.
#[inline]
pub unsafe fn sync_threads() {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: the caller's promise.
    unsafe {
        core::arch::nvptx::_syncthreads();
    }
    #[cfg(not(target_arch = "nvptx64"))]
    layout_instructions::block::sync_block();
}

/// Waits for all threads of the warp, and for their writes to shared memory. CUDA's `__syncwarp`.
///
/// # Safety
/// All threads of the warp call this, equally often.
#[inline]
pub unsafe fn sync_warp() {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: the caller's promise.
    unsafe {
        core::arch::asm!("bar.warp.sync 0xffffffff;", options(nostack));
    }
    #[cfg(not(target_arch = "nvptx64"))]
    layout_instructions::block::sync_warp();
}

/// Lets blocks of the next launch start as multiprocessors become free, if that launch permits it
/// (`Launch::programmatic_dependent_launch`): their threads wait for the end of this launch by
/// [`grid_dependency_wait`]. PTX's `griddepcontrol.launch_dependents`.
#[inline]
pub fn launch_dependents() {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: the next launch waits for this one's end before it touches memory.
    unsafe {
        core::arch::asm!("griddepcontrol.launch_dependents;", options(nostack));
    }
}
/// Waits until all previous launches have ended, if this one started early, and sees their writes.
/// All threads call this, also those that do not touch memory: a block that ended without it would
/// let a later launch start before the previous launches have ended. PTX's `griddepcontrol.wait`.
#[inline]
pub fn grid_dependency_wait() {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: waits.
    unsafe {
        core::arch::asm!("griddepcontrol.wait;", options(nostack));
    }
}

/// Ends the kernel with an error, for all threads: the kernel cannot do its work. The host's error
/// names the file and the line, as for a [`Trap`].
#[cold]
#[inline(always)]
#[track_caller]
pub fn trap() -> ! {
    let place = core::panic::Location::caller();
    #[cfg(target_arch = "nvptx64")]
    crate::trap_record::end_kernel(None, place);
    #[cfg(not(target_arch = "nvptx64"))]
    layout_instructions::block::end_without_error(place)
}

/// The error of a kernel: a type without values. `?` ends the kernel instead of converting another
/// error to this type, and the host reports the error. So errors cost a kernel no register: the
/// kernel ends by a call of a function that does not return.
///
/// [`host::launch`](crate::host::launch) panics with the message of the error, once, and with the
/// file and the line of the `?`. On a device the kernel writes the row of the
/// [`Fault`](layout_algebra::Fault), its numbers and the location to a page of the host's memory,
/// and the next call of the driver returns the same message: `LaunchError::Ended`.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_nvidia::device::Trap;
/// fn tiles(rows: usize) -> Result<usize, Trap> {
///     Ok(Multiple::<Int<128>>::new(rows)?.get() / 128)
/// }
/// let Ok(two) = tiles(256);
/// assert_eq!(two, 2);
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Trap {}
impl From<LayoutError> for Trap {
    #[inline(always)]
    #[cfg(target_arch = "nvptx64")]
    #[track_caller]
    fn from(error: LayoutError) -> Self {
        crate::trap_record::end_kernel(Some(&error), core::panic::Location::caller())
    }
    #[cfg(not(target_arch = "nvptx64"))]
    #[track_caller]
    fn from(error: LayoutError) -> Self {
        layout_instructions::block::end_kernel(format!(
            "{}: {error}",
            core::panic::Location::caller()
        ))
    }
}
