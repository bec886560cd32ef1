//! The same memory in larger or smaller elements: all three parts are cast.
//!
//! ```text
//! upcast(Sw o f o L, n) = upcast(Sw, n) o f/n o upcast(L, n)          n divides f, and Sw leaves the bits of a unit alone
//! ```

use super::ComposedLayout;
use super::outer::{InnerLayout, OffsetMap};
use crate::algebra::recast::{Downcast, Recast, Upcast};
use crate::error::{Fault, LayoutError};
use crate::int::{DivideInt, GcdInt, StaticInt};
use crate::number::{Exact, Number, Quotient, Times};
use crate::swizzle::{DowncastSwizzle, UpcastSwizzle};

/// The offset in units of `N` elements.
#[diagnostic::on_unimplemented(
    message = "the offset of the composed layout is no whole number of units",
    label = "the unit does not divide the offset",
    note = "the offset of a composed layout is cast with its layout and its swizzle"
)]
pub trait UpcastOffset<N>: Number {
    type Output: Number;
    fn upcast_offset(self) -> Result<Self::Output, Fault>;
}
impl<F: Number, N: StaticInt, Q: Number> UpcastOffset<N> for F
where
    F: Quotient<N, Output = Exact<Q>>,
{
    type Output = Q;
    #[inline(always)]
    fn upcast_offset(self) -> Result<Q, Fault> {
        match self.quotient(&N::default()) {
            Some(Exact(units)) => Ok(units),
            None => Err(Fault::Multiple { number: self.get(), divisor: N::VALUE }),
        }
    }
}

impl<O: OffsetMap, F: Number, L: InnerLayout, N: StaticInt> Upcast<N> for ComposedLayout<O, F, L>
where
    O: UpcastSwizzle<N, Output: OffsetMap>,
    F: UpcastOffset<N>,
    L: Upcast<N, Output: InnerLayout>,
{
    type Output =
        ComposedLayout<<O as UpcastSwizzle<N>>::Output, <F as UpcastOffset<N>>::Output, <L as Upcast<N>>::Output>;
    #[inline(always)]
    fn evaluated(layout: Self, unit: N) -> Result<Self::Output, LayoutError> {
        let (outer, offset, inner) = layout.into_parts();
        let inner = Upcast::evaluated(inner, unit)?;
        let offset = offset.upcast_offset().map_err(|fault| LayoutError::new("upcast", fault))?;
        Ok(ComposedLayout::const_new(outer.upcast_swizzle(), offset, inner))
    }
}

impl<O: OffsetMap, F: Number, L: InnerLayout, N: StaticInt> Downcast<N> for ComposedLayout<O, F, L>
where
    O: DowncastSwizzle<N, Output: OffsetMap>,
    F: Times<N>,
    L: Downcast<N, Output: InnerLayout>,
{
    type Output =
        ComposedLayout<<O as DowncastSwizzle<N>>::Output, <F as Times<N>>::Output, <L as Downcast<N>>::Output>;
    #[inline(always)]
    fn evaluated(layout: Self, parts: N) -> Result<Self::Output, LayoutError> {
        let (outer, offset, inner) = layout.into_parts();
        let inner = Downcast::evaluated(inner, parts)?;
        let offset = offset.times(&parts).map_err(|fault| LayoutError::new("downcast", fault))?;
        Ok(ComposedLayout::const_new(outer.downcast_swizzle(), offset, inner))
    }
}

/// `(P, Q)` in lowest terms: units of `Units` elements, then parts, `Parts` of them to a unit.
pub trait Ratio {
    type Units: StaticInt;
    type Parts: StaticInt;
}
impl<P, Q> Ratio for (P, Q)
where
    P: GcdInt<Q> + DivideInt<<P as GcdInt<Q>>::Output>,
    Q: DivideInt<<P as GcdInt<Q>>::Output>,
{
    type Units = <Q as DivideInt<<P as GcdInt<Q>>::Output>>::Quotient;
    type Parts = <P as DivideInt<<P as GcdInt<Q>>::Output>>::Quotient;
}

type UnitsOf<R> = <R as Ratio>::Units;
type PartsOf<R> = <R as Ratio>::Parts;

impl<O: OffsetMap, F: Number, L: InnerLayout, R: Ratio> Recast<R> for ComposedLayout<O, F, L>
where
    O: UpcastSwizzle<UnitsOf<R>, Output: DowncastSwizzle<PartsOf<R>, Output: OffsetMap>>,
    F: UpcastOffset<UnitsOf<R>, Output: Times<PartsOf<R>>>,
    L: Recast<R, Output: InnerLayout>,
{
    type Output = ComposedLayout<
        <<O as UpcastSwizzle<UnitsOf<R>>>::Output as DowncastSwizzle<PartsOf<R>>>::Output,
        <<F as UpcastOffset<UnitsOf<R>>>::Output as Times<PartsOf<R>>>::Output,
        <L as Recast<R>>::Output,
    >;
    #[inline(always)]
    fn evaluated(layout: Self, sizes: R) -> Result<Self::Output, LayoutError> {
        let (outer, offset, inner) = layout.into_parts();
        let inner = Recast::evaluated(inner, sizes)?;
        let offset = offset
            .upcast_offset()
            .and_then(|units| units.times(&PartsOf::<R>::default()))
            .map_err(|fault| LayoutError::new("recast", fault))?;
        Ok(ComposedLayout::const_new(outer.upcast_swizzle().downcast_swizzle(), offset, inner))
    }
}
