//! Relayouts as calls on a GPU.
//!
//! ```text
//! target[TO(c)] = source[FROM(c)]  for all coordinates c
//! ```
//!
//! A [`RelayoutCache`] belongs to a device of wgpu. It moves the elements of one buffer to another,
//! from any layout to any other with the same coordinates: by the kernels of `layout-emit`, whose
//! plans and pipelines it keeps.

mod axes;
mod cache;
mod error;
mod kernel;

pub use cache::RelayoutCache;
pub use error::RelayoutError;
