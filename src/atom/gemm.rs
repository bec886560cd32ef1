//! The product of fragments, atom by atom, unrolled through the types.
//!
//! ```text
//! (V,M)   x (V,N)   => (V,M,N)        c[..,m,n] = fma(a[..,m], b[..,n], c[..,m,n])
//! (V,M,K) x (V,N,K) => (V,M,N)        the same for k = 0, 1, ..
//! ```
//!
//! V counts the values of an atom that one thread holds. The values of all atoms at one `k` are
//! read once; then the products are computed in one of the orders of [`order`](crate::atom::order).
//! All loops are unrolled up to a budget of instructions; beyond it, only the loops at one `k` are.

use core::marker::PhantomData;

use generic_array::GenericArray;

use crate::atom::agree::{AgreeInA, AgreeInB, AgreeInC, AgreeInK, AgreeInM, AgreeInN};
use crate::atom::mma::{MmaAtom, TvLayout, Values};
use crate::atom::order::{Cute, ProductOrder};
use crate::atom::tiled_mma::{TiledMma, TiledOperands};
use crate::layout::strided::StridedLayout;
use crate::layout::traits::StaticLayout;
use crate::list::Nested;
use crate::number::int::{One, StaticInt};
use crate::number::table::Order;
use crate::number::unroll::{Body, Unroll, turns};
use crate::tensor::space::Space;
use crate::tensor::{
    Addressable, AllRanks, RankedLayout, Ranks, RanksOfThree, RejectedRank, Storage, StorageMut,
    StorageOf, Tensor,
};
use crate::tuple::profile::SizeOf;

/// `c += a * b` for the fragments of one thread. CuTe's `gemm(mma, A, B, C)`, whose order of
/// products this is: [`order::Cute`](Cute).
///
/// The fragments have the modes `(V, M, K)`, `(V, N, K)` and `(V, M, N)`, or `(V, M)`, `(V, N)` and
/// `(V, M, N)`; sizes that do not fit are errors of types.
///
/// ```
/// use layout_algebra::atom::{UniversalFma, gemm, make_tiled_mma};
/// use layout_algebra::prelude::*;
/// let mma = make_tiled_mma(UniversalFma::<i32>::new(), layout!((2, 2, 1)), tiler!(_, _, _));
/// let a = Tensor::fixed([1, 2, 3, 4, 5, 6, 7, 8], layout!((4, 2))); // M x K
/// let b = Tensor::fixed([1, 0, 0, 1], layout!((2, 2))); // N x K
/// let mut c = Tensor::fixed([0; 8], layout!((4, 2)));
/// for thread in 0..mma.size() {
///     let thread = mma.get_slice(thread).unwrap();
///     let mut sum = thread.partition_fragment_c(&c);
///     gemm(&mma, &thread.partition_a(&a)?, &thread.partition_b(&b)?, &mut sum);
///     thread.partition_c_mut(&mut c)?.copy_from(&sum)?;
/// }
/// assert_eq!(c.into_storage(), [1, 2, 3, 4, 5, 6, 7, 8]);
/// # Ok::<(), LayoutError>(())
/// ```
///
/// ```compile_fail
/// use layout_algebra::atom::{UniversalFma, gemm, make_tiled_mma};
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::Fragment;
/// let mma = make_tiled_mma(UniversalFma::<i32>::new(), layout!((2, 2, 1)), tiler!(_, _, _));
/// let a: Fragment<i32, Layout!((1, 4, 2))> = Fragment::zeroed();
/// let b: Fragment<i32, Layout!((1, 4, 3))> = Fragment::zeroed(); // another K
/// let mut c: Fragment<i32, Layout!((1, 4, 4))> = Fragment::zeroed();
/// gemm(&mma, &a, &b, &mut c); // the fragment of A has 2 atoms along K, and that of B has 3
/// ```
#[inline(always)]
pub fn gemm<A, H, P, SA, LA, SB, LB, SC, LC>(
    mma: &TiledMma<A, H, P>,
    a: &Tensor<SA, LA>,
    b: &Tensor<SB, LB>,
    c: &mut Tensor<SC, LC>,
) where
    TiledMma<A, H, P>: TiledOperands,
    A: MmaAtom,
    SA: StorageOf<A::A>,
    SB: StorageOf<A::B>,
    SC: StorageMut + StorageOf<A::C>,
    LA: GemmFragments<A, LB, LC>,
    LB: Addressable,
    LC: Addressable,
{
    LA::gemm::<Cute, _, _, _>(mma.atom(), a, b, c);
}

/// [`gemm`](fn@gemm), the products of one `k` in another order than CuTe's.
///
/// The sum is the same. On a GPU the order decides how fast it is computed: see
/// [`order`](crate::atom::order).
///
/// ```
/// use layout_algebra::atom::order::ZigzagByColumns;
/// use layout_algebra::atom::{UniversalFma, gemm_in_order, make_tiled_mma};
/// use layout_algebra::prelude::*;
/// let mma = make_tiled_mma(UniversalFma::<i32>::new(), layout!((1, 1, 1)), tiler!(_, _, _));
/// let a = Tensor::fixed([1, 2, 3], layout!((1, 3)));
/// let b = Tensor::fixed([1, 10], layout!((1, 2)));
/// let mut c = Tensor::fixed([0; 6], layout!((1, 3, 2)));
/// gemm_in_order(ZigzagByColumns, &mma, &a, &b, &mut c);
/// assert_eq!(c.into_storage(), [1, 2, 3, 10, 20, 30]);
/// ```
#[inline(always)]
pub fn gemm_in_order<O, A, H, P, SA, LA, SB, LB, SC, LC>(
    _: O,
    mma: &TiledMma<A, H, P>,
    a: &Tensor<SA, LA>,
    b: &Tensor<SB, LB>,
    c: &mut Tensor<SC, LC>,
) where
    O: ProductOrder,
    TiledMma<A, H, P>: TiledOperands,
    A: MmaAtom,
    SA: StorageOf<A::A>,
    SB: StorageOf<A::B>,
    SC: StorageMut + StorageOf<A::C>,
    LA: GemmFragments<A, LB, LC>,
    LB: Addressable,
    LC: Addressable,
{
    LA::gemm::<O, _, _, _>(mma.atom(), a, b, c);
}

/// `LA: GemmFragments<A, LB, LC>`: fragments of these layouts are multiplied by [`gemm`](fn@gemm)
/// with the atom `A`.
///
/// ```
/// use layout_algebra::atom::{GemmFragments, UniversalFma};
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_impl_all;
/// type Fma = UniversalFma<f32>;
/// // (V,M,K), (V,N,K), (V,M,N).
/// assert_impl_all!(Layout!((1, 2, 4)): GemmFragments<Fma, Layout!((1, 3, 4)), Layout!((1, 2, 3))>);
/// // (V,M), (V,N), (V,M,N).
/// assert_impl_all!(Layout!((1, 2)): GemmFragments<Fma, Layout!((1, 3)), Layout!((1, 2, 3))>);
/// ```
#[diagnostic::on_unimplemented(
    message = "these are not known to be the fragments of a product",
    label = "no shape of `gemm` has these modes",
    note = "the shapes are (V,M), (V,N), (V,M,N) and (V,M,K), (V,N,K), (V,M,N), all static"
)]
pub trait GemmFragments<A: MmaAtom, LB: Addressable, LC: Addressable>: Addressable {
    /// Adds the product.
    #[doc(hidden)]
    fn gemm<O, SA, SB, SC>(
        atom: &A,
        a: &Tensor<SA, Self>,
        b: &Tensor<SB, LB>,
        c: &mut Tensor<SC, LC>,
    ) where
        O: ProductOrder,
        SA: Storage<Item = A::A>,
        SB: Storage<Item = A::B>,
        SC: StorageMut<Item = A::C>;
}
#[doc(hidden)]
impl<A: MmaAtom, LA: RankedLayout, LB: RankedLayout, LC: RankedLayout> GemmFragments<A, LB, LC>
    for LA
where
    LA::Rank: RanksOfThree<LB::Rank, LC::Rank, Output: FragmentRanks<A, LA, LB, LC>>,
{
    #[inline(always)]
    fn gemm<O, SA, SB, SC>(atom: &A, a: &Tensor<SA, LA>, b: &Tensor<SB, LB>, c: &mut Tensor<SC, LC>)
    where
        O: ProductOrder,
        SA: Storage<Item = A::A>,
        SB: Storage<Item = A::B>,
        SC: StorageMut<Item = A::C>,
    {
        AllRanks::<LA, LB, LC>::gemm::<O, _, _, _>(atom, a, b, c);
    }
}

/// [`GemmFragments`] by rank; `Self` stands for the ranks.
pub trait FragmentRanks<A: MmaAtom, LA: Addressable, LB: Addressable, LC: Addressable> {
    fn gemm<O, SA, SB, SC>(
        atom: &A,
        a: &Tensor<SA, LA>,
        b: &Tensor<SB, LB>,
        c: &mut Tensor<SC, LC>,
    ) where
        O: ProductOrder,
        SA: Storage<Item = A::A>,
        SB: Storage<Item = A::B>,
        SC: StorageMut<Item = A::C>;
}
impl<const I: u64, const J: u64, const K: u64, A, LA, LB, LC> FragmentRanks<A, LA, LB, LC>
    for Ranks<I, J, K>
where
    A: MmaAtom,
    LA: Addressable,
    LB: Addressable,
    LC: Addressable,
    (): FragmentsOfRanks<I, J, K, A, LA, LB, LC>,
{
    #[inline(always)]
    fn gemm<O, SA, SB, SC>(atom: &A, a: &Tensor<SA, LA>, b: &Tensor<SB, LB>, c: &mut Tensor<SC, LC>)
    where
        O: ProductOrder,
        SA: Storage<Item = A::A>,
        SB: Storage<Item = A::B>,
        SC: StorageMut<Item = A::C>,
    {
        <()>::gemm::<O, _, _, _>(atom, a, b, c);
    }
}

/// [`GemmFragments`] of ranks `I`, `J` and `K`.
#[diagnostic::on_unimplemented(
    message = "cannot multiply: `gemm` has no shape for fragments of rank {I} and {J} and a sum of rank {K}",
    label = "the ranks of A, B and C are {I}, {J} and {K}",
    note = "the shapes are (V,M), (V,N), (V,M,N) and (V,M,K), (V,N,K), (V,M,N), all static"
)]
pub trait FragmentsOfRanks<const I: u64, const J: u64, const K: u64, A, LA, LB, LC>
where
    A: MmaAtom,
    LA: Addressable,
    LB: Addressable,
    LC: Addressable,
{
    fn gemm<O, SA, SB, SC>(
        atom: &A,
        a: &Tensor<SA, LA>,
        b: &Tensor<SB, LB>,
        c: &mut Tensor<SC, LC>,
    ) where
        O: ProductOrder,
        SA: Storage<Item = A::A>,
        SB: Storage<Item = A::B>,
        SC: StorageMut<Item = A::C>;
}

/// A rejected operand multiplies too, so that its rejection stays the only error.
impl<A: MmaAtom, LA: Addressable, LB: Addressable, LC: Addressable> FragmentRanks<A, LA, LB, LC>
    for RejectedRank
{
    fn gemm<O, SA, SB, SC>(_: &A, _: &Tensor<SA, LA>, _: &Tensor<SB, LB>, _: &mut Tensor<SC, LC>)
    where
        O: ProductOrder,
        SA: Storage<Item = A::A>,
        SB: Storage<Item = A::B>,
        SC: StorageMut<Item = A::C>,
    {
    }
}

/// A static mode.
trait StaticMode: Nested<Node: SizeOf<Output = Self::Size>> {
    type Size: Unroll;
}
impl<T: Nested<Node: SizeOf<Output = N>>, N: Unroll> StaticMode for T {
    type Size = N;
}
/// The number of values that a thread-value layout gives a thread.
type ValuesOf<V> = <V as TvLayout>::Values;

/// The fragments, and how many atoms they have along M, N and K.
struct Product<'t, A, SA, LA, SB, LB, SC, LC, O, M, N, K> {
    atom: &'t A,
    a: &'t Tensor<SA, LA>,
    b: &'t Tensor<SB, LB>,
    c: &'t mut Tensor<SC, LC>,
    order: PhantomData<O>,
    extents: PhantomData<(M, N, K)>,
}
impl<A, SA, LA, SB, LB, SC, LC, O, M, N, K> Body
    for Product<'_, A, SA, LA, SB, LB, SC, LC, O, M, N, K>
where
    A: MmaAtom,
    SA: Storage<Item = A::A>,
    LA: Addressable,
    SB: Storage<Item = A::B>,
    LB: Addressable,
    SC: StorageMut<Item = A::C>,
    LC: Addressable,
    O: ProductOrder,
    M: Unroll,
    N: Unroll,
    K: Unroll,
{
    #[inline(always)]
    fn turn(&mut self, k: usize) {
        let a = &self.a.groups_of_values::<ValuesOf<A::ALayout>, M, K>(k);
        let b = &self.b.groups_of_values::<ValuesOf<A::BLayout>, N, K>(k);
        M::turns_of(&mut AtK {
            atom: self.atom,
            a,
            b,
            c: &mut *self.c,
            order: self.order,
            extents: PhantomData,
        });
    }
}
/// The products at one `k`, whose values of A and B are read.
struct AtK<'t, A: MmaAtom, SC, LC, O, M: Unroll, N: Unroll> {
    atom: &'t A,
    a: &'t GenericArray<Values<A::A, A::ALayout>, M>,
    b: &'t GenericArray<Values<A::B, A::BLayout>, N>,
    c: &'t mut Tensor<SC, LC>,
    order: PhantomData<O>,
    extents: PhantomData<(M, N)>,
}
/// Some of them, from number `first` on.
struct ItemsFrom<'p, P> {
    products: &'p mut P,
    first: usize,
}
impl<A, SC, LC, O, M, N> Body for AtK<'_, A, SC, LC, O, M, N>
where
    A: MmaAtom,
    SC: StorageMut<Item = A::C>,
    LC: Addressable,
    O: ProductOrder,
    M: Unroll,
    N: Unroll,
{
    #[inline(always)]
    fn turn(&mut self, m: usize) {
        N::turns_of(&mut ItemsFrom { products: self, first: m * N::VALUE });
    }
}
impl<A, SC, LC, O, M, N> Body for ItemsFrom<'_, AtK<'_, A, SC, LC, O, M, N>>
where
    A: MmaAtom,
    SC: StorageMut<Item = A::C>,
    LC: Addressable,
    O: ProductOrder,
    M: Unroll,
    N: Unroll,
{
    #[inline(always)]
    fn turn(&mut self, i: usize) {
        let AtK { atom, a, b, c, .. } = &mut *self.products;
        let bytes_a = size_of::<Values<A::A, A::ALayout>>();
        let bytes_b = size_of::<Values<A::B, A::BLayout>>();
        let (m, n) = O::way(bytes_a, bytes_b).place::<M, N>(self.first + i);
        let first = ValuesOf::<A::CLayout>::VALUE * (m + M::VALUE * n);
        if let (Some(a), Some(b)) = (a.get(m), b.get(n)) {
            let sum = atom.fma(a, b, c.values_from::<ValuesOf<A::CLayout>>(first));
            c.set_values_from(first, &sum);
        }
    }
}

/// Up to this many instructions all loops are unrolled; beyond it, only those at one `k`, in a loop
/// over `k`. A GPU has room for more, and no other way to keep a fragment in registers.
const BUDGET: usize = if cfg!(target_arch = "nvptx64") { 2048 } else { 256 };

macro_rules! shapes {
    ($($i:literal $j:literal [$($mode:ident)*] $a:ty, $b:ty; $k:ty; $($left:ident $agree:ident $right:ident),*;)*) => {
        $(
            impl<A: MmaAtom, $($mode: StaticMode,)* X, P, Q, DA, DB, DC>
                FragmentsOfRanks<$i, $j, 3, A, StridedLayout<$a, DA>, StridedLayout<$b, DB>, StridedLayout<(X, P, Q), DC>>
                for ()
            where
                StridedLayout<$a, DA>: Addressable,
                StridedLayout<$b, DB>: Addressable,
                StridedLayout<(X, P, Q), DC>: Addressable,
                X: StaticMode,
                P: StaticMode,
                Q: StaticMode,
                <V as StaticMode>::Size:
                    Order<ValuesOf<A::ALayout>, Output: AgreeInA<<V as StaticMode>::Size, ValuesOf<A::ALayout>>>,
                <W as StaticMode>::Size:
                    Order<ValuesOf<A::BLayout>, Output: AgreeInB<<W as StaticMode>::Size, ValuesOf<A::BLayout>>>,
                <X as StaticMode>::Size:
                    Order<ValuesOf<A::CLayout>, Output: AgreeInC<<X as StaticMode>::Size, ValuesOf<A::CLayout>>>,
                $(<$left as StaticMode>::Size: Order<
                    <$right as StaticMode>::Size,
                    Output: $agree<<$left as StaticMode>::Size, <$right as StaticMode>::Size>,
                >,)*
            {
                #[inline(always)]
                fn gemm<O, SA, SB, SC>(
                    atom: &A,
                    a: &Tensor<SA, StridedLayout<$a, DA>>,
                    b: &Tensor<SB, StridedLayout<$b, DB>>,
                    c: &mut Tensor<SC, StridedLayout<(X, P, Q), DC>>,
                ) where
                    O: ProductOrder,
                    SA: Storage<Item = A::A>,
                    SB: Storage<Item = A::B>,
                    SC: StorageMut<Item = A::C>,
                {
                    let (order, extents) = (PhantomData::<O>, PhantomData::<(M::Size, N::Size, $k)>);
                    let mut product = Product { atom, a, b, c, order, extents };
                    // An atom of several threads is one instruction; that of one thread has one for
                    // each sum.
                    let few = const {
                        let one_thread = <A::ThrId as StaticLayout>::SIZE == 1;
                        let each = if one_thread { <ValuesOf<A::CLayout> as StaticInt>::VALUE } else { 1 };
                        M::Size::VALUE * N::Size::VALUE * <$k>::VALUE * each <= BUDGET
                    };
                    if few || !SA::Space::ADDRESSED || !SB::Space::ADDRESSED {
                        <$k>::turns_of(&mut product);
                    } else {
                        turns(<$k>::VALUE, &mut product);
                    }
                }
            }
        )*
    };
}
shapes! {
    2 2 [V M W N] (V, M), (W, N); One; M AgreeInM P, N AgreeInN Q;
    3 3 [V M K W N J] (V, M, K), (W, N, J); K::Size; M AgreeInM P, N AgreeInN Q, K AgreeInK J;
}
