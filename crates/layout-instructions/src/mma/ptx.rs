//! The instructions on nvptx64.

use core::mem::transmute_copy;

use generic_array::sequence::GenericSequence;
use generic_array::{ArrayLength, GenericArray};
use layout_algebra::atom::{MmaAtom, TvLayout, Values};
use num_complex::Complex;

use crate::element::GaussComplex;

/// Reinterprets values as registers, or registers as values: both are arrays of numbers.
#[inline]
pub fn as_registers<V, R>(values: V) -> R {
    const {
        assert!(
            size_of::<V>() == size_of::<R>(),
            "the registers of the row do not match its layouts"
        )
    }
    // SAFETY: both are arrays of numbers, values of atoms and registers, of one size, and every bit
    // pattern is a valid number.
    unsafe { transmute_copy(&values) }
}

/// An instruction on the numbers `a`, `b` and `c` of values: `"text" D A B` with the numbers of
/// 32-bit registers, `x 64` of 64-bit registers.
macro_rules! ptx {
    ($a:ident $b:ident $c:ident; complex $real:ident) => {
        $crate::mma::ptx::multiply_complex($real, $a, $b, $c)
    };
    ($a:ident $b:ident $c:ident; gauss $real:ident) => {
        $crate::mma::ptx::multiply_gauss($real, $a, $b, $c)
    };
    ($a:ident $b:ident $c:ident; dp4a) => {{
        let ([a], [b], [c]): ([u32; 1], [u32; 1], [u32; 1]) =
            ($crate::mma::ptx::as_registers(*$a), $crate::mma::ptx::as_registers(*$b),
                $crate::mma::ptx::as_registers($c));
        let d: u32;
        // SAFETY: the instruction reads and writes registers only.
        unsafe {
            ::core::arch::asm!("dp4a.s32.s32 {}, {}, {}, {};", lateout(reg32) d, in(reg32) a,
                in(reg32) b, in(reg32) c,
                options(pure, nomem, nostack));
        }
        $crate::mma::ptx::as_registers([d])
    }};
    // `dp2a` multiplies 16 bits by 8: the low bytes of B as unsigned numbers, and 256 times the
    // high bytes as signed numbers.
    ($a:ident $b:ident $c:ident; dp2a) => {{
        let ([a], [b], [c]): ([u32; 1], [u32; 1], [u32; 1]) =
            ($crate::mma::ptx::as_registers(*$a), $crate::mma::ptx::as_registers(*$b),
                $crate::mma::ptx::as_registers($c));
        let (d, high, bytes): (u32, u32, u32);
        // SAFETY: the instruction reads and writes registers only.
        unsafe {
            ::core::arch::asm!("prmt.b32 {}, {}, 0, 0x3120;", lateout(reg32) bytes, in(reg32) b,
                options(pure, nomem, nostack));
            ::core::arch::asm!("dp2a.hi.s32.s32 {}, {}, {}, 0;", lateout(reg32) high, in(reg32) a,
                in(reg32) bytes,
                options(pure, nomem, nostack));
            ::core::arch::asm!("dp2a.lo.s32.u32 {}, {}, {}, {};", lateout(reg32) d, in(reg32) a,
                in(reg32) bytes,
                in(reg32) c.wrapping_add(high << 8), options(pure, nomem, nostack));
        }
        $crate::mma::ptx::as_registers([d])
    }};
    ($a:ident $b:ident $c:ident; $text:literal 2 1 1) => {
        ptx! { @ $a $b $c $text " {{{}, {}}}, {{{}}}, {{{}}}, {{{}, {}}};" u32 reg32 [0 1] [0] [0] }
    };
    ($a:ident $b:ident $c:ident; $text:literal 2 1 1 x 64) => {
        ptx! { @ $a $b $c $text " {{{}, {}}}, {{{}}}, {{{}}}, {{{}, {}}};" u64 reg64 [0 1] [0] [0] }
    };
    ($a:ident $b:ident $c:ident; $text:literal 2 2 1) => {
        ptx! { @ $a $b $c $text
            " {{{}, {}}}, {{{}, {}}}, {{{}}}, {{{}, {}}};" u32 reg32 [0 1] [0 1] [0] }
    };
    ($a:ident $b:ident $c:ident; $text:literal 2 4 2) => {
        ptx! { @ $a $b $c $text " {{{}, {}}}, {{{}, {}, {}, {}}}, {{{}, {}}}, {{{}, {}}};" u32 reg32
            [0 1] [0 1 2 3] [0 1] }
    };
    ($a:ident $b:ident $c:ident; $text:literal 4 2 1) => {
        ptx! { @ $a $b $c $text
            " {{{}, {}, {}, {}}}, {{{}, {}}}, {{{}}}, {{{}, {}, {}, {}}};" u32 reg32
            [0 1 2 3] [0 1] [0] }
    };
    ($a:ident $b:ident $c:ident; $text:literal 4 2 1 x 64) => {
        ptx! { @ $a $b $c $text
            " {{{}, {}, {}, {}}}, {{{}, {}}}, {{{}}}, {{{}, {}, {}, {}}};" u64 reg64
            [0 1 2 3] [0 1] [0] }
    };
    ($a:ident $b:ident $c:ident; $text:literal 4 2 2) => {
        ptx! { @ $a $b $c $text
            " {{{}, {}, {}, {}}}, {{{}, {}}}, {{{}, {}}}, {{{}, {}, {}, {}}};" u32 reg32
            [0 1 2 3] [0 1] [0 1] }
    };
    ($a:ident $b:ident $c:ident; $text:literal 4 4 2) => {
        ptx! { @ $a $b $c $text
            " {{{}, {}, {}, {}}}, {{{}, {}, {}, {}}}, {{{}, {}}}, {{{}, {}, {}, {}}};" u32 reg32
            [0 1 2 3] [0 1 2 3] [0 1] }
    };
    ($a:ident $b:ident $c:ident; $text:literal 4 4 2 x 64) => {
        ptx! { @ $a $b $c $text
            " {{{}, {}, {}, {}}}, {{{}, {}, {}, {}}}, {{{}, {}}}, {{{}, {}, {}, {}}};" u64 reg64
            [0 1 2 3] [0 1 2 3] [0 1] }
    };
    ($a:ident $b:ident $c:ident; $text:literal 4 8 4 x 64) => {
        ptx! { @ $a $b $c $text
            " {{{}, {}, {}, {}}}, {{{}, {}, {}, {}, {}, {}, {}, {}}}, {{{}, {}, {}, {}}}, {{{}, {}, {}, {}}};" u64 reg64
            [0 1 2 3] [0 1 2 3 4 5 6 7] [0 1 2 3] }
    };
    ($a:ident $b:ident $c:ident; $text:literal 8 2 2) => {
        ptx! { @ $a $b $c $text
            " {{{}, {}, {}, {}, {}, {}, {}, {}}}, {{{}, {}}}, {{{}, {}}}, {{{}, {}, {}, {}, {}, {}, {}, {}}};" u32 reg32
            [0 1 2 3 4 5 6 7] [0 1] [0 1] }
    };
    (@ $a:ident $b:ident $c:ident $text:literal $operands:literal $word:ident $class:ident
        [$($di:literal)*] [$($ai:literal)*] [$($bi:literal)*]) => {{
        let a: [$word; [$($ai),*].len()] = $crate::mma::ptx::as_registers(*$a);
        let b: [$word; [$($bi),*].len()] = $crate::mma::ptx::as_registers(*$b);
        let c: [$word; [$($di),*].len()] = $crate::mma::ptx::as_registers($c);
        let mut d = c;
        // SAFETY: the instruction reads and writes registers only; an atom requires that the
        // threads of the warp execute it together, and nothing in memory depends on it.
        unsafe {
            ::core::arch::asm!(concat!("mma.sync.aligned.", $text, $operands),
                $(lateout($class) d[$di],)* $(in($class) a[$ai],)* $(in($class) b[$bi],)* $(in($class) c[$di],)*
                options(nomem, nostack));
        }
        $crate::mma::ptx::as_registers(d)
    }};
}

/// One number of each value.
#[inline]
fn part_of_values<T: Copy, N: ArrayLength>(
    values: &GenericArray<T, N>,
    part: impl Fn(T) -> f64,
) -> GenericArray<f64, N> {
    GenericArray::generate(|i| part(values[i]))
}

type ValuesOf<L> = <L as TvLayout>::Values;

/// The complex product by four products of real and imaginary parts.
#[inline]
pub(crate) fn multiply_complex<R: MmaAtom<A = f64, B = f64, C = f64>>(
    real: R,
    a: &GenericArray<Complex<f64>, ValuesOf<R::ALayout>>,
    b: &GenericArray<Complex<f64>, ValuesOf<R::BLayout>>,
    c: GenericArray<Complex<f64>, ValuesOf<R::CLayout>>,
) -> GenericArray<Complex<f64>, ValuesOf<R::CLayout>> {
    let (b_re, b_im): (Values<f64, R::BLayout>, Values<f64, R::BLayout>) =
        (part_of_values(b, |x| x.re), part_of_values(b, |x| x.im));
    let re = real.fma(&part_of_values(a, |x| x.re), &b_re, part_of_values(&c, |x| x.re));
    let im = real.fma(&part_of_values(a, |x| x.im), &b_re, part_of_values(&c, |x| x.im));
    let re = real.fma(&part_of_values(a, |x| -x.im), &b_im, re);
    let im = real.fma(&part_of_values(a, |x| x.re), &b_im, im);
    GenericArray::generate(|i| Complex::new(re[i], im[i]))
}

/// The complex product by three products of parts and sums of parts.
#[inline]
pub(crate) fn multiply_gauss<R: MmaAtom<A = f64, B = f64, C = f64>>(
    real: R,
    a: &GenericArray<Complex<f64>, ValuesOf<R::ALayout>>,
    b: &GenericArray<Complex<f64>, ValuesOf<R::BLayout>>,
    c: GenericArray<GaussComplex, ValuesOf<R::CLayout>>,
) -> GenericArray<GaussComplex, ValuesOf<R::CLayout>> {
    let t0 = real.fma(
        &part_of_values(a, |x| x.re),
        &part_of_values(b, |x| x.re),
        part_of_values(&c, |x| x.0[0]),
    );
    let t1 = real.fma(
        &part_of_values(a, |x| x.im),
        &part_of_values(b, |x| x.im),
        part_of_values(&c, |x| x.0[1]),
    );
    let t2 = real.fma(
        &part_of_values(a, |x| x.re + x.im),
        &part_of_values(b, |x| x.re + x.im),
        part_of_values(&c, |x| x.0[2]),
    );
    GenericArray::generate(|i| GaussComplex([t0[i], t1[i], t2[i]]))
}
