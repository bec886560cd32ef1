//! Kernels that move elements: the plan, the work of each thread, the text.

mod plan;
mod values;
mod windows;

mod runs;
mod tiling;

mod kernel;

mod relayout_kernel;

// Kernels for chunks of large buffers.
mod chunks;

pub use chunks::Chunk;
pub use relayout_kernel::{Launch, RelayoutKernel};
