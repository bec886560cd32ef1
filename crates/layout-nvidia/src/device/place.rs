//! Where a thread stands, and where a kernel ends.

use layout_algebra::LayoutError;

/// The number of the thread in its block.
#[inline]
#[must_use]
pub fn thread() -> usize {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: reads a register.
    let number = unsafe { core::arch::nvptx::_thread_idx_x() };
    #[cfg(not(target_arch = "nvptx64"))]
    let number = crate::host::thread();
    number as usize
}

/// The place of the block in the grid.
#[inline]
#[must_use]
pub fn block() -> (usize, usize) {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: reads registers.
    let (x, y) = unsafe { (core::arch::nvptx::_block_idx_x(), core::arch::nvptx::_block_idx_y()) };
    #[cfg(not(target_arch = "nvptx64"))]
    let (x, y) = crate::host::block();
    (x as usize, y as usize)
}

/// The same number, which the compilers know nothing of: what is computed of it is computed here, and not before a loop
/// that has no registers for it.
#[inline]
#[must_use]
pub fn again(number: usize) -> usize {
    #[cfg(target_arch = "nvptx64")]
    let number = {
        let mut number = number as u32;
        // SAFETY: a comment.
        unsafe {
            core::arch::asm!("// {0}", inout(reg32) number, options(nomem, nostack));
        }
        number as usize
    };
    number
}

/// Says that so many blocks are to be on a multiprocessor at once: a thread gets no more registers than that leaves.
/// PTX's `.minnctapersm`, CUDA's second launch bound. (`crates/layout-nvidia/build` writes it into the kernel's
/// head.)
#[inline]
pub fn at_once<const BLOCKS: usize>() {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: a comment.
    unsafe {
        core::arch::asm!("// head .minnctapersm {}", const BLOCKS, options(nomem, nostack, preserves_flags));
    }
}

/// Takes the next number from a counter that all blocks share: 0, 1, .. `all - 1`, and then 0 again, so that a launch that
/// takes `all` of them leaves the counter as it was. `atom.inc`.
///
/// ```
/// let mut counter = 0;
/// // SAFETY: the counter is there.
/// let numbers = [(); 4].map(|()| unsafe { layout_nvidia::device::ticket(&mut counter, 3) });
/// assert_eq!(numbers, [0, 1, 2, 0]);
/// ```
///
/// # Safety
/// The counter is there, and nothing else writes it. (On the CPU one thread takes numbers.)
#[inline]
#[must_use]
pub unsafe fn ticket(counter: *mut u32, all: u32) -> u32 {
    let last = all.wrapping_sub(1);
    #[cfg(target_arch = "nvptx64")]
    {
        let number: u32;
        // SAFETY: the caller's promise.
        unsafe {
            core::arch::asm!("atom.global.relaxed.gpu.inc.u32 {number}, [{counter}], {last};",
                number = lateout(reg32) number, counter = in(reg64) counter, last = in(reg32) last, options(nostack));
        }
        number
    }
    #[cfg(not(target_arch = "nvptx64"))]
    // SAFETY: the caller's promise.
    unsafe {
        let number = counter.read();
        counter.write(if number >= last { 0 } else { number + 1 });
        number
    }
}

/// Waits for all threads of the block, and for what they wrote to shared memory. CUDA's `__syncthreads`.
///
/// ```
/// use layout_nvidia::device;
/// // SAFETY: this is no thread of a block: it waits for nobody.
/// unsafe { device::barrier() };
/// ```
///
/// # Safety
/// All threads of the block come here, equally often.
#[inline]
pub unsafe fn barrier() {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: the caller's promise.
    unsafe {
        core::arch::nvptx::_syncthreads();
    }
    #[cfg(not(target_arch = "nvptx64"))]
    crate::host::barrier();
}

/// Waits for all threads of the warp, and for what they wrote to shared memory. CUDA's `__syncwarp`. (On the CPU they wait for
/// each other at the instructions of a warp.)
///
/// # Safety
/// All threads of the warp come here, equally often.
#[inline]
pub unsafe fn sync_warp() {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: the caller's promise.
    unsafe {
        core::arch::asm!("bar.warp.sync 0xffffffff;", options(nostack));
    }
}

/// Lets blocks of the next launch begin where there is room, if that is one that may (`Launch::early`): all of their threads
/// wait for the end of this one, [`after_launch_before`]. PTX's `griddepcontrol.launch_dependents`.
#[inline]
pub fn let_next_begin() {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: who begins waits for this launch's end before memory is touched.
    unsafe {
        core::arch::asm!("griddepcontrol.launch_dependents;", options(nostack));
    }
}
/// Waits until all launches before this one have ended, and sees what they wrote, if this one began early; else they have.
/// All threads come here, also those that touch no memory: a block that ended without it would let a later launch begin before
/// the launches before this one have ended. PTX's `griddepcontrol.wait`.
#[inline]
pub fn after_launch_before() {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: waits.
    unsafe {
        core::arch::asm!("griddepcontrol.wait;", options(nostack));
    }
}

/// Ends the kernel with an error, for all threads: what is asked for cannot be done.
#[cold]
#[inline]
pub fn stop() -> ! {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: it does nothing else.
    unsafe {
        core::arch::nvptx::trap()
    }
    #[cfg(not(target_arch = "nvptx64"))]
    panic!("a kernel was ended")
}

/// The error of a kernel, of which there is none: `?` ends the kernel where another error becomes this one, and whoever
/// launched it is told. So errors cost a kernel no register.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_nvidia::device::Ended;
/// fn tiles(rows: usize) -> Result<usize, Ended> {
///     Ok(Multiple::<Int<128>>::new(rows)?.get() / 128)
/// }
/// let Ok(two) = tiles(256);
/// assert_eq!(two, 2);
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Ended {}
impl From<LayoutError> for Ended {
    #[inline(always)]
    fn from(_: LayoutError) -> Self {
        stop()
    }
}
