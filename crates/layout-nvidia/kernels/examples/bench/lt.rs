//! Products by cuBLASLt: of floats of 8 bits, which it alone of the vendor's libraries has, and of
//! halves by `mma.sync`.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr;

use cudarc::cublas::sys::cublasOperation_t;
use cudarc::cublaslt::result as lt;
use cudarc::cublaslt::sys::{
    self, cublasComputeType_t, cublasLtMatmulAlgoCapAttributes_t as Has,
    cublasLtMatmulAlgoConfigAttributes_t as Config, cublasLtMatmulDescAttributes_t as Attribute,
    cudaDataType,
};
use cudarc::driver::{CudaSlice, DevicePtr, DevicePtrMut};

use super::product::{Element, Product};
use super::{Bench, Outcome, in_turns};

/// The bytes that it may compute with.
const WORKSPACE: usize = 64 << 20;

/// The algorithm whose kernels are CUTLASS's for sm_80, `cutlass_80_tensorop_s16816gemm_*_align8`:
/// on `mma.sync`, with 16 bytes of an operand at a time. (On an H100, cuBLAS 13.1, it is the
/// fastest that is not on `wgmma`; 23 has 2 halves at a time, 24 is for sm_75, 66 is on `wgmma`, no
/// other multiplies halves: so PyTorch's profiler says.)
const ON_MMA_SYNC: c_int = 21;

/// cuBLASLt's description of a product, made once. (It lives as long as the example.)
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
        Blas::CUDA_R_16F => cudaDataType::CUDA_R_16F,
        Blas::CUDA_R_32F => cudaDataType::CUDA_R_32F,
        other => panic!("{other:?} is not asked of cuBLASLt"),
    }
}
/// A product, and its matrices.
type Described =
    (sys::cublasLtHandle_t, sys::cublasLtMatmulDesc_t, [sys::cublasLtMatrixLayout_t; 3]);
/// The product of A and B, both with K first.
fn described<A: Element, B: Element, C: Element>(of: &Product) -> Outcome<Described> {
    let (m, n, k) = (of.m as u64, of.n as u64, of.k as u64);
    let product =
        lt::create_matmul_desc(cublasComputeType_t::CUBLAS_COMPUTE_32F, cudaDataType::CUDA_R_32F)?;
    let turned = cublasOperation_t::CUBLAS_OP_T;
    // SAFETY: the attribute has this type.
    unsafe {
        let turned = ptr::from_ref(&turned).cast();
        lt::set_matmul_desc_attribute(product, Attribute::CUBLASLT_MATMUL_DESC_TRANSA, turned, 4)?;
    }
    let matrices = [
        lt::create_matrix_layout(name::<A>(), k, m, k as i64)?,
        lt::create_matrix_layout(name::<B>(), k, n, k as i64)?,
        lt::create_matrix_layout(name::<C>(), m, n, m as i64)?,
    ];
    Ok((lt::create_handle()?, product, matrices))
}
impl<'b> Lt<'b> {
    /// The product of A and B, both with K first, times both scales. `fast`: sums are left to
    /// tensor cores.
    pub fn new<A: Element, B: Element, C: Element>(
        bench: &'b Bench,
        of: &Product,
        scales: [&CudaSlice<f32>; 2],
        fast: bool,
    ) -> Outcome<Self> {
        let (handle, product, matrices) = described::<A, B, C>(of)?;
        let workspace = bench.upload(&vec![0_u8; WORKSPACE])?;
        let fast = i8::from(fast);
        let [a, b] = scales.map(|scale| scale.device_ptr(&bench.stream).0);
        let preference = lt::create_matmul_pref()?;
        // SAFETY: each attribute has the type that the library says; what is described was made
        // above, and lives.
        let algorithm = unsafe {
            let set = |attribute, value: *const c_void, size| {
                lt::set_matmul_desc_attribute(product, attribute, value, size)
            };
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
    /// The same product without scales, by the fastest of the kernels on `mma.sync`: all tiles and
    /// stages, and K in one, two or four parts, are tried. `None` if there is no such kernel here.
    pub fn on_mma_sync<A: Element, C: Element>(
        bench: &'b Bench,
        of: &Product,
        (a, b): (&CudaSlice<A>, &CudaSlice<A>),
        c: &mut CudaSlice<C>,
    ) -> Outcome<Option<Self>> {
        let (handle, product, matrices) = described::<A, A, C>(of)?;
        let (halves, sums, result) = (name::<A>(), cudaDataType::CUDA_R_32F, name::<C>());
        let mut algorithm = MaybeUninit::uninit();
        // SAFETY: what is initialized was asked for.
        let algorithm = unsafe {
            let compute = cublasComputeType_t::CUBLAS_COMPUTE_32F;
            let at = algorithm.as_mut_ptr();
            match sys::cublasLtMatmulAlgoInit(
                handle,
                compute,
                sums,
                halves,
                halves,
                result,
                result,
                ON_MMA_SYNC,
                at,
            ) {
                sys::cublasStatus_t::CUBLAS_STATUS_SUCCESS => algorithm.assume_init(),
                _ => return Ok(None),
            }
        };
        let workspace = bench.upload(&vec![0_u8; WORKSPACE])?;
        let mut this = Lt { bench, handle, product, matrices, algorithm, workspace };
        let mut found = Vec::new();
        for tile in has(&algorithm, Has::CUBLASLT_ALGO_CAP_TILE_IDS)? {
            for stages in has(&algorithm, Has::CUBLASLT_ALGO_CAP_STAGES_IDS)? {
                // Parts are added up as fp32.
                for (parts, reduction) in [(1, 0), (2, 2), (4, 2)] {
                    this.algorithm = algorithm;
                    this.set(Config::CUBLASLT_ALGO_CONFIG_TILE_ID, tile)?;
                    this.set(Config::CUBLASLT_ALGO_CONFIG_STAGES_ID, stages)?;
                    this.set(Config::CUBLASLT_ALGO_CONFIG_SPLITK_NUM, parts)?;
                    this.set(Config::CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, reduction)?;
                    if !this.runs() || this.multiply(a, b, c).is_err() {
                        continue;
                    }
                    let time = bench.once(&mut || this.multiply(a, b, c), 2)?;
                    found.push((time, this.algorithm, [tile, stages, parts]));
                }
            }
        }
        // The fastest of them once more, after rests: by then the device's power sets the clocks.
        found.sort_by(|one, other| one.0.total_cmp(&other.0));
        found.truncate(8);
        for (time, algorithm, _) in &mut found {
            this.algorithm = *algorithm;
            let count = ((5.0 / *time) as usize).max(1);
            let mut round = || bench.once(&mut || this.multiply(a, b, c), count);
            *time = in_turns(&mut [Box::new(&mut round)])?[0].median;
        }
        let Some((_, algorithm, which)) =
            found.into_iter().min_by(|one, other| one.0.total_cmp(&other.0))
        else {
            return Ok(None);
        };
        println!("    cuBLASLt's algorithm {ON_MMA_SYNC}, tile, stages and parts {which:?}");
        Ok(Some(Lt { algorithm, ..this }))
    }
    fn set(&mut self, what: Config, number: u32) -> Outcome {
        // SAFETY: the attribute has this type.
        unsafe {
            sys::cublasLtMatmulAlgoConfigSetAttribute(
                &mut self.algorithm,
                what,
                ptr::from_ref(&number).cast(),
                4,
            )
        }
        .result()?;
        Ok(())
    }
    /// Is there a kernel of the algorithm?
    fn runs(&self) -> bool {
        let ([a, b, c], mut found) = (self.matrices, MaybeUninit::uninit());
        // SAFETY: what is described lives; `found` is written where the answer is yes.
        unsafe {
            let at = found.as_mut_ptr();
            let said = sys::cublasLtMatmulAlgoCheck(
                self.handle,
                self.product,
                a,
                b,
                c,
                c,
                &self.algorithm,
                at,
            );
            said == sys::cublasStatus_t::CUBLAS_STATUS_SUCCESS
                && found.assume_init().workspaceSize <= WORKSPACE
        }
    }
    pub fn multiply<A: Element, B: Element, C: Element>(
        &self,
        a: &CudaSlice<A>,
        b: &CudaSlice<B>,
        c: &mut CudaSlice<C>,
    ) -> Outcome {
        let stream = &self.bench.stream;
        let ((a, _a), (b, _b), (c, _c)) =
            (a.device_ptr(stream), b.device_ptr(stream), c.device_ptr_mut(stream));
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

/// The tiles, or stages, that an algorithm has.
fn has(algorithm: &sys::cublasLtMatmulAlgo_t, what: Has) -> Outcome<Vec<u32>> {
    let (mut numbers, mut written) = (vec![0_u32; 1024], 0);
    // SAFETY: there is room for so many bytes.
    unsafe {
        let to = numbers.as_mut_ptr().cast();
        sys::cublasLtMatmulAlgoCapGetAttribute(
            algorithm,
            what,
            to,
            4 * numbers.len(),
            &mut written,
        )
        .result()?;
    }
    numbers.truncate(written / 4);
    Ok(numbers)
}
