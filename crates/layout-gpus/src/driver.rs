//! Calls of the driver: words in host memory, and peer access.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use cudarc::driver::{CudaContext, result, sys};

use crate::error::Error;
use crate::push_plan::MOST_RANKS;

/// Whether the driver and the compiler can be loaded.
pub(crate) fn has_cuda() -> bool {
    // SAFETY: it looks for libraries, and loads them.
    unsafe { sys::is_culib_present() && cudarc::nvrtc::sys::is_culib_present() }
}

/// A word for each rank, in host memory that all devices access: 0, or 1 plus the number of the
/// peer that did not arrive.
pub(crate) struct Failures {
    words: *mut c_void,
    context: Arc<CudaContext>,
}

// SAFETY: the memory is of no thread's own, and is read by atomic loads alone.
unsafe impl Send for Failures {}
// SAFETY: as above.
unsafe impl Sync for Failures {}

impl Failures {
    const BYTES: usize = 4 * MOST_RANKS;

    /// Makes the words, all 0: no rank has failed.
    pub(crate) fn new(context: &Arc<CudaContext>) -> Result<Failures, Error> {
        context.bind_to_thread()?;
        let flags = sys::CU_MEMHOSTALLOC_PORTABLE | sys::CU_MEMHOSTALLOC_DEVICEMAP;
        // SAFETY: `drop` frees it, and nothing else does; a context is bound.
        let words = unsafe { result::malloc_host(Self::BYTES, flags) }?;
        // SAFETY: the allocation has this size, and no kernel has its address yet.
        unsafe { words.cast::<u8>().write_bytes(0, Self::BYTES) };
        Ok(Failures { words, context: context.clone() })
    }

    /// The address of the words, the same for all devices.
    pub(crate) fn address(&self) -> u64 {
        self.words as u64
    }

    /// The peer that a rank waited for until the time limit.
    pub(crate) fn peer(&self, rank: usize) -> Option<usize> {
        assert!(rank < MOST_RANKS);
        // SAFETY: there are `MOST_RANKS` words, aligned, and they live as long as `self`. Kernels
        // write whole words.
        let word = unsafe { AtomicU32::from_ptr(self.words.cast::<u32>().add(rank)) };
        (word.load(Ordering::Acquire) as usize).checked_sub(1)
    }
}

impl Drop for Failures {
    fn drop(&mut self) {
        self.context.record_err(self.context.bind_to_thread());
        // SAFETY: allocated by `malloc_host`, and `Shared` has waited for all kernels.
        self.context.record_err(unsafe { result::free_host(self.words) });
    }
}

/// Enables peer access between all devices.
pub(crate) fn reach(contexts: &[Arc<CudaContext>]) -> Result<(), Error> {
    for (rank, context) in contexts.iter().enumerate() {
        for (peer, other) in contexts.iter().enumerate() {
            if Arc::ptr_eq(context, other) {
                continue;
            }
            context.bind_to_thread()?;
            let mut can = 0;
            // SAFETY: a number to write to, and two devices of this process.
            let asked = unsafe {
                sys::cuDeviceCanAccessPeer(&mut can, context.cu_device(), other.cu_device())
            };
            asked.result()?;
            if can == 0 {
                return Err(Error::Peer { rank, peer });
            }
            // SAFETY: the context of another device, which lives; one of this device is bound.
            match unsafe { sys::cuCtxEnablePeerAccess(other.cu_ctx(), 0) } {
                sys::CUresult::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED => {}
                answer => answer.result()?,
            }
        }
    }
    Ok(())
}
