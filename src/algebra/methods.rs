//! All operations as methods of every layout: the operations of the table in `operations.rs`, and
//! those that name modes.

use crate::algebra::divide::{ZippedDivide, ZippedDivision};
use crate::algebra::modes::by_number::{
    Group, Grouped, ModeAt, ModeOf, Replace, Replaced, Take, Taken, Ungroup, Ungrouped,
};
use crate::algebra::modes::slice::{Slice, Sliced, Windowed};
use crate::algebra::traits::*;
use crate::error::{LayoutError, expect};
#[cfg(feature = "alloc")]
use crate::layout::print::ThreadValues;
use crate::layout::print::{HasTable, Offsets, Table};
use crate::layout::traits::Layout;
use crate::tuple::interval::Window;

/// A method and its `try_` twin.
macro_rules! methods {
    (
        () $method:ident $trait:ident $alias:ident $sentence:tt $bound:tt $operand:tt $composed:tt
        $try_method:ident() [$($doc:tt)*]
    ) => {
        $($doc)*
        #[must_use]
        #[inline]
        #[track_caller]
        fn $method(&self) -> $alias<Self>
        where
            Self: $trait,
        {
            expect(self.$try_method())
        }
        #[doc = concat!("[`", stringify!($method), "`](LayoutAlgebra::", stringify!($method), "),")]
        /// with an error in place of a panic.
        #[inline]
        fn $try_method(&self) -> Result<$alias<Self>, LayoutError>
        where
            Self: $trait,
        {
            <Self as $trait>::evaluated(self.clone())
        }
    };
    (
        ($kind:ident) $method:ident $trait:ident $alias:ident $sentence:tt $bound:tt $operand:tt $composed:tt
        $try_method:ident($right:ident) [$($doc:tt)*]
    ) => {
        $($doc)*
        #[must_use]
        #[inline]
        #[track_caller]
        fn $method<B>(&self, $right: B) -> $alias<Self, B>
        where
            Self: $trait<B>,
        {
            expect(self.$try_method($right))
        }
        #[doc = concat!("[`", stringify!($method), "`](LayoutAlgebra::", stringify!($method), "),")]
        /// with an error in place of a panic.
        #[inline]
        fn $try_method<B>(&self, $right: B) -> Result<$alias<Self, B>, LayoutError>
        where
            Self: $trait<B>,
        {
            <Self as $trait<B>>::evaluated(self.clone(), $right)
        }
    };
}

/// The operations of the algebra as methods.
///
/// What the types know is decided at compile time. Where an operand has dynamic leaves, the rest is
/// checked at run time: each method panics with the text of a [`LayoutError`], and its `try_` twin
/// returns the error.
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
    operations!(with_docs methods);

    /// The layout of the modes at `..`, and the offset of the coordinates in the other modes. A
    /// range keeps a part of its mode. CuTe's `slice_and_offset`.
    ///
    /// `R(x) + offset == L(c with x in the place of .., and a + x in the place of a..b)`
    ///
    /// A range counts the coordinates of its mode. The strides are kept; the extent is known at run
    /// time. A nested mode keeps its nesting too, with an extent for each leaf. There the range has
    /// to begin and end with whole blocks of the leaves below the leaf in which the range ends,
    /// unless these leaves continue evenly into that leaf.
    ///
    /// # Panics
    /// If a range ends before it begins or beyond its mode, or if what it keeps of a nested mode is
    /// no layout; [`try_slice`](LayoutAlgebra::try_slice) returns the error. Numbers are not
    /// checked, as in CuTe: an offset beyond `usize` overflows as that of `index` does.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let (row, offset) = layout!((4, 6):(1, 4)).slice((1, ..));
    /// assert_eq!((row, offset), (layout!(6:4), 1));
    /// let (part, offset) = layout!((4, 6):(1, 4)).slice((1..3, 2..));
    /// assert!(part == layout!((2, 4):(1, 4)) && offset == 9);
    /// ```
    #[inline]
    #[track_caller]
    // The comment in the next line is for `slice(1, ..)`: the compiler then shows the line.
    fn slice</* all modes in one tuple: `slice((1, ..))` */ C>(
        &self,
        coordinate: C,
    ) -> (Sliced<Self, C>, Self::Offset)
    where
        Self: Slice<C>,
    {
        expect(Self::try_sliced(self.clone(), coordinate))
    }
    /// [`slice`](LayoutAlgebra::slice), with an error in place of a panic.
    ///
    /// # Errors
    /// `bounds` if a range ends before it begins or beyond its mode, `divisibility` if what it
    /// keeps of a nested mode is no layout; those of `DynLayout::slice`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let blocks = layout!(((2, 3), 4):((1, 10), 100)); // 0 1, 10 11, 20 21
    /// let (part, offset) = blocks.try_slice((2..6, 0))?;
    /// assert!(part == layout!((2, 2):(1, 10)) && offset == 10);
    /// let (part, offset) = blocks.try_slice((3..4, 0))?;
    /// assert!(part == layout!((1, 1):(1, 10)) && offset == 11);
    /// let error = blocks.try_slice((1..4, 0)).unwrap_err(); // 1, 10 11
    /// assert_eq!(error.kind().as_str(), "divisibility");
    /// let error = blocks.try_slice((2..7, 0)).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "cannot slice ((2,3),4):((1,10),100): the range 2..7 reaches beyond the extent 6",
    /// );
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    fn try_slice<C>(&self, coordinate: C) -> Result<(Sliced<Self, C>, Self::Offset), LayoutError>
    where
        Self: Slice<C>,
    {
        Self::try_sliced(self.clone(), coordinate)
    }
    /// A window: the layout of a shape within this layout, and the offset of its first coordinate.
    /// The shape is congruent with the layout's; static extents stay static.
    ///
    /// `W(c) + offset == L(origin + c)` for each `c` within `shape`
    ///
    /// # Panics
    /// If the window reaches beyond the layout; [`try_window`](LayoutAlgebra::try_window) returns
    /// the error.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let (window, offset) = layout!((4, 6):(1, 4)).window((1, 2), shape!((3, 4)));
    /// assert_eq!((window, offset), (layout!((3, 4):(1, 4)), 9));
    /// ```
    #[inline]
    #[track_caller]
    fn window<C, W>(&self, origin: C, shape: W) -> (Windowed<Self, C, W>, Self::Offset)
    where
        Self: Slice<Window<C, W>>,
    {
        expect(Self::try_sliced(self.clone(), Window::new(origin, shape)))
    }
    /// [`window`](LayoutAlgebra::window), with an error in place of a panic.
    ///
    /// # Errors
    /// `bounds` if the window reaches beyond the layout.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let error = layout!((4, 6):(1, 4)).try_window((2, 2), shape!((3, 4))).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "cannot slice (4,6):(1,4): the range 2..5 reaches beyond the extent 4"
    /// );
    /// ```
    #[inline]
    #[allow(clippy::type_complexity, reason = "a layout and an offset, or an error")]
    fn try_window<C, W>(
        &self,
        origin: C,
        shape: W,
    ) -> Result<(Windowed<Self, C, W>, Self::Offset), LayoutError>
    where
        Self: Slice<Window<C, W>>,
    {
        Self::try_sliced(self.clone(), Window::new(origin, shape))
    }

    /// The modes `B` to `E - 1`, as a tuple. CuTe's `take`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((2, 3, 4)).take::<1, 3>(), layout!((3, 4):(2, 6)));
    /// ```
    #[inline]
    #[track_caller]
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
    #[inline]
    #[track_caller]
    fn group<const B: usize, const E: usize>(&self) -> Grouped<Self, B, E>
    where
        Self: Group<B, E>,
    {
        <Self as Group<B, E>>::grouped(self.clone())
    }
    /// The layout with mode `I` replaced by the modes of that mode: the inverse of
    /// [`group`](LayoutAlgebra::group).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!(((2, 3), 4)).ungroup::<0>(), layout!((2, 3, 4)));
    /// ```
    #[inline]
    #[track_caller]
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
    #[inline]
    #[track_caller]
    // The comment in the next line is for `mode(i)`: the compiler then shows the line.
    fn mode<
        /* `mode::<1>()`; of a number of run time: `to_dynamic().mode(i)` */ const I: usize,
    >(
        &self,
    ) -> ModeAt<Self, I>
    where
        Self: ModeOf<I>,
    {
        <Self as ModeOf<I>>::mode_of(self.clone())
    }
    /// The layout with mode `I` replaced by another layout. CuTe's `replace`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((2, 3)).replace::<1, _>(layout!(8:10)), layout!((2, 8):(1, 10)));
    /// ```
    #[inline]
    #[track_caller]
    fn replace<const I: usize, M>(&self, mode: M) -> Replaced<Self, I, M>
    where
        Self: Replace<I, M>,
    {
        <Self as Replace<I, M>>::replaced(self.clone(), mode)
    }

    /// How many elements both layouts hold contiguously, as far as the types know: the size of
    /// [`max_common_layout`](LayoutAlgebra::max_common_layout). CuTe's `max_common_vector`.
    ///
    /// An extent that run time knows counts by its known divisor. A layout whose rank too only run
    /// time knows counts by its numbers: that of `to_dynamic()` may be a multiple.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((4, 8):(1, 4)).max_common_vector(layout!((4, 8):(1, 10))), 4);
    /// let n = 3;
    /// let columns = layout!((16, n):(1, 16));
    /// assert_eq!(columns.max_common_vector(columns), 16);
    /// let columns = columns.to_dynamic();
    /// assert_eq!(columns.max_common_vector(&columns), 48);
    /// ```
    #[inline]
    #[track_caller]
    fn max_common_vector<B>(&self, other: B) -> usize
    where
        Self: MaxCommonLayout<B>,
    {
        self.max_common_layout(other).size()
    }

    /// The offsets of a layout of rank 1 or 2 as a table with numbered rows and columns; of an
    /// identity layout, the coordinates. CuTe's `print_layout`.
    ///
    /// Row i, column j shows `L(i, j)`; for a layout of rank 1 the one row shows `L(j)`.
    /// `Table::print` (feature `std`) prints the table, with colours in a terminal.
    ///
    /// # Errors
    /// For a `DynLayout`, whose rank is known only at run time, the result is a `Result`: `rank` if
    /// the layout has more than two modes. For any other layout, more than two modes do not
    /// compile.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((2, 3):(3, 1)).table().to_string(), "\
    /// (2,3):(3,1)
    ///       0   1   2
    ///     +---+---+---+
    ///  0  | 0 | 1 | 2 |
    ///     +---+---+---+
    ///  1  | 3 | 4 | 5 |
    ///     +---+---+---+
    /// ");
    /// assert_eq!(layout!(4:2).table().to_string(), "\
    /// 4:2
    ///       0   1   2   3
    ///     +---+---+---+---+
    ///     | 0 | 2 | 4 | 6 |
    ///     +---+---+---+---+
    /// ");
    /// ```
    ///
    /// ```compile_fail,E0277
    /// use layout_algebra::prelude::*;
    /// layout!((2, 3, 4)).table(); // this has no table: a layout of one mode or of two has one
    /// ```
    fn table(&self) -> Self::Answer<Table<Offsets<Self>>>
    where
        Self: HasTable,
    {
        Offsets::table(self)
    }

    /// The owners of each element under a thread-value layout `(thread, value) -> element`, as a
    /// table: `T3V1` is value 1 of thread 3. The table has one row, since a thread-value layout
    /// does not say in what tile its elements lie; [`Table::of_tile`] does. An element without an
    /// owner is left blank; an element with several owners names them all. CuTe's `print_latex` of
    /// thread-value layouts.
    ///
    /// # Errors
    /// Those of [`table`](LayoutAlgebra::table).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// // 2 threads with 2 values each: a thread has every other element.
    /// let tv = layout!((2, 2):(1, 2));
    /// assert_eq!(tv.thread_value_table().to_string(), "\
    /// (2,2):(1,2)
    ///          0      1      2      3
    ///     +------+------+------+------+
    ///     | T0V0 | T1V0 | T0V1 | T1V1 |
    ///     +------+------+------+------+
    /// ");
    /// ```
    #[cfg(feature = "alloc")]
    fn thread_value_table(&self) -> Self::Answer<Table<ThreadValues>>
    where
        Self: HasTable<Offset = usize> + core::fmt::Display,
    {
        self.if_flat(|| Table(ThreadValues::of(self, self)))
    }
}
impl<L: Layout> LayoutAlgebra for L {}
