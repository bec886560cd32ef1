//! From layouts of negative strides to [`DynLayout`] and back.
//!
//! `TryFrom(DynLayout::from(l)) == l`; the way back checks the profile, every static leaf, and the sign of each stride.

use alloc::vec::Vec;

use typenum::{UInt, UTerm};

use crate::dynamic::{DynLayout, DynShape, DynStride, DynTiler, FromDynShape, ToDynamic};
use crate::error::{Fault, LayoutError, expect};
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::number::int::StaticInt;
use crate::number::multiple::Multiple;
use crate::number::table::{Natural, StrideKind};
use crate::stepped::layout::{SignedLayout, SteppedLayout, StridesIn};
use crate::stepped::negative::{Minus, Signed};
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::node::{Kind, Node};

fn strides<D: Node>(stride: D, into: &mut Vec<DynStride>) {
    match D::KIND {
        Kind::Nil => {}
        Kind::Leaf => into.push(match D::STRIDE {
            StrideKind::Negative => DynStride::Negative(stride.leaf()),
            _ => DynStride::Natural(stride.leaf()),
        }),
        Kind::Cons => {
            strides(stride.head(), into);
            strides(stride.tail(), into);
        }
    }
}

impl<S: IntTuple + Into<DynShape>, D: IntTuple> From<SignedLayout<S, D>> for DynLayout {
    /// # Panics
    /// If the size or the cosize leaves `usize`.
    #[track_caller]
    fn from(layout: SignedLayout<S, D>) -> Self {
        let mut list = Vec::new();
        strides(layout.stride().node(), &mut list);
        expect(DynLayout::with_strides(layout.shape().into(), list))
    }
}
impl<S: IntTuple + Into<DynShape>, D: IntTuple> From<SignedLayout<S, D>> for DynTiler {
    /// # Panics
    /// If the size or the cosize leaves `usize`.
    #[track_caller]
    fn from(layout: SignedLayout<S, D>) -> Self {
        DynTiler::from(DynLayout::from(layout))
    }
}
impl<S: IntTuple + Into<DynShape>, D: IntTuple> ToDynamic for SignedLayout<S, D> {
    type Dynamic = DynLayout;
    #[track_caller]
    fn to_dynamic(&self) -> DynLayout {
        (*self).into()
    }
}

/// Strides that can be read from those of a layout known at run time.
pub trait FromDynStrides: Sized {
    /// `leaf` counts the leaves before, for the message.
    #[doc(hidden)]
    fn from_dyn_strides(strides: &mut dyn Iterator<Item = DynStride>, leaf: &mut usize) -> Result<Self, Fault>;
}
/// The number of the next stride, which has to be of the kind; 0 is of all kinds.
fn next(strides: &mut dyn Iterator<Item = DynStride>, kind: StrideKind, leaf: &mut usize) -> Result<usize, Fault> {
    let (number, found) = match strides.next() {
        Some(DynStride::Natural(number)) => (number, StrideKind::Natural),
        Some(DynStride::Negative(number)) => (number, StrideKind::Negative),
        Some(DynStride::Xor(number)) => (number, StrideKind::Xor),
        None => return Err(Fault::Incongruent),
    };
    *leaf += 1;
    if number == 0 || found == kind { Ok(number) } else { Err(Fault::LeafKind { leaf: *leaf - 1 }) }
}
/// A natural number as a part of a stride.
pub trait FromNumber: Natural {
    fn from_number(number: usize, leaf: usize) -> Result<Self, Fault>;
}
impl<N: StaticInt> FromNumber for N {
    fn from_number(found: usize, leaf: usize) -> Result<N, Fault> {
        if found == N::VALUE { Ok(N::default()) } else { Err(Fault::Leaf { leaf, expected: N::VALUE, found }) }
    }
}
impl FromNumber for usize {
    fn from_number(number: usize, _: usize) -> Result<usize, Fault> {
        Ok(number)
    }
}
impl<F: StaticInt> FromNumber for Multiple<F> {
    fn from_number(number: usize, _: usize) -> Result<Self, Fault> {
        Multiple::new(number).map_err(|error| error.fault())
    }
}
macro_rules! leaves_from_dyn {
    ($([$($generic:tt)*] $leaf:ty, $number:ty, $kind:ident => $stride:expr;)*) => {
        $(impl<$($generic)*> FromDynStrides for $leaf
        where
            $number: FromNumber,
        {
            fn from_dyn_strides(strides: &mut dyn Iterator<Item = DynStride>, leaf: &mut usize) -> Result<Self, Fault> {
                let place = *leaf;
                let number = next(strides, StrideKind::$kind, leaf)?;
                <$number>::from_number(number, place).map($stride)
            }
        })*
    };
}
leaves_from_dyn! {
    [] UTerm, UTerm, Natural => |number| number;
    [U, B] UInt<U, B>, UInt<U, B>, Natural => |number| number;
    [] usize, usize, Natural => |number| number;
    [F] Multiple<F>, Multiple<F>, Natural => |number| number;
    [N] Minus<N>, N, Negative => Minus;
}
macro_rules! tuples_from_dyn {
    ($($Item:ident $item:ident)+) => {
        impl<$($Item: FromDynStrides),+> FromDynStrides for ($($Item,)+) {
            fn from_dyn_strides(strides: &mut dyn Iterator<Item = DynStride>, leaf: &mut usize) -> Result<Self, Fault> {
                Ok(($($Item::from_dyn_strides(strides, leaf)?,)+))
            }
        }
    };
}
each_arity!(tuples_from_dyn);

impl<S: FromDynShape + IntTuple, D: FromDynStrides + StridesIn<Signed>> TryFrom<&DynLayout> for SignedLayout<S, D> {
    type Error = LayoutError;
    /// # Errors
    /// `profile` if the profile is another one, a static leaf another number, or a stride has another sign.
    fn try_from(layout: &DynLayout) -> Result<Self, LayoutError> {
        let refuse = |fault| LayoutError::new("from_dynamic", fault).with_operand(layout);
        let leaf = &mut 0;
        let shape = S::from_dyn_shape(&layout.shape(), leaf).map_err(refuse)?;
        let stride = D::from_dyn_strides(&mut layout.strides(), leaf).map_err(refuse)?;
        Ok(SteppedLayout::assemble(StridedLayout::assemble(shape, stride)))
    }
}
impl<S: FromDynShape + IntTuple, D: FromDynStrides + StridesIn<Signed>> TryFrom<DynLayout> for SignedLayout<S, D> {
    type Error = LayoutError;
    fn try_from(layout: DynLayout) -> Result<Self, LayoutError> {
        Self::try_from(&layout)
    }
}
