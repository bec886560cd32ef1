//! Compact strides in any order of the modes.
//!
//! ```text
//! d_k = product of all s_j that come before k in the order, ties from the left
//! ```

use typenum::{Equal, Greater, Less};

use crate::error::Fault;
use crate::layout::compact::{CompactLeft, LeftFrom, strides};
use crate::layout::display::{Notation, display};
use crate::layout::strided::StridedLayout;
use crate::list::{Cons, Leaf, Nested, Nil, Untangle};
use crate::number::int::{False, One, True};
use crate::number::show::{Show, Shown};
use crate::number::table::{Number, Order, Times};
use crate::tuple::int_tuple::{IntTuple, IsStatic};
use crate::tuple::profile::{Congruence, Profiles, Relates};

/// `S: CompactOrdered<O>`: the shape has compact strides in the order `O`, a congruent tuple of
/// static numbers: the mode with the least number is the fastest. CuTe's `make_ordered_layout`.
///
/// ```
/// use layout_algebra::prelude::*;
/// fn planes<S: CompactOrdered<Shape!((0, 2, 1))>>(shape: S) -> OrderedLayout<S, Shape!((0, 2, 1))> {
///     StridedLayout::ordered(shape, shape!((0, 2, 1)))
/// }
/// assert_eq!(planes(shape!((2, 3, 4))), layout!((2, 3, 4):(1, 8, 2)));
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot lay out a shape in this order: nothing says that this one has such strides",
    label = "`{Self}`: not known to be a shape with these strides",
    note = "generic code names what it needs as a bound: `S: CompactOrdered<O>`; a shape is a number or a tuple of at \
            most 8 shapes"
)]
pub trait CompactOrdered<O>: IntTuple {
    /// The strides.
    type Stride: IntTuple;
    #[doc(hidden)]
    fn ordered_strides(self, order: O) -> Result<Self::Stride, Fault>;
}

/// The type of the compact layout of a shape in an order.
///
/// ```
/// use layout_algebra::prelude::*;
/// type L = OrderedLayout<Shape!((2, 3, 4)), Shape!((3, 1, 2))>;
/// static_assertions::assert_type_eq_all!(L, Layout!((2, 3, 4):(12, 1, 3)));
/// ```
pub type OrderedLayout<S, O> = StridedLayout<S, <S as CompactOrdered<O>>::Stride>;

impl<S: IntTuple, O: Nested> CompactOrdered<O> for S
where
    S::Node: Relates<Congruence, O::Node, Output: CheckedOrder<S, O>>,
{
    type Stride = <<S::Node as Relates<Congruence, O::Node>>::Output as CheckedOrder<S, O>>::Stride;
    #[inline(always)]
    fn ordered_strides(self, order: O) -> Result<Self::Stride, Fault> {
        <S::Node as Relates<Congruence, O::Node>>::Output::order_if(self, order)
    }
}

/// The strides of the shape `S` in the order `O`; `self` says whether the two are congruent.
pub trait CheckedOrder<S, O> {
    type Stride: IntTuple;
    fn order_if(shape: S, order: O) -> Result<Self::Stride, Fault>;
}
impl<S: IntTuple, O: Nested<Node: IsStatic>> CheckedOrder<S, O> for True
where
    <O::Node as IsStatic>::Output: OrderByStatic<S, O>,
{
    type Stride = <<O::Node as IsStatic>::Output as OrderByStatic<S, O>>::Stride;
    #[inline(always)]
    fn order_if(shape: S, order: O) -> Result<Self::Stride, Fault> {
        <O::Node as IsStatic>::Output::order_by_static(shape, order)
    }
}

/// The strides of the shape `S` in the order `O`, congruent to it; `self` says whether the order is
/// static.
pub trait OrderByStatic<S, O> {
    type Stride: IntTuple;
    fn order_by_static(shape: S, order: O) -> Result<Self::Stride, Fault>;
}
/// A refused order gives left strides, so that later operations report no second error.
impl<S: CompactLeft, O> OrderByStatic<S, O> for False
where
    Profiles: StaticOrder<O>,
{
    type Stride = <S as CompactLeft>::Stride;
    fn order_by_static(shape: S, _: O) -> Result<Self::Stride, Fault> {
        shape.left_strides()
    }
}
#[diagnostic::on_unimplemented(
    message = "an order of modes is known only at run time",
    label = "the numbers of an order have to be static",
    note = "write `shape!((1, 0))`, or use `DynLayout::ordered`"
)]
pub trait StaticOrder<O> {}
impl<S: IntTuple, O: Nested> OrderByStatic<S, O> for True
where
    S::Node: PairLeaves<O::Node, Nil, Output: OrderedStrides<Nil>>,
    S::Node: Refill<<<S::Node as PairLeaves<O::Node, Nil>>::Output as OrderedStrides<Nil>>::Output>,
    RefilledBy<
        S::Node,
        <<S::Node as PairLeaves<O::Node, Nil>>::Output as OrderedStrides<Nil>>::Output,
    >: Untangle<Tree: IntTuple>,
{
    type Stride = <RefilledBy<
        S::Node,
        <<S::Node as PairLeaves<O::Node, Nil>>::Output as OrderedStrides<Nil>>::Output,
    > as Untangle>::Tree;
    #[inline(always)]
    fn order_by_static(shape: S, order: O) -> Result<Self::Stride, Fault> {
        let strides = shape.node().leaves(order.node(), Nil).ordered_strides(&Nil)?;
        Ok(shape.node().refill(strides).0.tree())
    }
}
impl<S: CompactLeft + Show, O: Show> CheckedOrder<S, O> for False
where
    Profiles: SameOrder<Shown<O>, Shown<S>>,
{
    type Stride = <S as CompactLeft>::Stride;
    fn order_if(shape: S, _: O) -> Result<Self::Stride, Fault> {
        shape.left_strides()
    }
}

#[diagnostic::on_unimplemented(
    message = "the order {O} is not congruent to the shape {S}",
    label = "an order has a number for each extent of the shape, nested as the shape is",
    note = "the mode with the least number is the fastest: `shape!((1, 0))` is row-major for two modes"
)]
pub trait SameOrder<O, S> {}

/// A leaf of a shape with its place in the order.
#[derive(Clone, Copy)]
pub struct LeafInOrder<S, O>(pub S, pub O);

/// The leaves of a shape's node and of an order's, pairwise, in front of `Tail`.
pub trait PairLeaves<O, Tail> {
    type Output;
    fn leaves(self, order: O, tail: Tail) -> Self::Output;
}
cases! { PairLeaves::leaves -> Self::Output:
    [Tail] Nil, Nil, Tail => Tail, (self, _: Nil, tail: Tail) => tail;
    [S, O, Tail] Leaf<S>, Leaf<O>, Tail => Cons<LeafInOrder<S, O>, Tail>,
        (self, order: Leaf<O>, tail: Tail) => Cons { head: LeafInOrder(self.0, order.0), tail };
    [H, T, I, U, Tail] Cons<H, T>, Cons<I, U>, Tail
        where (H: Nested, I: Nested, T: PairLeaves<U, Tail>, H::Node: PairLeaves<I::Node, T::Output>)
        => <H::Node as PairLeaves<I::Node, T::Output>>::Output, (self, order: Cons<I, U>, tail: Tail) => {
        let tail = self.tail.leaves(order.tail, tail);
        self.head.node().leaves(order.head.node(), tail)
    };
}

/// The stride of every leaf: the product of all leaves before it in the order. `Left` are
/// those to its left, nearest first.
pub trait OrderedStrides<Left> {
    type Output;
    fn ordered_strides(self, left: &Left) -> Result<Self::Output, Fault>;
}
impl<Left> OrderedStrides<Left> for Nil {
    type Output = Nil;
    #[inline(always)]
    fn ordered_strides(self, _: &Left) -> Result<Nil, Fault> {
        Ok(Nil)
    }
}
impl<S: Number, O: Copy, T, Left: Copy> OrderedStrides<Left> for Cons<LeafInOrder<S, O>, T>
where
    Left: ProductBefore<O, True, One>,
    T: ProductBefore<O, False, Left::Output>,
    Leaf<S>: LeftFrom<<T as ProductBefore<O, False, Left::Output>>::Output>,
    T: OrderedStrides<Cons<LeafInOrder<S, O>, Left>>,
{
    type Output = Cons<
        <Leaf<S> as LeftFrom<<T as ProductBefore<O, False, Left::Output>>::Output>>::Stride,
        <T as OrderedStrides<Cons<LeafInOrder<S, O>, Left>>>::Output,
    >;
    #[inline(always)]
    fn ordered_strides(self, left: &Left) -> Result<Self::Output, Fault> {
        let run = self.tail.before(left.before(One::default())?)?;
        let head = Leaf(self.head.0).left_from(run)?.0;
        Ok(Cons { head, tail: self.tail.ordered_strides(&Cons { head: self.head, tail: *left })? })
    }
}

/// `Run` times the leaves of `self` that come before place `O`; those in the same place only if
/// `Ties` is `True`.
pub trait ProductBefore<O, Ties, Run> {
    type Output: Number;
    fn before(&self, run: Run) -> Result<Self::Output, Fault>;
}
cases! { ProductBefore::before -> Result<Self::Output, Fault>:
    [O, Ties, Run: Number] Nil, O, Ties, Run => Run, (&self, run: Run) => Ok(run);
    [S, P: Order<O>, T, O, Ties, Run] Cons<LeafInOrder<S, P>, T>, O, Ties, Run
        where (P::Output: Comes<Ties, S, Run>, T: ProductBefore<O, Ties, <P::Output as Comes<Ties, S, Run>>::Output>)
        => T::Output,
        (&self, run: Run) => self.tail.before(P::Output::comes(&self.head.0, run)?);
}

/// `Run`, times `S` if a leaf comes first; `self` is the order of its place and the other one's.
#[diagnostic::on_unimplemented(
    message = "the order of the modes is known only at run time",
    label = "the numbers that order the modes have to be static",
    note = "write them as literals, or use `DynLayout`"
)]
pub trait Comes<Ties, S, Run> {
    type Output;
    fn comes(extent: &S, run: Run) -> Result<Self::Output, Fault>;
}
macro_rules! comes {
    ($([$($generic:ident)*] $order:ty, $ties:ty;)*) => {
        $(impl<S, Run: Times<S>, $($generic),*> Comes<$ties, S, Run> for $order {
            type Output = Run::Output;
            #[inline(always)]
            fn comes(extent: &S, run: Run) -> Result<Self::Output, Fault> {
                run.times(extent)
            }
        })*
    };
}
comes! { [Ties] Less, Ties; [] Equal, True; }
macro_rules! comes_not {
    ($([$($generic:ident)*] $order:ty, $ties:ty;)*) => {
        $(impl<S, Run, $($generic),*> Comes<$ties, S, Run> for $order {
            type Output = Run;
            #[inline(always)]
            fn comes(_: &S, run: Run) -> Result<Run, Fault> {
                Ok(run)
            }
        })*
    };
}
comes_not! { [Ties] Greater, Ties; [] Equal, False; }

/// The node `self` with its leaves replaced by those of the list `List`, and the rest of the list.
pub trait Refill<List> {
    type Output;
    type Rest;
    fn refill(self, list: List) -> (Self::Output, Self::Rest);
}
/// The node `N` with its leaves replaced by those of `List`.
pub type RefilledBy<N, List> = <N as Refill<List>>::Output;
impl<List> Refill<List> for Nil {
    type Output = Nil;
    type Rest = List;
    #[inline(always)]
    fn refill(self, list: List) -> (Nil, List) {
        (Nil, list)
    }
}
impl<S, H, T> Refill<Cons<H, T>> for Leaf<S> {
    type Output = H;
    type Rest = T;
    #[inline(always)]
    fn refill(self, list: Cons<H, T>) -> (H, T) {
        (list.head, list.tail)
    }
}
impl<H: Nested<Node: Refill<List, Output: Untangle>>, T, List> Refill<List> for Cons<H, T>
where
    T: Refill<<H::Node as Refill<List>>::Rest>,
{
    type Output = Cons<<RefilledBy<H::Node, List> as Untangle>::Tree, T::Output>;
    type Rest = T::Rest;
    #[inline(always)]
    fn refill(self, list: List) -> (Self::Output, Self::Rest) {
        let (head, list) = self.head.node().refill(list);
        let (tail, list) = self.tail.refill(list);
        (Cons { head: head.tree(), tail }, list)
    }
}

impl<S, D> StridedLayout<S, D> {
    /// The compact layout of a shape in an order of its leaves, the least number fastest. CuTe's
    /// `make_ordered_layout`.
    ///
    /// # Panics
    /// If a dynamic stride leaves `usize`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let n = 4;
    /// let l = StridedLayout::ordered(shape!((2, 3, n)), shape!((3, 1, 2)));
    /// assert_eq!(format!("{l:#}"), "(2,3,4):(12,1,3)");
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn ordered<O>(shape: S, order: O) -> OrderedLayout<S, O>
    where
        S: CompactOrdered<O, Stride = D>,
    {
        StridedLayout::assemble(shape, strides("ordered", shape, shape.ordered_strides(order)))
    }
}

/// A shape to fill, `S`, and the order `O` of its modes in which copies follow one another, the
/// least first: what [`tile_to_shape`](crate::LayoutAlgebra::tile_to_shape) takes in place of a
/// shape.
///
/// ```
/// use layout_algebra::prelude::*;
/// // The copies go on along mode 1 first, as mode 0 is the second in the order.
/// let rows = layout!((2, 2)).tile_to_shape(Ordered::new(shape!((4, 6)), shape!((1, 0))));
/// assert_eq!(rows, layout!(((2, 2), (2, 3)):((1, 12), (2, 4))));
/// ```
#[derive(Clone, Copy, Default)]
pub struct Ordered<S, O> {
    pub(crate) shape: S,
    pub(crate) order: O,
}
impl<S, O> Ordered<S, O> {
    /// The shape, and the order of its modes.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let order = Ordered::new(shape!((4, 6)), shape!((1, 0)));
    /// // The second copy lies to the right of the first.
    /// assert_eq!(layout!((2, 2)).tile_to_shape(order).index((0, 2)), 4);
    /// ```
    pub const fn new(shape: S, order: O) -> Self {
        Ordered { shape, order }
    }
}
impl<S: IntTuple, O: IntTuple> Notation for Ordered<S, O> {
    fn write(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.shape.write(f)?;
        f.write_str(" in the order ")?;
        self.order.write(f)
    }
}
impl<S: IntTuple, O: IntTuple> core::fmt::Display for Ordered<S, O> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        display(self, f)
    }
}
debug_as_display! { [S: IntTuple, O: IntTuple] Ordered<S, O>; }
