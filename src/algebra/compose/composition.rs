//! `R = A o B`: `R(c) == A(B(c))` for every coordinate `c` of `B`, and `B`'s shape is compatible
//! with `R`'s. Exact: there is an answer if and only if such an `R` exists (up to accidental
//! cancellations of strides).
//!
//! 1. Coalesce `A` into modes `s:d`. The last is unbounded.
//! 2. A leaf `n:e` of `B` is split over these modes, beginning at the first:
//!
//! ```text
//! s divides e   the step passes whole modes of extent s: continue behind it with n:(e/s)
//! (n-1)*e < s   all n steps stay within this mode: the result has the mode n:(e*d)
//! e divides s   s/e steps stay within, and divide n: (s/e):(e*d), then n/(s/e) steps of 1 behind it
//! otherwise     the step has digits in several modes: the general rule, by long division (`digits`)
//! ```
//!
//! 3. In each mode of `A` but the last, the digits of all leaves of `B` must add up to less than
//!    the extent; otherwise `A(x + y) == A(x) + A(y)` would fail. That sum, kept for each mode, is
//!    the *carry*.
//! 4. A leaf of extent 1 becomes `1:0`.

use typenum::{Equal, Greater, Less, UInt, UTerm};

use crate::algebra::coalesce::{Merging, NoEnd};
use crate::algebra::compose::digits::General;
use crate::algebra::mode::{LastFirst, Mode, ModesOnto, Stepped};
use crate::algebra::operation;
use crate::algebra::outcome::{Apply, Defined};
use crate::error::Fault;
use crate::layout::strided::StridedLayout;
use crate::list::{Cons, Leaf, Nested, Nil};
use crate::number::int::{
    AddInt, MulInt, NotExact, One, Order, QuotientInt, StaticInt, SubInt, Zero,
};
use crate::number::multiple::Multiple;
use crate::number::table::{Number, Times, Unknown};
use crate::reasons::undefined::Undefined;
use crate::reasons::{
    Carry, DynamicExtent, DynamicRightExtent, DynamicStep, Empty, EmptyRight, Steps,
};
use crate::tuple::int_tuple::IntTuple;

cases! { Apply::apply -> Result<Self::Output, Fault>:
    [S: IntTuple, D: IntTuple, ST: IntTuple, DT: IntTuple]
        StridedLayout<ST, DT>, operation::Compose, StridedLayout<S, D>
        where (S::Node: ModesOnto<D::Node, NoEnd, Merging, Output: ComposeNodes<ST::Node, DT::Node>>)
        => <LeftModes<S, D> as ComposeNodes<ST::Node, DT::Node>>::Output, (self, left: StridedLayout<S, D>) => {
        let (shape, stride) = self.into_parts();
        left_modes(left)?.compose_nodes(shape.node(), stride.node())
    };
}

// ---- 1. the left operand ------------------------------------------------------------------------

/// The modes of a left operand: coalesced, the last one unbounded.
pub type LeftModes<S, D> =
    <<S as Nested>::Node as ModesOnto<<D as Nested>::Node, NoEnd, Merging>>::Output;
#[inline]
pub(crate) fn left_modes<S: IntTuple, D: IntTuple>(
    layout: StridedLayout<S, D>,
) -> Result<LeftModes<S, D>, Fault>
where
    S::Node: ModesOnto<D::Node, NoEnd, Merging>,
{
    let (shape, stride) = layout.into_parts();
    shape.node().modes_onto(stride.node(), NoEnd)
}

/// The modes `self` of a left operand composed with a right operand as nodes, shape `S` and stride
/// `D`: [`Defined`] or [`Undefined`].
pub trait ComposeNodes<S, D> {
    type Output;
    fn compose_nodes(self, shape: S, stride: D) -> Result<Self::Output, Fault>;
}
cases! { ComposeNodes::compose_nodes -> Result<Self::Output, Fault>:
    [M, T, S, D] Cons<M, T>, S, D
        where (Self: NoCarries, S: ComposeNode<Self, D, <Self as NoCarries>::Output, Output: CarryCheck<Self>>)
        => <<S as ComposeNode<Self, D, <Self as NoCarries>::Output>>::Output as CarryCheck<Self>>::Output,
        (self, shape: S, stride: D) => {
        self.refuse_empty(0)?;
        Ok(shape.compose_node(stride, &self)?.settle())
    };
}

/// A carry of 0 for every mode but the last.
pub trait NoCarries {
    type Output;
    /// Refuses an extent that is 0 at run time: no carry, not even 0, is below it.
    fn refuse_empty(&self, mode: usize) -> Result<(), Fault>;
}
cases! { NoCarries::refuse_empty -> Result<(), Fault>:
    [M] Cons<M, Nil> => Nil, (&self, _: usize) => Ok(());
    [S: Number, D: Number, M, T] Cons<Mode<S, D>, Cons<M, T>> where (Cons<M, T>: NoCarries)
        => Cons<Zero, <Cons<M, T> as NoCarries>::Output>, (&self, mode: usize) => {
        let Mode { shape, stride } = self.head;
        if shape.get() == 0 {
            return Err(Fault::Carry { sum: 0, mode, extent: 0, stride: stride.get() });
        }
        self.tail.refuse_empty(mode + 1)
    };
}

// ---- 2. the right operand, leaf by leaf ---------------------------------------------------------

/// The modes `A` composed with the shape `self` and the stride `D`, both nodes: [`Stepped`] or
/// [`Undefined`].
pub trait ComposeNode<A, D, Carries> {
    type Output;
    fn compose_node(self, stride: D, modes: &A) -> Result<Self::Output, Fault>;
}
cases! { ComposeNode::compose_node -> Result<Self::Output, Fault>:
    [A, N: ComposeItem<A, D, Carries>, D, Carries] Leaf<N>, A, Leaf<D>, Carries => N::Output,
        (self, stride: Leaf<D>, modes: &A) => self.0.compose_item(stride.0, modes);
    [A, H: ComposeItem<A, D, Carries, Output: ItemsBehind<A, T, U, Nil>>, T, D, U, Carries]
        Cons<H, T>, A, Cons<D, U>, Carries
        => <H::Output as ItemsBehind<A, T, U, Nil>>::Output, (self, stride: Cons<D, U>, modes: &A) =>
            self.head.compose_item(stride.head, modes)?.items_behind(self.tail, stride.tail, modes, Nil);
}

/// The modes `A` composed with one item, the shape `self` and the stride `D`: [`Stepped`] or
/// [`Undefined`].
pub trait ComposeItem<A, D, Carries> {
    type Output;
    fn compose_item(self, stride: D, modes: &A) -> Result<Self::Output, Fault>;
}
cases! { ComposeItem::compose_item -> Result<Self::Output, Fault>:
    [A, D, Carries] One, A, D, Carries => Stepped<Cons<Mode<One, Zero>, Nil>, Carries>,
        (self, _: D, _: &A) => Ok(Stepped::behind(Mode { shape: self, stride: UTerm }, Nil));
    [A, D, Carries] Zero, A, D, Carries => Undefined<EmptyRight>, (self, _: D, _: &A) => Ok(Undefined::new());
}
cases! { ComposeItem::compose_item -> Result<Self::Output, Fault>, for {
    [U V B] UInt<UInt<U, V>, B>; [] usize; [Factor] Multiple<Factor>;
}:
    [A: StepThrough<Self, D, Nil, Carries>, D, Carries] Self, A, D, Carries => A::Output,
        (self, stride: D, modes: &A) => modes.step_through(self, stride, Nil);
}
macro_rules! compose_tuples {
    ($($Item:ident $item:ident)+) => {
        impl<Left, Stride: IntTuple, Carries, $($Item),+> ComposeItem<Left, Stride, Carries> for ($($Item,)+)
        where
            list!($($Item)+): ComposeNode<Left, Stride::Node, Carries>,
        {
            type Output = <list!($($Item)+) as ComposeNode<Left, Stride::Node, Carries>>::Output;
            #[inline]
            fn compose_item(self, stride: Stride, modes: &Left) -> Result<Self::Output, Fault> {
                self.node().compose_node(stride.node(), modes)
            }
        }
    };
}
each_arity!(compose_tuples);

/// Composes the items behind an item, which became `self`: the shapes `T` and the strides `U`. The
/// results form one mode in front of the modes `Out`, in reverse order: [`Stepped`] or
/// [`Undefined`].
pub trait ItemsBehind<A, T, U, Out> {
    type Output;
    fn items_behind(self, shape: T, stride: U, modes: &A, out: Out) -> Result<Self::Output, Fault>;
}
cases! { ItemsBehind::items_behind -> Result<Self::Output, Fault>:
    [M, Carries, A, H, T, D, U, Out] Stepped<Cons<M, Nil>, Carries>, A, Cons<H, T>, Cons<D, U>, Out
        where (H: ComposeItem<A, D, Carries>, H::Output: ItemsBehind<A, T, U, Cons<M, Out>>)
        => <H::Output as ItemsBehind<A, T, U, Cons<M, Out>>>::Output,
        (self, shape: Cons<H, T>, stride: Cons<D, U>, modes: &A, out: Out) => {
        let out = Cons { head: self.out.head, tail: out };
        shape.head.compose_item(stride.head, modes)?.items_behind(shape.tail, stride.tail, modes, out)
    };
    [M, Carries, A, Out] Stepped<Cons<M, Nil>, Carries>, A, Nil, Nil, Out where (Cons<M, Out>: LastFirst<Carries>)
        => <Cons<M, Out> as LastFirst<Carries>>::Output,
        (self, _: Nil, _: Nil, _: &A, out: Out) => Ok(Cons { head: self.out.head, tail: out }.last_first());
    // The item became several modes.
    [M, N, L, Carries, A, T, U, Out] Stepped<Cons<M, Cons<N, L>>, Carries>, A, T, U, Out
        where (Cons<M, Cons<N, L>>: LastFirst<Carries, Output: ItemsBehind<A, T, U, Out>>)
        => <<Cons<M, Cons<N, L>> as LastFirst<Carries>>::Output as ItemsBehind<A, T, U, Out>>::Output,
        (self, shape: T, stride: U, modes: &A, out: Out) => self.out.last_first().items_behind(shape, stride, modes, out);
    [R, A, T, U, Out] Undefined<R>, A, T, U, Out => Self, (self, _: T, _: U, _: &A, _: Out) => Ok(self);
}

// ---- 2. a leaf, from mode to mode ---------------------------------------------------------------

/// `self`, modes of `A`, composed with `N:E` in front of the modes `Out`: [`Stepped`] or
/// [`Undefined`]. The rows for steps and extents known only at run time are in `run_time.rs`.
pub trait StepThrough<N, E, Out, Carries> {
    type Output;
    fn step_through(&self, extent: N, step: E, out: Out) -> Result<Self::Output, Fault>;
}
cases! { StepThrough::step_through -> Result<Self::Output, Fault>:
    // The last mode is unbounded.
    [S, D, N, E: Times<D>, Out] Cons<Mode<S, D>, Nil>, N, E, Out, Nil => Stepped<Cons<Mode<N, E::Output>, Out>, Nil>,
        (&self, extent: N, step: E, out: Out) =>
            Ok(Stepped::behind(Mode { shape: extent, stride: step.times(&self.head.stride)? }, out));
    // A step of 0 does not move.
    [L, M, T, N, Out, Carries] Cons<L, Cons<M, T>>, N, UTerm, Out, Carries
        => Stepped<Cons<Mode<N, Zero>, Out>, Carries>,
        (&self, extent: N, step: UTerm, out: Out) => Ok(Stepped::behind(Mode { shape: extent, stride: step }, out));
    // A step of 1 passes no mode: coalescing left no extent of 1.
    [V, C, D, M, T, N: Reach<One, Output: Order<UInt<V, C>>>, Out, Carries]
        Cons<Mode<UInt<V, C>, D>, Cons<M, T>>, N, One, Out, Carries
        where (<N::Output as Order<UInt<V, C>>>::Output: StepsWithinMode<Self, N, One, Out, Carries>)
        => <<N::Output as Order<UInt<V, C>>>::Output as StepsWithinMode<Self, N, One, Out, Carries>>::Output,
        (&self, extent: N, step: One, out: Out) =>
            <N::Output as Order<UInt<V, C>>>::Output::stay(self, extent, step, out);
    [V, C, D, M, T, N, U, A, B, Out, Carries]
        Cons<Mode<UInt<V, C>, D>, Cons<M, T>>, N, UInt<UInt<U, A>, B>, Out, Carries
        where (
            UInt<UInt<U, A>, B>: QuotientInt<UInt<V, C>>,
            <UInt<UInt<U, A>, B> as QuotientInt<UInt<V, C>>>::Output: StepPastMode<Self, N, UInt<UInt<U, A>, B>, Out, Carries>,
        )
        => <<UInt<UInt<U, A>, B> as QuotientInt<UInt<V, C>>>::Output
            as StepPastMode<Self, N, UInt<UInt<U, A>, B>, Out, Carries>>::Output,
        (&self, extent: N, step: UInt<UInt<U, A>, B>, out: Out) =>
            <UInt<UInt<U, A>, B> as QuotientInt<UInt<V, C>>>::Output::pass(self, extent, step, out);
    // A mode of extent 0 has no coordinate to step to.
    [D, M, T, N, U, B, Out, Carries] Cons<Mode<UTerm, D>, Cons<M, T>>, N, UInt<U, B>, Out, Carries
        => Undefined<Empty>, (&self, _: N, _: UInt<U, B>, _: Out) => Ok(Undefined::new());
}

/// Does the step pass the first of the modes `A`, of extent `s`? `self` is `e / s`.
pub trait StepPastMode<A, N, E, Out, Carries> {
    type Output;
    fn pass(modes: &A, extent: N, step: E, out: Out) -> Result<Self::Output, Fault>;
}
cases! { StepPastMode::pass -> Result<Self::Output, Fault>:
    [U, B, S, D, T: StepThrough<N, Self, Out, CT>, N, E, Out, C0, CT]
        UInt<U, B>, Cons<Mode<S, D>, T>, N, E, Out, Cons<C0, CT>
        where (Self: StaticInt, T::Output: BehindMode<S, C0>)
        => <T::Output as BehindMode<S, C0>>::Output, (modes: &Cons<Mode<S, D>, T>, extent: N, _: E, out: Out) =>
            Ok(modes.tail.step_through(extent, Self::default(), out)?.behind_mode());
    [S, D, T, N: Reach<E, Output: Order<S>>, E, Out, Carries] NotExact, Cons<Mode<S, D>, T>, N, E, Out, Carries
        where (<N::Output as Order<S>>::Output: StepsWithinMode<Cons<Mode<S, D>, T>, N, E, Out, Carries>)
        => <<N::Output as Order<S>>::Output as StepsWithinMode<Cons<Mode<S, D>, T>, N, E, Out, Carries>>::Output,
        (modes: &Cons<Mode<S, D>, T>, extent: N, step: E, out: Out) =>
            <N::Output as Order<S>>::Output::stay(modes, extent, step, out);
}

/// `(self - 1) * E`, the reach of `self` steps; `usize` if it is known only at run time.
pub trait Reach<E> {
    type Output;
}
cases! { Reach:
    [U, B] UInt<U, B>, One where (Self: SubInt<One>) => <Self as SubInt<One>>::Output;
    [U, B, V, A, C] UInt<U, B>, UInt<UInt<V, A>, C>
        where (Self: MulInt<UInt<UInt<V, A>, C>, Output: SubInt<UInt<UInt<V, A>, C>>>)
        => <<Self as MulInt<UInt<UInt<V, A>, C>>>::Output as SubInt<UInt<UInt<V, A>, C>>>::Output;
    [E] usize, E => usize;
    [Factor, E] Multiple<Factor>, E => usize;
}

/// Do all steps stay within the first of the modes `A`, of extent `s`? `self` is the order of
/// `(n-1)*e` and `s`.
pub trait StepsWithinMode<A, N, E, Out, Carries> {
    type Output;
    fn stay(modes: &A, extent: N, step: E, out: Out) -> Result<Self::Output, Fault>;
}
cases! { StepsWithinMode::stay -> Result<Self::Output, Fault>:
    [S, D, T, N: Reach<E>, E: Times<D>, Out, C0: AddInt<N::Output>, CT]
        Less, Cons<Mode<S, D>, T>, N, E, Out, Cons<C0, CT>
        => Stepped<Cons<Mode<N, E::Output>, Out>, Cons<C0::Output, CT>>,
        (modes: &Cons<Mode<S, D>, T>, extent: N, step: E, out: Out) =>
            Ok(Stepped::behind(Mode { shape: extent, stride: step.times(&modes.head.stride)? }, out));
    [S, D, T, N, E, Out, Carries] Unknown, Cons<Mode<S, D>, T>, N, E, Out, Carries
        => Undefined<DynamicRightExtent<E, S>>, (_: &Cons<Mode<S, D>, T>, _: N, _: E, _: Out) => Ok(Undefined::new());
}
cases! { StepsWithinMode::stay -> Result<Self::Output, Fault>, for { [] Equal; [] Greater; }:
    [S: QuotientInt<E>, D, T, N, E, Out, Carries] Self, Cons<Mode<S, D>, T>, N, E, Out, Carries
        where (S::Output: StepsToModeEnd<Cons<Mode<S, D>, T>, N, E, Out, Carries>)
        => <S::Output as StepsToModeEnd<Cons<Mode<S, D>, T>, N, E, Out, Carries>>::Output,
        (modes: &Cons<Mode<S, D>, T>, extent: N, step: E, out: Out) => S::Output::leave(modes, extent, step, out);
}

/// Do the steps end exactly at the end of the first of the modes `A`, of extent `s`? `self` is
/// `s / e`.
pub trait StepsToModeEnd<A, N, E, Out, Carries> {
    type Output;
    fn leave(modes: &A, extent: N, step: E, out: Out) -> Result<Self::Output, Fault>;
}
cases! { StepsToModeEnd::leave -> Result<Self::Output, Fault>:
    [U, B, A, N: QuotientInt<Self>, E, Out, Carries] UInt<U, B>, A, N, E, Out, Carries
        where (N::Output: StepsBehindMode<A, N, E, Self, Out, Carries>)
        => <N::Output as StepsBehindMode<A, N, E, Self, Out, Carries>>::Output,
        (modes: &A, _: N, step: E, out: Out) => N::Output::continue_behind(modes, step, out);
    // A larger step, or one that does not end exactly there: it has digits in several modes.
    [A: General<N, E, Out, Carries>, N, E, Out, Carries] NotExact, A, N, E, Out, Carries => A::Output,
        (modes: &A, extent: N, step: E, out: Out) => modes.general(extent, step, out);
}

/// Do the steps fill the first of the modes `A` a whole number of times? `self` is `n / Filling`,
/// the number of steps of 1 that continue behind that mode.
pub trait StepsBehindMode<A, N, E, Filling, Out, Carries> {
    type Output;
    fn continue_behind(modes: &A, step: E, out: Out) -> Result<Self::Output, Fault>;
}
cases! { StepsBehindMode::continue_behind -> Result<Self::Output, Fault>:
    [U, B, S: SubInt<E>, D, T, N, E: Times<D>, Filling: StaticInt, Out, C0: AddInt<S::Output>, CT]
        UInt<U, B>, Cons<Mode<S, D>, T>, N, E, Filling, Out, Cons<C0, CT>
        where (
            Self: StaticInt,
            T: StepThrough<Self, One, Cons<Mode<Filling, E::Output>, Out>, CT>,
            T::Output: BehindMode<S, C0::Output>,
        )
        => <T::Output as BehindMode<S, C0::Output>>::Output, (modes: &Cons<Mode<S, D>, T>, step: E, out: Out) => {
        let head = Mode { shape: Filling::default(), stride: step.times(&modes.head.stride)? };
        Ok(modes.tail.step_through(Self::default(), One::default(), Cons { head, tail: out })?.behind_mode())
    };
    [S, D, T, N, E, Filling, Out, Carries] NotExact, Cons<Mode<S, D>, T>, N, E, Filling, Out, Carries
        => Undefined<Steps<N, E, Filling, S, D>>, (_: &Cons<Mode<S, D>, T>, _: E, _: Out) => Ok(Undefined::new());
}

/// The result behind a mode of extent `S` and carry `C0`. The modes behind it count steps in units
/// of `S`.
pub trait BehindMode<S, C0> {
    type Output;
    fn behind_mode(self) -> Self::Output;
}
cases! { BehindMode::behind_mode -> Self::Output:
    [Out, Carries, S, C0] Stepped<Out, Carries>, S, C0 => Stepped<Out, Cons<C0, Carries>>,
        (self) => self.with_carries();
    [N, E: Times<S>, Count, X, D, S, C0] Undefined<Steps<N, E, Count, X, D>>, S, C0
        => Undefined<Steps<N, E::Output, Count, X, D>>, (self) => Undefined::new();
    [E: Times<S>, S, C0] Undefined<DynamicExtent<E>>, S, C0 => Undefined<DynamicExtent<E::Output>>,
        (self) => Undefined::new();
    [E: Times<S>, X, S, C0] Undefined<DynamicRightExtent<E, X>>, S, C0 => Undefined<DynamicRightExtent<E::Output, X>>,
        (self) => Undefined::new();
    [X, S, C0] Undefined<DynamicStep<X>>, S, C0 => Self, (self) => self;
    [S, C0] Undefined<Empty>, S, C0 => Self, (self) => self;
}

// ---- 3. the carries -----------------------------------------------------------------------------

/// The result `self` of the modes `A` and a whole right operand, if all carries are below the
/// extents: [`Defined`] or [`Undefined`].
pub trait CarryCheck<A> {
    type Output;
    fn settle(self) -> Self::Output;
}
cases! { CarryCheck::settle -> Self::Output:
    [S, D, M] Stepped<Cons<Mode<S, D>, Nil>, Nil>, Cons<M, Nil> => Defined<S, D>,
        (self) => Defined { shape: self.out.head.shape, stride: self.out.head.stride };
    [S, D, Carries, M, T] Stepped<Cons<Mode<S, D>, Nil>, Cons<UTerm, Carries>>, Cons<M, T>
        where (Stepped<Cons<Mode<S, D>, Nil>, Carries>: CarryCheck<T>)
        => <Stepped<Cons<Mode<S, D>, Nil>, Carries> as CarryCheck<T>>::Output, (self) => self.with_carries().settle();
    [S, D, Carries, U, B, V, C, X, T]
        Stepped<Cons<Mode<S, D>, Nil>, Cons<UInt<U, B>, Carries>>, Cons<Mode<UInt<V, C>, X>, T>
        where (UInt<U, B>: Order<UInt<V, C>, Output: Below<UInt<U, B>, UInt<V, C>, X, S, D, Carries, T>>)
        => <<UInt<U, B> as Order<UInt<V, C>>>::Output as Below<UInt<U, B>, UInt<V, C>, X, S, D, Carries, T>>::Output,
        (self) => <UInt<U, B> as Order<UInt<V, C>>>::Output::below(self.with_carries());
    // A multiple of `F` is at least `F`.
    [S, D, Carries, U, B, F, X, T]
        Stepped<Cons<Mode<S, D>, Nil>, Cons<UInt<U, B>, Carries>>, Cons<Mode<Multiple<F>, X>, T>
        where (UInt<U, B>: Order<F, Output: Below<UInt<U, B>, F, X, S, D, Carries, T>>)
        => <<UInt<U, B> as Order<F>>::Output as Below<UInt<U, B>, F, X, S, D, Carries, T>>::Output,
        (self) => <UInt<U, B> as Order<F>>::Output::below(self.with_carries());
    // The right operand became several modes.
    [M, N, L, Carries, A] Stepped<Cons<M, Cons<N, L>>, Carries>, A
        where (Cons<M, Cons<N, L>>: LastFirst<Carries, Output: CarryCheck<A>>)
        => <<Cons<M, Cons<N, L>> as LastFirst<Carries>>::Output as CarryCheck<A>>::Output,
        (self) => self.out.last_first().settle();
    [R, A] Undefined<R>, A => Self, (self) => self;
}

/// [`CarryCheck`] for the carries behind `Sum`, if `Sum` is below the extent of its mode
/// `Extent:Stride`; `self` is the order of the two.
pub trait Below<Sum, Extent, Stride, S, D, Carries, A> {
    type Output;
    fn below(result: Stepped<Cons<Mode<S, D>, Nil>, Carries>) -> Self::Output;
}
cases! { Below::below -> Self::Output:
    [Sum, Extent, Stride, S, D, Carries, A] Less, Sum, Extent, Stride, S, D, Carries, A
        where (Stepped<Cons<Mode<S, D>, Nil>, Carries>: CarryCheck<A>)
        => <Stepped<Cons<Mode<S, D>, Nil>, Carries> as CarryCheck<A>>::Output,
        (result: Stepped<Cons<Mode<S, D>, Nil>, Carries>) => result.settle();
}
cases! { Below::below -> Self::Output, for { [] Equal; [] Greater; }:
    [Sum, Extent, Stride, S, D, Carries, A] Self, Sum, Extent, Stride, S, D, Carries, A
        => Undefined<Carry<Sum, Extent, Stride>>, (_: Stepped<Cons<Mode<S, D>, Nil>, Carries>) => Undefined::new();
}
