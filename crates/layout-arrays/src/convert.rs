//! Conversions to and from the layouts of the crate `layout-algebra`.
//!
//! ```text
//! ArrayLayout    axis k    coordinate (i, j, k)             number: the last axis fastest
//! DynLayout      leaf k    the same, nested (i, (j, k))     number: the first mode fastest
//! ```

use layout_algebra::tensor::Contiguous;
use layout_algebra::{
    DynComposedLayout, DynLayout, DynShape, DynStride, DynSwizzle, StridedLayout, Tensor, ToDynamic,
};

use crate::error::ArrayError;
use crate::layout::ArrayLayout;

impl ArrayLayout {
    /// Shape and strides as a layout of the algebra: a mode for each axis, and `1:0` without axes.
    fn modes(&self) -> Result<DynLayout, ArrayError> {
        let stride = |&stride: &isize| match stride {
            0.. => DynStride::Natural(stride.unsigned_abs()),
            _ => DynStride::Negative(stride.unsigned_abs()),
        };
        if self.rank() == 0 {
            return Ok(DynLayout::with_strides(1, [DynStride::Natural(0)])?);
        }
        let shape = DynShape::tuple(self.shape().iter().map(|&extent| DynShape::from(extent)))?;
        Ok(DynLayout::with_strides(shape, self.strides().iter().map(stride))?)
    }

    /// The layout with an axis for each leaf of a layout of the algebra: `ArrayLayout::from`, with
    /// an error instead of a panic.
    ///
    /// `try_from_dynamic(&d)?.offset_at(c) == d.base() + d(c)`, leaf by leaf
    ///
    /// # Errors
    /// XOR strides; a size that does not fit `isize`, or a stride of an axis with several elements;
    /// more than 32 leaves.
    ///
    /// ```
    /// use layout_algebra::DynLayout;
    /// use layout_arrays::ArrayLayout;
    /// let nested: DynLayout = "(2,(3,4)):(-1,(2,6))".parse()?;
    /// let l = ArrayLayout::try_from_dynamic(&nested)?;
    /// assert_eq!(l.to_string(), "1 o (2,3,4):(-1,2,6)");
    /// let offset = nested.signed_index((1, (2, 3)));
    /// assert_eq!(l.offset_at(&[1, 2, 3])? as isize, nested.base() as isize + offset);
    /// assert!(ArrayLayout::try_from_dynamic(&"4:^1".parse()?).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn try_from_dynamic(layout: &DynLayout) -> Result<Self, ArrayError> {
        let rank = layout.shape().leaves().len();
        let mut strides = ArrayLayout::zeros(rank)?.strides;
        for (axis, (slot, stride)) in
            strides.as_mut_slice().iter_mut().zip(layout.strides()).enumerate()
        {
            let (number, signed) = match stride {
                DynStride::Natural(number) => (number, isize::try_from(number).ok()),
                DynStride::Negative(number) => (number, 0isize.checked_sub_unsigned(number)),
                DynStride::Xor(_) => return Err(ArrayError::NoStrides),
            };
            // The stride of an axis of one element, or of an empty layout, does not matter.
            let still = layout.size() == 0 || layout.shape().leaves()[axis] == 1;
            let signed = signed.or(still.then_some(0));
            *slot = signed.ok_or(ArrayError::Stride { axis, stride: number })?;
        }
        Self::from_parts(layout.shape().leaves(), strides.as_slice(), layout.base())
    }

    /// A tensor of the crate `layout-algebra` on these elements.
    ///
    /// `tensor(storage)?[(i, j)]` is the element at `offset_at(&[i, j])?`
    ///
    /// # Errors
    /// A storage shorter than `span().end`, with both numbers.
    ///
    /// ```
    /// use layout_arrays::ArrayLayout;
    /// let l = ArrayLayout::row_major(&[2, 3])?.flip(1)?;
    /// let t = l.tensor(&[0, 1, 2, 3, 4, 5])?;
    /// assert_eq!((t[(0, 0)], t[(1, 2)]), (2, 3));
    /// assert!(l.tensor(vec![0; 5]).is_err());
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn tensor<S: Contiguous>(
        &self,
        storage: S,
    ) -> Result<Tensor<S, DynComposedLayout>, ArrayError> {
        Ok(Tensor::new(storage, DynComposedLayout::from(self))?)
    }
}

/// A mode for each axis, with the same coordinates; `1:0` for no axes. Linear indices differ: in
/// `at(i)` of a `DynLayout` the first mode is the fastest, in [`ArrayLayout::offsets`] the last
/// axis. `transpose()` turns one order into the other.
///
/// # Errors
/// A layout whose least offset is not 0: a `DynLayout` has no offset of its own.
/// `DynComposedLayout::from` takes every layout.
///
/// ```
/// use layout_algebra::{DynComposedLayout, DynLayout};
/// use layout_arrays::ArrayLayout;
/// let l = ArrayLayout::row_major(&[2, 3])?.flip(0)?;
/// assert_eq!(DynLayout::try_from(&l)?.to_string(), "(2,3):(-3,1)");
/// assert_eq!(ArrayLayout::from(&DynLayout::try_from(&l)?), l);
/// let column = l.slice(1, 2.., 1)?;
/// assert!(DynLayout::try_from(&column).is_err());
/// assert_eq!(DynComposedLayout::from(&column).to_string(), "Sw<0,0,0> o 5 o (2,1):(-3,1)");
/// # Ok::<(), layout_arrays::ArrayError>(())
/// ```
impl TryFrom<&ArrayLayout> for DynLayout {
    type Error = ArrayError;

    fn try_from(layout: &ArrayLayout) -> Result<DynLayout, ArrayError> {
        let modes = layout.modes()?;
        match modes.base() {
            base if base == layout.offset() || layout.size() == 0 => Ok(modes),
            base => Err(ArrayError::Offset { offset: layout.offset(), base }),
        }
    }
}

/// A mode for each axis, with the same coordinates and the same offset.
impl From<&ArrayLayout> for DynComposedLayout {
    fn from(layout: &ArrayLayout) -> DynComposedLayout {
        let modes = layout.modes().expect("sizes and offsets of an `ArrayLayout` fit");
        // The offset of an empty layout may be less than its base.
        DynComposedLayout::new(DynSwizzle::IDENTITY, layout.offset(), modes)
    }
}

/// An axis for each leaf, the leftmost first: `(2,(3,4))` has the axes 2, 3, 4. The offset of the
/// first element is what negative strides need. See [`ArrayLayout::try_from_dynamic`] for the law
/// and the errors.
///
/// # Panics
/// Where [`ArrayLayout::try_from_dynamic`] has an error.
impl From<&DynLayout> for ArrayLayout {
    #[track_caller]
    fn from(layout: &DynLayout) -> Self {
        match Self::try_from_dynamic(layout) {
            Ok(layout) => layout,
            Err(error) => panic!("{layout} is no layout of an array: {error}"),
        }
    }
}

/// A static or mixed layout: an axis for each leaf.
///
/// # Panics
/// Where [`ArrayLayout::try_from_dynamic`] has an error.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_arrays::ArrayLayout;
/// let l = ArrayLayout::from(layout!((4, (2, 3)): right));
/// assert_eq!(l, ArrayLayout::row_major(&[4, 2, 3])?);
/// let typed: Layout!((4, _, _):(6, _, 1)) = (&DynLayout::try_from(&l)?).try_into()?;
/// assert_eq!(typed.index((3, 1, 2)), 23);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<S, D> From<StridedLayout<S, D>> for ArrayLayout
where
    StridedLayout<S, D>: ToDynamic<Dynamic = DynLayout>,
{
    #[track_caller]
    fn from(layout: StridedLayout<S, D>) -> Self {
        Self::from(&layout.to_dynamic())
    }
}

/// A layout with an offset.
///
/// # Errors
/// A swizzle, and those of [`ArrayLayout::try_from_dynamic`].
///
/// ```
/// use layout_algebra::DynComposedLayout;
/// use layout_arrays::ArrayLayout;
/// let composed: DynComposedLayout = "Sw<0,0,0> o 7 o (2,3):(-3,1)".parse()?;
/// assert_eq!(ArrayLayout::try_from(&composed)?.to_string(), "7 o (2,3):(-3,1)");
/// let swizzled: DynComposedLayout = "Sw<1,0,1> o 0 o (2,2):(1,2)".parse()?;
/// assert!(ArrayLayout::try_from(&swizzled).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl TryFrom<&DynComposedLayout> for ArrayLayout {
    type Error = ArrayError;

    fn try_from(layout: &DynComposedLayout) -> Result<Self, ArrayError> {
        if layout.outer() != DynSwizzle::IDENTITY {
            return Err(ArrayError::NoStrides);
        }
        let leaves = Self::try_from_dynamic(&layout.inner())?;
        Self::from_parts(leaves.shape(), leaves.strides(), layout.offset())
    }
}
