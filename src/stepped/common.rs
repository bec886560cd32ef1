//! What a layout has in common with one of XOR strides or negative ones.
//!
//! ```text
//! (8,8):(^1,^9), (8,8):(^1,^9)      (8,8):(^1,^9): both hold all 64 elements in that order
//! (8,8):(1,8), (8,8):(^1,^9)        8:1
//! ```
//!
//! As of natural strides: the first run of the left layout composed with the right inverse of the other, or with as many
//! modes of that as there is a composition with, and on from there [one coordinate after the
//! other](crate::stepped::one_by_one). The inverse may have XOR strides itself, and so may what both have in common; and
//! modes of both kinds may go on in one another.

use crate::algebra::common::{KnownExtents, NoneOr, RunOf};
use crate::algebra::inverse::RightInverseModes;
use crate::algebra::mode::{IntoResult, Mode, ModesOnto};
use crate::algebra::operation::{self, Apply, With, right, settle};
use crate::algebra::outcome::{Defined, Outcome};
use crate::algebra::traits::MaxCommonLayout;
use crate::error::{Fault, LayoutError};
use crate::layout::strided::StridedLayout;
use crate::list::{Cons, Leaf, Nested, Nil};
use crate::number::int::{False, MulInt, One, Same, True, Zero};
use crate::number::table::RunTimeNumber;
use crate::refusal::undefined::Undefined;
use crate::refusal::{
    DynamicLeftXor, DynamicRightXor, NoRuleForInverse, Uneven, XorAcross, XorIntoLast, XorIntoMode, XorMeetsNatural,
};
use crate::stepped::algebra::{IntoStepped, stepped};
use crate::stepped::layout::SteppedLayout;
use crate::stepped::minus::Minus;
use crate::stepped::of_kinds::DefinedOfKinds;
use crate::stepped::one_by_one::GoOnThrough;
use crate::stepped::right_operand::ComposeWithKinds;
use crate::stepped::two_parts::InTwoParts;
use crate::stepped::xor::Xor;
use crate::stepped::xor_modes::IsPower;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::semimodule::{Bits, Signed};
use typenum::{B0, UInt, UTerm};

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
