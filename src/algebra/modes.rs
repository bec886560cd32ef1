//! Flat lists of modes, which all of the algebra works on, and the way from a layout to such a list and back.

use crate::int::{One, Zero};
use crate::tuple::{Cons, Crowded, Leaf, Nested, Nil, Untangle};

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
impl<H, T, I, U, Tail> ModesOnto<Cons<I, U>, Tail> for Cons<H, T>
where
    H: Nested,
    I: Nested,
    T: ModesOnto<U, Tail>,
    H::Node: ModesOnto<I::Node, T::Output>,
{
    type Output = <H::Node as ModesOnto<I::Node, T::Output>>::Output;
    #[inline(always)]
    fn modes_onto(self, stride: Cons<I, U>, tail: Tail) -> Self::Output {
        let tail = self.tail.modes_onto(stride.tail, tail);
        self.head.node().modes_onto(stride.head.node(), tail)
    }
}

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

/// A list of modes, the last one first, as a tuple of extents and a tuple of strides in their order.
pub trait LastFirst {
    type Shape;
    type Stride;
    fn last_first(self) -> (Self::Shape, Self::Stride);
}
/// Each number of modes in one step: to go from mode to mode would cost as often as much to compile.
macro_rules! last_first {
    ($($S:ident $D:ident)+) => { last_first!(@list [$($S $D)+] Nil, [Nil]; $($S $D)+); };
    (@list [$($all:ident)+] $list:ty, [$($pattern:tt)+]; $S:ident $D:ident $($rest:ident)*) => {
        last_first!(
            @list [$($all)+]
            Cons<Mode<$S, $D>, $list>, [Cons { head: Mode { shape: $S, stride: $D }, tail: $($pattern)+ }];
            $($rest)*
        );
    };
    (@list [$($S:ident $D:ident)+] $list:ty, [$($pattern:tt)+];) => {
        #[allow(non_camel_case_types, reason = "of the two names of an item, the second one is that of its stride")]
        impl<$($S, $D),+> LastFirst for $list {
            type Shape = ($($S,)+);
            type Stride = ($($D,)+);
            #[inline(always)]
            #[allow(non_snake_case, reason = "one name serves as type and as variable")]
            fn last_first(self) -> (Self::Shape, Self::Stride) {
                let $($pattern)+ = self;
                (($($S,)+), ($($D,)+))
            }
        }
    };
}
each_arity!(last_first);
/// A list of 9 modes or more.
impl<A, B, C, D, E, F, G, H, I, T> LastFirst for nine!(A B C D E F G H I; T) {
    type Shape = Crowded<Self>;
    type Stride = Crowded<Self>;
    #[inline(always)]
    fn last_first(self) -> (Self::Shape, Self::Stride) {
        (Crowded::new(), Crowded::new())
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
