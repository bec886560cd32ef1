//! The sizes of a launch, from layouts.

use layout_algebra::{DynLayout, IntoDynTiler};

use crate::launch::{Kernel, LaunchError, Limits};

/// Grid, block and shared memory of one launch.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_nvidia::launch::{Launch, Limits};
/// // One block of 256 threads for each tile of 128 x 128, also for partial tiles.
/// let launch = Launch::new("sgemm", 256, 65_536).over_tiles(&layout!((1000, 4096)).to_dynamic(), tiler!(128, 128))?;
/// assert_eq!((launch.grid_blocks(), launch.block_threads(), launch.shared_bytes()), ([8, 32, 1], 256, 65_536));
/// launch.check_limits(&Limits::H200)?;
/// # Ok::<(), layout_nvidia::launch::LaunchError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    kernel: &'static str,
    grid: [usize; 3],
    threads: usize,
    shared: usize,
    dependent: bool,
}
impl Launch {
    /// One block of `threads` threads and `shared` bytes of shared memory, for the kernel of this
    /// name.
    #[must_use]
    pub const fn new(kernel: &'static str, threads: usize, shared: usize) -> Self {
        Launch { kernel, grid: [1; 3], threads, shared, dependent: false }
    }
    /// One block of a kernel, whose layouts give its threads and its shared memory.
    #[must_use]
    pub const fn of_kernel<K: Kernel>() -> Self {
        Launch::new(K::NAME, K::THREADS, K::SHARED)
    }

    /// One block for each tile of the result, also for partial tiles.
    ///
    /// `grid[i] == size<i>(rest of round_up(layout, tiler) divided by tiler)`
    ///
    /// # Errors
    /// The errors of [`DynLayout::round_up`] and [`DynLayout::zipped_divide`]; more than 3 modes.
    pub fn over_tiles(
        self,
        layout: &DynLayout,
        tiler: impl IntoDynTiler + Clone,
    ) -> Result<Self, LaunchError> {
        let divided = layout.round_up(tiler.clone())?.zipped_divide(tiler)?;
        let rest = divided.mode(1)?;
        let mut launch = Launch { grid: [1; 3], ..self };
        for (mode, blocks) in rest.modes().enumerate() {
            let modes = rest.modes().count();
            *launch
                .grid
                .get_mut(mode)
                .ok_or(LaunchError::Modes { kernel: self.kernel, modes })? = blocks.size();
        }
        Ok(launch)
    }
    /// A fixed number of blocks, for kernels that go through the tiles in a loop.
    #[must_use]
    pub const fn with_blocks(self, blocks: usize) -> Self {
        Launch { grid: [blocks, 1, 1], ..self }
    }

    /// Blocks may start when blocks of the previous launch on the same stream have left room and
    /// have permitted it: CUDA's programmatic dependent launch. All threads of such a kernel wait
    /// by [`grid_dependency_wait`] before any of them accesses device memory; memory that a copy
    /// from the host wrote may be read before.
    ///
    /// [`grid_dependency_wait`]: crate::device::grid_dependency_wait
    #[must_use]
    pub const fn programmatic_dependent_launch(self) -> Self {
        Launch { dependent: true, ..self }
    }
    /// Whether this is a [`programmatic_dependent_launch`](Launch::programmatic_dependent_launch).
    #[must_use]
    pub const fn is_programmatic_dependent_launch(&self) -> bool {
        self.dependent
    }

    /// The blocks along each dimension.
    #[must_use]
    pub const fn grid_blocks(&self) -> [usize; 3] {
        self.grid
    }
    /// The threads of a block.
    #[must_use]
    pub const fn block_threads(&self) -> usize {
        self.threads
    }
    /// The bytes of shared memory of a block.
    #[must_use]
    pub const fn shared_bytes(&self) -> usize {
        self.shared
    }
    /// Whether there is nothing to do. Without tiles no block is launched.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.grid.contains(&0)
    }

    /// Checks the launch against the limits of the device.
    ///
    /// # Errors
    /// The kernel needs more than the device has: the message has both numbers.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use layout_nvidia::launch::{Launch, Limits};
    /// let wide = Launch::new("sgemm", 256, 0).over_tiles(&layout!((128, 9_000_000)).to_dynamic(), tiler!(128, 128))?;
    /// assert_eq!(
    ///     wide.check_limits(&Limits::H200).unwrap_err().to_string(),
    ///     "sgemm: 70313 blocks along mode 1 of the grid, and the device takes 65535"
    /// );
    /// assert_eq!(
    ///     Launch::new("sgemm", 2048, 0).check_limits(&Limits::H200).unwrap_err().to_string(),
    ///     "sgemm: a block of 2048 threads, and a block of the device has at most 1024"
    /// );
    /// # Ok::<(), layout_nvidia::launch::LaunchError>(())
    /// ```
    pub fn check_limits(&self, limits: &Limits) -> Result<(), LaunchError> {
        let kernel = self.kernel;
        if self.threads > limits.threads {
            let because = "a block of the device has at most";
            return Err(LaunchError::Threads {
                kernel,
                threads: self.threads,
                most: limits.threads,
                because,
            });
        }
        if self.shared > limits.shared {
            return Err(LaunchError::Shared { kernel, bytes: self.shared, most: limits.shared });
        }
        match (0..3).find(|&mode| self.grid[mode] > limits.grid[mode]) {
            Some(mode) => {
                let (blocks, most) = (self.grid[mode], limits.grid[mode]);
                Err(LaunchError::Grid { kernel, mode, blocks, most })
            }
            None => Ok(()),
        }
    }
}
