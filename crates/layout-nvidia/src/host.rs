//! Kernels on the CPU: the blocks of a grid one after the other, each with its threads and its
//! shared memory, so that what is written for a GPU can be tested without one.

use std::ops::Range;
use std::sync::Arc;

use layout_algebra::tensor::Watch;
use layout_instructions::block::{
    Grid, LaunchRecord, check_copy, check_slice, check_vector, run_block,
};
pub use layout_instructions::host::{execute_threads, run_threads, sync_threads};

use crate::device::{Entry, Outcome, ParameterValue};

/// Runs a kernel on the CPU: all blocks of a grid one after the other, each with its threads and
/// shared memory of its own. The same function as on the device, with the instructions of warps as
/// their layouts say; a thread of the device is one of the operating system here, so it is for
/// small sizes and for tests.
///
/// What stands for a pointer is a slice, mutable if the pointer is. The blocks of a grid are said
/// as [`Blocks`] are: `(2, 1)`, or `(2, 1, 3)`.
///
/// # Panics
/// If a thread panics, or stops the kernel ([`device::trap`](crate::device::trap)): once, with what
/// the first such thread says. And if an operation of more threads than a block has was asked for
/// the slices of some of them alone.
///
/// # Safety
/// The kernel's own contract: its sizes are those of the memory that it is given.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_nvidia::device::{self, SharedTile, SharedTiles, kernel};
/// use layout_nvidia::host;
/// type Shared = (SharedTile<u32, Layout!(64)>,);
/// /// Turns each block of 64 elements around.
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
    /// What threads of the operating system take with them.
    struct Sent<P>(P);
    // SAFETY: numbers and pointers of a kernel; that its threads may follow them at the same time
    // is the caller's promise.
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

/// The blocks of a grid along one, two or three modes: a number, a pair, three numbers.
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

/// `A: HostArgument<P>`: what may be given on the CPU for a parameter of the type `P`: the number,
/// and for a pointer a slice of what it points to.
///
/// # Safety
/// A pointer leads to memory that `self` borrows, to be written if the pointer is mutable, until
/// the launch is over.
#[diagnostic::on_unimplemented(
    message = "a parameter `{P}` of a kernel is not given `{Self}`",
    label = "on the CPU for `*const T` a `&[T]`, for `*mut T` a `&mut [T]`, for a number that \
             number"
)]
pub unsafe trait HostArgument<P> {
    /// The parameter.
    fn into_parameter(self) -> P;
    /// Where the memory that it leads to begins and ends.
    #[doc(hidden)]
    fn memory_range(&self) -> Option<Range<usize>> {
        None
    }
}
/// Where a slice begins and ends.
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
// SAFETY: the slice's memory, lent to be read.
unsafe impl<T> HostArgument<*const T> for &[T] {
    fn into_parameter(self) -> *const T {
        self.as_ptr()
    }
    fn memory_range(&self) -> Option<Range<usize>> {
        slice_range(self)
    }
}
// SAFETY: the slice's memory, lent to be written.
unsafe impl<T> HostArgument<*mut T> for &mut [T] {
    fn into_parameter(self) -> *mut T {
        self.as_mut_ptr()
    }
    fn memory_range(&self) -> Option<Range<usize>> {
        slice_range(self)
    }
}
/// `A: HostArguments<P>`: the tuple `A` may be given on the CPU for the parameters `P`, one for
/// one.
///
/// # Safety
/// `into_parameters` gives for each parameter what [`HostArgument`] gives.
pub unsafe trait HostArguments<P> {
    /// The parameters.
    fn into_parameters(self) -> P;
    /// Where the memory of each slice begins and ends.
    #[doc(hidden)]
    fn memory_ranges(&self, to: &mut Vec<Range<usize>>);
}
macro_rules! given {
    ($($argument:ident $parameter:ident $number:tt;)*) => { given! { @ [] $($argument $parameter $number;)* } };
    (@ [$($a:ident $p:ident $n:tt;)*] $argument:ident $parameter:ident $number:tt; $($rest:tt)*) => {
        // SAFETY: one for one.
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
// SAFETY: there is no parameter.
unsafe impl HostArguments<()> for () {
    fn into_parameters(self) {}
    fn memory_ranges(&self, _: &mut Vec<Range<usize>>) {}
}
given! { A P 0; B Q 1; C R 2; D S 3; E T 4; F U 5; G V 6; H W 7; I X 8; J Y 9; K Z 10; }
