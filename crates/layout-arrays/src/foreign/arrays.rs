//! `ndarray`: arrays as tensors with a mode for each axis, and tensors as views with an axis for
//! each leaf.

use alloc::string::ToString;

use layout_algebra::tensor::{Addressable, Storage, StorageMut, Tile, TileMut};
use layout_algebra::{DynLayout, StridedLayout, Tensor};
use ndarray::{
    ArrayBase, ArrayViewD, ArrayViewMutD, Axis, Data, DataMut, Dimension, IxDyn, ShapeBuilder,
    StrideShape,
};

use super::{
    AsTensor, AsTensorMut, TensorMut, TensorRef, first_and_axes, first_and_axes_mut, layout_of,
    tile, tile_mut,
};
use crate::axes::HasAxes;
use crate::error::ArrayError;
use crate::layout::{ArrayLayout, size_of_shape};

/// ```
/// use layout_arrays::foreign::AsTensor;
/// let image = ndarray::array![[0, 1, 2], [3, 4, 5]];
/// let turned = image.slice(ndarray::s![..;-1, ..;-1]);
/// let t = turned.as_tensor();
/// assert_eq!(t.layout().to_string(), "Sw<0,0,0> o 5 o (2,3):(-3,-1)");
/// assert_eq!((t[(0, 0)], t[(1, 2)]), (5, 0));
/// ```
impl<S: Data, D: Dimension> AsTensor for ArrayBase<S, D> {
    type Element = S::Elem;

    fn try_as_tensor(&self) -> Result<TensorRef<'_, S::Elem>, ArrayError> {
        // SAFETY: the array has the elements of its shape and its strides from its first one on,
        // and is borrowed as long as the tensor lives. (`Data` and `Dimension` are `ndarray`'s
        // alone.)
        unsafe { tile(self.as_ptr(), self.shape(), self.strides()) }
    }
}

/// ```
/// use layout_arrays::foreign::AsTensorMut;
/// let mut array = ndarray::Array2::zeros((2, 3));
/// array.slice_mut(ndarray::s![..;-1, ..]).as_tensor_mut()[(0, 1)] = 7;
/// assert_eq!(array, ndarray::array![[0, 0, 0], [0, 7, 0]]);
/// ```
impl<S: DataMut, D: Dimension> AsTensorMut for ArrayBase<S, D> {
    fn try_as_tensor_mut(&mut self) -> Result<TensorMut<'_, S::Elem>, ArrayError> {
        // The pointer first: this call makes a shared array unique.
        let first = self.as_mut_ptr();
        // SAFETY: as in `try_as_tensor`; the array is borrowed mutably, and no two of its elements
        // are one.
        unsafe { tile_mut(first, self.shape(), self.strides()) }
    }
}

/// A dimension of `ndarray`, and the layout of its arrays without negative strides: a layout with a
/// dynamic mode for each axis of `Ix1` to `Ix6`, and a `DynLayout` for `IxDyn`.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_arrays::foreign::Axes;
/// static_assertions::assert_type_eq_all!(<ndarray::Ix2 as Axes>::Layout, Layout!((_, _):(_, _)));
/// ```
#[diagnostic::on_unimplemented(
    message = "arrays of dimension `{Self}` have no layout of their own",
    label = "neither `Ix1` to `Ix6` nor `IxDyn`",
    note = "`array.view().into_dyn()` gives a `DynLayout`"
)]
pub trait Axes: Dimension {
    /// A mode for each axis.
    type Layout: Addressable;
    /// The layout of these axes.
    #[doc(hidden)]
    fn layout(axes: &ArrayLayout) -> Result<Self::Layout, ArrayError>;
}

fn forwards(axes: &ArrayLayout) -> Result<(), ArrayError> {
    match axes.strides().iter().position(|&stride| stride < 0) {
        Some(axis) => Err(ArrayError::Backwards { axis, stride: axes.strides()[axis] }),
        None => Ok(()),
    }
}

macro_rules! axes {
    ($($dimension:ident => $($axis:literal)*;)*) => {
        $(impl Axes for ndarray::$dimension {
            type Layout = StridedLayout<($(axes!(@usize $axis),)*), ($(axes!(@usize $axis),)*)>;
            fn layout(axes: &ArrayLayout) -> Result<Self::Layout, ArrayError> {
                forwards(axes)?;
                let (shape, strides) = (axes.shape(), axes.strides());
                let strides = ($(strides[$axis].unsigned_abs(),)*);
                Ok(StridedLayout::new(($(shape[$axis],)*), strides))
            }
        })*
    };
    (@usize $axis:literal) => { usize };
}
axes! {
    Ix1 => 0;
    Ix2 => 0 1;
    Ix3 => 0 1 2;
    Ix4 => 0 1 2 3;
    Ix5 => 0 1 2 3 4;
    Ix6 => 0 1 2 3 4 5;
}
impl Axes for IxDyn {
    type Layout = DynLayout;
    fn layout(axes: &ArrayLayout) -> Result<DynLayout, ArrayError> {
        forwards(axes)?;
        DynLayout::try_from(axes)
    }
}

/// The checked layout of an array without negative strides.
fn typed_layout<D: Axes>(shape: &[usize], strides: &[isize]) -> Result<D::Layout, ArrayError> {
    let layout = D::layout(&layout_of(shape, strides)?)?;
    layout.reach().ok_or(ArrayError::TooFar)?;
    Ok(layout)
}

/// Arrays as tensors whose rank is known at compile time.
pub trait NdarrayTensor<T, D: Axes> {
    /// The array as a tensor under the layout of its dimension.
    ///
    /// `a.as_typed_tensor()?[(i, j)] == a[[i, j]]`
    ///
    /// # Errors
    /// A negative stride, which [`as_tensor`](AsTensor::as_tensor) accepts.
    ///
    /// ```
    /// use layout_arrays::foreign::NdarrayTensor;
    /// let array = ndarray::array![[0, 1, 2], [3, 4, 5]];
    /// let columns = array.t();
    /// let t = columns.as_typed_tensor()?;
    /// assert_eq!(t.layout().to_string(), "(3,2):(1,3)");
    /// assert_eq!((t[(2, 0)], t[(2, 1)]), (2, 5));
    /// assert!(array.slice(ndarray::s![.., ..;-1]).as_typed_tensor().is_err());
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    fn as_typed_tensor(&self) -> Result<Tensor<Tile<'_, T>, D::Layout>, ArrayError>;
}
impl<S: Data, D: Axes> NdarrayTensor<S::Elem, D> for ArrayBase<S, D> {
    fn as_typed_tensor(&self) -> Result<Tensor<Tile<'_, S::Elem>, D::Layout>, ArrayError> {
        let layout = typed_layout::<D>(self.shape(), self.strides())?;
        // SAFETY: the layout has the array's extents and strides, so that its offsets are those of
        // the array's elements from its first one on. (Nobody implements `Axes` for another type:
        // `Dimension` is sealed.)
        Ok(unsafe { Tensor::from_raw_ref(self.as_ptr(), layout) })
    }
}

/// Arrays as mutable tensors whose rank is known at compile time. See [`NdarrayTensor`].
pub trait NdarrayTensorMut<T, D: Axes> {
    /// The array as a mutable tensor under the layout of its dimension.
    ///
    /// # Errors
    /// Those of [`as_typed_tensor`](NdarrayTensor::as_typed_tensor).
    ///
    /// ```
    /// use layout_arrays::foreign::NdarrayTensorMut;
    /// let mut array = ndarray::Array2::zeros((2, 3));
    /// array.as_typed_tensor_mut()?.for_each_mut(|(i, j), x| *x = 10 * i + j);
    /// assert_eq!(array, ndarray::array![[0, 1, 2], [10, 11, 12]]);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    fn as_typed_tensor_mut(&mut self) -> Result<Tensor<TileMut<'_, T>, D::Layout>, ArrayError>;
}
impl<S: DataMut, D: Axes> NdarrayTensorMut<S::Elem, D> for ArrayBase<S, D> {
    fn as_typed_tensor_mut(
        &mut self,
    ) -> Result<Tensor<TileMut<'_, S::Elem>, D::Layout>, ArrayError> {
        let first = self.as_mut_ptr();
        let layout = typed_layout::<D>(self.shape(), self.strides())?;
        // SAFETY: as in `as_typed_tensor`; the array is borrowed mutably, and no two of its
        // elements are one.
        Ok(unsafe { Tensor::from_raw(first, layout) })
    }
}

/// The axes with absolute strides, the distance from the first element back to the least address,
/// and the axes with negative strides. The bytes from the least address to the largest fit `isize`,
/// as `ndarray` requires, also for an empty array, which has compact strides.
struct Forwards {
    axes: StrideShape<IxDyn>,
    back: usize,
    backwards: u64,
}

fn axes_forwards<T>(axes: &ArrayLayout) -> Result<Forwards, ArrayError> {
    let (mut reach, mut back, mut backwards) = (0usize, 0, 0u64);
    for (axis, (&extent, &stride)) in axes.shape().iter().zip(axes.strides()).enumerate() {
        let steps = extent.saturating_sub(1).checked_mul(stride.unsigned_abs());
        let steps = steps.ok_or(ArrayError::TooFar)?;
        reach = reach.checked_add(steps).ok_or(ArrayError::TooFar)?;
        if stride < 0 {
            (back, backwards) = (back + steps, backwards | 1 << axis);
        }
    }
    size_of_shape(axes.shape())?;
    match reach.checked_mul(size_of::<T>()) {
        Some(bytes) if isize::try_from(bytes).is_ok() => {}
        _ => return Err(ArrayError::TooFar),
    }
    let strides: alloc::vec::Vec<_> =
        axes.strides().iter().map(|step| step.unsigned_abs()).collect();
    Ok(Forwards { axes: IxDyn(axes.shape()).strides(IxDyn(&strides)), back, backwards })
}

/// Tensors as views of `ndarray`.
pub trait ToNdarray<T> {
    /// The tensor as an array view, with an axis for each leaf of its layout, inverted if the
    /// stride is negative. `into_dimensionality` makes the number of axes static.
    ///
    /// `t.to_ndarray()?[[i, j]] == t[(i, j)]`
    ///
    /// # Errors
    /// A swizzle, more than 32 leaves, and a size in bytes beyond `isize`, where extents of 0 count
    /// as 1.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_arrays::foreign::ToNdarray;
    /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5], layout!((2, (3, 1)):(3, (1, 0))));
    /// assert_eq!(t.to_ndarray()?, ndarray::array![[[0], [1], [2]], [[3], [4], [5]]].into_dyn());
    /// let turned = t.flip::<0>();
    /// assert_eq!(turned.to_ndarray()?, ndarray::array![[[3], [4], [5]], [[0], [1], [2]]].into_dyn());
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    fn to_ndarray(&self) -> Result<ArrayViewD<'_, T>, ArrayError>;
}
impl<S: Storage, L: HasAxes> ToNdarray<S::Item> for Tensor<S, L> {
    fn to_ndarray(&self) -> Result<ArrayViewD<'_, S::Item>, ArrayError> {
        let (first, axes) = first_and_axes(self)?;
        let Forwards { axes, back, backwards } = axes_forwards::<S::Item>(&axes)?;
        // SAFETY: an axis has the extent of a leaf and the stride without its sign, so that from
        // the least offset on the elements are those of the layout, which may be read while the
        // tensor is borrowed; all lie in one allocation, and `axes_forwards` has checked sizes and
        // offsets, of an empty tensor too.
        let mut view = unsafe { ArrayViewD::from_shape_ptr(axes, first.wrapping_sub(back)) };
        let all = (0..view.ndim()).filter(|&axis| backwards >> axis & 1 == 1);
        all.for_each(|axis| view.invert_axis(Axis(axis)));
        Ok(view)
    }
}

/// Tensors as mutable views of `ndarray`. See [`ToNdarray`].
pub trait ToNdarrayMut<T> {
    /// The tensor as a mutable view of an array, with an axis for each leaf of its layout.
    ///
    /// # Errors
    /// Those of [`to_ndarray`](ToNdarray::to_ndarray); two coordinates that share an element; axes
    /// that interleave, which `ndarray` does not allow in a mutable array.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_arrays::foreign::ToNdarrayMut;
    /// let mut t = Tensor::filled(layout!((2, 3): right), 0);
    /// t.to_ndarray_mut()?.index_axis_mut(ndarray::Axis(0), 1).fill(7);
    /// assert_eq!(t.into_storage(), [0, 0, 0, 7, 7, 7]);
    /// assert!(Tensor::fixed([0; 3], layout!((2, 3):(0, 1))).to_ndarray_mut().is_err());
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    fn to_ndarray_mut(&mut self) -> Result<ArrayViewMutD<'_, T>, ArrayError>;
}
impl<S: StorageMut, L: HasAxes> ToNdarrayMut<S::Item> for Tensor<S, L> {
    fn to_ndarray_mut(&mut self) -> Result<ArrayViewMutD<'_, S::Item>, ArrayError> {
        let (first, axes) = first_and_axes_mut(self)?;
        if !axes.is_apart() {
            return Err(ArrayError::Overlap { layout: axes.to_string() });
        }
        let Forwards { axes, back, backwards } = axes_forwards::<S::Item>(&axes)?;
        // SAFETY: as in `to_ndarray`; no two coordinates share an element, and the tensor is
        // borrowed mutably.
        let mut view = unsafe { ArrayViewMutD::from_shape_ptr(axes, first.wrapping_sub(back)) };
        let all = (0..view.ndim()).filter(|&axis| backwards >> axis & 1 == 1);
        all.for_each(|axis| view.invert_axis(Axis(axis)));
        Ok(view)
    }
}
