//! Copies dealt to threads as a product deals its operands: each thread copies what it multiplies.
//!
//! ```text
//! layout_C_TV  = (threads of C o thr_layout_vmnk^-1, values)
//!         (thread, (V, RestM, RestN)) -> element of the tile
//! threads of C = (ThrV, ThrM, ThrN, ThrK) -> element           stride 0 along K, which C lacks
//! ```

use crate::algebra::traits::{Compose, Flatten, RightInverse, RightInverseOf};
use crate::atom::copy::CopyAtom;
use crate::atom::mma::TvLayout;
use crate::atom::tiled_copy::{TiledCopy, TiledTv};
use crate::atom::tiled_mma::{At, TiledMma, TiledOperands};
use crate::error::{Fault, LayoutError};
use crate::layout::compact::{CompactLeft, LeftLayout};
use crate::layout::strided::StridedLayout;
use crate::layout::tiler::Tiler;
use crate::layout::traits::Layout;
use crate::list::Nested;
use crate::number::int::{StaticInt, Zero};
use crate::tensor::Partition;
use crate::tuple::profile::SizeOf;

/// `M: LayoutTv<'C'>`: which thread of the tiled product `M` has which elements of one tile of C as
/// which values; the same for `'A'` and `'B'`.
///
/// ```
/// use layout_algebra::atom::{LayoutTv, TiledMma, UniversalFma};
/// use layout_algebra::prelude::*;
/// type Product = TiledMma<UniversalFma<f32>, Layout!((4, 2, 1)), Tiler!(_, _, _)>;
/// // Of A, 8 threads have 4 x 1 elements: those that differ in their column of C share them.
/// assert_eq!(<Product as LayoutTv<'A'>>::Tv::default().index((5, 0)), 1);
/// assert_eq!(<Product as LayoutTv<'C'>>::Tv::default().index((5, 0)), 5);
/// ```
#[diagnostic::on_unimplemented(
    message = "this has no thread-value layout of this operand",
    label = "`{Self}`: not a tiled product, or not an operand: 'A', 'B', 'C'",
    note = "a tiled product is made by `make_tiled_mma`"
)]
pub trait LayoutTv<const OPERAND: char>: TiledOperands {
    /// `(thread, value) -> element of the tile`
    type Tv: TvLayout;
    /// The tile, as a tiler.
    type Tile: Copy + Default;
}

/// A tile as a product deals it, `((ThrV, (ThrX, ThrY)), values)`, with the threads of the block in
/// place of their positions. `Inverse` takes a thread to its number in `(ThrV, ThrM, ThrN, ThrK)`;
/// `Without` threads differ there in the mode that the operand does not have.
pub trait DealtTo<const OPERAND: char, Without, Inverse> {
    type Output: TvLayout;
}

macro_rules! operands {
    ($($operand:literal $deal:ident: ($x:ident $y:ident) of $extents:tt, $absent:ident, $threads:tt $strides:tt;)*) => {
        $(
            impl<ThrV, ThrX, ThrY, Values, DV, DX, DY, DValues, Without, Inverse, Threads, S, D>
                DealtTo<$operand, Without, Inverse>
                for StridedLayout<((ThrV, (ThrX, ThrY)), Values), ((DV, (DX, DY)), DValues)>
            where
                // Flattened: so the compiler waits until all modes are known; otherwise its search
                // would not end.
                StridedLayout<$threads, $strides>: Flatten<Output = Threads>,
                Threads: Compose<Inverse, Output = StridedLayout<S, D>>,
                StridedLayout<(S, Values), (D, DValues)>: TvLayout,
            {
                type Output = StridedLayout<(S, Values), (D, DValues)>;
            }

            #[doc(hidden)]
            impl<A, HM, HN, HK, D, P, M, N, K, H, Without, Operand, Dealt> LayoutTv<$operand>
                for TiledMma<A, StridedLayout<(HM, HN, HK), D>, P>
            where
                Self: TiledOperands<TileMnk = $extents, ThrLayoutVmnk = H, $deal = Operand>,
                H: RightInverse,
                $absent: Nested<Node: SizeOf<Output = Without>>,
                ($x, $y): CompactLeft,
                LeftLayout<($x, $y)>: Partition<Operand, At, Divided = Dealt>,
                Dealt: DealtTo<$operand, Without, RightInverseOf<H>>,
                Tiler<($x, $y)>: Copy + Default,
            {
                type Tv = Dealt::Output;
                type Tile = Tiler<($x, $y)>;
            }
        )*
    };
}
operands! {
    'A' A: (M K) of (M, N, K), HN, (ThrV, ThrX, Without, ThrY) (DV, DX, Zero, DY);
    'B' B: (N K) of (M, N, K), HM, (ThrV, Without, ThrX, ThrY) (DV, Zero, DX, DY);
    'C' C: (M N) of (M, N, K), HK, (ThrV, ThrX, ThrY, Without) (DV, DX, DY, Zero);
}

/// A copy atom dealt out as `M` deals the operand.
type CopyOf<A, M, const OPERAND: char> =
    TiledCopy<A, <M as LayoutTv<OPERAND>>::Tv, <M as LayoutTv<OPERAND>>::Tile>;

macro_rules! copies {
    ($($(#[$doc:meta])* $make:ident, $layout:ident: $operand:literal;)*) => {
        impl<A, H, P> TiledMma<A, H, P> {
            $(
                #[doc = concat!(
                    "Which thread has which elements of a tile of ", $operand, ", as which values. CuTe's `get_layout",
                    $operand, "_TV`."
                )]
                ///
                /// ```
                /// use layout_algebra::atom::{UniversalFma, make_tiled_mma};
                /// use layout_algebra::prelude::*;
                /// let mma = make_tiled_mma(UniversalFma::<i32>::new(), layout!((2, 2, 2)), tiler!(_, _, _));
                /// // Thread 7 stands at (1, 1, 1): element (1, 1) of a tile of 2 x 2.
                #[doc = concat!("assert_eq!(mma.", stringify!($layout), "().index((7, 0)), 3);")]
                /// ```
                #[inline]
                pub fn $layout(&self) -> <Self as LayoutTv<$operand>>::Tv
                where
                    Self: LayoutTv<$operand>,
                {
                    Default::default()
                }
            )*
        }
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// `bounds` if the atoms are laid out so that threads are left out.
            #[inline]
            pub fn $make<A, M>(atom: A, _: &M) -> Result<CopyOf<A, M, $operand>, LayoutError>
            where
                A: CopyAtom,
                M: LayoutTv<$operand>,
                CopyOf<A, M, $operand>: TiledTv,
            {
                let threads = <M::ThrLayoutVmnk>::default();
                let size = <<M::Tv as TvLayout>::Threads as StaticInt>::VALUE;
                if threads.size() != size || threads.cosize() != size {
                    let fault = Fault::Storage { cosize: threads.cosize(), length: size };
                    return Err(LayoutError::new(stringify!($make), fault).with_operand(&threads));
                }
                Ok(TiledCopy::new(atom))
            }
        )*
    };
}
copies! {
    /// A copy of tiles of A in which each thread has the elements that it has in a product. CuTe's
    /// `make_tiled_copy_A`.
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalCopy, UniversalFma, make_tiled_copy_a, make_tiled_mma};
    /// use layout_algebra::prelude::*;
    /// let mma = make_tiled_mma(UniversalFma::<i32>::new(), layout!((4, 2, 1)), tiler!(_, _, _));
    /// let tiled = make_tiled_copy_a(UniversalCopy::<i32>::new(), &mma)?;
    /// let a = Tensor::fixed(core::array::from_fn::<i32, 16, _>(|i| i as i32), layout!((8, 2)));
    /// let mine = tiled.get_slice(5).unwrap().partition_s(&a)?; // (tm, tn) = (1, 1)
    /// assert_eq!(mine.iter().copied().collect::<Vec<_>>(), [1, 5, 9, 13]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    make_tiled_copy_a, layout_a_tv: 'A';
    /// A copy of tiles of B in which each thread has the elements that it has in a product. CuTe's
    /// `make_tiled_copy_B`.
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalCopy, UniversalFma, make_tiled_copy_b, make_tiled_mma};
    /// use layout_algebra::prelude::*;
    /// let mma = make_tiled_mma(UniversalFma::<i32>::new(), layout!((4, 2, 1)), tiler!(_, _, _));
    /// let tiled = make_tiled_copy_b(UniversalCopy::<i32>::new(), &mma)?;
    /// let b = Tensor::fixed(core::array::from_fn::<i32, 8, _>(|i| i as i32), layout!((4, 2)));
    /// let mine = tiled.get_slice(5).unwrap().partition_s(&b)?; // (tm, tn) = (1, 1)
    /// assert_eq!(mine.iter().copied().collect::<Vec<_>>(), [1, 3, 5, 7]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    make_tiled_copy_b, layout_b_tv: 'B';
    /// A copy of tiles of C in which each thread has the elements that it has in a product. CuTe's
    /// `make_tiled_copy_C`.
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalCopy, UniversalFma, copy, make_tiled_copy_c, make_tiled_mma};
    /// use layout_algebra::prelude::*;
    /// let mma =
    ///     make_tiled_mma(UniversalFma::<f32>::new(), layout!((2, 2, 1)), tiler!((2, 4):(4, 1), _, _));
    /// let tiled = make_tiled_copy_c(UniversalCopy::<f32, Int<4>>::new(), &mma)?; // four rows at once
    /// assert_eq!((tiled.size(), tiled.tiler()), (4, tiler!(8, 2)));
    /// let mut c = Tensor::filled(layout!((8, 4)), 0.0);
    /// for i in 0..mma.size() {
    ///     let (thread, of_copy) = (mma.get_slice(i).unwrap(), tiled.get_slice(i).unwrap());
    ///     let mut sum = thread.partition_fragment_c(&c);
    ///     sum.fill(i as f32);
    ///     copy(
    ///         &tiled,
    ///         &of_copy.retile_s(&sum, thread.slice_c())?,
    ///         &mut of_copy.partition_d_mut(&mut c)?,
    ///     )?;
    /// }
    /// assert_eq!((c[(0, 0)], c[(4, 0)], c[(3, 1)], c[(7, 3)]), (0.0, 1.0, 2.0, 3.0));
    /// # Ok::<(), LayoutError>(())
    /// ```
    make_tiled_copy_c, layout_c_tv: 'C';
}
