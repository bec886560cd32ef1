//! A scan: `to[i] = from[0] + .. + from[i]` of each row of 1024 elements. A block has a row, a
//! thread 4 neighbours.

use layout_algebra::atom::{UniversalCopy, copy};
use layout_algebra::prelude::*;
use layout_algebra::tensor::Fragment;
use layout_nvidia::device::{self, SharedTile, SharedTiles, Trap, kernel};

/// The threads of a block.
pub type Threads = Layout!(256);
/// The sums of the threads so far, twice: one is read while the other is written.
pub type Sums = Layout!((256, 2));
/// The shared memory of a block.
pub type Shared = (SharedTile<u32, Sums>,);

/// The inclusive scan of each row of 1024 elements, a block for each; sums wrap.
///
/// # Safety
/// 1024 elements for each block lie behind both pointers, and 16 divides both.
#[kernel(threads = Threads, shared = Shared)]
pub unsafe fn scan(rows: u32, from: *const u32, to: *mut u32) -> Result<(), Trap> {
    let all = layout!((4, 256, rows as usize)); // neighbours, threads, rows
    // SAFETY: the caller's promise; each thread writes its own elements, and what it writes to
    // shared memory is read behind a barrier.
    let (from, mut to, (mut sums,)) = unsafe {
        (Tensor::from_global_ref(from, all), Tensor::from_global(to, all), Shared::make_tensors())
    };
    let (thread, four) = (device::thread_index(), UniversalCopy::<u32, Int<4>>::new());
    let at = (.., thread, device::block_index().0);
    let mut x = Fragment::<u32, Layout!(4)>::zeroed();
    copy(&four, &from.slice(at), &mut x)?;
    for_static!(I in 1..4, {
        x[I] = x[I].wrapping_add(x[I - 1]);
    });
    // Adds the sums of the threads before this one: 1, 2, 4, .. 128 more of them in each step.
    let mut sum = x[3];
    sums[(thread, 0)] = sum;
    for_static!(STEP in 0..8, {
        // SAFETY: all threads of the block come here.
        unsafe { device::sync_threads() };
        if thread >= 1 << STEP {
            sum = sum.wrapping_add(sums[(thread - (1 << STEP), STEP % 2)]);
        }
        sums[(thread, (STEP + 1) % 2)] = sum;
    });
    let before = sum.wrapping_sub(x[3]);
    for_static!(I in 0..4, {
        x[I] = x[I].wrapping_add(before);
    });
    copy(&four, &x, &mut to.slice_mut(at))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use layout_nvidia::host;

    #[test]
    fn each_row_is_scanned() {
        let rows = 3;
        let from: Vec<u32> =
            (0..1024 * rows as u32).map(|i| i.wrapping_mul(2_654_435_761)).collect();
        let mut to = vec![0; 1024 * rows];
        // SAFETY: three rows of 1024 elements.
        unsafe { host::launch::<scan>(rows, (rows as u32, &from[..], &mut to[..])) };
        for (from, to) in from.chunks(1024).zip(to.chunks(1024)) {
            let scan = from.iter().scan(0_u32, |sum, x| {
                *sum = sum.wrapping_add(*x);
                Some(*sum)
            });
            assert!(scan.eq(to.iter().copied()));
        }
    }
}
