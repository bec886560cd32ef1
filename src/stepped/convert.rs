//! From natural strides to XOR strides and back: the same function, where no sum carries.
//!
//! ```text
//! linear(L)(c) = L(c)       with XOR strides: possible if and only if no two bits' strides that add up share a bit
//! natural(L)(c) = L(c)      with natural ones: the same condition
//! ```
//!
//! Which strides there are, the types say; whether they share a bit, their numbers.

use typenum::{UInt, UTerm};

use crate::error::LayoutError;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::list::Nested;
use crate::number::multiple::Multiple;
use crate::number::table::{Natural, StrideKind};
use crate::stepped::layout::{SteppedLayout, XorLayout};
use crate::stepped::xor::Xor;
use crate::tuple::bits::shared_bit;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::semimodule::Bits;

/// A stride whose numbers are read as XOR strides, and as natural ones. Negative ones are neither.
#[diagnostic::on_unimplemented(
    message = "this stride is not one of natural and XOR strides",
    label = "`{Self}`: a stride of it goes backwards or along an axis",
    note = "generic code names what it needs as a bound: `D: XorOrNatural`"
)]
pub trait XorOrNatural: IntTuple {
    /// With XOR strides.
    type Linear: IntTuple;
    /// With natural strides.
    type Plain: IntTuple;
    #[doc(hidden)]
    fn linear(self) -> Self::Linear;
    #[doc(hidden)]
    fn plain(self) -> Self::Plain;
}
macro_rules! numbers {
    ($([$($generic:ident)*] $number:ty, $linear:ty, $make:expr;)*) => {
        $(impl<$($generic),*> XorOrNatural for $number
        where
            Self: Natural,
        {
            type Linear = $linear;
            type Plain = Self;
            #[inline]
            fn linear(self) -> Self::Linear {
                $make(self)
            }
            #[inline]
            fn plain(self) -> Self {
                self
            }
        })*
    };
}
numbers! {
    // A stride of 0 is the natural one.
    [] UTerm, Self, |zero| zero;
    [U B] UInt<U, B>, Xor<Self>, Xor;
    [] usize, Xor<Self>, Xor;
    [Factor] Multiple<Factor>, Xor<Self>, Xor;
}
impl<N: Natural> XorOrNatural for Xor<N> {
    type Linear = Self;
    type Plain = N;
    #[inline]
    fn linear(self) -> Self {
        self
    }
    #[inline]
    fn plain(self) -> N {
        self.0
    }
}
macro_rules! tuples {
    ($($Item:ident $item:ident)+) => {
        impl<$($Item: XorOrNatural),+> XorOrNatural for ($($Item,)+) {
            type Linear = ($($Item::Linear,)+);
            type Plain = ($($Item::Plain,)+);
            #[inline]
            fn linear(self) -> Self::Linear {
                let ($($item,)+) = self;
                ($($item.linear(),)+)
            }
            #[inline]
            fn plain(self) -> Self::Plain {
                let ($($item,)+) = self;
                ($($item.plain(),)+)
            }
        }
    };
}
each_arity!(tuples);

/// The same function with XOR strides, if no two of `layout`'s natural ones share a bit.
#[inline]
fn linear<L: Layout<Shape: IntTuple, Stride: XorOrNatural>>(
    layout: &L,
) -> Result<XorLayout<L::Shape, <L::Stride as XorOrNatural>::Linear>, LayoutError> {
    let (shape, stride) = (layout.shape(), layout.stride());
    match shared_bit(shape.node(), stride.node(), StrideKind::Natural) {
        None => Ok(SteppedLayout::assemble(StridedLayout::assemble(shape, stride.linear()))),
        Some(fault) => Err(LayoutError::new("linear", fault)),
    }
}

impl<S: IntTuple, D: XorOrNatural> StridedLayout<S, D> {
    /// The same function with XOR strides: a layout that is linear in the bits of its coordinate.
    ///
    /// `linear(L)(c) == L(c)`; there is one if and only if no sum of two bits' strides carries.
    ///
    /// # Errors
    /// `carry` with the two strides that share a bit.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let l: Layout!((8, 8):(^8, ^1)) = layout!((8, 8): right).linear()?;
    /// assert!(l.coords().all(|c| l.index(c) == layout!((8, 8): right).index(c)));
    /// let error = layout!((8, 8):(1, 9)).linear().unwrap_err();
    /// assert!(error.to_string().ends_with("the strides 1 and 9 of two bits of the coordinate share bit 0"));
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn linear(&self) -> Result<XorLayout<S, D::Linear>, LayoutError> {
        linear(self).map_err(|error| error.with_operand(self))
    }
}
impl<S: IntTuple, D: XorOrNatural> SteppedLayout<Bits, S, D> {
    /// The same function with XOR strides alone: those of natural strides too.
    ///
    /// # Errors
    /// `carry` with the two natural strides that share a bit.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let l: Layout!((8, 8, 4):(^1, ^9, ^64)) = layout!((8, 8, 4):(^1, ^9, 64)).linear()?;
    /// # let _ = l;
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn linear(&self) -> Result<XorLayout<S, D::Linear>, LayoutError> {
        linear(self).map_err(|error| error.with_operand(self))
    }
    /// The same function without XOR strides.
    ///
    /// `natural(L)(c) == L(c)`; there is one if and only if no two bits' strides share a bit.
    ///
    /// # Errors
    /// `carry` with the two strides that share a bit.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let l: Layout!((8, 8): right) = layout!((8, 8):(^8, ^1)).natural()?;
    /// assert_eq!(l.index((1, 1)), 9);
    /// assert_eq!(layout!((8, 8):(^1, ^9)).natural().unwrap_err().kind().as_str(), "carry");
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn natural(&self) -> Result<StridedLayout<S, D::Plain>, LayoutError> {
        let (shape, stride) = (self.shape(), self.stride());
        match shared_bit(shape.node(), stride.node(), StrideKind::Xor) {
            None => Ok(StridedLayout::assemble(shape, stride.plain())),
            Some(fault) => Err(LayoutError::new("natural", fault).with_operand(self)),
        }
    }
}
