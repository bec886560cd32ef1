//! The entry of a kernel: a function that the host launches.

/// A kernel, for host and device: `#[kernel]` makes a type of the function's name that implements
/// this.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_nvidia::device::{self, Entry, kernel};
/// /// Writes the number of each thread.
/// ///
/// /// # Safety
/// /// There is memory for 32 elements.
/// #[kernel(threads = Layout!(32))]
/// pub unsafe fn count(to: *mut u32) {
///     // SAFETY: the caller's promise; each thread writes its own number.
///     unsafe { to.add(device::thread_index()).write(device::thread_index() as u32) }
/// }
/// assert_eq!((count::THREADS, count::SHARED), (32, 0));
/// ```
///
/// # Safety
/// `run_thread` is for blocks of `THREADS` threads, and reaches `SHARED` bytes of dynamic shared
/// memory.
pub unsafe trait Entry {
    /// The threads of a block.
    const THREADS: usize;
    /// The bytes of dynamic shared memory of a block.
    const SHARED: usize;
    /// The types of the parameters: `(u32, *const f32, *mut f32)`.
    type Parameters: Parameters;
    /// The type that the kernel returns: `()`, or `Result<(), Trap>`.
    type Outcome: Outcome;
    /// Runs the kernel as one thread.
    ///
    /// # Safety
    /// The kernel's own contract.
    unsafe fn run_thread(parameters: Self::Parameters) -> Self::Outcome;
}

/// The types that a kernel may return.
#[diagnostic::on_unimplemented(
    message = "a kernel returns nothing, or `Result<(), Trap>`: nobody is there to take `{Self}`",
    label = "what it computes, it writes to memory that it is given, `to: *mut f32`"
)]
pub trait Outcome {
    /// Ends the thread. There is no error to look at: see [`Trap`](crate::device::Trap).
    fn end_thread(self);
}
impl Outcome for () {
    #[inline(always)]
    fn end_thread(self) {}
}
impl Outcome for Result<(), crate::device::Trap> {
    #[inline(always)]
    fn end_thread(self) {
        let Ok(()) = self;
    }
}

/// The type of a kernel's parameter: a number, or a pointer to memory of the device.
///
/// # Safety
/// A value has the same bytes on the host and on the device; or the device has its address, and
/// `IN_PLACE` is the number of bytes.
#[diagnostic::on_unimplemented(
    message = "a kernel is given numbers and pointers, `u32` or `*const f32`: not `{Self}`",
    label = "sizes and pointers are parameters, and the kernel makes tensors of them"
)]
pub unsafe trait ParameterValue: Copy {
    /// If the parameter is an address on the device, the number of bytes at this address, which are
    /// the parameter on the host; otherwise 0.
    const IN_PLACE: usize = 0;
}
macro_rules! passed {
    ($($number:ty)*) => {$(
        // SAFETY: a number of fixed size, with the same byte order on the host and on the device.
        unsafe impl ParameterValue for $number {}
    )*};
}
passed! { i8 u8 i16 u16 i32 u32 i64 u64 isize usize f32 f64 half::f16 half::bf16 }
// SAFETY: an address of 64 bits on both sides.
unsafe impl<T> ParameterValue for *const T {}
// SAFETY: as above.
unsafe impl<T> ParameterValue for *mut T {}

/// The types of all parameters of a kernel, as a tuple.
///
/// # Safety
/// `BYTES` has the size of each parameter.
pub unsafe trait Parameters: Copy {
    /// The bytes of each parameter.
    const BYTES: &'static [usize];
}
/// The bytes of a parameter.
const fn parameter_bytes<P: ParameterValue>() -> usize {
    if P::IN_PLACE > 0 { P::IN_PLACE } else { size_of::<P>() }
}
/// `P: Parameter<N>`: the type of parameter `N` of the tuple `P`.
pub trait Parameter<const N: usize> {
    /// The type.
    type Type;
}
macro_rules! parameters {
    ($($parameter:ident $number:literal;)*) => {
        // SAFETY: no parameters.
        unsafe impl Parameters for () {
            const BYTES: &'static [usize] = &[];
        }
        parameters! { @ [] $($parameter $number;)* }
    };
    (@ [$($before:ident)*] $parameter:ident $number:literal; $($rest:tt)*) => {
        // SAFETY: one number for each type, in order.
        unsafe impl<$($before: ParameterValue,)* $parameter: ParameterValue> Parameters for ($($before,)* $parameter,) {
            const BYTES: &'static [usize] = &[$(parameter_bytes::<$before>(),)* parameter_bytes::<$parameter>()];
        }
        parameters! { $parameter $number: [$($before)*] [$($rest)*] }
        parameters! { @ [$($before)* $parameter] $($rest)* }
    };
    (@ [$($all:ident)*]) => {};
    // The last parameter of a tuple, and of all longer tuples.
    ($parameter:ident $number:literal: [$($before:ident)*] [$($next:ident $at:literal;)*]) => {
        impl<$($before,)* $parameter> Parameter<$number> for ($($before,)* $parameter,) {
            type Type = $parameter;
        }
        parameters! { $parameter $number: [$($before)*] then [] [$($next)*] }
    };
    ($parameter:ident $number:literal: [$($before:ident)*] then [$($behind:ident)*] [$next:ident $($rest:ident)*]) => {
        impl<$($before,)* $parameter, $($behind,)* $next> Parameter<$number>
            for ($($before,)* $parameter, $($behind,)* $next,)
        {
            type Type = $parameter;
        }
        parameters! { $parameter $number: [$($before)*] then [$($behind)* $next] [$($rest)*] }
    };
    ($parameter:ident $number:literal: [$($before:ident)*] then [$($behind:ident)*] []) => {};
}
parameters! { A 0; B 1; C 2; D 3; E 4; F 5; G 6; H 7; I 8; J 9; K 10; }

/// Tells `crates/layout-nvidia/build` that a parameter is bytes whose address the kernel gets:
/// CUDA's `__grid_constant__`. The build changes the head, and the line that would load an address.
#[doc(hidden)]
#[macro_export]
macro_rules! in_place {
    ($number:literal, $parameter:ty) => {
        if const { <$parameter as $crate::device::ParameterValue>::IN_PLACE > 0 } {
            // SAFETY: a comment.
            unsafe {
                ::core::arch::asm!("// in place {} {}", const $number, const <$parameter as $crate::device::ParameterValue>::IN_PLACE,
                    options(nomem, nostack, preserves_flags));
            }
        }
    };
}

/// The host's description of an instance of a kernel. On both sides an instance satisfies the
/// bounds of its kernel, and its blocks can be launched.
#[doc(hidden)]
#[macro_export]
#[cfg(all(not(target_arch = "nvptx64"), feature = "launch"))]
macro_rules! describe_instance {
    ($instance:ty, $name:literal) => {
        // SAFETY: the name is the entry's, made by the same macro.
        unsafe impl $crate::launch::EntryName for $instance {
            const NAME: &'static str = $name;
        }
        $crate::launchable!($instance, $crate::launch::EntryName);
    };
}
#[doc(hidden)]
#[macro_export]
#[cfg(not(all(not(target_arch = "nvptx64"), feature = "launch")))]
macro_rules! describe_instance {
    ($instance:ty, $name:literal) => {
        $crate::launchable!($instance, $crate::device::Entry);
    };
}
/// Stops the build unless the instance has the bound, and a GPU launches its blocks.
#[doc(hidden)]
#[macro_export]
macro_rules! launchable {
    ($instance:ty, $bound:path) => {
        const _: () = {
            const fn check_kernel<E: $bound>() {
                $crate::device::check_block(E::THREADS, E::SHARED)
            }
            check_kernel::<$instance>()
        };
    };
}

/// Tells `crates/layout-nvidia/build` the threads of a block, for the kernel's head: ptxas gives a
/// thread more registers if a block has fewer threads. rustc has no attribute for this.
///
/// It also tells rustc that thread indices are below this number, so that the index of a thread
/// needs no check. A check that may differ among the threads of a warp costs more than itself:
/// after it, ptxas keeps in every thread values that a warp would otherwise have once.
#[doc(hidden)]
#[macro_export]
macro_rules! launch_bounds {
    ($threads:expr) => {
        // SAFETY: a comment.
        unsafe {
            ::core::arch::asm!("// maxntid {}", const $threads, options(nomem, nostack, preserves_flags));
        }
        // SAFETY: a launch with more threads than in the head is refused.
        unsafe {
            ::core::hint::assert_unchecked($crate::device::thread_index() < $threads);
        }
    };
}
