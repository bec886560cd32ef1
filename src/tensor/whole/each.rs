//! Operations on all elements of a tensor, one by one.

#[cfg(feature = "alloc")]
use crate::error::expect;
use crate::error::{Fault, LayoutError};
#[cfg(feature = "alloc")]
use crate::tensor::memory::like::CompactLike;
use crate::tensor::memory::{
    Addressable, Elements, SameShape, Storage, StorageMut, StorageOf, Tensor,
};

/// The elements of two tensors, pairwise: what [`Tensor::zip`] returns.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::{Addressable, Pairs, Storage};
/// fn dot<S: Storage<Item = i32>, L: Addressable>(pairs: Pairs<'_, S, L, S, L>) -> i32 {
///     pairs.map(|(a, b)| a * b).sum()
/// }
/// let (a, b) = (Tensor::fixed([1, 2, 3], layout!(3)), Tensor::fixed([4, 5, 6], layout!(3)));
/// assert_eq!(dot(a.zip(&b)?), 4 + 10 + 18);
/// # Ok::<(), LayoutError>(())
/// ```
pub type Pairs<'a, S, L, R, M> = core::iter::Zip<Elements<'a, S, L>, Elements<'a, R, M>>;

/// # Algorithms on whole tensors
impl<S: Storage, L: Addressable> Tensor<S, L> {
    /// Sets every element. CuTe's `fill`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([0; 6], layout!((2, 2):(1, 4)));
    /// t.fill(7);
    /// assert_eq!(t.into_storage(), [7, 7, 0, 0, 7, 7]);
    /// ```
    #[inline]
    pub fn fill(&mut self, value: S::Item)
    where
        S: StorageMut,
        S::Item: Clone,
    {
        self.for_each_mut(|_, element| *element = value.clone());
    }

    /// Replaces every element `x` by `f(x)`. CuTe's `transform`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([1, 2, 3, 4], layout!((2, 2)));
    /// t.transform(|x| x * x);
    /// assert_eq!(t.into_storage(), [1, 4, 9, 16]);
    /// ```
    #[inline]
    pub fn transform(&mut self, mut f: impl FnMut(&S::Item) -> S::Item)
    where
        S: StorageMut,
    {
        self.for_each_mut(|_, element| *element = f(element));
    }

    /// Copies every element of a tensor of the same shape. CuTe's `copy`. For large ones,
    /// `relayout_from` of the package `layout-relayout` makes a plan at run time, with transposes
    /// in registers and streaming stores.
    ///
    /// `after: self[c] == source[c]`
    ///
    /// # Errors
    /// `profile` if the extents differ. Shapes that nest differently do not compile.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let rows = Tensor::fixed([0, 1, 2, 3, 4, 5], layout!((2, 3): right));
    /// let mut columns = Tensor::fixed([0; 6], layout!((2, 3)));
    /// columns.copy_from(&rows)?;
    /// assert_eq!(columns.into_storage(), [0, 3, 1, 4, 2, 5]);
    /// let mut wider = Tensor::fixed([0; 8], layout!((2, 4)));
    /// assert_eq!(wider.copy_from(&rows).unwrap_err().kind().as_str(), "profile");
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn copy_from<R, M>(&mut self, source: &Tensor<R, M>) -> Result<(), LayoutError>
    where
        S: StorageMut,
        R: StorageOf<S::Item>,
        L: SameShape<M>,
        M: Addressable,
        S::Item: Clone,
    {
        if self.copy_elements(source) {
            return Ok(());
        }
        Err(LayoutError::new("copy_from", Fault::Shapes)
            .with_operands(self.layout(), source.layout()))
    }

    /// Folds all elements with `f`, beginning with `first`. CuTe's `reduce`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([1, 2, 3, 4], layout!((2, 2)));
    /// assert_eq!(t.reduce(0, |sum, x| sum + x), 10);
    /// ```
    #[inline]
    pub fn reduce<A>(&self, first: A, f: impl FnMut(A, &S::Item) -> A) -> A {
        self.iter().fold(first, f)
    }

    /// The elements of two tensors of the same shape, pairwise.
    ///
    /// # Errors
    /// `profile` if the shapes differ.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let a = Tensor::fixed([1, 2, 3, 4], layout!((2, 2)));
    /// let b = Tensor::fixed([10, 20, 30, 40], layout!((2, 2): right));
    /// assert_eq!(a.zip(&b)?.map(|(a, b)| a + b).collect::<Vec<_>>(), [11, 32, 23, 44]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn zip<'a, R, M>(
        &'a self,
        other: &'a Tensor<R, M>,
    ) -> Result<Pairs<'a, S, L, R, M>, LayoutError>
    where
        R: Storage,
        L: SameShape<M>,
        M: Addressable,
    {
        same_shape("zip", self.layout(), other.layout())?;
        Ok(self.iter().zip(other.iter()))
    }

    /// Calls `f` with each element and the one of `other` at the same coordinate, the leftmost mode
    /// fastest.
    ///
    /// # Errors
    /// `profile` if the shapes differ; `f` has not been called then.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut sums = Tensor::fixed([0.5, 1.5, 2.5, 3.5], layout!((2, 2)));
    /// let counts = Tensor::fixed([1_u8, 2, 3, 4], layout!((2, 2): right));
    /// sums.zip_mut(&counts, |sum, &count| *sum += f64::from(count))?;
    /// assert_eq!(sums.into_storage(), [1.5, 4.5, 4.5, 7.5]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn zip_mut<R, M>(
        &mut self,
        other: &Tensor<R, M>,
        mut f: impl FnMut(&mut S::Item, &R::Item),
    ) -> Result<(), LayoutError>
    where
        S: StorageMut,
        R: Storage,
        L: SameShape<M>,
        M: Addressable,
    {
        same_shape("zip_mut", self.layout(), other.layout())?;
        let mut others = other.iter();
        self.for_each_mut(|_, item| {
            if let Some(other) = others.next() {
                f(item, other);
            }
        });
        Ok(())
    }
}

#[cfg(feature = "alloc")]
impl<S: Storage, L: Addressable> Tensor<S, L> {
    /// A compact tensor of the same shape, with `f` applied to each element. Its first mode is the
    /// fastest, whatever the order of this tensor: `into_storage` of a row-major matrix's map goes
    /// by columns.
    ///
    /// `t.map(f)[c] == f(t[c])`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([1, 2, 3, 4, 5, 6], layout!((2, 3): right));
    /// let squares = t.map(|x| x * x);
    /// assert_eq!((squares[(1, 0)], squares.into_storage()), (16, vec![1, 16, 4, 25, 9, 36]));
    /// ```
    #[track_caller]
    pub fn map<U>(&self, f: impl FnMut(&S::Item) -> U) -> Tensor<alloc::vec::Vec<U>, L::Compact>
    where
        L: CompactLike,
    {
        let elements: alloc::vec::Vec<U> = self.iter().map(f).collect();
        expect(Tensor::new(elements, self.layout().compact_like()))
    }
}

#[inline]
pub(in crate::tensor) fn same_shape<L, M>(
    operation: &'static str,
    left: &L,
    right: &M,
) -> Result<(), LayoutError>
where
    L: SameShape<M>,
    M: Addressable,
{
    if left.same_extents(right) {
        return Ok(());
    }
    Err(LayoutError::new(operation, Fault::Shapes).with_operands(left, right))
}
