//! What a mode of the right operand becomes, and how far its steps reach in each mode of the left one: the carries.

use core::marker::PhantomData;

use typenum::{Equal, Greater, Less, UInt, UTerm};

use crate::number::int::{AddInt, Order};
use crate::refusal::Carry;
use crate::refusal::undefined::Undefined;

/// The modes that a mode of `B` became, the last one first, and the carries so far.
pub struct ModesAndCarries<Out, Carries> {
    pub out: Out,
    pub carries: PhantomData<Carries>,
}

/// The carry `self` with `X` more, the reach of steps of `E`, in the mode `S:D`: a number below `S`, or [`Undefined`].
pub trait AddCarry<X, E, S, D> {
    type Output;
}
/// The first to come is below the extent by itself.
impl<X, E, S, D> AddCarry<X, E, S, D> for UTerm {
    type Output = X;
}
impl<U, B, X, E, S, D> AddCarry<X, E, S, D> for UInt<U, B>
where
    Self: AddInt<X, Output: Order<S>>,
    <<Self as AddInt<X>>::Output as Order<S>>::Output: BelowExtent<<Self as AddInt<X>>::Output, S, D>,
{
    type Output =
        <<<Self as AddInt<X>>::Output as Order<S>>::Output as BelowExtent<<Self as AddInt<X>>::Output, S, D>>::Output;
}

/// Is the sum below the extent of the mode `S:D`? `self` is their order.
pub trait BelowExtent<Sum, S, D> {
    type Output;
}
cases! { BelowExtent:
    [Sum, S, D] Less, Sum, S, D => Sum;
    [Sum, S, D] Equal, Sum, S, D => Undefined<Carry<Sum, S, D>>;
    [Sum, S, D] Greater, Sum, S, D => Undefined<Carry<Sum, S, D>>;
}
