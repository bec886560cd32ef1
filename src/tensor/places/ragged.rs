//! Residue tiles, also called ragged tiles: tiles that reach over the edge of a tensor. Predicates
//! guard each access, so that only elements that exist are touched.
//!
//! ```text
//! ragged(t, X)[c] = t[X[c]]  where X[c] lies within the shape of t, else nothing
//!         X: coordinates of t, and beyond
//! ```
//!
//! Safe code: each access goes through the whole tensor, which checks the coordinate; the check is
//! the predicate.

#![allow(clippy::type_complexity, reason = "a view under the layout of a partition, or an error")]

use crate::algebra::traits::RoundUp;
use crate::error::{Fault, LayoutError};
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::traits::{CoordinateOf, Layout};
use crate::list::Untangle;
use crate::number::int::Zero;
use crate::number::show::{Show, Shown};
use crate::strides::identity::BasisFrom;
use crate::strides::identity::{Identity, IdentityLayout};
use crate::tensor::memory::{
    Addressable, CoordinateIn, Corner, SameNesting, Storage, StorageMut, StorageOf, Tensor,
};
use crate::tensor::parts::partition::Inner;
use crate::tensor::places::coordinates::{CoordinateTensor, CutCoordinates, CutOf};
use crate::tuple::int_tuple::IntTuple;

/// Elements of a tensor at given coordinates, some of which may lie beyond the edge: what
/// [`Tensor::ragged`] returns. CuTe's tensors with a predicate tensor beside them.
///
/// ```
/// use layout_algebra::prelude::*;
/// let n = 5;
/// let t = Tensor::new(vec![0, 1, 2, 3, 4], layout!(n))?;
/// let last = t.ragged_tile(tiler!(4), 1)?; // elements 4 to 7, of which one is there
/// assert_eq!([0, 1, 2, 3].map(|i| last.get(i)), [Some(&4), None, None, None]);
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Ragged<W, X> {
    whole: W,
    coordinates: X,
}
impl<W, X> Ragged<W, X> {
    #[inline]
    pub(in crate::tensor) fn cut(&self) -> &X {
        &self.coordinates
    }
}

/// # Tiles over the edge
impl<R: Storage, L: Addressable> Tensor<R, L> {
    /// The elements at the coordinates of a coordinate tensor; a coordinate beyond the edge has no
    /// element.
    ///
    /// `t.ragged(X).get(c) == t.get(X.index(c))`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let (m, n) = (5, 7);
    /// let t = Tensor::filled(layout!((m, n): right), 1);
    /// // All shares of 4 x 4 threads in the matrix, rounded up to 8 x 8.
    /// let whole = Tensor::coordinates(identity((m, n))).round_up(tiler!(4, 4));
    /// let mine = t.ragged(whole.local_partition(layout!((4, 4)), 15)?); // thread 15 stands at (3, 3)
    /// assert_eq!((mine.get((0, 0)), mine.get((0, 1)), mine.get((1, 0))), (Some(&1), None, None));
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn ragged<T: IntTuple, S: IntTuple, D: IntTuple>(
        &self,
        coordinates: CoordinateTensor<T, S, D>,
    ) -> Ragged<&Self, CoordinateTensor<T, S, D>>
    where
        T::Dynamic: CoordinateIn<L>,
    {
        Ragged { whole: self, coordinates }
    }
}

/// `K` is the tile `C` of the coordinates of the shape `Self`, rounded up to whole tiles: what
/// [`Tensor::ragged_tile`] asks for.
#[diagnostic::on_unimplemented(
    message = "this tile cannot be cut out of coordinates rounded up",
    label = "neither a tiler for this shape nor a coordinate of its tiles",
    note = "the tiler is a static one, with an entry for each mode of the shape; the coordinate has a number for \
            each, or `..`"
)]
pub trait RaggedTile<X, C>: IntTuple {
    /// The coordinates of the tile.
    type Output;
    #[doc(hidden)]
    fn coordinates(self, tiler: X, coordinate: C) -> Result<Self::Output, LayoutError>;
}
#[doc(hidden)]
impl<T, X, C> RaggedTile<X, C> for T
where
    T: IntTuple<Node: BasisFrom<Zero, Stride: Untangle>>,
    X: Clone,
    Identity<T>: RoundUp<X, Output: RoundedTile<X, C>>,
{
    type Output = <<Identity<T> as RoundUp<X>>::Output as RoundedTile<X, C>>::Output;
    #[inline]
    fn coordinates(self, tiler: X, coordinate: C) -> Result<Self::Output, LayoutError> {
        RoundUp::evaluated(IdentityLayout::of(self), tiler.clone())?.rounded_tile(tiler, coordinate)
    }
}

/// Coordinates rounded up to whole tiles, from which one tile is cut.
pub trait RoundedTile<X, C> {
    type Output;
    fn rounded_tile(self, tiler: X, coordinate: C) -> Result<Self::Output, LayoutError>;
}
impl<T: IntTuple, S: IntTuple, D: IntTuple, X, C> RoundedTile<X, C> for IdentityLayout<T, S, D>
where
    CoordinateTensor<T, S, D>: CutCoordinates<X, Inner<C>>,
{
    type Output = CutOf<CoordinateTensor<T, S, D>, X, Inner<C>>;
    #[inline]
    fn rounded_tile(self, tiler: X, coordinate: C) -> Result<Self::Output, LayoutError> {
        Tensor::coordinates(self).cut_out(tiler, Inner::new(coordinate))
    }
}
#[diagnostic::do_not_recommend]
impl<X, C> RoundedTile<X, C> for RefusedLayout {
    type Output = Tensor<Corner<()>, RefusedLayout>;
    fn rounded_tile(self, _: X, _: C) -> Result<Self::Output, LayoutError> {
        Ok(Tensor::from_corner((), self))
    }
}

impl<R: Storage, T, L> Tensor<R, L>
where
    L: Addressable<Shape = T>,
    T: IntTuple,
{
    /// The tile at a coordinate among the tiles; the tiles need not divide the tensor. In a residue
    /// tile, coordinates beyond the edge have no element. CuTe's `local_tile` of a tensor whose
    /// extents are rounded up, with the predicates of its identity tensor.
    ///
    /// # Errors
    /// `bounds` if the coordinate is not that of a tile, `overflow` if the extents cannot be
    /// rounded up.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let (m, n) = (5, 6);
    /// let t = Tensor::new((0..30).collect::<Vec<_>>(), layout!((m, n): right))?;
    /// assert_eq!(t.local_tile(tiler!(2, 3), (2, 1)).unwrap_err().kind().as_str(), "divisibility");
    /// let last = t.ragged_tile(tiler!(2, 3), (2, 1))?;
    /// assert_eq!((last.get((0, 2)), last.get((1, 2))), (Some(&29), None));
    /// let mut copy = Tensor::fixed([-1; 6], layout!((2, 3): right));
    /// last.copy_to(&mut copy)?;
    /// assert_eq!(copy.into_storage(), [27, 28, 29, -1, -1, -1]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn ragged_tile<X, C>(
        &self,
        tiler: X,
        coordinate: C,
    ) -> Result<Ragged<&Self, T::Output>, LayoutError>
    where
        T: RaggedTile<X, C>,
    {
        Ok(Ragged { coordinates: self.shape().coordinates(tiler, coordinate)?, whole: self })
    }

    /// [`ragged_tile`](Tensor::ragged_tile), mutable.
    ///
    /// # Errors
    /// Those of [`ragged_tile`](Tensor::ragged_tile).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let n = 5;
    /// let mut t = Tensor::new(vec![0; 5], layout!(n))?;
    /// t.ragged_tile_mut(tiler!(4), 1)?.copy_from(&Tensor::fixed([6, 7, 8, 9], layout!(4)))?;
    /// assert_eq!(t.into_storage(), [0, 0, 0, 0, 6]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn ragged_tile_mut<X, C>(
        &mut self,
        tiler: X,
        coordinate: C,
    ) -> Result<Ragged<&mut Self, T::Output>, LayoutError>
    where
        T: RaggedTile<X, C>,
    {
        Ok(Ragged { coordinates: self.shape().coordinates(tiler, coordinate)?, whole: self })
    }
}

impl<W, T: IntTuple, S: IntTuple, D: IntTuple> Ragged<W, CoordinateTensor<T, S, D>> {
    /// The coordinates of the elements in the whole tensor, also those beyond the edge.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0; 30], layout!((5, 6)));
    /// let last = t.ragged_tile(tiler!(2, 3), (2, 1))?; // rows 4 and 5, columns 3 to 5
    /// // no row 5
    /// assert_eq!((last.coordinates().index((0, 2)), last.coordinates().index((1, 2))), ((4, 5), (5, 5)));
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn coordinates(&self) -> &CoordinateTensor<T, S, D> {
        &self.coordinates
    }

    /// The shape of the tile, the part beyond the edge included.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0; 30], layout!((5, 6)));
    /// let last = t.ragged_tile(tiler!(2, 3), (2, 1))?; // rows 4 and 5, columns 3 to 5
    /// assert_eq!(last.shape(), shape!((2, 3)));
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn shape(&self) -> S {
        self.coordinates.shape()
    }

    #[inline]
    fn same_shape<M>(&self, other: &M) -> Result<(), LayoutError>
    where
        S: Show,
        M: Addressable,
        S::Dynamic: SameNesting<M::Coordinate, Shown<S>, M::ShownShape>,
    {
        if S::Dynamic::same_type(other.extents())
            .is_some_and(|extents| extents == self.shape().to_dynamic())
        {
            return Ok(());
        }
        Err(LayoutError::new("copy_from", Fault::Shapes)
            .with_operands(other, self.coordinates.layout()))
    }
}

macro_rules! reads {
    ($($whole:ty)*) => {
        $(impl<R: Storage, L: Addressable, T: IntTuple, S: IntTuple, D: IntTuple>
            Ragged<$whole, CoordinateTensor<T, S, D>>
        where
            T::Dynamic: CoordinateIn<L>,
        {
            /// The element at a coordinate, or `None` beyond the edge.
            ///
            /// ```
            /// use layout_algebra::prelude::*;
            /// let t = Tensor::fixed([0, 1, 2, 3, 4], layout!(5));
            /// let last = t.ragged_tile(tiler!(4), 1)?;
            /// assert_eq!((last.get(0), last.get(1)), (Some(&4), None));
            /// # Ok::<(), LayoutError>(())
            /// ```
            #[inline]
            #[must_use]
            pub fn get<C>(&self, coordinate: C) -> Option<&R::Item>
            where
                C: IntTuple + CoordinateOf<IdentityLayout<T, S, D>>,
            {
                self.whole.get(self.coordinates.get(coordinate)?)
            }

            /// Copies the elements that exist to a tensor of the same shape; its other elements
            /// keep their values. CuTe's `copy_if`.
            ///
            /// `after: target[c] == self.get(c), or its old value where that is None`
            ///
            /// # Errors
            /// `profile` if the shapes differ.
            ///
            /// ```
            /// use layout_algebra::prelude::*;
            /// let t = Tensor::fixed([0, 1, 2, 3, 4], layout!(5));
            /// let mut copy = Tensor::fixed([-1; 4], layout!(4));
            /// t.ragged_tile(tiler!(4), 1)?.copy_to(&mut copy)?;
            /// assert_eq!(copy.into_storage(), [4, -1, -1, -1]);
            /// # Ok::<(), LayoutError>(())
            /// ```
            #[inline]
            pub fn copy_to<Q, M>(&self, target: &mut Tensor<Q, M>) -> Result<(), LayoutError>
            where
                Q: StorageMut + StorageOf<R::Item>,
                S: Show,
                M: Addressable,
                S::Dynamic: SameNesting<M::Coordinate, Shown<S>, M::ShownShape>,
                R::Item: Clone,
            {
                self.same_shape(target.layout())?;
                target.for_each_mut(|coordinate, element| {
                    let place = S::Dynamic::same_type(coordinate).map(|c| self.coordinates.locate(c));
                    if let Some(value) = place.and_then(|place| self.whole.get(place)) {
                        *element = value.clone();
                    }
                });
                Ok(())
            }
        })*
    };
}
reads! { &Tensor<R, L> &mut Tensor<R, L> }

impl<R: StorageMut, L: Addressable, T: IntTuple, S: IntTuple, D: IntTuple>
    Ragged<&mut Tensor<R, L>, CoordinateTensor<T, S, D>>
where
    T::Dynamic: CoordinateIn<L>,
{
    /// The element at a coordinate to change, or `None` beyond the edge.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0, 1, 2, 3, 4], layout!(5));
    /// let mut last = t.ragged_tile_mut(tiler!(4), 1)?;
    /// *last.get_mut(0).unwrap() = 7;
    /// assert!(last.get_mut(1).is_none());
    /// assert_eq!(t.into_storage(), [0, 1, 2, 3, 7]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn get_mut<C>(&mut self, coordinate: C) -> Option<&mut R::Item>
    where
        C: IntTuple + CoordinateOf<IdentityLayout<T, S, D>>,
    {
        self.whole.get_mut(self.coordinates.get(coordinate)?)
    }

    /// Calls `f` with every coordinate that has an element, and with the element.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let n = 5;
    /// let mut t = Tensor::new(vec![0; 5], layout!(n))?;
    /// t.ragged_tile_mut(tiler!(4), 1)?.for_each_mut(|_, x| *x += 1);
    /// assert_eq!(t.into_storage(), [0, 0, 0, 0, 1]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn for_each_mut(&mut self, mut f: impl FnMut(S::Dynamic, &mut R::Item)) {
        let layout = *self.coordinates.layout();
        for (coordinate, again) in layout.coords().zip(layout.coords()) {
            if let Some(element) = self.whole.get_mut(self.coordinates.locate(again)) {
                f(coordinate, element);
            }
        }
    }

    /// Copies the elements of a tensor of the same shape, except at coordinates beyond the edge.
    /// CuTe's `copy_if`.
    ///
    /// # Errors
    /// `profile` if the shapes differ.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let n = 5;
    /// let mut t = Tensor::new(vec![0; 5], layout!(n))?;
    /// t.ragged_tile_mut(tiler!(4), 1)?.copy_from(&Tensor::fixed([7; 4], layout!(4)))?;
    /// assert_eq!(t.into_storage(), [0, 0, 0, 0, 7]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn copy_from<Q, M>(&mut self, source: &Tensor<Q, M>) -> Result<(), LayoutError>
    where
        Q: StorageOf<R::Item>,
        S: Show,
        M: Addressable,
        S::Dynamic: SameNesting<M::Coordinate, Shown<S>, M::ShownShape>,
        R::Item: Clone,
    {
        self.same_shape(source.layout())?;
        for (coordinate, value) in self.coordinates.layout().coords().zip(source.iter()) {
            if let Some(element) = self.whole.get_mut(self.coordinates.locate(coordinate)) {
                *element = value.clone();
            }
        }
        Ok(())
    }
}
