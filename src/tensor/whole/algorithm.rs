//! Algorithms on tensors: predicated copies, `axpby`, and `gemm` in its five shapes.
//!
//! ```text
//! (V)     x (V)     => (V)            c[v]     += a[v] * b[v]
//! (M)     x (N)     => (M,N)          c[m,n]   += a[m] * b[n]
//! (M,K)   x (N,K)   => (M,N)          c[m,n]   += sum_k a[m,k] * b[n,k]
//! (V,M)   x (V,N)   => (V,M,N)        c[v,m,n] += a[v,m] * b[v,n]
//! (V,M,K) x (V,N,K) => (V,M,N)        c[v,m,n] += sum_k a[v,m,k] * b[v,n,k]
//! ```

use core::ops::{Add, AddAssign, Mul};

use crate::error::{Fault, LayoutError};
use crate::layout::traits::Layout;
use crate::tensor::bounds;
use crate::tensor::memory::{
    Addressable, CoordinateIn, SameShape, Storage, StorageMut, StorageOf, Tensor,
};
use crate::tensor::whole::each::same_shape;
use crate::tensor::whole::rank::{AllRanks, RankedLayout, Ranks, RanksOfThree, RejectedRank};
use crate::tuple::int_tuple::IntTuple;
use crate::tuple::profile::ComparesWith;

/// Whether every number of a coordinate is below the number of a shape at its place. CuTe's
/// `elem_less`.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::elem_less;
/// let (m, n) = (100, 60);
/// let tiles = identity((m, n)).round_up(tiler!(16, 8)).zipped_divide(tiler!(16, 8));
/// assert!(elem_less(tiles.index(((3, 5), (6, 2))), (m, n))); // element (99, 21)
/// assert!(!elem_less(tiles.index(((4, 5), (6, 2))), (m, n))); // element (100, 21)
/// ```
#[inline]
pub fn elem_less<C, S>(coordinate: C, shape: S) -> bool
where
    C: IntTuple + ComparesWith<S>,
    S: IntTuple,
{
    bounds::within(coordinate.node(), shape.node())
}

impl<S: Storage, L: Addressable> Tensor<S, L> {
    /// Sets every element to the default: zero for numbers. CuTe's `clear`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let mut t = Tensor::fixed([1, 2, 3, 4], layout!(2:2));
    /// t.clear();
    /// assert_eq!(t.into_storage(), [0, 2, 0, 4]);
    /// ```
    #[inline]
    pub fn clear(&mut self)
    where
        S: StorageMut,
        S::Item: Default,
    {
        self.for_each_mut(|_, element| *element = Default::default());
    }

    /// Copies the elements of a tensor of the same shape at the coordinates for which a predicate
    /// holds. CuTe's `copy_if`.
    ///
    /// # Errors
    /// `profile` if the shapes differ.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let source = Tensor::fixed([1, 2, 3, 4], layout!((2, 2)));
    /// let mut t = Tensor::fixed([0; 4], layout!((2, 2)));
    /// t.copy_if(&source, |(i, j)| i == j)?;
    /// assert_eq!(t.into_storage(), [1, 0, 0, 4]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn copy_if<R, M>(
        &mut self,
        source: &Tensor<R, M>,
        mut predicate: impl FnMut(L::Coordinate) -> bool,
    ) -> Result<(), LayoutError>
    where
        S: StorageMut,
        R: StorageOf<S::Item>,
        L: SameShape<M>,
        M: Addressable,
        S::Item: Clone,
    {
        same_shape("copy_from", self.layout(), source.layout())?;
        let mut elements = source.iter();
        self.for_each_mut(|coordinate, element| match elements.next() {
            Some(value) if predicate(coordinate) => *element = value.clone(),
            _ => {}
        });
        Ok(())
    }

    /// `self[c] = a * x[c] + b * self[c]`. CuTe's `axpby`.
    ///
    /// # Errors
    /// `profile` if the shapes differ.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let x = Tensor::fixed([1, 2, 3, 4], layout!((2, 2): right));
    /// let mut y = Tensor::fixed([10, 20, 30, 40], layout!((2, 2)));
    /// y.axpby(2, &x, 3)?;
    /// assert_eq!(y.into_storage(), [32, 66, 94, 128]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn axpby<R, M>(
        &mut self,
        a: S::Item,
        x: &Tensor<R, M>,
        b: S::Item,
    ) -> Result<(), LayoutError>
    where
        S: StorageMut,
        R: StorageOf<S::Item>,
        L: SameShape<M>,
        M: Addressable,
        S::Item: Copy + Mul<Output = S::Item> + Add<Output = S::Item>,
    {
        same_shape("axpby", self.layout(), x.layout())?;
        let mut elements = x.iter();
        self.for_each_mut(|_, y| {
            if let Some(x) = elements.next() {
                *y = a * *x + b * *y;
            }
        });
        Ok(())
    }

    /// Adds the product of two tensors, in one of the five shapes above. CuTe's `gemm`.
    ///
    /// # Errors
    /// `profile` if the sizes do not fit.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let a = Tensor::fixed([1, 2, 3, 4, 5, 6], layout!((2, 3): right)); // M x K
    /// let b = Tensor::fixed([1, 0, 0, 1, 1, 1], layout!((2, 3))); // N x K
    /// let mut c = Tensor::fixed([100; 4], layout!((2, 2): right));
    /// c.gemm(&a, &b)?;
    /// assert_eq!(c.into_storage(), [104, 105, 110, 111]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub fn gemm<A, B, P, Q>(
        &mut self,
        a: &Tensor<A, P>,
        b: &Tensor<B, Q>,
    ) -> Result<(), LayoutError>
    where
        S: StorageMut,
        A: Storage,
        B: Storage,
        P: Gemm<Q, L>,
        Q: Addressable,
        A::Item: Copy + Mul<B::Item>,
        B::Item: Copy,
        S::Item: AddAssign<<A::Item as Mul<B::Item>>::Output>,
    {
        if !P::fits(a.layout(), b.layout(), self.layout()) {
            return Err(
                LayoutError::new("gemm", Fault::Shapes).with_operands(a.layout(), b.layout())
            );
        }
        P::gemm(a, b, self);
        Ok(())
    }
}

/// `A: Gemm<B, C>`: the layouts of the factors `A` and `B` and of the sum `C` are those of one
/// of the five shapes of `gemm`.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::Gemm;
/// use static_assertions::{assert_impl_all, assert_not_impl_any};
/// assert_impl_all!(Layout!((2, 5)): Gemm<Layout!((3, 5)), Layout!((2, 3))>); // MK, NK, MN
/// assert_not_impl_any!(Layout!((2, 5)): Gemm<Layout!(5), Layout!(2)>); // MK, K, M is none of them
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot multiply these tensors: `gemm` takes tensors of layouts without a swizzle",
    label = "not three layouts of static rank without a swizzle",
    note = "the shapes are V,V,V; M,N,MN; MK,NK,MN; VM,VN,VMN; VMK,VNK,VMN; copy a swizzled tensor into a fragment \
            first"
)]
pub trait Gemm<B: Addressable, C: Addressable>: Addressable {
    /// Whether the sizes fit.
    #[doc(hidden)]
    fn fits(a: &Self, b: &B, c: &C) -> bool;
    /// Adds the product.
    #[doc(hidden)]
    fn gemm<SA, SB, SC>(a: &Tensor<SA, Self>, b: &Tensor<SB, B>, c: &mut Tensor<SC, C>)
    where
        SA: Storage<Item: Copy + Mul<SB::Item>>,
        SB: Storage<Item: Copy>,
        SC: StorageMut<Item: AddAssign<<SA::Item as Mul<SB::Item>>::Output>>;
}
#[doc(hidden)]
impl<A: RankedLayout, B: RankedLayout, C: RankedLayout> Gemm<B, C> for A
where
    A::Rank: RanksOfThree<B::Rank, C::Rank, Output: GemmRanks<A, B, C>>,
{
    #[inline]
    fn fits(a: &A, b: &B, c: &C) -> bool {
        AllRanks::<A, B, C>::fits(a, b, c)
    }
    #[inline]
    fn gemm<SA, SB, SC>(a: &Tensor<SA, A>, b: &Tensor<SB, B>, c: &mut Tensor<SC, C>)
    where
        SA: Storage<Item: Copy + Mul<SB::Item>>,
        SB: Storage<Item: Copy>,
        SC: StorageMut<Item: AddAssign<<SA::Item as Mul<SB::Item>>::Output>>,
    {
        AllRanks::<A, B, C>::gemm(a, b, c);
    }
}

/// [`Gemm`] of the layouts `A`, `B` and `C`; `Self` stands for their ranks.
pub trait GemmRanks<A: Addressable, B: Addressable, C: Addressable> {
    fn fits(a: &A, b: &B, c: &C) -> bool;
    fn gemm<SA, SB, SC>(a: &Tensor<SA, A>, b: &Tensor<SB, B>, c: &mut Tensor<SC, C>)
    where
        SA: Storage<Item: Copy + Mul<SB::Item>>,
        SB: Storage<Item: Copy>,
        SC: StorageMut<Item: AddAssign<<SA::Item as Mul<SB::Item>>::Output>>;
}
impl<const I: u64, const J: u64, const K: u64, A, B, C> GemmRanks<A, B, C> for Ranks<I, J, K>
where
    A: Addressable,
    B: Addressable,
    C: Addressable,
    (): GemmOfRanks<I, J, K, A, B, C>,
{
    #[inline]
    fn fits(a: &A, b: &B, c: &C) -> bool {
        <()>::fits(a, b, c)
    }
    #[inline]
    fn gemm<SA, SB, SC>(a: &Tensor<SA, A>, b: &Tensor<SB, B>, c: &mut Tensor<SC, C>)
    where
        SA: Storage<Item: Copy + Mul<SB::Item>>,
        SB: Storage<Item: Copy>,
        SC: StorageMut<Item: AddAssign<<SA::Item as Mul<SB::Item>>::Output>>,
    {
        <()>::gemm(a, b, c);
    }
}
/// A rejected operand multiplies too, so that its rejection stays the only error.
impl<A: Addressable, B: Addressable, C: Addressable> GemmRanks<A, B, C> for RejectedRank {
    fn fits(_: &A, _: &B, _: &C) -> bool {
        false
    }
    fn gemm<SA, SB, SC>(_: &Tensor<SA, A>, _: &Tensor<SB, B>, _: &mut Tensor<SC, C>)
    where
        SA: Storage<Item: Copy + Mul<SB::Item>>,
        SB: Storage<Item: Copy>,
        SC: StorageMut<Item: AddAssign<<SA::Item as Mul<SB::Item>>::Output>>,
    {
    }
}

/// [`Gemm`] of the layouts `A`, `B` and `C`, which have the ranks `I`, `J` and `K`.
#[diagnostic::on_unimplemented(
    message = "cannot multiply: `gemm` has no shape for factors of rank {I} and {J} and a sum of rank {K}",
    label = "the ranks of A, B and C are {I}, {J} and {K}",
    note = "the shapes are V,V,V; M,N,MN; MK,NK,MN; VM,VN,VMN; VMK,VNK,VMN: the ranks 1,1,1; 1,1,2; 2,2,2; 2,2,3; 3,3,3"
)]
pub trait GemmOfRanks<
    const I: u64,
    const J: u64,
    const K: u64,
    A: Addressable,
    B: Addressable,
    C: Addressable,
>
{
    fn fits(a: &A, b: &B, c: &C) -> bool;
    fn gemm<SA, SB, SC>(a: &Tensor<SA, A>, b: &Tensor<SB, B>, c: &mut Tensor<SC, C>)
    where
        SA: Storage<Item: Copy + Mul<SB::Item>>,
        SB: Storage<Item: Copy>,
        SC: StorageMut<Item: AddAssign<<SA::Item as Mul<SB::Item>>::Output>>;
}

/// One of the five shapes: the shapes of A, B and C, the sizes that have to be equal, the loops,
/// and the element of each tensor in the innermost loop.
macro_rules! ranks_of_gemm {
    ($(
        $ra:literal $rb:literal $rc:literal: [$($mode:ident: $bound:ident),*] $a:ty, $b:ty, $c:ty;
            $x:tt, $y:tt, $z:tt;
        $($left:ident == $right:ident),*;
        for $($i:ident in $extent:ident),* => $ia:expr, $ib:expr, $ic:expr; $at_a:ty, $at_b:ty, $at_c:ty;
    )*) => {
        $(
            impl<$($mode: $bound,)* A, B, C> GemmOfRanks<$ra, $rb, $rc, A, B, C> for ()
            where
                A: Addressable + Layout<Shape = $a>,
                B: Addressable + Layout<Shape = $b>,
                C: Addressable + Layout<Shape = $c>,
                $at_a: CoordinateIn<A>,
                $at_b: CoordinateIn<B>,
                $at_c: CoordinateIn<C>,
            {
                #[inline]
                fn fits(a: &A, b: &B, c: &C) -> bool {
                    let ($x, $y, $z) = (a.shape(), b.shape(), c.shape());
                    $($left.size() == $right.size())&&*
                }
                #[inline]
                #[allow(unused_variables, reason = "a shape need not name every extent")]
                fn gemm<SA, SB, SC>(a: &Tensor<SA, A>, b: &Tensor<SB, B>, c: &mut Tensor<SC, C>)
                where
                    SA: Storage<Item: Copy + Mul<SB::Item>>,
                    SB: Storage<Item: Copy>,
                    SC: StorageMut<Item: AddAssign<<SA::Item as Mul<SB::Item>>::Output>>,
                {
                    let ($x, $y, $z) = (a.shape(), b.shape(), c.shape());
                    ranks_of_gemm!(@loops ($($i in $extent)*) c[$ic] += a[$ia] * b[$ib]);
                }
            }
        )*
    };
    (@loops () $($body:tt)*) => { $($body)* };
    (@loops ($i:ident in $extent:ident $($rest:tt)*) $($body:tt)*) => {
        for $i in 0..$extent.size() {
            ranks_of_gemm!(@loops ($($rest)*) $($body)*);
        }
    };
}
ranks_of_gemm! {
    1 1 1: [V: IntTuple, W: IntTuple, X: IntTuple] V, W, X; v, w, x;
    v == w, v == x;
    for i in v => i, i, i; usize, usize, usize;

    1 1 2: [M: IntTuple, N: IntTuple, P: IntTuple, Q: IntTuple] M, N, (P, Q); m, n, (p, q);
    m == p, n == q;
    for j in n, i in m => i, j, (i, j); usize, usize, (usize, usize);

    2 2 2: [M: IntTuple, K: IntTuple, N: IntTuple, H: IntTuple, P: IntTuple, Q: IntTuple] (M, K), (N, H), (P, Q);
        (m, k), (n, h), (p, q);
    m == p, n == q, k == h;
    for l in k, j in n, i in m => (i, l), (j, l), (i, j); (usize, usize), (usize, usize), (usize, usize);

    2 2 3: [V: IntTuple, M: IntTuple, W: IntTuple, N: IntTuple, X: IntTuple, P: IntTuple, Q: IntTuple]
    (V, M), (W, N), (X, P, Q); (v, m), (w, n), (x, p, q);
    v == w, v == x, m == p, n == q;
    for j in n, i in m, e in v => (e, i), (e, j), (e, i, j); (usize, usize), (usize, usize), (usize, usize, usize);

    3 3 3: [V: IntTuple, M: IntTuple, K: IntTuple, W: IntTuple, N: IntTuple, H: IntTuple, X: IntTuple, P: IntTuple,
        Q: IntTuple]
    (V, M, K), (W, N, H), (X, P, Q); (v, m, k), (w, n, h), (x, p, q);
    v == w, v == x, m == p, n == q, k == h;
    for l in k, j in n, i in m, e in v => (e, i, l), (e, j, l), (e, i, j);
    (usize, usize, usize), (usize, usize, usize), (usize, usize, usize);
}
