//! Parts of a tensor as views: all of it, a slice, a slice under another layout.
//!
//! ```text
//! slice(t, (i, ..))[j] = t[(i, j)]             cut(t, L, c) = slice(relayout(t, L), c)
//! ```

use crate::error::{Fault, LayoutError};
use crate::tensor::storage::access::out_of_bounds;
use crate::tensor::storage::{Addressable, SliceIn, Storage, StorageMut, Tensor};

/// # Views and slices
impl<S: Storage, L: Addressable> Tensor<S, L> {
    /// A view of the whole tensor.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0, 1, 2, 3], layout!((2, 2)));
    /// let (a, b) = (t.view(), t.view());
    /// assert_eq!(a[3], b[(1, 1)]);
    /// ```
    #[inline(always)]
    pub fn view(&self) -> Tensor<S::View<'_>, L> {
        let span = self.layout.reach_at_hand();
        // SAFETY: the view has the layout of the tensor, which the storage has accepted (1); `reach_at_hand` is its
        // span, 0 if it is empty (2), and at hand if it is (3).
        Tensor { storage: unsafe { self.storage.view(0, span) }, layout: self.layout.clone() }
    }

    /// A mutable view of the whole tensor.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 4], layout!((2, 2)));
    /// t.view_mut()[2] = 9;
    /// assert_eq!(t[(0, 1)], 9);
    /// ```
    #[inline(always)]
    pub fn view_mut(&mut self) -> Tensor<S::ViewMut<'_>, L>
    where
        S: StorageMut,
    {
        let span = self.layout.reach_at_hand();
        // SAFETY: the view has the layout of the tensor, which the storage has accepted (1); `reach_at_hand` is its
        // span, 0 if it is empty (2), and at hand if it is (3).
        Tensor { storage: unsafe { self.storage.view_mut(0, span) }, layout: self.layout.clone() }
    }

    /// The elements at the coordinates that a coordinate with `..` leaves open, as a view. CuTe's `tensor(i, _)`.
    ///
    /// `t.slice((i, ..))[j] == t[(i, j)]`
    ///
    /// # Panics
    /// If a number lies outside of the shape; [`get_slice`](Tensor::get_slice) returns `None` then.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5], layout!((2, 3):(3, 1)));
    /// let row = t.slice((1, ..));
    /// assert_eq!((row[0], row[2], row.size()), (3, 5, 3));
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn slice<C: SliceIn<L>>(&self, coordinate: C) -> Tensor<S::View<'_>, C::Output> {
        match self.get_slice(coordinate) {
            Some(slice) => slice,
            None => out_of_bounds("slice", &self.layout),
        }
    }

    /// The elements at the coordinates that a coordinate with `..` leaves open, as a mutable view.
    ///
    /// # Panics
    /// If a number lies outside of the shape.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 6], layout!((2, 3):(3, 1)));
    /// t.slice_mut((1, ..)).fill(4);
    /// assert_eq!(t.into_storage(), [0, 0, 0, 4, 4, 4]);
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn slice_mut<C: SliceIn<L>>(&mut self, coordinate: C) -> Tensor<S::ViewMut<'_>, C::Output>
    where
        S: StorageMut,
    {
        if !coordinate.within(&self.layout) {
            out_of_bounds("slice", &self.layout);
        }
        // SAFETY: the coordinate is within the layout.
        unsafe { self.slice_unchecked_mut(coordinate) }
    }

    /// [`slice`](Tensor::slice), or `None` if a number lies outside of the shape.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5], layout!((2, 3):(3, 1)));
    /// assert!(t.get_slice((1, ..)).is_some() && t.get_slice((2, ..)).is_none());
    /// ```
    #[inline(always)]
    pub fn get_slice<C: SliceIn<L>>(&self, coordinate: C) -> Option<Tensor<S::View<'_>, C::Output>> {
        // SAFETY: the coordinate is within the layout.
        if coordinate.within(&self.layout) { Some(unsafe { self.slice_unchecked(coordinate) }) } else { None }
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

    /// A slice of what the tensor is under another layout: [`relayout`](Tensor::relayout) and
    /// [`slice`](Tensor::slice) in one.
    ///
    /// # Errors
    /// `bounds` if the layout reaches beyond the storage, or if a number of the coordinate lies outside of the shape.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5], layout!(6:1));
    /// assert_eq!(t.cut(layout!((3, 2)), (.., 1))?.iter().copied().collect::<Vec<_>>(), [3, 4, 5]);
    /// assert!(t.cut(layout!((3, 2)), (.., 2)).is_err() && t.cut(layout!((3, 3)), (.., 1)).is_err());
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline(always)]
    pub fn cut<M: Addressable, C: SliceIn<M>>(
        &self,
        layout: M,
        coordinate: C,
    ) -> Result<Tensor<S::View<'_>, C::Output>, LayoutError> {
        match self.storage.accepts(Some(&self.layout), &layout) {
            // SAFETY: the storage accepts the layout, and the coordinate is within it.
            Ok(()) if coordinate.within(&layout) => Ok(unsafe { self.cut_unchecked(layout, coordinate) }),
            Ok(()) => Err(LayoutError::new("slice", Fault::Coordinate).with_operand(&layout)),
            Err(fault) => Err(LayoutError::new("relayout", fault).with_operands(&self.layout, &layout)),
        }
    }

    /// [`cut`](Tensor::cut), mutable.
    ///
    /// # Errors
    /// Those of [`cut`](Tensor::cut).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 6], layout!(6:1));
    /// t.cut_mut(layout!((3, 2)), (.., 1))?.fill(4);
    /// assert_eq!(t.into_storage(), [0, 0, 0, 4, 4, 4]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline(always)]
    pub fn cut_mut<M: Addressable, C: SliceIn<M>>(
        &mut self,
        layout: M,
        coordinate: C,
    ) -> Result<Tensor<S::ViewMut<'_>, C::Output>, LayoutError>
    where
        S: StorageMut,
    {
        match self.storage.accepts(Some(&self.layout), &layout) {
            // SAFETY: the storage accepts the layout, and the coordinate is within it.
            Ok(()) if coordinate.within(&layout) => Ok(unsafe { self.cut_unchecked_mut(layout, coordinate) }),
            Ok(()) => Err(LayoutError::new("slice", Fault::Coordinate).with_operand(&layout)),
            Err(fault) => Err(LayoutError::new("relayout", fault).with_operands(&self.layout, &layout)),
        }
    }
}

/// The sliced layout, where it begins, and its span, if that takes no search. An empty slice begins at 0, wherever its
/// numbers point: its span is 0, and that takes no search. So (2) and (3) of what [`Storage::view`] asks for hold.
#[inline(always)]
pub(in crate::tensor) fn sliced<L: Addressable, C: SliceIn<L>>(
    layout: &L,
    coordinate: C,
) -> (C::Output, usize, Option<usize>) {
    let (layout, offset) = coordinate.slice_in(layout.clone());
    let span = layout.reach_at_hand();
    (layout, if span == Some(0) { 0 } else { offset }, span)
}
