//! The entry of a kernel: a function that the host launches.

/// A kernel, as host and device know it: `#[kernel]` makes a type of the function's name that has
/// it.
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
/// Blocks of `run_thread` are made for `THREADS` threads and reach `SHARED` bytes of dynamic shared
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
    /// The kernel, as one thread runs it.
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
    /// The end of a kernel. There is no error to look at: see [`Trap`](crate::device::Trap).
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

/// The types of a kernel's parameters: a number, or a pointer to memory of the device.
///
/// # Safety
/// It is the same bytes on the host and on the device; or the device has their address, and
/// `IN_PLACE` says how many they are.
#[diagnostic::on_unimplemented(
    message = "a kernel is given numbers and pointers, `u32` or `*const f32`: not `{Self}`",
    label = "sizes and pointers are parameters, and the kernel makes tensors of them"
)]
pub unsafe trait ParameterValue: Copy {
    /// Of an address on the device, the bytes of the parameter that it is the address of, if there
    /// are any: the parameter is these bytes then, and not the address.
    const IN_PLACE: usize = 0;
}
macro_rules! passed {
    ($($number:ty)*) => {$(
        // SAFETY: a number of fixed size; those of the host and of the device have one order of
        // bytes.
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
/// `BYTES` has for each type how many bytes it takes as a parameter.
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
        // SAFETY: there is no parameter.
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
    // The last parameter of a tuple, and of all tuples that are longer.
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

/// Tells `crates/layout-nvidia/build` that a parameter is bytes, of which the kernel gets the
/// address: CUDA's `__grid_constant__`. It changes the head, and the line that would read an
/// address.
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

/// What a launch knows of an instance of a kernel, where there is a host's side. On each side an
/// instance keeps to the bounds of its kernel, and its blocks can be launched.
#[doc(hidden)]
#[macro_export]
#[cfg(all(not(target_arch = "nvptx64"), feature = "launch"))]
macro_rules! describe_instance {
    ($instance:ty, $name:literal) => {
        // SAFETY: the name is that of the entry, made by the same macro.
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

/// Tells `crates/layout-nvidia/build` how many threads a block has, which it writes into the
/// kernel's head: the compiler of PTX gives a thread the more registers, the fewer threads there
/// may be. rustc has no word for it.
///
/// And tells rustc that there are no others, so that a thread is not asked for its number again. A
/// question that some threads of a warp might answer differently would cost more than itself: after
/// it the compiler of PTX keeps in every thread what else a warp has once.
#[doc(hidden)]
#[macro_export]
macro_rules! launch_bounds {
    ($threads:expr) => {
        // SAFETY: a comment.
        unsafe {
            ::core::arch::asm!("// maxntid {}", const $threads, options(nomem, nostack, preserves_flags));
        }
        // SAFETY: a launch with more threads than the head says is refused.
        unsafe {
            ::core::hint::assert_unchecked($crate::device::thread_index() < $threads);
        }
    };
}
