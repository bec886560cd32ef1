//! Parts of a tensor as views: all of it, a slice, a slice under another layout.
//!
//! ```text
//! slice(t, (i, ..))[j] = t[(i, j)]             slice(t, (i, a..b))[j] = t[(i, a + j)]
//! window(t, o, S)[c] = t[o + c]                cut(t, L, c) = slice(with_layout(t, L), c)
//! ```

use core::hint::assert_unchecked;
use core::slice::{from_raw_parts, from_raw_parts_mut};

use crate::error::{Fault, LayoutError, expect};
#[cfg(not(target_arch = "nvptx64"))]
use crate::tensor::memory::Tile;
use crate::tensor::memory::{
    Addressable, IntoMemory, SliceIn, Storage, StorageMut, Tensor, TileMut, WindowIn,
};
#[cfg(not(target_arch = "nvptx64"))]
use crate::tensor::space::Space;

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
        // SAFETY: the view has the layout of the tensor, which the storage has accepted (1);
        // `reach_at_hand` is its span, 0 if it is empty (2), and at hand if it is (3).
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
        // SAFETY: the view has the layout of the tensor, which the storage has accepted (1);
        // `reach_at_hand` is its span, 0 if it is empty (2), and at hand if it is (3).
        Tensor { storage: unsafe { self.storage.view_mut(0, span) }, layout: self.layout.clone() }
    }

    /// A view of the elements in the modes that a coordinate leaves open: `..` keeps a mode, a
    /// range keeps a part of it, a number fixes it. CuTe's `tensor(i, _)`.
    ///
    /// `t.slice((i, ..))[j] == t[(i, j)]`, `t.slice((i, a..b))[j] == t[(i, a + j)]`
    ///
    /// # Panics
    /// If a number or a range lies outside of the shape, or a range of a nested mode is no layout;
    /// [`try_slice`](Tensor::try_slice) returns the error, [`get_slice`](Tensor::get_slice) `None`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5], layout!((2, 3):(3, 1)));
    /// let row = t.slice((1, ..));
    /// assert_eq!((row[0], row[2], row.size()), (3, 5, 3));
    /// let part = t.slice((.., 1..));
    /// assert_eq!(part.iter().copied().collect::<Vec<_>>(), [1, 4, 2, 5]);
    /// ```
    #[inline(always)]
    #[track_caller]
    // The comment in the next line is for `slice(1, ..)`: the compiler then shows the line.
    pub fn slice</* all modes in one tuple: `slice((1, ..))` */ C: SliceIn<L>>(
        &self,
        coordinate: C,
    ) -> Tensor<S::View<'_>, C::Output> {
        expect(self.try_slice(coordinate))
    }

    /// [`slice`](Tensor::slice), mutable.
    ///
    /// # Panics
    /// As [`slice`](Tensor::slice); [`try_slice_mut`](Tensor::try_slice_mut) returns the error.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 6], layout!((2, 3):(3, 1)));
    /// t.slice_mut((1, ..)).fill(4);
    /// t.slice_mut((.., ..=1)).fill(7);
    /// assert_eq!(t.into_storage(), [7, 7, 0, 7, 7, 4]);
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn slice_mut</* all modes in one tuple: `slice_mut((1, ..))` */ C: SliceIn<L>>(
        &mut self,
        coordinate: C,
    ) -> Tensor<S::ViewMut<'_>, C::Output>
    where
        S: StorageMut,
    {
        expect(self.try_slice_mut(coordinate))
    }

    /// [`slice`](Tensor::slice), or `None` if a number or a range lies outside of the shape.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5], layout!((2, 3):(3, 1)));
    /// assert!(t.get_slice((1, ..)).is_some() && t.get_slice((2, ..)).is_none());
    /// ```
    #[inline(always)]
    pub fn get_slice<C: SliceIn<L>>(
        &self,
        coordinate: C,
    ) -> Option<Tensor<S::View<'_>, C::Output>> {
        if coordinate.within(&self.layout) {
            // SAFETY: the coordinate is within the layout.
            Some(unsafe { self.slice_unchecked(coordinate) })
        } else {
            None
        }
    }

    /// [`slice`](Tensor::slice), with an error in place of a panic.
    ///
    /// # Errors
    /// `bounds` if a number or a range lies outside of the shape, or a range ends before it begins;
    /// `divisibility` if a range of a nested mode is no layout.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5], layout!((2, 3):(3, 1)));
    /// assert_eq!(t.try_slice((1, 1..3))?[0], 4);
    /// let error = t.try_slice((1, 1..4)).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "cannot slice (2,3):(3,1): the range 1..4 reaches beyond the extent 3"
    /// );
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline(always)]
    pub fn try_slice<C: SliceIn<L>>(
        &self,
        coordinate: C,
    ) -> Result<Tensor<S::View<'_>, C::Output>, LayoutError> {
        if !coordinate.within(&self.layout) {
            return Err(no_slice(self.layout.clone(), coordinate));
        }
        // SAFETY: the coordinate is within the layout.
        Ok(unsafe { self.slice_unchecked(coordinate) })
    }

    /// [`slice_mut`](Tensor::slice_mut), with an error in place of a panic.
    ///
    /// # Errors
    /// Those of [`try_slice`](Tensor::try_slice).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 6], layout!((2, 3):(3, 1)));
    /// t.try_slice_mut((1, 1..3))?.fill(4);
    /// assert!(t.try_slice_mut((2, 1..3)).is_err());
    /// assert_eq!(t.into_storage(), [0, 0, 0, 0, 4, 4]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline(always)]
    pub fn try_slice_mut<C: SliceIn<L>>(
        &mut self,
        coordinate: C,
    ) -> Result<Tensor<S::ViewMut<'_>, C::Output>, LayoutError>
    where
        S: StorageMut,
    {
        if !coordinate.within(&self.layout) {
            return Err(no_slice(self.layout.clone(), coordinate));
        }
        // SAFETY: the coordinate is within the layout.
        Ok(unsafe { self.slice_unchecked_mut(coordinate) })
    }

    /// The elements of a shape within the tensor, from a coordinate on, as a view. The shape is
    /// congruent with the tensor's; static extents stay static.
    ///
    /// `t.window(origin, shape)[c] == t[origin + c]` for each `c` within `shape`
    ///
    /// # Panics
    /// If the window reaches beyond the shape; [`try_window`](Tensor::try_window) returns the
    /// error.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed(core::array::from_fn::<_, 24, _>(|i| i), layout!((4, 6): right));
    /// let window = t.window((1, 2), shape!((2, 3)));
    /// assert_eq!(*window.layout(), layout!((2, 3):(6, 1)));
    /// assert_eq!(window.iter().copied().collect::<Vec<_>>(), [8, 14, 9, 15, 10, 16]);
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn window<C, W: WindowIn<C, L>>(
        &self,
        origin: C,
        shape: W,
    ) -> Tensor<S::View<'_>, W::Output> {
        self.slice(shape.window_at(origin))
    }

    /// [`window`](Tensor::window), mutable.
    ///
    /// # Panics
    /// As [`window`](Tensor::window); [`try_window_mut`](Tensor::try_window_mut) returns the error.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 8], layout!((2, 4)));
    /// t.window_mut((0, 1), shape!((2, 2))).fill(1);
    /// assert_eq!(t.into_storage(), [0, 0, 1, 1, 1, 1, 0, 0]);
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn window_mut<C, W: WindowIn<C, L>>(
        &mut self,
        origin: C,
        shape: W,
    ) -> Tensor<S::ViewMut<'_>, W::Output>
    where
        S: StorageMut,
    {
        self.slice_mut(shape.window_at(origin))
    }

    /// [`window`](Tensor::window), with an error in place of a panic.
    ///
    /// # Errors
    /// `bounds` if the window reaches beyond the shape; under a `DynLayout`, `profile` if the
    /// window's shape is not congruent with the tensor's.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0; 24], layout!((4, 6)));
    /// let error = t.try_window((1, 4), shape!((2, 3))).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "cannot slice (4,6):(1,4): the range 4..7 reaches beyond the extent 6"
    /// );
    /// ```
    #[inline(always)]
    pub fn try_window<C, W: WindowIn<C, L>>(
        &self,
        origin: C,
        shape: W,
    ) -> Result<Tensor<S::View<'_>, W::Output>, LayoutError> {
        self.try_slice(shape.window_at(origin))
    }

    /// [`window_mut`](Tensor::window_mut), with an error in place of a panic.
    ///
    /// # Errors
    /// Those of [`try_window`](Tensor::try_window).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 8], layout!((2, 4)));
    /// assert!(t.try_window_mut((0, 3), shape!((2, 2))).is_err());
    /// t.try_window_mut((0, 2), shape!((2, 2)))?.fill(1);
    /// assert_eq!(t.into_storage(), [0, 0, 0, 0, 1, 1, 1, 1]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline(always)]
    pub fn try_window_mut<C, W: WindowIn<C, L>>(
        &mut self,
        origin: C,
        shape: W,
    ) -> Result<Tensor<S::ViewMut<'_>, W::Output>, LayoutError>
    where
        S: StorageMut,
    {
        self.try_slice_mut(shape.window_at(origin))
    }

    /// All elements as a slice, in the order of the coordinates; `None` if they do not lie in
    /// memory in this order and without gaps.
    ///
    /// `t.as_slice()?[i] == t[i]`
    ///
    /// With static strides the answer is known at compile time: the program has no check for it,
    /// and a column of a tile is read as fast as an array.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5], layout!((2, 3)));
    /// assert_eq!(t.as_slice(), Some(&[0, 1, 2, 3, 4, 5][..]));
    /// assert_eq!(t.slice((.., 1)).as_slice(), Some(&[2, 3][..]));
    /// assert_eq!(t.slice((1, ..)).as_slice(), None); // 3:2
    /// ```
    #[inline(always)]
    pub fn as_slice(&self) -> Option<&[S::Item]> {
        match self.layout.size() {
            0 => Some(&[]),
            size if self.layout.counts_up() => {
                // SAFETY: the `size` offsets from that of the first coordinate on are the layout's
                // (`Addressable`), at which the storage may be read while it is borrowed
                // (`Storage`), so that no pointer there is null. The slice borrows the storage, and
                // has these elements and no others.
                Some(unsafe {
                    let first = self.storage.base().add(self.layout.at(0));
                    assert_unchecked(!first.is_null());
                    from_raw_parts(first, size)
                })
            }
            _ => None,
        }
    }

    /// [`as_slice`](Tensor::as_slice), mutable.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 6], layout!((2, 3)));
    /// t.slice_mut((.., 1)).as_mut_slice().unwrap().copy_from_slice(&[7, 8]);
    /// assert_eq!(t.slice_mut((1, ..)).as_mut_slice(), None); // 3:2
    /// assert_eq!(t.into_storage(), [0, 0, 7, 8, 0, 0]);
    /// ```
    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> Option<&mut [S::Item]>
    where
        S: StorageMut,
    {
        match self.layout.size() {
            0 => Some(&mut []),
            size if self.layout.counts_up() => {
                // SAFETY: as in `as_slice`, to be written; the storage is borrowed mutably, so that
                // no other path leads to the elements (`StorageMut`).
                Some(unsafe {
                    let first = self.storage.base_mut().add(self.layout.at(0));
                    assert_unchecked(!first.is_null());
                    from_raw_parts_mut(first, size)
                })
            }
            _ => None,
        }
    }

    /// All elements as one tile: a view whose type does not depend on the storage, so that a
    /// function of it is compiled once for vectors, slices and tiles.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_algebra::tensor::TileMut;
    /// fn double<L: Addressable>(mut tile: Tensor<TileMut<'_, i32>, L>) {
    ///     tile.transform(|x| 2 * x);
    /// }
    /// # use layout_algebra::tensor::Addressable;
    /// let mut t = Tensor::fixed([1, 2, 3, 4], layout!((2, 2)));
    /// double(t.as_tile_mut());
    /// t.tiles_mut(tiler!(1, _)).for_each(double);
    /// assert_eq!(t.into_storage(), [4, 8, 12, 16]);
    /// ```
    #[inline(always)]
    pub fn as_tile_mut(&mut self) -> Tensor<TileMut<'_, S::Item>, L>
    where
        S: StorageMut,
    {
        // SAFETY: the storage, which is borrowed mutably for as long as the tile lives, has
        // accepted the layout: each of its elements may be read and written, and no other path
        // leads there.
        unsafe { Tensor::from_raw(self.storage.base_mut(), self.layout.clone()) }
    }

    /// A view that stands for a tensor in the space `P` of a GPU, so that code for a GPU can be
    /// tested on a CPU, which has one memory. Does not exist on a GPU: there `from_shared` and
    /// `from_global` make such tensors.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_algebra::tensor::Tile;
    /// use layout_algebra::tensor::space::Shared;
    /// let t = Tensor::fixed([1, 2, 3, 4], layout!((2, 2)));
    /// let shared: Tensor<Tile<'_, i32, Shared>, _> = t.in_space();
    /// assert_eq!(shared[(0, 1)], 3);
    /// ```
    #[cfg(not(target_arch = "nvptx64"))]
    #[inline(always)]
    pub fn in_space<P: Space>(&self) -> Tensor<Tile<'_, S::Item, P>, L> {
        // SAFETY: the storage, which is borrowed for as long as the tile lives, has accepted the
        // layout: each of its elements may be read, and none is written. Here there is one memory.
        Tensor { storage: unsafe { Tile::new(self.storage.base()) }, layout: self.layout.clone() }
    }

    /// [`in_space`](Tensor::in_space), mutable.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_algebra::tensor::space::Shared;
    /// let mut t = Tensor::fixed([1, 2, 3, 4], layout!((2, 2)));
    /// t.in_space_mut::<Shared>().slice_mut((.., 1)).fill(7);
    /// assert_eq!(t.into_storage(), [1, 2, 7, 7]);
    /// ```
    #[cfg(not(target_arch = "nvptx64"))]
    #[inline(always)]
    pub fn in_space_mut<P: Space>(&mut self) -> Tensor<TileMut<'_, S::Item, P>, L>
    where
        S: StorageMut,
    {
        Tensor {
            // SAFETY: the storage, which is borrowed mutably for as long as the tile lives, has
            // accepted the layout: each of its elements may be read and written, and no other path
            // leads there. Here there is one memory.
            storage: unsafe { TileMut::new(self.storage.base_mut()) },
            layout: self.layout.clone(),
        }
    }

    /// The same storage under another layout.
    ///
    /// Of a vector or an array the layout may reach every element. Of a tile it may reach the
    /// elements that the tile's own layout reaches, and no other: so the stages of one phase of a
    /// kernel become the tile of the next phase in the same shared memory. If both layouts have the
    /// same swizzle, the modes alone are compared, at no cost. If not, each offset of the new layout
    /// is looked for in the old one, for 4,096 steps at most: larger tiles keep their swizzle.
    ///
    /// # Errors
    /// `bounds` if the layout reaches beyond the storage, or, for a tile, any element that is not
    /// the tile's, or if 4,096 steps do not show that it does not.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let columns = Tensor::fixed([0, 1, 2, 3, 4, 5], layout!((2, 3)));
    /// let rows = columns.with_layout(layout!((2, 3): right))?;
    /// assert_eq!(rows[(1, 0)], 3);
    /// assert!(rows.with_layout(layout!((2, 4))).is_err());
    ///
    /// // A swizzled tile of 64 x 64, and 32 x 128 in the same memory: the same swizzle or another.
    /// use layout_algebra::tensor::space::Shared;
    /// type Rows<const BASE: u32, L> = ComposedLayout<Swizzle<3, BASE, 3>, Int<0>, L>;
    /// let mut memory = Tensor::fixed([0.0; 4096], Rows::<3, Layout!((64, 64): right)>::default());
    /// let tile = memory.in_space_mut::<Shared>();
    /// let tile = tile.with_layout(Rows::<3, Layout!((32, 128): right)>::default())?;
    /// let error = tile.with_layout(Rows::<4, Layout!((64, 64): right)>::default()).unwrap_err();
    /// assert!(error.to_string().contains("4096 steps"), "{error}");
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline(always)]
    pub fn with_layout<M: IntoMemory>(
        self,
        layout: M,
    ) -> Result<Tensor<S, M::InMemory>, LayoutError> {
        let layout = layout.in_memory()?;
        match self.storage.accepts(Some(&self.layout), &layout) {
            Ok(()) => Ok(Tensor { storage: self.storage, layout }),
            Err(fault) => Err(no_relayout(fault, self.layout.clone(), layout)),
        }
    }

    /// A slice of the tensor under another layout: [`with_layout`](Tensor::with_layout) and
    /// [`slice`](Tensor::slice) in one.
    ///
    /// # Errors
    /// `bounds` if the layout reaches beyond the storage, or if a number of the coordinate lies
    /// outside of the shape.
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
            Ok(()) if coordinate.within(&layout) => {
                // SAFETY: the storage accepts the layout, and the coordinate is within it.
                Ok(unsafe { self.cut_unchecked(layout, coordinate) })
            }
            Ok(()) => Err(no_slice(layout, coordinate)),
            Err(fault) => Err(no_relayout(fault, self.layout.clone(), layout)),
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
            Ok(()) if coordinate.within(&layout) => {
                // SAFETY: the storage accepts the layout, and the coordinate is within it.
                Ok(unsafe { self.cut_unchecked_mut(layout, coordinate) })
            }
            Ok(()) => Err(no_slice(layout, coordinate)),
            Err(fault) => Err(no_relayout(fault, self.layout.clone(), layout)),
        }
    }
}

/// Why the storage under the one layout does not accept the other. By value, as in [`no_slice`].
#[inline(always)]
fn no_relayout<L: Addressable, M: Addressable>(fault: Fault, from: L, to: M) -> LayoutError {
    LayoutError::new("with_layout", fault).with_operands(&from, &to)
}

/// Why there is no such slice. Takes the layout by value: a layout whose address is never taken can
/// stay in registers.
#[cfg(not(target_arch = "nvptx64"))]
#[cold]
#[inline(never)]
pub(in crate::tensor) fn no_slice<L: Addressable, C: SliceIn<L>>(
    layout: L,
    coordinate: C,
) -> LayoutError {
    LayoutError::new("slice", coordinate.misfit(&layout).unwrap_or(Fault::Coordinate))
        .with_operand(&layout)
}

/// On a GPU nobody reads the error: the kernel traps. (`get_slice` checks without a trap.)
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub(in crate::tensor) fn no_slice<L: Addressable, C: SliceIn<L>>(_: L, _: C) -> LayoutError {
    crate::error::stop()
}

/// The sliced layout, where it begins, and its span, if that takes no search. An empty slice begins
/// at 0, wherever its numbers point: its span is 0, and that takes no search. So (2) and (3) of
/// what [`Storage::view`] asks for hold.
#[inline(always)]
pub(in crate::tensor) fn sliced<L: Addressable, C: SliceIn<L>>(
    layout: &L,
    coordinate: C,
) -> (C::Output, usize, Option<usize>) {
    let (layout, offset) = coordinate.slice_in(layout.clone());
    let span = layout.reach_at_hand();
    (layout, if span == Some(0) { 0 } else { offset }, span)
}
