//! Rejected coordinate tensors and ragged tiles. They have the methods of the accepted ones, so
//! that one mistake is one error. No program that compiles contains one.

use core::ops::Deref;

use crate::error::LayoutError;
use crate::layout::refused_layout::RefusedLayout;
use crate::tensor::{Corner, Ragged, Storage, Tensor};

/// A rejected coordinate tensor.
type RejectedTensor<O> = Tensor<Corner<O>, RefusedLayout>;

/// The methods stand in a trait, so that those of a coordinate tensor come first as long as the
/// compiler does not know its layout.
#[doc(hidden)]
pub trait RejectedCoordinates<O>: Copy {
    fn corner(&self) -> O;
    fn shape(&self) -> usize {
        0
    }
    fn size(&self) -> usize {
        0
    }
    fn get<C>(&self, _: C) -> Option<O> {
        None
    }
    fn local_tile<X, C>(&self, _: X, _: C) -> Result<Self, LayoutError> {
        Ok(*self)
    }
    fn zipped_divide<B>(self, _: B) -> Self {
        self
    }
    fn predicates<X>(&self, _: X) -> Tensor<[bool; 0], RefusedLayout> {
        Tensor::fixed([], RefusedLayout)
    }
    fn within<X>(self, _: X) -> Tensor<[bool; 0], RefusedLayout> {
        self.predicates(())
    }
}
impl<O: Copy> RejectedCoordinates<O> for RejectedTensor<O> {
    fn corner(&self) -> O {
        self.storage().0
    }
}

/// See [`RejectedCoordinates`].
#[doc(hidden)]
pub trait RejectedTile<T, O> {
    fn coordinates(&self) -> &RejectedTensor<O>;
    fn shape(&self) -> usize {
        0
    }
    fn get<C>(&self, _: C) -> Option<&T> {
        None
    }
}
impl<R: Storage, L, W: Deref<Target = Tensor<R, L>>, O> RejectedTile<R::Item, O>
    for Ragged<W, RejectedTensor<O>>
{
    fn coordinates(&self) -> &RejectedTensor<O> {
        self.cut()
    }
}
