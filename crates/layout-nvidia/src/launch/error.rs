//! What is wrong with a launch, a sentence each.

use std::fmt::{self, Display, Formatter};

use cudarc::driver::DriverError;
use layout_algebra::LayoutError;

/// Why a kernel is not launched.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_nvidia::launch::{Launch, Limits};
/// let launch = Launch::new("fill", 256, 300_000).over(&layout!((4096, 4096)).to_dynamic(), tiler!(128, 128))?;
/// let error = launch.fits(&Limits::H200).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "fill: a block takes 300000 bytes of shared memory, and the device has 232448 for one"
/// );
/// # Ok::<(), layout_nvidia::launch::LaunchError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum LaunchError {
    /// More threads than a block may have.
    Threads {
        /// The kernel.
        kernel: &'static str,
        /// The threads of its block.
        threads: usize,
        /// The most there may be.
        most: usize,
        /// What sets that number.
        because: &'static str,
    },
    /// More shared memory than a block may have.
    Shared {
        /// The kernel.
        kernel: &'static str,
        /// The bytes that it takes.
        bytes: usize,
        /// The most there may be.
        most: usize,
    },
    /// More blocks along a mode of the grid than there may be.
    Grid {
        /// The kernel.
        kernel: &'static str,
        /// The mode of the grid.
        mode: usize,
        /// The blocks along it.
        blocks: usize,
        /// The most there may be.
        most: usize,
    },
    /// The tiles of the result have more modes than a grid.
    Modes {
        /// The kernel.
        kernel: &'static str,
        /// The modes.
        modes: usize,
    },
    /// An argument is shorter than what the kernel reaches.
    Short {
        /// The kernel.
        kernel: &'static str,
        /// The number of the argument.
        argument: usize,
        /// Its elements.
        elements: usize,
        /// The elements that the kernel's layout reaches.
        reached: usize,
    },
    /// The program is made for other devices.
    Architecture {
        /// What the program is made for.
        target: String,
        /// What the device is.
        device: String,
    },
    /// There is no such kernel in the program.
    Missing {
        /// The kernel.
        kernel: &'static str,
        /// Where it was looked for.
        program: String,
    },
    /// The program cannot be read.
    Unreadable {
        /// Its file.
        file: String,
        /// Why.
        reason: String,
    },
    /// The layouts do not fit.
    Layout(LayoutError),
    /// The driver refuses.
    Driver(DriverError),
}

impl Display for LaunchError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            LaunchError::Threads { kernel, threads, most, because } => {
                write!(f, "{kernel}: a block of {threads} threads, and {because} {most}")
            }
            LaunchError::Shared { kernel, bytes, most } => {
                write!(f, "{kernel}: a block takes {bytes} bytes of shared memory, and the device has {most} for one")
            }
            LaunchError::Grid { kernel, mode, blocks, most } => {
                write!(f, "{kernel}: {blocks} blocks along mode {mode} of the grid, and the device takes {most}")
            }
            LaunchError::Modes { kernel, modes } => {
                write!(f, "{kernel}: the tiles of the result have {modes} modes, and a grid has 3")
            }
            LaunchError::Short { kernel, argument, elements, reached } => {
                write!(f, "{kernel}: argument {argument} has {elements} elements, and the kernel reaches {reached}")
            }
            LaunchError::Architecture { target, device } => {
                write!(f, "the program is made for {target}, and the device is {device}")
            }
            LaunchError::Missing { kernel, program } => write!(f, "{program} has no kernel {kernel}"),
            LaunchError::Unreadable { file, reason } => {
                write!(f, "{file}: {reason}; `crates/layout-nvidia/build` makes the programs")
            }
            LaunchError::Layout(error) => error.fmt(f),
            LaunchError::Driver(error) => write!(f, "the driver: {error:?}"),
        }
    }
}
impl std::error::Error for LaunchError {}
impl From<LayoutError> for LaunchError {
    fn from(error: LayoutError) -> Self {
        LaunchError::Layout(error)
    }
}
impl From<DriverError> for LaunchError {
    fn from(error: DriverError) -> Self {
        LaunchError::Driver(error)
    }
}
