//! Layouts of XOR strides and negative ones as modes of others, and with modes of others.
//!
//! ```text
//! (8,8):(1,8) and 4:^64       (8,8,4):(1,8,^64)    a layout of XOR strides with one of natural strides is one
//! (8,8):(1,8) and 4:^8        refused: bit 3 is one of both
//! (4,6):(-1,4) and 4:^64      refused: offsets with a sign have no XOR
//! (4,6):(-1,4) and 1:^64      (4,6,1):(-1,4,64)    a stride that does not move is natural beside those of another kind
//! ```

use core::marker::PhantomData;

use typenum::{UInt, UTerm};

use crate::algebra::modes::by_number::Replace;
use crate::algebra::modes::named_modes::PutAt;
use crate::algebra::operation::{self, Apply};
use crate::algebra::outcome::{Defined, Outcome};
use crate::algebra::reshape::StayStill;
use crate::algebra::traits::LayoutLike;
use crate::error::{Fault, LayoutError, expect};
use crate::layout::display::Text;
use crate::layout::ordered::LeafInOrder;
use crate::layout::stand_in::StandIn;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::list::{Cons, Nested};
use crate::number::multiple::Multiple;
use crate::refusal::undefined::Undefined;
use crate::refusal::{Explain, XorBesideNegative};
use crate::stepped::algebra::{IntoStepped, stepped};
use crate::stepped::layout::SteppedLayout;
use crate::stepped::minus::Minus;
use crate::stepped::of_kinds::{BothKinds, KindOf, NaturalKind};
use crate::stepped::xor::Xor;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::semimodule::{Bits, Semimodule, Signed};

macro_rules! put_together {
    ($([$($generic:ident)*] $operation:ident of $offsets:ident;)*) => {
        $(impl<A, S, D, $($generic),*> Apply<operation::$operation, A> for SteppedLayout<$offsets, S, D>
        where
            StridedLayout<S, D>: Apply<operation::$operation, A, Output: IntoTogether<$offsets>>,
        {
            type Output =
                <<StridedLayout<S, D> as Apply<operation::$operation, A>>::Output as IntoTogether<$offsets>>::Output;
            #[inline]
            fn apply(self, left: A) -> Result<Self::Output, Fault> {
                Ok(self.strided().apply(left)?.into_together())
            }
        })*
    };
}
put_together! { [T] Append of T; [T] Prepend of T; [] LayoutAdd of Signed; }
impl<A, T, S, D, const I: usize> PutAt<A, I> for SteppedLayout<T, S, D>
where
    StridedLayout<S, D>: PutAt<A, I, Output: IntoTogether<T>>,
{
    type Output = <<StridedLayout<S, D> as PutAt<A, I>>::Output as IntoTogether<T>>::Output;
    #[inline]
    fn put_at(self, layout: A) -> Self::Output {
        self.strided().put_at(layout).into_together()
    }
}

// ---- one kind of strides ------------------------------------------------------------------------------------------

/// A shape and a stride whose modes come of two layouts: of the kind that moves, or where none does, of the kind `T`.
pub struct Together<T, S, D> {
    shape: S,
    stride: D,
    kind: PhantomData<T>,
}
/// What an operation gives, of modes of a layout of the kind `T` and of another one.
pub trait IntoTogether<T> {
    type Output;
    fn into_together(self) -> Self::Output;
}
cases! { IntoTogether::into_together -> Self::Output:
    [S, D, T] Defined<S, D>, T => Together<T, S, D>,
        (self) => Together { shape: self.shape, stride: self.stride, kind: PhantomData };
    [R, T] Undefined<R>, T => Self, (self) => self;
}
impl<Op, T, S: IntTuple, D: IntTuple> Outcome<Op> for Together<T, S, D>
where
    D::Node: KindOf<S::Node, NaturalKind, Output: AsOneKind<Op, T, S, D>>,
{
    type Output = <<D::Node as KindOf<S::Node, NaturalKind>>::Output as AsOneKind<Op, T, S, D>>::Output;
    #[inline]
    fn outcome(self) -> Result<Self::Output, Fault> {
        let layout = StridedLayout::assemble(self.shape, self.stride);
        if layout.span().is_none() {
            return Err(Fault::Overflow);
        }
        <<D::Node as KindOf<S::Node, NaturalKind>>::Output as AsOneKind<Op, T, S, D>>::as_one_kind(layout)
    }
    #[inline]
    #[track_caller]
    fn layout(self) -> Self::Output {
        let (shape, stride) = (self.shape, self.stride);
        let explain = |fault| LayoutError::new("new", fault).with_operands(&Text(shape), &Text(stride));
        expect(Outcome::<Op>::outcome(self).map_err(explain))
    }
}
/// The layout `S:D` of strides of the kind `self`, or of the kind `T` where none moves.
pub trait AsOneKind<Op, T, S, D> {
    type Output: Layout;
    fn as_one_kind(layout: StridedLayout<S, D>) -> Result<Self::Output, Fault>;
}
macro_rules! as_one_kind {
    ($([$($generic:ident)*] $moving:ident, $put:ident => $kind:ident;)*) => {
        $(impl<Op, S: IntTuple, D: InOneKind<$kind>, $($generic),*> AsOneKind<Op, $put, S, D> for $moving {
            type Output = SteppedLayout<$kind, S, D::Output>;
            #[inline]
            fn as_one_kind(layout: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
                let (shape, stride) = layout.into_parts();
                let stride = stride.in_one_kind();
                match $kind::fault(shape.node(), stride.node()) {
                    None => Ok(SteppedLayout::assemble(StridedLayout::assemble(shape, stride))),
                    Some(fault) => Err(fault),
                }
            }
        })*
    };
}
as_one_kind! { [] NaturalKind, Bits => Bits; [] NaturalKind, Signed => Signed; [T] Bits, T => Bits; [T] Signed, T => Signed; }
impl<Op, T, S, D> AsOneKind<Op, T, S, D> for BothKinds
where
    XorBesideNegative: Explain<Op>,
{
    type Output = StandIn;
    fn as_one_kind(_: StridedLayout<S, D>) -> Result<StandIn, Fault> {
        Ok(StandIn)
    }
}
/// The tree of strides `self`, of the kind `T` and natural: one of the other kind, which does not move, is natural.
pub trait InOneKind<T>: IntTuple {
    type Output: IntTuple;
    fn in_one_kind(self) -> Self::Output;
}
macro_rules! leaves_of_one_kind {
    ($([$($generic:ident)*] $stride:ty;)*) => {
        $(impl<T, $($generic),*> InOneKind<T> for $stride
        where
            Self: IntTuple,
        {
            type Output = Self;
            #[inline]
            fn in_one_kind(self) -> Self {
                self
            }
        })*
    };
    ($($stride:ident of $kind:ident, and $other:ident;)*) => {
        $(impl<N> InOneKind<$kind> for $stride<N>
        where
            Self: IntTuple,
        {
            type Output = Self;
            #[inline]
            fn in_one_kind(self) -> Self {
                self
            }
        }
        impl<N: IntTuple> InOneKind<$other> for $stride<N>
        where
            Self: IntTuple,
        {
            type Output = N;
            #[inline]
            fn in_one_kind(self) -> N {
                self.0
            }
        })*
    };
}
leaves_of_one_kind! { [] UTerm; [U B] UInt<U, B>; [] usize; [F] Multiple<F>; }
leaves_of_one_kind! { Xor of Bits, and Signed; Minus of Signed, and Bits; }
macro_rules! tuples_of_one_kind {
    ($($Item:ident $item:ident)+) => {
        impl<T, $($Item: InOneKind<T>),+> InOneKind<T> for ($($Item,)+)
        where
            Self: IntTuple,
            ($($Item::Output,)+): IntTuple,
        {
            type Output = ($($Item::Output,)+);
            #[inline]
            fn in_one_kind(self) -> Self::Output {
                let ($($item,)+) = self;
                ($($item.in_one_kind(),)+)
            }
        }
    };
}
each_arity!(tuples_of_one_kind);

// ---- the other operations -----------------------------------------------------------------------------------------

macro_rules! of_kinds {
    ($($offsets:ident)*) => {
        $(impl<S: IntTuple, D: IntTuple, M, const I: usize> Replace<I, M> for SteppedLayout<$offsets, S, D>
        where
            StridedLayout<S, D>: Replace<I, M, Output: IntoStepped<$offsets>>,
        {
            type Output = <<StridedLayout<S, D> as Replace<I, M>>::Output as IntoStepped<$offsets>>::Output;
            #[inline]
            #[track_caller]
            fn replaced(self, mode: M) -> Self::Output {
                expect(stepped::<operation::Replace, $offsets, _>(&self, self.strided().replaced(mode)))
            }
        }
        impl<S: IntTuple, D: IntTuple> LayoutLike for SteppedLayout<$offsets, S, D>
        where
            StridedLayout<S, D>: LayoutLike,
        {
            type Output = <StridedLayout<S, D> as LayoutLike>::Output;
            #[inline]
            fn evaluated(layout: Self) -> Result<Self::Output, LayoutError> {
                LayoutLike::evaluated(layout.strided())
            }
        })*
    };
}
of_kinds! { Bits Signed }

// `layout_like` puts strides in the order of their numbers.
cases! { StayStill::stay_still -> Self::Output:
    [S, N, T] Cons<LeafInOrder<S, Xor<N>>, T> where (Cons<LeafInOrder<S, N>, T>: StayStill)
        => <Cons<LeafInOrder<S, N>, T> as StayStill>::Output,
        (self) => Cons { head: LeafInOrder(self.head.0, self.head.1.0), tail: self.tail }.stay_still();
    [S, N, T] Cons<LeafInOrder<S, Minus<N>>, T> where (Cons<LeafInOrder<S, N>, T>: StayStill)
        => <Cons<LeafInOrder<S, N>, T> as StayStill>::Output,
        (self) => Cons { head: LeafInOrder(self.head.0, self.head.1.0), tail: self.tail }.stay_still();
}
