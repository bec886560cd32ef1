//! `matrixmultiply`: the product of matrices of any strides.
//!
//! ```text
//! C(i, j) = alpha * sum of A(i, p) * B(p, j) over p + beta * C(i, j)
//! ```

use layout_algebra::Tensor;
use layout_algebra::tensor::{Storage, StorageMut};

use super::{first_and_axes, first_and_axes_mut, two_axes};
use crate::axes::HasAxes;
use crate::error::ArrayError;

/// A matrix as an address, and the strides of its two axes.
type Strided<P> = (P, [isize; 2]);

/// An element that `matrixmultiply` has a product for: `f32` and `f64`.
///
/// # Safety
/// `product` reads and writes what its contract says, and nothing else.
///
/// ```
/// use layout_arrays::foreign::MatrixElement;
/// static_assertions::assert_impl_all!(f32: MatrixElement);
/// static_assertions::assert_not_impl_any!(i32: MatrixElement);
/// ```
#[diagnostic::on_unimplemented(
    message = "matrixmultiply has no product of matrices of these elements",
    label = "`{Self}`: neither `f32` nor `f64`"
)]
pub unsafe trait MatrixElement: Copy {
    /// C = alpha * A * B + beta * C for matrices of (m, k), (k, n) and (m, n).
    ///
    /// # Safety
    /// The elements of A and of B may be read and those of C written, and read where `beta` is not
    /// zero; no element of C is one of A or of B.
    #[doc(hidden)]
    unsafe fn product(
        extents: [usize; 3],
        alpha: Self,
        a: Strided<*const Self>,
        b: Strided<*const Self>,
        beta: Self,
        c: Strided<*mut Self>,
    );
}
macro_rules! element {
    ($element:ident, $product:ident) => {
        // SAFETY: as `matrixmultiply` documents.
        unsafe impl MatrixElement for $element {
            unsafe fn product(
                [m, k, n]: [usize; 3],
                alpha: Self,
                (a, [am, ak]): Strided<*const Self>,
                (b, [bk, bn]): Strided<*const Self>,
                beta: Self,
                (c, [cm, cn]): Strided<*mut Self>,
            ) {
                // SAFETY: the caller's promise.
                unsafe {
                    matrixmultiply::$product(m, k, n, alpha, a, am, ak, b, bk, bn, beta, c, cm, cn);
                }
            }
        }
    };
}
element!(f32, sgemm);
element!(f64, dgemm);

/// The product of matrices by the crate `matrixmultiply`.
pub trait MatrixMultiply<T> {
    /// `C = alpha * A * B + beta * C` by the crate `matrixmultiply`, on one core, for matrices of
    /// (m, k), (k, n) and (m, n): tensors of two leaves, with any strides.
    ///
    /// If `beta` is zero, the old elements of C are not read; they may be NaN.
    ///
    /// # Errors
    /// A tensor with another number of leaves than two (coalesce by mode first); shapes that do not
    /// fit; two coordinates of C that share an element. After an error C is unchanged.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_arrays::foreign::MatrixMultiply;
    /// let a = Tensor::fixed([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], layout!((2, 3): right));
    /// let b = Tensor::fixed([1.0, 0.0, 1.0, 0.0, 1.0, 1.0], layout!((3, 2)));
    /// let mut c = Tensor::filled(layout!((2, 2): right), f64::NAN);
    /// c.matrixmultiply(1.0, &a, &b, 0.0)?;
    /// assert_eq!(c.into_storage(), [4.0, 5.0, 10.0, 11.0]);
    ///
    /// let mut c = Tensor::filled(layout!((3, 2)), 0.0);
    /// let error = c.matrixmultiply(1.0, &a, &b, 0.0).unwrap_err();
    /// let why = "matrices of the shapes (2, 3) and (3, 2) have no product of the shape (3, 2)";
    /// assert_eq!(error.to_string(), why);
    /// # Ok::<(), layout_arrays::ArrayError>(())
    /// ```
    fn matrixmultiply<A, LA, B, LB>(
        &mut self,
        alpha: T,
        a: &Tensor<A, LA>,
        b: &Tensor<B, LB>,
        beta: T,
    ) -> Result<(), ArrayError>
    where
        A: Storage<Item = T>,
        B: Storage<Item = T>,
        LA: HasAxes,
        LB: HasAxes;
}
impl<T: MatrixElement, S: StorageMut<Item = T>, L: HasAxes> MatrixMultiply<T> for Tensor<S, L> {
    fn matrixmultiply<A, LA, B, LB>(
        &mut self,
        alpha: T,
        a: &Tensor<A, LA>,
        b: &Tensor<B, LB>,
        beta: T,
    ) -> Result<(), ArrayError>
    where
        A: Storage<Item = T>,
        B: Storage<Item = T>,
        LA: HasAxes,
        LB: HasAxes,
    {
        let ((a, axes_a), (b, axes_b)) = (first_and_axes(a)?, first_and_axes(b)?);
        let (c, axes_c) = first_and_axes_mut(self)?;
        let (left, steps_a) = two_axes(&axes_a)?;
        let (right, steps_b) = two_axes(&axes_b)?;
        let (product, steps_c) = two_axes(&axes_c)?;
        if left[1] != right[0] || product != [left[0], right[1]] {
            let [left, right, product] = [left, right, product].map(|[m, n]| (m, n));
            return Err(ArrayError::Product { left, right, product });
        }
        // SAFETY: the matrices have the first elements, extents and strides of the tensors'
        // layouts. The elements of A and B may be read while these are borrowed. C is borrowed
        // mutably, so it shares no element with A and B, and no two of its coordinates share one.
        unsafe {
            T::product(
                [left[0], left[1], right[1]],
                alpha,
                (a, steps_a),
                (b, steps_b),
                beta,
                (c, steps_c),
            );
        }
        Ok(())
    }
}
