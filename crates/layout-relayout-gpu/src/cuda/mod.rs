//! Relayouts through CUDA: `cudarc`'s contexts, streams and buffers, and kernels that NVRTC compiles.

mod buffers;

// Calls of the driver.
mod driver;

mod kernel;

mod cache;

mod launch;

pub use buffers::{DeviceBuffer, DeviceBufferMut, DeviceMemory};
pub use cache::RelayoutCache;
