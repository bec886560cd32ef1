//! XOR modes go on in one another after a power of two of steps: `s0:^d ++ s1:^(d*s0)` is `(s0*s1):^d`.
//!
//! After any other number of steps they do not: the bits of a coordinate below 3 and of one above are not apart.
//!
//! In a left operand of a composition, the bits that steps use are kept for each of them, the last one too.

use typenum::{B0, B1, UInt, UTerm};

use crate::algebra::coalesce::Join;
use crate::algebra::compose::composition::{NoCarries, no_carries};
use crate::algebra::compose::digits::{EndlessBits, SplitStep, StepDigits};
use crate::algebra::compose::used_bits::Used;
use crate::algebra::filter::Moving;
use crate::algebra::mode::Mode;
use crate::error::Fault;
use crate::list::{Cons, Nil};
use crate::number::int::{False, One, StaticInt, True};
use crate::number::table::{Same, Times};
use crate::stepped::xor::{OfOtherKind, Xor};

/// Two XOR strides are equal: whether a mode goes on with the second one, its extent has to say.
pub struct SameBits;
cases! { Same: [N: Same<M, Output: OfBits>, M] Xor<N>, Xor<M> => <N::Output as OfBits>::Output; }
/// [`True`] as [`SameBits`].
pub trait OfBits {
    type Output;
}
cases! { OfBits:
    [] True => SameBits;
    [] False => False;
}

impl<S: IsPower<Output: Join<S, D, Behind>>, D, Behind> Join<S, D, Behind> for SameBits {
    type Output = <S::Output as Join<S, D, Behind>>::Output;
    #[inline]
    fn join(first: Mode<S, D>, behind: Behind) -> Result<Self::Output, Fault> {
        S::Output::join(first, behind)
    }
}
impl<S, D, Behind, Numbers> Join<S, D, Behind> for OfOtherKind<Numbers> {
    type Output = Cons<Mode<S, D>, Behind>;
    #[inline]
    fn join(first: Mode<S, D>, behind: Behind) -> Result<Self::Output, Fault> {
        False::join(first, behind)
    }
}
/// Is this static number a power of two?
pub trait IsPower {
    type Output;
}
cases! { IsPower:
    [] UTerm => False;
    [] One => True;
    [U, A] UInt<UInt<U, A>, B1> => False;
    // Two zeros a step.
    [] UInt<One, B0> => True;
    [U, A] UInt<UInt<UInt<U, A>, B1>, B0> => False;
    [U, A] UInt<UInt<UInt<U, A>, B0>, B0> where (UInt<U, A>: IsPower) => <UInt<U, A> as IsPower>::Output;
}

cases! { Moving::moving -> Result<Self::Output, Fault>:
    [S, T: Moving, N] Cons<Mode<S, Xor<N>>, T> => Cons<Mode<S, Xor<N>>, T::Output>,
        (self) => Ok(Cons { head: self.head, tail: self.tail.moving()? });
}

cases! { NoCarries::refuse_empty -> Result<(), Fault>:
    [S, N] Cons<Mode<S, Xor<N>>, Nil> => Cons<Used<UTerm, UTerm>, Nil>, (&self, _: usize) => Ok(());
}
no_carries! { @bounded [X] Xor<X>, Used<UTerm, UTerm> }
impl<S, N, E: StaticInt + Times<Xor<N>>> SplitStep<E> for Cons<Mode<S, Xor<N>>, Nil> {
    type Output = StepDigits<Cons<E, Nil>, EndlessBits, E::Output>;
    #[inline]
    fn split_step(&self) -> Result<Self::Output, Fault> {
        Ok(StepDigits::to(E::default().times(&self.head.stride)?))
    }
}
