//! Files that models are stored in: their headers, which are believed in nothing before it is
//! compared with the length of the file.
//!
//! In reading order: `error`, `stored`, `gguf`, `safetensors`.

mod error;
pub mod gguf;
#[cfg(feature = "safetensors")]
pub mod safetensors;
mod stored;

pub use error::FileError;
pub use stored::StoredTensor;

/// The most bytes that are read of a header: what the package `safetensors` reads, too.
pub(crate) const MOST_HEADER: u64 = 100_000_000;
