//! `R = max_common_layout(A, B)`: `A(R(i)) == B(R(i)) == i`, the contiguous elements that two
//! layouts share.

use typenum::{Equal, Greater, Less, UInt, UTerm};

use crate::algebra::coalesce::{Merge, Merging, NoEnd};
use crate::algebra::compose::composition::{ComposeNodes, LeftModes, left_modes};
use crate::algebra::inverse::RightInverseModes;
use crate::algebra::mode::{Mode, ModesOnto};
use crate::algebra::operation;
use crate::algebra::outcome::{Apply, Defined};
use crate::algebra::trees::IntoResult;
use crate::error::Fault;
use crate::layout::strided::StridedLayout;
use crate::list::{Cons, Leaf, Nested, Nil};
use crate::number::int::{False, MulInt, One, StaticInt, True, Zero};
use crate::number::multiple::Multiple;
use crate::number::quotient::DivideInt;
use crate::number::table::{Order, Same};
use crate::reasons::undefined::Undefined;
use crate::reasons::{
    Carry, DynamicExtent, DynamicRightExtent, DynamicStep, Empty, EmptyRight, Steps, TooManyModes,
};
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::node::Node;

impl<SA: Nested, DA, SB: Nested, DB> Apply<operation::MaxCommonLayout, StridedLayout<SA, DA>>
    for StridedLayout<SB, DB>
where
    Cons<SA, Cons<SB, Nil>>: KnownSize<Output: CommonOf<StridedLayout<SA, DA>, Self>>,
{
    type Output = <<Cons<SA, Cons<SB, Nil>> as KnownSize>::Output as CommonOf<
        StridedLayout<SA, DA>,
        Self,
    >>::Output;
    #[inline]
    fn apply(self, left: StridedLayout<SA, DA>) -> Result<Self::Output, Fault> {
        <<Cons<SA, Cons<SB, Nil>> as KnownSize>::Output as CommonOf<_, Self>>::common_of(left, self)
    }
}

/// The product of what the extents of a node are known to be multiples of.
pub trait KnownSize {
    type Output: StaticInt;
}
cases! { KnownSize:
    [N: StaticInt] Leaf<N> => N;
    [] Leaf<usize> => One;
    [F: StaticInt] Leaf<Multiple<F>> => F;
    [] Nil => One;
    [H: Nested<Node: KnownSize>, T: KnownSize] Cons<H, T>
        where (<H::Node as KnownSize>::Output: MulInt<T::Output>)
        => <<H::Node as KnownSize>::Output as MulInt<T::Output>>::Output;
}

/// What `A` and `B` have in common; `self` is 0 if one of them is known to be empty.
pub trait CommonOf<A, B> {
    type Output;
    fn common_of(a: A, b: B) -> Result<Self::Output, Fault>;
}
cases! { CommonOf::common_of -> Result<Self::Output, Fault>:
    [A, B] UTerm, A, B => Defined<Zero, One>,
        (_: A, _: B) => Ok(Defined { shape: UTerm, stride: One::default() });
}
impl<SA: IntTuple, DA: IntTuple, SB: IntTuple, DB: IntTuple, U, V>
    CommonOf<StridedLayout<SA, DA>, StridedLayout<SB, DB>> for UInt<U, V>
where
    StridedLayout<SB, DB>: RightInverseModes<Chain: KnownExtents<Output: Merge>>,
    SA::Node: ModesOnto<DA::Node, NoEnd, Merging> + KnownSize,
    Known<StridedLayout<SB, DB>>: IntoResult<
            Output: ComposedWith<
                LeftModes<SA, DA>,
                Output: CommonRun<Known<StridedLayout<SB, DB>>, <SA::Node as KnownSize>::Output>,
            >,
        > + Clone,
{
    type Output = <<<Known<StridedLayout<SB, DB>> as IntoResult>::Output as ComposedWith<
        LeftModes<SA, DA>,
    >>::Output as CommonRun<Known<StridedLayout<SB, DB>>, <SA::Node as KnownSize>::Output>>::Output;
    #[inline]
    fn common_of(
        a: StridedLayout<SA, DA>,
        b: StridedLayout<SB, DB>,
    ) -> Result<Self::Output, Fault> {
        let is_empty = |product| product == Some(0);
        if is_empty(a.into_parts().0.node().product())
            || is_empty(b.into_parts().0.node().product())
        {
            return Err(Fault::NoElements);
        }
        // Merged, an extent of which a divisor is known may be one of which nothing is.
        let inverse = b.chain_modes()?.known_extents().merge(Nil)?;
        inverse.clone().into_result().composed_with(left_modes(a)?)?.common_run(inverse)
    }
}
/// The modes of the right inverse of `L` whose extents are known.
type Known<L> = <<<L as RightInverseModes>::Chain as KnownExtents>::Output as Merge>::Output;

/// The first modes of a list whose extents are known. The first mode with a dynamic extent gives
/// the number that its extent is known to be a multiple of.
pub trait KnownExtents {
    type Output;
    fn known_extents(self) -> Self::Output;
}
cases! { KnownExtents::known_extents -> Self::Output:
    [] Nil => Nil, (self) => Nil;
    [D, T] Cons<Mode<usize, D>, T> => Nil, (self) => Nil;
    [F: StaticInt, D, T] Cons<Mode<Multiple<F>, D>, T> => Cons<Mode<F, D>, Nil>,
        (self) => Cons { head: Mode { shape: F::default(), stride: self.head.stride }, tail: Nil };
    [U, B, D, T: KnownExtents] Cons<Mode<UInt<U, B>, D>, T> => Cons<Mode<UInt<U, B>, D>, T::Output>,
        (self) => Cons { head: self.head, tail: self.tail.known_extents() };
}

/// The modes `A` composed with the layout `self`, if its modes fit a tuple.
pub trait ComposedWith<A> {
    type Output;
    fn composed_with(self, left: A) -> Result<Self::Output, Fault>;
}
cases! { ComposedWith::composed_with -> Result<Self::Output, Fault>:
    [S: Nested, D: Nested, A: ComposeNodes<S::Node, D::Node>] Defined<S, D>, A => A::Output,
        (self, left: A) => left.compose_nodes(self.shape.node(), self.stride.node());
    [R, A] Undefined<R>, A => Self, (self, _: A) => Ok(self);
}

/// The first run of offsets of `self`, the composition of `A` with the inverse `Inverse` of `B`, as
/// steps of that inverse: of `Most` coordinates at most, which `A` is known to have.
pub trait CommonRun<Inverse, Most> {
    type Output;
    fn common_run(self, inverse: Inverse) -> Result<Self::Output, Fault>;
}
impl<Inverse, Most, R: CommonComposition> CommonRun<Inverse, Most> for Undefined<R> {
    type Output = R::Output;
    #[inline]
    fn common_run(self, _: Inverse) -> Result<Self::Output, Fault> {
        Ok(R::composition_or_unit())
    }
}
/// The fallback for a composition that is refused for the reason `self`: the two layouts have
/// nothing in common, `1:0`. A composition with more modes than a tuple has room for is no such
/// case.
pub trait CommonComposition {
    type Output;
    fn composition_or_unit() -> Self::Output;
}
impl<Modes> CommonComposition for TooManyModes<Modes> {
    type Output = Undefined<Self>;
    #[inline]
    fn composition_or_unit() -> Self::Output {
        Undefined::new()
    }
}
macro_rules! none {
    ($($reason:ident<$($number:ident),*>)*) => {
        $(impl<$($number),*> CommonComposition for $reason<$($number),*> {
            type Output = Defined<One, Zero>;
            #[inline]
            fn composition_or_unit() -> Self::Output {
                Defined { shape: One::default(), stride: UTerm }
            }
        })*
    };
}
none! {
    Carry<Sum, S, D> DynamicExtent<E> DynamicRightExtent<E, S> DynamicStep<S> Empty<> EmptyRight<>
    Steps<N, E, Count, S, D>
}
impl<Inverse, Most, S: Nested, D: Nested> CommonRun<Inverse, Most> for Defined<S, D>
where
    S::Node: ModesOnto<D::Node, Nil, Merging, Output: FirstRun<Inverse, Most>>,
{
    type Output =
        <<S::Node as ModesOnto<D::Node, Nil, Merging>>::Output as FirstRun<Inverse, Most>>::Output;
    #[inline]
    fn common_run(self, inverse: Inverse) -> Result<Self::Output, Fault> {
        self.shape.node().modes_onto(self.stride.node(), Nil)?.first_run(inverse)
    }
}

/// The first of the merged modes `self` if it has stride 1, as steps of `Inverse`.
pub trait FirstRun<Inverse, Most> {
    type Output;
    fn first_run(self, inverse: Inverse) -> Result<Self::Output, Fault>;
}
cases! { FirstRun::first_run -> Result<Self::Output, Fault>:
    [Inverse, Most] Nil, Inverse, Most => Defined<One, Zero>,
        (self, _: Inverse) => Ok(Defined { shape: One::default(), stride: UTerm });
    [Inverse, Most, S, D: Same<One, Output: RunOf<S, Inverse, Most>>, T] Cons<Mode<S, D>, T>, Inverse, Most
        => <D::Output as RunOf<S, Inverse, Most>>::Output, (self, inverse: Inverse) => D::Output::run_of(inverse);
}

/// The first `S` coordinates of `Inverse`, and no more than `Most`, if `self` is `True`; else
/// `1:0`.
pub trait RunOf<S, Inverse, Most> {
    type Output;
    fn run_of(inverse: Inverse) -> Result<Self::Output, Fault>;
}
cases! { RunOf::run_of -> Result<Self::Output, Fault>:
    [S, Inverse, Most] False, S, Inverse, Most => Defined<One, Zero>,
        (_: Inverse) => Ok(Defined { shape: One::default(), stride: UTerm });
    [S, Inverse: FirstOf<S>, Most] True, S, Inverse, Most
        where (Inverse::Output: FirstOf<Most>, <Inverse::Output as FirstOf<Most>>::Output: Merge<Output: IntoResult>)
        => <<<Inverse::Output as FirstOf<Most>>::Output as Merge>::Output as IntoResult>::Output,
        (inverse: Inverse) => Ok(inverse.first_of().first_of().merge(Nil)?.into_result());
}

/// The modes of the first `N` coordinates of the modes `self`, whose extents are static, rounded
/// down to whole steps of a mode.
pub trait FirstOf<N> {
    type Output;
    fn first_of(self) -> Self::Output;
}
cases! { FirstOf::first_of -> Self::Output:
    [N] Nil, N => Nil, (self) => Nil;
    [E: Order<N, Output: PartOf<E, D, T, N>>, D, T, N] Cons<Mode<E, D>, T>, N
        => <E::Output as PartOf<E, D, T, N>>::Output, (self) => E::Output::part_of(self);
}
/// [`FirstOf`]; `self` is the order of the extent `E` and of `N`.
pub trait PartOf<E, D, T, N> {
    type Output;
    fn part_of(modes: Cons<Mode<E, D>, T>) -> Self::Output;
}
cases! { PartOf::part_of -> Self::Output:
    [E, D, T, N: StaticInt] Greater, E, D, T, N => Cons<Mode<N, D>, Nil>,
        (modes: Cons<Mode<E, D>, T>)
        => Cons { head: Mode { shape: N::default(), stride: modes.head.stride }, tail: Nil };
}
cases! { PartOf::part_of -> Self::Output, for { [] Less; [] Equal; }:
    [E, D, T: FirstOf<N::Quotient>, N: DivideInt<E>] Self, E, D, T, N => Cons<Mode<E, D>, T::Output>,
        (modes: Cons<Mode<E, D>, T>) => Cons { head: modes.head, tail: modes.tail.first_of() };
}
