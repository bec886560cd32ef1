//! Compositions with a right operand whose strides are not all natural, and the gate before their results: what kind of
//! layout it is, the strides say.
//!
//! ```text
//! (8,8):(1,8) o (8,8):(^1,^9) = (8,8):(^1,^8)      XOR strides: an XOR layout
//! (8,8):(1,8) o (4,4):(^1,^8) = (4,4):(1,8)        natural ones
//! ```

use crate::algebra::compose::composition::{ComposeNode, NoCarries};
use crate::algebra::mode::{Mode, ModesOnto};
use crate::algebra::outcome::{Defined, Outcome};
use crate::error::{Fault, LayoutError, expect};
use crate::layout::display::Text;
use crate::layout::stand_in::StandIn;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::list::{Cons, Leaf, Nested, Nil, TreeOf, Untangle};
use crate::number::int::{False, MulInt, One, True, Zero};
use crate::number::multiple::Multiple;
use crate::number::table::RunTimeNumber;
use crate::refusal::undefined::Undefined;
use crate::refusal::{Explain, XorBesideNegative};
use crate::stepped::basis::Basis;
use crate::stepped::bit_by_bit::{AreKnown, LookFor};
use crate::stepped::diagonal::Diagonal;
use crate::stepped::layout::{SignedLayout, SteppedLayout};
use crate::stepped::left_as_natural::HasXorMode;
use crate::stepped::meet::{Meet, Met, TurnedInto};
use crate::stepped::minus::Minus;
use crate::stepped::one_stride::{HasTwoParts, OneStrideIf};
use crate::stepped::put_together::InOneKind;
use crate::stepped::right_modes::{
    AllNatural, AreNatural, BitsOfTwoModes, MaskOf, NaturalReach, Naturally, UnlessShared, WithNatural, XorModesOf,
};
use crate::stepped::two_parts::InTwoParts;
use crate::stepped::xor::Xor;
use crate::stepped::xor_modes::IsPower;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::semimodule::{Bits, Signed};
use typenum::{UInt, UTerm};

// ---- compositions -------------------------------------------------------------------------------------------------

/// The modes `self` composed with the shape `S` and the stride `D`, both nodes, whose strides are of any kind:
/// [`Defined`] where they say the same as natural ones, [`DefinedOfKinds`] or [`Undefined`].
pub trait ComposeModes<S, D> {
    type Output;
    fn compose_modes(&self, shape: S, stride: D) -> Result<Self::Output, Fault>;
}
impl<M, T, S: Copy, D: Copy> ComposeModes<S, D> for Cons<M, T>
where
    S: ModesOnto<D, Nil, Output: XorModesOf<Output: ComposeByXor<Self, S, D, Output: OrShifted<Self, S, D>>>>,
{
    type Output =
        <<<S::Output as XorModesOf>::Output as ComposeByXor<Self, S, D>>::Output as OrShifted<Self, S, D>>::Output;
    #[inline]
    fn compose_modes(&self, shape: S, stride: D) -> Result<Self::Output, Fault> {
        <S::Output as XorModesOf>::Output::compose_by_xor(self, shape, stride)?.or_shifted(shape, stride)
    }
}
/// [`ComposeModes`] of the modes `A`; `self` are the XOR modes of the right operand.
pub trait ComposeByXor<A, S, D> {
    type Output;
    fn compose_by_xor(modes: &A, shape: S, stride: D) -> Result<Self::Output, Fault>;
}
impl<A, S, D, R> ComposeByXor<A, S, D> for Undefined<R> {
    type Output = Self;
    #[inline]
    fn compose_by_xor(_: &A, _: S, _: D) -> Result<Self, Fault> {
        Ok(Undefined::new())
    }
}
impl<A, S, D> ComposeByXor<A, S, D> for Nil
where
    UTerm: ComposeByMask<A, S, D, UTerm>,
{
    type Output = <UTerm as ComposeByMask<A, S, D, UTerm>>::Output;
    #[inline]
    fn compose_by_xor(modes: &A, shape: S, stride: D) -> Result<Self::Output, Fault> {
        UTerm::compose_by_mask(modes, shape, stride)
    }
}
impl<A, S, D, M, T> ComposeByXor<A, S, D> for Cons<M, T>
where
    Self: AreNatural<UTerm, Output: ComposeUnlessNatural<A, S, D, Self>>,
{
    type Output = <<Self as AreNatural<UTerm>>::Output as ComposeUnlessNatural<A, S, D, Self>>::Output;
    #[inline]
    fn compose_by_xor(modes: &A, shape: S, stride: D) -> Result<Self::Output, Fault> {
        <Self as AreNatural<UTerm>>::Output::compose_unless_natural(modes, shape, stride)
    }
}
/// [`ComposeByXor`], where `X` are the modes and `self` is whether all of them say the same as natural ones: if not,
/// the bits that two of them share tell which do.
pub trait ComposeUnlessNatural<A, S, D, X> {
    type Output;
    fn compose_unless_natural(modes: &A, shape: S, stride: D) -> Result<Self::Output, Fault>;
}
impl<A, S, D, X> ComposeUnlessNatural<A, S, D, X> for True
where
    UTerm: ComposeByMask<A, S, D, UTerm>,
{
    type Output = <UTerm as ComposeByMask<A, S, D, UTerm>>::Output;
    #[inline]
    fn compose_unless_natural(modes: &A, shape: S, stride: D) -> Result<Self::Output, Fault> {
        UTerm::compose_by_mask(modes, shape, stride)
    }
}
impl<A, S, D, X> ComposeUnlessNatural<A, S, D, X> for False
where
    X: BitsOfTwoModes<Zero, Zero>
        + MaskOf<
            <X as BitsOfTwoModes<Zero, Zero>>::Output,
            Zero,
            Output: ComposeByMask<A, S, D, <X as BitsOfTwoModes<Zero, Zero>>::Output>,
        >,
{
    type Output = <MaskOfAll<X> as ComposeByMask<A, S, D, <X as BitsOfTwoModes<Zero, Zero>>::Output>>::Output;
    #[inline]
    fn compose_unless_natural(modes: &A, shape: S, stride: D) -> Result<Self::Output, Fault> {
        MaskOfAll::<X>::compose_by_mask(modes, shape, stride)
    }
}
type MaskOfAll<X> = <X as MaskOf<<X as BitsOfTwoModes<Zero, Zero>>::Output, Zero>>::Output;

/// [`ComposeModes`], where `self` are the bits of the modes of XOR strides that are no natural ones. Two modes share the
/// bits `Twice`.
pub trait ComposeByMask<A, S, D, Twice> {
    type Output;
    fn compose_by_mask(modes: &A, shape: S, stride: D) -> Result<Self::Output, Fault>;
}
impl<A, S, D, Twice> ComposeByMask<A, S, D, Twice> for UTerm
where
    A: NoCarries,
    D: WithNatural<S, AllNatural>,
    S: ComposeNode<A, D::Output, A::Output>,
{
    type Output = S::Output;
    #[inline]
    fn compose_by_mask(modes: &A, shape: S, stride: D) -> Result<Self::Output, Fault> {
        modes.refuse_empty(0)?;
        shape.compose_node(stride.with_natural(), modes)
    }
}
impl<A, S, D, Twice, U, B> ComposeByMask<A, S, D, Twice> for UInt<U, B>
where
    D: WithNatural<S, UnlessShared<Twice>>,
    S: ModesOnto<
            D::Output,
            Nil,
            Output: NaturalReach<Self, Output: MeetBelow<A, Self, Output: ComposeMet<A, S, D::Output>>>,
        >,
{
    type Output = <<<S::Output as NaturalReach<Self>>::Output as MeetBelow<A, Self>>::Output as ComposeMet<
        A,
        S,
        D::Output,
    >>::Output;
    #[inline]
    fn compose_by_mask(modes: &A, shape: S, stride: D) -> Result<Self::Output, Fault> {
        <<S::Output as NaturalReach<Self>>::Output as MeetBelow<A, Self>>::Output::compose_met(
            modes,
            shape,
            stride.with_natural(),
        )
    }
}
/// The modes `A` met by the bits `Mask`, where `self` is the most that the right operand reaches.
pub trait MeetBelow<A, Mask> {
    type Output;
}
cases! { MeetBelow:
    [R, A, Mask] Undefined<R>, A, Mask => Self;
    [U, B, A: Meet<Mask, Self, One, Zero, Zero>, Mask] UInt<U, B>, A, Mask => A::Output;
}
/// [`ComposeModes`] of the modes `A`, which are `self` when bits meet them.
pub trait ComposeMet<A, S, D> {
    type Output;
    fn compose_met(modes: &A, shape: S, stride: D) -> Result<Self::Output, Fault>;
}
impl<A, S, D, R> ComposeMet<A, S, D> for Undefined<R> {
    type Output = Self;
    #[inline]
    fn compose_met(_: &A, _: S, _: D) -> Result<Self, Fault> {
        Ok(Undefined::new())
    }
}
impl<A: TurnedInto<L>, S: ComposeNode<L, D, Carries, Output: IntoKinds>, D, L, Carries> ComposeMet<A, S, D>
    for Met<L, Carries>
{
    type Output = <S::Output as IntoKinds>::Output;
    #[inline]
    fn compose_met(modes: &A, shape: S, stride: D) -> Result<Self::Output, Fault> {
        Ok(shape.compose_node(stride, &modes.turned_into())?.into_kinds())
    }
}

// ---- beyond the rule ----------------------------------------------------------------------------------------------

/// What the rule gives, `self`, or where it gives nothing: one mode `n:d` on the left takes each offset `B(c)` to
/// `d * B(c)`, which for a power of two multiplies each stride, whatever its kind; over other natural modes the answer is
/// [looked for](LookFor).
///
/// ```text
/// 64:4 o (4,8):(3,^16)      (4,8):(12,^64), though steps of 3 carry where XOR strides reach 64:4
/// ```
pub trait OrShifted<A, S, D> {
    type Output;
    fn or_shifted(self, shape: S, stride: D) -> Result<Self::Output, Fault>;
}
cases! { OrShifted::or_shifted -> Result<Self::Output, Fault>:
    [A, S, D, SR, DR] Defined<SR, DR>, A, S, D => Self, (self, _: S, _: D) => Ok(self);
    [A, S, D, SR, DR] DefinedOfKinds<SR, DR>, A, S, D => Self, (self, _: S, _: D) => Ok(self);
    [R, A: ShiftOf<Output: ShiftIfKnown<R, A, S, D>>, S, D] Undefined<R>, A, S, D
        => <A::Output as ShiftIfKnown<R, A, S, D>>::Output,
        (self, shape: S, stride: D) => A::Output::shift_if_known(shape, stride);
}
/// The stride of the only mode `self`, if that is a power of two, or [`False`].
pub trait ShiftOf {
    type Output;
}
cases! { ShiftOf:
    [S, D: PowerOrFalse] Cons<Mode<S, D>, Nil> => D::Output;
    [M, N, T] Cons<M, Cons<N, T>> => False;
}
/// The number, if it is a static power of two, or [`False`].
pub trait PowerOrFalse {
    type Output;
}
cases! { PowerOrFalse:
    [] UTerm => False;
    [U, B] UInt<U, B> where (Self: IsPower<Output: IfPower<Self>>) => <<Self as IsPower>::Output as IfPower<Self>>::Output;
    [N: RunTimeNumber] N => False;
    [N] Minus<N> => False;
    [N] Xor<N> => False;
    [J, K] Basis<J, K> => False;
    [J, K] Diagonal<J, K> => False;
}
/// The number `N`, if `self`, or [`False`].
pub trait IfPower<N> {
    type Output;
}
cases! { IfPower:
    [N] True, N => N;
    [N] False, N => False;
}
/// The strides of `S:D` times `self`, if these are static natural and XOR strides, or the reason `R`; without such a
/// number what is looked for in the modes `A`.
pub trait ShiftIfKnown<R, A, S, D> {
    type Output;
    fn shift_if_known(shape: S, stride: D) -> Result<Self::Output, Fault>;
}
cases! { ShiftIfKnown::shift_if_known -> Result<Self::Output, Fault>:
    [R, A: HasXorMode<Output: LookForUnless<R, A, S, D>>, S, D] False, R, A, S, D
        => <A::Output as LookForUnless<R, A, S, D>>::Output,
        (shape: S, stride: D) => A::Output::look_for_unless(shape, stride);
    [U, B, R, A, S: ModesOnto<D, Nil, Output: AreKnown<True, Output: ShiftIf<R, UInt<U, B>, S, D>>>, D]
        UInt<U, B>, R, A, S, D
        => <<S::Output as AreKnown<True>>::Output as ShiftIf<R, UInt<U, B>, S, D>>::Output,
        (shape: S, _: D) => Ok(<S::Output as AreKnown<True>>::Output::shift_if(shape));
}
/// What is looked for in the modes `A`, unless `self`: they are XOR modes, which a mode of a tiler may not tell in other
/// words by itself.
pub trait LookForUnless<R, A, S, D> {
    type Output;
    fn look_for_unless(shape: S, stride: D) -> Result<Self::Output, Fault>;
}
cases! { LookForUnless::look_for_unless -> Result<Self::Output, Fault>:
    [R, A, S, D] True, R, A, S, D => Undefined<R>, (_: S, _: D) => Ok(Undefined::new());
    [R, A, S: LookFor<R, A, D, Output: IntoKinds>, D] False, R, A, S, D => <S::Output as IntoKinds>::Output,
        (shape: S, stride: D) => Ok(shape.look_for(stride)?.into_kinds());
}
/// The strides of `S:D` times `P`, if `self`, or the reason `R`.
pub trait ShiftIf<R, P, S, D> {
    type Output;
    fn shift_if(shape: S) -> Self::Output;
}
cases! { ShiftIf::shift_if -> Self::Output:
    [R, P, S, D] False, R, P, S, D => Undefined<R>, (_: S) => Undefined::new();
    [R, P, S: Untangle, D: TimesEach<P, Output: Untangle<Tree: Default>>] True, R, P, S, D
        where (Defined<S::Tree, TreeOf<D::Output>>: Naturally<Output: IntoKinds>)
        => <<Defined<S::Tree, TreeOf<D::Output>> as Naturally>::Output as IntoKinds>::Output,
        (shape: S) => Defined { shape: shape.tree(), stride: Default::default() }.naturally().into_kinds();
}
/// The strides of the node `self`, natural and XOR ones, times the power of two `P`.
pub trait TimesEach<P> {
    type Output;
}
cases! { TimesEach:
    [P] Nil, P => Nil;
    [P] Leaf<UTerm>, P => Self;
    [U, B, P: MulInt<UInt<U, B>>] Leaf<UInt<U, B>>, P => Leaf<P::Output>;
    [N, P: MulInt<N>] Leaf<Xor<N>>, P => Leaf<Xor<P::Output>>;
    [H: Nested<Node: TimesEach<P, Output: Untangle>>, T: TimesEach<P>, P] Cons<H, T>, P
        => Cons<TreeOf<<H::Node as TimesEach<P>>::Output>, T::Output>;
}

// ---- the gate -----------------------------------------------------------------------------------------------------

/// A shape and a stride, what an operation gives where it is defined: of whatever kind the strides are.
#[derive(Clone, Copy)]
pub struct DefinedOfKinds<S, D> {
    pub shape: S,
    pub stride: D,
}
/// What an operation gives, of whatever kind its strides are.
pub trait IntoKinds {
    type Output;
    fn into_kinds(self) -> Self::Output;
}
cases! { IntoKinds::into_kinds -> Self::Output:
    [S, D] Defined<S, D> => DefinedOfKinds<S, D>,
        (self) => DefinedOfKinds { shape: self.shape, stride: self.stride };
    [R] Undefined<R> => Self, (self) => self;
}
impl<Op, S: IntTuple, D: IntTuple> Outcome<Op> for DefinedOfKinds<S, D>
where
    D::Node: KindOf<S::Node, NaturalKind, Output: LayoutOfKind<Op, S, D>>,
{
    type Output = <<D::Node as KindOf<S::Node, NaturalKind>>::Output as LayoutOfKind<Op, S, D>>::Output;
    #[inline]
    fn outcome(self) -> Result<Self::Output, Fault> {
        let layout = StridedLayout::assemble(self.shape, self.stride);
        if layout.span().is_none() {
            return Err(Fault::Overflow);
        }
        <<D::Node as KindOf<S::Node, NaturalKind>>::Output as LayoutOfKind<Op, S, D>>::layout_of_kind(layout)
    }
    #[inline]
    #[track_caller]
    fn layout(self) -> Self::Output {
        let (shape, stride) = (self.shape, self.stride);
        let explain = |fault| LayoutError::new("new", fault).with_operands(&Text(shape), &Text(stride));
        expect(Outcome::<Op>::outcome(self).map_err(explain))
    }
}

/// All strides are natural, or steps along axes.
pub struct NaturalKind;
/// XOR strides, and steps in two parts.
pub struct BitsOfTwoParts;
/// Both XOR strides and negative ones.
pub struct BothKinds;
/// The kind of the strides of the node `self` in the modes of the shape's node `S` that may move, and of those before,
/// `SoFar`: [`NaturalKind`], [`Bits`], [`BitsOfTwoParts`], [`Signed`] or [`BothKinds`].
pub trait KindOf<S, SoFar> {
    type Output;
}
cases! { KindOf:
    [SoFar] Nil, Nil, SoFar => SoFar;
    [S, SoFar] Leaf<UTerm>, S, SoFar => SoFar;
    [U, B, S, SoFar] Leaf<UInt<U, B>>, S, SoFar => SoFar;
    [S, SoFar] Leaf<usize>, S, SoFar => SoFar;
    [K, S, SoFar] Leaf<Multiple<K>>, S, SoFar => SoFar;
    [J, K, S, SoFar] Leaf<Basis<J, K>>, S, SoFar => SoFar;
    [J, K, S, SoFar] Leaf<Diagonal<J, K>>, S, SoFar => SoFar;
    [N, S: KindIn<Bits, SoFar>, SoFar] Leaf<Xor<N>>, Leaf<S>, SoFar => S::Output;
    [N, S: KindIn<Signed, SoFar>, SoFar] Leaf<Minus<N>>, Leaf<S>, SoFar => S::Output;
    [U, B, X, S: KindIn<BitsOfTwoParts, SoFar>, SoFar] Leaf<InTwoParts<UInt<U, B>, X>>, Leaf<S>, SoFar => S::Output;
    [N: RunTimeNumber, X, S: KindIn<BitsOfTwoParts, SoFar>, SoFar] Leaf<InTwoParts<N, X>>, Leaf<S>, SoFar => S::Output;
    [N, X, S: KindIn<BothKinds, SoFar>, SoFar] Leaf<InTwoParts<Minus<N>, X>>, Leaf<S>, SoFar => S::Output;
    [H: Nested<Node: KindOf<I::Node, SoFar>>, T, I: Nested, J, SoFar] Cons<H, T>, Cons<I, J>, SoFar
        where (T: KindOf<J, <H::Node as KindOf<I::Node, SoFar>>::Output>)
        => <T as KindOf<J, <H::Node as KindOf<I::Node, SoFar>>::Output>>::Output;
}
/// The kind `Kind` of a mode of extent `self`, and that of those before.
pub trait KindIn<Kind, SoFar> {
    type Output;
}
cases! { KindIn:
    [Kind, SoFar] UTerm, Kind, SoFar => SoFar;
    [Kind, SoFar] One, Kind, SoFar => SoFar;
    [U, A, B, Kind: WithKind<SoFar>, SoFar] UInt<UInt<U, A>, B>, Kind, SoFar => Kind::Output;
    [N: RunTimeNumber, Kind: WithKind<SoFar>, SoFar] N, Kind, SoFar => Kind::Output;
}
/// The kind `self` and that of those before.
pub trait WithKind<SoFar> {
    type Output;
}
cases! { WithKind:
    [] Bits, NaturalKind => Bits;
    [] Bits, Bits => Bits;
    [] Bits, BitsOfTwoParts => BitsOfTwoParts;
    [] Bits, Signed => BothKinds;
    [] Bits, BothKinds => BothKinds;
    [] Signed, NaturalKind => Signed;
    [] Signed, Signed => Signed;
    [] Signed, Bits => BothKinds;
    [] Signed, BitsOfTwoParts => BothKinds;
    [] Signed, BothKinds => BothKinds;
    [] BitsOfTwoParts, NaturalKind => BitsOfTwoParts;
    [] BitsOfTwoParts, Bits => BitsOfTwoParts;
    [] BitsOfTwoParts, BitsOfTwoParts => BitsOfTwoParts;
    [] BitsOfTwoParts, Signed => BothKinds;
    [] BitsOfTwoParts, BothKinds => BothKinds;
    [SoFar] BothKinds, SoFar => BothKinds;
}
/// The layout of the kind `self`.
pub trait LayoutOfKind<Op, S, D> {
    type Output: Layout;
    fn layout_of_kind(layout: StridedLayout<S, D>) -> Result<Self::Output, Fault>;
}
impl<Op, S: IntTuple, D: IntTuple> LayoutOfKind<Op, S, D> for NaturalKind {
    type Output = StridedLayout<S, D>;
    #[inline]
    fn layout_of_kind(layout: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
        Ok(layout)
    }
}
impl<Op, S: IntTuple, D: IntTuple> LayoutOfKind<Op, S, D> for Bits
where
    D: HasTwoParts<False, Output: OneStrideIf<Op, S, D>>,
{
    type Output = <D::Output as OneStrideIf<Op, S, D>>::Output;
    #[inline]
    fn layout_of_kind(layout: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
        D::Output::one_stride_if(layout)
    }
}
impl<Op, S: IntTuple, D: IntTuple> LayoutOfKind<Op, S, D> for BitsOfTwoParts
where
    True: OneStrideIf<Op, S, D>,
{
    type Output = <True as OneStrideIf<Op, S, D>>::Output;
    #[inline]
    fn layout_of_kind(layout: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
        True::one_stride_if(layout)
    }
}
impl<Op, S: IntTuple, D: InOneKind<Signed>> LayoutOfKind<Op, S, D> for Signed {
    type Output = SignedLayout<S, D::Output>;
    #[inline]
    fn layout_of_kind(layout: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
        let (shape, stride) = layout.into_parts();
        Ok(SteppedLayout::assemble(StridedLayout::assemble(shape, stride.in_one_kind())))
    }
}
impl<Op, S, D> LayoutOfKind<Op, S, D> for BothKinds
where
    XorBesideNegative: Explain<Op>,
{
    type Output = StandIn;
    fn layout_of_kind(_: StridedLayout<S, D>) -> Result<StandIn, Fault> {
        Ok(StandIn)
    }
}
