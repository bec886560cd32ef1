//! Disjoint parts of one tensor as mutable views, for threads to write to at the same time.
//!
//! ```text
//! L injective  =>  { L(x, i) } and { L(x, j) } share nothing for i != j
//! ```

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ops::RangeFull;

use crate::error::Fault;
use crate::layout::flat::Message;
use crate::layout::traits::Layout;
use crate::tensor::bounds::SortedModes;
use crate::tensor::memory::{Addressable, SliceIn, Storage, Tensor, TileMut, sliced};

/// The numbering of parts: which slice of the layout `L` is part `i`.
///
/// # Safety
/// Parts of different numbers, each of them within the layout, share no coordinate of it.
#[diagnostic::on_unimplemented(
    message = "this does not number the parts of a layout",
    label = "`{Self}`: not a numbering of the parts of `{L}`",
    note = "generic code names `PartsOf` with the numbering that `tiles`, `ragged_tiles` or `partitions_mut` gives"
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

macro_rules! counted {
    ($($(#[$doc:meta])* $by:ident: $coordinate:ty, $i:ident => $part:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $by;
        // SAFETY: each part fixes the same mode, at a number of its own.
        unsafe impl<L: Addressable> Numbering<L> for $by
        where
            $coordinate: SliceIn<L>,
        {
            type Coordinate = $coordinate;
            #[inline(always)]
            fn count(&self, layout: &L) -> usize {
                match layout.size() {
                    // An empty layout may have parts, each of them empty: as many as there are
                    // numbers within it.
                    0 => first_beyond(|i| !Self.part(i, layout).within(layout)),
                    size => size / Self.part(0, layout).slice_in(layout.clone()).0.size(),
                }
            }
            #[inline(always)]
            fn part(&self, $i: usize, _: &L) -> $coordinate {
                $part
            }
        }
    )*};
}
counted! {
    /// The parts are the rows `(i, ..)`, the threads of a thread-value layout: those that
    /// [`Tensor::partitions_mut`] returns.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_algebra::tensor::{Parts, Rows};
    /// fn count(threads: &Parts<'_, i32, Layout!((2, 3)), Rows>) -> usize {
    ///     threads.len()
    /// }
    /// assert_eq!(count(&Tensor::fixed([0; 6], layout!(6)).partitions_mut(layout!((2, 3)))?), 2);
    /// # Ok::<(), LayoutError>(())
    /// ```
    Rows: (usize, RangeFull), i => (i, ..);
    /// The parts are the columns `(.., j)`, the tiles of a zipped divide: those that
    /// [`Tensor::tiles_mut`] returns.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_algebra::tensor::{Columns, Parts};
    /// fn count(tiles: &Parts<'_, i32, ZippedDivision<Layout!((2, 4)), Tiler!(2, 2)>, Columns>) -> usize {
    ///     tiles.len()
    /// }
    /// assert_eq!(count(&Tensor::fixed([0; 8], layout!((2, 4))).tiles_mut(tiler!(2, 2))), 2);
    /// ```
    Columns: (RangeFull, usize), j => (.., j);
}

/// The first number that is `beyond`; all later numbers are too.
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

/// The memory that parts are handed out of.
///
/// # Safety
/// [`duplicate`](PartsMemory::duplicate) is the same memory.
#[diagnostic::on_unimplemented(
    message = "no parts are handed out of this memory",
    label = "`{Self}`: neither `Viewed` nor `Exclusive`",
    note = "`Viewed` is the memory of parts that are read, `Exclusive` that of parts that are written"
)]
#[doc(hidden)]
pub unsafe trait PartsMemory {
    /// The storage of a part.
    type Part: Storage;
    /// The part from `offset` on, for a layout of the span `span`; `None` if the span would take a
    /// search.
    ///
    /// # Safety
    /// 1. As for [`Storage::view`], of the layout that the parts are of.
    /// 2. Of exclusive memory, no two parts that are handed out share an element.
    unsafe fn part(&self, offset: usize, span: Option<usize>) -> Self::Part;
    /// The same memory.
    fn duplicate(&self) -> Self;
}
/// The elements of a layout from a place on. Each element belongs to one part alone.
#[doc(hidden)]
#[derive(Debug)]
pub struct Exclusive<'a, T>(*mut T, PhantomData<&'a mut T>);
impl<T> Exclusive<'_, T> {
    #[inline(always)]
    pub(super) fn new(base: *mut T) -> Self {
        Exclusive(base, PhantomData)
    }
}
// SAFETY: it is as good as `&'a mut T` for each of the elements that it still hands out, which
// nobody else has.
unsafe impl<T: Send> Send for Exclusive<'_, T> {}
// SAFETY: a shared one gives access only through `part`, whose caller promises that no two parts
// share an element.
unsafe impl<T: Sync> Sync for Exclusive<'_, T> {}
// SAFETY: the pointer is the same.
unsafe impl<'a, T> PartsMemory for Exclusive<'a, T> {
    type Part = TileMut<'a, T>;
    #[inline(always)]
    unsafe fn part(&self, offset: usize, _: Option<usize>) -> TileMut<'a, T> {
        // SAFETY: whoever made `self` was promised the elements of the layout for `'a`; those of
        // the part are among them (1), and in no other part (2).
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
pub struct Viewed<'a, S>(pub(super) &'a S);
// SAFETY: the reference is the same.
unsafe impl<'a, S: Storage> PartsMemory for Viewed<'a, S> {
    type Part = S::View<'a>;
    #[inline(always)]
    unsafe fn part(&self, offset: usize, span: Option<usize>) -> S::View<'a> {
        // SAFETY: the caller's promise (1).
        unsafe { self.0.view(offset, span) }
    }
    #[inline(always)]
    fn duplicate(&self) -> Self {
        Viewed(self.0)
    }
}

/// Parts of a tensor: an iterator over views, which may go to other threads. What [`Tensor::tiles`]
/// and [`Tensor::ragged_tiles`] return, and, with views that are mutable and disjoint,
/// [`Tensor::tiles_mut`] and [`Tensor::ragged_tiles_mut`].
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
#[must_use]
pub struct PartsOf<M, L, N> {
    memory: M,
    layout: L,
    numbering: N,
    next: usize,
    end: usize,
}
/// The layout of the parts, and how many of them are left; the elements belong to the tensor.
impl<M, L: fmt::Debug, N> fmt::Debug for PartsOf<M, L, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} parts of {:?}", self.end - self.next, self.layout)
    }
}
/// Disjoint parts of a tensor as mutable views: the rows or columns of the layout `L`. What
/// [`Tensor::tiles_mut`] and [`Tensor::partitions_mut`] return.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::{Columns, Parts};
/// fn count(tiles: &Parts<'_, i32, ZippedDivision<Layout!((2, 4)), Tiler!(2, 2)>, Columns>) -> usize {
///     tiles.len()
/// }
/// assert_eq!(count(&Tensor::fixed([0; 8], layout!((2, 4))).tiles_mut(tiler!(2, 2))), 2);
/// ```
pub type Parts<'a, T, L, K> = PartsOf<Exclusive<'a, T>, L, K>;
impl<M: PartsMemory, L: Addressable, N: Numbering<L>> PartsOf<M, L, N> {
    /// # Safety
    /// Every element at an offset of the layout may be reached in the memory; if that is exclusive,
    /// the layout is injective, and no other path leads to them.
    #[inline]
    pub(super) unsafe fn new(memory: M, layout: L, numbering: N) -> Self {
        let end = numbering.count(&layout);
        PartsOf { memory, layout, numbering, next: 0, end }
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
        // SAFETY: (1) the part's offsets, moved, are offsets of the layout (`SliceIn`), under which
        // `new` was promised the elements; the rest of what `view` asks for is `sliced`'s. (2)
        // Those of different `i` are at different coordinates (`Numbering`), and so they differ,
        // the layout being injective. Each `i` is in one `PartsOf` alone, and is given out once:
        // `next` moves past it, `end` before it, and `split_at` deals the rest out to one side
        // each.
        Some(unsafe { Tensor::from_storage_unchecked(self.memory.part(offset, span), layout) })
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
        let (memory, layout, numbering) =
            (self.memory.duplicate(), self.layout.clone(), self.numbering.clone());
        (
            PartsOf { end: middle, ..self },
            PartsOf { memory, layout, numbering, next: middle, end: self.end },
        )
    }
}
impl<T, L: Addressable, N: Numbering<L>> PartsOf<Exclusive<'_, T>, L, N> {
    /// The same parts, borrowed for a shorter time.
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
/// Shared views may be cloned.
impl<S: Storage, L: Clone, N: Clone> Clone for PartsOf<Viewed<'_, S>, L, N> {
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

/// Stops the build with the numbers at fault if the modes overlap.
pub(in crate::tensor) const fn assert_disjoint(modes: Option<SortedModes>) {
    let Some(modes) = modes else { return };
    match modes.injective() {
        Ok(()) => {}
        Err(Fault::Overlap { extent, stride, below }) => {
            let text =
                Message::new().text("cannot hand out disjoint parts: the mode ").number(extent);
            let text = text.text(":").number(stride);
            let text = text
                .text(" overlaps the ")
                .number(below)
                .text(" offsets that the modes below it span");
            panic!("{}", text.as_str())
        }
        Err(Fault::Undecided { .. }) => {
            panic!(
                "whether disjoint parts overlap is not decided after 4096 steps: the layout needs simpler modes"
            )
        }
        Err(_) => {
            panic!(
                "cannot hand out disjoint parts: this layout has too many modes to be checked, coalesce it first"
            )
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::String;

    /// The build stops with this sentence, and layouts that interleave pass.
    #[test]
    fn parts_that_overlap_have_a_sentence() {
        let message = |modes: &[(usize, usize)]| {
            let mut sorted = SortedModes::new();
            modes.iter().for_each(|&(extent, stride)| sorted.push(extent, stride));
            let panic = std::panic::catch_unwind(|| assert_disjoint(Some(sorted))).err();
            panic.and_then(|message| message.downcast::<String>().ok()).map(|message| *message)
        };
        let sentence = "cannot hand out disjoint parts: the mode 4:4 overlaps the 13 offsets that the modes below it span";
        assert_eq!(message(&[(5, 3), (4, 4)]).as_deref(), Some(sentence));
        assert_eq!((message(&[(5, 3), (3, 5)]), message(&[(4, 1), (6, 4)])), (None, None));
    }
}
