//! The device's side of a kernel: thread and block indices, shared memory, barriers, and
//! asynchronous copies.
//!
//! On the host all of this compiles and runs, for a block of one thread; within
//! [`host::launch`](crate::host::launch) it belongs to the block that runs there.

mod aligned;
mod arithmetic;
mod place;
mod shared;

mod entry;

mod fused;
mod lifetime;
mod narrow;
mod pipeline;
mod tile_order;

pub use aligned::AlignedRow;
pub use arithmetic::{
    divide, exp2, first_of_warp, log2, multiply_add, narrow_to_f16, reciprocal, reduce_block,
    reduce_lanes, reduce_quad, reduce_warp, rsqrt, sqrt, tanh, widen_to_f32,
};
pub use entry::{Entry, Outcome, Parameter, ParameterValue, Parameters};
pub use fused::Fma;
pub use lifetime::extend_lifetime;
pub use narrow::{Narrow, narrow_fragment};
pub use pipeline::{Pipeline, cp_async_wait_all};
pub use place::{
    Trap, atomic_inc, black_box, block_index, blocks_per_grid, grid_dependency_wait, grid_stride,
    launch_dependents, min_blocks_per_multiprocessor, sync_threads, sync_warp, thread_index,
    threads_per_block, trap,
};
pub use shared::{SharedElement, SharedTile, SharedTiles};
pub use tile_order::GroupedTileOrder;

/// A kernel: an ordinary function that each thread of each block runs.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_nvidia::device::{self, Trap, kernel};
/// pub type Threads = Layout!(256);
///
/// /// `to = factor * from`: a block for 256 elements.
/// ///
/// /// # Safety
/// /// `n` elements are at each pointer.
/// #[kernel(threads = Threads)]
/// pub unsafe fn scale(n: u32, factor: f32, from: *const f32, to: *mut f32) -> Result<(), Trap> {
///     let i = 256 * device::block_index().0 + device::thread_index();
///     if i < n as usize {
///         // SAFETY: the caller's promise; each thread writes its own number.
///         unsafe { *to.add(i) = factor * *from.add(i) }
///     }
///     Ok(())
/// }
/// // The function runs on a CPU too: two blocks of 256 threads.
/// let (from, mut to) = ([3.0; 300], [0.0; 300]);
/// // SAFETY: 300 elements each.
/// unsafe { layout_nvidia::host::launch::<scale>((2, 1), (300_u32, 2.0_f32, &from[..], &mut to[..])) };
/// assert_eq!(to, [6.0; 300]);
/// ```
///
/// The attribute has `threads`, a layout with a coordinate for each thread of the block, and
/// `shared`, a tuple of [`SharedTile`]s, if there are any. It leaves the function unchanged, for
/// the host's compiler, the editor and [`host::launch`](crate::host::launch), and makes a type of
/// the same name, which a launch names: an [`Entry`], and on the host a `Kernel`. On the device the
/// function is the body of an entry of this name.
///
/// A generic kernel names its instances, and a launch names one of them, here `fill::<f32, 4>`:
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_nvidia::device::{self, Entry, kernel};
/// /// Writes the same number everywhere, `EACH` contiguous elements in each thread.
/// ///
/// /// # Safety
/// /// There is memory for 32 `EACH` elements for each block.
/// #[kernel(threads = Layout!(32), instances(<f32, 4>, <u8, 16>))]
/// pub unsafe fn fill<T: Copy, const EACH: usize>(value: *const T, to: *mut T) {
///     for i in 0..EACH {
///         // SAFETY: the caller's promise.
///         unsafe { *to.add(EACH * (32 * device::block_index().0 + device::thread_index()) + i) = *value }
///     }
/// }
/// assert_eq!(fill::<f32, 4>::THREADS, 32);
/// let mut to = [0_u8; 512];
/// // SAFETY: 32 * 16 bytes.
/// unsafe { layout_nvidia::host::launch::<fill<u8, 16>>((1, 1), (&[7_u8][..], &mut to[..])) };
/// assert_eq!(to, [7; 512]);
/// ```
///
/// # Errors
/// A kernel is an `unsafe fn` with a body, without lifetimes, `async` and `self`; it returns
/// nothing or `Result<(), Trap>`. Each mistake has a message:
///
/// ```compile_fail
/// # use layout_algebra::prelude::*;
/// # use layout_nvidia::device::kernel;
/// #[kernel(threads = Layout!(32))] // `fill` is generic, and a program for the device has no types left open: ..
/// unsafe fn fill<T>(to: *mut T) {}
/// ```
pub use layout_nvidia_macros::kernel;

// Programs that `layout-nvidia-build` makes do not define a panic handler.
#[cfg(all(target_arch = "nvptx64", layout_nvidia_build))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // `layout-nvidia-build` reports a program that has this name, and makes it end the kernel.
    unsafe extern "C" {
        fn a_panic_can_be_reached() -> !;
    }
    // SAFETY: it ends the kernel.
    unsafe { a_panic_can_be_reached() }
}

mod block_size;
#[doc(hidden)]
pub use block_size::check_block;
