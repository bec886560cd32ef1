//! Flat lists of modes, on which all of the algebra works: the way from a layout to such a list,
//! and what a composition makes of one.

use core::marker::PhantomData;

use typenum::{UInt, UTerm};

use crate::algebra::outcome::Defined;
use crate::error::Fault;
use crate::list::{Cons, Leaf, Nested, Nil};
use crate::number::int::Zero;
use crate::number::multiple::Multiple;
use crate::reasons::TooManyModes;
use crate::reasons::count::{Count, Length};
use crate::reasons::undefined::Undefined;
use crate::tuple::int_tuple::IntTuple;

/// One flat mode: `shape` numbers, `stride` apart.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mode<S, D> {
    pub shape: S,
    pub stride: D,
}

/// The modes of a shape's node and of the stride's node `D`, in front of the modes `Tail`: each
/// mode is pushed onto the modes behind it by the strategy `How`.
pub trait ModesOnto<D, Tail, How = InOrder> {
    type Output;
    fn modes_onto(self, stride: D, tail: Tail) -> Result<Self::Output, Fault>;
}
cases! { ModesOnto::modes_onto -> Result<Self::Output, Fault>:
    [S, D, Tail: Push<How, S, D>, How] Leaf<S>, Leaf<D>, Tail, How => Tail::Output,
        (self, stride: Leaf<D>, tail: Tail) => tail.push(Mode { shape: self.0, stride: stride.0 });
    [H: ItemsOnto<How, D, T, U, Tail>, T, D, U, Tail, How] Cons<H, T>, Cons<D, U>, Tail, How => H::Output,
        (self, stride: Cons<D, U>, tail: Tail) => self.head.items_onto(self.tail, stride, tail);
}

/// All modes of the shape `S` and the stride `D`.
pub type AllModes<S, D> = <<S as Nested>::Node as ModesOnto<<D as Nested>::Node, Nil>>::Output;

/// The mode `S:D` in front of the modes `self`, by the strategy `How`.
pub trait Push<How, S, D> {
    type Output;
    fn push(self, mode: Mode<S, D>) -> Result<Self::Output, Fault>;
}

/// The strategy that keeps modes as they are.
pub struct InOrder;
impl<L, S, D> Push<InOrder, S, D> for L {
    type Output = Cons<Mode<S, D>, L>;
    #[inline]
    fn push(self, mode: Mode<S, D>) -> Result<Self::Output, Fault> {
        Ok(Cons { head: mode, tail: self })
    }
}

/// [`ModesOnto`] for a list: its first item is `self`, with the stride `D`; behind it stand the
/// shapes `T` and the strides `U`.
///
/// The trait is implemented on the item, which most often is a number: dispatch over lists and
/// nodes costs the compiler as much as the work.
pub trait ItemsOnto<How, D, T, U, Tail> {
    type Output;
    fn items_onto(self, shape: T, stride: Cons<D, U>, tail: Tail) -> Result<Self::Output, Fault>;
}
macro_rules! numbers_onto {
    ($([$($generic:ident)*] $number:ty;)*) => {
        $(impl<How, D, Tail: Push<How, Self, D>, $($generic),*> ItemsOnto<How, D, Nil, Nil, Tail> for $number {
            type Output = Tail::Output;
            #[inline]
            fn items_onto(self, _: Nil, stride: Cons<D, Nil>, tail: Tail) -> Result<Self::Output, Fault> {
                tail.push(Mode { shape: self, stride: stride.head })
            }
        }
        impl<How, D, H, T, E, W, Tail, $($generic),*> ItemsOnto<How, D, Cons<H, T>, Cons<E, W>, Tail> for $number
        where
            H: ItemsOnto<How, E, T, W, Tail, Output: Push<How, Self, D>>,
        {
            type Output = <H::Output as Push<How, Self, D>>::Output;
            #[inline]
            fn items_onto(
                self,
                shape: Cons<H, T>,
                stride: Cons<D, Cons<E, W>>,
                tail: Tail,
            ) -> Result<Self::Output, Fault> {
                let behind = shape.head.items_onto(shape.tail, stride.tail, tail)?;
                behind.push(Mode { shape: self, stride: stride.head })
            }
        })*
    };
}
numbers_onto! { [] UTerm; [U B] UInt<U, B>; [] usize; [Factor] Multiple<Factor>; }
macro_rules! tuples_onto {
    ($($Item:ident $item:ident)+) => {
        impl<How, Stride: IntTuple, Tail, $($Item),+> ItemsOnto<How, Stride, Nil, Nil, Tail> for ($($Item,)+)
        where
            list!($($Item)+): ModesOnto<Stride::Node, Tail, How>,
        {
            type Output = <list!($($Item)+) as ModesOnto<Stride::Node, Tail, How>>::Output;
            #[inline]
            fn items_onto(self, _: Nil, stride: Cons<Stride, Nil>, tail: Tail) -> Result<Self::Output, Fault> {
                self.node().modes_onto(stride.head.node(), tail)
            }
        }
        impl<How, Stride: IntTuple, Next, Shapes, NextStride, Strides, Tail, $($Item),+>
            ItemsOnto<How, Stride, Cons<Next, Shapes>, Cons<NextStride, Strides>, Tail> for ($($Item,)+)
        where
            Next: ItemsOnto<How, NextStride, Shapes, Strides, Tail>,
            list!($($Item)+): ModesOnto<Stride::Node, Next::Output, How>,
        {
            type Output = <list!($($Item)+) as ModesOnto<Stride::Node, Next::Output, How>>::Output;
            #[inline]
            fn items_onto(
                self,
                shape: Cons<Next, Shapes>,
                stride: Cons<Stride, Cons<NextStride, Strides>>,
                tail: Tail,
            ) -> Result<Self::Output, Fault> {
                let behind = shape.head.items_onto(shape.tail, stride.tail, tail)?;
                self.node().modes_onto(stride.head.node(), behind)
            }
        }
    };
}
each_arity!(tuples_onto);

/// A list of modes as a type, and as a pattern.
macro_rules! modes {
    ($end:ident;) => { $end };
    ($end:ident; $S:ident $D:ident $($more:ident)*) => { Cons<Mode<$S, $D>, modes!($end; $($more)*)> };
}
macro_rules! modes_pattern {
    ($end:ident;) => { $end };
    ($end:ident; $S:ident $D:ident $($more:ident)*) => {
        Cons { head: Mode { shape: $S, stride: $D }, tail: modes_pattern!($end; $($more)*) }
    };
}
pub(crate) use {modes, modes_pattern};

/// Replaces the end of a list of modes: the modes in front of it are a whole result.
#[derive(Clone, Copy, Default)]
pub struct End;

/// What a part of the right operand of a composition became: modes in reverse order, and the
/// carries so far.
pub struct Stepped<Out, Carries> {
    pub out: Out,
    carries: PhantomData<Carries>,
}
impl<M, Out, Carries> Stepped<Cons<M, Out>, Carries> {
    /// Adds one mode.
    #[inline]
    pub fn behind(mode: M, out: Out) -> Self {
        Stepped { out: Cons { head: mode, tail: out }, carries: PhantomData }
    }
}
impl<Out, Carries> Stepped<Out, Carries> {
    /// The same modes with other carries.
    #[inline]
    pub fn with_carries<Other>(self) -> Stepped<Out, Other> {
        Stepped { out: self.out, carries: PhantomData }
    }
}

/// A list of modes in reverse order as a tuple of extents and a tuple of strides in their own
/// order: one mode of [`Stepped`], or [`Defined`] if the list ends with [`End`]. [`Undefined`] if a
/// tuple has no room for all modes.
pub trait LastFirst<Carries> {
    type Output;
    fn last_first(self) -> Self::Output;
}
/// Moves the modes, in reverse, into the second brackets.
macro_rules! last_first {
    ($($S:ident $D:ident)+) => { last_first! { @turn [$($S $D)+] [] $($S $D)+ } };
    (@turn $all:tt [$($turned:ident)*] $S:ident $D:ident $($more:ident)*) => {
        last_first! { @turn $all [$S $D $($turned)*] $($more)* }
    };
    (@turn [$($S:ident $D:ident)+] [$($turned:ident)+]) => {
        last_first! { @end Nil, [$($turned)+], Stepped<Cons<Mode<($($S,)+), ($($D,)+)>, Nil>, Carries>,
            Stepped::behind(Mode { shape: ($($S,)+), stride: ($($D,)+) }, Nil) }
        last_first! { @end End, [$($turned)+], Defined<($($S,)+), ($($D,)+)>,
            Defined { shape: ($($S,)+), stride: ($($D,)+) } }
    };
    (@end $end:ident, [$($mode:ident)+], $output:ty, $value:expr) => {
        #[allow(non_camel_case_types, reason = "of the two names of an item, the second one is that of its stride")]
        impl<Carries, $($mode),+> LastFirst<Carries> for modes!($end; $($mode)+) {
            type Output = $output;
            #[inline]
            #[allow(non_snake_case, reason = "one name serves as type and as variable")]
            fn last_first(self) -> Self::Output {
                let modes_pattern!($end; $($mode)+) = self;
                $value
            }
        }
    };
}
each_arity!(last_first);
impl<Carries, A, B, C, D, E, F, G, H, I, T> LastFirst<Carries> for nine!(A B C D E F G H I; T) {
    type Output = Undefined<TooManyModes<Count<Self>>>;
    #[inline]
    fn last_first(self) -> Self::Output {
        Undefined::new()
    }
}
impl Length for End {
    type Output = Zero;
}
