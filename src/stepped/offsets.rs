//! The offsets of XOR modes alone: the largest of them, and whether two coordinates share one.

use typenum::{UInt, UTerm};

use crate::algebra::mode::Mode;
use crate::list::{Cons, Nil};
use crate::number::int::One;
use crate::refusal::XorOverlap;
use crate::refusal::undefined::Undefined;
use crate::stepped::elimination::{Echelon, Eliminate, FirstVector, LargestSum, ModeVectors, Of};
use crate::stepped::parts::PowerAbove;
use crate::stepped::vectors::{DistinctOffsets, RowsOf, VectorsOf};
use crate::stepped::xor::Xor;

/// The XOR modes of the list `self` that move.
pub trait XorModes {
    type Output;
}
cases! { XorModes:
    [] Nil => Nil;
    [S, T: XorModes] Cons<Mode<S, UTerm>, T> => T::Output;
    [S, U, B, T: XorModes] Cons<Mode<S, UInt<U, B>>, T> => T::Output;
    [S, T: XorModes] Cons<Mode<S, Xor<UTerm>>, T> => T::Output;
    [U, B, T: XorModes] Cons<Mode<UTerm, Xor<UInt<U, B>>>, T> => T::Output;
    [U, B, T: XorModes] Cons<Mode<One, Xor<UInt<U, B>>>, T> => T::Output;
    [U, A, B, V, C, T: XorModes] Cons<Mode<UInt<UInt<U, A>, B>, Xor<UInt<V, C>>>, T>
        => Cons<Mode<UInt<UInt<U, A>, B>, Xor<UInt<V, C>>>, T::Output>;
}

/// The largest offset of the XOR modes `self`, whose extents are powers of two; else [`Undefined`].
pub trait LargestXorOffset {
    type Output;
}
impl<X: VectorsOf<DistinctOffsets, Output: Eliminate<Nil, Output: LargestSum<UTerm>>>> LargestXorOffset for X {
    type Output = <RowsOf<X, DistinctOffsets> as LargestSum<UTerm>>::Output;
}

/// Whether no two coordinates of the XOR modes `self` share an offset: [`BitsApart`], or [`Undefined`]. Of any extent,
/// two numbers of a mode differ by any bits that the last one may have.
pub trait AreApart {
    type Output;
}
impl<X: VectorsOf<EachBit, Output: Eliminate<Nil, Output: NoZeros>>> AreApart for X {
    type Output = <RowsOf<X, EachBit> as NoZeros>::Output;
}
/// No two coordinates share an offset.
pub struct BitsApart;
/// The vectors of all bits that a number of a mode may have. A tag says of which mode a vector is.
pub struct EachBit;
cases! { VectorsOf:
    [S: PowerAbove, N, T: VectorsOf<EachBit>] Cons<Mode<S, Xor<N>>, T>, EachBit
        => Cons<ModeVectors<S::Output, FirstVector<N, Of<S, N>>>, T::Output>;
}
/// Whether no vector is a sum of others.
pub trait NoZeros {
    type Output;
}
cases! { NoZeros:
    [R] Echelon<R, Nil> => BitsApart;
    [R, X, N, S, M, L] Echelon<R, Cons<ModeVectors<X, FirstVector<N, Of<S, M>>>, L>> => Undefined<XorOverlap<S, M>>;
}
