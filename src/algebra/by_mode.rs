//! Operations whose right operand is a tile: a layout or a number works on the whole left layout, a [`Tiler`] mode by mode.

use crate::algebra::operation;
use crate::error::Fault;
use crate::int::{AddInt, One, StaticInt, Zero};
use crate::multiple::Multiple;
use crate::refusal::{AtHead, Behind, Rank};
use crate::show::{Show, Shown};
use crate::strided::StridedLayout;
use crate::tiler::{Keep, Tiler};
use crate::tuple::{Cons, Leaf, Nested, Nil, Untangle};
use crate::undefined::{Defined, Undefined};
use typenum::{UInt, UTerm};

/// The operation `Op` with the left operand `A` and the right operand `self`: [`Defined`] or [`Undefined`].
///
/// It stands on the right operand: on the left one, the compiler would try all that `A` may be combined with while the
/// right operand is still unknown.
#[diagnostic::on_unimplemented(
    message = "these operands do not combine in this operation",
    label = "`{Self}` is no right operand here",
    note = "a bound names what is needed: `fn f<A: Compose<B>, B>(a: A, b: B)`"
)]
pub trait Apply<Op, A> {
    type Output;
    fn apply(self, left: A) -> Result<Self::Output, Fault>;
}

impl<Op: operation::GoesByMode, S, D> Apply<Op, StridedLayout<S, D>> for Keep {
    type Output = Defined<S, D>;
    #[inline(always)]
    fn apply(self, left: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
        let (shape, stride) = left.into_parts();
        Ok(Defined { shape, stride })
    }
}

/// A number `n` is the layout `n:1`.
macro_rules! numbers {
    ($([$($generic:ident)*] $number:ty;)*) => {
        $(impl<Op: operation::OnTiles, A, $($generic),*> Apply<Op, A> for $number
        where
            StridedLayout<Self, One>: Apply<Op, A>,
        {
            type Output = <StridedLayout<Self, One> as Apply<Op, A>>::Output;
            #[inline(always)]
            fn apply(self, left: A) -> Result<Self::Output, Fault> {
                StridedLayout::assemble(self, One::default()).apply(left)
            }
        })*
    };
}
numbers! { [] UTerm; [U B] UInt<U, B>; [] usize; [Factor] Multiple<Factor>; }

impl<Op: operation::GoesByMode, S: Nested<Node: IntoModes>, D: Nested<Node: IntoModes>, T: Nested>
    Apply<Op, StridedLayout<S, D>> for Tiler<T>
where
    T::Node: ByMode<
            Op,
            <S::Node as IntoModes>::List,
            <D::Node as IntoModes>::List,
            Output: ListsIntoTrees<T::Node, <S::Node as IntoModes>::List>,
        >,
{
    type Output = <<T::Node as ByMode<Op, <S::Node as IntoModes>::List, <D::Node as IntoModes>::List>>::Output as ListsIntoTrees<
        T::Node,
        <S::Node as IntoModes>::List,
    >>::Output;
    #[inline(always)]
    fn apply(self, left: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
        let (shape, stride) = left.into_parts();
        Ok(self.entries().by_mode(shape.node().into_modes(), stride.node().into_modes())?.lists_into_trees())
    }
}

/// The modes of the first level: a number is the one mode that it is.
pub trait IntoModes {
    type List;
    fn into_modes(self) -> Self::List;
}
impl<N> IntoModes for Leaf<N> {
    type List = Cons<N, Nil>;
    #[inline(always)]
    fn into_modes(self) -> Self::List {
        Cons { head: self.0, tail: Nil }
    }
}
impl<H, T> IntoModes for Cons<H, T> {
    type List = Self;
    #[inline(always)]
    fn into_modes(self) -> Self {
        self
    }
}

/// A tiler and a layout whose ranks do not fit.
pub struct Misfit;

/// The entries `self` of a tiler applied to the modes `S:D`, one by one: [`Defined`] lists, [`Undefined`] or [`Misfit`].
pub trait ByMode<Op, S, D> {
    type Output;
    fn by_mode(self, shape: S, stride: D) -> Result<Self::Output, Fault>;
}
impl<Op> ByMode<Op, Nil, Nil> for Nil {
    type Output = Defined<Nil, Nil>;
    #[inline(always)]
    fn by_mode(self, shape: Nil, stride: Nil) -> Result<Self::Output, Fault> {
        Ok(Defined { shape, stride })
    }
}
impl<Op: Beyond<Cons<S, ST>, Cons<D, DT>>, S, ST, D, DT> ByMode<Op, Cons<S, ST>, Cons<D, DT>> for Nil {
    type Output = Op::Output;
    #[inline(always)]
    fn by_mode(self, shape: Cons<S, ST>, stride: Cons<D, DT>) -> Result<Self::Output, Fault> {
        Ok(Op::beyond(shape, stride))
    }
}
impl<Op, T, TT> ByMode<Op, Nil, Nil> for Cons<T, TT> {
    type Output = Misfit;
    #[inline(always)]
    fn by_mode(self, _: Nil, _: Nil) -> Result<Self::Output, Fault> {
        Ok(Misfit)
    }
}
impl<Op, S, ST, D, DT, T, TT> ByMode<Op, Cons<S, ST>, Cons<D, DT>> for Cons<T, TT>
where
    T: Apply<Op, StridedLayout<S, D>, Output: ThenModes<Op, TT, ST, DT>>,
{
    type Output = <T::Output as ThenModes<Op, TT, ST, DT>>::Output;
    #[inline(always)]
    fn by_mode(self, shape: Cons<S, ST>, stride: Cons<D, DT>) -> Result<Self::Output, Fault> {
        let mode = self.head.apply(StridedLayout::assemble(shape.head, stride.head))?;
        mode.then_modes(self.tail, shape.tail, stride.tail)
    }
}

/// What the operation does with the modes beyond the rank of a tiler.
pub trait Beyond<S, D> {
    type Output;
    fn beyond(shape: S, stride: D) -> Self::Output;
}
/// Composition has to be told about every mode.
impl<S, D> Beyond<S, D> for operation::Compose {
    type Output = Misfit;
    #[inline(always)]
    fn beyond(_: S, _: D) -> Self::Output {
        Misfit
    }
}
/// Other operations leave them alone.
macro_rules! leave_alone {
    ($($operation:ident),*) => {
        $(impl<S, D> Beyond<S, D> for operation::$operation {
            type Output = Defined<S, D>;
            #[inline(always)]
            fn beyond(shape: S, stride: D) -> Self::Output {
                Defined { shape, stride }
            }
        })*
    };
}
leave_alone!(CoalesceBy, FilterBy, LogicalDivide, LogicalProduct, RoundUp);

/// A mode is done, `self`; now the entries `TT` with the modes behind it.
pub trait ThenModes<Op, TT, ST, DT> {
    type Output;
    fn then_modes(self, entries: TT, shape: ST, stride: DT) -> Result<Self::Output, Fault>;
}
impl<Op, S, D, TT, ST, DT> ThenModes<Op, TT, ST, DT> for Defined<S, D>
where
    TT: ByMode<Op, ST, DT, Output: BehindMode<S, D>>,
{
    type Output = <TT::Output as BehindMode<S, D>>::Output;
    #[inline(always)]
    fn then_modes(self, entries: TT, shape: ST, stride: DT) -> Result<Self::Output, Fault> {
        Ok(entries.by_mode(shape, stride)?.behind_mode(self))
    }
}
impl<Op, R, TT, ST, DT> ThenModes<Op, TT, ST, DT> for Undefined<R> {
    type Output = Undefined<AtHead<R>>;
    #[inline(always)]
    fn then_modes(self, _: TT, _: ST, _: DT) -> Result<Self::Output, Fault> {
        Ok(Undefined::new())
    }
}

/// Puts the mode `S:D` before the modes `self`.
pub trait BehindMode<S, D> {
    type Output;
    fn behind_mode(self, mode: Defined<S, D>) -> Self::Output;
}
impl<S, D, ST, DT> BehindMode<S, D> for Defined<ST, DT> {
    type Output = Defined<Cons<S, ST>, Cons<D, DT>>;
    #[inline(always)]
    fn behind_mode(self, mode: Defined<S, D>) -> Self::Output {
        Defined {
            shape: Cons { head: mode.shape, tail: self.shape },
            stride: Cons { head: mode.stride, tail: self.stride },
        }
    }
}
impl<S, D, R> BehindMode<S, D> for Undefined<R> {
    type Output = Undefined<Behind<R>>;
    #[inline(always)]
    fn behind_mode(self, _: Defined<S, D>) -> Self::Output {
        Undefined::new()
    }
}
impl<S, D> BehindMode<S, D> for Misfit {
    type Output = Self;
    #[inline(always)]
    fn behind_mode(self, _: Defined<S, D>) -> Self {
        self
    }
}

/// Lists as tuples, and a [`Misfit`] as the reason that it is: the ranks of the entries `T` of a tiler and of the modes `M`.
pub trait ListsIntoTrees<T = Nil, M = Nil> {
    type Output;
    fn lists_into_trees(self) -> Self::Output;
}
impl<S: Untangle, D: Untangle, T, M> ListsIntoTrees<T, M> for Defined<S, D> {
    type Output = Defined<S::Tree, D::Tree>;
    #[inline(always)]
    fn lists_into_trees(self) -> Self::Output {
        Defined { shape: self.shape.tree(), stride: self.stride.tree() }
    }
}
impl<R, T, M> ListsIntoTrees<T, M> for Undefined<R> {
    type Output = Self;
    #[inline(always)]
    fn lists_into_trees(self) -> Self {
        self
    }
}
impl<T, M> ListsIntoTrees<T, M> for Misfit {
    type Output = Undefined<Rank<Count<T>, Count<M>>>;
    #[inline(always)]
    fn lists_into_trees(self) -> Self::Output {
        Undefined::new()
    }
}

/// A list, shown by its length.
pub struct Count<L>(L);
impl<L: Length<Output: Show>> Show for Count<L> {
    type Output = Shown<L::Output>;
}

/// The number of items of a list.
pub trait Length {
    type Output: StaticInt;
}
impl Length for Nil {
    type Output = Zero;
}
impl<H, T: Length<Output: AddInt<One>>> Length for Cons<H, T> {
    type Output = <T::Output as AddInt<One>>::Output;
}
