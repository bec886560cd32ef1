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
//!
//! A natural mode whose multiples carry is no XOR mode in other words. It stays as it is: the swizzle reads none of the
//! bits that its offsets may have.

use core::marker::PhantomData;

use typenum::{B0, B1, Equal, Greater, Less, UInt, UTerm};

use crate::algebra::compose::used_bits::{BitsUpTo, Carrying, Filled, ShareNoBit, Union};
use crate::algebra::mode::ModesOnto;
use crate::list::{Cons, Leaf, Nested, Nil, TreeOf, Untangle};
use crate::number::int::{And, False, MulInt, NotExact, One, Order, QuotientInt, Same, StaticInt, True, Zero};
use crate::refusal::undefined::Undefined;
use crate::refusal::{DynamicXor, SharedBits};
use crate::stepped::as_swizzle::{
    AllApart, BitsOfBoth, FirstSharing, LowestBit, LowestPlace, Moved, MovedModes, OfNatural, OfXor, OnceAndTwice,
    SharedBitsOf, SharingPair,
};
use crate::stepped::convert::XorOrNatural;
use crate::stepped::parts::Longer;
use crate::stepped::xor::{Xor, XorInt};
use crate::swizzle::{Based, Down, KnownDistance, Swizzle, Up};
use crate::tuple::int_tuple::{IntTuple, IsStatic};

// ---- natural modes that stay --------------------------------------------------------------------------------------

/// The bits of the offsets of the modes that stay as they are.
pub struct KeptBits<Kept>(PhantomData<Kept>);
/// The [`KeptBits`] of those of the natural modes `self` whose multiples carry, and of `Kept`: of each, all from the
/// lowest bit to the highest one that its offsets have. [`Carrying`] if two of them share one.
pub trait CarryingBits<Kept> {
    type Output;
}
cases! { CarryingBits:
    [Kept] Nil, Kept => KeptBits<Kept>;
    [L: MulInt<N>, N: BitsUpTo<L::Output, Output: KeptIfCarrying<N, L::Output, T, Kept>>, T, Kept]
        Cons<Moved<L, N>, T>, Kept
        => <N::Output as KeptIfCarrying<N, L::Output, T, Kept>>::Output;
}
/// [`CarryingBits`] of the modes `T` and of one of stride `N` and largest offset `X`, if `self` says that it carries.
pub trait KeptIfCarrying<N, X, T, Kept> {
    type Output;
}
cases! { KeptIfCarrying:
    [U, B, N, X, T: CarryingBits<Kept>, Kept] UInt<U, B>, N, X, T, Kept => T::Output;
    [N: Union<X, Output: AllBetween<Output: ShareNoBit<Kept>>>, X, T, Kept] Carrying, N, X, T, Kept
        where (
            <<N::Output as AllBetween>::Output as ShareNoBit<Kept>>::Output:
                KeptIfApart<<N::Output as AllBetween>::Output, T, Kept>,
        )
        => <<<N::Output as AllBetween>::Output as ShareNoBit<Kept>>::Output
            as KeptIfApart<<N::Output as AllBetween>::Output, T, Kept>>::Output;
}
/// [`CarryingBits`] of the modes `T` beside the bits `Mine` and `Kept`, if `self` says that they share none.
pub trait KeptIfApart<Mine, T, Kept> {
    type Output;
}
cases! { KeptIfApart:
    [Mine, T, Kept] False, Mine, T, Kept => Carrying;
    [Mine: Union<Kept>, T: CarryingBits<Mine::Output>, Kept] True, Mine, T, Kept => T::Output;
}

/// Those of the natural modes `self` whose multiples do not carry, and `Before`.
pub trait WithoutCarrying<Before> {
    type Output;
}
cases! { WithoutCarrying:
    [Before] Nil, Before => Before;
    [L: MulInt<N>, N: BitsUpTo<L::Output, Output: TakenUnlessCarrying<Moved<L, N>, Before>>, T, Before]
        Cons<Moved<L, N>, T>, Before
        where (T: WithoutCarrying<<N::Output as TakenUnlessCarrying<Moved<L, N>, Before>>::Output>)
        => T::Output;
}
/// `Before`, and the mode `M` unless `self` says that it carries.
pub trait TakenUnlessCarrying<M, Before> {
    type Output;
}
cases! { TakenUnlessCarrying:
    [M, Before] Carrying, M, Before => Before;
    [U, B, M, Before] UInt<U, B>, M, Before => Cons<M, Before>;
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

/// The bits that offsets of modes have, and those of the natural modes that stay as they are.
pub struct UsedAndKept<Once, Kept>(PhantomData<(Once, Kept)>);

/// The swizzle that reads as few bits as are needed and moves them `self`, [`Down`] or [`Up`], by the zeros of `Power`;
/// it makes the modes `Modes` natural, whose shared bits are the number `Twice`, and all of their bits are in `Once`, a
/// [`UsedAndKept`].
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
    [U, B, Way, Power, Read: ShareNoBit<<Self as Union<Kept>>::Output>, Modes, Once, Kept]
        UInt<U, B>, Way, Power, Read, Modes, UsedAndKept<Once, Kept>
        where (
            Self: Union<Read> + Union<Kept>,
            One: Longer<<Self as Union<Read>>::Output> + Longer<Once>,
            <One as Longer<<Self as Union<Read>>::Output>>::Output: Order<<One as Longer<Once>>::Output>,
            Read::Output: And<<Within<<Self as Union<Read>>::Output, Once> as NotGreater>::Output>,
            Within<<Self as Union<Read>>::Output, Once>: NotGreater,
            <Read::Output as And<<Within<<Self as Union<Read>>::Output, Once> as NotGreater>::Output>>::Output:
                IfReads<Way, Power, Read, <Self as Union<Read>>::Output, Modes, Kept>,
        )
        => <<Read::Output as And<<Within<<Self as Union<Read>>::Output, Once> as NotGreater>::Output>>::Output
            as IfReads<Way, Power, Read, <Self as Union<Read>>::Output, Modes, Kept>>::Output;
}
/// The order of the highest bits of two numbers.
type Within<Bits, Once> = <<One as Longer<Bits>>::Output as Order<<One as Longer<Once>>::Output>>::Output;
/// Is the order not [`Greater`]?
pub trait NotGreater {
    type Output;
}
cases! { NotGreater: [] Less => True; [] Equal => True; [] Greater => False; }
/// [`Reading`], if `self` says that it reads none of the bits that it changes, nor of those in `Kept`, and lies within
/// those of the modes: `Both` are these bits.
pub trait IfReads<Way, Power, Read, Both, Modes, Kept> {
    type Output;
}
cases! { IfReads:
    [Way, Power, Read, Both, Modes, Kept] False, Way, Power, Read, Both, Modes, Kept => NoneFound;
    [Way, Power, Read: LowestBit + QuotientInt<<Read as LowestBit>::Output>, Both: LowestBit, Modes, Kept]
        True, Way, Power, Read, Both, Modes, Kept
        where (
            Modes: SwizzledModes<Way, Power, Read, Output: AllApart<Kept>>,
            <Modes::Output as AllApart<Kept>>::Output:
                IfApartSwizzled<FoundSwizzle<Way, Power, Both::Output, ReadMany<Read>, Read>>,
        )
        => <<Modes::Output as AllApart<Kept>>::Output
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
    [L: MovedModes<OfNatural, Output: CarryingBits<Zero>> + MovedModes<OfXor, Output: FirstSharing<Nil>>] False, L
        where (
            <<L as MovedModes<OfNatural>>::Output as CarryingBits<Zero>>::Output: BesideKept<
                <L as MovedModes<OfNatural>>::Output,
                <L as MovedModes<OfXor>>::Output,
                <<L as MovedModes<OfXor>>::Output as FirstSharing<Nil>>::Output,
            >,
        )
        => <<<L as MovedModes<OfNatural>>::Output as CarryingBits<Zero>>::Output as BesideKept<
            <L as MovedModes<OfNatural>>::Output,
            <L as MovedModes<OfXor>>::Output,
            <<L as MovedModes<OfXor>>::Output as FirstSharing<Nil>>::Output,
        >>::Output;
}
/// [`FindSwizzle`] of the modes `N` and `X`, natural ones and XOR modes, of which two share a bit. Those whose bits are
/// `self` stay.
pub trait BesideKept<N, X, Sharing> {
    type Output;
}
cases! { BesideKept:
    [N, X, A: BitsOfBoth<B, Output: LowestPlace<Zero>>, B] Carrying, N, X, SharingPair<A, B>
        => Undefined<SharedBits<A, B, <A::Output as LowestPlace<Zero>>::Output>>;
    [Kept, N: WithoutCarrying<Nil, Output: AllApart<Kept>>, X, Sharing] KeptBits<Kept>, N, X, Sharing
        where (<N::Output as AllApart<Kept>>::Output: IfLinear<Kept, N, X, Sharing>)
        => <<N::Output as AllApart<Kept>>::Output as IfLinear<Kept, N, X, Sharing>>::Output;
}
/// [`BesideKept`], if `self` says that the natural modes that do not carry share no bit, nor one of `Kept`.
pub trait IfLinear<Kept, N, X, Sharing> {
    type Output;
}
cases! { IfLinear:
    [Kept, N, X, A: BitsOfBoth<B, Output: LowestPlace<Zero>>, B] False, Kept, N, X, SharingPair<A, B>
        => Undefined<SharedBits<A, B, <A::Output as LowestPlace<Zero>>::Output>>;
    [Kept, N: WithoutCarrying<X, Output: SharedBitsOf<Zero, Zero>>, X, A, B] True, Kept, N, X, SharingPair<A, B>
        where (
            A: BitsOfBoth<B, Output: LowestBit + LowestPlace<Zero>> + Union<B>,
            <N::Output as SharedBitsOf<Zero, Zero>>::Output: BestFor<
                N::Output, Kept, <A as Union<B>>::Output, <<A as BitsOfBoth<B>>::Output as LowestBit>::Output,
                Output: OrShared<A, B, <<A as BitsOfBoth<B>>::Output as LowestPlace<Zero>>::Output>,
            >,
        )
        => <<<N::Output as SharedBitsOf<Zero, Zero>>::Output as BestFor<
            N::Output, Kept, <A as Union<B>>::Output, <<A as BitsOfBoth<B>>::Output as LowestBit>::Output,
        >>::Output as OrShared<A, B, <<A as BitsOfBoth<B>>::Output as LowestPlace<Zero>>::Output>>::Output;
}
/// The best swizzle for the modes `Modes`, beside the bits `Kept`, which changes the bit `Changed` by one of those of
/// `By`.
pub trait BestFor<Modes, Kept, By, Changed> {
    type Output;
}
cases! { BestFor:
    [Once, Twice, Modes, Kept, By: BestBy<One, Changed, Modes, UsedAndKept<Once, Kept>, Twice, NoneFound>, Changed]
        OnceAndTwice<Once, Twice>, Modes, Kept, By, Changed
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
