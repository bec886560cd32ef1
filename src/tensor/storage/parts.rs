//! Disjoint parts of one tensor as mutable views, for threads to write to at the same time.
//!
//! ```text
//! L injective  =>  { L(x, i) } and { L(x, j) } share nothing for i != j
//! ```

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ops::RangeFull;

use crate::algebra::LayoutAlgebra;
use crate::algebra::divide::{ZippedDivide, ZippedDivision};
use crate::algebra::operation::{self, Gives};
use crate::composed::ComposedLayout;
#[cfg(feature = "alloc")]
use crate::dynamic::DynLayout;
use crate::error::{Fault, LayoutError, expect};
use crate::layout::stand_in::StandIn;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::stepped::layout::SignedLayout;
use crate::tensor::bounds::SortedModes;
use crate::tensor::injective::Injective;
use crate::tensor::storage::grid::{RaggedDivide, SplitMode, SplitOf};
use crate::tensor::storage::view::no_slice;
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
    note = "of a thread-value layout the parts are the rows: `try_parts_mut::<_, Rows>(layout)`; of a divided one \
            they are the columns"
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

// ---- parts by number ----------------------------------------------------------------------------------------------

/// Which slice of the layout `L` is which part.
///
/// # Safety
/// Parts of different numbers, each of them within the layout, share no coordinate of it.
#[diagnostic::on_unimplemented(
    message = "this does not number the parts of a layout",
    label = "`{Self}`: not a numbering of the parts of `{L}`",
    note = "generic code names `PartsOf` with the numbering that `tiles`, `ragged_tiles` or `try_parts_mut` gives"
)]
#[doc(hidden)]
pub unsafe trait Numbering<L>: Clone {
    /// The coordinate of a part.
    type Coordinate: SliceIn<L>;
    /// How many parts there are.
    fn count(&self, layout: &L) -> usize;
    /// The coordinate of part `i`.
    fn part(&self, i: usize, layout: &L) -> Self::Coordinate;
}

/// The rows or columns of a layout, as `K` says.
#[doc(hidden)]
pub struct By<K>(PhantomData<K>);
impl<K> Clone for By<K> {
    #[inline(always)]
    fn clone(&self) -> Self {
        By(PhantomData)
    }
}
impl<K> core::fmt::Debug for By<K> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(core::any::type_name::<K>())
    }
}
// SAFETY: no `K` is in it.
unsafe impl<K> Send for By<K> {}
// SAFETY: no `K` is in it.
unsafe impl<K> Sync for By<K> {}
// SAFETY: `Counting` says that parts of different numbers share no coordinate.
unsafe impl<L: Addressable, K: Counting<Coordinate: SliceIn<L>>> Numbering<L> for By<K> {
    type Coordinate = K::Coordinate;
    #[inline(always)]
    fn count(&self, layout: &L) -> usize {
        match layout.size() {
            // An empty layout may have parts, each of them empty: as many as there are numbers within it.
            0 => first_beyond(|i| !K::part(i).within(layout)),
            size => size / K::part(0).slice_in(layout.clone()).0.size(),
        }
    }
    #[inline(always)]
    fn part(&self, i: usize, _: &L) -> K::Coordinate {
        K::part(i)
    }
}

/// The memory that parts are handed out of.
///
/// # Safety
/// [`duplicate`](PartsMemory::duplicate) is the same memory.
#[diagnostic::on_unimplemented(
    message = "no parts are handed out of this memory",
    label = "`{Self}`: neither `Shared` nor `Exclusive`",
    note = "`Shared` is the memory of parts that are read, `Exclusive` that of parts that are written"
)]
#[doc(hidden)]
pub unsafe trait PartsMemory {
    /// The storage of a part.
    type Part: Storage;
    /// The part from `offset` on, for a layout of the span `span`, or of one that is not at hand.
    ///
    /// # Safety
    /// 1. As for [`Storage::view`], of the layout that the parts are of.
    /// 2. Of exclusive memory, no two parts that are handed out share an element.
    unsafe fn part(&self, offset: usize, span: Option<usize>) -> Self::Part;
    /// The same memory.
    fn duplicate(&self) -> Self;
}
/// The elements of a layout from a place on, each of which one part has to itself.
#[doc(hidden)]
#[derive(Debug)]
pub struct Exclusive<'a, T>(*mut T, PhantomData<&'a mut T>);
// SAFETY: it is as good as `&'a mut T` for each of the elements that it still hands out, which nobody else has.
unsafe impl<T: Send> Send for Exclusive<'_, T> {}
// SAFETY: shared, it gives no access to elements but to who promises to be the only one.
unsafe impl<T: Sync> Sync for Exclusive<'_, T> {}
// SAFETY: the pointer is the same.
unsafe impl<'a, T> PartsMemory for Exclusive<'a, T> {
    type Part = TileMut<'a, T>;
    #[inline(always)]
    unsafe fn part(&self, offset: usize, _: Option<usize>) -> TileMut<'a, T> {
        // SAFETY: whoever made `self` was promised the elements of the layout for `'a`; those of the part are among
        // them (1), and in no other part (2).
        unsafe { TileMut::new(self.0.wrapping_add(offset)) }
    }
    #[inline(always)]
    fn duplicate(&self) -> Self {
        Exclusive(self.0, PhantomData)
    }
}
/// Storage that parts are views of.
#[doc(hidden)]
#[derive(Debug)]
pub struct Shared<'a, S>(&'a S);
// SAFETY: the reference is the same.
unsafe impl<'a, S: Storage> PartsMemory for Shared<'a, S> {
    type Part = S::View<'a>;
    #[inline(always)]
    unsafe fn part(&self, offset: usize, span: Option<usize>) -> S::View<'a> {
        // SAFETY: of the caller (1).
        unsafe { self.0.view(offset, span) }
    }
    #[inline(always)]
    fn duplicate(&self) -> Self {
        Shared(self.0)
    }
}

/// Parts of a tensor: an iterator over views, which may go to other threads. What [`Tensor::tiles`] and
/// [`Tensor::ragged_tiles`] return, and, with views that are mutable and disjoint, [`Tensor::tiles_mut`] and
/// [`Tensor::ragged_tiles_mut`].
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
pub struct PartsOf<M, L, N> {
    memory: M,
    layout: L,
    numbering: N,
    next: usize,
    end: usize,
}
/// The layout that the parts are of, and how many of them are left; the elements are those of the tensor.
impl<M, L: fmt::Debug, N> fmt::Debug for PartsOf<M, L, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} parts of {:?}", self.end - self.next, self.layout)
    }
}
/// Disjoint parts of a tensor as mutable views: the rows or columns of the layout `L`. What [`Tensor::tiles_mut`]
/// returns.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::{Columns, Parts};
/// fn count(tiles: &Parts<'_, i32, ZippedDivision<Layout!((2, 4)), Tiler!(2, 2)>, Columns>) -> usize {
///     tiles.len()
/// }
/// assert_eq!(count(&Tensor::fixed([0; 8], layout!((2, 4))).tiles_mut(tiler!(2, 2))), 2);
/// ```
pub type Parts<'a, T, L, K> = PartsOf<Exclusive<'a, T>, L, By<K>>;
/// All tiles of a tensor as views: the columns of the divided layout `L`. What [`Tensor::tiles`] returns.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::Tiles;
/// fn count(tiles: &Tiles<'_, [i32; 8], ZippedDivision<Layout!((2, 4)), Tiler!(2, 2)>>) -> usize {
///     tiles.len()
/// }
/// assert_eq!(count(&Tensor::fixed([0; 8], layout!((2, 4))).tiles(tiler!(2, 2))), 2);
/// ```
pub type Tiles<'a, S, L> = PartsOf<Shared<'a, S>, L, By<Columns>>;
/// [`ZippedDivision`] as something that the tiler has, so that a method's own bound says what is missing: see
/// [`Gives`].
type DividedBy<L, T> = <T as Gives<operation::ZippedDivide, L>>::Output;
/// [`RaggedDivide`] as something that the tiler `self` has. The bound of a method says, although `RaggedDivide` does,
/// what `Grid` is: the compiler then finds it missing before it knows the tiler, whose numbers it would write in bits.
pub trait Cuts<L> {
    type Grid;
}
impl<L: RaggedDivide<X>, X> Cuts<L> for X {
    type Grid = L::Grid;
}
/// All tiles of a tensor as views, those at the edges smaller. What [`Tensor::ragged_tiles`] returns.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::RaggedTiles;
/// fn count(tiles: &RaggedTiles<'_, [i32; 8], Layout!((2, 4)), Tiler!(2, 3)>) -> usize {
///     tiles.len()
/// }
/// assert_eq!(count(&Tensor::fixed([0; 8], layout!((2, 4))).ragged_tiles(tiler!(2, 3))), 2);
/// ```
pub type RaggedTiles<'a, S, L, X> = PartsOf<Shared<'a, S>, L, <X as Cuts<L>>::Grid>;
/// All tiles of a tensor as disjoint mutable views, those at the edges smaller. What [`Tensor::ragged_tiles_mut`]
/// returns.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::RaggedTilesMut;
/// fn count(tiles: &RaggedTilesMut<'_, i32, Layout!((2, 4)), Tiler!(2, 3)>) -> usize {
///     tiles.len()
/// }
/// assert_eq!(count(&Tensor::fixed([0; 8], layout!((2, 4))).ragged_tiles_mut(tiler!(2, 3))), 2);
/// ```
pub type RaggedTilesMut<'a, T, L, X> = PartsOf<Exclusive<'a, T>, L, <X as Cuts<L>>::Grid>;

impl<M: PartsMemory, L: Addressable, N: Numbering<L>> PartsOf<M, L, N> {
    /// # Safety
    /// Every element at an offset of the layout may be reached in the memory; if that is exclusive, the layout is
    /// injective, and no other path leads to them.
    #[inline]
    unsafe fn new(memory: M, layout: L, numbering: N) -> Result<Self, LayoutError> {
        let end = numbering.count(&layout);
        // Each of them is there, or none is handed out.
        if !layout.has_every_slice() {
            let mut parts = (0..end).map(|i| numbering.part(i, &layout));
            if let Some(none) = parts.find(|part| !part.within(&layout)) {
                return Err(no_slice(layout, none));
            }
        }
        Ok(PartsOf { memory, layout, numbering, next: 0, end })
    }

    /// The part `i`, if there is one.
    #[inline(always)]
    #[allow(clippy::type_complexity, reason = "a view under the layout of a slice, or none")]
    fn part(&self, i: usize) -> Option<Tensor<M::Part, <N::Coordinate as SliceIn<L>>::Output>> {
        let coordinate = self.numbering.part(i, &self.layout);
        if !coordinate.within(&self.layout) {
            return None;
        }
        let (layout, offset, span) = sliced(&self.layout, coordinate);
        // SAFETY: (1) the part's offsets, moved, are offsets of the layout (`SliceIn`), under which `new` was promised
        // the elements; the rest of what `view` asks for is `sliced`'s. (2) Those of different `i` are at different
        // coordinates (`Numbering`), and so they differ, the layout being injective. Each `i` is in one `PartsOf`
        // alone, and is given out once: `next` moves past it, `end` before it, and `split_at` deals the rest out to one
        // side each.
        Some(Tensor { storage: unsafe { self.memory.part(offset, span) }, layout })
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
        let (memory, layout, numbering) = (self.memory.duplicate(), self.layout.clone(), self.numbering.clone());
        (PartsOf { end: middle, ..self }, PartsOf { memory, layout, numbering, next: middle, end: self.end })
    }
}
impl<T, L: Addressable, N: Numbering<L>> PartsOf<Exclusive<'_, T>, L, N> {
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
    pub fn reborrow(&mut self) -> PartsOf<Exclusive<'_, T>, L, N> {
        PartsOf {
            memory: Exclusive(self.memory.0, PhantomData),
            layout: self.layout.clone(),
            numbering: self.numbering.clone(),
            next: self.next,
            end: self.end,
        }
    }
}
/// Views may be had again.
impl<S: Storage, L: Clone, N: Clone> Clone for PartsOf<Shared<'_, S>, L, N> {
    fn clone(&self) -> Self {
        PartsOf {
            memory: self.memory.duplicate(),
            layout: self.layout.clone(),
            numbering: self.numbering.clone(),
            next: self.next,
            end: self.end,
        }
    }
}

impl<M: PartsMemory, L: Addressable, N: Numbering<L>> Iterator for PartsOf<M, L, N> {
    type Item = Tensor<M::Part, <N::Coordinate as SliceIn<L>>::Output>;
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
impl<M: PartsMemory, L: Addressable, N: Numbering<L>> DoubleEndedIterator for PartsOf<M, L, N> {
    #[inline(always)]
    fn next_back(&mut self) -> Option<Self::Item> {
        if self.next >= self.end {
            return None;
        }
        self.end -= 1;
        self.part(self.end)
    }
}
impl<M: PartsMemory, L: Addressable, N: Numbering<L>> ExactSizeIterator for PartsOf<M, L, N> {}
impl<M: PartsMemory, L: Addressable, N: Numbering<L>> FusedIterator for PartsOf<M, L, N> {}

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
    unsafe fn parts<'a, T>(self, base: *mut T) -> Result<Self::Parts<'a, T>, LayoutError>;
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
            unsafe fn parts<'a, T>(self, base: *mut T) -> Result<Self::Parts<'a, T>, LayoutError> {
                // SAFETY: as the caller has promised.
                unsafe { PartsOf::new(Exclusive(base, PhantomData), self, By(PhantomData)) }
            }
        })*
    };
}
have_parts! {
    [A B D] StridedLayout<(A, B), D>; [O F A B D] ComposedLayout<O, F, StridedLayout<(A, B), D>>; [] StandIn;
    [O F A B D] ComposedLayout<O, F, SignedLayout<(A, B), D>>;
}
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
        Err(Fault::XorOverlap { extent, stride }) => {
            let text = ConstText::new("these parts overlap: the mode ").number(extent).text(":^").number(stride);
            panic!("{}", text.text(" leads to offsets that other modes lead to").as_str())
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
            Ok(()) => unsafe { layout.parts(self.storage.base_mut()) },
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
    /// One with XOR strides neither, if bits of its coordinates are not independent:
    ///
    /// ```compile_fail,E0277
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 8], layout!((4, 4):(^1, ^3)));
    /// t.tiles_mut(tiler!(2, 2)); // the mode 4:^3 leads to offsets that other modes lead to
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
    pub fn tiles_mut<T>(&mut self, tiler: T) -> Parts<'_, S::Item, DividedBy<L, T>, Columns>
    where
        S: StorageMut,
        L: ZippedDivide<T, Output: Addressable> + Injective,
        (RangeFull, usize): SliceIn<ZippedDivision<L, T>>,
    {
        const { assert_disjoint(<ZippedDivision<L, T> as Addressable>::MODES) };
        expect(self.try_tiles_mut(tiler))
    }

    /// [`tiles_mut`](Tensor::tiles_mut), with an error in place of a panic.
    ///
    /// # Errors
    /// Those of [`zipped_divide`](LayoutAlgebra::zipped_divide), and `overlap` if two coordinates share an element;
    /// under a `DynLayout` with XOR strides also if a tile has no offset that is added, as
    /// [`try_slice`](Tensor::try_slice).
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
    pub fn try_tiles_mut<T>(&mut self, tiler: T) -> Result<Parts<'_, S::Item, DividedBy<L, T>, Columns>, LayoutError>
    where
        S: StorageMut,
        L: ZippedDivide<T, Output: Addressable>,
        (RangeFull, usize): SliceIn<ZippedDivision<L, T>>,
    {
        let divided = self.layout.try_zipped_divide(tiler)?;
        match self.disjoint(&divided) {
            Ok(()) => {
                let memory = Exclusive(self.storage.base_mut(), PhantomData);
                // SAFETY: as in `try_parts_mut`.
                unsafe { PartsOf::new(memory, divided, By(PhantomData)) }
            }
            Err(fault) => {
                // The tiles share what the tensor's own modes share: these are named.
                let fault = self.layout.modes().injective().err().unwrap_or(fault);
                Err(LayoutError::new("parts_mut", fault).with_operands(&self.layout, &divided))
            }
        }
    }

    /// All tiles as views, in the order of the tiles.
    ///
    /// `t.tiles(tiler).nth(i) == t.local_tile(tiler, i)`
    ///
    /// # Panics
    /// If the layout has dynamic leaves, and the tiler does not divide it; [`try_tiles`](Tensor::try_tiles) returns the
    /// error.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed(core::array::from_fn::<_, 24, _>(|i| i), layout!((4, 6): right));
    /// let sums: Vec<usize> = t.tiles(tiler!(2, 3)).map(|tile| tile.iter().sum()).collect();
    /// assert_eq!(sums, [24, 96, 42, 114]);
    /// ```
    #[inline]
    #[track_caller]
    pub fn tiles<T>(&self, tiler: T) -> Tiles<'_, S, DividedBy<L, T>>
    where
        L: ZippedDivide<T, Output: Addressable>,
        (RangeFull, usize): SliceIn<ZippedDivision<L, T>>,
    {
        expect(self.try_tiles(tiler))
    }

    /// [`tiles`](Tensor::tiles), with an error in place of a panic.
    ///
    /// # Errors
    /// Those of [`zipped_divide`](LayoutAlgebra::zipped_divide); under a `DynLayout` with XOR strides `overlap`, if a
    /// tile has no offset that is added, as [`try_slice`](Tensor::try_slice).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let n = 5;
    /// let t = Tensor::new(vec![0; 5], layout!(n))?;
    /// assert_eq!(t.try_tiles(tiler!(2)).unwrap_err().kind().as_str(), "divisibility");
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn try_tiles<T>(&self, tiler: T) -> Result<Tiles<'_, S, DividedBy<L, T>>, LayoutError>
    where
        L: ZippedDivide<T, Output: Addressable>,
        (RangeFull, usize): SliceIn<ZippedDivision<L, T>>,
    {
        let divided = self.layout.try_zipped_divide(tiler)?;
        match self.storage.accepts(Some(&self.layout), &divided) {
            // SAFETY: the storage, which is borrowed as long as the parts live, accepts the layout.
            Ok(()) => unsafe { PartsOf::new(Shared(&self.storage), divided, By(PhantomData)) },
            Err(fault) => Err(LayoutError::new("relayout", fault).with_operands(&self.layout, &divided)),
        }
    }

    /// All tiles of a tensor that they need not divide, as views, in the order of the tiles: those at the edges are
    /// smaller. Each is a block: an entry of the tiler is a number, or `_` for all of a mode; modes beyond the tiler's
    /// go one by one. The extents of the tiles are known at run time.
    ///
    /// `t.ragged_tiles(tiler!(m, n)).nth(..) == t.slice((i * m..min((i + 1) * m, M), j * n..min((j + 1) * n, N)))`
    ///
    /// # Panics
    /// If a number of the tiler is 0, or a tile of a nested mode is no layout;
    /// [`try_ragged_tiles`](Tensor::try_ragged_tiles) returns the error.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed(core::array::from_fn::<_, 15, _>(|i| i), layout!((3, 5): right));
    /// let tiles: Vec<_> = t.ragged_tiles(tiler!(2, 3)).collect();
    /// assert_eq!(tiles.iter().map(|tile| tile.shape()).collect::<Vec<_>>(), [(2, 3), (1, 3), (2, 2), (1, 2)]);
    /// assert_eq!(tiles[3].iter().copied().collect::<Vec<_>>(), [13, 14]);
    /// ```
    #[inline]
    #[track_caller]
    pub fn ragged_tiles<X>(&self, tiler: X) -> RaggedTiles<'_, S, L, X>
    where
        L: RaggedDivide<X, Grid: Numbering<L>>,
    {
        expect(self.try_ragged_tiles(tiler))
    }

    /// [`ragged_tiles`](Tensor::ragged_tiles), with an error in place of a panic.
    ///
    /// # Errors
    /// `divisibility` if a number of the tiler is 0, or a tile of a nested mode or of an XOR mode is no layout, as one
    /// of 3 of 8 numbers; under a `DynLayout`, `rank` or `profile` if the tiler does not fit the layout, or has entries
    /// that are no numbers.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let (t, none) = (Tensor::fixed([0; 15], layout!((3, 5))), 0);
    /// assert_eq!(t.try_ragged_tiles(tiler!(2, none)).unwrap_err().kind().as_str(), "divisibility");
    /// ```
    #[inline]
    pub fn try_ragged_tiles<X>(&self, tiler: X) -> Result<RaggedTiles<'_, S, L, X>, LayoutError>
    where
        L: RaggedDivide<X, Grid: Numbering<L>>,
    {
        let (layout, grid) = (self.layout.clone(), self.layout.grid(tiler)?);
        // SAFETY: the storage, which is borrowed as long as the parts live, has accepted the layout.
        unsafe { PartsOf::new(Shared(&self.storage), layout, grid) }
    }

    /// [`ragged_tiles`](Tensor::ragged_tiles), as disjoint mutable views. Every element of the tensor is in exactly one
    /// tile.
    ///
    /// # Panics
    /// As [`ragged_tiles`](Tensor::ragged_tiles), and if the layout has dynamic leaves and two of its coordinates share
    /// an element; [`try_ragged_tiles_mut`](Tensor::try_ragged_tiles_mut) returns the error.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let (m, n) = (3, 5);
    /// let mut t = Tensor::filled(layout!((m, n): right), 0);
    /// for (i, mut tile) in t.ragged_tiles_mut(tiler!(2, 3)).enumerate() {
    ///     tile.fill(i);
    /// }
    /// assert_eq!(t.into_storage(), [0, 0, 0, 2, 2, 0, 0, 0, 2, 2, 1, 1, 1, 3, 3]);
    /// ```
    ///
    /// A static layout that overlaps does not compile:
    ///
    /// ```compile_fail,E0277
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 24], layout!((4, 6):(0, 1)));
    /// t.ragged_tiles_mut(tiler!(3, 4)); // the mode 4:0 overlaps the 1 offsets that the modes below it span
    /// ```
    #[inline]
    #[track_caller]
    pub fn ragged_tiles_mut<X>(&mut self, tiler: X) -> RaggedTilesMut<'_, S::Item, L, X>
    where
        S: StorageMut,
        L: RaggedDivide<X, Grid: Numbering<L>> + Injective,
    {
        const { assert_disjoint(L::MODES) };
        expect(self.try_ragged_tiles_mut(tiler))
    }

    /// [`ragged_tiles_mut`](Tensor::ragged_tiles_mut), with an error in place of a panic.
    ///
    /// # Errors
    /// Those of [`try_ragged_tiles`](Tensor::try_ragged_tiles), and `overlap` if two coordinates share an element.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let broadcast = 0;
    /// let mut t = Tensor::new(vec![0; 6], layout!((4, 6):(broadcast, 1)))?;
    /// assert_eq!(t.try_ragged_tiles_mut(tiler!(3, 4)).unwrap_err().kind().as_str(), "overlap");
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn try_ragged_tiles_mut<X>(&mut self, tiler: X) -> Result<RaggedTilesMut<'_, S::Item, L, X>, LayoutError>
    where
        S: StorageMut,
        L: RaggedDivide<X, Grid: Numbering<L>>,
    {
        let (layout, grid) = (self.layout.clone(), self.layout.grid(tiler)?);
        match self.disjoint(&layout) {
            // SAFETY: as in `try_parts_mut`.
            Ok(()) => unsafe { PartsOf::new(Exclusive(self.storage.base_mut(), PhantomData), layout, grid) },
            Err(fault) => Err(LayoutError::new("parts_mut", fault).with_operand(&layout)),
        }
    }

    /// The elements before the number `at` of mode `MODE`, and the others, as views.
    ///
    /// `t.split_at::<1>(at) == (t.slice((.., ..at)), t.slice((.., at..)))`
    ///
    /// # Panics
    /// If `at` lies beyond the mode, or a part of a nested mode is no layout; [`try_split_at`](Tensor::try_split_at)
    /// returns the error.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5], layout!((2, 3): right));
    /// let (left, right) = t.split_at::<1>(1);
    /// assert_eq!((left.iter().sum::<i32>(), right.iter().sum::<i32>()), (0 + 3, 1 + 2 + 4 + 5));
    /// ```
    #[inline]
    #[track_caller]
    #[allow(clippy::type_complexity, reason = "two views under the layout of a slice")]
    pub fn split_at<const MODE: usize>(
        &self,
        at: usize,
    ) -> (Tensor<S::View<'_>, SplitOf<L, MODE>>, Tensor<S::View<'_>, SplitOf<L, MODE>>)
    where
        L: SplitMode<MODE>,
    {
        expect(self.try_split_at::<MODE>(at))
    }

    /// [`split_at`](Tensor::split_at), with an error in place of a panic.
    ///
    /// # Errors
    /// `bounds` if `at` lies beyond the mode, `divisibility` if a part of a nested mode is no layout; under a
    /// `DynLayout`, `rank` if there is no such mode.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5], layout!((2, 3): right));
    /// assert_eq!(t.try_split_at::<1>(4).unwrap_err().kind().as_str(), "bounds");
    /// ```
    #[inline]
    #[allow(clippy::type_complexity, reason = "two views under the layout of a slice, or an error")]
    pub fn try_split_at<const MODE: usize>(
        &self,
        at: usize,
    ) -> Result<(Tensor<S::View<'_>, SplitOf<L, MODE>>, Tensor<S::View<'_>, SplitOf<L, MODE>>), LayoutError>
    where
        L: SplitMode<MODE>,
    {
        let (before, behind) = (self.layout.in_mode(..at)?, self.layout.in_mode(at..)?);
        Ok((self.try_slice(before)?, self.try_slice(behind)?))
    }

    /// [`split_at`](Tensor::split_at), as disjoint mutable views.
    ///
    /// # Panics
    /// As [`split_at`](Tensor::split_at), and if the layout has dynamic leaves and two of its coordinates share an
    /// element; [`try_split_at_mut`](Tensor::try_split_at_mut) returns the error.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 6], layout!((2, 3): right));
    /// let (mut left, mut right) = t.split_at_mut::<1>(1);
    /// left.fill(1); // both at once: they share nothing
    /// right.fill(2);
    /// assert_eq!(t.into_storage(), [1, 2, 2, 1, 2, 2]);
    /// ```
    #[inline]
    #[track_caller]
    #[allow(clippy::type_complexity, reason = "two views under the layout of a slice")]
    pub fn split_at_mut<const MODE: usize>(
        &mut self,
        at: usize,
    ) -> (Tensor<TileMut<'_, S::Item>, SplitOf<L, MODE>>, Tensor<TileMut<'_, S::Item>, SplitOf<L, MODE>>)
    where
        S: StorageMut,
        L: SplitMode<MODE> + Injective,
    {
        const { assert_disjoint(L::MODES) };
        expect(self.try_split_at_mut::<MODE>(at))
    }

    /// [`split_at_mut`](Tensor::split_at_mut), with an error in place of a panic.
    ///
    /// # Errors
    /// Those of [`try_split_at`](Tensor::try_split_at), and `overlap` if two coordinates share an element.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let broadcast = 0;
    /// let mut t = Tensor::new(vec![0; 6], layout!((4, 6):(broadcast, 1)))?;
    /// assert_eq!(t.try_split_at_mut::<0>(1).unwrap_err().kind().as_str(), "overlap");
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    #[allow(clippy::type_complexity, reason = "two views under the layout of a slice, or an error")]
    pub fn try_split_at_mut<const MODE: usize>(
        &mut self,
        at: usize,
    ) -> Result<
        (Tensor<TileMut<'_, S::Item>, SplitOf<L, MODE>>, Tensor<TileMut<'_, S::Item>, SplitOf<L, MODE>>),
        LayoutError,
    >
    where
        S: StorageMut,
        L: SplitMode<MODE>,
    {
        let halves = [self.layout.in_mode(..at)?, self.layout.in_mode(at..)?];
        for half in &halves {
            if !half.within(&self.layout) {
                return Err(no_slice(self.layout.clone(), half.clone()));
            }
        }
        if let Err(fault) = self.disjoint(&self.layout) {
            return Err(LayoutError::new("parts_mut", fault).with_operand(&self.layout));
        }
        let memory = Exclusive(self.storage.base_mut(), PhantomData);
        let [before, behind] = halves.map(|half| {
            let (layout, offset, span) = sliced(&self.layout, half);
            // SAFETY: (1) the half is within the layout, so that its offsets, moved, are offsets of it (`SliceIn`), at
            // which the storage, borrowed mutably for as long as both live, may be written. (2) The numbers of the mode
            // `MODE` are below `at` in the one half, and not in the other (`SplitMode`): they share no coordinate, and
            // no offset, the layout being injective.
            Tensor { storage: unsafe { memory.part(offset, span) }, layout }
        });
        Ok((before, behind))
    }
}
