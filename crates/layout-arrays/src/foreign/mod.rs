//! Arrays of other libraries as tensors, tensors as arrays of other libraries, and functions of
//! other libraries on tensors. Nothing is copied.
//!
//! ```text
//! a.as_tensor()[(i, j)] == a[(i, j)]          t.to_ndarray()?[[i, j]] == t[(i, j)]
//! ```

#![allow(dead_code, reason = "each feature uses a part of this file")]

#[cfg(feature = "ndarray")]
mod arrays;
#[cfg(feature = "dlpack")]
mod dlpack;
#[cfg(feature = "gemm")]
pub(crate) mod gemm;
#[cfg(any(feature = "image", feature = "imgref"))]
mod images;
#[cfg(any(feature = "faer", feature = "nalgebra"))]
mod matrices;
#[cfg(feature = "matrixmultiply")]
mod product;

#[cfg(feature = "ndarray")]
pub use arrays::{Axes, NdarrayTensor, NdarrayTensorMut, ToNdarray, ToNdarrayMut};
#[cfg(feature = "dlpack")]
pub use dlpack::{
    DlpackElement, IntoDlpack, IntoDlpackReadOnly, Managed, ManagedMut, ManagedTensor, from_dlpack,
    from_dlpack_mut,
};
/// The structures of DLPack, from the crate `dlpack-rs`.
#[cfg(feature = "dlpack")]
pub use dlpack_rs::ffi;
#[cfg(feature = "gemm")]
pub use gemm::ContractionElement;
#[cfg(feature = "image")]
pub use images::{ToFlatSamples, ToFlatSamplesMut};
#[cfg(feature = "imgref")]
pub use images::{ToImgref, ToImgrefMut};
#[cfg(feature = "faer")]
pub use matrices::{ToFaer, ToFaerMut};
#[cfg(feature = "nalgebra")]
pub use matrices::{ToNalgebra, ToNalgebraMut};
#[cfg(feature = "matrixmultiply")]
pub use product::{MatrixElement, MatrixMultiply};

use layout_algebra::tensor::{Storage, StorageMut, Tile, TileMut};
use layout_algebra::{DynComposedLayout, Tensor};

use crate::axes::HasAxes;
use crate::error::ArrayError;
use crate::layout::{ArrayLayout, fill_row_major};

/// A tensor over another library's elements.
///
/// ```
/// use layout_arrays::foreign::{AsTensor, TensorRef};
/// fn corner(t: &TensorRef<'_, f32>) -> f32 {
///     t[(0, 0)]
/// }
/// assert_eq!(corner(&ndarray::Array2::ones((2, 3)).as_tensor()), 1.0);
/// ```
pub type TensorRef<'a, T> = Tensor<Tile<'a, T>, DynComposedLayout>;
/// A mutable tensor over another library's elements.
///
/// ```
/// use layout_arrays::foreign::{AsTensorMut, TensorMut};
/// fn clear_corner(t: &mut TensorMut<'_, f32>) {
///     t[(0, 0)] = 0.0;
/// }
/// let mut array = ndarray::Array2::ones((2, 3));
/// clear_corner(&mut array.as_tensor_mut());
/// assert_eq!(array[[0, 0]], 0.0);
/// ```
pub type TensorMut<'a, T> = Tensor<TileMut<'a, T>, DynComposedLayout>;

/// Views an array of another library as a tensor, without a copy: a mode for each axis, with
/// strides of either sign.
///
/// Law: `a.as_tensor()[(i, j)] == a[(i, j)]`, at the same address. The tensor begins at the element
/// with the least address.
///
/// Implemented for the arrays of `ndarray`, the matrices of `faer` and of `nalgebra`, the pictures
/// of `image` (rows, columns, channels) and of `imgref` (rows, columns), each with the feature of
/// its name.
///
/// ```
/// use layout_arrays::foreign::{AsTensor, AsTensorMut};
/// let pixels = imgref::Img::new_stride(vec![0, 1, 9, 2, 3, 9], 2, 2, 3);
/// let t = pixels.as_tensor(); // rows, columns
/// assert_eq!((t[(0, 1)], t[(1, 0)]), (1, 2));
///
/// let mut samples = image::GrayImage::new(4, 2).into_flat_samples();
/// samples.as_tensor_mut()[(1, 2, 0)] = 7; // rows, columns, channels
/// assert_eq!(samples.samples[6], 7);
/// ```
pub trait AsTensor {
    /// The type of the elements.
    type Element;

    /// The array as a tensor, or an error.
    ///
    /// # Errors
    /// More than 32 axes; offsets that do not fit `isize`, which is possible only for zero-sized
    /// elements; a picture with less memory than its layout needs.
    fn try_as_tensor(&self) -> Result<TensorRef<'_, Self::Element>, ArrayError>;

    /// The array as a tensor.
    ///
    /// # Panics
    /// If [`try_as_tensor`](Self::try_as_tensor) returns an error.
    #[track_caller]
    fn as_tensor(&self) -> TensorRef<'_, Self::Element> {
        match self.try_as_tensor() {
            Ok(tensor) => tensor,
            Err(error) => panic!("this array is no tensor: {error}"),
        }
    }
}

/// Views an array of another library as a mutable tensor. See [`AsTensor`].
pub trait AsTensorMut: AsTensor {
    /// The array as a mutable tensor, or an error.
    ///
    /// # Errors
    /// Those of [`try_as_tensor`](AsTensor::try_as_tensor).
    fn try_as_tensor_mut(&mut self) -> Result<TensorMut<'_, Self::Element>, ArrayError>;

    /// The array as a mutable tensor.
    ///
    /// # Panics
    /// If [`try_as_tensor_mut`](Self::try_as_tensor_mut) returns an error.
    #[track_caller]
    fn as_tensor_mut(&mut self) -> TensorMut<'_, Self::Element> {
        match self.try_as_tensor_mut() {
            Ok(tensor) => tensor,
            Err(error) => panic!("this array is no tensor: {error}"),
        }
    }
}

/// The layout of another library's extents and strides, relative to the element with the least
/// address: its offset is the distance from there to the element at coordinate 0.
fn layout_of(shape: &[usize], strides: &[isize]) -> Result<ArrayLayout, ArrayError> {
    let mut layout = ArrayLayout::from_parts(shape, &[0; 32][..shape.len().min(32)], 0)?;
    if layout.size() == 0 {
        return Ok(layout);
    }
    let mut first = 0usize;
    for ((slot, &extent), &stride) in
        layout.strides.as_mut_slice().iter_mut().zip(shape).zip(strides)
    {
        // The stride of an axis of one element is ignored.
        if extent > 1 {
            *slot = stride;
        }
        if extent > 1 && stride < 0 {
            let back = (extent - 1).checked_mul(stride.unsigned_abs());
            first = back.and_then(|back| first.checked_add(back)).ok_or(ArrayError::TooFar)?;
        }
    }
    ArrayLayout::from_parts(layout.shape(), layout.strides(), first)
}

/// A tensor over another library's elements.
///
/// # Safety
/// For `'a`, the element at `first + sum c_k * strides[k]` may be read for every coordinate below
/// the shape, and nobody writes to it.
unsafe fn tile<'a, T>(
    first: *const T,
    shape: &[usize],
    strides: &[isize],
) -> Result<TensorRef<'a, T>, ArrayError> {
    let layout = layout_of(shape, strides)?;
    let least = first.wrapping_sub(layout.offset());
    // SAFETY: the layout has these extents and strides and this offset, and the element with the
    // least address lies `offset` before the first one; the stride of an axis of one element does
    // not matter.
    Ok(unsafe { Tensor::from_raw_ref(least, (&layout).into()) })
}

/// A mutable tensor over another library's elements.
///
/// # Safety
/// As [`tile`]; the elements may be written, and are not accessed in any other way for `'a`.
unsafe fn tile_mut<'a, T>(
    first: *mut T,
    shape: &[usize],
    strides: &[isize],
) -> Result<TensorMut<'a, T>, ArrayError> {
    let layout = layout_of(shape, strides)?;
    let least = first.wrapping_sub(layout.offset());
    // SAFETY: as in `tile`.
    Ok(unsafe { Tensor::from_raw(least, (&layout).into()) })
}

/// The axes of a tensor for another library: an axis of one element gets the stride of a compact
/// array, and an empty tensor begins at offset 0.
fn axes_for_others(layout: &impl HasAxes) -> Result<ArrayLayout, ArrayError> {
    let mut axes = layout.axes()?;
    let (shape, empty) = (axes.shape.clone(), axes.size() == 0);
    let mut compact = ArrayLayout::zeros(axes.rank())?.strides;
    fill_row_major(shape.as_slice(), compact.as_mut_slice());
    let slots = axes.strides.as_mut_slice().iter_mut().zip(compact.as_slice());
    for ((stride, &compact), &extent) in slots.zip(shape.as_slice()) {
        if empty || extent == 1 {
            *stride = compact;
        }
    }
    if empty {
        axes.offset = 0;
    }
    Ok(axes)
}

/// The axes of a tensor, and its first element.
fn first_and_axes<S: Storage, L: HasAxes>(
    tensor: &Tensor<S, L>,
) -> Result<(*const S::Item, ArrayLayout), ArrayError> {
    let axes = axes_for_others(tensor.layout())?;
    Ok((tensor.view().into_storage().base().wrapping_add(axes.offset()), axes))
}

/// The axes of a tensor, whose coordinates may not share elements, and its first element, mutable.
fn first_and_axes_mut<S: StorageMut, L: HasAxes>(
    tensor: &mut Tensor<S, L>,
) -> Result<(*mut S::Item, ArrayLayout), ArrayError> {
    let axes = axes_for_others(tensor.layout())?;
    if axes.overlaps() {
        return Err(ArrayError::Overlap { layout: alloc::string::ToString::to_string(&axes) });
    }
    Ok((tensor.view_mut().into_storage().base_mut().wrapping_add(axes.offset()), axes))
}

/// Two extents and two strides.
fn two_axes(axes: &ArrayLayout) -> Result<([usize; 2], [isize; 2]), ArrayError> {
    match (axes.shape(), axes.strides()) {
        (&[m, n], &[d, e]) => Ok(([m, n], [d, e])),
        _ => Err(ArrayError::Rank { needed: 2, rank: axes.rank() }),
    }
}

/// Strides as natural numbers, for libraries without negative strides.
fn forwards(strides: [isize; 2]) -> Result<[usize; 2], ArrayError> {
    let mut found = [0; 2];
    for (axis, (slot, stride)) in found.iter_mut().zip(strides).enumerate() {
        *slot = usize::try_from(stride).map_err(|_| ArrayError::Backwards { axis, stride })?;
    }
    Ok(found)
}
