//! Operands of the wrong kind: a layout where a number is wanted, a tuple where a tiler is. Each is [`Undefined`], so that the compiler
//! says what the operation takes.

use typenum::{UInt, UTerm};

use crate::algebra::operation::Apply;
use crate::algebra::operation::{self, AnyTuple, OnTiles};
use crate::algebra::weave::Weave;
use crate::error::Fault;
use crate::layout::stand_in::StandIn;
use crate::layout::strided::StridedLayout;
use crate::layout::tiler::{Keep, Tiler};
use crate::number::multiple::Multiple;
use crate::refusal::undefined::Undefined;
use crate::refusal::{Before, DynamicUnit, WantsLayout, WantsNumber, WantsShape, WantsTile, WantsTuple, ZeroUnit};

/// The operation is undefined for right operands of these types, for the reason.
macro_rules! misplaced {
    ($operation:ty, $reason:ty: $([$($generic:ident)*] $operand:ty;)*) => {
        $(impl<Left, $($generic),*> Apply<$operation, Left> for $operand {
            type Output = Undefined<$reason>;
            #[inline(always)]
            fn apply(self, _: Left) -> Result<Self::Output, Fault> {
                Ok(Undefined::new())
            }
        })*
    };
}
pub(crate) use misplaced;
macro_rules! no_numbers {
    ($($operation:ident $reason:ty;)*) => {
        $(misplaced! { operation::$operation, $reason: [] UTerm; [U B] UInt<U, B>; [] usize; [F] Multiple<F>; })*
    };
}
macro_rules! no_layouts {
    ($($operation:ident $reason:ty;)*) => {
        $(misplaced! { operation::$operation, $reason: [S D] StridedLayout<S, D>; })*
    };
}
macro_rules! no_tilers {
    ($($operation:ident $reason:ty;)*) => {
        $(misplaced! { operation::$operation, $reason: [T] Tiler<T>; [] Keep; })*
    };
}
no_numbers! { Append WantsLayout; Prepend WantsLayout; MaxCommonLayout WantsLayout; Select WantsTuple; Recast WantsTuple; }
no_layouts! {
    Complement WantsNumber; ComplementCeil WantsNumber; Upcast WantsNumber; Downcast WantsNumber; Select WantsTuple;
    Recast WantsTuple; TileToShape WantsShape; WithShape WantsShape; CoalesceBy WantsShape; FilterBy WantsShape;
}
no_tilers! {
    Append WantsLayout; Prepend WantsLayout; MaxCommonLayout WantsLayout; Complement WantsNumber; ComplementCeil WantsNumber;
    Upcast WantsNumber; Downcast WantsNumber; Select WantsTuple; Recast WantsTuple; TileToShape WantsShape;
    WithShape WantsShape;
}
// Sizes are a pair.
misplaced! { operation::Recast, WantsTuple:
    [A] (A,); [A B C] (A, B, C); [A B C D] (A, B, C, D); [A B C D E] (A, B, C, D, E); [A B C D E F] (A, B, C, D, E, F);
    [A B C D E F G] (A, B, C, D, E, F, G); [A B C D E F G H] (A, B, C, D, E, F, G, H);
}
misplaced! { operation::Upcast, ZeroUnit: [] UTerm; }
misplaced! { operation::Downcast, ZeroUnit: [] UTerm; }
misplaced! { operation::Upcast, DynamicUnit: [F] Multiple<F>; }
misplaced! { operation::Downcast, DynamicUnit: [F] Multiple<F>; }

// A layout that was itself refused: the result is refused with it, without a second message.
misplaced! { operation::Append, Before: [] StandIn; }
misplaced! { operation::Prepend, Before: [] StandIn; }
misplaced! { operation::MaxCommonLayout, Before: [] StandIn; }
impl<Op: OnTiles, Left> Apply<Op, Left> for StandIn {
    type Output = Undefined<Before>;
    #[inline(always)]
    fn apply(self, _: Left) -> Result<Self::Output, Fault> {
        Ok(Undefined::new())
    }
}

// A tuple, whatever is in it, also as the entry of a tiler.
macro_rules! no_tuples {
    ($($Item:ident $item:ident)+) => {
        impl<Op: OnTiles, Left, $($Item),+> Apply<Op, Left> for ($($Item,)+) {
            type Output = Undefined<WantsTile>;
            #[inline(always)]
            fn apply(self, _: Left) -> Result<Self::Output, Fault> {
                Ok(Undefined::new())
            }
        }
    };
}
each_arity!(no_tuples);
impl<Op: OnTiles, Left> Apply<Op, Left> for AnyTuple {
    type Output = Undefined<WantsTile>;
    #[inline(always)]
    fn apply(self, _: Left) -> Result<Self::Output, Fault> {
        Ok(Undefined::new())
    }
}
misplaced! { operation::Append, WantsLayout: [] AnyTuple; }
misplaced! { operation::Prepend, WantsLayout: [] AnyTuple; }
misplaced! { operation::MaxCommonLayout, WantsLayout: [] AnyTuple; }
misplaced! { operation::Complement, WantsNumber: [] AnyTuple; }
misplaced! { operation::ComplementCeil, WantsNumber: [] AnyTuple; }
misplaced! { operation::Upcast, WantsNumber: [] AnyTuple; }
misplaced! { operation::Downcast, WantsNumber: [] AnyTuple; }

/// Blocked and raked products take no tiler.
macro_rules! no_weaving {
    ($reason:ty: $([$($generic:ident)*] $operand:ty;)*) => {
        $(impl<Left, Order, $($generic),*> Weave<Left, Order> for $operand {
            type Output = Undefined<$reason>;
            #[inline(always)]
            fn weave(self, _: Left) -> Result<Self::Output, Fault> {
                Ok(Undefined::new())
            }
        })*
    };
}
pub(crate) use no_weaving;
no_weaving! { Before: [] StandIn; }
no_weaving! { WantsLayout: [T] Tiler<T>; [] Keep; [] AnyTuple; }
