//! A tensor, and the way to its elements.
//!
//! ```text
//! tensor[c] = base[layout(c)]
//! ```
//!
//! The invariant that every unsafe block here rests on: a tensor's storage has accepted its layout, so that every offset of the layout
//! is an element which the tensor may reach. It is established by [`Tensor::new`], [`Tensor::fixed`], [`Tensor::relayout`] and [`Tensor::slice`],
//! or promised by the caller of an unsafe constructor; both fields are private to this folder, and neither changes afterwards.

use core::ops::{Index, IndexMut};

use crate::error::{Fault, LayoutError};
use crate::tensor::room::Holds;
use crate::tensor::storage::{Addressable, Contiguous, CoordinateIn, Storage, StorageMut, Tile, TileMut};
use crate::tensor::text::Text;

/// Elements under a layout. CuTe's `Tensor`.
///
/// `tensor[c] == storage[layout.index(c)]`
///
/// ```
/// use layout_algebra::prelude::*;
/// let data = [0, 1, 2, 3, 4, 5];
/// let rows = Tensor::new(&data[..], layout!((2, 3):(3, 1)))?;
/// assert_eq!((rows[(1, 0)], rows[(1, 2)], rows[5]), (3, 5, 5));
/// assert_eq!(rows.get((2, 0)), None);
/// assert!(Tensor::new(&data[..5], layout!((2, 3):(3, 1))).is_err());
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Tensor<S, L> {
    pub(super) storage: S,
    pub(super) layout: L,
}

impl<S: Contiguous, L: Addressable> Tensor<S, L> {
    /// A tensor on storage that holds at least the layout's cosize. CuTe's `make_tensor`.
    ///
    /// # Errors
    /// `bounds` if the storage is too short, `overflow` if the layout reaches beyond `usize`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let error = Tensor::new([0; 23], layout!((4, 6):(1, 4))).unwrap_err();
    /// assert_eq!(error.kind().as_str(), "bounds");
    /// assert!(error.to_string().ends_with("the layout reaches 24 elements, and the storage holds 23"));
    /// ```
    #[inline(always)]
    pub fn new(storage: S, layout: L) -> Result<Self, LayoutError> {
        match storage.accepts(None::<&L>, &layout) {
            Ok(()) => Ok(Tensor { storage, layout }),
            Err(fault) => Err(LayoutError::new("tensor", fault).with_operand(&layout)),
        }
    }

    /// A tensor on storage of static length under a static layout, both compared by the types.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([7; 24], layout!((4, 6):(1, 4)));
    /// assert_eq!(t[(3, 5)], 7);
    /// ```
    ///
    /// ```compile_fail,E0277
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([7; 23], layout!((4, 6):(1, 4))); // the layout reaches 24 elements, and the storage holds 23
    /// ```
    #[inline(always)]
    pub fn fixed(storage: S, layout: L) -> Self
    where
        S: Holds<L>,
    {
        Tensor::fixed_when_built(storage, layout)
    }

    /// [`fixed`](Tensor::fixed), compared when the program is built: of some swizzled layouts the types do not know how far they reach.
    #[inline(always)]
    pub(in crate::tensor) fn fixed_when_built(storage: S, layout: L) -> Self {
        const {
            match (S::LENGTH, L::SPAN) {
                (Some(length), Some(span)) if span > length => {
                    let text = Text::new("the layout reaches ").number(span).text(" elements, and the storage holds ");
                    panic!("{}", text.number(length).as_str())
                }
                (Some(_), Some(_)) => {}
                (None, _) => panic!("the length of this storage is known only at run time: use `Tensor::new`"),
                (_, None) => panic!("the cosize of this layout is known only at run time: use `Tensor::new`"),
            }
        }
        Tensor { storage, layout }
    }
}

impl<'a, T, L: Addressable> Tensor<TileMut<'a, T>, L> {
    /// A tensor on memory that a pointer leads to.
    ///
    /// # Safety
    /// For `'a`, every element `base + offset` with an offset of the layout may be read and written, and no other path leads to it.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut data = [1, 2, 3, 4];
    /// // SAFETY: 3 elements lie behind the pointer, and `data` is not used meanwhile.
    /// let mut t = unsafe { Tensor::from_raw(data.as_mut_ptr(), layout!(2:2)) };
    /// t[1] = 7;
    /// assert_eq!(data, [1, 2, 7, 4]);
    /// ```
    #[inline(always)]
    pub unsafe fn from_raw(base: *mut T, layout: L) -> Self {
        // SAFETY: the caller's promise is that of `TileMut::new`.
        Tensor { storage: unsafe { TileMut::new(base) }, layout }
    }
}

impl<'a, T, L: Addressable> Tensor<Tile<'a, T>, L> {
    /// A tensor on memory that a pointer leads to, to read.
    ///
    /// # Safety
    /// For `'a`, every element `base + offset` with an offset of the layout may be read, and nobody writes it.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let data = [1, 2, 3, 4];
    /// // SAFETY: 4 elements lie behind the pointer, and nobody writes them.
    /// let t = unsafe { Tensor::from_raw_ref(data.as_ptr(), layout!((2, 2): right)) };
    /// assert_eq!(t[(0, 1)], 2);
    /// ```
    #[inline(always)]
    pub unsafe fn from_raw_ref(base: *const T, layout: L) -> Self {
        // SAFETY: the caller's promise is that of `Tile::new`.
        Tensor { storage: unsafe { Tile::new(base) }, layout }
    }
}

impl<S, L: Clone> Tensor<S, L> {
    /// The layout.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0; 24], layout!((4, 6): right));
    /// assert_eq!(*t.layout(), layout!((4, 6):(6, 1)));
    /// ```
    #[inline(always)]
    pub const fn layout(&self) -> &L {
        &self.layout
    }
    /// The storage.
    #[inline(always)]
    pub(in crate::tensor) const fn storage(&self) -> &S {
        &self.storage
    }
    /// The storage, to change elements and nothing else.
    #[cfg(feature = "bytemuck")]
    #[inline(always)]
    pub(in crate::tensor) const fn storage_mut(&mut self) -> &mut S {
        &mut self.storage
    }
    /// The storage, taken out of the tensor.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 4], layout!((2, 2): right));
    /// t[(0, 1)] = 7;
    /// assert_eq!(t.into_storage(), [0, 7, 0, 0]);
    /// ```
    #[inline(always)]
    pub fn into_storage(self) -> S {
        self.storage
    }
}

impl<S: Storage, L: Addressable> Tensor<S, L> {
    /// The element at a coordinate, or `None` if the coordinate lies outside of the shape.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0, 1, 2, 3], layout!((2, 2):(2, 1)));
    /// assert_eq!((t.get((1, 0)), t.get((0, 2)), t.get(4)), (Some(&2), None, None));
    /// ```
    #[inline(always)]
    pub fn get<C: CoordinateIn<L>>(&self, coordinate: C) -> Option<&S::Item> {
        // SAFETY: the coordinate is within the layout, so its offset is one of the layout's.
        if coordinate.within(&self.layout) { Some(unsafe { self.get_unchecked(coordinate) }) } else { None }
    }

    /// The element at a coordinate, unchecked.
    ///
    /// # Safety
    /// The coordinate lies within the shape.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0, 1, 2, 3], layout!((2, 2):(2, 1)));
    /// // SAFETY: both numbers are below 2.
    /// assert_eq!(unsafe { *t.get_unchecked((1, 0)) }, 2);
    /// ```
    #[inline(always)]
    pub unsafe fn get_unchecked<C: CoordinateIn<L>>(&self, coordinate: C) -> &S::Item {
        // SAFETY: the offset of a coordinate within the layout is an offset of the layout (`CoordinateIn`), and at those the storage may
        // be read while it is borrowed (`Storage`); the reference borrows it.
        unsafe { &*self.storage.base().add(coordinate.offset_in(&self.layout)) }
    }

    /// All elements, in the order of the coordinates: the leftmost mode fastest.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5], layout!((2, 3):(3, 1)));
    /// assert_eq!(t.iter().copied().collect::<Vec<_>>(), [0, 3, 1, 4, 2, 5]);
    /// ```
    #[inline(always)]
    pub fn iter(&self) -> Elements<'_, S, L> {
        Elements { tensor: self, coordinates: self.layout.coords() }
    }

    /// The element at one of the layout's own coordinates.
    ///
    /// # Safety
    /// The coordinate is an item of `coords()`.
    #[inline(always)]
    unsafe fn located(&self, coordinate: L::Coordinate) -> &S::Item {
        // SAFETY: the coordinate's offset is one of the layout's (`Addressable`), which the storage has accepted; the reference borrows the
        // tensor.
        unsafe { &*self.storage.base().add(self.layout.locate(coordinate)) }
    }

    /// The same storage under another layout.
    ///
    /// # Errors
    /// `bounds` if the layout reaches beyond the storage, or, for a tile, any element that is not the tile's.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let columns = Tensor::fixed([0, 1, 2, 3, 4, 5], layout!((2, 3)));
    /// let rows = columns.relayout(layout!((2, 3): right))?;
    /// assert_eq!(rows[(1, 0)], 3);
    /// assert!(rows.relayout(layout!((2, 4))).is_err());
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline(always)]
    pub fn relayout<M: Addressable>(self, layout: M) -> Result<Tensor<S, M>, LayoutError> {
        match self.storage.accepts(Some(&self.layout), &layout) {
            Ok(()) => Ok(Tensor { storage: self.storage, layout }),
            Err(fault) => Err(LayoutError::new("relayout", fault).with_operands(&self.layout, &layout)),
        }
    }

    /// [`relayout`](Tensor::relayout), unchecked.
    ///
    /// # Safety
    /// Every offset of `layout` is an offset of the tensor's own layout, or of another one that its storage would accept.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5], layout!((2, 3)));
    /// // SAFETY: both layouts have the offsets 0 to 5.
    /// let rows = unsafe { t.relayout_unchecked(layout!((2, 3): right)) };
    /// assert_eq!(rows[(1, 0)], 3);
    /// ```
    #[inline(always)]
    pub unsafe fn relayout_unchecked<M: Addressable>(self, layout: M) -> Tensor<S, M> {
        Tensor { storage: self.storage, layout }
    }
}

impl<S: Storage, L: Addressable> Tensor<S, L> {
    /// The element at a coordinate to change, or `None` if the coordinate lies outside of the shape.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 4], layout!((2, 2)));
    /// if let Some(element) = t.get_mut((1, 1)) {
    ///     *element = 5;
    /// }
    /// assert_eq!(t[3], 5);
    /// ```
    #[inline(always)]
    pub fn get_mut<C: CoordinateIn<L>>(&mut self, coordinate: C) -> Option<&mut S::Item>
    where
        S: StorageMut,
    {
        // SAFETY: the coordinate is within the layout, so its offset is one of the layout's.
        if coordinate.within(&self.layout) { Some(unsafe { self.get_unchecked_mut(coordinate) }) } else { None }
    }

    /// The element at a coordinate to change, unchecked.
    ///
    /// # Safety
    /// The coordinate lies within the shape.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 4], layout!((2, 2):(2, 1)));
    /// // SAFETY: both numbers are below 2.
    /// unsafe { *t.get_unchecked_mut((1, 0)) = 5 };
    /// assert_eq!(t.into_storage(), [0, 0, 5, 0]);
    /// ```
    #[inline(always)]
    pub unsafe fn get_unchecked_mut<C: CoordinateIn<L>>(&mut self, coordinate: C) -> &mut S::Item
    where
        S: StorageMut,
    {
        // SAFETY: as in `get_unchecked`; the storage is borrowed mutably, and no other path leads to the element (`StorageMut`).
        unsafe { &mut *self.storage.base_mut().add(coordinate.offset_in(&self.layout)) }
    }

    /// Calls `f` with every coordinate and its element, one after the other, so that a layout may lead to an element twice.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 6], layout!((2, 3):(3, 1)));
    /// t.for_each_mut(|(i, j), x| *x = 10 * i + j);
    /// assert_eq!(t.into_storage(), [0, 1, 2, 10, 11, 12]);
    /// ```
    #[inline(always)]
    pub fn for_each_mut(&mut self, mut f: impl FnMut(L::Coordinate, &mut S::Item))
    where
        S: StorageMut,
    {
        let base = self.storage.base_mut();
        self.layout.coords().for_each(|coordinate| {
            let offset = self.layout.locate(coordinate.clone());
            // SAFETY: the coordinate is an item of `coords()`, so that its offset is one of the layout's; and the reference is gone
            // before the next one is made.
            f(coordinate, unsafe { &mut *base.add(offset) });
        });
    }
}

#[cold]
#[inline(never)]
#[track_caller]
pub(super) fn out_of_bounds<L: Addressable>(operation: &'static str, layout: &L) -> ! {
    panic!("{}", LayoutError::new(operation, Fault::Coordinate).with_operand(layout))
}

/// # Panics
/// If the coordinate lies outside of the shape.
impl<S: Storage, L: Addressable, C: CoordinateIn<L>> Index<C> for Tensor<S, L> {
    type Output = S::Item;
    #[inline(always)]
    #[track_caller]
    fn index(&self, coordinate: C) -> &S::Item {
        match self.get(coordinate) {
            Some(element) => element,
            None => out_of_bounds("index", &self.layout),
        }
    }
}
/// # Panics
/// If the coordinate lies outside of the shape.
impl<S: StorageMut, L: Addressable, C: CoordinateIn<L>> IndexMut<C> for Tensor<S, L> {
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, coordinate: C) -> &mut S::Item {
        if !coordinate.within(&self.layout) {
            out_of_bounds("index", &self.layout);
        }
        // SAFETY: the coordinate is within the layout.
        unsafe { self.get_unchecked_mut(coordinate) }
    }
}

/// The elements of a tensor: what [`Tensor::iter`] returns.
///
/// ```
/// use layout_algebra::prelude::*;
/// let t = Tensor::fixed([0, 1, 2, 3, 4, 5], layout!((2, 3): right));
/// let mut elements = t.iter();
/// assert_eq!((elements.next(), elements.next(), elements.size_hint()), (Some(&0), Some(&3), (4, Some(4))));
/// ```
#[derive(Debug)]
pub struct Elements<'a, S, L: Addressable> {
    tensor: &'a Tensor<S, L>,
    coordinates: L::Coordinates,
}
impl<'a, S: Storage, L: Addressable> Iterator for Elements<'a, S, L> {
    type Item = &'a S::Item;
    #[inline(always)]
    fn next(&mut self) -> Option<&'a S::Item> {
        let coordinate = self.coordinates.next()?;
        // SAFETY: the coordinate is an item of `coords()`.
        Some(unsafe { self.tensor.located(coordinate) })
    }
    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.coordinates.size_hint()
    }
    /// Loops within loops, as [`Coordinates`](crate::Coordinates) has them.
    #[inline(always)]
    fn fold<B, F: FnMut(B, &'a S::Item) -> B>(self, init: B, mut fold: F) -> B {
        let Elements { tensor, coordinates } = self;
        // SAFETY: as in `next`.
        coordinates.fold(init, |sum, coordinate| fold(sum, unsafe { tensor.located(coordinate) }))
    }
}
