//! One stride in place of a step in two parts: of `d` along natural modes and of `^x` along XOR modes.
//!
//! ```text
//! c * d + c (x) x == c (x) (d | x)       for all c < n
//!
//! 4 steps of 1 and ^4      4:^5, since 0 1 2 3 are sums without carries, of bits that 0 4 8 12 do not have
//! 4 steps of 3 and ^16     no XOR stride: 2 * 3 + 1 * 3 carries
//! ```
//!
//! It holds if no `c * d` carries and no bit of one part is one of the other's. Beside other modes, the natural parts of
//! two steps must not share a bit either: they add up, and as XOR strides they do not. So all modes of a result are
//! looked at together. Where they refuse, XOR strides may say the same as natural ones:
//!
//! ```text
//! c * d + c (x) x == c * (d + x)         if no c (x) x carries, and no other mode has a bit of it
//!
//! 4 steps of 3 and ^16     4:19
//! ```

use core::marker::PhantomData;

use typenum::{B0, B1, UInt, UTerm};

use crate::algebra::compose::step_through::Reach;
use crate::algebra::compose::used_bits::{BitsUpTo, Carrying, CopiesOf, Filled, ShareNoBit, Union};
use crate::algebra::mode::{Mode, ModesOnto};
use crate::algebra::operation;
use crate::algebra::outcome::Defined;
use crate::error::Fault;
use crate::layout::stand_in::StandIn;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::list::{Cons, Nested, Nil, Untangle};
use crate::number::int::{AddInt, False, MulInt, One, StaticInt, SubInt, True, Zero};
use crate::number::multiple::Multiple;
use crate::number::table::RunTimeNumber;
use crate::refusal::undefined::Undefined;
use crate::refusal::{DynamicTwoParts, Explain, ModesMeet, StepInTwoParts};
use crate::stepped::as_swizzle::{BitsOfBoth, LowestPlace};
use crate::stepped::layout::{SteppedLayout, XorLayout};
use crate::stepped::minus::Minus;
use crate::stepped::right_modes::{BitsOfTwoModes, UnlessShared, WithNatural, XorModesOf};
use crate::stepped::two_parts::InTwoParts;
use crate::stepped::xor::Xor;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::semimodule::{Bits, Semimodule};

// ---- whether there is such a step ---------------------------------------------------------------------------------

/// What kinds of strides a tree has: [`False`] if there is none, [`Naturals`] alone, [`Xors`] alone, [`Mixed`] of both,
/// or [`True`], one in two parts, or a negative one, which does not move. `SoFar` is what those before are.
pub trait HasTwoParts<SoFar> {
    type Output;
}
/// Natural strides.
pub struct Naturals;
/// XOR strides.
pub struct Xors;
/// Natural and XOR strides.
pub struct Mixed;
cases! { HasTwoParts:
    [SoFar] UTerm, SoFar => SoFar;
    [D, X, SoFar] InTwoParts<D, X>, SoFar => True;
    [N, SoFar] Minus<N>, SoFar => True;
    [N] Xor<N>, False => Xors;
    [N] Xor<N>, Xors => Xors;
    [N] Xor<N>, Naturals => Mixed;
    [N] Xor<N>, Mixed => Mixed;
    [N] Xor<N>, True => True;
    [T: HasTwoParts<SoFar>, SoFar, const COUNT: usize] [T; COUNT], SoFar => T::Output;
}
macro_rules! natural_strides {
    ($([$($generic:ident)*] $stride:ty;)*) => {
        $(cases! { HasTwoParts:
            [$($generic),*] $stride, False => Naturals;
            [$($generic),*] $stride, Naturals => Naturals;
            [$($generic),*] $stride, Xors => Mixed;
            [$($generic),*] $stride, Mixed => Mixed;
            [$($generic),*] $stride, True => True;
        })*
    };
}
natural_strides! { [U B] UInt<U, B>; [] usize; [F] Multiple<F>; }
macro_rules! in_tuples {
    ($($Item:ident $item:ident)+) => { in_tuples! { @next [$($Item)+] [] [SoFar] $($Item)+ } };
    (@next $all:tt [$($bound:tt)*] [$so_far:ty] $Item:ident $($more:ident)*) => {
        in_tuples! {
            @next $all [$($bound)* $Item: HasTwoParts<$so_far>,] [<$Item as HasTwoParts<$so_far>>::Output] $($more)*
        }
    };
    (@next [$($Item:ident)+] [$($bound:tt)*] [$output:ty]) => {
        impl<SoFar, $($Item),+> HasTwoParts<SoFar> for ($($Item,)+)
        where
            $($bound)*
        {
            type Output = $output;
        }
    };
}
each_arity!(in_tuples);

// ---- whether one stride says as much ------------------------------------------------------------------------------

/// All steps in two parts have one stride.
pub struct PartsInOne;
/// The bits of modes so far: `Sums` of the natural parts of steps in two parts, `Products` of XOR modes and XOR parts,
/// and the list `Naturals` of natural modes, each a [`SumOfModes`].
pub struct BitsSoFar<Sums, Products, Naturals>(PhantomData<(Sums, Products, Naturals)>);
/// None.
pub type NoBits = BitsSoFar<Zero, Zero, Nil>;

/// Whether an XOR stride says as much as each step in two parts of the modes `self`: [`PartsInOne`] or [`Undefined`].
/// Natural modes that only run time knows are not asked.
pub trait PartsApart {
    type Output;
}
impl<L: BitsOfParts<NoBits, Output: ArePartsApart>> PartsApart for L {
    type Output = <L::Output as ArePartsApart>::Output;
}
/// [`PartsApart`] of modes of the bits `self`.
pub trait ArePartsApart {
    type Output;
}
cases! { ArePartsApart:
    [R] Undefined<R> => Self;
    [Sums: BitsOfBoth<Products> + Union<Products, Output: BitsOfBoth<Naturals::Output>>, Products, Naturals: BitsOfSums]
        BitsSoFar<Sums, Products, Naturals>
        where (
            <Sums as BitsOfBoth<Products>>::Output:
                Union<<<Sums as Union<Products>>::Output as BitsOfBoth<Naturals::Output>>::Output, Output: IsNone>,
        )
        => <<<Sums as BitsOfBoth<Products>>::Output as Union<
            <<Sums as Union<Products>>::Output as BitsOfBoth<Naturals::Output>>::Output,
        >>::Output as IsNone>::Output;
}

/// The bits of the modes `self`, beside `Bits`: [`BitsSoFar`], or [`Undefined`] where no XOR stride says as much as a
/// step in two parts, or where only run time knows.
pub trait BitsOfParts<Bits> {
    type Output;
}
cases! { BitsOfParts:
    [Bits] Nil, Bits => Bits;
    [S, T: BitsOfParts<Bits>, Bits] Cons<Mode<S, UTerm>, T>, Bits => T::Output;
    [S, T: BitsOfParts<Bits>, Bits] Cons<Mode<S, usize>, T>, Bits => T::Output;
    [S, F, T: BitsOfParts<Bits>, Bits] Cons<Mode<S, Multiple<F>>, T>, Bits => T::Output;
    [S, N, T: BitsOfParts<Bits>, Bits] Cons<Mode<S, Minus<N>>, T>, Bits => T::Output;
    [S: SumsOf<UInt<U, B>, Naturals>, U, B, T, Sums, Products, Naturals]
        Cons<Mode<S, UInt<U, B>>, T>, BitsSoFar<Sums, Products, Naturals>
        where (T: BitsOfParts<BitsSoFar<Sums, Products, S::Output>>)
        => <T as BitsOfParts<BitsSoFar<Sums, Products, S::Output>>>::Output;
    [S: ProductsOf<N, Products, Output: ThenParts<T, Sums, Naturals>>, N, T, Sums, Products, Naturals]
        Cons<Mode<S, Xor<N>>, T>, BitsSoFar<Sums, Products, Naturals>
        => <S::Output as ThenParts<T, Sums, Naturals>>::Output;
    [S: ProductsOf<X, Products, Output: BesideSums<S, D, X, T, Sums, Naturals>>, D, X, T, Sums, Products, Naturals]
        Cons<Mode<S, InTwoParts<D, X>>, T>, BitsSoFar<Sums, Products, Naturals>
        => <S::Output as BesideSums<S, D, X, T, Sums, Naturals>>::Output;
}
/// All bits of modes, or the reason why only run time knows them.
pub trait AllBits {
    type Output;
}
cases! { AllBits:
    [R] Undefined<R> => Self;
    [Sums: Union<Products, Output: Union<Naturals::Output>>, Products, Naturals: BitsOfSums]
        BitsSoFar<Sums, Products, Naturals>
        => <<Sums as Union<Products>>::Output as Union<Naturals::Output>>::Output;
}
/// [`PartsInOne`], if `self`, the bits that parts share, is 0.
pub trait IsNone {
    type Output;
}
cases! { IsNone:
    [] UTerm => PartsInOne;
    [U, B] UInt<U, B> where (Self: LowestPlace<Zero>)
        => Undefined<ModesMeet<<Self as LowestPlace<Zero>>::Output>>;
}

/// Bits of XOR modes.
pub struct BitsOfProducts<Bits>(PhantomData<Bits>);
/// [`BitsOfProducts`] of `self` steps of `^N`, with those so far; or [`Undefined`] where only run time knows them.
pub trait ProductsOf<N, SoFar> {
    type Output;
}
cases! { ProductsOf:
    [N, SoFar] UTerm, N, SoFar => BitsOfProducts<SoFar>;
    [N, SoFar] One, N, SoFar => BitsOfProducts<SoFar>;
    [U, A, B, SoFar] UInt<UInt<U, A>, B>, UTerm, SoFar => BitsOfProducts<SoFar>;
    [U, A, B, V, C, SoFar] UInt<UInt<U, A>, B>, UInt<V, C>, SoFar
        where (Self: SubInt<One, Output: CopiesOf<UInt<V, C>, Output: Union<SoFar>>>)
        => BitsOfProducts<<<<Self as SubInt<One>>::Output as CopiesOf<UInt<V, C>>>::Output as Union<SoFar>>::Output>;
    [U, A, B, N: RunTimeNumber, SoFar] UInt<UInt<U, A>, B>, N, SoFar => Undefined<DynamicTwoParts>;
    [S: RunTimeNumber, N, SoFar] S, N, SoFar => Undefined<DynamicTwoParts>;
}
/// [`BitsOfParts`] of the modes `T` behind an XOR mode, with the bits `self`.
pub trait ThenParts<T, Sums, Naturals> {
    type Output;
}
cases! { ThenParts:
    [R, T, Sums, Naturals] Undefined<R>, T, Sums, Naturals => Self;
    [Products, T: BitsOfParts<BitsSoFar<Sums, Products, Naturals>>, Sums, Naturals]
        BitsOfProducts<Products>, T, Sums, Naturals
        => T::Output;
}
/// [`BitsOfParts`] of `N` steps in the two parts `D` and `^X`, and of the modes `T` behind; `self` are the bits of XOR
/// parts.
pub trait BesideSums<N, D, X, T, Sums, Naturals> {
    type Output;
}
cases! { BesideSums:
    [R, N, D, X, T, Sums, Naturals] Undefined<R>, N, D, X, T, Sums, Naturals => Self;
    [Products, N, D: RunTimeNumber, X, T, Sums, Naturals] BitsOfProducts<Products>, N, D, X, T, Sums, Naturals
        => Undefined<DynamicTwoParts>;
    [Products, N: MulInt<UInt<U, B>, Output: SubInt<UInt<U, B>>>, U, B, X, T, Sums, Naturals]
        BitsOfProducts<Products>, N, UInt<U, B>, X, T, Sums, Naturals
        where (
            UInt<U, B>: BitsUpTo<
                Reach<N, UInt<U, B>>,
                Output: NaturalPart<N, UInt<U, B>, X, T, BitsSoFar<Sums, Products, Naturals>>,
            >,
        )
        => <<UInt<U, B> as BitsUpTo<Reach<N, UInt<U, B>>>>::Output as NaturalPart<
            N, UInt<U, B>, X, T, BitsSoFar<Sums, Products, Naturals>,
        >>::Output;
}
/// [`BesideSums`], where `self` are the bits of the natural part.
pub trait NaturalPart<N, D, X, T, Bits> {
    type Output;
}
cases! { NaturalPart:
    [N, D, X, T, Bits] Carrying, N, D, X, T, Bits => Undefined<StepInTwoParts<N, D, X>>;
    [U, B, N, D, X, T, Sums, Products, Naturals] UInt<U, B>, N, D, X, T, BitsSoFar<Sums, Products, Naturals>
        where (
            Self: ShareNoBit<Sums, Output: PartIfApart<Self, N, D, X, T, BitsSoFar<Sums, Products, Naturals>>>,
        )
        => <<Self as ShareNoBit<Sums>>::Output as PartIfApart<
            Self, N, D, X, T, BitsSoFar<Sums, Products, Naturals>,
        >>::Output;
}
/// [`NaturalPart`], if `self` says that no natural part before has the bits `Mine`.
pub trait PartIfApart<Mine, N, D, X, T, Bits> {
    type Output;
}
cases! { PartIfApart:
    [Mine, N, D, X, T, Bits] False, Mine, N, D, X, T, Bits => Undefined<StepInTwoParts<N, D, X>>;
    [Mine: Union<Sums>, N, D, X, T, Sums, Products, Naturals]
        True, Mine, N, D, X, T, BitsSoFar<Sums, Products, Naturals>
        where (T: BitsOfParts<BitsSoFar<Mine::Output, Products, Naturals>>)
        => <T as BitsOfParts<BitsSoFar<Mine::Output, Products, Naturals>>>::Output;
}

/// Natural modes that share bits: the bits that their sums may have, of which the last one is `Reach`.
pub struct SumOfModes<Bits, Reach>(PhantomData<(Bits, Reach)>);
/// The list `SoFar` of natural modes, with `self` steps of the natural stride `D`, as far as they are static. The bits
/// are those of its multiples, or where these carry all from the lowest one to the highest one.
pub trait SumsOf<D, SoFar> {
    type Output;
}
cases! { SumsOf:
    [D, SoFar] UTerm, D, SoFar => SoFar;
    [D, SoFar] One, D, SoFar => SoFar;
    [S: RunTimeNumber, D, SoFar] S, D, SoFar => SoFar;
    [U, A, B, D, SoFar] UInt<UInt<U, A>, B>, D, SoFar
        where (
            Self: MulInt<D, Output: SubInt<D>>,
            D: BitsUpTo<Reach<Self, D>, Output: OrBetween<D, Reach<Self, D>>>,
            SoFar: SumUp<BitsOfSteps<Self, D>, Reach<Self, D>, Nil>,
        )
        => SoFar::Output;
}
type BitsOfSteps<N, D> = <<D as BitsUpTo<Reach<N, D>>>::Output as OrBetween<D, Reach<N, D>>>::Output;
/// The list of `Bits`, which reach `Last`, the sums `Apart` that share none of them, and the sums `self`. Sums that
/// share a bit carry, and are one: it has all bits from the lowest one to the highest one.
pub trait SumUp<Bits, Last, Apart> {
    type Output;
}
cases! { SumUp:
    [Bits, Last, Apart] Nil, Bits, Last, Apart => Cons<SumOfModes<Bits, Last>, Apart>;
    [Other: ShareNoBit<Bits, Output: SumUpIf<Other, Reach, T, Bits, Last, Apart>>, Reach, T, Bits, Last, Apart]
        Cons<SumOfModes<Other, Reach>, T>, Bits, Last, Apart
        => <Other::Output as SumUpIf<Other, Reach, T, Bits, Last, Apart>>::Output;
}
/// [`SumUp`] of a sum and those behind it, `T`, where `self` is whether it shares none of the bits.
pub trait SumUpIf<Other, Reach, T, Bits, Last, Apart> {
    type Output;
}
cases! { SumUpIf:
    [Other, Reach, T: SumUp<Bits, Last, Cons<SumOfModes<Other, Reach>, Apart>>, Bits, Last, Apart]
        True, Other, Reach, T, Bits, Last, Apart
        => T::Output;
    // Those that were apart may not be any longer.
    [Other: Union<Bits, Output: BitsBetween<Reach::Output>>, Reach: AddInt<Last>, T, Bits, Last, Apart]
        False, Other, Reach, T, Bits, Last, Apart
        where (
            T: SumUp<BitsOfSum<Other, Bits, Reach::Output>, Reach::Output, Nil, Output: SumUpAgain<Apart>>,
        )
        => <T::Output as SumUpAgain<Apart>>::Output;
}
type BitsOfSum<A, B, Last> = <<A as Union<B>>::Output as BitsBetween<Last>>::Output;
/// The list `self`, whose first sum is summed up with the sums `Others`.
pub trait SumUpAgain<Others> {
    type Output;
}
cases! { SumUpAgain:
    [Bits, Last, T, Others: SumUp<Bits, Last, T>] Cons<SumOfModes<Bits, Last>, T>, Others => Others::Output;
}
/// The bits of all of the sums.
pub trait BitsOfSums {
    type Output;
}
cases! { BitsOfSums:
    [] Nil => Zero;
    [Bits: Union<T::Output>, Last, T: BitsOfSums] Cons<SumOfModes<Bits, Last>, T> => Bits::Output;
}
/// The bits `self`, or those from the lowest one of `D` to the highest one of its multiple `Last`.
pub trait OrBetween<D, Last> {
    type Output;
}
cases! { OrBetween:
    [U, B, D, Last] UInt<U, B>, D, Last => Self;
    [D: BitsBetween<Last>, Last] Carrying, D, Last => D::Output;
}
/// The bits from the lowest one of the number on, to the highest one of `Last`.
pub trait BitsBetween<Last> {
    type Output: StaticInt;
}
cases! { BitsBetween:
    [U, Last: Filled<Output: StaticInt>] UInt<U, B1>, Last => Last::Output;
    [U: BitsBetween<V>, V, B] UInt<U, B0>, UInt<V, B> => <U::Output as StaticInt>::Double;
}

// ---- the one stride -----------------------------------------------------------------------------------------------

/// The tree of strides `self`, those in two parts as one XOR stride each, of the bits of both parts, and negative ones,
/// which do not move, as natural ones.
pub trait InOneStride {
    type Output: IntTuple;
    fn in_one_stride(self) -> Self::Output;
}
impl<D: Union<X>, X> InOneStride for InTwoParts<D, X> {
    type Output = Xor<D::Output>;
    #[inline]
    fn in_one_stride(self) -> Self::Output {
        Xor(Default::default())
    }
}
impl<N: IntTuple> InOneStride for Minus<N> {
    type Output = N;
    #[inline]
    fn in_one_stride(self) -> N {
        self.0
    }
}
macro_rules! strides_as_they_are {
    ($([$($generic:tt)*] $stride:ty;)*) => {
        $(impl<$($generic)*> InOneStride for $stride
        where
            Self: IntTuple,
        {
            type Output = Self;
            #[inline]
            fn in_one_stride(self) -> Self {
                self
            }
        })*
    };
}
strides_as_they_are! {
    [] UTerm; [U, B] UInt<U, B>; [] usize; [F] Multiple<F>; [N] Xor<N>; [T, const COUNT: usize] [T; COUNT];
}
macro_rules! tuples_in_one_stride {
    ($($Item:ident $item:ident)+) => {
        impl<$($Item: InOneStride),+> InOneStride for ($($Item,)+)
        where
            ($($Item::Output,)+): IntTuple,
        {
            type Output = ($($Item::Output,)+);
            #[inline]
            fn in_one_stride(self) -> Self::Output {
                let ($($item,)+) = self;
                ($($item.in_one_stride(),)+)
            }
        }
    };
}
each_arity!(tuples_in_one_stride);

// ---- the layout ---------------------------------------------------------------------------------------------------

/// The layout `S:D`, whose strides `self` are, as an XOR layout with one stride for each step: what the operation `Op`
/// gives, or its message.
pub trait OneStrideIf<Op, S, D> {
    type Output: Layout;
    fn one_stride_if(layout: StridedLayout<S, D>) -> Result<Self::Output, Fault>;
}
macro_rules! of_one_kind {
    ($($kinds:ident)*) => {
        $(impl<Op, S: IntTuple, D: IntTuple> OneStrideIf<Op, S, D> for $kinds {
            type Output = XorLayout<S, D>;
            #[inline]
            fn one_stride_if(layout: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
                xor_layout(layout)
            }
        })*
    };
}
of_one_kind! { False Naturals Xors }
impl<Op: IfMixed<S, D, Output: XorOutcome<Op>>, S: IntTuple, D: IntTuple> OneStrideIf<Op, S, D> for Mixed {
    type Output = <Op::Output as XorOutcome<Op>>::Output;
    #[inline]
    fn one_stride_if(layout: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
        Op::if_mixed(layout).xor_outcome()
    }
}
impl<Op, S: IntTuple, D: IntTuple> OneStrideIf<Op, S, D> for True
where
    S::Node: ModesOnto<D::Node, Nil, Output: PartsApart<Output: ApartOrNatural<S, D, Output: XorOutcome<Op>>>>,
{
    type Output = <<WhetherApart<S, D> as ApartOrNatural<S, D>>::Output as XorOutcome<Op>>::Output;
    #[inline]
    fn one_stride_if(layout: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
        <WhetherApart<S, D>>::apart_or_natural(layout).xor_outcome()
    }
}
type ModesOf<S, D> = <<S as Nested>::Node as ModesOnto<<D as Nested>::Node, Nil>>::Output;
/// Whether the modes of `S:D` are apart: see [`PartsApart`].
pub type WhetherApart<S, D> = <ModesOf<S, D> as PartsApart>::Output;

/// A shape and strides as an XOR layout, if they have a meaning together.
#[inline]
fn xor_layout<S: IntTuple, D: IntTuple>(layout: StridedLayout<S, D>) -> Result<XorLayout<S, D>, Fault> {
    match Bits::fault(layout.shape().node(), layout.stride().node()) {
        None => Ok(SteppedLayout::assemble(layout)),
        Some(fault) => Err(fault),
    }
}
/// What the operation `Op` gives as an XOR layout, or its message.
pub trait XorOutcome<Op> {
    type Output: Layout;
    fn xor_outcome(self) -> Result<Self::Output, Fault>;
}
cases! { XorOutcome::xor_outcome -> Result<Self::Output, Fault>:
    [Op, S: IntTuple, D: IntTuple] Defined<S, D>, Op => XorLayout<S, D>,
        (self) => xor_layout(StridedLayout::assemble(self.shape, self.stride));
    [Op, R: Explain<Op>] Undefined<R>, Op => StandIn, (self) => Ok(StandIn);
}

/// The layout `S:D` with XOR strides for the steps in two parts, if `self` says that these are apart; if not, the one
/// whose XOR modes are natural ones where these say the same.
pub trait ApartOrNatural<S, D> {
    type Output;
    fn apart_or_natural(layout: StridedLayout<S, D>) -> Self::Output;
}
impl<S: IntTuple, D: IntTuple + InOneStride> ApartOrNatural<S, D> for PartsInOne {
    type Output = Defined<S, D::Output>;
    #[inline]
    fn apart_or_natural(layout: StridedLayout<S, D>) -> Self::Output {
        let (shape, stride) = layout.into_parts();
        Defined { shape, stride: stride.in_one_stride() }
    }
}
impl<S: IntTuple, D: IntTuple, R> ApartOrNatural<S, D> for Undefined<R>
where
    S::Node: ModesOnto<D::Node, Nil, Output: XorModesOf<Output: ThenNatural<S, D, R>>>,
{
    type Output = <<ModesOf<S, D> as XorModesOf>::Output as ThenNatural<S, D, R>>::Output;
    #[inline]
    fn apart_or_natural(layout: StridedLayout<S, D>) -> Self::Output {
        <<ModesOf<S, D> as XorModesOf>::Output as ThenNatural<S, D, R>>::then_natural(layout)
    }
}

/// The layout `S:D` with natural strides for those of the XOR modes and XOR parts `self` that say the same, and XOR
/// strides for the other steps in two parts; or the reason `R`.
pub trait ThenNatural<S, D, R> {
    type Output;
    fn then_natural(layout: StridedLayout<S, D>) -> Self::Output;
}
impl<S, D, Q, R> ThenNatural<S, D, R> for Undefined<Q> {
    type Output = Undefined<R>;
    #[inline]
    fn then_natural(_: StridedLayout<S, D>) -> Self::Output {
        Undefined::new()
    }
}
impl<S: IntTuple, D: IntTuple, R, M, T, Twice, E> ThenNatural<S, D, R> for Cons<M, T>
where
    Self: BitsOfTwoModes<Zero, Zero, Output = Twice>,
    D::Node: WithNatural<S::Node, UnlessShared<Twice>, Output: Untangle<Tree = E>>,
    E: IntTuple,
    S::Node: ModesOnto<E::Node, Nil, Output: PartsApart<Output: ApartOrRefused<S, E, R>>>,
{
    type Output = <WhetherApart<S, E> as ApartOrRefused<S, E, R>>::Output;
    #[inline]
    fn then_natural(layout: StridedLayout<S, D>) -> Self::Output {
        let (shape, stride) = layout.into_parts();
        let stride = stride.node().with_natural().tree();
        <WhetherApart<S, E>>::apart_or_refused(StridedLayout::assemble(shape, stride))
    }
}
/// The layout `S:D` with XOR strides for the steps in two parts, if `self` says that these are apart, or else the
/// reason `R`.
pub trait ApartOrRefused<S, D, R> {
    type Output;
    fn apart_or_refused(layout: StridedLayout<S, D>) -> Self::Output;
}
cases! { ApartOrRefused::apart_or_refused -> Self::Output:
    [S, D, R] PartsInOne, S, D, R where (Self: ApartOrNatural<S, D>) => <Self as ApartOrNatural<S, D>>::Output,
        (layout: StridedLayout<S, D>) => Self::apart_or_natural(layout);
    [S, D, Q, R] Undefined<Q>, S, D, R => Undefined<R>, (_: StridedLayout<S, D>) => Undefined::new();
}

/// What the operation `self` does about natural and XOR strides of the result `S:D` that share a bit: of what
/// is rearranged, XOR modes are natural ones where these say the same, or else it is refused.
pub trait IfMixed<S, D> {
    type Output;
    fn if_mixed(layout: StridedLayout<S, D>) -> Self::Output;
}
macro_rules! rearranging {
    ($($verb:ident)*) => {
        $(impl<S: IntTuple, D: IntTuple> IfMixed<S, D> for operation::$verb
        where
            S::Node: ModesOnto<D::Node, Nil, Output: PartsApart<Output: ApartOrUnknown<S, D>>>,
        {
            type Output = <WhetherApart<S, D> as ApartOrUnknown<S, D>>::Output;
            #[inline]
            fn if_mixed(layout: StridedLayout<S, D>) -> Self::Output {
                <WhetherApart<S, D>>::apart_or_unknown(layout)
            }
        })*
    };
}
rearranging! { Compose WithShape LogicalDivide ZippedDivide TiledDivide FlatDivide }
/// Others leave it to run time.
macro_rules! as_they_are {
    ($($verb:ident)*) => {
        $(impl<S: IntTuple, D: IntTuple> IfMixed<S, D> for operation::$verb {
            type Output = Defined<S, D>;
            #[inline]
            fn if_mixed(layout: StridedLayout<S, D>) -> Self::Output {
                as_it_is(layout)
            }
        })*
    };
}
as_they_are! {
    LayoutAdd MaxCommonLayout LogicalProduct ZippedProduct TiledProduct FlatProduct BlockedProduct RakedProduct RoundUp
    TileToShape
}
/// The layout `S:D` of natural and XOR strides, if `self` says that these are apart, or if only run time knows; if not,
/// the one whose XOR modes are natural ones where these say the same.
pub trait ApartOrUnknown<S, D> {
    type Output;
    fn apart_or_unknown(layout: StridedLayout<S, D>) -> Self::Output;
}
cases! { ApartOrUnknown::apart_or_unknown -> Self::Output:
    [S: IntTuple, D: IntTuple] PartsInOne, S, D => Defined<S, D>, (layout: StridedLayout<S, D>) => as_it_is(layout);
    [S: IntTuple, D: IntTuple] Undefined<DynamicTwoParts>, S, D => Defined<S, D>,
        (layout: StridedLayout<S, D>) => as_it_is(layout);
    [S, D, Bit] Undefined<ModesMeet<Bit>>, S, D where (Self: ApartOrNatural<S, D>)
        => <Self as ApartOrNatural<S, D>>::Output, (layout: StridedLayout<S, D>) => Self::apart_or_natural(layout);
}
#[inline]
fn as_it_is<S: IntTuple, D: IntTuple>(layout: StridedLayout<S, D>) -> Defined<S, D> {
    let (shape, stride) = layout.into_parts();
    Defined { shape, stride }
}
