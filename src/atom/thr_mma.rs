//! One thread's part in a tiled product: what it reads of A and B, what it computes of C, and the fragments that hold these.
//!
//! ```text
//! partition_A(A) = thrfrg_A(A)((v, (m, k)), (.., (.., ..)))          (V, RestM, RestK)
//! ```

use crate::atom::mma::MmaAtom;
use crate::atom::tiled_mma::{At, TiledOperands};
use crate::compact::{CompactLeft, LeftLayout};
use crate::error::LayoutError;
use crate::stand_in::StandIn;
use crate::strided::StridedLayout;
use crate::tensor::{Addressable, Fragment, Partition, PartitionOf, StaticCosize, Storage, StorageMut, Tensor};

/// One thread's part in the tiled product `M`. CuTe's `ThrMMA`. Made by [`TiledMma::get_slice`](crate::atom::TiledMma::get_slice).
#[derive(Clone, Copy, Debug)]
pub struct ThrMma<M> {
    mma: M,
    place: (usize, usize, usize, usize),
}

/// The layout of a fragment that holds what a partition of layout `L` holds: the same shape, compact. CuTe's `make_fragment_like`, always
/// column-major.
#[diagnostic::on_unimplemented(
    message = "the shape of this partition is not known at compile time",
    label = "a fragment needs a static shape",
    note = "cut a tile of static shape out first, with `local_tile`"
)]
pub trait FragmentLike: Addressable {
    /// The layout.
    type Output: StaticCosize;
}
impl<S: CompactLeft, D> FragmentLike for StridedLayout<S, D>
where
    Self: Addressable,
    LeftLayout<S>: StaticCosize,
{
    type Output = LeftLayout<S>;
}
impl FragmentLike for StandIn {
    type Output = StandIn;
}
/// The layout of a fragment that holds what a partition of layout `L` holds.
pub type FragmentOf<L> = <L as FragmentLike>::Output;

impl<M: TiledOperands> ThrMma<M> {
    #[inline(always)]
    pub(super) fn new(mma: M, place: (usize, usize, usize, usize)) -> Self {
        ThrMma { mma, place }
    }

    /// The tiled product.
    #[inline(always)]
    pub const fn mma(&self) -> &M {
        &self.mma
    }

    /// Where the thread stands: its number in the atom, and those of its atom along M, N and K.
    #[inline(always)]
    pub const fn thr_vmnk(&self) -> (usize, usize, usize, usize) {
        self.place
    }
}

macro_rules! partitions {
    ($($operand:ident, $($place:ident)*: [$($of:ident)*];
        $(#[$doc:meta])* $partition:ident; $partition_mut:ident; $unchecked:ident; $unchecked_mut:ident; $fragment:ident;)*) => {
        impl<M: TiledOperands> ThrMma<M> {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                /// Those of the divides, with dynamic leaves.
                #[inline(always)]
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
                    let (dealt, at) = tensor.layout().clone().partition(Default::default(), At(partitions!(@ $($of)*)))?;
                    tensor.cut(dealt, at)
                }

                #[doc = concat!("[`", stringify!($partition), "`](ThrMma::", stringify!($partition), "), mutable.")]
                ///
                /// # Errors
                /// Those of the divides, with dynamic leaves.
                #[inline(always)]
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
                    let (dealt, at) = tensor.layout().clone().partition(Default::default(), At(partitions!(@ $($of)*)))?;
                    tensor.cut_mut(dealt, at)
                }

                #[doc = concat!("[`", stringify!($partition), "`](ThrMma::", stringify!($partition), "), unchecked and without a way to panic: for kernels.")]
                ///
                /// # Safety
                /// The tile of the product, and its permutation, divide the layout.
                #[inline(always)]
                pub unsafe fn $unchecked<'t, S, L>(
                    &self,
                    tensor: &'t Tensor<S, L>,
                ) -> Tensor<S::View<'t>, PartitionOf<L, M::$operand, At>>
                where
                    S: Storage,
                    L: Partition<M::$operand, At>,
                {
                    let ($($place,)*) = self.place;
                    // SAFETY: the caller says that the divides succeed: they keep the image; and `get_slice` has checked the thread.
                    unsafe { tensor.partition_unchecked(Default::default(), At(partitions!(@ $($of)*))) }
                }

                #[doc = concat!("[`", stringify!($partition_mut), "`](ThrMma::", stringify!($partition_mut), "), unchecked and without a way to panic: for kernels.")]
                ///
                /// # Safety
                /// The tile of the product, and its permutation, divide the layout.
                #[inline(always)]
                pub unsafe fn $unchecked_mut<'t, S, L>(
                    &self,
                    tensor: &'t mut Tensor<S, L>,
                ) -> Tensor<S::ViewMut<'t>, PartitionOf<L, M::$operand, At>>
                where
                    S: StorageMut,
                    L: Partition<M::$operand, At>,
                {
                    let ($($place,)*) = self.place;
                    // SAFETY: the caller says that the divides succeed: they keep the image; and `get_slice` has checked the thread.
                    unsafe { tensor.partition_unchecked_mut(Default::default(), At(partitions!(@ $($of)*))) }
                }

                #[doc = concat!("A fragment for what [`", stringify!($partition), "`](ThrMma::", stringify!($partition), ") gives of a tensor: the same shape, every element zero.")]
                #[inline(always)]
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
    /// The thread's share of A, of shape `(M, K, ..)`: modes `(V, RestM, RestK, ..)`. CuTe's `partition_A`.
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
    partition_a; partition_a_mut; partition_a_unchecked; partition_a_unchecked_mut; partition_fragment_a;
    B, v _m n k: [v n k];
    /// The thread's share of B, of shape `(N, K, ..)`: modes `(V, RestN, RestK, ..)`. CuTe's `partition_B`.
    partition_b; partition_b_mut; partition_b_unchecked; partition_b_unchecked_mut; partition_fragment_b;
    C, v m n _k: [v m n];
    /// The thread's share of C, of shape `(M, N, ..)`: modes `(V, RestM, RestN, ..)`. CuTe's `partition_C`.
    partition_c; partition_c_mut; partition_c_unchecked; partition_c_unchecked_mut; partition_fragment_c;
}
