//! Gaussian elimination over the bits of static numbers, many vectors at a time.
//!
//! ```text
//! 8:^1, 8:^9     the vectors 1, 10, 100 and 1001, 10010, 100100: one for each bit of the coordinates of a mode
//! rows           8:^9 leads at bits 3 to 5, 8:^1 at bits 0 to 2
//! 8:^9, 8:^8     lead at the same bits: of the second one 8:^(8 ^ 9) is left, which leads at bits 0 to 2
//! ```
//!
//! The vectors of a mode `S:^N` with `S` a power of two are `N`, shifted, and so are their highest bits: as many
//! columns, one beside the other, as `S` has zeros. A mode becomes a row if no row before it has one of its columns.
//! One that has is added, to all vectors of the mode at once; what goes beyond that row's columns is cut off and comes
//! next. So a vector only ever changes by those before it. What a tag says goes along: of a sum, the sum of the tags.

use core::marker::PhantomData;

use typenum::{B0, B1, Equal, UInt, UTerm};

use crate::algebra::coalesce::Merging;
use crate::algebra::compose::used_bits::ShareNoBit;
use crate::algebra::mode::{Mode, Push};
use crate::error::Fault;
use crate::list::{Concat, Cons, Nil};
use crate::number::int::{And, False, One, StaticInt, SubInt, True, TwoBits};
use crate::number::table::Same;
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

/// The greatest power of two that is no more than a number, its highest bit, or 0.
pub trait PowerWithin {
    type Output;
}
cases! { PowerWithin:
    [] UTerm => Self;
    [] One => Self;
    [A] UInt<One, A> => Two;
    [A, B] UInt<UInt<One, A>, B> => UInt<Two, B0>;
    [A, B, C] UInt<UInt<UInt<One, A>, B>, C> => UInt<UInt<Two, B0>, B0>;
    // Four bits a step.
    [U, A, B, C, D, E] UInt<UInt<UInt<UInt<UInt<U, A>, B>, C>, D>, E> where (UInt<U, A>: PowerWithin)
        => UInt<UInt<UInt<UInt<<UInt<U, A> as PowerWithin>::Output, B0>, B0>, B0>, B0>;
}
/// A number without its highest bit.
pub trait WithoutHighest {
    type Output: TwoBits;
}
cases! { WithoutHighest: [] One => UTerm; [] Two => UTerm; [] UInt<One, B1> => One; }
/// Two bits a step.
macro_rules! without_highest {
    ($($high:ident $low:ident => $digit:ident;)*) => {
        cases! { WithoutHighest:
            $([U, B] UInt<UInt<UInt<U, B>, $high>, $low> where (UInt<U, B>: WithoutHighest)
                => <<UInt<U, B> as WithoutHighest>::Output as TwoBits>::$digit;)*
        }
    };
}
without_highest! { B0 B0 => Zero; B0 B1 => One; B1 B0 => Two; B1 B1 => Three; }

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

/// The rows, the lowest one first, and the vectors that are sums of others, in their order, each with the tag of a sum
/// that is 0. These end as the vectors did: with what is wrong of a mode, if something is.
pub struct Echelon<R, Zeros>(PhantomData<(R, Zeros)>);
/// [`ModeVectors`] whose highest bits no other row has. Their columns begin `G` times behind those of the row below, or
/// behind the lowest bit.
pub struct Row<G, V>(PhantomData<(G, V)>);

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
        where (
            UInt<U, B>: PowerWithin,
            R: PlaceRow<
                <UInt<U, B> as PowerWithin>::Output, ModeVectors<S, FirstVector<UInt<U, B>, Tag>>, Output: StepOn<L>,
            >,
        )
        => <<R as PlaceRow<
            <UInt<U, B> as PowerWithin>::Output, ModeVectors<S, FirstVector<UInt<U, B>, Tag>>,
        >>::Output as StepOn<L>>::Output;
}
/// Vectors that are 0, before the others that are.
pub trait WithZero<V> {
    type Output;
}
cases! { WithZero: [R, Z, V] Echelon<R, Z>, V => Echelon<R, Cons<V, Z>>; }

/// The rows so far, and what is left of the vectors that came last: at most two lists of them.
pub struct Step<R, V>(PhantomData<(R, V)>);
/// The rest of an elimination: what is left of the last vectors, and then the vectors `L`.
///
/// These are in no step before this one. The compiler goes through all of a type in each step that it is in.
pub trait StepOn<L> {
    type Output;
}
cases! { StepOn:
    [R, L: Eliminate<R>] Step<R, Nil>, L => L::Output;
    [R, V, L] Step<R, Cons<V, Nil>>, L where (Cons<V, L>: Eliminate<R>) => <Cons<V, L> as Eliminate<R>>::Output;
    [R, V, W, L] Step<R, Cons<V, Cons<W, Nil>>>, L where (Cons<V, Cons<W, L>>: Eliminate<R>)
        => <Cons<V, Cons<W, L>> as Eliminate<R>>::Output;
}

/// The vectors `V` among the rows `self`, if there is room: their columns begin `P` times behind the row below.
pub trait PlaceRow<P, V> {
    /// A [`Step`].
    type Output;
}
cases! { PlaceRow:
    [P, V] Nil, P, V => Step<Cons<Row<P, V>, Nil>, Nil>;
    [S, V1, R, P: LiesTo<S, Output: PlaceBehind<Self, P, V>>, V] Cons<Row<One, ModeVectors<S, V1>>, R>, P, V
        => <P::Output as PlaceBehind<Self, P, V>>::Output;
    [G, V1, R, P: LiesTo<UInt<G, B0>, Output: PlaceFrom<Self, P, V>>, V] Cons<Row<UInt<G, B0>, V1>, R>, P, V
        => <P::Output as PlaceFrom<Self, P, V>>::Output;
}
/// [`PlaceRow`] among the rows `R`; `self` is how `P` lies to the gap below the first one.
pub trait PlaceFrom<R, P, V> {
    type Output;
}
cases! { PlaceFrom:
    [X, G, V1, R, P, S: LiesTo<X, Output: PlaceInGap<Cons<V1, R>, P, X, ModeVectors<S, V>>>, V]
        TimesBelow<X>, Cons<Row<G, V1>, R>, P, ModeVectors<S, V>
        => <S::Output as PlaceInGap<Cons<V1, R>, P, X, ModeVectors<S, V>>>::Output;
    [G, S1, V1, R, P, S: LiesTo<S1, Output: Reduced<S1, V1, S, V>>, V]
        Equal, Cons<Row<G, ModeVectors<S1, V1>>, R>, P, ModeVectors<S, V>
        => Step<Cons<Row<G, ModeVectors<S1, V1>>, R>, <S::Output as Reduced<S1, V1, S, V>>::Output>;
    [Q: LiesTo<S1, Output: PlaceBehind<Cons<Row<G, ModeVectors<S1, V1>>, R>, Q, V>>, G, S1, V1, R, P, V]
        TimesAbove<Q>, Cons<Row<G, ModeVectors<S1, V1>>, R>, P, V
        => <Q::Output as PlaceBehind<Cons<Row<G, ModeVectors<S1, V1>>, R>, Q, V>>::Output;
}
/// [`PlaceRow`] in the gap below the rows `R`, whose first one is without its gap: from `P` on that has as many columns
/// as `X` has zeros, and `self` is how the extent of the vectors `V` lies to `X`. What reaches the row is cut off.
pub trait PlaceInGap<R, P, X, V> {
    type Output;
}
cases! { PlaceInGap:
    [V1, R, P, X, V] Equal, Cons<V1, R>, P, X, V => Step<Cons<Row<P, V>, Cons<Row<One, V1>, R>>, Nil>;
    [Q, V1, R, P, X, V] TimesBelow<Q>, Cons<V1, R>, P, X, V => Step<Cons<Row<P, V>, Cons<Row<Q, V1>, R>>, Nil>;
    [Q, V1, R, P, X, S, V: TimesPower<X>] TimesAbove<Q>, Cons<V1, R>, P, X, ModeVectors<S, V>
        => Step<Cons<Row<P, ModeVectors<X, V>>, Cons<Row<One, V1>, R>>, Cons<ModeVectors<Q, V::Output>, Nil>>;
}
/// [`PlaceRow`] from `Q` on, in units of the first column of the rows `R`; `self` is how that lies to the first row's
/// extent.
pub trait PlaceBehind<R, Q, V> {
    type Output;
}
cases! { PlaceBehind:
    [H, R: PlaceRow<One, V, Output: BehindRow<H>>, Q, V] Equal, Cons<H, R>, Q, V
        => <R::Output as BehindRow<H>>::Output;
    [P, H, R: PlaceRow<P, V, Output: BehindRow<H>>, Q, V] TimesAbove<P>, Cons<H, R>, Q, V
        => <R::Output as BehindRow<H>>::Output;
    [X, G, S1, V1: TimesPower<Q>, R, Q, S: LiesTo<X, Output: Reduced<X, V1::Output, S, V>>, V]
        TimesBelow<X>, Cons<Row<G, ModeVectors<S1, V1>>, R>, Q, ModeVectors<S, V>
        => Step<Cons<Row<G, ModeVectors<S1, V1>>, R>, <S::Output as Reduced<X, V1::Output, S, V>>::Output>;
}
/// The step `self` with the row `H` before its rows.
pub trait BehindRow<H> {
    type Output;
}
cases! { BehindRow: [R, V, H] Step<R, V>, H => Step<Cons<H, R>, V>; }

/// The vectors `V` of an extent `S` plus those of an extent `S1`, `V1`, which have the same highest bits; `self` is how
/// `S` lies to `S1`. Those beyond `S1` stay as they are.
pub trait Reduced<S1, V1, S, V> {
    type Output;
}
cases! { Reduced:
    [S1, V1, S, V: SumOf<V1>] Equal, S1, V1, S, V => Cons<ModeVectors<S, V::Output>, Nil>;
    [X, S1, V1, S, V: SumOf<V1>] TimesBelow<X>, S1, V1, S, V => Cons<ModeVectors<S, V::Output>, Nil>;
    [X, S1, V1, S, V: SumOf<V1> + TimesPower<S1>] TimesAbove<X>, S1, V1, S, V
        => Cons<ModeVectors<S1, <V as SumOf<V1>>::Output>, Cons<ModeVectors<X, <V as TimesPower<S1>>::Output>, Nil>>;
}

// ---- what the rows say --------------------------------------------------------------------------------------------

/// The least power of two above all bits of the rows `self`.
pub trait EndOfRows {
    type Output;
}
cases! { EndOfRows:
    [] Nil => One;
    [G, S, N: PowerWithin, Tag] Cons<Row<G, ModeVectors<S, FirstVector<N, Tag>>>, Nil>
        where (UInt<S, B0>: ShiftedBy<N::Output>)
        => Shifted<N::Output, S>;
    [R, R1, T] Cons<R, Cons<R1, T>> where (Cons<R1, T>: EndOfRows) => <Cons<R1, T> as EndOfRows>::Output;
    [R: EndOfRows, Z] Echelon<R, Z> => R::Output;
}

/// The bits that no row begins with, from `At` to the last row, as XOR modes before the modes `Above`, merged. A vector
/// that is a sum of others is refused.
pub trait FreeBits<At, Above> {
    type Output;
    fn free_bits(above: Above) -> Result<Self::Output, Fault>;
}
cases! { FreeBits::free_bits -> Result<Self::Output, Fault>:
    [R: FreeBits<At, Above>, At, Above] Echelon<R, Nil>, At, Above => R::Output, (above: Above) => R::free_bits(above);
    [R, Why, At, Above] Echelon<R, Undefined<Why>>, At, Above => Undefined<Why>, (_: Above) => Ok(Undefined::new());
    [R, X, N, S, M, L, At, Above] Echelon<R, Cons<ModeVectors<X, FirstVector<N, Of<S, M>>>, L>>, At, Above
        => Undefined<XorOverlap<S, M>>, (_: Above) => Ok(Undefined::new());
    [At, Above] Nil, At, Above => Above, (above: Above) => Ok(above);
    [S, N: PowerWithin, Tag, R: FreeBits<Shifted<N::Output, S>, Above>, At, Above]
        Cons<Row<One, ModeVectors<S, FirstVector<N, Tag>>>, R>, At, Above
        where (UInt<S, B0>: ShiftedBy<N::Output>)
        => R::Output, (above: Above) => R::free_bits(above);
    [U, S, N: PowerWithin, Tag, R: FreeBits<Shifted<N::Output, S>, Above>, At: StaticInt, Above]
        Cons<Row<UInt<U, B0>, ModeVectors<S, FirstVector<N, Tag>>>, R>, At, Above
        where (
            UInt<S, B0>: ShiftedBy<N::Output>, UInt<U, B0>: StaticInt, R::Output: Push<Merging, UInt<U, B0>, Xor<At>>,
        )
        => <R::Output as Push<Merging, UInt<U, B0>, Xor<At>>>::Output,
        (above: Above) =>
            R::free_bits(above)?.push(Mode { shape: Default::default(), stride: Xor(At::default()) });
}

/// Is none of `Bits` one that no row begins with, from `At` on? All are below the last row's end.
pub trait NoFreeBit<At, Bits> {
    type Output;
}
cases! { NoFreeBit:
    [R: NoFreeBit<At, Bits>, Z, At, Bits] Echelon<R, Z>, At, Bits => R::Output;
    [At, Bits] Nil, At, Bits => True;
    [G, S, N: PowerWithin<Output: SubInt<At, Output: ShareNoBit<Bits>>>, Tag, R, At, Bits]
        Cons<Row<G, ModeVectors<S, FirstVector<N, Tag>>>, R>, At, Bits
        where (
            UInt<S, B0>: ShiftedBy<N::Output>,
            R: NoFreeBit<Shifted<N::Output, S>, Bits>,
            <<N::Output as SubInt<At>>::Output as ShareNoBit<Bits>>::Output: And<R::Output>,
        )
        => <<<N::Output as SubInt<At>>::Output as ShareNoBit<Bits>>::Output as And<R::Output>>::Output;
}

/// The images of bits: the sums of tags that lead to each of them alone. They are modes, from the lowest bit on: of the
/// bits of `S:^N` the images are `N`, `2 * N` and so on, and those of `S:0` are 0.
pub trait Images<Else, I = Nil> {
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
    [R: Images<Else>, Else] Echelon<R, Nil>, Else, Nil => R::Output;
    [R, V, L, Else] Echelon<R, Cons<V, L>>, Else, Nil where (Echelon<R, L>: Images<Else>)
        => <Echelon<R, L> as Images<Else>>::Output;
    [R, Why, Else] Echelon<R, Undefined<Why>>, Else, Nil => Undefined<Why>;
    [Else, I] Nil, Else, I => Complete<I>;
    [S, N: WithoutHighest<Output: ImagesOfRow<I, Mode<S, Xor<Tag>>>>, Tag, R, Else, I]
        Cons<Row<One, ModeVectors<S, FirstVector<N, Tag>>>, R>, Else, I
        where (R: Images<Else, <N::Output as ImagesOfRow<I, Mode<S, Xor<Tag>>>>::Output>)
        => <R as Images<Else, <N::Output as ImagesOfRow<I, Mode<S, Xor<Tag>>>>::Output>>::Output;
    [U, V, R, I] Cons<Row<UInt<U, B0>, V>, R>, Ends, I => ImagesUpTo<I>;
    [U, V, R, I: Concat<Cons<Mode<UInt<U, B0>, UTerm>, Nil>>] Cons<Row<UInt<U, B0>, V>, R>, IsZero, I
        where (Cons<Row<One, V>, R>: Images<IsZero, I::Output>)
        => <Cons<Row<One, V>, R> as Images<IsZero, I::Output>>::Output;
}
/// The images `I` and those of the next bits, where `Tags` are the tags of the vectors that begin with them: the sums
/// of the tag and of the images of the other bits, which are `self` of the first vector.
pub trait ImagesOfRow<I, Tags> {
    type Output;
}
cases! { ImagesOfRow:
    [I: Concat<Cons<Tags, Nil>>, Tags] UTerm, I, Tags => I::Output;
    [U, B, I, Tags] UInt<U, B>, I, Tags
        where (Self: ImagesFrom<I, Output: SumsWith<Tags, Output: SumsBehind<I, Self, Tags>>>)
        => <<<Self as ImagesFrom<I>>::Output as SumsWith<Tags>>::Output as SumsBehind<I, Self, Tags>>::Output;
}
/// For each bit of `self`, the images from that bit on: those of `I` begin with the lowest one.
pub trait ImagesFrom<I> {
    /// A list of lists.
    type Output;
}
cases! { ImagesFrom:
    [I] UTerm, I => Nil;
    [U, B, D, I] UInt<U, B>, Cons<Mode<One, D>, I> where (Self: ImagesFrom<I>) => <Self as ImagesFrom<I>>::Output;
    [U: ImagesFrom<Cons<Mode<X, UTerm>, I>>, X, I] UInt<U, B0>, Cons<Mode<UInt<X, B0>, UTerm>, I> => U::Output;
    [U: ImagesFrom<Cons<Mode<X, UTerm>, I>>, X, I] UInt<U, B1>, Cons<Mode<UInt<X, B0>, UTerm>, I>
        => Cons<Cons<Mode<UInt<X, B0>, UTerm>, I>, U::Output>;
    [U: ImagesFrom<Cons<Mode<X, Xor<UInt<N, B0>>>, I>>, X, N, I] UInt<U, B0>, Cons<Mode<UInt<X, B0>, Xor<N>>, I>
        => U::Output;
    [U: ImagesFrom<Cons<Mode<X, Xor<UInt<N, B0>>>, I>>, X, N, I] UInt<U, B1>, Cons<Mode<UInt<X, B0>, Xor<N>>, I>
        => Cons<Cons<Mode<UInt<X, B0>, Xor<N>>, I>, U::Output>;
}
/// The sum of the first one of `Tags` and of the first image of each list of `self`; then of the next tag and the next
/// images, and so on.
pub trait SumsWith<Tags> {
    /// [`AllOfRow`] where there is one list of images; else [`SumsOfAll`].
    type Output;
}
/// The images of all bits of a row.
pub struct AllOfRow<I>(PhantomData<I>);
cases! { SumsWith:
    [I, S, N: PlusRun<S, I>] Cons<I, Nil>, Mode<S, Xor<N>> => AllOfRow<N::Output>;
    [I, J, L, Tags] Cons<I, Cons<J, L>>, Tags where (Self: SumsOfAll<Tags>) => <Self as SumsOfAll<Tags>>::Output;
}
/// [`SumsWith`], for all tags or up to [`LeftBehind`].
pub trait SumsOfAll<Tags> {
    /// A list of modes.
    type Output;
}
/// In place of the end of a list of images: those of as many bits more as `S` has zeros need images of the list.
pub struct LeftBehind<S>(PhantomData<S>);
cases! { SumsOfAll:
    [Tags] Nil, Tags => Cons<Tags, Nil>;
    [I, L: SumsOfAll<Tags, Output: PlusImages<I>>, Tags] Cons<I, L>, Tags => <L::Output as PlusImages<I>>::Output;
}
/// The sums of the tag `self` and of the first one of the images `I`, which are those of a bit and of the bits above,
/// and so on, for as many as `S` has zeros. Where the images of other rows end these go on.
pub trait PlusRun<S, I> {
    type Output;
}
cases! { PlusRun:
    [N: PlusImage<D>, S: LiesTo<X, Output: RunGoesOn<S, N, N::Output, X, I>>, X, D, I] N, S, Cons<Mode<X, D>, I>
        => <S::Output as RunGoesOn<S, N, N::Output, X, I>>::Output;
}
/// A tag plus an image.
pub trait PlusImage<D> {
    type Output;
}
cases! { PlusImage:
    [N] N, UTerm => N;
    [N: XorInt<E>, E] N, Xor<E> => N::Output;
}
/// The sums from `Sum` on of the tags `N` and images of which the first ones are `X`; `self` is how the extent `S` of
/// the tags lies to that.
pub trait RunGoesOn<S, N, Sum, X, I> {
    type Output;
}
cases! { RunGoesOn:
    [S, N, Sum, X, I] Equal, S, N, Sum, X, I => Cons<Mode<S, Xor<Sum>>, Nil>;
    [Q, S, N, Sum, X, I] TimesBelow<Q>, S, N, Sum, X, I => Cons<Mode<S, Xor<Sum>>, Nil>;
    [Q, S, N: TimesPower<X>, Sum, X, I: Concat<Cons<Mode<X, Xor<Sum>>, Nil>>] TimesAbove<Q>, S, N, Sum, X, I
        where (N::Output: PlusRun<Q, I::Output>)
        => Cons<Mode<X, Xor<Sum>>, <N::Output as PlusRun<Q, I::Output>>::Output>;
}
/// The images `I` and the sums `self`, and those that are left behind them.
pub trait SumsBehind<I, Rest, Tags> {
    type Output;
}
cases! { SumsBehind:
    [L, I: Concat<L>, Rest, Tags] AllOfRow<L>, I, Rest, Tags => I::Output;
    [H, T, I: Concat<Self>, Rest, Tags] Cons<H, T>, I, Rest, Tags where (T: RestBehind<I::Output, Rest, Tags>)
        => T::Output;
}
/// The sums `self`, each plus the image of the next bit of `I`.
pub trait PlusImages<I> {
    type Output;
}
cases! { PlusImages:
    [I] Nil, I => Nil;
    [S, I] LeftBehind<S>, I => LeftBehind<S>;
    [S, D, L] Cons<Mode<S, D>, L>, Nil => LeftBehind<S>;
    [S, D, L, X] Cons<Mode<S, D>, L>, LeftBehind<X> => LeftBehind<S>;
    [S: LiesTo<X, Output: PlusImagesBy<Self, Cons<Mode<X, E>, I>>>, D, L, X, E, I]
        Cons<Mode<S, D>, L>, Cons<Mode<X, E>, I>
        => <S::Output as PlusImagesBy<Self, Cons<Mode<X, E>, I>>>::Output;
}
/// [`PlusImages`] of the sums `L` and the images `I`; `self` is how the extents of the first ones lie to one another.
pub trait PlusImagesBy<L, I> {
    type Output;
}
cases! { PlusImagesBy:
    [M, L: PlusImages<I>, X, I] Equal, Cons<M, L>, Cons<Mode<X, UTerm>, I> => Cons<M, L::Output>;
    [S, N: XorInt<E>, L: PlusImages<I>, E, I] Equal, Cons<Mode<S, Xor<N>>, L>, Cons<Mode<S, Xor<E>>, I>
        => Cons<Mode<S, Xor<N::Output>>, L::Output>;
    [Q, M, L: PlusImages<Cons<Mode<Q, UTerm>, I>>, X, I] TimesBelow<Q>, Cons<M, L>, Cons<Mode<X, UTerm>, I>
        => Cons<M, L::Output>;
    [Q, S, N: XorInt<E>, X, E, I] TimesBelow<Q>, Cons<Mode<S, Xor<N>>, Nil>, Cons<Mode<X, Xor<E>>, I>
        => Cons<Mode<S, Xor<N::Output>>, Nil>;
    [Q, S, N: XorInt<E>, Y, X, E, I] TimesBelow<Q>, Cons<Mode<S, Xor<N>>, LeftBehind<Y>>, Cons<Mode<X, Xor<E>>, I>
        => Cons<Mode<S, Xor<N::Output>>, LeftBehind<Y>>;
    [Q, S, N: XorInt<E>, H, L, X, E: TimesPower<S>, I]
        TimesBelow<Q>, Cons<Mode<S, Xor<N>>, Cons<H, L>>, Cons<Mode<X, Xor<E>>, I>
        where (Cons<H, L>: PlusImages<Cons<Mode<Q, Xor<E::Output>>, I>>)
        => Cons<Mode<S, Xor<N::Output>>, <Cons<H, L> as PlusImages<Cons<Mode<Q, Xor<E::Output>>, I>>>::Output>;
    [Q, S, N: TimesPower<X>, L, X, I] TimesAbove<Q>, Cons<Mode<S, Xor<N>>, L>, Cons<Mode<X, UTerm>, I>
        where (Cons<Mode<Q, Xor<N::Output>>, L>: PlusImages<I>)
        => Cons<Mode<X, Xor<N>>, <Cons<Mode<Q, Xor<N::Output>>, L> as PlusImages<I>>::Output>;
    [Q, S, N: XorInt<E> + TimesPower<X>, L, X, E, I] TimesAbove<Q>, Cons<Mode<S, Xor<N>>, L>, Cons<Mode<X, Xor<E>>, I>
        where (Cons<Mode<Q, Xor<<N as TimesPower<X>>::Output>>, L>: PlusImages<I>)
        => Cons<
            Mode<X, Xor<<N as XorInt<E>>::Output>>,
            <Cons<Mode<Q, Xor<<N as TimesPower<X>>::Output>>, L> as PlusImages<I>>::Output,
        >;
}
/// The images `I`, and those that are left behind the sums `self`.
pub trait RestBehind<I, Rest, Tags> {
    type Output;
}
cases! { RestBehind:
    [I, Rest, Tags] Nil, I, Rest, Tags => I;
    [H, T: RestBehind<I, Rest, Tags>, I, Rest, Tags] Cons<H, T>, I, Rest, Tags => T::Output;
    [X, I, Rest, S: LiesTo<X, Output: NextImages<I, Rest, Mode<X, Tag>>>, Tag] LeftBehind<X>, I, Rest, Mode<S, Tag>
        => <S::Output as NextImages<I, Rest, Mode<X, Tag>>>::Output;
}
/// [`ImagesOfRow`] of the vectors that are `self` times as large.
pub trait NextImages<I, Rest, Tags> {
    type Output;
}
cases! { NextImages:
    [Q, I, Rest: TimesPower<Q>, S, Tag: TimesPower<Q>] TimesAbove<Q>, I, Rest, Mode<S, Xor<Tag>>
        where (Rest::Output: ImagesOfRow<I, Mode<S, Xor<Tag::Output>>>)
        => <Rest::Output as ImagesOfRow<I, Mode<S, Xor<Tag::Output>>>>::Output;
}
impl<S, L> Concat<L> for LeftBehind<S> {
    type Output = L;
    fn concat(self, other: L) -> L {
        other
    }
}

/// Images, merged: all extents are powers of two, so that modes are joined where the second one goes on from the first.
/// It is what `Merge` says, in fewer steps.
pub trait MergeImages {
    type Output;
}
cases! { MergeImages:
    [] Nil => Nil;
    [S, D, T: MergeImages<Output: PushImage<S, D>>] Cons<Mode<S, D>, T> => <T::Output as PushImage<S, D>>::Output;
}
/// The image `S:D` before the merged images `self`.
pub trait PushImage<S, D> {
    type Output;
}
cases! { PushImage:
    [S, D] Nil, S, D => Cons<Mode<S, D>, Nil>;
    [S: ShiftedBy<UInt<X, B0>>, X, T] Cons<Mode<X, UTerm>, T>, S, UTerm => Cons<Mode<S::Output, UTerm>, T>;
    [S, N, X, T] Cons<Mode<X, UTerm>, T>, S, Xor<N> => Cons<Mode<S, Xor<N>>, Self>;
    [S, X, M, T] Cons<Mode<X, Xor<M>>, T>, S, UTerm => Cons<Mode<S, UTerm>, Self>;
    [S, N, X, M: Is<N, S, Output: JoinImage<S, N, Self>>, T] Cons<Mode<X, Xor<M>>, T>, S, Xor<N>
        => <M::Output as JoinImage<S, N, Self>>::Output;
}
/// Is `self` the number `N`, a power of two `S` times?
pub trait Is<N, S> {
    type Output;
}
cases! { Is:
    [N, S] UTerm, N, S => False;
    [U, B, N] UInt<U, B>, N, One where (Self: Same<N>) => <Self as Same<N>>::Output;
    [U, N, S] UInt<U, B1>, N, UInt<S, B0> => False;
    [U: Is<N, S>, N, S] UInt<U, B0>, N, UInt<S, B0> => U::Output;
}
/// The image `S:^N` before the merged images `L`; `self` says whether the first of these goes on from it.
pub trait JoinImage<S, N, L> {
    type Output;
}
cases! { JoinImage:
    [S, N, L] False, S, N, L => Cons<Mode<S, Xor<N>>, L>;
    [S: ShiftedBy<UInt<X, B0>>, N, X, M, T] True, S, N, Cons<Mode<X, Xor<M>>, T>
        => Cons<Mode<S::Output, Xor<N>>, T>;
}

/// The tags of the sums that are 0, as XOR modes.
pub trait ZeroModes {
    type Output;
}
cases! { ZeroModes:
    [] Nil => Nil;
    [S, N, Tag: AsXor, L: ZeroModes] Cons<ModeVectors<S, FirstVector<N, Tag>>, L>
        => Cons<Mode<S, Tag::Output>, L::Output>;
    [R, Z: ZeroModes] Echelon<R, Z> => Z::Output;
}

/// The largest sum of the rows `self` and the number `Sum`: the vectors from the highest one down, each unless its
/// highest bit is there.
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
    [G, S: LargestSumBelow<N::Output, N, R::Output>, N: PowerWithin, Tag, R: LargestSum<Sum>, Sum]
        Cons<Row<G, ModeVectors<S, FirstVector<N, Tag>>>, R>, Sum
        => S::Output;
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
