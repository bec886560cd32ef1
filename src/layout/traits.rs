//! `Layout`, the trait of all kinds of layouts.

use core::fmt::Debug;

use crate::layout::flat::FlatLayout;

/// A map from coordinates to offsets: a shape, which sets the range of the coordinates, and a
/// stride, which sets how far apart neighbours lie in memory. CuTe's `Layout`.
///
/// `index(c) = sum c_k * stride_k` over the leaves of a coordinate.
///
/// ```
/// use layout_algebra::prelude::*;
/// fn last_offset<L: Layout<Offset = usize>>(layout: &L) -> usize {
///     layout.at(layout.size() - 1)
/// }
/// assert_eq!(last_offset(&layout!((4, 6):(1, 4))), 23);
/// let n = 10;
/// assert_eq!(last_offset(&layout!((4, n):(n, 1))), 39);
/// ```
#[diagnostic::on_unimplemented(
    message = "this is not a layout",
    label = "`{Self}`: a layout is needed here",
    note = "a layout of this shape is written `layout!((4, 6))`, with strides `layout!((4, 6):(1, 4))`"
)]
pub trait Layout: Clone + Debug {
    /// The type of the shape.
    type Shape;
    /// The type of the stride.
    type Stride;
    /// The coordinates of [`coords`](Layout::coords): trees of the shape's profile with `usize` at
    /// every leaf.
    type Coordinate: Clone;
    /// The iterator over all coordinates.
    type Coordinates: Iterator<Item = Self::Coordinate>;
    /// The offset of a coordinate: `usize`, or a tuple for an identity layout.
    type Offset;

    /// The extents. To print a shape of the types, which is a tuple, write `notation(l.shape())`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((4, 6):(6, 1)).shape(), shape!((4, 6)));
    /// assert_eq!(format!("{:#}", notation(layout!((4, 6)).shape())), "(4,6)");
    /// ```
    fn shape(&self) -> Self::Shape;
    /// The strides, congruent to the shape.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((4, (2, 3))).stride(), shape!((1, (4, 8))));
    /// ```
    fn stride(&self) -> Self::Stride;
    /// The number of modes of the first level; 1 for a number.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!((layout!((4, (2, 3))).rank(), layout!(24).rank()), (2, 1));
    /// ```
    fn rank(&self) -> usize;
    /// The size of a mode of the first level, for code that does not know the shape; 1 behind the
    /// last one. CuTe's `size<I>(layout)`.
    ///
    /// `size() == mode_size(0) * mode_size(1) * ..`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// fn rows_and_columns<L: Tiled<Tiler!(2, 3)>>(l: &L) -> (usize, usize) {
    ///     (l.mode_size(0), l.mode_size(1))
    /// }
    /// assert_eq!(rows_and_columns(&layout!(((2, 2), 6))), (4, 6));
    /// assert_eq!(rows_and_columns(&"((2,2),6):((1,2),4)".parse::<DynLayout>()?), (4, 6));
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[track_caller]
    fn mode_size(&self, mode: usize) -> usize;
    /// The number of levels; 0 for a number.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!((layout!((4, (2, 3))).depth(), layout!((4, 6)).depth(), layout!(24).depth()), (2, 1, 0));
    /// ```
    fn depth(&self) -> usize;
    /// The number of coordinates: the product of all extents.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((4, (2, 3))).size(), 24);
    /// ```
    #[must_use]
    #[track_caller]
    fn size(&self) -> usize;
    /// One past the largest offset; 0 for an empty layout.
    ///
    /// `cosize = 1 + sum (extent - 1) * stride`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((4, 6):(1, 10)).cosize(), 1 + 3 * 1 + 5 * 10);
    /// let none = 0;
    /// assert_eq!(layout!((4, none):(1, 10)).cosize(), 0);
    /// ```
    #[track_caller]
    fn cosize(&self) -> usize;
    /// The offset of the `i`-th coordinate, counted with the leftmost mode fastest. The last mode
    /// has no end, so `i` may exceed the size.
    ///
    /// `at(i) == index(coords().nth(i))`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let l = layout!((4, 6):(6, 1));
    /// assert_eq!((l.at(5), l.index((1, 1))), (7, 7)); // 5 == 1 + 4 * 1
    /// assert_eq!(l.at(24), 6); // (0, 6): beyond the end, not wrapped
    /// ```
    #[must_use]
    #[track_caller]
    fn at(&self, i: usize) -> Self::Offset;
    /// The offset of one of the layout's own coordinates, as [`coords`](Layout::coords) gives them:
    /// for generic code, where [`index`](Layout::index) would need a bound.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// fn offsets<L: Layout<Offset = usize>>(l: &L) -> Vec<usize> {
    ///     l.coords().map(|c| l.locate(c)).collect()
    /// }
    /// assert_eq!(offsets(&layout!((2, 3): right)), [0, 3, 1, 4, 2, 5]);
    /// ```
    #[track_caller]
    fn locate(&self, coordinate: Self::Coordinate) -> Self::Offset;
    /// All coordinates, the leftmost mode fastest.
    ///
    /// `for_each`, `fold`, `sum` and the like run as loops within loops, the same instructions as
    /// written by hand. A `for` loop steps from one coordinate to the next, a comparison and a
    /// branch for each mode that ends, and stays one loop, of which the compiler makes no vector
    /// instructions: in hot loops, write `l.coords().for_each(|c| ..)`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let l = layout!((2, 2):(10, 1));
    /// assert_eq!(l.coords().collect::<Vec<_>>(), [(0, 0), (1, 0), (0, 1), (1, 1)]);
    /// ```
    fn coords(&self) -> Self::Coordinates;

    /// The offset of a coordinate: a number, a flat tuple or a nested one, of static or dynamic
    /// numbers. A number against a tuple counts with the leftmost mode fastest. Extents are not
    /// checked, as in CuTe.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let l = layout!(((2, 2), (2, 2)):((1, 4), (2, 8)));
    /// assert_eq!(l.index(((0, 1), (0, 0))), 4);
    /// assert_eq!(l.index(((1, 0), (0, 0))), 1);
    /// assert_eq!(l.index(((1, 1), (1, 0))), 7);
    /// assert_eq!(l.index((3, 1)), 7);
    /// assert_eq!(l.index(7), 7);
    /// ```
    #[must_use]
    #[inline(always)]
    #[track_caller]
    fn index<C: CoordinateOf<Self>>(&self, coordinate: C) -> Self::Offset
    where
        Self: Sized,
    {
        coordinate.offset_in(self)
    }
}

/// `C: CoordinateOf<L>`: `C` is a coordinate of the layout `L`, since its profile weakly matches
/// the shape's. Static numbers have to be below the static extents of their modes, except in the
/// last mode, which has no end.
///
/// ```
/// use layout_algebra::prelude::*;
/// assert_eq!(layout!((4, 6):(1, 4)).index(shape!((3, 5))), 23);
/// ```
///
/// ```compile_fail
/// use layout_algebra::prelude::*;
/// layout!((4, 6):(1, 4)).index(shape!((4, 5))); // coordinate 4 is out of bounds: the extent is 4
/// ```
#[diagnostic::on_unimplemented(
    message = "this is not a coordinate of this layout",
    label = "`{Self}`: neither a number nor a tuple of numbers that fits the shape",
    note = "a number of a coordinate is a `usize`: write `i as usize` for another integer; known at compile time, it \
            is `int!(4)`; generic code names what it needs as a bound: `L: Tiled<Tiler!(2, 3)>` for tiles of 2 x 3, \
            else `(usize, usize): CoordinateOf<L>`"
)]
pub trait CoordinateOf<L: Layout> {
    /// The offset that the coordinate has in the layout.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!((1, 2).offset_in(&layout!((4, 6):(6, 1))), 1 * 6 + 2 * 1);
    /// ```
    #[track_caller]
    fn offset_in(self, layout: &L) -> L::Offset;
    /// The number `from`, `moved` by that.
    #[doc(hidden)]
    #[inline(always)]
    #[track_caller]
    fn offset_from(
        self,
        from: usize,
        layout: &L,
        moved: impl FnOnce(usize, L::Offset) -> usize,
    ) -> usize
    where
        Self: Sized,
    {
        moved(from, self.offset_in(layout))
    }
}

/// A layout whose every extent and stride is static: a type without data, known entirely at compile
/// time.
///
/// ```
/// use layout_algebra::prelude::*;
/// type A = Layout!((4, (2, 3)));
/// const _: () = assert!(A::SIZE == 24 && A::COSIZE == 24 && A::RANK == 2 && A::DEPTH == 2);
/// assert_eq!(size_of::<A>(), 0);
/// ```
#[diagnostic::on_unimplemented(
    message = "this layout is not static: an extent or a stride of it is known only at run time",
    label = "every number of this layout has to be static",
    note = "write the number as a literal in `layout!`, or ask for `Layout`, which has the same as methods: `size()` \
            for `SIZE`"
)]
pub trait StaticLayout: Layout + Default + Copy {
    /// The number of coordinates.
    const SIZE: usize;
    /// One past the largest offset.
    const COSIZE: usize;
    /// The number of modes of the first level.
    const RANK: usize;
    /// The number of levels.
    const DEPTH: usize;
    /// The layout as data: `FlatLayout::of_type::<L>()`.
    #[doc(hidden)]
    const FLAT: FlatLayout;
}

impl FlatLayout {
    /// The data of a static layout.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// const SIZE: usize = FlatLayout::of_type::<Layout!((4, 6))>().size();
    /// assert_eq!(SIZE, 24);
    /// ```
    pub const fn of_type<L: StaticLayout>() -> Self {
        L::FLAT
    }
}
