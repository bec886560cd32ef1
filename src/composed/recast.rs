//! The same memory in larger or smaller elements: all three parts are cast.
//!
//! ```text
//! upcast(Sw o f o L, n) = upcast(Sw, n) o f/n o upcast(L, n)
//!         n divides f, and Sw leaves the bits of a unit alone
//! ```
//!
//! The inner layout comes first: where it is refused, so is the whole, for that reason alone.

use core::fmt::Display;

use typenum::UInt;

use super::ComposedLayout;
use super::outer::{InnerLayout, OffsetMap};
use crate::algebra::operation::{self, Operation};
use crate::algebra::outcome::Outcome;
use crate::algebra::traits::{Downcast, Recast, Upcast};
#[cfg(feature = "alloc")]
use crate::dynamic::DynLayout;
use crate::error::{Fault, LayoutError};
use crate::layout::display::{Notation, notation};
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::number::int::{NotExact, One, StaticInt};
use crate::number::quotient::{DivideInt, Exact, GcdInt, Quotient};
use crate::number::table::{Number, Times};
use crate::reasons::OffsetUnit;
use crate::reasons::undefined::Undefined;
use crate::swizzle::CastSwizzle;

macro_rules! casts {
    ($($trait:ident)*) => {
        $(impl<O: OffsetMap, F: Number, L: InnerLayout, N> $trait<N> for ComposedLayout<O, F, L>
        where
            L: $trait<N, Output: CastWith<operation::$trait, O, F, N>>,
        {
            type Output = <<L as $trait<N>>::Output as CastWith<operation::$trait, O, F, N>>::Output;
            #[inline(always)]
            fn evaluated(layout: Self, by: N) -> Result<Self::Output, LayoutError> {
                let (outer, offset, inner) = layout.clone().into_parts();
                $trait::evaluated(inner, by)?.cast_with(&layout, outer, offset)
            }
        })*
    };
}
casts! { Upcast Downcast Recast }

/// What an operation does to the unit: it goes to units of `Units` elements, and then to
/// parts, `Parts` of them to a unit.
#[diagnostic::on_unimplemented(
    message = "cannot change the unit of a composed layout: the number of elements in a unit has to be static",
    label = "`{Self}` is known only at run time",
    note = "write `int!(4)`, or `shape!((8, 16))` for a pair of sizes; a `DynComposedLayout` takes numbers known at \
            run time"
)]
pub trait Ratio<Op> {
    type Units: StaticInt;
    type Parts: StaticInt;
    /// The operand, for the message.
    fn text() -> impl Display;
}
impl<U, B> Ratio<operation::Upcast> for UInt<U, B>
where
    Self: StaticInt,
{
    type Units = Self;
    type Parts = One;
    fn text() -> impl Display {
        Self::VALUE
    }
}
impl<U, B> Ratio<operation::Downcast> for UInt<U, B>
where
    Self: StaticInt,
{
    type Units = One;
    type Parts = Self;
    fn text() -> impl Display {
        Self::VALUE
    }
}
/// In lowest terms.
impl<U, A, V, B> Ratio<operation::Recast> for (UInt<U, A>, UInt<V, B>)
where
    Self: Notation + Default,
    UInt<U, A>: GcdInt<UInt<V, B>> + DivideInt<GcdOf<UInt<U, A>, UInt<V, B>>>,
    UInt<V, B>: DivideInt<GcdOf<UInt<U, A>, UInt<V, B>>>,
{
    type Units = <UInt<V, B> as DivideInt<GcdOf<UInt<U, A>, UInt<V, B>>>>::Quotient;
    type Parts = <UInt<U, A> as DivideInt<GcdOf<UInt<U, A>, UInt<V, B>>>>::Quotient;
    fn text() -> impl Display {
        notation(Self::default())
    }
}
type GcdOf<P, Q> = <P as GcdInt<Q>>::Output;

/// The cast inner layout `self` behind the function `O` and the offset `F`, both cast by `N`.
pub trait CastWith<Op, O, F, N> {
    type Output: Layout;
    /// An error names the operand, which was `of`.
    fn cast_with(self, of: &impl Display, outer: O, offset: F)
    -> Result<Self::Output, LayoutError>;
}
#[diagnostic::do_not_recommend]
impl<Op, O, F, N> CastWith<Op, O, F, N> for RefusedLayout {
    type Output = RefusedLayout;
    fn cast_with(self, _: &impl Display, _: O, _: F) -> Result<RefusedLayout, LayoutError> {
        Ok(self)
    }
}
macro_rules! layouts {
    ($([$($generic:ident)*] $layout:ty;)*) => {
        $(impl<Op: Operation, O, F, N, $($generic),*> CastWith<Op, O, F, N> for $layout
        where
            N: Ratio<Op>,
            O: CastSwizzle<N::Units, N::Parts>,
            F: CastOffset<N::Units, N::Parts>,
            O::Output: AssembleCast<F::Output, Self, Output: Outcome<Op>>,
        {
            type Output = <<O::Output as AssembleCast<F::Output, Self>>::Output as Outcome<Op>>::Output;
            #[inline(always)]
            fn cast_with(self, of: &impl Display, outer: O, offset: F) -> Result<Self::Output, LayoutError> {
                let outer = outer.cast_swizzle().map_err(|error| error.fault());
                let parts = outer.and_then(|outer| Ok((outer, offset.cast_offset()?)));
                let composed = parts.and_then(|(outer, offset)| outer.compose(offset, self).outcome());
                composed.map_err(|fault| LayoutError::new(Op::NAME, fault).with_operands(of, &N::text()))
            }
        })*
    };
}
layouts! { [S D] StridedLayout<S, D>; }
#[cfg(feature = "alloc")]
layouts! { [] DynLayout; }

/// The cast function `self`, the cast offset `F` and the cast layout `L` as one layout, if each of
/// them is.
pub trait AssembleCast<F, L> {
    type Output;
    fn compose(self, offset: F, inner: L) -> Self::Output;
}
cases! { AssembleCast::compose -> Self::Output:
    [R, F, L] Undefined<R>, F, L => Self, (self, _: F, _: L) => self;
    [O, R, L] Exact<O>, Undefined<R>, L => Undefined<R>, (self, offset: Undefined<R>, _: L) => offset;
    [O: OffsetMap, F: Number, L: InnerLayout] Exact<O>, Exact<F>, L => Unchecked<ComposedLayout<O, F, L>>,
        (self, offset: Exact<F>, inner: L) => Unchecked(ComposedLayout::const_new(self.0, offset.0, inner));
}

/// A composed layout whose offsets may leave `usize`.
pub struct Unchecked<T>(T);
impl<Op, O: OffsetMap, F: Number, L: InnerLayout> Outcome<Op>
    for Unchecked<ComposedLayout<O, F, L>>
{
    type Output = ComposedLayout<O, F, L>;
    #[inline(always)]
    fn outcome(self) -> Result<Self::Output, Fault> {
        let (outer, offset, inner) = self.0.into_parts();
        ComposedLayout::checked(outer, offset, inner)
    }
}

/// The offset in units of `Units` elements, and then in parts.
pub trait CastOffset<Units, Parts> {
    type Output;
    fn cast_offset(self) -> Result<Self::Output, Fault>;
}
impl<F: Number + Quotient<Units>, Units: StaticInt, Parts> CastOffset<Units, Parts> for F
where
    F::Output: OffsetInParts<F, Units, Parts>,
{
    type Output = <F::Output as OffsetInParts<F, Units, Parts>>::Output;
    #[inline(always)]
    fn cast_offset(self) -> Result<Self::Output, Fault> {
        match self.quotient(&Units::default()) {
            Some(units) => units.offset_in_parts(),
            None => Err(Fault::OffsetUnit { offset: self.get(), unit: Units::VALUE }),
        }
    }
}
/// The offset, if `self` is an [`Exact`] number of units.
pub trait OffsetInParts<F, Units, Parts> {
    type Output;
    fn offset_in_parts(self) -> Result<Self::Output, Fault>;
}
cases! { OffsetInParts::offset_in_parts -> Result<Self::Output, Fault>:
    [F, Units, Parts] NotExact, F, Units, Parts => Undefined<OffsetUnit<F, Units>>, (self) => Ok(Undefined::new());
    [Q: Times<Parts>, F, Units, Parts: StaticInt] Exact<Q>, F, Units, Parts => Exact<Q::Output>,
        (self) => Ok(Exact(self.0.times(&Parts::default())?));
}
