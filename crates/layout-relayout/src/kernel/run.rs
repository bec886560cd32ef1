//! Runs nests: the functions compiled for each instruction set, on one thread and on all threads.

#[cfg(feature = "rayon")]
use super::nest::Nest;
use super::nest::{Checked, Inner};
use super::pixels::{APART, PIXELS, pixels};
use super::registers::{self, Bytes, Register};
use super::rows::{elements, fills, listed_elements, rows};
use super::tiles::Tiles;
use super::transposes::{transposes, transposes_by_lists};
use crate::machine::InstructionSet;

/// The kinds of kernels: [`Inner`] as a constant, transposes streamed or not, by lists or not.
const ROWS: u8 = 0;
const FILLS: u8 = 1;
const TRANSPOSE: u8 = 2;
const STREAMED: u8 = 3;
const LISTED: u8 = 4;
const STREAMED_LISTED: u8 = 5;
/// Calls one of the functions that are compiled for an instruction set, one for each kernel. In one
/// function, all kernels would exceed a thread's stack in debug builds, and the optimizer would not
/// keep them apart.
macro_rules! each_kernel {
    ($nest:ident, $from:ident, $to:ident, $compiled:ident) => {
        match ($nest.inner, $nest.stream, $nest.longer.iter().all(Vec::is_empty)) {
            (Inner::Rows { .. }, ..) => $compiled::<ROWS, 16>($nest, $from, $to),
            (Inner::Elements { .. }, ..) => $compiled::<FILLS, 16>($nest, $from, $to),
            (Inner::Transpose { unit, .. }, false, true) => each_kernel!(TRANSPOSE unit $nest, $from, $to, $compiled),
            (Inner::Transpose { unit, .. }, true, true) => each_kernel!(STREAMED unit $nest, $from, $to, $compiled),
            (Inner::Transpose { unit, .. }, false, false) => each_kernel!(LISTED unit $nest, $from, $to, $compiled),
            (Inner::Transpose { unit, .. }, true, false) => {
                each_kernel!(STREAMED_LISTED unit $nest, $from, $to, $compiled)
            }
        }
    };
    ($kind:ident $unit:ident $nest:ident, $from:ident, $to:ident, $compiled:ident) => {
        match $unit {
            1 => $compiled::<$kind, 1>($nest, $from, $to),
            2 => $compiled::<$kind, 2>($nest, $from, $to),
            4 => $compiled::<$kind, 4>($nest, $from, $to),
            8 => $compiled::<$kind, 8>($nest, $from, $to),
            _ => $compiled::<$kind, 16>($nest, $from, $to),
        }
    };
}

/// The same for pixels.
macro_rules! pixel_kernel {
    ($nest:ident, $from:ident, $to:ident, $compiled:ident) => {
        match $nest.channels() {
            Some((2, false)) => pixel_kernel!((PIXELS + 2) $nest, $from, $to, $compiled),
            Some((3, false)) => pixel_kernel!((PIXELS + 3) $nest, $from, $to, $compiled),
            Some((_, false)) => pixel_kernel!((PIXELS + 4) $nest, $from, $to, $compiled),
            Some((2, true)) => pixel_kernel!((PIXELS + APART + 2) $nest, $from, $to, $compiled),
            Some((3, true)) => pixel_kernel!((PIXELS + APART + 3) $nest, $from, $to, $compiled),
            _ => pixel_kernel!((PIXELS + APART + 4) $nest, $from, $to, $compiled),
        }
    };
    (($kind:expr) $nest:ident, $from:ident, $to:ident, $compiled:ident) => {
        match $nest.inner {
            Inner::Transpose { unit: 1, .. } => $compiled::<{ $kind }, 1>($nest, $from, $to),
            Inner::Transpose { unit: 2, .. } => $compiled::<{ $kind }, 2>($nest, $from, $to),
            _ => $compiled::<{ $kind }, 4>($nest, $from, $to),
        }
    };
}

impl Checked {
    /// Runs the loops.
    ///
    /// # Panics
    /// If a loop leaves a slice: no plan does so.
    pub(crate) fn copy(&self, from: &[u8], to: &mut [u8]) {
        self.copy_at(self.from, from, to);
    }

    /// [`copy`](Self::copy) with another offset of the first byte of the source.
    ///
    /// # Panics
    /// As [`copy`](Self::copy).
    pub(crate) fn copy_at(&self, place: usize, from: &[u8], to: &mut [u8]) {
        if self.fits([place, self.to], [from.len(), to.len()]) {
            // SAFETY: just checked; the two slices are borrowed, one of them mutably, and do not
            // overlap.
            unsafe { self.run(from.as_ptr().add(place), to.as_mut_ptr().add(self.to)) }
        }
    }

    /// Runs the loops on all threads of `rayon`, in parts of at least `least` bytes; on this thread
    /// alone if two parts might write the same byte.
    ///
    /// # Panics
    /// As [`copy`](Self::copy).
    #[cfg(feature = "rayon")]
    pub(crate) fn copy_parallel(&self, from: &[u8], to: &mut [u8], least: usize) {
        #[derive(Clone, Copy)]
        struct Places(*const u8, *mut u8);
        // SAFETY: two pointers into slices of bytes, which may be read and written on any thread;
        // that threads do not write what others touch is the promise at `parts`.
        unsafe impl Send for Places {}
        // SAFETY: as above.
        unsafe impl Sync for Places {}
        fn parts(nest: &Checked, places: Places, least: usize) {
            if let Some(halves) = (nest.bytes() > least).then(|| nest.halves()).flatten() {
                let [first, second] = halves.map(Nest::checked);
                rayon::join(|| parts(&first, places, least), || parts(&second, places, least));
            } else {
                let Places(from, to) = places;
                // SAFETY: a part's loops are some of the loops that were checked. No byte is
                // written in two steps of these (`is_disjoint`), and the parts share no step.
                unsafe { nest.run(from.add(nest.from), to.add(nest.to)) }
            }
        }
        if !self.is_disjoint() {
            return self.copy(from, to);
        }
        if self.fits([self.from, self.to], [from.len(), to.len()]) {
            parts(self, Places(from.as_ptr(), to.as_mut_ptr()), least);
        }
    }

    /// Runs the loops, compiled for their instruction set.
    ///
    /// # Safety
    /// At `from` and `to` are the places of the first byte. Every byte that the loops lead to may be
    /// read and written, the two do not overlap, and no extent is 0.
    #[inline]
    unsafe fn run(&self, from: *const u8, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe {
            match self.side_by_side {
                Some(bytes) => to.copy_from_nonoverlapping(from, bytes),
                None => self.run_loops(from, to),
            }
        }
    }

    /// [`run`](Self::run) if the bytes are not all contiguous.
    ///
    /// # Safety
    /// As [`run`](Self::run).
    #[inline(never)]
    unsafe fn run_loops(&self, from: *const u8, to: *mut u8) {
        // SAFETY: the caller's promise; the processor has the instruction set, which was checked.
        unsafe {
            if let Inner::Elements { unit, i, j } = self.inner {
                let is_fill = i.from == 0 && i.to == unit as isize;
                macro_rules! of_unit {
                    ($function:ident, $($argument:expr),*) => {
                        match unit {
                            1 => $function::<1>(self, $($argument),*),
                            2 => $function::<2>(self, $($argument),*),
                            4 => $function::<4>(self, $($argument),*),
                            8 => $function::<8>(self, $($argument),*),
                            _ => $function::<16>(self, $($argument),*),
                        }
                    };
                }
                match &self.listing {
                    Some(listing) => return of_unit!(listed_elements, listing, from, to),
                    None if !is_fill => return of_unit!(elements, i, j, from, to),
                    None => {}
                }
            }
            let is_pixels = self.channels().is_some();
            match self.set {
                // Narrower registers are as fast for shuffles within lanes.
                #[cfg(target_arch = "x86_64")]
                InstructionSet::Avx512 | InstructionSet::Avx2 if is_pixels => {
                    pixel_kernel!(self, from, to, with_avx2)
                }
                #[cfg(target_arch = "aarch64")]
                InstructionSet::Neon if is_pixels => pixel_kernel!(self, from, to, with_neon),
                #[cfg(target_arch = "x86_64")]
                InstructionSet::Avx512 => each_kernel!(self, from, to, with_avx512),
                #[cfg(target_arch = "x86_64")]
                InstructionSet::Avx2 => each_kernel!(self, from, to, with_avx2),
                #[cfg(target_arch = "x86_64")]
                InstructionSet::Sse2 => each_kernel!(self, from, to, with_sse2),
                #[cfg(target_arch = "aarch64")]
                InstructionSet::Neon => each_kernel!(self, from, to, with_neon),
                _ => each_kernel!(self, from, to, with_bytes),
            }
        }
    }
}

/// Work to compile for an instruction set: [`run`](Self::run) and all its calls are inlined. The
/// compiler does not always inline a closure.
pub(crate) trait Task {
    fn run<V: Register>(self);
}

/// Does the work, compiled for the instruction set of the loops, but at most for `widest`.
#[inline]
pub(crate) fn compiled_for(nest: &Checked, widest: InstructionSet, task: impl Task) {
    // SAFETY: `Nest::checked` made the loops: the processor has the instruction set, and each set
    // below it.
    unsafe { run_compiled(nest.set.min(widest), task) }
}

/// Does the work, compiled for an instruction set.
///
/// # Panics
/// If the processor does not have the instruction set.
#[inline]
pub(crate) fn compiled_if_available(set: InstructionSet, task: impl Task) {
    assert!(set.is_available(), "work for {set}, which this processor does not have");
    // SAFETY: just checked.
    unsafe { run_compiled(set, task) }
}

/// # Safety
/// The processor has the instruction set.
#[inline]
unsafe fn run_compiled(set: InstructionSet, task: impl Task) {
    /// # Safety
    /// The processor has the instructions.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,avx512f,avx512bw,avx512vl")]
    unsafe fn for_avx512(task: impl Task) {
        task.run::<registers::x86::Z>();
    }
    /// # Safety
    /// The processor has the instructions.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn for_avx2(task: impl Task) {
        task.run::<registers::x86::Y>();
    }
    match set {
        // SAFETY: the caller's promise; `is_available` asks for AVX2 beside AVX-512.
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512 => unsafe { for_avx512(task) },
        // SAFETY: the caller's promise.
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => unsafe { for_avx2(task) },
        _ => task.run::<Bytes>(),
    }
}

/// A function compiled for an instruction set: with the widest registers, and with other registers
/// for elements of one and two bytes.
macro_rules! compiled {
    ($($(#[$attribute:meta])* $name:ident: $wide:ty, $narrow:ty;)*) => { $(
        /// # Safety
        /// As [`Checked::run`]; `from` and `to` are the places of the first byte, and the kernel is
        /// that of the nest.
        $(#[$attribute])*
        #[inline(never)]
        unsafe fn $name<const KIND: u8, const E: usize>(nest: &Checked, from: *const u8, to: *mut u8) {
            // SAFETY: the caller's promise.
            unsafe {
                if const { E <= 2 } {
                    loops::<$narrow, KIND, E>(nest, from, to);
                } else {
                    loops::<$wide, KIND, E>(nest, from, to);
                }
            }
        }
    )* };
}
compiled! {
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,avx512f,avx512bw,avx512vl")]
    with_avx512: registers::x86::Z, registers::x86::W;
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    with_avx2: registers::x86::Y, registers::x86::Y;
    #[cfg(target_arch = "x86_64")]
    with_sse2: registers::x86::X, registers::x86::X;
    #[cfg(target_arch = "aarch64")]
    with_neon: registers::neon::Q, registers::neon::Q;
    with_bytes: Bytes, Bytes;
}

/// All loops of a nest, with registers `V`.
///
/// # Safety
/// As [`Checked::run`]; `from` and `to` are the places of the first byte. The kernel is that of the
/// nest.
#[inline(always)]
unsafe fn loops<V: Tiles, const KIND: u8, const E: usize>(
    nest: &Checked,
    from: *const u8,
    to: *mut u8,
) {
    // SAFETY: the caller's promise.
    unsafe {
        // The constant removes branches before inlining: this saves a seventh of the compile time
        // of a debug build.
        match nest.inner {
            Inner::Rows { bytes, i, j } if const { KIND == ROWS } => {
                rows::<V>(nest, bytes, i, j, from, to)
            }
            Inner::Transpose { i, j, .. } if const { KIND == TRANSPOSE } => {
                transposes::<V, E, false>(nest, i, j, from, to)
            }
            Inner::Transpose { i, j, .. } if const { KIND == STREAMED } => {
                transposes::<V, E, true>(nest, i, j, from, to)
            }
            _ if const { KIND == LISTED } => transposes_by_lists::<V, E, false>(nest, from, to),
            _ if const { KIND == STREAMED_LISTED } => {
                transposes_by_lists::<V, E, true>(nest, from, to)
            }
            Inner::Elements { unit, i, j } if const { KIND == FILLS } => {
                fills::<V>(nest, unit, i, j, from, to)
            }
            Inner::Transpose { .. } if const { KIND >= PIXELS && V::SHUFFLES } => {
                pixels::<V, E, KIND>(nest, from, to);
            }
            _ => unreachable!("the kernel of another nest"),
        }
        if nest.stream {
            V::fence();
        }
    }
}
