//! Launches on device memory.
//!
//! The safety of a launch relies on the law of `layout-emit` that a kernel accesses only offsets of
//! its two layouts, which its tests check element by element; on the same law of `general.cu`; and
//! on the checks of `run_checked`, which compare the spans of the layouts with the buffers.
#![allow(unsafe_code)]

use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaStream, LaunchConfig, PushKernelArg};
use layout_emit::NamedLayout;

use super::buffers::{DeviceBuffer, DeviceBufferMut, DeviceMemory};
use super::cache::RelayoutCache;
use super::driver::from_driver;
use super::kernel::Kernel;
use crate::error::RelayoutError;
use crate::pairs::KeptPair;

impl RelayoutCache {
    /// Moves all elements, of `bytes` bytes, on the stream. The call does not wait for them; `cudarc`
    /// orders the streams that use a buffer. Empty layouts launch nothing.
    ///
    /// An element is one or more `T`: `bytes` is a multiple of the size of `T`. Buffers of bytes
    /// can have elements of any width. If a view is not aligned to 16 bytes, every run uses the
    /// general kernel.
    ///
    /// # Errors
    /// [`RelayoutError::Layouts`] if the shapes do not have the same coordinates, two elements have
    /// one offset in the target, or elements do not have 1, 2, 4, 8 or 16 bytes.
    /// [`RelayoutError::Buffer`] if a buffer is smaller than its layout, is of another context, or
    /// is not aligned to elements, or if `bytes` is not a multiple of the size of `T`.
    /// [`RelayoutError::Limit`] if a launch would have too many blocks. [`RelayoutError::Device`]
    /// for errors of the compiler or the driver.
    pub fn run<T>(
        &self,
        stream: &Arc<CudaStream>,
        from: impl Into<NamedLayout>,
        to: impl Into<NamedLayout>,
        bytes: usize,
        source: &impl DeviceBuffer<T>,
        target: &mut impl DeviceBufferMut<T>,
    ) -> Result<(), RelayoutError> {
        let (from, to) = (from.into(), to.into());
        let Some(pair) = self.pairs.find(&from, &to, bytes)? else { return Ok(()) };
        let whole = size_of::<T>();
        if bytes.checked_rem(whole) != Some(0) {
            return Err(RelayoutError::Buffer(format!(
                "elements of {bytes} bytes are not made of the buffers' elements of {whole} bytes"
            )));
        }
        for (side, context) in
            [("source", source.stream().context()), ("target", target.stream().context())]
        {
            check_context(side, context, stream)?;
        }
        let sizes = [source.num_bytes() as u64, target.num_bytes() as u64];
        check_sizes(&pair, [&from, &to], sizes)?;
        let (source, _reads) = source.device_ptr(stream);
        let (target, _writes) = target.device_ptr_mut(stream);
        let memory = |address, bytes| DeviceMemory { address, bytes };
        // SAFETY: both buffers are `cudarc`'s, for `DeviceBuffer` and `DeviceBufferMut` are sealed:
        // memory of the stream's context, as was checked, which stays allocated until the guards
        // `_reads` and `_writes` have recorded this use. The target is borrowed mutably. Whole
        // elements are copied, so the target gets valid values of `T`.
        unsafe {
            self.run_checked(
                stream,
                &pair,
                [&from, &to],
                memory(source, sizes[0]),
                memory(target, sizes[1]),
            )
        }
    }

    /// Moves all elements, of `bytes` bytes, between memories of other libraries, as
    /// [`run`](Self::run) does between buffers of `cudarc`.
    ///
    /// # Errors
    /// Those of [`run`](Self::run), and [`RelayoutError::Buffer`] if the two overlap.
    ///
    /// # Safety
    /// Both memories have to be accessible to kernels of the stream's context until the stream has
    /// finished the work. The caller has to order all other uses of the target, and all writes to
    /// the source, before or after it.
    pub unsafe fn run_memory(
        &self,
        stream: &Arc<CudaStream>,
        from: impl Into<NamedLayout>,
        to: impl Into<NamedLayout>,
        bytes: usize,
        source: DeviceMemory,
        target: DeviceMemory,
    ) -> Result<(), RelayoutError> {
        let (from, to) = (from.into(), to.into());
        let Some(pair) = self.pairs.find(&from, &to, bytes)? else { return Ok(()) };
        // SAFETY: the caller has to ensure the same.
        unsafe { self.run_checked(stream, &pair, [&from, &to], source, target) }
    }

    /// Checks the arguments, and launches the kernel of the pair's next run.
    ///
    /// # Safety
    /// That of `run_memory`.
    unsafe fn run_checked(
        &self,
        stream: &Arc<CudaStream>,
        pair: &KeptPair<Kernel>,
        layouts: [&NamedLayout; 2],
        source: DeviceMemory,
        target: DeviceMemory,
    ) -> Result<(), RelayoutError> {
        if stream.context() != &self.context {
            return Err(RelayoutError::Buffer(format!(
                "the stream is of a context of device {}, and the cache of another one, of device {}",
                stream.context().ordinal(),
                self.context.ordinal()
            )));
        }
        let both = [source, target];
        check_sizes(pair, layouts, both.map(|memory| memory.bytes))?;
        check_addresses(pair, both)?;
        let kernel = self.find_kernel(pair, both)?;
        let config = LaunchConfig {
            grid_dim: (kernel.blocks, 1, 1),
            block_dim: (kernel.threads, 1, 1),
            shared_mem_bytes: 0,
        };
        let mut launch = stream.launch_builder(&kernel.function);
        launch.arg(&source.address).arg(&target.address);
        if let Some(numbers) = &kernel.numbers {
            launch.arg(&**numbers);
        }
        // SAFETY: the parameters are those of the kernel: two addresses and, for the general one,
        // the `Numbers`. It accesses only offsets of the pair's layouts, relative to the least one,
        // in elements of `bytes` bytes: within the memories, whose sizes were compared with the
        // spans of the layouts. Both are aligned as the kernel's accesses need, and they do not
        // overlap. The caller ensures the rest.
        unsafe { launch.launch(config) }.map_err(from_driver)?;
        pair.count_run();
        Ok(())
    }
}

fn check_context(
    side: &str,
    context: &Arc<CudaContext>,
    stream: &Arc<CudaStream>,
) -> Result<(), RelayoutError> {
    if context == stream.context() {
        return Ok(());
    }
    Err(RelayoutError::Buffer(format!(
        "the {side} is of a context of device {}, and the stream of another one, of device {}",
        context.ordinal(),
        stream.context().ordinal()
    )))
}

fn check_sizes(
    pair: &KeptPair<Kernel>,
    layouts: [&NamedLayout; 2],
    sizes: [u64; 2],
) -> Result<(), RelayoutError> {
    let sides = ["source", "target"].into_iter().zip(layouts);
    for ((side, layout), (size, needed)) in sides.zip(sizes.into_iter().zip(pair.buffer_bytes)) {
        if size < needed {
            return Err(RelayoutError::Buffer(format!(
                "the {side} has {size} bytes, and {layout} of elements of {} bytes takes {needed}",
                pair.bytes
            )));
        }
    }
    Ok(())
}

fn check_addresses(pair: &KeptPair<Kernel>, both: [DeviceMemory; 2]) -> Result<(), RelayoutError> {
    for (side, memory) in ["source", "target"].into_iter().zip(both) {
        if memory.address % pair.bytes as u64 != 0 {
            return Err(RelayoutError::Buffer(format!(
                "the {side} begins at address {}, which is no multiple of {}, the bytes of an element",
                memory.address, pair.bytes
            )));
        }
    }
    // Only the spans of the layouts count: the rest of a buffer is arbitrary.
    let [source, target] = [0, 1].map(|side| {
        let begin = u128::from(both[side].address);
        begin..begin + u128::from(pair.buffer_bytes[side])
    });
    if source.start < target.end && target.start < source.end {
        return Err(RelayoutError::Buffer(
            "the memory of the source and that of the target overlap".into(),
        ));
    }
    Ok(())
}
