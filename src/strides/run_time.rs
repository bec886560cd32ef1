//! From layouts of negative strides to [`DynLayout`] and back.
//!
//! `TryFrom(DynLayout::from(l)) == l`; the way back checks the profile, every static leaf, and the
//! sign of each stride.

use alloc::vec::Vec;

use typenum::{UInt, UTerm};

use crate::dynamic::{DynLayout, DynShape, DynStride, DynTiler, FromDynShape, ToDynamic};
use crate::error::{Fault, LayoutError, expect};
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::number::multiple::Multiple;
use crate::number::table::StrideKind;
use crate::strides::layout::{SignedLayout, SteppedLayout, StridesIn};
use crate::strides::negative::{Neg, Signed};
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::node::{Kind, Node};
use crate::tuple::profile::Congruent;

/// The strides, the leftmost first.
fn strides<D: Node>(stride: D) -> Vec<DynStride> {
    fn push<D: Node>(stride: D, list: &mut Vec<DynStride>) {
        match D::KIND {
            Kind::Nil => {}
            Kind::Leaf => list.push(match D::STRIDE.of(stride.leaf()) {
                StrideKind::Negative => DynStride::Negative(stride.leaf()),
                _ => DynStride::Natural(stride.leaf()),
            }),
            Kind::Cons => {
                push(stride.head(), list);
                push(stride.tail(), list);
            }
        }
    }
    let mut list = Vec::new();
    push(stride, &mut list);
    list
}

impl<S: IntTuple + Into<DynShape>, D: IntTuple> From<SignedLayout<S, D>> for DynLayout {
    /// # Panics
    /// If the size or the cosize leaves `usize`.
    #[track_caller]
    fn from(layout: SignedLayout<S, D>) -> Self {
        expect(DynLayout::with_strides(layout.shape().into(), strides(layout.stride().node())))
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
    fn from_dyn_strides(
        strides: &mut dyn Iterator<Item = DynStride>,
        leaf: &mut usize,
    ) -> Result<Self, Fault>;
}
/// The number of the next stride, which has to have the sign of `signed`; 0 has either.
fn next<N: FromDynShape>(
    strides: &mut dyn Iterator<Item = DynStride>,
    signed: fn(usize) -> DynStride,
    leaf: &mut usize,
) -> Result<N, Fault> {
    let (stride, place) = (strides.next().ok_or(Fault::Incongruent)?, *leaf);
    let number = N::from_dyn_shape(&DynShape::from(stride.number()), leaf)?;
    match stride.number() {
        magnitude if magnitude == 0 || stride == signed(magnitude) => Ok(number),
        _ => Err(Fault::LeafKind { leaf: place }),
    }
}
macro_rules! leaves_from_dyn {
    ($([$($generic:tt)*] $leaf:ty, $number:ty, $signed:ident => $stride:expr;)*) => {
        $(impl<$($generic)*> FromDynStrides for $leaf
        where
            $number: FromDynShape,
        {
            fn from_dyn_strides(strides: &mut dyn Iterator<Item = DynStride>, leaf: &mut usize) -> Result<Self, Fault> {
                next::<$number>(strides, DynStride::$signed, leaf).map($stride)
            }
        })*
    };
}
leaves_from_dyn! {
    [] UTerm, UTerm, Natural => |number| number;
    [U, B] UInt<U, B>, UInt<U, B>, Natural => |number| number;
    [] usize, usize, Natural => |number| number;
    [F] Multiple<F>, Multiple<F>, Natural => |number| number;
    [N] Neg<N>, N, Negative => Neg;
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

impl<S, D> TryFrom<&DynLayout> for SignedLayout<S, D>
where
    S: FromDynShape + IntTuple + Congruent<D>,
    D: FromDynStrides + StridesIn<Signed>,
{
    type Error = LayoutError;
    /// # Errors
    /// `profile` if the profile is another one, a static leaf another number, or a stride has
    /// another sign.
    fn try_from(layout: &DynLayout) -> Result<Self, LayoutError> {
        let refuse = |fault| LayoutError::new("from_dynamic", fault).with_operand(layout);
        let leaf = &mut 0;
        let shape = S::from_dyn_shape(&layout.shape(), leaf).map_err(refuse)?;
        let stride = D::from_dyn_strides(&mut layout.strides(), leaf).map_err(refuse)?;
        Ok(SteppedLayout::assemble(StridedLayout::assemble(shape, stride)))
    }
}
impl<S, D> TryFrom<DynLayout> for SignedLayout<S, D>
where
    S: FromDynShape + IntTuple + Congruent<D>,
    D: FromDynStrides + StridesIn<Signed>,
{
    type Error = LayoutError;
    fn try_from(layout: DynLayout) -> Result<Self, LayoutError> {
        Self::try_from(&layout)
    }
}
