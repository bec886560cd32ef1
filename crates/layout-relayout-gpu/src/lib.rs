//! Relayouts as calls on a GPU.
//!
//! ```text
//! target[TO(c)] = source[FROM(c)]  for all coordinates c
//! ```
//!
//! A `RelayoutCache` belongs to a device: `wgpu::RelayoutCache` to one of wgpu (default feature
//! `wgpu`), and `cuda::RelayoutCache` to a context of CUDA (feature `cuda`). It moves the elements
//! of one buffer to another, from any layout to any other with the same coordinates, by the kernels
//! of `layout-emit`, whose plans and programs it caches.

// The common axes of two layouts, and the cache of a pair of layouts.
#[cfg(any(feature = "cuda", feature = "wgpu"))]
mod axes;
mod error;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
mod pairs;

#[cfg(feature = "cuda")]
pub mod cuda;
#[cfg(feature = "wgpu")]
pub mod wgpu;

pub use error::RelayoutError;
