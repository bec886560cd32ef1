//! Which vectors are to be eliminated: the bits of the linear modes of a layout, for each question.

use typenum::{UInt, UTerm};

use crate::algebra::inverse::ExtentAndStep;
use crate::algebra::mode::Mode;
use crate::list::{Cons, Nil};
use crate::number::int::{False, One, True};
use crate::refusal::NoPowerOfTwo;
use crate::refusal::undefined::Undefined;
use crate::stepped::elimination::{Eliminate, FirstVector, ModeVectors, Of};
use crate::stepped::parts::{PowerAbove, PowerWithin};
use crate::stepped::xor::Xor;
use crate::stepped::xor_modes::IsPower;

/// Which vectors the bits of the modes `self` are.
pub trait VectorsOf<Question> {
    type Output;
}
cases! { VectorsOf:
    [Question] Nil, Question => Nil;
    [S: BitsOf<Question, N, Output: BeforeVectors<T::Output>>, N, T: VectorsOf<Question>, Question]
        Cons<Mode<S, Xor<N>>, T>, Question
        => <S::Output as BeforeVectors<T::Output>>::Output;
}
/// The vectors of the mode of extent `self` and stride `^N`.
pub trait BitsOf<Question, N> {
    /// [`ModeVectors`], [`NoVectors`], or [`Undefined`].
    type Output;
}
/// There are none.
pub struct NoVectors;
/// Those of distinct offsets: the extents are powers of two. A tag says of which mode a vector is.
pub struct DistinctOffsets;
/// Those of all bits of coordinates, each tagged by where it lies in the domain, a power of two.
pub struct All;
/// They, as far as all of their sums are coordinates, and lie at powers of two in the domain.
pub struct KnownSums;
cases! { BitsOf:
    [N] UTerm, DistinctOffsets, N => Undefined<NoPowerOfTwo<Self>>;
    [U, B, N] UInt<U, B>, DistinctOffsets, N
        where (Self: IsPower<Output: OrElse<Self, N, Of<Self, N>, Undefined<NoPowerOfTwo<Self>>>>)
        => <<Self as IsPower>::Output as OrElse<Self, N, Of<Self, N>, Undefined<NoPowerOfTwo<Self>>>>::Output;
    [S: PowerAbove, P: IsPower<Output: OrElse<S::Output, N, P, Undefined<NoPowerOfTwo<P>>>>, N]
        ExtentAndStep<S, P>, All, N
        => <P::Output as OrElse<S::Output, N, P, Undefined<NoPowerOfTwo<P>>>>::Output;
    [S: PowerWithin, P: IsPower<Output: OrElse<S::Output, N, P, NoVectors>>, N] ExtentAndStep<S, P>, KnownSums, N
        => <P::Output as OrElse<S::Output, N, P, NoVectors>>::Output;
}
/// The vectors of the mode `S:^N`, `S` a power of two, if `self` says that there are any; else `Else`.
pub trait OrElse<S, N, Tag, Else> {
    type Output;
}
cases! { OrElse:
    [S, N, Tag, Else] False, S, N, Tag, Else => Else;
    [S, N, Tag, Else] True, S, N, Tag, Else => ModeVectors<S, FirstVector<N, Tag>>;
}
/// The vectors `self` before `Tail`; a mode of less than two coordinates has none.
pub trait BeforeVectors<Tail> {
    type Output;
}
cases! { BeforeVectors:
    [Tail] NoVectors, Tail => Tail;
    [R, Tail] Undefined<R>, Tail => Self;
    [V, Tail] ModeVectors<UTerm, V>, Tail => Tail;
    [V, Tail] ModeVectors<One, V>, Tail => Tail;
    [U, A, B, V, Tail] ModeVectors<UInt<UInt<U, A>, B>, V>, Tail => Cons<Self, Tail>;
}
/// The rows of the modes `X`.
pub type RowsOf<X, Question> = <<X as VectorsOf<Question>>::Output as Eliminate>::Output;
