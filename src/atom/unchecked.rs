//! The partitions of a thread without checks and without a way to panic, for kernels. The caller
//! promises what the method of the same name without `_unchecked` checks.

use crate::atom::{At, ThrCopy, ThrMma, TiledOperands, TiledTv};
use crate::tensor::{Dealt, Partition, PartitionOf, Storage, StorageMut, Tensor};

macro_rules! unchecked {
    ($(
        $thread:ident<$of:ident: $bound:ident>, $make:literal, $promise:literal {
            $($partition:ident $unchecked:ident $unchecked_mut:ident: $self:ident, $tile:ty, $at:ty => $place:expr;)*
        }
    )*) => {$(
        /// # Unchecked
        impl<$of: $bound> $thread<$of> {$(
            #[doc = concat!(
                "[`", stringify!($partition), "`](", stringify!($thread), "::", stringify!($partition),
                "), unchecked and without a way to panic: for kernels."
            )]
            ///
            /// # Safety
            #[doc = concat!(
                "[`", stringify!($partition), "`](", stringify!($thread), "::", stringify!($partition),
                ") of this tensor returns `Ok`. It does where"
            )]
            #[doc = $promise]
            ///
            /// ```
            /// use layout_algebra::atom::{UniversalCopy, UniversalFma, make_tiled_copy, make_tiled_mma};
            /// use layout_algebra::prelude::*;
            #[doc = $make]
            /// let t = Tensor::fixed(core::array::from_fn::<i32, 16, _>(|i| i as i32), layout!((4,
            /// 4))); // SAFETY: 2 divides 4.
            #[doc = concat!("let mine = unsafe { last.", stringify!($unchecked), "(&t) };")]
            /// assert_eq!(mine.iter().copied().collect::<Vec<_>>(), [5, 7, 13, 15]);
            /// # Ok::<(), LayoutError>(())
            /// ```
            #[inline]
            pub unsafe fn $unchecked<'t, S, L>(
                &$self,
                tensor: &'t Tensor<S, L>,
            ) -> Tensor<S::View<'t>, PartitionOf<L, $tile, $at>>
            where
                S: Storage,
                L: Partition<$tile, $at>,
            {
                // SAFETY: the caller says that the same partition and the same cut, checked, return
                // `Ok`.
                unsafe { tensor.partition_unchecked(Default::default(), $place) }
            }

            #[doc = concat!(
                "[`", stringify!($unchecked), "`](", stringify!($thread), "::", stringify!($unchecked), "), mutable."
            )]
            ///
            /// # Safety
            /// As there.
            ///
            /// ```
            /// use layout_algebra::atom::{UniversalCopy, UniversalFma, make_tiled_copy, make_tiled_mma};
            /// use layout_algebra::prelude::*;
            #[doc = $make]
            /// let mut t = Tensor::fixed([0; 16], layout!((4, 4)));
            /// // SAFETY: 2 divides 4.
            #[doc = concat!("unsafe { last.", stringify!($unchecked_mut), "(&mut t) }.fill(1);")]
            /// assert_eq!(t.into_storage(), [0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1]);
            /// # Ok::<(), LayoutError>(())
            /// ```
            #[inline]
            pub unsafe fn $unchecked_mut<'t, S, L>(
                &$self,
                tensor: &'t mut Tensor<S, L>,
            ) -> Tensor<S::ViewMut<'t>, PartitionOf<L, $tile, $at>>
            where
                S: StorageMut,
                L: Partition<$tile, $at>,
            {
                // SAFETY: as above.
                unsafe { tensor.partition_unchecked_mut(Default::default(), $place) }
            }
        )*}
    )*};
}
unchecked! {
    ThrCopy<C: TiledTv>,
    "let tiled = make_tiled_copy(UniversalCopy::<i32>::new(), layout!((2, 2)), layout!((1, 1)))?;\n\
     let last = tiled.get_slice(3).unwrap(); // at (1, 1)",
    "the tile divides the layout, and the layouts of the atom are permutations of one another." {
    partition_s partition_s_unchecked partition_s_unchecked_mut:
        self, C::Tile, Dealt<C::Source> => Dealt::new(C::Source::default(), self.thread());
    partition_d partition_d_unchecked partition_d_unchecked_mut:
        self, C::Tile, Dealt<C::Destination> => Dealt::new(C::Destination::default(), self.thread());
    }
    ThrMma<M: TiledOperands>,
    "let mma = make_tiled_mma(UniversalFma::<i32>::new(), layout!((2, 2, 2)), tiler!(_, _, _));\n\
     let last = mma.get_slice(7).unwrap(); // at (1, 1, 1)",
    "the tile of the product, and its permutation, divide the layout, and the atom's layout leads to each element of \
     its operand once." {
    partition_a partition_a_unchecked partition_a_unchecked_mut:
        self, M::A, At => { let (v, m, _, k) = self.thr_vmnk(); At((v, (m, k))) };
    partition_b partition_b_unchecked partition_b_unchecked_mut:
        self, M::B, At => { let (v, _, n, k) = self.thr_vmnk(); At((v, (n, k))) };
    partition_c partition_c_unchecked partition_c_unchecked_mut:
        self, M::C, At => { let (v, m, n, _) = self.thr_vmnk(); At((v, (m, n))) };
    }
}
