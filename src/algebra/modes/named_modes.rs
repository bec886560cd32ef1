//! Operations on modes by number: the modes, or the reason why they are missing.

use typenum::{Const, ToUInt, UInt, UTerm};

use crate::algebra::mode::Mode;
use crate::algebra::modes::by_number::{
    FirstMode, Group, ModeOf, Replace, SplitAt, Take, U, Ungroup,
};
use crate::algebra::modes::regroup::{TopModesOf, Tuple, tuple};
use crate::algebra::operation::{self, AnyTuple, right};
use crate::algebra::outcome::Outcome;
use crate::algebra::trees::{IntoTuple, TopModes};
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::tiler::{Keep, Tiler};
use crate::layout::traits::Layout;
use crate::list::{Concat, Cons};
use crate::number::int::{And, False, SubInt, True, Underflow};
use crate::number::table::Number;
use crate::reasons::count::Length;
use crate::reasons::undefined::Undefined;
use crate::reasons::{Before, Explain, NoMode, NoModes, WantsLayout};
use crate::tuple::int_tuple::IntTuple;

/// Is the number positive? [`True`] for a difference above 0, [`False`] for 0 and for a failed
/// subtraction.
pub trait IsPositive {
    type Output;
}
cases! { IsPositive:
    [] Underflow => False;
    [] UTerm => False;
    [U, B] UInt<U, B> => True;
}
/// Did the subtraction succeed?
pub trait IsDifference {
    type Output;
}
cases! { IsDifference:
    [] Underflow => False;
    [] UTerm => True;
    [U, B] UInt<U, B> => True;
}

/// The rank of a layout: how many modes it has on the first level.
type RankOf<L> = <TopModesOf<L> as Length>::Output;

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
/// Mode `I` replaced by its own modes.
pub struct Ungrouping<const I: usize>;
/// Mode `I`.
pub struct Finding<const I: usize>;
/// Mode `I` replaced by the mode `M`.
pub struct Replacing<const I: usize, M>(M);

macro_rules! by_number {
    ($($trait:ident $method:ident $op:ident $check:ident [$($n:ident)*];)*) => {
        $(impl<S: IntTuple, D: IntTuple, $(const $n: usize),*> $trait<$($n),*> for StridedLayout<S, D>
        where
            Self: $check<$($n),*>,
            Self: ByNumber<$op<$($n),*>, <Self as $check<$($n),*>>::Output>,
        {
            type Output = <Self as ByNumber<$op<$($n),*>, <Self as $check<$($n),*>>::Output>>::Output;
            #[inline]
            fn $method(self) -> Self::Output {
                self.by_number($op)
            }
        }
        #[diagnostic::do_not_recommend]
        impl<$(const $n: usize),*> $trait<$($n),*> for RefusedLayout {
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
    Self: ByNumber<Replacing<I, M::Accepted>, <Self as HasMode<I>>::Output>,
{
    type Output =
        <Self as ByNumber<Replacing<I, M::Accepted>, <Self as HasMode<I>>::Output>>::Output;
    #[inline]
    fn replaced(self, mode: M) -> Self::Output {
        self.by_number(Replacing(mode.accepted()))
    }
}
#[diagnostic::do_not_recommend]
impl<M, const I: usize> Replace<I, M> for RefusedLayout {
    type Output = Self;
    fn replaced(self, _: M) -> Self {
        self
    }
}

/// The list of modes `self`, from `B` on, cut before its item `E - B`.
type CutModes<L, B, E> = <<L as SplitAt<B>>::Back as SplitAt<<E as SubInt<B>>::Output>>::Front;
/// The modes behind [`CutModes`].
type ModesAfterCut<L, B, E> = <<L as SplitAt<B>>::Back as SplitAt<<E as SubInt<B>>::Output>>::Back;

impl<S, D, const B: usize, const E: usize> ByNumber<Taking<B, E>, True> for StridedLayout<S, D>
where
    Const<B>: ToUInt,
    Const<E>: ToUInt<Output: SubInt<U<B>>>,
    Self: TopModes<Output: SplitAt<U<B>, Back: SplitAt<<U<E> as SubInt<U<B>>>::Output>>>,
    CutModes<TopModesOf<Self>, U<B>, U<E>>: IntoTuple<Shape: IntTuple, Stride: IntTuple>,
{
    type Output = StridedLayout<
        <CutModes<TopModesOf<Self>, U<B>, U<E>> as IntoTuple>::Shape,
        <CutModes<TopModesOf<Self>, U<B>, U<E>> as IntoTuple>::Stride,
    >;
    #[inline]
    fn by_number(self, _: Taking<B, E>) -> Self::Output {
        self.top_modes().split_at().1.split_at().0.into_tuple()
    }
}

impl<S, D, G, const B: usize, const E: usize> ByNumber<Grouping<B, E>, True> for StridedLayout<S, D>
where
    Const<B>: ToUInt,
    Const<E>: ToUInt<Output: SubInt<U<B>>>,
    Self: TopModes<Output: SplitAt<U<B>, Back: SplitAt<<U<E> as SubInt<U<B>>>::Output>>>,
    CutModes<TopModesOf<Self>, U<B>, U<E>>: IntoTuple,
    <TopModesOf<Self> as SplitAt<U<B>>>::Front: Concat<
            Cons<
                Mode<
                    <CutModes<TopModesOf<Self>, U<B>, U<E>> as IntoTuple>::Shape,
                    <CutModes<TopModesOf<Self>, U<B>, U<E>> as IntoTuple>::Stride,
                >,
                ModesAfterCut<TopModesOf<Self>, U<B>, U<E>>,
            >,
            Output = G,
        >,
    G: IntoTuple<Shape: IntTuple, Stride: IntTuple>,
{
    type Output = StridedLayout<G::Shape, G::Stride>;
    #[inline]
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
    <TopModesOf<Self> as SplitAt<U<I>>>::Front:
        Concat<<TopModesOf<StridedLayout<MS, MD>> as Concat<T>>::Output, Output = G>,
    G: IntoTuple,
    Tuple<G>: Outcome<operation::Ungroup>,
{
    type Output = <Tuple<G> as Outcome<operation::Ungroup>>::Output;
    #[inline]
    fn by_number(self, _: Ungrouping<I>) -> Self::Output {
        let (front, back) = self.top_modes().split_at();
        let mode = StridedLayout::assemble(back.head.shape, back.head.stride);
        tuple(front.concat(mode.top_modes().concat(back.tail))).layout()
    }
}

impl<S, D, const I: usize> ByNumber<Finding<I>, True> for StridedLayout<S, D>
where
    Const<I>: ToUInt,
    Self: TopModes<Output: SplitAt<U<I>, Back: FirstMode<Shape: IntTuple, Stride: IntTuple>>>,
{
    type Output = StridedLayout<
        <<TopModesOf<Self> as SplitAt<U<I>>>::Back as FirstMode>::Shape,
        <<TopModesOf<Self> as SplitAt<U<I>>>::Back as FirstMode>::Stride,
    >;
    #[inline]
    fn by_number(self, _: Finding<I>) -> Self::Output {
        let mode = self.top_modes().split_at().1.first().0;
        StridedLayout::assemble(mode.shape, mode.stride)
    }
}

impl<S, D, M: PutAt<Self, I, Output: Outcome<operation::Replace>>, const I: usize>
    ByNumber<Replacing<I, M>, True> for StridedLayout<S, D>
{
    type Output = <M::Output as Outcome<operation::Replace>>::Output;
    #[inline]
    fn by_number(self, op: Replacing<I, M>) -> Self::Output {
        op.0.put_at(self).layout()
    }
}
/// The layout `A` with mode `I`, which exists, replaced by `self`.
pub trait PutAt<A, const I: usize> {
    type Output;
    fn put_at(self, layout: A) -> Self::Output;
}
impl<A, M, T, MS, MD, G, const I: usize> PutAt<A, I> for StridedLayout<MS, MD>
where
    Const<I>: ToUInt,
    A: TopModes<Output: SplitAt<U<I>, Back = Cons<M, T>>>,
    <TopModesOf<A> as SplitAt<U<I>>>::Front: Concat<Cons<Mode<MS, MD>, T>, Output = G>,
    G: IntoTuple,
{
    type Output = Tuple<G>;
    #[inline]
    fn put_at(self, layout: A) -> Self::Output {
        let (front, back) = layout.top_modes().split_at();
        let (shape, stride) = self.into_parts();
        tuple(front.concat(Cons { head: Mode { shape, stride }, tail: back.tail }))
    }
}
macro_rules! put_no_layouts {
    ($reason:ty: $([$($generic:tt)*] $other:ty;)*) => {
        $(impl<A, const I: usize, $($generic)*> $crate::algebra::modes::named_modes::PutAt<A, I> for $other {
            type Output = Undefined<$reason>;
            #[inline]
            fn put_at(self, _: A) -> Self::Output {
                Undefined::new()
            }
        })*
    };
}
pub(crate) use put_no_layouts;
put_no_layouts! { WantsLayout: [N: Number] N; [] AnyTuple; [T] Tiler<T>; [] Keep; }
put_no_layouts! { Before: [] RefusedLayout; }

macro_rules! beyond_the_rank {
    ($($op:ident $reason:ident [$($n:ident)*] [$($generic:ident)*];)*) => {
        $(impl<S, D, $($generic,)* $(const $n: usize),*> ByNumber<$op<$($n,)* $($generic),*>, False>
            for StridedLayout<S, D>
        where
            $(Const<$n>: ToUInt,)*
            Self: TopModes<Output: Length>,
            $reason<$(U<$n>,)* RankOf<Self>>: Explain<operation::Select>,
        {
            type Output = RefusedLayout;
            fn by_number(self, _: $op<$($n,)* $($generic),*>) -> RefusedLayout {
                RefusedLayout
            }
        })*
    };
}
beyond_the_rank! {
    Taking NoModes [B E] [];
    Grouping NoModes [B E] [];
    Ungrouping NoMode [I] [];
    Finding NoMode [I] [];
    Replacing NoMode [I] [M];
}
