//! `faer`: a matrix is a tensor of two modes, and a tensor of two leaves is a matrix.
//!
//! ```text
//! from_faer(a)[(i, j)] == a[(i, j)]          t.faer()[(i, j)] == t[(i, j)]
//! ```

use faer::{MatMut, MatRef};

use super::{HasAxes, forwards, signed, two_axes};
use crate::composed::DynComposedLayout;
use crate::error::{Fault, LayoutError};
use crate::layout::strided::StridedLayout;
use crate::tensor::storage::{Addressable, Storage, StorageMut, Tensor, Tile, TileMut};

type Matrix = StridedLayout<(usize, usize), (usize, usize)>;

fn layout_of(operation: &'static str, extents: [usize; 2], strides: [isize; 2]) -> Result<Matrix, LayoutError> {
    let forwards =
        |axis: usize| forwards(axis, extents[axis], strides[axis]).map_err(|fault| LayoutError::new(operation, fault));
    let layout = StridedLayout::new((extents[0], extents[1]), (forwards(0)?, forwards(1)?));
    match layout.reach() {
        Some(_) => Ok(layout),
        None => Err(LayoutError::new(operation, Fault::Overflow).with_operand(&layout)),
    }
}

/// # In other libraries: `faer`
impl<'a, T> Tensor<Tile<'a, T>, Matrix> {
    /// A view of a matrix as a tensor.
    ///
    /// `from_faer(a)[(i, j)] == a[(i, j)]`
    ///
    /// # Errors
    /// `bounds` if rows or columns go backwards, which [`from_faer_signed`](Tensor::from_faer_signed) takes.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let matrix = faer::mat![[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]];
    /// let t = Tensor::from_faer(matrix.as_ref())?;
    /// assert_eq!((t[(0, 2)], t[(1, 0)]), (2.0, 3.0));
    /// assert!(Tensor::from_faer(matrix.as_ref().reverse_rows()).is_err());
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn from_faer(matrix: MatRef<'a, T>) -> Result<Self, LayoutError> {
        let (extents, strides) = ([matrix.nrows(), matrix.ncols()], [matrix.row_stride(), matrix.col_stride()]);
        let layout = layout_of("from_faer", extents, strides)?;
        // SAFETY: the layout has the matrix's extents and strides, so that its offsets are those of the matrix's
        // elements, which the view borrows for `'a`.
        Ok(unsafe { Tensor::from_raw_ref(matrix.as_ptr(), layout) })
    }
}

impl<'a, T> Tensor<TileMut<'a, T>, Matrix> {
    /// A mutable view of a matrix as a tensor. See [`from_faer`](Tensor::from_faer).
    ///
    /// # Errors
    /// Those of [`from_faer`](Tensor::from_faer).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut matrix = faer::Mat::<f64>::zeros(2, 3);
    /// Tensor::from_faer_mut(matrix.as_mut())?.fill(4.0);
    /// assert_eq!(matrix[(1, 2)], 4.0);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn from_faer_mut(matrix: MatMut<'a, T>) -> Result<Self, LayoutError> {
        let (extents, strides) = ([matrix.nrows(), matrix.ncols()], [matrix.row_stride(), matrix.col_stride()]);
        let layout = layout_of("from_faer_mut", extents, strides)?;
        // SAFETY: as in `from_faer`; the view, which is the only path to its elements for `'a`, is used up.
        Ok(unsafe { Tensor::from_raw(matrix.as_ptr_mut(), layout) })
    }
}

/// Rows and columns of any sign are known at run time only, and so is the layout.
impl<'a, T> Tensor<Tile<'a, T>, DynComposedLayout> {
    /// A view of a matrix as a tensor, with rows and columns in either direction. Nothing is copied; the tensor begins
    /// at the matrix's element that lies first in memory.
    ///
    /// `from_faer_signed(a)[(i, j)] == a[(i, j)]`
    ///
    /// # Errors
    /// `overflow` if the size leaves `isize`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let matrix = faer::mat![[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]];
    /// let t = Tensor::from_faer_signed(matrix.as_ref().reverse_rows())?;
    /// assert_eq!((t[(0, 2)], t[(1, 0)]), (5.0, 0.0));
    /// assert_eq!(t.flip::<0>().faer()?, matrix.as_ref());
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn from_faer_signed(matrix: MatRef<'a, T>) -> Result<Self, LayoutError> {
        let (extents, strides) = ([matrix.nrows(), matrix.ncols()], [matrix.row_stride(), matrix.col_stride()]);
        let layout = signed("from_faer_signed", &extents, &strides)?;
        // SAFETY: the layout has the matrix's extents and strides from its offset on, and `offset` before the matrix's
        // first element lies its element of the least address: the offsets are those of the matrix's elements, which
        // the view borrows for `'a`.
        Ok(unsafe { Tensor::from_raw_ref(matrix.as_ptr().wrapping_sub(layout.offset()), layout) })
    }
}
impl<'a, T> Tensor<TileMut<'a, T>, DynComposedLayout> {
    /// A mutable view of a matrix as a tensor, whichever way its rows and columns go. See
    /// [`from_faer_signed`](Tensor::from_faer_signed).
    ///
    /// # Errors
    /// Those of [`from_faer_signed`](Tensor::from_faer_signed).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut matrix = faer::Mat::<f64>::zeros(2, 3);
    /// Tensor::from_faer_signed_mut(matrix.as_mut().reverse_cols_mut())?[(0, 0)] = 4.0;
    /// assert_eq!(matrix[(0, 2)], 4.0);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn from_faer_signed_mut(matrix: MatMut<'a, T>) -> Result<Self, LayoutError> {
        let (extents, strides) = ([matrix.nrows(), matrix.ncols()], [matrix.row_stride(), matrix.col_stride()]);
        let layout = signed("from_faer_signed_mut", &extents, &strides)?;
        // SAFETY: as in `from_faer_signed`; the view, which is the only path to its elements for `'a`, is used up.
        Ok(unsafe { Tensor::from_raw(matrix.as_ptr_mut().wrapping_sub(layout.offset()), layout) })
    }
}

impl<S: Storage, L: HasAxes> Tensor<S, L> {
    /// A tensor of two leaves as a view of a matrix: the first one counts rows.
    ///
    /// `t.faer()?[(i, j)] == t[(i, j)]`
    ///
    /// # Errors
    /// `rank` if there are not two leaves: coalesce it by mode then; `overflow` if the size leaves `isize`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([1.0, 2.0, 3.0, 4.0], layout!((2, 2): right));
    /// assert_eq!(t.faer()?.determinant(), -2.0);
    /// assert!(Tensor::fixed([1.0; 4], layout!((2, (2, 1)))).faer().is_err());
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn faer(&self) -> Result<MatRef<'_, S::Item>, LayoutError> {
        let axes =
            two_axes(self.layout()).map_err(|fault| LayoutError::new("faer", fault).with_operand(self.layout()))?;
        let [rows, columns, ..] = axes.modes.extents;
        let first = self.storage().base().wrapping_add(axes.first());
        // SAFETY: rows and columns have the extents and strides of the leaves, from the first element on, so that the
        // elements are those of the layout, which may be read while the tensor is borrowed; `axes` has checked that the
        // strides fit `isize`.
        Ok(unsafe { MatRef::from_raw_parts(first, rows, columns, axes.stride(0), axes.stride(1)) })
    }
}

impl<S: StorageMut, L: HasAxes> Tensor<S, L> {
    /// A tensor of two leaves as a mutable view of a matrix.
    ///
    /// # Errors
    /// As [`faer`](Tensor::faer), and `overlap` if two coordinates share an element.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::filled(layout!((2, 3): right), 0.0);
    /// t.faer_mut()?.row_mut(1).fill(7.0);
    /// assert_eq!(t.into_storage(), [0.0, 0.0, 0.0, 7.0, 7.0, 7.0]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn faer_mut(&mut self) -> Result<MatMut<'_, S::Item>, LayoutError> {
        let axes = two_axes(self.layout()).and_then(|axes| self.layout().modes().injective().map(|()| axes));
        let axes = axes.map_err(|fault| LayoutError::new("faer_mut", fault).with_operand(self.layout()))?;
        let [rows, columns, ..] = axes.modes.extents;
        let first = self.storage_mut().base_mut().wrapping_add(axes.first());
        // SAFETY: as in `faer`; no two coordinates share an element, and the tensor is borrowed mutably.
        Ok(unsafe { MatMut::from_raw_parts_mut(first, rows, columns, axes.stride(0), axes.stride(1)) })
    }
}
