//! The product of fragments, atom by atom, unrolled through the types.
//!
//! ```text
//! (V,M)   x (V,N)   => (V,M,N)        c[..,m,n] = fma(a[..,m], b[..,n], c[..,m,n])
//! (V,M,K) x (V,N,K) => (V,M,N)        the same for k = 0, 1, ..
//! ```
//!
//! V counts the values of an atom that one thread holds. All loops are unrolled up to 256 atoms, beyond them
//! those at one `k`. The columns are run through forth and back, as in CuTe, so that the last operand of one
//! row is the first of the next.

use core::marker::PhantomData;

use generic_array::{ArrayLength, GenericArray};

use crate::atom::agree::{AgreeInA, AgreeInB, AgreeInC, AgreeInK, AgreeInM, AgreeInN};
use crate::atom::mma::{MmaAtom, TvLayout, Values};
use crate::atom::tiled_mma::{TiledMma, TiledOperands};
use crate::layout::strided::StridedLayout;
use crate::list::Nested;
use crate::number::int::{One, StaticInt};
use crate::number::table::Order;
use crate::number::unroll::{Body, Unroll};
use crate::tensor::{
    Addressable, AllRanks, CoordinateIn, RankedLayout, Ranks, RanksOfThree, RefusedRank, Storage, StorageMut,
    StorageOf, Tensor,
};
use crate::tuple::profile::SizeOf;

/// `c += a * b` for the fragments of one thread. CuTe's `gemm(mma, A, B, C)`.
///
/// The fragments have the modes `(V, M, K)`, `(V, N, K)` and `(V, M, N)`, or `(V, M)`, `(V, N)` and `(V, M, N)`; sizes
/// that do not fit are errors of types.
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
    LA::gemm(mma.atom(), a, b, c);
}

/// `LA: GemmFragments<A, LB, LC>`: fragments of these layouts are multiplied by [`gemm`](fn@gemm) with the atom `A`.
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
    fn gemm<SA, SB, SC>(atom: &A, a: &Tensor<SA, Self>, b: &Tensor<SB, LB>, c: &mut Tensor<SC, LC>)
    where
        SA: Storage<Item = A::A>,
        SB: Storage<Item = A::B>,
        SC: StorageMut<Item = A::C>;
}
#[doc(hidden)]
impl<A: MmaAtom, LA: RankedLayout, LB: RankedLayout, LC: RankedLayout> GemmFragments<A, LB, LC> for LA
where
    LA::Rank: RanksOfThree<LB::Rank, LC::Rank, Output: FragmentRanks<A, LA, LB, LC>>,
{
    #[inline(always)]
    fn gemm<SA, SB, SC>(atom: &A, a: &Tensor<SA, LA>, b: &Tensor<SB, LB>, c: &mut Tensor<SC, LC>)
    where
        SA: Storage<Item = A::A>,
        SB: Storage<Item = A::B>,
        SC: StorageMut<Item = A::C>,
    {
        AllRanks::<LA, LB, LC>::gemm(atom, a, b, c);
    }
}

/// [`GemmFragments`] of the ranks `self`.
pub trait FragmentRanks<A: MmaAtom, LA: Addressable, LB: Addressable, LC: Addressable> {
    fn gemm<SA, SB, SC>(atom: &A, a: &Tensor<SA, LA>, b: &Tensor<SB, LB>, c: &mut Tensor<SC, LC>)
    where
        SA: Storage<Item = A::A>,
        SB: Storage<Item = A::B>,
        SC: StorageMut<Item = A::C>;
}
impl<const I: u64, const J: u64, const K: u64, A, LA, LB, LC> FragmentRanks<A, LA, LB, LC> for Ranks<I, J, K>
where
    A: MmaAtom,
    LA: Addressable,
    LB: Addressable,
    LC: Addressable,
    (): FragmentsOfRanks<I, J, K, A, LA, LB, LC>,
{
    #[inline(always)]
    fn gemm<SA, SB, SC>(atom: &A, a: &Tensor<SA, LA>, b: &Tensor<SB, LB>, c: &mut Tensor<SC, LC>)
    where
        SA: Storage<Item = A::A>,
        SB: Storage<Item = A::B>,
        SC: StorageMut<Item = A::C>,
    {
        <()>::gemm(atom, a, b, c);
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
    fn gemm<SA, SB, SC>(atom: &A, a: &Tensor<SA, LA>, b: &Tensor<SB, LB>, c: &mut Tensor<SC, LC>)
    where
        SA: Storage<Item = A::A>,
        SB: Storage<Item = A::B>,
        SC: StorageMut<Item = A::C>;
}

/// What was refused multiplies too.
impl<A: MmaAtom, LA: Addressable, LB: Addressable, LC: Addressable> FragmentRanks<A, LA, LB, LC> for RefusedRank {
    fn gemm<SA, SB, SC>(_: &A, _: &Tensor<SA, LA>, _: &Tensor<SB, LB>, _: &mut Tensor<SC, LC>)
    where
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

/// Reads the values of an atom: those from number `first` on.
struct Load<'t, T, N: ArrayLength, S, L> {
    values: &'t mut GenericArray<T, N>,
    tensor: &'t Tensor<S, L>,
    first: usize,
}
impl<T: Copy, N: ArrayLength, S: Storage<Item = T>, L: Addressable> Body for Load<'_, T, N, S, L>
where
    usize: CoordinateIn<L>,
{
    #[inline(always)]
    fn turn(&mut self, v: usize) {
        if let (Some(to), Some(from)) = (self.values.get_mut(v), self.tensor.get(self.first + v)) {
            *to = *from;
        }
    }
}
#[inline(always)]
fn load<V, S, L>(tensor: &Tensor<S, L>, first: usize) -> Values<S::Item, V>
where
    V: TvLayout,
    S: Storage<Item: Copy + Default>,
    L: Addressable,
    usize: CoordinateIn<L>,
{
    let mut values = GenericArray::default();
    V::Values::turns_of(&mut Load { values: &mut values, tensor, first });
    values
}

/// Writes the values of an atom: those from number `first` on.
struct Store<'t, T, N: ArrayLength, S, L> {
    values: &'t GenericArray<T, N>,
    tensor: &'t mut Tensor<S, L>,
    first: usize,
}
impl<T: Copy, N: ArrayLength, S: StorageMut<Item = T>, L: Addressable> Body for Store<'_, T, N, S, L>
where
    usize: CoordinateIn<L>,
{
    #[inline(always)]
    fn turn(&mut self, v: usize) {
        if let (Some(from), Some(to)) = (self.values.get(v), self.tensor.get_mut(self.first + v)) {
            *to = *from;
        }
    }
}

/// The fragments, and how many atoms they have along M and N.
struct Product<'t, A, SA, LA, SB, LB, SC, LC, M, N> {
    atom: &'t A,
    a: &'t Tensor<SA, LA>,
    b: &'t Tensor<SB, LB>,
    c: &'t mut Tensor<SC, LC>,
    extents: PhantomData<(M, N)>,
}
/// A product at one `k`.
struct AtK<'p, P> {
    product: &'p mut P,
    k: usize,
}
/// A product at one `k` and `m`, whose values of A are read.
struct AtM<'p, P, V> {
    product: &'p mut P,
    a: V,
    m: usize,
    k: usize,
}
impl<A, SA, LA, SB, LB, SC, LC, M: Unroll, N: Unroll> Body for Product<'_, A, SA, LA, SB, LB, SC, LC, M, N>
where
    for<'p> AtK<'p, Self>: Body,
{
    #[inline(always)]
    fn turn(&mut self, k: usize) {
        M::turns_of(&mut AtK { product: self, k });
    }
}
impl<A, SA, LA, SB, LB, SC, LC, M, N> Body for AtK<'_, Product<'_, A, SA, LA, SB, LB, SC, LC, M, N>>
where
    A: MmaAtom,
    SA: Storage<Item = A::A>,
    LA: Addressable,
    SB: Storage<Item = A::B>,
    LB: Addressable,
    SC: StorageMut<Item = A::C>,
    LC: Addressable,
    M: Unroll,
    N: Unroll,
    usize: CoordinateIn<LA> + CoordinateIn<LB> + CoordinateIn<LC>,
{
    #[inline(always)]
    fn turn(&mut self, m: usize) {
        let values = <A::ALayout as TvLayout>::Values::VALUE;
        let a = load::<A::ALayout, _, _>(self.product.a, values * (m + M::VALUE * self.k));
        N::turns_of(&mut AtM { product: &mut *self.product, a, m, k: self.k });
    }
}
impl<A, SA, LA, SB, LB, SC, LC, M, N> Body
    for AtM<'_, Product<'_, A, SA, LA, SB, LB, SC, LC, M, N>, Values<A::A, A::ALayout>>
where
    A: MmaAtom,
    SA: Storage<Item = A::A>,
    LA: Addressable,
    SB: Storage<Item = A::B>,
    LB: Addressable,
    SC: StorageMut<Item = A::C>,
    LC: Addressable,
    M: Unroll,
    N: Unroll,
    usize: CoordinateIn<LA> + CoordinateIn<LB> + CoordinateIn<LC>,
{
    #[inline(always)]
    fn turn(&mut self, n: usize) {
        let n = if self.m % 2 == 0 { n } else { N::VALUE - 1 - n };
        let product = &mut *self.product;
        let b = <A::BLayout as TvLayout>::Values::VALUE * (n + N::VALUE * self.k);
        let c = <A::CLayout as TvLayout>::Values::VALUE * (self.m + M::VALUE * n);
        let b = load::<A::BLayout, _, _>(product.b, b);
        let values = &product.atom.fma(&self.a, &b, load::<A::CLayout, _, _>(&*product.c, c));
        <A::CLayout as TvLayout>::Values::turns_of(&mut Store { values, tensor: &mut *product.c, first: c });
    }
}

/// Atoms up to which all of the loops are unrolled; beyond it, those at one `k` are, in a loop over `k`.
const UNROLLED: usize = 256;

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
                usize: CoordinateIn<StridedLayout<$a, DA>>
                    + CoordinateIn<StridedLayout<$b, DB>>
                    + CoordinateIn<StridedLayout<(X, P, Q), DC>>,
            {
                #[inline(always)]
                fn gemm<SA, SB, SC>(
                    atom: &A,
                    a: &Tensor<SA, StridedLayout<$a, DA>>,
                    b: &Tensor<SB, StridedLayout<$b, DB>>,
                    c: &mut Tensor<SC, StridedLayout<(X, P, Q), DC>>,
                ) where
                    SA: Storage<Item = A::A>,
                    SB: Storage<Item = A::B>,
                    SC: StorageMut<Item = A::C>,
                {
                    let mut product = Product { atom, a, b, c, extents: PhantomData::<(M::Size, N::Size)> };
                    if const { M::Size::VALUE * N::Size::VALUE * <$k>::VALUE <= UNROLLED } {
                        <$k>::turns_of(&mut product);
                    } else {
                        (0..<$k>::VALUE).for_each(|k| product.turn(k));
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
