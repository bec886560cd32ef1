//! The entries of a tuple that a step names: which modes of a tile are a matrix's own.
//!
//! ```text
//! project((a, b, c), Step<_1, X, _1>) = (a, c)
//! ```

use crate::tiler::{Keep, Tiler};
use crate::tuple::{Cons, Nested, Nil, Untangle};

/// `A: Project<P>`: the entries of the tuple `A` at which the step `P` has a number and not `_`. CuTe's `Step<_1, X, _1>` is
/// `tiler!(1, _, 1)`.
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
impl<A: ProjectBeside<Tiler<P>> + Nested<Node: StepFits<P::Node>>, P: Nested> Project<Tiler<P>> for A {
    type Output = <A as ProjectBeside<Tiler<P>>>::Output;
    #[inline(always)]
    fn project(self) -> Self::Output {
        self.project_beside()
    }
}
/// One step for each entry of the list `self`.
pub trait StepFits<P> {}
impl StepFits<Nil> for Nil {}
impl<H, T: StepFits<Q>, P, Q> StepFits<Cons<P, Q>> for Cons<H, T> {}

/// [`Project`] of what stands beside a tuple that the step fits: that it fits this one too is said elsewhere.
pub trait ProjectBeside<P> {
    type Output;
    fn project_beside(self) -> Self::Output;
}
#[diagnostic::do_not_recommend]
impl<A: Nested<Node: ProjectList<P::Node, Output: Untangle>>, P: Nested> ProjectBeside<Tiler<P>> for A {
    type Output = <<A::Node as ProjectList<P::Node>>::Output as Untangle>::Tree;
    #[inline(always)]
    fn project_beside(self) -> Self::Output {
        self.node().project_list().tree()
    }
}
/// [`Project`] for lists.
pub trait ProjectList<P> {
    type Output;
    fn project_list(self) -> Self::Output;
}
impl ProjectList<Nil> for Nil {
    type Output = Nil;
    #[inline(always)]
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
    #[inline(always)]
    fn project_list(self) -> T::Output {
        self.tail.project_list()
    }
}
impl<H, T, U, B, P> ProjectList<Cons<typenum::UInt<U, B>, P>> for Cons<H, T>
where
    T: ProjectList<P>,
{
    type Output = Cons<H, T::Output>;
    #[inline(always)]
    fn project_list(self) -> Self::Output {
        Cons { head: self.head, tail: self.tail.project_list() }
    }
}
