//! Tensors of elements smaller than a byte.
//!
//! ```text
//! bit(c) = (first + layout(c)) * BITS          t[c] = bits bit(c) .. bit(c) + BITS, the lowest of a byte first
//! recast(t, F) = the same bytes under recast(layout, E::BITS, F::BITS)
//! ```
//!
//! In reading order: `error`, `bytes`, what is here, `tiles`.

mod bytes;
mod error;
mod tiles;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;

use layout_algebra::composed::FlipInMemory;
use layout_algebra::operation::{Recast, Recasted};
use layout_algebra::tensor::{Addressable, CoordinateIn, IntoMemory, SliceIn};
use layout_algebra::{Fault, Int, LayoutAlgebra, LayoutError};

use crate::element::{E2m1, E2m3, E3m2, E4m3, E5m2, E8m0, Element, S4, U1, U2, U4, U6};

#[cfg(feature = "alloc")]
pub use bytes::TileBytes;
pub use bytes::{Bytes, BytesMut};
pub use error::PackedError;
pub use tiles::Tiles;
#[cfg(feature = "alloc")]
pub use tiles::TilesMut;

/// An element whose size is part of its type, so that layouts are recast with it.
///
/// ```
/// use layout_algebra::Int;
/// use layout_bits::{BitSize, E2m3};
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(<E2m3 as BitSize>::Bits, Int<6>);
/// ```
pub trait BitSize: Element {
    /// Its size in bits.
    type Bits: Default;
}
macro_rules! sizes {
    ($($bits:literal: $($element:ident)*;)*) => { $($(
        impl BitSize for $element {
            type Bits = Int<$bits>;
        }
    )*)* };
}
sizes! { 1: U1; 2: U2; 4: U4 S4 E2m1; 6: U6 E2m3 E3m2; 8: u8 i8 E8m0 E4m3 E5m2; }

/// Elements `E` side by side in the bytes `B`, under the layout `L`, whose offsets count elements.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_bits::{Packed, U4};
/// let mut t = Packed::<U4, _, _>::zeroed(layout!((2, 3): right));
/// t.set((0, 1), U4::new(9));
/// t.set((1, 2), U4::new(5));
/// assert_eq!((t.get((0, 1)), t.get((2, 0))), (Some(U4::new(9)), None));
/// assert_eq!(t.as_bytes(), [0x90, 0x00, 0x50]);
/// assert_eq!(t.unpack::<u8>(), [0, 0, 9, 0, 0, 5]);
/// ```
#[derive(Clone, Copy)]
pub struct Packed<E, B, L> {
    bytes: B,
    layout: L,
    /// The element that offsets are counted from.
    first: usize,
    element: PhantomData<E>,
}

/// The bytes that `elements` elements take.
fn bytes_of<E: Element>(elements: usize) -> Result<usize, PackedError> {
    match elements.checked_mul(E::BITS).filter(|&bits| bits <= isize::MAX as usize) {
        Some(bits) => Ok(bits.div_ceil(8)),
        None => Err(PackedError::Overflow { bits: E::BITS }),
    }
}

/// The end of a layout that begins at element `first`, in elements and in bytes.
fn reach<E: Element>(
    layout: &impl Addressable,
    first: usize,
) -> Result<(usize, usize), PackedError> {
    let overflow = PackedError::Overflow { bits: E::BITS };
    let elements = match layout.reach() {
        None => return Err(overflow),
        Some(0) => 0,
        Some(reach) => reach.checked_add(first).ok_or(overflow)?,
    };
    Ok((elements, bytes_of::<E>(elements)?))
}

#[cfg(feature = "alloc")]
impl<E: Element, L: Addressable> Packed<E, Vec<u8>, L> {
    /// A tensor of zero bits on bytes of its own.
    ///
    /// # Panics
    /// If the layout reaches more elements than can be counted.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_bits::{E2m3, Packed};
    /// assert_eq!(Packed::<E2m3, _, _>::zeroed(layout!((3, 2):(1, 4))).as_bytes(), [0; 6]); // 7 elements of 6 bits
    /// ```
    #[track_caller]
    pub fn zeroed<M: IntoMemory<InMemory = L>>(layout: M) -> Self {
        let made = layout.in_memory().map_err(PackedError::from).and_then(|layout| {
            let (_, bytes) = reach::<E>(&layout, 0)?;
            Ok(Packed { bytes: alloc::vec![0; bytes], layout, first: 0, element: PhantomData })
        });
        made.unwrap_or_else(|error| panic!("{error}"))
    }
}

impl<E: Element, B: Bytes, L: Addressable> Packed<E, B, L> {
    /// The tensor on these bytes, of which there may be more than the layout needs.
    ///
    /// # Errors
    /// If there are fewer, or the layout reaches more elements than can be counted.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_bits::{Packed, S4};
    /// let t = Packed::<S4, _, _>::from_bytes([0x21, 0xf3], "(2,2):(2,1)".parse::<DynLayout>()?)?;
    /// assert_eq!(t.iter().map(i8::from).collect::<Vec<_>>(), [1, 3, 2, -1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_bytes<M: IntoMemory<InMemory = L>>(
        bytes: B,
        layout: M,
    ) -> Result<Self, PackedError> {
        Self::at_element(bytes, layout.in_memory()?, 0)
    }

    fn at_element(bytes: B, layout: L, first: usize) -> Result<Self, PackedError> {
        let ((elements, needed), given) = (reach::<E>(&layout, first)?, bytes.length());
        match given < needed {
            true => Err(PackedError::Length { elements, bits: E::BITS, needed, given }),
            false => Ok(Packed { bytes, layout, first, element: PhantomData }),
        }
    }

    /// The layout.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_bits::{Packed, U1};
    /// assert_eq!(Packed::<U1, _, _>::zeroed(layout!((4, 6))).layout().size(), 24);
    /// ```
    #[inline(always)]
    pub fn layout(&self) -> &L {
        &self.layout
    }

    /// The element at a coordinate, or `None` if the coordinate lies outside of the shape.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_bits::{Packed, U2};
    /// let t = Packed::<U2, _, _>::from_bytes([0b11_10_01_00], layout!((2, 2)))?;
    /// assert_eq!((t.get((1, 0)), t.get(3), t.get((0, 2))), (Some(U2::new(1)), Some(U2::new(3)), None));
    /// # Ok::<(), layout_bits::PackedError>(())
    /// ```
    #[inline(always)]
    pub fn get<C: CoordinateIn<L>>(&self, coordinate: C) -> Option<E> {
        let inside = coordinate.within(&self.layout);
        inside.then(|| bytes::read(&self.bytes, self.first + coordinate.offset_in(&self.layout)))
    }

    /// Makes `x` the element at a coordinate.
    ///
    /// # Panics
    /// If the coordinate lies outside of the shape.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_bits::{E3m2, Packed};
    /// let mut t = Packed::<E3m2, _, _>::zeroed(layout!(4));
    /// t.set(1, E3m2::new(-28.0));
    /// assert_eq!(t.as_bytes(), [0b11_000000, 0b0000_1111, 0]); // 6 bits in two bytes
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn set<C: CoordinateIn<L>>(&mut self, coordinate: C, x: E)
    where
        B: BytesMut,
    {
        if !coordinate.within(&self.layout) {
            outside(&self.layout)
        }
        bytes::write(&mut self.bytes, self.first + coordinate.offset_in(&self.layout), x);
    }

    /// All elements, the leftmost mode fastest.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_bits::{Packed, U4};
    /// let t = Packed::<U4, _, _>::from_bytes([0x21, 0x43], layout!((2, 2): right))?;
    /// assert_eq!(t.iter().map(u8::from).collect::<Vec<_>>(), [1, 3, 2, 4]);
    /// # Ok::<(), layout_bits::PackedError>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = E> + '_ {
        self.layout.coords().map(|c| bytes::read(&self.bytes, self.first + self.layout.locate(c)))
    }

    /// All elements as numbers of another type, the leftmost mode fastest.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_bits::{E2m1, Packed};
    /// let t = Packed::<E2m1, _, _>::from_bytes([0xf7], layout!(2))?;
    /// assert_eq!(t.unpack::<f32>(), [6.0, -6.0]);
    /// # Ok::<(), layout_bits::PackedError>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn unpack<T: From<E>>(&self) -> Vec<T> {
        let mut unpacked = Vec::with_capacity(self.layout.size());
        self.layout.coords().for_each(|c| {
            unpacked.push(bytes::read::<E>(&self.bytes, self.first + self.layout.locate(c)).into());
        });
        unpacked
    }

    /// Makes all elements `x`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_bits::{Packed, U1};
    /// let mut t = Packed::<U1, _, _>::zeroed(layout!((3, 2):(1, 4)));
    /// t.fill(U1::MAX);
    /// assert_eq!(t.as_bytes(), [0b0111_0111]); // the gap is no element
    /// ```
    pub fn fill(&mut self, x: E)
    where
        B: BytesMut,
    {
        let Packed { bytes, layout, first, .. } = self;
        layout.coords().for_each(|c| bytes::write(bytes, *first + layout.locate(c), x));
    }

    /// Copies every element of a tensor of the same shape.
    ///
    /// # Errors
    /// If the shapes differ.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_bits::{Packed, U4};
    /// let rows = Packed::<U4, _, _>::from_bytes([0x21, 0x43], layout!((2, 2): right))?;
    /// let mut columns = Packed::<U4, _, _>::zeroed(layout!((2, 2)));
    /// columns.copy_from(&rows)?;
    /// assert_eq!(columns.as_bytes(), [0x31, 0x42]);
    /// # Ok::<(), layout_bits::PackedError>(())
    /// ```
    pub fn copy_from<S: Bytes, M>(&mut self, source: &Packed<E, S, M>) -> Result<(), PackedError>
    where
        B: BytesMut,
        M: Addressable<Coordinate = L::Coordinate>,
    {
        if self.layout.extents() != source.layout.extents() {
            let error = LayoutError::new("copy_from", Fault::Shapes);
            return Err(error.with_operands(&self.layout, &source.layout).into());
        }
        let Packed { bytes, layout, first, .. } = self;
        layout.coords().for_each(|c| {
            let x: E = bytes::read(&source.bytes, source.first + source.layout.locate(c.clone()));
            bytes::write(bytes, *first + layout.locate(c), x);
        });
        Ok(())
    }

    /// Copies a matrix so that its first element lands at `at`, clipped to this tensor. Modes may
    /// be nested: each mode is indexed by one number.
    ///
    /// `self[(at.0 + i, at.1 + j)] == source[(i, j)]` afterwards, for all `(i, j)` for which both
    /// exist
    ///
    /// # Panics
    /// If a layout whose rank only run time knows has not two modes.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_bits::{Packed, U4};
    /// let glyph = Packed::<U4, _, _>::from_bytes([0x21, 0x43], layout!((2, 2): right))?;
    /// let mut t = Packed::<U4, _, _>::from_bytes([0; 4], layout!((2, (2, 2)):(1, (4, 2))))?;
    /// t.blit((1, 2), &glyph); // the second row lies below
    /// t.blit((-1, -1), &glyph); // and here only the last element is inside
    /// assert_eq!([0, 1].map(|i| [0, 1, 2, 3].map(|j| u8::from(t.get((i, j)).unwrap()))), [[4, 0, 0, 0], [0, 0, 1, 2]]);
    /// # Ok::<(), layout_bits::PackedError>(())
    /// ```
    pub fn blit<S: Bytes, M: Addressable>(&mut self, at: (isize, isize), source: &Packed<E, S, M>)
    where
        B: BytesMut,
        (usize, usize): CoordinateIn<L> + CoordinateIn<M>,
    {
        let inside = |mode: usize, first: isize| -> Range<usize> {
            let (extent, room) = (source.layout.mode_size(mode), self.layout.mode_size(mode));
            let before = first.min(0).unsigned_abs();
            let room = if first < 0 {
                room.saturating_add(before)
            } else {
                room.saturating_sub(first as usize)
            };
            before..extent.min(room)
        };
        let (rows, columns) = (inside(0, at.0), inside(1, at.1));
        for j in columns {
            for i in rows.clone() {
                let Some(x) = source.get((i, j)) else { outside(&source.layout) };
                self.set((i.wrapping_add_signed(at.0), j.wrapping_add_signed(at.1)), x);
            }
        }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn outside(layout: &dyn fmt::Display) -> ! {
    panic!("the coordinate lies outside of {layout:#}")
}

/// # Views
impl<E: Element, B: AsRef<[u8]>, L: Addressable> Packed<E, B, L> {
    /// All bytes.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_bits::{Packed, U2};
    /// assert_eq!(Packed::<U2, _, _>::zeroed(layout!(5)).as_bytes(), [0, 0]);
    /// ```
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.as_ref()
    }

    /// The bytes, taken out of the tensor. A mutable tile does not give away its bytes, which
    /// belong to all tiles:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_bits::{Packed, U1};
    /// assert_eq!(Packed::<U1, _, _>::zeroed(layout!(9)).into_storage(), vec![0, 0]);
    /// ```
    ///
    /// ```compile_fail,E0599
    /// use layout_algebra::prelude::*;
    /// use layout_bits::{Packed, U4};
    /// let mut t = Packed::<U4, _, _>::zeroed(layout!((4, 64)));
    /// t.tiles_mut(tiler!(2, 64)).next().unwrap().into_storage();
    /// ```
    pub fn into_storage(self) -> B {
        self.bytes
    }

    /// The elements whose coordinates have these numbers; `..` keeps a mode, a range a part of it.
    ///
    /// # Panics
    /// If a number or a range lies outside of the shape; [`try_slice`](Self::try_slice) returns the
    /// error.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_bits::{Packed, U4};
    /// let t = Packed::<U4, _, _>::from_bytes([0x10, 0x32, 0x54], layout!((2, 3): right))?;
    /// assert_eq!(t.slice((1, ..)).unpack::<u8>(), [3, 4, 5]); // begins in the middle of a byte
    /// # Ok::<(), layout_bits::PackedError>(())
    /// ```
    #[track_caller]
    pub fn slice<C: SliceIn<L>>(&self, coordinate: C) -> Packed<E, &[u8], C::Output> {
        self.try_slice(coordinate).unwrap_or_else(|error| panic!("{error}"))
    }

    /// [`slice`](Self::slice), with an error in place of a panic.
    ///
    /// # Errors
    /// If a number or a range lies outside of the shape.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_bits::{Packed, U4};
    /// assert!(Packed::<U4, _, _>::zeroed(layout!((2, 3))).try_slice((2, ..)).is_err());
    /// ```
    pub fn try_slice<C: SliceIn<L>>(
        &self,
        coordinate: C,
    ) -> Result<Packed<E, &[u8], C::Output>, PackedError> {
        let (layout, offset) = sliced(&self.layout, coordinate)?;
        Ok(Packed {
            bytes: self.as_bytes(),
            layout,
            first: self.first + offset,
            element: PhantomData,
        })
    }

    /// [`slice`](Self::slice), mutable.
    ///
    /// # Panics
    /// As [`slice`](Self::slice).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_bits::{Packed, U4};
    /// let mut t = Packed::<U4, _, _>::zeroed(layout!((2, 3): right));
    /// t.slice_mut((1, ..)).fill(U4::MAX);
    /// assert_eq!(t.as_bytes(), [0x00, 0xf0, 0xff]);
    /// ```
    #[track_caller]
    pub fn slice_mut<C: SliceIn<L>>(&mut self, coordinate: C) -> Packed<E, &mut [u8], C::Output>
    where
        B: AsMut<[u8]>,
    {
        let (layout, offset) =
            sliced(&self.layout, coordinate).unwrap_or_else(|error| panic!("{error}"));
        Packed {
            bytes: self.bytes.as_mut(),
            layout,
            first: self.first + offset,
            element: PhantomData,
        }
    }

    /// The elements with mode `I` counted backwards.
    ///
    /// `t.flip::<0>()[(i, j)] == t[(n - 1 - i, j)]` where mode 0 has `n` elements
    ///
    /// # Panics
    /// If a layout whose rank only run time knows has no mode `I`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_bits::{Packed, U4};
    /// let t = Packed::<U4, _, _>::from_bytes([0x10, 0x32, 0x54], layout!((2, 3): right))?;
    /// assert_eq!(t.flip::<1>().unpack::<u8>(), [2, 5, 1, 4, 0, 3]);
    /// # Ok::<(), layout_bits::PackedError>(())
    /// ```
    #[track_caller]
    pub fn flip<const I: usize>(&self) -> Packed<E, &[u8], L::InMemory>
    where
        L: FlipInMemory<I, InMemory: Addressable>,
    {
        Packed {
            bytes: self.as_bytes(),
            layout: flipped(&self.layout),
            first: self.first,
            element: PhantomData,
        }
    }

    /// [`flip`](Self::flip), mutable.
    ///
    /// # Panics
    /// As [`flip`](Self::flip).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_bits::{Packed, U4};
    /// let mut t = Packed::<U4, _, _>::zeroed(layout!((2, 3): right));
    /// t.flip_mut::<1>().set((0, 0), U4::MAX);
    /// assert_eq!(t.as_bytes(), [0x00, 0x0f, 0x00]);
    /// ```
    #[track_caller]
    pub fn flip_mut<const I: usize>(&mut self) -> Packed<E, &mut [u8], L::InMemory>
    where
        B: AsMut<[u8]>,
        L: FlipInMemory<I, InMemory: Addressable>,
    {
        let layout = flipped(&self.layout);
        Packed { bytes: self.bytes.as_mut(), layout, first: self.first, element: PhantomData }
    }

    /// The same bytes as elements of another size: larger, smaller, or bytes. The layout is upcast
    /// or downcast with them. CuTe's `recast<F>(tensor)`.
    ///
    /// # Errors
    /// Those of the layout's own [`recast`](LayoutAlgebra::recast), and if a slice does not begin
    /// with an element of the new size or ends within one.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_bits::{Packed, U1, U4};
    /// let t = Packed::<U4, _, _>::from_bytes([0x21, 0x43], layout!((2, 2):(1, 2)))?;
    /// assert_eq!(t.recast::<u8>()?.unpack::<u8>(), [0x21, 0x43]);
    /// let bits = t.recast::<U1>()?;
    /// assert_eq!(bits.layout().to_string(), "(_8,_2):(_1,_8)");
    /// assert_eq!(bits.slice((.., 0)).unpack::<u8>(), [1, 0, 0, 0, 0, 1, 0, 0]);
    /// # Ok::<(), layout_bits::PackedError>(())
    /// ```
    #[allow(clippy::type_complexity, reason = "a tensor or an error")]
    pub fn recast<F>(
        &self,
    ) -> Result<Packed<F, &[u8], Recasted<L, (E::Bits, F::Bits)>>, PackedError>
    where
        E: BitSize,
        F: BitSize,
        L: Recast<(E::Bits, F::Bits), Output: Addressable>,
    {
        let layout = self.layout.clone().try_recast(Default::default())?;
        Packed::at_element(self.as_bytes(), layout, begin::<E, F>(self.first)?)
    }

    /// [`recast`](Self::recast), mutable.
    ///
    /// # Errors
    /// As [`recast`](Self::recast).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_bits::{Packed, U4};
    /// let mut t = Packed::<U4, _, _>::zeroed(layout!(6));
    /// t.recast_mut::<u8>()?.set(2, 0xab);
    /// assert_eq!(t.unpack::<u8>(), [0, 0, 0, 0, 0xb, 0xa]);
    /// # Ok::<(), layout_bits::PackedError>(())
    /// ```
    #[allow(clippy::type_complexity, reason = "a tensor or an error")]
    pub fn recast_mut<F>(
        &mut self,
    ) -> Result<Packed<F, &mut [u8], Recasted<L, (E::Bits, F::Bits)>>, PackedError>
    where
        E: BitSize,
        F: BitSize,
        B: AsMut<[u8]>,
        L: Recast<(E::Bits, F::Bits), Output: Addressable>,
    {
        let layout = self.layout.clone().try_recast(Default::default())?;
        Packed::at_element(self.bytes.as_mut(), layout, begin::<E, F>(self.first)?)
    }
}

fn sliced<L: Addressable, C: SliceIn<L>>(
    layout: &L,
    coordinate: C,
) -> Result<(C::Output, usize), PackedError> {
    match coordinate.misfit(layout) {
        None => Ok(coordinate.slice_in(layout.clone())),
        Some(fault) => Err(LayoutError::new("slice", fault).with_operand(layout).into()),
    }
}

#[track_caller]
fn flipped<L: Addressable + FlipInMemory<I>, const I: usize>(layout: &L) -> L::InMemory {
    let flipped = layout.clone().flipped_in_memory();
    flipped
        .unwrap_or_else(|fault| panic!("{}", LayoutError::new("flip", fault).with_operand(layout)))
}

fn begin<E: Element, F: Element>(first: usize) -> Result<usize, PackedError> {
    let bit = first * E::BITS;
    if bit.is_multiple_of(F::BITS) {
        Ok(bit / F::BITS)
    } else {
        Err(PackedError::Begin { bit, bits: F::BITS })
    }
}

/// The element's name, the layout, and the elements.
impl<E: Element, B: Bytes, L: Addressable> fmt::Debug for Packed<E, B, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:#} ", E::NAME, self.layout)?;
        f.debug_list().entries(self.iter()).finish()
    }
}
