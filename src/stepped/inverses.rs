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

use typenum::{UInt, UTerm};

use crate::algebra::coalesce::Merge;
use crate::algebra::complement::{Gaps, Range, Sort, Spanned};
use crate::algebra::compose::used_bits::ShareNoBit;
use crate::algebra::inverse::{BehindDigit, ChainFrom, Domain, DomainModes, Radix, RadixDigits, Still, domain};
use crate::algebra::mode::{IntoResult, Mode, ModesOnto};
use crate::algebra::operation::{self, Evaluate};
use crate::algebra::product::FreeModes;
use crate::error::Fault;
use crate::list::{Cons, Nil};
use crate::number::int::{False, One, QuotientInt, True, Zero};
use crate::refusal::FreeAmongNatural;
use crate::refusal::undefined::Undefined;
use crate::stepped::elimination::{
    Complete, Eliminate, Ends, FreeBits, ImageModes, Images, ImagesUpTo, IsZero, MissingBits, ZeroModes,
};
use crate::stepped::layout::SteppedLayout;
use crate::stepped::parts::{AboveBits, AnswerIf, AnswerTo, Beside, OfParts, PartsWith, Skipped};
use crate::stepped::vectors::{All, DistinctOffsets, KnownSums, RowsOf, VectorsOf};
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::semimodule::Bits;

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
/// It goes as far as it can: natural modes among the bits that are not linear are left out.
impl<X: AboveBits, L> ChainFrom<One> for Beside<X, L>
where
    L: PartsWith<X, X::Output, UTerm, Skipped, Output: AnswerIf<RightWay>>,
{
    type Output = <L::Output as AnswerIf<RightWay>>::Output;
    #[inline]
    fn chain(self, _: One) -> Result<Self::Output, Fault> {
        L::Output::answer_if(RightWay)
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
            X: VectorsOf<
                KnownSums<Width<X>>,
                Output: Eliminate<Width<X>, Output: ZeroModes<Output: Merge<Nil, Output: Default>>>,
            >,
        )
        => <<RowsOf<X, KnownSums<Width<X>>, Width<X>> as ZeroModes>::Output as Merge>::Output;
}
/// The least power of two above all offsets of the XOR modes `X`.
type Width<X> = <X as AboveBits>::Output;
