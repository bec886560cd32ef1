//! The axes of a tensor of the crate `layout-algebra`. Unsafe code is here and in `foreign` only.

use alloc::format;
use alloc::vec::Vec;
use core::marker::PhantomData;

use layout_algebra::composed::MovedLayout;
use layout_algebra::tensor::{Addressable, Storage, StorageMut};
use layout_algebra::{
    DynComposedLayout, DynLayout, DynShape, IntTuple, Layout, Number, StridedLayout, Tensor,
    ToDynamic,
};

use crate::error::ArrayError;
use crate::layout::{ArrayLayout, Offsets};

/// A layout of the algebra that has one stride for each leaf, without a swizzle and XOR strides: it
/// is a list of axes, one for each leaf.
///
/// # Safety
/// The layout has the same offset as [`axes`](Self::axes) at each coordinate, and no other offsets.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_arrays::HasAxes;
/// assert_eq!(layout!((4, (2, 3))).axes()?.to_string(), "(4,2,3):(1,4,8)");
/// assert_eq!(layout!((2, 3):(-3, 1)).moved().axes()?.to_string(), "3 o (2,3):(-3,1)");
/// # Ok::<(), layout_arrays::ArrayError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "this has no axes with one stride each",
    label = "`{Self}`: not a list of extents and strides",
    note = "a composed layout has to be copied into a plain one first"
)]
pub unsafe trait HasAxes: Addressable {
    /// The axes, the leftmost leaf first.
    ///
    /// # Errors
    /// A swizzle, XOR strides, more than 32 leaves, and numbers that do not fit `isize`.
    fn axes(&self) -> Result<ArrayLayout, ArrayError>;
}

// SAFETY: an axis for each leaf, with its extent and stride; or no elements. `reach` is `None` for
// a layout whose numbers do not fit, for which `to_dynamic` would panic.
unsafe impl<S: IntTuple, D: IntTuple> HasAxes for StridedLayout<S, D>
where
    Self: Addressable + ToDynamic<Dynamic = DynLayout>,
{
    fn axes(&self) -> Result<ArrayLayout, ArrayError> {
        self.reach().ok_or(ArrayError::TooFar)?;
        if self.size() > 0 {
            return ArrayLayout::try_from_dynamic(&self.to_dynamic());
        }
        // The strides of an empty layout need not fit and do not matter: only its shape is read.
        let text = format!("{self:#}");
        let shape: DynShape = text.split(':').next().unwrap_or_default().parse()?;
        ArrayLayout::row_major(shape.leaves())
    }
}
// SAFETY: an axis for each leaf of the inner layout, and the same offset.
unsafe impl<F: Number, S: IntTuple, D: IntTuple> HasAxes for MovedLayout<F, S, D>
where
    Self: Addressable + ToDynamic<Dynamic = DynComposedLayout>,
{
    fn axes(&self) -> Result<ArrayLayout, ArrayError> {
        self.reach().ok_or(ArrayError::TooFar)?;
        ArrayLayout::try_from(&self.to_dynamic())
    }
}
// SAFETY: an axis for each leaf, with its extent and stride. Negative strides are refused: without
// an offset, such a layout is not addressable.
unsafe impl HasAxes for DynLayout {
    fn axes(&self) -> Result<ArrayLayout, ArrayError> {
        self.reach().ok_or(ArrayError::NoStrides)?;
        ArrayLayout::try_from_dynamic(self)
    }
}
// SAFETY: an axis for each leaf of the inner layout, from the offset on; a swizzle is refused.
unsafe impl HasAxes for DynComposedLayout {
    fn axes(&self) -> Result<ArrayLayout, ArrayError> {
        ArrayLayout::try_from(self)
    }
}

/// The elements of a tensor under other axes.
///
/// # Safety
/// Every offset of `axes` is one of the tensor's layout.
pub(crate) unsafe fn view_elements<'a, S: Storage, L: Addressable>(
    tensor: &'a Tensor<S, L>,
    axes: &ArrayLayout,
) -> Tensor<S::View<'a>, DynComposedLayout> {
    // SAFETY: the caller's promise, and the layout has the offsets of the axes.
    unsafe { tensor.view().with_layout_unchecked(axes.into()) }
}

/// The elements of a tensor under other axes, mutable.
///
/// # Safety
/// As [`view_elements`].
pub(crate) unsafe fn view_elements_mut<'a, S: StorageMut, L: Addressable>(
    tensor: &'a mut Tensor<S, L>,
    axes: &ArrayLayout,
) -> Tensor<S::ViewMut<'a>, DynComposedLayout> {
    // SAFETY: the caller's promise, and the layout has the offsets of the axes.
    unsafe { tensor.view_mut().with_layout_unchecked(axes.into()) }
}

/// An iterator over elements of a tensor, the last axis the fastest: the argument of
/// [`Reduce::reduce_by`](crate::Reduce::reduce_by)'s function.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_arrays::{Elements, Reduce};
/// fn range(row: &mut Elements<'_, i32>) -> Option<i32> {
///     let first = *row.next()?;
///     let (min, max) = row.fold((first, first), |(low, high), &x| (low.min(x), high.max(x)));
///     Some(max - min)
/// }
/// let t = Tensor::fixed([3, 1, 2, 4, 6, 5], layout!((2, 3): right));
/// assert_eq!(Reduce::new("h w -> h")?.reduce_by(&t, range)?.into_storage(), [Some(2); 2]);
/// # Ok::<(), layout_arrays::ArrayError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Elements<'a, T> {
    base: *const T,
    offsets: Offsets,
    /// The elements that remain in the current part.
    left: usize,
    tensor: PhantomData<&'a T>,
}

impl<T> Elements<'_, T> {
    /// Begins the next part, which has `count` elements.
    pub(crate) fn begin_part(&mut self, count: usize) {
        self.left = count;
    }
}

impl<'a, T> Iterator for Elements<'a, T> {
    type Item = &'a T;

    #[inline]
    fn next(&mut self) -> Option<&'a T> {
        self.left = self.left.checked_sub(1)?;
        let offset = self.offsets.next()?;
        // SAFETY: the caller of `read_elements` has promised that the element at each offset may be
        // read for `'a`.
        Some(unsafe { &*self.base.add(offset) })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.left.min(self.offsets.len());
        (left, Some(left))
    }
}
impl<T> ExactSizeIterator for Elements<'_, T> {}

/// All elements of a tensor in the order of other axes, as one part.
///
/// # Safety
/// As [`view_elements`].
pub(crate) unsafe fn read_elements<'a, S: Storage, L: Addressable>(
    tensor: &'a Tensor<S, L>,
    axes: &ArrayLayout,
) -> Elements<'a, S::Item> {
    // The element at each offset of the tensor's layout may be read while the tensor is borrowed,
    // and the axes have no other offsets.
    let base = tensor.view().into_storage().base();
    Elements { base, offsets: axes.offsets(), left: axes.size(), tensor: PhantomData }
}

/// A compact tensor of these elements, the last axis the fastest.
///
/// # Errors
/// More axes or elements than fit.
pub(crate) fn row_major_tensor<T>(
    shape: &[usize],
    elements: Vec<T>,
) -> Result<Tensor<Vec<T>, DynLayout>, ArrayError> {
    let layout = DynLayout::try_from(&ArrayLayout::row_major(shape)?)?;
    Ok(Tensor::new(elements, layout)?)
}
