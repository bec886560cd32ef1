//! Which vectors are to be eliminated: the bits of the linear modes of a layout, for each question.

use typenum::{UInt, UTerm};

use crate::algebra::inverse::ExtentAndStep;
use crate::algebra::mode::Mode;
use crate::list::{Cons, Nil};
use crate::number::int::{False, One, True};
use crate::refusal::NoPowerOfTwo;
use crate::refusal::undefined::Undefined;
use crate::stepped::elimination::{Eliminate, First, Of, Vectors};
use crate::stepped::parts::{PowerAbove, PowerWithin};
use crate::stepped::xor::Xor;
use crate::stepped::xor_modes::IsPower;

/// Which vectors the bits of the modes `self` are.
pub trait VectorsOf<Question> {
    type Output;
}
cases! { VectorsOf:
    [Question] Nil, Question => Nil;
    [S: BitsOf<Question, N, T::Output>, N, T: VectorsOf<Question>, Question] Cons<Mode<S, Xor<N>>, T>, Question
        => S::Output;
}
/// The vectors of the mode of extent `self` and stride `^N` before those of the modes behind it.
pub trait BitsOf<Question, N, Tail> {
    type Output;
}
/// Those of distinct offsets: the extents are powers of two. A tag says of which mode a vector is.
pub struct DistinctOffsets;
/// Those of all bits of coordinates, each tagged by where it lies in the domain, a power of two.
pub struct All;
/// They, as far as all of their sums are coordinates, and lie at powers of two in the domain.
pub struct KnownSums;
cases! { BitsOf:
    [N, Tail] UTerm, DistinctOffsets, N, Tail => Undefined<NoPowerOfTwo<Self>>;
    [U, B, N, Tail] UInt<U, B>, DistinctOffsets, N, Tail
        where (Self: IsPower<Output: OrElse<Self, N, Of<Self, N>, Tail, Undefined<NoPowerOfTwo<Self>>>>)
        => <<Self as IsPower>::Output as OrElse<Self, N, Of<Self, N>, Tail, Undefined<NoPowerOfTwo<Self>>>>::Output;
    [S: PowerAbove, P: IsPower<Output: OrElse<S::Output, N, P, Tail, Undefined<NoPowerOfTwo<P>>>>, N, Tail]
        ExtentAndStep<S, P>, All, N, Tail
        => <P::Output as OrElse<S::Output, N, P, Tail, Undefined<NoPowerOfTwo<P>>>>::Output;
    [S: PowerWithin, P: IsPower<Output: OrElse<S::Output, N, P, Tail, Tail>>, N, Tail]
        ExtentAndStep<S, P>, KnownSums, N, Tail
        => <P::Output as OrElse<S::Output, N, P, Tail, Tail>>::Output;
}
/// The vectors of the mode `S:^N`, `S` a power of two, if `self` says that there are any; else `Else`.
pub trait OrElse<S, N, Tag, Tail, Else> {
    type Output;
}
cases! { OrElse:
    [S, N, Tag, Tail, Else] False, S, N, Tag, Tail, Else => Else;
    [S: BeforeVectors<N, Tag, Tail>, N, Tag, Tail, Else] True, S, N, Tag, Tail, Else => S::Output;
}
/// The vectors of the mode `self:^N` before `Tail`; a mode of less than two coordinates has none.
pub trait BeforeVectors<N, Tag, Tail> {
    type Output;
}
cases! { BeforeVectors:
    [N, Tag, Tail] UTerm, N, Tag, Tail => Tail;
    [N, Tag, Tail] One, N, Tag, Tail => Tail;
    [U, A, B, N, Tag, Tail] UInt<UInt<U, A>, B>, N, Tag, Tail => Cons<Vectors<Self, First<N, Tag>>, Tail>;
}
/// The rows of the modes `X`.
pub type RowsOf<X, Question> = <<X as VectorsOf<Question>>::Output as Eliminate>::Output;
