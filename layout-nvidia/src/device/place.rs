//! Where a thread stands.

/// The number of the thread in its block.
#[inline]
#[must_use]
pub fn thread() -> usize {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: reads a register.
    let number = unsafe { core::arch::nvptx::_thread_idx_x() };
    #[cfg(not(target_arch = "nvptx64"))]
    let number = 0_u32;
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
    let (x, y) = (0_u32, 0_u32);
    (x as usize, y as usize)
}

/// Waits for all threads of the block, and for what they wrote to shared memory. CUDA's `__syncthreads`.
#[inline]
pub fn barrier() {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: every thread of the block comes here equally often: kernels branch around it for whole blocks only.
    unsafe {
        core::arch::nvptx::_syncthreads();
    }
}
