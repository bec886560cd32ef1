//! `R = A o B`: `R(c) == A(B(c))` for every coordinate `c` of `B`, and `B`'s shape is compatible with `R`'s. Exact: there is an
//! answer if and only if such an `R` exists (up to accidental cancellations of strides).
//!
//! `A` is coalesced first, its last mode made unbounded. Every leaf of `B` walks through the modes of `A` by itself ([`Walk`])
//! and becomes a number or a tuple in its place; the carries go from leaf to leaf.

use core::marker::PhantomData;

use typenum::{UInt, UTerm};

use crate::algebra::by_mode::Apply;
use crate::algebra::coalesce::{Merge, Unbound};
use crate::algebra::modes::{IntoTrees, Mode, ModesOnto, ReverseOnto};
use crate::algebra::operation::{self, binary};
use crate::algebra::walk::{Walk, Walked};
use crate::error::Fault;
use crate::int::{One, Zero};
use crate::multiple::Multiple;
use crate::number::Number;
use crate::refusal::EmptyRight;
use crate::strided::StridedLayout;
use crate::tuple::{Cons, Leaf, Nested, Nil, Untangle};
use crate::undefined::{Defined, Undefined};

binary! {
    /// `A: Compose<B>`: the composition `A o B` exists. `B` is a layout, a number `n` (for `n:1`), or a [`Tiler`](struct@crate::Tiler) that composes
    /// mode by mode. CuTe's `composition`.
    ///
    /// `(A o B)(c) == A(B(c))`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::{assert_not_impl_any, assert_type_eq_all};
    /// assert_type_eq_all!(Composition<Layout!((4, 3):(1, 8)), Layout!(6:2)>, Layout!((2, 3):(2, 8)));
    /// assert_not_impl_any!(Layout!((4, 3):(1, 8)): Compose<Layout!(6:3)>);
    /// ```
    #[diagnostic::on_unimplemented(
        message = "cannot compose: nothing says that this layout can",
        label = "`{Self}` is not known to have this operation",
        note = "generic code names what it needs as a bound: `A: Compose<B>`"
    )]
    trait Compose;
    /// The type of the composition `A o B`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(Composition<Layout!((4, 6):(6, 1)), Layout!(8:1)>, Layout!((4, 2):(6, 1)));
    /// ```
    type Composition;
}

impl<S: Nested, D: Nested, SB: Nested, DB: Nested> Apply<operation::Compose, StridedLayout<S, D>>
    for StridedLayout<SB, DB>
where
    StridedLayout<S, D>: ComposeNodes<SB::Node, DB::Node>,
{
    type Output = <StridedLayout<S, D> as ComposeNodes<SB::Node, DB::Node>>::Output;
    #[inline(always)]
    fn apply(self, left: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
        let (shape, stride) = self.into_parts();
        left.compose_nodes(shape.node(), stride.node())
    }
}

/// The layout `self` composed with a right operand taken apart, shape `S` and stride `D`: [`Defined`] or [`Undefined`].
pub trait ComposeNodes<S, D> {
    type Output;
    fn compose_nodes(self, shape: S, stride: D) -> Result<Self::Output, Fault>;
}
impl<SA: Nested, DA: Nested, S, D> ComposeNodes<S, D> for StridedLayout<SA, DA>
where
    Self: LeftModes<Output: NoCarries>,
    S: ComposeNode<<Self as LeftModes>::Output, D, <<Self as LeftModes>::Output as NoCarries>::Output>,
    S::Output: Close,
{
    type Output = <S::Output as Close>::Output;
    #[inline(always)]
    fn compose_nodes(self, shape: S, stride: D) -> Result<Self::Output, Fault> {
        let modes = self.left_modes()?;
        modes.refuse_empty(0)?;
        Ok(shape.compose_node(stride, &modes)?.close())
    }
}

/// The modes of a left operand: coalesced, the last one unbounded.
pub trait LeftModes {
    type Output;
    fn left_modes(self) -> Result<Self::Output, Fault>;
}
impl<S: Nested, D: Nested> LeftModes for StridedLayout<S, D>
where
    S::Node: ModesOnto<D::Node, Nil, Output: Unbound<Output: Merge>>,
{
    type Output = <<<S::Node as ModesOnto<D::Node, Nil>>::Output as Unbound>::Output as Merge>::Output;
    #[inline(always)]
    fn left_modes(self) -> Result<Self::Output, Fault> {
        let (shape, stride) = self.into_parts();
        shape.node().modes_onto(stride.node(), Nil).unbound().merge()
    }
}

/// A carry of 0 for every mode but the last.
pub trait NoCarries {
    type Output;
    /// No carry, not even 0, is below an extent that is 0 at run time.
    fn refuse_empty(&self, mode: usize) -> Result<(), Fault>;
}
impl<M> NoCarries for Cons<M, Nil> {
    type Output = Nil;
    #[inline(always)]
    fn refuse_empty(&self, _: usize) -> Result<(), Fault> {
        Ok(())
    }
}
impl<S: Number, D: Number, N, T> NoCarries for Cons<Mode<S, D>, Cons<N, T>>
where
    Cons<N, T>: NoCarries,
{
    type Output = Cons<Zero, <Cons<N, T> as NoCarries>::Output>;
    #[inline(always)]
    fn refuse_empty(&self, mode: usize) -> Result<(), Fault> {
        if self.head.shape.get() == 0 {
            return Err(Fault::Carry { sum: 0, mode, extent: 0, stride: self.head.stride.get() });
        }
        self.tail.refuse_empty(mode + 1)
    }
}

/// The end: the carries are in order and no longer wanted.
pub trait Close {
    type Output;
    fn close(self) -> Self::Output;
}
impl<S: Untangle, D: Untangle, Carries> Close for Composed<S, D, Carries> {
    type Output = Defined<S::Tree, D::Tree>;
    #[inline(always)]
    fn close(self) -> Self::Output {
        Defined { shape: self.shape.tree(), stride: self.stride.tree() }
    }
}
impl<R> Close for Undefined<R> {
    type Output = Self;
    #[inline(always)]
    fn close(self) -> Self {
        self
    }
}

/// A part of the result, and the carries so far.
pub struct Composed<S, D, Carries> {
    pub shape: S,
    pub stride: D,
    pub carries: PhantomData<Carries>,
}

/// The modes `A` composed with the shape `self` and the stride `D`: [`Composed`] or [`Undefined`]. A leaf becomes a number or a
/// tuple, a list a list.
pub trait ComposeNode<A, D, Carries> {
    type Output;
    fn compose_node(self, stride: D, modes: &A) -> Result<Self::Output, Fault>;
}
impl<A, D, Carries> ComposeNode<A, Leaf<D>, Carries> for Leaf<One> {
    type Output = Composed<One, Zero, Carries>;
    #[inline(always)]
    fn compose_node(self, _: Leaf<D>, _: &A) -> Result<Self::Output, Fault> {
        Ok(Composed { shape: self.0, stride: UTerm, carries: PhantomData })
    }
}
impl<A, D, Carries> ComposeNode<A, Leaf<D>, Carries> for Leaf<Zero> {
    type Output = Undefined<EmptyRight>;
    #[inline(always)]
    fn compose_node(self, _: Leaf<D>, _: &A) -> Result<Self::Output, Fault> {
        Ok(Undefined::new())
    }
}
macro_rules! compose_leaf {
    ($([$($generic:ident)*] $extent:ty;)*) => {
        $(impl<A, D, Carries, $($generic),*> ComposeNode<A, Leaf<D>, Carries> for Leaf<$extent>
        where
            A: Walk<$extent, D, Nil, Carries, Output: Finish>,
        {
            type Output = <A::Output as Finish>::Output;
            #[inline(always)]
            fn compose_node(self, stride: Leaf<D>, modes: &A) -> Result<Self::Output, Fault> {
                Ok(modes.walk(self.0, stride.0, Nil)?.finish())
            }
        })*
    };
}
compose_leaf! { [U A2 B] UInt<UInt<U, A2>, B>; [] usize; [Factor] Multiple<Factor>; }
impl<A, Carries> ComposeNode<A, Nil, Carries> for Nil {
    type Output = Composed<Nil, Nil, Carries>;
    #[inline(always)]
    fn compose_node(self, _: Nil, _: &A) -> Result<Self::Output, Fault> {
        Ok(Composed { shape: Nil, stride: Nil, carries: PhantomData })
    }
}
impl<A, Carries, H, T, I, U> ComposeNode<A, Cons<I, U>, Carries> for Cons<H, T>
where
    H: Nested,
    I: Nested,
    H::Node: ComposeNode<A, I::Node, Carries, Output: ThenTail<A, T, U>>,
{
    type Output = <<H::Node as ComposeNode<A, I::Node, Carries>>::Output as ThenTail<A, T, U>>::Output;
    #[inline(always)]
    fn compose_node(self, stride: Cons<I, U>, modes: &A) -> Result<Self::Output, Fault> {
        self.head.node().compose_node(stride.head.node(), modes)?.then_tail(modes, self.tail, stride.tail)
    }
}

/// The modes of one leaf as a number or a tuple.
pub trait Finish {
    type Output;
    fn finish(self) -> Self::Output;
}
/// Most leaves become one mode.
impl<S, D, Carries> Finish for Walked<Cons<Mode<S, D>, Nil>, Carries> {
    type Output = Composed<S, D, Carries>;
    #[inline(always)]
    fn finish(self) -> Self::Output {
        let Mode { shape, stride } = self.out.head;
        Composed { shape, stride, carries: PhantomData }
    }
}
impl<M, N, T, Carries> Finish for Walked<Cons<M, Cons<N, T>>, Carries>
where
    Cons<M, Cons<N, T>>: ReverseOnto<Nil, Output: IntoTrees>,
{
    type Output = Composed<
        <<Cons<M, Cons<N, T>> as ReverseOnto<Nil>>::Output as IntoTrees>::Shape,
        <<Cons<M, Cons<N, T>> as ReverseOnto<Nil>>::Output as IntoTrees>::Stride,
        Carries,
    >;
    #[inline(always)]
    fn finish(self) -> Self::Output {
        let (shape, stride) = self.out.reverse_onto(Nil).into_trees();
        Composed { shape, stride, carries: PhantomData }
    }
}
impl<R> Finish for Undefined<R> {
    type Output = Self;
    #[inline(always)]
    fn finish(self) -> Self {
        self
    }
}

/// The head is composed; now the tail of `B`, shape `T` and stride `U`.
pub trait ThenTail<A, T, U> {
    type Output;
    fn then_tail(self, modes: &A, shape: T, stride: U) -> Result<Self::Output, Fault>;
}
impl<A, T, U, S: Untangle, D: Untangle, Carries> ThenTail<A, T, U> for Composed<S, D, Carries>
where
    T: ComposeNode<A, U, Carries, Output: BeforeTail<S::Tree, D::Tree>>,
{
    type Output = <T::Output as BeforeTail<S::Tree, D::Tree>>::Output;
    #[inline(always)]
    fn then_tail(self, modes: &A, shape: T, stride: U) -> Result<Self::Output, Fault> {
        Ok(shape.compose_node(stride, modes)?.before_tail(self.shape.tree(), self.stride.tree()))
    }
}
impl<A, T, U, R> ThenTail<A, T, U> for Undefined<R> {
    type Output = Self;
    #[inline(always)]
    fn then_tail(self, _: &A, _: T, _: U) -> Result<Self, Fault> {
        Ok(self)
    }
}

/// Puts the composed head `S:D` before the composed tail `self`.
pub trait BeforeTail<S, D> {
    type Output;
    fn before_tail(self, shape: S, stride: D) -> Self::Output;
}
impl<S, D, ST, DT, Carries> BeforeTail<S, D> for Composed<ST, DT, Carries> {
    type Output = Composed<Cons<S, ST>, Cons<D, DT>, Carries>;
    #[inline(always)]
    fn before_tail(self, shape: S, stride: D) -> Self::Output {
        Composed {
            shape: Cons { head: shape, tail: self.shape },
            stride: Cons { head: stride, tail: self.stride },
            carries: PhantomData,
        }
    }
}
impl<S, D, R> BeforeTail<S, D> for Undefined<R> {
    type Output = Self;
    #[inline(always)]
    fn before_tail(self, _: S, _: D) -> Self {
        self
    }
}
