//! Products that pair mode `i` of `A` with the copies along it: blocked, raked, and a block repeated over a shape.
//!
//! ```text
//! logical_product(A, T) = ((A0, A1, ..), (T0, T1, ..)), both padded to one rank with modes of extent 1
//! blocked_product(A, T) = ((A0, T0), (A1, T1), ..)
//! raked_product(A, T)   = ((T0, A0), (T1, A1), ..)
//! tile_to_shape(B, S)   = blocked_product(B, compact(S / shape(B)))
//! ```

use typenum::{UInt, UTerm};

use crate::algebra::mode::{IntoTuple, Mode, Top, TopModes};
use crate::algebra::operation::Apply;
use crate::algebra::operation::{self, binary};
use crate::algebra::outcome::Defined;
use crate::error::Fault;
use crate::layout::strided::StridedLayout;
use crate::list::{Cons, Nested, Nil, Untangle};
use crate::number::int::{One, Zero};
use crate::number::multiple::Multiple;
use crate::refusal::undefined::Undefined;

binary! {
    /// `A: BlockedProduct<T>`: mode `i` is `(A_i, copies along it)`, so that every copy of `A` is a block of coordinates. CuTe's
    /// `blocked_product`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// type R = BlockedProductOf<Layout!((2, 5):(5, 1)), Layout!((3, 4):(1, 3))>;
    /// assert_type_eq_all!(R, Layout!(((2, 3), (5, 4)):((5, 10), (1, 30))));
    /// ```
    #[diagnostic::on_unimplemented(
        message = "cannot take the blocked product: nothing says that this layout can",
        label = "`{Self}` is not known to have this operation",
        note = "generic code names what it needs as a bound: `A: BlockedProduct<T>`"
    )]
    trait BlockedProduct;
    /// The type of the blocked product of `A` and `B`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// type R = BlockedProductOf<Layout!((2, 2)), Layout!((3, 4))>;
    /// assert_type_eq_all!(R, Layout!(((2, 3), (2, 4)):((1, 4), (2, 12))));
    /// ```
    type BlockedProductOf;
}
binary! {
    /// `A: RakedProduct<T>`: mode `i` is `(copies along it, A_i)`, so that the copies interleave: a cyclic distribution. CuTe's
    /// `raked_product`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// type R = RakedProductOf<Layout!((2, 5):(5, 1)), Layout!((3, 4):(1, 3))>;
    /// assert_type_eq_all!(R, Layout!(((3, 2), (4, 5)):((10, 5), (30, 1))));
    /// ```
    #[diagnostic::on_unimplemented(
        message = "cannot take the raked product: nothing says that this layout can",
        label = "`{Self}` is not known to have this operation",
        note = "generic code names what it needs as a bound: `A: RakedProduct<T>`"
    )]
    trait RakedProduct;
    /// The type of the raked product of `A` and `B`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// type R = RakedProductOf<Layout!((2, 2)), Layout!((3, 4))>;
    /// assert_type_eq_all!(R, Layout!(((3, 2), (4, 2)):((4, 1), (12, 2))));
    /// ```
    type RakedProductOf;
}

binary! {
    /// `A: TileToShape<S>`: the block `A` repeated until it fills the shape `S`, the copies in the order of the modes from the left, or with
    /// an [`Ordered`](crate::Ordered) shape in any order. Exact: the block divides the shape. CuTe's `tile_to_shape`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// type Block = Layout!((2, 2):(1, 2));
    /// assert_type_eq_all!(TileToShapeOf<Block, Shape!((4, 6))>, Layout!(((2, 2), (2, 3)):((1, 4), (2, 8))));
    /// type RightFirst = Ordered<Shape!((4, 6)), Shape!((1, 0))>;
    /// assert_type_eq_all!(TileToShapeOf<Block, RightFirst>, Layout!(((2, 2), (2, 3)):((1, 12), (2, 4))));
    /// ```
    #[diagnostic::on_unimplemented(
        message = "cannot tile the shape: nothing says that this layout can",
        label = "`{Self}` is not known to have this operation",
        note = "generic code names what it needs as a bound: `L: TileToShape<S>`"
    )]
    trait TileToShape;
    /// The type of the block `A` repeated over the shape `B`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(TileToShapeOf<Layout!((2, 2)), Shape!((4, 6))>, Layout!(((2, 2), (2, 3)):((1, 4), (2, 8))));
    /// ```
    type TileToShapeOf;
}

// ---- blocked and raked --------------------------------------------------------------------------------------------

/// A list of modes with modes of extent 1 behind it, to be as long as `Other`.
pub trait PadTo<Other> {
    type Output;
    fn pad_to(self) -> Self::Output;
}
impl PadTo<Nil> for Nil {
    type Output = Nil;
    #[inline(always)]
    fn pad_to(self) -> Nil {
        Nil
    }
}
impl<H, T: PadTo<Nil>> PadTo<Nil> for Cons<H, T> {
    type Output = Cons<H, T::Output>;
    #[inline(always)]
    fn pad_to(self) -> Self::Output {
        Cons { head: self.head, tail: self.tail.pad_to() }
    }
}
impl<I, U> PadTo<Cons<I, U>> for Nil
where
    Nil: PadTo<U>,
{
    type Output = Cons<Mode<One, Zero>, <Nil as PadTo<U>>::Output>;
    #[inline(always)]
    fn pad_to(self) -> Self::Output {
        Cons { head: Mode::default(), tail: <Nil as PadTo<U>>::pad_to(Nil) }
    }
}
impl<H, T: PadTo<U>, I, U> PadTo<Cons<I, U>> for Cons<H, T> {
    type Output = Cons<H, T::Output>;
    #[inline(always)]
    fn pad_to(self) -> Self::Output {
        Cons { head: self.head, tail: self.tail.pad_to() }
    }
}

/// A list of modes padded to the rank of `Other`, as a layout of one tuple.
pub type Padded<L, Other> = StridedLayout<
    <<L as PadTo<Other>>::Output as IntoTuple>::Shape,
    <<L as PadTo<Other>>::Output as IntoTuple>::Stride,
>;

macro_rules! woven {
    ($($operation:ident, $order:ident;)*) => {
        $(
            /// The order of each pair of modes.
            pub struct $order;
            impl<A, T> Apply<operation::$operation, A> for T
            where
                T: Weave<A, $order>,
            {
                type Output = T::Output;
                #[inline(always)]
                fn apply(self, left: A) -> Result<Self::Output, Fault> {
                    self.weave(left)
                }
            }
        )*
    };
}
woven! { BlockedProduct, Blocked; RakedProduct, Raked; }

/// The logical product of `A` and the layout `self`, both padded to one rank, its modes paired.
pub trait Weave<A, Order> {
    type Output;
    fn weave(self, left: A) -> Result<Self::Output, Fault>;
}
macro_rules! number_weaves {
    ($([$($generic:ident)*] $number:ty;)*) => {
        $(impl<A, Order, $($generic),*> Weave<A, Order> for $number
        where
            StridedLayout<Self, One>: Weave<A, Order>,
        {
            type Output = <StridedLayout<Self, One> as Weave<A, Order>>::Output;
            #[inline(always)]
            fn weave(self, left: A) -> Result<Self::Output, Fault> {
                StridedLayout::assemble(self, One::default()).weave(left)
            }
        })*
    };
}
number_weaves! { [] UTerm; [U B] UInt<U, B>; [] usize; [Factor] Multiple<Factor>; }
impl<SA, DA, ST, DT, Order> Weave<StridedLayout<SA, DA>, Order> for StridedLayout<ST, DT>
where
    StridedLayout<SA, DA>: TopModes,
    Self: TopModes,
    Top<SA, DA>: PadTo<Top<ST, DT>, Output: IntoTuple>,
    Top<ST, DT>: PadTo<Top<SA, DA>, Output: IntoTuple>,
    Padded<Top<ST, DT>, Top<SA, DA>>: Apply<operation::LogicalProduct, Padded<Top<SA, DA>, Top<ST, DT>>>,
    <Padded<Top<ST, DT>, Top<SA, DA>> as Apply<operation::LogicalProduct, Padded<Top<SA, DA>, Top<ST, DT>>>>::Output:
        PairModes<Order>,
{
    type Output = <<Padded<Top<ST, DT>, Top<SA, DA>> as Apply<
        operation::LogicalProduct,
        Padded<Top<SA, DA>, Top<ST, DT>>,
    >>::Output as PairModes<Order>>::Output;
    #[inline(always)]
    fn weave(self, left: StridedLayout<SA, DA>) -> Result<Self::Output, Fault> {
        let tile = PadTo::<Top<SA, DA>>::pad_to(self.top_modes()).into_tuple();
        let block = PadTo::<Top<ST, DT>>::pad_to(left.top_modes()).into_tuple();
        Ok(Apply::<operation::LogicalProduct, _>::apply(tile, block)?.pair_modes())
    }
}
/// `((A0, A1, ..), (T0, T1, ..))` as `((A0, T0), (A1, T1), ..)`, or each pair the other way round.
pub trait PairModes<Order> {
    type Output;
    fn pair_modes(self) -> Self::Output;
}
impl<Order, R> PairModes<Order> for Undefined<R> {
    type Output = Self;
    #[inline(always)]
    fn pair_modes(self) -> Self {
        self
    }
}
impl<Order, S0: Nested, S1: Nested, D0: Nested, D1: Nested> PairModes<Order> for Defined<(S0, S1), (D0, D1)>
where
    S0::Node: PairLists<S1::Node, Order, Output: Untangle>,
    D0::Node: PairLists<D1::Node, Order, Output: Untangle>,
{
    type Output = Defined<
        <<S0::Node as PairLists<S1::Node, Order>>::Output as Untangle>::Tree,
        <<D0::Node as PairLists<D1::Node, Order>>::Output as Untangle>::Tree,
    >;
    #[inline(always)]
    fn pair_modes(self) -> Self::Output {
        let ((s0, s1), (d0, d1)) = (self.shape, self.stride);
        Defined { shape: s0.node().pair_lists(s1.node()).tree(), stride: d0.node().pair_lists(d1.node()).tree() }
    }
}

/// Two lists as one of pairs, in the order `Order`.
pub trait PairLists<L, Order> {
    type Output;
    fn pair_lists(self, other: L) -> Self::Output;
}
impl<Order> PairLists<Nil, Order> for Nil {
    type Output = Nil;
    #[inline(always)]
    fn pair_lists(self, _: Nil) -> Nil {
        Nil
    }
}
impl<H, T: PairLists<U, Blocked>, I, U> PairLists<Cons<I, U>, Blocked> for Cons<H, T> {
    type Output = Cons<(H, I), T::Output>;
    #[inline(always)]
    fn pair_lists(self, other: Cons<I, U>) -> Self::Output {
        Cons { head: (self.head, other.head), tail: self.tail.pair_lists(other.tail) }
    }
}
impl<H, T: PairLists<U, Raked>, I, U> PairLists<Cons<I, U>, Raked> for Cons<H, T> {
    type Output = Cons<(I, H), T::Output>;
    #[inline(always)]
    fn pair_lists(self, other: Cons<I, U>) -> Self::Output {
        Cons { head: (other.head, self.head), tail: self.tail.pair_lists(other.tail) }
    }
}
