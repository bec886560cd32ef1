//! Blocks of a tensor that its tiler need not divide, and the two sides of a mode that is split at
//! a number.
//!
//! ```text
//! block (i, j) of <m, n>    =  slice(L, (i*m .. min((i+1)*m, M), j*n .. min((j+1)*n, N)))
//! sides of a                =  slice(L, (.., ..a)), slice(L, (.., a..))
//! ```
//!
//! Two disjoint ranges of one mode have no coordinate in common. Nothing else is needed for parts
//! to be disjoint, except an injective layout.

use core::ops::{RangeBounds, RangeFull};

use typenum::{Const, ToUInt};

use crate::algebra::modes::by_number::{SplitAt, U};
use crate::composed::{ComposedLayout, OffsetMap};
use crate::error::{Fault, LayoutError};
use crate::layout::display::{Notation, notation};
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::tiler::{Keep, Tiler};
use crate::layout::traits::Layout;
use crate::list::{Concat, Cons, Leaf, Nested, Nil, TreeOf, Untangle};
use crate::number::table::Number;
use crate::strides::layout::SignedLayout;
use crate::tensor::memory::{Addressable, SliceIn};
use crate::tensor::parts::numbered::Numbering;
use crate::tensor::parts::partition::Ranges;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::interval::Interval;
use crate::tuple::node::{Kind, Node, behind, digit};

// ---- sides of a number --------------------------------------------------------------------------

/// `L: SplitMode<MODE>`: the layout `L` has a mode `MODE`, of which a range can be kept: what
/// [`Tensor::split_at`](crate::Tensor::split_at) asks for.
///
/// # Safety
/// The slices of two ranges that share no number share no coordinate of the layout.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::SplitMode;
/// use static_assertions::{assert_impl_all, assert_not_impl_any};
/// assert_impl_all!(Layout!((4, 6)): SplitMode<1>);
/// assert_not_impl_any!(Layout!((4, 6)): SplitMode<2>);
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot split a tensor along a mode that it does not have",
    label = "the layout `{Self}` has no mode {MODE}",
    note = "modes are counted from 0; generic code names what it needs as a bound: `L: SplitMode<0>`"
)]
pub unsafe trait SplitMode<const MODE: usize>: Addressable {
    /// The coordinate of a side.
    type At: SliceIn<Self>;
    #[doc(hidden)]
    fn in_mode(&self, range: impl RangeBounds<usize>) -> Result<Self::At, LayoutError>;
}
/// The layout of a side.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::SplitOf;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(SplitOf<Layout!((4, 6)), 1>, Layout!((4, _):(1, 4)));
/// ```
pub type SplitOf<L, const MODE: usize> = <<L as SplitMode<MODE>>::At as SliceIn<L>>::Output;

macro_rules! split {
    ($([$($generic:ident)*] $layout:ty;)*) => {
        $(
            // SAFETY: each slice keeps only the numbers of its range in mode `MODE`.
            #[doc(hidden)]
            unsafe impl<$($generic,)* S: IntTuple, D: IntTuple, const MODE: usize> SplitMode<MODE> for $layout
            where
                Self: Addressable,
                Const<MODE>: ToUInt,
                S::Node: SplitAt<U<MODE>, Front: Ranges, Back: RangeInFront>,
                RangesBefore<S, MODE>: Concat<RangeAndBehind<S, MODE>, Output: Untangle<Tree: SliceIn<Self>>>,
            {
                type At = TreeOf<<RangesBefore<S, MODE> as Concat<RangeAndBehind<S, MODE>>>::Output>;
                #[inline(always)]
                fn in_mode(&self, range: impl RangeBounds<usize>) -> Result<Self::At, LayoutError> {
                    let before = <S::Node as SplitAt<U<MODE>>>::Front::ranges();
                    let behind = <S::Node as SplitAt<U<MODE>>>::Back::range_in_front(Interval::new(&range));
                    Ok(before.concat(behind).tree())
                }
            }
        )*
    };
}
split! {
    [] StridedLayout<S, D>; [O F] ComposedLayout<O, F, StridedLayout<S, D>>; [O F] ComposedLayout<O, F, SignedLayout<S, D>>;
}
// SAFETY: it has no coordinates.
#[doc(hidden)]
#[diagnostic::do_not_recommend]
unsafe impl<const MODE: usize> SplitMode<MODE> for RefusedLayout {
    type At = RangeFull;
    fn in_mode(&self, _: impl RangeBounds<usize>) -> Result<RangeFull, LayoutError> {
        Ok(..)
    }
}

/// A `..` for each mode before mode `MODE`.
type RangesBefore<S, const MODE: usize> =
    <<<S as Nested>::Node as SplitAt<U<MODE>>>::Front as Ranges>::Output;
/// A range of mode `MODE`, and a `..` for each mode behind it.
type RangeAndBehind<S, const MODE: usize> =
    <<<S as Nested>::Node as SplitAt<U<MODE>>>::Back as RangeInFront>::Output;

/// A range of the first mode of the node `Self`, and all other modes whole; for a number, the range
/// alone.
#[diagnostic::on_unimplemented(
    message = "cannot split a tensor along a mode that it does not have",
    label = "there are fewer modes",
    note = "modes are counted from 0"
)]
pub trait RangeInFront {
    type Output;
    fn range_in_front(range: Interval) -> Self::Output;
}
impl<X> RangeInFront for Leaf<X> {
    type Output = Leaf<Interval>;
    #[inline(always)]
    fn range_in_front(range: Interval) -> Leaf<Interval> {
        Leaf(range)
    }
}
impl<H, T: Ranges> RangeInFront for Cons<H, T> {
    type Output = Cons<Interval, T::Output>;
    #[inline(always)]
    fn range_in_front(range: Interval) -> Self::Output {
        Cons { head: range, tail: T::ranges() }
    }
}

// ---- blocks -------------------------------------------------------------------------------------

/// `L: RaggedDivide<X>`: the tiler `X` cuts the layout `L` into blocks, those at the edges smaller:
/// what [`Tensor::ragged_tiles`](crate::Tensor::ragged_tiles) asks for.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::RaggedDivide;
/// use static_assertions::{assert_impl_all, assert_not_impl_any};
/// assert_impl_all!(Layout!((5, 7)): RaggedDivide<Tiler!(2, 3)>);
/// // a block has its rows side by side
/// assert_not_impl_any!(Layout!((5, 7)): RaggedDivide<Tiler!(2:2, 3)>);
/// ```
#[diagnostic::on_unimplemented(
    message = "this tiler does not cut this layout into blocks",
    label = "an entry is a number or `_`, and there are at most as many as the layout has modes",
    note = "other tiles at an edge are no layouts: `ragged_tile` takes them, one by one; generic code names what it \
            needs as a bound: `L: RaggedDivide<Tiler!(2, 3)>`, or, where tiles divide the layout, \
            `L: Tiled<Tiler!(2, 3)>`"
)]
pub trait RaggedDivide<X>: Addressable {
    /// Which block is which part.
    type Grid: Numbering<Self>;
    #[doc(hidden)]
    fn grid(&self, tiler: X) -> Result<Self::Grid, LayoutError>;
}

/// The blocks of a tiler.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Grid<X>(X);

macro_rules! ragged {
    ($([$($generic:ident: $bound:ident)*] $layout:ty;)*) => {
        $(#[doc(hidden)]
        impl<$($generic: $bound,)* S: IntTuple, D: IntTuple, X> RaggedDivide<X> for $layout
        where
            Self: Addressable + Layout<Shape = S>,
            X: Blocks<S, Coordinate: SliceIn<Self>>,
        {
            type Grid = Grid<X>;
            #[inline(always)]
            fn grid(&self, tiler: X) -> Result<Grid<X>, LayoutError> {
                match tiler.fit(self.shape(), ragged!(@strided self $($generic)*).into_parts().1.node()) {
                    Ok(()) => Ok(Grid(tiler)),
                    Err(fault) => Err(LayoutError::new("ragged_tiles", fault).with_operands(self, &notation(tiler))),
                }
            }
        }
        // SAFETY: the promise of `Blocks`.
        unsafe impl<$($generic: $bound,)* S: IntTuple, D: IntTuple, X> Numbering<$layout> for Grid<X>
        where
            $layout: Addressable + Layout<Shape = S>,
            X: Blocks<S, Coordinate: SliceIn<$layout>>,
        {
            type Coordinate = X::Coordinate;
            #[inline(always)]
            fn count(&self, layout: &$layout) -> usize {
                // An empty tensor has no blocks.
                if layout.size() == 0 { 0 } else { self.0.count(layout.shape()) }
            }
            #[inline(always)]
            fn part(&self, i: usize, layout: &$layout) -> X::Coordinate {
                self.0.block(i, layout.shape())
            }
        })*
    };
    (@strided $layout:ident) => { (*$layout) };
    (@strided $layout:ident O F) => { $layout.inner() };
}
ragged! {
    [] StridedLayout<S, D>; [O: OffsetMap F: Number] ComposedLayout<O, F, StridedLayout<S, D>>;
    [O: OffsetMap F: Number] ComposedLayout<O, F, SignedLayout<S, D>>;
}
#[doc(hidden)]
#[diagnostic::do_not_recommend]
impl<X> RaggedDivide<X> for RefusedLayout {
    type Grid = Grid<RefusedLayout>;
    fn grid(&self, _: X) -> Result<Self::Grid, LayoutError> {
        Ok(Grid(RefusedLayout))
    }
}
// SAFETY: there are no parts.
#[diagnostic::do_not_recommend]
unsafe impl Numbering<RefusedLayout> for Grid<RefusedLayout> {
    type Coordinate = RangeFull;
    fn count(&self, _: &RefusedLayout) -> usize {
        0
    }
    fn part(&self, _: usize, _: &RefusedLayout) -> RangeFull {
        ..
    }
}

/// The blocks into which an entry of a tiler, or a tiler, cuts the tree `S` of a shape.
///
/// # Safety
/// Blocks of different numbers share no coordinate.
#[diagnostic::on_unimplemented(
    message = "this tiler does not cut this layout into blocks",
    label = "an entry is a number or `_`, and there are at most as many as the layout has modes",
    note = "other tiles at an edge are no layouts: `ragged_tile` takes them, one by one"
)]
pub unsafe trait Blocks<S>: Clone + Notation {
    type Coordinate;
    /// How many there are, of a shape that is not empty.
    fn count(&self, shape: S) -> usize;
    /// Which numbers are in block `i`.
    fn block(&self, i: usize, shape: S) -> Self::Coordinate;
    /// Whether each block is a layout.
    fn fit<D: Node>(&self, shape: S, stride: D) -> Result<(), Fault>;
}
/// How many blocks of a nested mode are looked at, each of which has to be a layout.
const MOST_BLOCKS: usize = 1 << 16;

// SAFETY: the ranges of different `i` are disjoint: each ends where the next one begins, or before.
unsafe impl<N: Number, S: IntTuple> Blocks<S> for N {
    type Coordinate = Interval;
    #[inline(always)]
    fn count(&self, shape: S) -> usize {
        shape.node().product().map_or(0, |size| size.div_ceil(self.get().max(1)))
    }
    #[inline(always)]
    fn block(&self, i: usize, shape: S) -> Interval {
        Interval::block(i, self.get(), shape.node().product().unwrap_or(0))
    }
    #[inline(always)]
    fn fit<D: Node>(&self, shape: S, stride: D) -> Result<(), Fault> {
        let extent = shape.node().product().ok_or(Fault::Overflow)?;
        if self.get() == 0 {
            return Err(Fault::Span { extent, span: 0 });
        }
        // A block of a single leaf is always a layout.
        if const { matches!(<S::Node as Node>::KIND, Kind::Leaf) } {
            return Ok(());
        }
        // And so is a single number.
        match self.count(shape) {
            _ if self.get() == 1 => Ok(()),
            count if count > MOST_BLOCKS => Err(Fault::BlocksUndecided { most: MOST_BLOCKS }),
            count => (0..count).try_for_each(|i| self.block(i, shape).cut(shape, stride).1),
        }
    }
}
// SAFETY: there is one block.
unsafe impl<S> Blocks<S> for Keep {
    type Coordinate = RangeFull;
    #[inline(always)]
    fn count(&self, _: S) -> usize {
        1
    }
    #[inline(always)]
    fn block(&self, _: usize, _: S) -> RangeFull {
        ..
    }
    #[inline(always)]
    fn fit<D: Node>(&self, _: S, _: D) -> Result<(), Fault> {
        Ok(())
    }
}
// SAFETY: the promise of the list.
unsafe impl<T: Nested + Clone, S: Nested> Blocks<S> for Tiler<T>
where
    Self: Notation,
    T::Node: BlocksOfNode<S::Node>,
{
    type Coordinate = <T::Node as BlocksOfNode<S::Node>>::Coordinate;
    #[inline(always)]
    fn count(&self, shape: S) -> usize {
        self.clone().entries().count_in_node(shape.node())
    }
    #[inline(always)]
    fn block(&self, i: usize, shape: S) -> Self::Coordinate {
        self.clone().entries().block_of_node(i, shape.node())
    }
    #[inline(always)]
    fn fit<D: Node>(&self, shape: S, stride: D) -> Result<(), Fault> {
        self.clone().entries().fit_node(shape.node(), stride)
    }
}

/// [`Blocks`] of a list of entries and a node.
///
/// # Safety
/// As [`Blocks`].
#[diagnostic::on_unimplemented(
    message = "this tiler does not cut this layout into blocks",
    label = "an entry is a number or `_`, and there are at most as many as the layout has modes",
    note = "other tiles at an edge are no layouts: `ragged_tile` takes them, one by one"
)]
pub unsafe trait BlocksOfNode<S> {
    type Coordinate;
    fn count_in_node(&self, shape: S) -> usize;
    fn block_of_node(&self, i: usize, shape: S) -> Self::Coordinate;
    fn fit_node<D: Node>(&self, shape: S, stride: D) -> Result<(), Fault>;
}
// SAFETY: the promise of the one entry.
unsafe impl<H: Blocks<N>, N: Number> BlocksOfNode<Leaf<N>> for Cons<H, Nil> {
    type Coordinate = H::Coordinate;
    #[inline(always)]
    fn count_in_node(&self, shape: Leaf<N>) -> usize {
        self.head.count(shape.0)
    }
    #[inline(always)]
    fn block_of_node(&self, i: usize, shape: Leaf<N>) -> H::Coordinate {
        self.head.block(i, shape.0)
    }
    #[inline(always)]
    fn fit_node<D: Node>(&self, shape: Leaf<N>, stride: D) -> Result<(), Fault> {
        self.head.fit(shape.0, stride)
    }
}
// SAFETY: the promise of the list.
unsafe impl<H, T, S, ST> BlocksOfNode<Cons<S, ST>> for Cons<H, T>
where
    Self: BlocksOfList<Cons<S, ST>, Coordinate: Untangle>,
{
    type Coordinate = <<Self as BlocksOfList<Cons<S, ST>>>::Coordinate as Untangle>::Tree;
    #[inline(always)]
    fn count_in_node(&self, shape: Cons<S, ST>) -> usize {
        self.count_in_list(shape)
    }
    #[inline(always)]
    fn block_of_node(&self, i: usize, shape: Cons<S, ST>) -> Self::Coordinate {
        self.block_of_list(i, shape).tree()
    }
    #[inline(always)]
    fn fit_node<D: Node>(&self, shape: Cons<S, ST>, stride: D) -> Result<(), Fault> {
        self.fit_list(shape, stride)
    }
}

/// [`Blocks`] for each entry of a list and each mode; a mode without an entry is cut into single
/// numbers.
///
/// # Safety
/// As [`Blocks`].
#[diagnostic::on_unimplemented(
    message = "this tiler does not cut this layout into blocks",
    label = "an entry is a number or `_`, and there are at most as many as the layout has modes",
    note = "other tiles at an edge are no layouts: `ragged_tile` takes them, one by one"
)]
pub unsafe trait BlocksOfList<S> {
    type Coordinate;
    fn count_in_list(&self, shape: S) -> usize;
    fn block_of_list(&self, i: usize, shape: S) -> Self::Coordinate;
    fn fit_list<D: Node>(&self, shape: S, stride: D) -> Result<(), Fault>;
}
// SAFETY: there is one block.
unsafe impl BlocksOfList<Nil> for Nil {
    type Coordinate = Nil;
    #[inline(always)]
    fn count_in_list(&self, _: Nil) -> usize {
        1
    }
    #[inline(always)]
    fn block_of_list(&self, _: usize, _: Nil) -> Nil {
        Nil
    }
    #[inline(always)]
    fn fit_list<D: Node>(&self, _: Nil, _: D) -> Result<(), Fault> {
        Ok(())
    }
}
// SAFETY: two different numbers below the count differ in the digit of this mode or in the rest: so
// they differ in the number of this mode or of a later one.
unsafe impl<S: IntTuple, ST: Copy> BlocksOfList<Cons<S, ST>> for Nil
where
    Nil: BlocksOfList<ST>,
{
    type Coordinate = Cons<usize, <Nil as BlocksOfList<ST>>::Coordinate>;
    #[inline(always)]
    fn count_in_list(&self, shape: Cons<S, ST>) -> usize {
        shape.head.node().product().unwrap_or(0) * self.count_in_list(shape.tail)
    }
    #[inline(always)]
    fn block_of_list(&self, i: usize, shape: Cons<S, ST>) -> Self::Coordinate {
        let extent = shape.head.node().product().unwrap_or(0);
        Cons { head: digit(i, extent), tail: self.block_of_list(behind(i, extent), shape.tail) }
    }
    #[inline(always)]
    fn fit_list<D: Node>(&self, _: Cons<S, ST>, _: D) -> Result<(), Fault> {
        Ok(())
    }
}
// SAFETY: as above, with blocks in place of numbers.
unsafe impl<H: Blocks<S>, T: BlocksOfList<ST>, S: Copy, ST> BlocksOfList<Cons<S, ST>>
    for Cons<H, T>
{
    type Coordinate = Cons<H::Coordinate, T::Coordinate>;
    #[inline(always)]
    fn count_in_list(&self, shape: Cons<S, ST>) -> usize {
        self.head.count(shape.head) * self.tail.count_in_list(shape.tail)
    }
    #[inline(always)]
    fn block_of_list(&self, i: usize, shape: Cons<S, ST>) -> Self::Coordinate {
        let count = self.head.count(shape.head);
        let head = self.head.block(digit(i, count), shape.head);
        Cons { head, tail: self.tail.block_of_list(behind(i, count), shape.tail) }
    }
    #[inline(always)]
    fn fit_list<D: Node>(&self, shape: Cons<S, ST>, stride: D) -> Result<(), Fault> {
        self.head.fit(shape.head, stride.head())?;
        self.tail.fit_list(shape.tail, stride.tail())
    }
}

// ---- known only at run time ---------------------------------------------------------------------

#[cfg(feature = "alloc")]
mod run_time {
    use super::*;
    use crate::composed::DynComposedLayout;
    use crate::dynamic::slice::slice;
    use crate::dynamic::{DynLayout, DynSlice, DynTiler, IntoDynTiler};
    use smallvec::SmallVec;

    /// The blocks of a tiler in a `DynLayout`.
    #[derive(Clone, Debug)]
    pub struct DynGrid {
        modes: SmallVec<[GridMode; 8]>,
        /// The modes are those of a tuple.
        tuple: bool,
    }
    /// The extent of a mode and of its blocks, `None` for single numbers, and whether all of it is
    /// one block.
    #[derive(Clone, Debug)]
    struct GridMode {
        size: usize,
        block: Option<usize>,
        keep: bool,
    }
    impl GridMode {
        fn count(&self) -> usize {
            if self.keep { 1 } else { self.size.div_ceil(self.block.unwrap_or(1)) }
        }
        fn part(&self, i: usize) -> DynSlice {
            match self.block {
                _ if self.keep => DynSlice::keep(),
                Some(block) => DynSlice::from_interval(Interval::block(i, block, self.size)),
                None => DynSlice::from(i),
            }
        }
    }
    /// Whether blocks of `block` numbers end where the numbers of a leaf end, and none ends within
    /// a leaf below: then each block is a layout, whatever the strides are.
    fn are_even(block: usize, extents: &[usize]) -> bool {
        let mut below = 1;
        extents.iter().any(|extent| {
            let even = block % below == 0 && (below * extent) % block == 0;
            below *= extent;
            even
        })
    }
    impl DynGrid {
        fn new(layout: &DynLayout, tiler: &DynTiler) -> Result<Self, Fault> {
            let (blocks, tuple) = tiler.blocks().ok_or(Fault::NoBlock)?;
            let tuple = tuple && layout.depth() > 0;
            let rank = if tuple { layout.rank() } else { 1 };
            if blocks.len() > rank {
                return Err(Fault::TilerRank { tiler: blocks.len(), layout: rank });
            }
            let sizes = |k| {
                if tuple { layout.mode(k).map_or(0, |mode| mode.size()) } else { layout.size() }
            };
            let mode = |k| {
                let (size, entry) = (sizes(k), blocks.get(k));
                match entry {
                    Some(Some(0)) => Err(Fault::Span { extent: size, span: 0 }),
                    Some(&block) => Ok(GridMode { size, block, keep: block.is_none() }),
                    None => Ok(GridMode { size, block: None, keep: false }),
                }
            };
            let grid = DynGrid { modes: (0..rank).map(mode).collect::<Result<_, _>>()?, tuple };
            // Whether each block of a nested mode is a layout, as `Blocks::fit` has it.
            for (k, mode) in grid.modes.iter().enumerate() {
                let nested = if tuple {
                    layout.mode(k).is_ok_and(|mode| mode.depth() > 0)
                } else {
                    layout.depth() > 0
                };
                let Some(block) = mode.block.filter(|_| nested && layout.size() > 0) else {
                    continue;
                };
                let whole = if tuple {
                    layout.mode(k).map_or_else(|_| layout.shape(), |mode| mode.shape())
                } else {
                    layout.shape()
                };
                if !are_even(block, whole.leaves()) {
                    if mode.count() > MOST_BLOCKS {
                        return Err(Fault::BlocksUndecided { most: MOST_BLOCKS });
                    }
                    for i in 0..mode.count() {
                        let part = |j: usize| if j == k { mode.part(i) } else { DynSlice::keep() };
                        slice(layout, &grid.coordinate(part)).map(|_| ())?;
                    }
                }
            }
            Ok(grid)
        }
        fn coordinate(&self, part: impl FnMut(usize) -> DynSlice) -> DynSlice {
            let mut parts = (0..self.modes.len()).map(part);
            let slice = if self.tuple { DynSlice::tuple(parts).ok() } else { parts.next() };
            slice.expect("a layout has modes")
        }
        fn count(&self) -> usize {
            if self.modes.iter().any(|mode| mode.size == 0) {
                0
            } else {
                self.modes.iter().map(GridMode::count).product()
            }
        }
        fn part(&self, mut i: usize) -> DynSlice {
            self.coordinate(|k| {
                let (mode, number) = (&self.modes[k], i);
                i = behind(i, mode.count());
                mode.part(digit(number, mode.count()))
            })
        }
    }
    macro_rules! run_time {
        ($($layout:ty, $self:ident => $inner:expr;)*) => {
            $(
                // SAFETY: two different numbers below the count differ in a digit: in the number or
                // the block of that mode.
                unsafe impl Numbering<$layout> for DynGrid {
                    type Coordinate = DynSlice;
                    fn count(&self, _: &$layout) -> usize {
                        DynGrid::count(self)
                    }
                    fn part(&self, i: usize, _: &$layout) -> DynSlice {
                        DynGrid::part(self, i)
                    }
                }
                #[doc(hidden)]
                impl<X: IntoDynTiler> RaggedDivide<X> for $layout {
                    type Grid = DynGrid;
                    fn grid(&$self, tiler: X) -> Result<DynGrid, LayoutError> {
                        let tiler = tiler.into();
                        DynGrid::new($inner, &tiler)
                            .map_err(|fault| LayoutError::new("ragged_tiles", fault).with_operands($self, &tiler))
                    }
                }
                // SAFETY: each slice keeps only the numbers of its range in mode `MODE`.
                #[doc(hidden)]
                unsafe impl<const MODE: usize> SplitMode<MODE> for $layout {
                    type At = DynSlice;
                    fn in_mode(&$self, range: impl RangeBounds<usize>) -> Result<DynSlice, LayoutError> {
                        let (rank, range) = ($inner.rank(), DynSlice::from_interval(Interval::new(&range)));
                        if MODE >= rank {
                            return Err(LayoutError::new("mode", Fault::Mode { mode: MODE, rank }).with_operand($self));
                        }
                        if $inner.depth() == 0 {
                            return Ok(range);
                        }
                        DynSlice::tuple((0..rank).map(|k| if k == MODE { range.clone() } else { DynSlice::keep() }))
                    }
                }
            )*
        };
    }
    run_time! { DynLayout, self => self; DynComposedLayout, self => &self.inner(); }
}
