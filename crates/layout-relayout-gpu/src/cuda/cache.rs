//! The kernels of a context.

use std::sync::Arc;

use cudarc::driver::sys::CUdevice_attribute;
use cudarc::driver::{CudaContext, CudaModule};
use cudarc::nvrtc::{CompileError, CompileOptions, compile_ptx_with_opts};

use super::buffers::DeviceMemory;
use super::driver::{from_driver, has_nvrtc};
use super::kernel::{Kernel, Plan, VECTOR};
use crate::error::RelayoutError;
use crate::pairs::{KeptPair, OWN_FROM, Pairs, Programs};

/// Moves elements from one layout to another on one device, and caches plans and programs.
///
/// Law: after a run, `target[TO(c)] == source[FROM(c)]` for every coordinate `c`, and all other
/// elements of the target are unchanged. Offsets are relative to the least offset.
///
/// The first run of a pair of layouts uses a general kernel, which takes extents and strides as
/// arguments and is compiled once for all pairs with this width of elements. From the second run on
/// the pair has a specialized kernel. So a thousand shapes that run once need one compilation.
/// [`with_own_from`](Self::with_own_from) sets another number of runs. Pairs that are the same
/// function are one pair: `(4,6):(6,1)` to `(4,6):(1,4)` and `(2,2,6):(6,12,1)` to
/// `(2,2,6):(1,2,4)`. A run that fails does not count. Offsets have 64 bits if 32 are too few.
///
/// ```
/// use cudarc::driver::CudaContext;
/// use layout_algebra::prelude::*;
/// use layout_relayout_gpu::cuda::RelayoutCache;
/// # // SAFETY: asks whether the driver's library is there.
/// # if !unsafe { cudarc::driver::sys::is_culib_present() } { return Ok(()) }
/// # if CudaContext::device_count().is_ok_and(|count| count == 0) { return Ok(()) }
/// let context = CudaContext::new(0)?;
/// let stream = context.default_stream();
/// let source = stream.clone_htod(&(0..24).collect::<Vec<u32>>())?;
/// let mut target = stream.alloc_zeros::<u32>(24)?;
/// let rows: DynLayout = "(4,6):(6,1)".parse()?;
/// let columns: DynLayout = "(4,6):(1,4)".parse()?;
/// let cache = RelayoutCache::new(&context)?;
/// cache.run(&stream, &rows, &columns, 4, &source, &mut target)?;
/// assert_eq!(stream.clone_dtoh(&target)?[..5], [0, 6, 12, 18, 1]);
/// // A buffer that is too small is an error, and nothing is launched.
/// let error = cache.run(&stream, &rows, &columns, 8, &source, &mut target).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "the source has 96 bytes, and (4,6):(6,1) of elements of 8 bytes takes 192"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RelayoutCache {
    pub(super) context: Arc<CudaContext>,
    /// The architecture that NVRTC compiles for.
    architecture: String,
    own_from: usize,
    pub(super) pairs: Pairs<Kernel>,
    programs: Programs<Arc<CudaModule>>,
}

impl RelayoutCache {
    /// An empty cache for a context.
    ///
    /// # Errors
    /// [`RelayoutError::Device`] if there is no NVRTC, or the driver fails.
    pub fn new(context: &Arc<CudaContext>) -> Result<Self, RelayoutError> {
        if !has_nvrtc() {
            return Err(RelayoutError::Device(
                "NVRTC, which compiles the kernels, is not found: it is part of CUDA's toolkit, \
                 libnvrtc"
                    .into(),
            ));
        }
        let number = |attribute| context.attribute(attribute).map_err(from_driver);
        let major = CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR;
        let minor = CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR;
        Ok(RelayoutCache {
            context: context.clone(),
            architecture: format!(
                "--gpu-architecture=compute_{}{}",
                number(major)?,
                number(minor)?
            ),
            own_from: OWN_FROM,
            pairs: Pairs::default(),
            programs: Programs::default(),
        })
    }

    /// The first run of a pair of layouts with a specialized kernel, counted from 1.
    pub fn with_own_from(mut self, run: usize) -> Self {
        self.own_from = run;
        self
    }

    /// The number of compiled programs.
    pub fn programs(&self) -> usize {
        self.programs.len()
    }

    /// Clears the cache.
    pub fn clear(&self) {
        self.pairs.clear();
        self.programs.clear();
    }

    /// The kernel of the pair's next run, for memories at these addresses.
    pub(super) fn find_kernel<'a>(
        &self,
        pair: &'a KeptPair<Kernel>,
        both: [DeviceMemory; 2],
    ) -> Result<&'a Kernel, RelayoutError> {
        let make = |plan: Plan| {
            let module = self.programs.find(&plan.text, || self.compile(&plan.text))?;
            let function = module.load_function(plan.name).map_err(from_driver)?;
            Ok(plan.with_function(function))
        };
        let general =
            |most| move |axes: &_| Plan::general(axes, pair.bytes, most)?.map(make).transpose();
        if both.iter().all(|memory| memory.address % VECTOR == 0) {
            let most = VECTOR / pair.bytes as u64;
            return pair.find_kernel(self.own_from, general(most), |own| make(Plan::own(own)?));
        }
        pair.find_anywhere(general(1))?.ok_or_else(|| {
            RelayoutError::Buffer(format!(
                "layouts without common axes need buffers that begin at multiples of {VECTOR} bytes"
            ))
        })
    }

    fn compile(&self, text: &str) -> Result<Arc<CudaModule>, RelayoutError> {
        let options = vec![self.architecture.clone(), "--std=c++17".into()];
        let options = CompileOptions { options, ..Default::default() };
        let program = compile_ptx_with_opts(text, options).map_err(|error| {
            RelayoutError::Device(match error {
                CompileError::CompileError { log, .. } => {
                    format!("NVRTC: {}", log.to_string_lossy().trim())
                }
                other => format!("NVRTC: {other}"),
            })
        })?;
        self.context.load_module(program).map_err(from_driver)
    }
}
