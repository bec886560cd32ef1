//! `tile_to_shape(B, S) = blocked_product(B, compact(S / shape(B)))`: a block repeated until it
//! fills a shape, whole numbers of blocks.

use typenum::{Equal, Greater, Less, UInt, UTerm};

use crate::algebra::mode::Mode;
use crate::algebra::operation::{self};
use crate::algebra::outcome::Apply;
use crate::algebra::paired_product::{Blocked, Padded, PairedProduct, UnitMode};
use crate::algebra::trees::{IntoModes, IntoTuple, ListOf, Top, TopModes};
use crate::error::Fault;
use crate::layout::compact::CompactLeft;
use crate::layout::ordered::{CompactOrdered, LeafInOrder, Ordered, PairLeaves};
use crate::layout::strided::StridedLayout;
use crate::list::{Cons, Nested, Nil, PadTo, TreeOf, Untangle};
use crate::number::int::{False, NotExact, One, True};
use crate::number::multiple::Multiple;
use crate::number::quotient::{Exact, Quotient};
use crate::number::table::{Number, Order, Unknown};
use crate::reasons::count::Count;
use crate::reasons::undefined::Undefined;
use crate::reasons::{BlockDivides, NoPermutation};
use crate::tuple::profile::{SizeIn, SizeOf};

/// Whole numbers of blocks, as lists: extents of a shape divided by the sizes of the block's modes.
pub trait Repeats<Block> {
    type Output;
    fn repeats(self, block: Block) -> Result<Self::Output, Fault>;
}
impl Repeats<Nil> for Nil {
    type Output = Nil;
    #[inline]
    fn repeats(self, _: Nil) -> Result<Nil, Fault> {
        Ok(Nil)
    }
}
impl<H, T, S, D, MT> Repeats<Cons<Mode<S, D>, MT>> for Cons<H, T>
where
    H: Nested<Node: SizeOf>,
    S: Nested<Node: SizeOf>,
    SizeIn<H>: Quotient<SizeIn<S>> + Number,
    SizeIn<S>: Number,
    <SizeIn<H> as Quotient<SizeIn<S>>>::Output: RepeatOf<SizeIn<H>, SizeIn<S>>,
    T: Repeats<MT>,
    T::Output: BehindRepeat<
        <<SizeIn<H> as Quotient<SizeIn<S>>>::Output as RepeatOf<SizeIn<H>, SizeIn<S>>>::Output,
    >,
{
    type Output = <T::Output as BehindRepeat<
        <<SizeIn<H> as Quotient<SizeIn<S>>>::Output as RepeatOf<SizeIn<H>, SizeIn<S>>>::Output,
    >>::Output;
    #[inline]
    fn repeats(self, block: Cons<Mode<S, D>, MT>) -> Result<Self::Output, Fault> {
        let (want, have) = (self.head.node().size_of()?, block.head.shape.node().size_of()?);
        let count =
            want.quotient(&have).ok_or(Fault::Block { extent: want.get(), block: have.get() })?;
        Ok(self.tail.repeats(block.tail)?.behind_repeat(count.repeat_of()))
    }
}
/// A quotient, or the reason why there is none.
pub trait RepeatOf<Want, Have> {
    type Output;
    fn repeat_of(self) -> Self::Output;
}
cases! { RepeatOf::repeat_of -> Self::Output:
    [Want, Have, Q] Exact<Q>, Want, Have => Exact<Q>, (self) => self;
    [Want, Have] NotExact, Want, Have => Undefined<BlockDivides<Want, Have>>, (self) => Undefined::new();
}

/// The repeat `Q`, exact or not, before the repeats `self`.
pub trait BehindRepeat<Q> {
    type Output;
    fn behind_repeat(self, count: Q) -> Self::Output;
}
macro_rules! behind_repeat {
    ($([$($generic:ident)*] $list:ty;)*) => {
        $(impl<Q, $($generic),*> BehindRepeat<Exact<Q>> for $list {
            type Output = Cons<Q, Self>;
            #[inline]
            fn behind_repeat(self, count: Exact<Q>) -> Self::Output {
                Cons { head: count.0, tail: self }
            }
        }
        impl<R, $($generic),*> BehindRepeat<Undefined<R>> for $list {
            type Output = Undefined<R>;
            #[inline]
            fn behind_repeat(self, count: Undefined<R>) -> Undefined<R> {
                count
            }
        })*
    };
}
behind_repeat! { [] Nil; [H T] Cons<H, T>; }
// Of two missing repeats, the first one is named.
cases! { BehindRepeat::behind_repeat -> Self::Output:
    [Q, R] Undefined<R>, Exact<Q> => Self, (self, _: Exact<Q>) => self;
    [First, R] Undefined<R>, Undefined<First> => Undefined<First>, (self, first: Undefined<First>) => first;
}

/// The strides of the copies, and their product with the block.
pub trait Fill<Block, Order> {
    type Output;
    fn fill(self, block: Block, order: Order) -> Result<Self::Output, Fault>;
}
/// The order of the modes, from the left.
#[derive(Clone, Copy)]
pub struct FromTheLeft;
impl<Block, Order, R> Fill<Block, Order> for Undefined<R> {
    type Output = Self;
    #[inline]
    fn fill(self, _: Block, _: Order) -> Result<Self, Fault> {
        Ok(self)
    }
}
impl<Block, H, T> Fill<Block, FromTheLeft> for Cons<H, T>
where
    Self: Untangle<Tree: CompactLeft>,
    StridedLayout<TreeOf<Self>, <TreeOf<Self> as CompactLeft>::Stride>:
        PairedProduct<Block, Blocked>,
{
    type Output =
        <StridedLayout<TreeOf<Self>, <TreeOf<Self> as CompactLeft>::Stride> as PairedProduct<
            Block,
            Blocked,
        >>::Output;
    #[inline]
    fn fill(self, block: Block, _: FromTheLeft) -> Result<Self::Output, Fault> {
        let shape = self.tree();
        StridedLayout::assemble(shape, shape.left_strides()?).paired_product(block)
    }
}
impl<Block, H, T, O: Nested<Node: PairLeaves<O::Node, Nil, Output: Permutes>>>
    Fill<Block, GivenOrder<O>> for Cons<H, T>
where
    <<O::Node as PairLeaves<O::Node, Nil>>::Output as Permutes>::Output: FillBy<Self, Block, O>,
{
    type Output = <<<O::Node as PairLeaves<O::Node, Nil>>::Output as Permutes>::Output as FillBy<
        Self,
        Block,
        O,
    >>::Output;
    #[inline]
    fn fill(self, block: Block, order: GivenOrder<O>) -> Result<Self::Output, Fault> {
        <<O::Node as PairLeaves<O::Node, Nil>>::Output as Permutes>::Output::fill_by(
            self, block, order.0,
        )
    }
}
/// Are the leaves of an order, each paired with itself, all different? What is known only at run
/// time is refused later.
pub trait Permutes {
    type Output;
}
cases! { Permutes:
    [] Nil => True;
    [P, T: Lacks<P, T>] Cons<LeafInOrder<P, P>, T> => T::Output;
}
/// [`Permutes`] of the list `L`, if the list `self` does not have the number `P`.
pub trait Lacks<P, L> {
    type Output;
}
cases! { Lacks:
    [P, L: Permutes] Nil, P, L => L::Output;
    [Q: Order<P, Output: LacksIn<T, P, L>>, T, P, L] Cons<LeafInOrder<Q, Q>, T>, P, L
        => <Q::Output as LacksIn<T, P, L>>::Output;
}
/// [`Lacks`] of the list `T` behind a number; `self` is the order of that and `P`.
pub trait LacksIn<T, P, L> {
    type Output;
}
cases! { LacksIn:
    [T, P, L] Equal, T, P, L => False;
    [T: Lacks<P, L>, P, L] Less, T, P, L => T::Output;
    [T: Lacks<P, L>, P, L] Greater, T, P, L => T::Output;
    [T: Lacks<P, L>, P, L] Unknown, T, P, L => T::Output;
}

/// The counts `C` and the block as [`Fill`], in the order `O`; `self` says whether that is a
/// permutation.
pub trait FillBy<C, Block, O> {
    type Output;
    fn fill_by(counts: C, block: Block, order: O) -> Result<Self::Output, Fault>;
}
impl<C, Block, O> FillBy<C, Block, O> for False {
    type Output = Undefined<NoPermutation<Count<C>>>;
    #[inline]
    fn fill_by(_: C, _: Block, _: O) -> Result<Self::Output, Fault> {
        Ok(Undefined::new())
    }
}
impl<C, Block, O: Nested<Node: IntoModes>> FillBy<C, Block, O> for True
where
    <O::Node as IntoModes>::List: Untangle,
    C: Untangle<Tree: CompactOrdered<TreeOf<<O::Node as IntoModes>::List>>>,
    StridedLayout<
        TreeOf<C>,
        <TreeOf<C> as CompactOrdered<TreeOf<<O::Node as IntoModes>::List>>>::Stride,
    >: PairedProduct<Block, Blocked>,
{
    type Output = <StridedLayout<
        TreeOf<C>,
        <TreeOf<C> as CompactOrdered<TreeOf<<O::Node as IntoModes>::List>>>::Stride,
    > as PairedProduct<Block, Blocked>>::Output;
    #[inline]
    fn fill_by(counts: C, block: Block, order: O) -> Result<Self::Output, Fault> {
        let shape = counts.tree();
        let stride = shape.ordered_strides(order.node().into_modes().tree())?;
        StridedLayout::assemble(shape, stride).paired_product(block)
    }
}
/// An order given by a tuple.
#[derive(Clone, Copy)]
pub struct GivenOrder<O>(O);

/// The shape `self` filled with the block `A` in the order `Order`.
pub trait FillShape<A, Order> {
    type Output;
    fn fill_shape(self, block: A, order: Order) -> Result<Self::Output, Fault>;
}
impl<S: Nested<Node: IntoModes>, SA: Copy, DA: Copy, Order> FillShape<StridedLayout<SA, DA>, Order>
    for S
where
    StridedLayout<SA, DA>: TopModes,
    ListOf<S>: PadTo<Top<SA, DA>, One>,
    Top<SA, DA>: PadTo<ListOf<S>, UnitMode, Output: Copy + IntoTuple>,
    Extended<S, Top<SA, DA>>: Repeats<PaddedList<SA, DA, S>>,
    <Extended<S, Top<SA, DA>> as Repeats<PaddedList<SA, DA, S>>>::Output:
        Fill<Padded<Top<SA, DA>, ListOf<S>>, Order>,
{
    type Output = <<Extended<S, Top<SA, DA>> as Repeats<PaddedList<SA, DA, S>>>::Output as Fill<
        Padded<Top<SA, DA>, ListOf<S>>,
        Order,
    >>::Output;
    #[inline]
    fn fill_shape(self, block: StridedLayout<SA, DA>, order: Order) -> Result<Self::Output, Fault> {
        let modes = PadTo::<ListOf<S>, UnitMode>::pad_to(block.top_modes());
        let extents = PadTo::<Top<SA, DA>, One>::pad_to(self.node().into_modes());
        extents.repeats(modes)?.fill(modes.into_tuple(), order)
    }
}
/// The extents `S`, padded with 1 to the rank of `Other`.
type Extended<S, Other> = <ListOf<S> as PadTo<Other, One>>::Output;
/// The modes of the layout `SA:DA`, as many as the shape `S` has.
type PaddedList<SA, DA, S> = <Top<SA, DA> as PadTo<ListOf<S>, UnitMode>>::Output;

impl<A, S, O> Apply<operation::TileToShape, A> for Ordered<S, O>
where
    S: FillShape<A, GivenOrder<O>>,
{
    type Output = S::Output;
    #[inline]
    fn apply(self, left: A) -> Result<Self::Output, Fault> {
        self.shape.fill_shape(left, GivenOrder(self.order))
    }
}
// One row for each form. A single impl for all forms would also cover an order, and the compiler
// would no longer say what is wrong with that order.
macro_rules! shapes_to_fill {
    ($([$($generic:ident)*] $shape:ty;)*) => {
        $(impl<Block, $($generic),*> Apply<operation::TileToShape, Block> for $shape
        where
            Self: FillShape<Block, FromTheLeft>,
        {
            type Output = <Self as FillShape<Block, FromTheLeft>>::Output;
            #[inline]
            fn apply(self, left: Block) -> Result<Self::Output, Fault> {
                self.fill_shape(left, FromTheLeft)
            }
        })*
    };
}
shapes_to_fill! { [] UTerm; [U V] UInt<U, V>; [] usize; [Factor] Multiple<Factor>; }
macro_rules! shape_tuples {
    ($($Item:ident $item:ident)+) => {
        shapes_to_fill! { [$($Item)+] ($($Item,)+); }
    };
}
each_arity!(shape_tuples);
