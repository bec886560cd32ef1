//! Views: other coordinates for the same elements.

use core::ops::RangeBounds;

use crate::error::ArrayError;
use crate::fold::{continued, within};
use crate::layout::{ArrayLayout, size_of_shape};

impl ArrayLayout {
    /// Broadcasts the layout to this shape: NumPy's `broadcast_to`, PyTorch's `expand`.
    ///
    /// `broadcast_to(s)(.., c) == l(c)`, with 0 for the coordinates of axes of extent 1
    ///
    /// Axes are paired from the last one. A new axis, and an axis of extent 1 whose extent changes,
    /// gets the stride 0; any other axis keeps its stride.
    ///
    /// # Errors
    /// An extent that is neither 1 nor the requested one; fewer axes than the layout has; more than
    /// 32 axes or more than `isize::MAX` elements.
    ///
    /// ```
    /// use layout_arrays::ArrayLayout;
    /// let l = ArrayLayout::row_major(&[3, 1])?;
    /// assert_eq!(l.broadcast_to(&[2, 3, 4])?.to_string(), "(2,3,4):(0,1,0)");
    /// let error = l.broadcast_to(&[2, 4]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the extent 3, on axis 2 from the last, is neither 1 nor 2"
    /// );
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn broadcast_to(&self, shape: &[usize]) -> Result<Self, ArrayError> {
        let (rank, to) = (self.rank(), shape.len());
        if to < rank {
            return Err(ArrayError::BroadcastRank { rank, to });
        }
        let mut view = Self::zeros(to)?;
        (view.size, view.offset) = (size_of_shape(shape)?, self.offset);
        view.shape.as_mut_slice().copy_from_slice(shape);
        let own = self.shape().iter().zip(self.strides());
        let slots = shape[to - rank..].iter().zip(&mut view.strides.as_mut_slice()[to - rank..]);
        for (axis, ((&to, slot), (&extent, &stride))) in slots.zip(own).enumerate() {
            match extent {
                _ if extent == to => *slot = stride,
                1 => {}
                _ => return Err(ArrayError::Broadcast { from_last: rank - axis, extent, to }),
            }
        }
        Ok(view)
    }

    /// Broadcasts both layouts to a common shape, as NumPy does for `a + b`.
    ///
    /// # Errors
    /// Two extents that differ and are both not 1; more than 32 axes or more elements than
    /// `isize` counts.
    ///
    /// ```
    /// use layout_arrays::ArrayLayout;
    /// let (a, b) = (ArrayLayout::row_major(&[3, 1, 5])?, ArrayLayout::row_major(&[4, 1])?);
    /// let (a, b) = a.broadcast_with(&b)?;
    /// assert_eq!(a.to_string(), "(3,4,5):(5,0,1)");
    /// assert_eq!(b.to_string(), "(3,4,5):(0,1,0)");
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn broadcast_with(&self, other: &ArrayLayout) -> Result<(Self, Self), ArrayError> {
        let [long, short] = if self.rank() < other.rank() { [other, self] } else { [self, other] };
        let mut shape = long.shape.clone();
        let behind = long.rank() - short.rank();
        for (extent, &other) in shape.as_mut_slice()[behind..].iter_mut().zip(short.shape()) {
            if *extent == 1 {
                *extent = other;
            }
        }
        Ok((self.broadcast_to(shape.as_slice())?, other.broadcast_to(shape.as_slice())?))
    }

    /// The axes in another order: axis `k` of the result is axis `axes[k]`. NumPy's
    /// `transpose(axes)`.
    ///
    /// `permute(p)(c) == l(c')` with `c'[p[k]] = c[k]`
    ///
    /// # Errors
    /// A list that does not have each axis once.
    ///
    /// ```
    /// use layout_arrays::ArrayLayout;
    /// let chw = ArrayLayout::row_major(&[480, 640, 3])?.permute(&[2, 0, 1])?;
    /// assert_eq!(chw.to_string(), "(3,480,640):(1,1920,3)");
    /// assert!(chw.permute(&[0, 0, 1]).is_err());
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn permute(&self, axes: &[usize]) -> Result<Self, ArrayError> {
        let (rank, named) = (self.rank(), axes.len());
        if named != rank {
            return Err(ArrayError::PermutationRank { named, rank });
        }
        let (mut seen, mut permuted) = (0u32, self.clone());
        let slots = permuted.shape.as_mut_slice().iter_mut().zip(permuted.strides.as_mut_slice());
        for (&axis, (extent, stride)) in axes.iter().zip(slots) {
            if axis >= rank || seen >> axis & 1 == 1 {
                return Err(ArrayError::Permutation { rank, axis });
            }
            seen |= 1 << axis;
            (*extent, *stride) = (self.shape()[axis], self.strides()[axis]);
        }
        Ok(permuted)
    }

    /// The axes in reversed order: NumPy's `.T`.
    ///
    /// `transpose()(c_0, .., c_k) == l(c_k, .., c_0)`
    ///
    /// ```
    /// use layout_arrays::ArrayLayout;
    /// assert_eq!(ArrayLayout::row_major(&[2, 3])?.transpose().to_string(), "(3,2):(1,3)");
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn transpose(&self) -> Self {
        let mut transposed = self.clone();
        transposed.shape.as_mut_slice().reverse();
        transposed.strides.as_mut_slice().reverse();
        transposed
    }

    /// Reverses an axis: NumPy's `flip`.
    ///
    /// `flip(k)(c) == l(c')` with `c'[k] = shape[k] - 1 - c[k]`
    ///
    /// # Errors
    /// No such axis.
    ///
    /// ```
    /// use layout_arrays::ArrayLayout;
    /// let l = ArrayLayout::row_major(&[2, 3])?.flip(0)?;
    /// assert_eq!(l.to_string(), "3 o (2,3):(-3,1)");
    /// assert_eq!(l.flip(0)?, ArrayLayout::row_major(&[2, 3])?);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn flip(&self, axis: usize) -> Result<Self, ArrayError> {
        self.slice(axis, .., -1)
    }

    /// A range of one axis with a step: NumPy's `l[.., start:end:step, ..]`. A negative step begins
    /// at the last element of the range, as `ndarray`'s `s![start..end;step]`.
    ///
    /// `slice(k, a..b, s)(c) == l(c')` with `c'[k] = a + c[k] * s` for `s > 0`, and `b - 1 - c[k] *
    /// -s` for `s < 0`
    ///
    /// `step` is an integer of any type. A range that ends beyond the axis is an error; NumPy clips
    /// it. An empty range does not change the offset and the strides.
    ///
    /// # Errors
    /// No such axis; a range that ends before it begins, or beyond the last element; a step of 0.
    ///
    /// ```
    /// use layout_arrays::ArrayLayout;
    /// let l = ArrayLayout::row_major(&[4, 6])?;
    /// assert_eq!(l.slice(1, 1..6, 2)?.to_string(), "1 o (4,3):(6,2)"); // 1, 3, 5
    /// assert_eq!(l.slice(1, 0..6, -2)?.to_string(), "5 o (4,3):(6,-2)"); // 5, 3, 1
    /// let error = l.slice(1, 2..7, 1).unwrap_err();
    /// assert_eq!(error.to_string(), "2..7 is no range of axis 1, which has the extent 6");
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn slice(
        &self,
        axis: usize,
        range: impl RangeBounds<usize>,
        step: impl TryInto<isize>,
    ) -> Result<Self, ArrayError> {
        let extent = *self.shape().get(axis).ok_or(ArrayError::Axis { axis, rank: self.rank() })?;
        let range = within(&range, extent).map_err(|(start, end)| ArrayError::Range {
            axis,
            start,
            end,
            extent,
        })?;
        let step =
            step.try_into().ok().filter(|&step| step != 0).ok_or(ArrayError::Step { axis })?;
        let mut sliced = self.clone();
        let (count, stride) = (range.len().div_ceil(step.unsigned_abs()), self.strides()[axis]);
        sliced.shape.as_mut_slice()[axis] = count;
        if count == 0 {
            sliced.size = 0;
            return Ok(sliced);
        }
        // If the stride does not fit `isize`, the axis has one element, whose stride does not
        // matter.
        sliced.strides.as_mut_slice()[axis] = stride.checked_mul(step).unwrap_or(stride);
        if self.size != 0 {
            let first = if step > 0 { range.start } else { range.end - 1 };
            sliced.offset = self.offset.wrapping_add_signed(stride.wrapping_mul(first as isize));
            sliced.size = self.size / extent * count;
        }
        Ok(sliced)
    }

    /// The layout at one index of an axis, without that axis: NumPy's `l[.., at, ..]`.
    ///
    /// `index(k, i)(c) == l(c')`, where `c'` is `c` with `i` inserted at position `k`
    ///
    /// # Errors
    /// No such axis, and no such element.
    ///
    /// ```
    /// use layout_arrays::ArrayLayout;
    /// let l = ArrayLayout::row_major(&[2, 3, 4])?;
    /// assert_eq!(l.index(0, 1)?.to_string(), "12 o (3,4):(4,1)");
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn index(&self, axis: usize, at: usize) -> Result<Self, ArrayError> {
        let extent = *self.shape().get(axis).ok_or(ArrayError::Axis { axis, rank: self.rank() })?;
        if at >= extent {
            return Err(ArrayError::Coordinate { axis, at, extent });
        }
        let mut view = self.with_room(axis..axis + 1, 0)?;
        if self.size != 0 {
            view.offset =
                self.offset.wrapping_add_signed(self.strides()[axis].wrapping_mul(at as isize));
            view.size = self.size / extent;
        }
        Ok(view)
    }

    /// The layout without axes of extent 1: NumPy's and PyTorch's `squeeze`.
    ///
    /// ```
    /// use layout_arrays::ArrayLayout;
    /// assert_eq!(ArrayLayout::row_major(&[1, 3, 1])?.squeeze().to_string(), "(3):(1)");
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn squeeze(&self) -> Self {
        let mut view = self.clone();
        let (shape, strides, mut rank) =
            (view.shape.as_mut_slice(), view.strides.as_mut_slice(), 0);
        for axis in 0..shape.len() {
            (shape[rank], strides[rank]) = (shape[axis], strides[axis]);
            rank += usize::from(shape[axis] != 1);
        }
        view.shape.shorten(rank);
        view.strides.shorten(rank);
        view
    }

    /// The layout with a new axis of extent 1 at this position: PyTorch's `unsqueeze`, NumPy's
    /// `expand_dims`. Its stride continues the axis after it, and is 1 at the end.
    ///
    /// # Errors
    /// A position beyond the rank; more than 32 axes.
    ///
    /// ```
    /// use layout_arrays::ArrayLayout;
    /// let l = ArrayLayout::row_major(&[2, 3])?;
    /// assert_eq!(l.unsqueeze(0)?.to_string(), "(1,2,3):(6,3,1)");
    /// assert_eq!(l.unsqueeze(2)?.to_string(), "(2,3,1):(3,1,1)");
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn unsqueeze(&self, axis: usize) -> Result<Self, ArrayError> {
        if axis > self.rank() {
            return Err(ArrayError::Axis { axis, rank: self.rank() });
        }
        let mut view = self.with_room(axis..axis, 1)?;
        view.shape.as_mut_slice()[axis] = 1;
        let behind =
            self.shape().get(axis).map_or(1, |&extent| continued(extent, self.strides()[axis]));
        view.strides.as_mut_slice()[axis] = behind;
        Ok(view)
    }
}
