//! Flat lists of modes, which all of the algebra works on, and the way from a layout to such a list and back.

use typenum::{UInt, UTerm};

use crate::int::{One, Zero};
use crate::multiple::Multiple;
use crate::tuple::{Cons, Leaf, Nested, Nil, Untangle};

/// One flat mode: `shape` numbers, `stride` apart.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mode<S, D> {
    pub shape: S,
    pub stride: D,
}

/// The modes of a shape's node with the strides of the node `D`, in front of the modes `Tail`.
pub trait ModesOnto<D, Tail> {
    type Output;
    fn modes_onto(self, stride: D, tail: Tail) -> Self::Output;
}
impl<D, Tail> ModesOnto<D, Tail> for Nil {
    type Output = Tail;
    #[inline(always)]
    fn modes_onto(self, _: D, tail: Tail) -> Tail {
        tail
    }
}
impl<S, D, Tail> ModesOnto<Leaf<D>, Tail> for Leaf<S> {
    type Output = Cons<Mode<S, D>, Tail>;
    #[inline(always)]
    fn modes_onto(self, stride: Leaf<D>, tail: Tail) -> Self::Output {
        Cons { head: Mode { shape: self.0, stride: stride.0 }, tail }
    }
}
/// Most items are numbers: they are taken as they stand, without the way over their nodes, which costs four times as much to compile.
macro_rules! numbers_onto {
    ($([$($generic:ident)*] $number:ty;)*) => {
        $(impl<T, I, U, Tail, $($generic),*> ModesOnto<Cons<I, U>, Tail> for Cons<$number, T>
        where
            T: ModesOnto<U, Tail>,
        {
            type Output = Cons<Mode<$number, I>, T::Output>;
            #[inline(always)]
            fn modes_onto(self, stride: Cons<I, U>, tail: Tail) -> Self::Output {
                let mode = Mode { shape: self.head, stride: stride.head };
                Cons { head: mode, tail: self.tail.modes_onto(stride.tail, tail) }
            }
        })*
    };
}
numbers_onto! { [] UTerm; [V C] UInt<V, C>; [] usize; [Factor] Multiple<Factor>; }

macro_rules! tuples_onto {
    ($($Item:ident $item:ident)+) => {
        impl<L, J, V, Tail, $($Item),+> ModesOnto<Cons<J, V>, Tail> for Cons<($($Item,)+), L>
        where
            J: Nested,
            L: ModesOnto<V, Tail>,
            <($($Item,)+) as Nested>::Node: ModesOnto<J::Node, L::Output>,
        {
            type Output = <<($($Item,)+) as Nested>::Node as ModesOnto<J::Node, L::Output>>::Output;
            #[inline(always)]
            fn modes_onto(self, stride: Cons<J, V>, tail: Tail) -> Self::Output {
                let tail = self.tail.modes_onto(stride.tail, tail);
                self.head.node().modes_onto(stride.head.node(), tail)
            }
        }
    };
}
each_arity!(tuples_onto);

/// A list of modes as a list of extents and a list of strides.
pub trait Unzip {
    type Shape;
    type Stride;
    fn unzip(self) -> (Self::Shape, Self::Stride);
}
impl Unzip for Nil {
    type Shape = Nil;
    type Stride = Nil;
    #[inline(always)]
    fn unzip(self) -> (Nil, Nil) {
        (Nil, Nil)
    }
}
impl<S, D, T: Unzip> Unzip for Cons<Mode<S, D>, T> {
    type Shape = Cons<S, T::Shape>;
    type Stride = Cons<D, T::Stride>;
    #[inline(always)]
    fn unzip(self) -> (Self::Shape, Self::Stride) {
        let (shape, stride) = self.tail.unzip();
        (Cons { head: self.head.shape, tail: shape }, Cons { head: self.head.stride, tail: stride })
    }
}

/// A list of modes as a shape and a stride: no mode is `1:0`, one mode a number, more a tuple.
pub trait IntoTrees {
    type Shape;
    type Stride;
    fn into_trees(self) -> (Self::Shape, Self::Stride);
}
impl IntoTrees for Nil {
    type Shape = One;
    type Stride = Zero;
    #[inline(always)]
    fn into_trees(self) -> (One, Zero) {
        Default::default()
    }
}
impl<S, D> IntoTrees for Cons<Mode<S, D>, Nil> {
    type Shape = S;
    type Stride = D;
    #[inline(always)]
    fn into_trees(self) -> (S, D) {
        (self.head.shape, self.head.stride)
    }
}
impl<M, N, T> IntoTrees for Cons<M, Cons<N, T>>
where
    Self: Unzip<Shape: Untangle, Stride: Untangle>,
{
    type Shape = <<Self as Unzip>::Shape as Untangle>::Tree;
    type Stride = <<Self as Unzip>::Stride as Untangle>::Tree;
    #[inline(always)]
    fn into_trees(self) -> (Self::Shape, Self::Stride) {
        let (shape, stride) = self.unzip();
        (shape.tree(), stride.tree())
    }
}

/// `self` back to front, in front of `Onto`.
pub trait ReverseOnto<Onto> {
    type Output;
    fn reverse_onto(self, onto: Onto) -> Self::Output;
}
impl<Onto> ReverseOnto<Onto> for Nil {
    type Output = Onto;
    #[inline(always)]
    fn reverse_onto(self, onto: Onto) -> Onto {
        onto
    }
}
impl<H, T: ReverseOnto<Cons<H, Onto>>, Onto> ReverseOnto<Onto> for Cons<H, T> {
    type Output = T::Output;
    #[inline(always)]
    fn reverse_onto(self, onto: Onto) -> Self::Output {
        self.tail.reverse_onto(Cons { head: self.head, tail: onto })
    }
}
