//! `(R, o) = slice(L, c)`: `R(x) + o == L(c with x in the place of ..)`. Fixed modes disappear. The
//! modes at `..` remain side by side. A range `a..b` keeps a part of its mode: there `a + x` stands
//! in the place of the range.

use crate::algebra::mode::Mode;
use crate::algebra::trees::IntoTrees;
use crate::error::{Fault, LayoutError, expect};
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::list::{Cons, Leaf, Nested, Nil, Whole};
use crate::number::int::{False, True};
use crate::number::show::{Show, Shown};
use crate::tuple::constant::constant;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::interval::{Interval, Window, window_fits};
use crate::tuple::node::Node;
use crate::tuple::profile::{
    CoarserProfile, NoWindow, Profiles, Relates, WeakCongruence, WindowProfile,
};

/// `L: Slice<C>`: `C` is a coordinate of the layout `L` with `..` for each mode to keep and a range
/// for each mode to keep a part of; or `C` is a [`Window`]. CuTe's `slice_and_offset`.
///
/// ```
/// use layout_algebra::prelude::*;
/// let a = layout!((4, 6):(1, 4));
/// let (column, offset) = a.slice((.., 2));
/// assert_eq!((column, offset), (layout!(4:1), 8));
/// let (all, offset) = layout!((4, (2, 3), 5):(1, (12, 4), 24)).slice((.., (1, ..), 2));
/// assert_eq!((all, offset), (layout!((4, 3):(1, 4)), 60));
/// ```
///
/// ```compile_fail
/// use layout_algebra::prelude::*;
/// // the coordinate (usize, usize, RangeFull) does not match the shape (N<4>, N<6>)
/// layout!((4, 6)).slice((1, 2, ..));
/// ```
#[diagnostic::on_unimplemented(
    message = "this does not slice this layout",
    label = "`{C}`: neither a coordinate of the layout nor one with `..` and ranges for the modes to keep",
    note = "a slice has the nesting of the shape, or a coarser one: `l.slice((1, ..))`; generic code names what it needs \
            as a bound: `L: Slice<(usize, RangeFull)>`, `L: Slice<Window<(usize, usize), Shape!((3, 4))>>`"
)]
pub trait Slice<C>: Layout {
    /// The layout of the kept modes.
    type Output: Layout;
    /// The slice, if the ranges lie within the layout. Otherwise any layout, or none.
    #[doc(hidden)]
    fn sliced(layout: Self, coordinate: C) -> (Self::Output, Self::Offset) {
        expect(Self::try_sliced(layout, coordinate))
    }
    #[doc(hidden)]
    fn try_sliced(layout: Self, coordinate: C)
    -> Result<(Self::Output, Self::Offset), LayoutError>;
    /// The kept layout alone: mixed strides have an offset of their own.
    #[doc(hidden)]
    fn try_kept(layout: Self, coordinate: C) -> Result<Self::Output, LayoutError> {
        Ok(Self::try_sliced(layout, coordinate)?.0)
    }
    /// [`try_kept`](Slice::try_kept) for ranges that lie within the layout; otherwise any layout,
    /// or none.
    #[doc(hidden)]
    #[inline(always)]
    fn kept(layout: Self, coordinate: C) -> Self::Output {
        Self::sliced(layout, coordinate).0
    }
    /// The first range that keeps no layout within its mode, or number that is not below the extent
    /// of its mode.
    #[doc(hidden)]
    #[inline(always)]
    fn misfit(layout: Self, coordinate: C) -> Option<Fault> {
        Self::try_sliced(layout, coordinate).err().map(|error| error.fault())
    }
}
/// The type of the modes of `L` that the coordinate `C` keeps.
///
/// ```
/// use core::ops::RangeFull;
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(Sliced<Layout!((4, 6):(1, 4)), (usize, RangeFull)>, Layout!(6:4));
/// ```
pub type Sliced<L, C> = <L as Slice<C>>::Output;

/// The layout of a window of the shape `W` at the coordinate `C` of the layout `L`.
///
/// ```
/// use layout_algebra::operation::Windowed;
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(
///     Windowed<Layout!((4, 6):(1, 4)), (usize, usize), Shape!((2, 3))>,
///     Layout!((2, 3):(1, 4)),
/// );
/// ```
pub type Windowed<L, C, W> = Sliced<L, Window<C, W>>;

/// Whether the profile of the coordinate `C` is that of the shape `S`, or a coarser one.
type Matched<C, S> = <<C as Nested>::Node as Relates<WeakCongruence, <S as Nested>::Node>>::Output;

impl<S: IntTuple, D: IntTuple, C: Nested + Clone> Slice<C> for StridedLayout<S, D>
where
    C::Node: Relates<WeakCongruence, S::Node, Output: CheckedSlice<C, S, D>>,
{
    type Output = <Matched<C, S> as CheckedSlice<C, S, D>>::Output;
    #[inline]
    fn sliced(layout: Self, coordinate: C) -> (Self::Output, usize) {
        Matched::<C, S>::slice_if(coordinate, layout)
    }
    #[inline]
    fn try_sliced(layout: Self, coordinate: C) -> Result<(Self::Output, usize), LayoutError> {
        Self::try_kept(layout, coordinate.clone())?;
        Ok(Self::sliced(layout, coordinate))
    }
    #[inline]
    fn try_kept(layout: Self, coordinate: C) -> Result<Self::Output, LayoutError> {
        match Matched::<C, S>::misfit::<false>(coordinate.clone(), layout) {
            None => Ok(Self::kept(layout, coordinate)),
            Some(fault) => Err(LayoutError::new("slice", fault).with_operand(&layout)),
        }
    }
    #[inline]
    fn kept(layout: Self, coordinate: C) -> Self::Output {
        Matched::<C, S>::keep(coordinate, layout)
    }
    #[inline(always)]
    fn misfit(layout: Self, coordinate: C) -> Option<Fault> {
        Matched::<C, S>::misfit::<true>(coordinate, layout)
    }
}

/// The slice `C` of the layout `S:D`; `self` says whether the profiles match.
pub trait CheckedSlice<C, S, D> {
    type Output: Layout;
    fn slice_if(coordinate: C, layout: StridedLayout<S, D>) -> (Self::Output, usize);
    fn keep(coordinate: C, layout: StridedLayout<S, D>) -> Self::Output;
    /// The first range that is none of its mode; with `NUMBERS`, or the first number that is not
    /// below the extent of its mode.
    fn misfit<const NUMBERS: bool>(coordinate: C, layout: StridedLayout<S, D>) -> Option<Fault>;
}
impl<C: Show, S: Show, D> CheckedSlice<C, S, D> for False
where
    Profiles: CoarserProfile<Shown<C>, Shown<S>>,
{
    type Output = RefusedLayout;
    #[inline]
    fn slice_if(_: C, _: StridedLayout<S, D>) -> (RefusedLayout, usize) {
        (RefusedLayout, 0)
    }
    fn keep(_: C, _: StridedLayout<S, D>) -> RefusedLayout {
        RefusedLayout
    }
    fn misfit<const NUMBERS: bool>(_: C, _: StridedLayout<S, D>) -> Option<Fault> {
        Some(Fault::NotWeaklyCongruent)
    }
}
impl<C: Show, W: Show, S: Show, D> CheckedSlice<Window<C, W>, S, D> for NoWindow
where
    Profiles: WindowProfile<Shown<C>, Shown<W>, Shown<S>>,
{
    type Output = RefusedLayout;
    #[inline]
    fn slice_if(_: Window<C, W>, _: StridedLayout<S, D>) -> (RefusedLayout, usize) {
        (RefusedLayout, 0)
    }
    fn keep(_: Window<C, W>, _: StridedLayout<S, D>) -> RefusedLayout {
        RefusedLayout
    }
    fn misfit<const NUMBERS: bool>(_: Window<C, W>, _: StridedLayout<S, D>) -> Option<Fault> {
        Some(Fault::NotWeaklyCongruent)
    }
}
impl<C: Nested<Node: KeepModes<S, D, Nil>> + Clone, S: Copy, D: Copy> CheckedSlice<C, S, D> for True
where
    <C::Node as KeepModes<S, D, Nil>>::Output: IntoTrees<Shape: IntTuple, Stride: IntTuple>,
{
    type Output = StridedLayout<
        <<C::Node as KeepModes<S, D, Nil>>::Output as IntoTrees>::Shape,
        <<C::Node as KeepModes<S, D, Nil>>::Output as IntoTrees>::Stride,
    >;
    #[inline]
    fn slice_if(coordinate: C, layout: StridedLayout<S, D>) -> (Self::Output, usize) {
        let (shape, stride) = layout.into_parts();
        let kept = Self::keep(coordinate.clone(), StridedLayout::assemble(shape, stride));
        // An empty slice has no elements, whatever its numbers are: it begins at 0.
        let empty = kept.shape().node().product() == Some(0);
        let offset = if empty { 0 } else { coordinate.node().fixed_offset(shape, stride) };
        (kept, offset)
    }
    #[inline]
    fn keep(coordinate: C, layout: StridedLayout<S, D>) -> Self::Output {
        let (shape, stride) = layout.into_parts();
        // The type alone gives the part of a static layout that numbers and `..` keep.
        let (kept, steps) = if const { size_of::<Self::Output>() == 0 } {
            (constant(), constant())
        } else {
            coordinate.node().keep_modes(shape, stride, Nil).into_trees()
        };
        StridedLayout::assemble(kept, steps)
    }
    #[inline]
    fn misfit<const NUMBERS: bool>(coordinate: C, layout: StridedLayout<S, D>) -> Option<Fault> {
        let (shape, stride) = layout.into_parts();
        coordinate.node().misfit::<NUMBERS>(shape, stride)
    }
}

/// The modes that the coordinate `self` keeps of the tree `S:D`, in front of `Tail`, and the offset
/// of the fixed modes.
pub trait KeepModes<S, D, Tail> {
    type Output;
    /// Whether there is anything other than `..`.
    const FIXES: bool = true;
    fn keep_modes(self, shape: S, stride: D, tail: Tail) -> Self::Output;
    fn fixed_offset(self, shape: S, stride: D) -> usize;
    /// The first range or window that does not lie within its mode, or keeps no layout; with
    /// `NUMBERS`, or the first number that is not below the extent of its mode.
    fn misfit<const NUMBERS: bool>(self, shape: S, stride: D) -> Option<Fault>;
}
impl<S, D, Tail> KeepModes<S, D, Tail> for Whole {
    type Output = Cons<Mode<S, D>, Tail>;
    const FIXES: bool = false;
    #[inline]
    fn keep_modes(self, shape: S, stride: D, tail: Tail) -> Self::Output {
        Cons { head: Mode { shape, stride }, tail }
    }
    #[inline]
    fn fixed_offset(self, _: S, _: D) -> usize {
        0
    }
    #[inline]
    fn misfit<const NUMBERS: bool>(self, _: S, _: D) -> Option<Fault> {
        None
    }
}
impl<S: IntTuple, D: IntTuple, Tail> KeepModes<S, D, Tail> for Interval {
    type Output = Cons<Mode<S::Dynamic, D>, Tail>;
    #[inline]
    fn keep_modes(self, shape: S, stride: D, tail: Tail) -> Self::Output {
        Cons { head: Mode { shape: self.cut(shape, stride.node()).0, stride }, tail }
    }
    #[inline]
    fn fixed_offset(self, shape: S, stride: D) -> usize {
        shape.node().offset(self, stride.node())
    }
    #[inline]
    fn misfit<const NUMBERS: bool>(self, shape: S, stride: D) -> Option<Fault> {
        self.cut(shape, stride.node()).1.err()
    }
}
impl<C: IntTuple, W: IntTuple, S: IntTuple, D: IntTuple, Tail> KeepModes<S, D, Tail>
    for Window<C, W>
{
    type Output = Cons<Mode<W, D>, Tail>;
    #[inline]
    fn keep_modes(self, _: S, stride: D, tail: Tail) -> Self::Output {
        Cons { head: Mode { shape: self.shape, stride }, tail }
    }
    #[inline]
    fn fixed_offset(self, shape: S, stride: D) -> usize {
        shape.node().offset(self.origin.node(), stride.node())
    }
    #[inline]
    fn misfit<const NUMBERS: bool>(self, shape: S, stride: D) -> Option<Fault> {
        let origin = shape.complete(self.origin.node());
        window_fits(origin.node(), self.shape.node(), shape.node(), stride.node()).err()
    }
}
impl<N, S: IntTuple, D: IntTuple, Tail> KeepModes<S, D, Tail> for Leaf<N>
where
    Self: Node,
{
    type Output = Tail;
    #[inline]
    fn keep_modes(self, _: S, _: D, tail: Tail) -> Tail {
        tail
    }
    #[inline]
    fn fixed_offset(self, shape: S, stride: D) -> usize {
        shape.node().offset(self, stride.node())
    }
    #[inline]
    fn misfit<const NUMBERS: bool>(self, shape: S, _: D) -> Option<Fault> {
        // If a mode has more elements than `usize` can count, each number is below its extent.
        let (number, extent) = (self.leaf(), shape.node().product()?);
        (NUMBERS && number >= extent).then_some(Fault::Outside { number, extent })
    }
}
impl<H, T, S: Nested, D: Nested, Tail> KeepModes<S, D, Tail> for Cons<H, T>
where
    Self: KeepEach<S::Node, D::Node, Tail>,
{
    type Output = <Self as KeepEach<S::Node, D::Node, Tail>>::Output;
    const FIXES: bool = <Self as KeepEach<S::Node, D::Node, Tail>>::FIXES;
    #[inline]
    fn keep_modes(self, shape: S, stride: D, tail: Tail) -> Self::Output {
        self.keep_each(shape.node(), stride.node(), tail)
    }
    #[inline]
    fn fixed_offset(self, shape: S, stride: D) -> usize {
        // Modes that are kept whole need no code.
        if const { !<Self as KeepEach<S::Node, D::Node, Tail>>::FIXES } {
            return 0;
        }
        self.fixed_offsets(shape.node(), stride.node())
    }
    #[inline]
    fn misfit<const NUMBERS: bool>(self, shape: S, stride: D) -> Option<Fault> {
        if const { !<Self as KeepEach<S::Node, D::Node, Tail>>::FIXES } {
            return None;
        }
        self.first_misfit::<NUMBERS>(shape.node(), stride.node())
    }
}

/// [`KeepModes`] for each item of a list.
pub trait KeepEach<S, D, Tail> {
    type Output;
    const FIXES: bool;
    fn keep_each(self, shape: S, stride: D, tail: Tail) -> Self::Output;
    fn fixed_offsets(self, shape: S, stride: D) -> usize;
    fn first_misfit<const NUMBERS: bool>(self, shape: S, stride: D) -> Option<Fault>;
}
impl<Tail> KeepEach<Nil, Nil, Tail> for Nil {
    type Output = Tail;
    const FIXES: bool = false;
    #[inline]
    fn keep_each(self, _: Nil, _: Nil, tail: Tail) -> Tail {
        tail
    }
    #[inline]
    fn fixed_offsets(self, _: Nil, _: Nil) -> usize {
        0
    }
    #[inline]
    fn first_misfit<const NUMBERS: bool>(self, _: Nil, _: Nil) -> Option<Fault> {
        None
    }
}
impl<H: Nested, T, S, ST, D, DT, Tail> KeepEach<Cons<S, ST>, Cons<D, DT>, Tail> for Cons<H, T>
where
    T: KeepEach<ST, DT, Tail>,
    H::Node: KeepModes<S, D, T::Output>,
{
    type Output = <H::Node as KeepModes<S, D, T::Output>>::Output;
    const FIXES: bool = <H::Node as KeepModes<S, D, T::Output>>::FIXES || T::FIXES;
    #[inline]
    fn keep_each(self, shape: Cons<S, ST>, stride: Cons<D, DT>, tail: Tail) -> Self::Output {
        let behind = self.tail.keep_each(shape.tail, stride.tail, tail);
        self.head.node().keep_modes(shape.head, stride.head, behind)
    }
    #[inline]
    fn fixed_offsets(self, shape: Cons<S, ST>, stride: Cons<D, DT>) -> usize {
        if const { !T::FIXES } {
            return self.head.node().fixed_offset(shape.head, stride.head);
        }
        let behind = self.tail.fixed_offsets(shape.tail, stride.tail);
        self.head.node().fixed_offset(shape.head, stride.head) + behind
    }
    #[inline]
    fn first_misfit<const NUMBERS: bool>(
        self,
        shape: Cons<S, ST>,
        stride: Cons<D, DT>,
    ) -> Option<Fault> {
        match self.head.node().misfit::<NUMBERS>(shape.head, stride.head) {
            None if const { T::FIXES } => {
                self.tail.first_misfit::<NUMBERS>(shape.tail, stride.tail)
            }
            found => found,
        }
    }
}

#[diagnostic::do_not_recommend]
impl<C> Slice<C> for RefusedLayout {
    type Output = RefusedLayout;
    fn try_sliced(layout: RefusedLayout, _: C) -> Result<(RefusedLayout, usize), LayoutError> {
        Ok((layout, 0))
    }
}
