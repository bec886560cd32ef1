//! Compact layouts of the same shape as a given layout, the leftmost mode fastest.

use crate::composed::{ComposedLayout, InnerLayout, OffsetMap};
#[cfg(feature = "alloc")]
use crate::dynamic::{DynLayout, DynShape};
use crate::layout::compact::{CompactLeft, LeftLayout};
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::list::Nested;
use crate::number::int::{False, True};
use crate::number::table::Number;
use crate::strides::layout::SignedLayout;
use crate::tensor::memory::{Addressable, StaticCosize};
use crate::tuple::int_tuple::IsStatic;

// ---- of any shape -------------------------------------------------------------------------------

/// A layout for which a compact layout of the same shape can be made.
///
/// `L.compact_like() = left(shape of L)`
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::CompactLike;
/// assert_eq!(layout!((2, 3):(12, 4)).compact_like(), layout!((2, 3):(1, 2)));
/// assert_eq!(
///     Swizzle::<1, 0, 1>::new().compose(layout!((2, 3):(12, 4))).compact_like(),
///     layout!((2, 3):(1, 2))
/// );
/// ```
#[diagnostic::on_unimplemented(
    message = "there is no compact layout of the same shape as this one",
    label = "not a layout of this crate",
    note = "generic code names what it needs as a bound: `L: CompactLike`"
)]
pub trait CompactLike: Addressable {
    /// The compact layout.
    type Compact: Addressable;
    /// The compact layout of the same shape.
    fn compact_like(&self) -> Self::Compact;
}
#[doc(hidden)]
impl<S: CompactLeft, D> CompactLike for StridedLayout<S, D>
where
    Self: Addressable + Layout<Shape = S>,
    LeftLayout<S>: Addressable,
{
    type Compact = LeftLayout<S>;
    #[inline]
    fn compact_like(&self) -> LeftLayout<S> {
        StridedLayout::left(self.shape())
    }
}
#[doc(hidden)]
impl<O: OffsetMap, F: Number, L: InnerLayout + CompactLike> CompactLike for ComposedLayout<O, F, L>
where
    Self: Addressable,
{
    type Compact = L::Compact;
    #[inline]
    fn compact_like(&self) -> L::Compact {
        self.inner().compact_like()
    }
}
#[doc(hidden)]
impl<O: OffsetMap, F: Number, S: CompactLeft, D> CompactLike
    for ComposedLayout<O, F, SignedLayout<S, D>>
where
    Self: Addressable + Layout<Shape = S>,
    LeftLayout<S>: Addressable,
{
    type Compact = LeftLayout<S>;
    #[inline]
    fn compact_like(&self) -> LeftLayout<S> {
        StridedLayout::left(self.shape())
    }
}
#[diagnostic::do_not_recommend]
impl CompactLike for RefusedLayout {
    type Compact = Self;
    fn compact_like(&self) -> Self {
        *self
    }
}
#[cfg(feature = "alloc")]
#[doc(hidden)]
impl CompactLike for DynLayout {
    type Compact = Self;
    fn compact_like(&self) -> Self {
        DynLayout::left(&self.shape())
    }
}

// ---- of a static shape --------------------------------------------------------------------------

/// The compact layout of a fragment of shape `S`. A shape known only at run time has no fragment,
/// and a refused layout here.
pub type FragmentLayout<S> = <S as FragmentShape>::Layout;

/// A shape that may be that of a fragment.
pub trait FragmentShape {
    type Layout: StaticCosize;
}
impl<S: CompactLeft + Nested<Node: IsStatic<Output: CheckedFragment<S>>>> FragmentShape for S {
    type Layout = <<S::Node as IsStatic>::Output as CheckedFragment<S>>::Layout;
}
#[cfg(feature = "alloc")]
impl FragmentShape for DynShape {
    type Layout = RefusedLayout;
}

/// The layout of a fragment of shape `S`, if `Self` is true.
pub trait CheckedFragment<S> {
    type Layout: StaticCosize;
}
impl<S: CompactLeft> CheckedFragment<S> for True
where
    LeftLayout<S>: StaticCosize,
{
    type Layout = LeftLayout<S>;
}
impl<S> CheckedFragment<S> for False {
    type Layout = RefusedLayout;
}

/// Holds for static shapes, whose fragment has the layout `Like`, and for layouts that were
/// rejected already. (The element `T` is a parameter so that the compiler reports this bound, and
/// not a missing method.)
#[diagnostic::on_unimplemented(
    message = "a number of this tensor's shape is known only at run time",
    label = "a fragment needs a shape whose every number is static",
    note = "`map` makes a tensor of any shape, on a `Vec`; `within` compares coordinates and stores nothing; a tile \
            has a static shape: `local_tile(tiler!(16, 8), ..)`"
)]
pub trait StaticShape<L, Like, T> {}
impl<L, S, D, T> StaticShape<L, StridedLayout<S, D>, T> for () {}
#[diagnostic::do_not_recommend]
impl<T> StaticShape<RefusedLayout, RefusedLayout, T> for () {}
