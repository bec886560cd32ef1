//! The entry of a kernel: a function that the host launches.

/// Kernels: functions for the device, and for the host types that say how they are launched. (The host's compiler does
/// not see the body.) Where a kernel that returns a `Result` has an error, it is over, with an error of the device:
/// [`Ended`](crate::device::Ended).
///
#[cfg_attr(feature = "launch", doc = "```")]
#[cfg_attr(not(feature = "launch"), doc = "```ignore")]
/// use layout_algebra::prelude::*;
/// use layout_nvidia::{device::Ended, kernel, launch::Kernel};
/// kernel! {
///     /// Writes a number.
///     ///
///     /// # Safety
///     /// There is memory for one number.
///     pub fn answer(to: *mut f32) -> Result<(), Ended>
///     threads: Layout!(32), shared: ();
///     {
///         // SAFETY: the caller's promise.
///         let mut to = unsafe { Tensor::from_global(to, layout!((1, 4))) };
///         to.local_tile_mut(tiler!(1, 1), (0, 3))?.fill(42.0);
///         Ok(())
///     }
/// }
/// assert_eq!((answer::NAME, answer::THREADS, answer::SHARED), ("answer", 32, 0));
/// ```
#[macro_export]
macro_rules! kernel {
    ($($(#[$doc:meta])* pub fn $name:ident($($parameter:ident: $type:ty),* $(,)?) $(-> Result<(), $ended:ident>)?
        threads: $threads:ty, shared: $shared:ty; $body:block)*) => {$(
        $(#[$doc])*
        #[cfg(target_arch = "nvptx64")]
        #[unsafe(no_mangle)]
        pub unsafe extern "ptx-kernel" fn $name($($parameter: $type),*) {
            $crate::launch_bounds!($threads);
            $crate::run_kernel!([$($ended)?] $body);
        }

        $(#[$doc])*
        #[cfg(not(target_arch = "nvptx64"))]
        #[allow(non_camel_case_types, reason = "the name of the kernel")]
        #[derive(Clone, Copy, Debug)]
        pub struct $name {}
        $crate::describe_kernel!($name ($($type),*) $threads, $shared);
    )*};
}

/// What the host knows of a kernel, where there is a host's side.
#[doc(hidden)]
#[macro_export]
#[cfg(all(not(target_arch = "nvptx64"), feature = "launch"))]
macro_rules! describe_kernel {
    ($name:ident ($($type:ty),*) $threads:ty, $shared:ty) => {
        // SAFETY: the name, the parameters and the layouts are those of the kernel, made by the same macro.
        unsafe impl $crate::launch::Kernel for $name {
            const NAME: &'static str = stringify!($name);
            const THREADS: usize = <$threads as $crate::layout_algebra::StaticLayout>::SIZE;
            const SHARED: usize = <$shared as $crate::device::SharedTiles>::BYTES;
            type Parameters = ($($type,)*);
        }
    };
}
#[doc(hidden)]
#[macro_export]
#[cfg(not(all(not(target_arch = "nvptx64"), feature = "launch")))]
macro_rules! describe_kernel {
    ($($kernel:tt)*) => {};
}

/// The body of a kernel.
#[doc(hidden)]
#[macro_export]
macro_rules! run_kernel {
    ([] $body:block) => {
        $body
    };
    ([$ended:ident] $body:block) => {
        // Not called: what it has of the parameters stays in registers.
        let body = #[inline(always)]
        move || -> ::core::result::Result<(), $ended> { $body };
        match body() {
            Ok(()) => {}
            Err(ended) => match ended {},
        }
    };
}

/// Tells `crates/layout-nvidia/build` how many threads a block has, which it writes into the kernel's head: the compiler
/// of PTX gives a thread the more registers, the fewer threads there may be. rustc has no word for it.
///
/// And tells rustc that there are no others, so that a thread is not asked for its number again. A question that some
/// threads of a warp might answer differently would cost more than itself: after it the compiler of PTX keeps in every
/// thread what else a warp has once.
#[doc(hidden)]
#[macro_export]
macro_rules! launch_bounds {
    ($threads:ty) => {
        // SAFETY: a comment.
        unsafe {
            core::arch::asm!("// maxntid {}", const <$threads as $crate::layout_algebra::StaticLayout>::SIZE,
                options(nomem, nostack, preserves_flags));
        }
        // SAFETY: a launch with more threads than the head says is refused.
        unsafe {
            ::core::hint::assert_unchecked(
                $crate::device::thread() < <$threads as $crate::layout_algebra::StaticLayout>::SIZE,
            );
        }
    };
}
pub use launch_bounds;
