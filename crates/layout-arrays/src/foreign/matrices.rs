//! `faer` and `nalgebra`: matrices as tensors of two modes, and tensors of two leaves as matrices.
//!
//! ```text
//! a.as_tensor()[(i, j)] == a[(i, j)]          t.to_faer()?[(i, j)] == t[(i, j)]
//! ```

use layout_algebra::Tensor;
use layout_algebra::tensor::{Storage, StorageMut};

use super::{
    AsTensor, AsTensorMut, TensorMut, TensorRef, first_and_axes, first_and_axes_mut, tile,
    tile_mut, two_axes,
};
use crate::axes::HasAxes;
use crate::error::ArrayError;

#[cfg(feature = "faer")]
pub use of_faer::{ToFaer, ToFaerMut};
#[cfg(feature = "nalgebra")]
pub use of_nalgebra::{ToNalgebra, ToNalgebraMut};

#[cfg(feature = "faer")]
mod of_faer {
    use super::*;
    use faer::{Mat, MatMut, MatRef};

    macro_rules! readers {
        ($([$($lifetime:lifetime)?] $matrix:ty;)*) => {$(
            /// ```
            /// use layout_arrays::foreign::AsTensor;
            /// let matrix = faer::mat![[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]];
            /// let turned = matrix.as_ref().reverse_rows();
            /// let t = turned.as_tensor();
            /// assert_eq!((t[(0, 2)], t[(1, 0)]), (5.0, 0.0));
            /// ```
            impl<$($lifetime,)? T> AsTensor for $matrix {
                type Element = T;

                fn try_as_tensor(&self) -> Result<TensorRef<'_, T>, ArrayError> {
                    let matrix = self.as_ref();
                    let shape = [matrix.nrows(), matrix.ncols()];
                    let strides = [matrix.row_stride(), matrix.col_stride()];
                    // SAFETY: the matrix has the elements of its shape and its strides from its
                    // first one on, and is borrowed as long as the tensor lives.
                    unsafe { tile(matrix.as_ptr(), &shape, &strides) }
                }
            }
        )*};
    }
    readers! { ['a] MatRef<'a, T>; ['a] MatMut<'a, T>; [] Mat<T>; }

    macro_rules! writers {
        ($([$($lifetime:lifetime)?] $matrix:ty;)*) => {$(
            /// ```
            /// use layout_arrays::foreign::AsTensorMut;
            /// let mut matrix = faer::Mat::<f64>::zeros(2, 3);
            /// matrix.as_mut().reverse_cols_mut().as_tensor_mut()[(0, 0)] = 4.0;
            /// assert_eq!(matrix[(0, 2)], 4.0);
            /// ```
            impl<$($lifetime,)? T> AsTensorMut for $matrix {
                fn try_as_tensor_mut(&mut self) -> Result<TensorMut<'_, T>, ArrayError> {
                    let matrix = self.as_mut();
                    let shape = [matrix.nrows(), matrix.ncols()];
                    let strides = [matrix.row_stride(), matrix.col_stride()];
                    // SAFETY: as in `try_as_tensor`; the matrix is borrowed mutably, and no two of
                    // its elements are one.
                    unsafe { tile_mut(matrix.as_ptr_mut(), &shape, &strides) }
                }
            }
        )*};
    }
    writers! { ['a] MatMut<'a, T>; [] Mat<T>; }

    /// Tensors as matrices of `faer`.
    pub trait ToFaer<T> {
        /// A tensor of two leaves as a view of a matrix: the first one counts rows.
        ///
        /// `t.to_faer()?[(i, j)] == t[(i, j)]`
        ///
        /// # Errors
        /// Another number of leaves than two (coalesce by mode first); a swizzle.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// use layout_arrays::foreign::ToFaer;
        /// let t = Tensor::fixed([1.0, 2.0, 3.0, 4.0], layout!((2, 2): right));
        /// assert_eq!(t.to_faer()?.determinant(), -2.0);
        /// assert!(Tensor::fixed([1.0; 4], layout!((2, (2, 1)))).to_faer().is_err());
        /// # Ok::<(), layout_arrays::ArrayError>(())
        /// ```
        fn to_faer(&self) -> Result<MatRef<'_, T>, ArrayError>;
    }
    impl<S: Storage, L: HasAxes> ToFaer<S::Item> for Tensor<S, L> {
        fn to_faer(&self) -> Result<MatRef<'_, S::Item>, ArrayError> {
            let (first, axes) = first_and_axes(self)?;
            let ([m, n], [d, e]) = two_axes(&axes)?;
            // SAFETY: rows and columns have the extents and strides of the leaves, from the first
            // element on, so that the elements are those of the layout, which may be read while the
            // tensor is borrowed.
            Ok(unsafe { MatRef::from_raw_parts(first, m, n, d, e) })
        }
    }

    /// Tensors as mutable matrices of `faer`. See [`ToFaer`].
    pub trait ToFaerMut<T> {
        /// A tensor of two leaves as a mutable view of a matrix.
        ///
        /// # Errors
        /// Those of [`to_faer`](ToFaer::to_faer), and two coordinates that share an element.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// use layout_arrays::foreign::ToFaerMut;
        /// let mut t = Tensor::filled(layout!((2, 3): right), 0.0);
        /// t.to_faer_mut()?.row_mut(1).fill(7.0);
        /// assert_eq!(t.into_storage(), [0.0, 0.0, 0.0, 7.0, 7.0, 7.0]);
        /// # Ok::<(), layout_arrays::ArrayError>(())
        /// ```
        fn to_faer_mut(&mut self) -> Result<MatMut<'_, T>, ArrayError>;
    }
    impl<S: StorageMut, L: HasAxes> ToFaerMut<S::Item> for Tensor<S, L> {
        fn to_faer_mut(&mut self) -> Result<MatMut<'_, S::Item>, ArrayError> {
            let (first, axes) = first_and_axes_mut(self)?;
            let ([m, n], [d, e]) = two_axes(&axes)?;
            // SAFETY: as in `to_faer`; no two coordinates share an element, and the tensor is
            // borrowed mutably.
            Ok(unsafe { MatMut::from_raw_parts_mut(first, m, n, d, e) })
        }
    }
}

#[cfg(feature = "nalgebra")]
mod of_nalgebra {
    use super::super::forwards;
    use super::*;
    use nalgebra::{
        DMatrixView, DMatrixViewMut, Dim, Dyn, Matrix, RawStorage, RawStorageMut, Scalar,
        ViewStorage, ViewStorageMut,
    };

    /// Strides saturate at `isize`: a larger one belongs to an axis of one element.
    fn shape_and_strides<T, R: Dim, C: Dim>(
        data: &impl RawStorage<T, R, C>,
    ) -> ([usize; 2], [isize; 2]) {
        let ((m, n), (d, e)) = (data.shape(), data.strides());
        let stride = |stride: usize| isize::try_from(stride).unwrap_or(isize::MAX);
        ([m.value(), n.value()], [stride(d.value()), stride(e.value())])
    }

    /// ```
    /// use layout_arrays::foreign::AsTensor;
    /// let matrix = nalgebra::Matrix2x3::new(0, 1, 2, 3, 4, 5); // written by rows
    /// assert_eq!((matrix.as_tensor()[(0, 2)], matrix.column(1).as_tensor()[(1, 0)]), (2, 4));
    /// ```
    impl<T, R: Dim, C: Dim, S: RawStorage<T, R, C>> AsTensor for Matrix<T, R, C, S> {
        type Element = T;

        fn try_as_tensor(&self) -> Result<TensorRef<'_, T>, ArrayError> {
            let (shape, strides) = shape_and_strides(&self.data);
            // SAFETY: a storage has the elements of its shape and its strides from its first one
            // on, as whoever implements the unsafe trait `RawStorage` promises, and is borrowed as
            // long as the tensor lives.
            unsafe { tile(self.data.ptr(), &shape, &strides) }
        }
    }

    /// ```
    /// use layout_arrays::foreign::AsTensorMut;
    /// let mut matrix = nalgebra::Matrix2x3::zeros();
    /// matrix.row_mut(1).as_tensor_mut()[(0, 2)] = 7;
    /// assert_eq!(matrix[(1, 2)], 7);
    /// ```
    impl<T, R: Dim, C: Dim, S: RawStorageMut<T, R, C>> AsTensorMut for Matrix<T, R, C, S> {
        fn try_as_tensor_mut(&mut self) -> Result<TensorMut<'_, T>, ArrayError> {
            let (shape, strides) = shape_and_strides(&self.data);
            // SAFETY: as in `try_as_tensor`; the matrix is borrowed mutably, and no two elements of
            // a `RawStorageMut` are one.
            unsafe { tile_mut(self.data.ptr_mut(), &shape, &strides) }
        }
    }

    /// Tensors as matrices of `nalgebra`.
    pub trait ToNalgebra<T: Scalar> {
        /// A tensor of two leaves as a view of a matrix: the first one counts rows.
        ///
        /// `t.to_nalgebra()?[(i, j)] == t[(i, j)]`
        ///
        /// # Errors
        /// Another number of leaves than two, a swizzle, and a negative stride.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// use layout_arrays::foreign::ToNalgebra;
        /// let t = Tensor::fixed([1.0, 2.0, 3.0, 4.0], layout!((2, 2): right));
        /// assert_eq!(t.to_nalgebra()?, nalgebra::Matrix2::new(1.0, 2.0, 3.0, 4.0));
        /// # Ok::<(), layout_arrays::ArrayError>(())
        /// ```
        fn to_nalgebra(&self) -> Result<DMatrixView<'_, T, Dyn, Dyn>, ArrayError>;
    }
    impl<S: Storage<Item: Scalar>, L: HasAxes> ToNalgebra<S::Item> for Tensor<S, L> {
        fn to_nalgebra(&self) -> Result<DMatrixView<'_, S::Item, Dyn, Dyn>, ArrayError> {
            let (first, axes) = first_and_axes(self)?;
            let ([m, n], strides) = two_axes(&axes)?;
            let [d, e] = forwards(strides)?;
            // SAFETY: rows and columns have the extents and strides of the leaves, from the first
            // element on, so that the elements are those of the layout, which may be read while the
            // tensor is borrowed.
            Ok(unsafe {
                Matrix::from_data(ViewStorage::from_raw_parts(
                    first,
                    (Dyn(m), Dyn(n)),
                    (Dyn(d), Dyn(e)),
                ))
            })
        }
    }

    /// Tensors as mutable matrices of `nalgebra`. See [`ToNalgebra`].
    pub trait ToNalgebraMut<T: Scalar> {
        /// A tensor of two leaves as a mutable view of a matrix.
        ///
        /// # Errors
        /// Those of [`to_nalgebra`](ToNalgebra::to_nalgebra), and two coordinates that share an
        /// element.
        ///
        /// ```
        /// use layout_algebra::prelude::*;
        /// use layout_arrays::foreign::ToNalgebraMut;
        /// let mut t = Tensor::filled(layout!((2, 3): right), 0);
        /// t.to_nalgebra_mut()?.row_mut(1).fill(7);
        /// assert_eq!(t.into_storage(), [0, 0, 0, 7, 7, 7]);
        /// # Ok::<(), layout_arrays::ArrayError>(())
        /// ```
        fn to_nalgebra_mut(&mut self) -> Result<DMatrixViewMut<'_, T, Dyn, Dyn>, ArrayError>;
    }
    impl<S: StorageMut<Item: Scalar>, L: HasAxes> ToNalgebraMut<S::Item> for Tensor<S, L> {
        fn to_nalgebra_mut(&mut self) -> Result<DMatrixViewMut<'_, S::Item, Dyn, Dyn>, ArrayError> {
            let (first, axes) = first_and_axes_mut(self)?;
            let ([m, n], strides) = two_axes(&axes)?;
            let [d, e] = forwards(strides)?;
            // SAFETY: as in `to_nalgebra`; no two coordinates share an element, and the tensor is
            // borrowed mutably.
            Ok(unsafe {
                Matrix::from_data(ViewStorageMut::from_raw_parts(
                    first,
                    (Dyn(m), Dyn(n)),
                    (Dyn(d), Dyn(e)),
                ))
            })
        }
    }
}
