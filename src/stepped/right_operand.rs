//! Layouts of XOR strides and negative ones as right operands: the operations that take a tile or a layout.
//!
//! ```text
//! R = A o B                        R(c) = A(B(c)), the coordinates of A being what B says
//! A / T = A o (T, complement(T))   A x T = (A, copies(A) o T)
//! ```

use typenum::UInt;

use crate::algebra::by_mode::{ApplyZipped, one_pair};
use crate::algebra::coalesce::{Merging, NoEnd};
use crate::algebra::complement::{ComplementNode, Exactly, Sorting, refuse_empty};
use crate::algebra::compose::composition::{ComposeNodes, compositions};
use crate::algebra::divide::{OutcomeOfTwo, Spread, divides};
use crate::algebra::mode::{IntoTuple, Mode, ModesOnto, Top, TopModes};
use crate::algebra::operation::{self, Apply, right};
use crate::algebra::outcome::{Defined, Outcome};
use crate::algebra::paired_product::{Padded, PairModes, PairedProduct, UnitMode};
use crate::algebra::product::{CopiesBy, FreeModes, PairWith};
use crate::error::Fault;
use crate::layout::strided::StridedLayout;
use crate::list::{Cons, Nested, Nil, PadTo, Untangle};
use crate::number::int::{False, One, True, Zero};
use crate::refusal::undefined::Undefined;
use crate::stepped::bit_by_bit::LookFor;
use crate::stepped::inverses::FreeBesideBits;
use crate::stepped::layout::SteppedLayout;
use crate::stepped::meet::TurnedInto;
use crate::stepped::of_kinds::{ComposeModes, DefinedOfKinds, IntoKinds};
use crate::stepped::one_stride::{
    ApartOrNatural, ApartOrRefused, HasTwoParts, Mixed, Naturals, PartsApart, PartsInOne, WhetherApart, Xors,
};
use crate::stepped::right_modes::{BitsOfTwoModes, UnlessShared, WithNatural, XorModesIn, XorModesOf};
use crate::stepped::two_modes::TwoModes;
use crate::stepped::xor::Xor;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::profile::SizeOf;
use crate::tuple::semimodule::{Bits, Signed};

/// Layouts of these strides stand on the right of these operations.
macro_rules! right_operands {
    ($($operation:ident)*) => {
        $(right_operands! { @one $operation Bits }
        right_operands! { @one $operation Signed })*
    };
    (@one $operation:ident $offsets:ident) => {
        #[diagnostic::do_not_recommend]
        impl<S: IntTuple, D: IntTuple> right::$operation for SteppedLayout<$offsets, S, D> {
            type Accepted = Self;
            #[inline]
            fn accepted(self) -> Self {
                self
            }
        }
        #[diagnostic::do_not_recommend]
        impl<S: IntTuple, D: IntTuple> right::$operation for &SteppedLayout<$offsets, S, D> {
            type Accepted = SteppedLayout<$offsets, S, D>;
            #[inline]
            fn accepted(self) -> SteppedLayout<$offsets, S, D> {
                *self
            }
        }
    };
}
right_operands! {
    Compose LogicalDivide ZippedDivide TiledDivide FlatDivide RoundUp LogicalProduct ZippedProduct TiledProduct
    FlatProduct BlockedProduct RakedProduct MaxCommonLayout Append Prepend Replace LayoutAdd
}

// ---- compositions -------------------------------------------------------------------------------------------------

/// The layout `self` composed with the shape `S` and the stride `D`, both nodes, whose strides are of any kind.
pub trait ComposeWithKinds<S, D> {
    type Output;
    fn compose_with_kinds(self, shape: S, stride: D) -> Result<Self::Output, Fault>;
}
impl<SA: IntTuple, DA: IntTuple, S, D> ComposeWithKinds<S, D> for StridedLayout<SA, DA>
where
    SA::Node: ModesOnto<DA::Node, NoEnd, Merging, Output: ComposeModes<S, D>>,
{
    type Output = <<SA::Node as ModesOnto<DA::Node, NoEnd, Merging>>::Output as ComposeModes<S, D>>::Output;
    #[inline]
    fn compose_with_kinds(self, shape: S, stride: D) -> Result<Self::Output, Fault> {
        let (left_shape, left_stride) = self.into_parts();
        left_shape.node().modes_onto(left_stride.node(), NoEnd)?.compose_modes(shape, stride)
    }
}
/// Composition with strides of any kind on the right.
pub struct OfKinds;
impl<A: ComposeWithKinds<S, D>, S, D> ComposeNodes<S, D, OfKinds> for A {
    type Output = A::Output;
    #[inline]
    fn compose_nodes(self, shape: S, stride: D) -> Result<Self::Output, Fault> {
        self.compose_with_kinds(shape, stride)
    }
}
compositions! { [T] SteppedLayout<T, ST, DT>: operation::Compose, OfKinds; }

// ---- divides ------------------------------------------------------------------------------------------------------

divides! { [T] SteppedLayout<T, ST, DT>: operation::LogicalDivide, OfKinds; }
one_pair! { [T, ST, DT] SteppedLayout<T, ST, DT>; }

impl<Op, S0: IntTuple, S1: IntTuple, D0: IntTuple, D1: IntTuple> OutcomeOfTwo<Op> for DefinedOfKinds<(S0, S1), (D0, D1)>
where
    Self: Outcome<Op, Output: TwoModes>,
{
    type First = <<Self as Outcome<Op>>::Output as TwoModes>::First;
    type Second = <<Self as Outcome<Op>>::Output as TwoModes>::Second;
    #[inline]
    fn two(result: <Self as Outcome<Op>>::Output) -> (Self::First, Self::Second) {
        result.two_modes()
    }
}
impl<First, S, D> Spread<First> for DefinedOfKinds<S, D>
where
    Defined<S, D>: Spread<First, Output: IntoKinds>,
{
    type Output = <<Defined<S, D> as Spread<First>>::Output as IntoKinds>::Output;
    #[inline]
    fn spread(self) -> Self::Output {
        Defined { shape: self.shape, stride: self.stride }.spread().into_kinds()
    }
}

impl<A, T, ST: IntTuple, DT: IntTuple> Apply<operation::RoundUp, A> for SteppedLayout<T, ST, DT>
where
    StridedLayout<ST, DT>: Apply<operation::RoundUp, A>,
{
    type Output = <StridedLayout<ST, DT> as Apply<operation::RoundUp, A>>::Output;
    #[inline]
    fn apply(self, left: A) -> Result<Self::Output, Fault> {
        self.strided().apply(left)
    }
}

// ---- products -----------------------------------------------------------------------------------------------------

impl<S, D, T, ST, DT> Apply<operation::LogicalProduct, StridedLayout<S, D>> for SteppedLayout<T, ST, DT>
where
    S: IntTuple,
    D: IntTuple,
    S::Node: ModesOnto<D::Node, Nil, Sorting, Output: FreeModes<One, Output: CopiesOfKinds<S, D, ST, DT>>>,
{
    type Output =
        <<<S::Node as ModesOnto<D::Node, Nil, Sorting>>::Output as FreeModes<One>>::Output as CopiesOfKinds<
            S,
            D,
            ST,
            DT,
        >>::Output;
    #[inline]
    fn apply(self, left: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
        let ((shape, stride), (extents, strides)) = (left.into_parts(), self.into_parts());
        let free = shape.node().modes_onto(stride.node(), Nil)?.free_modes(One::default())?;
        free.copies_of_kinds(left, extents, strides)
    }
}
/// The layout `S:D` and its copies, laid out by `ST:DT` over the free modes `self`.
pub trait CopiesOfKinds<S, D, ST, DT> {
    type Output;
    fn copies_of_kinds(self, layout: StridedLayout<S, D>, shape: ST, stride: DT) -> Result<Self::Output, Fault>;
}
impl<S, D, ST, DT, R> CopiesOfKinds<S, D, ST, DT> for Undefined<R> {
    type Output = Self;
    #[inline]
    fn copies_of_kinds(self, _: StridedLayout<S, D>, _: ST, _: DT) -> Result<Self, Fault> {
        Ok(self)
    }
}
impl<S, D, ST: Nested + Copy, DT: Nested + Copy, H, L> CopiesOfKinds<S, D, ST, DT> for Cons<H, L>
where
    Self: ComposeModes<ST::Node, DT::Node, Output: OrFound<Self, ST::Node, DT::Node, Output: PairWith<S, D>>>,
{
    type Output = <<<Self as ComposeModes<ST::Node, DT::Node>>::Output as OrFound<Self, ST::Node, DT::Node>>::Output
        as PairWith<S, D>>::Output;
    #[inline]
    fn copies_of_kinds(self, layout: StridedLayout<S, D>, shape: ST, stride: DT) -> Result<Self::Output, Fault> {
        let copies = self.compose_modes(shape.node(), stride.node())?;
        Ok(copies.or_found(shape.node(), stride.node())?.pair_with(layout))
    }
}
/// The copies `self` of kinds, or where the rule has none those that are looked for over the free modes `A`.
pub trait OrFound<A, S, D> {
    type Output;
    fn or_found(self, shape: S, stride: D) -> Result<Self::Output, Fault>;
}
cases! { OrFound::or_found -> Result<Self::Output, Fault>:
    [A, S, D, SR, DR] Defined<SR, DR>, A, S, D => Self, (self, _: S, _: D) => Ok(self);
    [A, S, D, SR, DR] DefinedOfKinds<SR, DR>, A, S, D => Self, (self, _: S, _: D) => Ok(self);
    [R, A, S: LookFor<R, A, D, Output: IntoKinds>, D] Undefined<R>, A, S, D => <S::Output as IntoKinds>::Output,
        (self, shape: S, stride: D) => Ok(shape.look_for(stride)?.into_kinds());
}

/// Each mode of a product by mode is one by itself: its steps have one stride before there are others beside them.
impl<S: IntTuple, D: IntTuple, T: Copy, L: Clone> CopiesBy<S, D, T> for FreeBesideBits<L>
where
    L: CopiesBy<S, D, T, Output: OrNaturalCopies<L, S, D, T>>,
{
    type Output = <L::Output as OrNaturalCopies<L, S, D, T>>::Output;
    #[inline]
    fn copies_by(self, layout: StridedLayout<S, D>, tile: T) -> Result<Self::Output, Fault> {
        self.0.clone().copies_by(layout, tile)?.or_natural_copies(self.0, layout, tile)
    }
}
/// The product `self`, or where there is none over the free modes `L`, the one over natural modes in their place, if its
/// copies have no bit of the XOR strides of the layout.
///
/// ```text
/// 8:^32 x 4:6      (8,4):(^32,6): steps of 6 carry in 32:^1, and lead to 0 6 12 18 in 32:1
/// ```
pub trait OrNaturalCopies<L, S, D, T> {
    type Output;
    fn or_natural_copies(self, free: L, layout: StridedLayout<S, D>, tile: T) -> Result<Self::Output, Fault>;
}
cases! { OrNaturalCopies::or_natural_copies -> Result<Self::Output, Fault>:
    [L, S, D, T, SP, DP] Defined<SP, DP>, L, S, D, T where (Self: CopiesByThemselves)
        => <Self as CopiesByThemselves>::Output,
        (self, _: L, _: StridedLayout<S, D>, _: T) => Ok(self.copies_by_themselves());
    [R, L: InNaturalModes + TurnedInto<L::Output>, S, D, T] Undefined<R>, L, S, D, T
        where (L::Output: CopiesBy<S, D, T, Output: CopiesIfApart<R>>)
        => <<L::Output as CopiesBy<S, D, T>>::Output as CopiesIfApart<R>>::Output,
        (self, free: L, layout: StridedLayout<S, D>, tile: T) =>
            Ok(free.turned_into().copies_by(layout, tile)?.copies_if_apart());
    [R, Q, S, D, T] Undefined<R>, Undefined<Q>, S, D, T => Self,
        (self, _: Undefined<Q>, _: StridedLayout<S, D>, _: T) => Ok(self);
}
/// A product with [one stride for each step](CopiesInOneStride) of the copies.
pub trait CopiesByThemselves {
    type Output;
    fn copies_by_themselves(self) -> Self::Output;
}
cases! { CopiesByThemselves::copies_by_themselves -> Self::Output:
    [R] Undefined<R> => Self, (self) => self;
    [S, D, SC, DC: HasTwoParts<False, Output: CopiesInOneStride<S, D, SC, DC>>] Defined<(S, SC), (D, DC)>
        => <DC::Output as CopiesInOneStride<S, D, SC, DC>>::Output, (self) => DC::Output::copies_in_one_stride(self);
    [S, D, SC, DC: HasTwoParts<False, Output: CopiesInOneStride<S, D, SC, DC, Output: IntoKinds>>]
        DefinedOfKinds<(S, SC), (D, DC)>
        => <<DC::Output as CopiesInOneStride<S, D, SC, DC>>::Output as IntoKinds>::Output,
        (self) => {
            let product = Defined { shape: self.shape, stride: self.stride };
            DC::Output::copies_in_one_stride(product).into_kinds()
        };
}
/// The layout `S:D` and its copies `SC:DC`, whose strides `self` are, with one stride for each step of the copies. The
/// layout stays what it is: XOR modes of the copies alone may be natural ones.
pub trait CopiesInOneStride<S, D, SC, DC> {
    type Output;
    fn copies_in_one_stride(product: Defined<(S, SC), (D, DC)>) -> Self::Output;
}
cases! { CopiesInOneStride::copies_in_one_stride -> Self::Output, for { [] False; [] Naturals; [] Xors; [] Mixed; }:
    [S, D, SC, DC] Self, S, D, SC, DC => Defined<(S, SC), (D, DC)>, (product: Defined<(S, SC), (D, DC)>) => product;
}
cases! { CopiesInOneStride::copies_in_one_stride -> Self::Output:
    [S: Nested, D: Nested, SC: Nested, DC: Nested] True, S, D, SC, DC
        where (
            Cons<S, Cons<SC, Nil>>: ModesOnto<Cons<D, Cons<DC, Nil>>, Nil, Output: PartsApart>,
            WhetherApart<(S, SC), (D, DC)>: OrCopiesAsNatural<S, D, SC, DC>,
        )
        => <WhetherApart<(S, SC), (D, DC)> as OrCopiesAsNatural<S, D, SC, DC>>::Output,
        (product: Defined<(S, SC), (D, DC)>) => <WhetherApart<(S, SC), (D, DC)>>::or_copies_as_natural(product);
}
/// [`CopiesInOneStride`], where `self` is whether XOR strides say the steps; if not natural ones may.
pub trait OrCopiesAsNatural<S, D, SC, DC> {
    type Output;
    fn or_copies_as_natural(product: Defined<(S, SC), (D, DC)>) -> Self::Output;
}
cases! { OrCopiesAsNatural::or_copies_as_natural -> Self::Output:
    [S, D, SC, DC] PartsInOne, S, D, SC, DC where (Self: ApartOrNatural<(S, SC), (D, DC)>)
        => <Self as ApartOrNatural<(S, SC), (D, DC)>>::Output,
        (product: Defined<(S, SC), (D, DC)>) =>
            Self::apart_or_natural(StridedLayout::assemble(product.shape, product.stride));
    [R, S, D, SC: Nested<Node: ModesOnto<DC::Node, Nil, Output: XorModesOf>>, DC: Nested] Undefined<R>, S, D, SC, DC
        where (XorModesIn<SC, DC>: CopiesAsNatural<R, S, D, SC, DC>)
        => <XorModesIn<SC, DC> as CopiesAsNatural<R, S, D, SC, DC>>::Output,
        (product: Defined<(S, SC), (D, DC)>) => <XorModesIn<SC, DC>>::copies_as_natural(product);
}
/// [`OrCopiesAsNatural`] of copies with the XOR modes and XOR parts `self`, or the reason `R`.
pub trait CopiesAsNatural<R, S, D, SC, DC> {
    type Output;
    fn copies_as_natural(product: Defined<(S, SC), (D, DC)>) -> Self::Output;
}
cases! { CopiesAsNatural::copies_as_natural -> Self::Output:
    [Q, R, S, D, SC, DC] Undefined<Q>, R, S, D, SC, DC => Undefined<R>,
        (_: Defined<(S, SC), (D, DC)>) => Undefined::new();
    [M, T, Twice, E, R, S: Nested, D: Nested, SC: Nested, DC: Nested] Cons<M, T>, R, S, D, SC, DC
        where (
            Self: BitsOfTwoModes<Zero, Zero, Output = Twice>,
            DC::Node: WithNatural<SC::Node, UnlessShared<Twice>, Output: Untangle<Tree = E>>,
            E: Nested,
            Cons<S, Cons<SC, Nil>>: ModesOnto<Cons<D, Cons<E, Nil>>, Nil, Output: PartsApart>,
            WhetherApart<(S, SC), (D, E)>: ApartOrRefused<(S, SC), (D, E), R>,
        )
        => <WhetherApart<(S, SC), (D, E)> as ApartOrRefused<(S, SC), (D, E), R>>::Output,
        (product: Defined<(S, SC), (D, DC)>) => {
            let (layout, copies) = product.stride;
            let stride = (layout, copies.node().with_natural().tree());
            <WhetherApart<(S, SC), (D, E)>>::apart_or_refused(StridedLayout::assemble(product.shape, stride))
        };
}
/// The free modes `self` with natural strides in the place of XOR strides, each of which has one bit.
pub trait InNaturalModes {
    type Output;
}
cases! { InNaturalModes:
    [] Nil => Nil;
    [S, N, T: InNaturalModes] Cons<Mode<S, Xor<N>>, T> => Cons<Mode<S, N>, T::Output>;
    [S, U, B, T: InNaturalModes] Cons<Mode<S, UInt<U, B>>, T> => Cons<Mode<S, UInt<U, B>>, T::Output>;
}
/// The product `self`, if its natural strides have no bit of XOR strides, or else the reason `R`.
pub trait CopiesIfApart<R> {
    type Output;
    fn copies_if_apart(self) -> Self::Output;
}
cases! { CopiesIfApart::copies_if_apart -> Self::Output:
    [Q, R] Undefined<Q>, R => Undefined<R>, (self) => Undefined::new();
    [S: Nested, D: Nested, R] Defined<S, D>, R
        where (S::Node: ModesOnto<D::Node, Nil, Output: PartsApart<Output: ApartOrRefused<S, D, R>>>)
        => <WhetherApart<S, D> as ApartOrRefused<S, D, R>>::Output,
        (self) => <WhetherApart<S, D>>::apart_or_refused(StridedLayout::assemble(self.shape, self.stride));
}
impl<S, D, ST, DT, L: CopiesOfKinds<S, D, ST, DT, Output: CopiesByThemselves>> CopiesOfKinds<S, D, ST, DT>
    for FreeBesideBits<L>
{
    type Output = <L::Output as CopiesByThemselves>::Output;
    #[inline]
    fn copies_of_kinds(self, layout: StridedLayout<S, D>, shape: ST, stride: DT) -> Result<Self::Output, Fault> {
        Ok(self.0.copies_of_kinds(layout, shape, stride)?.copies_by_themselves())
    }
}
impl<S, D, SC, DC> PairWith<S, D> for DefinedOfKinds<SC, DC> {
    type Output = DefinedOfKinds<(S, SC), (D, DC)>;
    #[inline]
    fn pair_with(self, layout: StridedLayout<S, D>) -> Self::Output {
        Defined { shape: self.shape, stride: self.stride }.pair_with(layout).into_kinds()
    }
}

/// A list of modes padded to the rank of `Other`, as a layout of one tuple with offsets in `T`.
type PaddedOfKinds<T, L, Other> = SteppedLayout<
    T,
    <<L as PadTo<Other, UnitMode>>::Output as IntoTuple>::Shape,
    <<L as PadTo<Other, UnitMode>>::Output as IntoTuple>::Stride,
>;
impl<SA, DA, T, ST, DT, Order> PairedProduct<StridedLayout<SA, DA>, Order> for SteppedLayout<T, ST, DT>
where
    StridedLayout<SA, DA>: TopModes,
    StridedLayout<ST, DT>: TopModes,
    Top<SA, DA>: PadTo<Top<ST, DT>, UnitMode, Output: IntoTuple>,
    Top<ST, DT>: PadTo<Top<SA, DA>, UnitMode, Output: IntoTuple>,
    PaddedOfKinds<T, Top<ST, DT>, Top<SA, DA>>:
        Apply<operation::LogicalProduct, Padded<Top<SA, DA>, Top<ST, DT>>, Output: PairModes<Order>>,
{
    type Output = <<PaddedOfKinds<T, Top<ST, DT>, Top<SA, DA>> as Apply<
        operation::LogicalProduct,
        Padded<Top<SA, DA>, Top<ST, DT>>,
    >>::Output as PairModes<Order>>::Output;
    #[inline]
    fn paired_product(self, left: StridedLayout<SA, DA>) -> Result<Self::Output, Fault> {
        let tile = PadTo::<Top<SA, DA>, UnitMode>::pad_to(self.strided().top_modes()).into_tuple();
        let block = PadTo::<Top<ST, DT>, UnitMode>::pad_to(left.top_modes()).into_tuple();
        let tile: PaddedOfKinds<T, Top<ST, DT>, Top<SA, DA>> = SteppedLayout::assemble(tile);
        Ok(Apply::<operation::LogicalProduct, _>::apply(tile, block)?.pair_modes())
    }
}
impl<Order, S, D> PairModes<Order> for DefinedOfKinds<S, D>
where
    Defined<S, D>: PairModes<Order, Output: IntoKinds>,
{
    type Output = <<Defined<S, D> as PairModes<Order>>::Output as IntoKinds>::Output;
    #[inline]
    fn pair_modes(self) -> Self::Output {
        Defined { shape: self.shape, stride: self.stride }.pair_modes().into_kinds()
    }
}
