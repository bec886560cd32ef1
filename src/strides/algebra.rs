//! Operations on layouts of mixed strides: those that only add and multiply strides or regroup
//! modes, with a right operand of natural strides.
//!
//! ```text
//! op(L) = op(strided(L)), its strides read as those of L
//! ```
//!
//! Operations that need an order of strides or an inverse are refused.

use core::marker::PhantomData;

use crate::algebra::by_mode::{ApplyZipped, one_pair};
use crate::algebra::divide::ZippedDivide;
use crate::algebra::misplaced::{misplaced, no_weaving};
use crate::algebra::modes::by_number::{Group, ModeOf, Take, Ungroup};
use crate::algebra::modes::named_modes::put_no_layouts;
use crate::algebra::modes::slice::Slice;
use crate::algebra::operation::{self, accepted_operands};
use crate::algebra::outcome::Apply;
use crate::algebra::paired_product::PairedProduct;
use crate::algebra::traits::{
    Append, BlockedProduct, Coalesce, CoalesceBy, CoalesceZ, Complement, ComplementCeil, Compose,
    Downcast, Filter, FilterBy, FlatDivide, FlatProduct, Flatten, LayoutLike, LeftInverse,
    LogicalDivide, LogicalProduct, MaxCommonLayout, Prepend, RakedProduct, Recast, Reverse,
    RightInverse, RoundUp, Select, TileToShape, TiledDivide, TiledProduct, Transpose, Upcast,
    WithShape, ZippedProduct,
};
use crate::error::{Fault, LayoutError};
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::list::Nested;
use crate::reasons::undefined::Undefined;
use crate::reasons::{Explain, WantsNumber};
use crate::strides::layout::{SteppedLayout, StridesIn};
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::interval::Beginning;
use crate::tuple::node::Node;
use crate::tuple::semimodule::Semimodule;

/// A result of the algebra as a layout with offsets in `T` again.
#[diagnostic::on_unimplemented(
    message = "this result is not a layout of this kind of strides",
    label = "`{Self}` has no such strides",
    note = "only results of operations on such layouts are: identity layouts and signed ones"
)]
pub trait IntoStepped<T: Semimodule>: Layout {
    /// The layout of the same shape and strides.
    type Output: Layout;
    #[doc(hidden)]
    fn into_stepped(self) -> Self::Output;
}
#[doc(hidden)]
impl<T: Semimodule, S: IntTuple, D: StridesIn<T>> IntoStepped<T> for StridedLayout<S, D> {
    type Output = SteppedLayout<T, S, D>;
    #[inline]
    fn into_stepped(self) -> Self::Output {
        SteppedLayout::assemble(self)
    }
}
#[doc(hidden)]
#[diagnostic::do_not_recommend]
impl<T: Semimodule> IntoStepped<T> for RefusedLayout {
    type Output = Self;
    fn into_stepped(self) -> Self {
        self
    }
}

// ---- what there is ------------------------------------------------------------------------------

/// What the result `R` of the algebra is as a layout with offsets in `T`.
type Stepped<R, T> = <R as IntoStepped<T>>::Output;

macro_rules! of_one_layout {
    ($($trait:ident)*) => {
        $(impl<T: Semimodule, S: IntTuple, D: IntTuple> $trait for SteppedLayout<T, S, D>
        where
            StridedLayout<S, D>: $trait<Output: IntoStepped<T>>,
        {
            type Output = Stepped<<StridedLayout<S, D> as $trait>::Output, T>;
            #[inline]
            fn evaluated(layout: Self) -> Result<Self::Output, LayoutError> {
                Ok($trait::evaluated(layout.strided())?.into_stepped())
            }
        })*
    };
}
of_one_layout! { Coalesce CoalesceZ Filter Flatten Reverse Transpose }

macro_rules! with_right_operand {
    ($($trait:ident)*) => {
        $(impl<T: Semimodule, S: IntTuple, D: IntTuple, B> $trait<B> for SteppedLayout<T, S, D>
        where
            StridedLayout<S, D>: $trait<B, Output: IntoStepped<T>>,
        {
            type Output = Stepped<<StridedLayout<S, D> as $trait<B>>::Output, T>;
            #[inline]
            fn evaluated(left: Self, right: B) -> Result<Self::Output, LayoutError> {
                Ok($trait::evaluated(left.strided(), right)?.into_stepped())
            }
        })*
    };
}
with_right_operand! {
    Compose LogicalDivide TiledDivide FlatDivide RoundUp WithShape CoalesceBy FilterBy Select
}

macro_rules! by_number {
    ($($trait:ident $method:ident: $($mode:ident)*;)*) => {
        $(impl<T: Semimodule, S: IntTuple, D: IntTuple, $(const $mode: usize),*> $trait<$($mode),*>
            for SteppedLayout<T, S, D>
        where
            StridedLayout<S, D>: $trait<$($mode,)* Output: IntoStepped<T>>,
        {
            type Output = Stepped<<StridedLayout<S, D> as $trait<$($mode),*>>::Output, T>;
            #[inline]
            fn $method(self) -> Self::Output {
                self.strided().$method().into_stepped()
            }
        })*
    };
}
by_number! { ModeOf mode_of: I; Take taken: B E; Group grouped: B E; Ungroup ungrouped: I; }

impl<T: Semimodule, S: IntTuple, D: IntTuple, B> ZippedDivide<B> for SteppedLayout<T, S, D>
where
    StridedLayout<S, D>: ZippedDivide<B, Output: IntoStepped<T, Output: TwoModes>>,
{
    type Output = Stepped<<StridedLayout<S, D> as ZippedDivide<B>>::Output, T>;
    type Tile = <Self::Output as TwoModes>::First;
    type Rest = <Self::Output as TwoModes>::Second;
    #[inline]
    fn evaluated(layout: Self, tile: B) -> Result<Self::Output, LayoutError> {
        Ok(ZippedDivide::evaluated(layout.strided(), tile)?.into_stepped())
    }
    #[inline]
    fn tile_and_rest(divided: Self::Output) -> (Self::Tile, Self::Rest) {
        divided.two_modes()
    }
}
/// The two modes of a divided layout, as layouts of its kind.
pub trait TwoModes {
    type First: Layout;
    type Second: Layout;
    fn two_modes(self) -> (Self::First, Self::Second);
}
impl<T: Semimodule, S0: IntTuple, S1: IntTuple, D0: IntTuple, D1: IntTuple> TwoModes
    for SteppedLayout<T, (S0, S1), (D0, D1)>
{
    type First = SteppedLayout<T, S0, D0>;
    type Second = SteppedLayout<T, S1, D1>;
    #[inline]
    fn two_modes(self) -> (Self::First, Self::Second) {
        let ((s0, s1), (d0, d1)) = self.strided().into_parts();
        (
            SteppedLayout::assemble(StridedLayout::assemble(s0, d0)),
            SteppedLayout::assemble(StridedLayout::assemble(s1, d1)),
        )
    }
}
#[diagnostic::do_not_recommend]
impl TwoModes for RefusedLayout {
    type First = Self;
    type Second = Self;
    fn two_modes(self) -> (Self, Self) {
        (self, self)
    }
}

impl<T: Semimodule, S: IntTuple, D: IntTuple, C: Nested<Node: Beginning> + Clone> Slice<C>
    for SteppedLayout<T, S, D>
where
    StridedLayout<S, D>: Slice<C, Output: IntoStepped<T>>,
{
    type Output = Stepped<<StridedLayout<S, D> as Slice<C>>::Output, T>;
    #[inline]
    fn sliced(layout: Self, coordinate: C) -> (Self::Output, T::Offset) {
        let kept = Slice::kept(layout.strided(), coordinate.clone());
        (kept.into_stepped(), layout.offset_of_fixed(coordinate.node().beginning()))
    }
    #[inline]
    fn try_sliced(layout: Self, coordinate: C) -> Result<(Self::Output, T::Offset), LayoutError> {
        let kept = Slice::try_kept(layout.strided(), coordinate.clone())?;
        Ok((kept.into_stepped(), layout.offset_of_fixed(coordinate.node().beginning())))
    }
    #[inline(always)]
    fn misfit(layout: Self, coordinate: C) -> Option<Fault> {
        Slice::misfit(layout.strided(), coordinate)
    }
}
impl<T: Semimodule, S: IntTuple, D: IntTuple> SteppedLayout<T, S, D> {
    /// The offset of what a slice fixes, what it keeps being at 0.
    #[inline]
    fn offset_of_fixed(self, fixed: impl Node) -> T::Offset {
        self.locate(self.shape().complete(fixed))
    }
}

// ---- what there is not --------------------------------------------------------------------------

/// Implemented by nothing: the message of an operation that orders strides, or leads back from
/// offsets.
#[diagnostic::on_unimplemented(
    message = "this operation takes natural strides alone, and an operand has strides that go backwards or along axes",
    label = "not for such strides in types",
    note = "layouts of negative strides have it at run time: `l.to_dynamic()`"
)]
pub trait OfNaturalStrides {}

macro_rules! refused {
    ($($trait:ident)*) => {
        $(#[doc(hidden)]
        impl<T: Semimodule, S: IntTuple, D: IntTuple> $trait for SteppedLayout<T, S, D>
        where
            T: OfNaturalStrides,
        {
            type Output = RefusedLayout;
            fn evaluated(_: Self) -> Result<RefusedLayout, LayoutError> {
                Ok(RefusedLayout)
            }
        })*
    };
    ($($trait:ident<B>)*) => {
        $(#[doc(hidden)]
        impl<T: Semimodule, S: IntTuple, D: IntTuple, B> $trait<B> for SteppedLayout<T, S, D>
        where
            T: OfNaturalStrides,
        {
            type Output = RefusedLayout;
            fn evaluated(_: Self, _: B) -> Result<RefusedLayout, LayoutError> {
                Ok(RefusedLayout)
            }
        })*
    };
}
refused! { RightInverse LeftInverse LayoutLike }
refused! {
    Complement<B> ComplementCeil<B> LogicalProduct<B> ZippedProduct<B> TiledProduct<B> FlatProduct<B> BlockedProduct<B>
    RakedProduct<B> TileToShape<B> Upcast<B> Downcast<B> Recast<B> MaxCommonLayout<B> Append<B> Prepend<B>
}

// On the right of what takes a layout.
accepted_operands! { Single: [T S D] SteppedLayout<T, S, D>; }
/// The right operand has strides that are not natural.
pub struct OtherStrides<T>(PhantomData<T>);
impl<Op, T: OfNaturalStrides> Explain<Op> for OtherStrides<T> {}
macro_rules! misplaced_layouts {
    ($reason:ty: $($operation:ident)*) => {
        $(misplaced! { operation::$operation, $reason: [T, S, D] SteppedLayout<T, S, D>; })*
    };
}
misplaced_layouts! {
    OtherStrides<T>: Compose LogicalDivide LogicalProduct RoundUp MaxCommonLayout Append Prepend
}
misplaced_layouts! { WantsNumber: Complement ComplementCeil Upcast Downcast }
no_weaving! { OtherStrides<T>: [T, S, D] SteppedLayout<T, S, D>; }
one_pair! { [T, S, D] SteppedLayout<T, S, D>; }
put_no_layouts! { OtherStrides<T>: [T, S, D] SteppedLayout<T, S, D>; }
