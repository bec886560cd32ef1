//! A number is static (a typenum integer) or dynamic (`usize`), and this is the one table that says what
//! arithmetic gives on each pairing.
//!
//! | | static `b` | dynamic `b` |
//! |---|---|---|
//! | static `a` | static | dynamic; but `0 * b` is static 0, and `0 + b` is `b` |
//! | dynamic `a` | dynamic; but `a * 0` is static 0, and `a + 0` is `a` | dynamic |
//!
//! Whether two numbers are equal, and which is the less, is known to the types only where both are static. Dynamic
//! arithmetic that leaves `usize` is [`Fault::Overflow`], in release builds too.

use core::fmt::Debug;
use core::hash::Hash;

use typenum::{UInt, UTerm};

use crate::error::Fault;
use crate::list::{Leaf, Nested, Untangle};
use crate::number::int::{
    AddInt, DivideInt, False, GcdInt, MulInt, NotExact, One, QuotientInt, RoundQuotient, StaticInt,
};
pub use crate::number::int::{Order, Same};

/// One leaf of a shape, a stride or a coordinate: a static integer or a `usize`.
///
/// ```
/// use layout_algebra::prelude::*;
/// fn twice<N: Number>(n: N) -> usize {
///     2 * n.get()
/// }
/// assert_eq!(twice(int!(12)), twice(12));
/// ```
#[diagnostic::on_unimplemented(
    message = "this is not a number of a layout",
    label = "`{Self}`: neither a static integer nor a `usize`",
    note = "write `int!(4)` for a number known at compile time, and a `usize` for one known at run time: `i as usize` for another integer"
)]
pub trait Number: Nested<Node = Leaf<Self>> + Copy + Debug + Eq + Hash + SealedNumber + 'static {
    /// The number where it is known at compile time.
    const STATIC: Option<usize>;
    /// The axis that it steps along, if it is a stride of an identity layout.
    #[doc(hidden)]
    const AXIS: Option<usize> = None;

    /// The number.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!((Number::get(int!(12)), Number::get(12)), (12, 12));
    /// ```
    fn get(self) -> usize;
    /// [`get`](Number::get) of a reference.
    #[doc(hidden)]
    #[inline(always)]
    fn value(&self) -> usize {
        self.get()
    }
    /// The largest number of this kind, if run time knows its numbers and that is at least `least`.
    #[doc(hidden)]
    #[inline(always)]
    fn largest(least: usize) -> Option<Self> {
        let _ = least;
        None
    }
    /// 0 in place of a number known only at run time: the stride of a mode that does not move.
    #[doc(hidden)]
    #[inline(always)]
    fn still(self) -> Self {
        self
    }
    /// `self * stride`, where the number counts in the extent `S` with the stride `D`. The types make a function of
    /// its own for each mode: LLVM knows what its arguments are below, before it inlines, and drops checks of bounds
    /// as early as in a loop by hand.
    #[doc(hidden)]
    #[inline(always)]
    fn scaled<S, D>(self, stride: usize) -> usize {
        self.get() * stride
    }
}

/// Only the kinds of numbers that the tables know.
pub trait SealedNumber {}
impl<N: StaticInt> SealedNumber for N {}
impl SealedNumber for usize {}

impl<N: StaticInt> Number for N {
    const STATIC: Option<usize> = Some(N::VALUE);
    #[inline(always)]
    fn get(self) -> usize {
        N::VALUE
    }
}
impl Number for usize {
    const STATIC: Option<usize> = None;
    #[inline(always)]
    fn largest(_: usize) -> Option<Self> {
        Some(usize::MAX)
    }
    #[inline(always)]
    fn get(self) -> usize {
        self
    }
    #[inline(always)]
    fn still(self) -> usize {
        0
    }
    #[inline(always)]
    fn scaled<S, D>(self, stride: usize) -> usize {
        self * stride
    }
}

// ---- sums and products --------------------------------------------------------------------------------------------

/// `self + R`
pub trait Plus<R> {
    type Output: Number;
    fn plus(&self, right: &R) -> Result<Self::Output, Fault>;
}

/// `self * R`
pub trait Times<R> {
    type Output: Number;
    fn times(&self, right: &R) -> Result<Self::Output, Fault>;
}

impl<R: Number> Plus<R> for UTerm {
    type Output = R;
    #[inline(always)]
    fn plus(&self, right: &R) -> Result<R, Fault> {
        Ok(*right)
    }
}
impl<U, B> Plus<UTerm> for UInt<U, B>
where
    Self: StaticInt,
{
    type Output = Self;
    #[inline(always)]
    fn plus(&self, _: &UTerm) -> Result<Self, Fault> {
        Ok(*self)
    }
}
impl<U, B, V, C> Plus<UInt<V, C>> for UInt<U, B>
where
    Self: AddInt<UInt<V, C>>,
{
    type Output = <Self as AddInt<UInt<V, C>>>::Output;
    #[inline(always)]
    fn plus(&self, _: &UInt<V, C>) -> Result<Self::Output, Fault> {
        Ok(Default::default())
    }
}
impl<U, B> Plus<usize> for UInt<U, B>
where
    Self: StaticInt,
{
    type Output = usize;
    #[inline(always)]
    fn plus(&self, right: &usize) -> Result<usize, Fault> {
        right.plus(self)
    }
}
impl<R: Number> Plus<R> for usize {
    type Output = usize;
    #[inline(always)]
    fn plus(&self, right: &R) -> Result<usize, Fault> {
        self.checked_add(right.get()).ok_or(Fault::Overflow)
    }
}

impl<R> Times<R> for UTerm {
    type Output = UTerm;
    #[inline(always)]
    fn times(&self, _: &R) -> Result<UTerm, Fault> {
        Ok(*self)
    }
}
impl<U, B> Times<UTerm> for UInt<U, B> {
    type Output = UTerm;
    #[inline(always)]
    fn times(&self, right: &UTerm) -> Result<UTerm, Fault> {
        Ok(*right)
    }
}
/// Most strides of tiles are 1, and typing a product costs a step for each bit.
impl<U, B> Times<One> for UInt<U, B>
where
    Self: StaticInt,
{
    type Output = Self;
    #[inline(always)]
    fn times(&self, _: &One) -> Result<Self, Fault> {
        Ok(*self)
    }
}
impl<U, B, V, A, C> Times<UInt<UInt<V, A>, C>> for UInt<U, B>
where
    Self: MulInt<UInt<UInt<V, A>, C>>,
{
    type Output = <Self as MulInt<UInt<UInt<V, A>, C>>>::Output;
    #[inline(always)]
    fn times(&self, _: &UInt<UInt<V, A>, C>) -> Result<Self::Output, Fault> {
        Ok(Default::default())
    }
}
impl<U, B> Times<usize> for UInt<U, B>
where
    Self: StaticInt,
{
    type Output = usize;
    #[inline(always)]
    fn times(&self, right: &usize) -> Result<usize, Fault> {
        right.times(self)
    }
}
impl Times<UTerm> for usize {
    type Output = UTerm;
    #[inline(always)]
    fn times(&self, right: &UTerm) -> Result<UTerm, Fault> {
        Ok(*right)
    }
}
impl<V, C> Times<UInt<V, C>> for usize
where
    UInt<V, C>: StaticInt,
{
    type Output = usize;
    #[inline(always)]
    fn times(&self, right: &UInt<V, C>) -> Result<usize, Fault> {
        self.times(&right.get())
    }
}
impl Times<usize> for usize {
    type Output = usize;
    #[inline(always)]
    fn times(&self, right: &usize) -> Result<usize, Fault> {
        self.checked_mul(*right).ok_or(Fault::Overflow)
    }
}

// ---- quotients ----------------------------------------------------------------------------------------------------

/// A quotient without a rest.
#[derive(Clone, Copy)]
pub struct Exact<Q>(pub Q);

/// `self / R` without a rest: the type is [`Exact`], or [`NotExact`] where both are static and the divisor does not
/// divide. With a dynamic number the type is `Exact` and the value says it: `None` where the divisor does not divide.
pub trait Quotient<R> {
    type Output;
    fn quotient(&self, right: &R) -> Option<Self::Output>;
}

/// Puts an answer of [`QuotientInt`] into its case.
pub trait AsQuotient {
    type Output;
    fn case() -> Self::Output;
}
impl AsQuotient for NotExact {
    type Output = NotExact;
    #[inline(always)]
    fn case() -> NotExact {
        NotExact
    }
}
impl AsQuotient for UTerm {
    type Output = Exact<UTerm>;
    #[inline(always)]
    fn case() -> Self::Output {
        Exact(UTerm)
    }
}
impl<U, B> AsQuotient for UInt<U, B>
where
    Self: StaticInt,
{
    type Output = Exact<Self>;
    #[inline(always)]
    fn case() -> Self::Output {
        Exact(Self::default())
    }
}

impl<R> Quotient<R> for UTerm {
    type Output = Exact<UTerm>;
    #[inline(always)]
    fn quotient(&self, _: &R) -> Option<Self::Output> {
        Some(Exact(*self))
    }
}
impl<U, B> Quotient<UTerm> for UInt<U, B> {
    type Output = NotExact;
    #[inline(always)]
    fn quotient(&self, _: &UTerm) -> Option<NotExact> {
        Some(NotExact)
    }
}
impl<U, B, V, C> Quotient<UInt<V, C>> for UInt<U, B>
where
    Self: QuotientInt<UInt<V, C>, Output: AsQuotient>,
{
    type Output = <<Self as QuotientInt<UInt<V, C>>>::Output as AsQuotient>::Output;
    #[inline(always)]
    fn quotient(&self, _: &UInt<V, C>) -> Option<Self::Output> {
        Some(<Self as QuotientInt<UInt<V, C>>>::Output::case())
    }
}
impl<U, B> Quotient<usize> for UInt<U, B>
where
    Self: StaticInt,
{
    type Output = Exact<usize>;
    #[inline(always)]
    fn quotient(&self, right: &usize) -> Option<Exact<usize>> {
        self.get().quotient(right)
    }
}
impl<R: Number> Quotient<R> for usize {
    type Output = Exact<usize>;
    #[inline(always)]
    fn quotient(&self, right: &R) -> Option<Exact<usize>> {
        let (left, right) = (*self, right.get());
        if left == 0 {
            return Some(Exact(0));
        }
        (right != 0 && left % right == 0).then(|| Exact(left / right))
    }
}

// ---- what the types know ------------------------------------------------------------------------------------------

// [`Same`]: are both numbers static and equal? Of a dynamic one that is not known.
impl<R: Number> Same<R> for usize {
    type Output = False;
}
impl Same<usize> for UTerm {
    type Output = False;
}
impl<U, B> Same<usize> for UInt<U, B> {
    type Output = False;
}

/// The order of two numbers is known only at run time.
pub struct Unknown;

// [`Order`], or [`Unknown`] where one is dynamic.
impl<R: Number> Order<R> for usize {
    type Output = Unknown;
}
impl Order<usize> for UTerm {
    type Output = Unknown;
}
impl<U, B> Order<usize> for UInt<U, B> {
    type Output = Unknown;
}

// ---- rounding, by name --------------------------------------------------------------------------------------------

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
    <Self as DivideInt<UInt<V, C>>>::Remainder: RoundQuotient<<Self as DivideInt<UInt<V, C>>>::Quotient>,
{
    type Output = <<Self as DivideInt<UInt<V, C>>>::Remainder as RoundQuotient<
        <Self as DivideInt<UInt<V, C>>>::Quotient,
    >>::Output;
    #[inline(always)]
    fn ceil_quotient(&self, _: &UInt<V, C>) -> Result<Self::Output, Fault> {
        Ok(Default::default())
    }
}
impl<U, B> CeilQuotient<usize> for UInt<U, B>
where
    Self: StaticInt,
{
    type Output = usize;
    #[inline(always)]
    fn ceil_quotient(&self, right: &usize) -> Result<usize, Fault> {
        self.get().ceil_quotient(right)
    }
}
impl<R: Number> CeilQuotient<R> for usize {
    type Output = usize;
    #[inline(always)]
    fn ceil_quotient(&self, right: &R) -> Result<usize, Fault> {
        if right.get() == 0 { Err(Fault::Span { extent: *self, span: 0 }) } else { Ok(self.div_ceil(right.get())) }
    }
}

/// The least multiple of `Unit` that is at least `self`.
pub trait RoundTo<Unit> {
    type Output: Number;
    fn round_to(&self, unit: &Unit) -> Result<Self::Output, Fault>;
}
impl<Unit> RoundTo<Unit> for UTerm {
    type Output = UTerm;
    #[inline(always)]
    fn round_to(&self, _: &Unit) -> Result<UTerm, Fault> {
        Ok(*self)
    }
}
impl<U, B, V, C> RoundTo<UInt<V, C>> for UInt<U, B>
where
    Self: CeilQuotient<UInt<V, C>, Output: MulInt<UInt<V, C>>>,
{
    type Output = <<Self as CeilQuotient<UInt<V, C>>>::Output as MulInt<UInt<V, C>>>::Output;
    #[inline(always)]
    fn round_to(&self, _: &UInt<V, C>) -> Result<Self::Output, Fault> {
        Ok(Default::default())
    }
}

/// `self / gcd(self, R)`: the least number whose product with `R` is a multiple of `self`.
pub trait Cofactor<R> {
    type Output: Number;
    fn cofactor(&self, right: &R) -> Self::Output;
}
impl<U, B, V, C> Cofactor<UInt<V, C>> for UInt<U, B>
where
    Self: GcdInt<UInt<V, C>>,
    Self: DivideInt<<Self as GcdInt<UInt<V, C>>>::Output>,
{
    type Output = <Self as DivideInt<<Self as GcdInt<UInt<V, C>>>::Output>>::Quotient;
    #[inline(always)]
    fn cofactor(&self, _: &UInt<V, C>) -> Self::Output {
        Default::default()
    }
}
impl<U, B> Cofactor<usize> for UInt<U, B>
where
    Self: StaticInt,
{
    type Output = usize;
    #[inline(always)]
    fn cofactor(&self, right: &usize) -> usize {
        self.get().cofactor(right)
    }
}
impl<R: Number> Cofactor<R> for usize {
    type Output = usize;
    #[inline(always)]
    fn cofactor(&self, right: &R) -> usize {
        self.checked_div(gcd(*self, right.get())).unwrap_or(1)
    }
}

/// The greatest common divisor; `gcd(0, n) = n`.
pub(crate) const fn gcd(mut a: usize, mut b: usize) -> usize {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// A leaf of a macro that is an expression.
///
/// Given something else than a number, it has no type that rustc could complain about where the leaf is used further:
/// the one error stays the only one.
#[inline(always)]
pub fn leaf<N: Number>(number: N) -> <N::Node as Untangle>::Tree {
    number
}
