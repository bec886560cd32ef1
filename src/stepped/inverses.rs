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

use typenum::{Equal, UInt, UTerm};

use crate::algebra::coalesce::Merge;
use crate::algebra::complement::{Gaps, Range, Sort, Spanned};
use crate::algebra::inverse::{BehindDigit, ChainFrom, Domain, DomainModes, Radix, RadixDigits, Still, domain};
use crate::algebra::mode::{IntoResult, Mode, ModesOnto};
use crate::algebra::operation::{self, Evaluate};
use crate::algebra::outcome::Defined;
use crate::algebra::product::FreeModes;
use crate::error::Fault;
use crate::list::{Concat, Cons, Nil};
use crate::number::int::{False, One, QuotientInt, StaticInt, True, Zero};
use crate::refusal::FreeAmongNatural;
use crate::refusal::undefined::Undefined;
use crate::stepped::elimination::{
    Complete, Echelon, Eliminate, EndOfRows, Ends, FreeBits, Images, ImagesUpTo, IsZero, LiesTo, MergeImages,
    NoFreeBit, TimesAbove, ZeroModes,
};
use crate::stepped::layout::SteppedLayout;
use crate::stepped::parts::{AnswerAlone, AnswerTo, Beside, OfParts, Question, Refused, Skipped};
use crate::stepped::vectors::{All, DistinctOffsets, KnownSums, MovingVectors, Perhaps, RowsOf, VectorsOf};
use crate::stepped::xor::Xor;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::semimodule::Bits;

// ---- complement and products --------------------------------------------------------------------------------------

/// What is left free up to the range `Top`.
pub struct GapsUpTo<Top>(Top);
impl<Top> Question for GapsUpTo<Top> {
    type Vectors = DistinctOffsets;
    type How = Refused;
}
impl<Top, R, L, Natural, Unit> OfParts<R, Unit, Natural, L> for GapsUpTo<Top>
where
    L: Gaps<Unit, Top> + Default,
    Unit: StaticInt,
    R: FreeBits<One, L::Output>,
    Natural: ApartFrom<R, Unit, Output: FreeIf<R::Output>>,
{
    type Output = <Natural::Output as FreeIf<R::Output>>::Output;
    #[inline]
    fn of_parts(self) -> Result<Self::Output, Fault> {
        Ok(Natural::Output::free_if(R::free_bits(L::default().gaps(Unit::default(), self.0)?)?))
    }
}
impl<Top, R: EndOfRows, Z> AnswerAlone<GapsUpTo<Top>> for Echelon<R, Z>
where
    Nil: Gaps<R::Output, Top>,
    R::Output: StaticInt,
    Self: FreeBits<One, <Nil as Gaps<R::Output, Top>>::Output>,
{
    type Output = <Self as FreeBits<One, <Nil as Gaps<R::Output, Top>>::Output>>::Output;
    #[inline]
    fn answer_alone(question: GapsUpTo<Top>) -> Result<Self::Output, Fault> {
        Self::free_bits(Nil.gaps(R::Output::default(), question.0)?)
    }
}
/// Is none of the bits `self`, those of natural modes, free, and so one of XOR strides? All are below `Unit`.
pub trait ApartFrom<R, Unit> {
    type Output;
}
cases! { ApartFrom:
    [R, Unit] UTerm, R, Unit => True;
    [U, B, R: NoFreeBit<One, UInt<U, B>>, Unit] UInt<U, B>, R, Unit => R::Output;
}
/// `Free`, if `self` says so.
pub trait FreeIf<Free> {
    type Output;
    fn free_if(free: Free) -> Self::Output;
}
cases! { FreeIf::free_if -> Self::Output:
    [Free] True, Free => Free, (free: Free) => free;
    [] False, Nil => Undefined<FreeAmongNatural>, (_: Nil) => Undefined::new();
    [M, T] False, Cons<M, T> => Undefined<FreeAmongNatural>, (_: Cons<M, T>) => Undefined::new();
    [R] False, Undefined<R> => Undefined<R>, (free: Undefined<R>) => free;
    // What all modes span does not depend on it.
    [Run] False, Spanned<Run> => Spanned<Run>, (free: Spanned<Run>) => free;
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
impl Question for FreeWithoutEnd {
    type Vectors = DistinctOffsets;
    type How = Refused;
}
impl<R, L, Natural, Unit> OfParts<R, Unit, Natural, L> for FreeWithoutEnd
where
    L: FreeModes<Unit> + Default,
    Unit: StaticInt,
    R: FreeBits<One, L::Output>,
{
    type Output = R::Output;
    #[inline]
    fn of_parts(self) -> Result<Self::Output, Fault> {
        R::free_bits(L::default().free_modes(Unit::default())?)
    }
}
impl<R: EndOfRows, Z> AnswerAlone<FreeWithoutEnd> for Echelon<R, Z>
where
    Nil: FreeModes<R::Output>,
    R::Output: StaticInt,
    Self: FreeBits<One, <Nil as FreeModes<R::Output>>::Output>,
{
    type Output = <Self as FreeBits<One, <Nil as FreeModes<R::Output>>::Output>>::Output;
    #[inline]
    fn answer_alone(_: FreeWithoutEnd) -> Result<Self::Output, Fault> {
        Self::free_bits(Nil.free_modes(R::Output::default())?)
    }
}
/// The free modes `L` beside XOR modes: steps of copies may go along natural and XOR strides at once.
pub struct FreeBesideBits<L>(pub(crate) L);
impl<X, L> FreeModes<One> for Beside<X, L>
where
    Self: AnswerTo<FreeWithoutEnd>,
{
    type Output = FreeBesideBits<<Self as AnswerTo<FreeWithoutEnd>>::Output>;
    #[inline]
    fn free_modes(self, _: One) -> Result<Self::Output, Fault> {
        Ok(FreeBesideBits(Self::answer(FreeWithoutEnd)?))
    }
}
// ---- inverses -----------------------------------------------------------------------------------------------------

/// The images `self` of the bits of the rows `R`, and then the natural modes above, the least of which begins at
/// `Unit`.
pub trait ImagesBelow<R, Unit, Above> {
    type Output;
}
cases! { ImagesBelow:
    [I, R, Unit] Complete<I>, R, Unit, Nil => I;
    [I, R: EndOfRows, Unit: LiesTo<R::Output, Output: ModesAbove<I, Cons<M, T>>>, M, T] Complete<I>, R, Unit, Cons<M, T>
        => <Unit::Output as ModesAbove<I, Cons<M, T>>>::Output;
    [I, R, Unit, Why] Complete<I>, R, Unit, Undefined<Why> => Undefined<Why>;
    [I, R, Unit, Above] ImagesUpTo<I>, R, Unit, Above => I;
    [R, Why, Unit, Above] Undefined<Why>, R, Unit, Above => Self;
}
/// The images `I`, and then the modes `Above`, if `self` says that no bit is between them.
pub trait ModesAbove<I, Above> {
    type Output;
}
cases! { ModesAbove:
    [I: Concat<Above>, Above] Equal, I, Above => I::Output;
    [Q, I, Above] TimesAbove<Q>, I, Above => I;
}
/// The images `self` alone, as merged modes.
pub trait MergedImages {
    /// [`Merged`] or [`Undefined`].
    type Output;
}
cases! { MergedImages:
    [I: MergeImages] Complete<I> => Merged<I::Output>;
    [I: MergeImages] ImagesUpTo<I> => Merged<I::Output>;
    [R] Undefined<R> => Self;
}
/// Modes that are merged.
pub struct Merged<L>(L);
impl<L> Merge for Merged<L> {
    type Output = L;
    #[inline]
    fn merge(self, _: Nil) -> Result<L, Fault> {
        Ok(self.0)
    }
}
impl<L: StaticModes> StaticModes for Merged<L> {
    #[inline]
    fn static_modes() -> Self {
        Merged(L::static_modes())
    }
}
/// The modes of a list whose numbers are static, or [`Undefined`].
pub trait StaticModes {
    fn static_modes() -> Self;
}
impl StaticModes for Nil {
    #[inline]
    fn static_modes() -> Self {
        Nil
    }
}
impl<R> StaticModes for Undefined<R> {
    #[inline]
    fn static_modes() -> Self {
        Undefined::new()
    }
}
macro_rules! static_modes {
    ($([$($generic:ident)*] $number:ty => $stride:ty;)*) => {
        $(impl<S: StaticInt, T: StaticModes, $($generic),*> StaticModes for Cons<Mode<S, $stride>, T>
        where
            $number: StaticInt,
        {
            #[inline]
            fn static_modes() -> Self {
                Cons { head: Mode { shape: S::default(), stride: Default::default() }, tail: T::static_modes() }
            }
        })*
    };
}
static_modes! { [] UTerm => UTerm; [U B] UInt<U, B> => UInt<U, B>; [N] N => Xor<N>; }
/// The longest inverse from the right: it goes as far as it can, and natural modes among the bits that are not linear
/// are left out.
pub struct RightWay;
impl Question for RightWay {
    type Vectors = KnownSums;
    type How = Skipped;
}
impl<R, L, Natural, Unit> OfParts<R, Unit, Natural, L> for RightWay
where
    L: ChainFrom<Unit>,
    R: Images<Ends, Output: ImagesBelow<R, Unit, L::Output, Output: StaticModes>>,
{
    type Output = <R::Output as ImagesBelow<R, Unit, L::Output>>::Output;
    #[inline]
    fn of_parts(self) -> Result<Self::Output, Fault> {
        Ok(StaticModes::static_modes())
    }
}
impl<R, Z> AnswerAlone<RightWay> for Echelon<R, Z>
where
    Self: Images<Ends, Output: MergedImages<Output: StaticModes>>,
{
    type Output = <<Self as Images<Ends>>::Output as MergedImages>::Output;
    #[inline]
    fn answer_alone(_: RightWay) -> Result<Self::Output, Fault> {
        Ok(StaticModes::static_modes())
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
impl Question for LeftWay {
    type Vectors = All;
    type How = Refused;
}
impl<R, L, Natural, Unit> OfParts<R, Unit, Natural, L> for LeftWay
where
    L: DigitsAbove<Unit>,
    R: Images<IsZero, Output: ImagesBelow<R, Unit, L::Output, Output: Merge + StaticModes>>,
{
    type Output = <<R::Output as ImagesBelow<R, Unit, L::Output>>::Output as Merge>::Output;
    #[inline]
    fn of_parts(self) -> Result<Self::Output, Fault> {
        <R::Output as ImagesBelow<R, Unit, L::Output>>::Output::static_modes().merge(Nil)
    }
}
impl<R, Z> AnswerAlone<LeftWay> for Echelon<R, Z>
where
    Self: Images<IsZero, Output: MergedImages<Output: Merge + StaticModes>>,
{
    type Output = <<<Self as Images<IsZero>>::Output as MergedImages>::Output as Merge>::Output;
    #[inline]
    fn answer_alone(_: LeftWay) -> Result<Self::Output, Fault> {
        <<Self as Images<IsZero>>::Output as MergedImages>::Output::static_modes().merge(Nil)
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

/// The part of the domain that leads to 0: modes of stride 0, and what sums of XOR strides leave. Where all modes move
/// and no vector is a sum of others it is `1:0`, and where they lie in the domain is not asked: most layouts are such.
impl<S: IntTuple, D: IntTuple> Evaluate<operation::Nullspace> for SteppedLayout<Bits, S, D>
where
    S::Node: ModesOnto<D::Node, Nil, Output: MovingVectors<Output: Eliminate<Nil, Output: NullspaceBy<S, D>>>>,
{
    type Output =
        <<<<S::Node as ModesOnto<D::Node, Nil>>::Output as MovingVectors>::Output as Eliminate>::Output as NullspaceBy<
            S,
            D,
        >>::Output;
    #[inline]
    fn evaluate(self) -> Result<Self::Output, Fault> {
        <<<S::Node as ModesOnto<D::Node, Nil>>::Output as MovingVectors>::Output as Eliminate>::Output::nullspace_by(
            self,
        )
    }
}
/// The nullspace of the layout `S:D`, whose vectors have the rows and sums `self`.
pub trait NullspaceBy<S, D> {
    type Output;
    fn nullspace_by(layout: SteppedLayout<Bits, S, D>) -> Result<Self::Output, Fault>;
}
impl<R, S, D> NullspaceBy<S, D> for Echelon<R, Nil> {
    type Output = Defined<One, Zero>;
    #[inline]
    fn nullspace_by(_: SteppedLayout<Bits, S, D>) -> Result<Self::Output, Fault> {
        Ok(Defined { shape: One::default(), stride: UTerm })
    }
}
macro_rules! nullspace_in_domain {
    ($([$($generic:ident)*] $sums:ty;)*) => {
        $(impl<R, S: IntTuple, D: IntTuple, $($generic),*> NullspaceBy<S, D> for Echelon<R, $sums>
        where
            S::Node: ModesOnto<D::Node, Nil, Output: DomainModes<One>>,
            Domain<S, D>: Sort<Output: ZeroSums> + Still,
            <Domain<S, D> as Still>::Output:
                Merge<<<Domain<S, D> as Sort>::Output as ZeroSums>::Output, Output: IntoResult>,
        {
            type Output = <<<Domain<S, D> as Still>::Output as Merge<
                <<Domain<S, D> as Sort>::Output as ZeroSums>::Output,
            >>::Output as IntoResult>::Output;
            #[inline]
            fn nullspace_by(layout: SteppedLayout<Bits, S, D>) -> Result<Self::Output, Fault> {
                Ok(domain(layout.strided())?.still()?.merge(Default::default())?.into_result())
            }
        })*
    };
}
nullspace_in_domain! { [V Z] Cons<V, Z>; [] Undefined<Perhaps>; }
/// The sums of bits that are 0, as merged modes.
pub trait ZeroSums {
    type Output: Default;
}
cases! { ZeroSums:
    [] Nil => Nil;
    [M, T] Cons<M, T> => Nil;
    [R] Undefined<R> => Self;
    [X: VectorsOf<KnownSums, Output: Eliminate<Nil, Output: ZeroModes<Output: Merge<Nil, Output: Default>>>>, L]
        Beside<X, L>
        => <<RowsOf<X, KnownSums> as ZeroModes>::Output as Merge>::Output;
}
