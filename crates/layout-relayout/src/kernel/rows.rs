//! Rows that are contiguous in both memories, and single elements.

use super::lists::{Listing, STREAMED_ROW};
use super::moves::{Buffer, short_row, stream_row};
use super::nest::{Checked, LINE, Nest};
use super::registers::{Narrow, Register};
use super::steps::{Blocks, Steps, is_nearer};
use crate::axes::Axis;

/// How many shorter rows, adjacent in the destination, are streamed as one, if together they have
/// `GATHERED` bytes. Hardware prefetchers can follow this many streams of the source at once.
const ROWS_AT_ONCE: usize = 8;
const GATHERED: usize = 1024;

/// Runs of a list are streamed if they have this many bytes on average.
const STREAMED_RUN: usize = 128;

/// # Safety
/// As [`Nest::run`](super::run); `from` and `to` are the places of the first byte.
#[inline(always)]
pub(super) unsafe fn rows<V: Register>(
    nest: &Checked,
    bytes: usize,
    i: Axis,
    j: Axis,
    from: *const u8,
    to: *mut u8,
) {
    // Short rows that are adjacent in the destination are joined to long rows in a buffer.
    let is_short = bytes < STREAMED_ROW;
    if let Some(listing) = &nest.listing {
        // SAFETY: the caller's promise.
        return unsafe {
            match bytes {
                12 => listed_elements::<12>(nest, listing, from, to),
                24 => listed_elements::<24>(nest, listing, from, to),
                48 => listed_elements::<48>(nest, listing, from, to),
                32 => listed_rows::<V, 32>(nest, listing, bytes, from, to),
                64 => listed_rows::<V, 64>(nest, listing, bytes, from, to),
                128 => listed_rows::<V, 128>(nest, listing, bytes, from, to),
                256 => listed_rows::<V, 256>(nest, listing, bytes, from, to),
                _ => listed_rows::<V, 0>(nest, listing, bytes, from, to),
            }
        };
    }
    let mut buffer = (nest.stream && is_short && i.to == bytes as isize).then(Buffer::new);
    let mut steps = Steps::new(&nest.outer);
    while let Some((f, t)) = steps.next() {
        // SAFETY: the caller's promise: `(i, j)` is a step of the two loops, and all bytes of a row
        // are its.
        unsafe {
            let (from, to) = (from.offset(f), to.offset(t));
            if let Some(buffer) = &mut buffer {
                gathered_rows::<V>(bytes, i, j, from, to, buffer);
                continue;
            }
            // The loop with the shorter steps in the source is the inner loop.
            let (i, j) = if is_nearer(i, j) { (i, j) } else { (j, i) };
            let mut blocks = Blocks::new(i, j);
            while let Some((first, at, count)) = blocks.next_row() {
                for i_at in first as isize..(first + count) as isize {
                    let from = from.offset(i_at * i.from + at as isize * j.from);
                    let to = to.offset(i_at * i.to + at as isize * j.to);
                    if is_short {
                        short_row::<V>(from, to, bytes);
                    } else if nest.stream {
                        stream_row::<V>(from, to, bytes);
                    } else {
                        to.copy_from_nonoverlapping(from, bytes);
                    }
                }
            }
        }
    }
}

/// Elements of `N` bytes by their list, compiled once for all instruction sets.
///
/// # Safety
/// As [`listed_rows`].
#[inline(never)]
pub(super) unsafe fn listed_elements<const N: usize>(
    nest: &Nest,
    listing: &Listing,
    from: *const u8,
    to: *mut u8,
) {
    // SAFETY: the caller's promise.
    unsafe { listed_rows::<Narrow, N>(nest, listing, N, from, to) }
}

/// Short rows by their list; each row has `N` bytes if `N` is not 0. Rows that are adjacent in the
/// destination are streamed as one.
///
/// # Safety
/// As [`Nest::run`](super::run), of rows of `bytes` bytes, and the list is that of the nest.
#[inline(always)]
unsafe fn listed_rows<V: Register, const N: usize>(
    nest: &Nest,
    Listing { list, runs, loops }: &Listing,
    bytes: usize,
    from: *const u8,
    to: *mut u8,
) {
    let streams = nest.stream && list.len() * bytes >= STREAMED_RUN * runs.len();
    let mut buffer = streams.then(Buffer::new);
    let mut steps = Steps::new(&nest.outer[*loops..]);
    while let Some((f, t)) = steps.next() {
        // SAFETY: the caller's promise: a place of the list is a step of the loops in it. The rows
        // of a run fit in the buffer, and are adjacent in the destination.
        unsafe {
            let (from, to) = (from.offset(f), to.offset(t));
            let Some(buffer) = &mut buffer else {
                for &(t, f) in list {
                    listed_row::<V, N>(from.offset(f), to.offset(t), bytes);
                }
                continue;
            };
            let buffer = buffer.begin();
            for &(first, end) in runs {
                for (k, &(_, f)) in list[first..end].iter().enumerate() {
                    listed_row::<V, N>(from.offset(f), buffer.add(k * bytes), bytes);
                }
                stream_row::<V>(buffer, to.offset(list[first].0), (end - first) * bytes);
            }
        }
    }
    if streams {
        // SAFETY: the instructions of `V` are there.
        unsafe { V::fence() }
    }
}

/// One row of a list. Not a closure, which the compiler does not always inline.
///
/// # Safety
/// As [`short_row`], of `N` bytes if `N` is not 0.
#[inline(always)]
unsafe fn listed_row<V: Register, const N: usize>(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        match N {
            0 => short_row::<V>(from, to, bytes),
            1..=24 | 48 => to.copy_from_nonoverlapping(from, N),
            _ => short_row::<V>(from, to, N),
        }
    }
}

/// Rows that are adjacent in the destination: a buffer gathers some rows and streams them as one.
/// The inner loop has the shorter steps in the source.
///
/// # Safety
/// As [`rows`], of one step of the loops around; rows are shorter than `STREAMED_ROW`.
#[inline(always)]
unsafe fn gathered_rows<V: Register>(
    bytes: usize,
    i: Axis,
    j: Axis,
    from: *const u8,
    to: *mut u8,
    buffer: &mut Buffer,
) {
    let buffer = buffer.begin();
    let height = (GATHERED / bytes).max(ROWS_AT_ONCE);
    for first in (0..i.extent).step_by(height) {
        let height = height.min(i.extent - first);
        for j_at in 0..j.extent as isize {
            // SAFETY: the caller's promise: all are steps of the two loops. Eight rows, or
            // `GATHERED` bytes of them, fit in the buffer.
            unsafe {
                let from = from.offset(first as isize * i.from + j_at * j.from);
                let to = to.offset(first as isize * i.to + j_at * j.to);
                for k in 0..height {
                    short_row::<V>(from.offset(k as isize * i.from), buffer.add(k * bytes), bytes);
                }
                stream_row::<V>(buffer, to, height * bytes);
            }
        }
    }
}

/// Moves single elements, in blocks.
///
/// # Safety
/// As [`Nest::run`](super::run); `from` and `to` are the places of the first byte.
#[inline(never)]
pub(super) unsafe fn elements<const E: usize>(
    nest: &Nest,
    i: Axis,
    j: Axis,
    from: *const u8,
    to: *mut u8,
) {
    let mut steps = Steps::new(&nest.outer);
    while let Some((f, t)) = steps.next() {
        // SAFETY: the caller's promise: `(i, j)` is a step of the two inner loops, and all bytes of
        // an element are its.
        unsafe {
            let (from, to) = (from.offset(f), to.offset(t));
            let mut blocks = Blocks::new(i, j);
            while let Some((first, at, count)) = blocks.next_row() {
                for i_at in first as isize..(first + count) as isize {
                    let from = from.offset(i_at * i.from + at as isize * j.from).cast::<[u8; E]>();
                    let to = to.offset(i_at * i.to + at as isize * j.to).cast::<[u8; E]>();
                    to.write(from.read());
                }
            }
        }
    }
}

/// Repeats each element of `unit` bytes many times in a row.
///
/// # Safety
/// As [`Nest::run`](super::run); `from` and `to` are the places of the first byte, and loop `i`
/// stays in the source and goes from element to element in the destination.
#[inline(always)]
pub(super) unsafe fn fills<V: Register>(
    nest: &Nest,
    unit: usize,
    i: Axis,
    j: Axis,
    from: *const u8,
    to: *mut u8,
) {
    let mut steps = Steps::new(&nest.outer);
    while let Some((f, t)) = steps.next() {
        for at in 0..j.extent as isize {
            // SAFETY: the caller's promise: `at` is a step of `j`, of `i.extent` elements in the
            // destination. A register and 16 bytes hold whole elements.
            unsafe {
                let (from, to) = (from.offset(f + at * j.from), to.offset(t + at * j.to));
                let pattern = match unit {
                    1 => repeated::<1>(from),
                    2 => repeated::<2>(from),
                    4 => repeated::<4>(from),
                    8 => repeated::<8>(from),
                    _ => repeated::<16>(from),
                };
                let register = V::load(pattern.as_ptr());
                let bytes = i.extent * unit;
                let whole = bytes / V::BYTES * V::BYTES;
                for at in (0..whole).step_by(V::BYTES) {
                    register.store(to.add(at));
                }
                to.add(whole).copy_from_nonoverlapping(pattern.as_ptr(), bytes - whole);
            }
        }
    }
}

/// A line filled with one element.
///
/// # Safety
/// An element of `E` bytes may be read.
#[inline(always)]
unsafe fn repeated<const E: usize>(from: *const u8) -> [u8; LINE] {
    // SAFETY: the caller's promise.
    let element = unsafe { from.cast::<[u8; E]>().read() };
    let mut line = [0; LINE];
    for place in line.chunks_exact_mut(E) {
        place.copy_from_slice(&element);
    }
    line
}
