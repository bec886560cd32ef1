//! What an operation gives: a layout, or a reason why there is none; and the gate that stands before the public traits.
//!
//! The functions of the algebra are total: where there is no answer, their output is [`Undefined`] with a reason. The gate lets
//! results pass, and asks for the message of a reason. A refused operation still has an output, a [`StandIn`], so that one mistake gives
//! one error.

use core::marker::PhantomData;

use typenum::{UInt, UTerm};

use crate::algebra::by_mode::Count;
use crate::error::Fault;
use crate::int_tuple::IntTuple;
use crate::layout::Layout;
use crate::multiple::Multiple;
use crate::refusal::{Explain, TooManyModes};
use crate::stand_in::StandIn;
use crate::strided::StridedLayout;
use crate::tuple::Crowded;

/// A shape and a congruent stride: what an operation gives where it is defined.
#[derive(Clone, Copy)]
pub struct Defined<S, D> {
    pub shape: S,
    pub stride: D,
}

/// In place of a result: there is none, for the reason `R`.
pub struct Undefined<R>(PhantomData<R>);
impl<R> Undefined<R> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Undefined(PhantomData)
    }
}

/// The gate: lets [`Defined`] pass as a layout, and explains why the operation `Op` is [`Undefined`].
pub trait Outcome<Op> {
    type Output: Layout;
    /// The layout, if its size and cosize fit: what only run time knows.
    fn outcome(self) -> Result<Self::Output, Fault>;
    /// The layout, where it is known to fit.
    #[inline(always)]
    fn layout(self) -> Self::Output
    where
        Self: Sized,
    {
        self.outcome().unwrap_or_else(|fault| panic!("{fault}"))
    }
}
impl<Op, S: ResultShape<Op, D>, D> Outcome<Op> for Defined<S, D> {
    type Output = S::Output;
    #[inline(always)]
    fn outcome(self) -> Result<Self::Output, Fault> {
        self.shape.checked(self.stride)
    }
    #[inline(always)]
    fn layout(self) -> Self::Output {
        self.shape.unchecked(self.stride)
    }
}
impl<Op, R: Explain<Op>> Outcome<Op> for Undefined<R> {
    type Output = StandIn;
    #[inline(always)]
    fn outcome(self) -> Result<StandIn, Fault> {
        Ok(StandIn)
    }
    #[inline(always)]
    fn layout(self) -> StandIn {
        StandIn
    }
}

/// The shape of a result with the stride `D`: a layout, unless it has more modes on one level than a tuple here has items.
pub trait ResultShape<Op, D> {
    type Output: Layout;
    fn checked(self, stride: D) -> Result<Self::Output, Fault>;
    fn unchecked(self, stride: D) -> Self::Output;
}
macro_rules! shapes {
    ($([$($generic:ident)*] $shape:ty;)*) => {
        $(impl<Op, Stride: IntTuple, $($generic),*> ResultShape<Op, Stride> for $shape
        where
            Self: IntTuple,
        {
            type Output = StridedLayout<Self, Stride>;
            #[inline(always)]
            fn checked(self, stride: Stride) -> Result<Self::Output, Fault> {
                <Roomy as ShapeInRoom<Op, Self, Stride>>::checked(self, stride)
            }
            #[inline(always)]
            fn unchecked(self, stride: Stride) -> Self::Output {
                StridedLayout::assemble(self, stride)
            }
        })*
    };
}
shapes! { [] UTerm; [V W] UInt<V, W>; [] usize; [Factor] Multiple<Factor>; }
macro_rules! shape_tuples {
    ($($Item:ident $item:ident)+) => {
        impl<Op, Stride, $($Item),+> ResultShape<Op, Stride> for ($($Item,)+)
        where
            Self: Room<Output: ShapeInRoom<Op, Self, Stride>>,
        {
            type Output = <<Self as Room>::Output as ShapeInRoom<Op, Self, Stride>>::Output;
            #[inline(always)]
            fn checked(self, stride: Stride) -> Result<Self::Output, Fault> {
                <Self as Room>::Output::checked(self, stride)
            }
            #[inline(always)]
            fn unchecked(self, stride: Stride) -> Self::Output {
                <Self as Room>::Output::unchecked(self, stride)
            }
        }
    };
}
each_arity!(shape_tuples);
impl<Op, L, D> ResultShape<Op, D> for Crowded<L>
where
    Undefined<TooManyModes<Count<L>>>: Outcome<Op, Output = StandIn>,
{
    type Output = StandIn;
    #[inline(always)]
    fn checked(self, _: D) -> Result<StandIn, Fault> {
        Ok(StandIn)
    }
    #[inline(always)]
    fn unchecked(self, _: D) -> StandIn {
        StandIn
    }
}

// ---- levels within a result ---------------------------------------------------------------------------------------

/// Has every level of a tree room for its modes? [`Roomy`], or [`Undefined`].
pub trait Room {
    type Output;
}
/// Every level has room.
pub struct Roomy;
/// A tuple, from its first item on: what follows is a tuple too.
macro_rules! tuples_have_room {
    ($Item:ident $item:ident) => {
        impl<$Item: Room> Room for ($Item,) {
            type Output = $Item::Output;
        }
    };
    ($Item:ident $item:ident $($More:ident $more:ident)+) => {
        impl<$Item: Room<Output: RoomBefore<($($More,)+)>>, $($More),+> Room for ($Item, $($More),+) {
            type Output = <$Item::Output as RoomBefore<($($More,)+)>>::Output;
        }
    };
}
each_arity!(tuples_have_room);
impl<L> Room for Crowded<L> {
    type Output = Undefined<TooManyModes<Count<L>>>;
}
macro_rules! numbers_have_room {
    ($([$($generic:ident)*] $number:ty;)*) => {
        $(impl<$($generic),*> Room for $number {
            type Output = Roomy;
        })*
    };
}
numbers_have_room! { [] UTerm; [U B] UInt<U, B>; [] usize; [F] Multiple<F>; }

/// [`Room`] of a tuple whose first item has the room `self`, and whose others are the tuple `T`.
pub trait RoomBefore<T> {
    type Output;
}
impl<T: Room> RoomBefore<T> for Roomy {
    type Output = T::Output;
}
impl<R, T> RoomBefore<T> for Undefined<R> {
    type Output = Self;
}

/// [`ResultShape`] of the tuple `S`, whose levels have the room `self`.
pub trait ShapeInRoom<Op, S, D> {
    type Output: Layout;
    fn checked(shape: S, stride: D) -> Result<Self::Output, Fault>;
    fn unchecked(shape: S, stride: D) -> Self::Output;
}
impl<Op, S: IntTuple, D: IntTuple> ShapeInRoom<Op, S, D> for Roomy {
    type Output = StridedLayout<S, D>;
    #[inline(always)]
    fn checked(shape: S, stride: D) -> Result<Self::Output, Fault> {
        let layout = StridedLayout::assemble(shape, stride);
        if layout.span().is_some() { Ok(layout) } else { Err(Fault::Overflow) }
    }
    #[inline(always)]
    fn unchecked(shape: S, stride: D) -> Self::Output {
        StridedLayout::assemble(shape, stride)
    }
}
impl<Op, R, S, D> ShapeInRoom<Op, S, D> for Undefined<R>
where
    Self: Outcome<Op, Output = StandIn>,
{
    type Output = StandIn;
    #[inline(always)]
    fn checked(_: S, _: D) -> Result<StandIn, Fault> {
        Ok(StandIn)
    }
    #[inline(always)]
    fn unchecked(_: S, _: D) -> StandIn {
        StandIn
    }
}
