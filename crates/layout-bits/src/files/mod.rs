//! Files that models are stored in. No number of a header is trusted before it has been checked
//! against the length of the file.
//!
//! In reading order: `error`, `stored`, `gguf`, `safetensors`.

mod error;
pub mod gguf;
#[cfg(feature = "safetensors")]
pub mod safetensors;
mod stored;

pub use error::FileError;
pub use stored::StoredTensor;

/// The most bytes of a header: the limit of the package `safetensors`.
pub(crate) const MOST_HEADER: u64 = 100_000_000;
