//! The swizzle that is between a layout of XOR strides and one of natural strides, computed.
//!
//! ```text
//! (8,8):(^1,^9)      bits 0, 1, 2 are in two strides each: 1 and 9, 2 and 18, 4 and 36
//!                    they must be changed, by bits 3 further up: 9 is 8 and 1 more, 1 has no other bit
//! Sw<3,0,3>          takes 9 to 8, and 1 to 1: natural strides, (8,8):(1,8)
//! ```
//!
//! A bit of offsets that two bits of the coordinate share, alone, has to be changed by one of the other bits that these
//! two have: that leaves few distances. For each of them the least range of changed bits is known. It has all shared
//! bits, and of a mode whose steps reach it with one of their bits it has all that they reach, for else the mode would
//! be no single stride. If the least range leaves a bit shared, or is longer than the distance, no longer one helps. Of
//! several distances the one of the fewest bits is taken, then of the lowest ones, then the nearest: that of run time.

use core::marker::PhantomData;

use typenum::{B0, B1, Equal, Greater, Less, UInt, UTerm};

use crate::algebra::compose::used_bits::{BitsUpTo, Carrying, Filled, ShareNoBit, Union};
use crate::algebra::mode::{Mode, ModesOnto};
use crate::list::{Cons, Leaf, Nested, Nil, TreeOf, Untangle};
use crate::number::int::{
    AddInt, And, False, MulInt, NotExact, One, Order, QuotientInt, Same, StaticInt, SubInt, True, Zero,
};
use crate::refusal::undefined::Undefined;
use crate::refusal::{DynamicXor, SharedBits};
use crate::stepped::convert::XorOrNatural;
use crate::stepped::parts::Longer;
use crate::stepped::xor::{Xor, XorInt};
use crate::swizzle::{Based, Down, KnownDistance, Swizzle, Up};
use crate::tuple::int_tuple::{IntTuple, IsStatic};

// ---- modes that move ----------------------------------------------------------------------------------------------

/// A mode that moves: its last coordinate, and the number of its stride.
pub struct Moved<Last, N>(PhantomData<(Last, N)>);
/// The XOR modes of a layout.
pub struct OfXor;
/// Its natural modes.
pub struct OfNatural;
/// All of them.
pub struct OfAll;

/// Of a list of static modes those that move and are `Which`, as [`Moved`].
pub trait MovedModes<Which> {
    type Output;
}
cases! { MovedModes:
    [Which] Nil, Which => Nil;
    [D, T: MovedModes<Which>, Which] Cons<Mode<UTerm, D>, T>, Which => T::Output;
    [D, T: MovedModes<Which>, Which] Cons<Mode<One, D>, T>, Which => T::Output;
    [U, A, B, T: MovedModes<Which>, Which] Cons<Mode<UInt<UInt<U, A>, B>, UTerm>, T>, Which => T::Output;
    [U, A, B, T: MovedModes<Which>, Which] Cons<Mode<UInt<UInt<U, A>, B>, Xor<UTerm>>, T>, Which => T::Output;
    [U, A, B, V, C, T: MovedModes<OfXor>] Cons<Mode<UInt<UInt<U, A>, B>, UInt<V, C>>, T>, OfXor => T::Output;
    [U, A, B, V, C, T: MovedModes<OfNatural>] Cons<Mode<UInt<UInt<U, A>, B>, Xor<UInt<V, C>>>, T>, OfNatural
        => T::Output;
    [U, A, B, V, C, T: MovedModes<OfNatural>] Cons<Mode<UInt<UInt<U, A>, B>, UInt<V, C>>, T>, OfNatural
        where (UInt<UInt<U, A>, B>: SubInt<One>)
        => Cons<Moved<<UInt<UInt<U, A>, B> as SubInt<One>>::Output, UInt<V, C>>, T::Output>;
    [U, A, B, V, C, T: MovedModes<OfXor>] Cons<Mode<UInt<UInt<U, A>, B>, Xor<UInt<V, C>>>, T>, OfXor
        where (UInt<UInt<U, A>, B>: SubInt<One>)
        => Cons<Moved<<UInt<UInt<U, A>, B> as SubInt<One>>::Output, UInt<V, C>>, T::Output>;
    [U, A, B, V, C, T: MovedModes<OfAll>] Cons<Mode<UInt<UInt<U, A>, B>, UInt<V, C>>, T>, OfAll
        where (UInt<UInt<U, A>, B>: SubInt<One>)
        => Cons<Moved<<UInt<UInt<U, A>, B> as SubInt<One>>::Output, UInt<V, C>>, T::Output>;
    [U, A, B, V, C, T: MovedModes<OfAll>] Cons<Mode<UInt<UInt<U, A>, B>, Xor<UInt<V, C>>>, T>, OfAll
        where (UInt<UInt<U, A>, B>: SubInt<One>)
        => Cons<Moved<<UInt<UInt<U, A>, B> as SubInt<One>>::Output, UInt<V, C>>, T::Output>;
}

/// Do no two bits of coordinates of the modes `self` share a bit of offsets, nor one of `Used`? [`True`] or [`False`].
pub trait AllApart<Used> {
    type Output;
}
cases! { AllApart:
    [Used] Nil, Used => True;
    [L: MulInt<N>, N: BitsUpTo<L::Output, Output: ApartThen<T, Used>>, T, Used] Cons<Moved<L, N>, T>, Used
        => <N::Output as ApartThen<T, Used>>::Output;
}
/// [`AllApart`] of a mode of the bits `self`, and of the modes `T`.
pub trait ApartThen<T, Used> {
    type Output;
}
cases! { ApartThen:
    [T, Used] Carrying, T, Used => False;
    [U, B, T, Used] UInt<U, B>, T, Used where (Self: ShareNoBit<Used, Output: ApartAndThen<Self, T, Used>>)
        => <<Self as ShareNoBit<Used>>::Output as ApartAndThen<Self, T, Used>>::Output;
}
/// [`ApartThen`], if `self` says that the bits `Mine` are others.
pub trait ApartAndThen<Mine, T, Used> {
    type Output;
}
cases! { ApartAndThen:
    [Mine, T, Used] False, Mine, T, Used => False;
    [Mine: Union<Used>, T: AllApart<Mine::Output>, Used] True, Mine, T, Used => T::Output;
}

// ---- which bits are shared ----------------------------------------------------------------------------------------

/// The bits that both numbers have.
pub trait BitsOfBoth<R> {
    type Output: StaticInt;
}
cases! { BitsOfBoth:
    [R] UTerm, R => UTerm;
    [U, B] UInt<U, B>, UTerm => UTerm;
    [U: BitsOfBoth<V>, V] UInt<U, B0>, UInt<V, B0> => <U::Output as StaticInt>::Double;
    [U: BitsOfBoth<V>, V] UInt<U, B0>, UInt<V, B1> => <U::Output as StaticInt>::Double;
    [U: BitsOfBoth<V>, V] UInt<U, B1>, UInt<V, B0> => <U::Output as StaticInt>::Double;
    [U: BitsOfBoth<V>, V] UInt<U, B1>, UInt<V, B1> => <U::Output as StaticInt>::DoubleAndOne;
}

/// The bits of offsets that any bit of a coordinate has, and those that two have.
pub struct OnceAndTwice<Once, Twice>(PhantomData<(Once, Twice)>);
/// [`OnceAndTwice`] of the modes `self`, beside these.
pub trait SharedBitsOf<Once, Twice> {
    type Output;
}
cases! { SharedBitsOf:
    [Once, Twice] Nil, Once, Twice => OnceAndTwice<Once, Twice>;
    [L: BitByBit<N, Once, Twice, Once, Output: InModes<T>>, N, T, Once, Twice] Cons<Moved<L, N>, T>, Once, Twice
        => <L::Output as InModes<T>>::Output;
}
/// [`SharedBitsOf`] of the modes `T`, beside the bits `self`.
pub trait InModes<T> {
    type Output;
}
cases! { InModes: [Once, Twice, T: SharedBitsOf<Once, Twice>] OnceAndTwice<Once, Twice>, T => T::Output; }
/// [`OnceAndTwice`] with the mode of last coordinate `self` and stride `V`. Its highest bit is never set beside those
/// that would lead beyond the last coordinate, so that of its own bits it meets those in `Low`: up to the highest one
/// that the last coordinate has beside it.
pub trait BitByBit<V, Once, Twice, Low> {
    type Output;
}
cases! { BitByBit:
    [V: BitsOfBoth<Low, Output: Union<Twice>> + Union<Once>, Once, Twice, Low] One, V, Once, Twice, Low
        => OnceAndTwice<<V as Union<Once>>::Output, <<V as BitsOfBoth<Low>>::Output as Union<Twice>>::Output>;
    [U, A, V: BitsOfBoth<Once, Output: Union<Twice>> + Union<Once>, Once, Twice, Low]
        UInt<UInt<U, A>, B0>, V, Once, Twice, Low
        where (UInt<U, A>: BitByBit<
            UInt<V, B0>,
            <V as Union<Once>>::Output,
            <<V as BitsOfBoth<Once>>::Output as Union<Twice>>::Output,
            Low,
        >)
        => <UInt<U, A> as BitByBit<
            UInt<V, B0>,
            <V as Union<Once>>::Output,
            <<V as BitsOfBoth<Once>>::Output as Union<Twice>>::Output,
            Low,
        >>::Output;
    [U, A, V: BitsOfBoth<Once, Output: Union<Twice>> + Union<Once>, Once, Twice, Low]
        UInt<UInt<U, A>, B1>, V, Once, Twice, Low
        where (UInt<U, A>: BitByBit<
            UInt<V, B0>,
            <V as Union<Once>>::Output,
            <<V as BitsOfBoth<Once>>::Output as Union<Twice>>::Output,
            <V as Union<Once>>::Output,
        >)
        => <UInt<U, A> as BitByBit<
            UInt<V, B0>,
            <V as Union<Once>>::Output,
            <<V as BitsOfBoth<Once>>::Output as Union<Twice>>::Output,
            <V as Union<Once>>::Output,
        >>::Output;
}

// ---- the first two that share one ---------------------------------------------------------------------------------

/// Two bits of a coordinate that share a bit of offsets: their strides.
pub struct SharingPair<First, Second>(PhantomData<(First, Second)>);
/// None of a list does.
pub struct NoneSharing;

/// The first [`SharingPair`] of the modes `self` and the strides `Before`, the last one first.
pub trait FirstSharing<Before> {
    type Output;
}
cases! { FirstSharing:
    [Before] Nil, Before => NoneSharing;
    [L: SharingIn<N, Before, Before, Output: OrInModes<T>>, N, T, Before] Cons<Moved<L, N>, T>, Before
        => <L::Output as OrInModes<T>>::Output;
}
/// The pair `self`, or that of the modes `T` and the strides `self`.
pub trait OrInModes<T> {
    type Output;
}
cases! { OrInModes:
    [A, B, T] SharingPair<A, B>, T => Self;
    [A, B, T: FirstSharing<Self>] Cons<A, B>, T => T::Output;
}
/// The first pair of a mode of last coordinate `self` and stride `V` and the strides `Before`, or all of these. The
/// highest bit meets those in `Low`, as in [`BitByBit`].
pub trait SharingIn<V, Before, Low> {
    type Output;
}
cases! { SharingIn:
    [V, Before, Low: FirstWith<V, Output: PairOrBefore<V, Before>>] One, V, Before, Low
        => <Low::Output as PairOrBefore<V, Before>>::Output;
    [U, A, V, Before: FirstWith<V, Output: PairOrBefore<V, Before>>, Low] UInt<UInt<U, A>, B0>, V, Before, Low
        where (<Before::Output as PairOrBefore<V, Before>>::Output: SharingAbove<UInt<U, A>, UInt<V, B0>, Low>)
        => <<Before::Output as PairOrBefore<V, Before>>::Output as SharingAbove<UInt<U, A>, UInt<V, B0>, Low>>::Output;
    [U, A, V, Before: FirstWith<V, Output: PairOrBefore<V, Before>>, Low] UInt<UInt<U, A>, B1>, V, Before, Low
        where (<Before::Output as PairOrBefore<V, Before>>::Output: SharingAbove<
            UInt<U, A>,
            UInt<V, B0>,
            <Before::Output as PairOrBefore<V, Before>>::Output,
        >)
        => <<Before::Output as PairOrBefore<V, Before>>::Output as SharingAbove<
            UInt<U, A>,
            UInt<V, B0>,
            <Before::Output as PairOrBefore<V, Before>>::Output,
        >>::Output;
}
/// The pair `self`, or that of the bits above and the strides `self`.
pub trait SharingAbove<L, V, Low> {
    type Output;
}
cases! { SharingAbove:
    [A, B, L, V, Low] SharingPair<A, B>, L, V, Low => Self;
    [A, B, L: SharingIn<V, Self, Low>, V, Low] Cons<A, B>, L, V, Low => L::Output;
}
/// The first of the strides `self`, the last one first, that shares a bit with `V`: [`SharingPair`] or [`NoneSharing`].
pub trait FirstWith<V> {
    type Output;
}
cases! { FirstWith:
    [V] Nil, V => NoneSharing;
    [X: ShareNoBit<V>, T: FirstWith<V, Output: OrThisPair<X, V, X::Output>>, V] Cons<X, T>, V
        => <T::Output as OrThisPair<X, V, X::Output>>::Output;
}
/// The pair `self`, or that of `X` and `V`, unless they are `Apart`.
pub trait OrThisPair<X, V, Apart> {
    type Output;
}
cases! { OrThisPair:
    [A, B, X, V, Apart] SharingPair<A, B>, X, V, Apart => Self;
    [X, V] NoneSharing, X, V, True => NoneSharing;
    [X, V] NoneSharing, X, V, False => SharingPair<X, V>;
}
/// The pair `self`, or the strides `Before` and `V`.
pub trait PairOrBefore<V, Before> {
    type Output;
}
cases! { PairOrBefore:
    [A, B, V, Before] SharingPair<A, B>, V, Before => Self;
    [V, Before] NoneSharing, V, Before => Cons<V, Before>;
}

/// The lowest bit that a number has, as a power of two.
pub trait LowestBit {
    type Output: StaticInt;
}
cases! { LowestBit:
    [U] UInt<U, B1> => One;
    [U: LowestBit] UInt<U, B0> => UInt<U::Output, B0>;
}
/// The place of the lowest bit that a number has, counted from `Below` on.
pub trait LowestPlace<Below> {
    type Output;
}
cases! { LowestPlace:
    [U, Below] UInt<U, B1>, Below => Below;
    [U: LowestPlace<Below::Output>, Below: AddInt<One>] UInt<U, B0>, Below => U::Output;
}

// ---- one distance -------------------------------------------------------------------------------------------------

/// The number moved up by the zeros of a power of two, and down; what falls off goes.
pub trait MovedBits<Power> {
    type Up: StaticInt;
    type Down: StaticInt;
}
impl<Power> MovedBits<Power> for UTerm {
    type Up = UTerm;
    type Down = UTerm;
}
impl<U, B> MovedBits<One> for UInt<U, B>
where
    Self: StaticInt,
{
    type Up = Self;
    type Down = Self;
}
impl<U: MovedBits<UInt<P, A>>, B, P, A> MovedBits<UInt<UInt<P, A>, B0>> for UInt<U, B>
where
    Self: MovedBits<UInt<P, A>>,
{
    type Up = <<Self as MovedBits<UInt<P, A>>>::Up as StaticInt>::Double;
    type Down = U::Down;
}

/// All bits from the lowest one of a number to the highest one.
pub trait AllBetween {
    type Output: StaticInt;
}
cases! { AllBetween:
    [] UTerm => UTerm;
    [U: AllBetween] UInt<U, B0> => <U::Output as StaticInt>::Double;
    [U: Filled<Output: StaticInt>] UInt<U, B1> => <U::Output as StaticInt>::DoubleAndOne;
}

/// The range `Range` of bits, with all bits that steps of the modes `self` reach from one that they reach in it.
pub trait WithWhole<Range> {
    type Output;
}
cases! { WithWhole:
    [Range] Nil, Range => Range;
    [L: Filled, N: FromEachBit<L::Output, Range>, T: WithWhole<N::Output>, Range] Cons<Moved<L, N>, T>, Range
        => T::Output;
}
/// [`WithWhole`] of one mode: `Run` are the bits of its coordinate, in the place of the lowest bit of `self`.
pub trait FromEachBit<Run, Range> {
    type Output;
}
cases! { FromEachBit:
    [Run, Range] UTerm, Run, Range => Range;
    [U: FromEachBit<UInt<Run, B0>, Range>, Run, Range] UInt<U, B0>, Run, Range => U::Output;
    [U: FromEachBit<UInt<Run, B0>, <Run::Output as WholeIfMet<Run, Range>>::Output>, Run: ShareNoBit<Range>, Range]
        UInt<U, B1>, Run, Range
        where (Run::Output: WholeIfMet<Run, Range>)
        => U::Output;
}
/// The range with all of `Run`, unless `self` says that they are apart.
pub trait WholeIfMet<Run, Range> {
    type Output;
}
cases! { WholeIfMet:
    [Run, Range] True, Run, Range => Range;
    [Run: Union<Range, Output: AllBetween>, Range] False, Run, Range => <Run::Output as AllBetween>::Output;
}
/// [`WithWhole`] again and again, until nothing comes to the range `self` any more.
pub trait Closed<Modes> {
    type Output;
}
cases! { Closed:
    [U, B, Modes: WithWhole<Self, Output: Same<Self>>] UInt<U, B>, Modes
        where (<Modes::Output as Same<Self>>::Output: ClosedOr<Modes::Output, Modes>)
        => <<Modes::Output as Same<Self>>::Output as ClosedOr<Modes::Output, Modes>>::Output;
}
/// The range, if `self` says that it has all, or else that with more.
pub trait ClosedOr<Range, Modes> {
    type Output;
}
cases! { ClosedOr:
    [Range, Modes] True, Range, Modes => Range;
    [Range: Closed<Modes>, Modes] False, Range, Modes => Range::Output;
}

/// No swizzle.
pub struct NoneFound;
/// A swizzle: the bits `Read`, a range, are XORed into those that lie `Way`, by the zeros of `Power`. `Low` is the
/// lowest bit that is read or changed, `Many` as many ones as bits are read.
pub struct FoundSwizzle<Way, Power, Low, Many, Read>(PhantomData<(Way, Power, Low, Many, Read)>);

/// The swizzle that reads as few bits as are needed and moves them `self`, [`Down`] or [`Up`], by the zeros of `Power`;
/// it makes the modes `Modes` natural, whose shared bits are the number `Twice`, and all of their bits `Once`.
pub trait SwizzleBy<Power, Modes, Once, Twice> {
    /// [`FoundSwizzle`] or [`NoneFound`].
    type Output;
}
cases! { SwizzleBy:
    [Power, Modes, Once, Twice: AllBetween<Output: MovedBits<Power>>] Down, Power, Modes, Once, Twice
        where (
            <Twice::Output as MovedBits<Power>>::Up: Closed<Modes>,
            Read<Power, Modes, Twice>: QuotientInt<Power>,
            <Read<Power, Modes, Twice> as QuotientInt<Power>>::Output:
                Reading<Self, Power, Read<Power, Modes, Twice>, Modes, Once>,
        )
        => <<Read<Power, Modes, Twice> as QuotientInt<Power>>::Output
            as Reading<Self, Power, Read<Power, Modes, Twice>, Modes, Once>>::Output;
    // Bits are read that lie below 0, if the range of the shared ones ends in fewer zeros.
    [Power, Modes, Once, Twice: AllBetween<Output: QuotientInt<Power>>] Up, Power, Modes, Once, Twice
        where (<Twice::Output as QuotientInt<Power>>::Output: ReadingUp<Power, Modes, Once>)
        => <<Twice::Output as QuotientInt<Power>>::Output as ReadingUp<Power, Modes, Once>>::Output;
}
/// The bits that are read to change the range of those in `Twice` further down.
type Read<Power, Modes, Twice> = <<<Twice as AllBetween>::Output as MovedBits<Power>>::Up as Closed<Modes>>::Output;
/// [`SwizzleBy`] that reads the range `self` and what it reaches, and changes higher bits.
pub trait ReadingUp<Power, Modes, Once> {
    type Output;
}
cases! { ReadingUp:
    [Power, Modes, Once] NotExact, Power, Modes, Once => NoneFound;
    [U, B, Power, Modes, Once] UInt<U, B>, Power, Modes, Once
        where (
            Self: Closed<Modes, Output: MovedBits<Power>>,
            <<Self as Closed<Modes>>::Output as MovedBits<Power>>::Up:
                Reading<Up, Power, <Self as Closed<Modes>>::Output, Modes, Once>,
        )
        => <<<Self as Closed<Modes>>::Output as MovedBits<Power>>::Up
            as Reading<Up, Power, <Self as Closed<Modes>>::Output, Modes, Once>>::Output;
}
/// [`SwizzleBy`] that reads the bits `Read` and changes the bits `self`, or [`NotExact`].
pub trait Reading<Way, Power, Read, Modes, Once> {
    type Output;
}
cases! { Reading:
    [Way, Power, Read, Modes, Once] NotExact, Way, Power, Read, Modes, Once => NoneFound;
    [U, B, Way, Power, Read: ShareNoBit<Self>, Modes, Once] UInt<U, B>, Way, Power, Read, Modes, Once
        where (
            Self: Union<Read>,
            One: Longer<<Self as Union<Read>>::Output> + Longer<Once>,
            <One as Longer<<Self as Union<Read>>::Output>>::Output: Order<<One as Longer<Once>>::Output>,
            Read::Output: And<<Within<<Self as Union<Read>>::Output, Once> as NotGreater>::Output>,
            Within<<Self as Union<Read>>::Output, Once>: NotGreater,
            <Read::Output as And<<Within<<Self as Union<Read>>::Output, Once> as NotGreater>::Output>>::Output:
                IfReads<Way, Power, Read, <Self as Union<Read>>::Output, Modes>,
        )
        => <<Read::Output as And<<Within<<Self as Union<Read>>::Output, Once> as NotGreater>::Output>>::Output
            as IfReads<Way, Power, Read, <Self as Union<Read>>::Output, Modes>>::Output;
}
/// The order of the highest bits of two numbers.
type Within<Bits, Once> = <<One as Longer<Bits>>::Output as Order<<One as Longer<Once>>::Output>>::Output;
/// Is the order not [`Greater`]?
pub trait NotGreater {
    type Output;
}
cases! { NotGreater: [] Less => True; [] Equal => True; [] Greater => False; }
/// [`Reading`], if `self` says that it changes none of the bits that it reads, and lies within those of the modes:
/// `Both` are these bits.
pub trait IfReads<Way, Power, Read, Both, Modes> {
    type Output;
}
cases! { IfReads:
    [Way, Power, Read, Both, Modes] False, Way, Power, Read, Both, Modes => NoneFound;
    [Way, Power, Read: LowestBit + QuotientInt<<Read as LowestBit>::Output>, Both: LowestBit, Modes]
        True, Way, Power, Read, Both, Modes
        where (
            Modes: SwizzledModes<Way, Power, Read, Output: AllApart<Zero>>,
            <Modes::Output as AllApart<Zero>>::Output:
                IfApartSwizzled<FoundSwizzle<Way, Power, Both::Output, ReadMany<Read>, Read>>,
        )
        => <<Modes::Output as AllApart<Zero>>::Output
            as IfApartSwizzled<FoundSwizzle<Way, Power, Both::Output, ReadMany<Read>, Read>>>::Output;
}
/// As many ones as there are in a range.
type ReadMany<Read> = <Read as QuotientInt<<Read as LowestBit>::Output>>::Output;
/// The swizzle, if `self` says that all bits are apart.
pub trait IfApartSwizzled<Found> {
    type Output;
}
cases! { IfApartSwizzled:
    [Found] True, Found => Found;
    [Found] False, Found => NoneFound;
}

/// The modes `self` swizzled, each of which stays one.
pub trait SwizzledModes<Way, Power, Read> {
    type Output;
}
cases! { SwizzledModes:
    [Way, Power, Read] Nil, Way, Power, Read => Nil;
    [L, N, T: SwizzledModes<Way, Power, Read>, Way: Swizzles<N, Power, Read>, Power, Read]
        Cons<Moved<L, N>, T>, Way, Power, Read
        => Cons<Moved<L, Way::Output>, T::Output>;
}
/// The number `N` swizzled.
pub trait Swizzles<N, Power, Read> {
    type Output: StaticInt;
}
cases! { Swizzles:
    [N: BitsOfBoth<Read, Output: MovedBits<Power>>, Power, Read] Down, N, Power, Read
        where (N: XorInt<<<N as BitsOfBoth<Read>>::Output as MovedBits<Power>>::Down>)
        => <N as XorInt<<<N as BitsOfBoth<Read>>::Output as MovedBits<Power>>::Down>>::Output;
    [N: BitsOfBoth<Read, Output: MovedBits<Power>>, Power, Read] Up, N, Power, Read
        where (N: XorInt<<<N as BitsOfBoth<Read>>::Output as MovedBits<Power>>::Up>)
        => <N as XorInt<<<N as BitsOfBoth<Read>>::Output as MovedBits<Power>>::Up>>::Output;
}

// ---- all distances ------------------------------------------------------------------------------------------------

/// The best swizzle that changes the bit `Changed`, which is shared, by one of the bits of a number whose bits from
/// that of `Bit` on are `self`, or else `Best`.
pub trait BestBy<Bit, Changed, Modes, Once, Twice, Best> {
    type Output;
}
cases! { BestBy:
    [Bit, Changed, Modes, Once, Twice, Best] UTerm, Bit, Changed, Modes, Once, Twice, Best => Best;
    [U: BestBy<UInt<Bit, B0>, Changed, Modes, Once, Twice, Best>, Bit, Changed, Modes, Once, Twice, Best]
        UInt<U, B0>, Bit, Changed, Modes, Once, Twice, Best
        => U::Output;
    [U, Bit: Order<Changed>, Changed, Modes, Once, Twice, Best] UInt<U, B1>, Bit, Changed, Modes, Once, Twice, Best
        where (
            Bit::Output: ByBit<Bit, Changed, Modes, Once, Twice, Best>,
            U: BestBy<
                UInt<Bit, B0>, Changed, Modes, Once, Twice,
                <Bit::Output as ByBit<Bit, Changed, Modes, Once, Twice, Best>>::Output,
            >,
        )
        => <U as BestBy<
            UInt<Bit, B0>, Changed, Modes, Once, Twice,
            <Bit::Output as ByBit<Bit, Changed, Modes, Once, Twice, Best>>::Output,
        >>::Output;
}
/// The better one of `Best` and the swizzle that changes the bit `Changed` by the bit `Bit`; `self` is their order.
pub trait ByBit<Bit, Changed, Modes, Once, Twice, Best> {
    type Output;
}
cases! { ByBit:
    [Bit, Changed, Modes, Once, Twice, Best] Equal, Bit, Changed, Modes, Once, Twice, Best => Best;
    [Bit: QuotientInt<Changed>, Changed, Modes, Once, Twice, Best] Greater, Bit, Changed, Modes, Once, Twice, Best
        where (Down: SwizzleBy<Bit::Output, Modes, Once, Twice, Output: BetterOf<Best>>)
        => <<Down as SwizzleBy<Bit::Output, Modes, Once, Twice>>::Output as BetterOf<Best>>::Output;
    [Bit, Changed: QuotientInt<Bit>, Modes, Once, Twice, Best] Less, Bit, Changed, Modes, Once, Twice, Best
        where (Up: SwizzleBy<Changed::Output, Modes, Once, Twice, Output: BetterOf<Best>>)
        => <<Up as SwizzleBy<Changed::Output, Modes, Once, Twice>>::Output as BetterOf<Best>>::Output;
}
/// The better one of `self` and of `Best`, which was found before.
pub trait BetterOf<Best> {
    type Output;
}
cases! { BetterOf:
    [Best] NoneFound, Best => Best;
    [W, P, L, M, R] FoundSwizzle<W, P, L, M, R>, NoneFound => Self;
    // The fewest bits, the lowest ones, the nearest.
    [W, P: Order<Q>, L: Order<K, P::Output>, M: Order<N, L::Output>, R, V, Q, K, N, E]
        FoundSwizzle<W, P, L, M, R>, FoundSwizzle<V, Q, K, N, E>
        where (M::Output: Better<Self, FoundSwizzle<V, Q, K, N, E>>)
        => <M::Output as Better<Self, FoundSwizzle<V, Q, K, N, E>>>::Output;
}
/// The better one of a swizzle and of one that was found before; `self` is their order. Of two that are alike, the
/// later one moves bits down.
pub trait Better<Found, Best> {
    type Output;
}
cases! { Better:
    [Found, Best] Less, Found, Best => Found;
    [Found, Best] Equal, Found, Best => Found;
    [Found, Best] Greater, Found, Best => Best;
}

// ---- the operation ------------------------------------------------------------------------------------------------

/// What the modes of the node `self` and of the strides `D` are swizzled by: [`NothingMoved`], [`FoundSwizzle`], or
/// [`Undefined`].
pub trait FindSwizzle<D> {
    type Output;
}
/// The strides are natural as they are.
pub struct NothingMoved;
impl<S: IsStatic<Output: And<D::Output>>, D: IsStatic> FindSwizzle<D> for S
where
    <S::Output as And<D::Output>>::Output: FindIfStatic<S, D>,
{
    type Output = <<S::Output as And<D::Output>>::Output as FindIfStatic<S, D>>::Output;
}
/// [`FindSwizzle`], if `self` says that all numbers are static.
pub trait FindIfStatic<S, D> {
    type Output;
}
cases! { FindIfStatic:
    [S, D] False, S, D => Undefined<DynamicXor>;
    [S: ModesOnto<D, Nil, Output: MovedModes<OfXor, Output: AllApart<Zero>>>, D] True, S, D
        where (<<S::Output as MovedModes<OfXor>>::Output as AllApart<Zero>>::Output: UnlessNatural<S::Output>)
        => <<<S::Output as MovedModes<OfXor>>::Output as AllApart<Zero>>::Output as UnlessNatural<S::Output>>::Output;
}
/// [`FindSwizzle`] of the modes `L`, unless `self` says that they share no bit.
pub trait UnlessNatural<L> {
    type Output;
}
cases! { UnlessNatural:
    [L] True, L => NothingMoved;
    [L: MovedModes<OfNatural, Output: AllApart<Zero>> + MovedModes<OfXor, Output: FirstSharing<Nil>>] False, L
        where (
            <<L as MovedModes<OfNatural>>::Output as AllApart<Zero>>::Output:
                IfLinear<L, <<L as MovedModes<OfXor>>::Output as FirstSharing<Nil>>::Output>,
        )
        => <<<L as MovedModes<OfNatural>>::Output as AllApart<Zero>>::Output
            as IfLinear<L, <<L as MovedModes<OfXor>>::Output as FirstSharing<Nil>>::Output>>::Output;
}
/// [`FindSwizzle`] of the modes `L`, of which two share a bit, if `self` says that the natural ones are linear.
pub trait IfLinear<L, Sharing> {
    type Output;
}
cases! { IfLinear:
    [L, A: BitsOfBoth<B, Output: LowestPlace<Zero>>, B] False, L, SharingPair<A, B>
        => Undefined<SharedBits<A, B, <A::Output as LowestPlace<Zero>>::Output>>;
    [L: MovedModes<OfAll>, A: BitsOfBoth<B, Output: LowestBit + LowestPlace<Zero>> + Union<B>, B]
        True, L, SharingPair<A, B>
        where (
            <L as MovedModes<OfAll>>::Output: SharedBitsOf<Zero, Zero>,
            <<L as MovedModes<OfAll>>::Output as SharedBitsOf<Zero, Zero>>::Output:
                BestFor<L::Output, <A as Union<B>>::Output, <<A as BitsOfBoth<B>>::Output as LowestBit>::Output>,
            <<<L as MovedModes<OfAll>>::Output as SharedBitsOf<Zero, Zero>>::Output
                as BestFor<L::Output, <A as Union<B>>::Output, <<A as BitsOfBoth<B>>::Output as LowestBit>::Output>
                >::Output:
                OrShared<A, B, <<A as BitsOfBoth<B>>::Output as LowestPlace<Zero>>::Output>,
        )
        => <<<<L as MovedModes<OfAll>>::Output as SharedBitsOf<Zero, Zero>>::Output
            as BestFor<L::Output, <A as Union<B>>::Output, <<A as BitsOfBoth<B>>::Output as LowestBit>::Output>>::Output
            as OrShared<A, B, <<A as BitsOfBoth<B>>::Output as LowestPlace<Zero>>::Output>>::Output;
}
/// The best swizzle for the modes `Modes`, which changes the bit `Changed` by one of those of `By`.
pub trait BestFor<Modes, By, Changed> {
    type Output;
}
cases! { BestFor:
    [Once, Twice, Modes, By: BestBy<One, Changed, Modes, Once, Twice, NoneFound>, Changed]
        OnceAndTwice<Once, Twice>, Modes, By, Changed
        => By::Output;
}
/// The swizzle `self`; where there is none, the two strides and the bit that they share.
pub trait OrShared<A, B, Bit> {
    type Output;
}
cases! { OrShared:
    [A, B, Bit] NoneFound, A, B, Bit => Undefined<SharedBits<A, B, Bit>>;
    [A, B, Bit, W, P, L, M, R] FoundSwizzle<W, P, L, M, R>, A, B, Bit => Self;
}

/// What was found for strides `D`, as a swizzle and as the strides below it.
pub trait SwizzleAndStrides<D> {
    type Swizzle;
    type Plain: IntTuple;
    fn swizzle() -> Self::Swizzle;
    fn plain(strides: D) -> Self::Plain;
}
impl<D: XorOrNatural> SwizzleAndStrides<D> for NothingMoved {
    type Swizzle = Swizzle<0, 0, 0>;
    type Plain = D::Plain;
    #[inline]
    fn swizzle() -> Self::Swizzle {
        Swizzle
    }
    #[inline]
    fn plain(strides: D) -> D::Plain {
        strides.plain()
    }
}
impl<W: KnownDistance<P, M, Output = Sw>, P, L: Based<Sw>, M, R, Sw, D> SwizzleAndStrides<D>
    for FoundSwizzle<W, P, L, M, R>
where
    D: Nested<Node: SwizzledNode<W, P, R, Output: Untangle<Tree: IntTuple + Default>>>,
{
    type Swizzle = L::Output;
    type Plain = TreeOf<<D::Node as SwizzledNode<W, P, R>>::Output>;
    #[inline]
    fn swizzle() -> Self::Swizzle {
        L::BASED
    }
    #[inline]
    fn plain(_: D) -> Self::Plain {
        Default::default()
    }
}
/// The static strides of the node `self`, swizzled, as natural ones.
pub trait SwizzledNode<Way, Power, Read> {
    type Output;
}
cases! { SwizzledNode:
    [Way, Power, Read] Nil, Way, Power, Read => Nil;
    [Way, Power, Read] Leaf<UTerm>, Way, Power, Read => Self;
    [U, B, Way: Swizzles<UInt<U, B>, Power, Read>, Power, Read] Leaf<UInt<U, B>>, Way, Power, Read => Leaf<Way::Output>;
    [N, Way: Swizzles<N, Power, Read>, Power, Read] Leaf<Xor<N>>, Way, Power, Read => Leaf<Way::Output>;
    [H: Nested, T: SwizzledNode<Way, Power, Read>, Way, Power, Read] Cons<H, T>, Way, Power, Read
        where (H::Node: SwizzledNode<Way, Power, Read, Output: Untangle>)
        => Cons<TreeOf<<H::Node as SwizzledNode<Way, Power, Read>>::Output>, T::Output>;
}
