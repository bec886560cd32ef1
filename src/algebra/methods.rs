//! All operations as methods of every layout.

use crate::algebra::coalesce::{Coalesce, CoalesceBy, Coalesced, CoalescedBy};
use crate::algebra::complement::{Complement, ComplementCeil, ComplementCeilOf, ComplementOf};
use crate::algebra::compose::composition::{Compose, Composition};
use crate::algebra::divide::{
    FlatDivide, FlatDivision, LogicalDivide, LogicalDivision, TiledDivide, TiledDivision, ZippedDivide, ZippedDivision,
};
use crate::algebra::filter::{Filter, FilterBy, Filtered, FilteredBy};
use crate::algebra::inverse::{
    LeftInverse, LeftInverseOf, MaxCommonLayout, MaxCommonLayoutOf, Nullspace, NullspaceOf, RightInverse,
    RightInverseOf,
};
use crate::algebra::modes::by_number::{
    Group, Grouped, ModeAt, ModeOf, Replace, Replaced, Take, Taken, Ungroup, Ungrouped,
};
use crate::algebra::modes::regroup::{
    Append, Appended, Flatten, Flattened, Prepend, Prepended, Reverse, Reversed, Select, Selected, Transpose,
    Transposed,
};
use crate::algebra::modes::slice::{Slice, Sliced};
use crate::algebra::product::{
    FlatProduct, FlatProductOf, LogicalProduct, LogicalProductOf, TiledProduct, TiledProductOf, ZippedProduct,
    ZippedProductOf,
};
use crate::algebra::recast::{Downcast, Downcasted, Recast, Recasted, Upcast, Upcasted};
use crate::algebra::reshape::{LayoutLike, LayoutLikeOf, WithShape, WithShapeOf};
use crate::algebra::round_up::{RoundUp, RoundedUp};
use crate::algebra::weave::{
    BlockedProduct, BlockedProductOf, RakedProduct, RakedProductOf, TileToShape, TileToShapeOf,
};
use crate::error::{LayoutError, expect};
use crate::layout::traits::Layout;

/// A method and its `try_` twin.
macro_rules! method {
    ($(#[$doc:meta])* $method:ident; $(#[$try_doc:meta])* $try_method:ident($right:ident): $trait:ident -> $alias:ident;) => {
        $(#[$doc])*
        #[inline(always)]
        #[track_caller]
        fn $method<B>(&self, $right: B) -> $alias<Self, B>
        where
            Self: $trait<B>,
        {
            expect(self.$try_method($right))
        }
        #[doc = concat!("[`", stringify!($method), "`](LayoutAlgebra::", stringify!($method), "), with an error in place of a panic.")]
        $(#[$try_doc])*
        #[inline(always)]
        fn $try_method<B>(&self, $right: B) -> Result<$alias<Self, B>, LayoutError>
        where
            Self: $trait<B>,
        {
            <Self as $trait<B>>::evaluated(self.clone(), $right)
        }
    };
    ($(#[$doc:meta])* $method:ident; $(#[$try_doc:meta])* $try_method:ident(): $trait:ident -> $alias:ident;) => {
        $(#[$doc])*
        #[inline(always)]
        #[track_caller]
        fn $method(&self) -> $alias<Self>
        where
            Self: $trait,
        {
            expect(self.$try_method())
        }
        #[doc = concat!("[`", stringify!($method), "`](LayoutAlgebra::", stringify!($method), "), with an error in place of a panic.")]
        $(#[$try_doc])*
        #[inline(always)]
        fn $try_method(&self) -> Result<$alias<Self>, LayoutError>
        where
            Self: $trait,
        {
            <Self as $trait>::evaluated(self.clone())
        }
    };
}

/// The operations of the algebra as methods.
///
/// What the types know is decided at compile time. What only run time can know, because an operand has dynamic leaves, is
/// checked then: each method panics with the text of a [`LayoutError`], and its `try_` twin returns it.
///
/// ```
/// use layout_algebra::prelude::*;
/// let (m, n) = (64, 48);
/// let tiles = layout!((m, n): right).zipped_divide(tiler!(16, 8));
/// let (tile, begin) = tiles.slice((.., (1, 2)));
/// assert_eq!((tile.shape(), begin), (shape!((16, 8)), 16 * n + 2 * 8));
/// assert!(layout!((m, n): right).try_zipped_divide(tiler!(16, 7)).is_err()); // 7 does not divide 48
/// ```
pub trait LayoutAlgebra: Layout + Sized {
    method! {
        /// The layout in the fewest modes. CuTe's `coalesce`.
        ///
        /// `coalesce(L)(i) == L(i)` for all `i < size(L)`
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// assert_eq!(layout!((2, (1, 6)):(1, (6, 2))).coalesce(), layout!(12:1));
        /// ```
        coalesce; try_coalesce(): Coalesce -> Coalesced;
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
    fn slice<C>(&self, coordinate: C) -> (Sliced<Self, C>, Self::Offset)
    where
        Self: Slice<C>,
    {
        Self::sliced(self.clone(), coordinate)
    }

    method! {
        /// The composition with a layout, a number `n` (for `n:1`) or a [`Tiler`](struct@crate::Tiler) that goes mode by mode.
        ///
        /// `(A o B)(c) == A(B(c))`. CuTe's `composition`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let n = 8;
        /// let a = layout!((n, 64):(1, n)); // the last mode is the unbounded one
        /// assert_eq!(format!("{:#}", a.compose(tiler!(4:2, 16))), "(4,16):(2,8)");
        /// ```
        compose;
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let n = usize::MAX;
        /// assert_eq!(layout!(6:4).try_compose(layout!(2:n)).unwrap_err().kind().as_str(), "overflow");
        /// ```
        try_compose(right): Compose -> Composition;
    }

    method! {
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
        complement;
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let m = 13;
        /// // 8 does not divide 13.
        /// assert_eq!(layout!((2, 4):(1, 2)).try_complement(m).unwrap_err().kind().as_str(), "divisibility");
        /// ```
        try_complement(extent): Complement -> ComplementOf;
    }

    method! {
        /// The complement in `extent` rounded up to a multiple of what the layout spans.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// assert_eq!(layout!((2, 4):(1, 2)).complement_ceil(int!(13)), layout!(2:8));
        /// ```
        complement_ceil;
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let m = 13;
        /// // 13 is rounded up to 16.
        /// assert_eq!(layout!((2, 4):(1, 2)).try_complement_ceil(m).map(|rest| rest.size()), Ok(2));
        /// ```
        try_complement_ceil(extent): ComplementCeil -> ComplementCeilOf;
    }

    method! {
        /// The layout cut into tiles, mode by mode with a [`Tiler`](struct@crate::Tiler): mode 0 is a tile, mode 1 counts the tiles.
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
        /// layout!(12:1).logical_divide(layout!(5:1)); // extent 12 is not a multiple of 5, what the tile spans
        /// ```
        logical_divide;
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let n = 6;
        /// assert_eq!(layout!((4, n)).try_logical_divide(tiler!(2, 4)).unwrap_err().kind().as_str(), "divisibility");
        /// assert_eq!(layout!((4, n)).try_logical_divide(tiler!(2, 3)).unwrap().size(), 24);
        /// ```
        try_logical_divide(tile): LogicalDivide -> LogicalDivision;
    }

    method! {
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
        zipped_divide;
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let n = 6;
        /// let error = layout!((4, n)).try_zipped_divide(tiler!(2, 4)).unwrap_err();
        /// assert_eq!(error.kind().as_str(), "divisibility");
        /// ```
        try_zipped_divide(tile): ZippedDivide -> ZippedDivision;
    }

    method! {
        /// The layout with each extent grown to the next multiple of what the tiler spans there, strides kept, so that a ragged
        /// size divides.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// assert_eq!(layout!((100, 60):(60, 1)).round_up(tiler!(16, 8)), layout!((112, 64):(60, 1)));
        /// ```
        round_up;
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let n = usize::MAX;
        /// assert_eq!(layout!((4, n):(1, 4)).try_round_up(tiler!(2, 4)).unwrap_err().kind().as_str(), "overflow");
        /// ```
        try_round_up(tile): RoundUp -> RoundedUp;
    }

    method! {
        /// The layout coalesced within each leaf of a profile, whose numbers do not matter. CuTe's `coalesce` with a target profile.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let l = layout!((2, (1, 6)):(1, (6, 2)));
        /// assert_eq!(l.coalesce_by((1, 1)), layout!((2, 6):(1, 2)));
        /// ```
        coalesce_by; try_coalesce_by(profile): CoalesceBy -> CoalescedBy;
    }

    method! {
        /// The layout without the modes that do not move, coalesced. CuTe's `filter`.
        ///
        /// `{filter(L)(i)} == {L(i)}`
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// assert_eq!(layout!((2, 4, 3):(1, 0, 2)).filter(), layout!(6:1));
        /// ```
        filter; try_filter(): Filter -> Filtered;
    }
    method! {
        /// The layout filtered within each leaf of a profile, whose numbers do not matter.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// assert_eq!(layout!(((2, 4), 3):((1, 0), 2)).filter_by((1, 1)), layout!((2, 3):(1, 2)));
        /// ```
        filter_by; try_filter_by(profile): FilterBy -> FilteredBy;
    }
    method! {
        /// The layout of the largest size with `L(R(i)) == i`. CuTe's `right_inverse`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let l = layout!((4, 8):(8, 1));
        /// let r = l.right_inverse();
        /// assert!((0..r.size()).all(|i| l.at(r.at(i)) == i));
        /// ```
        right_inverse; try_right_inverse(): RightInverse -> RightInverseOf;
    }
    method! {
        /// The layout with `R(L(i)) == i` where `L` is injective, and `L(R(L(i))) == L(i)` everywhere. CuTe's `left_inverse`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let l = layout!((4, 8):(10, 1)); // padded rows
        /// let r = l.left_inverse();
        /// assert!((0..l.size()).all(|i| r.at(l.at(i)) == i));
        /// ```
        left_inverse; try_left_inverse(): LeftInverse -> LeftInverseOf;
    }
    method! {
        /// The coordinates that lead to offset 0: `L(nullspace(L)(i)) == 0`. CuTe's `nullspace`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// assert_eq!(layout!((2, 4, 3):(1, 0, 2)).nullspace(), layout!(4:2));
        /// ```
        nullspace; try_nullspace(): Nullspace -> NullspaceOf;
    }
    method! {
        /// The largest layout known to the types with `A(R(i)) == B(R(i)) == i`. CuTe's `max_common_layout`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let (a, b) = (layout!((4, 8):(1, 4)), layout!((4, 8):(1, 10)));
        /// assert_eq!(a.max_common_layout(b), layout!(4:1));
        /// ```
        max_common_layout; try_max_common_layout(other): MaxCommonLayout -> MaxCommonLayoutOf;
    }
    method! {
        /// [`zipped_divide`](LayoutAlgebra::zipped_divide) with the rest as modes of its own. CuTe's `tiled_divide`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// assert_eq!(layout!((4, 6)).tiled_divide(tiler!(2, 3)), layout!(((2, 3), 2, 2):((1, 4), 2, 12)));
        /// ```
        tiled_divide;
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let n = 6;
        /// assert_eq!(layout!((4, n)).try_tiled_divide(tiler!(2, 4)).unwrap_err().kind().as_str(), "divisibility");
        /// ```
        try_tiled_divide(tile): TiledDivide -> TiledDivision;
    }
    method! {
        /// [`zipped_divide`](LayoutAlgebra::zipped_divide) with all modes on one level. CuTe's `flat_divide`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// assert_eq!(layout!((4, 6)).flat_divide(tiler!(2, 3)), layout!((2, 3, 2, 2):(1, 4, 2, 12)));
        /// ```
        flat_divide;
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let n = 6;
        /// assert_eq!(layout!((4, n)).try_flat_divide(tiler!(2, 4)).unwrap_err().kind().as_str(), "divisibility");
        /// ```
        try_flat_divide(tile): FlatDivide -> FlatDivision;
    }
    method! {
        /// Disjoint copies of the layout, laid out by `tile`; of each mode by itself with a [`Tiler`](struct@crate::Tiler). CuTe's `logical_product`.
        ///
        /// `logical_product(A, T) == (A, A* o T)`, `A*` being what `A` leaves free.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// assert_eq!(layout!((2, 2):(4, 1)).logical_product(int!(6)), layout!(((2, 2), (2, 3)):((4, 1), (2, 8))));
        /// ```
        logical_product;
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let n = usize::MAX;
        /// assert_eq!(layout!(4).try_logical_product(layout!(2:n)).unwrap_err().kind().as_str(), "overflow");
        /// ```
        try_logical_product(tile): LogicalProduct -> LogicalProductOf;
    }
    method! {
        /// The product with the modes of the layout in mode 0 and all copies in mode 1. CuTe's `zipped_product`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// assert_eq!(layout!((2, 4)).zipped_product(tiler!(3, _)), layout!(((2, 4), (3, 1)):((1, 2), (2, 0))));
        /// ```
        zipped_product;
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let n = usize::MAX;
        /// assert_eq!(layout!(4).try_zipped_product(layout!(2:n)).unwrap_err().kind().as_str(), "overflow");
        /// ```
        try_zipped_product(tile): ZippedProduct -> ZippedProductOf;
    }
    method! {
        /// The zipped product with the copies as modes of their own. CuTe's `tiled_product`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// assert_eq!(layout!((2, 4)).tiled_product(tiler!(3, _)), layout!(((2, 4), 3, 1):((1, 2), 2, 0)));
        /// ```
        tiled_product;
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let n = usize::MAX;
        /// assert_eq!(layout!(4).try_tiled_product(layout!(2:n)).unwrap_err().kind().as_str(), "overflow");
        /// ```
        try_tiled_product(tile): TiledProduct -> TiledProductOf;
    }
    method! {
        /// The zipped product with all modes on one level. CuTe's `flat_product`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// assert_eq!(layout!((2, 4)).flat_product(tiler!(3, _)), layout!((2, 4, 3, 1):(1, 2, 2, 0)));
        /// ```
        flat_product;
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let n = usize::MAX;
        /// assert_eq!(layout!(4).try_flat_product(layout!(2:n)).unwrap_err().kind().as_str(), "overflow");
        /// ```
        try_flat_product(tile): FlatProduct -> FlatProductOf;
    }
    method! {
        /// The product whose mode `i` is `(A_i, copies along it)`: every copy is a block. CuTe's `blocked_product`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let r = layout!((2, 5):(5, 1)).blocked_product(layout!((3, 4):(1, 3)));
        /// assert_eq!(r, layout!(((2, 3), (5, 4)):((5, 10), (1, 30))));
        /// ```
        blocked_product;
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let n = usize::MAX;
        /// assert_eq!(layout!(4).try_blocked_product(layout!(2:n)).unwrap_err().kind().as_str(), "overflow");
        /// ```
        try_blocked_product(tile): BlockedProduct -> BlockedProductOf;
    }
    method! {
        /// The product whose mode `i` is `(copies along it, A_i)`: the copies interleave. CuTe's `raked_product`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let r = layout!((2, 5):(5, 1)).raked_product(layout!((3, 4):(1, 3)));
        /// assert_eq!(r, layout!(((3, 2), (4, 5)):((10, 5), (30, 1))));
        /// ```
        raked_product;
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let n = usize::MAX;
        /// assert_eq!(layout!(4).try_raked_product(layout!(2:n)).unwrap_err().kind().as_str(), "overflow");
        /// ```
        try_raked_product(tile): RakedProduct -> RakedProductOf;
    }
    method! {
        /// The layout repeated until it fills a shape, or an [`Ordered`](crate::Ordered) shape with the copies in another order. CuTe's
        /// `tile_to_shape`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let (m, n) = (4, 6);
        /// let l = layout!((2, 2)).tile_to_shape((m, n));
        /// assert_eq!(format!("{l:#}"), "((2,2),(2,3)):((1,4),(2,8))");
        /// ```
        tile_to_shape;
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let n = 5;
        /// // 2 does not divide 5.
        /// assert_eq!(layout!((2, 2)).try_tile_to_shape((4, n)).unwrap_err().kind().as_str(), "divisibility");
        /// ```
        try_tile_to_shape(shape): TileToShape -> TileToShapeOf;
    }
    method! {
        /// The layout in units of `n` elements, `n` static. CuTe's `upcast`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// assert_eq!(layout!((32, 8):(1, 32)).upcast(int!(4)), layout!((8, 8):(1, 8)));
        /// ```
        upcast;
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let n = 6;
        /// // Columns begin within a unit.
        /// assert_eq!(layout!((4, 3):(1, n)).try_upcast(int!(4)).unwrap_err().kind().as_str(), "divisibility");
        /// ```
        try_upcast(unit): Upcast -> Upcasted;
    }
    method! {
        /// The layout in units of 1/`n` of an element, `n` static. CuTe's `downcast`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// assert_eq!(layout!((8, 8):(1, 8)).downcast(int!(4)), layout!((32, 8):(1, 32)));
        /// ```
        downcast;
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let n = usize::MAX;
        /// assert_eq!(layout!((4, 3):(1, n)).try_downcast(int!(4)).unwrap_err().kind().as_str(), "overflow");
        /// ```
        try_downcast(parts): Downcast -> Downcasted;
    }
    method! {
        /// The layout with elements of the first size seen as elements of the second, both static. CuTe's `recast_layout`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// assert_eq!(layout!((32, 8):(1, 32)).recast(shape!((8, 32))), layout!((8, 8):(1, 8)));
        /// ```
        recast;
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let n = 6;
        /// // 4 does not divide 6.
        /// assert_eq!(layout!((4, 3):(1, n)).try_recast(shape!((8, 32))).unwrap_err().kind().as_str(), "divisibility");
        /// ```
        try_recast(sizes): Recast -> Recasted;
    }
    method! {
        /// The layout with all leaves on one level. CuTe's `flatten`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// assert_eq!(layout!((2, (3, 4)):(1, (8, 2))).flatten(), layout!((2, 3, 4):(1, 8, 2)));
        /// ```
        flatten; try_flatten(): Flatten -> Flattened;
    }
    method! {
        /// The modes of the first level back to front.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// assert_eq!(layout!((2, 3, 4)).reverse(), layout!((4, 3, 2):(6, 2, 1)));
        /// ```
        reverse; try_reverse(): Reverse -> Reversed;
    }
    method! {
        /// The layout of rank 2 with its modes swapped: `R(i, j) == L(j, i)`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// assert_eq!(layout!((2, 3):(3, 1)).transpose(), layout!((3, 2):(1, 3)));
        /// ```
        transpose; try_transpose(): Transpose -> Transposed;
    }
    method! {
        /// The modes that a tuple of static numbers names, in its order. CuTe's `select`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// assert_eq!(layout!((2, 3, 4)).select(shape!((2, 0))), layout!((4, 2):(6, 1)));
        /// ```
        select; try_select(modes): Select -> Selected;
    }
    method! {
        /// The layout with one more mode at the end. CuTe's `append`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// assert_eq!(layout!((2, 3)).append(layout!(4:6)), layout!((2, 3, 4):(1, 2, 6)));
        /// ```
        append; try_append(mode): Append -> Appended;
    }
    method! {
        /// The layout with one more mode at the front. CuTe's `prepend`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// assert_eq!(layout!((2, 3)).prepend(layout!(4:6)), layout!((4, 2, 3):(6, 1, 2)));
        /// ```
        prepend; try_prepend(mode): Prepend -> Prepended;
    }
    /// The modes `B` to `E - 1`, as a tuple. CuTe's `take`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((2, 3, 4)).take::<1, 3>(), layout!((3, 4):(2, 6)));
    /// ```
    #[inline(always)]
    fn take<const B: usize, const E: usize>(&self) -> Taken<Self, B, E>
    where
        Self: Take<B, E>,
    {
        <Self as Take<B, E>>::taken(self.clone())
    }
    /// The layout with the modes `B` to `E - 1` as one mode. CuTe's `group`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((2, 3, 4)).group::<0, 2>(), layout!(((2, 3), 4):((1, 2), 6)));
    /// ```
    #[inline(always)]
    fn group<const B: usize, const E: usize>(&self) -> Grouped<Self, B, E>
    where
        Self: Group<B, E>,
    {
        <Self as Group<B, E>>::grouped(self.clone())
    }
    /// The layout with the modes of mode `I` in its place: the inverse of [`group`](LayoutAlgebra::group).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!(((2, 3), 4)).ungroup::<0>(), layout!((2, 3, 4)));
    /// ```
    #[inline(always)]
    fn ungroup<const I: usize>(&self) -> Ungrouped<Self, I>
    where
        Self: Ungroup<I>,
    {
        <Self as Ungroup<I>>::ungrouped(self.clone())
    }
    /// Mode `I`. CuTe's `layout<I>(l)`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!(((2, 3), 4)).mode::<1>(), layout!(4:6));
    /// ```
    #[inline(always)]
    fn mode<const I: usize>(&self) -> ModeAt<Self, I>
    where
        Self: ModeOf<I>,
    {
        <Self as ModeOf<I>>::mode_of(self.clone())
    }
    /// The layout with another one in the place of mode `I`. CuTe's `replace`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((2, 3)).replace::<1, _>(layout!(8:10)), layout!((2, 8):(1, 10)));
    /// ```
    #[inline(always)]
    fn replace<const I: usize, M>(&self, mode: M) -> Replaced<Self, I, M>
    where
        Self: Replace<I, M>,
    {
        <Self as Replace<I, M>>::replaced(self.clone(), mode)
    }

    method! {
        /// The same function for coordinates of another shape. CuTe's `layout.with_shape`.
        ///
        /// `with_shape(L, S)(c) == L(crd2idx(c, S))`
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// assert_eq!(layout!((4, 6):(6, 1)).with_shape(shape!((2, 2, 6))), layout!((2, 2, 6):(6, 12, 1)));
        /// ```
        with_shape; try_with_shape(shape): WithShape -> WithShapeOf;
    }
    method! {
        /// The compact layout of the same shape with the modes in the order of the strides. CuTe's `make_layout_like`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// assert_eq!(layout!((4, 6):(10, 1)).layout_like(), layout!((4, 6):(6, 1))); // no padding left
        /// ```
        layout_like; try_layout_like(): LayoutLike -> LayoutLikeOf;
    }
    /// How many elements both layouts hold contiguously, as far as the types know: the size of
    /// [`max_common_layout`](LayoutAlgebra::max_common_layout). CuTe's `max_common_vector`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((4, 8):(1, 4)).max_common_vector(layout!((4, 8):(1, 10))), 4);
    /// ```
    #[inline(always)]
    #[track_caller]
    fn max_common_vector<B>(&self, other: B) -> usize
    where
        Self: MaxCommonLayout<B>,
    {
        self.max_common_layout(other).size()
    }
}
impl<L: Layout> LayoutAlgebra for L {}
