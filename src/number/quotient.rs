//! Quotients: exact ones, of static or dynamic numbers; and long division, common divisors and
//! rounding, which few operations need.

use typenum::{B0, B1, UInt, UTerm};

use crate::error::Fault;
use crate::number::int::{
    AddInt, Digits, MulInt, NotExact, One, QuotientInt, StaticInt, SubInt, Underflow,
};
use crate::number::table::{Number, gcd};

/// A quotient without a rest.
#[derive(Clone, Copy)]
pub struct Exact<Q>(pub Q);

/// `self / R` without a rest: the type is [`Exact`], or [`NotExact`] where both are static and the
/// divisor does not divide. With a dynamic number the type is `Exact`, and the value is `None` if
/// the divisor does not divide.
pub trait Quotient<R> {
    type Output;
    fn quotient(&self, right: &R) -> Option<Self::Output>;
}

/// Puts an answer of [`QuotientInt`] into its case.
pub trait AsQuotient {
    type Output;
    fn case() -> Self::Output;
}
cases! { AsQuotient::case -> Self::Output:
    [] NotExact => NotExact, () => NotExact;
    [] UTerm => Exact<UTerm>, () => Exact(UTerm);
    [U, B] UInt<U, B> where (Self: StaticInt) => Exact<Self>, () => Exact(Self::default());
}

cases! { Quotient::quotient -> Option<Self::Output>:
    [R] UTerm, R => Exact<UTerm>, (&self, _: &R) => Some(Exact(*self));
    [U, B] UInt<U, B>, UTerm => NotExact, (&self, _: &UTerm) => Some(NotExact);
    [U, B, V, C] UInt<U, B>, UInt<V, C> where (Self: QuotientInt<UInt<V, C>, Output: AsQuotient>)
        => <<Self as QuotientInt<UInt<V, C>>>::Output as AsQuotient>::Output,
        (&self, _: &UInt<V, C>) => Some(<Self as QuotientInt<UInt<V, C>>>::Output::case());
    [U, B] UInt<U, B>, usize where (Self: StaticInt) => Exact<usize>,
        (&self, right: &usize) => self.get().quotient(right);
    [R: Number] usize, R => Exact<usize>, (&self, right: &R) => {
        let (left, right) = (*self, right.get());
        if left == 0 {
            return Some(Exact(0));
        }
        (right != 0 && left % right == 0).then(|| Exact(left / right))
    };
}

// ---- long division ------------------------------------------------------------------------------

/// Quotient and remainder by long division from the high bit down. Only rounding needs it: the cost
/// is quadratic in the bits.
pub trait DivideInt<R> {
    type Quotient: StaticInt;
    type Remainder: StaticInt + Digits;
}
impl<R> DivideInt<R> for UTerm {
    type Quotient = UTerm;
    type Remainder = UTerm;
}
macro_rules! divide_digit {
    ($($bit:ident $digit:ident;)*) => {
        $(impl<U, R> DivideInt<R> for UInt<U, $bit>
        where
            U: DivideInt<R>,
            <U::Remainder as Digits>::$digit: SubInt<R>,
            <<U::Remainder as Digits>::$digit as SubInt<R>>::Output:
                DivideStep<U::Quotient, <U::Remainder as Digits>::$digit>,
        {
            type Quotient = <<<U::Remainder as Digits>::$digit as SubInt<R>>::Output as DivideStep<
                U::Quotient,
                <U::Remainder as Digits>::$digit,
            >>::Quotient;
            type Remainder = <<<U::Remainder as Digits>::$digit as SubInt<R>>::Output as DivideStep<
                U::Quotient,
                <U::Remainder as Digits>::$digit,
            >>::Remainder;
        })*
    };
}
divide_digit! { B0 Zero; B1 One; }

/// One digit of long division: `self` is the remainder less the divisor, `Rest` the remainder.
pub trait DivideStep<Quotient, Rest> {
    type Quotient: StaticInt;
    type Remainder: StaticInt + Digits;
}
impl<Q: StaticInt, Rest: StaticInt + Digits> DivideStep<Q, Rest> for Underflow {
    type Quotient = Q::Double;
    type Remainder = Rest;
}
impl<Q: StaticInt, Rest> DivideStep<Q, Rest> for UTerm {
    type Quotient = Q::DoubleAndOne;
    type Remainder = UTerm;
}
impl<Q: StaticInt, Rest, U, B> DivideStep<Q, Rest> for UInt<U, B>
where
    UInt<U, B>: StaticInt,
{
    type Quotient = Q::DoubleAndOne;
    type Remainder = UInt<U, B>;
}

/// The greatest common divisor, by Euclid.
pub trait GcdInt<R> {
    type Output: StaticInt;
}
cases! { GcdInt:
    [A: StaticInt] A, UTerm => A;
    [A: DivideInt<UInt<V, C>>, V, C] A, UInt<V, C> where (UInt<V, C>: GcdInt<A::Remainder>)
        => <UInt<V, C> as GcdInt<A::Remainder>>::Output;
}

/// The quotient `Q`, and 1 more if there is a remainder, `self`.
pub trait RoundQuotient<Q> {
    type Output: StaticInt;
}
cases! { RoundQuotient:
    [Q: StaticInt] UTerm, Q => Q;
    [U, B, Q: AddInt<One>] UInt<U, B>, Q => Q::Output;
}

// ---- rounding, by name --------------------------------------------------------------------------

/// `ceil(self / R)`
pub trait CeilQuotient<R> {
    type Output: Number;
    fn ceil_quotient(&self, right: &R) -> Result<Self::Output, Fault>;
}
impl<R> CeilQuotient<R> for UTerm {
    type Output = UTerm;
    #[inline(always)]
    fn ceil_quotient(&self, _: &R) -> Result<UTerm, Fault> {
        Ok(*self)
    }
}
impl<U, B, V, C> CeilQuotient<UInt<V, C>> for UInt<U, B>
where
    Self: DivideInt<UInt<V, C>>,
    <Self as DivideInt<UInt<V, C>>>::Remainder:
        RoundQuotient<<Self as DivideInt<UInt<V, C>>>::Quotient>,
{
    type Output = <<Self as DivideInt<UInt<V, C>>>::Remainder as RoundQuotient<
        <Self as DivideInt<UInt<V, C>>>::Quotient,
    >>::Output;
    #[inline(always)]
    fn ceil_quotient(&self, _: &UInt<V, C>) -> Result<Self::Output, Fault> {
        Ok(Default::default())
    }
}
cases! { CeilQuotient::ceil_quotient -> Result<Self::Output, Fault>:
    [U, B] UInt<U, B>, usize where (Self: StaticInt) => usize,
        (&self, right: &usize) => self.get().ceil_quotient(right);
    [R: Number] usize, R
        => usize,
        (&self, right: &R) =>
            if right.get() == 0 { Err(Fault::Span { extent: *self, span: 0 }) } else { Ok(self.div_ceil(right.get())) };
}

/// The least multiple of `Unit` that is at least `self`.
pub trait RoundTo<Unit> {
    type Output: Number;
    fn round_to(&self, unit: &Unit) -> Result<Self::Output, Fault>;
}
cases! { RoundTo::round_to -> Result<Self::Output, Fault>:
    [Unit] UTerm, Unit => UTerm, (&self, _: &Unit) => Ok(*self);
    [U, B, V, C] UInt<U, B>, UInt<V, C> where (Self: CeilQuotient<UInt<V, C>, Output: MulInt<UInt<V, C>>>)
        => <<Self as CeilQuotient<UInt<V, C>>>::Output as MulInt<UInt<V, C>>>::Output,
        (&self, _: &UInt<V, C>) => Ok(Default::default());
}

/// `self / gcd(self, R)`: the least number whose product with `R` is a multiple of `self`.
pub trait Cofactor<R> {
    type Output: Number;
    fn cofactor(&self, right: &R) -> Self::Output;
}
cases! { Cofactor::cofactor -> Self::Output:
    [U, B, V, C] UInt<U, B>, UInt<V, C>
        where (Self: GcdInt<UInt<V, C>>, Self: DivideInt<<Self as GcdInt<UInt<V, C>>>::Output>)
        => <Self as DivideInt<<Self as GcdInt<UInt<V, C>>>::Output>>::Quotient,
        (&self, _: &UInt<V, C>) => Default::default();
    [U, B] UInt<U, B>, usize where (Self: StaticInt) => usize, (&self, right: &usize) => self.get().cofactor(right);
    [R: Number] usize, R => usize, (&self, right: &R) => self.checked_div(gcd(*self, right.get())).unwrap_or(1);
}
