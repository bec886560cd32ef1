//! Compositions with a left layout of XOR strides that the rule refuses: its modes as natural ones where these say the
//! same.
//!
//! ```text
//! (4,6):(^2,16) o (2,2):(17,5)      (66,18): 17 and 5 are steps of 1 in 4:^2, and 1 + 1 is no XOR; but 4:^2 is 4:2
//! 8:^3 o 4:3                        refused: 3 * 3 is 9, and 3 (x) 3 is 5
//! ```
//!
//! An XOR mode is a natural one if its products do not carry, and no other XOR mode has a bit of them: then sum and XOR
//! are the same. That is asked of the coordinates that the right layout reaches, since the last mode has no end. Where
//! that is refused, too, the answer is looked for [`bit_by_bit`](crate::stepped::bit_by_bit).

use core::marker::PhantomData;

use typenum::{UInt, UTerm};

use crate::algebra::by_mode::{ApplyZipped, ByMode, LeavesAlone, Misfit};
use crate::algebra::coalesce::{Merge, Merging, NoEnd};
use crate::algebra::complement::{ComplementNode, Exactly, refuse_empty};
use crate::algebra::compose::composition::{ByRule, ComposeNode, ComposeNodes, LeftModes, NoCarries, compositions};
use crate::algebra::divide::{divides, spread_divides};
use crate::algebra::mode::{Mode, ModesOnto};
use crate::algebra::operation::{self, Apply, OnTiles, Operand, Operands, Operation};
use crate::algebra::outcome::{Defined, Outcome};
use crate::error::{Fault, LayoutError};
use crate::layout::display::Text;
use crate::layout::strided::StridedLayout;
use crate::list::{Cons, Leaf, Nested, Nil};
use crate::number::int::{AddInt, False, One, True, Zero};
use crate::number::table::RunTimeNumber;
use crate::refusal::undefined::Undefined;
use crate::refusal::{DynamicLeftXor, Empty};
use crate::stepped::basis::Basis;
use crate::stepped::bit_by_bit::LookFor;
use crate::stepped::diagonal::Diagonal;
use crate::stepped::layout::SteppedLayout;
use crate::stepped::meet::{InUnitsOf, TurnedInto};
use crate::stepped::minus::Minus;
use crate::stepped::of_kinds::DefinedOfKinds;
use crate::stepped::one_stride::{ApartOrNatural, HasTwoParts, Mixed, Naturals, PartsApart, Xors};
use crate::stepped::right_modes::{BitsOfTwoModes, NaturalReach, Naturally, UnlessShared, WithNatural, XorModesOf};
use crate::stepped::right_operand::OfKinds;
use crate::stepped::tiler_on_bits::OnBits;
use crate::stepped::xor::Xor;
use crate::stepped::xor_modes::IsPower;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::profile::SizeOf;

// ---- the operations -----------------------------------------------------------------------------------------------

/// The operation `Op` on a left layout of XOR strides: where the rule of composition refuses, it is asked for modes
/// that say the same, in each mode by itself.
pub struct OfBits<Op>(PhantomData<Op>);
impl<Op: Operation> Operation for OfBits<Op> {
    const NAME: &'static str = Op::NAME;
    const KEEPS_OFFSETS: bool = Op::KEEPS_OFFSETS;
}
impl<Op: OnTiles> OnTiles for OfBits<Op> {}
impl<Op: LeavesAlone> LeavesAlone for OfBits<Op> {}
/// Composition has to be told about every mode.
impl<S, ST, D, DT, Out> ByMode<OfBits<operation::Compose>, Cons<S, ST>, Cons<D, DT>, Out> for Nil {
    type Output = Misfit;
    #[inline]
    fn by_mode(self, _: Cons<S, ST>, _: Cons<D, DT>, _: Out) -> Result<Self::Output, Fault> {
        Ok(Misfit)
    }
}
/// What the operation `Op` gives for the left operand `A` and `B`, `self`, or if that is no layout what [`OnBits`]
/// says.
pub trait OrTried<Op, A, B>: Sized {
    type Output: Outcome<Op>;
    fn or_tried(ruled: Result<Self, Fault>, left: A, right: B) -> Result<Self::Output, Fault>;
}
impl<Op, A, B, Ruled: MeaningOf<Output: TriedIfNone<Op, A, B, Ruled>>> OrTried<Op, A, B> for Ruled {
    type Output = <Ruled::Output as TriedIfNone<Op, A, B, Ruled>>::Output;
    #[inline]
    fn or_tried(ruled: Result<Self, Fault>, left: A, right: B) -> Result<Self::Output, Fault> {
        Ruled::Output::tried_if_none(ruled, left, right)
    }
}
/// [`OrTried`] where the rule gives `Ruled`, which means `self`.
pub trait TriedIfNone<Op, A, B, Ruled> {
    type Output: Outcome<Op>;
    fn tried_if_none(ruled: Result<Ruled, Fault>, left: A, right: B) -> Result<Self::Output, Fault>;
}
cases! { TriedIfNone::tried_if_none -> Result<Self::Output, Fault>:
    [Op, A, B, S, D, Ruled: Outcome<Op>] Defined<S, D>, Op, A, B, Ruled => Ruled,
        (ruled: Result<Ruled, Fault>, _: A, _: B) => ruled;
    [Op, A, B, S, D, Ruled: Outcome<Op>] DefinedOfKinds<S, D>, Op, A, B, Ruled => Ruled,
        (ruled: Result<Ruled, Fault>, _: A, _: B) => ruled;
    [Op, A, B: OnBits<Op, A, R, Output: Outcome<Op>>, R, Ruled] Undefined<R>, Op, A, B, Ruled => B::Output,
        (_: Result<Ruled, Fault>, left: A, right: B) => right.on_bits(left);
}

/// What the rule gives, `self`, or [`Undefined`] if that has steps in two parts which no stride says.
pub trait MeaningOf {
    type Output;
}
cases! { MeaningOf:
    [S, D: HasTwoParts<False, Output: MeaningIf<S, D>>] Defined<S, D> => <D::Output as MeaningIf<S, D>>::Output;
    [S, D] DefinedOfKinds<S, D> => Self;
    [R] Undefined<R> => Self;
}
/// [`MeaningOf`] of the layout `S:D`, whose strides `self` are.
pub trait MeaningIf<S, D> {
    type Output;
}
cases! { MeaningIf:
    [S, D] False, S, D => Defined<S, D>;
    [S, D] Naturals, S, D => Defined<S, D>;
    [S, D] Xors, S, D => Defined<S, D>;
    [S, D] Mixed, S, D => Defined<S, D>;
    [S: Nested, D: Nested] True, S, D
        where (S::Node: ModesOnto<D::Node, Nil, Output: PartsApart<Output: ApartOrNatural<S, D>>>)
        => <<<S::Node as ModesOnto<D::Node, Nil>>::Output as PartsApart>::Output as ApartOrNatural<S, D>>::Output;
}

/// The right operand of an operation on a left layout of XOR strides.
#[derive(Clone, Copy)]
pub(crate) struct BesideBits<B>(pub(crate) B);
impl<Op: Operation, A: Operand, B: Operand + Apply<Op, A, Output: OrTried<Op, A, B>>> Operands<Op, A>
    for BesideBits<B>
{
    type Result = <B::Output as OrTried<Op, A, B>>::Output;
    #[inline]
    fn work(self, left: A) -> Result<Self::Result, Fault> {
        OrTried::or_tried(self.0.apply(left), left, self.0)
    }
    #[cold]
    fn refuse(self, left: A, fault: Fault) -> LayoutError {
        LayoutError::new(Op::NAME, fault).with_operands(&Text(left), &Text(self.0))
    }
}

/// A tile that divides a left layout of XOR strides into two modes.
#[derive(Clone, Copy)]
pub(crate) struct TilesOfBits<B>(pub(crate) B);
impl<A: Operand, B> Operands<operation::ZippedDivide, A> for TilesOfBits<B>
where
    B: Operand + ApplyZipped<operation::LogicalDivide, A, Output: OrTried<operation::ZippedDivide, A, B>>,
{
    type Result = <B::Output as OrTried<operation::ZippedDivide, A, B>>::Output;
    #[inline]
    fn work(self, left: A) -> Result<Self::Result, Fault> {
        OrTried::or_tried(self.0.apply_zipped(left), left, self.0)
    }
    #[cold]
    fn refuse(self, left: A, fault: Fault) -> LayoutError {
        LayoutError::new(operation::ZippedDivide::NAME, fault).with_operands(&Text(left), &Text(self.0))
    }
}

compositions! {
    [] StridedLayout<ST, DT>: OfBits<operation::Compose>, OrOtherwise<ByRule>;
    [T] SteppedLayout<T, ST, DT>: OfBits<operation::Compose>, OrOtherwise<OfKinds>;
}
divides! {
    [] StridedLayout<ST, DT>: OfBits<operation::LogicalDivide>, OrOtherwise<ByRule>;
    [T] SteppedLayout<T, ST, DT>: OfBits<operation::LogicalDivide>, OrOtherwise<OfKinds>;
}
spread_divides! {
    OfBits<operation::TiledDivide>: OfBits<operation::LogicalDivide>, False;
    OfBits<operation::FlatDivide>: OfBits<operation::LogicalDivide>, True;
}
impl<A, T: ApplyZipped<OfBits<operation::LogicalDivide>, A>> Apply<OfBits<operation::ZippedDivide>, A> for T {
    type Output = T::Output;
    #[inline]
    fn apply(self, left: A) -> Result<Self::Output, Fault> {
        self.apply_zipped(left)
    }
}

// ---- compositions -------------------------------------------------------------------------------------------------

/// Composition as `How` says, or where that is refused once XOR modes on the left are natural ones.
pub struct OrOtherwise<How>(PhantomData<How>);
impl<SA: IntTuple, DA: IntTuple, S: Copy, D: Copy, How> ComposeNodes<S, D, OrOtherwise<How>> for StridedLayout<SA, DA>
where
    Self: ComposeNodes<S, D, How, Output: MeaningOf>,
    MeaningRuled<Self, S, D, How>: Otherwise<How, Self, S, D, <Self as ComposeNodes<S, D, How>>::Output>,
{
    type Output = <MeaningRuled<Self, S, D, How> as Otherwise<
        How,
        Self,
        S,
        D,
        <Self as ComposeNodes<S, D, How>>::Output,
    >>::Output;
    #[inline]
    fn compose_nodes(self, shape: S, stride: D) -> Result<Self::Output, Fault> {
        MeaningRuled::<Self, S, D, How>::otherwise(self.compose_nodes(shape, stride), self, shape, stride)
    }
}
type MeaningRuled<A, S, D, How> = <<A as ComposeNodes<S, D, How>>::Output as MeaningOf>::Output;
/// What `How` gives for the layout `A` and `S:D`, `Ruled`, or if that means, `self`, no layout what there is otherwise.
pub trait Otherwise<How, A, S, D, Ruled> {
    type Output;
    fn otherwise(ruled: Result<Ruled, Fault>, left: A, shape: S, stride: D) -> Result<Self::Output, Fault>;
}
cases! { Otherwise::otherwise -> Result<Self::Output, Fault>:
    [How, A, S, D, SR, DR, Ruled] Defined<SR, DR>, How, A, S, D, Ruled => Ruled,
        (ruled: Result<Ruled, Fault>, _: A, _: S, _: D) => ruled;
    [How, A, S, D, SR, DR, Ruled] DefinedOfKinds<SR, DR>, How, A, S, D, Ruled => Ruled,
        (ruled: Result<Ruled, Fault>, _: A, _: S, _: D) => ruled;
    [R, How, SA: IntTuple, DA: IntTuple, S, D, Ruled] Undefined<R>, How, StridedLayout<SA, DA>, S, D, Ruled
        where (
            SA::Node: ModesOnto<DA::Node, NoEnd, Merging, Output: HasXorMode>,
            <LeftModes<SA, DA> as HasXorMode>::Output: OtherwiseIf<How, R, LeftModes<SA, DA>, S, D>,
        )
        => <<LeftModes<SA, DA> as HasXorMode>::Output as OtherwiseIf<How, R, LeftModes<SA, DA>, S, D>>::Output,
        (_: Result<Ruled, Fault>, left: StridedLayout<SA, DA>, shape: S, stride: D) => {
            let (left_shape, left_stride) = left.into_parts();
            let modes = left_shape.node().modes_onto(left_stride.node(), NoEnd)?;
            <LeftModes<SA, DA> as HasXorMode>::Output::otherwise_if(&modes, shape, stride)
        };
}

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
    [S, J, K, T: HasXorMode] Cons<Mode<S, Basis<J, K>>, T> => T::Output;
    [S, J, K, T: HasXorMode] Cons<Mode<S, Diagonal<J, K>>, T> => T::Output;
}

/// The composition of the modes `A` with `S:D`, refused for the reason `R` by `How`, if `self`: `A` has XOR modes.
pub trait OtherwiseIf<How, R, A, S, D> {
    type Output;
    fn otherwise_if(modes: &A, shape: S, stride: D) -> Result<Self::Output, Fault>;
}
cases! { OtherwiseIf::otherwise_if -> Result<Self::Output, Fault>:
    [How, R, A, S, D] False, How, R, A, S, D => Undefined<R>, (_: &A, _: S, _: D) => Ok(Undefined::new());
    [R, A, S: ModesOnto<D, Nil, Output: NaturalReach<Zero, Output: ComposeAsNatural<R, A, S, D>>>, D]
        True, ByRule, R, A, S, D
        => <<S::Output as NaturalReach<Zero>>::Output as ComposeAsNatural<R, A, S, D>>::Output,
        (modes: &A, shape: S, stride: D) =>
            <S::Output as NaturalReach<Zero>>::Output::compose_as_natural(modes, shape, stride);
    [R, A, S: LookFor<R, A, D>, D] True, OfKinds, R, A, S, D => S::Output,
        (_: &A, shape: S, stride: D) => shape.look_for(stride);
}
/// [`OtherwiseIf`] of natural modes `S:D`, which reach as far as `self`.
pub trait ComposeAsNatural<R, A, S, D> {
    type Output;
    fn compose_as_natural(modes: &A, shape: S, stride: D) -> Result<Self::Output, Fault>;
}
cases! { ComposeAsNatural::compose_as_natural -> Result<Self::Output, Fault>:
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
            S: ComposeNode<L::Output, D, <L::Output as NoCarries>::Output, Output: MeaningOf> + Copy,
            D: Copy,
            <S::Output as MeaningOf>::Output: OrLookFor<R, A, S, D, S::Output>,
        {
            type Output = <<S::Output as MeaningOf>::Output as OrLookFor<R, A, S, D, S::Output>>::Output;
            #[inline]
            fn beside_reached(modes: &A, shape: S, stride: D) -> Result<Self::Output, Fault> {
                let modes = modes.turned_into().merge(NoEnd)?;
                modes.refuse_empty(0)?;
                let ruled = shape.compose_node(stride, &modes)?;
                <S::Output as MeaningOf>::Output::or_look_for(ruled, shape, stride)
            }
        })*
    };
}
beside_reached! { [] Nil; [M T] Cons<M, T>; }

/// What the rule gives now, `Ruled`, or if that means, `self`, no layout what is found.
pub trait OrLookFor<R, A, S, D, Ruled> {
    type Output;
    fn or_look_for(ruled: Ruled, shape: S, stride: D) -> Result<Self::Output, Fault>;
}
cases! { OrLookFor::or_look_for -> Result<Self::Output, Fault>:
    [SR, DR, R, A, S, D, Ruled: Naturally] Defined<SR, DR>, R, A, S, D, Ruled => Ruled::Output,
        (ruled: Ruled, _: S, _: D) => Ok(ruled.naturally());
    [Q, R, A, S: LookFor<R, A, D>, D, Ruled] Undefined<Q>, R, A, S, D, Ruled => S::Output,
        (_: Ruled, shape: S, stride: D) => shape.look_for(stride);
}

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
