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
use crate::list::{Concat, Cons, Nil};
use crate::number::int::{And, False, One, StaticInt, SubInt, True, TwoBits};
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

/// How the power of two `self` lies to `R`: [`TimesAbove`] it, [`Equal`] or [`TimesBelow`].
pub trait LiesTo<R> {
    type Output;
}
/// It is `Q` times the other one.
pub struct TimesAbove<Q>(PhantomData<Q>);
/// The other one is `Q` times as much.
pub struct TimesBelow<Q>(PhantomData<Q>);
cases! { LiesTo:
    [] One, One => Equal;
    [V] One, UInt<V, B0> => TimesBelow<UInt<V, B0>>;
    [U] UInt<U, B0>, One => TimesAbove<UInt<U, B0>>;
    // Two zeros a step.
    [] Two, Two => Equal;
    [V] Two, UInt<UInt<V, B0>, B0> => TimesBelow<UInt<V, B0>>;
    [U] UInt<UInt<U, B0>, B0>, Two => TimesAbove<UInt<U, B0>>;
    [U: LiesTo<V>, V] UInt<UInt<U, B0>, B0>, UInt<UInt<V, B0>, B0> => U::Output;
}

/// The highest bit of a number that is not 0, and the bits below it.
pub trait Leading {
    type Bit;
    type Rest: TwoBits;
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
    ($($high:ident $low:ident => $digit:ident;)*) => {
        $(impl<U, B> Leading for UInt<UInt<UInt<U, B>, $high>, $low>
        where
            UInt<U, B>: Leading,
        {
            type Bit = UInt<UInt<<UInt<U, B> as Leading>::Bit, B0>, B0>;
            type Rest = <<UInt<U, B> as Leading>::Rest as TwoBits>::$digit;
        })*
    };
}
leading_two_bits! { B0 B0 => Zero; B0 B1 => One; B1 B0 => Two; B1 B1 => Three; }

// ---- vectors ------------------------------------------------------------------------------------------------------

/// The vectors of a mode `S:^N`, `S` a power of two above 1, where `V` is [`FirstVector`].
pub struct ModeVectors<S, V>(PhantomData<(S, V)>);
/// The first vector, and what is said of it. What is said of the others is doubled from one to the next, as they are.
pub struct FirstVector<N, Tag>(PhantomData<(N, Tag)>);

/// In place of a tag that is a number: the mode `S:^N` that the vectors are of.
pub struct Of<S, N>(PhantomData<(S, N)>);

/// The vector `Q` times as large, `Q` a power of two, or what is said of it.
pub trait TimesPower<Q> {
    type Output;
}
cases! { TimesPower:
    [Q] UTerm, Q => UTerm;
    [U, B, Q] UInt<U, B>, Q where (UInt<Q, B0>: ShiftedBy<Self>) => Shifted<Self, Q>;
    [S, N, Q] Of<S, N>, Q => Self;
    [N: TimesPower<Q>, Tag: TimesPower<Q>, Q] FirstVector<N, Tag>, Q => FirstVector<N::Output, Tag::Output>;
}
/// The sum of two vectors, or what is said of it.
pub trait SumOf<R> {
    type Output;
}
cases! { SumOf:
    [U, B, R] UInt<U, B>, R where (Self: XorInt<R>) => <Self as XorInt<R>>::Output;
    [S, N, R] Of<S, N>, R => Self;
    [N: XorInt<M>, Tag: SumOf<R>, M, R] FirstVector<N, Tag>, FirstVector<M, R> => FirstVector<N::Output, Tag::Output>;
}

// ---- elimination --------------------------------------------------------------------------------------------------

/// The rows, the highest one first, and the vectors that are sums of others, in their order, each with the tag of a sum
/// that is 0. These end as the vectors did: with what is wrong of a mode, if something is.
pub struct Echelon<R, Zeros>(PhantomData<(R, Zeros)>);
/// [`ModeVectors`] whose highest bits are `P`, `2 * P` and so on, as many as `S` has zeros: no other row has one of these.
pub struct Row<P, S, V>(PhantomData<(P, S, V)>);

/// [`Echelon`] of the vectors `self` behind those of the rows `R`.
pub trait Eliminate<R = Nil> {
    type Output;
}
cases! { Eliminate:
    [R] Nil, R => Echelon<R, Nil>;
    [Why, R] Undefined<Why>, R => Echelon<R, Self>;
    [S, Tag, L: Eliminate<R, Output: WithZero<ModeVectors<S, FirstVector<UTerm, Tag>>>>, R]
        Cons<ModeVectors<S, FirstVector<UTerm, Tag>>, L>, R
        => <L::Output as WithZero<ModeVectors<S, FirstVector<UTerm, Tag>>>>::Output;
    [S, U, B, Tag, L, R] Cons<ModeVectors<S, FirstVector<UInt<U, B>, Tag>>, L>, R
        where (UInt<U, B>: Leading, R: PlaceRow<LeadingRow<S, UInt<U, B>, Tag>, L, Output: StepOn>)
        => <<R as PlaceRow<LeadingRow<S, UInt<U, B>, Tag>, L>>::Output as StepOn>::Output;
}
type LeadingRow<S, N, Tag> = Row<<N as Leading>::Bit, S, FirstVector<N, Tag>>;
/// Vectors that are 0, before the others that are.
pub trait WithZero<V> {
    type Output;
}
cases! { WithZero: [R, Z, V] Echelon<R, Z>, V => Echelon<R, Cons<V, Z>>; }

/// The rows so far, and the vectors that are still to come.
pub struct Step<R, L>(PhantomData<(R, L)>);
/// The rest of an elimination.
pub trait StepOn {
    type Output;
}
cases! { StepOn: [R, L: Eliminate<R>] Step<R, L> => L::Output; }

/// The vectors `New`, a [`Row`] if there is room for it, among the rows `self`; vectors that are left of them come before
/// `L`.
pub trait PlaceRow<New, L> {
    /// A [`Step`].
    type Output;
}
cases! { PlaceRow:
    [New, L] Nil, New, L => Step<Cons<New, Nil>, L>;
    [P1, S1, V1, T, P: Meets<S, P1, S1, Output: PlaceBy<Self, Row<P, S, V>, L>>, S, V, L]
        Cons<Row<P1, S1, V1>, T>, Row<P, S, V>, L
        => <P::Output as PlaceBy<Self, Row<P, S, V>, L>>::Output;
}
/// How the columns that begin at `self`, as many as `S` has zeros, lie to those of `S1` that begin at `P1`.
pub trait Meets<S, P1, S1> {
    /// [`AllAbove`], [`AllBelow`], [`ReachesInto`] or [`AmongColumns`].
    type Output;
}
/// All are above.
pub struct AllAbove;
/// All are below.
pub struct AllBelow;
/// They begin below, and the last ones, as many as `X` has zeros, reach the others; `Q` is all but these.
pub struct ReachesInto<Q, X>(PhantomData<(Q, X)>);
/// They begin `Q` times as high, among the others, of which there are as many from there on as `X` has zeros.
pub struct AmongColumns<Q, X>(PhantomData<(Q, X)>);
cases! { Meets:
    [P: LiesTo<P1, Output: MeetsFrom<S, S1>>, S, P1, S1] P, S, P1, S1 => <P::Output as MeetsFrom<S, S1>>::Output;
}
/// [`Meets`], where `self` is how the first columns lie to one another.
pub trait MeetsFrom<S, S1> {
    type Output;
}
cases! { MeetsFrom:
    [S, S1: LiesTo<Q, Output: OverOrAmong<Q>>, Q] TimesAbove<Q>, S, S1 => <S1::Output as OverOrAmong<Q>>::Output;
    [S, S1] Equal, S, S1 => AmongColumns<One, S1>;
    [S: LiesTo<Q, Output: UnderOrInto<Q>>, S1, Q] TimesBelow<Q>, S, S1 => <S::Output as UnderOrInto<Q>>::Output;
}
/// [`Meets`], where `self` is how the other extent lies to `Q`.
pub trait OverOrAmong<Q> {
    type Output;
}
cases! { OverOrAmong:
    [Q] Equal, Q => AllAbove;
    [Q, X] TimesBelow<X>, Q => AllAbove;
    [Q, X] TimesAbove<X>, Q => AmongColumns<Q, X>;
}
/// [`Meets`], where `self` is how the extent lies to `Q`.
pub trait UnderOrInto<Q> {
    type Output;
}
cases! { UnderOrInto:
    [Q] Equal, Q => AllBelow;
    [Q, X] TimesBelow<X>, Q => AllBelow;
    [Q, X] TimesAbove<X>, Q => ReachesInto<Q, X>;
}
/// [`PlaceRow`] among the rows `R`; `self` is how the columns of `New` lie to those of the first one.
pub trait PlaceBy<R, New, L> {
    type Output;
}
cases! { PlaceBy:
    [R, New, L] AllAbove, R, New, L => Step<Cons<New, R>, L>;
    [R, T: PlaceRow<New, L, Output: BehindRow<R>>, New, L] AllBelow, Cons<R, T>, New, L
        => <T::Output as BehindRow<R>>::Output;
    // What reaches the row is cut off.
    [Q, X, R, T, P, S, V: TimesPower<Q>, L] ReachesInto<Q, X>, Cons<R, T>, Row<P, S, V>, L
        where (T: PlaceRow<Row<P, Q, V>, Cons<ModeVectors<X, V::Output>, L>, Output: BehindRow<R>>)
        => <<T as PlaceRow<Row<P, Q, V>, Cons<ModeVectors<X, V::Output>, L>>>::Output as BehindRow<R>>::Output;
    [Q, X, P1, S1, V1: TimesPower<Q>, T, P, S: LiesTo<X, Output: Reduced<X, V1::Output, S, V, L>>, V, L]
        AmongColumns<Q, X>, Cons<Row<P1, S1, V1>, T>, Row<P, S, V>, L
        => Step<Cons<Row<P1, S1, V1>, T>, <S::Output as Reduced<X, V1::Output, S, V, L>>::Output>;
}
/// The step `self` with the row `R` before its rows.
pub trait BehindRow<R> {
    type Output;
}
cases! { BehindRow: [T, L, R] Step<T, L>, R => Step<Cons<R, T>, L>; }

/// The vectors `V` of an extent `S` plus those of an extent `S1`, `V1`, which have the same highest bits, before the
/// vectors `L`; `self` is how `S` lies to `S1`. Those beyond `S1` stay as they are.
pub trait Reduced<S1, V1, S, V, L> {
    type Output;
}
cases! { Reduced:
    [S1, V1, S, V: SumOf<V1>, L] Equal, S1, V1, S, V, L => Cons<ModeVectors<S, V::Output>, L>;
    [X, S1, V1, S, V: SumOf<V1>, L] TimesBelow<X>, S1, V1, S, V, L => Cons<ModeVectors<S, V::Output>, L>;
    [X, S1, V1, S, V: SumOf<V1> + TimesPower<S1>, L] TimesAbove<X>, S1, V1, S, V, L
        => Cons<ModeVectors<S1, <V as SumOf<V1>>::Output>, Cons<ModeVectors<X, <V as TimesPower<S1>>::Output>, L>>;
}

// ---- what the rows say --------------------------------------------------------------------------------------------

/// The least power of two above all bits of the rows `self`.
pub trait EndOfRows {
    type Output;
}
cases! { EndOfRows:
    [] Nil => One;
    [P, S, V, T] Cons<Row<P, S, V>, T> where (UInt<S, B0>: ShiftedBy<P>) => Shifted<P, S>;
}

/// The bits that no row begins with, as XOR modes before the modes `Above`, merged. All are below `End`, a power of two.
/// A vector that is a sum of others is refused.
pub trait FreeBits<End, Above> {
    type Output;
    fn free_bits(above: Above) -> Result<Self::Output, Fault>;
}
cases! { FreeBits::free_bits -> Result<Self::Output, Fault>:
    [R: FreeBits<End, Above>, End, Above] Echelon<R, Nil>, End, Above => R::Output, (above: Above) => R::free_bits(above);
    [R, Why, End, Above] Echelon<R, Undefined<Why>>, End, Above => Undefined<Why>, (_: Above) => Ok(Undefined::new());
    [R, X, N, S, M, L, End, Above] Echelon<R, Cons<ModeVectors<X, FirstVector<N, Of<S, M>>>, L>>, End, Above
        => Undefined<XorOverlap<S, M>>, (_: Above) => Ok(Undefined::new());
    [Above] Nil, One, Above => Above, (above: Above) => Ok(above);
    [U, Above: Push<Merging, UInt<U, B0>, Xor<One>>] Nil, UInt<U, B0>, Above where (UInt<U, B0>: StaticInt)
        => Above::Output,
        (above: Above) => above.push(Mode { shape: Default::default(), stride: Xor(One::default()) });
    [P, S, V, T, End: EndsBehind<P, S, Output: GapAbove<Self, Above>>, Above] Cons<Row<P, S, V>, T>, End, Above
        => <End::Output as GapAbove<Self, Above>>::Output, (above: Above) => End::Output::gap_above(above);
}
/// How far the power of two `self` is behind the columns that begin at `P`, as many as `S` has zeros: [`Equal`], or
/// [`TimesAbove`].
pub trait EndsBehind<P, S> {
    type Output;
}
cases! { EndsBehind: [End: LiesTo<P, Output: BehindFirst<S>>, P, S] End, P, S => <End::Output as BehindFirst<S>>::Output; }
/// [`EndsBehind`], where `self` is how far it is behind the first column.
pub trait BehindFirst<S> {
    type Output;
}
cases! { BehindFirst: [Q: LiesTo<S>, S] TimesAbove<Q>, S => Q::Output; }
/// [`FreeBits`] of the rows `R`; `self` is how far the end is behind the first one.
pub trait GapAbove<R, Above> {
    type Output;
    fn gap_above(above: Above) -> Result<Self::Output, Fault>;
}
cases! { GapAbove::gap_above -> Result<Self::Output, Fault>:
    [P, S, V, T: FreeBits<P, Modes>, Modes] Equal, Cons<Row<P, S, V>, T>, Modes => T::Output,
        (above: Modes) => T::free_bits(above);
    [Q: StaticInt, P, S, V, T: FreeBits<P, Modes::Output>, Modes: Push<Merging, Q, Xor<Shifted<P, S>>>]
        TimesAbove<Q>, Cons<Row<P, S, V>, T>, Modes
        where (UInt<S, B0>: ShiftedBy<P, Output: StaticInt>)
        => T::Output,
        (above: Modes) => T::free_bits(above.push(Mode { shape: Q::default(), stride: Xor(Default::default()) })?);
}

/// Is none of `Bits` one that no row begins with? All are below `End`.
pub trait NoFreeBit<End, Bits> {
    type Output;
}
cases! { NoFreeBit:
    [R: NoFreeBit<End, Bits>, Z, End, Bits] Echelon<R, Z>, End, Bits => R::Output;
    [Bits, End: SubInt<One, Output: ShareNoBit<Bits>>] Nil, End, Bits
        => <End::Output as ShareNoBit<Bits>>::Output;
    [P, S, V, T: NoFreeBit<P, Bits>, End: SubInt<Shifted<P, S>>, Bits] Cons<Row<P, S, V>, T>, End, Bits
        where (
            UInt<S, B0>: ShiftedBy<P>,
            End::Output: ShareNoBit<Bits, Output: And<T::Output>>,
        )
        => <<End::Output as ShareNoBit<Bits>>::Output as And<T::Output>>::Output;
}

/// The images of bits: the sums of tags that lead to each of them alone. They are modes, from the lowest bit on: of the
/// bits of `S:^N` the images are `N`, `2 * N` and so on, and those of `S:0` are 0.
pub trait Images<Else> {
    /// [`Complete`], [`ImagesUpTo`], or [`Undefined`].
    type Output;
}
/// The images of all bits of the rows.
pub struct Complete<I>(PhantomData<I>);
/// The images of the lowest bits: no sum leads to the next one alone.
pub struct ImagesUpTo<I>(PhantomData<I>);
/// Where no sum leads to a bit, images end.
pub struct Ends;
/// Where no sum leads to a bit, its image is 0.
pub struct IsZero;
cases! { Images:
    [R: Images<Else>, Else] Echelon<R, Nil>, Else => R::Output;
    [R, V, L, Else] Echelon<R, Cons<V, L>>, Else where (Echelon<R, L>: Images<Else>)
        => <Echelon<R, L> as Images<Else>>::Output;
    [R, Why, Else] Echelon<R, Undefined<Why>>, Else => Undefined<Why>;
    [Else] Nil, Else => Complete<Nil>;
    [P, S, V, T: Images<Else> + EndsBelow<P>, Else] Cons<Row<P, S, V>, T>, Else
        where (<T as EndsBelow<P>>::Output: ImagesWith<<T as Images<Else>>::Output, Else, S, V>)
        => <<T as EndsBelow<P>>::Output as ImagesWith<<T as Images<Else>>::Output, Else, S, V>>::Output;
}
/// How far the power of two `P` is behind the columns of the rows `self`: [`Equal`], or [`TimesAbove`].
pub trait EndsBelow<P> {
    type Output;
}
cases! { EndsBelow:
    [] Nil, One => Equal;
    [U] Nil, UInt<U, B0> => TimesAbove<UInt<U, B0>>;
    [P1, S1, V1, T, P: EndsBehind<P1, S1>] Cons<Row<P1, S1, V1>, T>, P => P::Output;
    [R: EndsBelow<P>, Z, P] Echelon<R, Z>, P => R::Output;
}
/// The images `Below` and those of the row of the vectors `V`, as many as `S` has zeros; `self` is how far the row is
/// behind the bits below.
pub trait ImagesWith<Below, Else, S, V> {
    type Output;
}
cases! { ImagesWith:
    [I, Else, S, V] Equal, ImagesUpTo<I>, Else, S, V => ImagesUpTo<I>;
    [Q, I, Else, S, V] TimesAbove<Q>, ImagesUpTo<I>, Else, S, V => ImagesUpTo<I>;
    [Q, I, S, V] TimesAbove<Q>, Complete<I>, Ends, S, V => ImagesUpTo<I>;
    [Q, I: Concat<Cons<Mode<Q, UTerm>, Nil>>, S, N: Leading<Rest: ImagesOfRow<I::Output, S, Tag>>, Tag]
        TimesAbove<Q>, Complete<I>, IsZero, S, FirstVector<N, Tag>
        => <N::Rest as ImagesOfRow<I::Output, S, Tag>>::Output;
    [I, Else, S, N: Leading<Rest: ImagesOfRow<I, S, Tag>>, Tag] Equal, Complete<I>, Else, S, FirstVector<N, Tag>
        => <N::Rest as ImagesOfRow<I, S, Tag>>::Output;
}
/// The images `I` and those of the next bits, as many as `S` has zeros: the sums of the tag of a vector that begins with
/// the bit and of the images of its other bits. Of the first vector these are `self`, and the tag is `Tag`.
pub trait ImagesOfRow<I, S, Tag> {
    /// [`Complete`]
    type Output;
}
cases! { ImagesOfRow:
    [I: Concat<Cons<Mode<S, Xor<Tag>>, Nil>>, S, Tag] UTerm, I, S, Tag => Complete<I::Output>;
    [U, B, I, S, Tag] UInt<U, B>, I, S, Tag
        where (Self: SumsOfImages<I, S, Tag, Output: SumsBehind<I, Self, S, Tag>>)
        => <<Self as SumsOfImages<I, S, Tag>>::Output as SumsBehind<I, Self, S, Tag>>::Output;
}
/// In place of the end of a list of images: those of as many bits more as `S` has zeros need images of the list.
pub struct Left<S>(PhantomData<S>);

/// The sums of `Tag` and of the images of the bits of `self`, the lowest of which is the first one of `I`; then of twice
/// the tag and the images of the next bits, and so on, as many times as `S` has zeros, or up to [`Left`].
pub trait SumsOfImages<I, S, Tag> {
    type Output;
}
cases! { SumsOfImages:
    [I, S, Tag] UTerm, I, S, Tag => Cons<Mode<S, Xor<Tag>>, Nil>;
    [U, B, D, I, S, Tag] UInt<U, B>, Cons<Mode<One, D>, I>, S, Tag where (Self: SumsOfImages<I, S, Tag>)
        => <Self as SumsOfImages<I, S, Tag>>::Output;
    [U: SumsOfImages<Cons<Mode<X, UTerm>, I>, S, Tag>, B, X, I, S, Tag]
        UInt<U, B>, Cons<Mode<UInt<X, B0>, UTerm>, I>, S, Tag
        => U::Output;
    [U: SumsOfImages<Cons<Mode<X, Xor<UInt<N, B0>>>, I>, S, Tag>, X, N, I, S, Tag]
        UInt<U, B0>, Cons<Mode<UInt<X, B0>, Xor<N>>, I>, S, Tag
        => U::Output;
    [U, X, N, I, S, Tag] UInt<U, B1>, Cons<Mode<UInt<X, B0>, Xor<N>>, I>, S, Tag
        where (
            U: SumsOfImages<
                Cons<Mode<X, Xor<UInt<N, B0>>>, I>, S, Tag, Output: PlusImages<Cons<Mode<UInt<X, B0>, Xor<N>>, I>>,
            >,
        )
        => <U::Output as PlusImages<Cons<Mode<UInt<X, B0>, Xor<N>>, I>>>::Output;
}
/// The sums `self`, each plus the image of the next bit of `I`.
pub trait PlusImages<I> {
    type Output;
}
cases! { PlusImages:
    [I] Nil, I => Nil;
    [S, I] Left<S>, I => Left<S>;
    [S, D, L] Cons<Mode<S, D>, L>, Nil => Left<S>;
    [S, D, L, X] Cons<Mode<S, D>, L>, Left<X> => Left<S>;
    [S: LiesTo<X, Output: PlusImagesBy<S, N, L, X, D, I>>, N, L, X, D, I] Cons<Mode<S, Xor<N>>, L>, Cons<Mode<X, D>, I>
        => <S::Output as PlusImagesBy<S, N, L, X, D, I>>::Output;
}
/// [`PlusImages`] of the sums `S:^N` before `L` and the images `X:D` before `I`; `self` is how `S` lies to `X`.
pub trait PlusImagesBy<S, N, L, X, D, I> {
    type Output;
}
cases! { PlusImagesBy:
    [S, N, L: PlusImages<I>, X, I] Equal, S, N, L, X, UTerm, I => Cons<Mode<S, Xor<N>>, L::Output>;
    [S, N: XorInt<M>, L: PlusImages<I>, X, M, I] Equal, S, N, L, X, Xor<M>, I => Cons<Mode<S, Xor<N::Output>>, L::Output>;
    [Q, S, N, L: PlusImages<Cons<Mode<Q, UTerm>, I>>, X, I] TimesBelow<Q>, S, N, L, X, UTerm, I
        => Cons<Mode<S, Xor<N>>, L::Output>;
    [Q, S, N: XorInt<M>, X, M, I] TimesBelow<Q>, S, N, Nil, X, Xor<M>, I => Cons<Mode<S, Xor<N::Output>>, Nil>;
    [Q, S, N: XorInt<M>, X, M, Y, I] TimesBelow<Q>, S, N, Left<Y>, X, Xor<M>, I
        => Cons<Mode<S, Xor<N::Output>>, Left<Y>>;
    [Q, S, N: XorInt<M>, H, L, X, M: TimesPower<S>, I] TimesBelow<Q>, S, N, Cons<H, L>, X, Xor<M>, I
        where (Cons<H, L>: PlusImages<Cons<Mode<Q, Xor<M::Output>>, I>>)
        => Cons<Mode<S, Xor<N::Output>>, <Cons<H, L> as PlusImages<Cons<Mode<Q, Xor<M::Output>>, I>>>::Output>;
    [Q, S, N: TimesPower<X>, L, X, I] TimesAbove<Q>, S, N, L, X, UTerm, I
        where (Cons<Mode<Q, Xor<N::Output>>, L>: PlusImages<I>)
        => Cons<Mode<X, Xor<N>>, <Cons<Mode<Q, Xor<N::Output>>, L> as PlusImages<I>>::Output>;
    [Q, S, N: XorInt<M> + TimesPower<X>, L, X, M, I] TimesAbove<Q>, S, N, L, X, Xor<M>, I
        where (Cons<Mode<Q, Xor<<N as TimesPower<X>>::Output>>, L>: PlusImages<I>)
        => Cons<
            Mode<X, Xor<<N as XorInt<M>>::Output>>,
            <Cons<Mode<Q, Xor<<N as TimesPower<X>>::Output>>, L> as PlusImages<I>>::Output,
        >;
}
/// [`ImagesOfRow`], where `self` are its images, or the first ones.
pub trait SumsBehind<I, Rest, S, Tag> {
    type Output;
}
cases! { SumsBehind:
    [H, T: EndOfSums, I: Concat<Self>, Rest, S, Tag] Cons<H, T>, I, Rest, S, Tag
        where (T::Output: RestBehind<I::Output, Rest, S, Tag>)
        => <T::Output as RestBehind<I::Output, Rest, S, Tag>>::Output;
}
/// The end of a list: [`Nil`] or [`Left`].
pub trait EndOfSums {
    type Output;
}
cases! { EndOfSums:
    [] Nil => Nil;
    [S] Left<S> => Left<S>;
    [H, T: EndOfSums] Cons<H, T> => T::Output;
}
/// The images `I`, and those that are left, if `self` says so.
pub trait RestBehind<I, Rest, S, Tag> {
    type Output;
}
cases! { RestBehind:
    [I, Rest, S, Tag] Nil, I, Rest, S, Tag => Complete<I>;
    [X, I, Rest, S: LiesTo<X, Output: NextImages<I, Rest, X, Tag>>, Tag] Left<X>, I, Rest, S, Tag
        => <S::Output as NextImages<I, Rest, X, Tag>>::Output;
}
/// [`ImagesOfRow`] of the vectors that are `self` times as large.
pub trait NextImages<I, Rest, S, Tag> {
    type Output;
}
cases! { NextImages:
    [Q, I, Rest: TimesPower<Q>, S, Tag: TimesPower<Q>] TimesAbove<Q>, I, Rest, S, Tag
        where (Rest::Output: ImagesOfRow<I, S, Tag::Output>)
        => <Rest::Output as ImagesOfRow<I, S, Tag::Output>>::Output;
}
impl<S, L> Concat<L> for Left<S> {
    type Output = L;
    fn concat(self, other: L) -> L {
        other
    }
}

/// The tags of the sums that are 0, as XOR modes.
pub trait ZeroModes {
    type Output;
}
cases! { ZeroModes:
    [] Nil => Nil;
    [S, N, Tag: AsXor, L: ZeroModes] Cons<ModeVectors<S, FirstVector<N, Tag>>, L> => Cons<Mode<S, Tag::Output>, L::Output>;
    [R, Z: ZeroModes] Echelon<R, Z> => Z::Output;
}

/// The largest sum of the rows `self` and the number `Sum`: the vectors from the highest one down, each unless its highest
/// bit is there.
pub trait LargestSum<Sum> {
    /// A number, or [`Undefined`].
    type Output;
}
cases! { LargestSum:
    [R: LargestSum<Sum>, Sum] Echelon<R, Nil>, Sum => R::Output;
    [R, V, L, Sum] Echelon<R, Cons<V, L>>, Sum where (Echelon<R, L>: LargestSum<Sum>)
        => <Echelon<R, L> as LargestSum<Sum>>::Output;
    [R, Why, Sum] Echelon<R, Undefined<Why>>, Sum => Undefined<Why>;
    [Sum] Nil, Sum => Sum;
    [P, S: LargestSumBelow<P, N, Sum>, N, Tag, T: LargestSum<S::Output>, Sum] Cons<Row<P, S, FirstVector<N, Tag>>, T>, Sum
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
