//! A shape, signed strides and an offset.
//!
//! ```text
//! offset_at(c) = offset + sum c_k * d_k        0 <= c_k < n_k,   0 <= offset_at(c) < isize::MAX
//! ```

use core::fmt;

use crate::error::{ArrayError, MAX_RANK};
use crate::list::List;

/// The layout of an array: a shape, a signed stride for each axis, and the offset of the element at
/// coordinate 0.
///
/// Law: `offset_at(c) = offset + sum c_k * strides[k]`, for all coordinates below the shape.
///
/// Axes are counted from 0; in a row-major layout the last one is the fastest, as in NumPy, PyTorch
/// and `ndarray`. Strides and offsets count elements, not bytes. A layout has at most 32 axes; up
/// to 8 need no heap.
///
/// Every layout is valid: the number of elements (with extents of 0 counted as 1) and all offsets
/// fit `isize`, and no offset is negative. Every operation returns a valid layout or an error.
///
/// ```
/// use layout_arrays::ArrayLayout;
/// let image = ArrayLayout::row_major(&[480, 640, 3])?;
/// let top_down = image.slice(0, 100..200, 1)?.flip(0)?; // 100 rows, the last one first
/// assert_eq!(top_down.to_string(), "382080 o (100,640,3):(-1920,3,1)");
/// assert!(top_down.reshape(&[100, 1920]).is_ok()); // a view
/// assert!(top_down.reshape(&[192000]).is_err()); // a copy
/// # Ok::<(), layout_arrays::ArrayError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ArrayLayout {
    pub(crate) shape: List<usize>,
    pub(crate) strides: List<isize>,
    pub(crate) offset: usize,
    pub(crate) size: usize,
}

/// The number of elements, if the product of the extents other than 0 fits `isize`.
#[inline]
pub(crate) fn size_of_shape(shape: &[usize]) -> Result<usize, ArrayError> {
    let (mut size, mut empty) = (1usize, false);
    for &extent in shape {
        empty |= extent == 0;
        size = size.checked_mul(extent.max(1)).ok_or(ArrayError::TooManyElements)?;
    }
    match isize::try_from(size) {
        Ok(_) => Ok(if empty { 0 } else { size }),
        Err(_) => Err(ArrayError::TooManyElements),
    }
}

/// Fills in the strides of a row-major array. An extent of 0 counts as 1.
#[inline]
pub(crate) fn fill_row_major(shape: &[usize], strides: &mut [isize]) {
    let mut stride = 1;
    for (step, &extent) in strides.iter_mut().zip(shape).rev() {
        *step = stride;
        // The product fits: the caller has checked it.
        stride *= extent.max(1) as isize;
    }
}

impl ArrayLayout {
    /// The layout of a compact array, the last axis the fastest: the order of NumPy and C.
    ///
    /// `strides[k] = shape[k + 1] * .. * shape[rank - 1]`
    ///
    /// # Errors
    /// More than 32 axes, or more elements than `isize` counts.
    ///
    /// ```
    /// use layout_arrays::ArrayLayout;
    /// let l = ArrayLayout::row_major(&[2, 3, 4])?;
    /// assert_eq!((l.strides(), l.offset(), l.size()), (&[12, 4, 1][..], 0, 24));
    /// assert_eq!(ArrayLayout::row_major(&[])?.size(), 1); // no axes, one element
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn row_major(shape: &[usize]) -> Result<Self, ArrayError> {
        let mut layout = Self::zeros(shape.len())?;
        layout.size = size_of_shape(shape)?;
        layout.shape.as_mut_slice().copy_from_slice(shape);
        fill_row_major(shape, layout.strides.as_mut_slice());
        Ok(layout)
    }

    /// A layout of zeros, which the caller fills in.
    #[inline(always)]
    pub(crate) fn zeros(rank: usize) -> Result<Self, ArrayError> {
        if rank > MAX_RANK {
            return Err(ArrayError::TooManyAxes { rank });
        }
        Ok(ArrayLayout { shape: List::zeros(rank), strides: List::zeros(rank), offset: 0, size: 0 })
    }

    /// The layout of a compact array, the first axis the fastest: the order of Fortran, Julia and
    /// CuTe.
    ///
    /// `strides[k] = shape[0] * .. * shape[k - 1]`
    ///
    /// # Errors
    /// Those of [`row_major`](Self::row_major).
    ///
    /// ```
    /// use layout_arrays::ArrayLayout;
    /// assert_eq!(ArrayLayout::column_major(&[2, 3, 4])?.strides(), [1, 2, 6]);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn column_major(shape: &[usize]) -> Result<Self, ArrayError> {
        let mut reversed = Self::zeros(shape.len())?.shape;
        reversed.as_mut_slice().copy_from_slice(shape);
        reversed.as_mut_slice().reverse();
        Ok(Self::row_major(reversed.as_slice())?.transpose())
    }

    /// The layout with this shape, these strides and this offset.
    ///
    /// # Errors
    /// A shape and strides of different lengths, more than 32 axes, more elements than `isize`
    /// counts, and an offset that is negative or beyond `isize`.
    ///
    /// ```
    /// use layout_arrays::ArrayLayout;
    /// let upside_down = ArrayLayout::from_parts(&[2, 3], &[-3, 1], 3)?;
    /// assert_eq!(upside_down.offset_at(&[1, 2])?, 2);
    /// let error = ArrayLayout::from_parts(&[2, 3], &[-3, 1], 2).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the first offset is 2, and negative strides lead 3 below it"
    /// );
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn from_parts(
        shape: &[usize],
        strides: &[isize],
        offset: usize,
    ) -> Result<Self, ArrayError> {
        if shape.len() != strides.len() {
            return Err(ArrayError::Lengths { shape: shape.len(), strides: strides.len() });
        }
        let mut layout = Self::zeros(shape.len())?;
        (layout.size, layout.offset) = (size_of_shape(shape)?, offset);
        layout.shape.as_mut_slice().copy_from_slice(shape);
        layout.strides.as_mut_slice().copy_from_slice(strides);
        let (below, above) = layout.reach().ok_or(ArrayError::TooFar)?;
        match offset.checked_add(above) {
            _ if below > offset => Err(ArrayError::Below { offset, below }),
            // One past the last offset fits too.
            Some(last) if last < isize::MAX as usize => Ok(layout),
            _ => Err(ArrayError::TooFar),
        }
    }

    /// How far the strides lead below the first element, and above it.
    #[inline]
    pub(crate) fn reach(&self) -> Option<(usize, usize)> {
        let (mut below, mut above) = (0usize, 0usize);
        if self.size != 0 {
            for (&extent, &stride) in self.shape().iter().zip(self.strides()) {
                let reach = (extent - 1).checked_mul(stride.unsigned_abs())?;
                let side = if stride < 0 { &mut below } else { &mut above };
                *side = side.checked_add(reach)?;
            }
        }
        Some((below, above))
    }

    /// The extents of the axes.
    ///
    /// ```
    /// # use layout_arrays::ArrayLayout;
    /// assert_eq!(ArrayLayout::row_major(&[2, 3])?.shape(), [2, 3]);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    #[inline]
    pub fn shape(&self) -> &[usize] {
        self.shape.as_slice()
    }

    /// The distance in elements between neighbours along each axis, negative for a reversed axis.
    ///
    /// ```
    /// # use layout_arrays::ArrayLayout;
    /// assert_eq!(ArrayLayout::row_major(&[2, 3])?.strides(), [3, 1]);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    #[inline]
    pub fn strides(&self) -> &[isize] {
        self.strides.as_slice()
    }

    /// The offset of the element at coordinate 0.
    ///
    /// ```
    /// # use layout_arrays::ArrayLayout;
    /// assert_eq!(ArrayLayout::row_major(&[2, 3])?.slice(0, 1.., 1)?.offset(), 3);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    #[inline]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The number of coordinates: the product of the extents.
    ///
    /// ```
    /// # use layout_arrays::ArrayLayout;
    /// assert_eq!(ArrayLayout::row_major(&[2, 3])?.size(), 6);
    /// assert_eq!(ArrayLayout::row_major(&[2, 0])?.size(), 0);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    #[inline]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The number of axes.
    ///
    /// ```
    /// # use layout_arrays::ArrayLayout;
    /// assert_eq!(ArrayLayout::row_major(&[2, 3])?.rank(), 2);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    #[inline]
    pub fn rank(&self) -> usize {
        self.shape().len()
    }

    /// The offset of a coordinate: `offset + sum c_k * strides[k]`.
    ///
    /// # Errors
    /// A coordinate of another rank, and one outside of the shape.
    ///
    /// ```
    /// use layout_arrays::ArrayLayout;
    /// let l = ArrayLayout::row_major(&[2, 3])?;
    /// assert_eq!(l.offset_at(&[1, 2])?, 5);
    /// let error = l.offset_at(&[1, 3]).unwrap_err();
    /// assert_eq!(error.to_string(), "coordinate 3 on axis 1, which has the extent 3");
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn offset_at(&self, coordinate: &[usize]) -> Result<usize, ArrayError> {
        if coordinate.len() != self.rank() {
            return Err(ArrayError::CoordinateRank {
                numbers: coordinate.len(),
                rank: self.rank(),
            });
        }
        let mut offset = self.offset;
        for (axis, (&at, (&extent, &stride))) in
            coordinate.iter().zip(self.shape().iter().zip(self.strides())).enumerate()
        {
            if at >= extent {
                return Err(ArrayError::Coordinate { axis, at, extent });
            }
            // The final sum fits; intermediate sums may wrap.
            offset = offset.wrapping_add_signed(stride.wrapping_mul(at as isize));
        }
        Ok(offset)
    }

    /// The offsets of all coordinates, the last axis the fastest.
    ///
    /// ```
    /// # use layout_arrays::ArrayLayout;
    /// let columns = ArrayLayout::row_major(&[2, 3])?.transpose();
    /// assert_eq!(columns.offsets().collect::<Vec<_>>(), [0, 3, 1, 4, 2, 5]);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn offsets(&self) -> Offsets {
        let mut at = self.shape.clone();
        at.as_mut_slice().fill(0);
        Offsets { layout: self.clone(), at, next: self.offset, left: self.size }
    }
}

/// `3 o (2,3):(-3,1)`: the offset if it is not 0, the shape and the strides, in the notation of the
/// crate `layout-algebra`.
impl fmt::Display for ArrayLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn tuple<T: fmt::Display>(f: &mut fmt::Formatter<'_>, numbers: &[T]) -> fmt::Result {
            f.write_str("(")?;
            for (axis, number) in numbers.iter().enumerate() {
                write!(f, "{}{number}", if axis == 0 { "" } else { "," })?;
            }
            f.write_str(")")
        }
        if self.offset != 0 {
            write!(f, "{} o ", self.offset)?;
        }
        tuple(f, self.shape())?;
        f.write_str(":")?;
        tuple(f, self.strides())
    }
}

/// The offsets of a layout in the order of its coordinates: the result of [`ArrayLayout::offsets`].
///
/// ```
/// # use layout_arrays::ArrayLayout;
/// assert_eq!(ArrayLayout::row_major(&[2, 3])?.flip(1)?.offsets().len(), 6);
/// # Ok::<(), layout_arrays::ArrayError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Offsets {
    layout: ArrayLayout,
    at: List<usize>,
    next: usize,
    left: usize,
}

impl Iterator for Offsets {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        let found = self.next;
        let axes = self.layout.shape().iter().zip(self.layout.strides());
        for (at, (&extent, &stride)) in self.at.as_mut_slice().iter_mut().zip(axes).rev() {
            *at += 1;
            self.next = self.next.wrapping_add_signed(stride);
            if *at < extent {
                break;
            }
            // Back to the first element of this axis.
            self.next =
                self.next.wrapping_add_signed(stride.wrapping_mul(extent as isize).wrapping_neg());
            *at = 0;
        }
        Some(found)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}
impl ExactSizeIterator for Offsets {}
impl core::iter::FusedIterator for Offsets {}
