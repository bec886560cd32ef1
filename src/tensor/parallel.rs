//! Disjoint parts for rayon: `tensor.tiles_mut(tiler).into_par_iter()`.

use rayon::iter::plumbing::{Consumer, Producer, ProducerCallback, UnindexedConsumer, bridge};
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use crate::tensor::storage::{Addressable, Counting, Parts, SliceIn, Tensor, TileMut};

/// The parts of a tensor as a parallel iterator.
///
/// ```
/// use layout_algebra::prelude::*;
/// use rayon::prelude::*;
/// let mut t = Tensor::filled(layout!((64, 48): right), 0);
/// t.tiles_mut(tiler!(16, 8)).par_iter_mut().enumerate().for_each(|(i, mut tile)| tile.fill(i));
/// assert_eq!(t[(63, 47)], 4 * 6 - 1);
/// ```
#[derive(Debug)]
pub struct ParallelParts<'a, T, L, K>(Parts<'a, T, L, K>);

/// What can be a part that goes to another thread.
type TensorPart<'a, T, L, K> = Tensor<TileMut<'a, T>, <<K as Counting>::Coordinate as SliceIn<L>>::Output>;

impl<'a, T: Send, L, K> IntoParallelIterator for Parts<'a, T, L, K>
where
    L: Addressable + Send,
    K: Counting<Coordinate: SliceIn<L, Output: Send>>,
{
    type Item = TensorPart<'a, T, L, K>;
    type Iter = ParallelParts<'a, T, L, K>;
    fn into_par_iter(self) -> Self::Iter {
        ParallelParts(self)
    }
}
impl<'a, T: Send, L, K> IntoParallelIterator for &'a mut Parts<'_, T, L, K>
where
    L: Addressable + Send,
    K: Counting<Coordinate: SliceIn<L, Output: Send>>,
{
    type Item = TensorPart<'a, T, L, K>;
    type Iter = ParallelParts<'a, T, L, K>;
    fn into_par_iter(self) -> Self::Iter {
        ParallelParts(self.reborrow())
    }
}
impl<'a, T: Send, L, K> ParallelIterator for ParallelParts<'a, T, L, K>
where
    L: Addressable + Send,
    K: Counting<Coordinate: SliceIn<L, Output: Send>>,
{
    type Item = TensorPart<'a, T, L, K>;
    fn drive_unindexed<C: UnindexedConsumer<Self::Item>>(self, consumer: C) -> C::Result {
        bridge(self, consumer)
    }
    fn opt_len(&self) -> Option<usize> {
        Some(self.0.len())
    }
}
impl<'a, T: Send, L, K> IndexedParallelIterator for ParallelParts<'a, T, L, K>
where
    L: Addressable + Send,
    K: Counting<Coordinate: SliceIn<L, Output: Send>>,
{
    fn len(&self) -> usize {
        self.0.len()
    }
    fn drive<C: Consumer<Self::Item>>(self, consumer: C) -> C::Result {
        bridge(self, consumer)
    }
    fn with_producer<B: ProducerCallback<Self::Item>>(self, callback: B) -> B::Output {
        callback.callback(SplitParts(self.0))
    }
}

/// Parts that rayon splits in two.
struct SplitParts<'a, T, L, K>(Parts<'a, T, L, K>);
impl<'a, T: Send, L, K> Producer for SplitParts<'a, T, L, K>
where
    L: Addressable + Send,
    K: Counting<Coordinate: SliceIn<L, Output: Send>>,
{
    type Item = TensorPart<'a, T, L, K>;
    type IntoIter = Parts<'a, T, L, K>;
    fn into_iter(self) -> Self::IntoIter {
        self.0
    }
    fn split_at(self, index: usize) -> (Self, Self) {
        let (left, right) = self.0.split_at(index);
        (SplitParts(left), SplitParts(right))
    }
}
