//! `R = A o B`: `R(c) == A(B(c))` for every coordinate `c` of `B`, and `B`'s shape is compatible with `R`'s. Exact:
//! there is an answer if and only if such an `R` exists (up to accidental cancellations of strides).
//!
//! `A` is coalesced first, its last mode made unbounded. Every leaf of `B` steps through the modes of `A` by itself
//! ([`StepThrough`]) and becomes a number or a tuple in its place; the carries go from leaf to leaf.

use core::marker::PhantomData;

use typenum::{UInt, UTerm};

use crate::algebra::coalesce::{Merging, NoEnd};
use crate::algebra::compose::carry::ModesAndCarries;
use crate::algebra::compose::one_mode::{BehindMode, CarryOf, InUnits, StepsOut};
use crate::algebra::compose::step_through::StepThrough;
use crate::algebra::mode::{Composed, End, LastFirst, Mode, ModesOnto};
use crate::algebra::operation;
use crate::algebra::outcome::Defined;
use crate::error::Fault;
use crate::layout::strided::StridedLayout;
use crate::list::{Cons, Leaf, Nested, Nil};
use crate::number::int::{One, Zero};
use crate::number::multiple::Multiple;

use crate::refusal::undefined::Undefined;
use crate::refusal::{
    Carry, DynamicExtent, DynamicRightExtent, DynamicStep, Empty, EmptyRight, Explain, Overshoot, Steps, TooManyModes,
};
use crate::tuple::int_tuple::IntTuple;

/// Compositions with these right operands, `ST:DT` inside, of these operations.
macro_rules! compositions {
    ($([$($generic:tt)*] $right:ty: $operation:ty, $how:ty;)*) => {
        $(impl<S: IntTuple, D: IntTuple, ST: IntTuple, DT: IntTuple, $($generic)*>
            $crate::algebra::operation::Apply<$operation, StridedLayout<S, D>> for $right
        where
            StridedLayout<S, D>: $crate::algebra::compose::composition::ComposeNodes<ST::Node, DT::Node, $how>,
        {
            type Output = <StridedLayout<S, D> as $crate::algebra::compose::composition::ComposeNodes<
                ST::Node,
                DT::Node,
                $how,
            >>::Output;
            #[inline]
            fn apply(self, left: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
                let (shape, stride) = self.into_parts();
                left.compose_nodes(shape.node(), stride.node())
            }
        })*
    };
}
compositions! { [] StridedLayout<ST, DT>: operation::Compose, ByRule; }

/// Composition by the rule for natural strides on the right.
pub struct ByRule;
/// The layout `self` composed with a right operand taken apart, shape `S` and stride `D`: [`Defined`] or [`Undefined`].
pub trait ComposeNodes<S, D, How = ByRule> {
    type Output;
    fn compose_nodes(self, shape: S, stride: D) -> Result<Self::Output, Fault>;
}
impl<SA: IntTuple, DA: IntTuple, S, D> ComposeNodes<S, D, ByRule> for StridedLayout<SA, DA>
where
    SA::Node: ModesOnto<DA::Node, NoEnd, Merging, Output: NoCarries>,
    S: ComposeNode<LeftModes<SA, DA>, D, <LeftModes<SA, DA> as NoCarries>::Output>,
{
    type Output = S::Output;
    #[inline]
    fn compose_nodes(self, shape: S, stride: D) -> Result<Self::Output, Fault> {
        let (left_shape, left_stride) = self.into_parts();
        let modes = left_shape.node().modes_onto(left_stride.node(), NoEnd)?;
        modes.refuse_empty(0)?;
        shape.compose_node(stride, &modes)
    }
}

/// The modes of a left operand: coalesced, the last one unbounded.
pub type LeftModes<S, D> = <<S as Nested>::Node as ModesOnto<<D as Nested>::Node, NoEnd, Merging>>::Output;

/// A carry of 0 for every mode but the last.
pub trait NoCarries {
    type Output;
    /// No carry, not even 0, is below an extent that is 0 at run time.
    fn refuse_empty(&self, mode: usize) -> Result<(), Fault>;
}
/// Modes of these strides: digits of steps are carried from all but the last, which never ends.
macro_rules! no_carries {
    ($([$($generic:ident)*] $stride:ty;)*) => { $(
        impl<S, $($generic),*> $crate::algebra::compose::composition::NoCarries
            for $crate::list::Cons<$crate::algebra::mode::Mode<S, $stride>, $crate::list::Nil>
        {
            type Output = $crate::list::Nil;
            #[inline(always)]
            fn refuse_empty(&self, _: usize) -> Result<(), $crate::error::Fault> {
                Ok(())
            }
        }
        $crate::algebra::compose::composition::no_carries! {
            @bounded [$($generic)*] $stride, $crate::number::int::Zero
        }
        impl<S, E, $($generic),*> $crate::algebra::compose::digits::SplitStep<E>
            for $crate::list::Cons<$crate::algebra::mode::Mode<S, $stride>, $crate::list::Nil>
        where
            E: $crate::number::int::StaticInt + $crate::number::table::Times<$stride>,
        {
            type Output = $crate::algebra::compose::digits::StepDigits<
                $crate::list::Nil,
                $crate::algebra::compose::digits::Endless,
                E::Output,
            >;
            #[inline]
            fn split_step(&self) -> Result<Self::Output, $crate::error::Fault> {
                let stride = E::default().times(&self.head.stride)?;
                Ok($crate::algebra::compose::digits::StepDigits::to(stride))
            }
        }
    )* };
    (@bounded [$($generic:ident)*] $stride:ty, $carry:ty) => {
        impl<S: $crate::number::table::Number, M, T, $($generic),*> $crate::algebra::compose::composition::NoCarries
            for $crate::list::Cons<$crate::algebra::mode::Mode<S, $stride>, $crate::list::Cons<M, T>>
        where
            $stride: $crate::number::table::Number,
            $crate::list::Cons<M, T>: $crate::algebra::compose::composition::NoCarries,
        {
            type Output = $crate::list::Cons<
                $carry,
                <$crate::list::Cons<M, T> as $crate::algebra::compose::composition::NoCarries>::Output,
            >;
            #[inline(always)]
            fn refuse_empty(&self, mode: usize) -> Result<(), $crate::error::Fault> {
                let $crate::algebra::mode::Mode { shape, stride } = self.head;
                if shape.get() == 0 {
                    let stride = $crate::number::table::Number::get(stride);
                    return Err($crate::error::Fault::Carry { sum: 0, mode, extent: 0, stride });
                }
                self.tail.refuse_empty(mode + 1)
            }
        }
    };
}
pub(crate) use no_carries;
no_carries! { [] UTerm; [U B] UInt<U, B>; [] usize; [Factor] Multiple<Factor>; }

/// The modes `A` composed with the shape `self` and the stride `D`, both nodes: [`Defined`] or [`Undefined`].
pub trait ComposeNode<A, D, Carries> {
    type Output;
    fn compose_node(self, stride: D, modes: &A) -> Result<Self::Output, Fault>;
}
cases! { ComposeNode::compose_node -> Result<Self::Output, Fault>:
    [A, D, Carries] Leaf<One>, A, Leaf<D>, Carries => Defined<One, Zero>,
        (self, _: Leaf<D>, _: &A) => Ok(Defined { shape: self.0, stride: UTerm });
    [A, D, Carries] Leaf<Zero>, A, Leaf<D>, Carries => Undefined<EmptyRight>,
        (self, _: Leaf<D>, _: &A) => Ok(Undefined::new());
}
macro_rules! compose_leaf {
    ($([$($generic:ident)*] $extent:ty;)*) => {
        $(impl<A, D, Carries, $($generic),*> ComposeNode<A, Leaf<D>, Carries> for Leaf<$extent>
        where
            A: StepThrough<$extent, D, End, Carries, Output: Finish>,
        {
            type Output = <A::Output as Finish>::Output;
            #[inline]
            fn compose_node(self, stride: Leaf<D>, modes: &A) -> Result<Self::Output, Fault> {
                Ok(modes.step_through(self.0, stride.0, End)?.finish())
            }
        })*
    };
}
compose_leaf! { [U A2 B] UInt<UInt<U, A2>, B>; [] usize; [Factor] Multiple<Factor>; }
impl<A, D, U, Carries, H, T> ComposeNode<A, Cons<D, U>, Carries> for Cons<H, T>
where
    H: ComposeItems<A, D, T, U, Carries, End>,
{
    type Output = H::Output;
    #[inline]
    fn compose_node(self, stride: Cons<D, U>, modes: &A) -> Result<Self::Output, Fault> {
        self.head.compose_items(self.tail, stride, modes, End)
    }
}

/// The modes of one leaf as a number or a tuple.
pub trait Finish {
    type Output;
    fn finish(self) -> Self::Output;
}
// Most leaves become one mode.
cases! { Finish::finish -> Self::Output:
    [S, D, Carries] ModesAndCarries<Cons<Mode<S, D>, End>, Carries> => Defined<S, D>, (self) => {
        let Mode { shape, stride } = self.out.head;
        Defined { shape, stride }
    };
    [M, N, T, Carries] ModesAndCarries<Cons<M, Cons<N, T>>, Carries> where (Cons<M, Cons<N, T>>: LastFirst<Carries>)
        => <Cons<M, Cons<N, T>> as LastFirst<Carries>>::Output,
        (self) => self.out.last_first();
    [R] Undefined<R> => Self, (self) => self;
}

/// The modes `A` composed with a list: its first item, shape `self` and stride `D`, and the items behind it, the shapes
/// `T` and the strides `U`. The result is a tuple, with the modes `Out` in front, the last of which comes first: that
/// of [`LastFirst`], or [`Undefined`].
///
/// Each kind of item steps through the modes at once: every function between would cost the compiler as much again.
pub trait ComposeItems<A, D, T, U, Carries, Out> {
    type Output;
    fn compose_items(self, shape: T, stride: Cons<D, U>, modes: &A, out: Out) -> Result<Self::Output, Fault>;
}
impl<A, D, H, T, E, U, Carries, Out> ComposeItems<A, D, Cons<H, T>, Cons<E, U>, Carries, Out> for One
where
    H: ComposeItems<A, E, T, U, Carries, Cons<Mode<One, Zero>, Out>>,
{
    type Output = H::Output;
    #[inline]
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
    Cons<Mode<One, Zero>, Out>: LastFirst<Carries>,
{
    type Output = <Cons<Mode<One, Zero>, Out> as LastFirst<Carries>>::Output;
    #[inline]
    fn compose_items(self, _: Nil, _: Cons<D, Nil>, _: &A, out: Out) -> Result<Self::Output, Fault> {
        let head = Mode { shape: self, stride: UTerm };
        Ok(Cons { head, tail: out }.last_first())
    }
}
impl<A, D, T, U, Carries, Out> ComposeItems<A, D, T, U, Carries, Out> for Zero {
    type Output = Undefined<EmptyRight>;
    #[inline]
    fn compose_items(self, _: T, _: Cons<D, U>, _: &A, _: Out) -> Result<Self::Output, Fault> {
        Ok(Undefined::new())
    }
}
macro_rules! compose_numbers {
    ($([$($generic:ident)*] $extent:ty;)*) => {
        $(impl<A, D, T, U, Carries, Out, $($generic),*> ComposeItems<A, D, T, U, Carries, Out> for $extent
        where
            A: StepThrough<$extent, D, Nil, Carries, Output: ThenItems<A, T, U, Out>>,
        {
            type Output = <A::Output as ThenItems<A, T, U, Out>>::Output;
            #[inline]
            fn compose_items(self, shape: T, stride: Cons<D, U>, modes: &A, out: Out) -> Result<Self::Output, Fault> {
                modes.step_through(self, stride.head, Nil)?.then_items(modes, shape, stride.tail, out)
            }
        })*
    };
}
compose_numbers! { [V A2 B] UInt<UInt<V, A2>, B>; [] usize; [Factor] Multiple<Factor>; }
macro_rules! compose_tuples {
    ($($Item:ident $item:ident)+) => {
        impl<Left, Stride: IntTuple, Tail, Strides, Carries, Out, $($Item),+>
            ComposeItems<Left, Stride, Tail, Strides, Carries, Out> for ($($Item,)+)
        where
            list!($($Item)+): ComposeList<Left, Stride::Node, Carries, Output: ThenItems<Left, Tail, Strides, Out>>,
        {
            type Output = <<list!($($Item)+) as ComposeList<Left, Stride::Node, Carries>>::Output as ThenItems<
                Left,
                Tail,
                Strides,
                Out,
            >>::Output;
            #[inline]
            fn compose_items(
                self,
                shape: Tail,
                stride: Cons<Stride, Strides>,
                modes: &Left,
                out: Out,
            ) -> Result<Self::Output, Fault> {
                self.node().compose_list(stride.head.node(), modes)?.then_items(modes, shape, stride.tail, out)
            }
        }
    };
}
each_arity!(compose_tuples);

/// [`ComposeItems`] of a list of its own: [`Composed`] or [`Undefined`].
pub trait ComposeList<A, D, Carries> {
    type Output;
    fn compose_list(self, stride: D, modes: &A) -> Result<Self::Output, Fault>;
}
impl<A, D, U, Carries, H, T> ComposeList<A, Cons<D, U>, Carries> for Cons<H, T>
where
    H: ComposeItems<A, D, T, U, Carries, Nil>,
{
    type Output = H::Output;
    #[inline]
    fn compose_list(self, stride: Cons<D, U>, modes: &A) -> Result<Self::Output, Fault> {
        self.head.compose_items(self.tail, stride, modes, Nil)
    }
}

/// An item is composed, `self`; now the items behind it, the shapes `T` and the strides `U`.
pub trait ThenItems<A, T, U, Out> {
    type Output;
    fn then_items(self, modes: &A, shape: T, stride: U, out: Out) -> Result<Self::Output, Fault>;
}
cases! { ThenItems::then_items -> Result<Self::Output, Fault>:
    [A, Out, R] Undefined<R>, A, Nil, Nil, Out => Self, (self, _: &A, _: Nil, _: Nil, _: Out) => Ok(self);
    [A, H, T, D, U, Out, R: BeforeItems<A, Cons<H, T>, Cons<D, U>>] Undefined<R>, A, Cons<H, T>, Cons<D, U>, Out
        => Undefined<R::Output>,
        (self, _: &A, _: Cons<H, T>, _: Cons<D, U>, _: Out) => Ok(Undefined::new());
    // A leaf that became several modes.
    [A, T, U, Out, M, N, L, Carries] ModesAndCarries<Cons<M, Cons<N, L>>, Carries>, A, T, U, Out
        where (Cons<M, Cons<N, L>>: LastFirst<Carries, Output: ThenItems<A, T, U, Out>>)
        => <<Cons<M, Cons<N, L>> as LastFirst<Carries>>::Output as ThenItems<A, T, U, Out>>::Output,
        (self, modes: &A, shape: T, stride: U, out: Out) => self.out.last_first().then_items(modes, shape, stride, out);
}
macro_rules! then_items {
    ($item:ty, |$self:ident| $mode:expr) => {
        impl<A, H, T, D, U, Out, E, F, Carries> ThenItems<A, Cons<H, T>, Cons<D, U>, Out> for $item
        where
            H: ComposeItems<A, D, T, U, Carries, Cons<Mode<E, F>, Out>>,
        {
            type Output = H::Output;
            #[inline]
            fn then_items(
                $self,
                modes: &A,
                shape: Cons<H, T>,
                stride: Cons<D, U>,
                out: Out,
            ) -> Result<Self::Output, Fault> {
                shape.head.compose_items(shape.tail, stride, modes, Cons { head: $mode, tail: out })
            }
        }
        impl<A, Out, E, F, Carries> ThenItems<A, Nil, Nil, Out> for $item
        where
            Cons<Mode<E, F>, Out>: LastFirst<Carries>,
        {
            type Output = <Cons<Mode<E, F>, Out> as LastFirst<Carries>>::Output;
            #[inline]
            fn then_items($self, _: &A, _: Nil, _: Nil, out: Out) -> Result<Self::Output, Fault> {
                Ok(Cons { head: $mode, tail: out }.last_first())
            }
        }
    };
}
// A leaf that became one mode, and a tuple.
then_items! { ModesAndCarries<Cons<Mode<E, F>, Nil>, Carries>, |self| self.out.head }
then_items! { Composed<E, F, Carries>, |self| Mode { shape: self.shape, stride: self.stride } }

// ---- the reason of several ----------------------------------------------------------------------------------------

/// The reason `self` before the items `T:U`: [`OrLater`], if it may be about digits.
pub trait BeforeItems<A, T, U> {
    type Output;
}
cases! { BeforeItems:
    [Sum, X, D, A, T, U] Carry<Sum, X, D>, A, T, U => OrLater<Self, A, T, U>;
    [B, N, E, R, A, T, U] CarryOf<B, N, E, R>, A, T, U => OrLater<Self, A, T, U>;
    [R, S, A, T, U] BehindMode<R, S>, A, T, U => OrLater<Self, A, T, U>;
    [R, B, V, W, A, T, U] OrLater<R, B, V, W>, A, T, U => OrLater<Self, A, T, U>;
    [N, E, Count, X, D, A, T, U] Steps<N, E, Count, X, D>, A, T, U => Self;
    [B, N, E, Limit, Digits, A, T, U] StepsOut<B, N, E, Limit, Digits>, A, T, U => Self;
    [E, A, T, U] DynamicExtent<E>, A, T, U => Self;
    [E, X, A, T, U] DynamicRightExtent<E, X>, A, T, U => Self;
    [X, A, T, U] DynamicStep<X>, A, T, U => Self;
    [A, T, U] Empty, A, T, U => Self;
    [A, T, U] EmptyRight, A, T, U => Self;
    [Modes, A, T, U] TooManyModes<Modes>, A, T, U => Self;
}

/// The reason `R` for which an item is refused, before the items `T:U`. Steps that do not divide a mode come before
/// digits that add up, wherever the two are: if `R` is about digits, and one of the items behind has such steps by
/// itself, that is the reason. Asked only for a message.
pub struct OrLater<R, A, T, U>(PhantomData<(R, A, T, U)>);
impl<Op, R, A, T, U> Explain<Op> for OrLater<R, A, T, U> where
    R: InUnits<One, Output: LaterThan<A, T, U, Output: Explain<Op>>>
{
}
impl<R, A, T, U, S> InUnits<S> for OrLater<R, A, T, U>
where
    R: InUnits<One, Output: LaterThan<A, T, U, Output: InUnits<S>>>,
{
    type Output = <<R::Output as LaterThan<A, T, U>>::Output as InUnits<S>>::Output;
}

/// The reason `self`, or if that is about digits the steps of one of the items `T:U`.
pub trait LaterThan<A, T, U> {
    type Output;
}
cases! { LaterThan:
    [Sum, X, D, A, T: LaterSteps<A, U, Self>, U] Carry<Sum, X, D>, A, T, U => T::Output;
    [Step, X, D, A, T: LaterSteps<A, U, Self>, U] Overshoot<Step, X, D>, A, T, U => T::Output;
    [N, E, Count, X, D, A, T, U] Steps<N, E, Count, X, D>, A, T, U => Self;
    [B, N, E, Limit, Digits, A, T, U] StepsOut<B, N, E, Limit, Digits>, A, T, U => Self;
    [E, A, T, U] DynamicExtent<E>, A, T, U => Self;
    [E, X, A, T, U] DynamicRightExtent<E, X>, A, T, U => Self;
    [X, A, T, U] DynamicStep<X>, A, T, U => Self;
    [A, T, U] Empty, A, T, U => Self;
    [A, T, U] EmptyRight, A, T, U => Self;
    [Modes, A, T, U] TooManyModes<Modes>, A, T, U => Self;
}

/// Steps of one of the items `self:U` that do not divide it, or else the reason `R`.
pub trait LaterSteps<A, U, R> {
    type Output;
}
cases! { LaterSteps:
    [A, R] Nil, A, Nil, R => R;
    [A: NoCarries, H, T, D, U, R] Cons<H, T>, A, Cons<D, U>, R
        where (H: ComposeItems<A, D, T, U, A::Output, Nil, Output: StepsOr<R>>)
        => <<H as ComposeItems<A, D, T, U, A::Output, Nil>>::Output as StepsOr<R>>::Output;
}
/// The reason of what was composed by itself, `self`, if that is about steps, or else `R`.
pub trait StepsOr<R> {
    type Output;
}
cases! { StepsOr:
    [S, D, Carries, R] Composed<S, D, Carries>, R => R;
    [Q: InUnits<One, Output: StepsOr<R>>, R] Undefined<Q>, R => <Q::Output as StepsOr<R>>::Output;
    [N, E, Count, X, D, R] Steps<N, E, Count, X, D>, R => Self;
    [B, N, E, Limit, Digits, R] StepsOut<B, N, E, Limit, Digits>, R => Self;
    [Sum, X, D, R] Carry<Sum, X, D>, R => R;
    [Step, X, D, R] Overshoot<Step, X, D>, R => R;
    [E, R] DynamicExtent<E>, R => R;
    [E, X, R] DynamicRightExtent<E, X>, R => R;
    [X, R] DynamicStep<X>, R => R;
    [R] Empty, R => R;
    [R] EmptyRight, R => R;
    [Modes, R] TooManyModes<Modes>, R => R;
}
