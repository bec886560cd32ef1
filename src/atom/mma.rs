//! One multiply-add instruction.
//!
//! ```text
//! D = A * B + C
//!     A: M x K, B: N x K, C and D: M x N, dealt to the instruction's threads by thread-value layouts
//! ```

use core::any::type_name;
use core::fmt::{self, Debug, Formatter};
use core::marker::PhantomData;
use core::ops::{Add, Mul};

use generic_array::{ArrayLength, GenericArray};

use crate::layout::strided::StridedLayout;
use crate::layout::traits::StaticLayout;
use crate::list::Nested;
use crate::number::int::{One, Zero};
use crate::number::unroll::Unroll;
use crate::pad::pad;
use crate::tuple::profile::SizeOf;

/// A static thread-value layout: `(thread, value) -> number of an element`.
///
/// ```
/// use layout_algebra::atom::TvLayout;
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// type Tv = Layout!((4, (2, 2)):(1, (4, 8)));
/// assert_type_eq_all!(<Tv as TvLayout>::Threads, Int<4>);
/// assert_type_eq_all!(<Tv as TvLayout>::Values, Int<4>); // 2 x 2 of each thread
/// ```
#[diagnostic::on_unimplemented(
    message = "this is not a thread-value layout",
    label = "a static layout of rank 2 is needed: (threads, values)",
    note = "`layout!((4, 2):(2, 1))` gives two values to each of four threads"
)]
pub trait TvLayout: StaticLayout {
    /// The number of threads.
    type Threads: Unroll;
    /// The number of values of each thread.
    type Values: Unroll + ArrayLength;
}
impl<T, V, D, N, M> TvLayout for StridedLayout<(T, V), D>
where
    Self: StaticLayout,
    T: Nested<Node: SizeOf<Output = N>>,
    V: Nested<Node: SizeOf<Output = M>>,
    N: Unroll,
    M: Unroll + ArrayLength,
{
    type Threads = N;
    type Values = M;
}

/// The values of an operand that one thread holds for one atom.
///
/// ```
/// use layout_algebra::atom::Values;
/// use layout_algebra::prelude::*;
/// let values: Values<f32, Layout!((4, (2, 3)):(1, (4, 8)))> = Default::default();
/// assert_eq!(values.len(), 6);
/// ```
pub type Values<T, L> = GenericArray<T, <L as TvLayout>::Values>;

/// One multiply-add instruction: its shape, which thread holds which elements, and what it does.
/// CuTe's `MMA_Atom` with `MMA_Traits`. The guide makes one step by step: [Write your own
/// atom](crate::guide::write_your_own_atom).
///
/// `d = a * b + c`
///
/// The layouts map `(thread, value)` to the number of an element, column-major in `(M, K)`,
/// `(N, K)` and `(M, N)`.
///
/// ```
/// use generic_array::GenericArray;
/// use layout_algebra::atom::{MmaAtom, gemm, make_tiled_mma};
/// use layout_algebra::prelude::*;
/// /// One thread multiplies 2 x 2 elements at a time.
/// #[derive(Clone, Copy, Debug, Default)]
/// struct Outer;
/// impl MmaAtom for Outer {
///     type ShapeMnk = (Int<2>, Int<2>, Int<1>);
///     type ThrId = Layout!(1:0);
///     type ALayout = Layout!((1, 2):(0, 1));
///     type BLayout = Layout!((1, 2):(0, 1));
///     type CLayout = Layout!((1, 4):(0, 1));
///     type A = i32;
///     type B = i32;
///     type C = i32;
///     fn fma(
///         &self,
///         a: &GenericArray<i32, Int<2>>,
///         b: &GenericArray<i32, Int<2>>,
///         mut c: GenericArray<i32, Int<4>>,
///     ) -> GenericArray<i32, Int<4>> {
///         for i in 0..4 {
///             c[i] += a[i % 2] * b[i / 2];
///         }
///         c
///     }
/// }
/// let mma = make_tiled_mma(Outer, layout!((1, 1, 1)), tiler!(_, _, _));
/// let (a, b) =
///     (Tensor::fixed([1, 2, 3, 4], layout!((4, 1))), Tensor::fixed([1, 10], layout!((2, 1))));
/// let mut c = Tensor::fixed([0; 8], layout!((4, 2)));
/// let thread = mma.get_slice(0).unwrap();
/// gemm(
///     &mma,
///     &thread.partition_a(&a)?,
///     &thread.partition_b(&b)?,
///     &mut thread.partition_c_mut(&mut c)?,
/// );
/// assert_eq!(c.into_storage(), [1, 2, 3, 4, 10, 20, 30, 40]);
/// # Ok::<(), LayoutError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "this is not a multiply-add atom",
    label = "`{Self}`: does not say whose elements are multiplied",
    note = "`UniversalFma<T>` multiplies and adds one element; an instruction of a machine is one impl of `MmaAtom`"
)]
pub trait MmaAtom: Copy + Debug {
    /// `(M, N, K)`, static numbers.
    type ShapeMnk;
    /// The threads that take part, as a layout: number in the atom -> number in the block.
    type ThrId: StaticLayout;
    /// `(thread, value) -> m + M * k`
    type ALayout: TvLayout;
    /// `(thread, value) -> n + N * k`
    type BLayout: TvLayout;
    /// `(thread, value) -> m + M * n`
    type CLayout: TvLayout;
    /// An element of A.
    type A: Copy + Default;
    /// An element of B.
    type B: Copy + Default;
    /// An element of C and D.
    type C: Copy + Default;
    /// What one thread does: its values of D, from its values of A, B and C.
    fn fma(
        &self,
        a: &Values<Self::A, Self::ALayout>,
        b: &Values<Self::B, Self::BLayout>,
        c: Values<Self::C, Self::CLayout>,
    ) -> Values<Self::C, Self::CLayout>;
}

/// One thread, one element: `c + a * b` for any element types. CuTe's `UniversalFMA`.
///
/// ```
/// use layout_algebra::atom::{MmaAtom, UniversalFma};
/// let atom = UniversalFma::<f32>::new();
/// let d = atom.fma(&[2.0].into(), &[3.0].into(), [0.5].into());
/// assert_eq!(d[0], 6.5);
/// ```
pub struct UniversalFma<C, A = C, B = A>(PhantomData<(C, A, B)>);
impl<C, A, B> UniversalFma<C, A, B> {
    /// The atom.
    ///
    /// ```
    /// use layout_algebra::atom::{MmaAtom, UniversalFma};
    /// let d = UniversalFma::<i32>::new().fma(&[2].into(), &[3].into(), [1].into());
    /// assert_eq!(d[0], 7);
    /// ```
    #[inline]
    pub const fn new() -> Self {
        UniversalFma(PhantomData)
    }
}
/// The type as it is written: `UniversalFma<f32, f32, f32>`.
impl<C, A, B> Debug for UniversalFma<C, A, B> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        pad(f, &|f| {
            write!(
                f,
                "UniversalFma<{}, {}, {}>",
                type_name::<C>(),
                type_name::<A>(),
                type_name::<B>()
            )
        })
    }
}
impl<C, A, B> Clone for UniversalFma<C, A, B> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<C, A, B> Copy for UniversalFma<C, A, B> {}
impl<C, A, B> Default for UniversalFma<C, A, B> {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}

/// One thread with one value.
type OneThreadOneValue = StridedLayout<(One, One), (Zero, Zero)>;

impl<C, A, B> MmaAtom for UniversalFma<C, A, B>
where
    A: Copy + Default + Debug + Mul<B>,
    B: Copy + Default + Debug,
    C: Copy + Default + Debug + Add<A::Output, Output = C>,
{
    type ShapeMnk = (One, One, One);
    type ThrId = StridedLayout<One, Zero>;
    type ALayout = OneThreadOneValue;
    type BLayout = OneThreadOneValue;
    type CLayout = OneThreadOneValue;
    type A = A;
    type B = B;
    type C = C;
    #[inline]
    fn fma(
        &self,
        a: &GenericArray<A, One>,
        b: &GenericArray<B, One>,
        c: GenericArray<C, One>,
    ) -> GenericArray<C, One> {
        let ([a], [b], [c]) = (a.as_ref(), b.as_ref(), c.as_ref());
        GenericArray::from([*c + *a * *b])
    }
}
