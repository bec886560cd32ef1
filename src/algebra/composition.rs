//! `R = A o B`: `R(c) == A(B(c))` for every coordinate `c` of `B`, and `B`'s shape is compatible with `R`'s. Exact: there is an
//! answer if and only if such an `R` exists (up to accidental cancellations of strides).
//!
//! `A` is coalesced first, its last mode made unbounded. Every leaf of `B` walks through the modes of `A` by itself ([`Walk`])
//! and becomes a number or a tuple in its place; the carries go from leaf to leaf.

use core::marker::PhantomData;

use typenum::{UInt, UTerm};

use crate::algebra::by_mode::Apply;
use crate::algebra::coalesce::{Merging, NoEnd};
use crate::algebra::modes::{LastFirst, Mode, ModesOnto};
use crate::algebra::operation::{self, binary};
use crate::algebra::walk::{Walk, Walked};
use crate::error::Fault;
use crate::int::{One, Zero};
use crate::multiple::Multiple;
use crate::number::Number;
use crate::refusal::EmptyRight;
use crate::strided::StridedLayout;
use crate::tuple::{Cons, Leaf, Nested, Nil};
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
    S::Node: ModesOnto<D::Node, NoEnd, Merging>,
{
    type Output = <S::Node as ModesOnto<D::Node, NoEnd, Merging>>::Output;
    #[inline(always)]
    fn left_modes(self) -> Result<Self::Output, Fault> {
        let (shape, stride) = self.into_parts();
        shape.node().modes_onto(stride.node(), NoEnd)
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
impl<S, D, Carries> Close for Composed<S, D, Carries> {
    type Output = Defined<S, D>;
    #[inline(always)]
    fn close(self) -> Self::Output {
        Defined { shape: self.shape, stride: self.stride }
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

/// The modes `A` composed with the shape `self` and the stride `D`, both nodes: [`Composed`] or [`Undefined`].
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
impl<A, D, U, Carries, H, T> ComposeNode<A, Cons<D, U>, Carries> for Cons<H, T>
where
    H: ComposeItems<A, D, T, U, Carries, Nil>,
{
    type Output = H::Output;
    #[inline(always)]
    fn compose_node(self, stride: Cons<D, U>, modes: &A) -> Result<Self::Output, Fault> {
        self.head.compose_items(self.tail, stride, modes, Nil)
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
    Cons<M, Cons<N, T>>: LastFirst,
{
    type Output =
        Composed<<Cons<M, Cons<N, T>> as LastFirst>::Shape, <Cons<M, Cons<N, T>> as LastFirst>::Stride, Carries>;
    #[inline(always)]
    fn finish(self) -> Self::Output {
        let (shape, stride) = self.out.last_first();
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

/// The modes `A` composed with a list: its first item, shape `self` and stride `D`, and the items behind it, the shapes `T` and the strides
/// `U`. The result is a tuple, with the modes `Out` in front, the last of which comes first: [`Composed`] or [`Undefined`].
///
/// Each kind of item walks at once: every function between would cost the compiler as much as a walk.
pub trait ComposeItems<A, D, T, U, Carries, Out> {
    type Output;
    fn compose_items(self, shape: T, stride: Cons<D, U>, modes: &A, out: Out) -> Result<Self::Output, Fault>;
}
impl<A, D, H, T, E, U, Carries, Out> ComposeItems<A, D, Cons<H, T>, Cons<E, U>, Carries, Out> for One
where
    H: ComposeItems<A, E, T, U, Carries, Cons<Mode<One, Zero>, Out>>,
{
    type Output = H::Output;
    #[inline(always)]
    fn compose_items(
        self,
        shape: Cons<H, T>,
        stride: Cons<D, Cons<E, U>>,
        modes: &A,
        out: Out,
    ) -> Result<Self::Output, Fault> {
        let head = Mode { shape: self, stride: UTerm };
        shape.head.compose_items(shape.tail, stride.tail, modes, Cons { head, tail: out })
    }
}
impl<A, D, Carries, Out> ComposeItems<A, D, Nil, Nil, Carries, Out> for One
where
    Cons<Mode<One, Zero>, Out>: LastFirst,
{
    type Output = Composed<
        <Cons<Mode<One, Zero>, Out> as LastFirst>::Shape,
        <Cons<Mode<One, Zero>, Out> as LastFirst>::Stride,
        Carries,
    >;
    #[inline(always)]
    fn compose_items(self, _: Nil, _: Cons<D, Nil>, _: &A, out: Out) -> Result<Self::Output, Fault> {
        let head = Mode { shape: self, stride: UTerm };
        let (shape, stride) = Cons { head, tail: out }.last_first();
        Ok(Composed { shape, stride, carries: PhantomData })
    }
}
impl<A, D, T, U, Carries, Out> ComposeItems<A, D, T, U, Carries, Out> for Zero {
    type Output = Undefined<EmptyRight>;
    #[inline(always)]
    fn compose_items(self, _: T, _: Cons<D, U>, _: &A, _: Out) -> Result<Self::Output, Fault> {
        Ok(Undefined::new())
    }
}
macro_rules! compose_numbers {
    ($([$($generic:ident)*] $extent:ty;)*) => {
        $(impl<A, D, T, U, Carries, Out, $($generic),*> ComposeItems<A, D, T, U, Carries, Out> for $extent
        where
            A: Walk<$extent, D, Nil, Carries, Output: ThenItems<A, T, U, Out>>,
        {
            type Output = <A::Output as ThenItems<A, T, U, Out>>::Output;
            #[inline(always)]
            fn compose_items(self, shape: T, stride: Cons<D, U>, modes: &A, out: Out) -> Result<Self::Output, Fault> {
                modes.walk(self, stride.head, Nil)?.then_items(modes, shape, stride.tail, out)
            }
        })*
    };
}
compose_numbers! { [V A2 B] UInt<UInt<V, A2>, B>; [] usize; [Factor] Multiple<Factor>; }
macro_rules! compose_tuples {
    ($($Item:ident $item:ident)+) => {
        impl<Left, Stride: Nested, Tail, Strides, Carries, Out, $($Item),+>
            ComposeItems<Left, Stride, Tail, Strides, Carries, Out> for ($($Item,)+)
        where
            list!($($Item)+): ComposeNode<Left, Stride::Node, Carries, Output: ThenItems<Left, Tail, Strides, Out>>,
        {
            type Output = <<list!($($Item)+) as ComposeNode<Left, Stride::Node, Carries>>::Output as ThenItems<
                Left,
                Tail,
                Strides,
                Out,
            >>::Output;
            #[inline(always)]
            fn compose_items(
                self,
                shape: Tail,
                stride: Cons<Stride, Strides>,
                modes: &Left,
                out: Out,
            ) -> Result<Self::Output, Fault> {
                self.node().compose_node(stride.head.node(), modes)?.then_items(modes, shape, stride.tail, out)
            }
        }
    };
}
each_arity!(compose_tuples);

/// An item is composed, `self`; now the items behind it, the shapes `T` and the strides `U`.
pub trait ThenItems<A, T, U, Out> {
    type Output;
    fn then_items(self, modes: &A, shape: T, stride: U, out: Out) -> Result<Self::Output, Fault>;
}
impl<A, T, U, Out, R> ThenItems<A, T, U, Out> for Undefined<R> {
    type Output = Self;
    #[inline(always)]
    fn then_items(self, _: &A, _: T, _: U, _: Out) -> Result<Self, Fault> {
        Ok(self)
    }
}
/// A list of modes, the last one first, as one mode.
type TupleMode<L> = Mode<<L as LastFirst>::Shape, <L as LastFirst>::Stride>;
macro_rules! then_items {
    ($([$($generic:ident)*] $item:ty => $mode:ty $(, $list:ty)?; |$self:ident| $value:expr;)*) => {
        $(impl<A, H, T, D, U, Out, Carries, $($generic),*> ThenItems<A, Cons<H, T>, Cons<D, U>, Out> for $item
        where
            $($list: LastFirst,)?
            H: ComposeItems<A, D, T, U, Carries, Cons<$mode, Out>>,
        {
            type Output = H::Output;
            #[inline(always)]
            fn then_items($self, modes: &A, shape: Cons<H, T>, stride: Cons<D, U>, out: Out) -> Result<Self::Output, Fault> {
                shape.head.compose_items(shape.tail, stride, modes, Cons { head: $value, tail: out })
            }
        }
        impl<A, Out, Carries, $($generic),*> ThenItems<A, Nil, Nil, Out> for $item
        where
            $($list: LastFirst,)?
            Cons<$mode, Out>: LastFirst,
        {
            type Output =
                Composed<<Cons<$mode, Out> as LastFirst>::Shape, <Cons<$mode, Out> as LastFirst>::Stride, Carries>;
            #[inline(always)]
            fn then_items($self, _: &A, _: Nil, _: Nil, out: Out) -> Result<Self::Output, Fault> {
                let (shape, stride) = Cons { head: $value, tail: out }.last_first();
                Ok(Composed { shape, stride, carries: PhantomData })
            }
        })*
    };
}
// A leaf that became one mode, a leaf that became several, a tuple.
then_items! {
    [E F] Walked<Cons<Mode<E, F>, Nil>, Carries> => Mode<E, F>; |self| self.out.head;
    [M N L] Walked<Cons<M, Cons<N, L>>, Carries> => TupleMode<Cons<M, Cons<N, L>>>, Cons<M, Cons<N, L>>; |self| {
        let (shape, stride) = self.out.last_first();
        Mode { shape, stride }
    };
    [E F] Composed<E, F, Carries> => Mode<E, F>; |self| Mode { shape: self.shape, stride: self.stride };
}
