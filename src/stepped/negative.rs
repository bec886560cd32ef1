//! Negative strides: steps backwards.
//!
//! ```text
//! c * -d = -(c * d)          -a + -b = -(a + b)          a + -b = a - b
//! ```
//!
//! The sign of a sum has to be known: a natural and a negative stride have one where both are static.

use core::fmt::{self, Debug, Formatter};

use typenum::{UInt, UTerm};

use crate::algebra::filter::Moving;
use crate::algebra::mode::Mode;
use crate::error::Fault;
use crate::list::{Cons, Leaf};
use crate::number::int::{False, StaticInt, SubInt, Underflow};
use crate::number::multiple::Multiple;
use crate::number::show::{Show, ShowNode, Shown};
use crate::number::table::{Natural, Number, Plus, RunTimeNumber, Same, SealedNumber, StrideKind, Times};
use crate::refusal::ByStride;
use crate::tuple::int_tuple::{IsStatic, StaticNode};
use crate::tuple::semimodule::Semimodule;

/// Offsets with a sign: those of negative strides, and of natural ones beside them.
pub struct Signed;
impl Semimodule for Signed {
    type Offset = isize;
    #[inline(always)]
    fn zero() -> isize {
        0
    }
    #[inline(always)]
    fn product(number: usize, stride: usize, kind: StrideKind) -> isize {
        // What is fixed of an empty layout leads anywhere.
        let distance = number.wrapping_mul(stride) as isize;
        match kind {
            StrideKind::Negative => distance.wrapping_neg(),
            _ => distance,
        }
    }
    #[inline(always)]
    fn sum(left: isize, right: isize) -> isize {
        left.wrapping_add(right)
    }
    #[inline]
    fn cosize(reach: Option<usize>, _: isize) -> Option<usize> {
        reach?.checked_add(1)
    }
}

/// The negative stride `-N`, a leaf of [`SignedLayout`](crate::SignedLayout): `c` steps go `c * N` back. `N` is a
/// natural number, static or not.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::Minus;
/// let flipped = SignedLayout::new(shape!((4, 6)), (Minus::new(int!(1)), int!(4)));
/// assert_eq!(flipped, layout!((4, 6):(-1, 4)));
/// assert_eq!((flipped.index((3, 0)), flipped.index((3, 1))), (-3, 1));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Minus<N>(pub(crate) N);

impl<N: Natural> Minus<N> {
    /// The negative stride of a natural number.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_algebra::Minus;
    /// assert_eq!(format!("{:?}", Minus::new(4)), "-4");
    /// ```
    #[inline(always)]
    pub const fn new(number: N) -> Self {
        Minus(number)
    }
}
impl<N: Number> Debug for Minus<N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "-{}", self.0.get())
    }
}
leaves! { [N] Minus<N>; }
impl<N> SealedNumber for Minus<N> {}
impl<N: Natural> Number for Minus<N> {
    const STATIC: Option<usize> = N::STATIC;
    const STRIDE: StrideKind = StrideKind::Negative;
    #[inline(always)]
    fn get(self) -> usize {
        self.0.get()
    }
}
impl<N: StaticInt> StaticNode for Leaf<Minus<N>> {}
cases! { IsStatic: [N] Leaf<Minus<N>> where (Leaf<N>: IsStatic) => <Leaf<N> as IsStatic>::Output; }
cases! { ShowNode: [N: Show] Leaf<Minus<N>> => Minus<N::Output>; }

/// `N * self` of a natural stride. A trait of the stride, not of the number: of a stride that is not known yet the
/// compiler looks no further.
pub trait ProductWith<N> {
    type Output: Natural;
    fn product_with(&self, number: &N) -> Result<Self::Output, Fault>;
}
cases! { ProductWith::product_with -> Result<Self::Output, Fault>,
    for { [] UTerm; [U B] UInt<U, B>; [] usize; [Factor] Multiple<Factor>; }:
    [N: Times<Self, Output: Natural>] Self, N => N::Output, (&self, number: &N) => number.times(self);
}
// `c * -d = -(c * d)`
cases! { Times::times -> Result<Self::Output, Fault>, for { [U B] UInt<U, B>; [] usize; [Factor] Multiple<Factor>; }:
    [N: ProductWith<Self>] Self, Minus<N> => Minus<N::Output>,
        (&self, right: &Minus<N>) => Ok(Minus(right.0.product_with(self)?));
}

/// A difference of static numbers as a stride; `self` is what the subtraction of `R` from `L` gives.
pub trait AsDifference<L, R> {
    type Output: Number + Default;
}
cases! { AsDifference:
    [L, R] UTerm, L, R => UTerm;
    [L, R, U, B] UInt<U, B>, L, R where (Self: StaticInt) => Self;
    [L, R: SubInt<L, Output: StaticInt>] Underflow, L, R => Minus<R::Output>;
}

cases! { Plus::plus -> Result<Self::Output, Fault>:
    [N: Natural] Minus<N>, UTerm => Self, (&self, _: &UTerm) => Ok(*self);
    [N: Plus<M, Output: Natural>, M] Minus<N>, Minus<M> => Minus<N::Output>,
        (&self, right: &Minus<M>) => Ok(Minus(self.0.plus(&right.0)?));
    [U, B, V, C] UInt<U, B>, Minus<UInt<V, C>> where (Self: SubInt<UInt<V, C>, Output: AsDifference<Self, UInt<V, C>>>)
        => <<Self as SubInt<UInt<V, C>>>::Output as AsDifference<Self, UInt<V, C>>>::Output,
        (&self, _: &Minus<UInt<V, C>>) => Ok(Default::default());
    [U, B, V, C] Minus<UInt<U, B>>, UInt<V, C> where (UInt<V, C>: Plus<Self>) => <UInt<V, C> as Plus<Self>>::Output,
        (&self, right: &UInt<V, C>) => right.plus(self);
}
// The sign of the sum is not known.
cases! { Plus::plus -> Result<Self::Output, Fault>, for { [] usize; [F] Multiple<F>; }:
    [N: Natural + Show] Self, Minus<N> where ((): StepOfAnySign<Shown<Self>, Shown<N>>, Self: Show) => Minus<N>,
        (&self, right: &Minus<N>) => Ok(*right);
}
cases! { Plus::plus -> Result<Self::Output, Fault>:
    [N: Natural + Show, R: RunTimeNumber + Show] Minus<N>, R where ((): StepOfAnySign<Shown<R>, Shown<N>>) => Self,
        (&self, _: &R) => Ok(*self);
    [U, B, N: RunTimeNumber + Natural + Show] UInt<U, B>, Minus<N>
        where ((): StepOfAnySign<Shown<Self>, Shown<N>>, Self: Show) => Minus<N>,
        (&self, right: &Minus<N>) => Ok(*right);
    [U, B, N: RunTimeNumber + Natural + Show] Minus<N>, UInt<U, B>
        where ((): StepOfAnySign<Shown<UInt<U, B>>, Shown<N>>, UInt<U, B>: Show) => Self,
        (&self, _: &UInt<U, B>) => Ok(*self);
}
#[diagnostic::on_unimplemented(
    message = "cannot compose: one step of the result would go {D} far on and {M} far back, and which is more is \
               known only at run time",
    label = "the sign of a stride has to be known at compile time",
    note = "write both strides as literals; `l.to_dynamic()` has the composition"
)]
/// Implemented by nothing: the message of a sum whose sign is not known.
pub trait StepOfAnySign<D, M> {}

cases! { Same:
    [N] UTerm, Minus<N> => False;
    [U, B, N] UInt<U, B>, Minus<N> => False;
    [N] Minus<N>, UTerm => False;
    [N, U, B] Minus<N>, UInt<U, B> => False;
    [N] Minus<N>, usize => False;
    [N, F] Minus<N>, Multiple<F> => False;
    [N: Same<M>, M] Minus<N>, Minus<M> => N::Output;
}

// ---- in a left operand --------------------------------------------------------------------------------------------

cases! { Moving::moving -> Result<Self::Output, Fault>:
    [S, T: Moving, N] Cons<Mode<S, Minus<N>>, T> => Cons<Mode<S, Minus<N>>, T::Output>,
        (self) => Ok(Cons { head: self.head, tail: self.tail.moving()? });
}

/// A negative stride is named in no message about natural ones.
impl<At, In, N> ByStride<At, In> for Minus<N> {
    type Output = In;
}
