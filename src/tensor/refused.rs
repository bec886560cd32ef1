//! Rejected coordinate tensors and ragged tiles. They have the methods of the accepted ones, so
//! that one mistake is one error. No program that compiles contains one.

use core::iter::{Empty, empty};
use core::ops::Deref;

use crate::error::LayoutError;
use crate::layout::refused_layout::RefusedLayout;
use crate::tensor::ragged::Ragged;
use crate::tensor::storage::{Corner, Storage, Tensor};

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
    fn index<C>(&self, _: C) -> O {
        self.corner()
    }
    fn iter(&self) -> Empty<O> {
        empty()
    }
    fn slice<C>(&self, _: C) -> Self {
        *self
    }
    fn local_tile<X, C>(&self, _: X, _: C) -> Result<Self, LayoutError> {
        Ok(*self)
    }
    fn outer_partition<X, C>(&self, _: X, _: C) -> Result<Self, LayoutError> {
        Ok(*self)
    }
    fn local_partition<H>(&self, _: H, _: usize) -> Result<Self, LayoutError> {
        Ok(*self)
    }
    fn partition_tv<X, V>(&self, _: X, _: V, _: usize) -> Result<Self, LayoutError> {
        Ok(*self)
    }
    fn local_tile_by<X, C, P>(&self, _: X, _: C, _: P) -> Result<Self, LayoutError> {
        Ok(*self)
    }
    fn coalesce(self) -> Self {
        self
    }
    fn flatten(self) -> Self {
        self
    }
    fn transpose(self) -> Self {
        self
    }
    fn compose<B>(self, _: B) -> Self {
        self
    }
    fn logical_divide<B>(self, _: B) -> Self {
        self
    }
    fn zipped_divide<B>(self, _: B) -> Self {
        self
    }
    fn tiled_divide<B>(self, _: B) -> Self {
        self
    }
    fn flat_divide<B>(self, _: B) -> Self {
        self
    }
    fn round_up<B>(self, _: B) -> Self {
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
    fn get_mut<C>(&mut self, _: C) -> Option<&mut T> {
        None
    }
    fn for_each_mut<C>(&mut self, _: impl FnMut(C, &mut T)) {}
    fn copy_to<X>(&self, _: &mut X) -> Result<(), LayoutError> {
        Ok(())
    }
    fn copy_from<X>(&mut self, _: &X) -> Result<(), LayoutError> {
        Ok(())
    }
}
impl<R: Storage, L, W: Deref<Target = Tensor<R, L>>, O> RejectedTile<R::Item, O>
    for Ragged<W, RejectedTensor<O>>
{
    fn coordinates(&self) -> &RejectedTensor<O> {
        self.cut()
    }
}
