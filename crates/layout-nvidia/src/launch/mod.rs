//! The host's side: kernels are loaded and launched, and a launch says its grid, its block and its
//! shared memory by the layouts of the kernel.
//!
//! ```text
//! grid      one block for each tile: the rest modes of the result's shape, rounded up and divided by the tile
//! block     one thread for each thread of the layout of threads
//! shared    the bytes that the layouts of the tiles in shared memory reach
//! ```
//!
//! What the device cannot do is refused before the launch, with a sentence that holds both numbers.

mod error;
mod kernel;
mod limits;

mod plan;

mod parameters;

mod loaded;

mod card;
mod memory;

pub use card::{Device, milliseconds, milliseconds_with_rests};
pub use error::LaunchError;
#[doc(hidden)]
pub use kernel::EntryName;
pub use kernel::{Argument, ArgumentList, Arguments, Kernel};
pub use limits::Limits;
pub use loaded::{Loaded, Program};
pub use memory::DeviceTensor;
pub use plan::Launch;
