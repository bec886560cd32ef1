//! Equal tensors: the same shape, and equal elements at each coordinate.

use crate::tensor::coordinates::CoordinateTensor;
use crate::tensor::storage::{Addressable, SameShape, Storage, Tensor};
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::profile::equal;

/// Two tensors are equal if their shapes are equal and their elements at each coordinate are equal, wherever the
/// elements lie in memory.
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
impl<S, L, R, M> PartialEq<Tensor<R, M>> for Tensor<S, L>
where
    S: Storage<Item: PartialEq<R::Item>>,
    L: SameShape<M>,
    R: Storage,
    M: Addressable,
{
    fn eq(&self, other: &Tensor<R, M>) -> bool {
        self.layout().same_extents(other.layout()) && self.iter().zip(other).all(|(a, b)| a == b)
    }
}
impl<S: Storage<Item: Eq>, L: SameShape<L>> Eq for Tensor<S, L> {}

/// Equal if the shapes are equal, and so are the coordinates that are the elements.
impl<T: IntTuple, S: IntTuple, D: IntTuple> PartialEq for CoordinateTensor<T, S, D> {
    fn eq(&self, other: &Self) -> bool {
        equal(self.shape().node(), other.shape().node()) && self.iter().eq(other.iter())
    }
}
