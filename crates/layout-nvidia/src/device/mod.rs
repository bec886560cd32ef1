//! What a kernel finds on the device: its place, its block's shared memory, barriers, and copies that go on meanwhile.
//!
//! On the host all of this is there to be compiled and looked at, for a block of one thread.

mod arithmetic;
mod place;
mod shared;

mod entry;

mod fused;
mod pipeline;

pub use arithmetic::{exp2, multiply_add, narrow, reciprocal, reduce_quad, reduce_warp, widen};
#[doc(hidden)]
pub use entry::launch_bounds;
pub use fused::Fma;
pub use pipeline::Pipeline;
pub use place::{Ended, again, at_once, barrier, block, stop, thread};
pub use shared::{SharedTile, SharedTiles};
