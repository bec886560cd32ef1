//! Larger elements: a mode in units, and what has to hold so that the units are whole.
//!
//! ```text
//! s:d in units of n        s : d/n              n divides d
//!                          s*d/n : 1            d divides n, and n/d divides s: n/d coordinates become one
//! ```

use typenum::{Equal, Greater, Less, UInt, UTerm};

use crate::algebra::coalesce::IsOne;
use crate::algebra::mode::Mode;
use crate::algebra::operation;
use crate::algebra::outcome::Defined;
use crate::algebra::recast::{CastLeaf, MayCast};
use crate::error::Fault;
use crate::list::{Cons, Nil};
use crate::number::int::{AddInt, False, NotExact, One, Order, StaticInt, SubInt, True, Zero};
use crate::number::multiple::Multiple;
use crate::number::table::{Exact, Number, Quotient};
use crate::refusal::undefined::Undefined;
use crate::refusal::{Regroup, UnitCarry};

impl<L: BelowUnit<N, Zero>, N> MayCast<operation::Upcast, N> for L
where
    L::Output: Order<N>,
    <L::Output as Order<N>>::Output: FitsUnit<L::Output, N>,
{
    type Output = <<L::Output as Order<N>>::Output as FitsUnit<L::Output, N>>::Output;
}

/// `Sum`, and `N - D` more for every mode of `self` whose stride `D` divides the unit `N`: how far the
/// offsets within a unit reach.
pub trait BelowUnit<N, Sum> {
    type Output;
}
impl<N, Sum> BelowUnit<N, Sum> for Nil {
    type Output = Sum;
}
impl<S: IsOne, D, T, N, Sum> BelowUnit<N, Sum> for Cons<Mode<S, D>, T>
where
    S::Output: ReachOf<D, N, Sum>,
    T: BelowUnit<N, <S::Output as ReachOf<D, N, Sum>>::Output>,
{
    type Output = T::Output;
}

/// `Sum` and the reach of one mode of stride `D` within the unit `N`; `self` says whether its extent is 1.
pub trait ReachOf<D, N, Sum> {
    type Output;
}
impl<D, N, Sum> ReachOf<D, N, Sum> for True {
    type Output = Sum;
}
impl<N, Sum> ReachOf<UTerm, N, Sum> for False {
    type Output = Sum;
}
impl<N, Sum> ReachOf<usize, N, Sum> for False {
    type Output = Sum;
}
impl<Factor, N, Sum> ReachOf<Multiple<Factor>, N, Sum> for False {
    type Output = Sum;
}
impl<U, B, N, Sum> ReachOf<UInt<U, B>, N, Sum> for False
where
    N: Quotient<UInt<U, B>>,
    N::Output: ReachIf<UInt<U, B>, N, Sum>,
{
    type Output = <N::Output as ReachIf<UInt<U, B>, N, Sum>>::Output;
}

/// `Sum + N - D` if `self` is an exact quotient `N / D`.
pub trait ReachIf<D, N, Sum> {
    type Output;
}
impl<D, N, Sum> ReachIf<D, N, Sum> for NotExact {
    type Output = Sum;
}
impl<D, N: SubInt<D>, Sum: AddInt<N::Output>, Q> ReachIf<D, N, Sum> for Exact<Q> {
    type Output = Sum::Output;
}

/// [`True`] if the reach `Sum` stays below the unit `N`; `self` is their order.
pub trait FitsUnit<Sum, N> {
    type Output;
}
impl<Sum, N> FitsUnit<Sum, N> for Less {
    type Output = True;
}
impl<Sum, N> FitsUnit<Sum, N> for Equal {
    type Output = Undefined<UnitCarry<Sum, N>>;
}
impl<Sum, N> FitsUnit<Sum, N> for Greater {
    type Output = Undefined<UnitCarry<Sum, N>>;
}

impl<S: Number, D: Quotient<N> + Number, N: StaticInt> CastLeaf<operation::Upcast, S, D, N> for False
where
    D::Output: ModeInUnits<S, D, N>,
{
    type Output = <D::Output as ModeInUnits<S, D, N>>::Output;
    #[inline(always)]
    fn cast_leaf(shape: S, stride: D) -> Result<Self::Output, Fault> {
        let regroup = Fault::Regroup { extent: shape.get(), stride: stride.get(), unit: N::VALUE };
        stride.quotient(&N::default()).ok_or(regroup)?.in_units(shape).ok_or(regroup)
    }
}

/// A mode in units of `N`; `self` is the quotient of its stride `D` and `N`.
pub trait ModeInUnits<S, D, N> {
    type Output;
    fn in_units(self, shape: S) -> Option<Self::Output>;
}
impl<S, D, N, Q> ModeInUnits<S, D, N> for Exact<Q> {
    type Output = Defined<S, Q>;
    #[inline(always)]
    fn in_units(self, shape: S) -> Option<Self::Output> {
        Some(Defined { shape, stride: self.0 })
    }
}
impl<S, D, N: Quotient<D>> ModeInUnits<S, D, N> for NotExact
where
    N::Output: WholeUnits<S, D, N>,
{
    type Output = <N::Output as WholeUnits<S, D, N>>::Output;
    #[inline(always)]
    fn in_units(self, shape: S) -> Option<Self::Output> {
        N::Output::whole(shape)
    }
}

/// Whole units of a mode within which several coordinates lie; `self` is the quotient of `N` and the stride `D`.
pub trait WholeUnits<S, D, N> {
    type Output;
    fn whole(shape: S) -> Option<Self::Output>;
}
impl<S, D, N> WholeUnits<S, D, N> for NotExact {
    type Output = Undefined<Regroup<S, D, N>>;
    #[inline(always)]
    fn whole(_: S) -> Option<Self::Output> {
        Some(Undefined::new())
    }
}
impl<S: Quotient<Q>, D, N, Q: StaticInt> WholeUnits<S, D, N> for Exact<Q>
where
    S::Output: Units<S, D, N>,
{
    type Output = <S::Output as Units<S, D, N>>::Output;
    #[inline(always)]
    fn whole(shape: S) -> Option<Self::Output> {
        Some(shape.quotient(&Q::default())?.units())
    }
}

/// The mode of as many units as `self` says.
pub trait Units<S, D, N> {
    type Output;
    fn units(self) -> Self::Output;
}
impl<S, D, N> Units<S, D, N> for NotExact {
    type Output = Undefined<Regroup<S, D, N>>;
    #[inline(always)]
    fn units(self) -> Self::Output {
        Undefined::new()
    }
}
impl<S, D, N, Q: IsOne> Units<S, D, N> for Exact<Q>
where
    Q::Output: UnitStep,
{
    type Output = Defined<Q, <Q::Output as UnitStep>::Step>;
    #[inline(always)]
    fn units(self) -> Self::Output {
        Defined { shape: self.0, stride: <Q::Output as UnitStep>::Step::default() }
    }
}

/// The stride of units side by side: 1, but 0 if there is one alone.
pub trait UnitStep {
    type Step: StaticInt;
}
impl UnitStep for True {
    type Step = Zero;
}
impl UnitStep for False {
    type Step = One;
}
