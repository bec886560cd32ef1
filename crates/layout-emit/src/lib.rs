//! Layouts as source code.
//!
//! Index arithmetic written by hand fails silently. Here it is printed from the layout:
//!
//! ```
//! use layout_algebra::prelude::*;
//! use layout_emit::{Index, Language};
//! let rows: DynLayout = "(64,96):(96,1)".parse()?;
//! assert_eq!(Index::of(&rows).name("at").emit(Language::C)?, "\
//! // The offset of (i, j) in (64,96):(96,1): 64 x 96 coordinates, 6144 offsets.
//! static inline uint32_t at(uint32_t i, uint32_t j) {
//!     return i * 96u + j;
//! }
//! ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`Index`]: the offset of a coordinate, and the coordinate of an offset
//! - [`ElementAccess`]: elements of 1 or 2 bytes in a WGSL buffer of words
//! - [`Op`]: the operations of an index function, for any other language
//! - [`Module`]: a file of many functions, for a build script
//! - [`Partition`]: the coordinate of a thread's value in a tile, for copies and for tensor cores
//!   by name
//! - [`RelayoutKernel`]: kernels that move elements from one layout to another, in CUDA and WGSL
//! - [`NamedLayout`]: layouts whose numbers may be parameters of the code
//! - [`Language`]: C, CUDA, HIP, OpenCL, WGSL, GLSL, HLSL, Metal, Rust, Python
//!
//! Its files stand below in reading order; a file imports only from those above it.

mod error;
mod language;

// Layouts whose numbers may be names.
mod source;

// Functions, and kernels that use them.
mod index;

mod relayout;

pub use error::EmitError;
pub use index::{ATOMS, ElementAccess, Index, Module, Node, Op, Operand, Partition};
pub use language::Language;
pub use relayout::{Chunk, Launch, RelayoutKernel};
pub use source::NamedLayout;
