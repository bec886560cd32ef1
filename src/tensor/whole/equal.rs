//! Equal tensors: the same shape, and equal elements at each coordinate.

use crate::tensor::{Addressable, CoordinateTensor, SameShape, Storage, Tensor};
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::profile::equal;

/// Two tensors are equal if their shapes are equal and their elements at each coordinate are equal,
/// wherever the elements lie in memory.
///
/// `(t == u) == (shape(t) == shape(u) and t[c] == u[c] for all c)`
///
/// ```
/// use layout_algebra::prelude::*;
/// let rows = Tensor::fixed([1, 2, 3, 4, 5, 6], layout!((2, 3): right));
/// let columns = Tensor::fixed([1, 4, 2, 5, 3, 6], layout!((2, 3)));
/// assert_eq!(rows, columns);
/// assert_ne!(rows.slice((0, ..)), rows.slice((1, ..)));
/// let n = 2;
/// assert_ne!(rows, Tensor::new(vec![1, 4, 2, 5], layout!((2, n)))?);
/// # Ok::<(), LayoutError>(())
/// ```
///
/// ```compile_fail,E0277
/// use layout_algebra::prelude::*;
/// // The shapes (N<4>, N<6>) and (N<4>, (N<2>, N<3>)) nest differently.
/// Tensor::fixed([0; 24], layout!((4, 6))) == Tensor::fixed([0; 24], layout!((4, (2, 3))));
/// ```
impl<S, L, U: ComparesWithTensor<S, L>> PartialEq<U> for Tensor<S, L> {
    fn eq(&self, other: &U) -> bool {
        other.equals(self)
    }
}
/// What stands on the right of `==` with a tensor. With a tensor in its place, rustc would want one
/// and say no more.
#[diagnostic::on_unimplemented(
    message = "a tensor is compared with a tensor, and this is none",
    label = "`{Self}`: elements without a layout",
    note = "`t.into_storage() == v` compares the elements as they lie in memory, `t.iter().eq(&v)` in the order of the \
            coordinates"
)]
pub trait ComparesWithTensor<S, L> {
    fn equals(&self, left: &Tensor<S, L>) -> bool;
}
impl<S, L, R, M> ComparesWithTensor<S, L> for Tensor<R, M>
where
    S: Storage<Item: PartialEq<R::Item>>,
    L: SameShape<M>,
    R: Storage,
    M: Addressable,
{
    fn equals(&self, left: &Tensor<S, L>) -> bool {
        left.layout().same_extents(self.layout()) && left.iter().zip(self).all(|(a, b)| a == b)
    }
}
impl<S: Storage<Item: Eq>, L: SameShape<L>> Eq for Tensor<S, L> {}

/// Equal if the shapes are equal, and so are the coordinates that are the elements.
impl<T: IntTuple, S: IntTuple, D: IntTuple> PartialEq for CoordinateTensor<T, S, D> {
    fn eq(&self, other: &Self) -> bool {
        equal(self.shape().node(), other.shape().node()) && self.iter().eq(other.iter())
    }
}
