//! The storage of packed elements: bytes of which some bits are read or changed.

#[cfg(feature = "alloc")]
use core::sync::atomic::{AtomicU8, Ordering};

use crate::element::Element;

/// Bytes that packed elements are read from: `Vec<u8>`, slices, arrays, and those of mutable tiles.
///
/// ```
/// use layout_bits::Bytes;
/// fn count(bytes: &impl Bytes) -> usize {
///     bytes.length()
/// }
/// assert_eq!((count(&[0; 3]), count(&vec![0; 4])), (3, 4));
/// ```
pub trait Bytes {
    /// The number of bytes.
    fn length(&self) -> usize;
    #[doc(hidden)]
    fn byte(&self, at: usize) -> u8;
}
/// Bytes whose packed elements can be changed.
///
/// ```
/// use layout_bits::BytesMut;
/// fn is_mutable(_: &impl BytesMut) {}
/// is_mutable(&[0; 3]);
/// ```
pub trait BytesMut: Bytes {
    /// The bits of `mask` become those of `bits`.
    #[doc(hidden)]
    fn change(&mut self, at: usize, mask: u8, bits: u8);
}
impl<B: AsRef<[u8]>> Bytes for B {
    #[inline(always)]
    fn length(&self) -> usize {
        self.as_ref().len()
    }
    #[inline(always)]
    fn byte(&self, at: usize) -> u8 {
        self.as_ref()[at]
    }
}
impl<B: AsRef<[u8]> + AsMut<[u8]>> BytesMut for B {
    #[inline(always)]
    fn change(&mut self, at: usize, mask: u8, bits: u8) {
        let byte = &mut self.as_mut()[at];
        *byte = *byte & !mask | bits & mask;
    }
}

/// The storage of mutable tiles: the bytes of the whole tensor, of which each tile changes only its
/// own.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_bits::{Packed, TileBytes, U4};
/// fn fill<L: Addressable>(mut tile: Packed<U4, TileBytes<'_>, L>) {
///     tile.fill(U4::MAX);
/// }
/// let mut t = Packed::<U4, _, _>::zeroed(layout!((4, 2)));
/// t.tiles_mut(tiler!(2, 1)).for_each(fill);
/// assert_eq!(t.as_bytes(), [0xff; 4]);
/// ```
#[cfg(feature = "alloc")]
#[derive(Debug)]
pub struct TileBytes<'a>(pub(super) &'a [AtomicU8]);

#[cfg(feature = "alloc")]
impl<'a> TileBytes<'a> {
    pub(super) fn new(bytes: &'a mut [u8]) -> Self {
        // SAFETY: `AtomicU8` has the size, the alignment and the bit validity of `u8`. The bytes
        // are borrowed mutably for `'a`, so that they are accessed only through these atomics
        // meanwhile.
        TileBytes(unsafe { &*(bytes as *mut [u8] as *const [AtomicU8]) })
    }
}
// No two tiles share a byte, so relaxed accesses are enough; each is a plain load or store.
#[cfg(feature = "alloc")]
impl Bytes for TileBytes<'_> {
    #[inline(always)]
    fn length(&self) -> usize {
        self.0.len()
    }
    #[inline(always)]
    fn byte(&self, at: usize) -> u8 {
        self.0[at].load(Ordering::Relaxed)
    }
}
#[cfg(feature = "alloc")]
impl BytesMut for TileBytes<'_> {
    #[inline(always)]
    fn change(&mut self, at: usize, mask: u8, bits: u8) {
        let byte = &self.0[at];
        byte.store(byte.load(Ordering::Relaxed) & !mask | bits & mask, Ordering::Relaxed);
    }
}

/// Element number `n` of these bytes, the first in the lowest bits of the first byte.
#[inline(always)]
pub(super) fn read<E: Element>(bytes: &impl Bytes, n: usize) -> E {
    let (at, shift) = (n * E::BITS / 8, n * E::BITS % 8);
    let mut bits = bytes.byte(at) >> shift;
    // Only elements of 6 bits can lie in two bytes.
    if 8 % E::BITS != 0 && shift + E::BITS > 8 {
        bits |= bytes.byte(at + 1) << (8 - shift);
    }
    E::from_bits(bits)
}

/// Makes `x` element number `n`.
#[inline(always)]
pub(super) fn write<E: Element>(bytes: &mut impl BytesMut, n: usize, x: E) {
    let (at, shift) = (n * E::BITS / 8, n * E::BITS % 8);
    let (mask, bits) = (0xff_u8 >> (8 - E::BITS), x.to_bits());
    bytes.change(at, mask << shift, bits << shift);
    if 8 % E::BITS != 0 && shift + E::BITS > 8 {
        bytes.change(at + 1, mask >> (8 - shift), bits >> (8 - shift));
    }
}
