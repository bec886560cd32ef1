//! Operations that regroup coordinates: they work on the inner layout.
//!
//! ```text
//! op(C)(c) = outer(offset + op(inner)(c))
//! ```
//!
//! A product promises that copies are disjoint, so that the outer function has to be a
//! [`Bijection`] there.

use super::chain::Chain;
use super::outer::{Bijection, InnerLayout, OffsetMap};
use super::{ComposedLayout, in_range};
use crate::algebra::by_mode::{ApplyZipped, one_pair};
use crate::algebra::divide::ZippedDivide;
use crate::algebra::misplaced::{misplaced, no_weaving};
use crate::algebra::modes::by_number::{Group, ModeOf, Take, Ungroup};
use crate::algebra::modes::named_modes::put_no_layouts;
use crate::algebra::operation;
use crate::algebra::operation::Operation;
use crate::algebra::outcome::{Apply, Outcome};
use crate::algebra::paired_product::PairedProduct;
use crate::algebra::traits::*;
use crate::error::{Fault, LayoutError};
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::list::{Cons, Leaf, Nested};
use crate::number::int::{False, One, StaticInt, True};
use crate::number::quotient::Exact;
use crate::number::table::{Number, Times};
use crate::reasons::undefined::Undefined;
use crate::reasons::{WantsNumber, WantsPlain, WantsShape, WantsTuple};
use crate::swizzle::{CastSwizzle, IsPowerOfTwo};

/// The operations of the table in `operations.rs` that apply to the inner layout.
macro_rules! of_composed_layouts {
    (
        $kind:tt $method:ident $trait:ident $alias:ident $sentence:tt $bound:tt $operand:tt ($($outer:ident)?)
        $($row:tt)*
    ) => {
        of_inner! { $kind $trait $($outer)? }
    };
}
macro_rules! of_inner {
    ($kind:tt $trait:ident) => {};
    // The result has two named parts: the impl is below.
    ((tile_and_rest) $($row:tt)*) => {};
    (() $trait:ident $outer:ident) => {
        impl<O: $outer, F: Number, L: InnerLayout> $trait for ComposedLayout<O, F, L>
        where
            L: $trait<Output: InnerLayout>,
        {
            type Output = <<L as $trait>::Output as InnerLayout>::Behind<O, F>;
            #[inline(always)]
            fn evaluated(layout: Self) -> Result<Self::Output, LayoutError> {
                let (outer, offset, inner) = layout.into_parts();
                Ok($trait::evaluated(inner)?.behind(outer, offset))
            }
        }
    };
    (($kind:ident) $trait:ident $outer:ident) => {
        impl<O: $outer, F: Number, L: InnerLayout, B> $trait<B> for ComposedLayout<O, F, L>
        where
            L: $trait<B, Output: PutBehind<O, F>>,
        {
            type Output = <<L as $trait<B>>::Output as PutBehind<O, F>>::Output;
            #[inline(always)]
            fn evaluated(left: Self, right: B) -> Result<Self::Output, LayoutError> {
                let (outer, offset, inner) = left.into_parts();
                let xored = inner.xors();
                match $trait::evaluated(inner, right)?.put_behind(outer, offset, xored) {
                    Ok(result) => Ok(result),
                    Err(fault) => Err(LayoutError::new(operation::$trait::NAME, fault)),
                }
            }
        }
    };
}
operations!(of_composed_layouts);

/// The result `self` of an operation on the inner layout, behind the function and the offset again.
#[diagnostic::on_unimplemented(
    message = "cannot compose two composed layouts: the right operand has to be a plain one",
    label = "both are behind a swizzle or another function",
    note = "the plain part of a composed layout is `l.inner()`"
)]
pub trait PutBehind<O, F> {
    type Output: Layout;
    fn put_behind(self, outer: O, offset: F, xored: bool) -> Result<Self::Output, Fault>;
}
#[diagnostic::do_not_recommend]
impl<O: OffsetMap, F: Number, L: InnerLayout> PutBehind<O, F> for L {
    type Output = L::Behind<O, F>;
    #[inline(always)]
    fn put_behind(self, outer: O, offset: F, xored: bool) -> Result<Self::Output, Fault> {
        self.stays_behind(offset.get(), xored)?;
        in_range(offset.get(), self.base_and_cosize())?;
        Ok(self.behind(outer, offset))
    }
}

macro_rules! by_number_on_inner {
    ($($trait:ident $method:ident: $($mode:ident)*;)*) => {
        $(impl<O: OffsetMap, F: Number, L: InnerLayout, $(const $mode: usize),*> $trait<$($mode),*>
            for ComposedLayout<O, F, L>
        where
            L: $trait<$($mode,)* Output: InnerLayout>,
        {
            type Output = <<L as $trait<$($mode),*>>::Output as InnerLayout>::Behind<O, F>;
            #[inline(always)]
            fn $method(self) -> Self::Output {
                let (outer, offset, inner) = self.into_parts();
                inner.$method().behind(outer, offset)
            }
        })*
    };
}
by_number_on_inner! {
    ModeOf mode_of: I; Take taken: B E; Group grouped: B E; Ungroup ungrouped: I;
}

impl<O: OffsetMap, F: Number, L: InnerLayout, T> ZippedDivide<T> for ComposedLayout<O, F, L>
where
    L: ZippedDivide<T, Output: InnerLayout, Tile: InnerLayout, Rest: InnerLayout>,
{
    type Output = <L::Output as InnerLayout>::Behind<O, F>;
    type Tile = <L::Tile as InnerLayout>::Behind<O, F>;
    type Rest = <L::Rest as InnerLayout>::Behind<O, F>;
    #[inline(always)]
    fn evaluated(layout: Self, tile: T) -> Result<Self::Output, LayoutError> {
        let (outer, offset, inner) = layout.into_parts();
        let xored = inner.xors();
        let divided = ZippedDivide::evaluated(inner, tile)?.put_behind(outer, offset, xored);
        divided.map_err(|fault| LayoutError::new(operation::ZippedDivide::NAME, fault))
    }
    /// The two modes, each a layout from the same origin: behind a swizzle, their offsets do not
    /// add up.
    #[inline(always)]
    fn tile_and_rest(divided: Self::Output) -> (Self::Tile, Self::Rest) {
        let (outer, offset, inner) = L::Output::take_apart(divided);
        let (tile, rest) = L::tile_and_rest(inner);
        (tile.behind(outer.clone(), offset), rest.behind(outer, offset))
    }
}

// ---- a plain layout after a composed one --------------------------------------------------------

/// A composed layout as the result of an operation.
pub struct ComposedResult<T>(pub T);
impl<Op, T: Layout> Outcome<Op> for ComposedResult<T> {
    type Output = T;
    #[inline(always)]
    fn outcome(self) -> Result<T, Fault> {
        Ok(self.0)
    }
    #[inline(always)]
    fn layout(self) -> T {
        self.0
    }
}

/// `A o (Sw o offset o L)`. Where `A` is `n:2^k`, it is `Sw' o 2^k * offset o (A o L)`, for bits go
/// to bits; else `A` follows the swizzle as it is: both are exact.
impl<O: OffsetMap, F: Number, L: InnerLayout, S: Nested, D>
    Apply<operation::Compose, StridedLayout<S, D>> for ComposedLayout<O, F, L>
where
    S::Node: CarryOver<StridedLayout<S, D>, D, O, F, L>,
{
    type Output = ComposedResult<<S::Node as CarryOver<StridedLayout<S, D>, D, O, F, L>>::Output>;
    #[inline(always)]
    fn apply(self, left: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
        Ok(ComposedResult(<S::Node as CarryOver<StridedLayout<S, D>, D, O, F, L>>::carry_over(
            left, self,
        )?))
    }
}

/// The layout `A`, of a shape with the node `self` and the stride `D`, after a composed one.
pub trait CarryOver<A, D, O, F, L> {
    type Output: Layout;
    fn carry_over(left: A, right: ComposedLayout<O, F, L>) -> Result<Self::Output, Fault>;
}
cases! { CarryOver::carry_over -> Result<Self::Output, Fault>:
    [A: OffsetMap, D, O: OffsetMap, F: Number, L: InnerLayout, H, T] Cons<H, T>, A, D, O, F, L
        => ComposedLayout<Chain<A, O>, F, L>,
        (left: A, right: ComposedLayout<O, F, L>) => Ok(follow(left, right));
    [A, D: IsPowerOfTwo, O, F, L, N] Leaf<N>, A, D, O, F, L where (D::Output: CarryScaled<A, D, O, F, L>)
        => <D::Output as CarryScaled<A, D, O, F, L>>::Output,
        (left: A, right: ComposedLayout<O, F, L>) =>
            <D::Output as CarryScaled<A, D, O, F, L>>::carry_scaled(left, right);
}

fn follow<A: OffsetMap, O: OffsetMap, F: Number, L: InnerLayout>(
    left: A,
    right: ComposedLayout<O, F, L>,
) -> ComposedLayout<Chain<A, O>, F, L> {
    let (outer, offset, inner) = right.into_parts();
    ComposedLayout::const_new(Chain::new(left, outer), offset, inner)
}

/// [`CarryOver`] of a mode with the stride `D`; `self` says whether that is a static power of two.
pub trait CarryScaled<A, D, O, F, L> {
    type Output: Layout;
    fn carry_scaled(left: A, right: ComposedLayout<O, F, L>) -> Result<Self::Output, Fault>;
}
impl<A: OffsetMap, D, O: OffsetMap, F: Number, L: InnerLayout> CarryScaled<A, D, O, F, L>
    for False
{
    type Output = ComposedLayout<Chain<A, O>, F, L>;
    #[inline(always)]
    fn carry_scaled(left: A, right: ComposedLayout<O, F, L>) -> Result<Self::Output, Fault> {
        Ok(follow(left, right))
    }
}
impl<A, D, O, P, F, L> CarryScaled<A, D, O, F, L> for True
where
    A: Compose<L, Output: InnerLayout>,
    D: StaticInt,
    O: OffsetMap + CastSwizzle<One, D, Output = Exact<P>>,
    P: OffsetMap,
    F: Number + Times<D>,
    L: InnerLayout,
{
    type Output = ComposedLayout<P, <F as Times<D>>::Output, <A as Compose<L>>::Output>;
    #[inline(always)]
    fn carry_scaled(left: A, right: ComposedLayout<O, F, L>) -> Result<Self::Output, Fault> {
        let (outer, offset, inner) = right.into_parts();
        let inner = Compose::evaluated(left, inner).map_err(|error| error.fault())?;
        let Exact(outer) = outer.cast_swizzle().map_err(|error| error.fault())?;
        ComposedLayout::checked(outer, offset.times(&D::default())?, inner)
    }
}

operation::accepted_operands! {
    Single: [O F L] ComposedLayout<O, F, L>;
    Profiled: [O F L] ComposedLayout<O, F, L>;
}
// Only a composition takes one on the right.
macro_rules! on_the_right {
    ((layout) $method:ident $trait:ident $($row:tt)*) => {
        on_the_right! { @ WantsPlain $trait }
    };
    ((number) $method:ident $trait:ident $($row:tt)*) => {
        on_the_right! { @ WantsNumber $trait }
    };
    ((unit) $method:ident $trait:ident $($row:tt)*) => {
        on_the_right! { @ WantsNumber $trait }
    };
    ((modes) $method:ident $trait:ident $($row:tt)*) => {
        on_the_right! { @ WantsTuple $trait }
    };
    ((sizes) $method:ident $trait:ident $($row:tt)*) => {
        on_the_right! { @ WantsTuple $trait }
    };
    ((shape) $method:ident $trait:ident $($row:tt)*) => {
        on_the_right! { @ WantsShape $trait }
    };
    ((profile) $method:ident $trait:ident $($row:tt)*) => {
        on_the_right! { @ WantsShape $trait }
    };
    (@ $reason:ident $trait:ident) => {
        misplaced! { operation::$trait, $reason: [O, F, L] ComposedLayout<O, F, L>; }
    };
    // Those that take a tile stand by themselves.
    ($($row:tt)*) => {};
}
operations!(on_the_right);
misplaced! { operation::LogicalDivide, WantsPlain: [O, F, L] ComposedLayout<O, F, L>; }
misplaced! { operation::LogicalProduct, WantsPlain: [O, F, L] ComposedLayout<O, F, L>; }
misplaced! { operation::RoundUp, WantsPlain: [O, F, L] ComposedLayout<O, F, L>; }
no_weaving! { WantsPlain: [O, F, L] ComposedLayout<O, F, L>; }
one_pair! { [O, F, L] ComposedLayout<O, F, L>; }
put_no_layouts! { WantsPlain: [O, F, L] ComposedLayout<O, F, L>; }
