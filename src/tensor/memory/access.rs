//! A tensor, and the way to its elements.
//!
//! ```text
//! tensor[c] = base[layout(c)]
//! ```
//!
//! The invariant that every unsafe block here rests on: a tensor's storage has accepted its layout,
//! so that every offset of the layout is an element which the tensor may reach. It is established
//! by [`Tensor::new`], [`Tensor::fixed`], [`Tensor::with_layout`] and [`Tensor::slice`], or promised
//! by the caller of an unsafe constructor; both fields are private to this folder, and neither
//! changes afterwards.

use core::fmt::Formatter;
use core::ops::{Index, IndexMut};

use crate::error::{Fault, LayoutError, fail};
use crate::pad::Written;
use crate::tensor::memory::{Addressable, Contiguous, CoordinateIn, Storage, StorageMut};

/// Elements under a layout: `tensor[c] = storage[layout(c)]`. CuTe's `Tensor`.
///
/// The ten methods of the first week:
///
/// | method | gives |
/// |---|---|
/// | [`Tensor::new(storage, layout)`](Tensor::new) | a tensor on a `Vec`, an array, a slice |
/// | [`Tensor::fixed(array, layout)`](Tensor::fixed) | a tensor of static size, checked by the build |
/// | `t[c]`, `t[c] = x` | the element at a coordinate: a number or a tuple |
/// | [`t.get(c)`](Tensor::get) | the element, or `None` outside of the shape |
/// | [`t.slice((i, ..))`](Tensor::slice) | a view: `i` fixes a mode, `..` keeps one, `a..b` keeps a part |
/// | [`t.tiles(tiler)`](Tensor::tiles) | all tiles as views, in order |
/// | [`t.tiles_mut(tiler)`](Tensor::tiles_mut) | all tiles as disjoint mutable views, also for threads |
/// | [`t.partition_tv(tiler, tv, i)`](Tensor::partition_tv) | the elements of thread `i`; |
/// | [`t.partitions_mut(tv)`](Tensor::partitions_mut) | those of all threads, as disjoint mutable views |
/// | [`t.copy_from(&u)`](Tensor::copy_from) | copies the elements of a tensor of the same shape |
/// | [`t.iter()`](Tensor::iter) | all elements, the leftmost mode fastest |
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
#[derive(Clone, Copy)]
#[must_use]
pub struct Tensor<S, L> {
    pub(super) storage: S,
    pub(super) layout: L,
}

/// # Reading and writing elements
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

    /// The storage.
    #[inline(always)]
    pub(in crate::tensor) const fn storage(&self) -> &S {
        &self.storage
    }

    /// The storage, to change elements and nothing else.
    #[inline(always)]
    pub(in crate::tensor) const fn storage_mut(&mut self) -> &mut S {
        &mut self.storage
    }

    /// A tensor on storage of any kind, unchecked: what a crate with a [`Storage`] of its own makes
    /// its tensors with.
    ///
    /// # Safety
    /// The storage accepts the layout, or every offset of the layout is one that this tensor may
    /// reach.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// // SAFETY: the layout reaches 4 elements, and the storage has them.
    /// let t = unsafe { Tensor::from_storage_unchecked([0, 1, 2, 3], layout!((2, 2))) };
    /// assert_eq!(t[(1, 1)], 3);
    /// ```
    #[inline(always)]
    pub const unsafe fn from_storage_unchecked(storage: S, layout: L) -> Self {
        Tensor { storage, layout }
    }
}

impl<S: Storage, L: Addressable> Tensor<S, L> {
    /// The shape.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(Tensor::fixed([0; 24], layout!((4, 6))).shape(), shape!((4, 6)));
    /// ```
    #[inline(always)]
    pub fn shape(&self) -> L::Shape {
        self.layout().shape()
    }

    /// The number of coordinates. CuTe's `size`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// // The gaps between columns are no elements.
    /// assert_eq!(Tensor::fixed([0; 54], layout!((4, 6):(1, 10))).size(), 24);
    /// ```
    #[inline(always)]
    pub fn size(&self) -> usize {
        self.layout().size()
    }

    /// The element at a coordinate, or `None` if the coordinate lies outside of the shape.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0, 1, 2, 3], layout!((2, 2):(2, 1)));
    /// assert_eq!((t.get((1, 0)), t.get((0, 2)), t.get(4)), (Some(&2), None, None));
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn get<C: CoordinateIn<L>>(&self, coordinate: C) -> Option<&S::Item> {
        if coordinate.within(&self.layout) {
            // SAFETY: the coordinate is within the layout, so its offset is one of the layout's.
            Some(unsafe { self.get_unchecked(coordinate) })
        } else {
            None
        }
    }

    /// The element at a coordinate to change, or `None` if the coordinate lies outside of the
    /// shape.
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
    #[must_use]
    pub fn get_mut<C: CoordinateIn<L>>(&mut self, coordinate: C) -> Option<&mut S::Item>
    where
        S: StorageMut,
    {
        if coordinate.within(&self.layout) {
            // SAFETY: the coordinate is within the layout, so its offset is one of the layout's.
            Some(unsafe { self.get_unchecked_mut(coordinate) })
        } else {
            None
        }
    }

    /// Requests the cache line of an element, so that the line arrives while something else is
    /// computed. Nothing is read; on a processor without such a hint nothing is done. CuTe's
    /// `prefetch`.
    ///
    /// # Panics
    /// If the coordinate lies outside of the shape.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::filled(layout!((64, 64)), 1.0);
    /// let mut sum = 0.0;
    /// for j in 0..64 {
    ///     if j < 63 {
    ///         t.prefetch((0, j + 1));
    ///     }
    ///     sum += t.slice((.., j)).iter().sum::<f64>();
    /// }
    /// assert_eq!(sum, 4096.0);
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn prefetch<C: CoordinateIn<L>>(&self, coordinate: C) {
        let element = &raw const self[coordinate];
        #[cfg(target_arch = "x86_64")]
        // SAFETY: every x86-64 has the instruction, which neither reads nor writes.
        unsafe {
            core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T1 }>(element.cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = element;
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

    /// All coordinates with their elements, the leftmost mode fastest.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([5, 6, 7, 8], layout!((2, 2):(2, 1)));
    /// assert_eq!(t.indexed().nth(1), Some(((1, 0), &7)));
    /// ```
    #[inline(always)]
    pub fn indexed(&self) -> core::iter::Zip<L::Coordinates, Elements<'_, S, L>> {
        self.layout().coords().zip(self.iter())
    }

    /// Calls `f` with every coordinate and its element, one after the other. So two coordinates of
    /// the layout may share an element.
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
        self.layout.coords().fold((), |(), coordinate| {
            let offset = self.layout.locate(coordinate.clone());
            // SAFETY: the coordinate is an item of `coords()`, so that its offset is one of the
            // layout's; and the reference is gone before the next one is made.
            f(coordinate, unsafe { &mut *base.add(offset) });
        });
    }

    /// The element at one of the layout's own coordinates.
    ///
    /// # Safety
    /// The coordinate is an item of `coords()`.
    #[inline(always)]
    unsafe fn located(&self, coordinate: L::Coordinate) -> &S::Item {
        // SAFETY: the coordinate's offset is one of the layout's (`Addressable`), which the storage
        // has accepted; the reference borrows the tensor.
        unsafe { &*self.storage.base().add(self.layout.locate(coordinate)) }
    }
}

impl<S: Contiguous, L: Addressable> Tensor<S, L> {
    /// The number of elements that the storage holds, also those that the layout skips.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0; 60], layout!((4, 6):(1, 10)));
    /// assert_eq!((t.size(), t.length()), (24, 60));
    /// ```
    #[inline(always)]
    pub fn length(&self) -> usize {
        self.storage().length()
    }
}

/// A panic that names the layout, and the coordinate too unless that costs the loops that have it:
/// a number that is used behind a loop keeps the compiler from taking the check out of it, where
/// the extents are known at run time only.
#[inline(always)]
#[track_caller]
fn out_of_bounds<L: Addressable, C: CoordinateIn<L>>(layout: &L, coordinate: C) -> ! {
    let is_free = const { cfg!(debug_assertions) || size_of::<L::Shape>() == 0 };
    outside(layout.clone(), if is_free { Some(coordinate) } else { None })
}

#[cold]
#[inline(never)]
#[track_caller]
fn outside<L: Addressable, C: CoordinateIn<L>>(layout: L, coordinate: Option<C>) -> ! {
    let fault = coordinate.and_then(|it| it.outside(&layout)).unwrap_or(Fault::Coordinate);
    let error = LayoutError::new("index", fault);
    match coordinate {
        Some(it) => fail(
            &error.with_operands(&layout, &Written(|f: &mut Formatter<'_>| it.write_coordinate(f))),
        ),
        None => fail(&error.with_operand(&layout)),
    }
}

/// # Panics
/// If the coordinate lies outside of the shape. The panic names the layout and the coordinate; with
/// extents of run time and without debug assertions the layout alone, so that loops over the
/// extents have no check.
impl<S: Storage, L: Addressable, C: CoordinateIn<L>> Index<C> for Tensor<S, L> {
    type Output = S::Item;
    #[inline(always)]
    #[track_caller]
    fn index(&self, coordinate: C) -> &S::Item {
        if !coordinate.within(&self.layout) {
            out_of_bounds(&self.layout, coordinate);
        }
        // SAFETY: the coordinate is within the layout.
        unsafe { self.get_unchecked(coordinate) }
    }
}
/// # Panics
/// If the coordinate lies outside of the shape.
impl<S: StorageMut, L: Addressable, C: CoordinateIn<L>> IndexMut<C> for Tensor<S, L> {
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, coordinate: C) -> &mut S::Item {
        if !coordinate.within(&self.layout) {
            out_of_bounds(&self.layout, coordinate);
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
/// assert_eq!(
///     (elements.next(), elements.next(), elements.size_hint()),
///     (Some(&0), Some(&3), (4, Some(4)))
/// );
/// ```
#[must_use]
pub struct Elements<'a, S, L: Addressable> {
    tensor: &'a Tensor<S, L>,
    coordinates: L::Coordinates,
}
impl<S, L: Addressable> core::fmt::Debug for Elements<'_, S, L> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Elements({:?})", self.tensor.layout)
    }
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
