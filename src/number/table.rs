//! A number is static (a typenum integer) or dynamic (`usize`), and this is the one table that says
//! what arithmetic gives on each pairing.
//!
//! | | static `b` | dynamic `b` |
//! |---|---|---|
//! | static `a` | static | dynamic; but `0 * b` is static 0, and `0 + b` is `b` |
//! | dynamic `a` | dynamic; but `a * 0` is static 0, and `a + 0` is `a` | dynamic |
//!
//! Whether two numbers are equal, and which is the less, is known to the types only where both are
//! static. Dynamic arithmetic that leaves `usize` is [`Fault::Overflow`], in release builds too.

use core::fmt::{self, Debug};
use core::hash::Hash;

use typenum::{UInt, UTerm};

use crate::error::Fault;
use crate::list::{Leaf, Nested, Untangle};
use crate::number::int::{AddInt, False, MulInt, One, StaticInt};
pub use crate::number::int::{Order, Same};

/// One leaf of a shape, a stride or a coordinate: a static integer or a `usize`.
///
/// ```
/// use layout_algebra::Number;
/// use layout_algebra::prelude::*;
/// fn twice<N: Number>(n: N) -> usize {
///     2 * n.get()
/// }
/// assert_eq!(twice(int!(12)), twice(12));
/// ```
#[diagnostic::on_unimplemented(
    message = "this is not a number of a layout",
    label = "`{Self}`: neither a static integer nor a `usize`",
    note = "write `int!(4)` for a number known at compile time, and a `usize` for one known at run time: `i as usize` \
            for another integer"
)]
pub trait Number:
    Nested<Node = Leaf<Self>> + Copy + Debug + Eq + Hash + SealedNumber + 'static
{
    /// The number, if it is known at compile time.
    const STATIC: Option<usize>;
    /// The kind of stride that the number is.
    #[doc(hidden)]
    const STRIDE: StrideKind = StrideKind::Natural;

    /// The number.
    ///
    /// ```
    /// use layout_algebra::{Number, int};
    /// assert_eq!((Number::get(int!(12)), Number::get(12)), (12, 12));
    /// ```
    fn get(self) -> usize;
    /// The number as one of this kind.
    #[doc(hidden)]
    #[inline(always)]
    fn from_number(number: usize) -> Option<Self> {
        let _ = number;
        None
    }
    /// The largest number of this kind, if run time knows its numbers and that is at least `least`.
    #[doc(hidden)]
    #[inline(always)]
    fn largest(least: usize) -> Option<Self> {
        let _ = least;
        None
    }
    /// The bits of a mask alone, if only run time knows the number; else the number.
    #[doc(hidden)]
    #[inline(always)]
    fn masked(self, mask: usize) -> Self {
        let _ = mask;
        self
    }
    /// `self * stride`, where the number counts in the extent `S` with the stride `D`. The types
    /// make a function of its own for each mode: LLVM knows what its arguments are below, before it
    /// inlines, and drops checks of bounds as early as in a loop by hand.
    #[doc(hidden)]
    #[inline(always)]
    #[track_caller]
    fn scaled<S, D>(self, stride: usize) -> usize {
        self.get() * stride
    }
}

/// The kind of a stride.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrideKind {
    /// A natural number.
    Natural,
    /// A number of steps along an axis.
    Along(usize),
    /// Steps along several axes at once.
    Diagonal(&'static StepsAlong),
    /// An XOR stride of a `DynLayout`: products without carries, whose sum is XOR.
    Xor,
    /// Steps backwards.
    Negative,
}
/// Steps along an axis, and those along others that come after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StepsAlong {
    pub axis: usize,
    pub steps: usize,
    pub others: Option<&'static StepsAlong>,
}
impl StepsAlong {
    /// The steps along an axis.
    #[inline]
    pub const fn along(&self, axis: usize) -> usize {
        match self.others {
            _ if self.axis == axis => self.steps,
            Some(others) => others.along(axis),
            None => 0,
        }
    }
}
/// `1@0+2@1`
impl fmt::Display for StepsAlong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.steps, self.axis)?;
        match self.others {
            Some(others) => write!(f, "+{others}"),
            None => Ok(()),
        }
    }
}
impl StrideKind {
    /// The kind of a stride of this number: a stride of 0 is natural.
    #[inline(always)]
    pub const fn of(self, number: usize) -> Self {
        match self {
            StrideKind::Xor | StrideKind::Negative if number == 0 => StrideKind::Natural,
            kind => kind,
        }
    }
}

/// Seals [`Number`]: only kinds of numbers with rows in the tables.
pub trait SealedNumber {}
impl<N: StaticInt> SealedNumber for N {}
impl SealedNumber for usize {}

/// A natural number: one that stands for itself alone, and is no stride of another kind.
#[diagnostic::on_unimplemented(
    message = "this is not a natural number",
    label = "`{Self}`: neither a static integer nor a `usize`",
    note = "write `int!(4)` for a number known at compile time, and a `usize` for one known at run time"
)]
pub trait Natural: Number {}
impl<N: StaticInt> Natural for N {}
impl Natural for usize {}

/// A number known only at run time: `usize`, or a [`Multiple`](crate::number::multiple::Multiple).
///
/// One impl for all of these, or for all numbers, stands where no other impl of the trait has
/// bounds with a message: the compiler would not go into those of two that may apply. Nor does it
/// stand where each operand is asked: it is tried for every type.
pub trait RunTimeNumber: Number {}
impl RunTimeNumber for usize {}

impl<N: StaticInt> Number for N {
    const STATIC: Option<usize> = Some(N::VALUE);
    #[inline(always)]
    fn from_number(number: usize) -> Option<Self> {
        (number == N::VALUE).then(N::default)
    }
    #[inline(always)]
    fn get(self) -> usize {
        N::VALUE
    }
}
impl Number for usize {
    const STATIC: Option<usize> = None;
    #[inline(always)]
    fn from_number(number: usize) -> Option<Self> {
        Some(number)
    }
    #[inline(always)]
    fn largest(_: usize) -> Option<Self> {
        Some(usize::MAX)
    }
    #[inline(always)]
    fn get(self) -> usize {
        self
    }
    #[inline(always)]
    fn masked(self, mask: usize) -> usize {
        self & mask
    }
    #[inline(always)]
    fn scaled<S, D>(self, stride: usize) -> usize {
        self * stride
    }
}

// ---- sums and products --------------------------------------------------------------------------

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

cases! { Plus::plus -> Result<Self::Output, Fault>:
    [R: Number] UTerm, R => R, (&self, right: &R) => Ok(*right);
    [U, B] UInt<U, B>, UTerm where (Self: StaticInt) => Self, (&self, _: &UTerm) => Ok(*self);
    [U, B, V, C] UInt<U, B>, UInt<V, C> where (Self: AddInt<UInt<V, C>>) => <Self as AddInt<UInt<V, C>>>::Output,
        (&self, _: &UInt<V, C>) => Ok(Default::default());
    [U, B] UInt<U, B>, usize where (Self: StaticInt) => usize, (&self, right: &usize) => right.plus(self);
    [] usize, UTerm => usize, (&self, _: &UTerm) => Ok(*self);
    [U, B] usize, UInt<U, B> where (UInt<U, B>: StaticInt) => usize,
        (&self, right: &UInt<U, B>) => self.plus(&right.get());
    [] usize, usize => usize, (&self, right: &usize) => self.checked_add(*right).ok_or(Fault::Overflow);
}

cases! { Times::times -> Result<Self::Output, Fault>:
    [R] UTerm, R => UTerm, (&self, _: &R) => Ok(*self);
    [U, B] UInt<U, B>, UTerm => UTerm, (&self, right: &UTerm) => Ok(*right);
    // Most strides of tiles are 1, and typing a product costs a step for each bit.
    [U, B] UInt<U, B>, One where (Self: StaticInt) => Self, (&self, _: &One) => Ok(*self);
    [V, A, C] One, UInt<UInt<V, A>, C> where (UInt<UInt<V, A>, C>: StaticInt) => UInt<UInt<V, A>, C>,
        (&self, right: &UInt<UInt<V, A>, C>) => Ok(*right);
    [U, A, B, V, D, C] UInt<UInt<U, A>, B>, UInt<UInt<V, D>, C> where (Self: MulInt<UInt<UInt<V, D>, C>>)
        => <Self as MulInt<UInt<UInt<V, D>, C>>>::Output,
        (&self, _: &UInt<UInt<V, D>, C>) => Ok(Default::default());
    [U, B] UInt<U, B>, usize where (Self: StaticInt) => usize, (&self, right: &usize) => right.times(self);
    [] usize, UTerm => UTerm, (&self, right: &UTerm) => Ok(*right);
    [V, C] usize, UInt<V, C> where (UInt<V, C>: StaticInt) => usize,
        (&self, right: &UInt<V, C>) => self.times(&right.get());
    [] usize, usize => usize, (&self, right: &usize) => self.checked_mul(*right).ok_or(Fault::Overflow);
}

// ---- what the types know ------------------------------------------------------------------------

// [`Same`]: whether both numbers are static and equal. For a dynamic one this is not known.
cases! { Same:
    [R: Number] usize, R => False;
    [] UTerm, usize => False;
    [U, B] UInt<U, B>, usize => False;
}

/// The order of two numbers is known only at run time.
pub struct Unknown;

// [`Order`], or [`Unknown`] where one is dynamic.
cases! { Order:
    [R: Number] usize, R => Unknown;
    [] UTerm, usize => Unknown;
    [U, B] UInt<U, B>, usize => Unknown;
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
/// For an expression that is no number, the leaf has no type, so that rustc gives one error, even
/// if the leaf is used later.
#[inline(always)]
pub const fn leaf<N: Number>(number: N) -> <N::Node as Untangle>::Tree {
    number
}
