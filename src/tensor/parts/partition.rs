//! Cutting and dealing: the tile of a block, the slice of a thread.
//!
//! ```text
//! local_tile(t, tiler, c)          = zipped_divide(t, tiler)((.., ..), c)      the tile c
//! local_partition(t, threads, i)   = zipped_divide(t, shape(threads))(c, ..)
//!         element c of every tile, the place of i
//! ```
//!
//! Tiles and partitions cover the tensor, each element once.

#![allow(clippy::type_complexity, reason = "a view under the layout of a partition, or an error")]

use core::ops::RangeFull;

use crate::algebra::divide::{ZippedDivide, ZippedDivision};
use crate::algebra::operation::Stays;
use crate::composed::{ComposedLayout, InnerLayout};
use crate::error::LayoutError;
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::tiler::Tiler;
use crate::list::{Cons, Leaf, Nested, Nil, Untangle};
use crate::number::table::Number;
use crate::strides::algebra::IntoStepped;
use crate::strides::layout::SignedLayout;
use crate::strides::negative::Signed;
use crate::tensor::memory::{Addressable, SliceIn, Storage, StorageMut, SwizzleOfMemory, Tensor};
use crate::tensor::parts::project::{IsStep, Project, ProjectEntries};
use crate::tensor::parts::threads::{Threads, check_thread};
use crate::tuple::int_tuple::IntTuple;

// ---- a slice of a divided layout ----------------------------------------------------------------

/// `L: Partition<T, C>`: the layout `L` can be divided by the tiler `T` and sliced at `C`: what
/// [`Tensor::local_tile`] and [`Tensor::local_partition`] ask for.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::{Inner, Partition, Storage};
/// type Tile = Tiler!(2, 3);
/// fn first<S: Storage<Item = i32>, L: Partition<Tile, Inner<(usize, usize)>>>(
///     t: &Tensor<S, L>,
/// ) -> Option<i32> {
///     t.local_tile(Tile::default(), (1, 1)).ok()?.iter().next().copied()
/// }
/// let t = Tensor::fixed(core::array::from_fn::<i32, 24, _>(|i| i as i32), layout!((4, 6): right));
/// assert_eq!(first(&t), Some(2 * 6 + 3));
/// # Ok::<(), LayoutError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "this layout has no part of a tile at this coordinate",
    label = "the tiler does not divide the layout, or the coordinate does not fit the tiles",
    note = "generic code names what it needs as a bound: `L: Tiled<Tiler!(2, 3)>` for tiles of 2 x 3, by the macro and not \
            as `Int<2>`; `L: Partition<T, Outer<C>>` for a share"
)]
pub trait Partition<T, C>: Addressable {
    /// The divided layout.
    type Divided: Addressable;
    /// The coordinate at which the divided layout is sliced.
    type At: SliceIn<Self::Divided, Output = Self::Part>;
    /// The slice: the layout of the tile or the share.
    type Part: Addressable;
    /// Whether each offset of the divided layout is one of this layout.
    #[doc(hidden)]
    const STAYS: Stays<Self, (T, C)> = Stays::unknown();
    /// Divides the layout, and says where to slice it.
    #[doc(hidden)]
    fn partition(self, tiler: T, coordinate: C) -> Result<(Self::Divided, Self::At), LayoutError>;
}
/// The layout of a tile or a share.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::{Inner, PartitionOf};
/// use static_assertions::assert_type_eq_all;
/// type Tile = PartitionOf<Layout!((4, 6)), Tiler!(2, 3), Inner<(usize, usize)>>;
/// assert_type_eq_all!(Tile, Layout!((2, 3):(1, 4)));
/// ```
pub type PartitionOf<L, T, C> = <L as Partition<T, C>>::Part;

/// A divided layout; if there is none, the function returns the error, as with `?`. With `?` itself
/// two more functions would be compiled for each type of layout.
macro_rules! or_stop {
    ($divided:expr) => {
        match $divided {
            Ok(layout) => layout,
            Err(error) => return Err($crate::tensor::no_division(error)),
        }
    };
}
pub(crate) use or_stop;
/// Why there is no divided layout.
#[cfg(not(target_arch = "nvptx64"))]
#[inline(always)]
pub(crate) fn no_division(error: LayoutError) -> LayoutError {
    error
}
/// On a GPU nobody reads the error: the kernel traps, and no registers are spent on an error.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub(crate) fn no_division(_: LayoutError) -> LayoutError {
    crate::error::stop()
}

/// [`PartitionOf`] as an associated type of the tiler `Self`. While the compiler searches for a
/// method, it does not know the tiler; so it reports the method's own bound, `L: Partition`, as the
/// one that is missing.
pub trait CutsOut<L, C> {
    type Part;
}
impl<T, L: Partition<T, C>, C> CutsOut<L, C> for T {
    type Part = L::Part;
}

/// A coordinate among the tiles: the tile is kept.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::{Inner, PartitionOf};
/// use static_assertions::assert_type_eq_all;
/// // One tile of 2 x 3 in a matrix of 4 x 6.
/// assert_type_eq_all!(
///     PartitionOf<Layout!((4, 6)), Tiler!(2, 3), Inner<(usize, usize)>>,
///     Layout!((2, 3):(1, 4)),
/// );
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Inner<C>(C);
impl<C> Inner<C> {
    #[inline]
    pub(in crate::tensor) fn new(coordinate: C) -> Self {
        Inner(coordinate)
    }
    #[cfg(feature = "alloc")]
    pub(in crate::tensor) fn into_coordinate(self) -> C {
        self.0
    }
}
/// A coordinate within a tile: the tiles are kept.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::{Outer, PartitionOf};
/// use static_assertions::assert_type_eq_all;
/// // One element of each of 2 x 2 tiles in a matrix of 4 x 6.
/// assert_type_eq_all!(
///     PartitionOf<Layout!((4, 6)), Tiler!(2, 3), Outer<(usize, usize)>>,
///     Layout!((2, 2):(2, 12)),
/// );
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Outer<C>(C);
impl<C> Outer<C> {
    #[inline]
    pub(in crate::tensor) fn new(coordinate: C) -> Self {
        Outer(coordinate)
    }
    #[cfg(feature = "alloc")]
    pub(in crate::tensor) fn into_coordinate(self) -> C {
        self.0
    }
}

#[doc(hidden)]
impl<S, D, T, C> Partition<T, Inner<C>> for StridedLayout<S, D>
where
    Self: Addressable + ZippedDivide<T, Output: Addressable + TileAt<C>>,
{
    type Divided = <Self as ZippedDivide<T>>::Output;
    type At = <Self::Divided as TileAt<C>>::At;
    type Part =
        <<ZippedDivision<Self, T> as TileAt<C>>::At as SliceIn<ZippedDivision<Self, T>>>::Output;
    const STAYS: Stays<Self, (T, Inner<C>)> =
        Stays::shown_if(<Self as ZippedDivide<T>>::STAYS.is_shown());
    #[inline]
    fn partition(
        self,
        tiler: T,
        coordinate: Inner<C>,
    ) -> Result<(Self::Divided, Self::At), LayoutError> {
        Ok((or_stop!(ZippedDivide::evaluated(self, tiler)), Self::Divided::tile_at(coordinate.0)))
    }
}

/// A divided layout from which the tile at the coordinate `C` is taken.
pub trait TileAt<C>: Sized {
    /// All of the tile, and the coordinate among the tiles.
    type At: SliceIn<Self>;
    fn tile_at(coordinate: C) -> Self::At;
}
impl<C, S0, S1, D0, D1> TileAt<C> for StridedLayout<(S0, S1), (D0, D1)>
where
    S0: Nested<Node: KeepAll>,
    (<S0::Node as KeepAll>::Output, C): SliceIn<Self>,
{
    type At = (<S0::Node as KeepAll>::Output, C);
    #[inline]
    fn tile_at(coordinate: C) -> Self::At {
        (S0::Node::keep_all(), coordinate)
    }
}
#[diagnostic::do_not_recommend]
impl<C> TileAt<C> for RefusedLayout {
    type At = ();
    fn tile_at(_: C) {}
}
#[doc(hidden)]
impl<S, D, T, C> Partition<T, Outer<C>> for StridedLayout<S, D>
where
    Self: Addressable + ZippedDivide<T, Output: Addressable>,
    (C, RangeFull): SliceIn<<Self as ZippedDivide<T>>::Output>,
{
    type Divided = <Self as ZippedDivide<T>>::Output;
    type At = (C, RangeFull);
    type Part = <(C, RangeFull) as SliceIn<ZippedDivision<Self, T>>>::Output;
    const STAYS: Stays<Self, (T, Outer<C>)> =
        Stays::shown_if(<Self as ZippedDivide<T>>::STAYS.is_shown());
    #[inline]
    fn partition(
        self,
        tiler: T,
        coordinate: Outer<C>,
    ) -> Result<(Self::Divided, Self::At), LayoutError> {
        Ok((or_stop!(ZippedDivide::evaluated(self, tiler)), (coordinate.0, ..)))
    }
}

/// The partition of the inner layout, under the same function of offsets.
#[doc(hidden)]
impl<O, F, S, D, T, C, Z, A> Partition<T, C> for ComposedLayout<O, F, StridedLayout<S, D>>
where
    O: SwizzleOfMemory,
    F: Number,
    Self: Addressable,
    S: IntTuple,
    D: IntTuple,
    StridedLayout<S, D>: Partition<T, C, Divided = Z, At = A>,
    Z: InnerLayout<Behind<O, F>: Addressable> + Addressable,
    A: SliceIn<Z> + SliceIn<Z::Behind<O, F>>,
{
    type Divided = Z::Behind<O, F>;
    type At = A;
    type Part = <A as SliceIn<Z::Behind<O, F>>>::Output;
    const STAYS: Stays<Self, (T, C)> =
        Stays::shown_if(<StridedLayout<S, D> as Partition<T, C>>::STAYS.is_shown() && Z::ADDS);
    #[inline(always)]
    fn partition(self, tiler: T, coordinate: C) -> Result<(Self::Divided, A), LayoutError> {
        let (divided, at) = Partition::<T, C>::partition(self.inner(), tiler, coordinate)?;
        Ok((divided.behind(self.outer(), self.offset()), at))
    }
}
/// The same for negative strides, which a divide accepts.
#[doc(hidden)]
impl<O, F, S, D, T, C, Z, A> Partition<T, C> for ComposedLayout<O, F, SignedLayout<S, D>>
where
    O: SwizzleOfMemory,
    F: Number,
    Self: Addressable,
    S: IntTuple,
    D: IntTuple,
    StridedLayout<S, D>: Partition<T, C, Divided = Z, At = A>,
    Z: IntoStepped<Signed, Output: InnerLayout<Behind<O, F>: Addressable>>,
    A: SliceIn<Z> + SliceIn<<Z::Output as InnerLayout>::Behind<O, F>>,
{
    type Divided = <Z::Output as InnerLayout>::Behind<O, F>;
    type At = A;
    type Part = <A as SliceIn<<Z::Output as InnerLayout>::Behind<O, F>>>::Output;
    #[inline(always)]
    fn partition(self, tiler: T, coordinate: C) -> Result<(Self::Divided, A), LayoutError> {
        let (divided, at) =
            Partition::<T, C>::partition(self.inner().strided(), tiler, coordinate)?;
        Ok((divided.into_stepped().behind(self.outer(), self.offset()), at))
    }
}

/// A `..` for each mode of the first level.
pub trait KeepAll {
    type Output: Copy;
    fn keep_all() -> Self::Output;
}
impl<N> KeepAll for Leaf<N> {
    type Output = RangeFull;
    #[inline]
    fn keep_all() -> RangeFull {
        ..
    }
}
impl<H, T: Ranges> KeepAll for Cons<H, T>
where
    Cons<RangeFull, T::Output>: Untangle<Tree: Copy>,
{
    type Output = <Cons<RangeFull, T::Output> as Untangle>::Tree;
    #[inline]
    fn keep_all() -> Self::Output {
        Cons { head: .., tail: T::ranges() }.tree()
    }
}
/// [`KeepAll`] as a list.
pub trait Ranges {
    type Output;
    fn ranges() -> Self::Output;
}
impl Ranges for Nil {
    type Output = Nil;
    #[inline]
    fn ranges() -> Nil {
        Nil
    }
}
impl<H, T: Ranges> Ranges for Cons<H, T> {
    type Output = Cons<RangeFull, T::Output>;
    #[inline]
    fn ranges() -> Self::Output {
        Cons { head: .., tail: T::ranges() }
    }
}

// ---- on tensors ---------------------------------------------------------------------------------

/// # Tiles and shares
///
/// These methods fail only with dynamic numbers, or with a coordinate outside of the shape.
impl<S: Storage, L: Addressable> Tensor<S, L> {
    /// The tile at a coordinate among the tiles. A `..` in the coordinate keeps all tiles along its
    /// mode, as a mode behind those of the tile. CuTe's `local_tile`, `inner_partition`.
    ///
    /// `local_tile(T, c) == zipped_divide(T)((.., ..), c)`
    ///
    /// # Errors
    /// Those of [`zipped_divide`](crate::LayoutAlgebra::zipped_divide), and `bounds` if the
    /// coordinate is not that of a tile.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed(core::array::from_fn::<_, 24, _>(|i| i), layout!((4, 6)));
    /// let tile = t.local_tile(tiler!(2, 3), (1, 0))?;
    /// assert_eq!(tile.iter().copied().collect::<Vec<_>>(), [2, 3, 6, 7, 10, 11]);
    /// let row_of_tiles = t.local_tile(tiler!(2, 3), (1, ..))?;
    /// assert_eq!(*row_of_tiles.layout(), layout!((2, 3, 2):(1, 4, 12)));
    /// assert!(t.local_tile(tiler!(2, 3), (2, 0)).is_err());
    /// # Ok::<(), LayoutError>(())
    /// ```
    ///
    /// With a rank known only at run time:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::new((0..24).collect::<Vec<_>>(), "(4,6):(6,1)".parse::<DynLayout>()?)?;
    /// let tile = t.local_tile(tiler!(2, 3), (1, 1))?;
    /// assert_eq!((tile.layout().to_string().as_str(), tile[0]), ("(2,3):(6,1)", 15));
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn local_tile<T, C>(
        &self,
        tiler: T,
        coordinate: C,
    ) -> Result<Tensor<S::View<'_>, <T as CutsOut<L, Inner<C>>>::Part>, LayoutError>
    where
        L: Partition<T, Inner<C>>,
    {
        self.part(tiler, Inner(coordinate))
    }

    /// [`local_tile`](Tensor::local_tile) by the entries of a tiler and a coordinate that a step
    /// names. CuTe's `local_tile` with `Step<_1, X, _1>`, here `tiler!(1, _, 1)`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let (blocks, at) = (tiler!(4, 8, 2), (1, 0, ..)); // tiles of M x N x K; block (1, 0), all of K
    /// let a = Tensor::filled(layout!((8, 6)), 1.0); // M x K
    /// let tiles = a.local_tile_by(blocks, at, tiler!(1, _, 1))?;
    /// assert_eq!(*tiles.layout(), layout!((4, 2, 3):(1, 8, 16)));
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn local_tile_by<T, C, P>(
        &self,
        tiler: Tiler<T>,
        coordinate: C,
        step: P,
    ) -> Result<Tensor<S::View<'_>, PartitionOf<L, Tiler<T::Output>, Inner<C::Output>>>, LayoutError>
    where
        P: IsStep,
        T: Project<P>,
        C: ProjectEntries<P>,
        L: Partition<Tiler<T::Output>, Inner<C::Output>>,
    {
        let _ = step; // The type of `step` selects the modes.
        self.local_tile(
            Tiler::const_new(tiler.into_modes().project()),
            coordinate.project_entries(),
        )
    }

    /// The element at a coordinate of every tile. CuTe's `outer_partition`.
    ///
    /// `outer_partition(T, c) == zipped_divide(T)(c, ..)`
    ///
    /// # Errors
    /// Those of [`zipped_divide`](crate::LayoutAlgebra::zipped_divide), and `bounds` if the
    /// coordinate lies outside of a tile.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed(core::array::from_fn::<_, 24, _>(|i| i), layout!((4, 6)));
    /// assert_eq!(
    ///     t.outer_partition(tiler!(2, 3), (1, 0))?.iter().copied().collect::<Vec<_>>(),
    ///     [1, 3, 13, 15]
    /// );
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn outer_partition<T, C>(
        &self,
        tiler: T,
        coordinate: C,
    ) -> Result<Tensor<S::View<'_>, <T as CutsOut<L, Outer<C>>>::Part>, LayoutError>
    where
        L: Partition<T, Outer<C>>,
    {
        self.part(tiler, Outer(coordinate))
    }

    /// The elements of one thread. The threads stand side by side as the layout `threads` says, and
    /// this block of threads repeats over the tensor. CuTe's `local_partition`.
    ///
    /// # Errors
    /// Those of [`zipped_divide`](crate::LayoutAlgebra::zipped_divide); `overlap` or `bounds` if
    /// the threads are no permutation of `0 .. size`, or if there is no such thread.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed(core::array::from_fn::<_, 24, _>(|i| i), layout!((4, 6)));
    /// let threads = layout!((2, 3): right);
    /// assert_eq!(t.local_partition(threads, 1)?.iter().copied().collect::<Vec<_>>(), [4, 6, 16, 18]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn local_partition<H: Threads>(
        &self,
        threads: H,
        thread: usize,
    ) -> Result<Tensor<S::View<'_>, PartitionOf<L, H::Tiler, Outer<H::Place>>>, LayoutError>
    where
        L: Partition<H::Tiler, Outer<H::Place>>,
    {
        check_thread(&threads, thread)?;
        let (tiler, coordinate) =
            threads.stand(thread).map_err(|fault| LayoutError::new("local_partition", fault))?;
        self.outer_partition(tiler, coordinate)
    }

    /// [`local_tile`](Tensor::local_tile), mutable.
    ///
    /// # Errors
    /// Those of [`local_tile`](Tensor::local_tile).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 8], layout!((2, 4)));
    /// t.local_tile_mut(tiler!(2, 2), (0, 1))?.fill(1);
    /// assert_eq!(t.into_storage(), [0, 0, 0, 0, 1, 1, 1, 1]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn local_tile_mut<T, C>(
        &mut self,
        tiler: T,
        coordinate: C,
    ) -> Result<Tensor<S::ViewMut<'_>, <T as CutsOut<L, Inner<C>>>::Part>, LayoutError>
    where
        S: StorageMut,
        L: Partition<T, Inner<C>>,
    {
        self.part_mut(tiler, Inner(coordinate))
    }

    /// [`local_partition`](Tensor::local_partition), mutable.
    ///
    /// # Errors
    /// Those of [`local_partition`](Tensor::local_partition).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 8], layout!((2, 4)));
    /// // thread 3 stands at (1, 1): columns 1 and 3 of row 1
    /// t.local_partition_mut(layout!((2, 2)), 3)?.fill(1);
    /// assert_eq!(t.into_storage(), [0, 0, 0, 1, 0, 0, 0, 1]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn local_partition_mut<H: Threads>(
        &mut self,
        threads: H,
        thread: usize,
    ) -> Result<Tensor<S::ViewMut<'_>, PartitionOf<L, H::Tiler, Outer<H::Place>>>, LayoutError>
    where
        S: StorageMut,
        L: Partition<H::Tiler, Outer<H::Place>>,
    {
        check_thread(&threads, thread)?;
        let (tiler, coordinate) =
            threads.stand(thread).map_err(|fault| LayoutError::new("local_partition", fault))?;
        self.part_mut(tiler, Outer(coordinate))
    }
}
