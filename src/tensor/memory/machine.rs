//! How a space of memory is reached: as through an ordinary pointer, except for the shared memory
//! of a GPU.
//!
//! ```text
//! place    what a tile holds: a pointer; in a GPU's shared memory its 32-bit address there
//! generic  the pointer that a reference is made of
//! ```
//!
//! A GPU has instructions for its shared memory, which take addresses of 32 bits. LLVM itself
//! recognises global memory, because all pointers to it come from arguments of the kernel; it does
//! not recognise shared memory.

#[cfg(target_arch = "nvptx64")]
use core::arch::asm;
#[cfg(target_arch = "nvptx64")]
use core::mem::{MaybeUninit, transmute_copy};
use core::{
    any::{TypeId, type_name},
    panic::Location,
    ptr,
    sync::atomic::{AtomicPtr, Ordering::Relaxed},
};

use crate::layout::flat::FlatLayout;
use crate::tensor::space::{Global, Shared, Space};

/// Who is told what happens where kernels run on the CPU.
#[doc(hidden)]
pub struct Watch {
    /// The place and the bytes of a vector in memory that stands for a GPU's: on the GPU it would
    /// have to lie at a multiple of its size.
    pub vector: fn(usize, usize),
    /// The type of a tiled operation, its threads, the thread whose slice is asked for, and where.
    pub slice: fn(&'static str, usize, usize, &'static Location<'static>),
    /// Values of a fragment that are copied to memory or, afterwards, from there.
    pub copy: fn(&CopiedFragment<'_>),
}
/// What a tiled copy has done with a fragment, or is going to: the names of the types of its tile,
/// of the elements and of the fragment's layout, `(thread, value) -> element` of the tile, and where
/// each value lies. Only `copy` makes one, of a fragment that it has borrowed.
#[doc(hidden)]
pub struct CopiedFragment<'t> {
    pub asked: &'static Location<'static>,
    pub names: [&'static str; 3],
    pub order: FlatLayout,
    pub is_read: bool,
    pub(crate) value: &'t dyn Fn(usize) -> Option<*const u8>,
}
impl CopiedFragment<'_> {
    pub fn value(&self, number: usize) -> Option<*const u8> {
        (self.value)(number)
    }
}
static WATCH: AtomicPtr<Watch> = AtomicPtr::new(ptr::null_mut());
#[doc(hidden)]
pub fn watch_kernels(watch: &'static Watch) {
    WATCH.store(ptr::from_ref(watch).cast_mut(), Relaxed);
}
/// Nobody watches on a GPU, where nothing is left of this.
#[inline(always)]
pub(crate) fn watch() -> Option<&'static Watch> {
    if cfg!(target_arch = "nvptx64") {
        return None;
    }
    // SAFETY: it is null, or what `watch_kernels` has stored, a reference for ever.
    unsafe { WATCH.load(Relaxed).as_ref() }
}
/// Whether the space is one that stands for a GPU's memory.
#[inline(always)]
pub(crate) fn is_of_a_gpu<P: Space>() -> bool {
    [TypeId::of::<Global>(), TypeId::of::<Shared>()].contains(&TypeId::of::<P>())
}
/// Tells of a thread that asks for its slice of the operation `O`. With debug assertions alone: no
/// type says here that the code is a kernel's, and other code pays for nothing.
#[inline(always)]
#[track_caller]
pub(crate) fn tell_slice<O>(threads: usize, thread: usize) {
    if let Some(watch) = cfg!(debug_assertions).then(watch).flatten() {
        (watch.slice)(type_name::<O>(), threads, thread, Location::caller());
    }
}
/// Tells of a vector.
#[inline(always)]
pub(super) fn tell<P: Space>(place: usize, bytes: usize) {
    if let Some(watch) = is_of_a_gpu::<P>().then(watch).flatten() {
        (watch.vector)(place, bytes);
    }
}

// `Space` is sealed, so that what it says of itself is what this crate says: `PLAIN` where a place
// is a pointer like any other. In the shared memory of a GPU, the one space where it is not, all of
// this is known when the program is built.

/// The place that a generic pointer points to.
#[inline(always)]
#[allow(clippy::extra_unused_type_parameters, reason = "only a GPU asks for the space")]
pub(super) fn place<P: Space, T>(pointer: *mut T) -> *mut T {
    #[cfg(target_arch = "nvptx64")]
    if const { !P::PLAIN } {
        let place: u64;
        // SAFETY: converts a number, and touches no memory.
        unsafe {
            asm!("cvta.to.shared.u64 {place}, {generic};", place = lateout(reg64) place, generic = in(reg64) pointer,
                options(pure, nomem, nostack, preserves_flags));
        }
        return place as u32 as usize as *mut T;
    }
    pointer
}

/// The generic pointer to a place.
#[inline(always)]
#[allow(clippy::extra_unused_type_parameters, reason = "only a GPU asks for the space")]
pub(super) fn generic<P: Space, T>(place: *mut T) -> *mut T {
    #[cfg(target_arch = "nvptx64")]
    if const { !P::PLAIN } {
        let generic: u64;
        // SAFETY: converts a number, and touches no memory.
        unsafe {
            asm!("cvta.shared.u64 {generic}, {place};", generic = lateout(reg64) generic,
                place = in(reg64) place.addr() as u32 as u64, options(pure, nomem, nostack, preserves_flags));
        }
        return generic as usize as *mut T;
    }
    place
}

/// Reads what lies at a place.
///
/// # Safety
/// It may be read, and is aligned for `T`.
#[inline(always)]
pub(super) unsafe fn load<P: Space, T: Copy>(place: *const T) -> T {
    #[cfg(target_arch = "nvptx64")]
    if const { !P::PLAIN } {
        let address = place.addr() as u32;
        macro_rules! load {
            ($text:literal, $class:ident: $($word:ident)*, $type:ty) => {{
                $(let $word: $type;)*
                asm!($text, $($word = lateout($class) $word,)* address = in(reg32) address,
                    options(readonly, nostack, preserves_flags));
                transmute_copy(&[$($word),*])
            }};
        }
        // SAFETY: the caller's promise; of as many bytes as `T` has every value is made of what
        // lies there.
        return unsafe {
            match size_of::<T>() {
                16 => {
                    load!("ld.shared.v4.b32 {{{a}, {b}, {c}, {d}}}, [{address}];", reg32: a b c d, MaybeUninit<u32>)
                }
                8 => {
                    load!("ld.shared.v2.b32 {{{a}, {b}}}, [{address}];", reg32: a b, MaybeUninit<u32>)
                }
                4 => load!("ld.shared.b32 {a}, [{address}];", reg32: a, MaybeUninit<u32>),
                2 => load!("ld.shared.b16 {a}, [{address}];", reg16: a, MaybeUninit<u16>),
                _ => *generic::<P, T>(place.cast_mut()),
            }
        };
    }
    // SAFETY: the caller's promise.
    unsafe { *generic::<P, T>(place.cast_mut()) }
}

/// Writes to a place.
///
/// # Safety
/// It may be written, and is aligned for `T`.
#[inline(always)]
pub(super) unsafe fn store<P: Space, T: Copy>(place: *mut T, value: T) {
    #[cfg(target_arch = "nvptx64")]
    if const { !P::PLAIN } {
        let address = place.addr() as u32;
        macro_rules! store {
            ($text:literal, $class:ident: $($word:ident)*, $type:ty) => {{
                let [$($word),*]: [$type; [$(stringify!($word)),*].len()] = transmute_copy(&value);
                asm!($text, $($word = in($class) $word,)* address = in(reg32) address,
                    options(nostack, preserves_flags));
            }};
        }
        // SAFETY: the caller's promise; as many bytes as `T` has are written.
        return unsafe {
            match size_of::<T>() {
                16 => {
                    store!("st.shared.v4.b32 [{address}], {{{a}, {b}, {c}, {d}}};", reg32: a b c d, MaybeUninit<u32>)
                }
                8 => {
                    store!("st.shared.v2.b32 [{address}], {{{a}, {b}}};", reg32: a b, MaybeUninit<u32>)
                }
                4 => store!("st.shared.b32 [{address}], {a};", reg32: a, MaybeUninit<u32>),
                2 => store!("st.shared.b16 [{address}], {a};", reg16: a, MaybeUninit<u16>),
                _ => *generic::<P, T>(place) = value,
            }
        };
    }
    // SAFETY: the caller's promise.
    unsafe { *generic::<P, T>(place) = value }
}
