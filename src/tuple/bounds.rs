//! Static numbers of a coordinate are below the static extents of their modes.
//!
//! The last mode has no end, since domains extend to the right; so its numbers may be any. If one
//! of the two is known only at run time, nothing is checked.

use typenum::{Equal, Greater, Less, UInt, UTerm};

use crate::list::{Cons, Leaf, Nested, Nil};
use crate::number::int::Order;
use crate::number::multiple::Multiple;
use crate::number::show::{N, Show, Shown};
use crate::tuple::profile::SizeOf;

/// The coordinate `self` stays within the shape `S`, as far as the types know. A coordinate of
/// another profile passes: another trait reports that.
pub trait InBounds<S> {}
impl<C: Nested, S: Nested> InBounds<S> for C where C::Node: NodeInBounds<S::Node> {}

/// [`InBounds`] for nodes of which the last mode has no end.
pub trait NodeInBounds<S> {}
impl<N, S> NodeInBounds<S> for Leaf<N> {}
impl<S> NodeInBounds<S> for Nil {}
impl<H, T, N> NodeInBounds<Leaf<N>> for Cons<H, T> {}
impl<H, T> NodeInBounds<Nil> for Cons<H, T> {}
impl<H: Nested, I: Nested> NodeInBounds<Cons<I, Nil>> for Cons<H, Nil> where
    H::Node: NodeInBounds<I::Node>
{
}
impl<H, J, U, I> NodeInBounds<Cons<I, Nil>> for Cons<H, Cons<J, U>> {}
impl<H, I, J, U> NodeInBounds<Cons<I, Cons<J, U>>> for Cons<H, Nil> {}
impl<H: Nested, I: Nested, K, V, J, U> NodeInBounds<Cons<I, Cons<J, U>>> for Cons<H, Cons<K, V>>
where
    H::Node: NodeWithin<I::Node>,
    Cons<K, V>: NodeInBounds<Cons<J, U>>,
{
}

/// The node `self` of a coordinate stays within the node `S`, whose every mode ends.
pub trait NodeWithin<S> {}
impl<S> NodeWithin<S> for Nil {}
impl<H, T, N> NodeWithin<Leaf<N>> for Cons<H, T> {}
impl<H, T> NodeWithin<Nil> for Cons<H, T> {}
impl<H: Nested, I: Nested, T, U> NodeWithin<Cons<I, U>> for Cons<H, T>
where
    H::Node: NodeWithin<I::Node>,
    T: NodeWithin<U>,
{
}
// A row for each kind. One impl for all of them would apply to a static number too, and the
// compiler would not say which number is not below which.
macro_rules! dynamic {
    ($([$($generic:ident)*] $number:ty;)*) => {
        $(impl<S, $($generic),*> NodeWithin<S> for Leaf<$number> {}
        impl<C, $($generic),*> NumberBelow<$number> for C {})*
    };
}
dynamic! { [] usize; [F] Multiple<F>; }
impl<S> NodeWithin<S> for Leaf<UTerm> {}
impl<U, B, S: SizeOf> NodeWithin<S> for Leaf<UInt<U, B>> where UInt<U, B>: NumberBelow<S::Output> {}

/// The static number `self` is below the number `S`, if that is static.
pub trait NumberBelow<S> {}
impl<C: Order<UTerm, Output: IsBelow<C, UTerm>>> NumberBelow<UTerm> for C {}
impl<C: Order<UInt<U, B>, Output: IsBelow<C, UInt<U, B>>>, U, B> NumberBelow<UInt<U, B>> for C {}

/// Holds for `Less`; for any other order, the message names the numbers `C` and `S`.
pub trait IsBelow<C, S> {}
impl<C, S> IsBelow<C, S> for Less {}
impl<C: Show, S: Show> IsBelow<C, S> for Equal where Bounds: Inside<Shown<C>, Shown<S>> {}
impl<C: Show, S: Show> IsBelow<C, S> for Greater where Bounds: Inside<Shown<C>, Shown<S>> {}

/// Implements none of the traits below: they exist for their messages.
pub struct Bounds;

#[diagnostic::on_unimplemented(
    message = "coordinate {C} is out of bounds: the extent is {S}",
    label = "{C} is not below {S}",
    note = "coordinates are counted from 0; only the last mode has no end"
)]
pub trait Inside<C, S> {}
impl<const C: u64, const S: u64> Inside<N<C>, N<S>> for Bounds where (): InsideNumbers<C, S> {}

#[diagnostic::on_unimplemented(
    message = "coordinate {C} is out of bounds: the extent is {S}",
    label = "{C} is not below {S}",
    note = "coordinates are counted from 0; only the last mode has no end"
)]
pub trait InsideNumbers<const C: u64, const S: u64> {}
