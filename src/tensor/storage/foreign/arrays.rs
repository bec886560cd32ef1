//! `ndarray`: a view of an array is a tensor with a mode for each axis, and a tensor is a
//! view with an axis for each leaf.
//!
//! ```text
//! from_ndarray(a)[(i, j)] == a[[i, j]]          t.ndarray()[[i, j, k]] == t[(i, (j, k))]
//! ```

use ndarray::{ArrayView, ArrayViewD, ArrayViewMut, ArrayViewMutD, Axis, Dimension, IxDyn, ShapeBuilder, StrideShape};

use super::{AxesInOrder, HasAxes, axes, forwards, signed};
use crate::composed::DynComposedLayout;
use crate::dynamic::{DynLayout, DynShape};
use crate::error::{Fault, LayoutError};
use crate::layout::flat::Modes;
use crate::layout::strided::StridedLayout;
use crate::tensor::storage::{Addressable, Storage, StorageMut, Tensor, Tile, TileMut};

/// A dimension of `ndarray`, and the layout of an array of that dimension: `Ix1` to `Ix6` and `IxDyn`.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::Axes;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(<ndarray::Ix2 as Axes>::Layout, Layout!((_, _):(_, _)));
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
    fn layout(extents: &[usize], strides: &[isize]) -> Result<Self::Layout, Fault>;
}
macro_rules! axes {
    ($($dimension:ident => $($axis:literal)*;)*) => {
        $(impl Axes for ndarray::$dimension {
            type Layout = StridedLayout<($(axes!(@usize $axis),)*), ($(axes!(@usize $axis),)*)>;
            fn layout(extents: &[usize], strides: &[isize]) -> Result<Self::Layout, Fault> {
                let strides = [$(forwards($axis, extents[$axis], strides[$axis])?),*];
                Ok(StridedLayout::new(($(extents[$axis],)*), ($(strides[$axis],)*)))
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
    fn layout(extents: &[usize], strides: &[isize]) -> Result<DynLayout, Fault> {
        let (mut shape, mut stride) = (alloc::vec::Vec::new(), alloc::vec::Vec::new());
        for (axis, (&extent, &step)) in extents.iter().zip(strides).enumerate() {
            shape.push(DynShape::from(extent));
            stride.push(DynShape::from(forwards(axis, extent, step)?));
        }
        let tuple = |modes| DynShape::tuple(modes).map_err(|error| error.fault());
        DynLayout::new(tuple(shape)?, tuple(stride)?).map_err(|error| error.fault())
    }
}

/// # In other libraries: `ndarray`
impl<'a, T, L: Addressable> Tensor<Tile<'a, T>, L> {
    /// A view of an array as a tensor: a mode with a dynamic extent and a dynamic stride for each axis, a `DynLayout`
    /// for an array of dynamic dimension.
    ///
    /// `from_ndarray(a)[(i, j)] == a[[i, j]]`
    ///
    /// # Errors
    /// `bounds` if an axis goes backwards, which [`from_ndarray_signed`](Tensor::from_ndarray_signed) takes; `overflow`
    /// if the array's size leaves `usize`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let array = ndarray::array![[0, 1, 2], [3, 4, 5]];
    /// let t = Tensor::from_ndarray(array.t())?;
    /// assert_eq!(t.layout().to_string(), "(3,2):(1,3)");
    /// assert_eq!((t[(2, 0)], t[(2, 1)]), (2, 5));
    /// let backwards = array.slice(ndarray::s![.., ..;-1]);
    /// assert!(Tensor::from_ndarray(backwards).is_err());
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn from_ndarray<D: Axes<Layout = L>>(array: ArrayView<'a, T, D>) -> Result<Self, LayoutError> {
        let layout = layout_of::<D>(array.shape(), array.strides())?;
        // SAFETY: the layout has the array's extents and strides, so that its offsets are those of the array's elements
        // from its first one on, which the view borrows for `'a`. (`Axes` is this crate's alone: `Dimension` is sealed.)
        Ok(unsafe { Tensor::from_raw_ref(array.as_ptr(), layout) })
    }
}

impl<'a, T, L: Addressable> Tensor<TileMut<'a, T>, L> {
    /// A mutable view of an array as a tensor. See [`from_ndarray`](Tensor::from_ndarray).
    ///
    /// # Errors
    /// Those of [`from_ndarray`](Tensor::from_ndarray).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut array = ndarray::Array2::zeros((2, 3));
    /// Tensor::from_ndarray_mut(array.view_mut())?.for_each_mut(|(i, j), x| *x = 10 * i + j);
    /// assert_eq!(array, ndarray::array![[0, 1, 2], [10, 11, 12]]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn from_ndarray_mut<D: Axes<Layout = L>>(mut array: ArrayViewMut<'a, T, D>) -> Result<Self, LayoutError> {
        let layout = layout_of::<D>(array.shape(), array.strides())?;
        // SAFETY: as in `from_ndarray`; the view, which is the only path to its elements for `'a`, is used up.
        Ok(unsafe { Tensor::from_raw(array.as_mut_ptr(), layout) })
    }
}

/// Axes of any sign are known at run time only, and so is the layout.
impl<'a, T> Tensor<Tile<'a, T>, DynComposedLayout> {
    /// A view of an array as a tensor, with axes in either direction: a mode for each axis. Nothing is copied; the
    /// tensor begins at the array's element that lies first in memory.
    ///
    /// `from_ndarray_signed(a)[(i, j)] == a[[i, j]]`
    ///
    /// # Errors
    /// `profile` if the array has no axes; `overflow` if its size leaves `isize`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use ndarray::s;
    /// let image = ndarray::array![[0, 1, 2], [3, 4, 5]];
    /// let turned = Tensor::from_ndarray_signed(image.slice(s![..;-1, ..;-1]))?;
    /// assert_eq!(turned.layout().to_string(), "Sw<0,0,0> o 5 o (2,3):(-3,-1)");
    /// assert_eq!((turned[(0, 0)], turned[(1, 2)]), (5, 0));
    /// assert_eq!(turned.flip::<0>().flip::<1>().ndarray()?, image.view().into_dyn());
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn from_ndarray_signed<D: Dimension>(array: ArrayView<'a, T, D>) -> Result<Self, LayoutError> {
        let layout = signed("from_ndarray_signed", array.shape(), array.strides())?;
        // SAFETY: the layout has the array's extents and strides from its offset on, and `offset` before the array's
        // first element lies its element of the least address: the offsets are those of the array's elements, which the
        // view borrows for `'a`.
        Ok(unsafe { Tensor::from_raw_ref(array.as_ptr().wrapping_sub(layout.offset()), layout) })
    }
}
impl<'a, T> Tensor<TileMut<'a, T>, DynComposedLayout> {
    /// A mutable view of an array as a tensor, with axes in either direction. See
    /// [`from_ndarray_signed`](Tensor::from_ndarray_signed).
    ///
    /// # Errors
    /// Those of [`from_ndarray_signed`](Tensor::from_ndarray_signed).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut array = ndarray::Array2::zeros((2, 3));
    /// let rows_from_below = array.slice_mut(ndarray::s![..;-1, ..]);
    /// Tensor::from_ndarray_signed_mut(rows_from_below)?[(0, 1)] = 7;
    /// assert_eq!(array, ndarray::array![[0, 0, 0], [0, 7, 0]]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn from_ndarray_signed_mut<D: Dimension>(mut array: ArrayViewMut<'a, T, D>) -> Result<Self, LayoutError> {
        let layout = signed("from_ndarray_signed_mut", array.shape(), array.strides())?;
        // SAFETY: as in `from_ndarray_signed`; the view, which is the only path to its elements for `'a`, is used up.
        Ok(unsafe { Tensor::from_raw(array.as_mut_ptr().wrapping_sub(layout.offset()), layout) })
    }
}

fn layout_of<D: Axes>(extents: &[usize], strides: &[isize]) -> Result<D::Layout, LayoutError> {
    let layout = D::layout(extents, strides).map_err(|fault| LayoutError::new("from_ndarray", fault))?;
    match layout.reach() {
        Some(_) => Ok(layout),
        None => Err(LayoutError::new("from_ndarray", Fault::Overflow).with_operand(&layout)),
    }
}

/// [`axes`], with no more bytes from the least address to the largest than `isize` has. `ndarray` requires that of an
/// empty array too, whose strides are then those of a compact one.
fn array_axes<T>(layout: &impl HasAxes) -> Result<AxesInOrder, Fault> {
    let axes = axes(layout)?;
    let mut modes = axes.modes.extents[..axes.modes.count].iter().zip(&axes.modes.strides);
    let last =
        modes.try_fold(0usize, |sum, (extent, stride)| sum.checked_add(extent.saturating_sub(1).checked_mul(*stride)?));
    match last.and_then(|last| last.checked_mul(size_of::<T>())) {
        Some(bytes) if bytes <= isize::MAX as usize => Ok(axes),
        _ => Err(Fault::Overflow),
    }
}

impl<S: Storage, L: HasAxes> Tensor<S, L> {
    /// The tensor as a view of an array, with an axis for each leaf of its layout, backwards where its stride is
    /// negative. `into_dimensionality` makes the number of axes static.
    ///
    /// `t.ndarray()?[[i, j]] == t[(i, j)]`
    ///
    /// # Errors
    /// `overflow` if the size exceeds `isize`, or, for an empty tensor, if its extents other than 0 would take as many
    /// bytes.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0, 1, 2, 3, 4, 5], layout!((2, (3, 1)):(3, (1, 0))));
    /// assert_eq!(t.ndarray()?, ndarray::array![[[0], [1], [2]], [[3], [4], [5]]].into_dyn());
    /// assert_eq!(t.flip::<0>().ndarray()?, ndarray::array![[[3], [4], [5]], [[0], [1], [2]]].into_dyn());
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn ndarray(&self) -> Result<ArrayViewD<'_, S::Item>, LayoutError> {
        let axes = array_axes::<S::Item>(self.layout());
        let axes = axes.map_err(|fault| LayoutError::new("ndarray", fault).with_operand(self.layout()))?;
        let least = self.storage().base().wrapping_add(axes.least);
        // SAFETY: an axis has the extent of a leaf and the stride without its sign, or the stride 0 where it does not
        // move, so that from the least offset on the elements are those of the layout, which may be read while the
        // tensor is borrowed; all lie in one allocation, and `array_axes` has checked sizes and offsets, of an empty
        // tensor too.
        let mut view = unsafe { ArrayViewD::from_shape_ptr(of_ndarray(&axes), least) };
        (0..axes.modes.count).filter(|&axis| axes.is_backwards(axis)).for_each(|axis| view.invert_axis(Axis(axis)));
        Ok(view)
    }
}

fn of_ndarray(axes: &AxesInOrder) -> StrideShape<IxDyn> {
    let modes = &axes.modes;
    IxDyn(&modes.extents[..modes.count]).strides(IxDyn(&modes.strides[..modes.count]))
}

/// Ok if the stride of each axis exceeds all that the axes of smaller stride reach. `ndarray` requires that of a
/// mutable array; no two coordinates share an element then.
fn apart(modes: &Modes) -> Result<(), Fault> {
    let moving = || (0..modes.count).filter(|&k| modes.extents[k] > 1);
    if modes.extents[..modes.count].contains(&0) {
        return Ok(());
    }
    for k in moving() {
        let (extent, stride) = (modes.extents[k], modes.strides[k]);
        let below = moving().filter(|&j| (modes.strides[j], j) < (stride, k));
        let reach: usize = below.map(|j| (modes.extents[j] - 1) * modes.strides[j]).sum();
        if stride <= reach {
            return Err(Fault::Overlap { extent, stride, below: reach + 1 });
        }
    }
    Ok(())
}

impl<S: StorageMut, L: HasAxes> Tensor<S, L> {
    /// The tensor as a mutable view of an array, with an axis for each leaf of its layout.
    ///
    /// # Errors
    /// `overlap` if two coordinates share an element, or if axes interleave, which a mutable array may not;
    /// `overflow` if the size leaves `isize`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::filled(layout!((2, 3): right), 0);
    /// t.ndarray_mut()?.index_axis_mut(ndarray::Axis(0), 1).fill(7);
    /// assert_eq!(t.into_storage(), [0, 0, 0, 7, 7, 7]);
    /// assert!(Tensor::fixed([0; 3], layout!((2, 3):(0, 1))).ndarray_mut().is_err());
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn ndarray_mut(&mut self) -> Result<ArrayViewMutD<'_, S::Item>, LayoutError> {
        let axes = array_axes::<S::Item>(self.layout()).and_then(|axes| apart(&axes.modes).map(|()| axes));
        let axes = axes.map_err(|fault| LayoutError::new("ndarray_mut", fault).with_operand(self.layout()))?;
        let least = self.storage_mut().base_mut().wrapping_add(axes.least);
        // SAFETY: as in `ndarray`; no two coordinates share an element, and the tensor is borrowed mutably.
        let mut view = unsafe { ArrayViewMutD::from_shape_ptr(of_ndarray(&axes), least) };
        (0..axes.modes.count).filter(|&axis| axes.is_backwards(axis)).for_each(|axis| view.invert_axis(Axis(axis)));
        Ok(view)
    }
}
