//! Tensors over what other libraries hold, their views of tensors, and what they compute: the same elements, nothing
//! copied.

#[cfg(feature = "ndarray")]
mod arrays;
#[cfg(feature = "dlpack")]
mod dlpack;
#[cfg(feature = "faer")]
mod matrices;
#[cfg(feature = "matrixmultiply")]
mod product;

#[cfg(feature = "ndarray")]
pub use arrays::Axes;
#[cfg(feature = "dlpack")]
pub use dlpack::{DlpackElement, Managed, ManagedMut, ManagedTensor};
#[cfg(feature = "matrixmultiply")]
pub use product::MatrixElement;

use crate::error::Fault;
use crate::layout::flat::{LEAVES, Modes};
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::tensor::storage::Addressable;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::node::leaves;

/// A layout that is a list of leaves, each with an extent and a stride: any but a composed one. A view of another
/// library has an axis for each leaf.
///
/// ```
/// use layout_algebra::{prelude::*, tensor::HasAxes};
/// fn has_axes<L: HasAxes>(_: &L) {}
/// has_axes(&layout!((4, (2, 3))));
/// ```
#[diagnostic::on_unimplemented(
    message = "this has no axes with one stride each",
    label = "`{Self}`: not a list of extents and strides",
    note = "a composed layout has to be copied into a plain one first"
)]
pub trait HasAxes: Addressable {
    /// The leaves, the leftmost first, unless they are too many.
    #[doc(hidden)]
    fn axes_in_order(&self) -> Result<Modes, Fault>;
}
#[doc(hidden)]
impl<S: IntTuple, D: IntTuple> HasAxes for StridedLayout<S, D>
where
    Self: Addressable<Shape = S, Stride = D>,
{
    fn axes_in_order(&self) -> Result<Modes, Fault> {
        at_most_leaves(leaves::<S::Node>())?;
        Ok(Modes::NONE.of_values(self.shape().node(), self.stride().node()))
    }
}
#[cfg(feature = "alloc")]
#[doc(hidden)]
impl HasAxes for crate::dynamic::DynLayout {
    fn axes_in_order(&self) -> Result<Modes, Fault> {
        let (shape, stride) = (self.shape(), self.stride());
        at_most_leaves(shape.leaves().len())?;
        Ok(shape.leaves().iter().zip(stride.leaves()).fold(Modes::NONE, |modes, (&n, &d)| modes.push(n, d)))
    }
}

/// What [`Modes`] have room for.
fn at_most_leaves(count: usize) -> Result<(), Fault> {
    if count <= LEAVES { Ok(()) } else { Err(Fault::Leaves { limit: LEAVES }) }
}

/// Extents and strides as another library wants them: strides that move nothing are those of a compact array,
/// and all numbers fit `isize`.
fn axes(layout: &impl HasAxes) -> Result<Modes, Fault> {
    let mut modes = layout.axes_in_order()?;
    // Whatever its strides are, an empty layout reaches nothing, and an extent of 1 does not move.
    let empty = modes.extents[..modes.count].contains(&0);
    let (mut size, mut last) = (1usize, 0usize);
    for k in 0..modes.count {
        if empty || modes.extents[k] == 1 {
            modes.strides[k] = size;
        } else {
            let moved = (modes.extents[k] - 1).checked_mul(modes.strides[k]);
            last = moved.and_then(|moved| last.checked_add(moved)).ok_or(Fault::Overflow)?;
        }
        size = size.checked_mul(modes.extents[k].max(1)).ok_or(Fault::Overflow)?;
    }
    if size.max(last) > isize::MAX as usize { Err(Fault::Overflow) } else { Ok(modes) }
}

/// A matrix has two axes.
#[cfg(any(feature = "faer", feature = "matrixmultiply"))]
fn two_axes(layout: &impl HasAxes) -> Result<Modes, Fault> {
    let modes = axes(layout)?;
    if modes.count == 2 { Ok(modes) } else { Err(Fault::Rank { needed: 2, rank: modes.count }) }
}

/// A stride of an axis of `extent` elements; where it moves nothing, its sign says nothing.
#[cfg(any(feature = "ndarray", feature = "faer", feature = "dlpack"))]
fn forwards(axis: usize, extent: usize, stride: isize) -> Result<usize, Fault> {
    match usize::try_from(stride) {
        Ok(stride) => Ok(stride),
        Err(_) if extent <= 1 => Ok(0),
        Err(_) => Err(Fault::Backwards { axis, stride }),
    }
}
