//! The left layout of a composition where the bits of XOR strides reach it: what they reach has to be linear in its
//! bits too.
//!
//! ```text
//! (8,8):(1,8) o (8,8):(^1,^9)      bits 0 to 5 reach both modes, which do not carry: (8,8):(^1,^8)
//! (6,8):(1,8) o (8,2):(^1,^7)      refused: bits 0 to 3 cross the end of a mode at 6, which is no power of two
//! (8,8):(3,24) o (8,2):(^1,^3)     refused: bits 0 to 2 reach 8:3, and 1 * 3 + 2 * 3 is no XOR
//! ```
//!
//! What is reached has been used by all bits, so that natural steps beside them find their own bits or none.

use core::marker::PhantomData;

use typenum::{B0, B1, UInt, UTerm};

use crate::algebra::coalesce::Unbounded;
use crate::algebra::compose::carry::ModesAndCarries;
use crate::algebra::compose::digits::SmallerOf;
use crate::algebra::compose::step_through::StepThrough;
use crate::algebra::compose::used_bits::{BitsUpTo, Carrying, CopiesOf, ShareNoBit, Union, Used};
use crate::algebra::mode::Mode;
use crate::error::Fault;
use crate::list::{Cons, Nil};
use crate::number::int::{DivideInt, False, MulInt, One, Order, Same, StaticInt, SubInt, True, Zero};
use crate::number::multiple::Multiple;
use crate::number::table::RunTimeNumber;
use crate::refusal::undefined::Undefined;
use crate::refusal::{
    DynamicLeftXor, Empty, Uneven, XorAcross, XorIntoAxes, XorIntoLast, XorIntoMode, XorMeetsNatural,
};
use crate::stepped::as_swizzle::{BitsOfBoth, LowestPlace};
use crate::stepped::basis::Basis;
use crate::stepped::diagonal::Diagonal;
use crate::stepped::minus::Minus;
use crate::stepped::xor::{AsXor, MulBits, Xor, XorInt};
use crate::stepped::xor_modes::IsPower;

// ---- modes that are met -------------------------------------------------------------------------------------------

/// The left modes with XOR strides where bits reach them, and how they are used.
pub struct Met<Modes, Carries>(PhantomData<(Modes, Carries)>);

/// The modes `self` met by the bits `Mask`; all that stands on the right reaches `Most`, and the modes begin at
/// `Place`. `Sums` are the bits of natural modes that were met, `Products` those of XOR modes. [`Met`] or
/// [`Undefined`].
pub trait Meet<Mask, Most, Place, Sums, Products> {
    type Output;
}
cases! { Meet:
    [S, D, Mask, Most, Place, Sums, Products] Cons<Mode<S, D>, Nil>, Mask, Most, Place, Sums, Products
        where (D: MeetStride<Unbounded, Mask, Most, Sums, Products, Output: MetLast<S>>)
        => <D::Output as MetLast<S>>::Output;
    [D, M, T, Mask, Most, Place, Sums, Products] Cons<Mode<UTerm, D>, Cons<M, T>>, Mask, Most, Place, Sums, Products
        => Undefined<Empty>;
    [S: RunTimeNumber, D, M, T, Mask, Most, Place, Sums, Products]
        Cons<Mode<S, D>, Cons<M, T>>, Mask, Most, Place, Sums, Products
        => Undefined<DynamicLeftXor>;
    [U, B, D, M, T, Mask, Most, Place, Sums, Products]
        Cons<Mode<UInt<U, B>, D>, Cons<M, T>>, Mask, Most, Place, Sums, Products
        where (
            UInt<U, B>: IsPower<Output: InUnitsOf<UInt<U, B>, Mask> + InUnitsOf<UInt<U, B>, Most>>,
            UInt<U, B>: SubInt<One, Output: Order<Most>>,
            <Below<UInt<U, B>> as Order<Most>>::Output: SmallerOf<Below<UInt<U, B>>, Most>,
            D: MeetStride<UInt<U, B>, DigitOf<UInt<U, B>, Mask>, LastDigit<UInt<U, B>, Most>, Sums, Products>,
            D::Output: MetThen<UInt<U, B>, Cons<M, T>, UnitsOf<UInt<U, B>, Mask>, UnitsOf<UInt<U, B>, Most>, Place>,
        )
        => <D::Output as MetThen<
            UInt<U, B>, Cons<M, T>, UnitsOf<UInt<U, B>, Mask>, UnitsOf<UInt<U, B>, Most>, Place,
        >>::Output;
}
type UnitsOf<S, N> = <<S as IsPower>::Output as InUnitsOf<S, N>>::Quotient;
type DigitOf<S, N> = <<S as IsPower>::Output as InUnitsOf<S, N>>::Remainder;
/// The number `N` in units of `S`, and what is left; `self` is whether `S` is a power of two: then bits are split, and
/// long division, which costs their square, is for others.
pub trait InUnitsOf<S, N> {
    type Quotient: StaticInt;
    type Remainder: StaticInt;
}
impl<S, N: SplitBits<S>> InUnitsOf<S, N> for True {
    type Quotient = N::Quotient;
    type Remainder = N::Remainder;
}
impl<S, N: DivideInt<S>> InUnitsOf<S, N> for False {
    type Quotient = N::Quotient;
    type Remainder = N::Remainder;
}
type Below<S> = <S as SubInt<One>>::Output;
/// The largest digit of what reaches `Most` in a mode of extent `S`.
type LastDigit<S, Most> = <<Below<S> as Order<Most>>::Output as SmallerOf<Below<S>, Most>>::Output;

/// A mode that was met: its stride, its carry, and the bits so far.
pub struct MetMode<D, Carry, Sums, Products>(PhantomData<(D, Carry, Sums, Products)>);
/// The mode of stride `self` and extent `S` met by the bits `Digit`; `Last` is the largest digit. [`MetMode`] or
/// [`Undefined`].
pub trait MeetStride<S, Digit, Last, Sums, Products> {
    type Output;
}
cases! { MeetStride:
    [S, Digit, Last, Sums, Products] UTerm, S, Digit, Last, Sums, Products => MetMode<UTerm, Digit, Sums, Products>;
    [U, B, S, Last, Sums, Products] UInt<U, B>, S, UTerm, Last, Sums, Products
        => MetMode<Self, UTerm, Sums, Products>;
    [U, B, S, V, C, Last: MulInt<Self>, Sums, Products] UInt<U, B>, S, UInt<V, C>, Last, Sums, Products
        where (Self: BitsUpTo<Last::Output, Output: MetBits<Self, S, UInt<V, C>, Sums, Products>>)
        => <<Self as BitsUpTo<Last::Output>>::Output as MetBits<Self, S, UInt<V, C>, Sums, Products>>::Output;
    [N: RunTimeNumber, S, Last, Sums, Products] N, S, UTerm, Last, Sums, Products
        => MetMode<Self, UTerm, Sums, Products>;
    [N: RunTimeNumber, S, V, C, Last, Sums, Products] N, S, UInt<V, C>, Last, Sums, Products
        => Undefined<DynamicLeftXor>;
    [S, Digit, Last, Sums, Products] Xor<UTerm>, S, Digit, Last, Sums, Products
        => MetMode<Self, Used<Digit, Digit>, Sums, Products>;
    [U, B, S, Digit, Sums, Products] Xor<UInt<U, B>>, S, Digit, UTerm, Sums, Products
        => MetMode<Self, Used<Digit, Digit>, Sums, Products>;
    [U, B, S, Digit, V, C, Sums, Products] Xor<UInt<U, B>>, S, Digit, UInt<V, C>, Sums, Products
        where (UInt<V, C>: CopiesOf<UInt<U, B>, Output: Union<Products>>)
        => MetMode<
            Self,
            Used<Digit, Digit>,
            Sums,
            <<UInt<V, C> as CopiesOf<UInt<U, B>>>::Output as Union<Products>>::Output,
        >;
    [N: RunTimeNumber, S, Digit, Last, Sums, Products] Xor<N>, S, Digit, Last, Sums, Products
        => Undefined<DynamicLeftXor>;
    [N, S, Last, Sums, Products] Minus<N>, S, UTerm, Last, Sums, Products => MetMode<Self, UTerm, Sums, Products>;
    [N, S: MetIn<N>, V, C, Last, Sums, Products] Minus<N>, S, UInt<V, C>, Last, Sums, Products => S::Output;
    [J, K, S, Last, Sums, Products] Basis<J, K>, S, UTerm, Last, Sums, Products
        => MetMode<Self, UTerm, Sums, Products>;
    [J, K, S, V, C, Last, Sums, Products] Basis<J, K>, S, UInt<V, C>, Last, Sums, Products => Undefined<XorIntoAxes>;
    [J, K, S, Last, Sums, Products] Diagonal<J, K>, S, UTerm, Last, Sums, Products
        => MetMode<Self, UTerm, Sums, Products>;
    [J, K, S, V, C, Last, Sums, Products] Diagonal<J, K>, S, UInt<V, C>, Last, Sums, Products
        => Undefined<XorIntoAxes>;
}
/// [`MeetStride`] of the natural stride `N`, whose mode has the bits `self`.
pub trait MetBits<N, S, Digit, Sums, Products> {
    type Output;
}
cases! { MetBits:
    [N, S: MetIn<N>, Digit, Sums, Products] Carrying, N, S, Digit, Sums, Products => S::Output;
    [U, B, N, S, Digit, Sums, Products] UInt<U, B>, N, S, Digit, Sums, Products
        where (Self: ShareNoBit<Sums, Output: MetIfApart<Self, N, S, Digit, Sums, Products>>)
        => <<Self as ShareNoBit<Sums>>::Output as MetIfApart<Self, N, S, Digit, Sums, Products>>::Output;
}
/// [`MetBits`], if `self` says that the bits `Mine` are others.
pub trait MetIfApart<Mine, N, S, Digit, Sums, Products> {
    type Output;
}
cases! { MetIfApart:
    [Mine, N, S: MetIn<N>, Digit, Sums, Products] False, Mine, N, S, Digit, Sums, Products => S::Output;
    [Mine: Union<Sums>, N, S, Digit, Sums, Products] True, Mine, N, S, Digit, Sums, Products
        => MetMode<Xor<N>, Used<Digit, Digit>, Mine::Output, Products>;
}
/// Why bits may not reach the mode of extent `self` and stride `N`.
pub trait MetIn<N> {
    type Output;
}
cases! { MetIn:
    [N] Unbounded, N => Undefined<XorIntoLast<N>>;
    [U, B, N] UInt<U, B>, N => Undefined<XorIntoMode<Self, N>>;
}

/// The mode `self`, of extent `S`, before the modes `T`, which the bits `Mask` meet.
pub trait MetThen<S, T, Mask, Most, Place> {
    type Output;
}
cases! { MetThen:
    [R, S, T, Mask, Most, Place] Undefined<R>, S, T, Mask, Most, Place => Self;
    [D, Carry, Sums, Products, S, T: Meet<UTerm, Most, Place, Sums, Products>, Most, Place]
        MetMode<D, Carry, Sums, Products>, S, T, UTerm, Most, Place
        where (T::Output: BehindMet<S, D, Carry>)
        => <T::Output as BehindMet<S, D, Carry>>::Output;
    [D, Carry, Sums, Products, S: IsPower + MulInt<Place>, T, U, B, Most, Place]
        MetMode<D, Carry, Sums, Products>, S, T, UInt<U, B>, Most, Place
        where (
            <S as IsPower>::Output:
                MetAcross<Self, S, T, UInt<U, B>, Most, <S as MulInt<Place>>::Output>,
        )
        => <<S as IsPower>::Output
            as MetAcross<Self, S, T, UInt<U, B>, Most, <S as MulInt<Place>>::Output>>::Output;
}
/// [`MetThen`] beyond the mode `Mode`, which ends at `Place`; `self` is whether its extent is a power of two.
pub trait MetAcross<Mode, S, T, Mask, Most, Place> {
    type Output;
}
cases! { MetAcross:
    [M, S, T, Mask, Most, Place] False, M, S, T, Mask, Most, Place => Undefined<XorAcross<Place>>;
    [D, Carry, Sums, Products, S, T: Meet<Mask, Most, Place, Sums, Products>, Mask, Most, Place]
        True, MetMode<D, Carry, Sums, Products>, S, T, Mask, Most, Place
        where (T::Output: BehindMet<S, D, Carry>)
        => <T::Output as BehindMet<S, D, Carry>>::Output;
}
/// The mode `S:D` with its carry before the modes `self`.
pub trait BehindMet<S, D, Carry> {
    type Output;
}
cases! { BehindMet:
    [R, S, D, Carry] Undefined<R>, S, D, Carry => Self;
    [L, C, S, D, Carry] Met<L, C>, S, D, Carry => Met<Cons<Mode<S, D>, L>, Cons<Carry, C>>;
}
/// The last mode, `self`: natural and XOR parts must be apart in all of them.
pub trait MetLast<S> {
    type Output;
}
cases! { MetLast:
    [R, S] Undefined<R>, S => Self;
    [D, Carry: LastCarry, Sums: BitsOfBoth<Products, Output: IfNoneMeets<S, D, Carry::Output>>, Products, S]
        MetMode<D, Carry, Sums, Products>, S
        => <Sums::Output as IfNoneMeets<S, D, Carry::Output>>::Output;
}
/// The modes, if `self`, the bits in both parts, is 0.
pub trait IfNoneMeets<S, D, Carries> {
    type Output;
}
cases! { IfNoneMeets:
    [S, D, Carries] UTerm, S, D, Carries => Met<Cons<Mode<S, D>, Nil>, Carries>;
    [U, B, S, D, Carries] UInt<U, B>, S, D, Carries where (Self: LowestPlace<Zero>)
        => Undefined<XorMeetsNatural<<Self as LowestPlace<Zero>>::Output>>;
}
/// The list of the carry of a last mode: of a natural one there is none.
pub trait LastCarry {
    type Output;
}
cases! { LastCarry:
    [] UTerm => Nil;
    [U, B] UInt<U, B> => Nil;
    [Bits, Sum] Used<Bits, Sum> => Cons<Self, Nil>;
}

/// The modes `self` as those that they are when met.
pub trait TurnedInto<New> {
    fn turned_into(&self) -> New;
}
impl TurnedInto<Nil> for Nil {
    #[inline]
    fn turned_into(&self) -> Nil {
        Nil
    }
}
impl<S: Copy, D: TurnStride<E>, E, T: TurnedInto<L>, L> TurnedInto<Cons<Mode<S, E>, L>> for Cons<Mode<S, D>, T> {
    #[inline]
    fn turned_into(&self) -> Cons<Mode<S, E>, L> {
        let head = Mode { shape: self.head.shape, stride: self.head.stride.turn_stride() };
        Cons { head, tail: self.tail.turned_into() }
    }
}
/// A stride as itself, a natural one as an XOR stride, or the other way round.
pub trait TurnStride<New> {
    fn turn_stride(&self) -> New;
}
impl<U, B> TurnStride<Xor<Self>> for UInt<U, B>
where
    Self: StaticInt,
{
    #[inline]
    fn turn_stride(&self) -> Xor<Self> {
        Xor(*self)
    }
}
macro_rules! turned_into_itself {
    ($([$($generic:ident)*] $stride:ty;)*) => {
        $(impl<$($generic),*> TurnStride<Self> for $stride
        where
            Self: Copy,
        {
            #[inline]
            fn turn_stride(&self) -> Self {
                *self
            }
        })*
    };
}
impl<U, B> TurnStride<UInt<U, B>> for Xor<UInt<U, B>>
where
    UInt<U, B>: StaticInt,
{
    #[inline]
    fn turn_stride(&self) -> UInt<U, B> {
        self.0
    }
}
/// The stride of a mode that nothing reaches.
impl<N> TurnStride<UTerm> for Xor<N> {
    #[inline]
    fn turn_stride(&self) -> UTerm {
        UTerm
    }
}
impl<N> TurnStride<UTerm> for Minus<N> {
    #[inline]
    fn turn_stride(&self) -> UTerm {
        UTerm
    }
}
turned_into_itself! {
    [] UTerm; [U B] UInt<U, B>; [] usize; [K] Multiple<K>; [N] Xor<N>; [N] Minus<N>; [J K] Basis<J, K>;
    [A B] Diagonal<A, B>;
}

// ---- where bits lead ----------------------------------------------------------------------------------------------

/// The number in units of `S`, and what is left: `S` is a power of two, or more than the number.
pub trait SplitBits<S> {
    type Quotient: StaticInt;
    type Remainder: StaticInt;
}
impl<S> SplitBits<S> for UTerm {
    type Quotient = UTerm;
    type Remainder = UTerm;
}
impl<U, B> SplitBits<One> for UInt<U, B>
where
    Self: StaticInt,
{
    type Quotient = Self;
    type Remainder = UTerm;
}
impl<U: SplitBits<UInt<V, C>>, V, C> SplitBits<UInt<UInt<V, C>, B0>> for UInt<U, B0> {
    type Quotient = U::Quotient;
    type Remainder = <U::Remainder as StaticInt>::Double;
}
impl<U: SplitBits<UInt<V, C>>, V, C> SplitBits<UInt<UInt<V, C>, B0>> for UInt<U, B1> {
    type Quotient = U::Quotient;
    type Remainder = <U::Remainder as StaticInt>::DoubleAndOne;
}
// No power of two: the number is less.
impl<U, B, V, C> SplitBits<UInt<UInt<V, C>, B1>> for UInt<U, B>
where
    Self: StaticInt,
{
    type Quotient = UTerm;
    type Remainder = Self;
}

/// Where the number `E` leads in the modes `self`, which are linear in its bits: a number.
pub trait ImageOf<E> {
    type Output: StaticInt;
}
impl<M, T> ImageOf<UTerm> for Cons<M, T> {
    type Output = UTerm;
}
impl<S, D: ImageInMode<UInt<U, B>>, U, B> ImageOf<UInt<U, B>> for Cons<Mode<S, D>, Nil> {
    type Output = D::Output;
}
impl<S, D, M, T, U, B> ImageOf<UInt<U, B>> for Cons<Mode<S, D>, Cons<M, T>>
where
    UInt<U, B>: SplitBits<S>,
    D: ImageInMode<<UInt<U, B> as SplitBits<S>>::Remainder>,
    Cons<M, T>: ImageOf<<UInt<U, B> as SplitBits<S>>::Quotient>,
    D::Output: XorInt<<Cons<M, T> as ImageOf<<UInt<U, B> as SplitBits<S>>::Quotient>>::Output>,
{
    type Output =
        <D::Output as XorInt<<Cons<M, T> as ImageOf<<UInt<U, B> as SplitBits<S>>::Quotient>>::Output>>::Output;
}
/// Where the digit leads in a mode of this stride.
pub trait ImageInMode<Digit> {
    type Output: StaticInt;
}
cases! { ImageInMode:
    [U, B] Xor<UInt<U, B>>, UTerm => UTerm;
    [U, B, V, C] Xor<UInt<U, B>>, UInt<V, C> where (UInt<V, C>: MulBits<UInt<U, B>>)
        => <UInt<V, C> as MulBits<UInt<U, B>>>::Output;
    [Digit] Xor<UTerm>, Digit => UTerm;
    [Digit] UTerm, Digit => UTerm;
    // Bits do not reach other modes.
    [U, B] UInt<U, B>, UTerm => UTerm;
    [N: RunTimeNumber] N, UTerm => UTerm;
    [N] Minus<N>, UTerm => UTerm;
    [J, K] Basis<J, K>, UTerm => UTerm;
    [J, K] Diagonal<J, K>, UTerm => UTerm;
}

/// A mode of XOR strides: each bit of its coordinate leads where it does, and bits that double each other are one mode.
impl<M, T, U, A, B, V, C, Out, Carries> StepThrough<UInt<UInt<U, A>, B>, Xor<UInt<V, C>>, Out, Carries> for Cons<M, T>
where
    UInt<UInt<U, A>, B>: BitsInto<Self, UInt<V, C>, Out, Output: WithCarries<Carries>>,
{
    type Output = <<UInt<UInt<U, A>, B> as BitsInto<Self, UInt<V, C>, Out>>::Output as WithCarries<Carries>>::Output;
    #[inline]
    fn step_through(&self, _: UInt<UInt<U, A>, B>, _: Xor<UInt<V, C>>, _: Out) -> Result<Self::Output, Fault> {
        Ok(<UInt<UInt<U, A>, B> as BitsInto<Self, UInt<V, C>, Out>>::Output::with_carries())
    }
}
/// The modes of `self` coordinates that lead to the images of the XOR stride `^V` in the modes `A`, the last one first,
/// onto the modes `Out`; or [`Undefined`].
pub trait BitsInto<A, V, Out> {
    type Output;
}
cases! { BitsInto:
    [N: SubInt<One, Output: BitsBehind> + Halved, A: ImageOf<V>, V, Out] N, A, V, Out
        where (
            <<N as SubInt<One>>::Output as BitsBehind>::Output:
                GroupedBits<A, UInt<V, B0>, Group<A::Output, A::Output, Two, N>, <N as Halved>::Output, Two, N, Out>,
        )
        => <<<N as SubInt<One>>::Output as BitsBehind>::Output
            as GroupedBits<
                A, UInt<V, B0>, Group<A::Output, A::Output, Two, N>, <N as Halved>::Output, Two, N, Out,
            >>::Output;
}
type Two = UInt<One, B0>;

/// The bits that make one mode: the first image, the last one, how many coordinates they have, and how many there are
/// from here on.
pub struct Group<First, Last, Count, Rest>(PhantomData<(First, Last, Count, Rest)>);
/// The bits of a number but the lowest one.
pub trait BitsBehind {
    type Output;
}
cases! { BitsBehind: [U, B] UInt<U, B> => U; }
/// Half of the number, if there is one.
pub trait Halved {
    type Output;
}
/// The number is odd.
pub struct NoHalf;
cases! { Halved:
    [U] UInt<U, B0> => U;
    [U] UInt<U, B1> => NoHalf;
    [] NoHalf => Self;
}
/// The modes of bits that lead to the images of `V`, `2V`, .. in the modes `A`, one for each bit of `self`, behind
/// those of the group: all `N` coordinates, `Rest` of them from here on, where `Place` bits were before. The last mode
/// comes first, onto the modes `Out`; or [`Undefined`].
pub trait GroupedBits<A, V, G, Rest, Place, N, Out> {
    type Output;
}
cases! { GroupedBits:
    [A, V, First: AsXor, Last, Count, Begin, Rest, Place, N, Out]
        UTerm, A, V, Group<First, Last, Count, Begin>, Rest, Place, N, Out
        => Cons<Mode<Begin, First::Output>, Out>;
    [U, B, A: ImageOf<V, Output: IsDouble<Last>>, V, First, Last, Count, Begin, Rest, Place, N, Out]
        UInt<U, B>, A, V, Group<First, Last, Count, Begin>, Rest, Place, N, Out
        where (
            <A::Output as IsDouble<Last>>::Output:
                GoesOnIn<U, A, V, Group<First, A::Output, Count, Begin>, Rest, Place, N, Out>,
        )
        => <<A::Output as IsDouble<Last>>::Output
            as GoesOnIn<U, A, V, Group<First, A::Output, Count, Begin>, Rest, Place, N, Out>>::Output;
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
/// [`GroupedBits`] with the last image of the group, which may be one of the next; `self` is whether it goes on.
pub trait GoesOnIn<L, A, V, G, Rest, Place, N, Out> {
    type Output;
}
cases! { GoesOnIn:
    [L, A, V, First, Last, Count, Begin, Rest: Halved, Place, N, Out]
        True, L, A, V, Group<First, Last, Count, Begin>, Rest, Place, N, Out
        where (L: GroupedBits<
            A, UInt<V, B0>, Group<First, Last, UInt<Count, B0>, Begin>, Rest::Output, UInt<Place, B0>, N, Out,
        >)
        => <L as GroupedBits<
            A, UInt<V, B0>, Group<First, Last, UInt<Count, B0>, Begin>, Rest::Output, UInt<Place, B0>, N, Out,
        >>::Output;
    [L, A, V, G, Place, N, Out] False, L, A, V, G, NoHalf, Place, N, Out => Undefined<Uneven<Place, N>>;
    [L, A, V, First: AsXor, Last, Count, Begin, U, B, Place, N, Out]
        False, L, A, V, Group<First, Last, Count, Begin>, UInt<U, B>, Place, N, Out
        where (
            UInt<U, B>: Halved,
            L: GroupedBits<
                A, UInt<V, B0>, Group<Last, Last, Two, UInt<U, B>>, <UInt<U, B> as Halved>::Output, UInt<Place, B0>,
                N, Cons<Mode<Count, First::Output>, Out>,
            >,
        )
        => <L as GroupedBits<
            A, UInt<V, B0>, Group<Last, Last, Two, UInt<U, B>>, <UInt<U, B> as Halved>::Output, UInt<Place, B0>, N,
            Cons<Mode<Count, First::Output>, Out>,
        >>::Output;
}
/// Modes with the carries, which bits leave as they are.
pub trait WithCarries<Carries> {
    type Output;
    fn with_carries() -> Self::Output;
}
cases! { WithCarries::with_carries -> Self::Output:
    [M, T, Carries] Cons<M, T>, Carries where (Self: Default) => ModesAndCarries<Self, Carries>,
        () => ModesAndCarries { out: Default::default(), carries: PhantomData };
    [R, Carries] Undefined<R>, Carries => Self, () => Undefined::new();
}
