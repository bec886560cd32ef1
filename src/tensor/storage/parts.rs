//! Disjoint parts of one tensor as mutable views, for threads to write to at the same time.
//!
//! ```text
//! L injective  =>  { L(x, i) } and { L(x, j) } share nothing for i != j
//! ```

use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ops::RangeFull;

use crate::algebra::LayoutAlgebra;
use crate::algebra::divide::{ZippedDivide, ZippedDivision};
use crate::composed::ComposedLayout;
#[cfg(feature = "alloc")]
use crate::dynamic::DynLayout;
use crate::error::{Fault, LayoutError};
use crate::layout::stand_in::StandIn;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::tensor::bounds::SortedModes;
use crate::tensor::injective::Injective;
use crate::tensor::storage::{Addressable, SliceIn, Storage, StorageMut, Tensor, TileMut, sliced};
use crate::tensor::text::ConstText;

/// Which mode of a rank-2 layout counts the parts.
///
/// # Safety
/// `part(i)` and `part(j)` fix one and the same mode, and fix it at `i` and at `j`: parts of different
/// numbers share no coordinate.
///
/// ```
/// use layout_algebra::tensor::{Columns, Counting, Rows};
/// assert_eq!((Rows::part(1), Columns::part(1)), ((1, ..), (.., 1)));
/// ```
#[diagnostic::on_unimplemented(
    message = "this does not say which mode counts the parts",
    label = "`{Self}`: neither `Rows` nor `Columns`",
    note = "of a thread-value layout the parts are the rows: `try_parts_mut::<_, Rows>(layout)`; of a divided one they are the columns"
)]
pub unsafe trait Counting {
    /// The coordinate of a part.
    type Coordinate: Copy;
    /// The coordinate of part `i`.
    fn part(i: usize) -> Self::Coordinate;
}
/// The parts are the rows `(i, ..)`: the threads of a thread-value layout.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::Rows;
/// let mut t = Tensor::fixed([0; 6], layout!((2, 3)));
/// for (i, mut row) in t.try_parts_mut::<_, Rows>(layout!((2, 3)))?.enumerate() {
///     row.fill(i);
/// }
/// assert_eq!(t.into_storage(), [0, 1, 0, 1, 0, 1]);
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Rows;
/// The parts are the columns `(.., j)`: the tiles of a zipped divide.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::Columns;
/// let mut t = Tensor::fixed([0; 6], layout!((2, 3)));
/// for (j, mut column) in t.try_parts_mut::<_, Columns>(layout!((2, 3)))?.enumerate() {
///     column.fill(j);
/// }
/// assert_eq!(t.into_storage(), [0, 0, 1, 1, 2, 2]);
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Columns;
// SAFETY: mode 0 is fixed at `i`.
unsafe impl Counting for Rows {
    type Coordinate = (usize, RangeFull);
    #[inline(always)]
    fn part(i: usize) -> Self::Coordinate {
        (i, ..)
    }
}
// SAFETY: mode 1 is fixed at `i`.
unsafe impl Counting for Columns {
    type Coordinate = (RangeFull, usize);
    #[inline(always)]
    fn part(i: usize) -> Self::Coordinate {
        (.., i)
    }
}

/// The layout of one part.
type PartOf<L, K> = <<K as Counting>::Coordinate as SliceIn<L>>::Output;

/// Disjoint parts of a tensor: an iterator over mutable views, which may go to other threads. What
/// [`Tensor::tiles_mut`] returns.
///
/// ```
/// use layout_algebra::prelude::*;
/// let mut t = Tensor::fixed([0; 8], layout!((2, 4)));
/// let mut tiles = t.tiles_mut(tiler!(2, 2));
/// assert_eq!(tiles.len(), 2);
/// if let (Some(mut first), Some(mut last)) = (tiles.next(), tiles.next_back()) {
///     first.fill(1); // both at once: they share nothing
///     last.fill(2);
/// }
/// assert_eq!(t.into_storage(), [1, 1, 1, 1, 2, 2, 2, 2]);
/// ```
#[derive(Debug)]
pub struct Parts<'a, T, L, K> {
    base: *mut T,
    layout: L,
    next: usize,
    end: usize,
    marker: PhantomData<(&'a mut T, K)>,
}

// SAFETY: the parts `next .. end` are as good as `&'a mut T` for each of their elements, which no
// other `Parts` and no view has.
unsafe impl<T: Send, L: Send, K> Send for Parts<'_, T, L, K> {}
// SAFETY: a shared `Parts` gives no access to elements.
unsafe impl<T: Sync, L: Sync, K> Sync for Parts<'_, T, L, K> {}

impl<'a, T, L: Addressable, K: Counting<Coordinate: SliceIn<L>>> Parts<'a, T, L, K> {
    /// # Safety
    /// The layout is injective. For `'a`, every element `base + offset` with an offset of it may be read and written,
    /// and no other path leads to it.
    unsafe fn new(base: *mut T, layout: L) -> Self {
        let end = match layout.size() {
            // An empty layout may have parts, each of them empty: as many as there are numbers within it.
            0 => first_beyond(|i| !K::part(i).within(&layout)),
            size => size / K::part(0).slice_in(layout.clone()).0.size(),
        };
        Parts { base, layout, next: 0, end, marker: PhantomData }
    }

    /// The part `i`, if there is one.
    #[inline(always)]
    fn part(&self, i: usize) -> Option<Tensor<TileMut<'a, T>, PartOf<L, K>>> {
        let coordinate = K::part(i);
        if !coordinate.within(&self.layout) {
            return None;
        }
        let (layout, offset, _) = sliced(&self.layout, coordinate);
        // SAFETY: the part's offsets, moved, are offsets of the layout (`SliceIn`), under which `new` was promised
        // the elements for `'a`; and those of different `i` (`Counting`) differ, the layout being injective. Each `i`
        // is in one `Parts` alone, and is given out once: `next` moves past it, `end` before it, and `split_at` deals
        // the rest out to one side each.
        Some(Tensor { storage: unsafe { TileMut::new(self.base.wrapping_add(offset)) }, layout })
    }

    /// The first `mid` of the parts left, and the others.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 24], layout!((4, 6):(1, 4)));
    /// let (mut left, mut right) = t.tiles_mut(tiler!(2, 3)).split_at(1);
    /// std::thread::scope(|s| {
    ///     s.spawn(|| left.for_each(|mut tile| tile.fill(1)));
    ///     s.spawn(|| right.for_each(|mut tile| tile.fill(2)));
    /// });
    /// assert_eq!(t.iter().sum::<i32>(), 6 + 3 * 12);
    /// ```
    #[inline]
    pub fn split_at(self, mid: usize) -> (Self, Self) {
        let middle = self.next.saturating_add(mid).min(self.end);
        let right = Parts { layout: self.layout.clone(), next: middle, ..self };
        (Parts { end: middle, ..self }, right)
    }

    /// The same parts for a shorter time.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 8], layout!((2, 4)));
    /// let mut tiles = t.tiles_mut(tiler!(2, 2));
    /// tiles.reborrow().for_each(|mut tile| tile.fill(1)); // all of them, and then the last one again
    /// tiles.skip(1).for_each(|mut tile| tile.fill(2));
    /// assert_eq!(t.into_storage(), [1, 1, 1, 1, 2, 2, 2, 2]);
    /// ```
    #[inline]
    pub fn reborrow(&mut self) -> Parts<'_, T, L, K> {
        Parts { base: self.base, layout: self.layout.clone(), next: self.next, end: self.end, marker: PhantomData }
    }
}

impl<'a, T, L: Addressable, K: Counting<Coordinate: SliceIn<L>>> Iterator for Parts<'a, T, L, K> {
    type Item = Tensor<TileMut<'a, T>, PartOf<L, K>>;
    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.end {
            return None;
        }
        let part = self.part(self.next);
        self.next += 1;
        part
    }
    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.end - self.next, Some(self.end - self.next))
    }
}
impl<T, L: Addressable, K: Counting<Coordinate: SliceIn<L>>> DoubleEndedIterator for Parts<'_, T, L, K> {
    #[inline(always)]
    fn next_back(&mut self) -> Option<Self::Item> {
        if self.next >= self.end {
            return None;
        }
        self.end -= 1;
        self.part(self.end)
    }
}
impl<T, L: Addressable, K: Counting<Coordinate: SliceIn<L>>> ExactSizeIterator for Parts<'_, T, L, K> {}
impl<T, L: Addressable, K: Counting<Coordinate: SliceIn<L>>> FusedIterator for Parts<'_, T, L, K> {}

/// `L: PartsBy<K>`: a layout of memory and of rank 2, of which `K` counts the parts, [`Rows`] or [`Columns`]: what
/// [`Tensor::try_parts_mut`] asks for. One impl for each kind of layout, so that what is none has
/// no parts, and no second error.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::{PartsBy, Rows};
/// use static_assertions::{assert_impl_all, assert_not_impl_any};
/// assert_impl_all!(Layout!((4, 6)): PartsBy<Rows>);
/// assert_not_impl_any!(usize: PartsBy<Rows>);
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot hand out disjoint parts: this is no layout of memory of two modes",
    label = "`{Self}` has no rows and columns",
    note = "of a thread-value layout the parts are the rows: `try_parts_mut::<_, Rows>(layout)`"
)]
pub trait PartsBy<K>: Addressable {
    /// The [`Parts`].
    type Parts<'a, T: 'a>;
    /// The parts of the elements from `base` on.
    ///
    /// # Safety
    /// The layout is injective. For `'a`, every element `base + offset` with an offset of it may be read and written,
    /// and no other path leads to it.
    #[doc(hidden)]
    unsafe fn parts<'a, T>(self, base: *mut T) -> Self::Parts<'a, T>;
}
macro_rules! have_parts {
    ($([$($generic:ident)*] $layout:ty;)*) => {
        $(#[doc(hidden)]
        impl<K, $($generic),*> PartsBy<K> for $layout
        where
            Self: Addressable,
            K: Counting<Coordinate: SliceIn<Self>>,
        {
            type Parts<'a, T: 'a> = Parts<'a, T, Self, K>;
            #[inline]
            unsafe fn parts<'a, T>(self, base: *mut T) -> Self::Parts<'a, T> {
                // SAFETY: as the caller has promised.
                unsafe { Parts::new(base, self) }
            }
        })*
    };
}
have_parts! { [A B D] StridedLayout<(A, B), D>; [O F A B D] ComposedLayout<O, F, StridedLayout<(A, B), D>>; [] StandIn; }
#[cfg(feature = "alloc")]
have_parts! { [] DynLayout; [O F] ComposedLayout<O, F, DynLayout>; }

/// The first number that is `beyond`, where all behind it are too.
#[cold]
fn first_beyond(beyond: impl Fn(usize) -> bool) -> usize {
    let (mut first, mut bit) = (0, 1usize << (usize::BITS - 1));
    while bit > 0 {
        if !beyond(first + (bit - 1)) {
            first += bit;
        }
        bit >>= 1;
    }
    first
}

/// Stops the build with the numbers at fault if the modes overlap.
pub(super) const fn assert_disjoint(modes: Option<SortedModes>) {
    let Some(modes) = modes else { return };
    match modes.injective() {
        Ok(()) => {}
        Err(Fault::Overlap { extent, stride, below }) => {
            let text = ConstText::new("these parts overlap: the mode ").number(extent).text(":").number(stride);
            let text = text.text(" begins within the ").number(below).text(" offsets that the modes below it span");
            panic!("{}", text.as_str())
        }
        Err(Fault::Undecided { .. }) => {
            panic!("whether these parts overlap is not decided after 4096 steps: use `try_tiles_mut` of simpler modes")
        }
        Err(_) => panic!("this layout has too many modes to be checked for overlaps: coalesce it first"),
    }
}

/// # Tiles and shares
impl<S: Storage, L: Addressable> Tensor<S, L> {
    /// All parts under a layout of rank 2 that the storage accepts: its rows ([`Rows`]) or its columns ([`Columns`]).
    ///
    /// # Errors
    /// `bounds` if the layout reaches beyond the storage, `overlap` if two parts share an element, `rank` if a
    /// `DynLayout` has not two modes.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_algebra::tensor::Rows;
    /// let mut t = Tensor::new(vec![0; 24], layout!(24:1))?;
    /// let threads = layout!(((2, 2), (2, 3)):((2, 12), (1, 4)));
    /// for (thread, mut values) in t.try_parts_mut::<_, Rows>(threads)?.enumerate() {
    ///     values.fill(thread);
    /// }
    /// assert_eq!(t.into_storage()[..12], [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn try_parts_mut<M, K>(&mut self, layout: M) -> Result<M::Parts<'_, S::Item>, LayoutError>
    where
        S: StorageMut,
        M: PartsBy<K>,
    {
        let checked = match layout.rank() {
            2 => self.disjoint(&layout),
            rank => Err(Fault::Rank { needed: 2, rank }),
        };
        match checked {
            // SAFETY: the storage accepts the layout, whose offsets differ; and it is borrowed mutably
            // for as long as the parts live.
            Ok(()) => Ok(unsafe { layout.parts(self.storage.base_mut()) }),
            Err(fault) => Err(LayoutError::new("parts_mut", fault).with_operands(&self.layout, &layout)),
        }
    }

    /// Ok if the storage accepts the layout, and no two coordinates of it share an offset.
    #[inline(always)]
    fn disjoint<M: Addressable>(&self, layout: &M) -> Result<(), Fault> {
        let known = const {
            match M::MODES {
                Some(modes) => Some(modes.injective()),
                None => None,
            }
        };
        self.storage.accepts(Some(&self.layout), layout)?;
        match known {
            Some(checked) => checked,
            None => layout.modes().injective(),
        }
    }

    /// All tiles as disjoint mutable views, in the order of the tiles.
    ///
    /// Every element of the tensor is in exactly one tile.
    ///
    /// # Panics
    /// If the layout has dynamic leaves, and the tiler does not divide it or two of its coordinates share an element;
    /// [`try_tiles_mut`](Tensor::try_tiles_mut) returns the error.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 24], layout!((4, 6): right));
    /// for (i, mut tile) in t.tiles_mut(tiler!(2, 3)).enumerate() {
    ///     tile.fill(i);
    /// }
    /// assert_eq!(t.into_storage()[..12], [0, 0, 0, 2, 2, 2, 0, 0, 0, 2, 2, 2]);
    /// ```
    ///
    /// A static layout that overlaps does not compile:
    ///
    /// ```compile_fail,E0277
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 24], layout!((4, 6):(0, 1)));
    /// t.tiles_mut(tiler!(2, 3)); // the mode 4:0 overlaps the 1 offsets that the modes below it span
    /// ```
    ///
    /// And while a tile lives, the tensor is borrowed:
    ///
    /// ```compile_fail,E0502
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 24], layout!((4, 6)));
    /// let mut tile = t.tiles_mut(tiler!(2, 3)).next().unwrap();
    /// assert_eq!(t[0], 0); // cannot borrow `t` as immutable because it is also borrowed as mutable
    /// tile.fill(1);
    /// ```
    #[inline]
    #[track_caller]
    pub fn tiles_mut<T>(&mut self, tiler: T) -> Parts<'_, S::Item, ZippedDivision<L, T>, Columns>
    where
        S: StorageMut,
        L: ZippedDivide<T, Output: Addressable> + Injective,
        (RangeFull, usize): SliceIn<ZippedDivision<L, T>>,
    {
        const { assert_disjoint(<ZippedDivision<L, T> as Addressable>::MODES) };
        self.try_tiles_mut(tiler).unwrap_or_else(|error| panic!("{error}"))
    }

    /// [`tiles_mut`](Tensor::tiles_mut), with an error in place of a panic.
    ///
    /// # Errors
    /// Those of [`zipped_divide`](LayoutAlgebra::zipped_divide), and `overlap` if two coordinates share an element.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let broadcast = 0;
    /// let mut t = Tensor::new(vec![0; 6], layout!((4, 6):(broadcast, 1)))?;
    /// let error = t.try_tiles_mut(tiler!(2, 3)).unwrap_err();
    /// assert_eq!(error.kind().as_str(), "overlap");
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    #[allow(clippy::type_complexity, reason = "the parts, and an error")]
    pub fn try_tiles_mut<T>(
        &mut self,
        tiler: T,
    ) -> Result<Parts<'_, S::Item, ZippedDivision<L, T>, Columns>, LayoutError>
    where
        S: StorageMut,
        L: ZippedDivide<T, Output: Addressable>,
        (RangeFull, usize): SliceIn<ZippedDivision<L, T>>,
    {
        let divided = self.layout.try_zipped_divide(tiler)?;
        match self.disjoint(&divided) {
            // SAFETY: as in `try_parts_mut`.
            Ok(()) => Ok(unsafe { Parts::new(self.storage.base_mut(), divided) }),
            Err(fault) => {
                // The tiles share what the tensor's own modes share: these are named.
                let fault = self.layout.modes().injective().err().unwrap_or(fault);
                Err(LayoutError::new("parts_mut", fault).with_operands(&self.layout, &divided))
            }
        }
    }
}
