//! The storage of a coordinate tensor: none, but for the coordinate where it begins.

use crate::tensor::memory::Tensor;

/// The coordinate where a coordinate tensor begins: a tensor on it holds no elements, its elements
/// are coordinates. CuTe's `ArithmeticTupleIterator`.
///
/// It is no [`Storage`](crate::tensor::Storage): no memory is reached through it, so it accepts
/// every layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corner<C>(pub(in crate::tensor) C);

impl<C, L> Tensor<Corner<C>, L> {
    /// The coordinates of the layout, moved by `corner`.
    #[inline(always)]
    pub(in crate::tensor) const fn from_corner(corner: C, layout: L) -> Self {
        Tensor { storage: Corner(corner), layout }
    }
}
