//! What two layouts have in common beyond what a composition says: one coordinate after the other.
//!
//! ```text
//! A(R(i)) == i for i < n          R, the right inverse of B, leads A back to the first n numbers
//!
//! 3:1 and (6,3):(^1,^7)           3:^1: through the first mode of R there is no composition, and 0, 1 and 2 agree
//! ```
//!
//! So a part of a mode is in common too. No more than 16 coordinates are looked at, each of which costs the compiler.

use typenum::{U16, UInt, UTerm};

use crate::algebra::coalesce::{Merge, Merging, NoEnd, Unbounded};
use crate::algebra::compose::composition::LeftModes;
use crate::algebra::compose::digits::Minimum;
use crate::algebra::mode::{Mode, ModesOnto};
use crate::algebra::outcome::Defined;
use crate::error::Fault;
use crate::layout::strided::StridedLayout;
use crate::list::{Cons, Nested, Nil};
use crate::number::int::{AddInt, False, MulInt, One, Same, True, Zero};
use crate::refusal::undefined::Undefined;
use crate::stepped::bit_by_bit::{AreFew, AreKnown, OffsetAt};
use crate::stepped::common::RunThrough;
use crate::stepped::meet::InUnitsOf;
use crate::stepped::of_kinds::IntoKinds;
use crate::stepped::xor_modes::IsPower;
use crate::tuple::profile::SizeOf;

/// What the layout `A` has in common with the one whose right inverse has the modes `L`, as far as compositions know,
/// `self`; and on, one coordinate after the other.
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
