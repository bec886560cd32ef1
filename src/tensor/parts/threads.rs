//! Layouts of threads: where each of them stands.
//!
//! ```text
//! threads(c) = i   <=>   c_k = (i / d_k) % s_k in each leaf          for a permutation of 0 .. size
//! ```

use crate::error::{Fault, LayoutError};
use crate::layout::strided::StridedLayout;
use crate::layout::tiler::Tiler;
use crate::layout::traits::Layout;
use crate::list::{Cons, Nil, Untangle};
use crate::tensor::memory::Addressable;
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::node::{Kind, Node, size};
use crate::tuple::profile::SizeOf;

/// The shape's node `Self` and the stride's node `D` of a thread layout: the tile with one element
/// for each thread, and where a thread stands in the tile.
pub trait ThreadModes<D> {
    type Sizes;
    type Coordinate;
    fn sizes(self) -> Result<Self::Sizes, Fault>;
    fn stand(self, stride: D, thread: usize) -> Self::Coordinate;
}
impl ThreadModes<Nil> for Nil {
    type Sizes = Nil;
    type Coordinate = Nil;
    #[inline]
    fn sizes(self) -> Result<Nil, Fault> {
        Ok(Nil)
    }
    #[inline]
    fn stand(self, _: Nil, _: usize) -> Nil {
        Nil
    }
}
impl<S: IntTuple, ST, D: IntTuple, DT> ThreadModes<Cons<D, DT>> for Cons<S, ST>
where
    S::Node: SizeOf,
    ST: ThreadModes<DT>,
{
    type Sizes = Cons<<S::Node as SizeOf>::Output, ST::Sizes>;
    type Coordinate = Cons<usize, ST::Coordinate>;
    #[inline]
    fn sizes(self) -> Result<Self::Sizes, Fault> {
        Ok(Cons { head: self.head.node().size_of()?, tail: self.tail.sizes()? })
    }
    #[inline]
    fn stand(self, stride: Cons<D, DT>, thread: usize) -> Self::Coordinate {
        let head = number_of(thread, self.head.node(), stride.head.node());
        Cons { head, tail: self.tail.stand(stride.tail, thread) }
    }
}

/// The number, in the shape `s`, of the coordinate whose offset under the compact strides `d` is
/// `index`: `(index / d_k) % s_k` in each leaf.
#[inline]
fn number_of<S: Node, D: Node>(index: usize, s: S, d: D) -> usize {
    match S::KIND {
        Kind::Nil => 0,
        Kind::Leaf => {
            index.checked_div(d.leaf()).and_then(|i| i.checked_rem(s.leaf())).unwrap_or(0)
        }
        Kind::Cons => {
            number_of(index, s.head(), d.head())
                + size(s.head()) * number_of(index, s.tail(), d.tail())
        }
    }
}

/// `H: Threads`: a layout of threads, of rank 2 or more: a permutation of `0 .. size`.
///
/// ```
/// use layout_algebra::prelude::*;
/// let t = Tensor::fixed([0, 1, 2, 3, 4, 5, 6, 7], layout!((4, 2)));
/// // 2 x 2 threads, the second mode fastest: thread 1 stands at (0, 1).
/// let mine = t.local_partition(layout!((2, 2): right), 1)?;
/// assert_eq!(mine.iter().copied().collect::<Vec<_>>(), [4, 6]);
/// # Ok::<(), LayoutError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "this is no layout of threads",
    label = "a layout of threads has one mode for each mode of the tensor, and at least 2",
    note = "a layout of 32 threads is written `layout!((4, 8))`"
)]
pub trait Threads: Addressable {
    /// One element for each thread, as a tiler.
    type Tiler;
    /// Where a thread stands in such a tile.
    type Place;
    /// The tiler and the coordinate.
    #[doc(hidden)]
    fn stand(&self, thread: usize) -> Result<(Self::Tiler, Self::Place), Fault>;
}
#[diagnostic::do_not_recommend]
#[doc(hidden)]
impl<S: IntTuple, D: IntTuple, Sizes: Untangle, Coordinate: Untangle> Threads
    for StridedLayout<S, D>
where
    Self: Addressable + Layout<Shape = S, Stride = D>,
    S::Node: ThreadModes<D::Node, Sizes = Sizes, Coordinate = Coordinate>,
{
    type Tiler = Tiler<Sizes::Tree>;
    type Place = Coordinate::Tree;
    #[inline]
    fn stand(&self, thread: usize) -> Result<(Self::Tiler, Self::Place), Fault> {
        let (shape, stride) = (self.shape().node(), self.stride().node());
        Ok((Tiler::const_new(shape.sizes()?.tree()), shape.stand(stride, thread).tree()))
    }
}

/// Ok if thread `thread` is one of the layout's, whose offsets are `0 .. size`, each once.
#[inline]
pub fn check_thread<H: Addressable>(threads: &H, thread: usize) -> Result<(), LayoutError> {
    let injective = match H::MODES {
        Some(_) => {
            const {
                match H::MODES {
                    Some(modes) => modes.injective(),
                    None => Ok(()),
                }
            }
        }
        None => threads.modes().injective(),
    };
    let fault = match injective {
        Err(fault) => fault,
        Ok(()) if threads.reach() != Some(threads.size()) => {
            Fault::Storage { cosize: threads.reach().unwrap_or(usize::MAX), length: threads.size() }
        }
        Ok(()) if thread >= threads.size() => Fault::Thread { thread, threads: threads.size() },
        Ok(()) => return Ok(()),
    };
    Err(LayoutError::new("local_partition", fault).with_operands(threads, &thread))
}
