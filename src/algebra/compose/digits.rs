//! The general rule of composition: a step with digits in several modes.
//!
//! Write the step `e` in the mixed radix of `A`'s extents: `e = sum c_j * s_0 .. s_(j-1)`.
//! Multiples of `e` stay linear until a digit overflows, which is after `t = min ceil(s_j / c_j)`
//! steps. So the result has the mode `t : A(e)`, and `n / t` steps of `t * e` continue from there;
//! `t` has to divide `n`. Long division is expensive to compile, and no everyday layout needs it.

use core::marker::PhantomData;

use typenum::{Equal, Greater, Less, UInt, UTerm};

use crate::algebra::mode::{Mode, Stepped};
use crate::error::Fault;
use crate::list::{Cons, Nil};
use crate::number::int::{AddInt, MulInt, NotExact, One, Order, QuotientInt, StaticInt, SubInt};
use crate::number::multiple::Multiple;
use crate::number::quotient::{DivideInt, RoundQuotient};
use crate::number::table::{Plus, Times};
use crate::reasons::undefined::Undefined;
use crate::reasons::{DynamicExtent, Empty, Steps};

/// The modes `self` composed with `N:E`, both static, by the general rule, in front of the modes
/// `Out`: [`Stepped`] or [`Undefined`].
pub trait General<N, E, Out, Carries> {
    type Output;
    fn general(&self, extent: N, step: E, out: Out) -> Result<Self::Output, Fault>;
}
impl<M, T, N, E, Out, Carries> General<N, E, Out, Carries> for Cons<M, T>
where
    Self: SplitStep<E, Output: SplitSteps<Self, N, E, Out, Carries>>,
{
    type Output = <<Self as SplitStep<E>>::Output as SplitSteps<Self, N, E, Out, Carries>>::Output;
    #[inline]
    fn general(&self, extent: N, _: E, out: Out) -> Result<Self::Output, Fault> {
        self.split_step()?.proceed(self, extent, out)
    }
}

// ---- digits -------------------------------------------------------------------------------------

/// The digits of a step in all modes but the last, the number of steps that stay linear, and the
/// offset of one step.
pub struct StepDigits<Digits, Limit, Stride> {
    types: PhantomData<(Digits, Limit)>,
    stride: Stride,
}
/// The limit of a step whose digits never overflow.
pub struct Endless;
/// A digit overflows after `Steps` steps, in the mode `S:D`.
pub struct Limit<Steps, S, D>(PhantomData<(Steps, S, D)>);

/// The step `E` split in the modes `self`: [`StepDigits`], or [`Undefined`].
pub trait SplitStep<E> {
    type Output;
    fn split_step(&self) -> Result<Self::Output, Fault>;
}
cases! { SplitStep::split_step -> Result<Self::Output, Fault>:
    [S, D, E: StaticInt + Times<D>] Cons<Mode<S, D>, Nil>, E => StepDigits<Nil, Endless, E::Output>,
        (&self) => Ok(StepDigits { types: PhantomData, stride: E::default().times(&self.head.stride)? });
    // One row for each kind: a single row would hide the message for a step of an identity layout
    // along two axes.
    [D, M, T, E] Cons<Mode<usize, D>, Cons<M, T>>, E => Undefined<DynamicExtent<E>>, (&self) => Ok(Undefined::new());
    [D, M, T, E, Factor] Cons<Mode<Multiple<Factor>, D>, Cons<M, T>>, E => Undefined<DynamicExtent<E>>,
        (&self) => Ok(Undefined::new());
    // A mode of extent 0 has no coordinate to step to.
    [D, M, T, E] Cons<Mode<UTerm, D>, Cons<M, T>>, E => Undefined<Empty>, (&self) => Ok(Undefined::new());
    [U, B, D, M, T, E: DivideInt<UInt<U, B>>] Cons<Mode<UInt<U, B>, D>, Cons<M, T>>, E
        where (Cons<M, T>: SplitStep<E::Quotient, Output: AddDigit<E::Remainder, UInt<U, B>, D>>)
        => <<Cons<M, T> as SplitStep<E::Quotient>>::Output as AddDigit<E::Remainder, UInt<U, B>, D>>::Output,
        (&self) => self.tail.split_step()?.add_digit(&self.head.stride);
}

/// The digit `C` in a mode `S:D` before the digits `self`.
pub trait AddDigit<C, S, D> {
    type Output;
    fn add_digit(self, stride: &D) -> Result<Self::Output, Fault>;
}
cases! { AddDigit::add_digit -> Result<Self::Output, Fault>:
    [C: StaticInt, S, D, Digits, L, Stride] StepDigits<Digits, L, Stride>, C, S, D
        where (C: Times<D, Output: Plus<Stride>> + LimitIn<S, D, Output: Earlier<L>>)
        => StepDigits<
            Cons<C, Digits>,
            <<C as LimitIn<S, D>>::Output as Earlier<L>>::Output,
            <<C as Times<D>>::Output as Plus<Stride>>::Output,
        >,
        (self, stride: &D) =>
            Ok(StepDigits { types: PhantomData, stride: C::default().times(stride)?.plus(&self.stride)? });
    [C, S, D, R] Undefined<R>, C, S, D => Self, (self, _: &D) => Ok(self);
}

/// The number of steps after which the digit `self` overflows in the mode `S:D`: `ceil(S / self)`.
pub trait LimitIn<S, D> {
    type Output;
}
cases! { LimitIn:
    [S, D] UTerm, S, D => Endless;
    [U, B, S: DivideInt<UInt<U, B>>, D] UInt<U, B>, S, D where (S::Remainder: RoundQuotient<S::Quotient>)
        => Limit<<S::Remainder as RoundQuotient<S::Quotient>>::Output, S, D>;
}

/// The smaller of two limits; the first if they are equal.
pub trait Earlier<R> {
    type Output;
}
cases! { Earlier:
    [R] Endless, R => R;
    [A, S, D] Limit<A, S, D>, Endless => Self;
    [A: Order<B>, S, D, B, X, Y] Limit<A, S, D>, Limit<B, X, Y> where (A::Output: SmallerOf<Self, Limit<B, X, Y>>)
        => <A::Output as SmallerOf<Self, Limit<B, X, Y>>>::Output;
}
/// The smaller of `A` and `B`; `self` is their order.
pub trait SmallerOf<A, B> {
    type Output;
}
cases! { SmallerOf:
    [A, B] Less, A, B => A;
    [A, B] Equal, A, B => A;
    [A, B] Greater, A, B => B;
}

// ---- steps --------------------------------------------------------------------------------------

/// [`General`], once the step `E` is split.
pub trait SplitSteps<A, N, E, Out, Carries> {
    type Output;
    fn proceed(self, modes: &A, extent: N, out: Out) -> Result<Self::Output, Fault>;
}
cases! { SplitSteps::proceed -> Result<Self::Output, Fault>:
    // A refusal behind the first mode names a part of the step; the message names the whole step
    // `E`.
    [A, N, E, F, Out, Carries] Undefined<DynamicExtent<F>>, A, N, E, Out, Carries => Undefined<DynamicExtent<E>>,
        (self, _: &A, _: N, _: Out) => Ok(Undefined::new());
    [A, N, E, Out, Carries] Undefined<Empty>, A, N, E, Out, Carries => Self, (self, _: &A, _: N, _: Out) => Ok(self);
    [A, N, E, Out, Carries, Digits, Stride] StepDigits<Digits, Endless, Stride>, A, N, E, Out, Carries
        => Stepped<Cons<Mode<N, Stride>, Out>, Carries>,
        (self, _: &A, extent: N, out: Out) => Ok(Stepped::behind(Mode { shape: extent, stride: self.stride }, out));
    [A, N: Order<L>, E, Out, Carries, Digits, L, S, D, Stride]
        StepDigits<Digits, Limit<L, S, D>, Stride>, A, N, E, Out, Carries
        where (N::Output: LinearSteps<A, N, E, Limit<L, S, D>, Out, Carries, Digits, Stride>)
        => <N::Output as LinearSteps<A, N, E, Limit<L, S, D>, Out, Carries, Digits, Stride>>::Output,
        (self, modes: &A, extent: N, out: Out) =>
            N::Output::turn(modes, Mode { shape: extent, stride: self.stride }, out);
}

/// Takes as many of the `N` steps as stay linear, then the rest; `self` is the order of `N` and
/// that limit.
pub trait LinearSteps<A, N, E, L, Out, Carries, Digits, Stride> {
    type Output;
    fn turn(modes: &A, mode: Mode<N, Stride>, out: Out) -> Result<Self::Output, Fault>;
}
cases! { LinearSteps::turn -> Result<Self::Output, Fault>, for { [] Less; [] Equal; }:
    [A, N: SubInt<One>, E, L, Out, Carries: AddDigits<N::Output, Digits>, Digits, Stride]
        Self, A, N, E, L, Out, Carries, Digits, Stride
        => Stepped<Cons<Mode<N, Stride>, Out>, Carries::Output>,
        (_: &A, mode: Mode<N, Stride>, out: Out) => Ok(Stepped::behind(mode, out));
}
cases! { LinearSteps::turn -> Result<Self::Output, Fault>:
    [A, N: QuotientInt<L>, E, L, S, D, Out, Carries, Digits, Stride]
        Greater, A, N, E, Limit<L, S, D>, Out, Carries, Digits, Stride
        where (N::Output: RestOfSteps<A, N, E, Limit<L, S, D>, Out, Carries, Digits, Stride>)
        => <N::Output as RestOfSteps<A, N, E, Limit<L, S, D>, Out, Carries, Digits, Stride>>::Output,
        (modes: &A, mode: Mode<N, Stride>, out: Out) => N::Output::turn_on(modes, mode.stride, out);
}

/// Takes `L` steps, then the rest; `self` is the quotient of `N` and `L`.
pub trait RestOfSteps<A, N, E, L, Out, Carries, Digits, Stride> {
    type Output;
    fn turn_on(modes: &A, stride: Stride, out: Out) -> Result<Self::Output, Fault>;
}
cases! { RestOfSteps::turn_on -> Result<Self::Output, Fault>:
    [A, N, E, L, S, D, Out, Carries, Digits, Stride] NotExact, A, N, E, Limit<L, S, D>, Out, Carries, Digits, Stride
        => Undefined<Steps<N, E, L, S, D>>, (_: &A, _: Stride, _: Out) => Ok(Undefined::new());
    [U, B, A, N, E, L, S, D, Out, Carries, Digits, Stride]
        UInt<U, B>, A, N, E, Limit<L, S, D>, Out, Carries, Digits, Stride
        where (
            Self: StaticInt,
            L: StaticInt + SubInt<One> + MulInt<E>,
            Carries: AddDigits<<L as SubInt<One>>::Output, Digits>,
            A: General<Self, <L as MulInt<E>>::Output, Cons<Mode<L, Stride>, Out>, Carries::Output>,
        )
        => A::Output, (modes: &A, stride: Stride, out: Out) => {
        let head = Mode { shape: L::default(), stride };
        modes.general(Self::default(), Default::default(), Cons { head, tail: out })
    };
}

/// The carries `self` plus `Steps` steps of the digits.
pub trait AddDigits<Steps, Digits> {
    type Output;
}
cases! { AddDigits:
    [Steps] Nil, Steps, Nil => Nil;
    [C0: AddInt<Steps::Output>, CT: AddDigits<Steps, DT>, Steps: MulInt<C>, C, DT] Cons<C0, CT>, Steps, Cons<C, DT>
        => Cons<C0::Output, CT::Output>;
}
