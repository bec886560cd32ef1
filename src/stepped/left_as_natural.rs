//! Compositions with a left layout of XOR strides that the rule refuses: its modes as natural ones where these say the
//! same.
//!
//! ```text
//! (4,6):(^2,16) o (2,2):(17,5)      (66,18): 17 and 5 are steps of 1 in 4:^2, and 1 + 1 is no XOR; but 4:^2 is 4:2
//! 8:^5 o 4:3                        refused: 2 * 5 is 10, and 3 (x) 5 is 15
//! ```
//!
//! An XOR mode is a natural one if its products do not carry, and no other XOR mode has a bit of them: then sum and XOR
//! are the same. That is asked of the coordinates that the right layout reaches, since the last mode has no end.

use typenum::{UInt, UTerm};

use crate::algebra::by_mode::ApplyZipped;
use crate::algebra::coalesce::{Merge, Merging, NoEnd};
use crate::algebra::compose::composition::{ComposeNode, NoCarries};
use crate::algebra::mode::{Mode, ModesOnto};
use crate::algebra::operation::{self, AnyTuple, Apply, Operand, Operands, Operation};
use crate::algebra::outcome::{Defined, Outcome};
use crate::error::{Fault, LayoutError};
use crate::layout::display::Text;
use crate::layout::stand_in::StandIn;
use crate::layout::strided::StridedLayout;
use crate::layout::tiler::{Keep, Tiler};
use crate::layout::traits::Layout;
use crate::list::{Cons, Leaf, Nested, Nil, Untangle};
use crate::number::int::{AddInt, False, One, True, Zero};
use crate::number::multiple::Multiple;
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
impl<Op, A, B: TryAsNatural<Op, A, R, Output: Outcome<Op>>, R> OrAsNatural<Op, A, B> for Undefined<R> {
    type Given = B::Output;
    type Output = <B::Output as Outcome<Op>>::Output;
    #[inline]
    fn or_as_natural(_: Result<Self, Fault>, left: A, right: B) -> Result<B::Output, Fault> {
        right.try_as_natural(left)
    }
}
/// The operation `Op` of `A` and the right operand `self` once XOR modes of `A` are natural ones that say the same, or
/// the reason `R`, for which it was refused.
pub trait TryAsNatural<Op, A, R> {
    type Output;
    fn try_as_natural(self, left: A) -> Result<Self::Output, Fault>;
}
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

/// A tile and its rest stay within the domain of what they divide, and so do those of its modes.
macro_rules! divides {
    ($($operation:ident $apply:ident $function:ident $by:ident;)*) => { $(
        impl<S: IntTuple, D: IntTuple, B, R> TryAsNatural<operation::$operation, StridedLayout<S, D>, R> for B
        where
            S::Node: ModesOnto<D::Node, Nil, Output: XorModesOf>,
            XorModesIn<S, D>: NaturalStrides<S, D, Output: IntTuple>,
            B: $apply<operation::$by, StridedLayout<S, NaturalIn<S, D>>, Output: OrReason<R>>,
        {
            type Output =
                <<B as $apply<operation::$by, StridedLayout<S, NaturalIn<S, D>>>>::Output as OrReason<R>>::Output;
            #[inline]
            fn try_as_natural(self, left: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
                let (shape, stride) = left.into_parts();
                let left = StridedLayout::assemble(shape, XorModesIn::<S, D>::natural_strides(stride));
                Ok($apply::<operation::$by, _>::$function(self, left)?.or_reason())
            }
        }
    )* };
}
divides! {
    LogicalDivide Apply apply LogicalDivide; TiledDivide Apply apply TiledDivide; FlatDivide Apply apply FlatDivide;
    ZippedDivide ApplyZipped apply_zipped LogicalDivide;
}
type XorModesIn<S, D> = <<<S as Nested>::Node as ModesOnto<<D as Nested>::Node, Nil>>::Output as XorModesOf>::Output;
type NaturalIn<S, D> = <XorModesIn<S, D> as NaturalStrides<S, D>>::Output;
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

// ---- compositions -------------------------------------------------------------------------------------------------

cases! { TryAsNatural::try_as_natural -> Result<Self::Output, Fault>:
    [S: IntTuple, D: IntTuple, R, SB: IntTuple, DB: IntTuple]
        StridedLayout<SB, DB>, operation::Compose, StridedLayout<S, D>, R
        where (
            S::Node: ModesOnto<D::Node, NoEnd, Merging, Output: HasXorMode>,
            <LeftModes<S, D> as HasXorMode>::Output: ComposeAsNatural<R, LeftModes<S, D>, SB::Node, DB::Node>,
        )
        => <<LeftModes<S, D> as HasXorMode>::Output
            as ComposeAsNatural<R, LeftModes<S, D>, SB::Node, DB::Node>>::Output,
        (self, left: StridedLayout<S, D>) => {
            let ((left_shape, left_stride), (shape, stride)) = (left.into_parts(), self.into_parts());
            let modes = left_shape.node().modes_onto(left_stride.node(), NoEnd)?;
            <LeftModes<S, D> as HasXorMode>::Output::compose_as_natural(&modes, shape.node(), stride.node())
        };
    [A, R, U, B] UInt<U, B>, operation::Compose, A, R
        where (StridedLayout<UInt<U, B>, One>: TryAsNatural<operation::Compose, A, R>, Self: IntTuple)
        => <StridedLayout<UInt<U, B>, One> as TryAsNatural<operation::Compose, A, R>>::Output,
        (self, left: A) => StridedLayout::assemble(self, One::default()).try_as_natural(left);
}
// What these reach is not known, or has no second try.
cases! { TryAsNatural::try_as_natural -> Result<Self::Output, Fault>, for {
    [] UTerm; [] usize; [Factor] Multiple<Factor>; [T] Tiler<T>; [] Keep; [] StandIn; [] AnyTuple;
    [T S D] SteppedLayout<T, S, D>;
}:
    [A, R] Self, operation::Compose, A, R => Undefined<R>, (self, _: A) => Ok(Undefined::new());
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
        (modes: &A, shape: S, stride: D) => <<S::Output as NaturalReach<Zero>>::Output as ComposeAsNatural<R, A, S, D>>::compose_as_natural(modes, shape, stride);
    [Q, R, A, S, D] Undefined<Q>, R, A, S, D => Undefined<R>, (_: &A, _: S, _: D) => Ok(Undefined::new());
    [R, A, S, D] UTerm, R, A, S, D => Undefined<R>, (_: &A, _: S, _: D) => Ok(Undefined::new());
    [U, B, R, A: ReachedBy<UInt<U, B>, Output: InReached<R, A, S, D>>, S, D] UInt<U, B>, R, A, S, D
        => <A::Output as InReached<R, A, S, D>>::Output, (modes: &A, shape: S, stride: D) => A::Output::in_reached(modes, shape, stride);
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
    [Reached, Q, R, A, S, D] Undefined<Q>, Reached, R, A, S, D => Undefined<R>, (_: &A, _: S, _: D) => Ok(Undefined::new());
}
macro_rules! beside_reached {
    ($([$($generic:ident)*] $list:ty;)*) => {
        $(impl<Reached, R, A, S, D, L, Twice, $($generic),*> BesideReached<Reached, R, A, S, D> for $list
        where
            Self: BitsOfTwoModes<Zero, Zero, Output = Twice>,
            A: ModesAsNatural<Reached, UnlessShared<Twice>, Output = L> + TurnedInto<L>,
            L: Merge<NoEnd, Output: NoCarries>,
            S: ComposeNode<L::Output, D, <L::Output as NoCarries>::Output, Output: OrReason<R>>,
        {
            type Output = <S::Output as OrReason<R>>::Output;
            #[inline]
            fn beside_reached(modes: &A, shape: S, stride: D) -> Result<Self::Output, Fault> {
                let modes = modes.turned_into().merge(NoEnd)?;
                modes.refuse_empty(0)?;
                Ok(shape.compose_node(stride, &modes)?.or_reason())
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
