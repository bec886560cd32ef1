//! Kernels that move elements: a plan, what each thread does, the text.

mod plan;
mod windows;

mod tiling;

mod kernel;

mod relayout_kernel;

pub use relayout_kernel::{Launch, RelayoutKernel};
