//! Modes taken apart and put together. Each mode stays what it is; only the tree around it changes.
//!
//! ```text
//! flatten(L) = all leaves on one level              select(L, (i, j, ..)) = (L_i, L_j, ..)
//! append(L, x) = (L_0, .., L_k, x)                  prepend(L, x) = (x, L_0, .., L_k)
//! group<b, e>(L) = (.., (L_b, .., L_(e-1)), ..)     ungroup<b>(group<b, e>(L)) = L
//! take<b, e>(L) = (L_b, .., L_(e-1))                replace<i>(L, x) = (.., x, ..)
//! reverse(L) = (L_k, .., L_0)                       transpose(L)(i, j) = L(j, i)
//! ```

use typenum::{Const, ToUInt, UInt, UTerm};

use crate::algebra::by_mode::Apply;
use crate::algebra::modes::{IntoTrees, Mode, ModesOnto, ReverseOnto};
use crate::algebra::operation::{self, Evaluate, binary, unary};
use crate::algebra::weave::{IntoTuple, PairUp, TopModes};
use crate::error::Fault;
use crate::int::{One, SubInt};
use crate::int_tuple::IntTuple;
use crate::layout::Layout;
use crate::strided::StridedLayout;
use crate::tuple::{Concat, Cons, Leaf, Nested, Nil};
use crate::undefined::Defined;

unary! {
    /// `L: Flatten`: the layout with all leaves on one level. CuTe's `flatten`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(Flattened<Layout!((2, (3, 4)):(1, (8, 2)))>, Layout!((2, 3, 4):(1, 8, 2)));
    /// ```
    trait Flatten;
    /// The type of `L` on one level.
    type Flattened;
}
unary! {
    /// `L: Reverse`: the modes of the first level back to front.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(Reversed<Layout!((2, (3, 4)):(1, (8, 2)))>, Layout!(((3, 4), 2):((8, 2), 1)));
    /// ```
    trait Reverse;
    /// The type of `L` back to front.
    type Reversed;
}
unary! {
    /// `L: Transpose`: the layout of rank 2 with its modes swapped. `transpose(L)(i, j) == L(j, i)`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(Transposed<Layout!((2, 3):(3, 1))>, Layout!((3, 2):(1, 3)));
    /// ```
    trait Transpose;
    /// The type of `L` transposed.
    type Transposed;
}
binary! {
    /// `L: Select<I>`: the modes that the tuple `I` of static numbers names, in its order. CuTe's `select`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(Selected<Layout!((2, 3, 4):(1, 2, 6)), Shape!((2, 0))>, Layout!((4, 2):(6, 1)));
    /// ```
    trait Select;
    /// The type of the modes `B` of `A`.
    type Selected;
}
binary! {
    /// `L: Append<M>`: the layout with the layout `M` as one more mode at the end. CuTe's `append`.
    trait Append;
    /// The type of `A` with the mode `B` at the end.
    type Appended;
}
binary! {
    /// `L: Prepend<M>`: the layout with the layout `M` as one more mode at the front. CuTe's `prepend`.
    trait Prepend;
    /// The type of `A` with the mode `B` at the front.
    type Prepended;
}

// ---- whole layouts ------------------------------------------------------------------------------------------------

impl<S: Nested<Node: FlattenNode<D>>, D: Nested> Evaluate<operation::Flatten> for StridedLayout<S, D> {
    type Output = <S::Node as FlattenNode<D>>::Output;
    #[inline(always)]
    fn evaluate(self) -> Result<Self::Output, Fault> {
        let (shape, stride) = self.into_parts();
        Ok(shape.node().flatten_node(stride))
    }
}

/// The leaves of the shape `self` and the stride `D` on one level; a number stays one.
pub trait FlattenNode<D> {
    type Output;
    fn flatten_node(self, stride: D) -> Self::Output;
}
impl<N, D> FlattenNode<D> for Leaf<N> {
    type Output = Defined<N, D>;
    #[inline(always)]
    fn flatten_node(self, stride: D) -> Self::Output {
        Defined { shape: self.0, stride }
    }
}
impl<H, T, D: Nested> FlattenNode<D> for Cons<H, T>
where
    Self: ModesOnto<D::Node, Nil, Output: IntoTrees>,
{
    type Output = Defined<
        <<Self as ModesOnto<D::Node, Nil>>::Output as IntoTrees>::Shape,
        <<Self as ModesOnto<D::Node, Nil>>::Output as IntoTrees>::Stride,
    >;
    #[inline(always)]
    fn flatten_node(self, stride: D) -> Self::Output {
        let (shape, stride) = self.modes_onto(stride.node(), Nil).into_trees();
        Defined { shape, stride }
    }
}

/// A list of modes of the first level as a tuple.
#[inline(always)]
fn defined<L: IntoTuple>(modes: L) -> Defined<L::Shape, L::Stride> {
    let (shape, stride) = modes.into_tuple().into_parts();
    Defined { shape, stride }
}
/// The type of a list of modes as a tuple.
type Tuple<L> = Defined<<L as IntoTuple>::Shape, <L as IntoTuple>::Stride>;
/// The modes of the first level of a layout.
type Top<L> = <L as TopModes>::Output;

impl<S: Nested<Node: ReverseNode<D>>, D: Nested> Evaluate<operation::Reverse> for StridedLayout<S, D> {
    type Output = <S::Node as ReverseNode<D>>::Output;
    #[inline(always)]
    fn evaluate(self) -> Result<Self::Output, Fault> {
        let (shape, stride) = self.into_parts();
        Ok(shape.node().reverse_node(stride))
    }
}

/// The modes of the shape `self` and the stride `D` back to front; a number stays one.
pub trait ReverseNode<D> {
    type Output;
    fn reverse_node(self, stride: D) -> Self::Output;
}
impl<N, D> ReverseNode<D> for Leaf<N> {
    type Output = Defined<N, D>;
    #[inline(always)]
    fn reverse_node(self, stride: D) -> Self::Output {
        Defined { shape: self.0, stride }
    }
}
impl<H, T, D: Nested> ReverseNode<D> for Cons<H, T>
where
    Self: PairUp<D::Node, Output: ReverseOnto<Nil, Output: IntoTuple>>,
{
    type Output = Tuple<<<Self as PairUp<D::Node>>::Output as ReverseOnto<Nil>>::Output>;
    #[inline(always)]
    fn reverse_node(self, stride: D) -> Self::Output {
        defined(self.pair_up(stride.node()).reverse_onto(Nil))
    }
}

impl<S: Swap<D>, D> Evaluate<operation::Transpose> for StridedLayout<S, D> {
    type Output = Defined<S::Shape, S::Stride>;
    #[inline(always)]
    fn evaluate(self) -> Result<Self::Output, Fault> {
        let (shape, stride) = self.into_parts();
        Ok(shape.swap(stride))
    }
}

/// A shape of two modes, with the stride `D`.
#[diagnostic::on_unimplemented(
    message = "cannot transpose a layout that has not two modes",
    label = "rank 2 is needed",
    note = "`select` puts any number of modes into any order"
)]
pub trait Swap<D> {
    type Shape;
    type Stride;
    fn swap(self, stride: D) -> Defined<Self::Shape, Self::Stride>;
}
impl<S0, S1, D0, D1> Swap<(D0, D1)> for (S0, S1) {
    type Shape = (S1, S0);
    type Stride = (D1, D0);
    #[inline(always)]
    fn swap(self, stride: (D0, D1)) -> Defined<(S1, S0), (D1, D0)> {
        Defined { shape: (self.1, self.0), stride: (stride.1, stride.0) }
    }
}

impl<S, D, A: TopModes> Apply<operation::Append, A> for StridedLayout<S, D>
where
    Top<A>: Concat<Cons<Mode<S, D>, Nil>, Output: IntoTuple>,
{
    type Output = Tuple<<Top<A> as Concat<Cons<Mode<S, D>, Nil>>>::Output>;
    #[inline(always)]
    fn apply(self, left: A) -> Result<Self::Output, Fault> {
        let (shape, stride) = self.into_parts();
        Ok(defined(left.top_modes().concat(Cons { head: Mode { shape, stride }, tail: Nil })))
    }
}
impl<S, D, A: TopModes> Apply<operation::Prepend, A> for StridedLayout<S, D>
where
    Cons<Mode<S, D>, Top<A>>: IntoTuple,
{
    type Output = Tuple<Cons<Mode<S, D>, Top<A>>>;
    #[inline(always)]
    fn apply(self, left: A) -> Result<Self::Output, Fault> {
        let (shape, stride) = self.into_parts();
        Ok(defined(Cons { head: Mode { shape, stride }, tail: left.top_modes() }))
    }
}

// ---- modes by number ----------------------------------------------------------------------------------------------

/// The list `self` cut before item `N`.
#[diagnostic::on_unimplemented(
    message = "this layout has not as many modes as that",
    label = "a mode beyond the rank of the layout",
    note = "modes are counted from 0, and a range of them ends before its second number"
)]
pub trait SplitAt<N> {
    type Front;
    type Back;
    fn split_at(self) -> (Self::Front, Self::Back);
}
impl<L> SplitAt<UTerm> for L {
    type Front = Nil;
    type Back = L;
    #[inline(always)]
    fn split_at(self) -> (Nil, L) {
        (Nil, self)
    }
}
impl<H, T, U, B> SplitAt<UInt<U, B>> for Cons<H, T>
where
    UInt<U, B>: SubInt<One>,
    T: SplitAt<<UInt<U, B> as SubInt<One>>::Output>,
{
    type Front = Cons<H, T::Front>;
    type Back = T::Back;
    #[inline(always)]
    fn split_at(self) -> (Self::Front, Self::Back) {
        let (front, back) = self.tail.split_at();
        (Cons { head: self.head, tail: front }, back)
    }
}

/// A list that is not at its end.
#[diagnostic::on_unimplemented(
    message = "this layout has not as many modes as that",
    label = "a mode beyond the rank of the layout",
    note = "modes are counted from 0"
)]
pub trait First {
    type Shape;
    type Stride;
    type Tail;
    fn first(self) -> (Mode<Self::Shape, Self::Stride>, Self::Tail);
}
impl<S, D, T> First for Cons<Mode<S, D>, T> {
    type Shape = S;
    type Stride = D;
    type Tail = T;
    #[inline(always)]
    fn first(self) -> (Mode<S, D>, T) {
        (self.head, self.tail)
    }
}

/// The items of the list `self` that the numbers of the list `I` name.
pub trait Pick<I> {
    type Output;
    fn pick(&self) -> Self::Output;
}
impl<L> Pick<Nil> for L {
    type Output = Nil;
    #[inline(always)]
    fn pick(&self) -> Nil {
        Nil
    }
}
impl<L: SplitAt<N, Back: First> + Pick<I> + Clone, N, I> Pick<Cons<N, I>> for L {
    type Output = Cons<Mode<<L::Back as First>::Shape, <L::Back as First>::Stride>, <L as Pick<I>>::Output>;
    #[inline(always)]
    fn pick(&self) -> Self::Output {
        Cons { head: self.clone().split_at().1.first().0, tail: <L as Pick<I>>::pick(self) }
    }
}
macro_rules! select {
    ($($Item:ident $item:ident)+) => {
        impl<Left: TopModes, $($Item),+> Apply<operation::Select, Left> for ($($Item,)+)
        where
            Self: Nested,
            Top<Left>: Pick<<Self as Nested>::Node, Output: IntoTuple>,
        {
            type Output = Tuple<<Top<Left> as Pick<<Self as Nested>::Node>>::Output>;
            #[inline(always)]
            fn apply(self, left: Left) -> Result<Self::Output, Fault> {
                Ok(defined(left.top_modes().pick()))
            }
        }
    };
}
each_arity!(select);

/// `L: Take<B, E>`: the modes `B` to `E - 1`. CuTe's `take`.
pub trait Take<const B: usize, const E: usize>: Layout {
    /// The modes taken.
    type Output: Layout;
    #[doc(hidden)]
    fn taken(self) -> Self::Output;
}
/// The type of the modes `B` to `E - 1` of `L`.
pub type Taken<L, const B: usize, const E: usize> = <L as Take<B, E>>::Output;

/// `L: Group<B, E>`: the modes `B` to `E - 1` as one mode. CuTe's `group`.
pub trait Group<const B: usize, const E: usize>: Layout {
    /// The layout with the modes grouped.
    type Output: Layout;
    #[doc(hidden)]
    fn grouped(self) -> Self::Output;
}
/// The type of `L` with the modes `B` to `E - 1` as one.
pub type Grouped<L, const B: usize, const E: usize> = <L as Group<B, E>>::Output;

/// `L: Ungroup<I>`: the modes of mode `I` in its place.
pub trait Ungroup<const I: usize>: Layout {
    /// The layout with the mode ungrouped.
    type Output: Layout;
    #[doc(hidden)]
    fn ungrouped(self) -> Self::Output;
}
/// The type of `L` with the modes of mode `I` in its place.
pub type Ungrouped<L, const I: usize> = <L as Ungroup<I>>::Output;

/// `L: ModeOf<I>`: there is a mode `I`. CuTe's `layout<I>(l)`.
pub trait ModeOf<const I: usize>: Layout {
    /// The mode.
    type Output: Layout;
    #[doc(hidden)]
    fn mode_of(self) -> Self::Output;
}
/// The type of mode `I` of `L`.
pub type ModeAt<L, const I: usize> = <L as ModeOf<I>>::Output;

/// `L: Replace<I, M>`: the layout with the layout `M` in the place of mode `I`. CuTe's `replace`.
pub trait Replace<const I: usize, M>: Layout {
    /// The layout with the mode replaced.
    type Output: Layout;
    #[doc(hidden)]
    fn replaced(self, mode: M) -> Self::Output;
}
/// The type of `L` with `M` in the place of mode `I`.
pub type Replaced<L, const I: usize, M> = <L as Replace<I, M>>::Output;

/// The list of modes `self`, from `B` on, cut before its item `E - B`.
type Cut<L, B, E> = <<L as SplitAt<B>>::Back as SplitAt<<E as SubInt<B>>::Output>>::Front;
/// What is left behind [`Cut`].
type AfterCut<L, B, E> = <<L as SplitAt<B>>::Back as SplitAt<<E as SubInt<B>>::Output>>::Back;
/// The constant `N` as a static integer.
type U<const N: usize> = <Const<N> as ToUInt>::Output;

impl<S: IntTuple, D: IntTuple, const B: usize, const E: usize> Take<B, E> for StridedLayout<S, D>
where
    Const<B>: ToUInt,
    Const<E>: ToUInt<Output: SubInt<U<B>>>,
    Self: TopModes<Output: SplitAt<U<B>, Back: SplitAt<<U<E> as SubInt<U<B>>>::Output>>>,
    Cut<Top<Self>, U<B>, U<E>>: IntoTuple<Shape: IntTuple, Stride: IntTuple>,
{
    type Output = StridedLayout<
        <Cut<Top<Self>, U<B>, U<E>> as IntoTuple>::Shape,
        <Cut<Top<Self>, U<B>, U<E>> as IntoTuple>::Stride,
    >;
    #[inline(always)]
    fn taken(self) -> Self::Output {
        self.top_modes().split_at().1.split_at().0.into_tuple()
    }
}

impl<S: IntTuple, D: IntTuple, G, const B: usize, const E: usize> Group<B, E> for StridedLayout<S, D>
where
    Const<B>: ToUInt,
    Const<E>: ToUInt<Output: SubInt<U<B>>>,
    Self: TopModes<Output: SplitAt<U<B>, Back: SplitAt<<U<E> as SubInt<U<B>>>::Output>>>,
    Cut<Top<Self>, U<B>, U<E>>: IntoTuple,
    <Top<Self> as SplitAt<U<B>>>::Front: Concat<
            Cons<
                Mode<
                    <Cut<Top<Self>, U<B>, U<E>> as IntoTuple>::Shape,
                    <Cut<Top<Self>, U<B>, U<E>> as IntoTuple>::Stride,
                >,
                AfterCut<Top<Self>, U<B>, U<E>>,
            >,
            Output = G,
        >,
    G: IntoTuple<Shape: IntTuple, Stride: IntTuple>,
{
    type Output = StridedLayout<G::Shape, G::Stride>;
    #[inline(always)]
    fn grouped(self) -> Self::Output {
        let (front, back) = self.top_modes().split_at();
        let (group, behind) = back.split_at();
        let (shape, stride) = group.into_tuple().into_parts();
        front.concat(Cons { head: Mode { shape, stride }, tail: behind }).into_tuple()
    }
}

impl<S: IntTuple, D: IntTuple, MS, MD, T, G, const I: usize> Ungroup<I> for StridedLayout<S, D>
where
    Const<I>: ToUInt,
    Self: TopModes<Output: SplitAt<U<I>, Back = Cons<Mode<MS, MD>, T>>>,
    StridedLayout<MS, MD>: TopModes<Output: Concat<T>>,
    <Top<Self> as SplitAt<U<I>>>::Front: Concat<<Top<StridedLayout<MS, MD>> as Concat<T>>::Output, Output = G>,
    G: IntoTuple<Shape: IntTuple, Stride: IntTuple>,
{
    type Output = StridedLayout<G::Shape, G::Stride>;
    #[inline(always)]
    fn ungrouped(self) -> Self::Output {
        let (front, back) = self.top_modes().split_at();
        let mode = StridedLayout::assemble(back.head.shape, back.head.stride);
        front.concat(mode.top_modes().concat(back.tail)).into_tuple()
    }
}

impl<S: IntTuple, D: IntTuple, const I: usize> ModeOf<I> for StridedLayout<S, D>
where
    Const<I>: ToUInt,
    Self: TopModes<Output: SplitAt<U<I>, Back: First<Shape: IntTuple, Stride: IntTuple>>>,
{
    type Output = StridedLayout<
        <<Top<Self> as SplitAt<U<I>>>::Back as First>::Shape,
        <<Top<Self> as SplitAt<U<I>>>::Back as First>::Stride,
    >;
    #[inline(always)]
    fn mode_of(self) -> Self::Output {
        let mode = self.top_modes().split_at().1.first().0;
        StridedLayout::assemble(mode.shape, mode.stride)
    }
}

impl<S: IntTuple, D: IntTuple, M, T, MS, MD, G, const I: usize> Replace<I, StridedLayout<MS, MD>>
    for StridedLayout<S, D>
where
    Const<I>: ToUInt,
    Self: TopModes<Output: SplitAt<U<I>, Back = Cons<M, T>>>,
    <Top<Self> as SplitAt<U<I>>>::Front: Concat<Cons<Mode<MS, MD>, T>, Output = G>,
    G: IntoTuple<Shape: IntTuple, Stride: IntTuple>,
{
    type Output = StridedLayout<G::Shape, G::Stride>;
    #[inline(always)]
    fn replaced(self, mode: StridedLayout<MS, MD>) -> Self::Output {
        let (front, back) = self.top_modes().split_at();
        let (shape, stride) = mode.into_parts();
        front.concat(Cons { head: Mode { shape, stride }, tail: back.tail }).into_tuple()
    }
}
