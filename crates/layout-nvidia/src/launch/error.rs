//! The errors of a launch, a message each.

use std::fmt::{self, Debug, Display, Formatter};

use cudarc::driver::DriverError;
use layout_algebra::LayoutError;

use crate::trap_record::take_sentence;

/// An error of a launch: the kernel was not launched, or it ended itself.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_nvidia::launch::{Launch, Limits};
/// let launch = Launch::new("fill", 256, 300_000).over_tiles(&layout!((4096, 4096)).to_dynamic(), tiler!(128, 128))?;
/// let error = launch.check_limits(&Limits::H200).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "fill: a block takes 300000 bytes of shared memory, and the device has 232448 for one"
/// );
/// # Ok::<(), layout_nvidia::launch::LaunchError>(())
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub enum LaunchError {
    /// More threads than a block may have.
    Threads {
        /// The kernel.
        kernel: &'static str,
        /// The threads of its block.
        threads: usize,
        /// The limit.
        most: usize,
        /// The source of the limit.
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
    /// The tensor of a map has no elements, and the kernel has blocks that may read it.
    Empty {
        /// The kernel.
        kernel: &'static str,
        /// The layout of the tensor.
        layout: String,
    },
    /// The launch was made for another number of threads or bytes of shared memory.
    Unlike {
        /// The kernel.
        kernel: &'static str,
        /// The threads of its block, and the bytes of shared memory.
        wanted: (usize, usize),
        /// The threads and the bytes of the launch.
        given: (usize, usize),
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
    /// An argument is shorter than the kernel's layout reaches.
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
    /// The program is for other devices.
    Architecture {
        /// The target of the program.
        target: String,
        /// The device.
        device: String,
    },
    /// The kernel of this name in the program has other parameters.
    Parameters {
        /// The kernel.
        kernel: &'static str,
        /// Its program.
        program: String,
        /// The bytes of each parameter on the host's side.
        wanted: &'static [usize],
        /// The bytes of each parameter in the program.
        found: Vec<usize>,
    },
    /// The parameters of the kernel are in neither the driver's answer nor the text of the program.
    Unknown {
        /// The kernel.
        kernel: &'static str,
        /// Its program.
        program: String,
    },
    /// The program has no such kernel.
    Missing {
        /// The kernel.
        kernel: &'static str,
        /// The program.
        program: String,
    },
    /// The program cannot be read.
    Unreadable {
        /// Its file.
        file: String,
        /// The reason.
        reason: String,
    },
    /// A package built without its kernels.
    NoKernels {
        /// The package.
        program: String,
    },
    /// There is no driver.
    NoDriver,
    /// A layout reaches further than the memory.
    Memory {
        /// The layout.
        layout: String,
        /// The elements that it reaches.
        reach: usize,
        /// The number of its elements.
        length: usize,
    },
    /// A layout with an offset beyond `usize`.
    Unbounded {
        /// The layout.
        layout: String,
    },
    /// A copy between memories of different lengths.
    Lengths {
        /// The elements of the source.
        from: usize,
        /// The elements of the destination.
        to: usize,
    },
    /// The layouts do not fit.
    Layout(LayoutError),
    /// A kernel has ended itself: the file and the line, the error, and the first thread with the
    /// error. The device's context is lost.
    Ended {
        /// The message.
        sentence: String,
    },
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
                write!(
                    f,
                    "{kernel}: a block takes {bytes} bytes of shared memory, and the device has \
                     {most} for one"
                )
            }
            LaunchError::Empty { kernel, layout } => {
                write!(
                    f,
                    "{kernel}: the map of {layout}, which has no element, is given to blocks that \
                     may read it"
                )
            }
            LaunchError::Unlike { kernel, wanted, given } => {
                write!(
                    f,
                    "{kernel}: its blocks have {} threads and {} bytes of shared memory, and the \
                     launch is of {} and {}: `Launch::of` says what a kernel has",
                    wanted.0, wanted.1, given.0, given.1
                )
            }
            LaunchError::Grid { kernel, mode, blocks, most } => {
                write!(
                    f,
                    "{kernel}: {blocks} blocks along mode {mode} of the grid, and the device \
                     takes {most}"
                )
            }
            LaunchError::Modes { kernel, modes } => {
                write!(f, "{kernel}: the tiles of the result have {modes} modes, and a grid has 3")
            }
            LaunchError::Short { kernel, argument, elements, reached } => {
                write!(
                    f,
                    "{kernel}: argument {argument} has {elements} elements, and the kernel \
                     reaches {reached}"
                )
            }
            LaunchError::Architecture { target, device } => {
                write!(f, "the program is made for {target}, and the device is {device}")
            }
            LaunchError::Parameters { kernel, program, wanted, found } => {
                write!(
                    f,
                    "{kernel}: its parameters have {wanted:?} bytes, and those of {program}'s \
                     kernel of this name {found:?}: the program is of another version, or of \
                     another package"
                )
            }
            LaunchError::Unknown { kernel, program } => {
                write!(
                    f,
                    "{kernel}: neither the driver, which is older than CUDA 12.4, nor the text of \
                     {program} says what its parameters are"
                )
            }
            LaunchError::Missing { kernel, program } => {
                write!(f, "{program} has no kernel {kernel}")
            }
            LaunchError::Unreadable { file, reason } => {
                write!(f, "{file}: {reason}; `crates/layout-nvidia/build` makes the programs")
            }
            LaunchError::NoKernels { program } => {
                write!(
                    f,
                    "{program} was built without its kernels, with LAYOUT_NVIDIA=cpu: `cargo run` \
                     without it builds them"
                )
            }
            LaunchError::NoDriver => {
                write!(f, "there is no CUDA driver here: `libcuda.so` is not found")
            }
            LaunchError::Memory { layout, reach, length } => {
                write!(
                    f,
                    "the layout {layout} reaches {reach} elements, and the memory has {length}"
                )
            }
            LaunchError::Unbounded { layout } => {
                write!(f, "the layout {layout} has offsets beyond `usize`")
            }
            LaunchError::Lengths { from, to } => {
                write!(f, "{from} elements are not copied to memory of {to}")
            }
            LaunchError::Layout(error) => Display::fmt(error, f),
            LaunchError::Ended { sentence } => f.write_str(sentence),
            LaunchError::Driver(error) => write!(f, "the driver: {error:?}"),
        }
    }
}
/// The message too, since a `main` that returns an error prints it by `Debug`.
impl Debug for LaunchError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}
impl std::error::Error for LaunchError {}
impl From<LayoutError> for LaunchError {
    fn from(error: LayoutError) -> Self {
        LaunchError::Layout(error)
    }
}
/// The driver reports only the failure of a kernel that ended itself: this adds the reason.
impl From<DriverError> for LaunchError {
    fn from(error: DriverError) -> Self {
        match take_sentence() {
            Some(sentence) => LaunchError::Ended { sentence },
            None => LaunchError::Driver(error),
        }
    }
}
