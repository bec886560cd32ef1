//! A layout made of a shape and a stride, such that a wrong pair is reported once, and not again at each use of the layout.

use crate::layout::stand_in::StandIn;
use crate::layout::strided::StridedLayout;
use crate::number::int::False;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::profile::{AreCongruent, Congruence, Congruent, Relates};

impl<S, D> StridedLayout<S, D> {
    /// A shape and a stride of the same profile: `L` is `StridedLayout<S, D>`. In constants, [`const_new`](StridedLayout::const_new).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let padded = StridedLayout::new((4, 6), (1, 10));
    /// assert_eq!((padded.index((3, 5)), padded.size(), padded.cosize()), (53, 24, 54));
    /// ```
    ///
    /// ```compile_fail,E0277
    /// use layout_algebra::prelude::*;
    /// let padded = StridedLayout::new((4, 6), (1, 10, 60)); // the shape (usize, usize) and the stride (usize, usize, usize) are not congruent
    /// ```
    #[inline(always)]
    #[allow(clippy::new_ret_no_self, reason = "`L` is `Self`, or there is an error")]
    pub fn new<L, P: AllCongruent>(shape: S, stride: D) -> L
    where
        (): LayoutOf<S, D, L, P>,
    {
        <()>::layout_of(shape, stride)
    }
}

/// `(): LayoutOf<S, D, L, P>`: `L` is the layout of the shape `S` and the stride `D`, and a [`StandIn`] where these are not congruent; `P`
/// says which. What is no integer tuple has neither.
#[diagnostic::on_unimplemented(
    message = "cannot make a layout of what is no shape or no stride",
    label = "neither a number of a layout nor a tuple of at most 8 such",
    note = "a leaf is a static integer, `int!(4)`, or a `usize`; generic code names what it needs as bounds: `S: IntTuple + Congruent<D>, D: IntTuple`"
)]
pub trait LayoutOf<S, D, L, P> {
    fn layout_of(shape: S, stride: D) -> L;
}
#[diagnostic::do_not_recommend]
impl<S: IntTuple + Congruent<D>, D: IntTuple> LayoutOf<S, D, StridedLayout<S, D>, ()> for () {
    #[inline(always)]
    fn layout_of(shape: S, stride: D) -> StridedLayout<S, D> {
        StridedLayout::const_new(shape, stride)
    }
}
#[diagnostic::do_not_recommend]
impl<S, D: IntTuple> LayoutOf<S, D, StandIn, Incongruent<S, D>> for ()
where
    S: IntTuple<Node: Relates<Congruence, D::Node, Output = False>>,
{
    fn layout_of(_: S, _: D) -> StandIn {
        unreachable!("the shape and the stride are congruent")
    }
}
/// The shape `S` and the stride `D` are not.
pub struct Incongruent<S, D>(S, D);
/// Lets layouts pass, and names the two where they are not congruent.
pub trait AllCongruent {}
impl AllCongruent for () {}
impl<S, D> AllCongruent for Incongruent<S, D> where False: AreCongruent<S, D> {}
