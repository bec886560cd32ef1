//! Copies with the widest vector that both layouts and the alignment allow.
//!
//! ```text
//! to(c) = Sw(f + sum c_k * t_k),  from(c) = Sw'(f' + sum c_k * f_k)
//! the width 2^v divides the extent of the innermost loop, whose strides are 1, all other strides,
//! f and f', and is at most what both swizzles leave side by side
//! ```

use crate::error::LayoutError;
use crate::tensor::memory::{Addressable, SameShape, StorageMut, StorageOf, Tensor};
use crate::tensor::whole::each::same_shape;

impl<S: StorageMut<Item: Copy>, L: Addressable> Tensor<S, L> {
    /// Copies every element of a tensor of the same shape, as many at once as both layouts and both
    /// alignments allow, up to 16 bytes. Returns how many that is. CuTe's `copy` with
    /// `AutoVectorizingCopy`.
    ///
    /// What the types know of the layouts is decided when the program is built: which modes lie
    /// side by side in both memories, and for `(16, n):(1, 16)` that 16 divides every extent and
    /// stride. Of a number that only run time knows, the copy looks at the number: rows of `n`
    /// bytes, `(m, n):(n, 1)`, go 16 at once if 16 divides `n`. A promise, `Multiple<Int<16>>`,
    /// saves the look. Under a swizzle as many elements go at once as it leaves side by side.
    ///
    /// `after: self[c] == source[c]`
    ///
    /// # Errors
    /// `profile` if the extents differ. Shapes that nest differently do not compile.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let source = Tensor::filled(layout!((8, 4): right), 1_u8);
    /// let mut rows = Tensor::filled(layout!((8, 4):(4, 1)), 0_u8);
    /// assert!(rows.copy_vectors_from(&source)? >= 1);
    /// assert_eq!(rows.iter().map(|x| *x as u32).sum::<u32>(), 32);
    /// let mut columns = Tensor::filled(layout!((8, 4)), 0_u8);
    /// assert_eq!(columns.copy_vectors_from(&source)?, 1); // no two neighbours in both
    /// assert_eq!(columns.iter().map(|x| *x as u32).sum::<u32>(), 32);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn copy_vectors_from<R, M>(&mut self, source: &Tensor<R, M>) -> Result<usize, LayoutError>
    where
        R: StorageOf<S::Item>,
        L: SameShape<M>,
        M: Addressable,
    {
        same_shape("copy", self.layout(), source.layout())?;
        if source.size() == 0 {
            return Ok(1);
        }
        if let Some(width) = self.copy_vectors(source) {
            return Ok(width);
        }
        self.copy_elements(source);
        Ok(1)
    }
}
