//! Gaussian elimination over the bits of static numbers, many vectors at a time.
//!
//! ```text
//! 8:^1, 8:^9     the vectors 1, 10, 100 and 1001, 10010, 100100: one for each bit of the coordinates of a mode
//! rows           8:^9 leads at bits 3 to 5, 8:^1 at bits 0 to 2
//! 8:^9, 8:^8     lead at the same bits: of the second one 8:^(8 ^ 9) is left, which leads at bits 0 to 2
//! ```
//!
//! The vectors of a mode `S:^N` with `S` a power of two are `N`, shifted, and so are their highest bits: as many columns,
//! one beside the other, as `S` has zeros. A mode becomes a row if no row before it has one of its columns. One that has
//! is added, to all vectors of the mode at once; what goes beyond that row's columns is cut off and comes next. So a
//! vector only ever changes by those before it. What a tag says goes along: of a sum, the sum of the tags.

use core::marker::PhantomData;

use typenum::{B0, B1, Equal, UInt, UTerm};

use crate::algebra::coalesce::Merging;
use crate::algebra::compose::used_bits::ShareNoBit;
use crate::algebra::mode::{Mode, Push};
use crate::error::Fault;
use crate::list::{Cons, Nil};
use crate::number::int::{And, False, One, StaticInt, SubInt, True};
use crate::refusal::XorOverlap;
use crate::refusal::undefined::Undefined;
use crate::stepped::xor::{AsXor, Xor, XorInt};

type Two = UInt<One, B0>;

// ---- powers of two ------------------------------------------------------------------------------------------------

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
/// `N * Q`, where `Q` is a power of two.
type Shifted<N, Q> = <UInt<Q, B0> as ShiftedBy<N>>::Output;

/// How the power of two `self` lies to `R`: [`Above`] it, [`Equal`] or [`Below`].
pub trait LiesTo<R> {
    type Output;
}
/// It is `Q` times the other one.
pub struct Above<Q>(PhantomData<Q>);
/// The other one is `Q` times as much.
pub struct Below<Q>(PhantomData<Q>);
cases! { LiesTo:
    [] One, One => Equal;
    [V] One, UInt<V, B0> => Below<UInt<V, B0>>;
    [U] UInt<U, B0>, One => Above<UInt<U, B0>>;
    // Two zeros a step.
    [] Two, Two => Equal;
    [V] Two, UInt<UInt<V, B0>, B0> => Below<UInt<V, B0>>;
    [U] UInt<UInt<U, B0>, B0>, Two => Above<UInt<U, B0>>;
    [U: LiesTo<V>, V] UInt<UInt<U, B0>, B0>, UInt<UInt<V, B0>, B0> => U::Output;
}

/// The highest bit of a number that is not 0, and the bits below it.
pub trait Leading {
    type Bit;
    type Rest: StaticInt;
}
macro_rules! leading {
    ($([$($generic:ident)*] $number:ty => $bit:ty, $rest:ty;)*) => {
        $(impl<$($generic),*> Leading for $number {
            type Bit = $bit;
            type Rest = $rest;
        })*
    };
}
leading! { [] One => One, UTerm; [] Two => Two, UTerm; [] UInt<One, B1> => Two, One; }
/// Two bits a step.
macro_rules! leading_two_bits {
    ($($high:ident $low:ident: $then:ident $last:ident;)*) => {
        $(impl<U, B> Leading for UInt<UInt<UInt<U, B>, $high>, $low>
        where
            UInt<U, B>: Leading,
        {
            type Bit = UInt<UInt<<UInt<U, B> as Leading>::Bit, B0>, B0>;
            type Rest = <<<UInt<U, B> as Leading>::Rest as StaticInt>::$then as StaticInt>::$last;
        })*
    };
}
leading_two_bits! {
    B0 B0: Double Double; B0 B1: Double DoubleAndOne; B1 B0: DoubleAndOne Double; B1 B1: DoubleAndOne DoubleAndOne;
}

// ---- vectors ------------------------------------------------------------------------------------------------------

/// The vectors of a mode `S:^N`, `S` a power of two above 1, and what is said of the first one, `N`. What is said of the
/// others is doubled from one to the next, as they are.
pub struct Vectors<S, N, Tag>(PhantomData<(S, N, Tag)>);

/// In place of a tag that is a number: the mode `S:^N` that the vectors are of.
pub struct Of<S, N>(PhantomData<(S, N)>);

/// What is said of the vector `Q` times as large, `Q` a power of two.
pub trait TagTimes<Q> {
    type Output;
}
cases! { TagTimes:
    [Q] UTerm, Q => UTerm;
    [U, B, Q] UInt<U, B>, Q where (UInt<Q, B0>: ShiftedBy<Self>) => Shifted<Self, Q>;
    [S, N, Q] Of<S, N>, Q => Self;
}
/// What is said of a sum.
pub trait SumOfTags<R> {
    type Output;
}
cases! { SumOfTags:
    [U, B, R] UInt<U, B>, R where (Self: XorInt<R>) => <Self as XorInt<R>>::Output;
    [S, N, R] Of<S, N>, R => Self;
}

// ---- elimination --------------------------------------------------------------------------------------------------

/// The rows, the highest one first, and the vectors that are sums of others, in their order, each with the tag of a sum
/// that is 0. These end as the vectors did: with what is wrong of a mode, if something is.
pub struct Rows<R, Zeros>(PhantomData<(R, Zeros)>);
/// The vectors of `S:^N`, whose highest bits are `P`, `2 * P` and so on: no other row has one of these.
pub struct Row<P, S, N, Tag>(PhantomData<(P, S, N, Tag)>);

/// [`Rows`] of the vectors `self` behind those of the rows `R`.
pub trait Eliminate<R = Nil> {
    type Output;
}
cases! { Eliminate:
    [R] Nil, R => Rows<R, Nil>;
    [Why, R] Undefined<Why>, R => Rows<R, Self>;
    [S, Tag, L: Eliminate<R, Output: WithZero<S, Tag>>, R] Cons<Vectors<S, UTerm, Tag>, L>, R
        => <L::Output as WithZero<S, Tag>>::Output;
    [S, U, B, Tag, L, R] Cons<Vectors<S, UInt<U, B>, Tag>, L>, R
        where (UInt<U, B>: Leading, R: Place<<UInt<U, B> as Leading>::Bit, S, UInt<U, B>, Tag, L, Output: GoOn>)
        => <<R as Place<<UInt<U, B> as Leading>::Bit, S, UInt<U, B>, Tag, L>>::Output as GoOn>::Output;
}
/// Vectors that are 0, before the others that are.
pub trait WithZero<S, Tag> {
    type Output;
}
cases! { WithZero: [R, Z, S, Tag] Rows<R, Z>, S, Tag => Rows<R, Cons<Vectors<S, UTerm, Tag>, Z>>; }

/// The rows so far, and the vectors that are still to come.
pub struct Step<R, L>(PhantomData<(R, L)>);
/// The rest of an elimination.
pub trait GoOn {
    type Output;
}
cases! { GoOn: [R, L: Eliminate<R>] Step<R, L> => L::Output; }

/// The vectors of `S:^N`, the first of which has the highest bit `P`, among the rows `self`; vectors that are left of them
/// come before `L`.
pub trait Place<P, S, N, Tag, L> {
    /// A [`Step`].
    type Output;
}
cases! { Place:
    [P, S, N, Tag, L] Nil, P, S, N, Tag, L => Step<Cons<Row<P, S, N, Tag>, Nil>, L>;
    [P1, S1, N1, Tag1, T, P: LiesTo<P1>, S, N, Tag, L] Cons<Row<P1, S1, N1, Tag1>, T>, P, S, N, Tag, L
        where (P::Output: PlaceAt<P1, S1, N1, Tag1, T, P, S, N, Tag, L>)
        => <P::Output as PlaceAt<P1, S1, N1, Tag1, T, P, S, N, Tag, L>>::Output;
}
/// [`Place`] at the first row, whose highest bits begin at `P1`, before the rows `T`; `self` is how `P` lies to `P1`.
pub trait PlaceAt<P1, S1, N1, Tag1, T, P, S, N, Tag, L> {
    type Output;
}
cases! { PlaceAt:
    [P1, S1: LiesTo<Q>, N1, Tag1, T, P, S, N, Tag, L, Q] Above<Q>, P1, S1, N1, Tag1, T, P, S, N, Tag, L
        where (S1::Output: PlaceAbove<Q, P1, S1, N1, Tag1, T, P, S, N, Tag, L>)
        => <S1::Output as PlaceAbove<Q, P1, S1, N1, Tag1, T, P, S, N, Tag, L>>::Output;
    [P1, S1, N1, Tag1, T, P, S: LiesTo<S1>, N, Tag, L] Equal, P1, S1, N1, Tag1, T, P, S, N, Tag, L
        where (S::Output: Reduced<S1, N1, Tag1, S, N, Tag, L>)
        => Step<Cons<Row<P1, S1, N1, Tag1>, T>, <S::Output as Reduced<S1, N1, Tag1, S, N, Tag, L>>::Output>;
    [P1, S1, N1, Tag1, T, P, S: LiesTo<Q>, N, Tag, L, Q] Below<Q>, P1, S1, N1, Tag1, T, P, S, N, Tag, L
        where (S::Output: PlaceBelow<Q, T, P, S, N, Tag, L>, PlacedBelow<S::Output, Q, T, P, S, N, Tag, L>: Behind<Row<P1, S1, N1, Tag1>>)
        => <PlacedBelow<S::Output, Q, T, P, S, N, Tag, L> as Behind<Row<P1, S1, N1, Tag1>>>::Output;
}
type PlacedBelow<O, Q, T, P, S, N, Tag, L> = <O as PlaceBelow<Q, T, P, S, N, Tag, L>>::Output;

/// [`Place`] from `Q` times `P1` on, where `self` is how the extent `S1` of that row lies to `Q`: above the row, or among
/// its vectors.
pub trait PlaceAbove<Q, P1, S1, N1, Tag1, T, P, S, N, Tag, L> {
    type Output;
}
cases! { PlaceAbove:
    [Q, P1, S1, N1, Tag1, T, P, S, N, Tag, L] Equal, Q, P1, S1, N1, Tag1, T, P, S, N, Tag, L
        => Step<Cons<Row<P, S, N, Tag>, Cons<Row<P1, S1, N1, Tag1>, T>>, L>;
    [X, Q, P1, S1, N1, Tag1, T, P, S, N, Tag, L] Below<X>, Q, P1, S1, N1, Tag1, T, P, S, N, Tag, L
        => Step<Cons<Row<P, S, N, Tag>, Cons<Row<P1, S1, N1, Tag1>, T>>, L>;
    [X, Q, P1, S1, N1, Tag1: TagTimes<Q>, T, P, S: LiesTo<X>, N, Tag, L]
        Above<X>, Q, P1, S1, N1, Tag1, T, P, S, N, Tag, L
        where (
            UInt<Q, B0>: ShiftedBy<N1>,
            S::Output: Reduced<X, Shifted<N1, Q>, Tag1::Output, S, N, Tag, L>,
        )
        => Step<
            Cons<Row<P1, S1, N1, Tag1>, T>,
            <S::Output as Reduced<X, Shifted<N1, Q>, Tag1::Output, S, N, Tag, L>>::Output,
        >;
}
/// [`Place`] below the first row, whose bits begin at `Q` times `P`, among the rows `T` behind it; `self` is how `S` lies
/// to `Q`. What reaches that row is cut off.
pub trait PlaceBelow<Q, T, P, S, N, Tag, L> {
    type Output;
}
cases! { PlaceBelow:
    [Q, T: Place<P, S, N, Tag, L>, P, S, N, Tag, L] Equal, Q, T, P, S, N, Tag, L => T::Output;
    [X, Q, T: Place<P, S, N, Tag, L>, P, S, N, Tag, L] Below<X>, Q, T, P, S, N, Tag, L => T::Output;
    [X, Q, T, P, S, N, Tag: TagTimes<Q>, L] Above<X>, Q, T, P, S, N, Tag, L
        where (
            UInt<Q, B0>: ShiftedBy<N>,
            T: Place<P, Q, N, Tag, Cons<Vectors<X, Shifted<N, Q>, Tag::Output>, L>>,
        )
        => <T as Place<P, Q, N, Tag, Cons<Vectors<X, Shifted<N, Q>, Tag::Output>, L>>>::Output;
}
/// The step `self` with the row `R` before its rows.
pub trait Behind<R> {
    type Output;
}
cases! { Behind: [T, L, R] Step<T, L>, R => Step<Cons<R, T>, L>; }

/// The vectors of `S:^N` plus those of `S1:^N1`, which have the same highest bits, before the vectors `L`; `self` is how
/// `S` lies to `S1`. Those beyond `S1` stay as they are.
pub trait Reduced<S1, N1, Tag1, S, N, Tag, L> {
    type Output;
}
cases! { Reduced:
    [S1, N1, Tag1, S, N: XorInt<N1>, Tag: SumOfTags<Tag1>, L] Equal, S1, N1, Tag1, S, N, Tag, L
        => Cons<Vectors<S, N::Output, Tag::Output>, L>;
    [X, S1, N1, Tag1, S, N: XorInt<N1>, Tag: SumOfTags<Tag1>, L] Below<X>, S1, N1, Tag1, S, N, Tag, L
        => Cons<Vectors<S, N::Output, Tag::Output>, L>;
    [X, S1, N1, Tag1, S, N: XorInt<N1>, Tag: SumOfTags<Tag1> + TagTimes<S1>, L] Above<X>, S1, N1, Tag1, S, N, Tag, L
        where (UInt<S1, B0>: ShiftedBy<N>)
        => Cons<
            Vectors<S1, N::Output, <Tag as SumOfTags<Tag1>>::Output>,
            Cons<Vectors<X, Shifted<N, S1>, <Tag as TagTimes<S1>>::Output>, L>,
        >;
}

// ---- what the rows say --------------------------------------------------------------------------------------------

/// The least power of two above all bits of the rows `self`.
pub trait EndOfRows {
    type Output;
}
cases! { EndOfRows:
    [] Nil => One;
    [P, S, N, Tag, T] Cons<Row<P, S, N, Tag>, T> where (UInt<S, B0>: ShiftedBy<P>) => Shifted<P, S>;
    [R: EndOfRows, Z] Rows<R, Z> => R::Output;
}

/// The bits that no row begins with, as XOR modes before the modes `Above`, merged. All are below `End`, a power of two.
/// A vector that is a sum of others is refused.
pub trait FreeBits<End, Above> {
    type Output;
    fn free_bits(above: Above) -> Result<Self::Output, Fault>;
}
cases! { FreeBits::free_bits -> Result<Self::Output, Fault>:
    [R: FreeBits<End, Above>, End, Above] Rows<R, Nil>, End, Above => R::Output, (above: Above) => R::free_bits(above);
    [R, Why, End, Above] Rows<R, Undefined<Why>>, End, Above => Undefined<Why>, (_: Above) => Ok(Undefined::new());
    [R, S, N, S1, N1, L, End, Above] Rows<R, Cons<Vectors<S1, N1, Of<S, N>>, L>>, End, Above
        => Undefined<XorOverlap<S, N>>, (_: Above) => Ok(Undefined::new());
    [Above] Nil, One, Above => Above, (above: Above) => Ok(above);
    [U, Above: Push<Merging, UInt<U, B0>, Xor<One>>] Nil, UInt<U, B0>, Above where (UInt<U, B0>: Default)
        => Above::Output,
        (above: Above) => above.push(Mode { shape: Default::default(), stride: Xor(One::default()) });
    [P, S, N, Tag, T, End: LiesTo<P, Output: GapAbove<P, S, T, Above>>, Above] Cons<Row<P, S, N, Tag>, T>, End, Above
        => <End::Output as GapAbove<P, S, T, Above>>::Output, (above: Above) => End::Output::gap_above(above);
}
/// [`FreeBits`] above a row `P`, `S` and those of the rows `T` below it; `self` is how the end of all lies to `P`, and
/// then how that quotient lies to `S`.
pub trait GapAbove<P, S, T, Above> {
    type Output;
    fn gap_above(above: Above) -> Result<Self::Output, Fault>;
}
/// `Q` bits behind the last one of a row.
pub struct Quotient<O>(PhantomData<O>);
cases! { GapAbove::gap_above -> Result<Self::Output, Fault>:
    [Q: LiesTo<S>, P, S, T, Modes] Above<Q>, P, S, T, Modes where (Quotient<Q::Output>: GapAbove<P, S, T, Modes>)
        => <Quotient<Q::Output> as GapAbove<P, S, T, Modes>>::Output,
        (above: Modes) => <Quotient<Q::Output>>::gap_above(above);
    [P, S, T: FreeBits<P, Modes>, Modes] Quotient<Equal>, P, S, T, Modes => T::Output,
        (above: Modes) => T::free_bits(above);
    [Q: Default, P, S, T: FreeBits<P, Modes::Output>, Modes: Push<Merging, Q, Xor<Shifted<P, S>>>]
        Quotient<Above<Q>>, P, S, T, Modes
        where (UInt<S, B0>: ShiftedBy<P, Output: Default>)
        => T::Output,
        (above: Modes) => T::free_bits(above.push(Mode { shape: Q::default(), stride: Xor(Default::default()) })?);
}

/// Is none of the bits `Bits` one that no row begins with? All are below `End`.
pub trait NoFreeBit<End, Bits> {
    type Output;
}
cases! { NoFreeBit:
    [R: NoFreeBit<End, Bits>, Z, End, Bits] Rows<R, Z>, End, Bits => R::Output;
    [Bits, End: SubInt<One, Output: ShareNoBit<Bits>>] Nil, End, Bits
        => <End::Output as ShareNoBit<Bits>>::Output;
    [P, S, N, Tag, T: NoFreeBit<P, Bits>, End: SubInt<Shifted<P, S>>, Bits] Cons<Row<P, S, N, Tag>, T>, End, Bits
        where (
            UInt<S, B0>: ShiftedBy<P>,
            End::Output: ShareNoBit<Bits, Output: And<T::Output>>,
        )
        => <<End::Output as ShareNoBit<Bits>>::Output as And<T::Output>>::Output;
}

/// The images of bits: the sums of tags that lead to each of them alone.
pub trait Images<Else> {
    /// [`Complete`], [`ImagesUpTo`], or [`Undefined`].
    type Output;
}
/// The images of all bits of the rows: each an [`Image`], the highest one first.
pub struct Complete<Images>(PhantomData<Images>);
/// The images of the lowest bits: no sum leads to the next one alone.
pub struct ImagesUpTo<Images>(PhantomData<Images>);
/// Of the bits `P`, `2 * P` and so on, as many as `S` has zeros: `N`, `2 * N` and so on.
pub struct Image<P, S, N>(PhantomData<(P, S, N)>);
/// Where no sum leads to a bit, images end.
pub struct Ends;
/// Where no sum leads to a bit, its image is 0.
pub struct IsZero;
cases! { Images:
    [R: Images<Else>, Else] Rows<R, Nil>, Else => R::Output;
    [R, V, L, Else] Rows<R, Cons<V, L>>, Else where (Rows<R, L>: Images<Else>)
        => <Rows<R, L> as Images<Else>>::Output;
    [R, Why, Else] Rows<R, Undefined<Why>>, Else => Undefined<Why>;
    [Else] Nil, Else => Complete<Nil>;
    [P, S, N, Tag, T: Images<Else>, Else] Cons<Row<P, S, N, Tag>, T>, Else
        where (T::Output: ImagesTo<P, Else, Output: AddImage<P, S, N, Tag>>)
        => <<T::Output as ImagesTo<P, Else>>::Output as AddImage<P, S, N, Tag>>::Output;
}
/// The images `self` of all bits below the power of two `P`.
pub trait ImagesTo<P, Else> {
    type Output;
}
cases! { ImagesTo:
    [I, P, Else] ImagesUpTo<I>, P, Else => Self;
    [Else] Complete<Nil>, One, Else => Self;
    [U, Else: ImageOfNone<One, UInt<U, B0>, Nil>] Complete<Nil>, UInt<U, B0>, Else => Else::Output;
    [P1, S1, N1, I, P: LiesTo<P1, Output: BehindImage<P1, S1, N1, I, Else>>, Else]
        Complete<Cons<Image<P1, S1, N1>, I>>, P, Else
        => <P::Output as BehindImage<P1, S1, N1, I, Else>>::Output;
}
/// What has no image: bits from `P` on, as many as `S` has zeros, behind the images `I`.
pub trait ImageOfNone<P, S, I> {
    type Output;
}
cases! { ImageOfNone:
    [P, S, I] Ends, P, S, I => ImagesUpTo<I>;
    [P, S, I] IsZero, P, S, I => Complete<Cons<Image<P, S, UTerm>, I>>;
}
/// [`ImagesTo`] behind the image `P1`, `S1`; `self` is how `P` lies to `P1`, and then how that quotient lies to `S1`.
pub trait BehindImage<P1, S1, N1, I, Else> {
    type Output;
}
cases! { BehindImage:
    [Q: LiesTo<S1>, P1, S1, N1, I, Else] Above<Q>, P1, S1, N1, I, Else
        where (Quotient<Q::Output>: BehindImage<P1, S1, N1, I, Else>)
        => <Quotient<Q::Output> as BehindImage<P1, S1, N1, I, Else>>::Output;
    [P1, S1, N1, I, Else] Quotient<Equal>, P1, S1, N1, I, Else => Complete<Cons<Image<P1, S1, N1>, I>>;
    [Q, P1, S1, N1, I, Else: ImageOfNone<Shifted<P1, S1>, Q, Cons<Image<P1, S1, N1>, I>>]
        Quotient<Above<Q>>, P1, S1, N1, I, Else
        where (UInt<S1, B0>: ShiftedBy<P1>)
        => Else::Output;
}
/// The images of the next bits, `P` and so on, which vectors begin with: the sum of their tag and of the images of the
/// bits below.
pub trait AddImage<P, S, N, Tag> {
    type Output;
}
cases! { AddImage:
    [I, P, S, N, Tag] ImagesUpTo<I>, P, S, N, Tag => Self;
    [I, P, S, N: Leading<Rest: SumOfImages<I, S, Tag>>, Tag] Complete<I>, P, S, N, Tag
        where (<N::Rest as SumOfImages<I, S, Tag>>::Output: AsImage<I, P, S, N, Tag>)
        => <<N::Rest as SumOfImages<I, S, Tag>>::Output as AsImage<I, P, S, N, Tag>>::Output;
}
/// [`AddImage`], where `self` is the image: a number, or [`InParts`].
pub trait AsImage<I, P, S, N, Tag> {
    type Output;
}
/// The images of as many vectors are not one number, shifted: `X` times fewer may be.
pub struct InParts<X>(PhantomData<X>);
cases! { AsImage:
    [U, B, I, P, S, N, Tag] UInt<U, B>, I, P, S, N, Tag => Complete<Cons<Image<P, S, Self>, I>>;
    [X, I, P, S: LiesTo<X, Output: AddInParts<X, I, P, N, Tag>>, N, Tag] InParts<X>, I, P, S, N, Tag
        => <S::Output as AddInParts<X, I, P, N, Tag>>::Output;
}
/// The images of the first vectors, as many as `self` says, and then those of `X`.
pub trait AddInParts<X, I, P, N, Tag> {
    type Output;
}
cases! { AddInParts:
    [S, X, I, P, N, Tag: TagTimes<S>] Above<S>, X, I, P, N, Tag
        where (
            UInt<S, B0>: ShiftedBy<P> + ShiftedBy<N>,
            Complete<I>: AddImage<P, S, N, Tag, Output: AddImage<Shifted<P, S>, X, Shifted<N, S>, Tag::Output>>,
        )
        => <<Complete<I> as AddImage<P, S, N, Tag>>::Output as AddImage<
            Shifted<P, S>, X, Shifted<N, S>, Tag::Output,
        >>::Output;
}
/// The sum of `Tag` and the images of the bits of `self`, if that holds for the first vectors of an extent `S`, shifted;
/// else [`InParts`].
pub trait SumOfImages<I, S, Tag> {
    type Output;
}
cases! { SumOfImages:
    [I, S, Tag] UTerm, I, S, Tag => Tag;
    [U, B, P1, S1, N1, I, S, Tag] UInt<U, B>, Cons<Image<P1, S1, N1>, I>, S, Tag
        where (
            UInt<U, B>: Leading,
            <UInt<U, B> as Leading>::Bit: LiesTo<P1, Output: SumWith<P1, S1, N1, I, S, Tag, UInt<U, B>>>,
        )
        => <<<UInt<U, B> as Leading>::Bit as LiesTo<P1>>::Output as SumWith<
            P1, S1, N1, I, S, Tag, UInt<U, B>,
        >>::Output;
}
/// [`SumOfImages`] of the bits of `N`, the highest of which lies as `self` to `P1`.
pub trait SumWith<P1, S1, N1, I, S, Tag, N> {
    type Output;
}
cases! { SumWith:
    [X, P1, S1, N1, I, S, Tag, N: SumOfImages<I, S, Tag>] Below<X>, P1, S1, N1, I, S, Tag, N => N::Output;
    [P1, S1, N1, I, S: LiesTo<S1>, Tag, N] Equal, P1, S1, N1, I, S, Tag, N
        where (S::Output: SumIfWithin<N1, I, S, Tag, N>)
        => <S::Output as SumIfWithin<N1, I, S, Tag, N>>::Output;
    // The bits below may have images of the same number.
    [Q, P1, S1, N1: TagTimes<Q>, I, S, Tag, N] Above<Q>, P1, S1, N1, I, S, Tag, N
        where (
            UInt<Q, B0>: ShiftedBy<S>,
            Shifted<S, Q>: LiesTo<S1, Output: SumIfWithin<N1::Output, Cons<Image<P1, S1, N1>, I>, S, Tag, N>>,
        )
        => <<Shifted<S, Q> as LiesTo<S1>>::Output as SumIfWithin<
            N1::Output, Cons<Image<P1, S1, N1>, I>, S, Tag, N,
        >>::Output;
}
/// [`SumOfImages`] of the bits of `N`, the highest of which has the image `N1` and the others images of `I`; `self` is how
/// far the vectors reach, to how far the images are `N1`, shifted.
pub trait SumIfWithin<N1, I, S, Tag, N> {
    type Output;
}
cases! { SumIfWithin:
    [N1, I, S, Tag: XorInt<N1>, N: Leading<Rest: SumOfImages<I, S, Tag::Output>>] Equal, N1, I, S, Tag, N
        => <N::Rest as SumOfImages<I, S, Tag::Output>>::Output;
    [X, N1, I, S, Tag: XorInt<N1>, N: Leading<Rest: SumOfImages<I, S, Tag::Output>>] Below<X>, N1, I, S, Tag, N
        => <N::Rest as SumOfImages<I, S, Tag::Output>>::Output;
    [X, N1, I, S, Tag, N] Above<X>, N1, I, S, Tag, N => InParts<X>;
}
/// Images as XOR modes, the lowest one first, before the modes `Above`.
pub trait ImageModes<Above> {
    type Output;
}
cases! { ImageModes:
    [Above] Nil, Above => Above;
    [P, S, N: AsXor, I: ImageModes<Cons<Mode<S, N::Output>, Above>>, Above] Cons<Image<P, S, N>, I>, Above => I::Output;
}

/// The tags of the sums that are 0, as XOR modes.
pub trait ZeroModes {
    type Output;
}
cases! { ZeroModes:
    [] Nil => Nil;
    [S, N, Tag: AsXor, L: ZeroModes] Cons<Vectors<S, N, Tag>, L> => Cons<Mode<S, Tag::Output>, L::Output>;
    [R, Z: ZeroModes] Rows<R, Z> => Z::Output;
}

/// The largest sum of the rows `self` and the number `Sum`: the vectors from the highest one down, each unless its highest
/// bit is there.
pub trait LargestSum<Sum> {
    /// A number, or [`Undefined`].
    type Output;
}
cases! { LargestSum:
    [R: LargestSum<Sum>, Sum] Rows<R, Nil>, Sum => R::Output;
    [R, V, L, Sum] Rows<R, Cons<V, L>>, Sum where (Rows<R, L>: LargestSum<Sum>)
        => <Rows<R, L> as LargestSum<Sum>>::Output;
    [R, Why, Sum] Rows<R, Undefined<Why>>, Sum => Undefined<Why>;
    [Sum] Nil, Sum => Sum;
    [P, S: LargestSumBelow<P, N, Sum>, N, Tag, T: LargestSum<S::Output>, Sum] Cons<Row<P, S, N, Tag>, T>, Sum
        => T::Output;
}
/// [`LargestSum`] of the vectors of `self:^N`, the first of which has the highest bit `P`.
pub trait LargestSumBelow<P, N, Sum> {
    type Output;
}
cases! { LargestSumBelow:
    [P, N, Sum] One, P, N, Sum => Sum;
    [U, B, P, N, Sum: HasBit<<Self as ShiftedBy<P>>::Output>] UInt<UInt<U, B>, B0>, P, N, Sum
        where (
            Self: ShiftedBy<P> + ShiftedBy<N>,
            Sum::Output: PlusUnless<<Self as ShiftedBy<N>>::Output, Sum>,
            UInt<U, B>: LargestSumBelow<P, N, LargerSum<Self, N, Sum, Sum::Output>>,
        )
        => <UInt<U, B> as LargestSumBelow<P, N, LargerSum<Self, N, Sum, Sum::Output>>>::Output;
}
type LargerSum<S, N, Sum, Has> = <Has as PlusUnless<<S as ShiftedBy<N>>::Output, Sum>>::Output;
/// Has a number the bit `P`?
pub trait HasBit<P> {
    type Output;
}
cases! { HasBit:
    [P] UTerm, P => False;
    [U] UInt<U, B0>, One => False;
    [U] UInt<U, B1>, One => True;
    [U: HasBit<V>, B, V] UInt<U, B>, UInt<V, B0> => U::Output;
}
/// `Sum`, if `self` says so, else with the vector `N`.
pub trait PlusUnless<N, Sum> {
    type Output;
}
cases! { PlusUnless:
    [N, Sum] True, N, Sum => Sum;
    [N, Sum: XorInt<N>] False, N, Sum => Sum::Output;
}
