//! One function of offsets after another: `Chain(x) = outer(inner(x))`.
//!
//! Two swizzles are one swizzle only if their bits fit together
//! ([`DynSwizzle::compose`](crate::DynSwizzle::compose) checks that at run time); the chain of the
//! two is always exact.

use core::fmt::{self, Display, Formatter};

use super::outer::{Bijection, OffsetMap, StaticOffsetMap, UnderSwizzle};
use crate::error::LayoutError;
use crate::layout::display::{Notation, display};
use crate::layout::flat::{Maps, chained};
use crate::number::quotient::Exact;
use crate::reasons::undefined::Undefined;
use crate::swizzle::{CastSwizzle, Swizzle};

/// What the inner function of offsets does, and then the outer one.
///
/// `Chain(x) == outer(inner(x))`
///
/// ```
/// use layout_algebra::prelude::*;
/// let (a, b) = (Swizzle::<1, 0, 3>::new(), Swizzle::<2, 1, 2>::new());
/// let both = a.compose(b);
/// assert!((0..256).all(|x| both.apply(x) == a.apply(b.apply(x))));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Chain<Outer, Inner> {
    pub(super) outer: Outer,
    pub(super) inner: Inner,
}

impl<A: OffsetMap, B: OffsetMap> Chain<A, B> {
    /// `outer(inner(x))`
    ///
    /// ```
    /// use layout_algebra::composed::Chain;
    /// use layout_algebra::prelude::*;
    /// let chain = Chain::new(layout!((4, 8):(8, 1)), Swizzle::<1, 0, 1>::new());
    /// assert_eq!(chain.apply(2), 24); // 2, then 3, then 24
    /// ```
    #[inline(always)]
    pub const fn new(outer: A, inner: B) -> Self {
        Chain { outer, inner }
    }

    /// Where an offset is moved to.
    ///
    /// ```
    /// use layout_algebra::composed::Chain;
    /// use layout_algebra::prelude::*;
    /// assert_eq!(Chain::new(Swizzle::<1, 0, 1>::new(), Swizzle::<1, 0, 1>::new()).apply(2), 2);
    /// ```
    #[inline(always)]
    pub fn apply(&self, offset: usize) -> usize {
        self.outer.map(self.inner.map(offset))
    }
}

#[doc(hidden)]
impl<A: OffsetMap, B: OffsetMap> OffsetMap for Chain<A, B> {
    #[inline(always)]
    fn map(&self, offset: usize) -> usize {
        self.apply(offset)
    }
    fn maps(&self) -> Result<Maps, LayoutError> {
        Ok(chained(&self.outer.maps()?, &self.inner.maps()?))
    }
}
impl<A: StaticOffsetMap, B: StaticOffsetMap> StaticOffsetMap for Chain<A, B> {
    const MAPS: Maps = chained(&A::MAPS, &B::MAPS);
}
impl<A: Bijection, B: Bijection> Bijection for Chain<A, B> {
    type Inverse = Chain<B::Inverse, A::Inverse>;
    #[inline(always)]
    fn inverse(self) -> Self::Inverse {
        Chain { outer: self.inner.inverse(), inner: self.outer.inverse() }
    }
}
impl<A: OffsetMap, B: OffsetMap> Notation for Chain<A, B> {
    fn write(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.outer.write(f)?;
        f.write_str(" o ")?;
        self.inner.write(f)
    }
}
impl<A: OffsetMap, B: OffsetMap> Display for Chain<A, B> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        display(self, f)
    }
}
debug_as_display! { [A: OffsetMap, B: OffsetMap] Chain<A, B>; }

/// A chain is cast by casting both functions.
impl<A: CastSwizzle<Units, Parts>, B: CastSwizzle<Units, Parts>, Units, Parts>
    CastSwizzle<Units, Parts> for Chain<A, B>
where
    A::Output: After<B::Output>,
{
    type Output = <A::Output as After<B::Output>>::Output;
    #[inline(always)]
    fn cast_swizzle(self) -> Result<Self::Output, LayoutError> {
        let Chain { outer, inner } = self;
        Ok(outer.cast_swizzle()?.after(inner.cast_swizzle()?))
    }
}
/// The function `self` after `B`, if both are.
pub trait After<B> {
    type Output;
    fn after(self, inner: B) -> Self::Output;
}
cases! { After::after -> Self::Output:
    [R, B] Undefined<R>, B => Self, (self, _: B) => self;
    [A, R] Exact<A>, Undefined<R> => Undefined<R>, (self, inner: Undefined<R>) => inner;
    [A: OffsetMap, B: OffsetMap] Exact<A>, Exact<B> => Exact<Chain<A, B>>,
        (self, inner: Exact<B>) => Exact(Chain::new(self.0, inner.0));
}

/// A swizzle right under another one.
#[diagnostic::do_not_recommend]
#[doc(hidden)]
impl<const B: u32, const M: u32, const S: i32, const B1: u32, const M1: u32, const S1: i32>
    UnderSwizzle<Swizzle<B, M, S>> for Swizzle<B1, M1, S1>
{
    type Output = Chain<Swizzle<B, M, S>, Self>;
    #[inline(always)]
    fn under_swizzle(self, swizzle: Swizzle<B, M, S>) -> Chain<Swizzle<B, M, S>, Self> {
        Chain { outer: swizzle, inner: self }
    }
}
