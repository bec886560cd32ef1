//! Lists of modes as the shape and the stride of a layout, and the modes of the first level of a
//! layout as a list.

use crate::algebra::mode::{Mode, modes, modes_pattern};
use crate::algebra::outcome::Defined;
use crate::layout::strided::StridedLayout;
use crate::list::{Cons, Crowded, Leaf, Nested, Nil, Untangle};
use crate::number::int::{One, Zero};
use crate::reasons::TooManyModes;
use crate::reasons::count::Count;
use crate::reasons::undefined::Undefined;

/// A list of modes as a list of extents and a list of strides.
pub trait Unzip {
    type Shape;
    type Stride;
    fn unzip(self) -> (Self::Shape, Self::Stride);
}
impl Unzip for Nil {
    type Shape = Nil;
    type Stride = Nil;
    #[inline]
    fn unzip(self) -> (Nil, Nil) {
        (Nil, Nil)
    }
}
impl<S, D, T: Unzip> Unzip for Cons<Mode<S, D>, T> {
    type Shape = Cons<S, T::Shape>;
    type Stride = Cons<D, T::Stride>;
    #[inline]
    fn unzip(self) -> (Self::Shape, Self::Stride) {
        let (shape, stride) = self.tail.unzip();
        (Cons { head: self.head.shape, tail: shape }, Cons { head: self.head.stride, tail: stride })
    }
}

/// A list of modes as a shape and a stride: no mode gives `1:0`, one mode gives a number, more
/// modes give a tuple.
pub trait IntoTrees {
    type Shape;
    type Stride;
    fn into_trees(self) -> (Self::Shape, Self::Stride);
}
/// [`IntoTrees`] as the result of an operation: [`Defined`], or [`Undefined`] if a tuple has no
/// room for all modes.
pub trait IntoResult {
    type Output;
    fn into_result(self) -> Self::Output;
}
macro_rules! into_trees {
    ([$($generic:ident)*] $list:ty, $shape:ty, $stride:ty, $modes:ident => $value:expr) => {
        #[allow(non_camel_case_types, reason = "of the two names of an item, the second one is that of its stride")]
        impl<$($generic),*> IntoTrees for $list {
            type Shape = $shape;
            type Stride = $stride;
            #[inline]
            fn into_trees(self) -> (Self::Shape, Self::Stride) {
                let $modes = self;
                $value
            }
        }
        #[allow(non_camel_case_types, reason = "of the two names of an item, the second one is that of its stride")]
        impl<$($generic),*> IntoResult for $list {
            type Output = Defined<$shape, $stride>;
            #[inline]
            fn into_result(self) -> Self::Output {
                let (shape, stride) = self.into_trees();
                Defined { shape, stride }
            }
        }
    };
}
into_trees! { [] Nil, One, Zero, _modes => Default::default() }
into_trees! { [S D] Cons<Mode<S, D>, Nil>, S, D, modes => (modes.head.shape, modes.head.stride) }

/// One impl per number of modes: a recursion from mode to mode would multiply the cost to compile.
macro_rules! lists {
    ($S:ident $D:ident) => {};
    ($($S:ident $D:ident)+) => {
        into_trees! { [$($S $D)+] modes!(Nil; $($S $D)+), ($($S,)+), ($($D,)+), modes => {
            #[allow(non_snake_case, reason = "one name serves as type and as variable")]
            let modes_pattern!(Nil; $($S $D)+) = modes;
            (($($S,)+), ($($D,)+))
        } }
    };
}
each_arity!(lists);
impl<A, B, C, D, E, F, G, H, I, T> IntoTrees for nine!(A B C D E F G H I; T) {
    type Shape = Crowded<Self>;
    type Stride = Crowded<Self>;
    #[inline]
    fn into_trees(self) -> (Self::Shape, Self::Stride) {
        (Crowded::new(), Crowded::new())
    }
}
cases! { IntoResult::into_result -> Self::Output:
    [A, B, C, D, E, F, G, H, I, T] nine!(A B C D E F G H I; T) => Undefined<TooManyModes<Count<Self>>>,
        (self) => Undefined::new();
    [R] Undefined<R> => Self, (self) => self;
}

// ---- the first level ----------------------------------------------------------------------------

/// The modes of the first level: a number is a single mode.
pub trait IntoModes {
    type List;
    fn into_modes(self) -> Self::List;
}
impl<N> IntoModes for Leaf<N> {
    type List = Cons<N, Nil>;
    #[inline]
    fn into_modes(self) -> Self::List {
        Cons { head: self.0, tail: Nil }
    }
}
impl<H, T> IntoModes for Cons<H, T> {
    type List = Self;
    #[inline]
    fn into_modes(self) -> Self {
        self
    }
}
/// The modes of the first level of a tree.
pub type ListOf<T> = <<T as Nested>::Node as IntoModes>::List;

/// The modes of the first level of a layout, each a shape and a stride.
pub trait TopModes {
    type Output;
    fn top_modes(self) -> Self::Output;
}
impl<S: Nested<Node: IntoModes>, D: Nested<Node: IntoModes>> TopModes for StridedLayout<S, D>
where
    <S::Node as IntoModes>::List: PairUp<<D::Node as IntoModes>::List>,
{
    type Output = <<S::Node as IntoModes>::List as PairUp<<D::Node as IntoModes>::List>>::Output;
    #[inline]
    fn top_modes(self) -> Self::Output {
        let (shape, stride) = self.into_parts();
        shape.node().into_modes().pair_up(stride.node().into_modes())
    }
}

/// A list of extents and a list of strides as a list of modes.
pub trait PairUp<D> {
    type Output;
    fn pair_up(self, strides: D) -> Self::Output;
}
cases! { PairUp::pair_up -> Self::Output:
    [] Nil, Nil => Nil, (self, _: Nil) => Nil;
    [S, ST: PairUp<DT>, D, DT] Cons<S, ST>, Cons<D, DT>
        => Cons<Mode<S, D>, ST::Output>,
        (self, strides: Cons<D, DT>) =>
            Cons { head: Mode { shape: self.head, stride: strides.head }, tail: self.tail.pair_up(strides.tail) };
}

/// A list of modes as a layout whose shape is a tuple, whatever the length.
pub trait IntoTuple {
    type Shape: Fit<Self::Stride>;
    type Stride;
    fn into_tuple(self) -> StridedLayout<Self::Shape, Self::Stride>;
}
impl<M> IntoTuple for M
where
    M: Unzip<Shape: Untangle, Stride: Untangle>,
    <M::Shape as Untangle>::Tree: Fit<<M::Stride as Untangle>::Tree>,
{
    type Shape = <M::Shape as Untangle>::Tree;
    type Stride = <M::Stride as Untangle>::Tree;
    #[inline]
    fn into_tuple(self) -> StridedLayout<Self::Shape, Self::Stride> {
        let (shape, stride) = self.unzip();
        StridedLayout::assemble(shape.tree(), stride.tree())
    }
}
/// The modes of the first level of the layout `S:D`.
pub type Top<S, D> = <StridedLayout<S, D> as TopModes>::Output;

/// A tuple of extents, `self`, and one of strides, `D`, as the result of an operation: [`Defined`],
/// or [`Undefined`] if there are more modes than a tuple here has items.
pub trait Fit<D> {
    type Output;
    fn fit(self, stride: D) -> Self::Output;
}
macro_rules! tuples_fit {
    ($($Item:ident $item:ident)+) => {
        impl<Stride, $($Item),+> Fit<Stride> for ($($Item,)+) {
            type Output = Defined<Self, Stride>;
            #[inline]
            fn fit(self, stride: Stride) -> Self::Output {
                Defined { shape: self, stride }
            }
        }
    };
}
each_arity!(tuples_fit);
impl<L, D> Fit<D> for Crowded<L> {
    type Output = Undefined<TooManyModes<Count<L>>>;
    #[inline]
    fn fit(self, _: D) -> Self::Output {
        Undefined::new()
    }
}
