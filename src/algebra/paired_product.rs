//! Products that pair mode `i` of `A` with the copies along it: blocked, raked, and a block
//! repeated over a shape.
//!
//! ```text
//! logical_product(A, T) = ((A0, A1, ..), (T0, T1, ..)), both padded to one rank with modes of extent 1
//! blocked_product(A, T) = ((A0, T0), (A1, T1), ..)
//! raked_product(A, T)   = ((T0, A0), (T1, A1), ..)
//! tile_to_shape(B, S)   = blocked_product(B, compact(S / shape(B)))
//! ```

use typenum::{UInt, UTerm};

use crate::algebra::mode::Mode;
use crate::algebra::operation;
use crate::algebra::outcome::{Apply, Defined};
use crate::algebra::trees::{IntoTuple, Top, TopModes};
use crate::error::Fault;
use crate::layout::strided::StridedLayout;
use crate::list::{Cons, Nested, Nil, PadTo, Untangle};
use crate::number::int::{One, Zero};
use crate::number::multiple::Multiple;
use crate::reasons::undefined::Undefined;

// ---- blocked and raked --------------------------------------------------------------------------

/// What stands behind a list of modes that is to be longer.
pub type UnitMode = Mode<One, Zero>;
/// A list of modes padded to the rank of `Other`, as a layout of one tuple.
pub type Padded<L, Other> = StridedLayout<
    <<L as PadTo<Other, UnitMode>>::Output as IntoTuple>::Shape,
    <<L as PadTo<Other, UnitMode>>::Output as IntoTuple>::Stride,
>;

macro_rules! paired {
    ($($operation:ident, $order:ident;)*) => {
        $(
            /// The order of each pair of modes.
            pub struct $order;
            impl<A, T> Apply<operation::$operation, A> for T
            where
                T: PairedProduct<A, $order>,
            {
                type Output = T::Output;
                #[inline]
                fn apply(self, left: A) -> Result<Self::Output, Fault> {
                    self.paired_product(left)
                }
            }
        )*
    };
}
paired! { BlockedProduct, Blocked; RakedProduct, Raked; }

/// The logical product of `A` and the layout `self`, both padded to one rank, its modes paired.
pub trait PairedProduct<A, Order> {
    type Output;
    fn paired_product(self, left: A) -> Result<Self::Output, Fault>;
}
cases! { PairedProduct::paired_product -> Result<Self::Output, Fault>, for {
    [] UTerm; [U B] UInt<U, B>; [] usize; [Factor] Multiple<Factor>;
}:
    [A, Order] Self, A, Order where (StridedLayout<Self, One>: PairedProduct<A, Order>)
        => <StridedLayout<Self, One> as PairedProduct<A, Order>>::Output,
        (self, left: A) => StridedLayout::assemble(self, One::default()).paired_product(left);
}
impl<SA, DA, ST, DT, Order> PairedProduct<StridedLayout<SA, DA>, Order> for StridedLayout<ST, DT>
where
    StridedLayout<SA, DA>: TopModes,
    Self: TopModes,
    Top<SA, DA>: PadTo<Top<ST, DT>, UnitMode, Output: IntoTuple>,
    Top<ST, DT>: PadTo<Top<SA, DA>, UnitMode, Output: IntoTuple>,
    Padded<Top<ST, DT>, Top<SA, DA>>:
        Apply<operation::LogicalProduct, Padded<Top<SA, DA>, Top<ST, DT>>>,
    <Padded<Top<ST, DT>, Top<SA, DA>> as Apply<
        operation::LogicalProduct,
        Padded<Top<SA, DA>, Top<ST, DT>>,
    >>::Output: PairModes<Order>,
{
    type Output = <<Padded<Top<ST, DT>, Top<SA, DA>> as Apply<
        operation::LogicalProduct,
        Padded<Top<SA, DA>, Top<ST, DT>>,
    >>::Output as PairModes<Order>>::Output;
    #[inline]
    fn paired_product(self, left: StridedLayout<SA, DA>) -> Result<Self::Output, Fault> {
        let tile = PadTo::<Top<SA, DA>, UnitMode>::pad_to(self.top_modes()).into_tuple();
        let block = PadTo::<Top<ST, DT>, UnitMode>::pad_to(left.top_modes()).into_tuple();
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
    #[inline]
    fn pair_modes(self) -> Self {
        self
    }
}
impl<Order, S0: Nested, S1: Nested, D0: Nested, D1: Nested> PairModes<Order>
    for Defined<(S0, S1), (D0, D1)>
where
    S0::Node: PairLists<S1::Node, Order, Output: Untangle>,
    D0::Node: PairLists<D1::Node, Order, Output: Untangle>,
{
    type Output = Defined<
        <<S0::Node as PairLists<S1::Node, Order>>::Output as Untangle>::Tree,
        <<D0::Node as PairLists<D1::Node, Order>>::Output as Untangle>::Tree,
    >;
    #[inline]
    fn pair_modes(self) -> Self::Output {
        let ((s0, s1), (d0, d1)) = (self.shape, self.stride);
        Defined {
            shape: s0.node().pair_lists(s1.node()).tree(),
            stride: d0.node().pair_lists(d1.node()).tree(),
        }
    }
}

/// Two lists as one of pairs, in the order `Order`.
pub trait PairLists<L, Order> {
    type Output;
    fn pair_lists(self, other: L) -> Self::Output;
}
cases! { PairLists::pair_lists -> Self::Output:
    [Order] Nil, Nil, Order => Nil, (self, _: Nil) => Nil;
    [H, T: PairLists<U, Blocked>, I, U] Cons<H, T>, Cons<I, U>, Blocked => Cons<(H, I), T::Output>,
        (self, other: Cons<I, U>) => Cons { head: (self.head, other.head), tail: self.tail.pair_lists(other.tail) };
    [H, T: PairLists<U, Raked>, I, U] Cons<H, T>, Cons<I, U>, Raked => Cons<(I, H), T::Output>,
        (self, other: Cons<I, U>) => Cons { head: (other.head, self.head), tail: self.tail.pair_lists(other.tail) };
}
