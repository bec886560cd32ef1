//! Operations on stepped layouts: those of strided ones that only add and multiply strides, or that only regroup modes.

use core::fmt::Display;

use crate::algebra::by_mode::ApplyZipped;
use crate::algebra::common_domain::GreatestCommonDomain;
use crate::algebra::divide::ZippedDivide;
use crate::algebra::modes::by_number::{Group, ModeOf, Take, Ungroup};
use crate::algebra::modes::slice::Slice;
use crate::algebra::operation::{self, Alone, Apply, Evaluate, Operation, right, settle};
use crate::algebra::outcome::Outcome;
use crate::algebra::traits::{
    Append, BlockedProduct, Coalesce, CoalesceBy, CoalesceZ, Complement, ComplementCeil, Compose, Downcast, Filter,
    FilterBy, FlatDivide, FlatProduct, Flatten, LayoutAdd, LeftInverse, LogicalDivide, LogicalProduct, Nullspace,
    Prepend, RakedProduct, Recast, Reverse, RightInverse, RoundUp, Select, TileToShape, TiledDivide, TiledProduct,
    Transpose, Upcast, WithShape, ZippedProduct,
};
use crate::error::{Fault, LayoutError, expect};
use crate::layout::stand_in::StandIn;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::list::Nested;
use crate::number::int::{False, True};
use crate::stepped::layout::SteppedLayout;
use crate::stepped::left_as_natural::{BesideBits, OrTried, TilesOfBits};
use crate::stepped::one_stride::{HasTwoParts, OneStrideIf};
use crate::stepped::two_modes::TwoModes;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::interval::Beginning;
use crate::tuple::node::Node;
use crate::tuple::semimodule::{Bits, Semimodule, Signed};

/// A result of the algebra as a layout with offsets in `T` again.
#[diagnostic::on_unimplemented(
    message = "this result is not a layout of this kind of strides",
    label = "`{Self}` has no such strides",
    note = "only results of operations on such layouts are: identity layouts, XOR layouts and signed ones"
)]
pub trait IntoStepped<T: Semimodule>: Layout {
    /// The layout of the same shape and strides.
    type Output: Layout;
    #[doc(hidden)]
    fn into_stepped(self) -> Self::Output;
    /// The way back.
    #[doc(hidden)]
    fn from_stepped(stepped: Self::Output) -> Self;
    /// Why the strides have no meaning together, if so.
    #[doc(hidden)]
    fn fault(&self) -> Option<Fault> {
        None
    }
    /// Why what a slice has fixed is no offset of this, which it keeps, if so.
    #[doc(hidden)]
    fn fault_of_slice(&self, _fixed: T::Sum) -> Option<Fault> {
        None
    }
}
/// A result of the operation `Op` on the layout `left` as a layout with offsets in `T`, if it has a meaning.
#[inline]
pub(crate) fn stepped<Op: Operation, T: Semimodule, L: IntoStepped<T>>(
    left: &impl Display,
    result: L,
) -> Result<L::Output, LayoutError> {
    match result.fault() {
        None => Ok(result.into_stepped()),
        Some(fault) => Err(LayoutError::new(Op::NAME, fault).with_operand(left)),
    }
}

/// Where offsets lie that are linear in the numbers of a coordinate.
pub trait Linear: Semimodule {}
impl<T: IntTuple> Linear for T {}
impl Linear for Signed {}
impl Linear for Bits {}
#[doc(hidden)]
impl<T: Semimodule, S: IntTuple, D: IntTuple> IntoStepped<T> for StridedLayout<S, D> {
    type Output = SteppedLayout<T, S, D>;
    #[inline]
    fn into_stepped(self) -> Self::Output {
        SteppedLayout::assemble(self)
    }
    #[inline]
    fn from_stepped(stepped: Self::Output) -> Self {
        stepped.strided()
    }
    #[inline]
    fn fault(&self) -> Option<Fault> {
        T::fault(self.shape().node(), self.stride().node())
    }
    #[inline]
    fn fault_of_slice(&self, fixed: T::Sum) -> Option<Fault> {
        T::fault_of_slice(fixed, self.shape().node(), self.stride().node())
    }
}

#[doc(hidden)]
impl<T: Semimodule> IntoStepped<T> for StandIn {
    type Output = Self;
    fn into_stepped(self) -> Self {
        self
    }
    fn from_stepped(stepped: Self) -> Self {
        stepped
    }
}
/// A layout of XOR strides or negative ones is what it is: its right operand has made it one.
macro_rules! of_right_operands {
    ($($offsets:ident)*) => {
        $(#[doc(hidden)]
        impl<T: Semimodule, S: IntTuple, D: IntTuple> IntoStepped<T> for SteppedLayout<$offsets, S, D> {
            type Output = Self;
            #[inline]
            fn into_stepped(self) -> Self {
                self
            }
            #[inline]
            fn from_stepped(stepped: Self) -> Self {
                stepped
            }
        })*
    };
}
of_right_operands! { Bits Signed }

/// What a composition gives as a layout with offsets in `T`: of XOR strides with one stride for each step.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "this result is not a layout of this kind of strides",
    label = "`{Self}` has no such strides",
    note = "only results of operations on such layouts are: identity layouts, XOR layouts and signed ones"
)]
pub trait IntoSummed<T: Semimodule, Op>: IntoStepped<T> {
    type Summed: Layout;
    /// The layout, if its strides have a meaning together.
    fn into_summed(self) -> Result<Self::Summed, Fault>;
}
impl<T: Semimodule<TwoKinds: SummedIn<T, Op, S, D>>, Op, S: IntTuple, D: IntTuple> IntoSummed<T, Op>
    for StridedLayout<S, D>
{
    type Summed = <T::TwoKinds as SummedIn<T, Op, S, D>>::Output;
    #[inline]
    fn into_summed(self) -> Result<Self::Summed, Fault> {
        T::TwoKinds::summed_in(self)
    }
}
/// [`IntoSummed`] of the layout `S:D`; `self` is whether one step may go along strides of two kinds.
#[doc(hidden)]
pub trait SummedIn<T, Op, S, D> {
    type Output: Layout;
    fn summed_in(layout: StridedLayout<S, D>) -> Result<Self::Output, Fault>;
}
impl<T, Op, S, D: HasTwoParts<False, Output: OneStrideIf<Op, S, D>>> SummedIn<T, Op, S, D> for True {
    type Output = <D::Output as OneStrideIf<Op, S, D>>::Output;
    #[inline]
    fn summed_in(layout: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
        D::Output::one_stride_if(layout)
    }
}
impl<T: Semimodule, Op, S: IntTuple, D: IntTuple> SummedIn<T, Op, S, D> for False {
    type Output = SteppedLayout<T, S, D>;
    #[inline]
    fn summed_in(layout: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
        match T::fault(layout.shape().node(), layout.stride().node()) {
            None => Ok(SteppedLayout::assemble(layout)),
            Some(fault) => Err(fault),
        }
    }
}
macro_rules! summed_as_they_are {
    ($([$($generic:ident)*] $layout:ty;)*) => {
        $(impl<T: Semimodule, Op, $($generic: IntTuple),*> IntoSummed<T, Op> for $layout {
            type Summed = Self;
            #[inline]
            fn into_summed(self) -> Result<Self, Fault> {
                Ok(self)
            }
        })*
    };
}
summed_as_they_are! { [] StandIn; [S D] SteppedLayout<Bits, S, D>; [S D] SteppedLayout<Signed, S, D>; }
/// A result of the operation `Op` on the layout `left` as a layout with offsets in `T`, if it has a meaning.
#[inline]
fn summed<Op: Operation, T: Semimodule, L: IntoSummed<T, Op>>(
    left: &impl Display,
    result: L,
) -> Result<L::Summed, LayoutError> {
    result.into_summed().map_err(|fault| LayoutError::new(Op::NAME, fault).with_operand(left))
}

/// The operation `Op` of the layout `A` and the right operand `B`; `self` is whether one step may go along strides of
/// two kinds: where the rule refuses XOR modes, it has a second try.
pub trait Tried<Op, A, B> {
    type Output;
    fn tried(left: A, right: B) -> Result<Self::Output, LayoutError>;
}
macro_rules! tried {
    ($($trait:ident: $apply:ident $of:ident $way:ident;)*) => {
        $(impl<S: IntTuple, D: IntTuple, B> Tried<operation::$trait, StridedLayout<S, D>, B> for False
        where
            StridedLayout<S, D>: $trait<B>,
        {
            type Output = <StridedLayout<S, D> as $trait<B>>::Output;
            #[inline]
            fn tried(left: StridedLayout<S, D>, right: B) -> Result<Self::Output, LayoutError> {
                $trait::evaluated(left, right)
            }
        }
        impl<S: IntTuple, D: IntTuple, B: right::$trait> Tried<operation::$trait, StridedLayout<S, D>, B> for True
        where
            B::Accepted: $apply<
                    operation::$of,
                    StridedLayout<S, D>,
                    Output: OrTried<operation::$trait, StridedLayout<S, D>, B::Accepted>,
                >,
        {
            type Output = <<<B::Accepted as $apply<operation::$of, StridedLayout<S, D>>>::Output as OrTried<
                operation::$trait,
                StridedLayout<S, D>,
                B::Accepted,
            >>::Output as Outcome<operation::$trait>>::Output;
            #[inline]
            fn tried(left: StridedLayout<S, D>, right: B) -> Result<Self::Output, LayoutError> {
                settle::<operation::$trait, _, _>(left, $way(right.accepted()))
            }
        })*
    };
}
tried! {
    Compose: Apply Compose BesideBits; LogicalDivide: Apply LogicalDivide BesideBits;
    ZippedDivide: ApplyZipped LogicalDivide TilesOfBits;
    TiledDivide: Apply TiledDivide BesideBits; FlatDivide: Apply FlatDivide BesideBits;
}

macro_rules! binary_on_stepped {
    ($how:ident $bound:ident: $($trait:ident)*) => {
        $(binary_on_stepped! { @$how [T: $bound,] T, $trait })*
    };
    ($how:ident for Bits Signed: $($trait:ident)*) => {
        $(binary_on_stepped! { @$how [] Bits, $trait }
        binary_on_stepped! { @$how [] Signed, $trait })*
    };
    (@stepped [$($bound:tt)*] $offsets:ident, $trait:ident) => {
        impl<$($bound)* S: IntTuple, D: IntTuple, B> $trait<B> for SteppedLayout<$offsets, S, D>
        where
            StridedLayout<S, D>: $trait<B, Output: IntoStepped<$offsets>>,
        {
            type Output = <<StridedLayout<S, D> as $trait<B>>::Output as IntoStepped<$offsets>>::Output;
            #[inline]
            fn evaluated(left: Self, right: B) -> Result<Self::Output, LayoutError> {
                stepped::<operation::$trait, $offsets, _>(&left, $trait::evaluated(left.strided(), right)?)
            }
        }
    };
    // Where the rule refuses XOR modes, it has a second try.
    (@tried [$($bound:tt)*] $offsets:ident, $trait:ident) => {
        impl<$($bound)* S: IntTuple, D: IntTuple, B> $trait<B> for SteppedLayout<$offsets, S, D>
        where
            $offsets::TwoKinds:
                Tried<operation::$trait, StridedLayout<S, D>, B, Output: IntoSummed<$offsets, operation::$trait>>,
        {
            type Output = <<$offsets::TwoKinds as Tried<operation::$trait, StridedLayout<S, D>, B>>::Output as IntoSummed<
                $offsets,
                operation::$trait,
            >>::Summed;
            #[inline]
            fn evaluated(left: Self, right: B) -> Result<Self::Output, LayoutError> {
                summed::<operation::$trait, $offsets, _>(&left, $offsets::TwoKinds::tried(left.strided(), right)?)
            }
        }
    };
    (@summed [$($bound:tt)*] $offsets:ident, $trait:ident) => {
        impl<$($bound)* S: IntTuple, D: IntTuple, B> $trait<B> for SteppedLayout<$offsets, S, D>
        where
            StridedLayout<S, D>: $trait<B, Output: IntoSummed<$offsets, operation::$trait>>,
        {
            type Output =
                <<StridedLayout<S, D> as $trait<B>>::Output as IntoSummed<$offsets, operation::$trait>>::Summed;
            #[inline]
            fn evaluated(left: Self, right: B) -> Result<Self::Output, LayoutError> {
                summed::<operation::$trait, $offsets, _>(&left, $trait::evaluated(left.strided(), right)?)
            }
        }
    };
}
binary_on_stepped! { tried Linear: Compose LogicalDivide TiledDivide FlatDivide }
binary_on_stepped! { stepped Linear: RoundUp }
binary_on_stepped! { summed Linear: WithShape }
binary_on_stepped! { stepped Semimodule: CoalesceBy FilterBy Select }
binary_on_stepped! { summed for Bits Signed: TileToShape }
binary_on_stepped! {
    stepped for Bits Signed: LogicalProduct ZippedProduct TiledProduct FlatProduct BlockedProduct RakedProduct
        Complement ComplementCeil Upcast Downcast Recast Append Prepend
}

macro_rules! unary_on_stepped {
    ($bound:ident: $($trait:ident)*) => {
        $(unary_on_stepped! { @impl [T: $bound,] T, $trait })*
    };
    (for $offsets:ident: $($trait:ident)*) => {
        $(unary_on_stepped! { @impl [] $offsets, $trait })*
    };
    (@impl [$($bound:tt)*] $offsets:ident, $trait:ident) => {
        impl<$($bound)* S: IntTuple, D: IntTuple> $trait for SteppedLayout<$offsets, S, D>
        where
            StridedLayout<S, D>: $trait<Output: IntoStepped<$offsets>>,
        {
            type Output = <<StridedLayout<S, D> as $trait>::Output as IntoStepped<$offsets>>::Output;
            #[inline]
            fn evaluated(layout: Self) -> Result<Self::Output, LayoutError> {
                stepped::<operation::$trait, $offsets, _>(&layout, $trait::evaluated(layout.strided())?)
            }
        }
    };
}
unary_on_stepped! { Semimodule: Coalesce CoalesceZ Filter Flatten Reverse Transpose }
unary_on_stepped! { for Bits: RightInverse LeftInverse }
unary_on_stepped! { for Signed: RightInverse LeftInverse Nullspace }

/// Sums of XOR strides may be 0, and so the kind of the layout tells what is to be looked for. Steps along which natural
/// modes stand still may meet them: then there is no layout of both.
impl<S: IntTuple, D: IntTuple> Nullspace for SteppedLayout<Bits, S, D>
where
    Self: Evaluate<operation::Nullspace, Output: Outcome<operation::Nullspace, Output: IntoStepped<Bits>>>,
{
    type Output =
        <<<Self as Evaluate<operation::Nullspace>>::Output as Outcome<operation::Nullspace>>::Output as IntoStepped<
            Bits,
        >>::Output;
    #[inline]
    fn evaluated(layout: Self) -> Result<Self::Output, LayoutError> {
        stepped::<operation::Nullspace, Bits, _>(&layout, settle::<operation::Nullspace, _, _>(layout, Alone)?)
    }
}

/// What shapes have in common is about the domain alone.
impl<T, S: IntTuple, D: IntTuple, B> GreatestCommonDomain<B> for SteppedLayout<T, S, D>
where
    StridedLayout<S, D>: GreatestCommonDomain<B>,
{
    type Output = <StridedLayout<S, D> as GreatestCommonDomain<B>>::Output;
    #[inline]
    fn evaluated(left: Self, right: B) -> Result<Self::Output, LayoutError> {
        GreatestCommonDomain::evaluated(left.strided(), right)
    }
}

macro_rules! by_number_on_stepped {
    ($($trait:ident $method:ident: $($mode:ident)*;)*) => {
        $(impl<T: Semimodule, S: IntTuple, D: IntTuple, $(const $mode: usize),*> $trait<$($mode),*>
            for SteppedLayout<T, S, D>
        where
            StridedLayout<S, D>: $trait<$($mode,)* Output: IntoStepped<T>>,
        {
            type Output = <<StridedLayout<S, D> as $trait<$($mode),*>>::Output as IntoStepped<T>>::Output;
            #[inline]
            fn $method(self) -> Self::Output {
                self.strided().$method().into_stepped()
            }
        })*
    };
}
by_number_on_stepped! { ModeOf mode_of: I; Take taken: B E; Group grouped: B E; Ungroup ungrouped: I; }

impl<T: Linear, S: IntTuple, D: IntTuple, B> ZippedDivide<B> for SteppedLayout<T, S, D>
where
    T::TwoKinds: Tried<
            operation::ZippedDivide,
            StridedLayout<S, D>,
            B,
            Output: IntoSummed<T, operation::ZippedDivide, Summed: TwoModes>,
        >,
{
    type Output = <<T::TwoKinds as Tried<operation::ZippedDivide, StridedLayout<S, D>, B>>::Output as IntoSummed<
        T,
        operation::ZippedDivide,
    >>::Summed;
    type Tile = <Self::Output as TwoModes>::First;
    type Rest = <Self::Output as TwoModes>::Second;
    #[inline]
    fn evaluated(layout: Self, tile: B) -> Result<Self::Output, LayoutError> {
        summed::<operation::ZippedDivide, T, _>(&layout, T::TwoKinds::tried(layout.strided(), tile)?)
    }
    #[inline]
    fn tile_and_rest(divided: Self::Output) -> (Self::Tile, Self::Rest) {
        divided.two_modes()
    }
}
impl<T: Semimodule, S: IntTuple, D: IntTuple, C: Nested<Node: Beginning> + Clone> Slice<C> for SteppedLayout<T, S, D>
where
    StridedLayout<S, D>: Slice<C, Output: IntoStepped<T>>,
{
    type Output = <<StridedLayout<S, D> as Slice<C>>::Output as IntoStepped<T>>::Output;
    #[inline]
    #[track_caller]
    fn sliced(layout: Self, coordinate: C) -> (Self::Output, T::Offset) {
        let kept = Slice::kept(layout.strided(), coordinate.clone());
        expect(with_fixed(layout, coordinate.node().beginning(), kept))
    }
    #[inline]
    fn try_sliced(layout: Self, coordinate: C) -> Result<(Self::Output, T::Offset), LayoutError> {
        match Slice::try_kept(layout.strided(), coordinate.clone()) {
            Ok(kept) => with_fixed(layout, coordinate.node().beginning(), kept),
            Err(error) => Err(LayoutError::new("slice", error.fault()).with_operand(&layout)),
        }
    }
}
/// What a slice keeps of a layout, and the offset of what it fixes.
#[inline]
fn with_fixed<T: Semimodule, S: IntTuple, D: IntTuple, C: Node, K: IntoStepped<T>>(
    layout: SteppedLayout<T, S, D>,
    fixed: C,
    kept: K,
) -> Result<(K::Output, T::Offset), LayoutError> {
    let sum = layout.shape().complete(fixed).node().sum_of_products::<T, _>(layout.stride().node());
    match kept.fault_of_slice(sum) {
        None => Ok((kept.into_stepped(), T::offset(sum))),
        Some(fault) => Err(LayoutError::new("slice", fault).with_operand(&layout)),
    }
}

binary_on_stepped! { @stepped [] Signed, LayoutAdd }
