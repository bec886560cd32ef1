//! The product of fragments, atom by atom, unrolled through the types.
//!
//! ```text
//! (V,M)   x (V,N)   => (V,M,N)        c[..,m,n] = fma(a[..,m], b[..,n], c[..,m,n])
//! (V,M,K) x (V,N,K) => (V,M,N)        the same for k = 0, 1, ..
//! ```
//!
//! V counts the values of an atom that one thread holds. The columns are run through forth and back, as in CuTe, so that the last operand of
//! one row is the first of the next.

use generic_array::GenericArray;

use crate::atom::mma::{MmaAtom, TvLayout, Values};
use crate::atom::tiled_mma::{TiledMma, TiledOperands};
use crate::profile::SizeOf;
use crate::strided::StridedLayout;
use crate::tensor::{Addressable, CoordinateIn, Storage, StorageMut, Tensor};
use crate::tuple::Nested;
use crate::unroll::{Body, Unroll};

/// `c += a * b` for the fragments of one thread. CuTe's `gemm(mma, A, B, C)`.
///
/// The fragments have the modes `(V, M, K)`, `(V, N, K)` and `(V, M, N)`, or `(V, M)`, `(V, N)` and `(V, M, N)`; sizes that do not fit do not
/// build.
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
/// gemm(&mma, &a, &b, &mut c); // the fragments of A and B differ in K
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
    SA: Storage<Item = A::A>,
    SB: Storage<Item = A::B>,
    SC: StorageMut<Item = A::C>,
    LA: GemmFragments<LB, LC>,
    LB: Addressable,
    LC: Addressable,
{
    LA::gemm(mma.atom(), a, b, c);
}

/// `LA: GemmFragments<LB, LC>`: fragments of these layouts are multiplied by [`gemm`](fn@gemm).
#[diagnostic::on_unimplemented(
    message = "these are not the fragments of a product",
    label = "no shape of `gemm` has these modes",
    note = "the shapes are (V,M), (V,N), (V,M,N) and (V,M,K), (V,N,K), (V,M,N), all static"
)]
pub trait GemmFragments<LB: Addressable, LC: Addressable>: Addressable {
    /// Adds the product.
    #[doc(hidden)]
    fn gemm<A, SA, SB, SC>(atom: &A, a: &Tensor<SA, Self>, b: &Tensor<SB, LB>, c: &mut Tensor<SC, LC>)
    where
        A: MmaAtom,
        SA: Storage<Item = A::A>,
        SB: Storage<Item = A::B>,
        SC: StorageMut<Item = A::C>;
}

/// A static mode.
trait StaticMode: Nested<Node: SizeOf<Output = Self::Size>> {
    type Size: Unroll;
}
impl<T: Nested<Node: SizeOf<Output = N>>, N: Unroll> StaticMode for T {
    type Size = N;
}

/// One operand of the atom in place `x`, `k` of a fragment.
trait Place<L>: Copy {
    type Coordinate: CoordinateIn<L>
    where
        L: Addressable;
    fn at(self, v: usize) -> Self::Coordinate
    where
        L: Addressable;
}
impl<L: Addressable> Place<L> for usize
where
    (usize, usize): CoordinateIn<L>,
{
    type Coordinate = (usize, usize);
    #[inline(always)]
    fn at(self, v: usize) -> (usize, usize) {
        (v, self)
    }
}
impl<L: Addressable> Place<L> for (usize, usize)
where
    (usize, usize, usize): CoordinateIn<L>,
{
    type Coordinate = (usize, usize, usize);
    #[inline(always)]
    fn at(self, v: usize) -> (usize, usize, usize) {
        (v, self.0, self.1)
    }
}

/// Reads the values of an atom.
struct Load<'t, T, N: generic_array::ArrayLength, S, L, P> {
    values: &'t mut GenericArray<T, N>,
    tensor: &'t Tensor<S, L>,
    place: P,
}
impl<T: Copy, N: generic_array::ArrayLength, S: Storage<Item = T>, L: Addressable, P: Place<L>> Body
    for Load<'_, T, N, S, L, P>
{
    #[inline(always)]
    fn turn(&mut self, v: usize) {
        if let (Some(to), Some(from)) = (self.values.get_mut(v), self.tensor.get(self.place.at(v))) {
            *to = *from;
        }
    }
}
#[inline(always)]
fn load<V: TvLayout, S: Storage<Item: Copy + Default>, L: Addressable, P: Place<L>>(
    tensor: &Tensor<S, L>,
    place: P,
) -> Values<S::Item, V> {
    let mut values = GenericArray::default();
    V::Values::turns_of(&mut Load { values: &mut values, tensor, place });
    values
}

/// Writes the values of an atom.
struct Store<'t, T, N: generic_array::ArrayLength, S, L, P> {
    values: &'t GenericArray<T, N>,
    tensor: &'t mut Tensor<S, L>,
    place: P,
}
impl<T: Copy, N: generic_array::ArrayLength, S: StorageMut<Item = T>, L: Addressable, P: Place<L>> Body
    for Store<'_, T, N, S, L, P>
{
    #[inline(always)]
    fn turn(&mut self, v: usize) {
        if let (Some(from), Some(to)) = (self.values.get(v), self.tensor.get_mut(self.place.at(v))) {
            *to = *from;
        }
    }
}

/// What is done for one atom.
trait Atoms {
    fn fma(&mut self, m: usize, n: usize, k: usize);
}
/// The fragments; `I` and `J` make a place in A and B out of `m` or `n`, and `k`.
struct Product<'t, A, SA, LA, SB, LB, SC, LC, I> {
    atom: &'t A,
    a: &'t Tensor<SA, LA>,
    b: &'t Tensor<SB, LB>,
    c: &'t mut Tensor<SC, LC>,
    place: I,
}
impl<A, SA, LA, SB, LB, SC, LC, I, P> Atoms for Product<'_, A, SA, LA, SB, LB, SC, LC, I>
where
    A: MmaAtom,
    SA: Storage<Item = A::A>,
    LA: Addressable,
    SB: Storage<Item = A::B>,
    LB: Addressable,
    SC: StorageMut<Item = A::C>,
    LC: Addressable,
    I: PlaceOf<Place = P>,
    P: Place<LA> + Place<LB>,
    (usize, usize): Place<LC>,
{
    #[inline(always)]
    fn fma(&mut self, m: usize, n: usize, k: usize) {
        let a = load::<A::ALayout, _, _, _>(self.a, self.place.place(m, k));
        let b = load::<A::BLayout, _, _, _>(self.b, self.place.place(n, k));
        let c = load::<A::CLayout, _, _, _>(&*self.c, (m, n));
        let values = &self.atom.fma(&a, &b, c);
        <A::CLayout as TvLayout>::Values::turns_of(&mut Store { values, tensor: self.c, place: (m, n) });
    }
}

/// Whether a place in A and B has a K.
trait PlaceOf {
    type Place;
    fn place(&self, x: usize, k: usize) -> Self::Place;
}
struct WithoutK;
impl PlaceOf for WithoutK {
    type Place = usize;
    #[inline(always)]
    fn place(&self, x: usize, _: usize) -> usize {
        x
    }
}
struct WithK;
impl PlaceOf for WithK {
    type Place = (usize, usize);
    #[inline(always)]
    fn place(&self, x: usize, k: usize) -> (usize, usize) {
        (x, k)
    }
}

/// The loop over `k`, that over `m` and that over `n`.
struct OverK<'t, P, M, N>(&'t mut P, core::marker::PhantomData<(M, N)>);
struct OverM<'t, P, N>(&'t mut P, usize, core::marker::PhantomData<N>);
struct OverN<'t, P> {
    product: &'t mut P,
    m: usize,
    k: usize,
    last: usize,
}
impl<P: Atoms, M: Unroll, N: Unroll> Body for OverK<'_, P, M, N> {
    #[inline(always)]
    fn turn(&mut self, k: usize) {
        M::turns_of(&mut OverM::<P, N>(self.0, k, core::marker::PhantomData));
    }
}
impl<P: Atoms, N: Unroll> Body for OverM<'_, P, N> {
    #[inline(always)]
    fn turn(&mut self, m: usize) {
        N::turns_of(&mut OverN { product: self.0, m, k: self.1, last: N::VALUE.saturating_sub(1) });
    }
}
impl<P: Atoms> Body for OverN<'_, P> {
    #[inline(always)]
    fn turn(&mut self, n: usize) {
        let n = if self.m % 2 == 0 { n } else { self.last - n };
        self.product.fma(self.m, n, self.k);
    }
}

macro_rules! shapes {
    ($([$($mode:ident)*] $a:ty, $b:ty; $at:ty; $place:expr; $k:ty; $($left:ident == $right:ident: $text:literal),*;)*) => {
        $(
            impl<$($mode: StaticMode,)* X, P, Q, DA, DB, DC> GemmFragments<StridedLayout<$b, DB>, StridedLayout<(X, P, Q), DC>>
                for StridedLayout<$a, DA>
            where
                Self: Addressable,
                StridedLayout<$b, DB>: Addressable,
                StridedLayout<(X, P, Q), DC>: Addressable,
                X: StaticMode,
                P: StaticMode,
                Q: StaticMode,
                $at: CoordinateIn<Self> + CoordinateIn<StridedLayout<$b, DB>>,
                (usize, usize, usize): CoordinateIn<StridedLayout<(X, P, Q), DC>>,
            {
                #[inline(always)]
                fn gemm<A, SA, SB, SC>(
                    atom: &A,
                    a: &Tensor<SA, Self>,
                    b: &Tensor<SB, StridedLayout<$b, DB>>,
                    c: &mut Tensor<SC, StridedLayout<(X, P, Q), DC>>,
                ) where
                    A: MmaAtom,
                    SA: Storage<Item = A::A>,
                    SB: Storage<Item = A::B>,
                    SC: StorageMut<Item = A::C>,
                {
                    const {
                        use crate::int::StaticInt;
                        assert!(<V::Size>::VALUE == <A::ALayout as TvLayout>::Values::VALUE, "the fragment of A has not the values of the atom");
                        assert!(<W::Size>::VALUE == <A::BLayout as TvLayout>::Values::VALUE, "the fragment of B has not the values of the atom");
                        assert!(<X::Size>::VALUE == <A::CLayout as TvLayout>::Values::VALUE, "the fragment of C has not the values of the atom");
                        $(assert!(<$left::Size>::VALUE == <$right::Size>::VALUE, $text);)*
                    }
                    let mut product = Product { atom, a, b, c, place: $place };
                    <$k>::turns_of(&mut OverK::<_, M::Size, N::Size>(&mut product, core::marker::PhantomData));
                }
            }
        )*
    };
}
shapes! {
    [V M W N] (V, M), (W, N); (usize, usize); WithoutK; crate::int::One;
    M == P: "the fragments of A and C differ in M", N == Q: "the fragments of B and C differ in N";

    [V M K W N J] (V, M, K), (W, N, J); (usize, usize, usize); WithK; K::Size;
    M == P: "the fragments of A and C differ in M", N == Q: "the fragments of B and C differ in N",
    K == J: "the fragments of A and B differ in K";
}
