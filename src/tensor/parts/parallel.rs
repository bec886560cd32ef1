//! Disjoint parts for rayon: `tensor.tiles_mut(tiler).into_par_iter()`.

use rayon::iter::plumbing::{Consumer, Producer, ProducerCallback, UnindexedConsumer, bridge};
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use crate::tensor::memory::{Addressable, SliceIn, Tensor};
use crate::tensor::parts::numbered::{Exclusive, Numbering, PartsMemory, PartsOf};

/// The parts of a tensor as a parallel iterator.
///
/// ```
/// use layout_algebra::prelude::*;
/// use rayon::prelude::*;
/// let mut t = Tensor::filled(layout!((64, 48): right), 0);
/// t.tiles_mut(tiler!(16, 8)).par_iter_mut().enumerate().for_each(|(i, mut tile)| tile.fill(i));
/// assert_eq!(t[(63, 47)], 4 * 6 - 1);
/// let largest =
///     t.ragged_tiles(tiler!(15, 7)).into_par_iter().map(|tile| *tile.iter().max().unwrap()).max();
/// assert_eq!(largest, Some(4 * 6 - 1));
/// ```
#[derive(Debug)]
pub struct ParallelParts<M, L, N>(PartsOf<M, L, N>);

/// What can be a part that goes to another thread.
type TensorPart<M, L, N> =
    Tensor<<M as PartsMemory>::Part, <<N as Numbering<L>>::Coordinate as SliceIn<L>>::Output>;

macro_rules! for_parts {
    ($($(#[$attribute:meta])* impl[$($generic:tt)*] $trait:ident for $type:ty { $($body:tt)* })*) => {
        $($(#[$attribute])* impl<$($generic)* M, L, N> $trait for $type
        where
            M: PartsMemory<Part: Send> + Send,
            L: Addressable + Send,
            N: Numbering<L, Coordinate: SliceIn<L, Output: Send>> + Send,
        {
            $($body)*
        })*
    };
}
for_parts! {
    impl[] IntoParallelIterator for PartsOf<M, L, N> {
        type Item = TensorPart<M, L, N>;
        type Iter = ParallelParts<M, L, N>;
        fn into_par_iter(self) -> Self::Iter {
            ParallelParts(self)
        }
    }
    impl[] ParallelIterator for ParallelParts<M, L, N> {
        type Item = TensorPart<M, L, N>;
        fn drive_unindexed<C: UnindexedConsumer<Self::Item>>(self, consumer: C) -> C::Result {
            bridge(self, consumer)
        }
        fn opt_len(&self) -> Option<usize> {
            Some(self.0.len())
        }
    }
    impl[] IndexedParallelIterator for ParallelParts<M, L, N> {
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
    impl[] Producer for SplitParts<M, L, N> {
        type Item = TensorPart<M, L, N>;
        type IntoIter = PartsOf<M, L, N>;
        fn into_iter(self) -> Self::IntoIter {
            self.0
        }
        fn split_at(self, index: usize) -> (Self, Self) {
            let (left, right) = self.0.split_at(index);
            (SplitParts(left), SplitParts(right))
        }
    }
}
impl<'a, T: Send, L, N> IntoParallelIterator for &'a mut PartsOf<Exclusive<'_, T>, L, N>
where
    L: Addressable + Send,
    N: Numbering<L, Coordinate: SliceIn<L, Output: Send>> + Send,
{
    type Item = TensorPart<Exclusive<'a, T>, L, N>;
    type Iter = ParallelParts<Exclusive<'a, T>, L, N>;
    fn into_par_iter(self) -> Self::Iter {
        ParallelParts(self.reborrow())
    }
}

/// Parts that rayon splits in two.
struct SplitParts<M, L, N>(PartsOf<M, L, N>);
