//! Which vectors are to be eliminated: the bits of the linear modes of a layout, for each question.

use typenum::{UInt, UTerm};

use crate::algebra::inverse::ExtentAndStep;
use crate::algebra::mode::Mode;
use crate::list::{Cons, Nil};
use crate::number::int::{False, One, True};
use crate::number::table::RunTimeNumber;
use crate::refusal::NoPowerOfTwo;
use crate::refusal::undefined::Undefined;
use crate::stepped::elimination::{Eliminate, FirstVector, ModeVectors, Of, PowerWithin};
use crate::stepped::parts::PowerAbove;
use crate::stepped::xor::Xor;
use crate::stepped::xor_modes::IsPower;

/// Those of distinct offsets: the extents are powers of two. A tag says of which mode a vector is.
pub struct DistinctOffsets;
/// Those of all bits of coordinates, each tagged by where it lies in the domain, a power of two.
pub struct All;
/// They, as far as all of their sums are coordinates, and lie at powers of two in the domain.
pub struct KnownSums;

/// Which vectors the bits of the modes `self` are.
pub trait VectorsOf<Question> {
    /// A list of [`ModeVectors`], or [`Undefined`].
    type Output;
}
cases! { VectorsOf:
    [Question] Nil, Question => Nil;
    [
        S: IsPower<Output: VectorsIf<DistinctOffsets, ModeVectors<S, FirstVector<N, Of<S, N>>>, T::Output>>, N,
        T: VectorsOf<DistinctOffsets>,
    ] Cons<Mode<S, Xor<N>>, T>, DistinctOffsets
        => <S::Output as VectorsIf<DistinctOffsets, ModeVectors<S, FirstVector<N, Of<S, N>>>, T::Output>>::Output;
    [
        S: PowerAbove, P: IsPower<Output: VectorsIf<All, ModeVectors<S::Output, FirstVector<N, P>>, T::Output>>, N,
        T: VectorsOf<All>,
    ] Cons<Mode<ExtentAndStep<S, P>, Xor<N>>, T>, All
        => <P::Output as VectorsIf<All, ModeVectors<S::Output, FirstVector<N, P>>, T::Output>>::Output;
    [
        S: PowerWithin, P: IsPower<Output: VectorsIf<KnownSums, ModeVectors<S::Output, FirstVector<N, P>>, T::Output>>,
        N, T: VectorsOf<KnownSums>,
    ] Cons<Mode<ExtentAndStep<S, P>, Xor<N>>, T>, KnownSums
        => <P::Output as VectorsIf<KnownSums, ModeVectors<S::Output, FirstVector<N, P>>, T::Output>>::Output;
}
/// The vectors `V` before `Tail`, if `self` says that there are any; a mode of less than two coordinates has none.
pub trait VectorsIf<Question, V, Tail> {
    type Output;
}
cases! { VectorsIf:
    [Question, V, Tail] True, Question, ModeVectors<UTerm, V>, Tail => Tail;
    [Question, V, Tail] True, Question, ModeVectors<One, V>, Tail => Tail;
    [Question, U, A, B, V, Tail] True, Question, ModeVectors<UInt<UInt<U, A>, B>, V>, Tail
        => Cons<ModeVectors<UInt<UInt<U, A>, B>, V>, Tail>;
    [V, Tail] False, KnownSums, V, Tail => Tail;
    [S, N, P, Tail] False, All, ModeVectors<S, FirstVector<N, P>>, Tail => Undefined<NoPowerOfTwo<P>>;
    [S, V, Tail] False, DistinctOffsets, ModeVectors<S, V>, Tail => Undefined<NoPowerOfTwo<S>>;
}
/// The vectors of all bits that numbers of the modes `self` may have, if each mode moves for certain: [`Undefined`] at
/// their end says that one may not. Where no vector is a sum of others, no two coordinates lead to one offset.
pub trait MovingVectors {
    type Output;
}
/// Not every mode moves for certain.
pub struct Perhaps;
cases! { MovingVectors:
    [] Nil => Nil;
    [S, U, B, T: MovingVectors] Cons<Mode<S, UInt<U, B>>, T> => T::Output;
    [N, T: MovingVectors] Cons<Mode<One, Xor<N>>, T> => T::Output;
    [U, A, B, V, C, T: MovingVectors] Cons<Mode<UInt<UInt<U, A>, B>, Xor<UInt<V, C>>>, T>
        where (UInt<UInt<U, A>, B>: PowerAbove)
        => Cons<
            ModeVectors<<UInt<UInt<U, A>, B> as PowerAbove>::Output, FirstVector<UInt<V, C>, Of<(), ()>>>,
            T::Output,
        >;
    [S, T] Cons<Mode<S, UTerm>, T> => Undefined<Perhaps>;
    [S, N: RunTimeNumber, T] Cons<Mode<S, N>, T> => Undefined<Perhaps>;
    [N, T] Cons<Mode<UTerm, Xor<N>>, T> => Undefined<Perhaps>;
    [S: RunTimeNumber, N, T] Cons<Mode<S, Xor<N>>, T> => Undefined<Perhaps>;
    [U, A, B, T] Cons<Mode<UInt<UInt<U, A>, B>, Xor<UTerm>>, T> => Undefined<Perhaps>;
    [U, A, B, N: RunTimeNumber, T] Cons<Mode<UInt<UInt<U, A>, B>, Xor<N>>, T> => Undefined<Perhaps>;
}
/// The rows of the modes `X`.
pub type RowsOf<X, Question> = <<X as VectorsOf<Question>>::Output as Eliminate>::Output;
