//! A layout of XOR strides taken apart: the modes that are linear in their bits, and the natural modes above.
//!
//! ```text
//! (8,3,8,4):(^1,64,^9,256)      ^1 and ^9 below 64, and 3:64 and 4:256 above, sorted
//! (4,8):(1,^12)                 1 is among the bits, and has to be linear: no sum of 1, 2 carries
//! ```
//!
//! A natural mode among the bits that carries is refused, or skipped where less than all of a layout is enough.

use core::marker::PhantomData;

use typenum::{B0, Equal, Greater, Less, UInt, UTerm};

use crate::algebra::coalesce::Merge;
use crate::algebra::complement::Sorting;
use crate::algebra::compose::step_through::Reach;
use crate::algebra::compose::used_bits::{BitsUpTo, Carrying, ShareNoBit, Union};
use crate::algebra::inverse::{ChainFrom, ExtentAndStep, StaticStrides, not_still};
use crate::algebra::mode::{Mode, Push};
use crate::error::Fault;
use crate::list::{Cons, Nil};
use crate::number::int::{And, False, MulInt, NotExact, One, Order, QuotientInt, SubInt, True};
use crate::number::multiple::Multiple;
use crate::refusal::undefined::Undefined;
use crate::refusal::{AmongXor, DynamicXor, NegativeOffset};
use crate::stepped::elimination::{Eliminate, PowerWithin, ShiftedBy};
use crate::stepped::minus::Minus;
use crate::stepped::vectors::{RowsOf, VectorsOf};
use crate::stepped::xor::Xor;
use crate::stepped::xor_modes::IsPower;

// ---- sorting ------------------------------------------------------------------------------------------------------

/// XOR modes, in their order, and the natural modes beside them, sorted. All numbers are static.
pub struct Beside<X, L>(PhantomData<(X, L)>);
impl<X, L> Default for Beside<X, L> {
    #[inline]
    fn default() -> Self {
        Beside(PhantomData)
    }
}

/// A mode of this extent and stride beside or among XOR modes, for the list `L`.
macro_rules! push_beside {
    ($([$($generic:ident)*] $list:ty, $extent:ty, $stride:ty => $result:ty $(, $bound:ident)?;)*) => {
        $(impl<$($generic),*> Push<Sorting, $extent, $stride> for $list
        $(where
            $bound: Push<Sorting, $extent, $stride>,)?
        {
            type Output = $result;
            #[inline]
            fn push(self, _: Mode<$extent, $stride>) -> Result<Self::Output, Fault> {
                Ok(Default::default())
            }
        })*
    };
}
macro_rules! static_extents {
    ($([$($generic:ident)*] $extent:ty;)*) => {
        $(push_beside! {
            [$($generic)* V C] Nil, $extent, Xor<UInt<V, C>>
                => Beside<Cons<Mode<$extent, Xor<UInt<V, C>>>, Nil>, Nil>;
            [$($generic)* V C M T] Cons<M, T>, $extent, Xor<UInt<V, C>>
                => Beside<Cons<Mode<$extent, Xor<UInt<V, C>>>, Nil>, Self>;
            [$($generic)* V C X L] Beside<X, L>, $extent, Xor<UInt<V, C>>
                => Beside<Cons<Mode<$extent, Xor<UInt<V, C>>>, X>, L>;
            [$($generic)* V C R] Undefined<R>, $extent, Xor<UInt<V, C>> => Self;
            [$($generic)* V C X L] Beside<X, L>, $extent, UInt<V, C>
                => Beside<X, <L as Push<Sorting, $extent, UInt<V, C>>>::Output>, L;
        }
        dynamic_xor! { [$($generic)*] $extent, usize; [$($generic)* K] $extent, Multiple<K>; })*
    };
}
macro_rules! dynamic_xor {
    ($([$($generic:ident)*] $extent:ty, $stride:ty;)*) => {
        $(push_beside! {
            [$($generic)* L] L, $extent, Xor<$stride> => Undefined<DynamicXor>;
            [$($generic)* X L] Beside<X, L>, $extent, $stride => Undefined<DynamicXor>;
        })*
    };
}
macro_rules! dynamic_extents {
    ($([$($generic:ident)*] $extent:ty;)*) => {
        $(push_beside! {
            [$($generic)* V C L] L, $extent, Xor<UInt<V, C>> => Undefined<DynamicXor>;
            [$($generic)* V C X L] Beside<X, L>, $extent, UInt<V, C> => Undefined<DynamicXor>;
        }
        dynamic_xor! { [$($generic)*] $extent, usize; [$($generic)* F] $extent, Multiple<F>; })*
    };
}
static_extents! {
    [] UTerm; [U A B] UInt<UInt<U, A>, B>;
    [] ExtentAndStep<UTerm, UTerm>; [U B] ExtentAndStep<UTerm, UInt<U, B>>;
    [U A B] ExtentAndStep<UInt<UInt<U, A>, B>, UTerm>; [U A B W E] ExtentAndStep<UInt<UInt<U, A>, B>, UInt<W, E>>;
}
dynamic_extents! {
    [] usize; [K] Multiple<K>;
    [P] ExtentAndStep<usize, P>; [K P] ExtentAndStep<Multiple<K>, P>;
    [] ExtentAndStep<UTerm, usize>; [K] ExtentAndStep<UTerm, Multiple<K>>;
    [U A B] ExtentAndStep<UInt<UInt<U, A>, B>, usize>; [U A B K] ExtentAndStep<UInt<UInt<U, A>, B>, Multiple<K>>;
}

/// A negative mode where a natural one would be, and no mode of an inverse.
macro_rules! negative_modes {
    ($([$($generic:ident)*] $extent:ty;)*) => {
        $(impl<L: Push<Sorting, $extent, N>, N, $($generic),*> Push<Sorting, $extent, Minus<N>> for L {
            type Output = L::Output;
            #[inline]
            fn push(self, mode: Mode<$extent, Minus<N>>) -> Result<Self::Output, Fault> {
                self.push(Mode { shape: mode.shape, stride: mode.stride.0 })
            }
        }
        push_beside! { [$($generic)* L N P] L, ExtentAndStep<$extent, P>, Minus<N>
            => Undefined<NegativeOffset<$extent, N>>; })*
    };
}
negative_modes! { [] UTerm; [U A B] UInt<UInt<U, A>, B>; [] usize; [K] Multiple<K>; }

cases! { StaticStrides::static_strides -> Self::Output:
    [S, T: StaticStrides, N] Cons<Mode<S, Xor<N>>, T> => Cons<Mode<S, Xor<N>>, T::Output>,
        (self) => Cons { head: self.head, tail: self.tail.static_strides() };
    [S, T: StaticStrides, N] Cons<Mode<S, Minus<N>>, T> => T::Output, (self) => self.tail.static_strides();
}
not_still! { [N] Xor<N>; [N] Minus<N>; }
// What a list of modes ends with, or is, where the types have none.
cases! { ChainFrom::chain -> Result<Self::Output, Fault>:
    [R, Run] Undefined<R>, Run => Self, (self, _: Run) => Ok(self);
}
cases! { Merge::merge -> Result<Self::Output, Fault>:
    [R, Tail] Undefined<R>, Tail => Self, (self, _: Tail) => Ok(self);
}

// ---- bits below, numbers above ------------------------------------------------------------------------------------

/// What an extent is, alone or with its step.
pub trait ExtentOf {
    type Extent;
    /// Is all of it static?
    type Static;
}
macro_rules! extents {
    ($([$($generic:ident)*] $extent:ty => $known:ty;)*) => {
        $(impl<$($generic),*> ExtentOf for $extent {
            type Extent = Self;
            type Static = $known;
        })*
    };
}
extents! { [] UTerm => True; [U B] UInt<U, B> => True; [] usize => False; [K] Multiple<K> => False; }
impl<S: ExtentOf<Static: And<P::Static>>, P: ExtentOf> ExtentOf for ExtentAndStep<S, P> {
    type Extent = S::Extent;
    type Static = <S::Static as And<P::Static>>::Output;
}

/// The least power of two that is no less than an extent, or 0: as many zeros as coordinates have bits.
pub trait PowerAbove {
    type Output;
}
cases! { PowerAbove:
    [] UTerm => UTerm;
    [U, B] UInt<U, B> where (Self: IsPower<Output: OrAbove<Self>>)
        => <<Self as IsPower>::Output as OrAbove<Self>>::Output;
}
/// `S` if that is a power of two, which `self` says; else the next one above.
pub trait OrAbove<S> {
    type Output;
}
cases! { OrAbove:
    [S] True, S => S;
    [S: PowerWithin] False, S => UInt<S::Output, B0>;
}
/// The least power of two above all offsets of the XOR modes `self`.
pub trait AboveBits {
    type Output;
}
cases! { AboveBits:
    [] Nil => One;
    [S: ExtentOf<Extent: PowerAbove<Output: ShiftedBy<N>>>, N, T: AboveBits] Cons<Mode<S, Xor<N>>, T>
        where (T::Output: Longer<LastBit<S, N>>)
        => <T::Output as Longer<LastBit<S, N>>>::Output;
}
/// Where the highest bit of a coordinate goes.
type LastBit<S, N> = <<<S as ExtentOf>::Extent as PowerAbove>::Output as ShiftedBy<N>>::Output;
/// The least power of two that is no less than `self`, one itself, and above `R`.
pub trait Longer<R> {
    type Output;
}
cases! { Longer:
    [] One, UTerm => One;
    [V, C] One, UInt<V, C> where (One: Longer<V>) => UInt<<One as Longer<V>>::Output, B0>;
    [U] UInt<U, B0>, UTerm => Self;
    [U: Longer<V>, V, C] UInt<U, B0>, UInt<V, C> => UInt<U::Output, B0>;
}

/// A natural mode among the bits that is not linear is refused.
pub struct Refused;
/// It is left out.
pub struct Skipped;

/// The mode of those `self`, sorted, whose stride is no multiple of `Unit`: it lies among the bits of XOR strides. Of
/// several it is the least one, or the first one of the domain where others are [`Skipped`].
pub trait FirstBelow<Unit, How> {
    /// A mode, [`NoMode`], or [`Undefined`].
    type Found;
    type Others;
}
/// All modes are above.
pub struct NoMode;
impl<Unit, How> FirstBelow<Unit, How> for Nil {
    type Found = NoMode;
    type Others = Nil;
}
impl<S: ExtentOf, D: ExtentOf, T, Unit, How> FirstBelow<Unit, How> for Cons<Mode<S, D>, T>
where
    S::Static: And<D::Static, Output: IsFirstBelow<S, D, T, Unit, How>>,
{
    type Found = <<S::Static as And<D::Static>>::Output as IsFirstBelow<S, D, T, Unit, How>>::Found;
    type Others = <<S::Static as And<D::Static>>::Output as IsFirstBelow<S, D, T, Unit, How>>::Others;
}
/// [`FirstBelow`] of the mode `S:D` and those behind it; `self` is whether it is static, and then the quotient of its
/// stride.
pub trait IsFirstBelow<S, D, T, Unit, How> {
    type Found;
    type Others;
}
impl<S, D, T, Unit, How> IsFirstBelow<S, D, T, Unit, How> for False {
    type Found = Undefined<DynamicXor>;
    type Others = T;
}
impl<S, D: QuotientInt<Unit, Output: IsFirstBelow<S, D, T, Unit, How>>, T, Unit, How> IsFirstBelow<S, D, T, Unit, How>
    for True
{
    type Found = <D::Output as IsFirstBelow<S, D, T, Unit, How>>::Found;
    type Others = <D::Output as IsFirstBelow<S, D, T, Unit, How>>::Others;
}
impl<S, D, T, Unit> IsFirstBelow<S, D, T, Unit, Refused> for NotExact {
    type Found = Mode<S, D>;
    type Others = T;
}
impl<S, D, T: FirstBelow<Unit, Skipped, Found: OrEarlier<S, D, T, T::Others>>, Unit>
    IsFirstBelow<S, D, T, Unit, Skipped> for NotExact
{
    type Found = <T::Found as OrEarlier<S, D, T, T::Others>>::Found;
    type Others = <T::Found as OrEarlier<S, D, T, T::Others>>::Others;
}
impl<U, B, S, D, T: FirstBelow<Unit, How>, Unit, How> IsFirstBelow<S, D, T, Unit, How> for UInt<U, B> {
    type Found = T::Found;
    type Others = Cons<Mode<S, D>, T::Others>;
}
/// The mode `S:D` before the modes `T`, or the one that was found there, `self`, if that comes first in the domain.
pub trait OrEarlier<S, D, T, Others> {
    type Found;
    type Others;
}
impl<S, D, T, Others> OrEarlier<S, D, T, Others> for NoMode {
    type Found = Mode<S, D>;
    type Others = T;
}
impl<R, S, D, T, Others> OrEarlier<S, D, T, Others> for Undefined<R> {
    type Found = Self;
    type Others = T;
}
impl<S, P, D, E, Q, F, T, Others> OrEarlier<ExtentAndStep<S, P>, D, T, Others> for Mode<ExtentAndStep<E, Q>, F>
where
    Q: Order<P, Output: EarlierOf<Self, Mode<ExtentAndStep<S, P>, D>, T, Others>>,
{
    type Found = <Q::Output as EarlierOf<Self, Mode<ExtentAndStep<S, P>, D>, T, Others>>::Found;
    type Others = <Q::Output as EarlierOf<Self, Mode<ExtentAndStep<S, P>, D>, T, Others>>::Others;
}
/// [`OrEarlier`] of the mode `Found` and `M`, whose steps in the domain have the order `self`.
pub trait EarlierOf<Found, M, T, Others> {
    type Found;
    type Others;
}
impl<Found, M, T, Others> EarlierOf<Found, M, T, Others> for Less {
    type Found = Found;
    type Others = Cons<M, Others>;
}
macro_rules! not_earlier {
    ($($order:ty),*) => {
        $(impl<Found, M, T, Others> EarlierOf<Found, M, T, Others> for $order {
            type Found = M;
            type Others = T;
        })*
    };
}
not_earlier!(Equal, Greater);

/// XOR modes `X` with all offsets below `Unit`, and the sorted natural modes `L` above; `Natural` are the bits of the
/// natural modes that are told by XOR modes.
pub struct BelowAndAbove<X, Unit, Natural, L>(PhantomData<(X, Unit, Natural, L)>);

/// [`BelowAndAbove`], where `self` is the first mode among the bits of `X`: a natural mode of a power of two that does
/// not carry is an XOR mode.
pub trait Among<X, Unit, Natural, L, How> {
    type Output;
}
cases! { Among:
    [X, Unit, Natural, L, How] NoMode, X, Unit, Natural, L, How => BelowAndAbove<X, Unit, Natural, L>;
    [R, X, Unit, Natural, L, How] Undefined<R>, X, Unit, Natural, L, How => Self;
    [S: ExtentOf<Extent: IsPower>, D, X, Unit, Natural, L, How] Mode<S, D>, X, Unit, Natural, L, How
        where (<S::Extent as IsPower>::Output: LinearMode<Mode<S, D>, X, Unit, Natural, L, How>)
        => <<S::Extent as IsPower>::Output as LinearMode<Mode<S, D>, X, Unit, Natural, L, How>>::Output;
}
/// [`Among`] of the mode `M`, if `self` says that it is linear: whether its extent is a power of two, then its bits,
/// then whether no other natural mode has one of these.
pub trait LinearMode<M, X, Unit, Natural, L, How> {
    type Output;
}
cases! { LinearMode:
    [M, X, Unit, Natural, L, How: NotLinear<M, X, Unit, Natural, L>] False, M, X, Unit, Natural, L, How => How::Output;
    [M, X, Unit, Natural, L, How: NotLinear<M, X, Unit, Natural, L>] Carrying, M, X, Unit, Natural, L, How
        => How::Output;
    [S: ExtentOf<Extent: MulInt<D, Output: SubInt<D>>>, D, X, Unit, Natural, L, How]
        True, Mode<S, D>, X, Unit, Natural, L, How
        where (D: BitsUpTo<Reach<S::Extent, D>, Output: LinearMode<Mode<S, D>, X, Unit, Natural, L, How>>)
        => <<D as BitsUpTo<Reach<S::Extent, D>>>::Output as LinearMode<Mode<S, D>, X, Unit, Natural, L, How>>::Output;
    [U, B, M, X, Unit, Natural, L, How] UInt<U, B>, M, X, Unit, Natural, L, How
        where (Self: ShareNoBit<Natural, Output: LinearIfApart<Self, M, X, Unit, Natural, L, How>>)
        => <<Self as ShareNoBit<Natural>>::Output as LinearIfApart<Self, M, X, Unit, Natural, L, How>>::Output;
}
/// [`LinearMode`] of a mode with these bits, if `self` says that no other natural mode has one of them.
pub trait LinearIfApart<Mine, M, X, Unit, Natural, L, How> {
    type Output;
}
cases! { LinearIfApart:
    [Mine, M, X, Unit, Natural, L, How: NotLinear<M, X, Unit, Natural, L>] False, Mine, M, X, Unit, Natural, L, How
        => How::Output;
    [Mine: Union<Natural>, S: ExtentOf<Extent: PowerAbove<Output: ShiftedBy<D>>>, D, X, Unit, Natural, L, How]
        True, Mine, Mode<S, D>, X, Unit, Natural, L, How
        where (Unit: Longer<LastBit<S, D>>, L: PartsWith<Cons<Mode<S, Xor<D>>, X>, Unit::Output, Mine::Output, How>)
        => L::Output;
}
/// The mode `M` among the bits of `X` is not linear; the modes `L` are left.
pub trait NotLinear<M, X, Unit, Natural, L> {
    type Output;
}
cases! { NotLinear:
    [S: ExtentOf, D, X, Unit, Natural, L] Refused, Mode<S, D>, X, Unit, Natural, L => Undefined<AmongXor<S::Extent, D>>;
    [M, X, Unit, Natural, L: PartsWith<X, Unit, Natural, Self>] Skipped, M, X, Unit, Natural, L => L::Output;
}
/// The natural modes `self` with those of `X` that have all offsets below `Unit`.
pub trait PartsWith<X, Unit, Natural, How> {
    type Output;
}
cases! { PartsWith:
    [L: FirstBelow<Unit, How, Found: Among<X, Unit, Natural, L::Others, How>>, X, Unit, Natural, How]
        L, X, Unit, Natural, How
        => <L::Found as Among<X, Unit, Natural, L::Others, How>>::Output;
}

/// What is asked of XOR modes and the natural ones beside them.
pub trait Question {
    /// Which vectors are eliminated.
    type Vectors;
    /// Whether a natural mode among the bits that is not linear is [`Refused`] or [`Skipped`].
    type How;
}
/// What the modes `self` answer, taken apart into XOR modes below and natural ones above.
pub trait AnswerTo<Q> {
    type Output;
    fn answer(question: Q) -> Result<Self::Output, Fault>;
}
impl<X, Q: Question> AnswerTo<Q> for Beside<X, Nil>
where
    X: VectorsOf<Q::Vectors, Output: Eliminate<Nil, Output: AnswerAlone<Q>>>,
{
    type Output = <RowsOf<X, Q::Vectors> as AnswerAlone<Q>>::Output;
    #[inline]
    fn answer(question: Q) -> Result<Self::Output, Fault> {
        <RowsOf<X, Q::Vectors>>::answer_alone(question)
    }
}
impl<X: AboveBits, M, T, Q: Question> AnswerTo<Q> for Beside<X, Cons<M, T>>
where
    Cons<M, T>: PartsWith<X, X::Output, UTerm, Q::How, Output: AnswerIf<Q>>,
{
    type Output = <<Cons<M, T> as PartsWith<X, X::Output, UTerm, Q::How>>::Output as AnswerIf<Q>>::Output;
    #[inline]
    fn answer(question: Q) -> Result<Self::Output, Fault> {
        <Cons<M, T> as PartsWith<X, X::Output, UTerm, Q::How>>::Output::answer_if(question)
    }
}
cases! { AnswerTo::answer -> Result<Self::Output, Fault>:
    [X, R, Q] Beside<X, Undefined<R>>, Q => Undefined<R>, (_: Q) => Ok(Undefined::new());
}
/// The answer of the parts `self`.
pub trait AnswerIf<Q> {
    type Output;
    fn answer_if(question: Q) -> Result<Self::Output, Fault>;
}
cases! { AnswerIf::answer_if -> Result<Self::Output, Fault>:
    [R, Q] Undefined<R>, Q => Self, (_: Q) => Ok(Undefined::new());
    [Q: Question + OfParts<RowsOf<X, Q::Vectors>, Unit, Natural, L>, X, Unit, Natural, L]
        BelowAndAbove<X, Unit, Natural, L>, Q
        where (X: VectorsOf<Q::Vectors, Output: Eliminate>)
        => Q::Output, (question: Q) => question.of_parts();
}
/// The answer of the rows `self`, where there are no natural modes.
pub trait AnswerAlone<Q> {
    type Output;
    fn answer_alone(question: Q) -> Result<Self::Output, Fault>;
}
/// A question about the rows `R` of XOR modes, all of whose bits are below `Unit`, and the sorted natural modes `L` above;
/// `Natural` are the bits of the natural modes that are told by XOR modes.
pub trait OfParts<R, Unit, Natural, L> {
    type Output;
    fn of_parts(self) -> Result<Self::Output, Fault>;
}
