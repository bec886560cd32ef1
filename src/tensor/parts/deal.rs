//! A tensor of many tiles, each dealt out to threads by one thread-value layout.
//!
//! ```text
//! partition_tv(t, tiler, tv, i) = (zipped_divide(t, tiler) o <tv, _>)((i, ..), (.., ..))
//!                                 (values, tiles along 0, tiles along 1, ..)
//! ```

#![allow(clippy::type_complexity, reason = "a view under the layout of a partition, or an error")]

use core::ops::RangeFull;

use crate::algebra::divide::ZippedDivide;
use crate::algebra::operation::Stays;
use crate::algebra::traits::Compose;
use crate::error::{Fault, LayoutError};
use crate::layout::flat::Message;
use crate::layout::refused_layout::RefusedLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::tiler::{Keep, Tiler};
use crate::layout::traits::Layout;
use crate::list::Nested;
use crate::tensor::memory::{Addressable, SliceIn, Storage, StorageMut, Tensor};
use crate::tensor::parts::partition::{KeepAll, Partition, PartitionOf, or_stop};
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::node::{static_moving_size, static_size, static_span};

/// The values of a thread under a thread-value layout.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::{Dealt, PartitionOf};
/// use static_assertions::assert_type_eq_all;
/// // 2 x 2 threads with one value each, in four tiles of 2 x 2: a thread has 2 x 2 values.
/// type Share = PartitionOf<Layout!((4, 4)), Tiler!(2, 2), Dealt<Layout!((4, 1):(1, 0))>>;
/// assert_type_eq_all!(Share, Layout!((1, 2, 2):(0, 2, 8)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Dealt<V> {
    tv: V,
    thread: usize,
}
impl<V> Dealt<V> {
    #[inline]
    pub(crate) const fn new(tv: V, thread: usize) -> Self {
        Dealt { tv, thread }
    }
    #[cfg(feature = "alloc")]
    pub(in crate::tensor) fn into_parts(self) -> (V, usize) {
        (self.tv, self.thread)
    }
}

#[doc(hidden)]
impl<S, D, T, V, Z> Partition<T, Dealt<V>> for StridedLayout<S, D>
where
    Self: Addressable + ZippedDivide<T, Output = Z>,
    V: ThreadValue,
    Z: Layout + HasTile + Compose<Tiler<(V, Keep)>, Output: ShareOf>,
{
    type Divided = Z::Output;
    type At = <Z::Output as ShareOf>::At;
    type Part = <<Z::Output as ShareOf>::At as SliceIn<Z::Output>>::Output;
    // The thread-value layout yields numbers of elements of the tile: composition with it adds no
    // offsets.
    const STAYS: Stays<Self, (T, Dealt<V>)> =
        Stays::shown_if(<Self as ZippedDivide<T>>::STAYS.is_shown() && within_tile::<Z, V>());
    #[inline]
    fn partition(
        self,
        tiler: T,
        dealt: Dealt<V>,
    ) -> Result<(Self::Divided, Self::At), LayoutError> {
        const { assert_dealt(Z::TILE, V::DEALT) }
        let divided = or_stop!(ZippedDivide::evaluated(self, tiler));
        let elements = divided.mode_size(0);
        let dealt_out = or_stop!(Compose::evaluated(divided, Tiler::const_new((dealt.tv, Keep))));
        if V::DEALT.is_none() || Z::TILE.is_none() {
            or_stop!(check_dealt(dealt_out.mode_size(0), elements));
        }
        Ok((dealt_out, Z::Output::share_of(dealt.thread)))
    }
}

/// `V: ThreadValue`: a layout of two modes, threads and values.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::ThreadValue;
/// use static_assertions::{assert_impl_all, assert_not_impl_any};
/// assert_impl_all!(Layout!(((4, 2), 2):((1, 8), 4)): ThreadValue);
/// assert_not_impl_any!(usize: ThreadValue);
/// ```
#[diagnostic::on_unimplemented(
    message = "a thread-value layout has to be a layout of two modes, threads and values",
    label = "`{Self}` is none",
    note = "`make_layout_tv` makes it of a layout of threads and a layout of values"
)]
pub trait ThreadValue: HasTile {}
impl<S0, S1, D> ThreadValue for StridedLayout<(S0, S1), D> where Self: HasTile {}
#[diagnostic::do_not_recommend]
impl ThreadValue for RefusedLayout {}
/// A layout of two modes: tile and rest, or threads and values. Unsafe code relies on this trait
/// (`Stays`); no other crate can name it.
pub trait HasTile {
    /// How many elements mode 0 has, if the types show it.
    const TILE: Option<usize>;
    /// One more than the largest offset, if the types show it.
    const SPAN: Option<usize>;
    /// How many elements it leads to, those along strides 0 once, if the types show it and no two
    /// modes overlap.
    const DEALT: Option<usize>;
}
impl<S0: IntTuple, S1, D: IntTuple> HasTile for StridedLayout<(S0, S1), D>
where
    (S0, S1): IntTuple,
{
    const TILE: Option<usize> = static_size::<S0::Node>();
    const SPAN: Option<usize> = static_span::<<(S0, S1) as Nested>::Node, D::Node>();
    const DEALT: Option<usize> = static_moving_size::<<(S0, S1) as Nested>::Node, D::Node>();
}
#[diagnostic::do_not_recommend]
impl HasTile for RefusedLayout {
    const TILE: Option<usize> = None;
    const SPAN: Option<usize> = None;
    const DEALT: Option<usize> = None;
}

/// Whether the types show that each offset of the thread-value layout `V` is the number of an
/// element of a tile of `Z`.
pub const fn within_tile<Z: HasTile, V: HasTile>() -> bool {
    matches!((Z::TILE, V::SPAN), (Some(size), Some(span)) if span <= size)
}

/// Stops the build if the types show that threads get fewer elements than there are.
pub const fn assert_dealt(elements: Option<usize>, dealt: Option<usize>) {
    if let (Some(elements), Some(dealt)) = (elements, dealt)
        && dealt < elements
    {
        let message = Message::new().text("the thread-value layout deals out ").number(dealt);
        panic!("{}", message.text(" elements, and there are ").number(elements).as_str())
    }
}
/// Ok unless threads get fewer elements than there are.
pub(crate) fn check_dealt(dealt: usize, elements: usize) -> Result<(), LayoutError> {
    if dealt < elements {
        Err(LayoutError::new("deal", Fault::Undealt { dealt, elements }))
    } else {
        Ok(())
    }
}

/// A layout `((thread, value), (tiles, ..))` from which one thread's slice is taken.
pub trait ShareOf: Addressable {
    /// The thread, and all of its values in all tiles.
    type At: SliceIn<Self>;
    fn share_of(thread: usize) -> Self::At;
}
impl<M, R, E> ShareOf for StridedLayout<(M, R), E>
where
    Self: Addressable,
    R: Nested<Node: KeepAll>,
    ((usize, RangeFull), <R::Node as KeepAll>::Output): SliceIn<Self>,
{
    type At = ((usize, RangeFull), <R::Node as KeepAll>::Output);
    #[inline]
    fn share_of(thread: usize) -> Self::At {
        ((thread, ..), R::Node::keep_all())
    }
}
#[diagnostic::do_not_recommend]
impl ShareOf for RefusedLayout {
    type At = ();
    fn share_of(_: usize) {}
}

impl<S: Storage, L: Addressable> Tensor<S, L> {
    /// The values of one thread in all tiles: mode 0 counts the thread's values in a tile, the
    /// other modes count the tiles. CuTe's `TiledCopy::partition_S` and `partition_D`.
    ///
    /// The tiler and the thread-value layout are those of
    /// [`make_layout_tv`](crate::tensor::make_layout_tv).
    ///
    /// # Errors
    /// Those of the divide and the composition, `bounds` if there is no such thread, and `profile`
    /// if the threads get fewer elements than a tile has; the build stops if the types know that.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_algebra::tensor::make_layout_tv;
    /// // 4 x 2 threads with 1 x 2 values each: tiles of 4 x 4 in a matrix of 8 x 12.
    /// let (tiler, tv) = make_layout_tv(layout!((4, 2): right), layout!((1, 2): right))?;
    /// let t = Tensor::fixed(core::array::from_fn::<_, 96, _>(|i| i), layout!((8, 12): right));
    /// let mine = t.partition_tv(tiler, tv, 3)?; // row 1, columns 2 and 3 of every tile
    /// assert_eq!(format!("{:#}", mine.layout()), "(2,2,3):(1,48,4)");
    /// assert_eq!((mine[(0, 0, 0)], mine[(1, 0, 0)], mine[(0, 1, 2)]), (14, 15, 5 * 12 + 10));
    /// # Ok::<(), LayoutError>(())
    /// ```
    ///
    /// ```compile_fail,E0080
    /// use layout_algebra::prelude::*;
    /// let t = Tensor::fixed([0; 24], layout!((4, 6)));
    /// // 2 threads with 3 values each: the thread-value layout deals out 6 elements, and there are 24.
    /// let mine = t.partition_tv(tiler!(4, 6), layout!((2, 3)), 0);
    /// ```
    #[inline]
    pub fn partition_tv<T, V>(
        &self,
        tiler: T,
        tv: V,
        thread: usize,
    ) -> Result<Tensor<S::View<'_>, PartitionOf<L, T, Dealt<V>>>, LayoutError>
    where
        V: ThreadValue,
        L: Partition<T, Dealt<V>>,
    {
        self.part(tiler, Dealt { tv, thread })
    }

    /// [`partition_tv`](Tensor::partition_tv), mutable.
    ///
    /// # Errors
    /// Those of [`partition_tv`](Tensor::partition_tv).
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_algebra::tensor::make_layout_tv;
    /// // 2 threads below one another, 2 values side by side.
    /// let (tiler, tv) = make_layout_tv(layout!((2, 1)), layout!((1, 2)))?;
    /// let mut t = Tensor::fixed([0; 8], layout!((2, 4): right));
    /// t.partition_tv_mut(tiler, tv, 1)?.fill(1);
    /// assert_eq!(t.into_storage(), [0, 0, 0, 0, 1, 1, 1, 1]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn partition_tv_mut<T, V>(
        &mut self,
        tiler: T,
        tv: V,
        thread: usize,
    ) -> Result<Tensor<S::ViewMut<'_>, PartitionOf<L, T, Dealt<V>>>, LayoutError>
    where
        S: StorageMut,
        V: ThreadValue,
        L: Partition<T, Dealt<V>>,
    {
        self.part_mut(tiler, Dealt { tv, thread })
    }
}
