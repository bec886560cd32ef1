//! What generic code says of a layout that it cuts into tiles: one bound.
//!
//! ```text
//! L: Tiled<T>      zipped_divide(L, T) can be sliced by a number or a coordinate, and what comes out can be indexed
//! ```
//!
//! A bound on a type brings those on its associated types along, and not those on other types, such as that
//! `(.., usize)` slices its output. [`Implies`] says these as bounds on an associated type that is that other type.

use core::ops::RangeFull;

use typenum::{UInt, UTerm};

use crate::algebra::divide::ZippedDivide;
use crate::algebra::modes::slice::Slice;
#[cfg(feature = "alloc")]
use crate::dynamic::{DynLayout, DynTiler};
use crate::layout::strided::StridedLayout;
use crate::layout::tiler::Tiler;
use crate::list::{Cons, Nested, Nil};
use crate::number::multiple::Multiple;
use crate::tensor::partition::{Inner, Partition};
use crate::tensor::storage::{Addressable, CoordinateIn, SliceIn};

/// `L: Tiled<T>`: the layout `L` is cut into tiles by `T`, and tiles are taken, sliced and indexed. The one bound that
/// generic code needs, of a layout and of a tensor's layout alike.
///
/// With a [`Tiler`] of `n` entries, the layout has `n` modes, of which the tiler may keep some (`_`). A coordinate, in
/// the layout, among the tiles or in a tile, is then a number or a tuple of `n` numbers; with any other tiler it is a
/// number. Under the bound there are
///
/// - of a tensor `t`: [`t.local_tile(tiler, c)`](crate::Tensor::local_tile), `t.zipped_divide(tiler)`,
///   [`t.try_tiles_mut(tiler)`](crate::Tensor::try_tiles_mut), and with `L:` [`Injective`](crate::tensor::Injective)
///   [`t.tiles_mut(tiler)`](crate::Tensor::tiles_mut);
/// - of a layout `l`: `l.zipped_divide(tiler)`;
/// - of the divided tensor or layout `d`: `d.slice((.., c))`, the tile `c`; `d.slice((c, ..))`, the element `c` of each
///   tile; `d[(c, e)]` and `d.index((c, e))`;
/// - of a tile: `tile[c]` and `tile.index(c)`; for two entries and more, the first or the last number fixed,
///   `tile.slice((i, ..))`; and what every layout of memory has, `iter`, `coords`, `fill`.
///
/// ```
/// use layout_algebra::prelude::*;
/// fn corners<S: Storage<Item = i32>, L: Tiled<Tiler!(2, 3)>>(t: &Tensor<S, L>) -> i32 {
///     let tiles = t.view().zipped_divide(tiler!(2, 3));
///     (0..t.size() / 6).map(|i| tiles.slice((.., i))[(0, 0)]).sum::<i32>() + t[(0, 0)]
/// }
/// let n = 6;
/// let t = Tensor::fixed(core::array::from_fn::<i32, 24, _>(|i| i as i32), layout!((4, 6): right));
/// assert_eq!(corners(&t), (0 + 12 + 3 + 15) + 0);
/// assert_eq!(corners(&t.view().relayout(layout!((4, n): right))?), 30);
/// assert_eq!(corners(&t.view().relayout("(4,6):(6,1)".parse::<DynLayout>()?)?), 30);
///
/// fn second_tile<L: Tiled<Tiler!(2, 3)>>(l: L) -> usize {
///     let (tile, begin) = l.zipped_divide(tiler!(2, 3)).slice((.., (0, 1)));
///     begin + tile.index((1, 2))
/// }
/// assert_eq!(second_tile(layout!((4, 6): right)), 6 + 5);
/// # Ok::<(), LayoutError>(())
/// ```
///
/// A tiler that does not divide is an error of the call:
///
/// ```compile_fail,E0277
/// use layout_algebra::prelude::*;
/// fn tiles<L: Tiled<Tiler!(2, 4)>>(l: L) {}
/// tiles(layout!((4, 6))); // cannot divide mode 1: extent 6 is not a multiple of 4, what the tile spans
/// ```
#[diagnostic::on_unimplemented(
    message = "nothing says that this layout can be cut into tiles",
    label = "`{Self}` is not known to have tiles that can be taken, sliced and indexed",
    note = "generic code names what it needs as a bound: `L: Tiled<Tiler!(2, 3)>` for tiles of 2 x 3"
)]
pub trait Tiled<T: IsTiler>:
    TakesCoordinate<T::Coordinate>
    + ZippedDivide<T, Output: Divided<T::Coordinate>>
    + LocalTiles<T, LocalTile: TileOf<T::Coordinate>>
    + Partition<T, Inner<usize>, Part = <Self as LocalTiles<T>>::LocalTile>
    + Partition<T, Inner<T::Coordinate>, Part = <Self as LocalTiles<T>>::LocalTile>
{
}
#[doc(hidden)]
impl<L, T: IsTiler> Tiled<T> for L where
    L: TakesCoordinate<T::Coordinate>
        + ZippedDivide<T, Output: Divided<T::Coordinate>>
        + LocalTiles<T, LocalTile: TileOf<T::Coordinate>>
        + Partition<T, Inner<usize>, Part = <L as LocalTiles<T>>::LocalTile>
        + Partition<T, Inner<T::Coordinate>, Part = <L as LocalTiles<T>>::LocalTile>
{
}

/// The layout of a tile that is cut out, whichever coordinate names it.
pub trait LocalTiles<T> {
    type LocalTile;
}
impl<L: Partition<T, Inner<usize>>, T> LocalTiles<T> for L {
    type LocalTile = L::Part;
}

/// `T: IsTiler`: a number, a layout or a tiler, what cuts a layout into tiles.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::IsTiler;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(<Tiler!(2, 3) as IsTiler>::Coordinate, (usize, usize));
/// ```
#[diagnostic::on_unimplemented(
    message = "this cuts nothing into tiles",
    label = "`{Self}` is neither a number, nor a layout, nor a tiler",
    note = "a tiler is written `tiler!(2, 3)`, its type `Tiler!(2, 3)`"
)]
pub trait IsTiler {
    /// A coordinate with a number for each entry.
    type Coordinate: Copy;
}
impl<T: Nested<Node: EntryNumbers>> IsTiler for Tiler<T> {
    type Coordinate = <T::Node as EntryNumbers>::Output;
}
macro_rules! one_number {
    ($([$($generic:tt)*] $tiler:ty;)*) => {
        $(impl<$($generic)*> IsTiler for $tiler {
            type Coordinate = usize;
        })*
    };
}
one_number! { [] usize; [] UTerm; [U, B] UInt<U, B>; [F] Multiple<F>; [S, D] StridedLayout<S, D>; }
#[cfg(feature = "alloc")]
one_number! { [] DynTiler; ['a] &'a DynTiler; [] DynLayout; ['a] &'a DynLayout; }

/// A number for each entry of a list; for a single one it is the number itself.
pub trait EntryNumbers {
    type Output: Copy;
}
macro_rules! entry_numbers {
    ($Only:ident $only:ident) => {
        impl<$Only> EntryNumbers for list!($Only) {
            type Output = usize;
        }
    };
    ($($Item:ident $item:ident)+) => {
        impl<$($Item),+> EntryNumbers for list!($($Item)+) {
            type Output = ($(instead_of!($Item, usize),)+);
        }
    };
}
each_arity!(entry_numbers);

/// The type `T` by another name: where a trait says that `Self: Implies<T, Is: Bound>`, whoever has the trait as a bound
/// has `T: Bound`.
pub trait Implies<T>: Is<T, Is = T> {}
impl<L, T> Implies<T> for L {}
/// See [`Implies`].
pub trait Is<T> {
    type Is;
}
impl<L, T> Is<T> for L {
    type Is = T;
}

/// A layout of memory of which a number and a `C` are coordinates.
pub trait TakesCoordinate<C>:
    Addressable + Implies<usize, Is: CoordinateIn<Self>> + Implies<C, Is: CoordinateIn<Self>>
{
}
impl<L: Addressable, C: CoordinateIn<L>> TakesCoordinate<C> for L where usize: CoordinateIn<L> {}

/// A tile.
pub trait TileOf<C>: TakesCoordinate<C> {}
impl<L, C> TileOf<C> for L where L: TakesCoordinate<C> {}

/// A layout divided into tiles, within and among which a number and a `C` are coordinates.
pub trait Divided<C>:
    TakesCoordinate<(usize, usize)>
    + Implies<(C, C), Is: CoordinateIn<Self>>
    + TilesAndShares<Tile: TileOf<C>, Share: TakesCoordinate<C>>
    + Implies<(RangeFull, usize), Is: SliceIn<Self, Output = <Self as TilesAndShares>::Tile>>
    + Implies<(RangeFull, C), Is: SliceIn<Self, Output = <Self as TilesAndShares>::Tile>>
    + Implies<(usize, RangeFull), Is: SliceIn<Self, Output = <Self as TilesAndShares>::Share>>
    + Implies<(C, RangeFull), Is: SliceIn<Self, Output = <Self as TilesAndShares>::Share>>
    + Slice<(RangeFull, usize), Output = <Self as TilesAndShares>::Tile>
    + Slice<(RangeFull, C), Output = <Self as TilesAndShares>::Tile>
    + Slice<(usize, RangeFull), Output = <Self as TilesAndShares>::Share>
    + Slice<(C, RangeFull), Output = <Self as TilesAndShares>::Share>
{
}
impl<L, C> Divided<C> for L
where
    L: TakesCoordinate<(usize, usize)>
        + TilesAndShares<Tile: TileOf<C>, Share: TakesCoordinate<C>>
        + Slice<(RangeFull, usize), Output = <L as TilesAndShares>::Tile>
        + Slice<(RangeFull, C), Output = <L as TilesAndShares>::Tile>
        + Slice<(usize, RangeFull), Output = <L as TilesAndShares>::Share>
        + Slice<(C, RangeFull), Output = <L as TilesAndShares>::Share>,
    (C, C): CoordinateIn<L>,
    (RangeFull, usize): SliceIn<L, Output = L::Tile>,
    (RangeFull, C): SliceIn<L, Output = L::Tile>,
    (usize, RangeFull): SliceIn<L, Output = L::Share>,
    (C, RangeFull): SliceIn<L, Output = L::Share>,
{
}

/// The layouts of the tiles of a divided layout, and of one element of each.
pub trait TilesAndShares {
    type Tile;
    type Share;
}
impl<L> TilesAndShares for L
where
    (RangeFull, usize): SliceIn<L>,
    (usize, RangeFull): SliceIn<L>,
{
    type Tile = <(RangeFull, usize) as SliceIn<L>>::Output;
    type Share = <(usize, RangeFull) as SliceIn<L>>::Output;
}
