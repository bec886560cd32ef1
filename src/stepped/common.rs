//! What a layout has in common with one of XOR strides or negative ones.
//!
//! ```text
//! (8,8):(^1,^9), (8,8):(^1,^9)      (8,8):(^1,^9): both hold all 64 elements in that order
//! (8,8):(1,8), (8,8):(^1,^9)        8:1
//! ```
//!
//! As of natural strides: the first run of the left layout composed with the right inverse of the other, or with as many
//! modes of that as there is a composition with, and on from there one coordinate after the other. The inverse may have
//! XOR strides itself, and so may what both have in common; and modes of both kinds may go on in one another.

use crate::algebra::coalesce::{Merge, Merging, NoEnd, Unbounded};
use crate::algebra::common::{KnownExtents, NoneOr, RunOf};
use crate::algebra::compose::composition::LeftModes;
use crate::algebra::compose::digits::Minimum;
use crate::algebra::inverse::RightInverseModes;
use crate::algebra::mode::{IntoResult, Mode, ModesOnto};
use crate::algebra::operation::{self, Apply, With, right, settle};
use crate::algebra::outcome::{Defined, Outcome};
use crate::algebra::traits::MaxCommonLayout;
use crate::error::{Fault, LayoutError};
use crate::layout::strided::StridedLayout;
use crate::list::{Cons, Leaf, Nested, Nil};
use crate::number::int::{AddInt, False, MulInt, One, Same, True, Zero};
use crate::number::table::RunTimeNumber;
use crate::refusal::undefined::Undefined;
use crate::refusal::{
    DynamicLeftXor, DynamicRightXor, NoRuleForInverse, Uneven, XorAcross, XorIntoLast, XorIntoMode, XorMeetsNatural,
};
use crate::stepped::algebra::{IntoStepped, stepped};
use crate::stepped::bit_by_bit::{AreFew, AreKnown, OffsetAt};
use crate::stepped::layout::SteppedLayout;
use crate::stepped::meet::InUnitsOf;
use crate::stepped::minus::Minus;
use crate::stepped::of_kinds::{DefinedOfKinds, IntoKinds};
use crate::stepped::right_operand::ComposeWithKinds;
use crate::stepped::two_parts::InTwoParts;
use crate::stepped::xor::Xor;
use crate::stepped::xor_modes::IsPower;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::profile::SizeOf;
use crate::tuple::semimodule::{Bits, Signed};
use typenum::{B0, U16, UInt, UTerm};

// ---- the operation ------------------------------------------------------------------------------------------------

macro_rules! in_common {
    ($($offsets:ident)*) => {
        $(impl<S: IntTuple, D: IntTuple, B> MaxCommonLayout<B> for SteppedLayout<$offsets, S, D>
        where
            B: right::MaxCommonLayout<
                    Accepted: Apply<
                        operation::MaxCommonLayout,
                        Self,
                        Output: Outcome<operation::MaxCommonLayout, Output: IntoStepped<$offsets>>,
                    >,
                >,
        {
            type Output = <<<B::Accepted as Apply<operation::MaxCommonLayout, Self>>::Output as Outcome<
                operation::MaxCommonLayout,
            >>::Output as IntoStepped<$offsets>>::Output;
            #[inline]
            fn evaluated(left: Self, right: B) -> Result<Self::Output, LayoutError> {
                let common = settle::<operation::MaxCommonLayout, _, _>(left, With(right.accepted()))?;
                stepped::<operation::MaxCommonLayout, $offsets, _>(&left, common)
            }
        })*
    };
}
in_common! { Bits Signed }
impl<T, SA: IntTuple, DA: IntTuple, SB, DB> Apply<operation::MaxCommonLayout, SteppedLayout<T, SA, DA>>
    for StridedLayout<SB, DB>
where
    Self: CommonOfKinds<StridedLayout<SA, DA>>,
{
    type Output = <Self as CommonOfKinds<StridedLayout<SA, DA>>>::Output;
    #[inline]
    fn apply(self, left: SteppedLayout<T, SA, DA>) -> Result<Self::Output, Fault> {
        self.common_of_kinds(left.strided())
    }
}
cases! { Apply::apply -> Result<Self::Output, Fault>:
    [T, U, SA: IntTuple, DA: IntTuple, SB, DB]
        SteppedLayout<T, SB, DB>, operation::MaxCommonLayout, SteppedLayout<U, SA, DA>
        where (StridedLayout<SB, DB>: CommonOfKinds<StridedLayout<SA, DA>>)
        => <StridedLayout<SB, DB> as CommonOfKinds<StridedLayout<SA, DA>>>::Output,
        (self, left: SteppedLayout<U, SA, DA>) => self.strided().common_of_kinds(left.strided());
    [T, SA, DA, SB, DB] SteppedLayout<T, SB, DB>, operation::MaxCommonLayout, StridedLayout<SA, DA>
        where (StridedLayout<SB, DB>: CommonOfKinds<StridedLayout<SA, DA>>)
        => <StridedLayout<SB, DB> as CommonOfKinds<StridedLayout<SA, DA>>>::Output,
        (self, left: StridedLayout<SA, DA>) => self.strided().common_of_kinds(left);
}

/// What the layouts `A` and `self` have in common, of which one has strides that are not natural.
pub trait CommonOfKinds<A> {
    type Output;
    fn common_of_kinds(self, left: A) -> Result<Self::Output, Fault>;
}
impl<A: Clone, S, D> CommonOfKinds<A> for StridedLayout<S, D>
where
    Self: RightInverseModes<Output: KnownExtents<Output: CommonThrough<A, Output: GoOnThrough<A, KnownOf<S, D>>>>>,
    KnownOf<S, D>: Clone,
{
    type Output = <<KnownOf<S, D> as CommonThrough<A>>::Output as GoOnThrough<A, KnownOf<S, D>>>::Output;
    #[inline]
    fn common_of_kinds(self, left: A) -> Result<Self::Output, Fault> {
        let modes = self.right_inverse_modes()?.known_extents();
        modes.clone().common_through(left)?.go_on_through(modes)
    }
}
/// The modes of the right inverse of `S:D`, as far as their extents are known.
type KnownOf<S, D> = <<StridedLayout<S, D> as RightInverseModes>::Output as KnownExtents>::Output;

// What was refused stays so.
cases! { KnownExtents::known_extents -> Self::Output: [R] Undefined<R> => Self, (self) => self; }

// ---- as many modes as there is a composition with -----------------------------------------------------------------

/// What the layout `A` and the one whose right inverse has the modes `self` have in common: the first run of `A`
/// composed with these modes, or with as many of the first ones as it has a composition with.
pub trait CommonThrough<A> {
    type Output;
    fn common_through(self, left: A) -> Result<Self::Output, Fault>;
}
impl<A, R> CommonThrough<A> for Undefined<R> {
    type Output = Self;
    #[inline]
    fn common_through(self, _: A) -> Result<Self, Fault> {
        Ok(self)
    }
}
cases! { CommonThrough::common_through -> Result<Self::Output, Fault>:
    [A] Nil, A => Defined<One, Zero>, (self, _: A) => Ok(none());
    [A: Clone, M, T] Cons<M, T>, A where (Self: IntoResult<Output: LeftOf<A, Output: RunOrFewer<A, Self>>> + Clone)
        => <<<Self as IntoResult>::Output as LeftOf<A>>::Output as RunOrFewer<A, Self>>::Output,
        (self, left: A) => RunOrFewer::run_or_fewer(self.clone().into_result().left_of(left.clone()), left, self);
}
/// The layout of one coordinate.
#[inline]
fn none() -> Defined<One, Zero> {
    Defined { shape: One::default(), stride: UTerm }
}

/// The layout `A` composed with `self`.
pub trait LeftOf<A> {
    type Output;
    fn left_of(self, left: A) -> Result<Self::Output, Fault>;
}
cases! { LeftOf::left_of -> Result<Self::Output, Fault>:
    [R, A] Undefined<R>, A => Self, (self, _: A) => Ok(self);
    [S: Nested, D: Nested, A: ComposeWithKinds<S::Node, D::Node>] Defined<S, D>, A => A::Output,
        (self, left: A) => left.compose_with_kinds(self.shape.node(), self.stride.node());
}

/// The first run of `self`, the layout `A` composed with the modes `L`, as steps of these; or where there is no
/// composition, what fewer of the modes give.
pub trait RunOrFewer<A, L>: Sized {
    type Output;
    fn run_or_fewer(composed: Result<Self, Fault>, left: A, modes: L) -> Result<Self::Output, Fault>;
}
macro_rules! first_run {
    ($defined:ident) => {
        impl<S: Nested, D: Nested, A, L> RunOrFewer<A, L> for $defined<S, D>
        where
            S::Node: ModesOnto<D::Node, Nil, Output: InStep<One, Output: RunThrough<L>>>,
        {
            type Output =
                <<<S::Node as ModesOnto<D::Node, Nil>>::Output as InStep<One>>::Output as RunThrough<L>>::Output;
            #[inline]
            fn run_or_fewer(composed: Result<Self, Fault>, _: A, modes: L) -> Result<Self::Output, Fault> {
                composed?;
                <<S::Node as ModesOnto<D::Node, Nil>>::Output as InStep<One>>::Output::run_through(modes)
            }
        }
    };
}
first_run! { Defined }
first_run! { DefinedOfKinds }
impl<A, L, R: NoneOr<Output: OrFewer<A, L>>> RunOrFewer<A, L> for Undefined<R> {
    type Output = <R::Output as OrFewer<A, L>>::Output;
    #[inline]
    fn run_or_fewer(_: Result<Self, Fault>, left: A, modes: L) -> Result<Self::Output, Fault> {
        R::none_or().or_fewer(left, modes)
    }
}
/// What `A` has in common through fewer than the modes `L`, since `self` says that there is no composition with all of
/// them, or that only run time can tell. Of one mode there is nothing if its first step is not one of 1.
pub trait OrFewer<A, L> {
    type Output;
    fn or_fewer(self, left: A, modes: L) -> Result<Self::Output, Fault>;
}
cases! { OrFewer::or_fewer -> Result<Self::Output, Fault>:
    [A, L: ButLast<Output: CommonThrough<A>>] Defined<One, Zero>, A, L => <L::Output as CommonThrough<A>>::Output,
        (self, left: A, modes: L) => modes.but_last().common_through(left);
    [R, A, M, N, T] Undefined<R>, A, Cons<M, Cons<N, T>>
        where (Cons<M, Cons<N, T>>: ButLast<Output: CommonThrough<A>>)
        => <<Cons<M, Cons<N, T>> as ButLast>::Output as CommonThrough<A>>::Output,
        (self, left: A, modes: Cons<M, Cons<N, T>>) => modes.but_last().common_through(left);
    [R, A, S, D: FirstStep<A, Output: NoneUnlessOne<R>>] Undefined<R>, A, Cons<Mode<S, D>, Nil>
        => <D::Output as NoneUnlessOne<R>>::Output,
        (self, _: A, _: Cons<Mode<S, D>, Nil>) => Ok(D::Output::none_unless_one());
}
type Two = UInt<One, B0>;
/// The layout `A` composed with one step of the stride `self`.
pub trait FirstStep<A> {
    type Output;
}
cases! { FirstStep:
    [N: RunTimeNumber, A] N, A => Undefined<DynamicRightXor>;
    [U, B, A: ComposeWithKinds<Leaf<Two>, Leaf<UInt<U, B>>>] UInt<U, B>, A => A::Output;
    [N, A: ComposeWithKinds<Leaf<Two>, Leaf<N>>] Xor<N>, A => A::Output;
}
/// `1:0` if `self`, a composition with one step, is known not to be a step of 1, or else the reason `R`.
pub trait NoneUnlessOne<R> {
    type Output;
    fn none_unless_one() -> Self::Output;
}
cases! { NoneUnlessOne::none_unless_one -> Self::Output: [Q, R] Undefined<Q>, R => Undefined<R>, () => Undefined::new(); }
macro_rules! one_step {
    ($defined:ident) => {
        impl<S: Nested, D: Nested, R> NoneUnlessOne<R> for $defined<S, D>
        where
            S::Node: ModesOnto<D::Node, Nil, Output: InStep<One, Output: NoneUnlessOne<R>>>,
        {
            type Output =
                <<<S::Node as ModesOnto<D::Node, Nil>>::Output as InStep<One>>::Output as NoneUnlessOne<R>>::Output;
            #[inline]
            fn none_unless_one() -> Self::Output {
                <<S::Node as ModesOnto<D::Node, Nil>>::Output as InStep<One>>::Output::none_unless_one()
            }
        }
    };
}
one_step! { Defined }
one_step! { DefinedOfKinds }
cases! { NoneUnlessOne::none_unless_one -> Self::Output:
    [R] One, R => Defined<One, Zero>, () => none();
    [R] Two, R => Undefined<R>, () => Undefined::new();
}
/// A list without its last item.
pub trait ButLast {
    type Output;
    fn but_last(self) -> Self::Output;
}
cases! { ButLast::but_last -> Self::Output:
    [M] Cons<M, Nil> => Nil, (self) => Nil;
    [M, N, T] Cons<M, Cons<N, T>> where (Cons<N, T>: ButLast) => Cons<M, <Cons<N, T> as ButLast>::Output>,
        (self) => Cons { head: self.head, tail: self.tail.but_last() };
}

// ---- the first run ------------------------------------------------------------------------------------------------

/// How far the offsets of the modes `self` go on in steps of 1, behind `Run` of them: a static number.
pub trait InStep<Run> {
    type Output;
}
cases! { InStep:
    [Run] Nil, Run => Run;
    [D, T: InStep<Run>, Run] Cons<Mode<One, D>, T>, Run => T::Output;
    [U, A, B, D: IsRun<Run, Output: GoOn<UInt<UInt<U, A>, B>, T, Run>>, T, Run]
        Cons<Mode<UInt<UInt<U, A>, B>, D>, T>, Run
        => <D::Output as GoOn<UInt<UInt<U, A>, B>, T, Run>>::Output;
}
/// Does a mode of this stride go on behind `Run` steps of 1? [`True`] or [`False`]; an XOR mode does behind a power of
/// two of them.
pub trait IsRun<Run> {
    type Output;
}
cases! { IsRun:
    [Run] UTerm, Run => False;
    [U, B, Run] UInt<U, B>, Run where (Self: Same<Run>) => <Self as Same<Run>>::Output;
    [N: Same<Run, Output: AndPower<Run>>, Run] Xor<N>, Run => <N::Output as AndPower<Run>>::Output;
    [N, Run] Minus<N>, Run => False;
    [D, X, Run] InTwoParts<D, X>, Run => False;
    [N: RunTimeNumber, Run] N, Run => False;
}
/// Is `N` a power of two, and `self` true?
pub trait AndPower<N> {
    type Output;
}
cases! { AndPower:
    [N] False, N => False;
    [N: IsPower] True, N => N::Output;
}
/// [`InStep`] of a mode of extent `S` before the modes `T`; `self` is whether it goes on.
pub trait GoOn<S, T, Run> {
    type Output;
}
cases! { GoOn:
    [S, T, Run] False, S, T, Run => Run;
    [S: MulInt<Run>, T: InStep<S::Output>, Run] True, S, T, Run => T::Output;
}
/// The first coordinates of the modes `L`, as many as `self` says.
pub trait RunThrough<L> {
    type Output;
    fn run_through(modes: L) -> Result<Self::Output, Fault>;
}
cases! { RunThrough::run_through -> Result<Self::Output, Fault>:
    [L] One, L => Defined<One, Zero>, (_: L) => Ok(none());
    [U, A, B, L] UInt<UInt<U, A>, B>, L where (Self: Default, True: RunOf<Self, L>) => <True as RunOf<Self, L>>::Output,
        (modes: L) => True::run_of(Self::default(), modes);
}

// ---- part of a mode -----------------------------------------------------------------------------------------------

/// What the layout `A` has in common with the one whose right inverse has the modes `L`, as far as compositions know,
/// `self`; and on, one coordinate after the other.
///
/// ```text
/// 3:1 and (6,3):(^1,^7)      3:^1: through the first mode of the inverse there is no composition, and 0, 1 and 2 agree
/// ```
pub trait GoOnThrough<A, L> {
    type Output;
    fn go_on_through(self, modes: L) -> Result<Self::Output, Fault>;
}
cases! { GoOnThrough::go_on_through -> Result<Self::Output, Fault>:
    [R, A, L] Undefined<R>, A, L => Self, (self, _: L) => Ok(self);
    [S: Nested<Node: SizeOf<Output: GoOnFrom<SA, DA, L>>>, D, SA, DA, L] Defined<S, D>, StridedLayout<SA, DA>, L
        where (FurtherThrough<S, SA, DA, L>: RunUnlessSame<Self, L, Output: IntoKinds>)
        => <<FurtherThrough<S, SA, DA, L> as RunUnlessSame<Self, L>>::Output as IntoKinds>::Output,
        (self, modes: L) => Ok(<FurtherThrough<S, SA, DA, L>>::run_unless_same(self, modes)?.into_kinds());
}
/// How far the offsets agree: behind the layout of the shape `S`.
type FurtherThrough<S, SA, DA, L> = <<<S as Nested>::Node as SizeOf>::Output as GoOnFrom<SA, DA, L>>::Output;
/// The first number from `self` on at which the layout `SA:DA` does not lead back through the modes `L`; but no more than
/// 16 further, and `self` where only run time knows.
pub trait GoOnFrom<SA, DA, L> {
    type Output;
}
impl<N, SA, DA, L> GoOnFrom<SA, DA, L> for N
where
    SA: Nested<Node: ModesOnto<DA::Node, Nil, Output: AreKnown<True, Output: BothKnown<L>>>>,
    DA: Nested,
    ModesKnown<SA, DA, L>: GoOnIf<N, SA, DA, L>,
{
    type Output = <ModesKnown<SA, DA, L> as GoOnIf<N, SA, DA, L>>::Output;
}
type ModesKnown<SA, DA, L> = <<<<SA as Nested>::Node as ModesOnto<<DA as Nested>::Node, Nil>>::Output as AreKnown<
    True,
>>::Output as BothKnown<L>>::Output;
/// Are the modes `L` known, and is `self`?
pub trait BothKnown<L> {
    type Output;
}
cases! { BothKnown:
    [L] False, L => False;
    [] True, Nil => False;
    [M, T] True, Cons<M, T> where (Cons<M, T>: AreKnown<True>) => <Cons<M, T> as AreKnown<True>>::Output;
}
/// [`GoOnFrom`] of `N`, if `self`.
pub trait GoOnIf<N, SA, DA, L> {
    type Output;
}
cases! { GoOnIf:
    [N, SA, DA, L] False, N, SA, DA, L => N;
    [N, SA, DA, L: SizeOfModes, M] True, N, SA, DA, L
        where (
            N: AddInt<U16>,
            <L as SizeOfModes>::Output: Minimum<<N as AddInt<U16>>::Output, Output = M>,
            SA: Nested<Node: ModesOnto<DA::Node, NoEnd, Merging>>,
            DA: Nested,
            N: OneByOne<LeftModes<SA, DA>, L, M>,
            L: WholeOf<<N as OneByOne<LeftModes<SA, DA>, L, M>>::Output>,
        )
        => <L as WholeOf<<N as OneByOne<LeftModes<SA, DA>, L, M>>::Output>>::Output;
}
/// How many coordinates the modes `self` have.
pub trait SizeOfModes {
    type Output;
}
cases! { SizeOfModes:
    [] Nil => One;
    [S: MulInt<T::Output>, D, T: SizeOfModes] Cons<Mode<S, D>, T> => S::Output;
}
/// The first number from `self` on, or `Most`, at which the modes `A` do not lead back through the modes `L`.
pub trait OneByOne<A, L, Most> {
    type Output;
}
impl<N: AddInt<One, Output: AreFew<Most>>, A, L, Most> OneByOne<A, L, Most> for N
where
    <N::Output as AreFew<Most>>::Output: AgreesAt<N, A, L, Most>,
{
    type Output = <<N::Output as AreFew<Most>>::Output as AgreesAt<N, A, L, Most>>::Output;
}
/// [`OneByOne`] from `N` on, if `self`: `N` is below `Most`.
pub trait AgreesAt<N, A, L, Most> {
    type Output;
}
cases! { AgreesAt:
    [N, A, L, Most] False, N, A, L, Most => N;
    [N, A: OffsetAt<L::Output, Zero, Zero, Output: Same<N>>, L: OffsetAt<N, Zero, Zero>, Most] True, N, A, L, Most
        where (<A::Output as Same<N>>::Output: OnIfSame<N, A, L, Most>)
        => <<A::Output as Same<N>>::Output as OnIfSame<N, A, L, Most>>::Output;
}
/// [`OneByOne`] behind `N`, if `self`.
pub trait OnIfSame<N, A, L, Most> {
    type Output;
}
cases! { OnIfSame:
    [N, A, L, Most] False, N, A, L, Most => N;
    [N: AddInt<One, Output: OneByOne<A, L, Most>>, A, L, Most] True, N, A, L, Most
        => <N::Output as OneByOne<A, L, Most>>::Output;
}
/// The most coordinates of the modes `self`, no more than `N`, that are whole steps of a mode.
pub trait WholeOf<N> {
    type Output;
}
impl<N, L: Merge<NoEnd, Output: WholeSteps<N>>> WholeOf<N> for L {
    type Output = <L::Output as WholeSteps<N>>::Output;
}
/// [`WholeOf`] of merged modes, the last one unbounded.
pub trait WholeSteps<N> {
    type Output;
}
cases! { WholeSteps:
    [D, N] Cons<Mode<Unbounded, D>, Nil>, N => N;
    [U, B, D, T, N] Cons<Mode<UInt<U, B>, D>, T>, N
        where (
            UInt<U, B>: IsPower<Output: InUnitsOf<UInt<U, B>, N>>,
            <<UInt<U, B> as IsPower>::Output as InUnitsOf<UInt<U, B>, N>>::Quotient: WholeBehind<UInt<U, B>, T, N>,
        )
        => <<<UInt<U, B> as IsPower>::Output as InUnitsOf<UInt<U, B>, N>>::Quotient as WholeBehind<UInt<U, B>, T, N>>::Output;
}
/// [`WholeSteps`], where `self` is how often `N` passes a mode of extent `S`.
pub trait WholeBehind<S, T, N> {
    type Output;
}
cases! { WholeBehind:
    [S, T, N] UTerm, S, T, N => N;
    [U, B, S: MulInt<T::Output>, T: WholeSteps<UInt<U, B>>, N] UInt<U, B>, S, T, N => S::Output;
}
/// The first coordinates of the modes `L`, as many as `self` says, or `Kept` if that is as many.
pub trait RunUnlessSame<Kept, L> {
    type Output;
    fn run_unless_same(kept: Kept, modes: L) -> Result<Self::Output, Fault>;
}
impl<N: Same<<S::Node as SizeOf>::Output>, S: Nested<Node: SizeOf>, D, L> RunUnlessSame<Defined<S, D>, L> for N
where
    N::Output: KeptOrRun<N, Defined<S, D>, L>,
{
    type Output = <N::Output as KeptOrRun<N, Defined<S, D>, L>>::Output;
    #[inline]
    fn run_unless_same(kept: Defined<S, D>, modes: L) -> Result<Self::Output, Fault> {
        N::Output::kept_or_run(kept, modes)
    }
}
/// `Kept`, if `self`, or else the first `N` coordinates of the modes `L`.
pub trait KeptOrRun<N, Kept, L> {
    type Output;
    fn kept_or_run(kept: Kept, modes: L) -> Result<Self::Output, Fault>;
}
cases! { KeptOrRun::kept_or_run -> Result<Self::Output, Fault>:
    [N, Kept, L] True, N, Kept, L => Kept, (kept: Kept, _: L) => Ok(kept);
    [N: RunThrough<L>, Kept, L] False, N, Kept, L => N::Output, (_: Kept, modes: L) => N::run_through(modes);
}

// Run time looks for a composition where no rule gives one.
macro_rules! looked_for {
    ($($reason:ident<$($number:ident),*>)*) => {
        $(impl<$($number),*> NoneOr for $reason<$($number),*> {
            type Output = Undefined<NoRuleForInverse>;
            #[inline]
            fn none_or() -> Self::Output {
                Undefined::new()
            }
        })*
    };
}
looked_for! {
    DynamicLeftXor<> DynamicRightXor<> Uneven<Steps, E> XorAcross<Place> XorIntoLast<D> XorIntoMode<S, D>
    XorMeetsNatural<Bit>
}
