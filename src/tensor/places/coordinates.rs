//! Coordinate tensors: tensors that hold no data, whose element is a coordinate of a whole tensor.
//!
//! ```text
//! coordinates(identity(S))[c] = c       tile(coordinates(identity(S)))[c] = where tile(t)[c] lies in t
//! ```
//!
//! An operation that cuts or deals a tensor cuts or deals the coordinate tensor of its shape in the
//! same way. Predicates are built from that.

#![allow(clippy::type_complexity, reason = "a view under the layout of a partition, or an error")]

use crate::algebra::LayoutAlgebra;
use crate::algebra::divide::{ZippedDivide, ZippedDivision};
use crate::algebra::modes::slice::{Slice, Sliced, Windowed};
use crate::algebra::traits::{
    Coalesce, Coalesced, Compose, Composition, FlatDivide, FlatDivision, Flatten, Flattened,
    LogicalDivide, LogicalDivision, RoundUp, RoundedUp, TiledDivide, TiledDivision, Transpose,
    Transposed,
};
use crate::error::{Fault, LayoutError, fail};
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::tiler::Tiler;
use crate::layout::traits::{CoordinateOf, Layout};
use crate::list::Nested;
use crate::strides::algebra::IntoStepped;
use crate::strides::identity::IdentityLayout;
use crate::tensor::bounds;
use crate::tensor::memory::like::{FragmentLayout, FragmentShape, StaticShape};
use crate::tensor::memory::{Addressable, Corner, Fragment, SliceIn, Tensor, no_slice};
use crate::tensor::parts::deal::{Dealt, ThreadValue};
use crate::tensor::parts::partition::{Inner, Outer, Partition};
use crate::tensor::parts::project::{IsStep, Project, ProjectEntries};
use crate::tensor::parts::threads::{Threads, check_thread};
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::interval::{Beginning, Window};
use crate::tuple::profile::ComparesWith;

/// A tensor that holds no data: its elements are coordinates of the shape `T`. CuTe's coordinate
/// tensors.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::CoordinateTensor;
/// fn last<T: IntTuple, S: IntTuple, D: IntTuple>(
///     places: &CoordinateTensor<T, S, D>,
/// ) -> Option<T::Dynamic> {
///     places.iter().last()
/// }
/// assert_eq!(last(&Tensor::coordinates(identity((4, 6)))), Some((3, 5)));
/// ```
pub type CoordinateTensor<T, S, D> =
    Tensor<Corner<<T as IntTuple>::Dynamic>, IdentityLayout<T, S, D>>;

/// `X: CutCoordinates<T, C>`: the coordinate tensor `X` can be divided by the tiler `T` and sliced
/// at `C`. This is [`Partition`] for coordinate tensors.
#[diagnostic::on_unimplemented(
    message = "this tiler and this coordinate do not cut these coordinates",
    label = "not a division and a slice of an identity layout",
    note = "the tiler has an entry for each mode at most, and the coordinate a number for each of its modes, or `..`"
)]
pub trait CutCoordinates<T, C> {
    /// The coordinates of the tile or the share.
    type Output;
    #[doc(hidden)]
    fn cut_out(&self, tiler: T, coordinate: C) -> Result<Self::Output, LayoutError>;
}
/// The coordinates of a tile or a share.
pub type CutOf<X, T, C> = <X as CutCoordinates<T, C>>::Output;

#[doc(hidden)]
impl<T, S, D, X, C, Z, A, I> CutCoordinates<X, C> for CoordinateTensor<T, S, D>
where
    T: IntTuple,
    S: IntTuple,
    D: IntTuple,
    StridedLayout<S, D>: Partition<X, C, Divided = Z, At = A>,
    A: SliceIn<Z>,
    Z: Addressable + IntoStepped<T, Output = I>,
    I: SliceAlong<A, T::Dynamic>,
{
    type Output = Tensor<Corner<T::Dynamic>, I::Output>;
    #[inline]
    fn cut_out(&self, tiler: X, coordinate: C) -> Result<Self::Output, LayoutError> {
        let (divided, at) =
            Partition::<X, C>::partition(self.layout().strided(), tiler, coordinate)?;
        if !at.within(&divided) {
            return Err(no_slice(divided, at));
        }
        let (layout, by) = divided.into_stepped().slice_along(at);
        Ok(Tensor::from_corner(T::moved(self.corner(), by), layout))
    }
}

/// An identity layout that can be sliced at `A`; its offsets are coordinates of the type `O`.
pub trait SliceAlong<A, O> {
    type Output;
    fn slice_along(self, at: A) -> (Self::Output, O);
}
impl<T, S, D, A, O> SliceAlong<A, O> for IdentityLayout<T, S, D>
where
    Self: Slice<A> + Layout<Offset = O>,
{
    type Output = Sliced<Self, A>;
    #[inline]
    fn slice_along(self, at: A) -> (Self::Output, O) {
        Slice::sliced(self, at)
    }
}
#[diagnostic::do_not_recommend]
impl<A, O> SliceAlong<A, O> for RefusedLayout {
    type Output = RefusedLayout;
    fn slice_along(self, _: A) -> (RefusedLayout, O) {
        unreachable!("no program that compiles has this layout")
    }
}

macro_rules! unary_on_coordinates {
    ($($(#[$doc:meta])* $method:ident: $trait:ident -> $alias:ident;)*) => {
        $(
            $(#[$doc])*
            #[inline]
            #[track_caller]
            pub fn $method(self) -> Tensor<Corner<T::Dynamic>, $alias<IdentityLayout<T, S, D>>>
            where
                IdentityLayout<T, S, D>: $trait,
            {
                Tensor::from_corner(self.corner(), self.layout().$method())
            }
        )*
    };
}
macro_rules! binary_on_coordinates {
    ($($(#[$doc:meta])* $method:ident($argument:ident): $trait:ident -> $alias:ident;)*) => {
        $(
            $(#[$doc])*
            #[inline]
            #[track_caller]
            pub fn $method<B>(self, $argument: B) -> Tensor<Corner<T::Dynamic>, $alias<IdentityLayout<T, S, D>, B>>
            where
                IdentityLayout<T, S, D>: $trait<B>,
            {
                Tensor::from_corner(self.corner(), self.layout().$method($argument))
            }
        )*
    };
}

/// # Coordinates as elements
impl<T: IntTuple, S: IntTuple, D: IntTuple> CoordinateTensor<T, S, D> {
    /// The tensor whose elements are the coordinates that an identity layout yields. CuTe's
    /// `make_identity_tensor`, `make_coord_tensor`.
    ///
    /// `Tensor::coordinates(L).index(c) == L.index(c)`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let (m, n) = (100, 60);
    /// let whole = Tensor::coordinates(identity((m, n)).round_up(tiler!(16, 8)));
    /// let tile = whole.local_tile(tiler!(16, 8), (6, 2))?;
    /// let mine = tile.local_partition(layout!((4, 2)), 5)?; // thread 5 stands at (1, 1)
    /// assert_eq!((mine.index((0, 0)), mine.index((1, 3))), ((97, 17), (101, 23)));
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn coordinates(layout: IdentityLayout<T, S, D>) -> Self {
        Tensor::from_corner(T::origin(), layout)
    }

    /// The coordinate where the tensor begins.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let whole = Tensor::coordinates(identity((4, 6)));
    /// assert_eq!((whole.corner(), whole.local_tile(tiler!(2, 3), (1, 1))?.corner()), ((0, 0), (2, 3)));
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn corner(&self) -> T::Dynamic {
        self.storage().0
    }

    /// The number of coordinates. CuTe's `size`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// // 6 x 6, of which 5 x 6 are there
    /// let t = Tensor::coordinates(identity((5, 6))).round_up(tiler!(2, 3));
    /// assert_eq!((t.size(), t.iter().filter(|c| c.0 < 5).count()), (36, 30));
    /// ```
    #[inline]
    pub fn size(&self) -> usize {
        self.layout().size()
    }

    /// The shape.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(
    ///     Tensor::coordinates(identity(shape!((5, 6)))).round_up(tiler!(2, 4)).shape(),
    ///     shape!((6, 8))
    /// );
    /// ```
    #[inline]
    pub fn shape(&self) -> S {
        self.layout().shape()
    }

    /// The element at one of the layout's own coordinates.
    #[inline]
    pub(in crate::tensor) fn locate(&self, coordinate: S::Dynamic) -> T::Dynamic {
        T::moved(self.corner(), Layout::locate(self.layout(), coordinate))
    }

    /// The element at a coordinate, or `None` if it lies outside of the shape.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::coordinates(identity((4, 6))).local_tile(tiler!(2, 3), (1, 1))?;
    /// assert_eq!((t.get((1, 2)), t.get(5), t.get((2, 0))), (Some((3, 5)), Some((3, 5)), None));
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn get<C>(&self, coordinate: C) -> Option<T::Dynamic>
    where
        C: IntTuple + CoordinateOf<IdentityLayout<T, S, D>>,
    {
        let within = bounds::within(coordinate.node(), self.shape().node());
        if within {
            Some(T::moved(self.corner(), coordinate.offset_in(self.layout())))
        } else {
            None
        }
    }

    /// The element at a coordinate: where it lies in the whole.
    ///
    /// # Panics
    /// If the coordinate lies outside of the shape.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// // it begins at (2, 3)
    /// let tile = Tensor::coordinates(identity((4, 6))).local_tile(tiler!(2, 3), (1, 1))?;
    /// assert_eq!((tile.index((1, 2)), tile.index(5)), ((3, 5), (3, 5)));
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    #[track_caller]
    pub fn index<C>(&self, coordinate: C) -> T::Dynamic
    where
        C: IntTuple + CoordinateOf<IdentityLayout<T, S, D>>,
    {
        match self.get(coordinate) {
            Some(element) => element,
            None => outside(
                "index",
                || bounds::outside(coordinate.node(), self.shape().node()),
                self.layout(),
            ),
        }
    }

    /// All elements, the leftmost mode fastest.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::coordinates(identity((4, 6))).local_tile(tiler!(2, 2), (1, 2))?;
    /// assert_eq!(t.iter().collect::<Vec<_>>(), [(2, 4), (3, 4), (2, 5), (3, 5)]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = T::Dynamic> {
        self.layout().coords().map(|coordinate| self.locate(coordinate))
    }

    /// A fragment of the tensor's shape that says whether each element lies within a shape. CuTe's
    /// predicate tensors, `elem_less`.
    ///
    /// `t.predicates(S)[c] == elem_less(t.index(c), S)`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let (m, n) = (5, 6);
    /// let whole = Tensor::coordinates(identity((m, n)).round_up(tiler!(2, 3)));
    /// let last = whole.local_tile(tiler!(2, 3), (2, 1))?; // rows 4 and 5: the last one is beyond
    /// let predicates = last.predicates((m, n));
    /// assert!(predicates[(0, 2)] && !predicates[(1, 2)]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn predicates<X: IntTuple>(&self, shape: X) -> Fragment<bool, FragmentLayout<S>>
    where
        T::Dynamic: ComparesWith<X>,
        S: FragmentShape,
        (): StaticShape<IdentityLayout<T, S, D>, FragmentLayout<S>, X>,
    {
        let (mut predicates, mut coordinates) = (Fragment::zeroed(), self.iter());
        predicates.for_each_mut(|_, predicate| {
            *predicate =
                coordinates.next().is_some_and(|at| bounds::within(at.node(), shape.node()))
        });
        predicates
    }

    /// The coordinates in the modes that a coordinate leaves open with `..`. CuTe's `tensor(i, _)`.
    ///
    /// # Panics
    /// If a number or a range lies outside of the shape, or a range of a nested mode is no layout.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let row = Tensor::coordinates(identity((4, 6))).slice((2, ..));
    /// assert_eq!((row.size(), row.index(5)), (6, (2, 5)));
    /// let block = Tensor::coordinates(identity((4, 6))).slice((1..3, 2..));
    /// assert_eq!((block.size(), block.index((1, 3))), (8, (2, 5)));
    /// ```
    #[inline]
    #[track_caller]
    pub fn slice<C>(
        &self,
        coordinate: C,
    ) -> Tensor<Corner<T::Dynamic>, Sliced<IdentityLayout<T, S, D>, C>>
    where
        C: Nested<Node: Beginning> + Clone,
        IdentityLayout<T, S, D>: Slice<C>,
    {
        let misfit = |c: C| Slice::misfit(*self.layout(), c);
        if misfit(coordinate.clone()).is_some() {
            outside("slice", || misfit(coordinate), self.layout());
        }
        let corner = self.locate(self.shape().complete(coordinate.clone().node().beginning()));
        Tensor::from_corner(corner, Slice::sliced(*self.layout(), coordinate).0)
    }

    /// The coordinates of a window: those of [`window`](Tensor::window) on a tensor of the whole
    /// shape.
    ///
    /// # Panics
    /// If it does not lie within the shape.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let window = Tensor::coordinates(identity((4, 6))).window((1, 2), shape!((2, 3)));
    /// assert_eq!((window.size(), window.index((1, 2))), (6, (2, 4)));
    /// ```
    #[inline]
    #[track_caller]
    pub fn window<C, W>(
        &self,
        origin: C,
        shape: W,
    ) -> Tensor<Corner<T::Dynamic>, Windowed<IdentityLayout<T, S, D>, C, W>>
    where
        Window<C, W>: Nested<Node: Beginning> + Clone,
        IdentityLayout<T, S, D>: Slice<Window<C, W>>,
    {
        self.slice(Window::new(origin, shape))
    }

    /// The coordinates of a tile: those of [`local_tile`](Tensor::local_tile) on a tensor of the
    /// whole shape.
    ///
    /// # Errors
    /// Those of [`local_tile`](Tensor::local_tile) on a tensor with data.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let tile = Tensor::coordinates(identity((4, 6))).local_tile(tiler!(2, 3), (0, 1))?;
    /// assert_eq!((tile.index((0, 0)), tile.index((1, 2))), ((0, 3), (1, 5)));
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn local_tile<X, C>(
        &self,
        tiler: X,
        coordinate: C,
    ) -> Result<CutOf<Self, X, Inner<C>>, LayoutError>
    where
        Self: CutCoordinates<X, Inner<C>>,
    {
        self.cut_out(tiler, Inner::new(coordinate))
    }

    /// [`local_tile`](Tensor::local_tile) by the entries of a tiler and a coordinate that a step
    /// names. CuTe's `Step<_1, X, _1>`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let a = Tensor::coordinates(identity((8, 6))); // M x K
    /// let tiles = a.local_tile_by(tiler!(4, 8, 2), (1, 0, ..), tiler!(1, _, 1))?;
    /// assert_eq!(tiles.index((1, 0, 2)), (5, 4));
    /// # Ok::<(), LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`local_tile`](Tensor::local_tile).
    #[inline]
    pub fn local_tile_by<X, C, P>(
        &self,
        tiler: Tiler<X>,
        coordinate: C,
        step: P,
    ) -> Result<CutOf<Self, Tiler<X::Output>, Inner<C::Output>>, LayoutError>
    where
        P: IsStep,
        X: Project<P>,
        C: ProjectEntries<P>,
        Self: CutCoordinates<Tiler<X::Output>, Inner<C::Output>>,
    {
        let _ = step; // The type of `step` selects the modes.
        self.cut_out(
            Tiler::const_new(tiler.into_modes().project()),
            Inner::new(coordinate.project_entries()),
        )
    }

    /// The coordinates of one element of every tile. CuTe's `outer_partition`.
    ///
    /// # Errors
    /// Those of [`outer_partition`](Tensor::outer_partition) on a tensor with data.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mine = Tensor::coordinates(identity((4, 6))).outer_partition(tiler!(2, 3), (1, 2))?;
    /// assert_eq!(mine.iter().collect::<Vec<_>>(), [(1, 2), (3, 2), (1, 5), (3, 5)]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn outer_partition<X, C>(
        &self,
        tiler: X,
        coordinate: C,
    ) -> Result<CutOf<Self, X, Outer<C>>, LayoutError>
    where
        Self: CutCoordinates<X, Outer<C>>,
    {
        self.cut_out(tiler, Outer::new(coordinate))
    }

    /// The coordinates of one thread's elements. CuTe's `local_partition`.
    ///
    /// # Errors
    /// Those of [`local_partition`](Tensor::local_partition) on a tensor with data.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// // Thread 3 stands at (1, 1).
    /// let mine = Tensor::coordinates(identity((4, 4))).local_partition(layout!((2, 2)), 3)?;
    /// assert_eq!(mine.iter().collect::<Vec<_>>(), [(1, 1), (3, 1), (1, 3), (3, 3)]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn local_partition<H: Threads>(
        &self,
        threads: H,
        thread: usize,
    ) -> Result<CutOf<Self, H::Tiler, Outer<H::Place>>, LayoutError>
    where
        Self: CutCoordinates<H::Tiler, Outer<H::Place>>,
    {
        check_thread(&threads, thread)?;
        let (tiler, place) =
            threads.stand(thread).map_err(|fault| LayoutError::new("local_partition", fault))?;
        self.cut_out(tiler, Outer::new(place))
    }

    /// The coordinates of the values of one thread in all tiles. CuTe's `partition_S`,
    /// `partition_D` of an identity tensor.
    ///
    /// # Errors
    /// Those of [`partition_tv`](Tensor::partition_tv) on a tensor with data.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_algebra::tensor::make_layout_tv;
    /// let (tiler, tv) = make_layout_tv(layout!((4, 2): right), layout!((1, 2): right))?;
    /// let mine = Tensor::coordinates(identity((8, 12))).partition_tv(tiler, tv, 3)?;
    /// assert_eq!((mine.index((0, 0, 0)), mine.index((1, 1, 2))), ((1, 2), (5, 11)));
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn partition_tv<X, V>(
        &self,
        tiler: X,
        tv: V,
        thread: usize,
    ) -> Result<CutOf<Self, X, Dealt<V>>, LayoutError>
    where
        V: ThreadValue,
        Self: CutCoordinates<X, Dealt<V>>,
    {
        self.cut_out(tiler, Dealt::new(tv, thread))
    }

    unary_on_coordinates! {
        /// The same coordinates in the fewest modes. CuTe's `coalesce`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// // ((4,3),(1,2))
        /// let tiles = Tensor::coordinates(identity(shape!((4, 6)))).zipped_divide(tiler!(4, 3));
        /// assert_eq!(tiles.coalesce().shape(), shape!((4, 6)));
        /// ```
        coalesce: Coalesce -> Coalesced;
        /// The same coordinates on one level. CuTe's `flatten`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// // ((4,3),(1,2))
        /// let tiles = Tensor::coordinates(identity(shape!((4, 6)))).zipped_divide(tiler!(4, 3));
        /// assert_eq!(tiles.flatten().shape(), shape!((4, 3, 1, 2)));
        /// ```
        flatten: Flatten -> Flattened;
        /// The same coordinates, the two modes swapped.
        ///
        /// `t.transpose().index((i, j)) == t.index((j, i))`
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// assert_eq!(Tensor::coordinates(identity((4, 6))).transpose().index((5, 2)), (2, 5));
        /// ```
        transpose: Transpose -> Transposed;
    }
    binary_on_coordinates! {
        /// The coordinates that a layout or a tiler selects. CuTe's `composition`.
        ///
        /// `t.compose(b).index(c) == t.index(b(c))`
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// // rows 0 and 2, columns 0 to 2
        /// let t = Tensor::coordinates(identity((4, 6))).compose(tiler!(2:2, 3));
        /// assert_eq!(t.index((1, 2)), (2, 2));
        /// ```
        compose(right): Compose -> Composition;
        /// The coordinates cut into tiles. CuTe's `logical_divide`, but exact.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let t = Tensor::coordinates(identity((4, 6))).logical_divide(tiler!(2, 3));
        /// assert_eq!(t.index(((1, 0), (2, 1))), (1, 5)); // row 1 of tile 0, column 2 of tile 1
        /// ```
        logical_divide(tile): LogicalDivide -> LogicalDivision;
        /// The coordinates cut into tiles, mode 1 counting them. CuTe's `zipped_divide`, but exact.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let tiles = Tensor::coordinates(identity((4, 6))).zipped_divide(tiler!(2, 3));
        /// assert_eq!(tiles.index(((1, 2), (0, 1))), (1, 5)); // element (1, 2) of tile (0, 1)
        /// ```
        zipped_divide(tile): ZippedDivide -> ZippedDivision;
        /// [`zipped_divide`](Tensor::zipped_divide) with the rest as modes of its own. CuTe's
        /// `tiled_divide`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let tiles = Tensor::coordinates(identity((4, 6))).tiled_divide(tiler!(2, 3));
        /// assert_eq!(tiles.index(((1, 2), 0, 1)), (1, 5));
        /// ```
        tiled_divide(tile): TiledDivide -> TiledDivision;
        /// [`zipped_divide`](Tensor::zipped_divide) on one level. CuTe's `flat_divide`.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let tiles = Tensor::coordinates(identity((4, 6))).flat_divide(tiler!(2, 3));
        /// assert_eq!(tiles.index((1, 2, 0, 1)), (1, 5));
        /// ```
        flat_divide(tile): FlatDivide -> FlatDivision;
        /// The coordinates, rounded up to whole tiles; [`predicates`](Tensor::predicates) says
        /// which of them lie beyond the edge. CuTe's `ceil_div` of shapes.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// let t = Tensor::coordinates(identity((5, 6))).round_up(tiler!(2, 4)); // 6 x 8
        /// assert_eq!((t.size(), t.index((5, 7))), (48, (5, 7))); // (5, 7) is beyond the edge
        /// ```
        round_up(tile): RoundUp -> RoundedUp;
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn outside<T: IntTuple, S: IntTuple, D: IntTuple>(
    operation: &'static str,
    fault: impl FnOnce() -> Option<Fault>,
    layout: &IdentityLayout<T, S, D>,
) -> ! {
    fail(&LayoutError::new(operation, fault().unwrap_or(Fault::Coordinate)).with_operand(layout))
}
