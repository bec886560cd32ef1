//! How a space of memory is reached: on a CPU, and but for shared memory on a GPU too, as behind any pointer.
//!
//! ```text
//! place    what a tile holds: a pointer; in a GPU's shared memory its 32-bit address there
//! generic  the pointer that a reference is made of
//! ```
//!
//! A GPU has instructions for its shared memory, which take addresses of 32 bits. LLVM finds out by itself what lies in
//! global memory, for there all pointers come from arguments of the kernel; of shared memory it does not.

#[cfg(target_arch = "nvptx64")]
use core::arch::asm;
#[cfg(target_arch = "nvptx64")]
use core::mem::{MaybeUninit, transmute_copy};

use crate::tensor::space::{Anywhere, Generic, Global, Registers, Shared};

/// Ends a kernel with an error.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub(crate) fn stop() -> ! {
    // SAFETY: nothing is executed behind it.
    unsafe { asm!("trap;", options(noreturn, nomem, nostack)) }
}

/// The ways into a space of memory. Only this crate has some.
pub trait Machine: Sized {
    /// The place of what a generic pointer leads to.
    #[doc(hidden)]
    #[inline(always)]
    fn place<T>(generic: *mut T) -> *mut T {
        generic
    }
    /// The generic pointer to a place.
    #[doc(hidden)]
    #[inline(always)]
    fn generic<T>(place: *mut T) -> *mut T {
        place
    }
    /// Reads what lies at a place.
    ///
    /// # Safety
    /// It may be read, and is aligned for `T`.
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn load<T: Copy>(place: *const T) -> T {
        // SAFETY: the caller's promise.
        unsafe { *place }
    }
    /// Writes to a place.
    ///
    /// # Safety
    /// It may be written, and is aligned for `T`.
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn store<T: Copy>(place: *mut T, value: T) {
        // SAFETY: the caller's promise.
        unsafe { *place = value }
    }
}
impl Machine for Registers {}
impl Machine for Global {}
impl Machine for Generic {}
impl Machine for Anywhere {}

#[cfg(not(target_arch = "nvptx64"))]
impl Machine for Shared {}

#[cfg(target_arch = "nvptx64")]
impl Machine for Shared {
    #[inline(always)]
    fn place<T>(generic: *mut T) -> *mut T {
        let place: u64;
        // SAFETY: computes one number of another one.
        unsafe {
            asm!("cvta.to.shared.u64 {place}, {generic};", place = lateout(reg64) place, generic = in(reg64) generic,
                options(pure, nomem, nostack, preserves_flags));
        }
        place as u32 as usize as *mut T
    }
    #[inline(always)]
    fn generic<T>(place: *mut T) -> *mut T {
        let generic: u64;
        // SAFETY: computes one number of another one.
        unsafe {
            asm!("cvta.shared.u64 {generic}, {place};", generic = lateout(reg64) generic,
                place = in(reg64) place.addr() as u32 as u64, options(pure, nomem, nostack, preserves_flags));
        }
        generic as usize as *mut T
    }
    #[inline(always)]
    unsafe fn load<T: Copy>(place: *const T) -> T {
        let address = place.addr() as u32;
        macro_rules! load {
            ($text:literal, $class:ident: $($word:ident)*, $type:ty) => {{
                $(let $word: $type;)*
                asm!($text, $($word = lateout($class) $word,)* address = in(reg32) address,
                    options(readonly, nostack, preserves_flags));
                transmute_copy(&[$($word),*])
            }};
        }
        // SAFETY: the caller's promise; of as many bytes as `T` has every value is made of what lies there.
        unsafe {
            match size_of::<T>() {
                16 => load!("ld.shared.v4.b32 {{{a}, {b}, {c}, {d}}}, [{address}];", reg32: a b c d, MaybeUninit<u32>),
                8 => load!("ld.shared.v2.b32 {{{a}, {b}}}, [{address}];", reg32: a b, MaybeUninit<u32>),
                4 => load!("ld.shared.b32 {a}, [{address}];", reg32: a, MaybeUninit<u32>),
                2 => load!("ld.shared.b16 {a}, [{address}];", reg16: a, MaybeUninit<u16>),
                _ => *Self::generic(place.cast_mut()),
            }
        }
    }
    #[inline(always)]
    unsafe fn store<T: Copy>(place: *mut T, value: T) {
        let address = place.addr() as u32;
        macro_rules! store {
            ($text:literal, $class:ident: $($word:ident)*, $type:ty) => {{
                let [$($word),*]: [$type; [$(stringify!($word)),*].len()] = transmute_copy(&value);
                asm!($text, $($word = in($class) $word,)* address = in(reg32) address,
                    options(nostack, preserves_flags));
            }};
        }
        // SAFETY: the caller's promise; as many bytes as `T` has are written.
        unsafe {
            match size_of::<T>() {
                16 => store!("st.shared.v4.b32 [{address}], {{{a}, {b}, {c}, {d}}};", reg32: a b c d, MaybeUninit<u32>),
                8 => store!("st.shared.v2.b32 [{address}], {{{a}, {b}}};", reg32: a b, MaybeUninit<u32>),
                4 => store!("st.shared.b32 [{address}], {a};", reg32: a, MaybeUninit<u32>),
                2 => store!("st.shared.b16 [{address}], {a};", reg16: a, MaybeUninit<u16>),
                _ => *Self::generic(place) = value,
            }
        }
    }
}
