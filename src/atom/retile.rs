//! A thread's fragment, seen in the order in which a copy moves its values: the step from the
//! registers of a product to memory, and back.
//!
//! ```text
//! held(i)   = element of the tile that value i of the fragment is
//!         partition_C of the tile's own numbers
//! moved(x)  = element of the tile that the copy moves as value x
//!         partition_S, partition_D of the tile's own numbers
//! retile(F) = F o (held^-1 o moved)                                ((V, X), RestM, RestN)
//! ```
//!
//! Exact: `retile(F)` holds at each place the element which the copy has there, or there is an
//! error. CuTe's `retile` takes the fragment alone, and assumes that it is dealt out like the copy;
//! here a [`ThreadSlice`] says whose it is.

use core::fmt::{self, Debug, Formatter};
use core::marker::PhantomData;

use crate::algebra::traits::{Compose, Composition, LeftInverse, LeftInverseOf};
use crate::atom::thr_mma::ThrMma;
use crate::atom::tiled_copy::{ThrCopy, TiledTv};
use crate::atom::tiled_mma::{At, Operand, TiledOperands};
use crate::error::{Fault, LayoutError};
use crate::layout::compact::{CompactLeft, LeftLayout};
use crate::layout::flat::FlatLayout;
use crate::layout::strided::StridedLayout;
use crate::layout::tiler::Tiler;
use crate::layout::traits::StaticLayout;
use crate::list::Nested;
use crate::number::int::MulInt;
use crate::tensor::{
    Addressable, CutCoordinates, Dealt, Partition, SliceIn, Storage, StorageMut, Tensor,
};
use crate::tuple::profile::SizeOf;

/// A thread slice: what one thread holds of a tile that the tiler `T` cuts and the coordinate `C`
/// deals out. It says which elements a fragment holds. Made by [`ThrMma::slice_c`] and by
/// [`ThrCopy::slice_d`].
///
/// ```
/// use layout_algebra::atom::{UniversalFma, make_tiled_mma};
/// use layout_algebra::prelude::*;
/// let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((4, 2, 1)), tiler!(_, _, _));
/// let share = mma.get_slice(6).unwrap().slice_c(); // (tm, tn) = (2, 1)
/// let places = share.coordinates(&Tensor::coordinates(identity((4, 4))))?;
/// assert_eq!(places.iter().collect::<Vec<_>>(), [(2, 1), (2, 3)]);
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Clone, Copy)]
pub struct ThreadSlice<T, C> {
    tiler: PhantomData<T>,
    coordinate: C,
}
/// Prints the thread's place; the rest is in the type.
impl<T, C: Debug> Debug for ThreadSlice<T, C> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ThreadSlice").field(&self.coordinate).finish()
    }
}
impl<T, C> ThreadSlice<T, C> {
    #[inline]
    const fn new(coordinate: C) -> Self {
        ThreadSlice { tiler: PhantomData, coordinate }
    }
}
impl<T: Default, C: Copy> ThreadSlice<T, C> {
    /// Where the thread's elements lie in the whole: a coordinate tensor, dealt out. CuTe's
    /// `partition_S` and `partition_C` of an identity tensor.
    ///
    /// # Errors
    /// Those of the partition of a tensor with data.
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalFma, make_tiled_mma};
    /// use layout_algebra::prelude::*;
    /// let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((4, 2, 1)), tiler!(_, _, _));
    /// let places = Tensor::coordinates(identity((8, 6)));
    /// let mine = mma.get_slice(5).unwrap().slice_c().coordinates(&places)?; // (tm, tn) = (1, 1)
    /// assert_eq!(mine.iter().collect::<Vec<_>>(), [(1, 1), (5, 1), (1, 3), (5, 3), (1, 5), (5, 5)]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn coordinates<X: CutCoordinates<T, C>>(
        &self,
        places: &X,
    ) -> Result<X::Output, LayoutError> {
        places.cut_out(T::default(), self.coordinate)
    }
}

/// `O: HoldsSlice<L>`: a fragment of layout `L`, of modes `(V, RestM, RestN)`, is what the share
/// `O` gives of some tile of static shape.
///
/// ```
/// use layout_algebra::atom::{At, HoldsSlice, ThreadSlice, TiledMma, TiledOperands, UniversalFma};
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// type Product = TiledMma<UniversalFma<f32>, Layout!((4, 2, 1)), Tiler!(_, _, _)>;
/// type Holder = ThreadSlice<<Product as TiledOperands>::C, At>;
/// // 2 x 3 values of each of 4 x 2 threads: a tile of 8 x 6.
/// assert_type_eq_all!(<Holder as HoldsSlice<Layout!((1, 2, 3):(0, 1, 2))>>::Tile, Layout!((8, 6)));
/// ```
#[diagnostic::on_unimplemented(
    message = "this is not the share of a thread that a fragment of this layout holds",
    label = "`{Self}`: not a fragment of modes (V, RestM, RestN), all static",
    note = "a fragment has the shape of a partition: `thread.partition_fragment_c(&tile)`, `mine.fragment_like()`"
)]
pub trait HoldsSlice<L> {
    /// The tile, its elements numbered from the left.
    type Tile: StaticLayout;
}
/// `rest * threads * atom`: the extent of the tile along one mode.
type TileExtent<Rest, Threads, Atom> = <<Rest as MulInt<Threads>>::Output as MulInt<Atom>>::Output;
#[doc(hidden)]
impl<P, AM, AN, V, TM, TN, F, FM, FN, D, RM, RN> HoldsSlice<StridedLayout<(F, FM, FN), D>>
    for ThreadSlice<Operand<P, Tiler<(AM, AN)>, V, Tiler<(TM, TN)>>, At>
where
    FM: Nested<Node: SizeOf<Output = RM>>,
    FN: Nested<Node: SizeOf<Output = RN>>,
    RM: MulInt<TM, Output: MulInt<AM>>,
    RN: MulInt<TN, Output: MulInt<AN>>,
    (TileExtent<RM, TM, AM>, TileExtent<RN, TN, AN>): CompactLeft,
    LeftLayout<(TileExtent<RM, TM, AM>, TileExtent<RN, TN, AN>)>: StaticLayout,
{
    type Tile = LeftLayout<(TileExtent<RM, TM, AM>, TileExtent<RN, TN, AN>)>;
}
#[doc(hidden)]
impl<V, TM, TN, F, FM, FN, D, RM, RN> HoldsSlice<StridedLayout<(F, FM, FN), D>>
    for ThreadSlice<Tiler<(TM, TN)>, Dealt<V>>
where
    FM: Nested<Node: SizeOf<Output = RM>>,
    FN: Nested<Node: SizeOf<Output = RN>>,
    RM: MulInt<TM>,
    RN: MulInt<TN>,
    (RM::Output, RN::Output): CompactLeft,
    LeftLayout<(RM::Output, RN::Output)>: StaticLayout,
{
    type Tile = LeftLayout<(RM::Output, RN::Output)>;
}

/// `L: Retile<O, T, C>`: a fragment of layout `L` that holds the share `O` can be seen as what the
/// tiler `T` and the coordinate `C` give.
#[diagnostic::on_unimplemented(
    message = "this fragment has no layout in the order of this copy",
    label = "the copy's values are no layout over the fragment's",
    note = "a copy that has its threads and values from the product fits: `make_tiled_copy_c(atom, &mma)`"
)]
pub trait Retile<O, T, C>: Addressable {
    /// The layout of the fragment in the other order.
    type Output: Addressable;
    #[doc(hidden)]
    fn retiled(self, owner: O, tiler: T, coordinate: C) -> Result<Self::Output, LayoutError>;
}
/// The layout of a fragment `L` of the share `O`, in the order of what the tiler `T` and the
/// coordinate `C` give.
pub type Retiled<L, O, T, C> = <L as Retile<O, T, C>>::Output;

#[doc(hidden)]
impl<L, P, B, T, C, W, Held, Moved, Order> Retile<ThreadSlice<P, B>, T, C> for L
where
    Self: Addressable + Compose<Order, Output: Addressable>,
    ThreadSlice<P, B>: HoldsSlice<L, Tile = W>,
    P: Default,
    W: StaticLayout + Partition<P, B> + Partition<T, C>,
    <W as Partition<P, B>>::At: SliceIn<<W as Partition<P, B>>::Divided, Output = Held>,
    <W as Partition<T, C>>::At: SliceIn<<W as Partition<T, C>>::Divided, Output = Moved>,
    Held: StaticLayout + Addressable + LeftInverse,
    Moved: StaticLayout + Addressable,
    LeftInverseOf<Held>: Compose<Moved, Output = Order>,
    Order: StaticLayout,
{
    type Output = Composition<L, Order>;
    #[inline]
    fn retiled(
        self,
        owner: ThreadSlice<P, B>,
        tiler: T,
        coordinate: C,
    ) -> Result<Self::Output, LayoutError> {
        let (held, at) = W::default().partition(P::default(), owner.coordinate)?;
        let (moved, to) = W::default().partition(tiler, coordinate)?;
        let ((_, first), (_, wanted)) = (at.slice_in(held), to.slice_in(moved));
        // Each offset is that of the thread's first element plus what the value adds; the first
        // element is the least one, so that two shares of the same elements begin alike.
        let stray = const { stray(&Held::FLAT, &Moved::FLAT, &Order::FLAT) };
        let fault = match stray {
            _ if self.size() != Held::SIZE => Fault::Shapes,
            _ if first != wanted => Fault::Share { value: 0, element: wanted },
            Some(value) => Fault::Share { value, element: wanted + Moved::FLAT.at(value) },
            None => return Compose::evaluated(self, Order::default()),
        };
        Err(LayoutError::new("retile", fault).with_operands(&self, &Moved::default()))
    }
}

/// The first value that the copy moves and that does not stand in the fragment where `order` says.
const fn stray(held: &FlatLayout, moved: &FlatLayout, order: &FlatLayout) -> Option<usize> {
    let mut value = 0;
    while value < moved.size() {
        if order.at(value) >= held.size() || held.at(order.at(value)) != moved.at(value) {
            return Some(value);
        }
        value += 1;
    }
    None
}

macro_rules! shares {
    ($($(#[$doc:meta])* $share:ident: $operand:ident, [$v:ident $m:ident $n:ident] of $vmnk:tt;)*) => {
        impl<M: TiledOperands> ThrMma<M> {
            $(
                $(#[$doc])*
                #[inline]
                pub fn $share(&self) -> ThreadSlice<M::$operand, At> {
                    let $vmnk = self.thr_vmnk();
                    ThreadSlice::new(At(($v, ($m, $n))))
                }
            )*
        }
    };
}
shares! {
    /// What the thread holds of A, for [`ThrCopy::retile_d`].
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalFma, make_tiled_mma};
    /// use layout_algebra::prelude::*;
    /// let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((4, 2, 1)), tiler!(_, _, _));
    /// let share = mma.get_slice(5).unwrap().slice_a(); // (tm, tn) = (1, 1): rows m = 1 and 5, k = 0 and 1
    /// let places = share.coordinates(&Tensor::coordinates(identity((8, 2))))?;
    /// assert_eq!(places.iter().collect::<Vec<_>>(), [(1, 0), (5, 0), (1, 1), (5, 1)]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    slice_a: A, [v m k] of (v, m, _, k);
    /// What the thread holds of B, for [`ThrCopy::retile_d`].
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalFma, make_tiled_mma};
    /// use layout_algebra::prelude::*;
    /// let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((4, 2, 1)), tiler!(_, _, _));
    /// // (tm, tn) = (1, 1): columns n = 1 and 3, k = 0 and 1
    /// let share = mma.get_slice(5).unwrap().slice_b();
    /// let places = share.coordinates(&Tensor::coordinates(identity((4, 2))))?;
    /// assert_eq!(places.iter().collect::<Vec<_>>(), [(1, 0), (3, 0), (1, 1), (3, 1)]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    slice_b: B, [v n k] of (v, _, n, k);
    /// What the thread holds of C, for [`ThrCopy::retile_s`].
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalFma, make_tiled_mma};
    /// use layout_algebra::prelude::*;
    /// let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((4, 2, 1)), tiler!(_, _, _));
    /// // (tm, tn) = (1, 1): rows m = 1 and 5, columns n = 1 and 3
    /// let share = mma.get_slice(5).unwrap().slice_c();
    /// let places = share.coordinates(&Tensor::coordinates(identity((8, 4))))?;
    /// assert_eq!(places.iter().collect::<Vec<_>>(), [(1, 1), (5, 1), (1, 3), (5, 3)]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    slice_c: C, [v m n] of (v, m, n, _);
}

macro_rules! retile {
    ($($side:ident; $(#[$doc:meta])* $retile:ident; $retile_mut:ident; $share:ident; $partition:literal;)*) => {
        impl<C: TiledTv> ThrCopy<C> {
            $(
                #[doc = concat!(
                    "What the thread has of a tile by [`", $partition, "`](ThrCopy::", $partition,
                    "), as the owner of a fragment."
                )]
                ///
                /// ```
                /// use layout_algebra::atom::{UniversalCopy, make_tiled_copy};
                /// use layout_algebra::prelude::*;
                /// let tiled = make_tiled_copy(UniversalCopy::<i32, Int<2>>::new(), layout!((4, 1)), layout!((1, 2)))?;
                /// let places = Tensor::coordinates(identity((4, 4)));
                #[doc = concat!(
                    "let mine = tiled.get_slice(1).unwrap().", stringify!($share), "().coordinates(&places)?;"
                )]
                /// // Row 1 of two tiles of 4 x 2.
                /// assert_eq!(mine.iter().collect::<Vec<_>>(), [(1, 0), (1, 1), (1, 2), (1, 3)]);
                /// # Ok::<(), LayoutError>(())
                /// ```
                #[inline]
                pub fn $share(&self) -> ThreadSlice<C::Tile, Dealt<C::$side>> {
                    ThreadSlice::new(Dealt::new(C::$side::default(), self.thread()))
                }

                $(#[$doc])*
                ///
                /// # Errors
                /// `bounds` if the thread does not have in the copy what `owner` says that it
                /// holds. The build stops if no layout expresses how their orders differ.
                #[inline]
                #[allow(clippy::type_complexity, reason = "a view under the layout of a partition, or an error")]
                pub fn $retile<'t, S, L, O>(
                    &self,
                    fragment: &'t Tensor<S, L>,
                    owner: O,
                ) -> Result<Tensor<S::View<'t>, Retiled<L, O, C::Tile, Dealt<C::$side>>>, LayoutError>
                where
                    S: Storage,
                    L: Retile<O, C::Tile, Dealt<C::$side>>,
                {
                    let dealt = Dealt::new(C::$side::default(), self.thread());
                    let layout = fragment.layout().clone().retiled(owner, C::Tile::default(), dealt)?;
                    fragment.view().with_layout(layout)
                }

                #[doc = concat!("[`", stringify!($retile), "`](ThrCopy::", stringify!($retile), "), mutable.")]
                ///
                /// # Errors
                #[doc = concat!("Those of [`", stringify!($retile), "`](ThrCopy::", stringify!($retile), ").")]
                ///
                /// ```
                /// use layout_algebra::atom::{UniversalCopy, UniversalFma, make_tiled_copy, make_tiled_mma};
                /// use layout_algebra::prelude::*;
                /// // Each of 2 x 2 threads has every other row and column, in the product and in the copy.
                /// let mma = make_tiled_mma(UniversalFma::<i32>::new(), layout!((2, 2, 1)), tiler!(_, _, _));
                /// let tiled = make_tiled_copy(UniversalCopy::<i32>::new(), layout!((2, 2)), layout!((1, 1)))?;
                /// let (thread, of_copy) = (mma.get_slice(3).unwrap(), tiled.get_slice(3).unwrap());
                /// let mut sum = thread.partition_fragment_c(&Tensor::fixed([0; 16], layout!((4, 4))));
                /// // Row 3, column 1 of the tile.
                #[doc = concat!(
                    "of_copy.", stringify!($retile_mut), "(&mut sum, thread.slice_c())?[((0, 0), 1, 0)] = 7;"
                )]
                /// assert_eq!(sum[(0, 1, 0)], 7);
                /// # Ok::<(), LayoutError>(())
                /// ```
                #[inline]
                #[allow(clippy::type_complexity, reason = "a view under the layout of a partition, or an error")]
                pub fn $retile_mut<'t, S, L, O>(
                    &self,
                    fragment: &'t mut Tensor<S, L>,
                    owner: O,
                ) -> Result<Tensor<S::ViewMut<'t>, Retiled<L, O, C::Tile, Dealt<C::$side>>>, LayoutError>
                where
                    S: StorageMut,
                    L: Retile<O, C::Tile, Dealt<C::$side>>,
                {
                    let dealt = Dealt::new(C::$side::default(), self.thread());
                    let layout = fragment.layout().clone().retiled(owner, C::Tile::default(), dealt)?;
                    fragment.view_mut().with_layout(layout)
                }
            )*
        }
    };
}
retile! {
    Source;
    /// A fragment in the order of what the thread reads: modes `((V, X), RestM, RestN)`. CuTe's
    /// `retile_S`.
    ///
    /// `retile_s(F, O)[x] == partition_s(tile)[x]` where `F` holds the share `O` of the tile
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalCopy, UniversalFma, copy, make_tiled_copy, make_tiled_mma};
    /// use layout_algebra::prelude::*;
    /// // Each of 2 x 2 threads has 4 x 2 values below one another: in the product and in the copy.
    /// let order = tiler!((2, 4):(4, 1), (2, 2):(2, 1), _);
    /// let mma = make_tiled_mma(UniversalFma::<i32>::new(), layout!((2, 2, 1)), order);
    /// let tiled = make_tiled_copy(UniversalCopy::<i32, Int<4>>::new(), layout!((2, 2)), layout!((4, 2)))?;
    /// let tile = Tensor::fixed(core::array::from_fn::<i32, 64, _>(|i| i as i32), layout!((8, 8)));
    /// let mut whole = Tensor::fixed([0; 64], layout!((8, 8)));
    /// for i in 0..4 {
    ///     let (thread, of_copy) = (mma.get_slice(i).unwrap(), tiled.get_slice(i).unwrap());
    ///     let mut sum = thread.partition_fragment_c(&tile); // modes (1, 4, (2, 2))
    ///     sum.copy_from(&thread.partition_c(&tile)?)?;
    ///     let mut to = of_copy.partition_d_mut(&mut whole)?; // modes ((4, 2), 1, 2)
    ///     copy(&tiled, &of_copy.retile_s(&sum, thread.slice_c())?, &mut to)?;
    /// }
    /// assert_eq!(whole.into_storage(), tile.into_storage());
    /// # Ok::<(), LayoutError>(())
    /// ```
    retile_s; retile_s_mut; slice_s; "partition_s";
    Destination;
    /// A fragment in the order of what the thread writes: modes `((V, X), RestM, RestN)`. CuTe's
    /// `retile_D`.
    ///
    /// A thread that holds other elements than it moves gets an error:
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalCopy, UniversalFma, make_tiled_copy, make_tiled_mma};
    /// use layout_algebra::prelude::*;
    /// let mma = make_tiled_mma(UniversalFma::<i32>::new(), layout!((2, 2, 1)), tiler!(_, _, _));
    /// // Thread 1 beside 0, not below.
    /// let tiled = make_tiled_copy(UniversalCopy::<i32>::new(), layout!((2, 2): right), layout!((1, 1)))?;
    /// let (thread, of_copy) = (mma.get_slice(1).unwrap(), tiled.get_slice(1).unwrap());
    /// let held = thread.partition_fragment_c(&Tensor::fixed([0; 64], layout!((8, 8))));
    /// let error = of_copy.retile_d(&held, thread.slice_c()).unwrap_err();
    /// assert!(error.to_string().contains("value 0 of the copy is element 8 of the tile"));
    /// # Ok::<(), LayoutError>(())
    /// ```
    retile_d; retile_d_mut; slice_d; "partition_d";
}
