//! How two integer tuples relate: congruent, weakly congruent, compatible; as bounds and as
//! questions.

use crate::list::{Cons, Leaf, Nested, Nil, Whole};
use crate::number::int::{And, False, One, True};
use crate::number::show::{Show, Shown};
use crate::number::table::{Number, Same, Times};
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::interval::{Interval, Window};
use crate::tuple::node::{Kind, Node, size};

// ---- as bounds ----------------------------------------------------------------------------------

/// `A: Congruent<B>`: the same tree profile, as a shape and its stride have. CuTe's `congruent`.
///
/// ```
/// use layout_algebra::prelude::*;
/// fn pair<S: Congruent<D>, D>(_: S, _: D) {}
/// pair(shape!((4, (2, 3))), (1, (4, 8)));
/// ```
///
/// ```compile_fail
/// use layout_algebra::prelude::*;
/// fn pair<S: Congruent<D>, D>(_: S, _: D) {}
/// // the shape (N<4>, (N<2>, N<3>)) and the stride (usize, usize) are not congruent
/// pair(shape!((4, (2, 3))), (1, 4));
/// ```
#[diagnostic::on_unimplemented(
    message = "these two are not known to be congruent",
    label = "`{Self}` and `{B}`: a shape and its stride have the same nesting of tuples",
    note = "generic code names what it needs as a bound: `S: Congruent<D>`"
)]
pub trait Congruent<B> {}
impl<A, B> Congruent<B> for A
where
    A: Nested<Node: Relates<Congruence, B::Node>>,
    B: Nested,
    <A::Node as Relates<Congruence, B::Node>>::Output: AreCongruent<A, B>,
{
}

/// `C: ComparesWith<S>`: the coordinate `C` is congruent to the shape `S`, so that
/// [`elem_less`](crate::tensor::elem_less) compares number with number. The same as [`Congruent`],
/// with a message about coordinates.
///
/// ```
/// use layout_algebra::ComparesWith;
/// use layout_algebra::prelude::*;
/// fn compare<C: ComparesWith<S>, S>(_: C, _: S) {}
/// compare((3, (1, 0)), shape!((4, (2, 3))));
/// ```
#[diagnostic::on_unimplemented(
    message = "this coordinate is not known to be congruent with the shape",
    label = "`{Self}` in `{S}`: a number of a coordinate is compared with the number at its place in the shape",
    note = "generic code names what it needs as a bound: `C: ComparesWith<S>`"
)]
pub trait ComparesWith<S> {}
impl<C, S> ComparesWith<S> for C
where
    C: Nested<Node: Relates<Congruence, S::Node>>,
    S: Nested,
    <C::Node as Relates<Congruence, S::Node>>::Output: Compares<C, S>,
{
}

/// `A: WeaklyCongruent<B>`: the profile of `A` coarsens the profile of `B`; a number matches
/// anything. A coordinate is weakly congruent to the shape that it is for. CuTe's
/// `weakly_congruent`.
///
/// ```
/// use layout_algebra::prelude::*;
/// fn coordinate<C: WeaklyCongruent<S>, S>(_: C, _: S) {}
/// coordinate(7, shape!((4, (2, 3))));
/// coordinate((1, 5), shape!((4, (2, 3))));
/// ```
#[diagnostic::on_unimplemented(
    message = "this is not known to be a coordinate of the shape",
    label = "`{Self}` in `{B}`: a coordinate has the nesting of the shape, or a coarser one",
    note = "generic code names what it needs as a bound: `C: WeaklyCongruent<S>`"
)]
pub trait WeaklyCongruent<B> {}
impl<A, B> WeaklyCongruent<B> for A
where
    A: Nested<Node: Relates<WeakCongruence, B::Node>>,
    B: Nested,
    <A::Node as Relates<WeakCongruence, B::Node>>::Output: AreWeaklyCongruent<A, B>,
{
}

/// `A: Compatible<B>`: `B` refines the shape `A`, so that every coordinate of `A` is one of `B`. A
/// number of `A` stands for a part of `B` of that size. The sizes have to be static. CuTe's
/// `compatible`.
///
/// ```
/// use layout_algebra::prelude::*;
/// fn refine<A: Compatible<B>, B>(_: A, _: B) {}
/// refine(shape!((4, 6)), shape!((4, (2, 3))));
/// ```
#[diagnostic::on_unimplemented(
    message = "the second shape is not known to refine the first one",
    label = "`{B}` after `{Self}`: each number of the one has to be the size of its part of the other",
    note = "generic code names what it needs as a bound: `S: Compatible<T>`"
)]
pub trait Compatible<B> {}
impl<A, B> Compatible<B> for A
where
    A: Nested<Node: Relates<Compatibility, B::Node>>,
    B: Nested,
    <A::Node as Relates<Compatibility, B::Node>>::Output: AreCompatible<A, B>,
{
}

/// The relation of [`Congruent`].
pub struct Congruence;
/// The relation of [`WeaklyCongruent`].
pub struct WeakCongruence;
/// The relation of [`Compatible`].
pub struct Compatibility;

/// Does the relation hold between two nodes? [`True`] or [`False`].
#[diagnostic::on_unimplemented(
    message = "these are not two tuples of numbers",
    label = "something else stands where a number has to",
    note = "a leaf is a static integer, `int!(4)`, or a `usize`: write `i as usize` for another integer; a `..` \
            stands in the coordinate of a slice"
)]
pub trait Relates<Relation, B> {
    type Output;
}
cases! { Relates:
    [R] Nil, R, Nil => True;
    [R, H, T] Nil, R, Cons<H, T> => False;
    [R, H, T] Cons<H, T>, R, Nil => False;
    [R, H, T, N] Cons<H, T>, R, Leaf<N> => False;
    [R, H, T, I, U] Cons<H, T>, R, Cons<I, U>
        where (
            H: Nested<Node: Relates<R, I::Node>>,
            I: Nested,
            <H::Node as Relates<R, I::Node>>::Output: TailRelation<R, T, U>,
        ) => <<H::Node as Relates<R, I::Node>>::Output as TailRelation<R, T, U>>::Output;
    [N, M] Leaf<N>, Congruence, Leaf<M> => True;
    [N, H, T] Leaf<N>, Congruence, Cons<H, T> => False;
    [N, B] Leaf<N>, WeakCongruence, B => True;
    // `..` relates to every node: it keeps that node.
    [B] Whole, WeakCongruence, B => True;
    [N: Same<B::Output>, B: SizeOf] Leaf<N>, Compatibility, B => N::Output;
    // A range relates to every node: it is a range of that node's numbers.
    [B] Interval, WeakCongruence, B => True;
    // A window has the profile of what it is cut out of, and begins at a coordinate of that.
    [C: Nested, W: Nested, B] Window<C, W>, WeakCongruence, B
        where (
            C::Node: Relates<WeakCongruence, B>,
            W::Node: Relates<Congruence, B, Output: And<<C::Node as Relates<WeakCongruence, B>>::Output, Output: WindowAnswer>>,
        ) => <<<W::Node as Relates<Congruence, B>>::Output as And<
            <C::Node as Relates<WeakCongruence, B>>::Output,
        >>::Output as WindowAnswer>::Output;
}

/// The answer for a window of another profile: its message is about windows.
pub struct NoWindow;
/// The answer for a window.
pub trait WindowAnswer {
    type Output;
}
cases! { WindowAnswer:
    [] True => True;
    [] False => NoWindow;
}

/// Whether the tails relate, if the heads do.
pub trait TailRelation<Relation, T, U> {
    type Output;
}
cases! { TailRelation:
    [R, T, U] False, R, T, U => False;
    [R, T, U] NoWindow, R, T, U => False;
    [R, T: Relates<R, U>, U] True, R, T, U => T::Output;
}

/// The product of all leaves of a node.
pub trait SizeOf {
    type Output: Number;
    fn size_of(self) -> Result<Self::Output, crate::error::Fault>;
}
/// The product of all leaves of the tree `T`.
pub type SizeIn<T> = <<T as Nested>::Node as SizeOf>::Output;
cases! { SizeOf::size_of -> Result<Self::Output, crate::error::Fault>:
    [N: Number] Leaf<N> => N, (self) => Ok(self.0);
    [] Nil => One, (self) => Ok(One::default());
    [H: Nested<Node: SizeOf>, T: SizeOf] Cons<H, T> where (<H::Node as SizeOf>::Output: Times<T::Output>)
        => <<H::Node as SizeOf>::Output as Times<T::Output>>::Output,
        (self) => self.head.node().size_of()?.times(&self.tail.size_of()?);
}

/// Holds for `True`; for `False`, the message names both trees.
pub trait AreCongruent<A, B> {}
impl<A, B> AreCongruent<A, B> for True {}
impl<A: Show, B: Show> AreCongruent<A, B> for False where Profiles: SameProfile<Shown<A>, Shown<B>> {}

/// Holds for `True`; for `False`, the message names both trees.
pub trait Compares<C, S> {}
impl<C, S> Compares<C, S> for True {}
impl<C: Show, S: Show> Compares<C, S> for False where Profiles: ProfileOfShape<Shown<C>, Shown<S>> {}

/// Holds for `True`; for `False`, the message names both trees.
pub trait AreWeaklyCongruent<A, B> {}
impl<A, B> AreWeaklyCongruent<A, B> for True {}
impl<A: Show, B: Show> AreWeaklyCongruent<A, B> for False where
    Profiles: CoarserProfile<Shown<A>, Shown<B>>
{
}

/// Holds for `True`; for `False`, the message names both trees.
pub trait AreCompatible<A, B> {}
impl<A, B> AreCompatible<A, B> for True {}
impl<A: Show, B: Show> AreCompatible<A, B> for False where Profiles: RefinedShape<Shown<A>, Shown<B>>
{}

/// Implements none of the traits below: they exist for their messages.
pub struct Profiles;

#[diagnostic::on_unimplemented(
    message = "the shape {A} and the stride {B} are not congruent",
    label = "a shape and its stride have the same nesting of tuples",
    note = "write one stride for every extent: `(4, (2, 3)):(1, (4, 8))`"
)]
pub trait SameProfile<A, B> {}

#[diagnostic::on_unimplemented(
    message = "the coordinate {C} is not congruent with the shape {S}",
    label = "a number of a coordinate is compared with the number at its place in the shape",
    note = "both have the same nesting of tuples: `elem_less((3, (1, 0)), (4, (2, 3)))`"
)]
pub trait ProfileOfShape<C, S> {}

#[diagnostic::on_unimplemented(
    message = "the coordinate {A} does not match the shape {B}",
    label = "a coordinate has the nesting of the shape, or a coarser one",
    note = "a number matches a whole mode, a tuple must have one entry for each of the mode's own modes"
)]
pub trait CoarserProfile<A, B> {}

#[diagnostic::on_unimplemented(
    message = "there is no window of the shape {W} at {C} in the shape {S}",
    label = "the shape of a window has the nesting of the layout's shape, with an extent for each of its extents",
    note = "of a layout of the shape `(4, (2, 3))`, write `window((1, (0, 1)), shape!((2, (2, 1))))`, or \
            `window((1, 2), shape!((2, (2, 1))))`: where it begins, a number stands for a whole mode"
)]
pub trait WindowProfile<C, W, S> {}

#[diagnostic::on_unimplemented(
    message = "the shape {B} does not refine the shape {A}",
    label = "each number of {A} has to be the size of its part of {B}",
    note = "sizes are compared at compile time, so the leaves have to be static"
)]
pub trait RefinedShape<A, B> {}

// ---- as questions -------------------------------------------------------------------------------

/// The relations as questions, on values.
///
/// ```
/// use layout_algebra::prelude::*;
/// let shape = shape!((4, (2, 3)));
/// assert!(shape.congruent(&(1, (4, 8))));
/// assert!((1, 5).weakly_congruent(&shape));
/// assert!((4, 6).compatible(&shape) && !(4, 5).compatible(&shape));
/// ```
pub trait ProfileQuestions: IntTuple {
    /// The same tree profile?
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let profile = shape!((4, (2, 3)));
    /// assert!(profile.congruent(&(0, (0, 0))) && !profile.congruent(&(0, 0)));
    /// ```
    fn congruent<B: IntTuple>(&self, other: &B) -> bool {
        congruent(self.node(), other.node())
    }
    /// Does the profile of `self` coarsen the profile of `other`?
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let shape = shape!((4, (2, 3)));
    /// assert!(
    ///     (1, 5).weakly_congruent(&shape)
    ///         && 23.weakly_congruent(&shape)
    ///         && !(1, 5, 0).weakly_congruent(&shape)
    /// );
    /// ```
    fn weakly_congruent<B: IntTuple>(&self, other: &B) -> bool {
        weakly_congruent(self.node(), other.node())
    }
    /// Does the shape `other` refine the shape `self`?
    ///
    /// `size(self_k) == size(other_k)` for each leaf `k` of `self`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let shape = shape!((4, (2, 3)));
    /// assert!((4, 6).compatible(&shape) && 24.compatible(&shape) && !(6, 4).compatible(&shape));
    /// ```
    fn compatible<B: IntTuple>(&self, other: &B) -> bool {
        compatible(self.node(), other.node())
    }
}
impl<T: IntTuple> ProfileQuestions for T {}

fn congruent<A: Node, B: Node>(a: A, b: B) -> bool {
    match (A::KIND, B::KIND) {
        (Kind::Cons, Kind::Cons) => congruent(a.head(), b.head()) && congruent(a.tail(), b.tail()),
        (x, y) => x == y,
    }
}

fn weakly_congruent<A: Node, B: Node>(a: A, b: B) -> bool {
    match (A::KIND, B::KIND) {
        (Kind::Leaf, _) => true,
        (Kind::Cons, Kind::Cons) => {
            weakly_congruent(a.head(), b.head()) && weakly_congruent(a.tail(), b.tail())
        }
        (x, y) => x == y,
    }
}

fn compatible<A: Node, B: Node>(a: A, b: B) -> bool {
    match (A::KIND, B::KIND) {
        (Kind::Leaf, _) => a.leaf() == size(b),
        (Kind::Cons, Kind::Cons) => {
            compatible(a.head(), b.head()) && compatible(a.tail(), b.tail())
        }
        (x, y) => x == y,
    }
}

/// The same tree, and the same number at each leaf, static or not?
#[inline(always)]
pub(crate) fn equal<A: Node, B: Node>(a: A, b: B) -> bool {
    match (A::KIND, B::KIND) {
        (Kind::Leaf, Kind::Leaf) => {
            a.leaf() == b.leaf() && A::STRIDE.of(a.leaf()) == B::STRIDE.of(b.leaf())
        }
        (Kind::Cons, Kind::Cons) => equal(a.head(), b.head()) && equal(a.tail(), b.tail()),
        (x, y) => x == y,
    }
}
