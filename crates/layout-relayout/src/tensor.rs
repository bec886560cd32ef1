//! Relayouts of the crate's tensors.

use bytemuck::Pod;
use layout_algebra::tensor::{Addressable, StorageMut, StorageOf};
use layout_algebra::{DynComposedLayout, DynLayout, DynShape, Tensor, ToDynamic};

use crate::error::RelayoutError;
use crate::plan::Relayout;

/// Tensors that copy the elements of others by a plan. [`copy_from`](Tensor::copy_from) copies any
/// tensor, with loops that are compiled for the layouts.
pub trait RelayoutFrom<R, M> {
    /// Copies every element of `source`: `self[c] = source[c]`. Both shapes have the same
    /// coordinates.
    ///
    /// # Errors
    /// As [`Relayout::plan`], and `bounds` if a tensor is a tile that has elements of other tiles
    /// between its own.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_relayout::RelayoutFrom;
    /// let rows = Tensor::fixed([0, 1, 2, 3, 4, 5], layout!((2, 3): right));
    /// let mut columns = Tensor::fixed([0; 6], layout!((2, 3)));
    /// columns.relayout_from(&rows)?;
    /// assert_eq!(columns.into_storage(), [0, 3, 1, 4, 2, 5]);
    /// # Ok::<(), layout_relayout::RelayoutError>(())
    /// ```
    fn relayout_from(&mut self, source: &Tensor<R, M>) -> Result<(), RelayoutError>;
}

impl<S, L, R, M> RelayoutFrom<R, M> for Tensor<S, L>
where
    S: StorageMut<Item: Pod>,
    L: Addressable + ToDynamic<Dynamic: Into<DynComposedLayout>>,
    R: StorageOf<S::Item>,
    M: Addressable + ToDynamic<Dynamic: Into<DynComposedLayout>>,
{
    fn relayout_from(&mut self, source: &Tensor<R, M>) -> Result<(), RelayoutError> {
        let plan = Relayout::plan(source.layout(), self.layout(), size_of::<S::Item>())?;
        let side_by_side = |cosize: usize| DynLayout::left(&DynShape::from(cosize));
        let from = source.view().with_layout(side_by_side(plan.cosizes[0]))?;
        let mut to = self.view_mut().with_layout(side_by_side(plan.cosizes[1]))?;
        // Contiguous elements are a slice.
        plan.run(from.as_slice().unwrap_or_default(), to.as_mut_slice().unwrap_or_default())
    }
}
