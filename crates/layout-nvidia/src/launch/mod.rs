//! The host's side: loads kernels and launches them; the layouts of a kernel give the grid, the
//! block and the shared memory of a launch.
//!
//! ```text
//! grid      one block for each tile: the rest modes of the result's shape, rounded up and divided by the tile
//! block     one thread for each thread of the layout of threads
//! shared    the bytes that the layouts of the tiles in shared memory reach
//! ```
//!
//! A launch beyond the device's limits is refused before the driver is called, with a message that
//! has both numbers.

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
