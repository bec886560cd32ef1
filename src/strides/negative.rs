//! Negative strides: steps backwards.
//!
//! ```text
//! c * -d = -(c * d)          -a + -b = -(a + b)          a + -b = a - b
//! ```
//!
//! The sign of a sum has to be known: a natural and a negative stride have one where both are
//! static.

use core::fmt::{self, Debug, Formatter};

use typenum::{UInt, UTerm};

use crate::algebra::filter::Moving;
use crate::algebra::mode::Mode;
use crate::error::Fault;
use crate::list::{Cons, Leaf};
use crate::number::int::{False, StaticInt, SubInt, Underflow};
use crate::number::multiple::Multiple;
use crate::number::show::{Show, ShowNode, Shown};
use crate::number::table::{
    Natural, Number, Plus, RunTimeNumber, Same, SealedNumber, StrideKind, Times,
};
use crate::reasons::ByStride;
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
        // In an empty layout the offset of the fixed part does not matter.
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

/// The negative stride `-N`, a leaf of [`SignedLayout`](crate::SignedLayout): `c` steps go `c * N`
/// back. `N` is a natural number, static or not.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::strides::Neg;
/// let flipped = SignedLayout::new(shape!((4, 6)), (Neg::new(int!(1)), int!(4)));
/// assert_eq!(flipped, layout!((4, 6):(-1, 4)));
/// assert_eq!((flipped.index((3, 0)), flipped.index((3, 1))), (-3, 1));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Neg<N>(pub(crate) N);

impl<N: Natural> Neg<N> {
    /// The negative stride of a natural number.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_algebra::strides::Neg;
    /// assert_eq!(format!("{:?}", Neg::new(4)), "-4");
    /// ```
    #[inline(always)]
    pub const fn new(number: N) -> Self {
        Neg(number)
    }
}
impl<N: Number> Debug for Neg<N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "-{}", self.0.get())
    }
}
leaves! { [N] Neg<N>; }
impl<N> SealedNumber for Neg<N> {}
impl<N: Natural> Number for Neg<N> {
    const STATIC: Option<usize> = N::STATIC;
    const STRIDE: StrideKind = StrideKind::Negative;
    #[inline(always)]
    fn get(self) -> usize {
        self.0.get()
    }
}
impl<N: StaticInt> StaticNode for Leaf<Neg<N>> {}
cases! { IsStatic: [N] Leaf<Neg<N>> where (Leaf<N>: IsStatic) => <Leaf<N> as IsStatic>::Output; }
cases! { ShowNode: [N: Show] Leaf<Neg<N>> => Neg<N::Output>; }

/// `N * self` for a natural stride. The trait is implemented on the stride, not on the number:
/// while the stride is unknown, the compiler searches no further.
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
    [N: ProductWith<Self>] Self, Neg<N> => Neg<N::Output>,
        (&self, right: &Neg<N>) => Ok(Neg(right.0.product_with(self)?));
}

/// A difference of static numbers as a stride; `self` is what the subtraction of `R` from `L`
/// gives.
pub trait AsDifference<L, R> {
    type Output: Number + Default;
}
cases! { AsDifference:
    [L, R] UTerm, L, R => UTerm;
    [L, R, U, B] UInt<U, B>, L, R where (Self: StaticInt) => Self;
    [L, R: SubInt<L, Output: StaticInt>] Underflow, L, R => Neg<R::Output>;
}

cases! { Plus::plus -> Result<Self::Output, Fault>:
    [N: Natural] Neg<N>, UTerm => Self, (&self, _: &UTerm) => Ok(*self);
    [N: Plus<M, Output: Natural>, M] Neg<N>, Neg<M> => Neg<N::Output>,
        (&self, right: &Neg<M>) => Ok(Neg(self.0.plus(&right.0)?));
    [U, B, V, C] UInt<U, B>, Neg<UInt<V, C>> where (Self: SubInt<UInt<V, C>, Output: AsDifference<Self, UInt<V, C>>>)
        => <<Self as SubInt<UInt<V, C>>>::Output as AsDifference<Self, UInt<V, C>>>::Output,
        (&self, _: &Neg<UInt<V, C>>) => Ok(Default::default());
    [U, B, V, C] Neg<UInt<U, B>>, UInt<V, C> where (UInt<V, C>: Plus<Self>) => <UInt<V, C> as Plus<Self>>::Output,
        (&self, right: &UInt<V, C>) => right.plus(self);
}
// The sign of the sum is not known.
cases! { Plus::plus -> Result<Self::Output, Fault>, for { [] usize; [F] Multiple<F>; }:
    [N: Natural + Show] Self, Neg<N> where ((): StepOfAnySign<Shown<Self>, Shown<N>>, Self: Show) => Neg<N>,
        (&self, right: &Neg<N>) => Ok(*right);
}
cases! { Plus::plus -> Result<Self::Output, Fault>:
    [N: Natural + Show, R: RunTimeNumber + Show] Neg<N>, R where ((): StepOfAnySign<Shown<R>, Shown<N>>) => Self,
        (&self, _: &R) => Ok(*self);
    [U, B, N: RunTimeNumber + Natural + Show] UInt<U, B>, Neg<N>
        where ((): StepOfAnySign<Shown<Self>, Shown<N>>, Self: Show) => Neg<N>,
        (&self, right: &Neg<N>) => Ok(*right);
    [U, B, N: RunTimeNumber + Natural + Show] Neg<N>, UInt<U, B>
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
    [N] UTerm, Neg<N> => False;
    [U, B, N] UInt<U, B>, Neg<N> => False;
    [N] Neg<N>, UTerm => False;
    [N, U, B] Neg<N>, UInt<U, B> => False;
    [N] Neg<N>, usize => False;
    [N, F] Neg<N>, Multiple<F> => False;
    [N: Same<M>, M] Neg<N>, Neg<M> => N::Output;
}

// ---- in a left operand --------------------------------------------------------------------------

cases! { Moving::moving -> Result<Self::Output, Fault>:
    [S, T: Moving, N] Cons<Mode<S, Neg<N>>, T> => Cons<Mode<S, Neg<N>>, T::Output>,
        (self) => Ok(Cons { head: self.head, tail: self.tail.moving()? });
}

/// A negative stride is named in no message about natural ones.
impl<At, In, N> ByStride<At, In> for Neg<N> {
    type Output = In;
}
