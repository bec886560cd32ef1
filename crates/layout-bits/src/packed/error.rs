//! Errors of packed tensors, one sentence for each.

use core::fmt;

use layout_algebra::LayoutError;

/// Why a tensor, tile or view cannot be made. Nothing has been written if it is returned.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_bits::{Packed, U4};
/// let error = Packed::<U4, _, _>::from_bytes([0; 11], layout!((4, 6))).unwrap_err();
/// assert_eq!(error.to_string(), "24 elements of 4 bits take 12 bytes, and there are 11");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PackedError {
    /// The bytes are fewer than the layout needs.
    Length {
        /// The elements that the layout spans.
        elements: usize,
        /// The bits of an element.
        bits: usize,
        /// The bytes that these take.
        needed: usize,
        /// The bytes that there are.
        given: usize,
    },
    /// The bits that a layout spans exceed `usize`.
    Overflow {
        /// The bits of an element.
        bits: usize,
    },
    /// Two tiles have elements in one byte.
    SharedByte {
        /// The byte.
        byte: usize,
        /// The two tiles.
        tiles: [usize; 2],
        /// The offset of an element of each.
        elements: [usize; 2],
        /// The bits of an element.
        bits: usize,
    },
    /// A slice does not begin where an element of the new size does.
    Begin {
        /// The bit at which it begins.
        bit: usize,
        /// The bits of the new element.
        bits: usize,
    },
    /// An operation on the layout has no result.
    Layout(LayoutError),
}

impl fmt::Display for PackedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { elements, bits, needed, given } => {
                write!(
                    f,
                    "{elements} elements of {bits} bits take {needed} bytes, and there are {given}"
                )
            }
            Self::Overflow { bits } => {
                write!(f, "the layout reaches more elements of {bits} bits than can be counted")
            }
            Self::SharedByte { byte, tiles: [a, b], elements: [x, y], bits } => write!(
                f,
                "tiles {a} and {b} share byte {byte}: there lie the elements of {bits} bits at \
                 the offsets {x} and {y}"
            ),
            Self::Begin { bit, bits } => {
                write!(f, "bit {bit}, where the slice begins, begins no element of {bits} bits")
            }
            Self::Layout(error) => error.fmt(f),
        }
    }
}
impl core::error::Error for PackedError {}
impl From<LayoutError> for PackedError {
    fn from(error: LayoutError) -> Self {
        Self::Layout(error)
    }
}
