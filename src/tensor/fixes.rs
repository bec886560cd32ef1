//! Whether what a slice fixes lies within the shape.

use crate::list::{Cons, Leaf, Nested, Nil, Whole};
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::interval::{Interval, Window, window_fits};
use crate::tuple::node::Node;

/// The node `self` of a coordinate with `..` and ranges, against the trees `S` and `D` of a shape and a stride.
pub trait FixesWithin<S, D> {
    /// Whether there is more than `..`.
    const FIXES: bool = true;
    /// Whether each number is below the extent that it counts in, and each range and window a part of its mode that is
    /// a layout.
    fn fixes_within(self, shape: S, stride: D) -> bool;
}
impl<S, D> FixesWithin<S, D> for Whole {
    const FIXES: bool = false;
    #[inline]
    fn fixes_within(self, _: S, _: D) -> bool {
        true
    }
}
impl<N, S: IntTuple, D> FixesWithin<S, D> for Leaf<N>
where
    Self: Node,
{
    #[inline]
    fn fixes_within(self, shape: S, _: D) -> bool {
        // Where a mode has more elements than `usize` can count, each number is below.
        shape.node().product().is_none_or(|extent| self.leaf() < extent)
    }
}
impl<S: IntTuple, D: IntTuple> FixesWithin<S, D> for Interval {
    #[inline]
    fn fixes_within(self, shape: S, stride: D) -> bool {
        self.cut(shape, stride.node()).1.is_ok()
    }
}
impl<C: IntTuple, W: IntTuple, S: IntTuple, D: IntTuple> FixesWithin<S, D> for Window<C, W> {
    #[inline]
    fn fixes_within(self, shape: S, stride: D) -> bool {
        let origin = shape.complete(self.origin.node());
        window_fits(origin.node(), self.shape.node(), shape.node(), stride.node()).is_ok()
    }
}
impl<H, T, S: Nested, D: Nested> FixesWithin<S, D> for Cons<H, T>
where
    Self: EachFixesWithin<S::Node, D::Node>,
{
    const FIXES: bool = <Self as EachFixesWithin<S::Node, D::Node>>::FIXES;
    #[inline]
    fn fixes_within(self, shape: S, stride: D) -> bool {
        // Of what is kept whole nothing is compiled.
        if const { !<Self as EachFixesWithin<S::Node, D::Node>>::FIXES } {
            return true;
        }
        self.each_fixes_within(shape.node(), stride.node())
    }
}

/// [`FixesWithin`] for each item of a list.
pub trait EachFixesWithin<S, D> {
    const FIXES: bool = true;
    fn each_fixes_within(self, shape: S, stride: D) -> bool;
}
impl EachFixesWithin<Nil, Nil> for Nil {
    const FIXES: bool = false;
    #[inline]
    fn each_fixes_within(self, _: Nil, _: Nil) -> bool {
        true
    }
}
impl<H: Nested, T, S, ST, D, DT> EachFixesWithin<Cons<S, ST>, Cons<D, DT>> for Cons<H, T>
where
    H::Node: FixesWithin<S, D>,
    T: EachFixesWithin<ST, DT>,
{
    const FIXES: bool = <H::Node as FixesWithin<S, D>>::FIXES || T::FIXES;
    #[inline]
    fn each_fixes_within(self, shape: Cons<S, ST>, stride: Cons<D, DT>) -> bool {
        if const { !T::FIXES } {
            return self.head.node().fixes_within(shape.head, stride.head);
        }
        self.head.node().fixes_within(shape.head, stride.head) && self.tail.each_fixes_within(shape.tail, stride.tail)
    }
}
/// A slice of another profile fixes nothing within: that it does not match is said elsewhere, once.
macro_rules! mismatches {
    ($([$($generic:ident)*] $slice:ty, $shape:ty, $stride:ty;)*) => {
        $(impl<$($generic),*> EachFixesWithin<$shape, $stride> for $slice {
            fn each_fixes_within(self, _: $shape, _: $stride) -> bool {
                false
            }
        })*
    };
}
mismatches! {
    [H T] Cons<H, T>, Nil, Nil; [S T D U] Nil, Cons<S, T>, Cons<D, U>; [H T N M] Cons<H, T>, Leaf<N>, Leaf<M>;
}
