//! `logical_product(A, T) = (A, A* o T)`, where `A*` is what `A` leaves free in an unbounded range:
//! mode 0 is `A`, mode 1 counts disjoint copies of `A`.
//!
//! A [`Tiler`](struct@crate::Tiler) multiplies mode by mode. Zipped, tiled and flat products
//! arrange the modes as the divides do.

use typenum::{Equal, Greater, Less, UInt, UTerm};

use crate::algebra::by_mode::ApplyZipped;
use crate::algebra::coalesce::{Merging, Unbounded};
use crate::algebra::complement::{Sorting, still_gap};
use crate::algebra::compose::composition::ComposeNodes;
use crate::algebra::divide::Spread;
use crate::algebra::mode::{Mode, ModesOnto, Push};
use crate::algebra::operation;
use crate::algebra::outcome::{Apply, Defined};
use crate::error::Fault;
use crate::layout::strided::StridedLayout;
use crate::list::{Cons, Leaf, Nested, Nil};
use crate::number::int::{And, False, NotExact, One, True, Zero};
use crate::number::quotient::{DivideInt, Exact, Quotient};
use crate::number::table::{Number, Order, RunTimeNumber, Times};
use crate::reasons::Overlap;
use crate::reasons::undefined::Undefined;
use crate::tuple::int_tuple::IntTuple;

// ---- what A leaves free -------------------------------------------------------------------------

/// The gaps of the sorted modes `self` above `Run` offsets, rounded down, and at the end the
/// unbounded range above them, merged: modes, or [`Undefined`].
pub trait FreeModes<Run> {
    type Output;
    fn free_modes(self, run: Run) -> Result<Self::Output, Fault>;
}
cases! { FreeModes::free_modes -> Result<Self::Output, Fault>:
    [Run] Nil, Run => Cons<Mode<Unbounded, Run>, Nil>,
        (self, run: Run) => Ok(Cons { head: Mode { shape: Unbounded, stride: run }, tail: Nil });
    [R, Run] Undefined<R>, Run => Self, (self, _: Run) => Ok(self);
    [S: Number, D: Number, T, Run: Number] Cons<Mode<S, D>, T>, Run
        where (D: Quotient<Run>, D::Output: FloorGap<S, D, T, Run>)
        => <D::Output as FloorGap<S, D, T, Run>>::Output, (self, run: Run) => {
        let (extent, stride, below) = (self.head.shape.get(), self.head.stride.get(), run.get());
        if extent > 1 && (1..below).contains(&stride) {
            return Err(Fault::Overlap { extent, stride, below });
        }
        D::Output::floor_gap(self.head, self.tail, run)
    };
}

/// [`FreeModes`]; `self` is the quotient of the stride `D` and `Run`.
pub trait FloorGap<S, D, T, Run> {
    type Output;
    fn floor_gap(mode: Mode<S, D>, tail: T, run: Run) -> Result<Self::Output, Fault>;
}
cases! { FloorGap::floor_gap -> Result<Self::Output, Fault>:
    [S: Times<D> + Number, D: Number, T: FreeModes<S::Output>, Run: Number, Q: Number] Exact<Q>, S, D, T, Run
        where (T::Output: Push<Merging, Q, Run>)
        => <T::Output as Push<Merging, Q, Run>>::Output, (mode: Mode<S, D>, tail: T, run: Run) => {
        let (extent, stride, below) = (mode.shape.get(), mode.stride.get(), run.get());
        let (copies, above) = if extent < 2 || stride == 0 {
            still_gap::<Q, S::Output>(extent, stride, below)?
        } else {
            let copies = stride.checked_div(below).and_then(Q::from_number);
            (copies.ok_or(Fault::Stride { stride, below })?, mode.shape.times(&mode.stride)?)
        };
        tail.free_modes(above)?.push(Mode { shape: copies, stride: run })
    };
    [S, D: Order<Run>, T, Run] NotExact, S, D, T, Run where (D::Output: Floor<S, D, T, Run>)
        => <D::Output as Floor<S, D, T, Run>>::Output,
        (mode: Mode<S, D>, tail: T, run: Run) => D::Output::floor(mode, tail, run);
}

/// The gap below a stride that is no multiple; `self` is the order of the stride and `Run`.
pub trait Floor<S, D, T, Run> {
    type Output;
    fn floor(mode: Mode<S, D>, tail: T, run: Run) -> Result<Self::Output, Fault>;
}
impl<S, D, T, Run> Floor<S, D, T, Run> for Less {
    type Output = Undefined<Overlap<S, D, Run>>;
    #[inline]
    fn floor(_: Mode<S, D>, _: T, _: Run) -> Result<Self::Output, Fault> {
        Ok(Undefined::new())
    }
}
macro_rules! floor {
    ($($order:ty),*) => {
        $(impl<S: Times<D> + Number, D: DivideInt<Run> + Number, T: FreeModes<S::Output>, Run: Number> Floor<S, D, T, Run>
            for $order
        where
            T::Output: Push<Merging, D::Quotient, Run>,
        {
            type Output = <T::Output as Push<Merging, D::Quotient, Run>>::Output;
            #[inline]
            fn floor(mode: Mode<S, D>, tail: T, run: Run) -> Result<Self::Output, Fault> {
                let (extent, stride) = (mode.shape.get(), mode.stride.get());
                let (copies, above) = match extent {
                    0 | 1 => still_gap::<D::Quotient, S::Output>(extent, stride, run.get())?,
                    _ => (D::Quotient::default(), mode.shape.times(&mode.stride)?),
                };
                tail.free_modes(above)?.push(Mode { shape: copies, stride: run })
            }
        })*
    };
}
floor!(Equal, Greater);

// ---- the product --------------------------------------------------------------------------------

cases! { Apply::apply -> Result<Self::Output, Fault>:
    [S, D, ST: Nested<Node: OneCopy<DT::Node>>, DT: Nested]
        StridedLayout<ST, DT>, operation::LogicalProduct, StridedLayout<S, D>
        where (<ST::Node as OneCopy<DT::Node>>::Output: ProductOf<StridedLayout<S, D>, Self>)
        => <<ST::Node as OneCopy<DT::Node>>::Output as ProductOf<StridedLayout<S, D>, Self>>::Output,
        (self, left: StridedLayout<S, D>) => <ST::Node as OneCopy<DT::Node>>::Output::product_of(left, self);
}

/// Does a tile of the shape `self` and the stride `D`, both nodes, repeat a single copy? [`True`]
/// if no mode is known to move: each has extent 1 or stride 0.
pub trait OneCopy<D> {
    type Output;
}
cases! { OneCopy:
    [N] Leaf<N>, Leaf<UTerm> => True;
    [U, B] Leaf<One>, Leaf<UInt<U, B>> => True;
    [D: RunTimeNumber] Leaf<One>, Leaf<D> => True;
    [U, B] Leaf<UTerm>, Leaf<UInt<U, B>> => False;
    [D: RunTimeNumber] Leaf<UTerm>, Leaf<D> => False;
    [U, A, B, V, C] Leaf<UInt<UInt<U, A>, B>>, Leaf<UInt<V, C>> => False;
    [U, A, B, D: RunTimeNumber] Leaf<UInt<UInt<U, A>, B>>, Leaf<D> => False;
    [N: RunTimeNumber, U, B] Leaf<N>, Leaf<UInt<U, B>> => False;
    [N: RunTimeNumber, D: RunTimeNumber] Leaf<N>, Leaf<D> => False;
    [] Nil, Nil => True;
    [H: Nested<Node: OneCopy<D::Node>>, T: OneCopy<U>, D: Nested, U] Cons<H, T>, Cons<D, U>
        where (<H::Node as OneCopy<D::Node>>::Output: And<T::Output>)
        => <<H::Node as OneCopy<D::Node>>::Output as And<T::Output>>::Output;
}

/// The product of the layout `A` and the tile `T`; `self` says whether the tile repeats a single
/// copy. Such a tile needs no room for other copies.
pub trait ProductOf<A, T> {
    type Output;
    fn product_of(layout: A, tile: T) -> Result<Self::Output, Fault>;
}
cases! { ProductOf::product_of -> Result<Self::Output, Fault>:
    [S, D, T] True, StridedLayout<S, D>, T where (Cons<Mode<Unbounded, Zero>, Nil>: CopiesBy<S, D, T>)
        => <Cons<Mode<Unbounded, Zero>, Nil> as CopiesBy<S, D, T>>::Output,
        (layout: StridedLayout<S, D>, tile: T) =>
            Cons { head: Mode { shape: Unbounded, stride: UTerm }, tail: Nil }.copies_by(layout, tile);
    [S: IntTuple, D: IntTuple, T] False, StridedLayout<S, D>, T
        where (S::Node: ModesOnto<D::Node, Nil, Sorting, Output: FreeModes<One, Output: CopiesBy<S, D, T>>>)
        => <<<S::Node as ModesOnto<D::Node, Nil, Sorting>>::Output as FreeModes<One>>::Output
            as CopiesBy<S, D, T>>::Output, (layout: StridedLayout<S, D>, tile: T) => {
        let (shape, stride) = layout.into_parts();
        shape.node().modes_onto(stride.node(), Nil)?.free_modes(One::default())?.copies_by(layout, tile)
    };
}

/// The layout `S:D` and its copies, arranged by `T` over the free modes `self`.
pub trait CopiesBy<S, D, T> {
    type Output;
    fn copies_by(self, layout: StridedLayout<S, D>, tile: T) -> Result<Self::Output, Fault>;
}
cases! { CopiesBy::copies_by -> Result<Self::Output, Fault>:
    [S, D, T, R] Undefined<R>, S, D, T => Self, (self, _: StridedLayout<S, D>, _: T) => Ok(self);
    [S, D, ST: Nested, DT: Nested, H, T] Cons<H, T>, S, D, StridedLayout<ST, DT>
        where (Self: ComposeNodes<ST::Node, DT::Node, Output: PairWith<S, D>>)
        => <<Self as ComposeNodes<ST::Node, DT::Node>>::Output as PairWith<S, D>>::Output,
        (self, layout: StridedLayout<S, D>, tile: StridedLayout<ST, DT>) => {
        let (shape, stride) = tile.into_parts();
        Ok(self.compose_nodes(shape.node(), stride.node())?.pair_with(layout))
    };
}

/// The pair of the layout `S:D` and `self`.
pub trait PairWith<S, D> {
    type Output;
    fn pair_with(self, layout: StridedLayout<S, D>) -> Self::Output;
}
cases! { PairWith::pair_with -> Self::Output:
    [S, D, SC, DC] Defined<SC, DC>, S, D => Defined<(S, SC), (D, DC)>, (self, layout: StridedLayout<S, D>) => {
        let (shape, stride) = layout.into_parts();
        Defined { shape: (shape, self.shape), stride: (stride, self.stride) }
    };
    [S, D, R] Undefined<R>, S, D => Self, (self, _: StridedLayout<S, D>) => self;
}

// The forms of the product that only rearrange its modes.
cases! { Apply::apply -> Result<Self::Output, Fault>:
    [A, T: ApplyZipped<operation::LogicalProduct, A>] T, operation::ZippedProduct, A => T::Output,
        (self, left: A) => self.apply_zipped(left);
    [A, T: ApplyZipped<operation::LogicalProduct, A, Output: Spread<False>>] T, operation::TiledProduct, A
        => <T::Output as Spread<False>>::Output, (self, left: A) => Ok(self.apply_zipped(left)?.spread());
    [A, T: ApplyZipped<operation::LogicalProduct, A, Output: Spread<True>>] T, operation::FlatProduct, A
        => <T::Output as Spread<True>>::Output, (self, left: A) => Ok(self.apply_zipped(left)?.spread());
}
