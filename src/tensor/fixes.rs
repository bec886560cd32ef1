//! Whether what a slice fixes lies within the shape.

use crate::list::{Cons, Leaf, Nested, Nil, Whole};
use crate::tuple::node::Node;

/// The node `self` of a coordinate with `..`, against the node `S` of a shape.
pub trait FixesWithin<S> {
    /// Whether each number is below the extent that it counts in.
    fn fixes_within(self, shape: S) -> bool;
}
impl<S> FixesWithin<S> for Whole {
    #[inline(always)]
    fn fixes_within(self, _: S) -> bool {
        true
    }
}
impl<N, S: Node> FixesWithin<S> for Leaf<N>
where
    Self: Node,
{
    #[inline(always)]
    fn fixes_within(self, shape: S) -> bool {
        // Where a mode has more elements than `usize` can count, each number is below.
        shape.product().is_none_or(|extent| self.leaf() < extent)
    }
}
impl FixesWithin<Nil> for Nil {
    #[inline(always)]
    fn fixes_within(self, _: Nil) -> bool {
        true
    }
}
impl<H: Nested, T, S: Nested, ST> FixesWithin<Cons<S, ST>> for Cons<H, T>
where
    H::Node: FixesWithin<S::Node>,
    T: FixesWithin<ST>,
{
    #[inline(always)]
    fn fixes_within(self, shape: Cons<S, ST>) -> bool {
        self.head.node().fixes_within(shape.head.node()) && self.tail.fixes_within(shape.tail)
    }
}
/// A slice of another profile fixes nothing within: that it does not match is said elsewhere, once.
macro_rules! mismatches {
    ($([$($generic:ident)*] $slice:ty, $shape:ty;)*) => {
        $(impl<$($generic),*> FixesWithin<$shape> for $slice {
            fn fixes_within(self, _: $shape) -> bool {
                false
            }
        })*
    };
}
mismatches! { [H T] Cons<H, T>, Nil; [S T] Nil, Cons<S, T>; [H T N] Cons<H, T>, Leaf<N>; }
