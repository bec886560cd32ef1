//! All operations as methods of every layout.

use crate::algebra::coalesce::{Coalesce, CoalesceBy, Coalesced, CoalescedBy};
use crate::algebra::complement::{Complement, ComplementCeil, ComplementCeilOf, ComplementOf};
use crate::algebra::composition::{Compose, Composition};
use crate::algebra::divide::{LogicalDivide, LogicalDivision, ZippedDivide, ZippedDivision};
use crate::algebra::round_up::{RoundUp, RoundedUp};
use crate::error::LayoutError;
use crate::layout::Layout;
use crate::slice::SliceOf;

/// The operations of the algebra as methods.
///
/// What the types know is decided at compile time. What only run time can know, because an operand has dynamic leaves, is
/// checked then: each method panics with the text of a [`LayoutError`], and its `try_` twin returns it.
pub trait LayoutAlgebra: Layout + Sized {
    /// The layout in the fewest modes. CuTe's `coalesce`.
    ///
    /// `coalesce(L)(i) == L(i)` for all `i < size(L)`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((2, (1, 6)):(1, (6, 2))).coalesce(), layout!(12:1));
    /// ```
    #[inline(always)]
    fn coalesce(&self) -> Coalesced<Self>
    where
        Self: Coalesce,
    {
        Coalesce::coalesced(self.clone())
    }

    /// The layout of the modes at `..`, and the offset of the coordinates in the other ones. CuTe's `slice_and_offset`.
    ///
    /// `R(x) + offset == L(c with x in the place of ..)`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let (row, offset) = layout!((4, 6):(1, 4)).slice((1, ..));
    /// assert_eq!((row, offset), (layout!(6:4), 1));
    /// ```
    #[inline(always)]
    fn slice<C>(&self, coordinate: C) -> (C::Output, usize)
    where
        C: SliceOf<Self>,
    {
        coordinate.slice_of(self.clone())
    }

    /// The composition with a layout, a number `n` (for `n:1`) or a [`Tiler`](crate::Tiler) that goes mode by mode.
    ///
    /// `(A o B)(c) == A(B(c))`. CuTe's `composition`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let n = 8;
    /// let a = layout!((n, 64):(1, n)); // the last mode is the unbounded one
    /// assert_eq!(format!("{:#}", a.compose(tiler!(4:2, 16))), "(4,16):(2,8)");
    /// ```
    #[inline(always)]
    #[track_caller]
    fn compose<B>(&self, right: B) -> Composition<Self, B>
    where
        Self: Compose<B>,
    {
        expect(self.try_compose(right))
    }
    /// [`compose`](LayoutAlgebra::compose), with an error in place of a panic.
    #[inline(always)]
    fn try_compose<B>(&self, right: B) -> Result<Composition<Self, B>, LayoutError>
    where
        Self: Compose<B>,
    {
        Self::composition(self.clone(), right)
    }

    /// What the layout leaves free in the range `extent`.
    ///
    /// `(L, complement(L, M))` is a bijection onto `[0, M)`, once stride-0 modes are dropped. CuTe's `complement`, but exact.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((2, 4):(1, 2)).complement(int!(16)), layout!(2:8));
    /// let m = 48;
    /// assert_eq!(format!("{:#}", layout!((2, 4):(1, 2)).complement(m)), "6:8");
    /// ```
    #[inline(always)]
    #[track_caller]
    fn complement<M>(&self, extent: M) -> ComplementOf<Self, M>
    where
        Self: Complement<M>,
    {
        expect(self.try_complement(extent))
    }
    /// [`complement`](LayoutAlgebra::complement), with an error in place of a panic.
    #[inline(always)]
    fn try_complement<M>(&self, extent: M) -> Result<ComplementOf<Self, M>, LayoutError>
    where
        Self: Complement<M>,
    {
        Self::complement_in(self.clone(), extent)
    }

    /// The complement in `extent` rounded up to a multiple of what the layout spans.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((2, 4):(1, 2)).complement_ceil(int!(13)), layout!(2:8));
    /// ```
    #[inline(always)]
    #[track_caller]
    fn complement_ceil<M>(&self, extent: M) -> ComplementCeilOf<Self, M>
    where
        Self: ComplementCeil<M>,
    {
        expect(self.try_complement_ceil(extent))
    }
    /// [`complement_ceil`](LayoutAlgebra::complement_ceil), with an error in place of a panic.
    #[inline(always)]
    fn try_complement_ceil<M>(&self, extent: M) -> Result<ComplementCeilOf<Self, M>, LayoutError>
    where
        Self: ComplementCeil<M>,
    {
        Self::complement_ceil_in(self.clone(), extent)
    }

    /// The layout cut into tiles, mode by mode with a [`Tiler`](crate::Tiler): mode 0 is a tile, mode 1 counts the tiles.
    ///
    /// `logical_divide(A, T) == A o (T, complement(T, size(A)))`. CuTe's `logical_divide`, but exact.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!(12:1).logical_divide(layout!(4:1)), layout!((4, 3):(1, 4)));
    /// assert_eq!(layout!((4, 6):(1, 4)).logical_divide(tiler!(2, 3)), layout!(((2, 2), (3, 2)):((1, 2), (4, 12))));
    /// ```
    ///
    /// A tile that does not divide does not compile:
    ///
    /// ```compile_fail
    /// use layout_algebra::prelude::*;
    /// layout!(12:1).logical_divide(layout!(5:1)); // LogicalDivide: extent N<12> is not a multiple of N<5>, what the tile spans
    /// ```
    #[inline(always)]
    #[track_caller]
    fn logical_divide<T>(&self, tile: T) -> LogicalDivision<Self, T>
    where
        Self: LogicalDivide<T>,
    {
        expect(self.try_logical_divide(tile))
    }
    /// [`logical_divide`](LayoutAlgebra::logical_divide), with an error in place of a panic.
    #[inline(always)]
    fn try_logical_divide<T>(&self, tile: T) -> Result<LogicalDivision<Self, T>, LayoutError>
    where
        Self: LogicalDivide<T>,
    {
        Self::logical_division(self.clone(), tile)
    }

    /// The layout cut into tiles: mode 0 is a tile with the tiles of all modes, mode 1 counts the tiles.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let (m, n) = (128, 96);
    /// let tiles = layout!((m, n):(n, 1)).zipped_divide(tiler!(16, 8));
    /// assert_eq!(format!("{tiles:#}"), "((16,8),(8,12)):((96,1),(1536,8))");
    /// // The tile in row 2, column 3 of tiles begins at element (32, 24).
    /// assert_eq!(tiles.index(((0, 0), (2, 3))), 32 * n + 24);
    /// ```
    #[inline(always)]
    #[track_caller]
    fn zipped_divide<T>(&self, tile: T) -> ZippedDivision<Self, T>
    where
        Self: ZippedDivide<T>,
    {
        expect(self.try_zipped_divide(tile))
    }
    /// [`zipped_divide`](LayoutAlgebra::zipped_divide), with an error in place of a panic.
    #[inline(always)]
    fn try_zipped_divide<T>(&self, tile: T) -> Result<ZippedDivision<Self, T>, LayoutError>
    where
        Self: ZippedDivide<T>,
    {
        Self::zipped_division(self.clone(), tile)
    }

    /// The layout with each extent grown to the next multiple of what the tiler spans there, strides kept, so that a ragged
    /// size divides.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((100, 60):(60, 1)).round_up(tiler!(16, 8)), layout!((112, 64):(60, 1)));
    /// ```
    #[inline(always)]
    #[track_caller]
    fn round_up<T>(&self, tile: T) -> RoundedUp<Self, T>
    where
        Self: RoundUp<T>,
    {
        expect(self.try_round_up(tile))
    }
    /// [`round_up`](LayoutAlgebra::round_up), with an error in place of a panic.
    #[inline(always)]
    fn try_round_up<T>(&self, tile: T) -> Result<RoundedUp<Self, T>, LayoutError>
    where
        Self: RoundUp<T>,
    {
        Self::rounded_up(self.clone(), tile)
    }

    /// The layout coalesced within each leaf of a profile, whose numbers do not matter. CuTe's `coalesce` with a target profile.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let l = layout!((2, (1, 6)):(1, (6, 2)));
    /// assert_eq!(l.coalesce_by((1, 1)), layout!((2, 6):(1, 2)));
    /// ```
    #[inline(always)]
    #[track_caller]
    fn coalesce_by<P>(&self, profile: P) -> CoalescedBy<Self, P>
    where
        Self: CoalesceBy<P>,
    {
        expect(self.try_coalesce_by(profile))
    }
    /// [`coalesce_by`](LayoutAlgebra::coalesce_by), with an error in place of a panic.
    #[inline(always)]
    fn try_coalesce_by<P>(&self, profile: P) -> Result<CoalescedBy<Self, P>, LayoutError>
    where
        Self: CoalesceBy<P>,
    {
        Self::coalesced_by(self.clone(), profile)
    }
}
impl<L: Layout> LayoutAlgebra for L {}

#[inline(always)]
#[track_caller]
fn expect<T>(result: Result<T, LayoutError>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => fail(&error),
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn fail(error: &LayoutError) -> ! {
    panic!("{error}")
}
