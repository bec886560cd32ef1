//! Kernels that move elements: a plan, what each thread does, the text.

mod plan;
mod values;
mod windows;

mod runs;
mod tiling;

mod kernel;

mod relayout_kernel;

// Kernels for parts of large buffers.
mod chunks;

pub use chunks::Chunk;
pub use relayout_kernel::{Launch, RelayoutKernel};
