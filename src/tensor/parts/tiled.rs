//! The one bound that generic code needs to cut a layout into tiles.
//!
//! ```text
//! L: Tiled<T>
//!     zipped_divide(L, T) can be sliced by a number or a coordinate, and what comes out can be indexed
//! ```
//!
//! A bound on a type implies the bounds on its associated types, but no bounds on other types, such
//! as that `(.., usize)` slices its output. [`Implies`] states such a bound on an associated type
//! that is that other type.

use core::ops::{Range, RangeFull};

use typenum::{UInt, UTerm};

use crate::algebra::divide::ZippedDivide;
use crate::algebra::modes::slice::Slice;
use crate::composed::ComposedLayout;
#[cfg(feature = "alloc")]
use crate::dynamic::{DynLayout, DynTiler};
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::tiler::{Keep, Tiler};
use crate::list::{Cons, Nested, Nil};
use crate::number::multiple::Multiple;
use crate::number::table::Number;
use crate::tensor::{
    Addressable, CoordinateIn, Inner, Numbering, Partition, RaggedDivide, SliceIn,
};

/// `L: Tiled<T>`: the layout `L` is cut into tiles by `T`, and tiles are taken, sliced and indexed.
/// The one bound that generic code needs, for a layout and for the layout of a tensor.
///
/// With a [`Tiler`] of `n` entries, the layout has `n` modes, of which the tiler may keep some
/// (`_`). A coordinate, in the layout, among the tiles or in a tile, is then a number or a tuple of
/// `n` numbers; with any other tiler it is a number. Under the bound there are
///
/// - of a tensor `t`: [`t.local_tile(tiler, c)`](crate::Tensor::local_tile),
///   [`t.tiles(tiler)`](crate::Tensor::tiles), `t.zipped_divide(tiler)`, [`t.tiles_mut(tiler)`](crate::Tensor::tiles_mut), and their `try_` twins;
/// - of a tensor, where each entry of the tiler is a number or `_`:
///   [`t.ragged_tiles(tiler)`](crate::Tensor::ragged_tiles), and mutable as above;
/// - of a layout `l`: `l.zipped_divide(tiler)`;
/// - of the divided tensor or layout `d`: `d.slice((.., c))`, the tile `c`; `d.slice((c, ..))`, the
///   element `c` of each tile; `d[(c, e)]` and `d.index((c, e))`;
/// - of a tile: `tile[c]` and `tile.index(c)`, `tile[[i, j]]`; for two entries and more, the first
///   or the last number fixed, `tile.slice((i, ..))`, `tile.slice((.., j))`; a range of the first
///   mode, of the last or of each, `tile.slice((a..b, ..))`, `tile.slice((a..b, c..d))`; and what
///   every layout of memory has, `iter`, `coords`, `fill`.
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
/// assert_eq!(corners(&t.view().with_layout(layout!((4, n): right))?), 30);
/// assert_eq!(corners(&t.view().with_layout("(4,6):(6,1)".parse::<DynLayout>()?)?), 30);
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
/// tiles(layout!((4, 6))); // extent 6 is not a multiple of the span 4, in mode 1
/// ```
#[diagnostic::on_unimplemented(
    message = "nothing says that this layout can be cut into tiles",
    label = "`{Self}` is not known to have tiles that can be taken, sliced and indexed",
    note = "generic code names what it needs as a bound: `L: Tiled<Tiler!(2, 3)>` for tiles of 2 x 3, by the macro: rustc \
            does not look through `Int<2>` in a bound"
)]
pub trait Tiled<T: TilerParts>: IntoTiles<T>
where
    T: IsTiler,
{
}
// An impl for each kind of layout, so that rustc names this trait where it does not know the
// layout.
#[doc(hidden)]
impl<S, D, T: IsTiler> Tiled<T> for StridedLayout<S, D> where Self: IntoTiles<T> {}
#[doc(hidden)]
impl<O, F, L, T: IsTiler> Tiled<T> for ComposedLayout<O, F, L> where Self: IntoTiles<T> {}
#[doc(hidden)]
impl<T: IsTiler> Tiled<T> for RefusedLayout where Self: IntoTiles<T> {}
#[doc(hidden)]
#[cfg(feature = "alloc")]
impl<T: IsTiler> Tiled<T> for DynLayout where Self: IntoTiles<T> {}

/// What [`Tiled`] says. It names two divisions, so that rustc takes none of them for that of a
/// call: by another tiler, a call is then refused in our words, and not for *mismatched types*.
#[diagnostic::on_unimplemented(
    message = "nothing says that this layout can be cut into tiles",
    label = "`{Self}` is not known to have tiles that can be taken, sliced and indexed",
    note = "generic code names what it needs as a bound: `L: Tiled<Tiler!(2, 3)>` for tiles of 2 x 3, by the macro: rustc \
            does not look through `Int<2>` in a bound"
)]
pub trait IntoTiles<T: TilerParts>:
    TakesCoordinate<T::Coordinate>
    + TileLayouts<
        T,
        LocalTile: TileOf<T>,
        Divided: Divided<T>,
        Grid: Numbering<Self, Coordinate = <Self as TileLayouts<T>>::At>,
        At: SliceIn<Self, Output = <Self as TileLayouts<T>>::Tile>,
        Tile: TileOf<T>,
    > + ZippedDivide<T, Output = <Self as TileLayouts<T>>::Divided>
    + ZippedDivide<RefusedLayout>
    + Partition<T, Inner<usize>, Part = <Self as TileLayouts<T>>::LocalTile>
    + Partition<T, Inner<T::Coordinate>, Part = <Self as TileLayouts<T>>::LocalTile>
    + RaggedDivide<T::Blocks, Grid = <Self as TileLayouts<T>>::Grid>
{
}
/// The layouts that the tiles of `T` have, and where they lie. In one trait, which rustc misses
/// once where a bound has an alias such as `Int<2>`.
#[diagnostic::on_unimplemented(
    message = "a bound names tiles by the macro: write `L: Tiled<Tiler!(2, 3)>`",
    label = "rustc does not look through `Int<2>` in a bound, and a tuple of numbers is a shape",
    note = "`Tiler!(2, 3)` cuts tiles of 2 x 3, and `Tiler!(2, _)` pairs of rows"
)]
pub trait TileLayouts<T> {
    /// The layout of a tile that is cut out, whichever coordinate names it.
    type LocalTile;
    type Divided;
    /// The blocks, those at the edges smaller.
    type Grid;
    type At;
    type Tile;
}
// As above, impls for each kind of layout.
macro_rules! tiled_layouts {
    ($([$($generic:ident)*] $layout:ty;)*) => {$(
        impl<$($generic,)* T: TilerParts> IntoTiles<T> for $layout where
            Self: TakesCoordinate<T::Coordinate>
                + TileLayouts<
                    T,
                    LocalTile: TileOf<T>,
                    Divided: Divided<T>,
                    Grid: Numbering<Self, Coordinate = <Self as TileLayouts<T>>::At>,
                    At: SliceIn<Self, Output = <Self as TileLayouts<T>>::Tile>,
                    Tile: TileOf<T>,
                > + ZippedDivide<T, Output = <Self as TileLayouts<T>>::Divided>
                + ZippedDivide<RefusedLayout>
                + Partition<T, Inner<usize>, Part = <Self as TileLayouts<T>>::LocalTile>
                + Partition<T, Inner<T::Coordinate>, Part = <Self as TileLayouts<T>>::LocalTile>
                + RaggedDivide<T::Blocks, Grid = <Self as TileLayouts<T>>::Grid>
        {
        }
        impl<$($generic,)* T: TilerParts> TileLayouts<T> for $layout
        where
            Self: Partition<T, Inner<usize>> + ZippedDivide<T> + RaggedDivide<T::Blocks>,
        {
            type LocalTile = <Self as Partition<T, Inner<usize>>>::Part;
            type Divided = <Self as ZippedDivide<T>>::Output;
            type Grid = <Self as RaggedDivide<T::Blocks>>::Grid;
            type At = <Self::Grid as Numbering<Self>>::Coordinate;
            type Tile = <Self::At as SliceIn<Self>>::Output;
        }
    )*};
}
tiled_layouts! { [S D] StridedLayout<S, D>; [O F L] ComposedLayout<O, F, L>; }
tiled_layouts! { [] RefusedLayout; }
#[cfg(feature = "alloc")]
tiled_layouts! { [] DynLayout; }

/// `T: IsTiler`: a number, a layout or a tiler. These cut a layout into tiles.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::IsTiler;
/// fn tiles<T: IsTiler, L: Tiled<T>>(l: L, tiler: T) -> usize {
///     l.zipped_divide(tiler).mode_size(1)
/// }
/// assert_eq!(tiles(layout!((4, 6)), tiler!(2, 3)), 4);
/// ```
#[diagnostic::on_unimplemented(
    message = "this cuts nothing into tiles",
    label = "neither a number, nor a layout, nor a tiler; a tuple of numbers is a shape",
    note = "a tiler is written `tiler!(2, 3)`, its type `Tiler!(2, 3)`, a bound `L: Tiled<Tiler!(2, 3)>`"
)]
pub trait IsTiler: TilerParts {}
/// What a tiler has. Tuples have it too, and are no tilers, so that a bound with one is one error.
#[diagnostic::on_unimplemented(
    message = "this cuts nothing into tiles",
    label = "neither a number, nor a layout, nor a tiler",
    note = "generic code names what it needs as a bound: `T: IsTiler`"
)]
pub trait TilerParts {
    /// A coordinate with a number for each entry.
    type Coordinate: PlainCoordinate;
    /// The tiler itself where it cuts blocks, which may be smaller at the edges; else `_`, which
    /// every layout takes.
    type Blocks;
}
#[doc(hidden)]
impl<T: Nested<Node: EntryNumbers + Entries>> IsTiler for Tiler<T> {}
impl<T: Nested<Node: EntryNumbers + Entries>> TilerParts for Tiler<T> {
    type Coordinate = <T::Node as EntryNumbers>::Output;
    type Blocks = <T::Node as Entries>::Blocks<Self>;
}
macro_rules! one_number {
    ($([$($generic:tt)*] $tiler:ty, $blocks:ty;)*) => {
        $(#[doc(hidden)]
        impl<$($generic)*> IsTiler for $tiler {}
        impl<$($generic)*> TilerParts for $tiler {
            type Coordinate = usize;
            type Blocks = $blocks;
        })*
    };
}
one_number! {
    [] usize, Self; [] UTerm, Self; [U, B] UInt<U, B>, Self; [F] Multiple<F>, Self;
    [S, D] StridedLayout<S, D>, Keep;
}
#[cfg(feature = "alloc")]
one_number! {
    [] DynTiler, Self; ['a] &'a DynTiler, Self; [] DynLayout, Self; ['a] &'a DynLayout, Self;
}

macro_rules! no_tilers {
    ($($Item:ident $item:ident)+) => {
        impl<$($Item),+> TilerParts for ($($Item,)+) {
            type Coordinate = usize;
            type Blocks = Keep;
        }
    };
}
each_arity!(no_tilers);

/// The entries of a tiler, or one of them: `Blocks<T>` is `T` where each is a number or `_`, else
/// `_`.
pub trait Entries {
    type Blocks<T>;
}
impl Entries for Nil {
    type Blocks<T> = T;
}
impl<H: Entries, T: Entries> Entries for Cons<H, T> {
    type Blocks<X> = H::Blocks<T::Blocks<X>>;
}
macro_rules! entries {
    ($([$($generic:tt)*] $entry:ty => $blocks:ty;)*) => {
        $(impl<$($generic)*> Entries for $entry {
            type Blocks<X> = $blocks;
        })*
    };
}
entries! {
    [N: Number] N => X; [] Keep => X; [S, D] StridedLayout<S, D> => Keep; [T] Tiler<T> => Keep;
}

/// A number for each of some modes: a coordinate.
pub trait PlainCoordinate: Copy {
    /// The numbers as an array; a single one is no array.
    type Array: Copy;
    /// A number for each mode but one; a single one stays.
    type Others: PlainCoordinate;
    /// The slices that fix the first number, or the last one; of a single mode nothing is fixed.
    type First: Clone;
    type Last: Clone;
    /// The slices that keep a range of the first mode, of the last one, or of each.
    type PartOfFirst: Clone;
    type PartOfLast: Clone;
    type PartOfEach: Clone;
}
/// A number for each entry of a list; for a single one it is the number itself.
pub trait EntryNumbers {
    type Output: PlainCoordinate;
}
macro_rules! entry_numbers {
    ($Only:ident $only:ident) => {
        impl<$Only> EntryNumbers for list!($Only) {
            type Output = usize;
        }
        impl PlainCoordinate for usize {
            type Array = usize;
            type Others = usize;
            type First = RangeFull;
            type Last = RangeFull;
            type PartOfFirst = Range<usize>;
            type PartOfLast = Range<usize>;
            type PartOfEach = Range<usize>;
        }
    };
    ($A:ident $a:ident $B:ident $b:ident) => {
        entry_numbers! { usize; $A $B }
    };
    ($A:ident $a:ident $($Item:ident $item:ident)+) => {
        entry_numbers! { ($(instead_of!($Item, usize),)+); $A $($Item)+ }
    };
    ($Others:ty; $First:ident $($Item:ident)+) => {
        impl<$First, $($Item),+> EntryNumbers for list!($First $($Item)+) {
            type Output = (usize, $(instead_of!($Item, usize),)+);
        }
        impl PlainCoordinate for (usize, $(instead_of!($Item, usize),)+) {
            type Array = [usize; 1 + [$(stringify!($Item)),+].len()];
            type Others = $Others;
            type First = (usize, $(instead_of!($Item, RangeFull),)+);
            type Last = ($(instead_of!($Item, RangeFull),)+ usize);
            type PartOfFirst = (Range<usize>, $(instead_of!($Item, RangeFull),)+);
            type PartOfLast = ($(instead_of!($Item, RangeFull),)+ Range<usize>);
            type PartOfEach = (Range<usize>, $(instead_of!($Item, Range<usize>),)+);
        }
    };
}
each_arity!(entry_numbers);

/// The type `T` by another name. If a trait requires `Self: Implies<T, Is: Bound>`, then a bound on
/// that trait implies `T: Bound`.
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
pub trait TakesCoordinate<C: PlainCoordinate>:
    Addressable
    + Implies<usize, Is: CoordinateIn<Self>>
    + Implies<C, Is: CoordinateIn<Self>>
    + Implies<C::Array, Is: CoordinateIn<Self>>
{
}
impl<L: Addressable, C: PlainCoordinate + CoordinateIn<L>> TakesCoordinate<C> for L
where
    usize: CoordinateIn<L>,
    C::Array: CoordinateIn<L>,
{
}

/// Which modes of a tile a slice fixes, or keeps a part of.
pub trait Cut {
    /// The slice, of a tile with the coordinates `C`.
    type At<C: PlainCoordinate>: Clone;
    /// A coordinate of what is left.
    type Left<C: PlainCoordinate>: PlainCoordinate;
}
macro_rules! cuts {
    ($($Cut:ident -> $Left:ty;)*) => {
        $(
            pub struct $Cut;
            impl Cut for $Cut {
                type At<C: PlainCoordinate> = C::$Cut;
                type Left<C: PlainCoordinate> = $Left;
            }
        )*
    };
}
cuts! { First -> C::Others; Last -> C::Others; PartOfFirst -> C; PartOfLast -> C; PartOfEach -> C; }

/// A tile of `T` that can be sliced by `K`.
pub trait SlicedBy<T: TilerParts, K: Cut>:
    Keeps<T, K, Kept: TakesCoordinate<K::Left<T::Coordinate>>>
    + Implies<K::At<T::Coordinate>, Is: SliceIn<Self, Output = <Self as Keeps<T, K>>::Kept>>
    + Slice<K::At<T::Coordinate>, Output = <Self as Keeps<T, K>>::Kept>
{
}
impl<L, T: TilerParts, K: Cut> SlicedBy<T, K> for L
where
    L: Keeps<T, K, Kept: TakesCoordinate<K::Left<T::Coordinate>>>
        + Slice<K::At<T::Coordinate>, Output = <L as Keeps<T, K>>::Kept>,
    K::At<T::Coordinate>: SliceIn<L, Output = L::Kept>,
{
}
/// The layout of what a slice keeps. The compiler must know it by a name without other associated
/// types in it.
pub trait Keeps<T, K> {
    type Kept;
}
impl<L, T: TilerParts, K: Cut> Keeps<T, K> for L
where
    K::At<T::Coordinate>: SliceIn<L>,
{
    type Kept = <K::At<T::Coordinate> as SliceIn<L>>::Output;
}

/// A tile of `T`.
pub trait TileOf<T: TilerParts>:
    TakesCoordinate<T::Coordinate>
    + SlicedBy<T, First>
    + SlicedBy<T, Last>
    + SlicedBy<T, PartOfFirst>
    + SlicedBy<T, PartOfLast>
    + SlicedBy<T, PartOfEach>
{
}
impl<L, T: TilerParts> TileOf<T> for L where
    L: TakesCoordinate<T::Coordinate>
        + SlicedBy<T, First>
        + SlicedBy<T, Last>
        + SlicedBy<T, PartOfFirst>
        + SlicedBy<T, PartOfLast>
        + SlicedBy<T, PartOfEach>
{
}

/// A layout divided into tiles, within and among which a number and a tuple are coordinates.
pub trait Divided<T: TilerParts>: TakesCoordinate<(usize, usize)>
    + Implies<(T::Coordinate, T::Coordinate), Is: CoordinateIn<Self>>
    + TilesAndShares<Tile: TileOf<T>, Share: TakesCoordinate<T::Coordinate>>
    + Implies<(RangeFull, usize), Is: SliceIn<Self, Output = <Self as TilesAndShares>::Tile>>
    + Implies<(RangeFull, T::Coordinate), Is: SliceIn<Self, Output = <Self as TilesAndShares>::Tile>>
    + Implies<(usize, RangeFull), Is: SliceIn<Self, Output = <Self as TilesAndShares>::Share>>
    + Implies<(T::Coordinate, RangeFull), Is: SliceIn<Self, Output = <Self as TilesAndShares>::Share>>
    + Slice<(RangeFull, usize), Output = <Self as TilesAndShares>::Tile>
    + Slice<(RangeFull, T::Coordinate), Output = <Self as TilesAndShares>::Tile>
    + Slice<(usize, RangeFull), Output = <Self as TilesAndShares>::Share>
    + Slice<(T::Coordinate, RangeFull), Output = <Self as TilesAndShares>::Share>
{
}
impl<L, T: TilerParts> Divided<T> for L
where
    L: TakesCoordinate<(usize, usize)>
        + TilesAndShares<Tile: TileOf<T>, Share: TakesCoordinate<T::Coordinate>>
        + Slice<(RangeFull, usize), Output = <L as TilesAndShares>::Tile>
        + Slice<(RangeFull, T::Coordinate), Output = <L as TilesAndShares>::Tile>
        + Slice<(usize, RangeFull), Output = <L as TilesAndShares>::Share>
        + Slice<(T::Coordinate, RangeFull), Output = <L as TilesAndShares>::Share>,
    (T::Coordinate, T::Coordinate): CoordinateIn<L>,
    (RangeFull, usize): SliceIn<L, Output = L::Tile>,
    (RangeFull, T::Coordinate): SliceIn<L, Output = L::Tile>,
    (usize, RangeFull): SliceIn<L, Output = L::Share>,
    (T::Coordinate, RangeFull): SliceIn<L, Output = L::Share>,
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
