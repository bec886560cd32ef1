//! Mutable iteration over the elements of a tensor, and tensors in `for` loops.

use core::fmt::{self, Debug, Formatter};
use core::marker::PhantomData;

use crate::error::LayoutError;
use crate::tensor::memory::{Addressable, Elements, Storage, StorageMut, Tensor};
use crate::tensor::parts::numbered::assert_disjoint;

/// Mutable references to the elements of a tensor: what [`Tensor::iter_mut`] returns.
///
/// ```
/// use layout_algebra::prelude::*;
/// let mut t = Tensor::fixed([0; 4], layout!((2, 2): right));
/// let mut elements = t.iter_mut();
/// if let (Some(a), Some(b)) = (elements.next(), elements.next()) {
///     (*a, *b) = (1, 2); // both at once: no two coordinates share an element
/// }
/// assert_eq!(t.into_storage(), [1, 0, 2, 0]);
/// ```
#[must_use]
pub struct ElementsMut<'a, T, L: Addressable> {
    base: *mut T,
    layout: L,
    coordinates: L::Coordinates,
    marker: PhantomData<&'a mut T>,
}
// SAFETY: it is as good as `&'a mut T` for each element that is left.
unsafe impl<T: Send, L: Addressable<Coordinates: Send> + Send> Send for ElementsMut<'_, T, L> {}
// SAFETY: a shared one gives no access to elements.
unsafe impl<T: Sync, L: Addressable<Coordinates: Sync> + Sync> Sync for ElementsMut<'_, T, L> {}

impl<T, L: Addressable> Debug for ElementsMut<'_, T, L> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "ElementsMut({:?})", self.layout)
    }
}
impl<'a, T, L: Addressable> Iterator for ElementsMut<'a, T, L> {
    type Item = &'a mut T;
    #[inline(always)]
    fn next(&mut self) -> Option<&'a mut T> {
        let offset = self.layout.locate(self.coordinates.next()?);
        // SAFETY: the coordinate is an item of `coords()`, so that its offset is one of the
        // layout's, under which the storage is borrowed mutably for `'a`. The items of `coords()`
        // differ (`Addressable`), and `iter_mut` has found the layout to be injective: no other
        // item of this iterator is a reference to the same element.
        Some(unsafe { &mut *self.base.add(offset) })
    }
    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.coordinates.size_hint()
    }
    /// Loops within loops, as [`Coordinates`](crate::Coordinates) has them.
    #[inline(always)]
    fn fold<B, F: FnMut(B, &'a mut T) -> B>(self, init: B, mut fold: F) -> B {
        let ElementsMut { base, layout, coordinates, .. } = self;
        coordinates.fold(init, |sum, coordinate| {
            // SAFETY: as in `next`.
            fold(sum, unsafe { &mut *base.add(layout.locate(coordinate)) })
        })
    }
}

/// # Reading and writing elements
impl<S: StorageMut, L: Addressable> Tensor<S, L> {
    /// Mutable references to all elements, in the order of the coordinates: the leftmost mode
    /// fastest.
    ///
    /// # Panics
    /// If two coordinates of the layout share an element, as in one with stride 0; a static layout
    /// like that stops the build. [`for_each_mut`](Tensor::for_each_mut) takes any layout.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 6], layout!((2, 3): right));
    /// t.iter_mut().enumerate().for_each(|(i, x)| *x = i);
    /// for x in &mut t {
    ///     *x *= 10;
    /// }
    /// assert_eq!(t.into_storage(), [0, 20, 40, 10, 30, 50]);
    /// ```
    ///
    /// ```should_panic
    /// use layout_algebra::prelude::*;
    /// let broadcast = 0;
    /// let mut t = Tensor::new(vec![0; 6], layout!((4, 6):(broadcast, 1))).unwrap();
    /// t.iter_mut(); // the mode 4:0 overlaps the 1 offsets that the modes below it span
    /// ```
    #[inline]
    #[track_caller]
    pub fn iter_mut(&mut self) -> ElementsMut<'_, S::Item, L> {
        const { assert_disjoint(L::MODES) };
        if L::MODES.is_none() {
            if let Err(fault) = self.layout().modes().injective() {
                panic!("{}", LayoutError::new("iter_mut", fault).with_operand(self.layout()));
            }
        }
        let (layout, coordinates) = (self.layout().clone(), self.layout().coords());
        let base = self.storage_mut().base_mut();
        ElementsMut { base, layout, coordinates, marker: PhantomData }
    }
}

impl<'a, S: Storage, L: Addressable> IntoIterator for &'a Tensor<S, L> {
    type Item = &'a S::Item;
    type IntoIter = Elements<'a, S, L>;
    #[inline(always)]
    fn into_iter(self) -> Elements<'a, S, L> {
        self.iter()
    }
}
/// # Panics
/// As [`Tensor::iter_mut`].
impl<'a, S: StorageMut, L: Addressable> IntoIterator for &'a mut Tensor<S, L> {
    type Item = &'a mut S::Item;
    type IntoIter = ElementsMut<'a, S::Item, L>;
    #[inline]
    #[track_caller]
    fn into_iter(self) -> ElementsMut<'a, S::Item, L> {
        self.iter_mut()
    }
}
