//! `matrixmultiply`: the product of matrices of any strides.
//!
//! ```text
//! C(i, j) = alpha * sum of A(i, p) * B(p, j) over p + beta * C(i, j)
//! ```

use super::{HasAxes, two_axes};
use crate::error::{Fault, LayoutError};
use crate::tensor::storage::{Storage, StorageMut, Tensor};

/// A matrix as an address, and the strides of its two axes.
type Strided<P> = (P, [isize; 2]);

/// An element that `matrixmultiply` has a product for: `f32` and `f64`.
///
/// ```
/// use layout_algebra::tensor::MatrixElement;
/// static_assertions::assert_impl_all!(f32: MatrixElement);
/// static_assertions::assert_not_impl_any!(i32: MatrixElement);
/// ```
#[diagnostic::on_unimplemented(
    message = "matrixmultiply has no product of matrices of these elements",
    label = "`{Self}`: neither `f32` nor `f64`"
)]
pub trait MatrixElement: Copy {
    /// C = alpha * A * B + beta * C for matrices of (m, k), (k, n) and (m, n).
    ///
    /// # Safety
    /// The elements of A and of B may be read and those of C written, and read where `beta` is not zero; no element of
    /// C is one of A or of B.
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
        impl MatrixElement for $element {
            unsafe fn product(
                [m, k, n]: [usize; 3],
                alpha: Self,
                (a, [step_am, step_ak]): Strided<*const Self>,
                (b, [step_bk, step_bn]): Strided<*const Self>,
                beta: Self,
                (c, [step_cm, step_cn]): Strided<*mut Self>,
            ) {
                // SAFETY: the caller's promise.
                unsafe {
                    matrixmultiply::$product(
                        m, k, n, alpha, a, step_am, step_ak, b, step_bk, step_bn, beta, c, step_cm, step_cn,
                    );
                }
            }
        }
    };
}
element!(f32, sgemm);
element!(f64, dgemm);

/// # In other libraries: `matrixmultiply`
impl<T: MatrixElement, S: StorageMut<Item = T>, L: HasAxes> Tensor<S, L> {
    /// `C = alpha * A * B + beta * C` by the crate `matrixmultiply`, on one core, for matrices of (m, k), (k, n) and
    /// (m, n): tensors of two leaves, with any strides.
    ///
    /// If `beta` is zero, the old elements of C are not read; they may be NaN.
    ///
    /// # Errors
    /// `rank` if a tensor has not two leaves: coalesce it by mode then; `profile` if the shapes do not fit one another;
    /// `overlap` if two coordinates of C share an element; `overflow` if a size exceeds `isize`. After an error C is
    /// unchanged.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let a = Tensor::fixed([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], layout!((2, 3): right));
    /// let b = Tensor::fixed([1.0, 0.0, 1.0, 0.0, 1.0, 1.0], layout!((3, 2)));
    /// let mut c = Tensor::filled(layout!((2, 2): right), f64::NAN);
    /// c.matrixmultiply(1.0, &a, &b, 0.0)?;
    /// assert_eq!(c.into_storage(), [4.0, 5.0, 10.0, 11.0]);
    ///
    /// let mut c = Tensor::filled(layout!((3, 2)), 0.0);
    /// let error = c.matrixmultiply(1.0, &a, &b, 0.0).unwrap_err();
    /// assert!(
    ///     error.to_string().ends_with("shapes (2, 3) and (3, 2) have no product of the shape (3, 2)")
    /// );
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn matrixmultiply<A, LA, B, LB>(
        &mut self,
        alpha: T,
        a: &Tensor<A, LA>,
        b: &Tensor<B, LB>,
        beta: T,
    ) -> Result<(), LayoutError>
    where
        A: Storage<Item = T>,
        B: Storage<Item = T>,
        LA: HasAxes,
        LB: HasAxes,
    {
        const NAME: &str = "matrixmultiply";
        let modes_a = two_axes(a.layout()).map_err(|fault| LayoutError::new(NAME, fault).with_operand(a.layout()))?;
        let modes_b = two_axes(b.layout()).map_err(|fault| LayoutError::new(NAME, fault).with_operand(b.layout()))?;
        let modes_c = two_axes(self.layout()).and_then(|modes| self.layout().modes().injective().map(|()| modes));
        let modes_c = modes_c.map_err(|fault| LayoutError::new(NAME, fault).with_operand(self.layout()))?;
        let [left, right, product] =
            [&modes_a, &modes_b, &modes_c].map(|axes| (axes.modes.extents[0], axes.modes.extents[1]));
        if left.1 != right.0 || product != (left.0, right.1) {
            let fault = Fault::Product { left, right, product };
            return Err(LayoutError::new(NAME, fault).with_operands(a.layout(), b.layout()));
        }
        let strides = [&modes_a, &modes_b, &modes_c].map(|axes| [axes.stride(0), axes.stride(1)]);
        let a = (a.storage().base().wrapping_add(modes_a.first()), strides[0]);
        let b = (b.storage().base().wrapping_add(modes_b.first()), strides[1]);
        let c = (self.storage_mut().base_mut().wrapping_add(modes_c.first()), strides[2]);
        // SAFETY: the matrices have the extents and strides of the leaves from their first elements on, so that their
        // elements are those of the layouts, which may be read while the tensors are borrowed, and those of C written:
        // it is borrowed mutably, so that A and B have none of them, and no two of its coordinates share one. `axes`
        // has checked that the strides fit `isize`.
        unsafe { T::product([left.0, left.1, right.1], alpha, a, b, beta, c) };
        Ok(())
    }
}
