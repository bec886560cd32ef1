//! Memory of a device, with peer access.

use std::sync::Arc;

use cudarc::driver::{CudaContext, result, sys};

use crate::error::Error;
use crate::group::Gpus;

/// Device memory, a multiple of 16 bytes. It is freed after all work of the group has ended.
pub(crate) struct Memory {
    gpus: Gpus,
    context: Arc<CudaContext>,
    pointer: sys::CUdeviceptr,
    bytes: usize,
}

impl Memory {
    /// Allocates this number of bytes on the device of a rank, all 0.
    pub(crate) fn zeros(gpus: &Gpus, rank: usize, bytes: usize) -> Result<Memory, Error> {
        let context = gpus.contexts()[rank].clone();
        context.bind_to_thread()?;
        // Kernels read aligned vectors of 16 bytes that contain elements.
        let room = bytes.max(1).next_multiple_of(16);
        // SAFETY: `drop` frees it, and nothing else does; the context is bound.
        let pointer = unsafe { result::malloc_sync(room) }?;
        let memory = Memory { gpus: gpus.clone(), context, pointer, bytes };
        // SAFETY: there are so many bytes, which no kernel knows yet.
        unsafe { result::memset_d8_sync(pointer, 0, room) }?;
        memory.context.synchronize()?;
        Ok(memory)
    }

    pub(crate) fn address(&self) -> u64 {
        self.pointer
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Writes all bytes, after all launched work has ended.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        assert_eq!(bytes.len(), self.bytes);
        self.gpus.synchronize()?;
        self.context.bind_to_thread()?;
        if !bytes.is_empty() {
            // SAFETY: there are as many bytes, and no kernel of the group runs.
            unsafe { result::memcpy_htod_sync(self.pointer, bytes) }?;
        }
        Ok(self.context.synchronize()?)
    }

    /// Reads all bytes, after all launched work has ended.
    pub(crate) fn read(&self, bytes: &mut [u8]) -> Result<(), Error> {
        assert_eq!(bytes.len(), self.bytes);
        self.gpus.synchronize()?;
        self.context.bind_to_thread()?;
        if !bytes.is_empty() {
            // SAFETY: there are as many bytes, and no kernel of the group runs.
            unsafe { result::memcpy_dtoh_sync(bytes, self.pointer) }?;
        }
        Ok(())
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // Peers may still write here: wait for all devices, even if a rank has failed.
        for context in self.gpus.contexts() {
            self.context.record_err(context.synchronize());
        }
        self.context.record_err(self.context.bind_to_thread());
        // SAFETY: allocated by `malloc_sync`, and no kernel runs that knows it.
        self.context.record_err(unsafe { result::free_sync(self.pointer) });
    }
}
