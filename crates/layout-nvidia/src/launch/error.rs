//! What is wrong with a launch, a sentence each.

use std::fmt::{self, Debug, Display, Formatter};

use cudarc::driver::DriverError;
use layout_algebra::LayoutError;

use crate::trap_record::take_sentence;

/// Why a kernel is not launched.
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
    /// A tensor map is of a tensor without an element, and the kernel has blocks that may read it.
    Empty {
        /// The kernel.
        kernel: &'static str,
        /// The layout of the tensor.
        layout: String,
    },
    /// The launch is made for a kernel of other threads or other shared memory.
    Unlike {
        /// The kernel.
        kernel: &'static str,
        /// The threads of its block, and the bytes of shared memory.
        wanted: (usize, usize),
        /// Those of the launch.
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
    /// The kernel of this name in the program has other parameters.
    Parameters {
        /// The kernel.
        kernel: &'static str,
        /// Its program.
        program: String,
        /// The bytes of each parameter, as the kernel is known here.
        wanted: &'static [usize],
        /// The bytes of each parameter in the program.
        found: Vec<usize>,
    },
    /// Neither the driver nor the program says what the parameters of the kernel are.
    Unknown {
        /// The kernel.
        kernel: &'static str,
        /// Its program.
        program: String,
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
        /// Those that there are.
        length: usize,
    },
    /// A layout whose offsets leave `usize`.
    Unbounded {
        /// The layout.
        layout: String,
    },
    /// A copy between memories of two lengths.
    Lengths {
        /// The elements that are read.
        from: usize,
        /// The elements that are written.
        to: usize,
    },
    /// The layouts do not fit.
    Layout(LayoutError),
    /// A kernel has ended itself: the file and the line, the error, and the first thread that met
    /// it. The device's context is lost with it.
    Ended {
        /// The sentence.
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
/// The sentence too: a `main` that returns an error prints it so.
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
/// The driver says of a kernel which has ended itself only that it has failed: this says why.
impl From<DriverError> for LaunchError {
    fn from(error: DriverError) -> Self {
        match take_sentence() {
            Some(sentence) => LaunchError::Ended { sentence },
            None => LaunchError::Driver(error),
        }
    }
}
