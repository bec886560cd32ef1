//! A histogram of bytes, by atomics: a block counts in shared memory, and adds its counts to the
//! global ones.
//!
//! Atomics are Rust's: `AtomicU32::from_ptr`, which is `atom.shared.add` and `atom.global.add`.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use layout_algebra::prelude::*;
use layout_nvidia::device::{self, SharedTile, SharedTiles, kernel};

/// The threads of a block: one for each bin.
pub type Threads = Layout!(256);
/// A count for each bin.
pub type Shared = (SharedTile<u32, Layout!(256)>,);

/// Adds to `bins` the number of occurrences of each byte in `n` words of 4 bytes.
///
/// # Safety
/// `n` words are at `from`, and 256 counts at `bins`, which nothing but this launch uses.
#[kernel(threads = Threads, shared = Shared)]
pub unsafe fn histogram(n: u32, from: *const u32, bins: *mut u32) {
    let (thread, n) = (device::thread_index(), n as usize);
    // SAFETY: the caller's promise; shared memory is set before the first barrier, and read after
    // the second one; in between it is updated by atomics. All threads reach the barriers.
    unsafe {
        let words = Tensor::from_global_ref(from, layout!(n:1));
        let (mut counts,) = Shared::make_tensors();
        counts[thread] = 0;
        device::sync_threads();
        for part in device::grid_stride(n.div_ceil(256)) {
            let Some(word) = words.value(256 * part + thread) else { continue };
            for_static!(BYTE in 0..4, {
                if let Some(count) = counts.value_mut(*word as usize >> (8 * BYTE) & 255) {
                    AtomicU32::from_ptr(count).fetch_add(1, Relaxed);
                }
            });
        }
        device::sync_threads();
        AtomicU32::from_ptr(bins.add(thread)).fetch_add(counts[thread], Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use layout_nvidia::host;

    #[test]
    fn each_byte_is_counted() {
        for n in [0, 1, 255, 1000] {
            let from: Vec<u32> = (0..n).map(|i: u32| i.wrapping_mul(2_654_435_761)).collect();
            let mut bins = [0; 256];
            // SAFETY: `n` words and 256 counts.
            unsafe { host::launch::<histogram>(2, (n, &from[..], &mut bins[..])) };
            let bytes: Vec<u8> = from.iter().flat_map(|word| word.to_ne_bytes()).collect();
            let count =
                |bin: usize| bytes.iter().filter(|byte| usize::from(**byte) == bin).count() as u32;
            assert!((0..256).all(|bin| bins[bin] == count(bin)), "{n} words");
        }
    }
}
