//! `Multiple<N>`: a number known at run time that is known at compile time to be a multiple of `N`.
//!
//! | | static `b` | `Multiple<B>` | `usize` |
//! |---|---|---|---|
//! | `Multiple<A> + ..` | `Multiple<gcd(A, b)>` | `Multiple<gcd(A, B)>` | `usize` |
//! | `Multiple<A> * ..` | `Multiple<A * b>` | `Multiple<A * B>` | `Multiple<A>` |
//! | `Multiple<A> / ..` | `Multiple<A / b>` without a check where `b` divides `A`, else `usize` | `usize` | `usize` |
//!
//! A multiple of 1 is a `usize`.

use core::fmt::{self, Debug, Display, Formatter};
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

use typenum::{UInt, UTerm};

use crate::error::{Fault, LayoutError};
use crate::number::int::{False, MulInt, NotExact, One, QuotientInt, StaticInt};
use crate::number::quotient::{CeilQuotient, Cofactor, Exact, GcdInt, Quotient, RoundTo};
use crate::number::table::{
    Natural, Number, Order, Plus, RunTimeNumber, Same, SealedNumber, Times, Unknown,
};

/// A number known at run time that is a multiple of the static integer `N`: what CuTe's DSL calls
/// `assume(divby=N)`. A leaf of shapes and strides, as a `usize` is; a divisor of `N` divides the
/// number without a check.
///
/// ```
/// use layout_algebra::prelude::*;
/// let (rows, columns) = (Multiple::<Int<8>>::new(96)?, 40);
/// let a: Layout!((Multiple<Int<8>>, _):(_, 1)) = layout!((rows, columns):(columns, 1));
/// // 4 divides every multiple of 8: neither check nor panic is left here.
/// let tiles: Layout!(((4, Multiple<Int<2>>), _):((_, _), 1)) = a.logical_divide(tiler!(4));
/// assert_eq!(format!("{tiles:#}"), "((4,24),40):((40,160),1)");
/// # Ok::<(), LayoutError>(())
/// ```
pub struct Multiple<N>(usize, PhantomData<N>);

impl<N: StaticInt> Multiple<N> {
    /// The number, if it is a multiple of `N`.
    ///
    /// # Errors
    /// `divisibility` if it is not.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(Multiple::<Int<8>>::new(96)?.get(), 96);
    /// let error = Multiple::<Int<8>>::new(100).unwrap_err();
    /// assert_eq!(error.to_string(), "cannot assume a multiple: 100 is not a multiple of 8");
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline(always)]
    pub const fn new(number: usize) -> Result<Self, LayoutError> {
        if number == 0 || N::VALUE != 0 && number % N::VALUE == 0 {
            Ok(Multiple(number, PhantomData))
        } else {
            Err(LayoutError::new(
                "assume a multiple",
                Fault::Multiple { number, divisor: N::VALUE },
            ))
        }
    }

    /// A number that the caller knows to be a multiple of `N`.
    #[inline(always)]
    const fn known(number: usize) -> Self {
        Multiple(number, PhantomData)
    }
}

impl<N: StaticInt> TryFrom<usize> for Multiple<N> {
    type Error = LayoutError;
    #[inline(always)]
    fn try_from(number: usize) -> Result<Self, LayoutError> {
        Multiple::new(number)
    }
}

impl<N> Clone for Multiple<N> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<N> Copy for Multiple<N> {}
impl<N> Debug for Multiple<N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.0, f)
    }
}
impl<N> Display for Multiple<N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0, f)
    }
}
impl<N> PartialEq for Multiple<N> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<N> Eq for Multiple<N> {}
impl<N> Hash for Multiple<N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

leaves! { [N] Multiple<N>; }
impl<N> SealedNumber for Multiple<N> {}
impl<N: StaticInt> RunTimeNumber for Multiple<N> {}
impl<N: StaticInt> Natural for Multiple<N> {}
impl<N: StaticInt> Number for Multiple<N> {
    const STATIC: Option<usize> = None;
    #[inline(always)]
    fn from_number(number: usize) -> Option<Self> {
        Multiple::new(number).ok()
    }
    #[inline(always)]
    fn largest(least: usize) -> Option<Self> {
        let largest = usize::MAX - usize::MAX.checked_rem(N::VALUE)?;
        (least <= largest).then(|| Multiple::known(largest))
    }
    #[inline(always)]
    fn get(self) -> usize {
        self.0
    }
}

/// A dynamic number that is a multiple of `self`, as a type: `usize` for 1.
pub trait MultipleOf {
    type Output: Number;
    fn multiple_of(number: usize) -> Self::Output;
}
cases! { MultipleOf::multiple_of -> Self::Output:
    [] One => usize, (number: usize) => number;
    [U, A, B] UInt<UInt<U, A>, B> where (Self: StaticInt) => Multiple<Self>, (number: usize) => Multiple::known(number);
}

// ---- arithmetic in sight of users ---------------------------------------------------------------

/// ```
/// use layout_algebra::prelude::*;
/// let (a, b) = (Multiple::<Int<8>>::new(24)?, Multiple::<Int<12>>::new(36)?);
/// let sum: Multiple<Int<4>> = a + b; // gcd(8, 12)
/// let more: Multiple<Int<8>> = a + int!(16);
/// assert_eq!((sum.get(), more.get()), (60, 40));
/// # Ok::<(), LayoutError>(())
/// ```
impl<N, R> core::ops::Add<R> for Multiple<N>
where
    Self: Plus<R>,
{
    type Output = <Self as Plus<R>>::Output;
    /// # Panics
    /// If the sum leaves `usize`, in release builds too.
    #[inline(always)]
    #[track_caller]
    fn add(self, right: R) -> Self::Output {
        within_usize(self.plus(&right))
    }
}

/// ```
/// use layout_algebra::prelude::*;
/// let a = Multiple::<Int<8>>::new(24)?;
/// let product: Multiple<Int<24>> = a * int!(3);
/// let scaled: Multiple<Int<8>> = a * 5;
/// assert_eq!((product.get(), scaled.get()), (72, 120));
/// # Ok::<(), LayoutError>(())
/// ```
impl<N, R> core::ops::Mul<R> for Multiple<N>
where
    Self: Times<R>,
{
    type Output = <Self as Times<R>>::Output;
    /// # Panics
    /// If the product leaves `usize`, in release builds too.
    #[inline(always)]
    #[track_caller]
    fn mul(self, right: R) -> Self::Output {
        within_usize(self.times(&right))
    }
}

#[inline(always)]
#[track_caller]
fn within_usize<T>(result: Result<T, Fault>) -> T {
    match result {
        Ok(number) => number,
        Err(fault) => panic!("{}", LayoutError::new("calculate", fault)),
    }
}

// ---- sums ---------------------------------------------------------------------------------------

/// The greatest common divisor of `A` and `B`.
type Gcd<A, B> = <A as GcdInt<B>>::Output;

cases! { Plus::plus -> Result<Self::Output, Fault>:
    [N: StaticInt] Multiple<N>, UTerm => Self, (&self, _: &UTerm) => Ok(*self);
    [N: StaticInt] Multiple<N>, usize => usize, (&self, right: &usize) => self.0.plus(right);
    [N: StaticInt] usize, Multiple<N> => usize, (&self, right: &Multiple<N>) => self.plus(&right.0);
    [N: GcdInt<UInt<U, B>, Output: MultipleOf>, U, B] Multiple<N>, UInt<U, B> where (UInt<U, B>: StaticInt)
        => <Gcd<N, UInt<U, B>> as MultipleOf>::Output,
        (&self, right: &UInt<U, B>) => Ok(Gcd::<N, UInt<U, B>>::multiple_of(self.0.plus(right)?));
    [N, U, B] UInt<U, B>, Multiple<N> where (Multiple<N>: Plus<Self>) => <Multiple<N> as Plus<Self>>::Output,
        (&self, right: &Multiple<N>) => right.plus(self);
    [N: GcdInt<K, Output: MultipleOf>, K] Multiple<N>, Multiple<K> => <Gcd<N, K> as MultipleOf>::Output,
        (&self, right: &Multiple<K>) => Ok(Gcd::<N, K>::multiple_of(self.0.plus(&right.0)?));
}

// ---- products -----------------------------------------------------------------------------------

cases! { Times::times -> Result<Self::Output, Fault>:
    [N] Multiple<N>, UTerm => UTerm, (&self, right: &UTerm) => Ok(*right);
    [N: StaticInt] Multiple<N>, usize => Self, (&self, right: &usize) => Ok(Multiple::known(self.0.times(right)?));
    [N: StaticInt] usize, Multiple<N> => Multiple<N>, (&self, right: &Multiple<N>) => right.times(self);
    [N: MulInt<UInt<U, B>>, U, B] Multiple<N>, UInt<U, B> where (UInt<U, B>: StaticInt) => Multiple<N::Output>,
        (&self, right: &UInt<U, B>) => Ok(Multiple::known(self.0.times(right)?));
    [N, U, B] UInt<U, B>, Multiple<N> where (Multiple<N>: Times<Self>) => <Multiple<N> as Times<Self>>::Output,
        (&self, right: &Multiple<N>) => right.times(self);
    [N: MulInt<K>, K] Multiple<N>, Multiple<K> => Multiple<N::Output>,
        (&self, right: &Multiple<K>) => Ok(Multiple::known(self.0.times(&right.0)?));
}

// ---- quotients ----------------------------------------------------------------------------------

/// A multiple divided by `R`: `self` is the quotient of the known divisor and `R`.
pub trait QuotientOfMultiple<R> {
    type Output;
    fn quotient_of_multiple(number: usize, right: &R) -> Option<Self::Output>;
}
cases! { QuotientOfMultiple::quotient_of_multiple -> Option<Self::Output>:
    [R: Number] NotExact, R => Exact<usize>, (number: usize, right: &R) => number.quotient(right);
    // `R` divides the known divisor: nothing is left to check.
    [R: Number, U, B] UInt<U, B>, R where (Self: MultipleOf) => Exact<<Self as MultipleOf>::Output>,
        (number: usize, right: &R) => Some(Exact(Self::multiple_of(number / right.get())));
}

cases! { Quotient::quotient -> Option<Self::Output>:
    [N] Multiple<N>, UTerm => NotExact, (&self, _: &UTerm) => Some(NotExact);
    [N: QuotientInt<UInt<U, B>>, U, B] Multiple<N>, UInt<U, B> where (N::Output: QuotientOfMultiple<UInt<U, B>>)
        => <N::Output as QuotientOfMultiple<UInt<U, B>>>::Output,
        (&self, right: &UInt<U, B>) => N::Output::quotient_of_multiple(self.0, right);
    [N] Multiple<N>, usize => Exact<usize>, (&self, right: &usize) => self.0.quotient(right);
    [N, K] Multiple<N>, Multiple<K> => Exact<usize>, (&self, right: &Multiple<K>) => self.0.quotient(&right.0);
    [N, U, B] UInt<U, B>, Multiple<N> where (Self: StaticInt) => Exact<usize>,
        (&self, right: &Multiple<N>) => self.get().quotient(&right.0);
}

// ---- what the types know ------------------------------------------------------------------------

cases! { Same:
    [N, R] Multiple<N>, R => False;
    [N, U, B] UInt<U, B>, Multiple<N> => False;
    [N] UTerm, Multiple<N> => False;
}
cases! { Order:
    [N, R] Multiple<N>, R => Unknown;
    [N, U, B] UInt<U, B>, Multiple<N> => Unknown;
    [N] UTerm, Multiple<N> => Unknown;
}

// ---- rounding -----------------------------------------------------------------------------------

cases! { CeilQuotient::ceil_quotient -> Result<Self::Output, Fault>:
    [N: StaticInt, R: Number] Multiple<N>, R => usize, (&self, right: &R) => self.0.ceil_quotient(right);
    [N: StaticInt, U, B] UInt<U, B>, Multiple<N> where (Self: StaticInt) => usize,
        (&self, right: &Multiple<N>) => self.get().ceil_quotient(&right.0);
}
impl<N: StaticInt, R: Number> Cofactor<R> for Multiple<N> {
    type Output = usize;
    #[inline(always)]
    fn cofactor(&self, right: &R) -> usize {
        self.0.cofactor(right)
    }
}
impl<N: StaticInt, U, B> Cofactor<Multiple<N>> for UInt<U, B>
where
    Self: StaticInt,
{
    type Output = usize;
    #[inline(always)]
    fn cofactor(&self, right: &Multiple<N>) -> usize {
        self.get().cofactor(&right.0)
    }
}

// A dynamic number rounded up to a static unit is known to be its multiple.
cases! { RoundTo::round_to -> Result<Self::Output, Fault>:
    [U, B] usize, UInt<U, B> where (UInt<U, B>: MultipleOf + StaticInt) => <UInt<U, B> as MultipleOf>::Output,
        (&self, unit: &UInt<U, B>) => Ok(UInt::<U, B>::multiple_of(self.ceil_quotient(unit)?.times(unit)?));
    [N: StaticInt, U, B] Multiple<N>, UInt<U, B>
        where (N: QuotientInt<UInt<U, B>>, N::Output: RoundMultiple<N, UInt<U, B>>)
        => <N::Output as RoundMultiple<N, UInt<U, B>>>::Output,
        (&self, unit: &UInt<U, B>) => N::Output::round_multiple(*self, unit);
}
/// A multiple of `N` rounded up to a unit; `self` is the quotient of `N` and the unit.
pub trait RoundMultiple<N, Unit> {
    type Output: Number;
    fn round_multiple(number: Multiple<N>, unit: &Unit) -> Result<Self::Output, Fault>;
}
// It is a multiple of the unit already.
cases! { RoundMultiple::round_multiple -> Result<Self::Output, Fault>:
    [N: StaticInt, Unit, U, B] UInt<U, B>, N, Unit => Multiple<N>, (number: Multiple<N>, _: &Unit) => Ok(number);
    [N: StaticInt, Unit] NotExact, N, Unit where (usize: RoundTo<Unit>) => <usize as RoundTo<Unit>>::Output,
        (number: Multiple<N>, unit: &Unit) => number.0.round_to(unit);
}
macro_rules! round_to_dynamic {
    ($([$($generic:ident)*] $number:ty, $unit:ty;)*) => {
        $(impl<$($generic),*> RoundTo<$unit> for $number
        where
            Self: Number,
            $unit: Number,
        {
            type Output = usize;
            #[inline(always)]
            fn round_to(&self, unit: &$unit) -> Result<usize, Fault> {
                self.get().ceil_quotient(unit)?.times(&unit.get())
            }
        })*
    };
}
round_to_dynamic! {
    [] usize, usize;
    [K] usize, Multiple<K>;
    [N] Multiple<N>, usize;
    [N K] Multiple<N>, Multiple<K>;
    [U B] UInt<U, B>, usize;
    [U B K] UInt<U, B>, Multiple<K>;
}
