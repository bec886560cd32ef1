//! Compositions with a left layout of XOR strides that the rule refuses: its modes as natural ones where these say the
//! same.
//!
//! ```text
//! (4,6):(^2,16) o (2,2):(17,5)      (66,18): 17 and 5 are steps of 1 in 4:^2, and 1 + 1 is no XOR; but 4:^2 is 4:2
//! 8:^3 o 4:3                        refused: 3 * 3 is 9, and 3 (x) 3 is 5
//! ```
//!
//! An XOR mode is a natural one if its products do not carry, and no other XOR mode has a bit of them: then sum and XOR
//! are the same. That is asked of the coordinates that the right layout reaches, since the last mode has no end.

use core::marker::PhantomData;

use typenum::{UInt, UTerm};

use crate::algebra::by_mode::{ApplyZipped, ByMode, LeavesAlone, Misfit};
use crate::algebra::coalesce::{Merge, Merging, NoEnd};
use crate::algebra::complement::{ComplementNode, Exactly, refuse_empty};
use crate::algebra::compose::composition::{ComposeNode, NoCarries};
use crate::algebra::divide::Spread;
use crate::algebra::mode::{Mode, ModesOnto};
use crate::algebra::operation::{self, Apply, OnTiles, Operand, Operands, Operation};
use crate::algebra::outcome::{Defined, Outcome};
use crate::error::{Fault, LayoutError};
use crate::layout::display::Text;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::list::{Cons, Leaf, Nested, Nil, Untangle};
use crate::number::int::{AddInt, False, One, True, Zero};
use crate::number::table::RunTimeNumber;
use crate::refusal::undefined::Undefined;
use crate::refusal::{DynamicLeftXor, Empty};
use crate::stepped::layout::SteppedLayout;
use crate::stepped::meet::{InUnitsOf, TurnedInto};
use crate::stepped::minus::Minus;
use crate::stepped::of_kinds::DefinedOfKinds;
use crate::stepped::right_modes::{BitsOfTwoModes, NaturalReach, UnlessShared, WithNatural, XorModesOf};
use crate::stepped::xor::Xor;
use crate::stepped::xor_modes::IsPower;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::profile::SizeOf;

// ---- the operations -----------------------------------------------------------------------------------------------

/// The right operand of an operation on a left layout of XOR strides.
#[derive(Clone, Copy)]
pub(crate) struct BesideBits<B>(pub(crate) B);
impl<Op: Operation, A: Operand, B> Operands<Op, A> for BesideBits<B>
where
    B: Operand + Apply<Op, A, Output: OrAsNatural<Op, A, B>>,
{
    type Result = <B::Output as OrAsNatural<Op, A, B>>::Given;
    #[inline]
    fn work(self, left: A) -> Result<Self::Result, Fault> {
        OrAsNatural::or_as_natural(self.0.apply(left), left, self.0)
    }
    #[cold]
    fn refuse(self, left: A, fault: Fault) -> LayoutError {
        LayoutError::new(Op::NAME, fault).with_operands(&Text(left), &Text(self.0))
    }
}
/// The tile that divides a left layout of XOR strides into two modes.
#[derive(Clone, Copy)]
pub(crate) struct TilesOfBits<B>(pub(crate) B);
impl<A: Operand, B> Operands<operation::ZippedDivide, A> for TilesOfBits<B>
where
    B: Operand + ApplyZipped<operation::LogicalDivide, A, Output: OrAsNatural<operation::ZippedDivide, A, B>>,
{
    type Result = <B::Output as OrAsNatural<operation::ZippedDivide, A, B>>::Given;
    #[inline]
    fn work(self, left: A) -> Result<Self::Result, Fault> {
        OrAsNatural::or_as_natural(self.0.apply_zipped(left), left, self.0)
    }
    #[cold]
    fn refuse(self, left: A, fault: Fault) -> LayoutError {
        LayoutError::new(operation::ZippedDivide::NAME, fault).with_operands(&Text(left), &Text(self.0))
    }
}

/// What the operation `Op` gives for the layout `A` of XOR strides and the right operand `B`, `self`; or where that is
/// undefined, what it gives once XOR modes of `A` are natural ones that say the same.
pub trait OrAsNatural<Op, A, B>: Sized {
    /// What it gives, and the layout that is.
    type Given: Outcome<Op, Output = Self::Output>;
    type Output: Layout;
    fn or_as_natural(ruled: Result<Self, Fault>, left: A, right: B) -> Result<Self::Given, Fault>;
}
impl<Op, A, B, S: IntTuple, D: IntTuple> OrAsNatural<Op, A, B> for Defined<S, D> {
    type Given = Self;
    type Output = StridedLayout<S, D>;
    #[inline]
    fn or_as_natural(ruled: Result<Self, Fault>, _: A, _: B) -> Result<Self, Fault> {
        ruled
    }
}
impl<Op, A, B, S, D, T> OrAsNatural<Op, A, B> for DefinedOfKinds<S, D, T>
where
    Self: Outcome<Op>,
{
    type Given = Self;
    type Output = <Self as Outcome<Op>>::Output;
    #[inline]
    fn or_as_natural(ruled: Result<Self, Fault>, _: A, _: B) -> Result<Self, Fault> {
        ruled
    }
}
impl<Op, A, B: Apply<Again<Op>, A, Output: OrReason<R, Output: Outcome<Op>>>, R> OrAsNatural<Op, A, B>
    for Undefined<R>
{
    type Given = <B::Output as OrReason<R>>::Output;
    type Output = <Self::Given as Outcome<Op>>::Output;
    #[inline]
    fn or_as_natural(_: Result<Self, Fault>, left: A, right: B) -> Result<Self::Given, Fault> {
        Ok(right.apply(left)?.or_reason())
    }
}
/// The operation `Op`, by the rule or once XOR modes are natural ones, in each mode by itself.
pub struct Again<Op>(PhantomData<Op>);
impl<Op: Operation> Operation for Again<Op> {
    const NAME: &'static str = Op::NAME;
    const KEEPS_OFFSETS: bool = Op::KEEPS_OFFSETS;
}
impl OnTiles for Again<operation::Compose> {}
impl OnTiles for Again<operation::LogicalDivide> {}
impl LeavesAlone for Again<operation::LogicalDivide> {}
/// Composition has to be told about every mode.
impl<S, ST, D, DT, Out> ByMode<Again<operation::Compose>, Cons<S, ST>, Cons<D, DT>, Out> for Nil {
    type Output = Misfit;
    #[inline]
    fn by_mode(self, _: Cons<S, ST>, _: Cons<D, DT>, _: Out) -> Result<Self::Output, Fault> {
        Ok(Misfit)
    }
}
/// Right operands of other kinds have no second try.
macro_rules! of_other_kinds {
    ($($operation:ident)*) => {
        $(impl<A, T, S, D> Apply<Again<operation::$operation>, A> for SteppedLayout<T, S, D>
        where
            Self: Apply<operation::$operation, A>,
        {
            type Output = <Self as Apply<operation::$operation, A>>::Output;
            #[inline]
            fn apply(self, left: A) -> Result<Self::Output, Fault> {
                Apply::<operation::$operation, A>::apply(self, left)
            }
        })*
    };
}
of_other_kinds! { Compose LogicalDivide }

/// What the rule gives now, or the reason that it gave before.
pub trait OrReason<R> {
    type Output;
    fn or_reason(self) -> Self::Output;
}
cases! { OrReason::or_reason -> Self::Output:
    [S, D, R] Defined<S, D>, R => Self, (self) => self;
    [S, D, T, R] DefinedOfKinds<S, D, T>, R => Self, (self) => self;
    [Q, R] Undefined<Q>, R => Undefined<R>, (self) => Undefined::new();
}

// ---- divides ------------------------------------------------------------------------------------------------------

impl<S, D, ST, DT> Apply<Again<operation::LogicalDivide>, StridedLayout<S, D>> for StridedLayout<ST, DT>
where
    S: IntTuple<Node: SizeOf>,
    D: IntTuple,
    ST: IntTuple,
    DT: IntTuple,
    ST::Node: ComplementNode<DT::Node, Exactly<<S::Node as SizeOf>::Output>, Output: TileAndRestAgain<S, D, ST, DT>>,
{
    type Output =
        <<ST::Node as ComplementNode<DT::Node, Exactly<<S::Node as SizeOf>::Output>>>::Output as TileAndRestAgain<
            S,
            D,
            ST,
            DT,
        >>::Output;
    #[inline]
    fn apply(self, left: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
        let ((shape, stride), (extents, _)) = (self.into_parts(), left.into_parts());
        let top = Exactly(extents.node().size_of()?);
        refuse_empty(shape, &top)?;
        let rest = shape.node().complement_node(stride.node(), top)?;
        rest.tile_and_rest_again(left, self)
    }
}
/// The layout `S:D` composed with the pair of the tile `ST:DT` and its complement, `self`.
pub trait TileAndRestAgain<S, D, ST, DT> {
    type Output;
    fn tile_and_rest_again(
        self,
        layout: StridedLayout<S, D>,
        tile: StridedLayout<ST, DT>,
    ) -> Result<Self::Output, Fault>;
}
cases! { TileAndRestAgain::tile_and_rest_again -> Result<Self::Output, Fault>:
    [S, D, ST, DT, SR, DR] Defined<SR, DR>, S, D, ST, DT
        where (
            StridedLayout<(ST, SR), (DT, DR)>: Apply<Again<operation::Compose>, StridedLayout<S, D>>,
            (ST, SR): IntTuple,
            (DT, DR): IntTuple,
        )
        => <StridedLayout<(ST, SR), (DT, DR)> as Apply<Again<operation::Compose>, StridedLayout<S, D>>>::Output,
        (self, layout: StridedLayout<S, D>, tile: StridedLayout<ST, DT>) => {
            let (shape, stride) = tile.into_parts();
            StridedLayout::assemble((shape, self.shape), (stride, self.stride)).apply(layout)
        };
    [S, D, ST, DT, R] Undefined<R>, S, D, ST, DT => Self,
        (self, _: StridedLayout<S, D>, _: StridedLayout<ST, DT>) => Ok(self);
}
macro_rules! spread_divides {
    ($($operation:ident $first:ty;)*) => {
        $(impl<A, T> Apply<Again<operation::$operation>, A> for T
        where
            T: ApplyZipped<Again<operation::LogicalDivide>, A, Output: Spread<$first>>,
        {
            type Output = <T::Output as Spread<$first>>::Output;
            #[inline]
            fn apply(self, left: A) -> Result<Self::Output, Fault> {
                Ok(self.apply_zipped(left)?.spread())
            }
        })*
    };
}
spread_divides! { TiledDivide False; FlatDivide True; }
impl<A, T: ApplyZipped<Again<operation::LogicalDivide>, A>> Apply<Again<operation::ZippedDivide>, A> for T {
    type Output = T::Output;
    #[inline]
    fn apply(self, left: A) -> Result<Self::Output, Fault> {
        self.apply_zipped(left)
    }
}

// ---- compositions -------------------------------------------------------------------------------------------------

impl<S: IntTuple, D: IntTuple, SB: IntTuple, DB: IntTuple> Apply<Again<operation::Compose>, StridedLayout<S, D>>
    for StridedLayout<SB, DB>
where
    Self: Apply<operation::Compose, StridedLayout<S, D>>,
    <Self as Apply<operation::Compose, StridedLayout<S, D>>>::Output: OrComposeAgain<StridedLayout<S, D>, Self>,
{
    type Output = <<Self as Apply<operation::Compose, StridedLayout<S, D>>>::Output as OrComposeAgain<
        StridedLayout<S, D>,
        Self,
    >>::Output;
    #[inline]
    fn apply(self, left: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
        OrComposeAgain::or_compose_again(Apply::<operation::Compose, _>::apply(self, left), left, self)
    }
}
/// What the rule gives for the layouts `A` and `B`, `self`, or what it gives once XOR modes of `A` are natural ones.
pub trait OrComposeAgain<A, B>: Sized {
    type Output;
    fn or_compose_again(ruled: Result<Self, Fault>, left: A, right: B) -> Result<Self::Output, Fault>;
}
cases! { OrComposeAgain::or_compose_again -> Result<Self::Output, Fault>:
    [A, B, S, D] Defined<S, D>, A, B => Self, (ruled: Result<Self, Fault>, _: A, _: B) => ruled;
    [R, S: IntTuple, D: IntTuple, SB: IntTuple, DB: IntTuple]
        Undefined<R>, StridedLayout<S, D>, StridedLayout<SB, DB>
        where (
            S::Node: ModesOnto<D::Node, NoEnd, Merging, Output: HasXorMode>,
            <LeftModes<S, D> as HasXorMode>::Output: ComposeAsNatural<R, LeftModes<S, D>, SB::Node, DB::Node>,
        )
        => <<LeftModes<S, D> as HasXorMode>::Output
            as ComposeAsNatural<R, LeftModes<S, D>, SB::Node, DB::Node>>::Output,
        (_: Result<Self, Fault>, left: StridedLayout<S, D>, right: StridedLayout<SB, DB>) => {
            let ((left_shape, left_stride), (shape, stride)) = (left.into_parts(), right.into_parts());
            let modes = left_shape.node().modes_onto(left_stride.node(), NoEnd)?;
            <LeftModes<S, D> as HasXorMode>::Output::compose_as_natural(&modes, shape.node(), stride.node())
        };
}
/// The modes of a left operand: coalesced, the last one unbounded.
type LeftModes<S, D> = <<S as Nested>::Node as ModesOnto<<D as Nested>::Node, NoEnd, Merging>>::Output;

/// Is one of the modes an XOR mode? [`True`] or [`False`].
pub trait HasXorMode {
    type Output;
}
cases! { HasXorMode:
    [] Nil => False;
    [S, N, T] Cons<Mode<S, Xor<N>>, T> => True;
    [S, T: HasXorMode] Cons<Mode<S, UTerm>, T> => T::Output;
    [S, U, B, T: HasXorMode] Cons<Mode<S, UInt<U, B>>, T> => T::Output;
    [S, N: RunTimeNumber, T: HasXorMode] Cons<Mode<S, N>, T> => T::Output;
    [S, N, T: HasXorMode] Cons<Mode<S, Minus<N>>, T> => T::Output;
}

/// The composition of the modes `A` with `S:D`, refused for the reason `R`, where `self` is, in turn: whether `A` has XOR
/// modes; how far `S:D` reaches.
pub trait ComposeAsNatural<R, A, S, D> {
    type Output;
    fn compose_as_natural(modes: &A, shape: S, stride: D) -> Result<Self::Output, Fault>;
}
cases! { ComposeAsNatural::compose_as_natural -> Result<Self::Output, Fault>:
    [R, A, S, D] False, R, A, S, D => Undefined<R>, (_: &A, _: S, _: D) => Ok(Undefined::new());
    [R, A, S: ModesOnto<D, Nil, Output: NaturalReach<Zero, Output: ComposeAsNatural<R, A, S, D>>>, D] True, R, A, S, D
        => <<S::Output as NaturalReach<Zero>>::Output as ComposeAsNatural<R, A, S, D>>::Output,
        (modes: &A, shape: S, stride: D) =>
            <S::Output as NaturalReach<Zero>>::Output::compose_as_natural(modes, shape, stride);
    [Q, R, A, S, D] Undefined<Q>, R, A, S, D => Undefined<R>, (_: &A, _: S, _: D) => Ok(Undefined::new());
    [R, A, S, D] UTerm, R, A, S, D => Undefined<R>, (_: &A, _: S, _: D) => Ok(Undefined::new());
    [U, B, R, A: ReachedBy<UInt<U, B>, Output: InReached<R, A, S, D>>, S, D] UInt<U, B>, R, A, S, D
        => <A::Output as InReached<R, A, S, D>>::Output,
        (modes: &A, shape: S, stride: D) => A::Output::in_reached(modes, shape, stride);
}

/// The modes `self`, of which all but the last one have an end, with the extents that coordinates up to `Reach` have
/// there; or [`Undefined`].
pub trait ReachedBy<Reach> {
    type Output;
}
cases! { ReachedBy:
    [S, D, Reach: AddInt<One>] Cons<Mode<S, D>, Nil>, Reach => Cons<Mode<Reach::Output, D>, Nil>;
    [D, M, T, Reach] Cons<Mode<UTerm, D>, Cons<M, T>>, Reach => Undefined<Empty>;
    [S: RunTimeNumber, D, M, T, Reach] Cons<Mode<S, D>, Cons<M, T>>, Reach => Undefined<DynamicLeftXor>;
    [U, B, D, M, T, Reach] Cons<Mode<UInt<U, B>, D>, Cons<M, T>>, Reach
        where (
            UInt<U, B>: IsPower<Output: InUnitsOf<UInt<U, B>, Reach>>,
            Beyond<UInt<U, B>, Reach>: ExtentReached<UInt<U, B>, Within<UInt<U, B>, Reach>>,
            Cons<M, T>: ReachedBy<Beyond<UInt<U, B>, Reach>>,
            <Cons<M, T> as ReachedBy<Beyond<UInt<U, B>, Reach>>>::Output: BehindReached<
                <Beyond<UInt<U, B>, Reach> as ExtentReached<UInt<U, B>, Within<UInt<U, B>, Reach>>>::Output,
                D,
            >,
        )
        => <<Cons<M, T> as ReachedBy<Beyond<UInt<U, B>, Reach>>>::Output as BehindReached<
            <Beyond<UInt<U, B>, Reach> as ExtentReached<UInt<U, B>, Within<UInt<U, B>, Reach>>>::Output,
            D,
        >>::Output;
}
type Beyond<S, Reach> = <<S as IsPower>::Output as InUnitsOf<S, Reach>>::Quotient;
type Within<S, Reach> = <<S as IsPower>::Output as InUnitsOf<S, Reach>>::Remainder;
/// How much of a mode of extent `S` is reached; `self` is how often it is passed, and `Last` the rest.
pub trait ExtentReached<S, Last> {
    type Output;
}
cases! { ExtentReached:
    [S, Last: AddInt<One>] UTerm, S, Last => Last::Output;
    [U, B, S, Last] UInt<U, B>, S, Last => S;
}
/// The mode `E:D` before the modes `self`.
pub trait BehindReached<E, D> {
    type Output;
}
cases! { BehindReached:
    [R, E, D] Undefined<R>, E, D => Self;
    [M, T, E, D] Cons<M, T>, E, D => Cons<Mode<E, D>, Self>;
}

/// [`ComposeAsNatural`], where `self` is, in turn: the modes `A` with the extents that are reached; and the XOR modes of
/// these, `L`.
pub trait InReached<R, A, S, D> {
    type Output;
    fn in_reached(modes: &A, shape: S, stride: D) -> Result<Self::Output, Fault>;
}
cases! { InReached::in_reached -> Result<Self::Output, Fault>:
    [Q, R, A, S, D] Undefined<Q>, R, A, S, D => Undefined<R>, (_: &A, _: S, _: D) => Ok(Undefined::new());
    [M, T, R, A, S, D] Cons<M, T>, R, A, S, D where (Self: XorModesOf<Output: BesideReached<Self, R, A, S, D>>)
        => <<Self as XorModesOf>::Output as BesideReached<Self, R, A, S, D>>::Output,
        (modes: &A, shape: S, stride: D) => <Self as XorModesOf>::Output::beside_reached(modes, shape, stride);
}
/// [`InReached`] of the modes `Reached`, whose XOR modes are `self`.
pub trait BesideReached<Reached, R, A, S, D> {
    type Output;
    fn beside_reached(modes: &A, shape: S, stride: D) -> Result<Self::Output, Fault>;
}
cases! { BesideReached::beside_reached -> Result<Self::Output, Fault>:
    [Reached, Q, R, A, S, D] Undefined<Q>, Reached, R, A, S, D => Undefined<R>,
        (_: &A, _: S, _: D) => Ok(Undefined::new());
}
macro_rules! beside_reached {
    ($([$($generic:ident)*] $list:ty;)*) => {
        $(impl<Reached, R, A, S, D, L, Twice, $($generic),*> BesideReached<Reached, R, A, S, D> for $list
        where
            Self: BitsOfTwoModes<Zero, Zero, Output = Twice>,
            A: ModesAsNatural<Reached, UnlessShared<Twice>, Output = L> + TurnedInto<L>,
            L: Merge<NoEnd, Output: NoCarries>,
            S: ComposeNode<L::Output, D, <L::Output as NoCarries>::Output, Output: Naturally>,
            <S::Output as Naturally>::Output: OrReason<R>,
        {
            type Output = <<S::Output as Naturally>::Output as OrReason<R>>::Output;
            #[inline]
            fn beside_reached(modes: &A, shape: S, stride: D) -> Result<Self::Output, Fault> {
                let modes = modes.turned_into().merge(NoEnd)?;
                modes.refuse_empty(0)?;
                Ok(shape.compose_node(stride, &modes)?.naturally().or_reason())
            }
        })*
    };
}
beside_reached! { [] Nil; [M T] Cons<M, T>; }

/// The modes `self` with natural strides for the XOR strides that `Which` says; `Reached` are the same modes with the
/// extents that are reached.
pub trait ModesAsNatural<Reached, Which> {
    type Output;
}
cases! { ModesAsNatural:
    [Which] Nil, Nil, Which => Nil;
    [S, D, T: ModesAsNatural<L, Which>, E, L, F, Which] Cons<Mode<S, D>, T>, Cons<Mode<E, D>, L>, Which
        where (Leaf<D>: WithNatural<Leaf<E>, Which, Output = Leaf<F>>)
        => Cons<Mode<S, F>, T::Output>;
}

/// A result with natural strides for those of XOR modes that say the same, as run time gives it.
pub trait Naturally {
    type Output;
    fn naturally(self) -> Self::Output;
}
cases! { Naturally::naturally -> Self::Output:
    [R] Undefined<R> => Self, (self) => self;
    [S: Nested, D: Nested] Defined<S, D>
        where (S::Node: ModesOnto<D::Node, Nil, Output: XorModesOf>, XorModesIn<S, D>: NaturalStrides<S, D>)
        => Defined<S, <XorModesIn<S, D> as NaturalStrides<S, D>>::Output>,
        (self) => Defined { shape: self.shape, stride: XorModesIn::<S, D>::natural_strides(self.stride) };
}
type XorModesIn<S, D> = <<<S as Nested>::Node as ModesOnto<<D as Nested>::Node, Nil>>::Output as XorModesOf>::Output;
/// The strides `D` of the shape `S`, with natural ones for those of the XOR modes `self` that say the same.
pub trait NaturalStrides<S, D> {
    type Output;
    fn natural_strides(stride: D) -> Self::Output;
}
cases! { NaturalStrides::natural_strides -> Self::Output:
    [R, S, D] Undefined<R>, S, D => D, (stride: D) => stride;
    [S, D] Nil, S, D => D, (stride: D) => stride;
    [M, T, Twice, S: Nested, D: Nested<Node: WithNatural<S::Node, UnlessShared<Twice>, Output: Untangle>>]
        Cons<M, T>, S, D where (Self: BitsOfTwoModes<Zero, Zero, Output = Twice>)
        => <<D::Node as WithNatural<S::Node, UnlessShared<Twice>>>::Output as Untangle>::Tree,
        (stride: D) => stride.node().with_natural().tree();
}
