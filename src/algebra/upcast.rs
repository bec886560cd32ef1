//! Larger elements: a mode in units, and what has to hold so that the units are whole.
//!
//! ```text
//! s:d in units of n        s : d/n          n divides d
//!                          s*d/n : 1        d divides n, and n/d divides s: n/d coordinates become one
//! ```

use typenum::{Equal, Greater, Less, UInt, UTerm};

use crate::algebra::mode::Mode;
use crate::algebra::operation;
use crate::algebra::outcome::Defined;
use crate::algebra::recast::{CastLeaf, IsOne, MayCast};
use crate::error::Fault;
use crate::list::{Cons, Nil};
use crate::number::int::{AddInt, False, NotExact, One, Order, StaticInt, SubInt, True, Zero};
use crate::number::quotient::{Exact, Quotient};
use crate::number::table::{Number, RunTimeNumber};
use crate::reasons::undefined::Undefined;
use crate::reasons::{Regroup, UnitCarry};

impl<L: BelowUnit<N, Zero>, N> MayCast<operation::Upcast, N> for L
where
    L::Output: Order<N>,
    <L::Output as Order<N>>::Output: FitsUnit<L::Output, N>,
{
    type Output = <<L::Output as Order<N>>::Output as FitsUnit<L::Output, N>>::Output;
}

/// `Sum`, and `N - D` more for every mode of `self` whose stride `D` divides the unit `N`: how far
/// the offsets within a unit reach.
pub trait BelowUnit<N, Sum> {
    type Output;
}
cases! { BelowUnit:
    [N, Sum] Nil, N, Sum => Sum;
    [S: IsOne, D, T, N, Sum] Cons<Mode<S, D>, T>, N, Sum
        where (S::Output: ReachOf<D, N, Sum>, T: BelowUnit<N, <S::Output as ReachOf<D, N, Sum>>::Output>)
        => T::Output;
}

/// `Sum` and the reach of one mode of stride `D` within the unit `N`; `self` says whether its
/// extent is 1.
pub trait ReachOf<D, N, Sum> {
    type Output;
}
cases! { ReachOf:
    [D, N, Sum] True, D, N, Sum => Sum;
    [N, Sum] False, UTerm, N, Sum => Sum;
    [D: RunTimeNumber, N, Sum] False, D, N, Sum => Sum;
    [U, B, N, Sum] False, UInt<U, B>, N, Sum where (N: Quotient<UInt<U, B>>, N::Output: ReachWithQuotient<UInt<U, B>, N, Sum>)
        => <N::Output as ReachWithQuotient<UInt<U, B>, N, Sum>>::Output;
}

/// `Sum + N - D` if `self` is an exact quotient `N / D`.
pub trait ReachWithQuotient<D, N, Sum> {
    type Output;
}
cases! { ReachWithQuotient:
    [D, N, Sum] NotExact, D, N, Sum => Sum;
    [D, N: SubInt<D>, Sum: AddInt<N::Output>, Q] Exact<Q>, D, N, Sum => Sum::Output;
}

/// [`True`] if the reach `Sum` stays below the unit `N`; `self` is their order.
pub trait FitsUnit<Sum, N> {
    type Output;
}
cases! { FitsUnit:
    [Sum, N] Less, Sum, N => True;
    [Sum, N] Equal, Sum, N => Undefined<UnitCarry<Sum, N>>;
    [Sum, N] Greater, Sum, N => Undefined<UnitCarry<Sum, N>>;
}

impl<S: Number, D: Quotient<N> + Number, N: StaticInt> CastLeaf<operation::Upcast, S, D, N>
    for False
where
    D::Output: ModeInUnits<S, D, N>,
{
    type Output = <D::Output as ModeInUnits<S, D, N>>::Output;
    #[inline]
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
cases! { ModeInUnits::in_units -> Option<Self::Output>:
    [S, D, N, Q] Exact<Q>, S, D, N => Defined<S, Q>, (self, shape: S) => Some(Defined { shape, stride: self.0 });
    [S, D, N: Quotient<D>] NotExact, S, D, N where (N::Output: WholeUnits<S, D, N>)
        => <N::Output as WholeUnits<S, D, N>>::Output,
        (self, shape: S) => N::Output::whole(shape);
}

/// Whole units of a mode within which several coordinates lie; `self` is the quotient of `N` and
/// the stride `D`.
pub trait WholeUnits<S, D, N> {
    type Output;
    fn whole(shape: S) -> Option<Self::Output>;
}
cases! { WholeUnits::whole -> Option<Self::Output>:
    [S, D, N] NotExact, S, D, N => Undefined<Regroup<S, D, N>>, (_: S) => Some(Undefined::new());
    [S: Quotient<Q>, D, N, Q: StaticInt] Exact<Q>, S, D, N where (S::Output: Units<S, D, N>)
        => <S::Output as Units<S, D, N>>::Output,
        (shape: S) => Some(shape.quotient(&Q::default())?.units());
}

/// The mode of as many units as `self` says.
pub trait Units<S, D, N> {
    type Output;
    fn units(self) -> Self::Output;
}
cases! { Units::units -> Self::Output:
    [S, D, N] NotExact, S, D, N => Undefined<Regroup<S, D, N>>, (self) => Undefined::new();
    [S, D, N, Q: IsOne] Exact<Q>, S, D, N where (Q::Output: UnitStep) => Defined<Q, <Q::Output as UnitStep>::Step>,
        (self) => Defined { shape: self.0, stride: <Q::Output as UnitStep>::Step::default() };
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
