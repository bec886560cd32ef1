//! Tensors on what other libraries hold, their views of tensors, and what they compute. The elements are the same;
//! nothing is copied.

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

#[cfg(any(feature = "ndarray", feature = "faer", feature = "dlpack"))]
use crate::composed::ComposedLayout;
use crate::composed::DynComposedLayout;
use crate::composed::MovedLayout;
#[cfg(any(feature = "ndarray", feature = "faer", feature = "dlpack"))]
use crate::dynamic::DynShape;
use crate::dynamic::{DynLayout, DynStride};
use crate::error::Fault;
#[cfg(any(feature = "ndarray", feature = "faer", feature = "dlpack"))]
use crate::error::LayoutError;
use crate::layout::flat::{LEAVES, Modes};
use crate::layout::strided::StridedLayout;
use crate::layout::traits::Layout;
use crate::number::table::{Number, StrideKind};
use crate::swizzle::DynSwizzle;
use crate::tensor::storage::Addressable;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::node::{Kind, Node, leaves};

/// A layout that is a list of leaves, each with an extent and a stride: any layout without a swizzle. A view of another
/// library has an axis for each leaf.
///
/// # Safety
/// The layout has an offset for each coordinate of these axes, and no others: from the least one on the sum of the
/// numbers times the strides, each number counted from the end where its axis goes backwards.
///
/// ```
/// use layout_algebra::{prelude::*, tensor::HasAxes};
/// fn has_axes<L: HasAxes>(_: &L) {}
/// has_axes(&layout!((4, (2, 3))));
/// has_axes(&layout!((4, (2, 3)):(-6, (3, 1))).moved());
/// ```
#[diagnostic::on_unimplemented(
    message = "this has no axes with one stride each",
    label = "`{Self}`: not a list of extents and strides",
    note = "a composed layout has to be copied into a plain one first"
)]
pub unsafe trait HasAxes: Addressable {
    /// The leaves, the leftmost first, unless they are too many.
    #[doc(hidden)]
    fn axes_in_order(&self) -> Result<AxesInOrder, Fault>;
}
/// Axes of memory, which begin at the least offset of a layout. `backwards` has a bit for each axis: the first element
/// of such an axis lies last in memory.
#[derive(Clone, Copy)]
pub struct AxesInOrder {
    modes: Modes,
    backwards: u64,
    least: usize,
}
impl AxesInOrder {
    fn forwards(modes: Modes) -> Self {
        AxesInOrder { modes, backwards: 0, least: 0 }
    }
    fn is_backwards(&self, axis: usize) -> bool {
        self.backwards >> axis & 1 == 1
    }
    /// The stride of an axis, which fits.
    #[cfg(any(feature = "faer", feature = "matrixmultiply", feature = "dlpack"))]
    fn stride(&self, axis: usize) -> isize {
        let stride = self.modes.strides[axis] as isize;
        if self.is_backwards(axis) { -stride } else { stride }
    }
    /// The offset of the first element.
    #[cfg(any(feature = "faer", feature = "matrixmultiply", feature = "dlpack"))]
    fn first(&self) -> usize {
        let back = (0..self.modes.count).filter(|&axis| self.is_backwards(axis));
        back.fold(self.least, |first, axis| first + (self.modes.extents[axis] - 1) * self.modes.strides[axis])
    }
}
// SAFETY: extents and strides are those of the leaves.
#[doc(hidden)]
unsafe impl<S: IntTuple, D: IntTuple> HasAxes for StridedLayout<S, D>
where
    Self: Addressable<Shape = S, Stride = D>,
{
    fn axes_in_order(&self) -> Result<AxesInOrder, Fault> {
        at_most_leaves(leaves::<S::Node>())?;
        Ok(AxesInOrder::forwards(Modes::NONE.of_values(self.shape().node(), self.stride().node())))
    }
}
// SAFETY: those of the leaves without signs, and which of them have one; the least offset is `f - base`.
#[doc(hidden)]
unsafe impl<F: Number, S: IntTuple, D: IntTuple> HasAxes for MovedLayout<F, S, D>
where
    Self: Addressable,
{
    fn axes_in_order(&self) -> Result<AxesInOrder, Fault> {
        /// The leaves with negative strides, the leftmost the lowest bit.
        fn signs<D: Node>() -> u64 {
            match D::KIND {
                Kind::Nil => 0,
                Kind::Leaf => u64::from(D::STRIDE == StrideKind::Negative),
                Kind::Cons => signs::<D::Head>() | signs::<D::Tail>() << leaves::<D::Head>(),
            }
        }
        at_most_leaves(leaves::<S::Node>())?;
        let (inner, backwards) = (self.inner(), signs::<D::Node>());
        let modes = Modes::NONE.of_values(inner.shape().node(), inner.stride().node());
        Ok(AxesInOrder { modes, backwards, least: self.offset().get().wrapping_sub(inner.base()) })
    }
}
// SAFETY: those of the leaves, and which of them go backwards; there are no XOR strides.
#[doc(hidden)]
unsafe impl HasAxes for DynLayout {
    fn axes_in_order(&self) -> Result<AxesInOrder, Fault> {
        let (shape, mut axes) = (self.shape(), AxesInOrder::forwards(Modes::NONE));
        at_most_leaves(shape.leaves().len())?;
        if self.has_xor_strides() {
            return Err(Fault::NoNaturalStrides);
        }
        for (axis, (&extent, stride)) in shape.leaves().iter().zip(self.strides()).enumerate() {
            axes.modes = axes.modes.push(extent, stride.number());
            axes.backwards |= u64::from(matches!(stride, DynStride::Negative(_))) << axis;
        }
        Ok(axes)
    }
}
/// Implemented for layouts without a swizzle.
// SAFETY: those of the inner layout, moved: there is no swizzle.
#[doc(hidden)]
unsafe impl HasAxes for DynComposedLayout {
    fn axes_in_order(&self) -> Result<AxesInOrder, Fault> {
        let inner = self.inner_ref();
        if self.outer() != DynSwizzle::IDENTITY {
            return Err(Fault::NoNaturalStrides);
        }
        Ok(AxesInOrder { least: self.offset().wrapping_sub(inner.base()), ..inner.axes_in_order()? })
    }
}

/// Ok if [`Modes`] has room for as many leaves.
fn at_most_leaves(count: usize) -> Result<(), Fault> {
    if count <= LEAVES { Ok(()) } else { Err(Fault::Leaves { limit: LEAVES }) }
}

/// Extents and strides as another library requires them: a stride that moves nothing is that of a compact array, and
/// all numbers fit `isize`.
fn axes(layout: &impl HasAxes) -> Result<AxesInOrder, Fault> {
    let mut axes = layout.axes_in_order()?;
    let modes = &mut axes.modes;
    // Whatever its strides are, an empty layout reaches nothing, and an extent of 1 does not move.
    let empty = modes.extents[..modes.count].contains(&0);
    if empty {
        axes.least = 0;
    }
    let (mut size, mut last) = (1usize, axes.least);
    for k in 0..modes.count {
        if empty || modes.extents[k] == 1 {
            modes.strides[k] = size;
            axes.backwards &= !(1 << k);
        } else {
            let moved = (modes.extents[k] - 1).checked_mul(modes.strides[k]);
            last = moved.and_then(|moved| last.checked_add(moved)).ok_or(Fault::Overflow)?;
        }
        size = size.checked_mul(modes.extents[k].max(1)).ok_or(Fault::Overflow)?;
    }
    if size.max(last) > isize::MAX as usize { Err(Fault::Overflow) } else { Ok(axes) }
}

/// A layout for extents and strides of another library, and how far its first element lies behind its least one.
#[cfg(any(feature = "ndarray", feature = "faer", feature = "dlpack"))]
fn signed(operation: &'static str, extents: &[usize], strides: &[isize]) -> Result<DynComposedLayout, LayoutError> {
    let shape = DynShape::tuple(extents.iter().map(|&extent| DynShape::from(extent)))?;
    let steps = extents.iter().zip(strides).map(|(&extent, &stride)| match extent {
        // What does not move has no sign.
        0 | 1 => DynStride::Natural(0),
        _ if stride < 0 => DynStride::Negative(stride.unsigned_abs()),
        _ => DynStride::Natural(stride as usize),
    });
    let layout = DynLayout::with_strides(&shape, steps)?;
    let moved = ComposedLayout::const_new(DynSwizzle::IDENTITY, layout.base(), layout);
    match moved.reach() {
        Some(_) => Ok(moved),
        None => Err(LayoutError::new(operation, Fault::Overflow).with_operand(&moved)),
    }
}

/// A matrix has two axes.
#[cfg(any(feature = "faer", feature = "matrixmultiply"))]
fn two_axes(layout: &impl HasAxes) -> Result<AxesInOrder, Fault> {
    let axes = axes(layout)?;
    let rank = axes.modes.count;
    if rank == 2 { Ok(axes) } else { Err(Fault::Rank { needed: 2, rank }) }
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
