//! Reasons that are one of two, as their numbers say.

use core::marker::PhantomData;

use typenum::{UInt, UTerm};

use super::{CarryAt, CarryIn, Explain, SpanOfNothing, SpanWithHelp};
use crate::number::int::GcdInt;
use crate::number::multiple::Multiple;
use crate::number::table::RoundTo;

/// Composition: digits add up across the mode `Extent:Stride` of the left layout.
pub struct Carry<Sum, Extent, Stride>(PhantomData<(Sum, Extent, Stride)>);
impl<Op, Sum, Extent, Stride: CarryReason<Sum, Extent, Output: Explain<Op>>> Explain<Op>
    for Carry<Sum, Extent, Stride>
{
}

/// The reason that [`Carry`] stands for; `self` is the stride of the mode.
pub trait CarryReason<Sum, Extent> {
    type Output;
}
macro_rules! carry_reasons {
    ($([$($generic:ident)*] $stride:ty: $reason:ty;)*) => {
        $(impl<Sum, Extent, $($generic),*> CarryReason<Sum, Extent> for $stride {
            type Output = $reason;
        })*
    };
}
carry_reasons! {
    [] UTerm: CarryAt<Sum, Extent, Self>;
    [U B] UInt<U, B>: CarryAt<Sum, Extent, Self>;
    [] usize: CarryIn<Sum, Extent>;
    [F] Multiple<F>: CarryIn<Sum, Extent>;
}

/// Complement: the extent is no whole number of what the layout spans.
pub struct Span<Extent, Below>(PhantomData<(Extent, Below)>);
impl<Op, Extent, Below: SpanReason<Extent, Output: Explain<Op>>> Explain<Op> for Span<Extent, Below> {}

/// The reason that [`Span`] stands for; `self` is what is spanned.
pub trait SpanReason<Extent> {
    type Output;
}
cases! { SpanReason:
    [Extent] UTerm, Extent => SpanOfNothing<Extent, Self>;
    [Extent: RoundTo<Self>, U, B] UInt<U, B>, Extent where (Self: GcdInt<Extent>)
        => SpanWithHelp<Extent, Self, Extent::Output, <Self as GcdInt<Extent>>::Output>;
}
