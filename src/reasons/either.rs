//! Reasons that are one of two, as their numbers say.

use core::marker::PhantomData;

use typenum::{UInt, UTerm};

use super::{CarryAt, CarryIn, Explain, SpanOfNothing, SpanWithHelp, StepsAt, StepsIn};
use crate::number::quotient::{GcdInt, RoundTo};
use crate::number::table::RunTimeNumber;

/// Composition: digits add up across the mode `Extent:Stride` of the left layout.
pub struct Carry<Sum, Extent, Stride>(PhantomData<(Sum, Extent, Stride)>);
impl<Op, Sum, Extent, Stride> Explain<Op> for Carry<Sum, Extent, Stride> where
    Stride: ByStride<CarryAt<Sum, Extent, Stride>, CarryIn<Sum, Extent>, Output: Explain<Op>>
{
}

/// Composition: `Count` steps of the right mode `N:E` leave the mode `Extent:Stride` of the left
/// layout, and do not divide `N`.
pub struct Steps<N, E, Count, Extent, Stride>(PhantomData<(N, E, Count, Extent, Stride)>);
impl<Op, N, E, Count, Extent, Stride> Explain<Op> for Steps<N, E, Count, Extent, Stride> where
    Stride: ByStride<
            StepsAt<N, E, Count, Extent, Stride>,
            StepsIn<N, E, Count, Extent>,
            Output: Explain<Op>,
        >
{
}

/// The reason `At` if the stride `self` of a left mode is static, or else `In`, which does not name
/// it.
pub trait ByStride<At, In> {
    type Output;
}
cases! { ByStride:
    [At, In] UTerm, At, In => At;
    [U, B, At, In] UInt<U, B>, At, In => At;
    [N: RunTimeNumber, At, In] N, At, In => In;
}

/// Complement: the extent is no whole number of what the layout spans.
pub struct Span<Extent, Below>(PhantomData<(Extent, Below)>);
impl<Op, Extent, Below: SpanReason<Extent, Output: Explain<Op>>> Explain<Op>
    for Span<Extent, Below>
{
}

/// The reason that [`Span`] stands for; `self` is what is spanned.
pub trait SpanReason<Extent> {
    type Output;
}
cases! { SpanReason:
    [Extent] UTerm, Extent => SpanOfNothing<Extent, Self>;
    [Extent: RoundTo<Self>, U, B] UInt<U, B>, Extent where (Self: GcdInt<Extent>)
        => SpanWithHelp<Extent, Self, Extent::Output, <Self as GcdInt<Extent>>::Output>;
}
