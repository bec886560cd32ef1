//! Tiles: shared views, or mutable ones of which no two share a byte.
//!
//! ```text
//! tiles(t, T)[i] = the column i of zipped_divide(L, T)
//! bytes(tile i) and bytes(tile j) have nothing in common for i != j
//! ```

use core::marker::PhantomData;
use core::ops::RangeFull;

use layout_algebra::LayoutAlgebra;
use layout_algebra::operation::{ZippedDivide, ZippedDivision};
use layout_algebra::tensor::{Addressable, SliceIn};
#[cfg(feature = "alloc")]
use layout_algebra::{FlatLayout, Layout, StaticLayout};

use super::Packed;
#[cfg(feature = "alloc")]
use super::{Bytes, PackedError, TileBytes};
use crate::element::Element;

/// All tiles of a packed tensor under the divided layout `D`: what [`Packed::tiles`] returns.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_bits::{Packed, Tiles, U4};
/// type Divided = ZippedDivision<Layout!((2, 4)), Tiler!(2, 2)>;
/// fn count(tiles: Tiles<'_, U4, Divided>) -> usize {
///     tiles.len()
/// }
/// assert_eq!(count(Packed::<U4, _, _>::zeroed(layout!((2, 4))).tiles(tiler!(2, 2))), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Tiles<'a, E, D> {
    bytes: &'a [u8],
    tiles: Columns<E, D>,
}
/// All tiles of a packed tensor, mutable, under the divided layout `D`: what [`Packed::tiles_mut`]
/// returns.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_bits::{Packed, TilesMut, U4};
/// type Divided = ZippedDivision<Layout!((2, 4)), Tiler!(2, 2)>;
/// fn count(tiles: TilesMut<'_, U4, Divided>) -> usize {
///     tiles.len()
/// }
/// assert_eq!(count(Packed::<U4, _, _>::zeroed(layout!((2, 4))).tiles_mut(tiler!(2, 2))), 2);
/// ```
#[cfg(feature = "alloc")]
#[derive(Debug)]
pub struct TilesMut<'a, E, D> {
    bytes: TileBytes<'a>,
    tiles: Columns<E, D>,
}

/// The layout of a column.
type Column<D> = <(RangeFull, usize) as SliceIn<D>>::Output;

/// The remaining columns of a layout of two modes.
#[derive(Clone, Debug)]
struct Columns<E, D> {
    divided: D,
    first: usize,
    next: usize,
    count: usize,
    element: PhantomData<E>,
}
impl<E, D: Addressable> Columns<E, D>
where
    (RangeFull, usize): SliceIn<D>,
{
    fn new(divided: D, first: usize) -> Self {
        let count = divided.mode_size(1);
        Columns { divided, first, next: 0, count, element: PhantomData }
    }
    fn next<B>(&mut self, bytes: B) -> Option<Packed<E, B, Column<D>>> {
        let at = (self.next < self.count).then_some(self.next)?;
        self.next += 1;
        let (layout, offset) = (.., at).slice_in(self.divided.clone());
        Some(Packed { bytes, layout, first: self.first + offset, element: PhantomData })
    }
}

macro_rules! iterators {
    ($($name:ident $storage:ty, |$own:ident| $bytes:expr;)*) => { $(
        impl<'a, E: Element, D: Addressable> Iterator for $name<'a, E, D>
        where
            (RangeFull, usize): SliceIn<D>,
        {
            type Item = Packed<E, $storage, Column<D>>;
            fn next(&mut self) -> Option<Self::Item> {
                let $own = &*self;
                let bytes = $bytes;
                self.tiles.next(bytes)
            }
            fn size_hint(&self) -> (usize, Option<usize>) {
                let left = self.tiles.count - self.tiles.next;
                (left, Some(left))
            }
        }
        impl<E: Element, D: Addressable> ExactSizeIterator for $name<'_, E, D> where (RangeFull, usize): SliceIn<D> {}
    )* };
}
iterators! {
    Tiles &'a [u8], |own| own.bytes;
}
#[cfg(feature = "alloc")]
iterators! {
    TilesMut TileBytes<'a>, |own| TileBytes(own.bytes.0);
}

/// The most elements and bytes of a static layout that are checked at compile time; larger layouts
/// are checked at run time.
#[cfg(feature = "alloc")]
const MOST: usize = 1024;

/// Stops the build if two tiles of a static layout share a byte.
#[cfg(feature = "alloc")]
const fn assert_disjoint(divided: FlatLayout, bits: usize) {
    if divided.size() > MOST || divided.cosize() > MOST {
        return;
    }
    // For each byte, 1 plus the tile that has it; 0 for none.
    let mut owners = [0; MOST];
    let mut tile = 0;
    while tile < divided.values() {
        let mut element = 0;
        while element < divided.threads() {
            let first = divided.of_thread(element, tile) * bits;
            let (mut byte, last) = (first / 8, (first + bits - 1) / 8);
            while byte <= last {
                if owners[byte] != 0 && owners[byte] != tile + 1 {
                    panic!(
                        "cannot hand out mutable tiles at once: two of them have elements in one \
                         byte"
                    )
                }
                owners[byte] = tile + 1;
                byte += 1;
            }
            element += 1;
        }
        tile += 1;
    }
}

impl<E: Element, B: AsRef<[u8]>, L: Addressable> Packed<E, B, L> {
    /// All tiles as views, in order.
    ///
    /// # Panics
    /// If the layout has dynamic leaves and the tiler does not divide it.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_bits::{Packed, U4};
    /// let t = Packed::<U4, _, _>::from_bytes([0x10, 0x32, 0x54, 0x76], layout!((2, 4)))?;
    /// let second = t.tiles(tiler!(1, 4)).nth(1).unwrap();
    /// assert_eq!(second.unpack::<u8>(), [1, 3, 5, 7]);
    /// # Ok::<(), layout_bits::PackedError>(())
    /// ```
    #[track_caller]
    pub fn tiles<T>(&self, tiler: T) -> Tiles<'_, E, ZippedDivision<L, T>>
    where
        L: ZippedDivide<T, Output: Addressable>,
        (RangeFull, usize): SliceIn<ZippedDivision<L, T>>,
    {
        let divided =
            self.layout.clone().try_zipped_divide(tiler).unwrap_or_else(|error| panic!("{error}"));
        Tiles { bytes: self.bytes.as_ref(), tiles: Columns::new(divided, self.first) }
    }

    /// All tiles of a static layout, mutable and at once, also for threads: no two of them share a
    /// byte.
    ///
    /// # Panics
    /// If two tiles share a byte, and the tensor is a slice that begins within a byte or has more
    /// than 1024 elements: these are checked at run time. Smaller tensors are checked at compile
    /// time:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_bits::{Packed, U4};
    /// let mut t = Packed::<U4, _, _>::zeroed(layout!((4, 4)));
    /// for (i, mut tile) in t.tiles_mut(tiler!(2, 4)).enumerate() {
    ///     tile.fill(U4::new(i as u8 + 1));
    /// }
    /// assert_eq!(t.as_bytes(), [0x11, 0x22, 0x11, 0x22, 0x11, 0x22, 0x11, 0x22]);
    /// ```
    ///
    /// ```compile_fail,E0080
    /// use layout_algebra::prelude::*;
    /// use layout_bits::{Packed, U4};
    /// let mut t = Packed::<U4, _, _>::zeroed(layout!((4, 4)));
    /// t.tiles_mut(tiler!(1, 4)); // rows 0 and 1 share every second byte
    /// ```
    #[cfg(feature = "alloc")]
    #[track_caller]
    pub fn tiles_mut<T>(&mut self, tiler: T) -> TilesMut<'_, E, ZippedDivision<L, T>>
    where
        B: AsMut<[u8]>,
        L: ZippedDivide<T, Output: Addressable + StaticLayout>,
        (RangeFull, usize): SliceIn<ZippedDivision<L, T>>,
    {
        const { assert_disjoint(FlatLayout::of_type::<ZippedDivision<L, T>>(), E::BITS) };
        self.try_tiles_mut(tiler).unwrap_or_else(|error| panic!("{error}"))
    }

    /// [`tiles_mut`](Self::tiles_mut) for any layout.
    ///
    /// # Errors
    /// If two tiles share a byte: the error names an element of each. And if the tiler does not
    /// divide the layout.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_bits::{Packed, U4};
    /// let mut t = Packed::<U4, _, _>::zeroed("(3,4):(1,3)".parse::<DynLayout>()?);
    /// let tiler: DynTiler = "<_,2>".parse()?;
    /// assert_eq!(t.try_tiles_mut(&tiler)?.len(), 2); // 6 elements each, 3 bytes
    /// let tiler: DynTiler = "<_,1>".parse()?;
    /// assert_eq!(
    ///     t.try_tiles_mut(&tiler).unwrap_err().to_string(),
    ///     "tiles 0 and 1 share byte 1: there lie the elements of 4 bits at the offsets 2 and 3"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn try_tiles_mut<T>(
        &mut self,
        tiler: T,
    ) -> Result<TilesMut<'_, E, ZippedDivision<L, T>>, PackedError>
    where
        B: AsMut<[u8]>,
        L: ZippedDivide<T, Output: Addressable>,
        (RangeFull, usize): SliceIn<ZippedDivision<L, T>>,
    {
        let divided = self.layout.clone().try_zipped_divide(tiler)?;
        let ((elements, needed), given) =
            (super::reach::<E>(&divided, self.first)?, self.bytes.length());
        if given < needed {
            return Err(PackedError::Length { elements, bits: E::BITS, needed, given });
        }
        check_disjoint::<E, _>(&divided, self.first, needed)?;
        Ok(TilesMut {
            bytes: TileBytes::new(self.bytes.as_mut()),
            tiles: Columns::new(divided, self.first),
        })
    }
}

/// Ok if no two columns share a byte, where offsets are counted from element `first`.
#[cfg(feature = "alloc")]
fn check_disjoint<E: Element, D: Addressable>(
    divided: &D,
    first: usize,
    bytes: usize,
) -> Result<(), PackedError>
where
    (RangeFull, usize): SliceIn<D>,
{
    // For each byte, 1 plus the tile that has it (0 for none), and the last element of that tile in
    // it.
    let mut there = alloc::vec![(0_usize, 0_usize); bytes];
    let mut columns = Columns::<E, D>::new(divided.clone(), first);
    while let Some(tile) = columns.next(()) {
        let number = columns.next - 1;
        for c in tile.layout.coords() {
            let element = tile.first + tile.layout.locate(c);
            let (first_byte, last_byte) =
                (element * E::BITS / 8, (element * E::BITS + E::BITS - 1) / 8);
            for (byte, (owner, other)) in
                there.iter_mut().enumerate().take(last_byte + 1).skip(first_byte)
            {
                if *owner != 0 && *owner != number + 1 {
                    let (tiles, elements) =
                        ([*owner - 1, number], [*other - first, element - first]);
                    return Err(PackedError::SharedByte { byte, tiles, elements, bits: E::BITS });
                }
                (*owner, *other) = (number + 1, element);
            }
        }
    }
    Ok(())
}
