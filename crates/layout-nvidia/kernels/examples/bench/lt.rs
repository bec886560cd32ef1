//! Products of floats of 8 bits by cuBLASLt, which alone of the vendor's libraries has them.

use std::ffi::c_void;
use std::ptr;

use cudarc::cublas::sys::cublasOperation_t;
use cudarc::cublaslt::result as lt;
use cudarc::cublaslt::sys::{self, cublasComputeType_t, cublasLtMatmulDescAttributes_t as Attribute, cudaDataType};
use cudarc::driver::{CudaSlice, DevicePtr, DevicePtrMut};

use super::product::{Element, Product};
use super::{Bench, Outcome};

/// The bytes that it may compute with.
const WORKSPACE: usize = 64 << 20;

/// What cuBLASLt is told of a product, made once. (It lives as long as the example.)
pub struct Lt<'b> {
    bench: &'b Bench,
    handle: sys::cublasLtHandle_t,
    product: sys::cublasLtMatmulDesc_t,
    matrices: [sys::cublasLtMatrixLayout_t; 3],
    algorithm: sys::cublasLtMatmulAlgo_t,
    workspace: CudaSlice<u8>,
}
/// cuBLASLt's name of an element.
fn name<T: Element>() -> cudaDataType {
    use cudarc::cublas::sys::cudaDataType as Blas;
    match T::TYPE {
        Blas::CUDA_R_8F_E4M3 => cudaDataType::CUDA_R_8F_E4M3,
        Blas::CUDA_R_8F_E5M2 => cudaDataType::CUDA_R_8F_E5M2,
        Blas::CUDA_R_16BF => cudaDataType::CUDA_R_16BF,
        other => panic!("{other:?} is not asked of cuBLASLt"),
    }
}
impl<'b> Lt<'b> {
    /// The product of A and B, both with K first, times both scales. `fast`: sums are left to tensor cores.
    pub fn new<A: Element, B: Element, C: Element>(
        bench: &'b Bench,
        of: &Product,
        scales: [&CudaSlice<f32>; 2],
        fast: bool,
    ) -> Outcome<Self> {
        let workspace = bench.upload(&vec![0_u8; WORKSPACE])?;
        let (m, n, k) = (of.m as u64, of.n as u64, of.k as u64);
        let handle = lt::create_handle()?;
        let product = lt::create_matmul_desc(cublasComputeType_t::CUBLAS_COMPUTE_32F, cudaDataType::CUDA_R_32F)?;
        let matrices = [
            lt::create_matrix_layout(name::<A>(), k, m, k as i64)?,
            lt::create_matrix_layout(name::<B>(), k, n, k as i64)?,
            lt::create_matrix_layout(name::<C>(), m, n, m as i64)?,
        ];
        let (turned, fast) = (cublasOperation_t::CUBLAS_OP_T, i8::from(fast));
        let [a, b] = scales.map(|scale| scale.device_ptr(&bench.stream).0);
        let preference = lt::create_matmul_pref()?;
        // SAFETY: each attribute has the type that the library says; what is described was made above, and lives.
        let algorithm = unsafe {
            let set =
                |attribute, value: *const c_void, size| lt::set_matmul_desc_attribute(product, attribute, value, size);
            set(Attribute::CUBLASLT_MATMUL_DESC_TRANSA, ptr::from_ref(&turned).cast(), 4)?;
            set(Attribute::CUBLASLT_MATMUL_DESC_FAST_ACCUM, ptr::from_ref(&fast).cast(), 1)?;
            set(Attribute::CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, ptr::from_ref(&a).cast(), 8)?;
            set(Attribute::CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, ptr::from_ref(&b).cast(), 8)?;
            lt::set_matmul_pref_attribute(
                preference,
                sys::cublasLtMatmulPreferenceAttributes_t::CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                ptr::from_ref(&WORKSPACE).cast(),
                size_of::<usize>(),
            )?;
            let [a, b, c] = matrices;
            lt::get_matmul_algo_heuristic(handle, product, a, b, c, c, preference)?.algo
        };
        Ok(Lt { bench, handle, product, matrices, algorithm, workspace })
    }
    pub fn multiply<A: Element, B: Element, C: Element>(
        &self,
        a: &CudaSlice<A>,
        b: &CudaSlice<B>,
        c: &mut CudaSlice<C>,
    ) -> Outcome {
        let stream = &self.bench.stream;
        let ((a, _a), (b, _b), (c, _c)) = (a.device_ptr(stream), b.device_ptr(stream), c.device_ptr_mut(stream));
        let (workspace, _workspace) = self.workspace.device_ptr(stream);
        let (one, zero) = (1.0_f32, 0.0_f32);
        let [of_a, of_b, of_c] = self.matrices;
        // SAFETY: the operands have the sizes that they were described with.
        unsafe {
            lt::matmul(
                self.handle,
                self.product,
                ptr::from_ref(&one).cast(),
                ptr::from_ref(&zero).cast(),
                a as *const c_void,
                of_a,
                b as *const c_void,
                of_b,
                c as *const c_void,
                of_c,
                c as *mut c_void,
                of_c,
                &self.algorithm,
                workspace as *mut c_void,
                WORKSPACE,
                stream.cu_stream().cast(),
            )?;
        }
        Ok(())
    }
}
