//! What a layout promises to the memory under it: how far it reaches, and which coordinates are its
//! own.

use core::fmt::{self, Display, Formatter};

use crate::algebra::modes::slice::Slice;
use crate::composed::{ComposedLayout, InnerLayout, MovedLayout, Unswizzled};
use crate::error::{Fault, LayoutError};
use crate::layout::display::Notation;
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::{CoordinateOf, Layout};
use crate::list::Nested;
use crate::number::show::{Show, Shown};
use crate::number::table::StrideKind;
use crate::strides::layout::SignedLayout;
use crate::swizzle::DynSwizzle;
use crate::tensor::bounds::{self, SortedModes};
use crate::tensor::memory::order::{self, ExtentsAndStrides};
use crate::tuple::coord::Coordinates;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::interval::Window;
use crate::tuple::node::{Kind, Node, static_mode_sizes, static_span};

/// A layout whose offsets are places in memory: it says how far it reaches, and which coordinates
/// it has.
///
/// # Safety
/// Where `reach()` is `Some(n)`, the following hold, now and for every clone: each `at(i)` with
/// `i < size()`, each `locate(c)` with `holds(&c)` and each `locate` of an item of `coords()` is
/// below `n`; `size()` does not overflow; `modes()` and `MODES` hold every mode. Where `leaves()`
/// and `LEAVES` are `Some`, they hold every leaf, and the coordinate with the number `c_k` at each
/// has the offset `sum c_k * stride_k`; so do those of `below()` and `BELOW`, with the swizzle of
/// the offset plus that sum. Of an empty layout `reach()` and `reach_at_hand()` are
/// `Some(0)`, whatever its extents and strides are. No item of `coords()` comes twice. Where
/// `counts_up()`, each `at(i)` with `i < size()` is `at(0) + i`. `unrolled_at(i)` is `at(i)`;
/// `follows` and `lift` keep their laws.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::Addressable;
/// fn room<L: Addressable>(layout: &L) -> Vec<u8> {
///     vec![0; layout.reach().unwrap_or(0)]
/// }
/// assert_eq!(room(&layout!((4, 6):(1, 10))).len(), 1 + 3 + 5 * 10);
/// ```
#[diagnostic::on_unimplemented(
    message = "this is no layout of memory",
    label = "its offsets are not known to be places in memory",
    note = "the layouts of memory are strided ones, swizzled ones and `DynLayout`; an identity layout leads to \
            coordinates: `Tensor::coordinates`"
)]
pub unsafe trait Addressable:
    Layout<Offset = usize, Coordinate: PartialEq> + Display
{
    /// The shape as compiler messages show it.
    #[doc(hidden)]
    type ShownShape;
    /// All modes, where they are known at compile time.
    #[doc(hidden)]
    const MODES: Option<SortedModes> = None;
    /// The swizzle of the offsets, where it is known at compile time.
    #[doc(hidden)]
    const EXCHANGES: Option<DynSwizzle> = None;
    /// [`reach`](Addressable::reach), where it is known at compile time.
    #[doc(hidden)]
    const SPAN: Option<usize> = None;
    /// [`leaves`](Addressable::leaves), where they are known at compile time.
    #[doc(hidden)]
    const LEAVES: Option<ExtentsAndStrides> = None;
    /// What the types know of the leaves of [`below`](Addressable::below).
    #[doc(hidden)]
    const BELOW: Option<ExtentsAndStrides> = None;
    /// The rank and the size of each mode, of a tuple that is known at compile time.
    #[doc(hidden)]
    const MODE_SIZES: Option<(usize, [usize; 8])> = None;
    /// All modes.
    #[doc(hidden)]
    fn modes(&self) -> SortedModes;
    /// All leaves, unless they are too many, or the offsets are not sums of strides.
    #[doc(hidden)]
    fn leaves(&self) -> Option<ExtentsAndStrides> {
        None
    }
    /// All leaves, an offset and a swizzle: `at(c) = Sw(f + sum c_k * stride_k)`.
    #[doc(hidden)]
    #[inline(always)]
    fn below(&self) -> Option<(ExtentsAndStrides, usize, DynSwizzle)> {
        Some((self.leaves()?, 0, DynSwizzle::IDENTITY))
    }
    /// One past the largest offset, 0 for an empty layout, `None` if that or the size leaves
    /// `usize`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_algebra::tensor::Addressable;
    /// let n = usize::MAX;
    /// assert_eq!(layout!((4, 6):(1, 4)).reach(), Some(24));
    /// assert_eq!(layout!((4, n):(1, 4)).reach(), None);
    /// ```
    fn reach(&self) -> Option<usize>;
    /// What is wrong where [`reach`](Addressable::reach) is `None`.
    #[doc(hidden)]
    fn no_reach(&self) -> Fault {
        Fault::Overflow
    }
    /// [`reach`](Addressable::reach), if it takes no search; else `None`.
    #[doc(hidden)]
    #[inline(always)]
    fn reach_at_hand(&self) -> Option<usize> {
        self.reach()
    }
    /// `at(i)` for an `i` that is constant in an unrolled loop. The constant part of the offset is
    /// added last, so that an instruction can add it to an address.
    #[doc(hidden)]
    #[inline(always)]
    fn unrolled_at(&self, i: usize) -> usize {
        self.at(i)
    }
    /// Whether value `first + v` lies `v` behind value `first`. The offset of `first` is a multiple
    /// of the power of two `unit`, which is 1 if nothing is known.
    #[doc(hidden)]
    #[inline(always)]
    fn follows(&self, first: usize, v: usize, unit: usize) -> bool {
        let _ = unit;
        self.unrolled_at(first + v).wrapping_sub(self.unrolled_at(first)) == v
    }
    /// The layout without its constant offset, and that offset, if the two can be separated: a
    /// swizzle leaves alone what lies above it. `l.at(i) == m.at(i) + n` for `(m, n) = l.lift()`.
    #[doc(hidden)]
    #[inline(always)]
    fn lift(self) -> (Self, usize) {
        (self, 0)
    }
    /// Whether the offsets are consecutive numbers, in the order of the coordinates, as in a slice
    /// of Rust.
    #[doc(hidden)]
    fn counts_up(&self) -> bool {
        (1..self.size()).all(|i| self.at(i - 1).checked_add(1) == Some(self.at(i)))
    }
    /// Whether the coordinate is one of the layout's own.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_algebra::tensor::Addressable;
    /// let l = layout!((4, 6):(1, 4));
    /// assert!(l.holds(&(3, 5)) && !l.holds(&(4, 0))); // where (4, 0) would lie, (0, 1) lies
    /// ```
    fn holds(&self, coordinate: &Self::Coordinate) -> bool;
    /// The shape as a coordinate: one past the last one in each mode.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_algebra::tensor::Addressable;
    /// assert_eq!(layout!((4, (2, 3))).extents(), (4, (2, 3)));
    /// ```
    fn extents(&self) -> Self::Coordinate;
}

/// A layout with which a tensor can be made: a layout of memory, or one with negative strides,
/// which is moved by its base so that every element lies in the storage.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::{Addressable, IntoMemory};
/// fn reach(layout: impl IntoMemory) -> Option<usize> {
///     layout.in_memory().ok()?.reach()
/// }
/// assert_eq!((reach(layout!((4, 6):(1, 10))), reach(layout!((4, 6):(-1, 10)))), (Some(54), Some(54)));
/// ```
#[diagnostic::on_unimplemented(
    message = "this is no layout of memory",
    label = "its offsets are not known to be places in memory",
    note = "the layouts of memory are strided ones, those with negative strides, swizzled ones and `DynLayout`; an \
            identity layout leads to coordinates: `Tensor::coordinates`"
)]
pub trait IntoMemory: Layout {
    /// The layout in memory: the same, or moved.
    type InMemory: Addressable;
    /// How far it reaches, where that is known at compile time: what a build is stopped with. No
    /// memory relies on it: the layout that comes out is `Addressable`, and is asked itself.
    #[doc(hidden)]
    const REACH: Option<usize>;
    /// The layout in memory.
    ///
    /// # Errors
    /// `overflow` if it cannot be moved as far.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_algebra::tensor::IntoMemory;
    /// assert_eq!(layout!((4, 6):(-1, 4)).in_memory()?.to_string(), "3 o (_4,_6):(-_1,_4)");
    /// # Ok::<(), LayoutError>(())
    /// ```
    fn in_memory(self) -> Result<Self::InMemory, LayoutError>;
}
#[diagnostic::do_not_recommend]
impl<L: Addressable> IntoMemory for L {
    type InMemory = L;
    const REACH: Option<usize> = L::SPAN;
    #[inline(always)]
    fn in_memory(self) -> Result<L, LayoutError> {
        Ok(self)
    }
}
#[doc(hidden)]
impl<S: IntTuple, D: IntTuple> IntoMemory for SignedLayout<S, D>
where
    MovedLayout<usize, S, D>: Addressable,
{
    type InMemory = MovedLayout<usize, S, D>;
    // Once moved, it has the offsets of the same layout without signs.
    const REACH: Option<usize> = static_span::<S::Node, D::Node>();
    #[inline]
    fn in_memory(self) -> Result<Self::InMemory, LayoutError> {
        match self.base_and_cosize() {
            Some((base, _)) => Ok(ComposedLayout::const_new(Unswizzled, base, self)),
            None => Err(LayoutError::new("tensor", Fault::Overflow).with_operand(&self)),
        }
    }
}

/// Whether all strides are natural numbers. A `StridedLayout` with other strides has no reach;
/// those have a layout type of their own.
const fn has_natural_strides<D: Node>() -> bool {
    match D::KIND {
        Kind::Nil => true,
        Kind::Leaf => matches!(D::STRIDE, StrideKind::Natural),
        Kind::Cons => has_natural_strides::<D::Head>() && has_natural_strides::<D::Tail>(),
    }
}

// SAFETY: `span` is 1 + sum (s-1)*d, or `None` on overflow of it or of the size. A coordinate with
// every number below its extent has the offset sum c*d <= sum (s-1)*d. `at(i)` splits `i < size`
// into such a coordinate, and `coords` counts through those. The leaves are numbers of this crate
// (`Number` is sealed), and what a tuple says of itself never changes. `at(i)` is `i` where each
// leaf that moves has the product of those before it as stride.
unsafe impl<S: IntTuple<Dynamic: PartialEq> + Show, D: IntTuple> Addressable for StridedLayout<S, D>
where
    Self: Layout<
            Offset = usize,
            Coordinate = S::Dynamic,
            Coordinates = Coordinates<S>,
            Shape = S,
            Stride = D,
        >,
{
    type ShownShape = Shown<S>;
    const MODES: Option<SortedModes> = bounds::static_modes::<S::Node, D::Node>();
    const SPAN: Option<usize> =
        if has_natural_strides::<D::Node>() { static_span::<S::Node, D::Node>() } else { None };
    const LEAVES: Option<ExtentsAndStrides> = match Self::BELOW {
        Some(leaves) if leaves.is_static() => Some(leaves),
        _ => None,
    };
    const BELOW: Option<ExtentsAndStrides> = order::known_leaves::<S::Node, D::Node>();
    const MODE_SIZES: Option<(usize, [usize; 8])> = static_mode_sizes::<S::Node>();
    #[inline]
    fn modes(&self) -> SortedModes {
        let mut modes = SortedModes::new();
        bounds::collect(self.shape().node(), self.stride().node(), &mut modes);
        modes
    }
    #[inline(always)]
    fn leaves(&self) -> Option<ExtentsAndStrides> {
        let mut leaves = ExtentsAndStrides::new();
        order::push_leaves(self.shape().node(), self.stride().node(), &mut leaves).then_some(leaves)
    }
    #[inline(always)]
    fn reach(&self) -> Option<usize> {
        match Self::SPAN {
            Some(span) => Some(span),
            None if const { has_natural_strides::<D::Node>() } => {
                bounds::span(self.shape().node(), self.stride().node())
            }
            None => None,
        }
    }
    fn no_reach(&self) -> Fault {
        if has_natural_strides::<D::Node>() { Fault::Overflow } else { Fault::NoNaturalStrides }
    }
    #[inline(always)]
    fn counts_up(&self) -> bool {
        self.size() == 0
            || bounds::counts_up(1, self.shape().node(), self.stride().node()).is_some()
    }
    #[inline(always)]
    fn holds(&self, coordinate: &S::Dynamic) -> bool {
        bounds::within(coordinate.node(), self.shape().node())
    }
    #[inline(always)]
    fn extents(&self) -> S::Dynamic {
        self.shape().to_dynamic()
    }
}

/// The shape that a [`RefusedLayout`] shows. It pairs with every shape: the rejection was the
/// mistake.
pub struct RejectedShape;

// SAFETY: it has no coordinates.
#[diagnostic::do_not_recommend]
unsafe impl Addressable for RefusedLayout {
    type ShownShape = RejectedShape;
    fn modes(&self) -> SortedModes {
        SortedModes::new()
    }
    fn reach(&self) -> Option<usize> {
        Some(0)
    }
    fn holds(&self, _: &usize) -> bool {
        false
    }
    fn extents(&self) -> usize {
        0
    }
}

/// `C: CoordinateIn<L>`: a coordinate of the layout `L`, which can be compared with its shape.
///
/// # Safety
/// If `within(layout)`, then `offset_in(layout)` is the offset of one of the layout's coordinates:
/// below its span.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::CoordinateIn;
/// let l = layout!((4, 6):(1, 4));
/// assert!((3, 5).within(&l) && 23.within(&l) && !(4, 0).within(&l) && !24.within(&l));
/// ```
#[diagnostic::on_unimplemented(
    message = "this is not a coordinate of this tensor",
    label = "`{Self}`: neither a number nor a tuple that matches the shape",
    note = "a coordinate has the nesting of the shape, or a coarser one; its numbers are `usize`: write `i as usize` \
            for another integer; generic code names what it needs as a bound: `(usize, usize): CoordinateIn<L>` for \
            `t[(i, j)]`"
)]
pub unsafe trait CoordinateIn<L: Layout>: CoordinateOf<L> + Copy {
    /// Whether every number of the coordinate is below the extent that it counts in.
    fn within(self, layout: &L) -> bool;
    /// The number that is not.
    #[doc(hidden)]
    fn outside(self, layout: &L) -> Option<Fault> {
        let _ = layout;
        None
    }
    /// The coordinate as text, for an error.
    #[doc(hidden)]
    fn write_coordinate(self, f: &mut Formatter<'_>) -> fmt::Result;
}

// SAFETY: a number below the size of the tree that it counts in is split into a coordinate of
// that tree; see `Addressable`.
#[doc(hidden)]
unsafe impl<S: IntTuple, D: IntTuple, C> CoordinateIn<StridedLayout<S, D>> for C
where
    C: IntTuple + CoordinateOf<StridedLayout<S, D>>,
{
    #[inline(always)]
    fn within(self, layout: &StridedLayout<S, D>) -> bool {
        bounds::within(self.node(), layout.shape().node())
    }
    fn outside(self, layout: &StridedLayout<S, D>) -> Option<Fault> {
        bounds::outside(self.node(), layout.shape().node())
    }
    fn write_coordinate(self, f: &mut Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}

// SAFETY: no coordinate is within.
#[doc(hidden)]
#[diagnostic::do_not_recommend]
unsafe impl<C: Copy> CoordinateIn<RefusedLayout> for C {
    fn within(self, _: &RefusedLayout) -> bool {
        false
    }
    fn write_coordinate(self, _: &mut Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

/// `C: SliceIn<L>`: a coordinate with `..` and ranges, or a [`Window`](crate::Window), that slices
/// the layout `L` and can be compared with its shape.
///
/// # Safety
/// If `within(layout)`, then the offsets of the sliced layout, moved by the slice's offset, are
/// offsets of `layout`, those of the coordinates that the slice keeps; and it keeps the coordinates
/// of `layout` that have in each mode the number fixed, a number of the range, or any.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::SliceIn;
/// let l = layout!((4, 6):(1, 4));
/// assert!((3, ..).within(&l) && !(4, ..).within(&l));
/// assert_eq!((3, ..).slice_in(l), (layout!(6:4), 3));
/// ```
#[diagnostic::on_unimplemented(
    message = "this does not slice this tensor",
    label = "neither a coordinate of the tensor nor one with `..` and ranges for the modes to keep",
    note = "a slice has the nesting of the shape, or a coarser one: `t.slice((1, ..))`; its numbers are `usize`: \
            write `i as usize` for another integer; generic code names what it needs as a bound: \
            `(usize, RangeFull): SliceIn<L>`, `Shape!((3, 4)): WindowIn<(usize, usize), L>`"
)]
pub unsafe trait SliceIn<L>: Clone {
    /// The layout of the modes kept.
    type Output: Addressable;
    /// Whether every number that the slice fixes is below the extent that it counts in, and every
    /// range is one of its mode.
    #[inline(always)]
    fn within(&self, layout: &L) -> bool {
        self.misfit(layout).is_none()
    }
    /// Why the slice is not within.
    #[doc(hidden)]
    fn misfit(&self, layout: &L) -> Option<Fault>;
    /// The layout of the modes kept, and the offset of what is fixed.
    fn slice_in(self, layout: L) -> (Self::Output, usize);
}

/// `W: WindowIn<C, L>`: a tensor under the layout `L` has windows of the shape `W` at the
/// coordinates `C`. The bound for windows in generic code.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::{Addressable, WindowIn};
/// fn total<S: Storage<Item = i32>, L: Addressable>(t: &Tensor<S, L>) -> i32
/// where
///     Shape!((2, 3)): WindowIn<(usize, usize), L>,
/// {
///     t.window((1, 2), shape!((2, 3))).iter().sum()
/// }
/// let n = 6;
/// let t = Tensor::fixed(core::array::from_fn::<i32, 24, _>(|i| i as i32), layout!((4, 6): right));
/// assert_eq!(total(&t), 8 + 9 + 10 + 14 + 15 + 16);
/// assert_eq!(total(&t.view().with_layout(layout!((4, n): right))?), 72);
/// assert_eq!(total(&t.view().with_layout("(4,6):(6,1)".parse::<DynLayout>()?)?), 72);
/// # Ok::<(), LayoutError>(())
/// ```
pub trait WindowIn<C, L> {
    /// The layout of the window.
    type Output: Addressable;
    #[doc(hidden)]
    type At: SliceIn<L, Output = Self::Output>;
    #[doc(hidden)]
    fn window_at(self, origin: C) -> Self::At;
}
#[doc(hidden)]
impl<C, W, L> WindowIn<C, L> for W
where
    Window<C, W>: SliceIn<L>,
{
    type Output = <Window<C, W> as SliceIn<L>>::Output;
    type At = Window<C, W>;
    #[inline(always)]
    fn window_at(self, origin: C) -> Window<C, W> {
        Window::new(origin, self)
    }
}

// SAFETY: the slice's coordinates are those of `layout` with the fixed numbers in place, and the
// ranges' numbers in theirs:
// `R(x) + o == L(c with x in the place of .., and a + x in that of a..b)`; the fixed numbers, the
// ranges and the windows are within the shape, or `Slice::misfit` names one. That is this crate's
// `misfit`: what is `Nested` is sliced by one impl.
#[doc(hidden)]
unsafe impl<S: IntTuple, D: IntTuple, C> SliceIn<StridedLayout<S, D>> for C
where
    StridedLayout<S, D>:
        Slice<C, Output: Addressable> + Layout<Offset = usize, Shape = S, Stride = D>,
    C: Nested + Clone,
{
    type Output = <StridedLayout<S, D> as Slice<C>>::Output;
    #[inline(always)]
    fn misfit(&self, layout: &StridedLayout<S, D>) -> Option<Fault> {
        Slice::misfit(*layout, self.clone())
    }
    #[inline(always)]
    fn slice_in(self, layout: StridedLayout<S, D>) -> (Self::Output, usize) {
        <StridedLayout<S, D> as Slice<C>>::sliced(layout, self)
    }
}
// SAFETY: no slice is within.
#[doc(hidden)]
#[diagnostic::do_not_recommend]
unsafe impl<C: Clone> SliceIn<RefusedLayout> for C {
    type Output = RefusedLayout;
    fn misfit(&self, _: &RefusedLayout) -> Option<Fault> {
        Some(Fault::Coordinate)
    }
    fn slice_in(self, layout: RefusedLayout) -> (RefusedLayout, usize) {
        (layout, 0)
    }
}
