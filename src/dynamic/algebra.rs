//! `DynLayout` under the traits of all layouts: generic code takes it as it takes a static one.
//!
//! An operand is whatever converts to its kind, so that the same right operand serves both.

use typenum::{UInt, UTerm};

use super::coordinate::{Coords, DynCoordinate};
use super::layout::{DynLayout, IntoDynLayout};
use super::shape::{DynShape, IntoDynShape};
use super::slice::IntoDynSlice;
use super::tiler::IntoDynTiler;
use crate::algebra::divide::ZippedDivide;
use crate::algebra::modes::by_number::{Group, ModeOf, Replace, Take, Ungroup};
use crate::algebra::modes::slice::Slice;
use crate::algebra::traits::*;
use crate::error::{LayoutError, expect};
use crate::layout::traits::{CoordinateOf, Layout};
use crate::number::multiple::Multiple;
use crate::number::table::Number;
use crate::tuple::interval::Window;

impl Layout for DynLayout {
    type Shape = DynShape;
    type Stride = DynShape;
    type Coordinate = DynShape;
    type Coordinates = Coords;
    type Offset = usize;
    fn shape(&self) -> DynShape {
        self.shape()
    }
    #[track_caller]
    fn stride(&self) -> DynShape {
        self.stride()
    }
    fn rank(&self) -> usize {
        self.rank()
    }
    fn depth(&self) -> usize {
        self.depth()
    }
    fn mode_size(&self, mode: usize) -> usize {
        self.view().modes().nth(mode).map_or(1, |mode| mode.size())
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
    fn try_sliced(layout: Self, coordinate: C) -> Result<(DynLayout, usize), LayoutError> {
        layout.slice(&coordinate.into_dyn_slice())
    }
}
impl<C: IntoDynShape, W: IntoDynShape> Slice<Window<C, W>> for DynLayout {
    type Output = DynLayout;
    fn try_sliced(layout: Self, window: Window<C, W>) -> Result<(DynLayout, usize), LayoutError> {
        layout.window(window.origin, window.shape)
    }
}
#[diagnostic::do_not_recommend]
impl<C: DynCoordinate> CoordinateOf<DynLayout> for C {
    fn offset_in(self, layout: &DynLayout) -> usize {
        layout.index(self)
    }
    fn offset_from(
        self,
        from: usize,
        layout: &DynLayout,
        _: impl FnOnce(usize, usize) -> usize,
    ) -> usize {
        match (layout.has_natural_strides(), layout.has_xor_strides()) {
            (true, _) => from + layout.index(self),
            (false, true) => from ^ layout.index(self),
            (false, false) => expect(layout.try_index_from(from, self)),
        }
    }
}

/// The result of a method, fallible or not.
trait Answer {
    fn answer(self) -> Result<DynLayout, LayoutError>;
}
impl Answer for DynLayout {
    fn answer(self) -> Result<DynLayout, LayoutError> {
        Ok(self)
    }
}
impl Answer for Result<DynLayout, LayoutError> {
    fn answer(self) -> Result<DynLayout, LayoutError> {
        self
    }
}

/// Implements the operations of the table in `operations.rs`: each calls the method of its name,
/// and passes the right operand as that method takes it.
macro_rules! of_dyn_layouts {
    (($($kind:ident)?) $method:ident $trait:ident $($row:tt)*) => {
        by_kind! { $($kind)? $method $trait }
    };
}
macro_rules! by_kind {
    ($method:ident $trait:ident) => {
        impl $trait for DynLayout {
            type Output = DynLayout;
            fn evaluated(layout: Self) -> Result<DynLayout, LayoutError> {
                layout.$method().answer()
            }
        }
    };
    (tile $($row:ident)*) => { by_kind! { @ IntoDynTiler, right => right; $($row)* } };
    (arranged $($row:ident)*) => { by_kind! { @ IntoDynTiler, right => right; $($row)* } };
    (paired $($row:ident)*) => { by_kind! { @ IntoDynLayout, right => &right.into(); $($row)* } };
    (layout $($row:ident)*) => { by_kind! { @ IntoDynLayout, right => &right.into(); $($row)* } };
    (number $($row:ident)*) => { by_kind! { @ Number, right => right.get(); $($row)* } };
    (shape $($row:ident)*) => { by_kind! { @ IntoDynShape, right => &right.into(); $($row)* } };
    (profile $($row:ident)*) => { by_kind! { @ IntoDynShape, right => &right.into(); $($row)* } };
    (modes $($row:ident)*) => { by_kind! { @ IntoDynShape, right => right.into().leaves(); $($row)* } };
    (@ $operand:ident, $right:ident => $converted:expr; $method:ident $trait:ident) => {
        impl<B: $operand> $trait<B> for DynLayout {
            type Output = DynLayout;
            fn evaluated(layout: Self, $right: B) -> Result<DynLayout, LayoutError> {
                layout.$method($converted).answer()
            }
        }
    };
    // Changes of the unit. An operand that is no number has no `Output`, so that the compiler
    // complains once.
    (unit $($row:ident)*) => { by_kind! { @ cast UnitNumber, by => by.number(); $($row)* } };
    (sizes $($row:ident)*) => { by_kind! { @ cast Sizes, by => by.from(), by.to(); $($row)* } };
    (@ cast $operand:ident, $by:ident => $($number:expr),*; $method:ident $trait:ident) => {
        impl<B: $operand> $trait<B> for DynLayout {
            type Output = B::Output;
            fn evaluated(layout: Self, $by: B) -> Result<B::Output, LayoutError> {
                layout.$method($($number),*).map(B::output)
            }
        }
    };
    (tile_and_rest $method:ident $trait:ident) => {
        impl<B: IntoDynTiler> $trait<B> for DynLayout {
            type Output = DynLayout;
            type Tile = DynLayout;
            type Rest = DynLayout;
            fn evaluated(layout: Self, tile: B) -> Result<DynLayout, LayoutError> {
                layout.$method(tile)
            }
            fn tile_and_rest(divided: DynLayout) -> (DynLayout, DynLayout) {
                let mode = |index| expect(divided.mode(index));
                (mode(0), mode(1))
            }
        }
    };
}
operations!(of_dyn_layouts);

/// A number of elements in a unit, or of parts of one.
#[diagnostic::on_unimplemented(
    message = "cannot change the unit: the number of elements has to be a number",
    label = "`{Self}` is none",
    note = "a static number is written `int!(4)`"
)]
pub trait UnitNumber {
    type Output: Layout;
    /// `T`, if this is one.
    type And<T: Layout>: Layout;
    fn and<T: Layout>(value: T) -> Self::And<T>;
    fn number(&self) -> usize;
    fn output(layout: DynLayout) -> Self::Output;
}
// A row for each kind of number. If one impl covered all of them, the compiler would accept its
// `Output` for operands that are no numbers, and report a second error about that.
macro_rules! units {
    ($([$($generic:ident)*] $number:ty;)*) => {
        $(impl<$($generic),*> UnitNumber for $number
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
impl<P: UnitNumber, Q: UnitNumber> Sizes for (P, Q) {
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

/// Operations on modes that a const parameter names; a number too high panics.
macro_rules! by_number_on_dyn_layouts {
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
by_number_on_dyn_layouts! {
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
