//! The offsets of XOR modes alone: the largest of them, and whether two coordinates share one.

use core::marker::PhantomData;

use typenum::{UInt, UTerm};

use crate::algebra::mode::Mode;
use crate::list::{Cons, Nil};
use crate::number::int::One;
use crate::refusal::XorOverlap;
use crate::refusal::undefined::Undefined;
use crate::stepped::elimination::{Eliminate, LargestSum, Of, Row, SeriesOf, Vector, Zeros};
use crate::stepped::parts::{AboveBits, PowerAbove};
use crate::stepped::vectors::{BitsOf, DistinctOffsets, RowsOf, VectorsOf};
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
impl<X: AboveBits> LargestXorOffset for X
where
    X: VectorsOf<DistinctOffsets<<X as AboveBits>::Output>, Output: Eliminate<<X as AboveBits>::Output>>,
    RowsOf<X, DistinctOffsets<<X as AboveBits>::Output>, <X as AboveBits>::Output>: LargestSum<UTerm, UTerm>,
{
    type Output = <RowsOf<X, DistinctOffsets<<X as AboveBits>::Output>, <X as AboveBits>::Output> as LargestSum<
        UTerm,
        UTerm,
    >>::Output;
}

/// Whether no two coordinates of the XOR modes `self` share an offset: [`BitsApart`], or [`Undefined`]. Of any extent,
/// two numbers of a mode differ by any bits that the last one may have.
pub trait AreApart {
    type Output;
}
impl<X: AboveBits> AreApart for X
where
    X: VectorsOf<EachBit<<X as AboveBits>::Output>, Output: Eliminate<<X as AboveBits>::Output>>,
    RowsOf<X, EachBit<<X as AboveBits>::Output>, <X as AboveBits>::Output>: NoZeros,
{
    type Output = <RowsOf<X, EachBit<<X as AboveBits>::Output>, <X as AboveBits>::Output> as NoZeros>::Output;
}
/// No two coordinates share an offset.
pub struct BitsApart;
/// The vectors of all bits that a number of a mode may have. A tag says of which mode a vector is.
pub struct EachBit<Unit>(PhantomData<Unit>);
cases! { BitsOf:
    [U, B, Unit, N, Tail] UInt<U, B>, EachBit<Unit>, N, Tail
        where (Self: PowerAbove<Output: SeriesOf<N, Of<Self, N>, Unit, Tail>>)
        => <<Self as PowerAbove>::Output as SeriesOf<N, Of<Self, N>, Unit, Tail>>::Output;
}
/// Whether no vector is a sum of others.
pub trait NoZeros {
    type Output;
}
cases! { NoZeros:
    [] Zeros<Nil> => BitsApart;
    [S, N, B, L] Zeros<Cons<Vector<B, Of<S, N>>, L>> => Undefined<XorOverlap<S, N>>;
    [P, Below: NoZeros] Row<P, Below> => Below::Output;
}
