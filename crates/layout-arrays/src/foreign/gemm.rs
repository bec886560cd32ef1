//! `gemm`: the product of matrices of any strides.
//!
//! ```text
//! C(i, j) = sum of A(i, p) * B(p, j) over p, plus the old C(i, j) if `add`
//! ```

use core::ops::{Add, Mul};

use bytemuck::Pod;
use num_complex::Complex;

/// The elements of a [`Contraction`](crate::Contraction): `f32`, `f64`, and complex numbers of
/// both, by the crates `gemm` and `num-complex`.
///
/// # Safety
/// The function `gemm` of the crate `gemm` supports this type.
///
/// ```
/// use layout_arrays::foreign::ContractionElement;
/// static_assertions::assert_impl_all!(f32: ContractionElement);
/// static_assertions::assert_impl_all!(num_complex::Complex64: ContractionElement);
/// static_assertions::assert_not_impl_any!(i32: ContractionElement);
/// ```
#[diagnostic::on_unimplemented(
    message = "contractions have no products of these elements",
    label = "`{Self}`: neither `f32` nor `f64` nor a complex number of one of them"
)]
pub unsafe trait ContractionElement: Pod + Add<Output = Self> + Mul<Output = Self> {
    /// The number 1.
    #[doc(hidden)]
    const ONE: Self;
    /// Whether `add_product` is a fused multiply-add, if the processor has one.
    #[doc(hidden)]
    const IS_FUSED: bool;
    /// `self + x * y`
    #[doc(hidden)]
    fn add_product(self, x: Self, y: Self) -> Self;
}
macro_rules! elements {
    ($(
        $element:ty = $one:expr, $is_fused:literal,
        |$sum:ident, $x:ident, $y:ident| $next:expr;
    )*) => {$(
        // SAFETY: `gemm` lists this type.
        unsafe impl ContractionElement for $element {
            const ONE: Self = $one;
            const IS_FUSED: bool = $is_fused;
            #[inline(always)]
            fn add_product(self, $x: Self, $y: Self) -> Self {
                let $sum = self;
                $next
            }
        }
    )*};
}
elements! {
    f32 = 1.0, true, |sum, x, y| x.mul_add(y, sum);
    f64 = 1.0, true, |sum, x, y| x.mul_add(y, sum);
    Complex<f32> = Complex::new(1.0, 0.0), false, |sum, x, y| sum + x * y;
    Complex<f64> = Complex::new(1.0, 0.0), false, |sum, x, y| sum + x * y;
}

/// A matrix in a slice: the index of its first element, and the strides of rows and columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) first: usize,
    pub(crate) by: [isize; 2],
}

impl Place {
    /// Do all elements of a non-empty matrix of this shape lie in a slice of `len` elements?
    fn lies_within(self, shape: [usize; 2], len: usize) -> bool {
        let (mut least, mut last) = (self.first as i128, self.first as i128);
        for (extent, by) in shape.into_iter().zip(self.by) {
            let reach = (extent as i128 - 1) * by as i128;
            (least, last) = (least + reach.min(0), last + reach.max(0));
        }
        0 <= least && last < len as i128
    }
}

/// C = A * B, or C + A * B, for matrices of (m, k), (k, n) and (m, n) on one thread.
///
/// # Panics
/// If a matrix is empty, or not within its slice.
pub(crate) fn multiply<T: ContractionElement>(
    [m, k, n]: [usize; 3],
    (a, of_a): (&[T], Place),
    (b, of_b): (&[T], Place),
    (c, of_c): (&mut [T], Place),
    add: bool,
) {
    let within = of_a.lies_within([m, k], a.len())
        && of_b.lies_within([k, n], b.len())
        && of_c.lies_within([m, n], c.len());
    assert!(m.min(k).min(n) > 0 && within, "a matrix is empty or leaves its slice");
    // SAFETY: the assertion has checked that all elements of the three matrices lie within the
    // slices. A and B are read, C is borrowed mutably. `gemm` supports the type `T`.
    unsafe {
        gemm::gemm(
            m,
            n,
            k,
            c.as_mut_ptr().add(of_c.first),
            of_c.by[1],
            of_c.by[0],
            add,
            a.as_ptr().add(of_a.first),
            of_a.by[1],
            of_a.by[0],
            b.as_ptr().add(of_b.first),
            of_b.by[1],
            of_b.by[0],
            T::ONE,
            T::ONE,
            false,
            false,
            false,
            gemm::Parallelism::None,
        );
    }
}

/// Products of elements, written with non-temporal stores, so that the result is not read first.
#[cfg(target_arch = "x86_64")]
pub(crate) fn stream_products<T: ContractionElement>(a: &[T], b: &[T], c: &mut [T]) {
    use core::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_sfence, _mm_stream_si128};
    const ELEMENTS: usize = 64;

    let each = |a: &[T], b: &[T], c: &mut [T]| {
        c.iter_mut().zip(a.iter().zip(b)).for_each(|(c, (&a, &b))| *c = a * b);
    };
    let ahead = c.as_ptr().align_offset(align_of::<__m128i>()).min(c.len());
    let (first, c) = c.split_at_mut(ahead);
    let (first_of_a, a) = a.split_at(ahead);
    let (first_of_b, b) = b.split_at(ahead);
    each(first_of_a, first_of_b, first);
    let (mut a, mut b, mut c) =
        (a.chunks_exact(ELEMENTS), b.chunks_exact(ELEMENTS), c.chunks_exact_mut(ELEMENTS));
    let mut products = [T::zeroed(); ELEMENTS];
    for ((a, b), c) in a.by_ref().zip(b.by_ref()).zip(c.by_ref()) {
        each(a, b, &mut products);
        let from = products.as_ptr().cast::<__m128i>();
        let to = c.as_mut_ptr().cast::<__m128i>();
        for k in 0..size_of_val(c) / size_of::<__m128i>() {
            // SAFETY: both have the same number of bytes, and `to` is aligned: `ahead` elements
            // before it were split off, and chunks are multiples of a register. Every x86-64 has
            // the instruction.
            unsafe { _mm_stream_si128(to.add(k), _mm_loadu_si128(from.add(k))) };
        }
    }
    each(a.remainder(), b.remainder(), c.into_remainder());
    // SAFETY: every x86-64 has the instruction, which orders these stores before later ones.
    unsafe { _mm_sfence() };
}
