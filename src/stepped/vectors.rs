//! Which vectors are to be eliminated: the bits of the linear modes of a layout, for each question.

use core::marker::PhantomData;

use typenum::{UInt, UTerm};

use crate::algebra::inverse::ExtentAndStep;
use crate::algebra::mode::Mode;
use crate::list::{Cons, Nil};
use crate::number::int::{False, True};
use crate::refusal::NoPowerOfTwo;
use crate::refusal::undefined::Undefined;
use crate::stepped::elimination::{Eliminate, Of, SeriesOf, ShiftedBy};
use crate::stepped::parts::PowerAbove;
use crate::stepped::xor::Xor;
use crate::stepped::xor_modes::IsPower;

/// Which vectors the bits of the modes `self` are.
pub trait VectorsOf<Question> {
    /// As many bits as `Unit` has zeros.
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
pub struct DistinctOffsets<Unit>(PhantomData<Unit>);
/// Those of all bits of coordinates, each tagged by where it lies in the domain, a power of two.
pub struct All<Unit>(PhantomData<Unit>);
/// They, as far as all of their sums are coordinates, and lie at powers of two in the domain.
pub struct KnownSums<Unit>(PhantomData<Unit>);
cases! { BitsOf:
    [Unit, N, Tail] UTerm, DistinctOffsets<Unit>, N, Tail => Undefined<NoPowerOfTwo<Self>>;
    [U, B, Unit, N, Tail] UInt<U, B>, DistinctOffsets<Unit>, N, Tail
        where (Self: IsPower<Output: OrElse<Self, N, Of<Self, N>, Unit, Tail, Undefined<NoPowerOfTwo<Self>>>>)
        => <<Self as IsPower>::Output as OrElse<
            Self, N, Of<Self, N>, Unit, Tail, Undefined<NoPowerOfTwo<Self>>,
        >>::Output;
    [S: PowerAbove<Output: ShiftedBy<P>>, P: IsPower, Unit, N, Tail] ExtentAndStep<S, P>, All<Unit>, N, Tail
        where (P::Output: OrElse<S::Output, N, LastStep<S::Output, P>, Unit, Tail, Undefined<NoPowerOfTwo<P>>>)
        => <P::Output as OrElse<
            S::Output, N, LastStep<S::Output, P>, Unit, Tail, Undefined<NoPowerOfTwo<P>>,
        >>::Output;
    [S: ShiftedBy<P>, P: IsPower<Output: OrElse<S, N, LastStep<S, P>, Unit, Tail, Tail>>, Unit, N, Tail]
        ExtentAndStep<S, P>, KnownSums<Unit>, N, Tail
        => <P::Output as OrElse<S, N, LastStep<S, P>, Unit, Tail, Tail>>::Output;
}
/// Where the highest bit of a coordinate lies in the domain.
type LastStep<S, P> = <S as ShiftedBy<P>>::Output;
/// The vectors of the mode `S:^N`, if `self` says that there are any; else `Else`.
pub trait OrElse<S, N, Tag, Unit, Tail, Else> {
    type Output;
}
cases! { OrElse:
    [S, N, Tag, Unit, Tail, Else] False, S, N, Tag, Unit, Tail, Else => Else;
    [S: SeriesOf<N, Tag, Unit, Tail>, N, Tag, Unit, Tail, Else] True, S, N, Tag, Unit, Tail, Else => S::Output;
}
/// The rows of the modes `X`.
pub type RowsOf<X, Question, Unit> = <<X as VectorsOf<Question>>::Output as Eliminate<Unit>>::Output;
