//! Folds axes to one stride, and splits axes.
//!
//! ```text
//! (n, m):(m * d, d) = (n * m):(d)      axes fold if the outer stride continues the inner axis
//! reshape(l, s)(i) = l(i)              for the linear index i, the last axis the fastest
//! ```

use core::ops::{Bound, Range, RangeBounds};

use crate::error::{ArrayError, NeedsCopy};
use crate::layout::{ArrayLayout, fill_row_major, size_of_shape};

/// The stride of an axis that continues an axis of this extent and stride. 0 if it does not fit
/// `isize`: such an axis has one element.
#[inline]
pub(crate) fn continued(extent: usize, stride: isize) -> isize {
    isize::try_from(extent).ok().and_then(|extent| stride.checked_mul(extent)).unwrap_or(0)
}

/// Finds the strides with which `to` has the same elements as these axes. No axis is empty, and
/// both shapes have the same size.
#[inline]
fn fill_strides(
    shape: &[usize],
    strides: &[isize],
    to: &[usize],
    found: &mut [isize],
) -> Result<(), NeedsCopy> {
    let axis_before = |axis: usize| shape[..axis].iter().rposition(|&extent| extent != 1);
    // The last axis that moves.
    let Some(mut inner) = axis_before(shape.len()) else {
        found.fill(1);
        return Ok(());
    };
    // The elements of the current run, which has one stride, that are not yet assigned.
    let (mut run, mut stride) = (shape[inner], strides[inner]);
    for (&extent, found) in to.iter().zip(found).rev() {
        while run % extent != 0 {
            // Both shapes have the same size, so there is another axis.
            let Some(outer) = axis_before(inner) else { break };
            if run == 1 {
                (run, stride) = (shape[outer], strides[outer]);
            } else if isize::try_from(run).ok().and_then(|run| stride.checked_mul(run))
                == Some(strides[outer])
            {
                run *= shape[outer];
            } else {
                let (extents, strides) =
                    ([shape[outer], shape[inner]], [strides[outer], strides[inner]]);
                return Err(NeedsCopy { outer, inner, extents, strides, names: None });
            }
            inner = outer;
        }
        *found = stride;
        run /= extent;
        stride = continued(extent, stride);
    }
    Ok(())
}

impl ArrayLayout {
    /// The same elements in the same order under another shape: NumPy's `reshape(copy=False)`,
    /// PyTorch's `view`.
    ///
    /// `reshape(s).offsets() == offsets()`
    ///
    /// It succeeds if and only if one stride for each axis exists. An axis of extent 1 gets the
    /// stride that continues the axes after it, as in NumPy; an empty layout gets the strides of a
    /// compact array. Reshaping to the same shape changes nothing.
    ///
    /// # Errors
    /// [`NeedsCopy`] with two axes that do not fold; another number of elements; more than 32 axes.
    ///
    /// ```
    /// use layout_arrays::{ArrayError, ArrayLayout};
    /// let l = ArrayLayout::row_major(&[2, 3, 4])?;
    /// assert_eq!(l.reshape(&[6, 2, 2])?.strides(), [4, 2, 1]);
    /// let cropped = l.slice(2, 0..2, 1)?; // (2,3,2):(12,4,1)
    /// assert_eq!(cropped.reshape(&[6, 2])?.strides(), [4, 1]);
    /// assert!(matches!(cropped.reshape(&[2, 6]), Err(ArrayError::NeedsCopy(_))));
    /// # Ok::<(), ArrayError>(())
    /// ```
    pub fn reshape(&self, shape: &[usize]) -> Result<Self, ArrayError> {
        let mut view = Self::zeros(shape.len())?;
        (view.size, view.offset) = (size_of_shape(shape)?, self.offset);
        if view.size != self.size {
            return Err(ArrayError::Size { from: self.size, to: view.size });
        }
        if shape == self.shape() {
            return Ok(self.clone());
        }
        view.shape.as_mut_slice().copy_from_slice(shape);
        match view.size {
            0 => fill_row_major(shape, view.strides.as_mut_slice()),
            _ => fill_strides(self.shape(), self.strides(), shape, view.strides.as_mut_slice())?,
        }
        Ok(view)
    }

    /// Merges a range of axes into one: `reshape` with the product of their extents in their place.
    ///
    /// `merge(r) == reshape(shape[..r.start] ++ [product] ++ shape[r.end..])`, except that the axes
    /// outside the range keep their strides, also in an empty layout and with extent 1. An empty
    /// range inserts an axis of extent 1.
    ///
    /// # Errors
    /// [`NeedsCopy`] with two axes that do not fold; a range beyond the axes; more than 32 axes.
    ///
    /// ```
    /// use layout_arrays::ArrayLayout;
    /// let l = ArrayLayout::row_major(&[2, 3, 4])?;
    /// assert_eq!(l.merge(0..2)?.to_string(), "(6,4):(4,1)");
    /// let error = l.permute(&[2, 0, 1])?.merge(0..2).unwrap_err();
    /// let text = error.to_string();
    /// assert!(text.contains("axis 0 (extent 4, stride 1) and axis 1 (extent 2, stride 12)"));
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn merge(&self, axes: impl RangeBounds<usize>) -> Result<Self, ArrayError> {
        let rank = self.rank();
        let axes =
            within(&axes, rank).map_err(|(start, end)| ArrayError::Axes { start, end, rank })?;
        let product = size_of_shape(&self.shape()[axes.clone()])?;
        self.with_axes(axes, &[product])
    }

    /// Splits an axis into several, the last one the fastest: `reshape` with these extents in its
    /// place.
    ///
    /// `split(k, e) == reshape(shape[..k] ++ e ++ shape[k + 1..])`, and the other axes keep their
    /// strides. An empty list of extents removes an axis of extent 1.
    ///
    /// # Errors
    /// Extents whose product is not the extent of the axis; no such axis; more than 32 axes.
    ///
    /// ```
    /// use layout_arrays::ArrayLayout;
    /// let l = ArrayLayout::row_major(&[6, 4])?;
    /// assert_eq!(l.split(0, &[2, 3])?.to_string(), "(2,3,4):(12,4,1)");
    /// let error = l.split(0, &[4, 2]).unwrap_err();
    /// assert_eq!(error.to_string(), "axis 0 has the extent 6, and the parts multiply to 8");
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    pub fn split(&self, axis: usize, extents: &[usize]) -> Result<Self, ArrayError> {
        let extent = *self.shape().get(axis).ok_or(ArrayError::Axis { axis, rank: self.rank() })?;
        let product = size_of_shape(extents)?;
        if product != extent {
            return Err(ArrayError::Split { axis, extent, product });
        }
        self.with_axes(axis..axis + 1, extents)
    }

    /// The layout with the extents `to` in place of these axes, which have the same size.
    #[inline]
    fn with_axes(&self, axes: Range<usize>, to: &[usize]) -> Result<Self, ArrayError> {
        let mut view = self.with_room(axes.clone(), to.len())?;
        let room = axes.start..axes.start + to.len();
        view.shape.as_mut_slice()[room.clone()].copy_from_slice(to);
        let (shape, strides) = (&self.shape()[axes.clone()], &self.strides()[axes.clone()]);
        let found = &mut view.strides.as_mut_slice()[room];
        let folds =
            if shape.contains(&0) { None } else { Some(fill_strides(shape, strides, to, found)) };
        match folds {
            Some(Err(NeedsCopy { outer, inner, extents, strides, names })) if self.size != 0 => {
                let (outer, inner) = (outer + axes.start, inner + axes.start);
                return Err(NeedsCopy { outer, inner, extents, strides, names }.into());
            }
            Some(Ok(())) => {}
            // The layout is empty: it gets the strides of a compact array.
            _ => fill_row_major(to, found),
        }
        if self.size == 0 {
            // The other extents are checked too: their product has to fit without the zeros.
            size_of_shape(view.shape())?;
        }
        Ok(view)
    }

    /// The layout with `count` zeros in place of these axes, which the caller fills in.
    #[inline(always)]
    pub(crate) fn with_room(&self, axes: Range<usize>, count: usize) -> Result<Self, ArrayError> {
        let (before, behind, room) = (axes.start, axes.end, axes.start + count);
        let mut view = Self::zeros(self.rank() - axes.len() + count)?;
        (view.offset, view.size) = (self.offset, self.size);
        let (shape, strides) = (view.shape.as_mut_slice(), view.strides.as_mut_slice());
        shape[..before].copy_from_slice(&self.shape()[..before]);
        shape[room..].copy_from_slice(&self.shape()[behind..]);
        strides[..before].copy_from_slice(&self.strides()[..before]);
        strides[room..].copy_from_slice(&self.strides()[behind..]);
        Ok(view)
    }
}

/// The range, if it lies within `0..len`; otherwise its start and end, for the error.
pub(crate) fn within(
    range: &impl RangeBounds<usize>,
    len: usize,
) -> Result<Range<usize>, (usize, usize)> {
    let start = match range.start_bound() {
        Bound::Unbounded => 0,
        Bound::Included(&start) => start,
        Bound::Excluded(&before) => before.saturating_add(1),
    };
    let end = match range.end_bound() {
        Bound::Unbounded => len,
        Bound::Included(&last) => last.saturating_add(1),
        Bound::Excluded(&end) => end,
    };
    if start <= end && end <= len { Ok(start..end) } else { Err((start, end)) }
}
