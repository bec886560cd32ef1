//! [`StepThrough`] with a step of 1, the most frequent one: tiles begin so, and every mode goes on so behind another.
//! What the general case finds by multiplying is known here.
//!
//! ```text
//! n <= s      all n steps stay within the mode s:d: the result has the mode n:d
//! n > s       s steps fill the mode, and they divide n: the mode s:d, then n/s steps of 1 behind it
//! ```

use typenum::{Equal, Greater, Less, UInt};

use crate::algebra::compose::carry::AddCarry;
use crate::algebra::compose::step_through::{Emit, GoOn, StepThrough};
use crate::algebra::mode::Mode;
use crate::error::Fault;
use crate::list::Cons;
use crate::number::int::{One, Order, SubInt};
use crate::number::multiple::Multiple;
use crate::number::table::{Number, Quotient};
use crate::refusal::DynamicRightExtent;
use crate::refusal::undefined::Undefined;

/// A step of 1 passes no mode of those that are left after coalescing: most tiles begin so,
/// and all go on so behind a mode.
impl<V, C, D, M, T, N, Out, Carries> StepThrough<N, One, Out, Carries> for Cons<Mode<UInt<V, C>, D>, Cons<M, T>>
where
    N: StepByOne<Self, UInt<V, C>, Out, Carries>,
{
    type Output = N::Output;
    #[inline]
    fn step_through(&self, extent: N, _: One, out: Out) -> Result<Self::Output, Fault> {
        extent.step_by_one(self, out)
    }
}

/// `self` steps of 1 into a mode of extent `S`.
pub trait StepByOne<A, S, Out, Carries> {
    type Output;
    fn step_by_one(self, modes: &A, out: Out) -> Result<Self::Output, Fault>;
}
impl<A, S, U, B, Out, Carries> StepByOne<A, S, Out, Carries> for UInt<U, B>
where
    Self: Order<S>,
    <Self as Order<S>>::Output: StayByOne<A, Self, Out, Carries>,
{
    type Output = <<Self as Order<S>>::Output as StayByOne<A, Self, Out, Carries>>::Output;
    #[inline]
    fn step_by_one(self, modes: &A, out: Out) -> Result<Self::Output, Fault> {
        <Self as Order<S>>::Output::stay_by_one(modes, self, out)
    }
}
cases! { StepByOne::step_by_one -> Result<Self::Output, Fault>:
    [A, S, Out, Carries] usize, A, S, Out, Carries => Undefined<DynamicRightExtent<One, S>>,
        (self, _: &A, _: Out) => Ok(Undefined::new());
    [A, S, Out, Carries, Factor] Multiple<Factor>, A, S, Out, Carries => Undefined<DynamicRightExtent<One, S>>,
        (self, _: &A, _: Out) => Ok(Undefined::new());
}

/// [`StepThrough`] with `N` steps of 1; `self` is the order of `N` and the first extent.
pub trait StayByOne<A, N, Out, Carries> {
    type Output;
    fn stay_by_one(modes: &A, extent: N, out: Out) -> Result<Self::Output, Fault>;
}
macro_rules! stay_by_one {
    ($($order:ty),*) => {
        $(impl<S, D: Number, T, N: SubInt<One>, Out, C0, CT> StayByOne<Cons<Mode<S, D>, T>, N, Out, Cons<C0, CT>>
            for $order
        where
            C0: AddCarry<N::Output, One, S, D>,
            C0::Output: Emit<N, D, Out, CT>,
        {
            type Output = <C0::Output as Emit<N, D, Out, CT>>::Output;
            #[inline]
            fn stay_by_one(modes: &Cons<Mode<S, D>, T>, extent: N, out: Out) -> Result<Self::Output, Fault> {
                Ok(C0::Output::emit(Mode { shape: extent, stride: modes.head.stride }, out))
            }
        })*
    };
}
stay_by_one!(Less, Equal);
impl<S, D, T, N: Quotient<S>, Out, Carries> StayByOne<Cons<Mode<S, D>, T>, N, Out, Carries> for Greater
where
    N::Output: GoOn<Cons<Mode<S, D>, T>, N, One, S, Out, Carries>,
{
    type Output = <N::Output as GoOn<Cons<Mode<S, D>, T>, N, One, S, Out, Carries>>::Output;
    #[inline]
    fn stay_by_one(modes: &Cons<Mode<S, D>, T>, _: N, out: Out) -> Result<Self::Output, Fault> {
        N::Output::go_on(modes, One::default(), out)
    }
}
