//! The limits of a device.

use cudarc::driver::{CudaContext, sys::CUdevice_attribute};

use crate::launch::LaunchError;

/// The limits of a device, which each [`Launch`](crate::launch::Launch) is checked against.
///
/// ```
/// use layout_nvidia::launch::Limits;
/// assert_eq!(Limits::H200.threads, 1024);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The threads of a block.
    pub threads: usize,
    /// The bytes of shared memory of a block that opts in to more than the default.
    pub shared: usize,
    /// The blocks along each dimension of the grid.
    pub grid: [usize; 3],
    /// The compute capability: 9 and 0 for an H100 and an H200.
    pub capability: (usize, usize),
}
impl Limits {
    /// The limits of an H200, and of an H100: for checks without a device.
    pub const H200: Limits = Limits {
        threads: 1024,
        shared: 232_448,
        grid: [2_147_483_647, 65_535, 65_535],
        capability: (9, 0),
    };

    /// Queries the device.
    ///
    /// # Errors
    /// The driver's.
    pub fn query_device(context: &CudaContext) -> Result<Self, LaunchError> {
        let ask = |what| context.attribute(what).map(|value| value.unsigned_abs() as usize);
        Ok(Limits {
            threads: ask(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
            shared: ask(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?,
            grid: [
                ask(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X)?,
                ask(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y)?,
                ask(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)?,
            ],
            capability: (
                ask(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
                ask(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
            ),
        })
    }

    /// Whether a program for this target, `sm_80` or `sm_90a`, runs here. A target that ends in a
    /// letter runs only on its generation.
    ///
    /// ```
    /// use layout_nvidia::launch::Limits;
    /// assert_eq!(["sm_80", "sm_90a", "sm_100", "sm_100a"].map(|t| Limits::H200.runs_target(t)), [true, true, false, false]);
    /// ```
    #[must_use]
    pub fn runs_target(&self, target: &str) -> bool {
        let here = 10 * self.capability.0 + self.capability.1;
        let digits = target.trim_start_matches("sm_").trim_end_matches(char::is_alphabetic);
        match digits.parse::<usize>() {
            Ok(wanted) if target.ends_with(char::is_alphabetic) => wanted == here,
            Ok(wanted) => wanted <= here,
            Err(_) => false,
        }
    }
}
