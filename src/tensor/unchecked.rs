//! Methods without checks and without a way to panic, for kernels.
//!
//! The caller promises what the method of the same name without `_unchecked` checks.

use core::hint::unreachable_unchecked;

use crate::algebra::operation::Gives;
use crate::error::LayoutError;
use crate::tensor::memory::{
    Addressable, CoordinateIn, SliceIn, Storage, StorageMut, Tensor, no_slice, sliced,
};
use crate::tensor::parts::partition::{Partition, PartitionOf};

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

/// # Unchecked
///
/// Without a check, and without a way to panic: for kernels.
impl<S: Storage, L: Addressable> Tensor<S, L> {
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
        // SAFETY: the offset of a coordinate within the layout is an offset of the layout
        // (`CoordinateIn`), and at those the storage may be read while it is borrowed (`Storage`);
        // the reference borrows it.
        unsafe { &*self.storage().base().add(coordinate.offset_in(self.layout())) }
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
        let offset = coordinate.offset_in(self.layout());
        // SAFETY: as in `get_unchecked`; the storage is borrowed mutably, and no other path leads
        // to the element (`StorageMut`).
        unsafe { &mut *self.storage_mut().base_mut().add(offset) }
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
    pub unsafe fn slice_unchecked<C: SliceIn<L>>(
        &self,
        coordinate: C,
    ) -> Tensor<S::View<'_>, C::Output> {
        let (layout, offset, span) = sliced(self.layout(), coordinate);
        // SAFETY: the caller says that the coordinate is within the tensor's layout. So the slice's
        // offsets, moved, are offsets of that layout (`SliceIn`), which the storage has accepted
        // (1); (2) and (3) are `sliced`'s.
        unsafe { Tensor::from_storage_unchecked(self.storage().view(offset, span), layout) }
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
    pub unsafe fn slice_unchecked_mut<C: SliceIn<L>>(
        &mut self,
        coordinate: C,
    ) -> Tensor<S::ViewMut<'_>, C::Output>
    where
        S: StorageMut,
    {
        let (layout, offset, span) = sliced(self.layout(), coordinate);
        // SAFETY: as in `slice_unchecked`.
        unsafe { Tensor::from_storage_unchecked(self.storage_mut().view_mut(offset, span), layout) }
    }

    /// [`with_layout`](Tensor::with_layout), unchecked.
    ///
    /// # Safety
    /// Every offset of `layout` is an offset of the tensor's own layout, or of another one
    /// that its storage would accept.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5], layout!((2, 3)));
    /// // SAFETY: both layouts have the offsets 0 to 5.
    /// let rows = unsafe { t.with_layout_unchecked(layout!((2, 3): right)) };
    /// assert_eq!(rows[(1, 0)], 3);
    /// ```
    #[inline(always)]
    pub unsafe fn with_layout_unchecked<M: Addressable>(self, layout: M) -> Tensor<S, M> {
        // SAFETY: the caller's promise.
        unsafe { Tensor::from_storage_unchecked(self.into_storage(), layout) }
    }

    /// [`cut`](Tensor::cut), unchecked.
    ///
    /// # Safety
    /// Every offset of `layout` is an offset of the tensor's own layout, or of another one that its
    /// storage would accept; and every number of the coordinate lies within the shape.
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
        // SAFETY: the caller says that the coordinate is within `layout`. So the slice's offsets,
        // moved, are offsets of that layout (`SliceIn`), each of which, as the caller says too, is
        // an offset of one that the storage accepts (1); (2) and (3) are `sliced`'s.
        unsafe { Tensor::from_storage_unchecked(self.storage().view(offset, span), layout) }
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
        unsafe { Tensor::from_storage_unchecked(self.storage_mut().view_mut(offset, span), layout) }
    }

    /// The tensor under the result of an operation. Whether that stays within this layout is
    /// checked at run time only if the types do not show it.
    #[inline(always)]
    pub(crate) fn under<Op, B: Gives<Op, L, Output: Addressable>>(
        self,
        right: B,
    ) -> Result<Tensor<S, B::Output>, LayoutError> {
        let layout = right.give(self.layout())?;
        if !B::STAYS.is_shown() {
            return self.with_layout(layout);
        }
        // SAFETY: each offset of the result is one of this layout, which the storage has accepted
        // (`Stays`).
        Ok(unsafe { self.with_layout_unchecked(layout) })
    }

    /// The slice that a [`Partition`] yields: tiles and partitions are made of it. Whether the
    /// divided layout stays within this one is checked at run time only if the types do not show
    /// it.
    #[inline(always)]
    #[allow(
        clippy::type_complexity,
        reason = "a view under the layout of a partition, or an error"
    )]
    pub(crate) fn part<T, C>(
        &self,
        tiler: T,
        coordinate: C,
    ) -> Result<Tensor<S::View<'_>, PartitionOf<L, T, C>>, LayoutError>
    where
        L: Partition<T, C>,
    {
        let (divided, at) = self.layout().clone().partition(tiler, coordinate)?;
        if !L::STAYS.is_shown() {
            return self.cut(divided, at);
        }
        if !SliceIn::within(&at, &divided) {
            return Err(no_slice(divided, at));
        }
        // SAFETY: each offset of the divided layout is one of this layout, which the storage has
        // accepted: this crate has said so (`Stays`), by the law of the operation. And the
        // coordinate is within.
        Ok(unsafe { self.cut_unchecked(divided, at) })
    }

    /// [`part`](Tensor::part), mutable.
    #[inline(always)]
    #[allow(
        clippy::type_complexity,
        reason = "a view under the layout of a partition, or an error"
    )]
    pub(crate) fn part_mut<T, C>(
        &mut self,
        tiler: T,
        coordinate: C,
    ) -> Result<Tensor<S::ViewMut<'_>, PartitionOf<L, T, C>>, LayoutError>
    where
        S: StorageMut,
        L: Partition<T, C>,
    {
        let (divided, at) = self.layout().clone().partition(tiler, coordinate)?;
        if !L::STAYS.is_shown() {
            return self.cut_mut(divided, at);
        }
        if !SliceIn::within(&at, &divided) {
            return Err(no_slice(divided, at));
        }
        // SAFETY: as in `part`.
        Ok(unsafe { self.cut_unchecked_mut(divided, at) })
    }

    /// The slice that a [`Partition`] yields, unchecked: the unchecked partitions of tiled atoms
    /// are made of it.
    ///
    /// # Safety
    /// The [`Partition`] succeeds, and [`cut`](Tensor::cut) by what it gives returns `Ok`: every
    /// offset of the divided layout is one that the storage accepts for this tensor, and the place
    /// lies within it.
    #[inline(always)]
    pub(crate) unsafe fn partition_unchecked<T, C>(
        &self,
        tiler: T,
        coordinate: C,
    ) -> Tensor<S::View<'_>, PartitionOf<L, T, C>>
    where
        L: Partition<T, C>,
    {
        // SAFETY: the caller says that this partition is no error, which is what `vouched` asks
        // for; and that `cut` by its result returns `Ok`. `cut` does so only if the storage accepts
        // the divided layout, and the place is within it: the two things that `cut_unchecked` asks
        // for.
        unsafe {
            let (divided, at) = vouched(self.layout().clone().partition(tiler, coordinate));
            self.cut_unchecked(divided, at)
        }
    }

    /// [`partition_unchecked`](Tensor::partition_unchecked), mutable.
    ///
    /// # Safety
    /// As [`partition_unchecked`](Tensor::partition_unchecked).
    #[inline(always)]
    pub(crate) unsafe fn partition_unchecked_mut<T, C>(
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
            let (divided, at) = vouched(self.layout().clone().partition(tiler, coordinate));
            self.cut_unchecked_mut(divided, at)
        }
    }
}
