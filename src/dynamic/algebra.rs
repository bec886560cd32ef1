//! `DynLayout` under the traits of all layouts: generic code takes it as it takes a static one.
//!
//! An operand is whatever converts to its kind, so that the same right operand serves both.

use typenum::{UInt, UTerm};

use super::coordinate::Coords;
use super::layout::{DynLayout, IntoDynLayout};
use super::shape::{DynShape, IntoDynShape};
use super::slice::IntoDynSlice;
use super::tiler::IntoDynTiler;
use crate::algebra::coalesce::{Coalesce, CoalesceBy};
use crate::algebra::complement::{Complement, ComplementCeil};
use crate::algebra::compose::composition::Compose;
use crate::algebra::divide::{FlatDivide, LogicalDivide, TiledDivide, ZippedDivide};
use crate::algebra::filter::{Filter, FilterBy};
use crate::algebra::inverse::{LeftInverse, MaxCommonLayout, Nullspace, RightInverse};
use crate::algebra::modes::by_number::{Group, ModeOf, Replace, Take, Ungroup};
use crate::algebra::modes::regroup::{Append, Flatten, Prepend, Reverse, Select, Transpose};
use crate::algebra::modes::slice::Slice;
use crate::algebra::product::{FlatProduct, LogicalProduct, TiledProduct, ZippedProduct};
use crate::algebra::recast::{Downcast, Recast, Upcast};
use crate::algebra::reshape::{LayoutLike, WithShape};
use crate::algebra::round_up::RoundUp;
use crate::algebra::weave::{BlockedProduct, RakedProduct, TileToShape};
use crate::error::{LayoutError, expect};
use crate::layout::traits::{CoordinateOf, Layout};
use crate::number::multiple::Multiple;
use crate::number::table::Number;

impl Layout for DynLayout {
    type Shape = DynShape;
    type Stride = DynShape;
    type Coordinate = DynShape;
    type Coordinates = Coords;
    type Offset = usize;
    fn shape(&self) -> DynShape {
        self.shape()
    }
    fn stride(&self) -> DynShape {
        self.stride()
    }
    fn rank(&self) -> usize {
        self.rank()
    }
    fn depth(&self) -> usize {
        self.depth()
    }
    fn size(&self) -> usize {
        self.size()
    }
    fn cosize(&self) -> usize {
        self.cosize()
    }
    fn at(&self, i: usize) -> usize {
        self.index(i)
    }
    fn locate(&self, coordinate: DynShape) -> usize {
        self.index(&coordinate)
    }
    fn coords(&self) -> Coords {
        self.coords()
    }
}
impl<C: IntoDynSlice> Slice<C> for DynLayout {
    type Output = DynLayout;
    fn sliced(layout: Self, coordinate: C) -> (DynLayout, usize) {
        expect(DynLayout::slice(&layout, &coordinate.into_dyn_slice()))
    }
}
impl CoordinateOf<DynLayout> for usize {
    fn offset_in(self, layout: &DynLayout) -> usize {
        layout.index(self)
    }
}
impl CoordinateOf<DynLayout> for &DynShape {
    fn offset_in(self, layout: &DynLayout) -> usize {
        layout.index(self)
    }
}

/// Operations of one layout; those marked `total` always have a result.
macro_rules! unary {
    ($($trait:ident $method:ident $($total:ident)?;)*) => {
        $(impl $trait for DynLayout {
            type Output = DynLayout;
            fn evaluated(layout: Self) -> Result<DynLayout, LayoutError> {
                unary!(@ layout.$method(), $($total)?)
            }
        })*
    };
    (@ $result:expr, total) => { Ok($result) };
    (@ $result:expr,) => { $result };
}
unary! {
    Coalesce coalesce total;
    Filter filter total;
    Flatten flatten total;
    LayoutLike layout_like total;
    LeftInverse left_inverse;
    Nullspace nullspace total;
    Reverse reverse total;
    RightInverse right_inverse total;
    Transpose transpose;
}

/// Operations with an operand that converts, `B: $operand`.
macro_rules! binary {
    ($($trait:ident: $operand:ident, |$layout:ident, $right:ident| $result:expr;)*) => {
        $(impl<B: $operand> $trait<B> for DynLayout {
            type Output = DynLayout;
            fn evaluated($layout: Self, $right: B) -> Result<DynLayout, LayoutError> {
                $result
            }
        })*
    };
}
binary! {
    Append: IntoDynLayout, |layout, mode| layout.append(&mode.into());
    BlockedProduct: IntoDynLayout, |layout, tile| layout.blocked_product(&tile.into());
    CoalesceBy: IntoDynShape, |layout, profile| layout.coalesce_by(&profile.into());
    Complement: Number, |layout, extent| layout.complement(extent.get());
    ComplementCeil: Number, |layout, extent| layout.complement_ceil(extent.get());
    Compose: IntoDynTiler, |layout, right| layout.compose(right);
    FilterBy: IntoDynShape, |layout, profile| layout.filter_by(&profile.into());
    FlatDivide: IntoDynTiler, |layout, tile| layout.flat_divide(tile);
    FlatProduct: IntoDynTiler, |layout, tile| layout.flat_product(tile);
    LogicalDivide: IntoDynTiler, |layout, tile| layout.logical_divide(tile);
    LogicalProduct: IntoDynTiler, |layout, tile| layout.logical_product(tile);
    MaxCommonLayout: IntoDynLayout, |layout, other| Ok(layout.max_common_layout(&other.into()));
    Prepend: IntoDynLayout, |layout, mode| layout.prepend(&mode.into());
    RakedProduct: IntoDynLayout, |layout, tile| layout.raked_product(&tile.into());
    RoundUp: IntoDynTiler, |layout, tile| layout.round_up(tile);
    Select: IntoDynShape, |layout, modes| layout.select(modes.into().leaves());
    TileToShape: IntoDynShape, |layout, shape| layout.tile_to_shape(&shape.into());
    TiledDivide: IntoDynTiler, |layout, tile| layout.tiled_divide(tile);
    TiledProduct: IntoDynTiler, |layout, tile| layout.tiled_product(tile);
    WithShape: IntoDynShape, |layout, shape| layout.with_shape(&shape.into());
    ZippedProduct: IntoDynTiler, |layout, tile| layout.zipped_product(tile);
}

/// A change of the unit: the number of elements, or a pair of sizes. What is neither has no `Output`, so that the compiler complains once.
macro_rules! casts {
    ($($trait:ident: $operand:ident, |$layout:ident, $by:ident| $result:expr;)*) => {
        $(impl<B: $operand> $trait<B> for DynLayout {
            type Output = B::Output;
            fn evaluated($layout: Self, $by: B) -> Result<B::Output, LayoutError> {
                $result.map(B::output)
            }
        })*
    };
}
casts! {
    Downcast: Unit, |layout, parts| layout.downcast(parts.number());
    Recast: Sizes, |layout, sizes| layout.recast(sizes.from(), sizes.to());
    Upcast: Unit, |layout, unit| layout.upcast(unit.number());
}

/// A number of elements in a unit, or of parts of one.
#[diagnostic::on_unimplemented(
    message = "cannot change the unit: the number of elements has to be a number",
    label = "`{Self}` is none",
    note = "a static number is written `int!(4)`"
)]
pub trait Unit {
    type Output: Layout;
    /// `T`, if this is one.
    type And<T: Layout>: Layout;
    fn and<T: Layout>(value: T) -> Self::And<T>;
    fn number(&self) -> usize;
    fn output(layout: DynLayout) -> Self::Output;
}
macro_rules! units {
    ($([$($generic:ident)*] $number:ty;)*) => {
        $(impl<$($generic),*> Unit for $number
        where
            Self: Number,
        {
            type Output = DynLayout;
            type And<T: Layout> = T;
            fn and<T: Layout>(value: T) -> T {
                value
            }
            fn number(&self) -> usize {
                self.get()
            }
            fn output(layout: DynLayout) -> DynLayout {
                layout
            }
        })*
    };
}
units! { [] UTerm; [U B] UInt<U, B>; [] usize; [F] Multiple<F>; }
/// A pair of sizes.
#[diagnostic::on_unimplemented(
    message = "cannot recast: the sizes have to be a pair of numbers",
    label = "`{Self}` is no such pair",
    note = "write `(8, 16)`, or `shape!((8, 16))` for a pair of static numbers"
)]
pub trait Sizes {
    type Output: Layout;
    fn output(layout: DynLayout) -> Self::Output;
    fn from(&self) -> usize;
    fn to(&self) -> usize;
}
#[diagnostic::do_not_recommend]
impl<P: Unit, Q: Unit> Sizes for (P, Q) {
    type Output = P::And<Q::Output>;
    fn output(layout: DynLayout) -> Self::Output {
        P::and(Q::output(layout))
    }
    fn from(&self) -> usize {
        self.0.number()
    }
    fn to(&self) -> usize {
        self.1.number()
    }
}

impl<T: IntoDynTiler> ZippedDivide<T> for DynLayout {
    type Output = DynLayout;
    type Tile = DynLayout;
    type Rest = DynLayout;
    fn evaluated(layout: Self, tile: T) -> Result<DynLayout, LayoutError> {
        layout.zipped_divide(tile)
    }
    fn tile_and_rest(divided: DynLayout) -> (DynLayout, DynLayout) {
        let mode = |index| expect(divided.mode(index));
        (mode(0), mode(1))
    }
}

/// Operations on modes that a const parameter names; a number too high panics.
macro_rules! by_number {
    ($($trait:ident $method:ident: $($mode:ident)*, |$layout:ident| $result:expr;)*) => {
        $(impl<$(const $mode: usize),*> $trait<$($mode),*> for DynLayout {
            type Output = DynLayout;
            fn $method(self) -> DynLayout {
                let $layout = self;
                expect($result)
            }
        })*
    };
}
by_number! {
    Group grouped: B E, |layout| layout.group(B, E);
    ModeOf mode_of: I, |layout| layout.mode(I);
    Take taken: B E, |layout| layout.take(B, E);
    Ungroup ungrouped: I, |layout| layout.ungroup(I);
}
impl<M: IntoDynLayout, const I: usize> Replace<I, M> for DynLayout {
    type Output = DynLayout;
    fn replaced(self, mode: M) -> DynLayout {
        expect(self.replace(I, &mode.into()))
    }
}
