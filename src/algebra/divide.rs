//! `logical_divide(A, T) = A o (T, complement(T, size(A)))`: mode 0 is the tile, mode 1 counts the tiles. The result has the same
//! offsets as `A`, each as often: exact, so that a tile which does not divide is refused.
//!
//! By mode with a [`Tiler`]. `zipped_divide` then collects the tiles of all modes in mode 0 and the rest in mode 1.

use typenum::{UInt, UTerm};

use crate::algebra::by_mode::{Apply, IntoModes};
use crate::algebra::complement::{ComplementNode, Exactly};
use crate::algebra::composition::ComposeNodes;
use crate::algebra::operation::{self, Operand, binary, right, settle};
use crate::error::{Fault, LayoutError};
use crate::int::{False, One, True, Zero};
use crate::int_tuple::IntTuple;
use crate::layout::Layout;
use crate::multiple::Multiple;
use crate::profile::SizeOf;
use crate::stand_in::StandIn;
use crate::strided::StridedLayout;
use crate::tiler::{Keep, Tiler};
use crate::tuple::{Concat, Cons, Nested, Nil, Untangle};
use crate::undefined::{Defined, Outcome, Room, Roomy, ShapeInRoom, Undefined};

binary! {
    /// `A: LogicalDivide<B>`: the tile or tiler `B` divides `A`. CuTe's `logical_divide`, but exact.
    ///
    /// `logical_divide(A, B) == A o (B, complement(B, size(A)))`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::{assert_not_impl_any, assert_type_eq_all};
    /// assert_type_eq_all!(LogicalDivision<Layout!(12:1), Layout!(4:1)>, Layout!((4, 3):(1, 4)));
    /// assert_not_impl_any!(Layout!(12:1): LogicalDivide<Layout!(5:1)>);
    /// ```
    #[diagnostic::on_unimplemented(
        message = "cannot divide: nothing says that this layout can",
        label = "`{Self}` is not known to have this operation",
        note = "generic code names what it needs as a bound: `L: LogicalDivide<T>`"
    )]
    trait LogicalDivide;
    /// The type of `A` divided by `B`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// type R = LogicalDivision<Layout!((4, 6)), Tiler!(2, 3)>;
    /// assert_type_eq_all!(R, Layout!(((2, 2), (3, 2)):((1, 2), (4, 12))));
    /// ```
    type LogicalDivision;
}

impl<S, D, ST, DT> Apply<operation::LogicalDivide, StridedLayout<S, D>> for StridedLayout<ST, DT>
where
    S: IntTuple<Node: SizeOf>,
    D: IntTuple,
    ST: IntTuple,
    DT: IntTuple,
    ST::Node: ComplementNode<DT::Node, Exactly<<S::Node as SizeOf>::Output>, Output: TileAndRest<S, D, ST, DT>>,
{
    type Output =
        <<ST::Node as ComplementNode<DT::Node, Exactly<<S::Node as SizeOf>::Output>>>::Output as TileAndRest<
            S,
            D,
            ST,
            DT,
        >>::Output;
    #[inline(always)]
    fn apply(self, left: StridedLayout<S, D>) -> Result<Self::Output, Fault> {
        let ((shape, stride), (extents, _)) = (self.into_parts(), left.into_parts());
        let rest = shape.node().complement_node(stride.node(), Exactly(extents.node().size_of()?))?;
        rest.tile_and_rest(left, self)
    }
}

/// The layout `S:D` composed with the pair of the tile `ST:DT` and its complement, `self`.
pub trait TileAndRest<S, D, ST, DT> {
    type Output;
    fn tile_and_rest(self, layout: StridedLayout<S, D>, tile: StridedLayout<ST, DT>) -> Result<Self::Output, Fault>;
}
impl<S, D, ST, DT, SR, DR> TileAndRest<S, D, ST, DT> for Defined<SR, DR>
where
    StridedLayout<S, D>: ComposeNodes<Cons<ST, Cons<SR, Nil>>, Cons<DT, Cons<DR, Nil>>>,
{
    type Output = <StridedLayout<S, D> as ComposeNodes<Cons<ST, Cons<SR, Nil>>, Cons<DT, Cons<DR, Nil>>>>::Output;
    #[inline(always)]
    fn tile_and_rest(self, layout: StridedLayout<S, D>, tile: StridedLayout<ST, DT>) -> Result<Self::Output, Fault> {
        let (shape, stride) = tile.into_parts();
        layout.compose_nodes((shape, self.shape).node(), (stride, self.stride).node())
    }
}
impl<S, D, ST, DT, R> TileAndRest<S, D, ST, DT> for Undefined<R> {
    type Output = Self;
    #[inline(always)]
    fn tile_and_rest(self, _: StridedLayout<S, D>, _: StridedLayout<ST, DT>) -> Result<Self, Fault> {
        Ok(self)
    }
}

// ---- zipped -------------------------------------------------------------------------------------------------------

/// `A: ZippedDivide<T>`: the tile or tiler `T` divides `A`; mode 0 of the result is a tile, mode 1 counts the tiles. CuTe's
/// `zipped_divide`, but exact. A mode that the tiler keeps lies whole in the tile.
///
/// ```
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(ZippedDivision<Layout!((4, 6):(1, 4)), Tiler!(2, 3)>, Layout!(((2, 3), (2, 2)):((1, 4), (2, 12))));
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot divide: nothing says that this layout can",
    label = "`{Self}` is not known to have this operation",
    note = "generic code names what it needs as a bound: `L: ZippedDivide<T>`"
)]
pub trait ZippedDivide<T>: Layout {
    /// The divided layout, of rank 2.
    type Output: Layout;
    /// One tile: mode 0 of the result.
    type Tile: Layout;
    /// Where the tiles begin: mode 1 of the result.
    type Rest: Layout;
    /// Computes it; [`LayoutAlgebra::try_zipped_divide`](crate::LayoutAlgebra::try_zipped_divide) is the method.
    #[doc(hidden)]
    fn evaluated(layout: Self, tile: T) -> Result<Self::Output, LayoutError>;
    /// The two modes of a result.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let divided = layout!((4, 6)).zipped_divide(tiler!(2, 3));
    /// let (tile, rest) = <Layout!((4, 6)) as ZippedDivide<Tiler!(2, 3)>>::tile_and_rest(divided);
    /// assert_eq!((tile, rest), (layout!((2, 3):(1, 4)), layout!((2, 2):(2, 12))));
    /// ```
    fn tile_and_rest(divided: Self::Output) -> (Self::Tile, Self::Rest);
}
/// The type of `A` divided by `T`, tiles in mode 0.
///
/// ```
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(ZippedDivision<Layout!(24), Int!(4)>, Layout!((4, 6)));
/// ```
pub type ZippedDivision<A, T> = <A as ZippedDivide<T>>::Output;

impl<S, D, T> ZippedDivide<T> for StridedLayout<S, D>
where
    Self: Layout + Operand,
    T: right::ZippedDivide<Itself: Apply<operation::LogicalDivide, Self, Output: ZipBy<T::Itself>>>,
    Zipped<Self, T::Itself>: OutcomeOfTwo<operation::ZippedDivide>,
{
    type Output = <Zipped<Self, T::Itself> as Outcome<operation::ZippedDivide>>::Output;
    type Tile = <Zipped<Self, T::Itself> as OutcomeOfTwo<operation::ZippedDivide>>::First;
    type Rest = <Zipped<Self, T::Itself> as OutcomeOfTwo<operation::ZippedDivide>>::Second;
    #[inline(always)]
    fn evaluated(layout: Self, tile: T) -> Result<Self::Output, LayoutError> {
        let tile = tile.itself();
        settle::<operation::ZippedDivide, _, _, _>(layout, tile, tile.apply(layout).map(ZipBy::zip_by))
    }
    #[inline(always)]
    fn tile_and_rest(divided: Self::Output) -> (Self::Tile, Self::Rest) {
        <Zipped<Self, T::Itself> as OutcomeOfTwo<operation::ZippedDivide>>::two(divided)
    }
}
/// The layout `A` divided by the tile `T`, before the gate.
type Zipped<A, T> = <<T as Apply<operation::LogicalDivide, A>>::Output as ZipBy<T>>::Output;

impl<T> ZippedDivide<T> for StandIn {
    type Output = Self;
    type Tile = Self;
    type Rest = Self;
    fn evaluated(layout: Self, _: T) -> Result<Self, LayoutError> {
        Ok(layout)
    }
    fn tile_and_rest(divided: Self) -> (Self, Self) {
        (divided, divided)
    }
}

/// [`Outcome`] of an operation whose result has two modes.
pub trait OutcomeOfTwo<Op>: Outcome<Op> {
    type First: Layout;
    type Second: Layout;
    fn two(result: <Self as Outcome<Op>>::Output) -> (Self::First, Self::Second);
}
impl<Op, S0, S1, D0, D1> OutcomeOfTwo<Op> for Defined<(S0, S1), (D0, D1)>
where
    (S0, S1): Room<Output: TwoInRoom<Op, (S0, S1), (D0, D1)>>,
{
    type First = <<(S0, S1) as Room>::Output as TwoInRoom<Op, (S0, S1), (D0, D1)>>::First;
    type Second = <<(S0, S1) as Room>::Output as TwoInRoom<Op, (S0, S1), (D0, D1)>>::Second;
    #[inline(always)]
    fn two(result: <Self as Outcome<Op>>::Output) -> (Self::First, Self::Second) {
        <<(S0, S1) as Room>::Output as TwoInRoom<Op, (S0, S1), (D0, D1)>>::two(result)
    }
}

/// The two modes of a result `S:D`, whose levels have the room `self`.
pub trait TwoInRoom<Op, S, D>: ShapeInRoom<Op, S, D> {
    type First: Layout;
    type Second: Layout;
    fn two(result: <Self as ShapeInRoom<Op, S, D>>::Output) -> (Self::First, Self::Second);
}
impl<Op, S0: IntTuple, S1: IntTuple, D0: IntTuple, D1: IntTuple> TwoInRoom<Op, (S0, S1), (D0, D1)> for Roomy {
    type First = StridedLayout<S0, D0>;
    type Second = StridedLayout<S1, D1>;
    #[inline(always)]
    fn two(result: StridedLayout<(S0, S1), (D0, D1)>) -> (Self::First, Self::Second) {
        let ((s0, s1), (d0, d1)) = result.into_parts();
        (StridedLayout::assemble(s0, d0), StridedLayout::assemble(s1, d1))
    }
}
impl<Op, R, S, D> TwoInRoom<Op, S, D> for Undefined<R>
where
    Self: ShapeInRoom<Op, S, D, Output = StandIn>,
{
    type First = StandIn;
    type Second = StandIn;
    #[inline(always)]
    fn two(result: StandIn) -> (StandIn, StandIn) {
        (result, result)
    }
}
impl<Op, R> OutcomeOfTwo<Op> for Undefined<R>
where
    Self: Outcome<Op, Output = StandIn>,
{
    type First = StandIn;
    type Second = StandIn;
    #[inline(always)]
    fn two(result: StandIn) -> (StandIn, StandIn) {
        (result, result)
    }
}

/// `((T0,R0),(T1,R1),L) -> ((T0,T1),(R0,R1,L))` for the divided layout `self`, as the tiler `T` divided it.
pub trait ZipBy<T> {
    type Output;
    fn zip_by(self) -> Self::Output;
}
impl<R, T> ZipBy<T> for Undefined<R> {
    type Output = Self;
    #[inline(always)]
    fn zip_by(self) -> Self {
        self
    }
}
impl<S, D> ZipBy<Keep> for Defined<S, D> {
    type Output = Defined<(S, One), (D, Zero)>;
    #[inline(always)]
    fn zip_by(self) -> Self::Output {
        Defined { shape: (self.shape, One::default()), stride: (self.stride, UTerm) }
    }
}
macro_rules! zip_by_tile {
    ($([$($generic:ident)*] $tile:ty;)*) => {
        $(impl<S, D, $($generic),*> ZipBy<$tile> for Defined<S, D> {
            type Output = Self;
            #[inline(always)]
            fn zip_by(self) -> Self {
                self
            }
        })*
    };
}
zip_by_tile! { [] UTerm; [U B] UInt<U, B>; [] usize; [Factor] Multiple<Factor>; [ST DT] StridedLayout<ST, DT>; }
impl<S, D, T: Nested> ZipBy<Tiler<T>> for Defined<S, D>
where
    S: Nested<Node: IntoModes>,
    D: Nested<Node: IntoModes>,
    T::Node: ZipModes<<S::Node as IntoModes>::List, <D::Node as IntoModes>::List>,
{
    type Output = <T::Node as ZipModes<<S::Node as IntoModes>::List, <D::Node as IntoModes>::List>>::Output;
    #[inline(always)]
    fn zip_by(self) -> Self::Output {
        <T::Node as ZipModes<_, _>>::zip_modes(self.shape.node().into_modes(), self.stride.node().into_modes())
    }
}

/// The modes `S:D` split into tiles and rests, as the entries `self` divided them; modes beyond the entries are rest.
pub trait ZipModes<S, D> {
    type Output;
    fn zip_modes(shape: S, stride: D) -> Self::Output;
}
impl<S, D, E, S0, S1, D0, D1> ZipModes<S, D> for E
where
    E: ZipLists<S, D, Output = Defined<(S0, S1), (D0, D1)>>,
    S0: Untangle,
    S1: Untangle,
    D0: Untangle,
    D1: Untangle,
{
    type Output = Defined<(S0::Tree, S1::Tree), (D0::Tree, D1::Tree)>;
    #[inline(always)]
    fn zip_modes(shape: S, stride: D) -> Self::Output {
        let Defined { shape: (s0, s1), stride: (d0, d1) } = E::zip_lists(shape, stride);
        Defined { shape: (s0.tree(), s1.tree()), stride: (d0.tree(), d1.tree()) }
    }
}

/// [`ZipModes`] as lists. One type for all four of them: to work out each by itself would cost as often as much to compile.
pub trait ZipLists<S, D> {
    type Output;
    fn zip_lists(shape: S, stride: D) -> Self::Output;
}
impl<S, D> ZipLists<S, D> for Nil {
    type Output = Defined<(Nil, S), (Nil, D)>;
    #[inline(always)]
    fn zip_lists(shape: S, stride: D) -> Self::Output {
        Defined { shape: (Nil, shape), stride: (Nil, stride) }
    }
}
impl<T, TT, S, ST, D, DT, S0, S1, D0, D1, ST0, ST1, DT0, DT1> ZipLists<Cons<S, ST>, Cons<D, DT>> for Cons<T, TT>
where
    Defined<S, D>: ZipBy<T, Output = Defined<(S0, S1), (D0, D1)>>,
    TT: ZipLists<ST, DT, Output = Defined<(ST0, ST1), (DT0, DT1)>>,
{
    #[allow(clippy::type_complexity, reason = "a pair of shapes and a pair of strides")]
    type Output = Defined<(Cons<S0, ST0>, Cons<S1, ST1>), (Cons<D0, DT0>, Cons<D1, DT1>)>;
    #[inline(always)]
    fn zip_lists(shape: Cons<S, ST>, stride: Cons<D, DT>) -> Self::Output {
        let Defined { shape: (s0, s1), stride: (d0, d1) } = Defined { shape: shape.head, stride: stride.head }.zip_by();
        let Defined { shape: (st0, st1), stride: (dt0, dt1) } = TT::zip_lists(shape.tail, stride.tail);
        Defined {
            shape: (Cons { head: s0, tail: st0 }, Cons { head: s1, tail: st1 }),
            stride: (Cons { head: d0, tail: dt0 }, Cons { head: d1, tail: dt1 }),
        }
    }
}

// ---- tiled and flat -----------------------------------------------------------------------------------------------

binary! {
    /// `A: TiledDivide<T>`: the zipped division with the rest as modes of its own: `((T0, T1), R0, R1, ..)`. CuTe's `tiled_divide`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(TiledDivision<Layout!((4, 6):(1, 4)), Tiler!(2, 3)>, Layout!(((2, 3), 2, 2):((1, 4), 2, 12)));
    /// ```
    #[diagnostic::on_unimplemented(
        message = "cannot divide: nothing says that this layout can",
        label = "`{Self}` is not known to have this operation",
        note = "generic code names what it needs as a bound: `L: TiledDivide<T>`"
    )]
    trait TiledDivide;
    /// The type of `A` divided by `B`, a tile in mode 0, the rest in modes 1, 2, ..
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// type R = TiledDivision<Layout!((4, 6): right), Tiler!(2, 3)>;
    /// assert_type_eq_all!(R, Layout!(((2, 3), 2, 2):((6, 1), 12, 3)));
    /// ```
    type TiledDivision;
}
binary! {
    /// `A: FlatDivide<T>`: the zipped division with all modes on one level: `(T0, T1, .., R0, R1, ..)`. CuTe's `flat_divide`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(FlatDivision<Layout!((4, 6):(1, 4)), Tiler!(2, 3)>, Layout!((2, 3, 2, 2):(1, 4, 2, 12)));
    /// ```
    #[diagnostic::on_unimplemented(
        message = "cannot divide: nothing says that this layout can",
        label = "`{Self}` is not known to have this operation",
        note = "generic code names what it needs as a bound: `L: FlatDivide<T>`"
    )]
    trait FlatDivide;
    /// The type of `A` divided by `B`, on one level.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(FlatDivision<Layout!((4, 6): right), Tiler!(2, 3)>, Layout!((2, 3, 2, 2):(6, 1, 12, 3)));
    /// ```
    type FlatDivision;
}

macro_rules! spread_divides {
    ($($operation:ident $first:ty;)*) => {
        $(impl<A, T> Apply<operation::$operation, A> for T
        where
            T: Apply<operation::LogicalDivide, A, Output: ZipBy<T, Output: Spread<$first>>>,
        {
            type Output = <<T::Output as ZipBy<T>>::Output as Spread<$first>>::Output;
            #[inline(always)]
            fn apply(self, left: A) -> Result<Self::Output, Fault> {
                Ok(Apply::<operation::LogicalDivide, A>::apply(self, left)?.zip_by().spread())
            }
        })*
    };
}
spread_divides! { TiledDivide False; FlatDivide True; }

/// `((T0, T1), (R0, R1))` as `((T0, T1), R0, R1)`, or, if `First` is `True`, as `(T0, T1, R0, R1)`.
pub trait Spread<First> {
    type Output;
    fn spread(self) -> Self::Output;
}
impl<First, R> Spread<First> for Undefined<R> {
    type Output = Self;
    #[inline(always)]
    fn spread(self) -> Self {
        self
    }
}
impl<S0, S1: Nested<Node: IntoModes>, D0, D1: Nested<Node: IntoModes>> Spread<False> for Defined<(S0, S1), (D0, D1)>
where
    Cons<S0, <S1::Node as IntoModes>::List>: Untangle,
    Cons<D0, <D1::Node as IntoModes>::List>: Untangle,
{
    type Output = Defined<
        <Cons<S0, <S1::Node as IntoModes>::List> as Untangle>::Tree,
        <Cons<D0, <D1::Node as IntoModes>::List> as Untangle>::Tree,
    >;
    #[inline(always)]
    fn spread(self) -> Self::Output {
        let ((s0, s1), (d0, d1)) = (self.shape, self.stride);
        Defined {
            shape: Cons { head: s0, tail: s1.node().into_modes() }.tree(),
            stride: Cons { head: d0, tail: d1.node().into_modes() }.tree(),
        }
    }
}
impl<S0, S1, D0, D1> Spread<True> for Defined<(S0, S1), (D0, D1)>
where
    S0: Nested<Node: IntoModes>,
    S1: Nested<Node: IntoModes>,
    D0: Nested<Node: IntoModes>,
    D1: Nested<Node: IntoModes>,
    <S0::Node as IntoModes>::List: Concat<<S1::Node as IntoModes>::List, Output: Untangle>,
    <D0::Node as IntoModes>::List: Concat<<D1::Node as IntoModes>::List, Output: Untangle>,
{
    type Output = Defined<
        <<<S0::Node as IntoModes>::List as Concat<<S1::Node as IntoModes>::List>>::Output as Untangle>::Tree,
        <<<D0::Node as IntoModes>::List as Concat<<D1::Node as IntoModes>::List>>::Output as Untangle>::Tree,
    >;
    #[inline(always)]
    fn spread(self) -> Self::Output {
        let ((s0, s1), (d0, d1)) = (self.shape, self.stride);
        Defined {
            shape: s0.node().into_modes().concat(s1.node().into_modes()).tree(),
            stride: d0.node().into_modes().concat(d1.node().into_modes()).tree(),
        }
    }
}
