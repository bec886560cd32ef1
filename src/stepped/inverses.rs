//! Complement and inverses of layouts with XOR strides or negative ones, and with that products.
//!
//! ```text
//! complement       of XOR strides, the bits without a pivot; natural modes lie above all bits and are sorted
//! right_inverse    the sums that lead to each bit alone, as far as there are any; then the natural chain goes on
//! left_inverse     the same, and 0 for what leads nowhere
//! nullspace        the sums that are 0
//! ```
//!
//! A negative mode takes up the room that it would take without its sign. No inverse leads there: a coordinate is no
//! negative offset.

use core::marker::PhantomData;

use typenum::{B0, UInt, UTerm};

use crate::algebra::coalesce::Merge;
use crate::algebra::complement::{Gaps, Range, Sort, Sorting};
use crate::algebra::compose::step_through::Reach;
use crate::algebra::compose::used_bits::{BitsUpTo, Carrying, ShareNoBit, Union};
use crate::algebra::inverse::{
    BehindDigit, ChainFrom, Domain, DomainModes, ExtentAndStep, Radix, RadixDigits, StaticStrides, Still, domain,
    not_still,
};
use crate::algebra::mode::{IntoResult, Mode, ModesOnto, Push};
use crate::algebra::operation::{self, Evaluate};
use crate::algebra::product::FreeModes;
use crate::error::Fault;
use crate::list::{Cons, Nil};
use crate::number::int::{And, False, MulInt, NotExact, One, QuotientInt, StaticInt, SubInt, True, Zero};
use crate::number::multiple::Multiple;
use crate::refusal::undefined::Undefined;
use crate::refusal::{AmongXor, DynamicXor, FreeAmongNatural, NegativeOffset, NoPowerOfTwo, XorOverlap};
use crate::stepped::elimination::{
    Complete, Eliminate, Ends, FreeBits, ImageModes, Images, ImagesUpTo, IsZero, LargestSum, MissingBits, Of, Row,
    SeriesOf, ShiftedBy, Vector, ZeroModes, Zeros,
};
use crate::stepped::layout::SteppedLayout;
use crate::stepped::minus::Minus;
use crate::stepped::xor::Xor;
use crate::stepped::xor_modes::IsPower;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::semimodule::Bits;

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

/// A number of as many factors 2 as the coordinates below the extent have bits: the extent if that is a power of two,
/// else its double.
pub trait PowerAbove {
    type Output;
}
cases! { PowerAbove:
    [] UTerm => UTerm;
    [U, B] UInt<U, B> where (Self: IsPower<Output: OrDouble<Self>>)
        => <<Self as IsPower>::Output as OrDouble<Self>>::Output;
}
/// `S` if that is a power of two, which `self` says; else its double.
pub trait OrDouble<S> {
    type Output;
}
cases! { OrDouble:
    [S] True, S => S;
    [S: StaticInt] False, S => S::Double;
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

/// The first of the sorted modes `self` whose stride is no multiple of `Unit`: it lies among the bits of XOR strides.
pub trait FirstBelow<Unit> {
    /// A mode, [`NoMode`], or [`Undefined`].
    type Found;
    type Others;
}
/// All modes are above.
pub struct NoMode;
impl<Unit> FirstBelow<Unit> for Nil {
    type Found = NoMode;
    type Others = Nil;
}
impl<R, Unit> FirstBelow<Unit> for Undefined<R> {
    type Found = Self;
    type Others = Self;
}
impl<S: ExtentOf, D: ExtentOf, T, Unit> FirstBelow<Unit> for Cons<Mode<S, D>, T>
where
    S::Static: And<D::Static, Output: IsFirstBelow<S, D, T, Unit>>,
{
    type Found = <<S::Static as And<D::Static>>::Output as IsFirstBelow<S, D, T, Unit>>::Found;
    type Others = <<S::Static as And<D::Static>>::Output as IsFirstBelow<S, D, T, Unit>>::Others;
}
/// [`FirstBelow`] of the mode `S:D` and those behind it; `self` is whether it is static, and then the quotient of its
/// stride.
pub trait IsFirstBelow<S, D, T, Unit> {
    type Found;
    type Others;
}
impl<S, D, T, Unit> IsFirstBelow<S, D, T, Unit> for False {
    type Found = Undefined<DynamicXor>;
    type Others = T;
}
impl<S, D: QuotientInt<Unit, Output: IsFirstBelow<S, D, T, Unit>>, T, Unit> IsFirstBelow<S, D, T, Unit> for True {
    type Found = <D::Output as IsFirstBelow<S, D, T, Unit>>::Found;
    type Others = <D::Output as IsFirstBelow<S, D, T, Unit>>::Others;
}
impl<S, D, T, Unit> IsFirstBelow<S, D, T, Unit> for NotExact {
    type Found = Mode<S, D>;
    type Others = T;
}
impl<U, B, S, D, T: FirstBelow<Unit>, Unit> IsFirstBelow<S, D, T, Unit> for UInt<U, B> {
    type Found = T::Found;
    type Others = Cons<Mode<S, D>, T::Others>;
}

/// XOR modes `X` with all offsets below `Unit`, and the sorted natural modes `L` above; `Natural` are the bits of the
/// natural modes that are told by XOR modes.
pub struct BelowAndAbove<X, Unit, Natural, L>(PhantomData<(X, Unit, Natural, L)>);

/// [`BelowAndAbove`], where `self` is the first mode among the bits of `X`: a natural mode of a power of two that does
/// not carry is an XOR mode.
pub trait Among<X, Unit, Natural, L> {
    type Output;
}
cases! { Among:
    [X, Unit, Natural, L] NoMode, X, Unit, Natural, L => BelowAndAbove<X, Unit, Natural, L>;
    [R, X, Unit, Natural, L] Undefined<R>, X, Unit, Natural, L => Self;
    [S: ExtentOf<Extent: IsPower<Output: LinearMode<Mode<S, D>, X, Unit, Natural, L>>>, D, X, Unit, Natural, L]
        Mode<S, D>, X, Unit, Natural, L
        => <<S::Extent as IsPower>::Output as LinearMode<Mode<S, D>, X, Unit, Natural, L>>::Output;
}
/// [`Among`] of the mode `M`, if `self` says that it is linear: whether its extent is a power of two, then its bits,
/// then whether no other natural mode has one of these.
pub trait LinearMode<M, X, Unit, Natural, L> {
    type Output;
}
cases! { LinearMode:
    [S: ExtentOf, D, X, Unit, Natural, L] False, Mode<S, D>, X, Unit, Natural, L => Undefined<AmongXor<S::Extent, D>>;
    [S: ExtentOf, D, X, Unit, Natural, L] Carrying, Mode<S, D>, X, Unit, Natural, L
        => Undefined<AmongXor<S::Extent, D>>;
    [S: ExtentOf<Extent: MulInt<D, Output: SubInt<D>>>, D, X, Unit, Natural, L] True, Mode<S, D>, X, Unit, Natural, L
        where (D: BitsUpTo<Reach<S::Extent, D>, Output: LinearMode<Mode<S, D>, X, Unit, Natural, L>>)
        => <<D as BitsUpTo<Reach<S::Extent, D>>>::Output as LinearMode<Mode<S, D>, X, Unit, Natural, L>>::Output;
    [U, B, M, X, Unit, Natural, L] UInt<U, B>, M, X, Unit, Natural, L
        where (Self: ShareNoBit<Natural, Output: LinearIfApart<Self, M, X, Unit, Natural, L>>)
        => <<Self as ShareNoBit<Natural>>::Output as LinearIfApart<Self, M, X, Unit, Natural, L>>::Output;
}
/// [`LinearMode`] of a mode with these bits, if `self` says that no other natural mode has one of them.
pub trait LinearIfApart<Mine, M, X, Unit, Natural, L> {
    type Output;
}
cases! { LinearIfApart:
    [Mine, S: ExtentOf, D, X, Unit, Natural, L] False, Mine, Mode<S, D>, X, Unit, Natural, L
        => Undefined<AmongXor<S::Extent, D>>;
    [Mine: Union<Natural>, S: ExtentOf<Extent: PowerAbove<Output: ShiftedBy<D>>>, D, X, Unit, Natural, L]
        True, Mine, Mode<S, D>, X, Unit, Natural, L
        where (Unit: Longer<LastBit<S, D>>, L: PartsWith<Cons<Mode<S, Xor<D>>, X>, Unit::Output, Mine::Output>)
        => L::Output;
}
/// The natural modes `self` with those of `X` that have all offsets below `Unit`.
pub trait PartsWith<X, Unit, Natural> {
    type Output;
}
cases! { PartsWith:
    [L: FirstBelow<Unit, Found: Among<X, Unit, Natural, L::Others>>, X, Unit, Natural] L, X, Unit, Natural
        => <L::Found as Among<X, Unit, Natural, L::Others>>::Output;
}

/// What the modes `self` answer to `Question`, taken apart into XOR modes below and natural ones above.
pub trait AnswerTo<Question> {
    type Output;
    fn answer(question: Question) -> Result<Self::Output, Fault>;
}
impl<X: AboveBits, L: PartsWith<X, X::Output, UTerm, Output: AnswerIf<Question>>, Question> AnswerTo<Question>
    for Beside<X, L>
{
    type Output = <L::Output as AnswerIf<Question>>::Output;
    #[inline]
    fn answer(question: Question) -> Result<Self::Output, Fault> {
        L::Output::answer_if(question)
    }
}
/// The answer of the parts `self`.
pub trait AnswerIf<Question> {
    type Output;
    fn answer_if(question: Question) -> Result<Self::Output, Fault>;
}
cases! { AnswerIf::answer_if -> Result<Self::Output, Fault>:
    [R, Question] Undefined<R>, Question => Self, (_: Question) => Ok(Undefined::new());
    [Question: OfParts<X, Unit, Natural, L>, X, Unit, Natural, L] BelowAndAbove<X, Unit, Natural, L>, Question
        => Question::Output, (question: Question) => question.of_parts();
}
/// A question about [`BelowAndAbove`].
pub trait OfParts<X, Unit, Natural, L> {
    type Output;
    fn of_parts(self) -> Result<Self::Output, Fault>;
}

/// Which vectors the bits of the modes `self` are.
pub trait VectorsOf<Question> {
    /// As many bits as `Unit` has zeros.
    type Output;
}
cases! { VectorsOf:
    [Question] Nil, Question => Nil;
    [S: BitsOf<Question, N, T::Output>, N, T: VectorsOf<Question>, Question] Cons<Mode<S, Xor<N>>, T>, Question
        => S::Output;
}
/// The vectors of the mode of extent `self` and stride `^N` before those of the modes behind it.
pub trait BitsOf<Question, N, Tail> {
    type Output;
}
/// Those of distinct offsets: the extents are powers of two. A tag says of which mode a vector is.
pub struct DistinctOffsets<Unit>(PhantomData<Unit>);
/// Those of all bits of coordinates, each tagged by where it lies in the domain, a power of two.
pub struct All<Unit>(PhantomData<Unit>);
/// They, as far as all of their sums are coordinates, and lie at powers of two in the domain.
pub struct KnownSums<Unit>(PhantomData<Unit>);
cases! { BitsOf:
    [Unit, N, Tail] UTerm, DistinctOffsets<Unit>, N, Tail => Undefined<NoPowerOfTwo<Self>>;
    [U, B, Unit, N, Tail] UInt<U, B>, DistinctOffsets<Unit>, N, Tail
        where (Self: IsPower<Output: OrElse<Self, N, Of<Self, N>, Unit, Tail, Undefined<NoPowerOfTwo<Self>>>>)
        => <<Self as IsPower>::Output as OrElse<
            Self, N, Of<Self, N>, Unit, Tail, Undefined<NoPowerOfTwo<Self>>,
        >>::Output;
    [S: PowerAbove<Output: ShiftedBy<P>>, P: IsPower, Unit, N, Tail] ExtentAndStep<S, P>, All<Unit>, N, Tail
        where (P::Output: OrElse<S::Output, N, LastStep<S::Output, P>, Unit, Tail, Undefined<NoPowerOfTwo<P>>>)
        => <P::Output as OrElse<
            S::Output, N, LastStep<S::Output, P>, Unit, Tail, Undefined<NoPowerOfTwo<P>>,
        >>::Output;
    [S: ShiftedBy<P>, P: IsPower<Output: OrElse<S, N, LastStep<S, P>, Unit, Tail, Tail>>, Unit, N, Tail]
        ExtentAndStep<S, P>, KnownSums<Unit>, N, Tail
        => <P::Output as OrElse<S, N, LastStep<S, P>, Unit, Tail, Tail>>::Output;
}
/// Where the highest bit of a coordinate lies in the domain.
type LastStep<S, P> = <S as ShiftedBy<P>>::Output;
/// The vectors of the mode `S:^N`, if `self` says that there are any; else `Else`.
pub trait OrElse<S, N, Tag, Unit, Tail, Else> {
    type Output;
}
cases! { OrElse:
    [S, N, Tag, Unit, Tail, Else] False, S, N, Tag, Unit, Tail, Else => Else;
    [S: SeriesOf<N, Tag, Unit, Tail>, N, Tag, Unit, Tail, Else] True, S, N, Tag, Unit, Tail, Else => S::Output;
}
/// The rows of the modes `X`.
type RowsOf<X, Question, Unit> = <<X as VectorsOf<Question>>::Output as Eliminate<Unit>>::Output;

// ---- complement and products --------------------------------------------------------------------------------------

/// What is left free up to the range `Top`.
pub struct GapsUpTo<Top>(Top);
impl<Top, X, L, Natural, Unit> OfParts<X, Unit, Natural, L> for GapsUpTo<Top>
where
    L: Gaps<Unit, Top> + Default,
    Unit: Default,
    X: VectorsOf<DistinctOffsets<Unit>, Output: Eliminate<Unit, Output: FreeBits<Unit, L::Output>>>,
    Natural: ApartFrom<RowsOf<X, DistinctOffsets<Unit>, Unit>, Output: FreeIf<Free<X, Unit, L::Output>>>,
{
    type Output = <Natural::Output as FreeIf<Free<X, Unit, L::Output>>>::Output;
    #[inline]
    fn of_parts(self) -> Result<Self::Output, Fault> {
        let above = L::default().gaps(Unit::default(), self.0)?;
        Ok(Natural::Output::free_if(<RowsOf<X, DistinctOffsets<Unit>, Unit>>::free_bits(above)?))
    }
}
/// The free bits below the modes `Above`.
type Free<X, Unit, Above> = <RowsOf<X, DistinctOffsets<Unit>, Unit> as FreeBits<Unit, Above>>::Output;
/// Is none of the bits `self`, those of natural modes, free, and so one of XOR strides?
pub trait ApartFrom<Rows> {
    type Output;
}
cases! { ApartFrom:
    [Rows] UTerm, Rows => True;
    [U, B, Rows: MissingBits<UTerm, Output: ShareNoBit<UInt<U, B>>>] UInt<U, B>, Rows
        => <Rows::Output as ShareNoBit<UInt<U, B>>>::Output;
}
/// `Free`, if `self` says so.
pub trait FreeIf<Free> {
    type Output;
    fn free_if(free: Free) -> Self::Output;
}
cases! { FreeIf::free_if -> Self::Output:
    [Free] True, Free => Free, (free: Free) => free;
    [Free] False, Free => Undefined<FreeAmongNatural>, (_: Free) => Undefined::new();
}
impl<X, L, Top: Range> Gaps<One, Top> for Beside<X, L>
where
    Self: AnswerTo<GapsUpTo<Top>>,
{
    type Output = <Self as AnswerTo<GapsUpTo<Top>>>::Output;
    #[inline]
    fn gaps(self, _: One, top: Top) -> Result<Self::Output, Fault> {
        Self::answer(GapsUpTo(top))
    }
}

/// What is left free without an end.
pub struct FreeWithoutEnd;
impl<X, L, Natural, Unit> OfParts<X, Unit, Natural, L> for FreeWithoutEnd
where
    L: FreeModes<Unit> + Default,
    Unit: Default,
    X: VectorsOf<DistinctOffsets<Unit>, Output: Eliminate<Unit, Output: FreeBits<Unit, L::Output>>>,
{
    type Output = Free<X, Unit, L::Output>;
    #[inline]
    fn of_parts(self) -> Result<Self::Output, Fault> {
        <RowsOf<X, DistinctOffsets<Unit>, Unit>>::free_bits(L::default().free_modes(Unit::default())?)
    }
}
impl<X, L> FreeModes<One> for Beside<X, L>
where
    Self: AnswerTo<FreeWithoutEnd>,
{
    type Output = <Self as AnswerTo<FreeWithoutEnd>>::Output;
    #[inline]
    fn free_modes(self, _: One) -> Result<Self::Output, Fault> {
        Self::answer(FreeWithoutEnd)
    }
}

// ---- inverses -----------------------------------------------------------------------------------------------------

/// The images of bits, and then the natural modes above.
pub trait ImagesBelow<Above> {
    type Output;
}
cases! { ImagesBelow:
    [I: ImageModes<Above>, Above] Complete<I>, Above => I::Output;
    [I: ImageModes<Nil>, Above] ImagesUpTo<I>, Above => I::Output;
    [R, Above] Undefined<R>, Above => Self;
}

/// The longest inverse from the right.
pub struct RightWay;
impl<X, L, Natural, Unit> OfParts<X, Unit, Natural, L> for RightWay
where
    L: ChainFrom<Unit>,
    X: VectorsOf<
            KnownSums<Unit>,
            Output: Eliminate<Unit, Output: Images<Ends, Output: ImagesBelow<L::Output, Output: Default>>>,
        >,
{
    type Output = <<RowsOf<X, KnownSums<Unit>, Unit> as Images<Ends>>::Output as ImagesBelow<L::Output>>::Output;
    #[inline]
    fn of_parts(self) -> Result<Self::Output, Fault> {
        Ok(Default::default())
    }
}
impl<X, L> ChainFrom<One> for Beside<X, L>
where
    Self: AnswerTo<RightWay>,
{
    type Output = <Self as AnswerTo<RightWay>>::Output;
    #[inline]
    fn chain(self, _: One) -> Result<Self::Output, Fault> {
        Self::answer(RightWay)
    }
}

/// An inverse from the left.
pub struct LeftWay;
impl<X, L, Natural, Unit> OfParts<X, Unit, Natural, L> for LeftWay
where
    L: DigitsAbove<Unit>,
    X: VectorsOf<All<Unit>, Output: Eliminate<Unit, Output: Images<IsZero, Output: ImagesBelow<L::Output>>>>,
    <<RowsOf<X, All<Unit>, Unit> as Images<IsZero>>::Output as ImagesBelow<L::Output>>::Output: Merge + Default,
{
    type Output =
        <<<RowsOf<X, All<Unit>, Unit> as Images<IsZero>>::Output as ImagesBelow<L::Output>>::Output as Merge>::Output;
    #[inline]
    fn of_parts(self) -> Result<Self::Output, Fault> {
        <<RowsOf<X, All<Unit>, Unit> as Images<IsZero>>::Output as ImagesBelow<L::Output>>::Output::default().merge(Nil)
    }
}
impl<X, L> Radix for Beside<X, L>
where
    Self: AnswerTo<LeftWay, Output: IntoResult>,
{
    type Output = <<Self as AnswerTo<LeftWay>>::Output as IntoResult>::Output;
    #[inline]
    fn radix(self) -> Result<Self::Output, Fault> {
        Ok(Self::answer(LeftWay)?.into_result())
    }
}
/// The digits of the sorted modes `self`, in units of `Unit`, and one below the least of them that says nothing.
pub trait DigitsAbove<Unit> {
    type Output;
}
cases! { DigitsAbove:
    [Unit] Nil, Unit => Nil;
    [S, D: QuotientInt<Unit>, T, Unit] Cons<Mode<S, D>, T>, Unit
        where (Self: RadixDigits<Output: BehindDigit<D::Output, Zero>>)
        => <<Self as RadixDigits>::Output as BehindDigit<D::Output, Zero>>::Output;
}

/// The part of the domain that leads to 0: modes of stride 0, and what sums of XOR strides leave.
impl<S: IntTuple, D: IntTuple> Evaluate<operation::Nullspace> for SteppedLayout<Bits, S, D>
where
    S::Node: ModesOnto<D::Node, Nil, Output: DomainModes<One>>,
    Domain<S, D>: Sort<Output: ZeroSums> + Still,
    <Domain<S, D> as Still>::Output: Merge<<<Domain<S, D> as Sort>::Output as ZeroSums>::Output, Output: IntoResult>,
{
    type Output = <<<Domain<S, D> as Still>::Output as Merge<
        <<Domain<S, D> as Sort>::Output as ZeroSums>::Output,
    >>::Output as IntoResult>::Output;
    #[inline]
    fn evaluate(self) -> Result<Self::Output, Fault> {
        Ok(domain(self.strided())?.still()?.merge(Default::default())?.into_result())
    }
}
/// The sums of bits that are 0, as merged modes.
pub trait ZeroSums {
    type Output: Default;
}
cases! { ZeroSums:
    [] Nil => Nil;
    [M, T] Cons<M, T> => Nil;
    [R] Undefined<R> => Self;
    [X: AboveBits, L] Beside<X, L>
        where (
            X: VectorsOf<KnownSums<Width<X>>, Output: Eliminate<Width<X>, Output: ZeroModes<Output: Merge<Nil, Output: Default>>>>,
        )
        => <<RowsOf<X, KnownSums<Width<X>>, Width<X>> as ZeroModes>::Output as Merge>::Output;
}
/// The least power of two above all offsets of the XOR modes `X`.
type Width<X> = <X as AboveBits>::Output;

// ---- offsets of XOR modes alone -----------------------------------------------------------------------------------

/// The XOR modes of the list `self` that move.
pub trait XorModes {
    type Output;
}
cases! { XorModes:
    [] Nil => Nil;
    [S, T: XorModes] Cons<Mode<S, UTerm>, T> => T::Output;
    [S, U, B, T: XorModes] Cons<Mode<S, UInt<U, B>>, T> => T::Output;
    [S, T: XorModes] Cons<Mode<S, Xor<UTerm>>, T> => T::Output;
    [U, B, T: XorModes] Cons<Mode<UTerm, Xor<UInt<U, B>>>, T> => T::Output;
    [U, B, T: XorModes] Cons<Mode<One, Xor<UInt<U, B>>>, T> => T::Output;
    [U, A, B, V, C, T: XorModes] Cons<Mode<UInt<UInt<U, A>, B>, Xor<UInt<V, C>>>, T>
        => Cons<Mode<UInt<UInt<U, A>, B>, Xor<UInt<V, C>>>, T::Output>;
}

/// The largest offset of the XOR modes `self`, whose extents are powers of two; else [`Undefined`].
pub trait LargestXorOffset {
    type Output;
}
impl<X: AboveBits> LargestXorOffset for X
where
    X: VectorsOf<DistinctOffsets<<X as AboveBits>::Output>, Output: Eliminate<<X as AboveBits>::Output>>,
    RowsOf<X, DistinctOffsets<<X as AboveBits>::Output>, <X as AboveBits>::Output>: LargestSum<UTerm, UTerm>,
{
    type Output = <RowsOf<X, DistinctOffsets<<X as AboveBits>::Output>, <X as AboveBits>::Output> as LargestSum<
        UTerm,
        UTerm,
    >>::Output;
}

/// Whether no two coordinates of the XOR modes `self` share an offset: [`BitsApart`], or [`Undefined`]. Of any extent,
/// two numbers of a mode differ by any bits that the last one may have.
pub trait AreApart {
    type Output;
}
impl<X: AboveBits> AreApart for X
where
    X: VectorsOf<EachBit<<X as AboveBits>::Output>, Output: Eliminate<<X as AboveBits>::Output>>,
    RowsOf<X, EachBit<<X as AboveBits>::Output>, <X as AboveBits>::Output>: NoZeros,
{
    type Output = <RowsOf<X, EachBit<<X as AboveBits>::Output>, <X as AboveBits>::Output> as NoZeros>::Output;
}
/// No two coordinates share an offset.
pub struct BitsApart;
/// The vectors of all bits that a number of a mode may have. A tag says of which mode a vector is.
pub struct EachBit<Unit>(PhantomData<Unit>);
cases! { BitsOf:
    [U, B, Unit, N, Tail] UInt<U, B>, EachBit<Unit>, N, Tail
        where (Self: PowerAbove<Output: SeriesOf<N, Of<Self, N>, Unit, Tail>>)
        => <<Self as PowerAbove>::Output as SeriesOf<N, Of<Self, N>, Unit, Tail>>::Output;
}
/// Whether no vector is a sum of others.
pub trait NoZeros {
    type Output;
}
cases! { NoZeros:
    [] Zeros<Nil> => BitsApart;
    [S, N, B, L] Zeros<Cons<Vector<B, Of<S, N>>, L>> => Undefined<XorOverlap<S, N>>;
    [P, Below: NoZeros] Row<P, Below> => Below::Output;
}
