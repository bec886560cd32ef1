//! The entries of a tuple that a step selects: the modes of a tile that belong to one matrix.
//!
//! ```text
//! project((a, b, c), Step<_1, X, _1>) = (a, c)
//! ```

use crate::layout::tiler::{Keep, Tiler};
use crate::list::{Cons, Nested, Nil, Untangle};

/// `A: Project<P>`: the entries of the tuple `A` at which the step `P` has a number and not `_`.
/// CuTe's `Step<_1, X, _1>` is `tiler!(1, _, 1)`.
#[diagnostic::on_unimplemented(
    message = "cannot take the entries at the step: the step has another number of them, or they are no tuple",
    label = "a step has one entry for each entry of this tuple",
    note = "a step is a tiler whose entries are numbers, to take an entry, and `_`, to leave it out: `tiler!(1, _, 1)`"
)]
pub trait Project<P> {
    /// The entries left.
    type Output;
    #[doc(hidden)]
    fn project(self) -> Self::Output;
}
#[diagnostic::do_not_recommend]
#[doc(hidden)]
impl<A: ProjectEntries<Tiler<P>> + Nested<Node: StepFits<P::Node>>, P: Nested> Project<Tiler<P>>
    for A
{
    type Output = <A as ProjectEntries<Tiler<P>>>::Output;
    #[inline]
    fn project(self) -> Self::Output {
        self.project_entries()
    }
}
/// `P: IsStep`: a tiler of numbers and `_`, which takes some entries of a tuple and leaves out the
/// others.
///
/// ```
/// use layout_algebra::tensor::IsStep;
/// use layout_algebra::prelude::*;
/// use static_assertions::{assert_impl_all, assert_not_impl_any};
/// assert_impl_all!(Tiler!(1, _, 1): IsStep);
/// assert_not_impl_any!(Layout!((4, 6)): IsStep);
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot take the entries at a step that is none",
    label = "`{Self}` is no tiler of numbers and `_`",
    note = "a step is a tiler whose entries are numbers, to take an entry, and `_`, to leave it out: `tiler!(1, _, 1)`"
)]
pub trait IsStep {}
#[diagnostic::do_not_recommend]
#[doc(hidden)]
impl<P: Nested<Node: StepList>> IsStep for Tiler<P> {}
/// Numbers and `_`.
pub trait StepList {}
impl StepList for Nil {}
impl<P: StepList> StepList for Cons<Keep, P> {}
impl<U, B, P: StepList> StepList for Cons<typenum::UInt<U, B>, P> {}

/// The step `P` has one item for each entry of the list `Self`.
pub trait StepFits<P> {}
impl StepFits<Nil> for Nil {}
impl<H, T: StepFits<Q>, P, Q> StepFits<Cons<P, Q>> for Cons<H, T> {}

/// [`Project`] of a second tuple, beside one that the step fits; another bound reports a step that
/// does not fit this one.
#[diagnostic::on_unimplemented(
    message = "cannot take the entries at the step of what is no tuple",
    label = "`{Self}` has no entries",
    note = "beside a tiler with a step stands a tuple with an entry for each entry of the tiler: `(1, 0, ..)`"
)]
pub trait ProjectEntries<P> {
    type Output;
    fn project_entries(self) -> Self::Output;
}
/// One impl for each arity: a number has no entries, and gives no second error.
macro_rules! tuples_have_entries {
    ($($Item:ident $item:ident)+) => {
        impl<Step: Nested, $($Item),+> ProjectEntries<Tiler<Step>> for ($($Item,)+)
        where
            Self: Nested<Node: ProjectList<Step::Node, Output: Untangle>>,
        {
            type Output = <<<Self as Nested>::Node as ProjectList<Step::Node>>::Output as Untangle>::Tree;
            #[inline]
            fn project_entries(self) -> Self::Output {
                self.node().project_list().tree()
            }
        }
    };
}
each_arity!(tuples_have_entries);

/// [`Project`] for lists.
pub trait ProjectList<P> {
    type Output;
    fn project_list(self) -> Self::Output;
}
impl ProjectList<Nil> for Nil {
    type Output = Nil;
    #[inline]
    fn project_list(self) -> Nil {
        Nil
    }
}
/// Entries without a step.
impl<H, T> ProjectList<Nil> for Cons<H, T> {
    type Output = Nil;
    fn project_list(self) -> Nil {
        Nil
    }
}
/// Steps without an entry.
impl<P, Q> ProjectList<Cons<P, Q>> for Nil {
    type Output = Nil;
    fn project_list(self) -> Nil {
        Nil
    }
}
impl<H, T, P> ProjectList<Cons<Keep, P>> for Cons<H, T>
where
    T: ProjectList<P>,
{
    type Output = T::Output;
    #[inline]
    fn project_list(self) -> T::Output {
        self.tail.project_list()
    }
}
impl<H, T, U, B, P> ProjectList<Cons<typenum::UInt<U, B>, P>> for Cons<H, T>
where
    T: ProjectList<P>,
{
    type Output = Cons<H, T::Output>;
    #[inline]
    fn project_list(self) -> Self::Output {
        Cons { head: self.head, tail: self.tail.project_list() }
    }
}
