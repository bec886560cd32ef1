//! Operands of the wrong kind: a layout in place of a number, a tuple in place of a tiler. Each is
//! [`Undefined`], so that the compiler says what the operation takes.

use typenum::UTerm;

use crate::algebra::operation::{self, AnyTuple, OnTiles};
use crate::algebra::outcome::Apply;
use crate::algebra::paired_product::PairedProduct;
use crate::error::Fault;
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::tiler::{Keep, Tiler};
use crate::number::multiple::Multiple;
use crate::number::table::Number;
use crate::reasons::undefined::Undefined;
use crate::reasons::{
    Before, DynamicUnit, WantsLayout, WantsNumber, WantsShape, WantsTile, WantsTuple, ZeroUnit,
};

/// Makes the operation undefined, for the given reason, for right operands of these types.
macro_rules! misplaced {
    ($operation:ty, $reason:ty: $([$($generic:tt)*] $operand:ty;)*) => {
        $(impl<Left, $($generic)*> Apply<$operation, Left> for $operand {
            type Output = Undefined<$reason>;
            #[inline]
            fn apply(self, _: Left) -> Result<Self::Output, Fault> {
                Ok(Undefined::new())
            }
        })*
    };
}
pub(crate) use misplaced;

/// The operations of the table in `operations.rs`: rejects right operands of the other kinds. A
/// layout that was refused before is refused without a second message.
macro_rules! other_kinds {
    (($($kind:ident)?) $method:ident $trait:ident $($row:tt)*) => {
        $(other_kind! { $kind operation::$trait })?
    };
}
macro_rules! other_kind {
    (layout $operation:ty) => {
        other_kind! { @ numbers $operation, WantsLayout }
        other_kind! { @ tilers $operation, WantsLayout }
        misplaced! { $operation, WantsLayout: [] AnyTuple; }
        misplaced! { $operation, Before: [] RefusedLayout; }
    };
    (number $operation:ty) => {
        other_kind! { @ layouts $operation, WantsNumber }
        other_kind! { @ tilers $operation, WantsNumber }
        misplaced! { $operation, WantsNumber: [] AnyTuple; }
    };
    (unit $operation:ty) => {
        other_kind! { number $operation }
        misplaced! { $operation, ZeroUnit: [] UTerm; }
        misplaced! { $operation, DynamicUnit: [F] Multiple<F>; }
    };
    (sizes $operation:ty) => {
        other_kind! { modes $operation }
        // The `sizes` are a pair.
        misplaced! { $operation, WantsTuple:
            [A] (A,); [A, B, C] (A, B, C); [A, B, C, D] (A, B, C, D); [A, B, C, D, E] (A, B, C, D, E);
            [A, B, C, D, E, F] (A, B, C, D, E, F); [A, B, C, D, E, F, G] (A, B, C, D, E, F, G);
            [A, B, C, D, E, F, G, H] (A, B, C, D, E, F, G, H);
        }
    };
    (modes $operation:ty) => {
        other_kind! { @ numbers $operation, WantsTuple }
        other_kind! { @ layouts $operation, WantsTuple }
        other_kind! { @ tilers $operation, WantsTuple }
    };
    (shape $operation:ty) => {
        other_kind! { @ layouts $operation, WantsShape }
        other_kind! { @ tilers $operation, WantsShape }
    };
    // A profile applies mode by mode, as a tiler does.
    (profile $operation:ty) => {
        other_kind! { @ layouts $operation, WantsShape }
    };
    // All operations on tiles reject the same operands: see below.
    ($kind:ident $operation:ty) => {};
    (@ numbers $operation:ty, $reason:ty) => {
        misplaced! { $operation, $reason: [N: Number] N; }
    };
    (@ layouts $operation:ty, $reason:ty) => {
        misplaced! { $operation, $reason: [S, D] StridedLayout<S, D>; }
    };
    (@ tilers $operation:ty, $reason:ty) => {
        misplaced! { $operation, $reason: [T] Tiler<T>; [] Keep; }
    };
}
operations!(other_kinds);

// A refused layout as a tile, or as the entry of a tiler.
#[diagnostic::do_not_recommend]
impl<Op: OnTiles, Left> Apply<Op, Left> for RefusedLayout {
    type Output = Undefined<Before>;
    #[inline]
    fn apply(self, _: Left) -> Result<Self::Output, Fault> {
        Ok(Undefined::new())
    }
}

// A tuple, whatever its items are, also as the entry of a tiler.
macro_rules! no_tuples {
    ($($Item:ident $item:ident)+) => {
        impl<Op: OnTiles, Left, $($Item),+> Apply<Op, Left> for ($($Item,)+) {
            type Output = Undefined<WantsTile>;
            #[inline]
            fn apply(self, _: Left) -> Result<Self::Output, Fault> {
                Ok(Undefined::new())
            }
        }
    };
}
each_arity!(no_tuples);
impl<Op: OnTiles, Left> Apply<Op, Left> for AnyTuple {
    type Output = Undefined<WantsTile>;
    #[inline]
    fn apply(self, _: Left) -> Result<Self::Output, Fault> {
        Ok(Undefined::new())
    }
}
/// Blocked and raked products take no tiler.
macro_rules! no_weaving {
    ($reason:ty: $([$($generic:ident),*] $operand:ty;)*) => {
        $(impl<Left, Order, $($generic),*> PairedProduct<Left, Order> for $operand {
            type Output = Undefined<$reason>;
            #[inline]
            fn paired_product(self, _: Left) -> Result<Self::Output, Fault> {
                Ok(Undefined::new())
            }
        })*
    };
}
pub(crate) use no_weaving;
no_weaving! { Before: [] RefusedLayout; }
no_weaving! { WantsLayout: [T] Tiler<T>; [] Keep; [] AnyTuple; }
