//! Whether two tensors have the same coordinates: the types compare how the shapes nest; the
//! extents are compared at run time.

use core::marker::PhantomData;

use crate::tensor::memory::promise::{Addressable, RejectedShape};

/// `L: SameShape<M>`: the shapes of the layouts `L` and `M` nest alike, so that each coordinate of
/// one may be a coordinate of the other: what [`Tensor::copy_from`](crate::Tensor::copy_from) and
/// [`Tensor::zip`](crate::Tensor::zip) ask for. Holds where
/// `M: Addressable<Coordinate = L::Coordinate>`.
///
/// `congruent(shape(L), shape(M))`
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::SameShape;
/// use static_assertions::{assert_impl_all, assert_not_impl_any};
/// assert_impl_all!(Layout!((4, 6)): SameShape<Layout!((4, _):(6, 1))>);
/// assert_not_impl_any!(Layout!((4, 6)): SameShape<Layout!((4, (2, 3)))>);
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot pair the elements of two tensors: their shapes are not known to nest alike",
    label = "elements are paired coordinate by coordinate",
    note = "generic code names what it needs as a bound: `M: Addressable<Coordinate = L::Coordinate>`"
)]
pub trait SameShape<M: Addressable>: Addressable {
    /// Whether the extents are equal too.
    #[doc(hidden)]
    fn same_extents(&self, other: &M) -> bool;
    /// The coordinate of the other layout as one of this layout; `None` for a rejected layout.
    #[doc(hidden)]
    fn same_coordinate(of_other: M::Coordinate) -> Option<Self::Coordinate>;
}
#[doc(hidden)]
impl<L: Addressable, M: Addressable> SameShape<M> for L
where
    L::Coordinate: SameNesting<M::Coordinate, L::ShownShape, M::ShownShape>,
{
    #[inline(always)]
    fn same_extents(&self, other: &M) -> bool {
        L::Coordinate::same_type(other.extents()).is_some_and(|extents| self.extents() == extents)
    }
    #[inline(always)]
    fn same_coordinate(of_other: M::Coordinate) -> Option<L::Coordinate> {
        L::Coordinate::same_type(of_other)
    }
}

/// For messages: the coordinates `C` of a shape shown as `T` are of the type `Self`, that of a
/// shape shown as `S`.
#[diagnostic::on_unimplemented(
    message = "cannot pair the elements of two tensors: the shapes {S} and {T} nest differently",
    label = "elements are paired coordinate by coordinate",
    note = "give both shapes the same tuples: `compose` with a layout of the wanted shape nests a tensor anew, \
            `layout!((4, 6))` for (4, 6)"
)]
pub trait SameNesting<C, S, T>: Sized {
    /// The coordinate itself; `None` for a rejected layout.
    fn same_type(coordinate: C) -> Option<Self>;
}
impl<C, S, T> SameNesting<C, S, T> for C {
    #[inline(always)]
    fn same_type(coordinate: C) -> Option<C> {
        Some(coordinate)
    }
}

/// Stands for no coordinates. With the impl above alone, rustc would take any type in this place
/// for the same type, and then report another one.
pub struct NoCoordinate<C>(PhantomData<C>);
impl<C, S, T> SameNesting<NoCoordinate<C>, S, T> for C {
    fn same_type(_: NoCoordinate<C>) -> Option<C> {
        None
    }
}

macro_rules! refused {
    ($($Item:ident $item:ident)+) => {
        impl<T, $($Item),+> SameNesting<($($Item,)+), RejectedShape, T> for usize {
            fn same_type(_: ($($Item,)+)) -> Option<usize> {
                None
            }
        }
        impl<S, $($Item),+> SameNesting<usize, S, RejectedShape> for ($($Item,)+) {
            fn same_type(_: usize) -> Option<Self> {
                None
            }
        }
    };
}
each_arity!(refused);
