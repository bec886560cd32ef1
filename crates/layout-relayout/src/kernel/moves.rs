//! The move of one row of bytes, and the buffer that gathers rows.

use std::mem::MaybeUninit;

use super::lists::BUFFER;
use super::nest::LINE;
use super::registers::Register;

/// Of a row of more registers, all but the ends are aligned in the destination.
const ALIGNED: usize = 4;

/// Not on the stack: a function whose stack holds the buffer touches all its pages in each call.
pub(super) struct Buffer(Box<MaybeUninit<Lines>>);

#[repr(align(64))]
struct Lines(#[allow(dead_code, reason = "written and read by its place")] [u8; BUFFER]);

impl Buffer {
    #[cold]
    #[inline(never)]
    pub(super) fn new() -> Self {
        Buffer(Box::new_uninit())
    }

    #[inline(always)]
    pub(super) fn begin(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}

/// # Safety
/// `bytes` bytes may be read at `from` and written at `to`.
#[inline(always)]
pub(super) unsafe fn short_row<V: Register>(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller's promise. Each part lies within the bytes: the last part of each size may
    // overlap the part before.
    unsafe {
        if bytes >= V::BYTES {
            let mut at = 0;
            if bytes > ALIGNED * V::BYTES {
                V::load(from).store(to);
                at = V::BYTES - to.addr() % V::BYTES;
            }
            while at + V::BYTES <= bytes {
                V::load(from.add(at)).store(to.add(at));
                at += V::BYTES;
            }
            if at < bytes {
                V::load(from.add(bytes - V::BYTES)).store(to.add(bytes - V::BYTES));
            }
        } else if bytes >= 32 {
            two_ends::<[u8; 32]>(from, to, bytes);
        } else if bytes >= 16 {
            two_ends::<[u8; 16]>(from, to, bytes);
        } else if bytes >= 8 {
            two_ends::<[u8; 8]>(from, to, bytes);
        } else if bytes >= 4 {
            two_ends::<[u8; 4]>(from, to, bytes);
        } else {
            for at in 0..bytes {
                to.add(at).write(from.add(at).read());
            }
        }
    }
}

/// # Safety
/// As [`short_row`], of at least as many bytes as a `W` has, which is an array of bytes, and at
/// most twice as many.
#[inline(always)]
pub(super) unsafe fn two_ends<W>(from: *const u8, to: *mut u8, bytes: usize) {
    let last = bytes - size_of::<W>();
    // SAFETY: the caller's promise.
    unsafe {
        let (first, second) =
            (from.cast::<W>().read_unaligned(), from.add(last).cast::<W>().read_unaligned());
        to.cast::<W>().write_unaligned(first);
        to.add(last).cast::<W>().write_unaligned(second);
    }
}

/// # Safety
/// As [`short_row`].
#[inline(always)]
pub(super) unsafe fn stream_row<V: Register>(from: *const u8, to: *mut u8, bytes: usize) {
    let head = (to.addr().wrapping_neg() % LINE).min(bytes);
    // SAFETY: the caller's promise: head, whole lines and tail are the row, and lines begin at
    // multiples of their size.
    unsafe {
        to.copy_from_nonoverlapping(from, head);
        let mut at = head;
        while at + LINE <= bytes {
            stream_line::<V>(from.add(at), to.add(at));
            at += LINE;
        }
        to.add(at).copy_from_nonoverlapping(from.add(at), bytes - at);
    }
}

/// # Safety
/// A line may be read at `from`, and written at `to`, which is a multiple of a line.
#[inline(always)]
pub(super) unsafe fn stream_line<V: Register>(from: *const u8, to: *mut u8) {
    let mut at = 0;
    while at < LINE {
        // SAFETY: the caller's promise; a line is one or more registers.
        unsafe { V::load(from.add(at)).stream(to.add(at)) };
        at += V::BYTES;
    }
}
