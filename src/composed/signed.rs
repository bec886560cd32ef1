//! Layouts with negative strides inside: moved, so that no offset lies below 0.
//!
//! ```text
//! C(c) = outer(offset + L(c))          offset >= base(L)
//! ```
//!
//! A slice without a negative stride has a plain inner layout, and is a plain layout if nothing
//! stands outside: rows of a matrix upside down are rows.

use typenum::{UInt, UTerm};

use super::ComposedLayout;
#[cfg(feature = "alloc")]
use super::DynComposedLayout;
use super::chain::Chain;
use super::outer::{InnerLayout, OffsetMap, Unswizzled, behind_itself};
use crate::algebra::modes::slice::Slice;
#[cfg(feature = "alloc")]
use crate::dynamic::DynLayout;
use crate::error::{Fault, LayoutError};
use crate::layout::print::HasTable;
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::list::{Cons, Leaf, Nested, Nil};
use crate::number::int::{And, False, True};
use crate::number::multiple::Multiple;
use crate::number::table::Number;
use crate::strides::flip::Flip;
use crate::strides::layout::SignedLayout;
use crate::strides::negative::{Neg, Signed};
use crate::swizzle::{DynSwizzle, Swizzle};
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::node::Node;
use crate::tuple::semimodule::Semimodule;

/// A layout with negative strides, moved: `C(c) = offset + L(c)`. The layout of a tensor that
/// counts backwards.
///
/// ```
/// use layout_algebra::composed::MovedLayout;
/// use layout_algebra::prelude::*;
/// let flipped: MovedLayout<usize, Shape!((4, 6)), _> = layout!((4, 6):(-1, 4)).moved();
/// assert_eq!((flipped.to_string().as_str(), flipped.cosize()), ("3 o (_4,_6):(-_1,_4)", 24));
/// assert_eq!((flipped.index((0, 0)), flipped.index((3, 0)), flipped.index((0, 5))), (3, 0, 23));
/// ```
pub type MovedLayout<F, S, D> = ComposedLayout<Unswizzled, F, SignedLayout<S, D>>;

impl<S: IntTuple, D: IntTuple> SignedLayout<S, D> {
    /// The layout moved by its base, so that its least offset is 0: what a tensor has as its
    /// layout.
    ///
    /// `l.moved()(c) == l(c) + l.base()`
    ///
    /// # Panics
    /// If the cosize leaves `usize`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::new(vec![0, 1, 2, 3], layout!(4:-1).moved())?;
    /// assert_eq!(t.iter().copied().collect::<Vec<_>>(), [3, 2, 1, 0]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    #[track_caller]
    pub fn moved(self) -> MovedLayout<usize, S, D> {
        ComposedLayout::new(Unswizzled, self.base(), self)
    }
}

#[doc(hidden)]
impl<S: IntTuple, D: IntTuple> InnerLayout for SignedLayout<S, D> {
    behind_itself! {}
    #[inline]
    fn base_and_cosize(&self) -> Option<(usize, usize)> {
        match self.shape().node().product()? {
            0 => Some((0, 0)),
            // The base is below the cosize.
            _ => Signed::cosize(self.shape().node().last_offset(self.stride().node()), 0)
                .map(|cosize| (self.base(), cosize)),
        }
    }
    #[inline(always)]
    fn moved(from: usize, by: isize) -> usize {
        from.wrapping_add_signed(by)
    }
    fn cosize_behind<O: OffsetMap>(&self, outer: &O, from: usize) -> usize {
        // Forwards, it has the same offsets, from the least one on.
        if self.size() == 0 { 0 } else { self.strided().cosize_behind(outer, from - self.base()) }
    }
}

impl<O: OffsetMap, F: Number, S: IntTuple, D: IntTuple, C: Clone> Slice<C>
    for ComposedLayout<O, F, SignedLayout<S, D>>
where
    SignedLayout<S, D>: Slice<C, Output: SlicedBehind<O>>,
{
    type Output = <<SignedLayout<S, D> as Slice<C>>::Output as SlicedBehind<O>>::Output;
    #[inline(always)]
    fn sliced(layout: Self, coordinate: C) -> (Self::Output, usize) {
        let (outer, offset, inner) = layout.into_parts();
        let (kept, fixed) = Slice::sliced(inner, coordinate);
        kept.sliced_behind(outer, <SignedLayout<S, D> as InnerLayout>::moved(offset.get(), fixed))
    }
    #[inline(always)]
    fn try_sliced(layout: Self, coordinate: C) -> Result<(Self::Output, usize), LayoutError> {
        match Slice::try_kept(layout.inner(), coordinate.clone()) {
            Ok(_) => Ok(Self::sliced(layout, coordinate)),
            Err(error) => Err(LayoutError::new("slice", error.fault()).with_operand(&layout)),
        }
    }
}

#[doc(hidden)]
impl<O: OffsetMap, F: Number, S: IntTuple, D: IntTuple> HasTable
    for ComposedLayout<O, F, SignedLayout<S, D>>
where
    StridedLayout<S, D>: HasTable,
{
    type Answer<T> = <StridedLayout<S, D> as HasTable>::Answer<T>;
    fn if_flat<T>(&self, make: impl FnOnce() -> T) -> Self::Answer<T> {
        self.inner().strided().if_flat(make)
    }
}

/// What a slice keeps, from `from` on and behind the function `O`.
pub trait SlicedBehind<O>: Layout {
    type Output: Layout<Offset = usize>;
    fn sliced_behind(self, outer: O, from: usize) -> (Self::Output, usize);
}
#[diagnostic::do_not_recommend]
impl<O> SlicedBehind<O> for RefusedLayout {
    type Output = RefusedLayout;
    fn sliced_behind(self, _: O, from: usize) -> (RefusedLayout, usize) {
        (self, from)
    }
}
impl<O, S: IntTuple, D: IntTuple> SlicedBehind<O> for SignedLayout<S, D>
where
    D: Nested<Node: IsForwards<Output: KeptAs<O, S, D>>>,
{
    type Output = <<D::Node as IsForwards>::Output as KeptAs<O, S, D>>::Output;
    #[inline(always)]
    fn sliced_behind(self, outer: O, from: usize) -> (Self::Output, usize) {
        <D::Node as IsForwards>::Output::kept_as(outer, from, self.strided())
    }
}

/// Are all strides natural numbers? Then no mode counts backwards.
pub trait IsForwards {
    type Output;
}
cases! { IsForwards:
    [] Nil => True;
    [] Leaf<UTerm> => True;
    [U, B] Leaf<UInt<U, B>> => True;
    [] Leaf<usize> => True;
    [F] Leaf<Multiple<F>> => True;
    [N] Leaf<Neg<N>> => False;
    [H: Nested<Node: IsForwards<Output: And<T::Output>>>, T: IsForwards] Cons<H, T>
        => <<H::Node as IsForwards>::Output as And<T::Output>>::Output;
}

/// The layout `S:D`, kept from a layout with negative strides; its inner layout is plain if `self`
/// is [`True`].
pub trait KeptAs<O, S, D> {
    type Output: Layout<Offset = usize>;
    fn kept_as(outer: O, from: usize, kept: StridedLayout<S, D>) -> (Self::Output, usize);
}
cases! { KeptAs::kept_as -> (Self::Output, usize):
    [O: OffsetMap, S: IntTuple, D: IntTuple] False, O, S, D => ComposedLayout<O, usize, SignedLayout<S, D>>,
        (outer: O, from: usize, kept: StridedLayout<S, D>) => {
            let inner = SignedLayout::assemble(kept);
            // The part of the offset that is added last, if no outer function stands in between.
            let above = if O::IS_NONE { from.saturating_sub(inner.base()) } else { 0 };
            (ComposedLayout::const_new(outer, from - above, inner), above)
        };
    [O: OutsideOf<S, D>, S, D] True, O, S, D => O::Output,
        (outer: O, from: usize, kept: StridedLayout<S, D>) => outer.outside_of(from, kept);
}

/// The function `self` outside of the plain layout `S:D`, from `from` on.
pub trait OutsideOf<S, D> {
    type Output: Layout<Offset = usize>;
    fn outside_of(self, from: usize, inner: StridedLayout<S, D>) -> (Self::Output, usize);
}
impl<S: IntTuple, D: IntTuple> OutsideOf<S, D> for Unswizzled {
    type Output = StridedLayout<S, D>;
    #[inline(always)]
    fn outside_of(self, from: usize, inner: StridedLayout<S, D>) -> (Self::Output, usize) {
        (inner, from)
    }
}
macro_rules! outside_of {
    ($([$($generic:tt)*] $outer:ty;)*) => {
        $(impl<S: IntTuple, D: IntTuple, $($generic)*> OutsideOf<S, D> for $outer
        where
            Self: OffsetMap,
        {
            type Output = ComposedLayout<Self, usize, StridedLayout<S, D>>;
            #[inline(always)]
            fn outside_of(self, from: usize, inner: StridedLayout<S, D>) -> (Self::Output, usize) {
                (ComposedLayout::const_new(self, from, inner), 0)
            }
        })*
    };
}
outside_of! {
    [const B: u32, const M: u32, const W: i32] Swizzle<B, M, W>; [] DynSwizzle; [A, B] Chain<A, B>;
}

// ---- one mode counted backwards -----------------------------------------------------------------

/// `L: FlipInMemory<I>`: mode `I` of a tensor under the layout can be counted backwards, over the
/// same elements.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::{composed::FlipInMemory, composed::MovedLayout};
/// use static_assertions::assert_type_eq_all;
/// type Flipped = <Layout!(4:1) as FlipInMemory<0>>::InMemory;
/// assert_eq!(layout!(4:1).flip::<0>().moved().index(3), 0);
/// fn is_same<T>(_: T, _: T) {}
/// is_same::<Option<Flipped>>(None, Some(layout!(4:-1).moved()));
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot flip: this layout has no mode {I} that can be counted backwards",
    label = "`{Self}`: a mode beyond the last one",
    note = "modes are counted from 0; generic code names what it needs as a bound: `L: FlipInMemory<0>`"
)]
pub trait FlipInMemory<const I: usize>: Layout {
    /// The layout of the same offsets.
    type InMemory: Layout<Offset = usize>;
    #[doc(hidden)]
    fn flipped_in_memory(self) -> Result<Self::InMemory, Fault>;
}

impl<S: IntTuple, D: IntTuple, const I: usize> FlipInMemory<I> for StridedLayout<S, D>
where
    Self: Flip<I, Output: InnerLayout>,
{
    type InMemory = <<Self as Flip<I>>::Output as InnerLayout>::Behind<Unswizzled, usize>;
    #[inline(always)]
    fn flipped_in_memory(self) -> Result<Self::InMemory, Fault> {
        Ok(self.flipped().behind(Unswizzled, self.last_of_mode() as usize))
    }
}
impl<O: OffsetMap, F: Number, L: InnerLayout, const I: usize> FlipInMemory<I>
    for ComposedLayout<O, F, L>
where
    L: Flip<I, Output: InnerLayout>,
{
    type InMemory = <L::Output as InnerLayout>::Behind<O, usize>;
    #[inline(always)]
    fn flipped_in_memory(self) -> Result<Self::InMemory, Fault> {
        let inner = self.inner();
        let from = self.offset().get().wrapping_add_signed(inner.last_of_mode());
        Ok(inner.flipped().behind(self.outer(), from))
    }
}
#[diagnostic::do_not_recommend]
impl<const I: usize> FlipInMemory<I> for RefusedLayout {
    type InMemory = Self;
    fn flipped_in_memory(self) -> Result<Self, Fault> {
        Ok(self)
    }
}
#[cfg(feature = "alloc")]
impl<const I: usize> FlipInMemory<I> for DynLayout {
    type InMemory = DynComposedLayout;
    fn flipped_in_memory(self) -> Result<DynComposedLayout, Fault> {
        FlipInMemory::<I>::flipped_in_memory(DynComposedLayout::const_new(
            DynSwizzle::IDENTITY,
            0,
            self,
        ))
    }
}
#[cfg(feature = "alloc")]
impl<const I: usize> FlipInMemory<I> for DynComposedLayout {
    type InMemory = DynComposedLayout;
    fn flipped_in_memory(self) -> Result<DynComposedLayout, Fault> {
        let from = self.inner_ref().last_of_mode_from(self.offset(), I)?;
        Ok(ComposedLayout::const_new(self.outer(), from, self.inner_ref().flipped(I)?))
    }
}
