//! Gaussian elimination over the bits of static numbers.
//!
//! ```text
//! a mode 4:^6 of step 1        0110 of tag 1, 1100 of tag 2          where each bit of a coordinate goes
//! columns, the highest first   1100 is the pivot of bit 3, 0110 that of bit 2, and bits 1 and 0 have none
//! ```
//!
//! Vectors have one width, and their highest bit outermost: each step takes one column away. The first vector with a bit
//! in a column is its pivot, and is added to those behind it, so that a vector only ever changes by those before it.
//! What a tag says goes along: of a sum, the sum of the tags.

use core::marker::PhantomData;

use typenum::{B0, B1, UInt, UTerm};

use crate::algebra::coalesce::Merging;
use crate::algebra::compose::used_bits::Doubled;
use crate::algebra::mode::{Mode, Push};
use crate::error::Fault;
use crate::list::{Cons, Nil};
use crate::number::int::{One, StaticInt};
use crate::refusal::XorOverlap;
use crate::refusal::undefined::Undefined;
use crate::stepped::xor::{AsXor, Xor, XorInt};

// ---- vectors ------------------------------------------------------------------------------------------------------

/// A vector: its bits, the highest one outermost, and what is said of it.
pub struct Vector<Bits, Tag>(PhantomData<(Bits, Tag)>);

/// In place of a tag that is a number: the mode `S:^N` that a vector is of.
pub struct Of<S, N>(PhantomData<(S, N)>);
cases! { Doubled: [S, N] Of<S, N> => Self; }

/// The bits of a number from the highest one on down, as many as `Width`, a power of two, has zeros; `Lower` are those
/// that come behind them.
pub trait HighestFirst<Width, Lower> {
    type Output;
}
cases! { HighestFirst:
    [Lower] UTerm, One, Lower => Lower;
    [V, Lower] UTerm, UInt<V, B0>, Lower where (UTerm: HighestFirst<V, UInt<Lower, B0>>)
        => <UTerm as HighestFirst<V, UInt<Lower, B0>>>::Output;
    [U: HighestFirst<V, UInt<Lower, B>>, B, V, Lower] UInt<U, B>, UInt<V, B0>, Lower => U::Output;
}

/// The bits of a coordinate below the power of two `self` as vectors of `N`, `2N`, .., before the vectors `Tail`. Of
/// another extent, those of coordinates below the greatest power of two in it.
pub trait CoordinateBits<N, Tag, Width, Tail> {
    type Output;
}
cases! { CoordinateBits:
    [N, Tag, Width, Tail] UTerm, N, Tag, Width, Tail => Tail;
    [N, Tag, Width, Tail] One, N, Tag, Width, Tail => Tail;
    [U, A, B, N: HighestFirst<Width, UTerm>, Tag: Doubled, Width, Tail] UInt<UInt<U, A>, B>, N, Tag, Width, Tail
        where (UInt<U, A>: CoordinateBits<UInt<N, B0>, Tag::Output, Width, Tail>)
        => Cons<
            Vector<N::Output, Tag>,
            <UInt<U, A> as CoordinateBits<UInt<N, B0>, Tag::Output, Width, Tail>>::Output,
        >;
}

// ---- elimination --------------------------------------------------------------------------------------------------

/// One row of the result: the pivot of the highest bit, [`Pivot`] or [`Missing`], and the rows of the bits below.
pub struct Row<P, Below>(PhantomData<(P, Below)>);
/// The other bits of a pivot, and its tag.
pub struct Pivot<Bits, Tag>(PhantomData<(Bits, Tag)>);
/// No vector has this highest bit.
pub struct Missing;
/// Below all rows: the vectors that are sums of others, in their order, each with the tag of a sum that is 0.
pub struct Zeros<Vectors>(PhantomData<Vectors>);

/// The rows of the vectors `self`, of as many bits as `Width`, a power of two, has zeros.
pub trait Eliminate<Width> {
    type Output;
}
cases! { Eliminate:
    [L] L, One => Zeros<L>;
    [L: Column<Others: Eliminate<V>>, V] L, UInt<V, B0> => Row<L::Pivot, <L::Others as Eliminate<V>>::Output>;
}

/// The highest bits of vectors taken away.
pub trait Column {
    /// The first vector that has one: [`Pivot`], or [`Missing`].
    type Pivot;
    /// The others, in their order.
    type Others;
}
impl Column for Nil {
    type Pivot = Missing;
    type Others = Nil;
}
/// In place of the end of the vectors: there are more, of which something is wrong.
impl<R> Column for Undefined<R> {
    type Pivot = Missing;
    type Others = Self;
}
impl<U, Tag, L: Column> Column for Cons<Vector<UInt<U, B0>, Tag>, L> {
    type Pivot = L::Pivot;
    type Others = Cons<Vector<U, Tag>, L::Others>;
}
impl<U, Tag, L: Without<U, Tag>> Column for Cons<Vector<UInt<U, B1>, Tag>, L> {
    type Pivot = Pivot<U, Tag>;
    type Others = L::Output;
}

/// The vectors `self` without their highest bits; those that have one, plus the pivot `P`.
pub trait Without<P, Tag> {
    type Output;
}
cases! { Without:
    [P, Tag] Nil, P, Tag => Nil;
    [R, P, Tag] Undefined<R>, P, Tag => Self;
    [U, T, L: Without<P, Tag>, P, Tag] Cons<Vector<UInt<U, B0>, T>, L>, P, Tag => Cons<Vector<U, T>, L::Output>;
    [U: SumOfBits<P>, T: SumOfTags<Tag>, L: Without<P, Tag>, P, Tag] Cons<Vector<UInt<U, B1>, T>, L>, P, Tag
        => Cons<Vector<U::Output, T::Output>, L::Output>;
}

/// `self ^ R`, of as many bits.
pub trait SumOfBits<R> {
    type Output;
}
cases! { SumOfBits:
    [] UTerm, UTerm => UTerm;
    [U: SumOfBits<V>, V, C] UInt<U, B0>, UInt<V, C> => UInt<U::Output, C>;
    [U: SumOfBits<V>, V] UInt<U, B1>, UInt<V, B0> => UInt<U::Output, B1>;
    [U: SumOfBits<V>, V] UInt<U, B1>, UInt<V, B1> => UInt<U::Output, B0>;
}
/// What is said of a sum.
pub trait SumOfTags<R> {
    type Output;
}
cases! { SumOfTags:
    [U, B, R] UInt<U, B>, R where (Self: XorInt<R>) => <Self as XorInt<R>>::Output;
    [S, N, R] Of<S, N>, R => Self;
}

// ---- what the rows say --------------------------------------------------------------------------------------------

type Two = UInt<One, B0>;

/// The bits that are no pivots, as XOR modes before the modes `Above`, merged. The lowest bit of the rows `self` but one
/// has the weight `Width / 2`. A vector that is a sum of others is refused.
pub trait FreeBits<Width, Above> {
    type Output;
    fn free_bits(above: Above) -> Result<Self::Output, Fault>;
}
cases! { FreeBits::free_bits -> Result<Self::Output, Fault>:
    [Above] Zeros<Nil>, One, Above => Above, (above: Above) => Ok(above);
    [R, Above] Zeros<Undefined<R>>, One, Above => Undefined<R>, (_: Above) => Ok(Undefined::new());
    [S, N, B, L, Above] Zeros<Cons<Vector<B, Of<S, N>>, L>>, One, Above => Undefined<XorOverlap<S, N>>,
        (_: Above) => Ok(Undefined::new());
    [P, T, Below: FreeBits<U, Above>, U, Above] Row<Pivot<P, T>, Below>, UInt<U, B0>, Above => Below::Output,
        (above: Above) => Below::free_bits(above);
    [Below: FreeBits<U, Above::Output>, U: Default, Above: Push<Merging, Two, Xor<U>>]
        Row<Missing, Below>, UInt<U, B0>, Above => Below::Output,
        (above: Above) => Below::free_bits(above.push(Mode { shape: Two::default(), stride: Xor(U::default()) })?);
}

/// The bits that are no pivots as a number, below the bits `Higher`.
pub trait MissingBits<Higher> {
    type Output;
}
cases! { MissingBits:
    [L, Higher] Zeros<L>, Higher => Higher;
    [P, T, Below: MissingBits<Higher::Double>, Higher: StaticInt] Row<Pivot<P, T>, Below>, Higher => Below::Output;
    [Below: MissingBits<Higher::DoubleAndOne>, Higher: StaticInt] Row<Missing, Below>, Higher => Below::Output;
}

/// The tags of the sums that lead to each bit of an offset, the highest bit first: [`Complete`] or [`UpTo`].
pub trait Images<Else> {
    type Output;
}
/// The images of all bits.
pub struct Complete<Images>(PhantomData<Images>);
/// The images of the lowest bits: no sum leads to the next one alone.
pub struct UpTo<Images>(PhantomData<Images>);
/// Where no sum leads to a bit, images end.
pub struct Ends;
/// Where no sum leads to a bit, its image is 0.
pub struct IsZero;
cases! { Images:
    [Else] Zeros<Nil>, Else => Complete<Nil>;
    [V, L, Else] Zeros<Cons<V, L>>, Else => Complete<Nil>;
    [R, Else] Zeros<Undefined<R>>, Else => Undefined<R>;
    [Below: Images<Ends, Output: EndHere>] Row<Missing, Below>, Ends => <Below::Output as EndHere>::Output;
    [Below: Images<IsZero, Output: AddImage<UTerm, UTerm>>] Row<Missing, Below>, IsZero
        => <Below::Output as AddImage<UTerm, UTerm>>::Output;
    [P, Tag, Below: Images<Else, Output: AddImage<P, Tag>>, Else] Row<Pivot<P, Tag>, Below>, Else
        => <Below::Output as AddImage<P, Tag>>::Output;
}
/// No image beyond these.
pub trait EndHere {
    type Output;
}
cases! { EndHere:
    [I] Complete<I> => UpTo<I>;
    [I] UpTo<I> => Self;
}
/// The image of the next bit, which is that of a pivot with the bits `P` below it.
pub trait AddImage<P, Tag> {
    type Output;
}
cases! { AddImage:
    [I, P: SumOfImages<I, Tag>, Tag] Complete<I>, P, Tag => Complete<Cons<P::Output, I>>;
    [I, P, Tag] UpTo<I>, P, Tag => Self;
    [R, P, Tag] Undefined<R>, P, Tag => Self;
}
/// The sum of `Tag` and the images of the bits that are set.
pub trait SumOfImages<I, Tag> {
    type Output;
}
cases! { SumOfImages:
    [I, Tag] UTerm, I, Tag => Tag;
    [U: SumOfImages<L, Tag>, I, L, Tag] UInt<U, B0>, Cons<I, L>, Tag => U::Output;
    [U: SumOfImages<L, Tag::Output>, I, L, Tag: XorInt<I>] UInt<U, B1>, Cons<I, L>, Tag => U::Output;
}
/// Images as XOR modes of extent 2, the lowest one first, before the modes `Above`.
pub trait ImageModes<Above> {
    type Output;
}
cases! { ImageModes:
    [Above] Nil, Above => Above;
    [I: AsXor, L: ImageModes<Cons<Mode<Two, I::Output>, Above>>, Above] Cons<I, L>, Above => L::Output;
}

/// The tags of the sums that are 0, as XOR modes of extent 2.
pub trait ZeroModes {
    type Output;
}
cases! { ZeroModes:
    [] Nil => Nil;
    [B, Tag: AsXor, L: ZeroModes] Cons<Vector<B, Tag>, L> => Cons<Mode<Two, Tag::Output>, L::Output>;
    [L: ZeroModes] Zeros<L> => L::Output;
    [P, Below: ZeroModes] Row<P, Below> => Below::Output;
}
