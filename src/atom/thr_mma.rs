//! One thread's part in a tiled product: what it reads of A and B, what it computes of C, and
//! the fragments that hold these.
//!
//! ```text
//! partition_A(A) = thrfrg_A(A)((v, (m, k)), (.., (.., ..)))          (V, RestM, RestK)
//! ```

use crate::atom::mma::MmaAtom;
use crate::atom::tiled_mma::{At, TiledMma, TiledOperands};
use crate::error::LayoutError;
use crate::tensor::{
    Addressable, CompactLike, Fragment, Partition, PartitionOf, StaticCosize, Storage, StorageMut,
    Tensor, Threads, tell_slice,
};

/// One thread's part in the tiled product `M`. CuTe's `ThrMMA`. Made by
/// [`TiledMma::get_slice`](crate::atom::TiledMma::get_slice).
///
/// ```
/// use layout_algebra::atom::{ThrMma, UniversalFma, make_tiled_mma};
/// use layout_algebra::prelude::*;
/// // 4 x 2 threads in a matrix of 8 x 4: each has the rows m and m + 4 of two columns.
/// let mma = make_tiled_mma(UniversalFma::<i32>::new(), layout!((4, 2, 1)), tiler!(_, _, _));
/// let mut c = Tensor::fixed([0; 32], layout!((8, 4)));
/// for i in 0..mma.size() {
///     let thread: ThrMma<_> = mma.get_slice(i).unwrap();
///     thread.partition_c_mut(&mut c)?.fill(i as i32);
/// }
/// assert_eq!(c.into_storage()[..16], [0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7]);
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ThrMma<M> {
    mma: M,
    place: (usize, usize, usize, usize),
}

/// The layout of a fragment that holds what a partition of layout `L` holds: the same shape,
/// compact. CuTe's `make_fragment_like`, always column-major.
///
/// ```
/// use layout_algebra::atom::FragmentLike;
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(
///     <Layout!((1, 2, 3):(0, 4, 8)) as FragmentLike>::Output,
///     Layout!((1, 2, 3):(0, 1, 2))
/// );
/// ```
#[diagnostic::on_unimplemented(
    message = "the shape of this partition is not known at compile time",
    label = "a fragment needs a static shape",
    note = "cut a tile of static shape out first, with `local_tile`"
)]
pub trait FragmentLike: Addressable {
    /// The layout.
    type Output: StaticCosize;
}
#[doc(hidden)]
impl<L: CompactLike<Compact: StaticCosize>> FragmentLike for L {
    type Output = L::Compact;
}
/// The layout of a fragment that holds what a partition of layout `L` holds.
///
/// ```
/// use layout_algebra::atom::FragmentOf;
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(
///     FragmentOf<Layout!((1, (2, 2)):(0, (16, 1)))>,
///     Layout!((1, (2, 2)):(0, (1, 2)))
/// );
/// ```
pub type FragmentOf<L> = <L as FragmentLike>::Output;

impl<A, H, P> TiledMma<A, H, P>
where
    Self: TiledOperands,
{
    /// One thread's slice of the product, or `None` if there is no such thread. CuTe's `get_slice`,
    /// `get_thread_slice`.
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalFma, make_tiled_mma};
    /// use layout_algebra::prelude::*;
    /// let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((4, 2, 1)), tiler!(_, _, _));
    /// assert_eq!(mma.get_slice(5).unwrap().thr_vmnk(), (0, 1, 1, 0));
    /// assert!(mma.get_slice(8).is_none());
    /// ```
    #[inline]
    #[track_caller]
    pub fn get_slice(&self, thread: usize) -> Option<ThrMma<Self>> {
        tell_slice::<Self>(self.size(), thread);
        if thread >= self.size() {
            return None;
        }
        let (_, place) = self.thr_layout_vmnk().stand(thread).ok()?;
        Some(ThrMma::new(*self, place))
    }
}

impl<M: TiledOperands> ThrMma<M> {
    #[inline]
    pub(super) fn new(mma: M, place: (usize, usize, usize, usize)) -> Self {
        const { M::FITS }
        ThrMma { mma, place }
    }

    /// The tiled product.
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalFma, make_tiled_mma};
    /// use layout_algebra::prelude::*;
    /// let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((4, 2, 1)), tiler!(_, _, _));
    /// assert_eq!(mma.get_slice(5).unwrap().mma().tile_size_mnk(), shape!((4, 2, 1)));
    /// ```
    #[inline]
    pub const fn mma(&self) -> &M {
        &self.mma
    }

    /// Where the thread stands: its number in the atom, and those of its atom along M, N and K.
    ///
    /// `thr_layout_vmnk(thr_vmnk(i)) == i`
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalFma, make_tiled_mma};
    /// use layout_algebra::prelude::*;
    /// let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((4, 2, 1)), tiler!(_, _, _));
    /// assert_eq!(mma.get_slice(6).unwrap().thr_vmnk(), (0, 2, 1, 0)); // 6 == 2 + 4 * 1
    /// ```
    #[inline]
    pub const fn thr_vmnk(&self) -> (usize, usize, usize, usize) {
        self.place
    }
}

macro_rules! partitions {
    ($($operand:ident, $($place:ident)*: [$($of:ident)*];
        $(#[$doc:meta])* $partition:ident; $partition_mut:ident; $fragment:ident;)*) => {
        impl<M: TiledOperands> ThrMma<M> {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                /// Those of the divides, with dynamic leaves.
                #[inline]
                #[allow(clippy::type_complexity, reason = "a view under the layout of a partition, or an error")]
                pub fn $partition<'t, S, L>(
                    &self,
                    tensor: &'t Tensor<S, L>,
                ) -> Result<Tensor<S::View<'t>, PartitionOf<L, M::$operand, At>>, LayoutError>
                where
                    S: Storage,
                    L: Partition<M::$operand, At>,
                {
                    let ($($place,)*) = self.place;
                    tensor.part(Default::default(), At(partitions!(@ $($of)*)))
                }

                #[doc = concat!("[`", stringify!($partition), "`](ThrMma::", stringify!($partition), "), mutable.")]
                ///
                /// # Errors
                /// Those of the divides, with dynamic leaves.
                ///
                /// ```
                /// use layout_algebra::atom::{UniversalFma, make_tiled_mma};
                /// use layout_algebra::prelude::*;
                /// // 2 x 2 x 2 threads; thread 7 stands at (1, 1, 1) and has rows and columns 1 and 3.
                /// let mma = make_tiled_mma(UniversalFma::<i32>::new(), layout!((2, 2, 2)), tiler!(_, _, _));
                /// let mut t = Tensor::fixed([0; 16], layout!((4, 4)));
                #[doc = concat!("mma.get_slice(7).unwrap().", stringify!($partition_mut), "(&mut t)?.fill(1);")]
                /// assert_eq!(t.into_storage(), [0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1]);
                /// # Ok::<(), LayoutError>(())
                /// ```
                #[inline]
                #[allow(clippy::type_complexity, reason = "a view under the layout of a partition, or an error")]
                pub fn $partition_mut<'t, S, L>(
                    &self,
                    tensor: &'t mut Tensor<S, L>,
                ) -> Result<Tensor<S::ViewMut<'t>, PartitionOf<L, M::$operand, At>>, LayoutError>
                where
                    S: StorageMut,
                    L: Partition<M::$operand, At>,
                {
                    let ($($place,)*) = self.place;
                    tensor.part_mut(Default::default(), At(partitions!(@ $($of)*)))
                }

                #[doc = concat!(
                    "A fragment for what [`", stringify!($partition), "`](ThrMma::", stringify!($partition),
                    ") gives of a tensor: the same shape, every element zero."
                )]
                ///
                /// ```
                /// use layout_algebra::atom::{UniversalFma, make_tiled_mma};
                /// use layout_algebra::prelude::*;
                /// // 2 x 2 x 2 threads; thread 7 stands at (1, 1, 1) and has rows and columns 1 and 3.
                /// let mma = make_tiled_mma(UniversalFma::<i32>::new(), layout!((2, 2, 2)), tiler!(_, _, _));
                #[doc = concat!(
                    "let fragment = mma.get_slice(7).unwrap().", stringify!($fragment),
                    "(&Tensor::fixed([1; 16], layout!((4, 4))));"
                )]
                /// // (V, 4 / 2, 4 / 2), compact
                /// assert_eq!(*fragment.layout(), layout!((1, 2, 2):(0, 1, 2)));
                /// ```
                #[inline]
                #[allow(clippy::type_complexity, reason = "a fragment under the layout of a partition")]
                pub fn $fragment<S, L>(
                    &self,
                    _: &Tensor<S, L>,
                ) -> Fragment<<M::Atom as MmaAtom>::$operand, FragmentOf<PartitionOf<L, M::$operand, At>>>
                where
                    L: Partition<M::$operand, At>,
                    PartitionOf<L, M::$operand, At>: FragmentLike,
                {
                    Tensor::zeroed()
                }
            )*
        }
    };
    (@ $v:ident $x:ident $y:ident) => { ($v, ($x, $y)) };
}
partitions! {
    A, v m _n k: [v m k];
    /// The thread's slice of A, of shape `(M, K, ..)`: modes `(V, RestM, RestK, ..)`. CuTe's
    /// `partition_A`.
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalFma, make_tiled_mma};
    /// use layout_algebra::prelude::*;
    /// let mma = make_tiled_mma(UniversalFma::<i32>::new(), layout!((4, 2, 1)), tiler!(_, _, _));
    /// let a = Tensor::fixed(core::array::from_fn::<i32, 16, _>(|i| i as i32), layout!((8, 2)));
    /// let mine = mma.get_slice(5).unwrap().partition_a(&a)?; // (tm, tn) = (1, 1): rows 1 and 5
    /// assert_eq!(*mine.layout(), layout!((1, 2, 2):(0, 4, 8)));
    /// assert_eq!(mine.iter().copied().collect::<Vec<_>>(), [1, 5, 9, 13]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    partition_a; partition_a_mut; partition_fragment_a;
    B, v _m n k: [v n k];
    /// The thread's slice of B, of shape `(N, K, ..)`: modes `(V, RestN, RestK, ..)`. CuTe's
    /// `partition_B`.
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalFma, make_tiled_mma};
    /// use layout_algebra::prelude::*;
    /// let mma = make_tiled_mma(UniversalFma::<i32>::new(), layout!((4, 2, 1)), tiler!(_, _, _));
    /// let b = Tensor::fixed(core::array::from_fn::<i32, 12, _>(|i| i as i32), layout!((4, 3)));
    /// // (tm, tn) = (1, 1): columns 1 and 3 of the product
    /// let mine = mma.get_slice(5).unwrap().partition_b(&b)?;
    /// assert_eq!(mine.iter().copied().collect::<Vec<_>>(), [1, 3, 5, 7, 9, 11]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    partition_b; partition_b_mut; partition_fragment_b;
    C, v m n _k: [v m n];
    /// The thread's slice of C, of shape `(M, N, ..)`: modes `(V, RestM, RestN, ..)`. CuTe's
    /// `partition_C`.
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalFma, make_tiled_mma};
    /// use layout_algebra::prelude::*;
    /// let mma = make_tiled_mma(UniversalFma::<i32>::new(), layout!((4, 2, 1)), tiler!(_, _, _));
    /// let c = Tensor::fixed(core::array::from_fn::<i32, 32, _>(|i| i as i32), layout!((8, 4)));
    /// // (tm, tn) = (1, 1): rows 1 and 5, columns 1 and 3
    /// let mine = mma.get_slice(5).unwrap().partition_c(&c)?;
    /// assert_eq!(mine.iter().copied().collect::<Vec<_>>(), [9, 13, 25, 29]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    partition_c; partition_c_mut; partition_fragment_c;
}
