//! `logical_divide(A, T) = A o (T, complement(T, size(A)))`: mode 0 is the tile, mode 1 counts the
//! tiles. The result has the same offsets as `A`, each as often as `A` has it. The division is
//! exact: a tile that does not divide is refused.
//!
//! A [`Tiler`](struct@crate::Tiler) divides mode by mode. `zipped_divide` then collects the tiles
//! of all modes in mode 0 and the rest in mode 1.

use crate::algebra::by_mode::ApplyZipped;
use crate::algebra::coalesce::{Merging, NoEnd};
use crate::algebra::complement::{ComplementNode, Exactly, is_empty};
use crate::algebra::compose::composition::{ComposeNodes, LeftModes, left_modes};
use crate::algebra::mode::ModesOnto;
use crate::algebra::operation::{self, Operand, Operands, Operation, Stays, right, settle};
use crate::algebra::outcome::{Apply, Defined, Outcome};
use crate::algebra::trees::{Fit, IntoModes, ListOf};
use crate::error::{Fault, LayoutError};
use crate::layout::display::Text;
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::list::{Concat, Cons, Nested, Nil, TreeOf, Untangle};
use crate::number::int::{False, True};
use crate::number::table::Number;
use crate::reasons::undefined::Undefined;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::profile::{SizeIn, SizeOf};

cases! { Apply::apply -> Result<Self::Output, Fault>:
    // A o (T, complement(T, size(A)))
    [S: IntTuple<Node: SizeOf>, D: IntTuple, ST: IntTuple, DT: IntTuple]
        StridedLayout<ST, DT>, operation::LogicalDivide, StridedLayout<S, D>
        where (ST::Node: ComplementNode<DT::Node, Exactly<SizeIn<S>>, Output: TileAndRest<StridedLayout<S, D>, Self>>)
        => <<ST::Node as ComplementNode<DT::Node, Exactly<SizeIn<S>>>>::Output
            as TileAndRest<StridedLayout<S, D>, Self>>::Output, (self, left: StridedLayout<S, D>) => {
        let ((shape, stride), (extents, _)) = (self.into_parts(), left.into_parts());
        let size = extents.node().size_of()?;
        let top = Exactly(size, is_empty(shape, size.get())?);
        shape.node().complement_node(stride.node(), top)?.tile_and_rest(left, self)
    };
}

/// The layout `A` composed with the pair of the tile `T` and its complement, `self`.
pub trait TileAndRest<A, T> {
    type Output;
    fn tile_and_rest(self, left: A, tile: T) -> Result<Self::Output, Fault>;
}
cases! { TileAndRest::tile_and_rest -> Result<Self::Output, Fault>:
    [S: IntTuple, D: IntTuple, ST: IntTuple, DT: IntTuple, SR, DR]
        Defined<SR, DR>, StridedLayout<S, D>, StridedLayout<ST, DT>
        where (S::Node: ModesOnto<D::Node, NoEnd, Merging, Output: ComposeNodes<list!(ST SR), list!(DT DR)>>)
        => <LeftModes<S, D> as ComposeNodes<list!(ST SR), list!(DT DR)>>::Output,
        (self, left: StridedLayout<S, D>, tile: StridedLayout<ST, DT>) => {
        let (shape, stride) = tile.into_parts();
        left_modes(left)?.compose_nodes((shape, self.shape).node(), (stride, self.stride).node())
    };
    [A, T, R] Undefined<R>, A, T => Self, (self, _: A, _: T) => Ok(self);
}

// ---- zipped -------------------------------------------------------------------------------------

/// `A: ZippedDivide<T>`: the tile or tiler `T` divides `A`; mode 0 of the result is a tile, mode 1
/// counts the tiles. CuTe's `zipped_divide`, but exact. A mode that the tiler keeps belongs to the
/// tile as a whole.
///
/// ```
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// type R = ZippedDivision<Layout!((4, 6):(1, 4)), Tiler!(2, 3)>;
/// assert_type_eq_all!(R, Layout!(((2, 3), (2, 2)):((1, 4), (2, 12))));
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot divide: nothing says that this layout can",
    label = "no bound of `{Self}` has this operation for this operand",
    note = "generic code names what it needs as a bound: `L: ZippedDivide<T>`, or, to slice and index tiles, `L: \
            Tiled<Tiler!(2, 3)>`, by the macro and not as `Int<2>`"
)]
pub trait ZippedDivide<T>: Layout {
    /// The divided layout, of rank 2.
    type Output: Layout;
    /// One tile: mode 0 of the result.
    type Tile: Layout;
    /// Where the tiles begin: mode 1 of the result.
    type Rest: Layout;
    /// Computes the result;
    /// [`LayoutAlgebra::try_zipped_divide`](crate::LayoutAlgebra::try_zipped_divide) is the method.
    #[doc(hidden)]
    fn evaluated(layout: Self, tile: T) -> Result<Self::Output, LayoutError>;
    /// Whether each offset of a result is an offset of this layout.
    #[doc(hidden)]
    const STAYS: Stays<Self, T> = Stays::unknown();
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

impl<S: IntTuple, D: IntTuple, T> ZippedDivide<T> for StridedLayout<S, D>
where
    T: right::ZippedDivide<Accepted: ApplyZipped<operation::LogicalDivide, Self>>,
    Zipped<Self, T::Accepted>: OutcomeOfTwo<operation::ZippedDivide>,
{
    type Output = <Zipped<Self, T::Accepted> as Outcome<operation::ZippedDivide>>::Output;
    type Tile = <Zipped<Self, T::Accepted> as OutcomeOfTwo<operation::ZippedDivide>>::First;
    type Rest = <Zipped<Self, T::Accepted> as OutcomeOfTwo<operation::ZippedDivide>>::Second;
    // The law at the head of this file.
    const STAYS: Stays<Self, T> = Stays::by_law::<operation::ZippedDivide>();
    #[inline]
    fn evaluated(layout: Self, tile: T) -> Result<Self::Output, LayoutError> {
        settle::<operation::ZippedDivide, _, _>(layout, OfTiles(tile.accepted()))
    }
    #[inline]
    fn tile_and_rest(divided: Self::Output) -> (Self::Tile, Self::Rest) {
        <Zipped<Self, T::Accepted> as OutcomeOfTwo<operation::ZippedDivide>>::two(divided)
    }
}
/// A tile that divides a layout into tiles and rests.
#[derive(Clone, Copy)]
struct OfTiles<T>(T);
impl<A: Operand, T> Operands<operation::ZippedDivide, A> for OfTiles<T>
where
    T: Operand + ApplyZipped<operation::LogicalDivide, A, Output: Outcome<operation::ZippedDivide>>,
{
    type Result = T::Output;
    #[inline]
    fn work(self, left: A) -> Result<T::Output, Fault> {
        self.0.apply_zipped(left)
    }
    #[cold]
    fn refuse(self, left: A, fault: Fault) -> LayoutError {
        LayoutError::new(operation::ZippedDivide::NAME, fault)
            .with_operands(&Text(left), &Text(self.0))
    }
}
/// The layout `A` divided by the tile `T`, before the gate.
type Zipped<A, T> = <T as ApplyZipped<operation::LogicalDivide, A>>::Output;

impl<T> ZippedDivide<T> for RefusedLayout {
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
impl<Op, S0: IntTuple, S1: IntTuple, D0: IntTuple, D1: IntTuple> OutcomeOfTwo<Op>
    for Defined<(S0, S1), (D0, D1)>
{
    type First = StridedLayout<S0, D0>;
    type Second = StridedLayout<S1, D1>;
    #[inline]
    fn two(result: StridedLayout<(S0, S1), (D0, D1)>) -> (Self::First, Self::Second) {
        let ((s0, s1), (d0, d1)) = result.into_parts();
        (StridedLayout::assemble(s0, d0), StridedLayout::assemble(s1, d1))
    }
}
impl<Op, R> OutcomeOfTwo<Op> for Undefined<R>
where
    Self: Outcome<Op, Output = RefusedLayout>,
{
    type First = RefusedLayout;
    type Second = RefusedLayout;
    #[inline]
    fn two(result: RefusedLayout) -> (RefusedLayout, RefusedLayout) {
        (result, result)
    }
}

// ---- tiled and flat -----------------------------------------------------------------------------

cases! { Apply::apply -> Result<Self::Output, Fault>:
    [A, T: ApplyZipped<operation::LogicalDivide, A, Output: Spread<False>>] T, operation::TiledDivide, A
        => <T::Output as Spread<False>>::Output, (self, left: A) => Ok(self.apply_zipped(left)?.spread());
    [A, T: ApplyZipped<operation::LogicalDivide, A, Output: Spread<True>>] T, operation::FlatDivide, A
        => <T::Output as Spread<True>>::Output, (self, left: A) => Ok(self.apply_zipped(left)?.spread());
}

/// `((T0, T1), (R0, R1))` as `((T0, T1), R0, R1)`, or, if `First` is `True`, as `(T0, T1, R0, R1)`.
pub trait Spread<First> {
    type Output;
    fn spread(self) -> Self::Output;
}
cases! { Spread::spread -> Self::Output:
    [First, R] Undefined<R>, First => Self, (self) => self;
    [S0, S1: Nested<Node: IntoModes>, D0, D1: Nested<Node: IntoModes>] Defined<(S0, S1), (D0, D1)>, False
        where (
            Cons<S0, ListOf<S1>>: Untangle<Tree: Fit<TreeOf<Cons<D0, ListOf<D1>>>>>,
            Cons<D0, ListOf<D1>>: Untangle,
        )
        => <TreeOf<Cons<S0, ListOf<S1>>> as Fit<TreeOf<Cons<D0, ListOf<D1>>>>>::Output, (self) => {
        let ((s0, s1), (d0, d1)) = (self.shape, self.stride);
        let stride = Cons { head: d0, tail: d1.node().into_modes() };
        Cons { head: s0, tail: s1.node().into_modes() }.tree().fit(stride.tree())
    };
    [S0: Nested<Node: IntoModes>, S1: Nested<Node: IntoModes>, D0: Nested<Node: IntoModes>, D1: Nested<Node: IntoModes>]
        Defined<(S0, S1), (D0, D1)>, True
        where (
            ListOf<S0>: Concat<ListOf<S1>, Output: Untangle>,
            ListOf<D0>: Concat<ListOf<D1>, Output: Untangle>,
            TreeOf<Joined<S0, S1>>: Fit<TreeOf<Joined<D0, D1>>>,
        )
        => <TreeOf<Joined<S0, S1>> as Fit<TreeOf<Joined<D0, D1>>>>::Output, (self) => {
        let ((s0, s1), (d0, d1)) = (self.shape, self.stride);
        let stride = d0.node().into_modes().concat(d1.node().into_modes());
        s0.node().into_modes().concat(s1.node().into_modes()).tree().fit(stride.tree())
    };
}
/// The modes of two trees in one list.
type Joined<A, B> = <ListOf<A> as Concat<ListOf<B>>>::Output;
