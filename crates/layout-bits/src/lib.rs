#![doc = include_str!("../README.md")]
#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(feature = "alloc")]
extern crate alloc;

// Its files in reading order; a file imports only from those above it.
mod element;

// Tensors of elements.
#[cfg(feature = "packed")]
mod packed;
#[cfg(feature = "std")]
#[doc = include_str!("../docs/display.md")]
pub mod display {}

// Blocks of quantised weights, as data.
#[cfg(feature = "std")]
mod format;
#[cfg(feature = "std")]
pub mod formats;
#[cfg(feature = "std")]
pub mod scales;

// Files with such blocks.
#[cfg(feature = "std")]
mod files;

// Pictures of blocks.
#[cfg(feature = "draw")]
mod draw;

// Conversion between formats.
#[cfg(feature = "std")]
mod repack;

#[cfg(feature = "draw")]
pub use draw::DrawBits;
pub use element::{E2m1, E2m3, E3m2, E4m3, E5m2, E8m0, Element, S4, U1, U2, U4, U6};
#[cfg(feature = "safetensors")]
pub use files::safetensors;
#[cfg(feature = "std")]
pub use files::{FileError, StoredTensor, gguf};
#[cfg(feature = "std")]
pub use format::{AbsoluteMaximum, Field, Format, FormatError, Number, Output, Part, Rounding};
#[cfg(feature = "packed")]
pub use packed::{BitSize, Bytes, BytesMut, Packed, PackedError, Tiles};
#[cfg(feature = "alloc")]
pub use packed::{TileBytes, TilesMut};
#[cfg(feature = "std")]
pub use repack::Repack;
