//! `R = max_common_layout(A, B)`: `A(R(i)) == B(R(i)) == i`, the contiguous elements that two layouts share.

use typenum::{UInt, UTerm};

use crate::algebra::coalesce::{Merge, Merging, NoEnd};
use crate::algebra::compose::composition::{ComposeNodes, LeftModes, left_modes};
use crate::algebra::inverse::RightInverseModes;
use crate::algebra::mode::{Mode, ModesOnto};
use crate::algebra::operation;
use crate::algebra::outcome::{Apply, Defined, Evaluate};
use crate::algebra::trees::IntoResult;
use crate::error::Fault;
use crate::layout::strided::StridedLayout;
use crate::list::{Cons, Leaf, Nested, Nil};
use crate::number::int::{False, One, StaticInt, True, Zero};
use crate::number::multiple::Multiple;
use crate::number::table::Same;
use crate::reasons::undefined::Undefined;
use crate::reasons::{Carry, DynamicExtent, DynamicRightExtent, DynamicStep, Empty, EmptyRight, Steps, TooManyModes};
use crate::tuple::int_tuple::IntTuple;

impl<SA: IntTuple, DA: IntTuple, SB, DB> Apply<operation::MaxCommonLayout, StridedLayout<SA, DA>>
    for StridedLayout<SB, DB>
where
    Self: RightInverseModes<Output: KnownExtents>,
    SA::Node: ModesOnto<DA::Node, NoEnd, Merging>,
    Known<Self>: IntoResult<Output: ComposedWith<LeftModes<SA, DA>, Output: CommonRun<Known<Self>>>> + Clone,
{
    type Output = <<<Known<Self> as IntoResult>::Output as ComposedWith<LeftModes<SA, DA>>>::Output as CommonRun<
        Known<Self>,
    >>::Output;
    #[inline]
    fn apply(self, left: StridedLayout<SA, DA>) -> Result<Self::Output, Fault> {
        let inverse = self.right_inverse_modes()?.known_extents();
        inverse.clone().into_result().composed_with(left_modes(left)?)?.common_run(inverse)
    }
}
/// The modes of the right inverse of `L` whose extents are known.
type Known<L> = <<L as RightInverseModes>::Output as KnownExtents>::Output;

/// The first modes of a list whose extents are known. The first mode with a dynamic extent gives the number that its
/// extent is known to be a multiple of.
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

/// The first run of offsets of `self`, the composition of `A` with the inverse `Inverse` of `B`, as steps of that
/// inverse.
pub trait CommonRun<Inverse> {
    type Output;
    fn common_run(self, inverse: Inverse) -> Result<Self::Output, Fault>;
}
impl<Inverse, R: CommonComposition> CommonRun<Inverse> for Undefined<R> {
    type Output = R::Output;
    #[inline]
    fn common_run(self, _: Inverse) -> Result<Self::Output, Fault> {
        Ok(R::composition_or_unit())
    }
}
/// The fallback for a composition that is refused for the reason `self`: the two layouts have nothing in common, `1:0`.
/// A composition with more modes than a tuple has room for is no such case.
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
impl<Inverse, S: Nested, D: Nested> CommonRun<Inverse> for Defined<S, D>
where
    S::Node: ModesOnto<D::Node, Nil, Merging, Output: FirstRun<Inverse>>,
{
    type Output = <<S::Node as ModesOnto<D::Node, Nil, Merging>>::Output as FirstRun<Inverse>>::Output;
    #[inline]
    fn common_run(self, inverse: Inverse) -> Result<Self::Output, Fault> {
        self.shape.node().modes_onto(self.stride.node(), Nil)?.first_run(inverse)
    }
}

/// The first of the merged modes `self` if it has stride 1, as steps of `Inverse`.
pub trait FirstRun<Inverse> {
    type Output;
    fn first_run(self, inverse: Inverse) -> Result<Self::Output, Fault>;
}
cases! { FirstRun::first_run -> Result<Self::Output, Fault>:
    [Inverse] Nil, Inverse => Defined<One, Zero>,
        (self, _: Inverse) => Ok(Defined { shape: One::default(), stride: UTerm });
    [Inverse, S, D: Same<One>, T] Cons<Mode<S, D>, T>, Inverse where (D::Output: RunOf<S, Inverse>)
        => <D::Output as RunOf<S, Inverse>>::Output,
        (self, inverse: Inverse) => D::Output::run_of(self.head.shape, inverse);
}

/// `coalesce(Inverse o S:1)` if `self` is `True`, else `1:0`.
pub trait RunOf<S, Inverse> {
    type Output;
    fn run_of(extent: S, inverse: Inverse) -> Result<Self::Output, Fault>;
}
impl<S, Inverse> RunOf<S, Inverse> for False {
    type Output = Defined<One, Zero>;
    #[inline]
    fn run_of(_: S, _: Inverse) -> Result<Self::Output, Fault> {
        Ok(Defined { shape: One::default(), stride: UTerm })
    }
}
impl<S, Inverse> RunOf<S, Inverse> for True
where
    Inverse: Merge<NoEnd, Output: ComposeNodes<Leaf<S>, Leaf<One>, Output: CommonLayout>>,
{
    type Output = <<Inverse::Output as ComposeNodes<Leaf<S>, Leaf<One>>>::Output as CommonLayout>::Output;
    #[inline]
    fn run_of(extent: S, inverse: Inverse) -> Result<Self::Output, Fault> {
        inverse.merge(NoEnd)?.compose_nodes(Leaf(extent), Leaf(One::default()))?.coalesced()
    }
}

/// A composition, coalesced, or `1:0` if there is none.
pub trait CommonLayout {
    type Output;
    fn coalesced(self) -> Result<Self::Output, Fault>;
}
cases! { CommonLayout::coalesced -> Result<Self::Output, Fault>:
    [S: Nested, D: Nested] Defined<S, D> where (StridedLayout<S, D>: Evaluate<operation::Coalesce>)
        => <StridedLayout<S, D> as Evaluate<operation::Coalesce>>::Output,
        (self) => StridedLayout::assemble(self.shape, self.stride).evaluate();
    [R: CommonComposition] Undefined<R> => R::Output, (self) => Ok(R::composition_or_unit());
}
