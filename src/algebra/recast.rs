//! The same memory in larger or smaller elements.
//!
//! ```text
//! upcast(L, n)      the offsets floor(L(i) / n)
//!         a stride d becomes d / n, or n / d coordinates become one
//! downcast(L, n)    the offsets n * L(i) + k, k < n      the mode of stride 1 grows n times
//! recast(L, p, q)   elements of size p seen as elements of size q: upcast by q/p, downcast by p/q
//! ```

use typenum::{UInt, UTerm};

use crate::algebra::mode::{Mode, ModesOnto};
use crate::algebra::operation;
use crate::algebra::outcome::{Apply, Defined};
use crate::error::Fault;
use crate::layout::strided::StridedLayout;
use crate::list::{Cons, Leaf, Nested, Nil, Untangle};
use crate::number::int::{AddInt, False, One, StaticInt, True, Zero};
use crate::number::quotient::{DivideInt, GcdInt};
use crate::number::table::{Number, RunTimeNumber, Same, Times};
use crate::reasons::undefined::Undefined;
use crate::reasons::{DynamicUnit, UnitStride, ZeroUnit};

/// Is this extent 1 for certain?
pub trait IsOne {
    type Output;
}
cases! { IsOne:
    [] UTerm => False;
    [] One => True;
    [U, A, B] UInt<UInt<U, A>, B> => False;
    [N: RunTimeNumber] N => False;
}

/// Operations on the leaves: a unit known only at run time is refused.
macro_rules! dynamic_units {
    ($($operation:ident),*) => {
        $(impl<A> Apply<operation::$operation, A> for usize {
            type Output = Undefined<DynamicUnit>;
            #[inline]
            fn apply(self, _: A) -> Result<Self::Output, Fault> {
                Ok(Undefined::new())
            }
        }
        impl<S: Nested, D: Nested, U, B> Apply<operation::$operation, StridedLayout<S, D>> for UInt<U, B>
        where
            StridedLayout<S, D>: CastBy<operation::$operation, Self>,
        {
            type Output = <StridedLayout<S, D> as CastBy<operation::$operation, Self>>::Output;
            #[inline]
            fn apply(self, left: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
                left.cast_by()
            }
        })*
    };
}
dynamic_units!(Upcast, Downcast);

/// The layout `self` with every leaf cast by `N`, if the whole allows it.
pub trait CastBy<Op, N> {
    type Output;
    fn cast_by(self) -> Result<Self::Output, Fault>;
}
impl<Op, S: Nested, D: Nested, N> CastBy<Op, N> for StridedLayout<S, D>
where
    S::Node: ModesOnto<D::Node, Nil, Output: MayCast<Op, N>>,
    <<S::Node as ModesOnto<D::Node, Nil>>::Output as MayCast<Op, N>>::Output:
        AllowedCast<Op, S::Node, D::Node, N>,
{
    type Output =
        <<<S::Node as ModesOnto<D::Node, Nil>>::Output as MayCast<Op, N>>::Output as AllowedCast<
            Op,
            S::Node,
            D::Node,
            N,
        >>::Output;
    #[inline]
    fn cast_by(self) -> Result<Self::Output, Fault> {
        let (shape, stride) = self.into_parts();
        <<<S::Node as ModesOnto<D::Node, Nil>>::Output as MayCast<Op, N>>::Output>::cast(
            shape.node(),
            stride.node(),
        )
    }
}

/// Is the cast by `N` allowed for the modes `self`? [`True`], or [`Undefined`].
pub trait MayCast<Op, N> {
    type Output;
}

/// The cast of the node `S:D` by `N`; `self` says whether it is allowed.
pub trait AllowedCast<Op, S, D, N> {
    type Output;
    fn cast(shape: S, stride: D) -> Result<Self::Output, Fault>;
}
impl<Op, S, D, N, R> AllowedCast<Op, S, D, N> for Undefined<R> {
    type Output = Self;
    #[inline]
    fn cast(_: S, _: D) -> Result<Self, Fault> {
        Ok(Undefined::new())
    }
}
/// Lists as tuples.
pub trait ListsIntoTrees {
    type Output;
    fn lists_into_trees(self) -> Self::Output;
}
cases! { ListsIntoTrees::lists_into_trees -> Self::Output:
    [S: Untangle, D: Untangle] Defined<S, D> => Defined<S::Tree, D::Tree>,
        (self) => Defined { shape: self.shape.tree(), stride: self.stride.tree() };
    [R] Undefined<R> => Self, (self) => self;
}
impl<Op, S: CastNode<Op, D, N, Output: ListsIntoTrees>, D, N> AllowedCast<Op, S, D, N> for True {
    type Output = <S::Output as ListsIntoTrees>::Output;
    #[inline]
    fn cast(shape: S, stride: D) -> Result<Self::Output, Fault> {
        Ok(shape.cast_node(stride)?.lists_into_trees())
    }
}

/// The node `self` with the strides `D`, its leaves cast by `N`: [`Defined`], lists for lists, or
/// [`Undefined`].
pub trait CastNode<Op, D, N> {
    type Output;
    fn cast_node(self, stride: D) -> Result<Self::Output, Fault>;
}
cases! { CastNode::cast_node -> Result<Self::Output, Fault>:
    [Op, N] Nil, Op, Nil, N => Defined<Nil, Nil>, (self, _: Nil) => Ok(Defined { shape: Nil, stride: Nil });
    [Op, H: Nested, T, I: Nested, U, N] Cons<H, T>, Op, Cons<I, U>, N
        where (H::Node: CastNode<Op, I::Node, N, Output: CastTail<Op, T, U, N>>)
        => <<H::Node as CastNode<Op, I::Node, N>>::Output as CastTail<Op, T, U, N>>::Output,
        (self, stride: Cons<I, U>) => self.head.node().cast_node(stride.head.node())?.then_cast(self.tail, stride.tail);
    [Op, S: IsOne, D, N] Leaf<S>, Op, Leaf<D>, N where (S::Output: CastLeaf<Op, S, D, N>)
        => <S::Output as CastLeaf<Op, S, D, N>>::Output,
        (self, stride: Leaf<D>) => S::Output::cast_leaf(self.0, stride.0);
}

/// The head is cast; now the tail.
pub trait CastTail<Op, T, U, N> {
    type Output;
    fn then_cast(self, shape: T, stride: U) -> Result<Self::Output, Fault>;
}
cases! { CastTail::then_cast -> Result<Self::Output, Fault>:
    [Op, T, U, N, R] Undefined<R>, Op, T, U, N => Self, (self, _: T, _: U) => Ok(self);
    [Op, S: Untangle, D: Untangle, T, U, N] Defined<S, D>, Op, T, U, N
        where (T: CastNode<Op, U, N, Output: PrependToLists<S::Tree, D::Tree>>)
        => <T::Output as PrependToLists<S::Tree, D::Tree>>::Output,
        (self, shape: T, stride: U) => Ok(shape.cast_node(stride)?.in_front(self.shape.tree(), self.stride.tree()));
}

/// The mode `S:D` before the lists `self`.
pub trait PrependToLists<S, D> {
    type Output;
    fn in_front(self, shape: S, stride: D) -> Self::Output;
}
cases! { PrependToLists::in_front -> Self::Output:
    [S, D, R] Undefined<R>, S, D => Self, (self, _: S, _: D) => self;
    [S, D, ST, DT] Defined<ST, DT>, S, D
        => Defined<Cons<S, ST>, Cons<D, DT>>,
        (self, shape: S, stride: D) =>
            Defined { shape: Cons { head: shape, tail: self.shape }, stride: Cons { head: stride, tail: self.stride } };
}

/// The cast of the leaf `S:D`; `self` says whether its extent is 1.
pub trait CastLeaf<Op, S, D, N> {
    type Output;
    fn cast_leaf(shape: S, stride: D) -> Result<Self::Output, Fault>;
}
impl<Op, S, D, N> CastLeaf<Op, S, D, N> for True {
    type Output = Defined<S, Zero>;
    #[inline]
    fn cast_leaf(shape: S, _: D) -> Result<Self::Output, Fault> {
        Ok(Defined { shape, stride: UTerm })
    }
}

// ---- downcast -----------------------------------------------------------------------------------

impl<L: CountUnits<Zero>, N> MayCast<operation::Downcast, N> for L
where
    L::Output: Same<One>,
    <L::Output as Same<One>>::Output: OneUnit<L::Output>,
{
    type Output = <<L::Output as Same<One>>::Output as OneUnit<L::Output>>::Output;
}

/// `Count`, and 1 more for every mode of `self` of stride 1.
pub trait CountUnits<Count> {
    type Output;
}
cases! { CountUnits:
    [Count] Nil, Count => Count;
    [S: IsOne, D: Same<One>, T, Count] Cons<Mode<S, D>, T>, Count
        where (
            (S::Output, D::Output): CountWithMode<Count>,
            T: CountUnits<<(S::Output, D::Output) as CountWithMode<Count>>::Output>,
        ) => T::Output;
}

/// `Count`, 1 more if the extent is not 1 and the stride is.
pub trait CountWithMode<Count> {
    type Output;
}
cases! { CountWithMode:
    [Count, Any] (True, Any), Count => Count;
    [Count] (False, False), Count => Count;
    [Count: AddInt<One>] (False, True), Count => Count::Output;
}

/// [`True`] if there is one mode of stride 1; `self` says so.
pub trait OneUnit<Count> {
    type Output;
}
cases! { OneUnit:
    [Count] True, Count => True;
    [Count] False, Count => Undefined<UnitStride<Count>>;
}

impl<S: Number, D: Same<One> + Number, N: StaticInt> CastLeaf<operation::Downcast, S, D, N>
    for False
where
    D::Output: ModeInParts<S, D, N>,
{
    type Output = <D::Output as ModeInParts<S, D, N>>::Output;
    #[inline]
    fn cast_leaf(shape: S, stride: D) -> Result<Self::Output, Fault> {
        if D::STATIC.is_none() && stride.get() == 1 && shape.get() != 1 {
            return Err(Fault::UnitStride { modes: 2 });
        }
        D::Output::in_parts(shape, stride)
    }
}

/// A mode in units of 1/`N`; `self` says whether its stride is 1.
pub trait ModeInParts<S, D, N> {
    type Output;
    fn in_parts(shape: S, stride: D) -> Result<Self::Output, Fault>;
}
cases! { ModeInParts::in_parts -> Result<Self::Output, Fault>:
    [S: Times<N>, D, N: StaticInt] True, S, D, N => Defined<S::Output, D>,
        (shape: S, stride: D) => Ok(Defined { shape: shape.times(&N::default())?, stride });
    [S, D: Times<N>, N: StaticInt] False, S, D, N => Defined<S, D::Output>,
        (shape: S, stride: D) => Ok(Defined { shape, stride: stride.times(&N::default())? });
}

// ---- recast -------------------------------------------------------------------------------------

impl<S, D, P, Q> Apply<operation::Recast, StridedLayout<S, D>> for (P, Q)
where
    P: GcdInt<Q>,
    Q: DivideInt<P::Output> + StaticInt,
    P: DivideInt<P::Output> + StaticInt,
    <Q as DivideInt<P::Output>>::Quotient:
        UpcastDowncast<StridedLayout<S, D>, <P as DivideInt<P::Output>>::Quotient>,
{
    type Output = <<Q as DivideInt<P::Output>>::Quotient as UpcastDowncast<
        StridedLayout<S, D>,
        <P as DivideInt<P::Output>>::Quotient,
    >>::Output;
    #[inline]
    fn apply(self, left: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
        <<Q as DivideInt<P::Output>>::Quotient>::up_then_down(left)
    }
}

// Sizes known only at run time are refused.
cases! { Apply::apply -> Result<Self::Output, Fault>:
    [S, D, Q] (usize, Q), operation::Recast, StridedLayout<S, D> => Undefined<DynamicUnit>,
        (self, _: StridedLayout<S, D>) => Ok(Undefined::new());
    [S, D, U, B] (UInt<U, B>, usize), operation::Recast, StridedLayout<S, D> => Undefined<DynamicUnit>,
        (self, _: StridedLayout<S, D>) => Ok(Undefined::new());
}

/// The layout `A` upcast by `self`, then downcast by `Parts`.
pub trait UpcastDowncast<A, Parts> {
    type Output;
    fn up_then_down(layout: A) -> Result<Self::Output, Fault>;
}
cases! { UpcastDowncast::up_then_down -> Result<Self::Output, Fault>:
    [S, D, Parts] One, StridedLayout<S, D>, Parts where (Defined<S, D>: DownBy<Parts>)
        => <Defined<S, D> as DownBy<Parts>>::Output, (layout: StridedLayout<S, D>) => {
        let (shape, stride) = layout.into_parts();
        Defined { shape, stride }.down_by()
    };
    [A, Parts, U, B, C] UInt<UInt<U, B>, C>, A, Parts where (A: CastBy<operation::Upcast, Self, Output: DownBy<Parts>>)
        => <A::Output as DownBy<Parts>>::Output,
        (layout: A) => layout.cast_by()?.down_by();
    // Elements of size 0.
    [A, Parts] UTerm, A, Parts => Undefined<ZeroUnit>, (_: A) => Ok(Undefined::new());
}
impl<S, D> DownBy<UTerm> for Defined<S, D> {
    type Output = Undefined<ZeroUnit>;
    #[inline]
    fn down_by(self) -> Result<Self::Output, Fault> {
        Ok(Undefined::new())
    }
}

/// The layout `self`, if there is one, downcast by `Parts`.
pub trait DownBy<Parts> {
    type Output;
    fn down_by(self) -> Result<Self::Output, Fault>;
}
cases! { DownBy::down_by -> Result<Self::Output, Fault>:
    [R, Parts] Undefined<R>, Parts => Self, (self) => Ok(self);
    [S, D] Defined<S, D>, One => Self, (self) => Ok(self);
    [S, D, U, B, C] Defined<S, D>, UInt<UInt<U, B>, C>
        where (StridedLayout<S, D>: CastBy<operation::Downcast, UInt<UInt<U, B>, C>>)
        => <StridedLayout<S, D> as CastBy<operation::Downcast, UInt<UInt<U, B>, C>>>::Output,
        (self) => StridedLayout::assemble(self.shape, self.stride).cast_by();
}
