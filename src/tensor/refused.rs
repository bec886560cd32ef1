//! Coordinate tensors and ragged tiles that were refused: they do whatever the others can, so that one mistake is one error. No program that
//! compiles has one.

use core::iter::{Empty, empty};
use core::ops::Deref;

use crate::error::LayoutError;
use crate::stand_in::StandIn;
use crate::tensor::ragged::Ragged;
use crate::tensor::storage::{Corner, Storage, Tensor};

/// A refused coordinate tensor.
type Refused<O> = Tensor<Corner<O>, StandIn>;

#[doc(hidden)]
impl<O: Copy> Refused<O> {
    pub fn corner(&self) -> O {
        self.storage().0
    }
    pub fn shape(&self) -> usize {
        0
    }
    pub fn size(&self) -> usize {
        0
    }
    pub fn get<C>(&self, _: C) -> Option<O> {
        None
    }
    pub fn index<C>(&self, _: C) -> O {
        self.corner()
    }
    pub fn iter(&self) -> Empty<O> {
        empty()
    }
    pub fn slice<C>(&self, _: C) -> Self {
        *self
    }
    pub fn local_tile<X, C>(&self, _: X, _: C) -> Result<Self, LayoutError> {
        Ok(*self)
    }
    pub fn outer_partition<X, C>(&self, _: X, _: C) -> Result<Self, LayoutError> {
        Ok(*self)
    }
    pub fn local_partition<H>(&self, _: H, _: usize) -> Result<Self, LayoutError> {
        Ok(*self)
    }
    pub fn partition_tv<X, V>(&self, _: X, _: V, _: usize) -> Result<Self, LayoutError> {
        Ok(*self)
    }
    pub fn local_tile_by<X, C, P>(&self, _: X, _: C, _: P) -> Result<Self, LayoutError> {
        Ok(*self)
    }
    pub fn coalesce(self) -> Self {
        self
    }
    pub fn flatten(self) -> Self {
        self
    }
    pub fn transpose(self) -> Self {
        self
    }
    pub fn compose<B>(self, _: B) -> Self {
        self
    }
    pub fn logical_divide<B>(self, _: B) -> Self {
        self
    }
    pub fn zipped_divide<B>(self, _: B) -> Self {
        self
    }
    pub fn tiled_divide<B>(self, _: B) -> Self {
        self
    }
    pub fn flat_divide<B>(self, _: B) -> Self {
        self
    }
    pub fn round_up<B>(self, _: B) -> Self {
        self
    }
    pub fn predicates<X>(&self, _: X) -> Tensor<[bool; 0], StandIn> {
        Tensor::fixed([], *self.layout())
    }
    pub fn within<X>(self, _: X) -> Tensor<[bool; 0], StandIn> {
        self.predicates(())
    }
}

#[doc(hidden)]
impl<R: Storage, L, W: Deref<Target = Tensor<R, L>>, O> Ragged<W, Refused<O>> {
    pub fn coordinates(&self) -> &Refused<O> {
        self.cut()
    }
    pub fn shape(&self) -> usize {
        0
    }
    pub fn get<C>(&self, _: C) -> Option<&R::Item> {
        None
    }
    pub fn get_mut<C>(&mut self, _: C) -> Option<&mut R::Item> {
        None
    }
    pub fn for_each_mut<C>(&mut self, _: impl FnMut(C, &mut R::Item)) {}
    pub fn copy_to<T>(&self, _: &mut T) -> Result<(), LayoutError> {
        Ok(())
    }
    pub fn copy_from<T>(&mut self, _: &T) -> Result<(), LayoutError> {
        Ok(())
    }
}
