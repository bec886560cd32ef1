//! Tiles, partitions and sides of a tensor: shared views, or mutable views that are disjoint.
//!
//! ```text
//! tiles(t, T)       = the columns of zipped_divide(L, T)
//! partitions(t, V)  = the rows of L o V
//! ragged, sides     = ranges of modes of L
//! ```
//!
//! Mutable parts need an injective layout. For a static layout a constant proves that; if it is not
//! injective, the build stops with the numbers at fault.

use core::ops::RangeFull;

use crate::algebra::LayoutAlgebra;
use crate::algebra::divide::{ZippedDivide, ZippedDivision};
use crate::algebra::operation::{self, Gives};
use crate::algebra::traits::{Compose, Composition};
use crate::error::{Fault, LayoutError, expect};
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::tensor::memory::{
    Addressable, SliceIn, Storage, StorageMut, Tensor, TileMut, no_slice, sliced,
};
use crate::tensor::parts::grid::{RaggedDivide, SplitMode, SplitOf};
use crate::tensor::parts::numbered::{
    Columns, Exclusive, Numbering, Parts, PartsMemory, PartsOf, Rows, Viewed, assert_disjoint,
};

/// All tiles of a tensor as views: the columns of the divided layout `L`. What [`Tensor::tiles`]
/// returns.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::Tiles;
/// fn count(tiles: &Tiles<'_, [i32; 8], ZippedDivision<Layout!((2, 4)), Tiler!(2, 2)>>) -> usize {
///     tiles.len()
/// }
/// assert_eq!(count(&Tensor::fixed([0; 8], layout!((2, 4))).tiles(tiler!(2, 2))), 2);
/// ```
pub type Tiles<'a, S, L> = PartsOf<Viewed<'a, S>, L, Columns>;
/// [`ZippedDivision`] as an associated type of the tiler, so that a method's own bound is the one
/// reported as missing: see [`Gives`].
type DividedBy<L, T> = <T as Gives<operation::ZippedDivide, L>>::Output;
/// `V: Deals<L>`: the thread-value layout `V` deals out the elements under the layout `L`: what
/// [`Tensor::partitions_mut`] asks for. Each kind of layout has an impl of its own, so that a type
/// that is no layout gives one error.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::Deals;
/// use static_assertions::{assert_impl_all, assert_not_impl_any};
/// assert_impl_all!(Layout!((4, 6)): Deals<Layout!((4, 6): right)>);
/// assert_not_impl_any!(usize: Deals<Layout!((4, 6): right)>);
/// ```
#[diagnostic::on_unimplemented(
    message = "a thread-value layout has to be a layout of two modes, threads and values",
    label = "`{Self}` is none",
    note = "`make_layout_tv` makes it of a layout of threads and a layout of values"
)]
pub trait Deals<L>: Sized {
    /// The layout of the tensor, composed with this one.
    type Dealt: Addressable;
    #[doc(hidden)]
    fn deal(self, layout: &L) -> Result<Self::Dealt, LayoutError>;
    /// Its rows.
    ///
    /// # Safety
    /// As [`PartsOf::new`].
    #[doc(hidden)]
    unsafe fn rows<T>(
        memory: Exclusive<'_, T>,
        dealt: Self::Dealt,
    ) -> Parts<'_, T, Self::Dealt, Rows>;
}
macro_rules! deals {
    ($([$($generic:ident)*] $tv:ty;)*) => {
        $(#[doc(hidden)]
        impl<L, $($generic),*> Deals<L> for $tv
        where
            L: Compose<Self, Output: Addressable>,
            (usize, RangeFull): SliceIn<Composition<L, Self>>,
        {
            type Dealt = Composition<L, Self>;
            #[inline]
            fn deal(self, layout: &L) -> Result<Self::Dealt, LayoutError> {
                Compose::evaluated(layout.clone(), self)
            }
            #[inline]
            unsafe fn rows<T>(memory: Exclusive<'_, T>, dealt: Self::Dealt) -> Parts<'_, T, Self::Dealt, Rows> {
                // SAFETY: the caller's promise.
                unsafe { PartsOf::new(memory, dealt, Rows) }
            }
        })*
    };
}
deals! { [A B D] StridedLayout<(A, B), D>; [] RefusedLayout; }
#[cfg(feature = "alloc")]
deals! { [] crate::dynamic::DynLayout; }
/// [`RaggedDivide`] as an associated type of the tiler `Self`. A method's bound repeats what `Grid`
/// is, although `RaggedDivide` says it: so the compiler reports the missing bound before it knows
/// the tiler, whose numbers it would print as bits.
pub trait Cuts<L> {
    type Grid;
}
impl<L: RaggedDivide<X>, X> Cuts<L> for X {
    type Grid = L::Grid;
}
/// All tiles of a tensor as views; residue tiles at the edges are smaller. What
/// [`Tensor::ragged_tiles`] returns.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::RaggedTiles;
/// fn count(tiles: &RaggedTiles<'_, [i32; 8], Layout!((2, 4)), Tiler!(2, 3)>) -> usize {
///     tiles.len()
/// }
/// assert_eq!(count(&Tensor::fixed([0; 8], layout!((2, 4))).ragged_tiles(tiler!(2, 3))), 2);
/// ```
pub type RaggedTiles<'a, S, L, X> = PartsOf<Viewed<'a, S>, L, <X as Cuts<L>>::Grid>;
/// All tiles of a tensor as disjoint mutable views; residue tiles at the edges are smaller. What
/// [`Tensor::ragged_tiles_mut`] returns.
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

impl<S: Storage, L: Addressable> Tensor<S, L> {
    /// The partitions of all threads of a thread-value layout, as disjoint mutable views in the
    /// order of the threads.
    ///
    /// `t.partitions_mut(tv)?.nth(i)[v] == t.compose(tv)[(i, v)]`: the values of thread `i`, those
    /// of [`partition_tv_mut`](Tensor::partition_tv_mut) with the whole tensor as one tile.
    ///
    /// # Errors
    /// Those of [`compose`](LayoutAlgebra::compose); `overlap` if two threads, or two values of
    /// one, share an element; `rank` if a `DynLayout` has not two modes; `profile` if the threads
    /// get fewer elements than there are.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// // 2 x 2 threads with 2 x 3 values each, whatever the tensor's own layout is.
    /// let tv = layout!(((2, 2), (2, 3)):((2, 12), (1, 4)));
    /// let mut t = Tensor::new(vec![0; 24], layout!((4, 6): right))?;
    /// for (thread, mut values) in t.partitions_mut(tv)?.enumerate() {
    ///     values.fill(thread);
    /// }
    /// assert_eq!(t.into_storage()[..12], [0, 0, 0, 2, 2, 2, 0, 0, 0, 2, 2, 2]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn partitions_mut<V>(
        &mut self,
        tv: V,
    ) -> Result<Parts<'_, S::Item, V::Dealt, Rows>, LayoutError>
    where
        S: StorageMut,
        V: Deals<L>,
    {
        let dealt = tv.deal(self.layout())?;
        let checked = match dealt.rank() {
            2 => self.disjoint(&dealt).and(match (dealt.size(), self.size()) {
                (dealt, elements) if dealt < elements => Err(Fault::Undealt { dealt, elements }),
                _ => Ok(()),
            }),
            rank => Err(Fault::Rank { needed: 2, rank }),
        };
        match checked {
            // SAFETY: the storage accepts the layout, whose offsets differ; and it is borrowed
            // mutably for as long as the parts live.
            Ok(()) => Ok(unsafe { V::rows(Exclusive::new(self.storage_mut().base_mut()), dealt) }),
            Err(fault) => {
                Err(LayoutError::new("parts_mut", fault).with_operands(self.layout(), &dealt))
            }
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
        self.storage().accepts(Some(self.layout()), layout)?;
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
    /// If the layout has dynamic leaves, and the tiler does not divide it or two of its coordinates
    /// share an element; [`try_tiles_mut`](Tensor::try_tiles_mut) returns the error.
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
    /// ```compile_fail,E0080
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 24], layout!((4, 6):(0, 1)));
    /// t.tiles_mut(tiler!(2, 3)); // the mode 4:0 overlaps the 1 offsets that the modes below it span
    /// ```
    ///
    /// Modes may interleave, as long as no two coordinates share an element:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 24], layout!((5, 3):(3, 5)));
    /// assert_eq!(t.tiles_mut(tiler!(_, 1)).len(), 3);
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
        L: ZippedDivide<T, Output: Addressable>,
        (RangeFull, usize): SliceIn<ZippedDivision<L, T>>,
    {
        const { assert_disjoint(L::MODES) };
        expect(self.try_tiles_mut(tiler))
    }

    /// [`tiles_mut`](Tensor::tiles_mut), with an error in place of a panic.
    ///
    /// # Errors
    /// Those of [`zipped_divide`](LayoutAlgebra::zipped_divide), and `overlap` if two coordinates
    /// share an element.
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
    ) -> Result<Parts<'_, S::Item, DividedBy<L, T>, Columns>, LayoutError>
    where
        S: StorageMut,
        L: ZippedDivide<T, Output: Addressable>,
        (RangeFull, usize): SliceIn<ZippedDivision<L, T>>,
    {
        let divided = self.layout().try_zipped_divide(tiler)?;
        match self.disjoint(&divided) {
            // SAFETY: as in `partitions_mut`.
            Ok(()) => Ok(unsafe {
                PartsOf::new(Exclusive::new(self.storage_mut().base_mut()), divided, Columns)
            }),
            Err(fault) => {
                // The tiles overlap because the tensor's own modes overlap: the error names those.
                let fault = self.layout().modes().injective().err().unwrap_or(fault);
                Err(LayoutError::new("parts_mut", fault).with_operands(self.layout(), &divided))
            }
        }
    }

    /// All tiles as views, in the order of the tiles.
    ///
    /// `t.tiles(tiler).nth(i) == t.local_tile(tiler, i)`
    ///
    /// # Panics
    /// If the layout has dynamic leaves, and the tiler does not divide it;
    /// [`try_tiles`](Tensor::try_tiles) returns the error.
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
    /// Those of [`zipped_divide`](LayoutAlgebra::zipped_divide).
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
        let divided = self.layout().try_zipped_divide(tiler)?;
        match self.storage().accepts(Some(self.layout()), &divided) {
            // SAFETY: the storage, which is borrowed as long as the parts live, accepts the layout.
            Ok(()) => Ok(unsafe { PartsOf::new(Viewed(self.storage()), divided, Columns) }),
            Err(fault) => {
                Err(LayoutError::new("with_layout", fault).with_operands(self.layout(), &divided))
            }
        }
    }

    /// All tiles as views, in the order of the tiles. The tiler need not divide the tensor: residue
    /// tiles at the edges are smaller. Each tile is a block: an entry of the tiler is a number, or
    /// `_` for a whole mode; a mode without an entry is cut into single numbers. The extents of the
    /// tiles are known at run time.
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
    /// assert_eq!(
    ///     tiles.iter().map(|tile| tile.shape()).collect::<Vec<_>>(),
    ///     [(2, 3), (1, 3), (2, 2), (1, 2)]
    /// );
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
    /// `divisibility` if a number of the tiler is 0, or a tile of a nested mode is no layout; under
    /// a `DynLayout`, `rank` or `profile` if the tiler does not fit the layout, or has entries that
    /// are no numbers.
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
        let (layout, grid) = (self.layout().clone(), self.layout().grid(tiler)?);
        // SAFETY: the storage, which is borrowed as long as the parts live, has accepted the
        // layout.
        Ok(unsafe { PartsOf::new(Viewed(self.storage()), layout, grid) })
    }

    /// [`ragged_tiles`](Tensor::ragged_tiles), as disjoint mutable views. Every element of the
    /// tensor is in exactly one tile.
    ///
    /// # Panics
    /// As [`ragged_tiles`](Tensor::ragged_tiles), and if the layout has dynamic leaves and two of
    /// its coordinates share an element; [`try_ragged_tiles_mut`](Tensor::try_ragged_tiles_mut)
    /// returns the error.
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
    /// ```compile_fail,E0080
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 24], layout!((4, 6):(0, 1)));
    /// // the mode 4:0 overlaps the 1 offsets that the modes below it span
    /// t.ragged_tiles_mut(tiler!(3, 4));
    /// ```
    #[inline]
    #[track_caller]
    pub fn ragged_tiles_mut<X>(&mut self, tiler: X) -> RaggedTilesMut<'_, S::Item, L, X>
    where
        S: StorageMut,
        L: RaggedDivide<X, Grid: Numbering<L>>,
    {
        const { assert_disjoint(L::MODES) };
        expect(self.try_ragged_tiles_mut(tiler))
    }

    /// [`ragged_tiles_mut`](Tensor::ragged_tiles_mut), with an error in place of a panic.
    ///
    /// # Errors
    /// Those of [`try_ragged_tiles`](Tensor::try_ragged_tiles), and `overlap` if two coordinates
    /// share an element.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let broadcast = 0;
    /// let mut t = Tensor::new(vec![0; 6], layout!((4, 6):(broadcast, 1)))?;
    /// assert_eq!(t.try_ragged_tiles_mut(tiler!(3, 4)).unwrap_err().kind().as_str(), "overlap");
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn try_ragged_tiles_mut<X>(
        &mut self,
        tiler: X,
    ) -> Result<RaggedTilesMut<'_, S::Item, L, X>, LayoutError>
    where
        S: StorageMut,
        L: RaggedDivide<X, Grid: Numbering<L>>,
    {
        let (layout, grid) = (self.layout().clone(), self.layout().grid(tiler)?);
        match self.disjoint(&layout) {
            // SAFETY: as in `partitions_mut`.
            Ok(()) => Ok(unsafe {
                PartsOf::new(Exclusive::new(self.storage_mut().base_mut()), layout, grid)
            }),
            Err(fault) => Err(LayoutError::new("parts_mut", fault).with_operand(&layout)),
        }
    }

    /// Two views: the elements whose number in mode `MODE` is below `at`, and the others.
    ///
    /// `t.split_at::<1>(at) == (t.slice((.., ..at)), t.slice((.., at..)))`
    ///
    /// # Panics
    /// If `at` lies beyond the mode, or a part of a nested mode is no layout;
    /// [`try_split_at`](Tensor::try_split_at) returns the error.
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
    /// `bounds` if `at` lies beyond the mode, `divisibility` if a part of a nested mode is no
    /// layout; under a `DynLayout`, `rank` if there is no such mode.
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
    ) -> Result<
        (Tensor<S::View<'_>, SplitOf<L, MODE>>, Tensor<S::View<'_>, SplitOf<L, MODE>>),
        LayoutError,
    >
    where
        L: SplitMode<MODE>,
    {
        let (before, behind) = (self.layout().in_mode(..at)?, self.layout().in_mode(at..)?);
        Ok((self.try_slice(before)?, self.try_slice(behind)?))
    }

    /// [`split_at`](Tensor::split_at), as disjoint mutable views.
    ///
    /// # Panics
    /// As [`split_at`](Tensor::split_at), and if the layout has dynamic leaves and two of its
    /// coordinates share an element; [`try_split_at_mut`](Tensor::try_split_at_mut) returns the
    /// error.
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
    ) -> (
        Tensor<TileMut<'_, S::Item>, SplitOf<L, MODE>>,
        Tensor<TileMut<'_, S::Item>, SplitOf<L, MODE>>,
    )
    where
        S: StorageMut,
        L: SplitMode<MODE>,
    {
        const { assert_disjoint(L::MODES) };
        expect(self.try_split_at_mut::<MODE>(at))
    }

    /// [`split_at_mut`](Tensor::split_at_mut), with an error in place of a panic.
    ///
    /// # Errors
    /// Those of [`try_split_at`](Tensor::try_split_at), and `overlap` if two coordinates share an
    /// element.
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
        (
            Tensor<TileMut<'_, S::Item>, SplitOf<L, MODE>>,
            Tensor<TileMut<'_, S::Item>, SplitOf<L, MODE>>,
        ),
        LayoutError,
    >
    where
        S: StorageMut,
        L: SplitMode<MODE>,
    {
        let halves = [self.layout().in_mode(..at)?, self.layout().in_mode(at..)?];
        for half in &halves {
            if !half.within(self.layout()) {
                return Err(no_slice(self.layout().clone(), half.clone()));
            }
        }
        if let Err(fault) = self.disjoint(self.layout()) {
            return Err(LayoutError::new("parts_mut", fault).with_operand(self.layout()));
        }
        let memory = Exclusive::new(self.storage_mut().base_mut());
        let [before, behind] = halves.map(|half| {
            let (layout, offset, span) = sliced(self.layout(), half);
            // SAFETY: (1) the half is within the layout, so that its offsets, moved, are offsets of
            // it (`SliceIn`), at which the storage, borrowed mutably for as long as both live, may
            // be written. (2) The numbers of the mode `MODE` are below `at` in the one half, and
            // not in the other (`SplitMode`): they share no coordinate, and no offset, the layout
            // being injective.
            unsafe { Tensor::from_storage_unchecked(memory.part(offset, span), layout) }
        });
        Ok((before, behind))
    }
}
