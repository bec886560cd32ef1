//! Parts of a tensor as views: all of it, a slice, a slice under another layout.
//!
//! ```text
//! slice(t, (i, ..))[j] = t[(i, j)]             cut(t, L, c) = slice(relayout(t, L), c)
//! ```

use core::hint::unreachable_unchecked;

use crate::error::{Fault, LayoutError};
use crate::tensor::partition::{Inner, Outer, Partition, PartitionOf};
use crate::tensor::storage::access::out_of_bounds;
use crate::tensor::storage::{Addressable, SliceIn, Storage, StorageMut, Tensor};
use crate::tensor::threads::Threads;

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
        // SAFETY: the view has the layout of the tensor, which the storage has accepted (1); `reach_at_hand` is its span, 0 if it is empty (2), and
        // at hand if it is (3).
        Tensor { storage: unsafe { self.storage.view(0, span) }, layout: self.layout.clone() }
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

    /// [`slice`](Tensor::slice), unchecked.
    ///
    /// # Safety
    /// Every number lies within the shape.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5], layout!((2, 3):(3, 1)));
    /// // SAFETY: there is a row 1.
    /// let row = unsafe { t.slice_unchecked((1, ..)) };
    /// assert_eq!((row[0], row[2]), (3, 5));
    /// ```
    #[inline(always)]
    pub unsafe fn slice_unchecked<C: SliceIn<L>>(&self, coordinate: C) -> Tensor<S::View<'_>, C::Output> {
        let (layout, offset, span) = sliced(&self.layout, coordinate);
        // SAFETY: the caller says that the coordinate is within the tensor's layout. So the slice's offsets, moved, are offsets of that layout
        // (`SliceIn`), which the storage has accepted (1); (2) and (3) are `sliced`'s.
        Tensor { storage: unsafe { self.storage.view(offset, span) }, layout }
    }

    /// A slice of what the tensor is under another layout: [`relayout`](Tensor::relayout) and [`slice`](Tensor::slice) in one.
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

    /// [`cut`](Tensor::cut), unchecked.
    ///
    /// # Safety
    /// Every offset of `layout` is an offset of the tensor's own layout, or of another one that its storage would accept; and every
    /// number of the coordinate lies within the shape.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5], layout!(6:1));
    /// // SAFETY: the layout has the offsets 0 to 5, as the tensor's own, and there is a column 1.
    /// let column = unsafe { t.cut_unchecked(layout!((3, 2)), (.., 1)) };
    /// assert_eq!((column[0], column[2]), (3, 5));
    /// ```
    #[inline(always)]
    pub unsafe fn cut_unchecked<M: Addressable, C: SliceIn<M>>(
        &self,
        layout: M,
        coordinate: C,
    ) -> Tensor<S::View<'_>, C::Output> {
        let (layout, offset, span) = sliced(&layout, coordinate);
        // SAFETY: the caller says that the coordinate is within `layout`. So the slice's offsets, moved, are offsets of that layout (`SliceIn`), each
        // of which, as the caller says too, is an offset of one that the storage accepts (1); (2) and (3) are `sliced`'s.
        Tensor { storage: unsafe { self.storage.view(offset, span) }, layout }
    }
}

impl<S: Storage, L: Addressable> Tensor<S, L> {
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
        // SAFETY: the view has the layout of the tensor, which the storage has accepted (1); `reach_at_hand` is its span, 0 if it is empty (2), and
        // at hand if it is (3).
        Tensor { storage: unsafe { self.storage.view_mut(0, span) }, layout: self.layout.clone() }
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

    /// [`slice_mut`](Tensor::slice_mut), unchecked.
    ///
    /// # Safety
    /// Every number lies within the shape.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 6], layout!((2, 3):(3, 1)));
    /// // SAFETY: there is a column 2.
    /// unsafe { t.slice_unchecked_mut((.., 2)) }.fill(4);
    /// assert_eq!(t.into_storage(), [0, 0, 4, 0, 0, 4]);
    /// ```
    #[inline(always)]
    pub unsafe fn slice_unchecked_mut<C: SliceIn<L>>(&mut self, coordinate: C) -> Tensor<S::ViewMut<'_>, C::Output>
    where
        S: StorageMut,
    {
        let (layout, offset, span) = sliced(&self.layout, coordinate);
        // SAFETY: as in `slice_unchecked`.
        Tensor { storage: unsafe { self.storage.view_mut(offset, span) }, layout }
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

    /// [`cut_mut`](Tensor::cut_mut), unchecked.
    ///
    /// # Safety
    /// As [`cut_unchecked`](Tensor::cut_unchecked).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 6], layout!(6:1));
    /// // SAFETY: the layout has the offsets 0 to 5, as the tensor's own, and there is a row 2.
    /// unsafe { t.cut_unchecked_mut(layout!((3, 2)), (2, ..)) }.fill(4);
    /// assert_eq!(t.into_storage(), [0, 0, 4, 0, 0, 4]);
    /// ```
    #[inline(always)]
    pub unsafe fn cut_unchecked_mut<M: Addressable, C: SliceIn<M>>(
        &mut self,
        layout: M,
        coordinate: C,
    ) -> Tensor<S::ViewMut<'_>, C::Output>
    where
        S: StorageMut,
    {
        let (layout, offset, span) = sliced(&layout, coordinate);
        // SAFETY: as in `cut_unchecked`.
        Tensor { storage: unsafe { self.storage.view_mut(offset, span) }, layout }
    }
}

/// The sliced layout, where it begins, and its span, if that takes no search. An empty slice begins at 0, wherever its numbers point: its span is 0,
/// and that takes no search. So (2) and (3) of what [`Storage::view`] asks for hold.
#[inline(always)]
pub(super) fn sliced<L: Addressable, C: SliceIn<L>>(layout: &L, coordinate: C) -> (C::Output, usize, Option<usize>) {
    let (layout, offset) = coordinate.slice_in(layout.clone());
    let span = layout.reach_at_hand();
    (layout, if span == Some(0) { 0 } else { offset }, span)
}

/// The result of a division that the caller of an unsafe function has vouched for.
///
/// # Safety
/// It is not an error.
#[inline(always)]
unsafe fn vouched<T, E>(result: Result<T, E>) -> T {
    match result {
        Ok(value) => value,
        // SAFETY: the caller says that this is not an error.
        Err(_) => unsafe { unreachable_unchecked() },
    }
}

/// Without a check, and without a way to panic: for kernels.
impl<S: Storage, L: Addressable> Tensor<S, L> {
    /// [`local_tile`](Tensor::local_tile), unchecked.
    ///
    /// # Safety
    /// [`local_tile`](Tensor::local_tile) of this tensor returns `Ok`: the tiler divides the layout, and the coordinate is that of a tile.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5, 6, 7], layout!((2, 4)));
    /// // SAFETY: 2 divides 4, and there are tiles 0 and 1.
    /// let tile = unsafe { t.local_tile_unchecked(tiler!(2, 2), (0, 1)) };
    /// assert_eq!(tile[(1, 1)], 7);
    /// ```
    #[inline(always)]
    pub unsafe fn local_tile_unchecked<T, C>(
        &self,
        tiler: T,
        coordinate: C,
    ) -> Tensor<S::View<'_>, PartitionOf<L, T, Inner<C>>>
    where
        L: Partition<T, Inner<C>>,
    {
        // SAFETY: `local_tile` is this partition and this cut, checked.
        unsafe { self.partition_unchecked(tiler, Inner::new(coordinate)) }
    }

    /// [`local_partition`](Tensor::local_partition), unchecked.
    ///
    /// # Safety
    /// [`local_partition`](Tensor::local_partition) of this tensor returns `Ok`: the threads are a permutation of `0 .. size`, `thread` is one of them,
    /// and their shape divides the layout.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5, 6, 7], layout!((2, 4)));
    /// // SAFETY: 2 x 2 threads divide 2 x 4 elements, and 3 is one of them.
    /// let share = unsafe { t.local_partition_unchecked(layout!((2, 2)), 3) };
    /// assert_eq!(share.iter().copied().collect::<Vec<_>>(), [3, 7]);
    /// ```
    #[inline(always)]
    #[allow(clippy::type_complexity, reason = "a view under the layout of a partition")]
    pub unsafe fn local_partition_unchecked<H: Threads>(
        &self,
        threads: H,
        thread: usize,
    ) -> Tensor<S::View<'_>, PartitionOf<L, H::Tiler, Outer<H::Place>>>
    where
        L: Partition<H::Tiler, Outer<H::Place>>,
    {
        // SAFETY: `local_partition` of the same operands returns `Ok`, and gets there by the same two results, of which neither is an error, and a cut
        // that has compared the divided layout with the storage and found the thread's place within it.
        unsafe {
            let (tiler, place) = vouched(threads.stand(thread));
            let (divided, at) = vouched(self.layout.clone().partition(tiler, Outer::new(place)));
            self.cut_unchecked(divided, at)
        }
    }

    /// The share that a [`Partition`] gives, unchecked: what the unchecked partitions of tiled atoms are made of.
    ///
    /// # Safety
    /// The [`Partition`] succeeds, and [`cut`](Tensor::cut) by what it gives returns `Ok`: every offset of the divided layout is one that the storage
    /// accepts for this tensor, and the place lies within it.
    #[inline(always)]
    pub unsafe fn partition_unchecked<T, C>(&self, tiler: T, coordinate: C) -> Tensor<S::View<'_>, PartitionOf<L, T, C>>
    where
        L: Partition<T, C>,
    {
        // SAFETY: the caller says that this partition is no error, which is what `vouched` asks for; and that `cut` by its result returns `Ok`. `cut` does
        // so only if the storage accepts the divided layout, and the place is within it: the two things that `cut_unchecked` asks for.
        unsafe {
            let (divided, at) = vouched(self.layout.clone().partition(tiler, coordinate));
            self.cut_unchecked(divided, at)
        }
    }
}

impl<S: Storage, L: Addressable> Tensor<S, L> {
    /// [`partition_unchecked`](Tensor::partition_unchecked), mutable.
    ///
    /// # Safety
    /// As [`partition_unchecked`](Tensor::partition_unchecked).
    #[inline(always)]
    pub unsafe fn partition_unchecked_mut<T, C>(
        &mut self,
        tiler: T,
        coordinate: C,
    ) -> Tensor<S::ViewMut<'_>, PartitionOf<L, T, C>>
    where
        S: StorageMut,
        L: Partition<T, C>,
    {
        // SAFETY: as in `partition_unchecked`.
        unsafe {
            let (divided, at) = vouched(self.layout.clone().partition(tiler, coordinate));
            self.cut_unchecked_mut(divided, at)
        }
    }

    /// [`local_tile_mut`](Tensor::local_tile_mut), unchecked.
    ///
    /// # Safety
    /// As [`local_tile_unchecked`](Tensor::local_tile_unchecked).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 8], layout!((2, 4)));
    /// // SAFETY: 2 divides 4, and there are tiles 0 and 1.
    /// unsafe { t.local_tile_unchecked_mut(tiler!(2, 2), (0, 1)) }.fill(1);
    /// assert_eq!(t.into_storage(), [0, 0, 0, 0, 1, 1, 1, 1]);
    /// ```
    #[inline(always)]
    pub unsafe fn local_tile_unchecked_mut<T, C>(
        &mut self,
        tiler: T,
        coordinate: C,
    ) -> Tensor<S::ViewMut<'_>, PartitionOf<L, T, Inner<C>>>
    where
        S: StorageMut,
        L: Partition<T, Inner<C>>,
    {
        // SAFETY: `local_tile` is this partition and this cut, checked.
        unsafe { self.partition_unchecked_mut(tiler, Inner::new(coordinate)) }
    }
}
