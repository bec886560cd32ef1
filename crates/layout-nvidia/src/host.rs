//! Kernels on the CPU: the blocks of a grid run in turn, each with its threads and its shared
//! memory, for testing GPU code without a GPU.

use std::ops::Range;
use std::sync::Arc;

use layout_algebra::tensor::Watch;
use layout_instructions::block::{
    Grid, LaunchRecord, check_copy, check_slice, check_vector, run_block,
};
pub use layout_instructions::host::{execute_threads, run_threads, sync_threads};

use crate::device::{Entry, Outcome, ParameterValue};

/// Runs a kernel on the CPU: the blocks of a grid in turn, each with its own threads and shared
/// memory. The function is the same as on the device, warp instructions compute what their layouts
/// say, and a thread of the device is a thread of the operating system: for small sizes and for
/// tests.
///
/// The argument for a pointer is a slice, mutable if the pointer is. The grid is given as
/// [`Blocks`]: `(2, 1)`, or `(2, 1, 3)`.
///
/// # Panics
/// If a thread panics, or stops the kernel ([`device::trap`](crate::device::trap)): once, with the
/// message of the first such thread. Also if only some threads of an operation with more threads
/// than a block requested their slices.
///
/// # Safety
/// The kernel's own contract: its sizes are those of the memory in the arguments.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_nvidia::device::{self, SharedTile, SharedTiles, kernel};
/// use layout_nvidia::host;
/// type Shared = (SharedTile<u32, Layout!(64)>,);
/// /// Reverses each block of 64 elements.
/// ///
/// /// # Safety
/// /// There are 64 elements for each block.
/// #[kernel(threads = Layout!(64), shared = Shared)]
/// pub unsafe fn turn(numbers: *mut u32) {
///     let i = device::thread_index();
///     // SAFETY: the caller's promise; what is read was written before the barrier.
///     unsafe {
///         let number = numbers.add(64 * device::block_index().0 + i);
///         let (mut shared,) = Shared::make_tensors();
///         shared[i] = *number;
///         device::sync_threads();
///         *number = shared[63 - i];
///     }
/// }
/// let mut numbers: Vec<u32> = (0..128).collect();
/// // SAFETY: two blocks, 128 elements.
/// unsafe { host::launch::<turn>((2, 1), (&mut numbers[..],)) };
/// assert!(numbers.iter().copied().eq((0..64).rev().chain((64..128).rev())));
/// ```
#[track_caller]
pub unsafe fn launch<K: Entry>(
    blocks: impl Into<Blocks>,
    arguments: impl HostArguments<K::Parameters>,
) {
    /// Parameters that are sent to other threads.
    struct Sent<P>(P);
    // SAFETY: numbers and pointers of a kernel; the caller promises that threads may use the
    // pointers concurrently.
    unsafe impl<P> Sync for Sent<P> {}
    impl<P: Copy> Sent<P> {
        fn sent_value(&self) -> P {
            self.0
        }
    }
    static WATCH: Watch = Watch { vector: check_vector, slice: check_slice, copy: check_copy };
    layout_algebra::tensor::watch_kernels(&WATCH);
    let mut record = LaunchRecord::default();
    arguments.memory_ranges(&mut record.given);
    let (parameters, record) = (Sent(arguments.into_parameters()), Arc::new(record));
    let Blocks(grid) = blocks.into();
    for i in 0..grid.0 * grid.1 * grid.2 {
        let at = (i % grid.0, i / grid.0 % grid.1, i / grid.0 / grid.1);
        run_block(K::THREADS, (at, grid), K::SHARED, &record, |_| {
            // SAFETY: the caller's promise.
            unsafe { K::run_thread(parameters.sent_value()) }.end_thread();
        });
    }
    if let Some(missing) = record.missing_slices() {
        panic!("{missing}");
    }
}

/// The blocks of a grid along one, two or three dimensions: a number, a pair, three numbers.
///
/// ```
/// use layout_nvidia::host::Blocks;
/// assert_eq!(Blocks::from((2, 3)), Blocks::from((2, 3, 1)));
/// assert_eq!(Blocks::from(2), Blocks::from([2, 1, 1])); // `Launch::grid_blocks` gives an array
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks(Grid);
impl From<usize> for Blocks {
    fn from(x: usize) -> Self {
        Blocks((x, 1, 1))
    }
}
impl From<(usize, usize)> for Blocks {
    fn from((x, y): (usize, usize)) -> Self {
        Blocks((x, y, 1))
    }
}
impl From<Grid> for Blocks {
    fn from(all: Grid) -> Self {
        Blocks(all)
    }
}
impl From<[usize; 3]> for Blocks {
    fn from([x, y, z]: [usize; 3]) -> Self {
        Blocks((x, y, z))
    }
}

/// `A: HostArgument<P>`: a value of type `A` is an argument on the CPU for a parameter of type `P`:
/// a number for a number, a slice for a pointer.
///
/// # Safety
/// A pointer leads to memory that `self` borrows, mutably if the pointer is mutable, until the
/// launch ends.
#[diagnostic::on_unimplemented(
    message = "a parameter `{P}` of a kernel is not given `{Self}`",
    label = "on the CPU for `*const T` a `&[T]`, for `*mut T` a `&mut [T]`, for a number that \
             number"
)]
pub unsafe trait HostArgument<P> {
    /// The parameter.
    fn into_parameter(self) -> P;
    /// The address range of the memory that the parameter points to.
    #[doc(hidden)]
    fn memory_range(&self) -> Option<Range<usize>> {
        None
    }
}
/// The address range of a slice.
fn slice_range<T>(slice: &[T]) -> Option<Range<usize>> {
    let range = slice.as_ptr_range();
    Some(range.start.addr()..range.end.addr())
}
// SAFETY: the parameter itself.
unsafe impl<T: ParameterValue> HostArgument<T> for T {
    fn into_parameter(self) -> T {
        self
    }
}
// SAFETY: the slice's memory, borrowed for reading.
unsafe impl<T> HostArgument<*const T> for &[T] {
    fn into_parameter(self) -> *const T {
        self.as_ptr()
    }
    fn memory_range(&self) -> Option<Range<usize>> {
        slice_range(self)
    }
}
// SAFETY: the slice's memory, borrowed for writing.
unsafe impl<T> HostArgument<*mut T> for &mut [T] {
    fn into_parameter(self) -> *mut T {
        self.as_mut_ptr()
    }
    fn memory_range(&self) -> Option<Range<usize>> {
        slice_range(self)
    }
}
/// `A: HostArguments<P>`: the tuple `A` is a list of arguments on the CPU for the parameters `P`,
/// one for each.
///
/// # Safety
/// `into_parameters` returns for each parameter the result of [`HostArgument`].
pub unsafe trait HostArguments<P> {
    /// The parameters.
    fn into_parameters(self) -> P;
    /// Appends the address range of each slice.
    #[doc(hidden)]
    fn memory_ranges(&self, to: &mut Vec<Range<usize>>);
}
macro_rules! given {
    ($($argument:ident $parameter:ident $number:tt;)*) => { given! { @ [] $($argument $parameter $number;)* } };
    (@ [$($a:ident $p:ident $n:tt;)*] $argument:ident $parameter:ident $number:tt; $($rest:tt)*) => {
        // SAFETY: one argument for each parameter, in order.
        unsafe impl<$($a: HostArgument<$p>, $p,)* $argument: HostArgument<$parameter>, $parameter> HostArguments<($($p,)* $parameter,)>
            for ($($a,)* $argument,)
        {
            fn into_parameters(self) -> ($($p,)* $parameter,) {
                ($(self.$n.into_parameter(),)* self.$number.into_parameter(),)
            }
            fn memory_ranges(&self, to: &mut Vec<Range<usize>>) {
                $(to.extend(self.$n.memory_range());)*
                to.extend(self.$number.memory_range());
            }
        }
        given! { @ [$($a $p $n;)* $argument $parameter $number;] $($rest)* }
    };
    (@ [$($done:tt)*]) => {};
}
// SAFETY: no parameters.
unsafe impl HostArguments<()> for () {
    fn into_parameters(self) {}
    fn memory_ranges(&self, _: &mut Vec<Range<usize>>) {}
}
given! { A P 0; B Q 1; C R 2; D S 3; E T 4; F U 5; G V 6; H W 7; I X 8; J Y 9; K Z 10; }
