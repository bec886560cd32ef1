//! Predicates of a tensor's elements: a tensor of `bool`, or coordinates that are compared with a
//! shape whenever a predicate is read.
//!
//! ```text
//! X.within(S).holds(i) = elem_less(X[i], S)            X: where the elements lie in the whole
//! ```

use crate::error::{Fault, LayoutError};
use crate::list::Nested;
use crate::strides::identity::IdentityLayout;
use crate::tensor::bounds;
use crate::tensor::memory::{
    Addressable, CoordinateIn, Corner, SameShape, Storage, StorageMut, StorageOf, Tensor,
};
use crate::tensor::places::coordinates::CoordinateTensor;
use crate::tensor::whole::each::same_shape;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::profile::ComparesWith;

/// Which elements of a tensor are selected: by number, the leftmost mode fastest. CuTe's predicate
/// tensors.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::Predicates;
/// let lower = Tensor::fixed([true, true, false, true], layout!((2, 2)));
/// assert_eq!(
///     (lower.count(), lower.holds(1), lower.holds(2), lower.holds(4)),
///     (4, true, false, false)
/// );
/// ```
#[diagnostic::on_unimplemented(
    message = "this does not say which elements are meant",
    label = "`{Self}`: neither a tensor of `bool` nor coordinates within a shape",
    note = "a predicate for each element: `coordinates.predicates((m, n))`, or unstored `coordinates.within((m, n))`"
)]
pub trait Predicates {
    /// The number of predicates.
    fn count(&self) -> usize;
    /// Whether element `i` is selected; no element beyond the last one is.
    fn holds(&self, i: usize) -> bool;
}
impl<S: Storage<Item = bool>, L: Addressable> Predicates for Tensor<S, L>
where
    usize: CoordinateIn<L>,
{
    #[inline]
    fn count(&self) -> usize {
        self.size()
    }
    #[inline]
    fn holds(&self, i: usize) -> bool {
        self.get(i).copied().unwrap_or(false)
    }
}

/// Coordinates and a shape, which selects those within it: what [`Tensor::within`] returns.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::Predicates;
/// // 4 x 2, of which 3 x 2 are meant.
/// let there = Tensor::coordinates(identity((3, 2))).round_up(tiler!(2, 2)).within((3, 2));
/// assert_eq!((there.count(), (0..8).filter(|i| there.holds(*i)).count()), (8, 6));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Within<X, S> {
    coordinates: X,
    shape: S,
}
impl<T: IntTuple, S: IntTuple, D: IntTuple, X: IntTuple> Within<CoordinateTensor<T, S, D>, X> {
    /// [`elem_less`](crate::tensor::elem_less) of coordinate `i`; `within` has compared the
    /// profiles.
    #[inline]
    fn compare(&self, i: usize) -> bool {
        let coordinate = self.coordinates.locate(self.coordinates.shape().split(i));
        bounds::within(coordinate.node(), self.shape.node())
    }
}
impl<T: IntTuple, S: IntTuple, D: IntTuple, X: IntTuple> Predicates
    for Within<CoordinateTensor<T, S, D>, X>
{
    #[inline]
    fn count(&self) -> usize {
        self.coordinates.size()
    }
    #[inline]
    fn holds(&self, i: usize) -> bool {
        i < self.count() && self.compare(i)
    }
}

impl<T: IntTuple, S: IntTuple, D: IntTuple> Tensor<Corner<T::Dynamic>, IdentityLayout<T, S, D>> {
    /// Whether each element lies within a shape, compared whenever it is read:
    /// [`predicates`](Tensor::predicates) that are not stored. CuTe's `elem_less` of a coordinate
    /// tensor.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_algebra::tensor::Predicates;
    /// let (m, n) = (5, 6);
    /// let last = Tensor::coordinates(identity((m, n)).round_up(tiler!(2, 3)))
    ///     .local_tile(tiler!(2, 3), (2, 1))?;
    /// let there = last.within((m, n)); // rows 4 and 5: the last one is beyond
    /// assert_eq!((there.holds(0), there.holds(1), there.holds(6)), (true, false, false));
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn within<X: IntTuple>(self, shape: X) -> Within<Self, X>
    where
        T::Dynamic: ComparesWith<X>,
    {
        Within { coordinates: self, shape }
    }
}

impl<S: StorageMut, L: Addressable> Tensor<S, L> {
    /// Copies the elements of a tensor of the same shape that predicates select:
    /// [`copy_if`](Tensor::copy_if) with a tensor of predicates. CuTe's
    /// `copy_if(predicates, source, destination)`.
    ///
    /// # Errors
    /// `profile` if the shapes differ, or there is not a predicate for each element.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let (m, n) = (3, 2);
    /// let places = Tensor::coordinates(identity((m, n)))
    ///     .round_up(tiler!(2, 2))
    ///     .local_tile(tiler!(2, 2), (1, 0))?;
    /// let mut t = Tensor::fixed([0; 4], layout!((2, 2)));
    /// t.copy_predicated(&places.predicates((m, n)), &Tensor::fixed([1, 2, 3, 4], layout!((2, 2))))?;
    /// assert_eq!(t.into_storage(), [1, 0, 3, 0]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn copy_predicated<P, R, M>(
        &mut self,
        predicates: &P,
        source: &Tensor<R, M>,
    ) -> Result<(), LayoutError>
    where
        P: Predicates,
        R: StorageOf<S::Item>,
        L: SameShape<M>,
        M: Addressable,
        S::Item: Clone,
    {
        same_shape("copy_from", self.layout(), source.layout())?;
        if predicates.count() != self.size() {
            return Err(LayoutError::new("copy_from", Fault::Shapes)
                .with_operands(self.layout(), source.layout()));
        }
        let (mut elements, mut i) = (source.iter(), 0);
        self.for_each_mut(|_, element| {
            if let Some(value) = elements.next().filter(|_| predicates.holds(i)) {
                *element = value.clone();
            }
            i += 1;
        });
        Ok(())
    }
}
