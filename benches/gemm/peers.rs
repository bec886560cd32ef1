//! The five contenders, each ready to compute C = A * B for column-major matrices of one size.

use crate::product::fixed::fixed;
#[cfg(target_arch = "x86_64")]
use crate::product::vector::{Avx2, Avx512};
use crate::product::vector::{Isa, Portable};
use crate::product::{Blocking, Blocks, InstructionSet, Workspace, product};
use layout_algebra::prelude::*;

/// What a contender does once per call.
pub type Product<'x> = Box<dyn FnMut() + 'x>;

/// The names, ours first, in the order of [`Contestant::contenders`].
pub const NAMES: [&str; 5] = ["layout-algebra", "matrixmultiply", "gemm", "faer", "nano-gemm"];

/// The sizes that `layout-algebra` has as static layouts; nano-gemm is beside these.
pub const FIXED: [usize; 10] = [4, 5, 8, 13, 16, 24, 31, 32, 48, 64];

/// The operands.
pub struct Operands<'x, E> {
    pub blocking: Blocking,
    pub size: [usize; 3],
    pub a: &'x [E],
    pub b: &'x [E],
}

/// An element that all contenders have a product for.
pub trait Contestant: Blocks {
    const NAME: &'static str;
    /// Of the size of the numbers' rounding errors.
    const EPSILON: f64;
    fn of(x: f64) -> Self;
    fn to(self) -> f64;
    /// One product for each name, each with its own C; `None` where there is none of this size.
    fn contenders<'x>(
        set: InstructionSet,
        operands: Operands<'x, Self>,
        c: &'x mut [Vec<Self>; NAMES.len()],
        workspace: &'x mut Workspace<Self>,
    ) -> [Option<Product<'x>>; NAMES.len()];
}

/// Ours for a size known at compile time.
macro_rules! fixed_sizes {
    ($n:expr, $set:expr, $a:expr, $b:expr, $c:expr, [$($size:literal)*]) => {
        match $n {
            $($size => {
                let (a, b, c) = ($a, $b, $c);
                // C and A column-major, and B as (n, k).
                let l = (layout!(($size, $size)), layout!(($size, $size): right), layout!(($size, $size)));
                match $set {
                    #[cfg(target_arch = "x86_64")]
                    InstructionSet::Avx512 => {
                        let isa = Avx512::detect().expect("asked before");
                        Box::new(move || fixed(isa, (a, l.0), (b, l.1), (&mut *c, l.2))) as Product<'_>
                    }
                    #[cfg(target_arch = "x86_64")]
                    InstructionSet::Avx2 => {
                        let isa = Avx2::detect().expect("asked before");
                        Box::new(move || fixed(isa, (a, l.0), (b, l.1), (&mut *c, l.2)))
                    }
                    _ => Box::new(move || fixed(Portable, (a, l.0), (b, l.1), (&mut *c, l.2))),
                }
            })*
            n => unreachable!("{n} is not among the fixed sizes"),
        }
    };
}

macro_rules! contestant {
    ($element:ident, $matrixmultiply:ident, $nano:ident) => {
        impl Contestant for $element {
            const NAME: &'static str = stringify!($element);
            const EPSILON: f64 = $element::EPSILON as f64;
            fn of(x: f64) -> Self {
                x as Self
            }
            fn to(self) -> f64 {
                self as f64
            }
            fn contenders<'x>(
                set: InstructionSet,
                operands: Operands<'x, Self>,
                c: &'x mut [Vec<Self>; NAMES.len()],
                workspace: &'x mut Workspace<Self>,
            ) -> [Option<Product<'x>>; NAMES.len()] {
                let Operands { blocking, size: [m, n, k], a, b } = operands;
                assert!(a.len() == m * k && b.len() == k * n && c.iter().all(|c| c.len() == m * n));
                let small = m == n && n == k && FIXED.contains(&n);
                let (im, ik) = (m as isize, k as isize);
                let [ours, mm, ge, fa, na] = c;
                let ours: Product<'x> = if small {
                    fixed_sizes!(n, set, a, b, &mut ours[..], [4 5 8 13 16 24 31 32 48 64])
                } else {
                    let one = 1;
                    let (la, lb, lc) = (layout!((m, k):(one, m)), layout!((k, n):(one, k)), layout!((m, n):(one, m)));
                    Box::new(move || product(set, blocking, workspace, (a, la), (b, lb), (&mut ours[..], lc)))
                };
                let matrixmultiply: Product<'x> = Box::new(move || {
                    // SAFETY: A has m * k elements, B k * n, and C m * n, all column-major.
                    unsafe {
                        matrixmultiply::$matrixmultiply(
                            m, k, n, 1.0, a.as_ptr(), 1, im, b.as_ptr(), 1, ik, 0.0, mm.as_mut_ptr(), 1, im,
                        );
                    }
                });
                let gemm: Product<'x> = Box::new(move || {
                    // SAFETY: as above.
                    unsafe {
                        gemm::gemm(
                            m, n, k, ge.as_mut_ptr(), im, 1, false, a.as_ptr(), im, 1, b.as_ptr(), ik, 1, 0.0, 1.0,
                            false, false, false, gemm::Parallelism::None,
                        );
                    }
                });
                let faer: Product<'x> = Box::new(move || {
                    let a = faer::MatRef::from_column_major_slice(a, m, k);
                    let b = faer::MatRef::from_column_major_slice(b, k, n);
                    let c = faer::MatMut::from_column_major_slice_mut(&mut fa[..], m, n);
                    faer::linalg::matmul::matmul(c, faer::Accum::Replace, a, b, 1.0, faer::Par::Seq);
                });
                let nano_gemm = small.then(|| {
                    let plan = nano_gemm::Plan::$nano(m, n, k);
                    Box::new(move || {
                        // SAFETY: as above, and the plan is that of this size.
                        unsafe {
                            plan.execute_unchecked(
                                m, n, k, na.as_mut_ptr(), 1, im, a.as_ptr(), 1, im, b.as_ptr(), 1, ik, 0.0, 1.0, false,
                                false,
                            );
                        }
                    }) as Product<'x>
                });
                [Some(ours), Some(matrixmultiply), Some(gemm), Some(faer), nano_gemm]
            }
        }
    };
}
contestant!(f32, sgemm, new_colmajor_lhs_and_dst_f32);
contestant!(f64, dgemm, new_colmajor_lhs_and_dst_f64);

/// The largest difference relative to the largest element; infinite where there is something that
/// is not a number.
pub fn relative_error<E: Contestant>(found: &[E], expected: &[E]) -> f64 {
    let largest = |values: &mut dyn Iterator<Item = f64>| {
        values.map(|x| if x.is_nan() { f64::INFINITY } else { x.abs() }).fold(0.0, f64::max)
    };
    let difference = largest(&mut found.iter().zip(expected).map(|(x, y)| x.to() - y.to()));
    if difference == 0.0 { 0.0 } else { difference / largest(&mut expected.iter().map(|x| x.to())) }
}

/// Numbers between -0.5 and 0.5, the same in every run.
pub fn random<E: Contestant>(length: usize, seed: u64) -> Vec<E> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64 ^ seed;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        E::of((state >> 40) as f64 / (1 << 24) as f64 - 0.5)
    };
    (0..length).map(|_| next()).collect()
}
