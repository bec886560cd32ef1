//! Tilers on a left layout of XOR strides that the rule refuses: whether their modes may be told in other words.
//!
//! ```text
//! A(B0(c0), B1(c1)) = A0(B0(c0)) ^ A1(B1(c1))          each mode of A by itself, XORed
//!
//! (8,8):(^1,^8) o <(2,2):(3,1),8:1>                    ((2,2),8):((3,1),^8), of the bits 0 to 2, and 3 to 5
//! (8,8):(^1,^1) o <(2,2):(3,5),(2,2):(3,5)>            8:1 o (2,2):(3,5) = (2,2):(3,5), but 3 + 3 is no XOR
//! ```
//!
//! What is natural in one mode is a sum there. So a mode that is told in other words needs bits of its own: none of the
//! other modes has one of them. Modes of XOR strides alone stay what they are, and are XORed with one another.

use core::marker::PhantomData;

use typenum::{UInt, UTerm};

use crate::algebra::compose::used_bits::{ShareNoBit, Union};
use crate::algebra::mode::{IntoModes, ListOf, ModesOnto};
use crate::algebra::operation::{self, Apply};
use crate::algebra::outcome::Defined;
use crate::error::Fault;
use crate::layout::stand_in::StandIn;
use crate::layout::strided::StridedLayout;
use crate::layout::tiler::{Keep, Tiler};
use crate::list::{Cons, Nested, Nil};
use crate::number::int::{And, False, Same, True, Zero};
use crate::number::multiple::Multiple;
use crate::refusal::Empty;
use crate::refusal::undefined::Undefined;
use crate::stepped::bit_by_bit::AreKnown;
use crate::stepped::layout::SteppedLayout;
use crate::stepped::left_as_natural::OfBits;
use crate::stepped::of_kinds::DefinedOfKinds;
use crate::stepped::one_stride::{AllBits, BitsOfParts, HasTwoParts, Mixed, Naturals, NoBits, Xors};
use crate::stepped::right_modes::{BitsOfTwoModes, XorModesOf};
use crate::tuple::int_tuple::IntTuple;

/// The operation `Op` refused for the reason `R`, as [`OfBits`] with the right operand `self`. A [`Tiler`] that meets
/// XOR strides in several modes of `A` stays refused, unless these lead to bits of their own: what is one mode in other
/// words may not be XORed with the others. A composition is asked for the bits of its result, a divide for those of all
/// XOR strides, since tiles do not go beyond the modes.
pub trait OnBits<Op, A, R> {
    type Output;
    fn on_bits(self, left: A) -> Result<Self::Output, Fault>;
}
impl<Op, S, D, T, R> OnBits<Op, StridedLayout<S, D>, R> for Tiler<T>
where
    S: Nested<Node: IntoModes>,
    D: Nested<Node: IntoModes>,
    T: Nested<Node: EntriesMeetXor<ListOf<S>, ListOf<D>, False>>,
    MeetingXor<S, D, T>: UnlessOften<Op, StridedLayout<S, D>, Self, R>,
{
    type Output = <MeetingXor<S, D, T> as UnlessOften<Op, StridedLayout<S, D>, Self, R>>::Output;
    #[inline]
    fn on_bits(self, left: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
        MeetingXor::<S, D, T>::unless_often(left, self)
    }
}
type MeetingXor<S, D, T> = <<T as Nested>::Node as EntriesMeetXor<ListOf<S>, ListOf<D>, False>>::Output;
/// More than once.
pub struct Often;
/// The operation [`OfBits`] of `A` and `B`, unless `self` is [`Often`].
pub trait UnlessOften<Op, A, B, R> {
    type Output;
    fn unless_often(left: A, right: B) -> Result<Self::Output, Fault>;
}
cases! { UnlessOften::unless_often -> Result<Self::Output, Fault>:
    [Op, A, B: Apply<OfBits<Op>, A>, R] False, Op, A, B, R => B::Output, (left: A, right: B) => right.apply(left);
    [Op, A, B: Apply<OfBits<Op>, A>, R] True, Op, A, B, R => B::Output, (left: A, right: B) => right.apply(left);
    [Op: OftenIn<A, B, R>, A, B, R] Often, Op, A, B, R => Op::Output, (left: A, right: B) => Op::often_in(left, right);
}
/// The operation `self`, [`OfBits`] of `A` and the tiler `B`, which meets XOR strides in several modes, or the reason `R`.
pub trait OftenIn<A, B, R> {
    type Output;
    fn often_in(left: A, right: B) -> Result<Self::Output, Fault>;
}
cases! { OftenIn::often_in -> Result<Self::Output, Fault>:
    [S: IntTuple, D: IntTuple<Node: IntoModes>, B, R] operation::Compose, StridedLayout<S, D>, B, R
        where (B: Apply<OfBits<operation::Compose>, StridedLayout<S, D>, Output: UnlessModesMeet<ListOf<D>, R>>)
        => <B::Output as UnlessModesMeet<ListOf<D>, R>>::Output,
        (left: StridedLayout<S, D>, right: B) => Ok(right.apply(left)?.unless_modes_meet());
}
cases! { OftenIn::often_in -> Result<Self::Output, Fault>, for {
    [] operation::LogicalDivide; [] operation::ZippedDivide; [] operation::TiledDivide; [] operation::FlatDivide;
}:
    [S: IntTuple, D: IntTuple + HasTwoParts<False, Output: AreXors>, B, R] Self, StridedLayout<S, D>, B, R
        where (
            S::Node: ModesOnto<D::Node, Nil, Output: XorModesOf<Output: AreApart>>,
            <D::Output as AreXors>::Output: And<ApartIn<S, D>>,
            XorsApart<S, D>: TriedIf<Self, StridedLayout<S, D>, B, R>,
        )
        => <XorsApart<S, D> as TriedIf<Self, StridedLayout<S, D>, B, R>>::Output,
        (left: StridedLayout<S, D>, right: B) => <XorsApart<S, D>>::tried_if(left, right);
}
type XorsApart<S, D> = <<<D as HasTwoParts<False>>::Output as AreXors>::Output as And<ApartIn<S, D>>>::Output;
type ApartIn<S, D> =
    <<<<S as Nested>::Node as ModesOnto<<D as Nested>::Node, Nil>>::Output as XorModesOf>::Output as AreApart>::Output;
/// The operation [`OfBits`] of `A` and `B`, if `self`, or else the reason `R`.
pub trait TriedIf<Op, A, B, R> {
    type Output;
    fn tried_if(left: A, right: B) -> Result<Self::Output, Fault>;
}
cases! { TriedIf::tried_if -> Result<Self::Output, Fault>:
    [Op, A, B: Apply<OfBits<Op>, A>, R] True, Op, A, B, R => B::Output, (left: A, right: B) => right.apply(left);
    [Op, A, B, R] False, Op, A, B, R => Undefined<R>, (_: A, _: B) => Ok(Undefined::new());
}

/// The composition `self`, mode by mode, with the modes of strides `D`, unless two modes with XOR strides before or now
/// share a bit; or else the reason `R`.
pub trait UnlessModesMeet<D, R> {
    type Output;
    fn unless_modes_meet(self) -> Self::Output;
}
macro_rules! unless_modes_meet {
    ($([$($generic:ident)*] $result:ty;)*) => {
        $(cases! { UnlessModesMeet::unless_modes_meet -> Self::Output:
            [S: Nested<Node: IntoModes>, E: Nested<Node: IntoModes>, D, R, $($generic),*] $result, D, R
                where (ListOf<S>: ModesApart<ListOf<E>, D, Zero, Zero, Output: KeptIf<Self, R>>)
                => <<ListOf<S> as ModesApart<ListOf<E>, D, Zero, Zero>>::Output as KeptIf<Self, R>>::Output,
                (self) => <ListOf<S> as ModesApart<ListOf<E>, D, Zero, Zero>>::Output::kept_if(self);
        })*
    };
}
unless_modes_meet! { [] Defined<S, E>; [] DefinedOfKinds<S, E>; }
cases! { UnlessModesMeet::unless_modes_meet -> Self::Output:
    [Q, D, R] Undefined<Q>, D, R => Undefined<R>, (self) => Undefined::new();
}
/// The result `A`, if `self`, or else the reason `R`.
pub trait KeptIf<A, R> {
    type Output;
    fn kept_if(result: A) -> Self::Output;
}
cases! { KeptIf::kept_if -> Self::Output:
    [A, R] True, A, R => A, (result: A) => result;
    [A, R] False, A, R => Undefined<R>, (_: A) => Undefined::new();
}
/// Have the modes of the shapes `self` and the strides `E`, which come of the strides `D`, bits of their own, not those
/// of `Before`? Modes without XOR strides on both sides are not asked, and modes of nothing else, whose bits so far are
/// `Xored`, are XORed with one another.
pub trait ModesApart<E, D, Before, Xored> {
    type Output;
}
cases! { ModesApart:
    [Before, Xored] Nil, Nil, Nil, Before, Xored => True;
    [S, ST, E, ET, D, DT, Before, Xored] Cons<S, ST>, Cons<E, ET>, Cons<D, DT>, Before, Xored
        where (
            D: HasTwoParts<False>,
            E: HasTwoParts<D::Output, Output: BitsIfXor<S, E, Output: ModesApartBehind<ST, ET, DT, Before, Xored>>>,
        )
        => <<E::Output as BitsIfXor<S, E>>::Output as ModesApartBehind<ST, ET, DT, Before, Xored>>::Output;
}
/// The bits of the mode `S:E`, 0 if `self` says that no XOR strides are met, and [`BitsOfXors`] if there are no others;
/// or [`Undefined`].
pub trait BitsIfXor<S, E> {
    type Output;
}
cases! { BitsIfXor:
    [S, E] False, S, E => Zero;
    [S, E] Naturals, S, E => Zero;
    [S: Nested<Node: ModesOnto<E::Node, Nil, Output: KnownBits>>, E: Nested] Xors, S, E
        => BitsOfXors<<<S::Node as ModesOnto<E::Node, Nil>>::Output as KnownBits>::Output>;
    [S: Nested<Node: ModesOnto<E::Node, Nil, Output: KnownBits>>, E: Nested] Mixed, S, E
        => <<S::Node as ModesOnto<E::Node, Nil>>::Output as KnownBits>::Output;
    [S: Nested<Node: ModesOnto<E::Node, Nil, Output: KnownBits>>, E: Nested] True, S, E
        => <<S::Node as ModesOnto<E::Node, Nil>>::Output as KnownBits>::Output;
}
/// The bits of a mode whose strides are XOR strides, and come of such.
pub struct BitsOfXors<Bits>(PhantomData<Bits>);
/// The bits of the modes `self`, or [`Undefined`] where only run time knows them.
pub trait KnownBits {
    type Output;
}
impl<L: AreKnown<True, Output: BitsIfKnown<L>>> KnownBits for L {
    type Output = <L::Output as BitsIfKnown<L>>::Output;
}
/// The bits of the modes `L`, if `self`: they are known; or [`Undefined`].
pub trait BitsIfKnown<L> {
    type Output;
}
cases! { BitsIfKnown:
    [L] False, L => Undefined<Empty>;
    [L: BitsOfParts<NoBits, Output: AllBits>] True, L => <L::Output as AllBits>::Output;
}
/// [`ModesApart`] of a mode of the bits `self`, and of those behind it.
pub trait ModesApartBehind<S, E, D, Before, Xored> {
    type Output;
}
cases! { ModesApartBehind:
    [R, S, E, D, Before, Xored] Undefined<R>, S, E, D, Before, Xored => False;
    [R, S, E, D, Before, Xored] BitsOfXors<Undefined<R>>, S, E, D, Before, Xored => False;
    [S: ModesApart<E, D, Before, Xored>, E, D, Before, Xored] UTerm, S, E, D, Before, Xored => S::Output;
    [S: ModesApart<E, D, Before, Xored>, E, D, Before, Xored] BitsOfXors<UTerm>, S, E, D, Before, Xored => S::Output;
    [U, B, S, E, D, Before: Union<Xored>, Xored] UInt<U, B>, S, E, D, Before, Xored
        where (Self: ShareNoBit<Before::Output, Output: ModesApartIf<Self, S, E, D, Before, Xored>>)
        => <<Self as ShareNoBit<Before::Output>>::Output as ModesApartIf<Self, S, E, D, Before, Xored>>::Output;
    [U, B, S, E, D, Before, Xored] BitsOfXors<UInt<U, B>>, S, E, D, Before, Xored
        where (UInt<U, B>: ShareNoBit<Before, Output: ModesApartIf<Self, S, E, D, Before, Xored>>)
        => <<UInt<U, B> as ShareNoBit<Before>>::Output as ModesApartIf<Self, S, E, D, Before, Xored>>::Output;
}
/// [`ModesApart`] behind a mode of the bits `Mine`, if `self`.
pub trait ModesApartIf<Mine, S, E, D, Before, Xored> {
    type Output;
}
cases! { ModesApartIf:
    [Mine, S, E, D, Before, Xored] False, Mine, S, E, D, Before, Xored => False;
    [U, B, S, E, D, Before, Xored] True, UInt<U, B>, S, E, D, Before, Xored
        where (UInt<U, B>: Union<Before>, S: ModesApart<E, D, <UInt<U, B> as Union<Before>>::Output, Xored>)
        => <S as ModesApart<E, D, <UInt<U, B> as Union<Before>>::Output, Xored>>::Output;
    [Mine: Union<Xored>, S: ModesApart<E, D, Before, Mine::Output>, E, D, Before, Xored]
        True, BitsOfXors<Mine>, S, E, D, Before, Xored
        => S::Output;
}

/// Are there XOR strides, and none of others but natural ones, where `self` says of which kinds they are?
pub trait AreXors {
    type Output;
}
cases! { AreXors:
    [] False => False;
    [] Naturals => False;
    [] Xors => True;
    [] Mixed => True;
    [] True => False;
}
/// Has each of the XOR modes `self` bits of its own?
pub trait AreApart {
    type Output;
}
cases! { AreApart:
    [R] Undefined<R> => False;
    [] Nil => True;
    [M, T] Cons<M, T> where (Self: BitsOfTwoModes<Zero, Zero, Output: Same<Zero>>)
        => <<Self as BitsOfTwoModes<Zero, Zero>>::Output as Same<Zero>>::Output;
}
/// Do the entries `self`, and what they leave alone, meet XOR strides in the modes `S:D`? `False`, `True` for one
/// entry, or [`Often`]; `SoFar` is what those before do.
pub trait EntriesMeetXor<S, D, SoFar> {
    type Output;
}
cases! { EntriesMeetXor:
    [SoFar] Nil, Nil, Nil, SoFar => SoFar;
    [E, T, SoFar] Cons<E, T>, Nil, Nil, SoFar => SoFar;
    [S, ST, D, DT, SoFar] Nil, Cons<S, ST>, Cons<D, DT>, SoFar
        where (
            Keep: EntryMeetsXor<S, D, SoFar>,
            Self: EntriesMeetXor<ST, DT, <Keep as EntryMeetsXor<S, D, SoFar>>::Output>,
        )
        => <Self as EntriesMeetXor<ST, DT, <Keep as EntryMeetsXor<S, D, SoFar>>::Output>>::Output;
    [E: EntryMeetsXor<S, D, SoFar>, T: EntriesMeetXor<ST, DT, E::Output>, S, ST, D, DT, SoFar]
        Cons<E, T>, Cons<S, ST>, Cons<D, DT>, SoFar
        => T::Output;
}
/// [`EntriesMeetXor`] of one entry and the mode `S:D`.
pub trait EntryMeetsXor<S, D, SoFar> {
    type Output;
}
impl<S: Nested<Node: IntoModes>, D: Nested<Node: IntoModes>, T: Nested, SoFar> EntryMeetsXor<S, D, SoFar> for Tiler<T>
where
    T::Node: EntriesMeetXor<ListOf<S>, ListOf<D>, SoFar>,
{
    type Output = <T::Node as EntriesMeetXor<ListOf<S>, ListOf<D>, SoFar>>::Output;
}
/// Where there were `SoFar` and one more of the kinds of strides `self`.
pub trait OneMore<SoFar> {
    type Output;
}
cases! { OneMore:
    [SoFar] False, SoFar => SoFar;
    [SoFar] Naturals, SoFar => SoFar;
    // Negative strides.
    [SoFar] True, SoFar => SoFar;
    [] Xors, False => True;
    [] Xors, True => Often;
    [] Xors, Often => Often;
    [SoFar] Mixed, SoFar where (Xors: OneMore<SoFar>) => <Xors as OneMore<SoFar>>::Output;
}
macro_rules! on_bits {
    ($([$($generic:ident)*] $operand:ty;)*) => {
        $(impl<Op, A, R, $($generic),*> OnBits<Op, A, R> for $operand
        where
            Self: Apply<OfBits<Op>, A>,
        {
            type Output = <Self as Apply<OfBits<Op>, A>>::Output;
            #[inline]
            fn on_bits(self, left: A) -> Result<Self::Output, Fault> {
                self.apply(left)
            }
        }
        impl<S, D: HasTwoParts<False, Output: OneMore<SoFar>>, SoFar, $($generic),*> EntryMeetsXor<S, D, SoFar>
            for $operand
        {
            type Output = <D::Output as OneMore<SoFar>>::Output;
        })*
    };
}
on_bits! {
    [] UTerm; [U B] UInt<U, B>; [] usize; [F] Multiple<F>; [ST DT] StridedLayout<ST, DT>;
    [T ST DT] SteppedLayout<T, ST, DT>; [] Keep; [] StandIn; [] operation::AnyTuple;
}
