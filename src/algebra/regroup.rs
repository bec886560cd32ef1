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

use crate::algebra::by_mode::{Apply, Count, Length};
use crate::algebra::modes::{IntoTrees, Mode, ModesOnto, ReverseOnto};
use crate::algebra::operation::{self, Evaluate, binary, right, unary};
use crate::algebra::weave::{IntoTuple, PairUp, TopModes};
use crate::error::Fault;
use crate::int::{False, One, SubInt, True, Underflow};
use crate::int_tuple::IntTuple;
use crate::layout::Layout;
use crate::multiple::Multiple;
use crate::refusal::{
    DynamicMode, NoMode, NoModeToFind, NoModeToReplace, NoModeToUngroup, NoModesToGroup, NoModesToTake, WantsLayout,
};
use crate::show::{Show, Shown};
use crate::stand_in::StandIn;
use crate::strided::StridedLayout;
use crate::tuple::{Concat, Cons, Leaf, Nested, Nil};
use crate::undefined::{Defined, Outcome, Undefined};

unary! {
    /// `L: Flatten`: the layout with all leaves on one level. CuTe's `flatten`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(Flattened<Layout!((2, (3, 4)):(1, (8, 2)))>, Layout!((2, 3, 4):(1, 8, 2)));
    /// ```
    #[diagnostic::on_unimplemented(
        message = "cannot flatten: nothing says that this layout can",
        label = "`{Self}` is not known to have this operation",
        note = "generic code names what it needs as a bound: `L: Flatten`"
    )]
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
    #[diagnostic::on_unimplemented(
        message = "cannot reverse the modes: nothing says that this layout can",
        label = "`{Self}` is not known to have this operation",
        note = "generic code names what it needs as a bound: `L: Reverse`"
    )]
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
    #[diagnostic::on_unimplemented(
        message = "cannot transpose: nothing says that this layout can",
        label = "`{Self}` is not known to have this operation",
        note = "generic code names what it needs as a bound: `L: Transpose`"
    )]
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
    #[diagnostic::on_unimplemented(
        message = "cannot select modes: nothing says that this layout can",
        label = "`{Self}` is not known to have this operation",
        note = "generic code names what it needs as a bound: `L: Select<I>`"
    )]
    trait Select;
    /// The type of the modes `B` of `A`.
    type Selected;
}
binary! {
    /// `L: Append<M>`: the layout with the layout `M` as one more mode at the end. CuTe's `append`.
    #[diagnostic::on_unimplemented(
        message = "cannot append a mode: nothing says that this layout can",
        label = "`{Self}` is not known to have this operation",
        note = "generic code names what it needs as a bound: `L: Append<M>`"
    )]
    trait Append;
    /// The type of `A` with the mode `B` at the end.
    type Appended;
}
binary! {
    /// `L: Prepend<M>`: the layout with the layout `M` as one more mode at the front. CuTe's `prepend`.
    #[diagnostic::on_unimplemented(
        message = "cannot prepend a mode: nothing says that this layout can",
        label = "`{Self}` is not known to have this operation",
        note = "generic code names what it needs as a bound: `L: Prepend<M>`"
    )]
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
    message = "cannot transpose: rank 2 is needed, and this layout has another",
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

/// The list `self` cut before item `N`, which it has, or ends at.
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

/// The items of the list `L` that the numbers of the list `self` name: a list, or [`Undefined`].
pub trait PickFrom<L> {
    type Output;
    fn pick_from(list: &L) -> Self::Output;
}
impl<L> PickFrom<L> for Nil {
    type Output = Nil;
    #[inline(always)]
    fn pick_from(_: &L) -> Nil {
        Nil
    }
}
impl<L: PickOne<N>, N, I: PickFrom<L, Output: InFront<L::Output>>> PickFrom<L> for Cons<N, I> {
    type Output = <I::Output as InFront<L::Output>>::Output;
    #[inline(always)]
    fn pick_from(list: &L) -> Self::Output {
        I::pick_from(list).in_front(list.pick_one())
    }
}

/// The item of the list `self` that the number `N` names: a [`Mode`], or [`Undefined`].
pub trait PickOne<N> {
    type Output;
    fn pick_one(&self) -> Self::Output;
}
impl<L> PickOne<usize> for L {
    type Output = Undefined<DynamicMode>;
    #[inline(always)]
    fn pick_one(&self) -> Self::Output {
        Undefined::new()
    }
}
macro_rules! pick_one {
    ($([$($generic:ident)*] $number:ty;)*) => {
        $(impl<L: Length<Output: SubInt<$number>>, $($generic),*> PickOne<$number> for L
        where
            <L::Output as SubInt<$number>>::Output: PickIf<L, $number>,
        {
            type Output = <<L::Output as SubInt<$number>>::Output as PickIf<L, $number>>::Output;
            #[inline(always)]
            fn pick_one(&self) -> Self::Output {
                <L::Output as SubInt<$number>>::Output::pick_if(self)
            }
        })*
    };
}
pick_one! { [] UTerm; [U B] UInt<U, B>; }

/// [`PickOne`]; `self` is how many items there are from item `N` on.
pub trait PickIf<L, N> {
    type Output;
    fn pick_if(list: &L) -> Self::Output;
}
impl<L: SplitAt<N, Back: First> + Clone, N, U, B> PickIf<L, N> for UInt<U, B> {
    type Output = Mode<<L::Back as First>::Shape, <L::Back as First>::Stride>;
    #[inline(always)]
    fn pick_if(list: &L) -> Self::Output {
        list.clone().split_at().1.first().0
    }
}
macro_rules! no_such_mode {
    ($($left:ty)*) => {
        $(impl<L, N> PickIf<L, N> for $left {
            type Output = Undefined<NoMode<N, Count<L>>>;
            #[inline(always)]
            fn pick_if(_: &L) -> Self::Output {
                Undefined::new()
            }
        })*
    };
}
no_such_mode! { UTerm Underflow }

/// An item, if there is one, before the items `self`, if there are any.
pub trait InFront<M> {
    type Output;
    fn in_front(self, item: M) -> Self::Output;
}
impl<R, M> InFront<M> for Undefined<R> {
    type Output = Self;
    #[inline(always)]
    fn in_front(self, _: M) -> Self {
        self
    }
}
macro_rules! in_front {
    ($([$($generic:ident)*] $list:ty;)*) => {
        $(impl<S, D, $($generic),*> InFront<Mode<S, D>> for $list {
            type Output = Cons<Mode<S, D>, Self>;
            #[inline(always)]
            fn in_front(self, item: Mode<S, D>) -> Self::Output {
                Cons { head: item, tail: self }
            }
        }
        impl<R, $($generic),*> InFront<Undefined<R>> for $list {
            type Output = Undefined<R>;
            #[inline(always)]
            fn in_front(self, item: Undefined<R>) -> Self::Output {
                item
            }
        })*
    };
}
in_front! { [] Nil; [H T] Cons<H, T>; }

/// What was picked, as a layout.
pub trait Picked {
    type Output;
    fn picked(self) -> Self::Output;
}
impl<H, T> Picked for Cons<H, T>
where
    Self: IntoTuple,
{
    type Output = Tuple<Self>;
    #[inline(always)]
    fn picked(self) -> Self::Output {
        defined(self)
    }
}
impl<R> Picked for Undefined<R> {
    type Output = Self;
    #[inline(always)]
    fn picked(self) -> Self {
        self
    }
}
macro_rules! select {
    ($($Item:ident $item:ident)+) => {
        impl<Left: TopModes, $($Item),+> Apply<operation::Select, Left> for ($($Item,)+)
        where
            Self: Nested<Node: PickFrom<Top<Left>, Output: Picked>>,
        {
            type Output = <<<Self as Nested>::Node as PickFrom<Top<Left>>>::Output as Picked>::Output;
            #[inline(always)]
            fn apply(self, left: Left) -> Result<Self::Output, Fault> {
                Ok(<<Self as Nested>::Node as PickFrom<Top<Left>>>::pick_from(&left.top_modes()).picked())
            }
        }
    };
}
each_arity!(select);

/// `L: Take<B, E>`: the modes `B` to `E - 1`. CuTe's `take`.
#[diagnostic::on_unimplemented(
    message = "cannot take modes: nothing says that this layout can",
    label = "`{Self}` is not known to have this operation",
    note = "generic code names what it needs as a bound: `L: Take<0, 2>`"
)]
pub trait Take<const B: usize, const E: usize>: Layout {
    /// The modes taken.
    type Output: Layout;
    #[doc(hidden)]
    fn taken(self) -> Self::Output;
}
/// The type of the modes `B` to `E - 1` of `L`.
pub type Taken<L, const B: usize, const E: usize> = <L as Take<B, E>>::Output;

/// `L: Group<B, E>`: the modes `B` to `E - 1` as one mode. CuTe's `group`.
#[diagnostic::on_unimplemented(
    message = "cannot group modes: nothing says that this layout can",
    label = "`{Self}` is not known to have this operation",
    note = "generic code names what it needs as a bound: `L: Group<0, 2>`"
)]
pub trait Group<const B: usize, const E: usize>: Layout {
    /// The layout with the modes grouped.
    type Output: Layout;
    #[doc(hidden)]
    fn grouped(self) -> Self::Output;
}
/// The type of `L` with the modes `B` to `E - 1` as one.
pub type Grouped<L, const B: usize, const E: usize> = <L as Group<B, E>>::Output;

/// `L: Ungroup<I>`: the modes of mode `I` in its place.
#[diagnostic::on_unimplemented(
    message = "cannot ungroup a mode: nothing says that this layout can",
    label = "`{Self}` is not known to have this operation",
    note = "generic code names what it needs as a bound: `L: Ungroup<0>`"
)]
pub trait Ungroup<const I: usize>: Layout {
    /// The layout with the mode ungrouped.
    type Output: Layout;
    #[doc(hidden)]
    fn ungrouped(self) -> Self::Output;
}
/// The type of `L` with the modes of mode `I` in its place.
pub type Ungrouped<L, const I: usize> = <L as Ungroup<I>>::Output;

/// `L: ModeOf<I>`: there is a mode `I`. CuTe's `layout<I>(l)`.
#[diagnostic::on_unimplemented(
    message = "cannot take a mode: nothing says that this layout can",
    label = "`{Self}` is not known to have this operation",
    note = "generic code names what it needs as a bound: `L: ModeOf<0>`"
)]
pub trait ModeOf<const I: usize>: Layout {
    /// The mode.
    type Output: Layout;
    #[doc(hidden)]
    fn mode_of(self) -> Self::Output;
}
/// The type of mode `I` of `L`.
pub type ModeAt<L, const I: usize> = <L as ModeOf<I>>::Output;

/// `L: Replace<I, M>`: the layout with the layout `M` in the place of mode `I`. CuTe's `replace`.
#[diagnostic::on_unimplemented(
    message = "cannot replace a mode: nothing says that this layout can",
    label = "`{Self}` is not known to have this operation",
    note = "generic code names what it needs as a bound: `L: Replace<0, M>`"
)]
pub trait Replace<const I: usize, M>: Layout {
    /// The layout with the mode replaced.
    type Output: Layout;
    #[doc(hidden)]
    fn replaced(self, mode: M) -> Self::Output;
}
/// The type of `L` with `M` in the place of mode `I`.
pub type Replaced<L, const I: usize, M> = <L as Replace<I, M>>::Output;

// ---- what the numbers name ----------------------------------------------------------------------------------------

/// Is there something left? [`True`] of a difference above 0, [`False`] of 0 and of what is no difference.
pub trait IsPositive {
    type Output;
}
impl IsPositive for Underflow {
    type Output = False;
}
impl IsPositive for UTerm {
    type Output = False;
}
impl<U, B> IsPositive for UInt<U, B> {
    type Output = True;
}
/// Is it a difference at all?
pub trait IsDifference {
    type Output;
}
impl IsDifference for Underflow {
    type Output = False;
}
impl IsDifference for UTerm {
    type Output = True;
}
impl<U, B> IsDifference for UInt<U, B> {
    type Output = True;
}
/// [`True`] if both are.
pub trait And<R> {
    type Output;
}
impl<R> And<R> for True {
    type Output = R;
}
impl<R> And<R> for False {
    type Output = False;
}

/// The constant `N` as a static integer.
type U<const N: usize> = <Const<N> as ToUInt>::Output;
/// The rank of a layout, by its modes.
type RankOf<L> = <Top<L> as Length>::Output;

/// Is there a mode `I` in the layout `self`? [`True`] or [`False`].
pub trait HasMode<const I: usize> {
    type Output;
}
impl<L: TopModes<Output: Length>, const I: usize> HasMode<I> for L
where
    Const<I>: ToUInt,
    RankOf<L>: SubInt<U<I>, Output: IsPositive>,
{
    type Output = <<RankOf<L> as SubInt<U<I>>>::Output as IsPositive>::Output;
}
/// Are there modes `B` to `E - 1` in the layout `self`, at least one? [`True`] or [`False`].
pub trait HasModes<const B: usize, const E: usize> {
    type Output;
}
impl<L: TopModes<Output: Length>, const B: usize, const E: usize> HasModes<B, E> for L
where
    Const<B>: ToUInt,
    Const<E>: ToUInt<Output: SubInt<U<B>, Output: IsPositive>>,
    RankOf<L>: SubInt<U<E>, Output: IsDifference>,
    <<U<E> as SubInt<U<B>>>::Output as IsPositive>::Output:
        And<<<RankOf<L> as SubInt<U<E>>>::Output as IsDifference>::Output>,
{
    type Output = <<<U<E> as SubInt<U<B>>>::Output as IsPositive>::Output as And<
        <<RankOf<L> as SubInt<U<E>>>::Output as IsDifference>::Output,
    >>::Output;
}

/// The operation `Op` on modes by their numbers; `Valid` says whether the layout has them.
pub trait ByNumber<Op, Valid> {
    type Output: Layout;
    fn by_number(self, op: Op) -> Self::Output;
}
/// The modes `B` to `E - 1`.
pub struct Taking<const B: usize, const E: usize>;
/// The modes `B` to `E - 1` as one.
pub struct Grouping<const B: usize, const E: usize>;
/// The modes of mode `I` in its place.
pub struct Ungrouping<const I: usize>;
/// Mode `I`.
pub struct Finding<const I: usize>;
/// The mode `M` in the place of mode `I`.
pub struct Replacing<const I: usize, M>(M);

macro_rules! by_number {
    ($($trait:ident $method:ident $op:ident $check:ident [$($n:ident)*];)*) => {
        $(impl<S: IntTuple, D: IntTuple, $(const $n: usize),*> $trait<$($n),*> for StridedLayout<S, D>
        where
            Self: $check<$($n),*>,
            Self: ByNumber<$op<$($n),*>, <Self as $check<$($n),*>>::Output>,
        {
            type Output = <Self as ByNumber<$op<$($n),*>, <Self as $check<$($n),*>>::Output>>::Output;
            #[inline(always)]
            fn $method(self) -> Self::Output {
                self.by_number($op)
            }
        }
        impl<$(const $n: usize),*> $trait<$($n),*> for StandIn {
            type Output = Self;
            fn $method(self) -> Self {
                self
            }
        })*
    };
}
by_number! {
    Take taken Taking HasModes [B E];
    Group grouped Grouping HasModes [B E];
    Ungroup ungrouped Ungrouping HasMode [I];
    ModeOf mode_of Finding HasMode [I];
}
impl<S: IntTuple, D: IntTuple, M, const I: usize> Replace<I, M> for StridedLayout<S, D>
where
    Self: HasMode<I>,
    M: right::Replace,
    Self: ByNumber<Replacing<I, M::Itself>, <Self as HasMode<I>>::Output>,
{
    type Output = <Self as ByNumber<Replacing<I, M::Itself>, <Self as HasMode<I>>::Output>>::Output;
    #[inline(always)]
    fn replaced(self, mode: M) -> Self::Output {
        self.by_number(Replacing(mode.itself()))
    }
}
impl<M, const I: usize> Replace<I, M> for StandIn {
    type Output = Self;
    fn replaced(self, _: M) -> Self {
        self
    }
}

/// The list of modes `self`, from `B` on, cut before its item `E - B`.
type Cut<L, B, E> = <<L as SplitAt<B>>::Back as SplitAt<<E as SubInt<B>>::Output>>::Front;
/// What is left behind [`Cut`].
type AfterCut<L, B, E> = <<L as SplitAt<B>>::Back as SplitAt<<E as SubInt<B>>::Output>>::Back;

impl<S, D, const B: usize, const E: usize> ByNumber<Taking<B, E>, True> for StridedLayout<S, D>
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
    fn by_number(self, _: Taking<B, E>) -> Self::Output {
        self.top_modes().split_at().1.split_at().0.into_tuple()
    }
}

impl<S, D, G, const B: usize, const E: usize> ByNumber<Grouping<B, E>, True> for StridedLayout<S, D>
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
    fn by_number(self, _: Grouping<B, E>) -> Self::Output {
        let (front, back) = self.top_modes().split_at();
        let (group, behind) = back.split_at();
        let (shape, stride) = group.into_tuple().into_parts();
        front.concat(Cons { head: Mode { shape, stride }, tail: behind }).into_tuple()
    }
}

impl<S, D, MS, MD, T, G, const I: usize> ByNumber<Ungrouping<I>, True> for StridedLayout<S, D>
where
    Const<I>: ToUInt,
    Self: TopModes<Output: SplitAt<U<I>, Back = Cons<Mode<MS, MD>, T>>>,
    StridedLayout<MS, MD>: TopModes<Output: Concat<T>>,
    <Top<Self> as SplitAt<U<I>>>::Front: Concat<<Top<StridedLayout<MS, MD>> as Concat<T>>::Output, Output = G>,
    G: IntoTuple,
    Tuple<G>: Outcome<operation::Ungroup>,
{
    type Output = <Tuple<G> as Outcome<operation::Ungroup>>::Output;
    #[inline(always)]
    fn by_number(self, _: Ungrouping<I>) -> Self::Output {
        let (front, back) = self.top_modes().split_at();
        let mode = StridedLayout::assemble(back.head.shape, back.head.stride);
        defined(front.concat(mode.top_modes().concat(back.tail))).layout()
    }
}

impl<S, D, const I: usize> ByNumber<Finding<I>, True> for StridedLayout<S, D>
where
    Const<I>: ToUInt,
    Self: TopModes<Output: SplitAt<U<I>, Back: First<Shape: IntTuple, Stride: IntTuple>>>,
{
    type Output = StridedLayout<
        <<Top<Self> as SplitAt<U<I>>>::Back as First>::Shape,
        <<Top<Self> as SplitAt<U<I>>>::Back as First>::Stride,
    >;
    #[inline(always)]
    fn by_number(self, _: Finding<I>) -> Self::Output {
        let mode = self.top_modes().split_at().1.first().0;
        StridedLayout::assemble(mode.shape, mode.stride)
    }
}

impl<S, D, M: PutAt<Self, I, Output: Outcome<operation::Replace>>, const I: usize> ByNumber<Replacing<I, M>, True>
    for StridedLayout<S, D>
{
    type Output = <M::Output as Outcome<operation::Replace>>::Output;
    #[inline(always)]
    fn by_number(self, op: Replacing<I, M>) -> Self::Output {
        op.0.put_at(self).layout()
    }
}
/// The layout `A` with `self` in the place of mode `I`, which it has.
pub trait PutAt<A, const I: usize> {
    type Output;
    fn put_at(self, layout: A) -> Self::Output;
}
impl<A, M, T, MS, MD, G, const I: usize> PutAt<A, I> for StridedLayout<MS, MD>
where
    Const<I>: ToUInt,
    A: TopModes<Output: SplitAt<U<I>, Back = Cons<M, T>>>,
    <Top<A> as SplitAt<U<I>>>::Front: Concat<Cons<Mode<MS, MD>, T>, Output = G>,
    G: IntoTuple,
{
    type Output = Tuple<G>;
    #[inline(always)]
    fn put_at(self, layout: A) -> Self::Output {
        let (front, back) = layout.top_modes().split_at();
        let (shape, stride) = self.into_parts();
        defined(front.concat(Cons { head: Mode { shape, stride }, tail: back.tail }))
    }
}
macro_rules! put_numbers {
    ($([$($generic:ident)*] $number:ty;)*) => {
        $(impl<A, $($generic,)* const I: usize> PutAt<A, I> for $number {
            type Output = Undefined<WantsLayout>;
            #[inline(always)]
            fn put_at(self, _: A) -> Self::Output {
                Undefined::new()
            }
        })*
    };
}
put_numbers! { [] UTerm; [V B] UInt<V, B>; [] usize; [F] Multiple<F>; }

macro_rules! beyond_the_rank {
    ($($op:ident $refusal:ident [$($n:ident)*] [$($generic:ident)*];)*) => {
        $(impl<S, D, $($generic,)* $(const $n: usize),*> ByNumber<$op<$($n,)* $($generic),*>, False> for StridedLayout<S, D>
        where
            Self: TopModes<Output: Length<Output: Show>>,
            (): $refusal<$($n,)* Shown<RankOf<Self>>>,
        {
            type Output = StandIn;
            fn by_number(self, _: $op<$($n,)* $($generic),*>) -> StandIn {
                StandIn
            }
        })*
    };
}
beyond_the_rank! {
    Taking NoModesToTake [B E] [];
    Grouping NoModesToGroup [B E] [];
    Ungrouping NoModeToUngroup [I] [];
    Finding NoModeToFind [I] [];
    Replacing NoModeToReplace [I] [M];
}
