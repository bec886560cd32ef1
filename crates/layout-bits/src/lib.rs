//! Elements smaller than a byte, and the formats that models are stored in, as layouts of bits.
#![no_std]

#[cfg(feature = "std")]
extern crate std;

// Its files in reading order; a file imports only from those above it.
mod element;

// Tensors of them.
mod packed;

pub use element::{E2m1, E2m3, E3m2, E4m3, E5m2, E8m0, Element, S4, U1, U2, U4, U6};
pub use packed::{BitSize, Bytes, BytesMut, Packed, PackedError, TileBytes, Tiles, TilesMut};
