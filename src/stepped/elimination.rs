//! Gaussian elimination over the bits of static numbers.
//!
//! ```text
//! a mode 4:^6 of step 1        1100 of tag 2, 110 of tag 1          where each bit of a coordinate goes
//! columns, the highest first   1100 is the pivot of bit 3, 110 that of bit 2, and bits 1 and 0 have none
//! ```
//!
//! Vectors have their highest bit outermost: each step takes one column away. The first vector with a bit in a column
//! is its pivot, and is added to those behind it, so that a vector only ever changes by those before it. What a tag
//! says goes along: of a sum, the sum of the tags.
//!
//! The vectors of one mode are one vector, shifted. Each comes into the list when its highest bit is looked at.

use core::marker::PhantomData;

use typenum::{B0, B1, UInt, UTerm};

use crate::algebra::coalesce::Merging;
use crate::algebra::mode::{Mode, Push};
use crate::error::Fault;
use crate::list::{Cons, Nil};
use crate::number::int::{False, One, Same, StaticInt, True};
use crate::refusal::XorOverlap;
use crate::refusal::undefined::Undefined;
use crate::stepped::xor::{AsXor, Xor, XorInt};

// ---- vectors ------------------------------------------------------------------------------------------------------

/// A vector: its bits, the highest one outermost, and what is said of it. Bits that are not there are 0.
pub struct Vector<Bits, Tag>(PhantomData<(Bits, Tag)>);

/// The vectors of a mode that are still to come, one for each factor 2 of `Count`: each has these bits, and begins one
/// column behind the one before. The first one begins behind as many columns as `Delay`, a power of two, has zeros.
pub struct Series<Delay, Bits, Tag, Count>(PhantomData<(Delay, Bits, Tag, Count)>);

/// In place of a tag that is a number: the mode `S:^N` that a vector is of.
pub struct Of<S, N>(PhantomData<(S, N)>);

/// The vectors of coordinates below the power of two `self`, the longest of which has the bits of a number, before
/// `Tail`; of another extent, those of coordinates below the greatest power of two in it. A bit above all is `Above`.
pub trait SeriesOf<N, Tag, Above, Tail> {
    type Output;
}
cases! { SeriesOf:
    [N, Tag, Above, Tail] UTerm, N, Tag, Above, Tail => Tail;
    [N, Tag, Above, Tail] One, N, Tag, Above, Tail => Tail;
    [U, A, B, N, Tag, Above, Tail] UInt<UInt<U, A>, B>, N, Tag, Above, Tail
        where (Self: ShiftedBy<N>, <Self as ShiftedBy<N>>::Output: HighestFirst<Above, UTerm, Tag, Self>)
        => Cons<<<Self as ShiftedBy<N>>::Output as HighestFirst<Above, UTerm, Tag, Self>>::Output, Tail>;
}
/// `N` times half of the power of two that `self` has; 0 if it is none.
pub trait ShiftedBy<N> {
    type Output;
}
cases! { ShiftedBy:
    [N] UTerm, N => UTerm;
    [B, N] UInt<One, B>, N => N;
    [U, A, E, B, N] UInt<UInt<UInt<U, A>, E>, B>, N where (UInt<UInt<U, A>, E>: ShiftedBy<UInt<N, B0>>)
        => <UInt<UInt<U, A>, E> as ShiftedBy<UInt<N, B0>>>::Output;
}
/// The [`Series`] that the number `self` begins. `Lower` are the bits that come behind it, the highest outermost.
pub trait HighestFirst<Above, Lower, Tag, Count> {
    type Output;
}
cases! { HighestFirst:
    [Above, Lower, Tag, Count] UTerm, Above, Lower, Tag, Count => Series<Above, Lower, Tag, Count>;
    // Zeros behind all ones say nothing.
    [U: HighestFirst<V, UTerm, Tag, Count>, V, Tag, Count] UInt<U, B0>, UInt<V, B0>, UTerm, Tag, Count => U::Output;
    [U: HighestFirst<V, One, Tag, Count>, V, Tag, Count] UInt<U, B1>, UInt<V, B0>, UTerm, Tag, Count => U::Output;
    [U: HighestFirst<V, UInt<UInt<L, C>, B>, Tag, Count>, B, V, L, C, Tag, Count]
        UInt<U, B>, UInt<V, B0>, UInt<L, C>, Tag, Count
        => U::Output;
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

/// The rows of the vectors `self`, whose bits are all below `Above`, a power of two.
pub trait Eliminate<Above> {
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
/// The vectors `self` without their highest bits; those that have one, plus the pivot `P`.
pub trait Without<P, Tag> {
    type Output;
}
// A list may end with a mode of which something is wrong.
macro_rules! ends {
    ($([$($generic:ident)?] $end:ty;)*) => {
        $(impl<$($generic)?> Column for $end {
            type Pivot = Missing;
            type Others = Self;
        }
        impl<P, Tag, $($generic)?> Without<P, Tag> for $end {
            type Output = Self;
        })*
    };
}
ends! { [] Nil; [R] Undefined<R>; }
/// What has no bit in this column goes on as `$next`.
macro_rules! passes {
    ($([$($generic:ident)*] $first:ty => $next:ty;)*) => {
        $(impl<L: Column, $($generic),*> Column for Cons<$first, L> {
            type Pivot = L::Pivot;
            type Others = Cons<$next, L::Others>;
        }
        impl<L: Without<P, T>, P, T, $($generic),*> Without<P, T> for Cons<$first, L> {
            type Output = Cons<$next, L::Output>;
        })*
    };
}
passes! {
    [Tag] Vector<UTerm, Tag> => Vector<UTerm, Tag>;
    [U Tag] Vector<UInt<U, B0>, Tag> => Vector<U, Tag>;
    [V Bits Tag Count] Series<UInt<V, B0>, Bits, Tag, Count> => Series<V, Bits, Tag, Count>;
}
/// What has a bit in this column, and the vectors of its series that come behind it.
macro_rules! leads {
    ($([$($generic:ident)*] $first:ty, $tag:ident $(: $half:ident)? $(, $next:ty)?;)*) => {
        $(impl<U, L: Without<U, $tag>, $tag $(: $half)?, $($generic),*> Column for Cons<$first, L> {
            type Pivot = Pivot<U, $tag>;
            type Others = leads!(@behind $($next)?, L::Output);
        }
        impl<U: SumOfBits<P>, L: Without<P, T>, $tag: SumOfTags<T> $(+ $half)?, P, T, $($generic),*> Without<P, T>
            for Cons<$first, L>
        {
            type Output = leads!(
                @behind $($next)?,
                Cons<Vector<U::Output, <$tag as SumOfTags<T>>::Output>, L::Output>
            );
        })*
    };
    (@behind, $list:ty) => { $list };
    (@behind $next:ty, $list:ty) => { Cons<$next, $list> };
}
leads! {
    [] Vector<UInt<U, B1>, Tag>, Tag;
    [B] Series<One, UInt<U, B1>, Tag, UInt<One, B>>, Tag;
    [V A E B] Series<One, UInt<U, B1>, Tag, UInt<UInt<UInt<V, A>, E>, B>>, Tag: Half,
        Series<One, UInt<U, B1>, <Tag as Half>::Output, UInt<UInt<V, A>, E>>;
}
/// The tag of the next vector of a series.
pub trait Half {
    type Output;
}
cases! { Half:
    [U] UInt<U, B0> => U;
    [S, N] Of<S, N> => Self;
}

/// `self ^ R`
pub trait SumOfBits<R> {
    type Output;
}
cases! { SumOfBits:
    [R] UTerm, R => R;
    [U, B] UInt<U, B>, UTerm => Self;
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

/// The bits that are no pivots, as XOR modes before the modes `Above`, merged. All are below `Width`,
/// a power of two. A vector that is a sum of others is refused.
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

/// The tags of the sums that lead to each bit of an offset, the highest bit first: [`Complete`] or [`ImagesUpTo`].
pub trait Images<Else> {
    type Output;
}
/// The images of all bits.
pub struct Complete<Images>(PhantomData<Images>);
/// The images of the lowest bits: no sum leads to the next one alone.
pub struct ImagesUpTo<Images>(PhantomData<Images>);
/// Where no sum leads to a bit, images end.
pub struct Ends;
/// Where no sum leads to a bit, its image is 0.
pub struct IsZero;
cases! { Images:
    [Else] Zeros<Nil>, Else => Complete<Nil>;
    [V, L, Else] Zeros<Cons<V, L>>, Else where (Zeros<L>: Images<Else>) => <Zeros<L> as Images<Else>>::Output;
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
    [I] Complete<I> => ImagesUpTo<I>;
    [I] ImagesUpTo<I> => Self;
}
/// The image of the next bit, which is that of a pivot with the bits `P` below it.
pub trait AddImage<P, Tag> {
    type Output;
}
cases! { AddImage:
    [I, P: SumOfImages<I, Tag>, Tag] Complete<I>, P, Tag => Complete<Cons<P::Output, I>>;
    [I, P, Tag] ImagesUpTo<I>, P, Tag => Self;
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
/// Images as XOR modes, the lowest one first, before the modes `Above`: those that double each are one mode.
pub trait ImageModes<Above> {
    type Output;
}
cases! { ImageModes:
    [Above] Nil, Above => Above;
    [I, L: DownFrom<I, Two, Above>, Above] Cons<I, L>, Above => L::Output;
}
/// [`ImageModes`] below a mode of extent `S` whose lowest image is `Last`.
pub trait DownFrom<Last, S, Above> {
    type Output;
}
cases! { DownFrom:
    [Last: AsXor, S, Above] Nil, Last, S, Above => Cons<Mode<S, Last::Output>, Above>;
    [I, L, Last: IsDouble<I>, S, Above] Cons<I, L>, Last, S, Above where (Last::Output: GoesDown<I, L, Last, S, Above>)
        => <Last::Output as GoesDown<I, L, Last, S, Above>>::Output;
}
/// [`DownFrom`] with the image `I` next; `self` is whether the last one is its double.
pub trait GoesDown<I, L, Last, S, Above> {
    type Output;
}
cases! { GoesDown:
    [I, L: DownFrom<I, UInt<S, B0>, Above>, Last, S, Above] True, I, L, Last, S, Above => L::Output;
    [I, L: DownFrom<I, Two, Cons<Mode<S, Last::Output>, Above>>, Last: AsXor, S, Above] False, I, L, Last, S, Above
        => L::Output;
}
/// Is this twice `R`?
pub trait IsDouble<R> {
    type Output;
}
cases! { IsDouble:
    [R: Same<UTerm>] UTerm, R => R::Output;
    [U: Same<R>, R] UInt<U, B0>, R => U::Output;
    [U, R] UInt<U, B1>, R => False;
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

/// The largest sum of the pivots `self`: each bit that one leads to, the highest first, unless what has been added
/// already has it. `Sum` are the bits below of that, and `Higher` the bits of the sum above.
pub trait LargestSum<Sum, Higher> {
    /// A number, or [`Undefined`].
    type Output;
}
cases! { LargestSum:
    [Sum, Higher] Zeros<Nil>, Sum, Higher => Higher;
    [R, Sum, Higher] Zeros<Undefined<R>>, Sum, Higher => Undefined<R>;
    [V, L, Sum, Higher] Zeros<Cons<V, L>>, Sum, Higher where (Zeros<L>: LargestSum<Sum, Higher>)
        => <Zeros<L> as LargestSum<Sum, Higher>>::Output;
    [Below: LargestSum<UTerm, Higher::Double>, Higher: StaticInt] Row<Missing, Below>, UTerm, Higher => Below::Output;
    [Below: LargestSum<U, Higher::Double>, U, Higher: StaticInt] Row<Missing, Below>, UInt<U, B0>, Higher
        => Below::Output;
    [Below: LargestSum<U, Higher::DoubleAndOne>, U, Higher: StaticInt] Row<Missing, Below>, UInt<U, B1>, Higher
        => Below::Output;
    [P, T, Below: LargestSum<P, Higher::DoubleAndOne>, Higher: StaticInt] Row<Pivot<P, T>, Below>, UTerm, Higher
        => Below::Output;
    [P, T, Below: LargestSum<U::Output, Higher::DoubleAndOne>, U: SumOfBits<P>, Higher: StaticInt]
        Row<Pivot<P, T>, Below>, UInt<U, B0>, Higher
        => Below::Output;
    [P, T, Below: LargestSum<U, Higher::DoubleAndOne>, U, Higher: StaticInt]
        Row<Pivot<P, T>, Below>, UInt<U, B1>, Higher
        => Below::Output;
}
