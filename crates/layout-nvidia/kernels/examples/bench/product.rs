//! Products: what cuBLAS makes of them, and what they are in float64.

use std::ffi::{c_int, c_void};

use cudarc::cublas::sys::{cublasComputeType_t, cublasGemmAlgo_t, cublasOperation_t, cudaDataType};
use cudarc::cublas::{CudaBlas, result};
use cudarc::driver::{CudaSlice, DevicePtr, DevicePtrMut, DeviceRepr};
use half::{bf16, f16};
use layout_nvidia::element::{E4m3, E5m2};

use super::{Bench, Outcome};

/// An element that cuBLAS knows.
pub trait Element: DeviceRepr + Copy + Send + Sync {
    const TYPE: cudaDataType;
    fn of(x: f32) -> Self;
    fn exact(self) -> f64;
}
macro_rules! elements {
    ($($element:ty: $name:ident, $of:expr;)*) => {$(
        impl Element for $element {
            const TYPE: cudaDataType = cudaDataType::$name;
            fn of(x: f32) -> Self {
                $of(x)
            }
            fn exact(self) -> f64 {
                self.into()
            }
        }
    )*};
}
elements! {
    f64: CUDA_R_64F, f64::from;
    f32: CUDA_R_32F, std::convert::identity;
    f16: CUDA_R_16F, f16::from_f32;
    bf16: CUDA_R_16BF, bf16::from_f32;
    E4m3: CUDA_R_8F_E4M3, E4m3::new;
    E5m2: CUDA_R_8F_E5M2, E5m2::new;
}

/// Rows, columns and depth of products in models: a projection and both halves of an MLP of 4096
/// and 8192 wide, few rows, and a short depth.
pub const MODELS: [(usize, usize, usize); 5] = [
    (8192, 6144, 4096),
    (8192, 28672, 4096),
    (8192, 4096, 14336),
    (512, 8192, 8192),
    (16384, 4096, 512),
];
/// Others, which no kernel was made for: odd rows, a short depth, and few tiles of a long depth.
/// (One row is a group of one: `grouped_few`.)
pub const UNTUNED: [(usize, usize, usize); 3] =
    [(4001, 4016, 4112), (8192, 8192, 64), (1000, 1520, 8208)];

/// How an operand lies in memory: its M or N mode first, or its K mode.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum OperandMajor {
    MnMajor,
    KMajor,
}

/// `C = A B`: `m` x `n`, sums over `k`.
#[derive(Clone, Copy)]
pub struct Product {
    pub m: usize,
    pub n: usize,
    pub k: usize,
    pub a: OperandMajor,
    pub b: OperandMajor,
}
impl Product {
    pub fn flops(&self) -> usize {
        2 * self.m * self.n * self.k
    }
    pub fn shape(&self) -> String {
        format!("{} x {} x {}", self.m, self.n, self.k)
    }
    /// In float64 on the host, column-major.
    pub fn exact<T: Element>(&self, a: &[T], b: &[T]) -> Vec<f64> {
        let at = |lies, rows, row, k| {
            if lies == OperandMajor::MnMajor { row + rows * k } else { row * self.k + k }
        };
        // Rows of A and columns of B side by side along K.
        let straight = |x: &[T], lies, rows| -> Vec<f64> {
            (0..rows)
                .flat_map(|row| (0..self.k).map(move |k| at(lies, rows, row, k)))
                .map(|i| x[i].exact())
                .collect()
        };
        let (a, b) = (straight(a, self.a, self.m), straight(b, self.b, self.n));
        let mut c = vec![0.0; self.m * self.n];
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            let columns = self.n.div_ceil(threads);
            for (part, c) in c.chunks_mut(columns * self.m).enumerate() {
                let (a, b) = (&a, &b);
                scope.spawn(move || {
                    for (i, c) in c.iter_mut().enumerate() {
                        let (row, column) = (i % self.m, part * columns + i / self.m);
                        let (a, b) =
                            (&a[row * self.k..][..self.k], &b[column * self.k..][..self.k]);
                        *c = a.iter().zip(b).map(|(x, y)| x * y).sum();
                    }
                });
            }
        });
        c
    }
    /// By cuBLAS, column-major; sums in the type of C.
    pub fn cublas<T: Element, C: Element>(
        &self,
        bench: &Bench,
        blas: &CudaBlas,
        a: &CudaSlice<T>,
        b: &CudaSlice<T>,
        c: &mut CudaSlice<C>,
    ) -> Outcome {
        let number = |n: usize| c_int::try_from(n);
        let (m, n, k) = (number(self.m)?, number(self.n)?, number(self.k)?);
        use cublasOperation_t::{CUBLAS_OP_N as Straight, CUBLAS_OP_T as Turned};
        let (op_a, lda) = if self.a == OperandMajor::MnMajor { (Straight, m) } else { (Turned, k) };
        let (op_b, ldb) = if self.b == OperandMajor::MnMajor { (Turned, n) } else { (Straight, k) };
        let ((a, _a), (b, _b), (c, _c)) = (
            a.device_ptr(&bench.stream),
            b.device_ptr(&bench.stream),
            c.device_ptr_mut(&bench.stream),
        );
        let wide = size_of::<C>() == 8;
        let compute = if wide {
            cublasComputeType_t::CUBLAS_COMPUTE_64F
        } else {
            cublasComputeType_t::CUBLAS_COMPUTE_32F
        };
        let (one, zero) = ((1.0_f32, 1.0_f64), (0.0_f32, 0.0_f64));
        let scalar = |(narrow, wider): &(f32, f64)| -> *const c_void {
            if wide { std::ptr::from_ref(wider).cast() } else { std::ptr::from_ref(narrow).cast() }
        };
        // SAFETY: the operands have the sizes that they were made with, on the stream of the
        // handle; the scalars are of the type that the sums are computed in.
        unsafe {
            result::gemm_ex(
                *blas.handle(),
                op_a,
                op_b,
                m,
                n,
                k,
                scalar(&one),
                a as *const c_void,
                T::TYPE,
                lda,
                b as *const c_void,
                T::TYPE,
                ldb,
                scalar(&zero),
                c as *mut c_void,
                C::TYPE,
                m,
                compute,
                cublasGemmAlgo_t::CUBLAS_GEMM_DEFAULT,
            )?;
        }
        Ok(())
    }
    /// In float64 by cuBLAS, a few of whose numbers are held against the host's.
    pub fn exact_by_cublas<T: Element>(
        &self,
        bench: &Bench,
        blas: &CudaBlas,
        a: &[T],
        b: &[T],
    ) -> Outcome<Vec<f64>> {
        let wide = |x: &[T]| -> Vec<f64> { x.iter().map(|x| x.exact()).collect() };
        let (wide_a, wide_b) = (bench.upload(&wide(a))?, bench.upload(&wide(b))?);
        let mut c = bench.upload(&vec![f64::NAN; self.m * self.n])?;
        self.cublas(bench, blas, &wide_a, &wide_b, &mut c)?;
        let c = bench.download(&c)?;
        let at = |lies, rows, row, k| {
            if lies == OperandMajor::MnMajor { row + rows * k } else { row * self.k + k }
        };
        for i in (0..64).map(|i| i * 7919 % (self.m * self.n)) {
            let (row, column) = (i % self.m, i / self.m);
            let sum: f64 = (0..self.k)
                .map(|k| {
                    a[at(self.a, self.m, row, k)].exact() * b[at(self.b, self.n, column, k)].exact()
                })
                .sum();
            if (sum - c[i]).abs() > 1e-9 * (1.0 + sum.abs()) {
                return Err(
                    format!("cuBLAS in float64 says {} at {i}, and it is {sum}", c[i]).into()
                );
            }
        }
        Ok(c)
    }
}
