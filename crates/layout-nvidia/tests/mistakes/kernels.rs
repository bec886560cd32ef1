//! Each kernel has one mistake.

use layout_algebra::prelude::*;
use layout_nvidia::device::{Trap, SharedTile, SharedTiles, kernel};

/// It returns a number.
#[kernel(threads = Layout!(32))]
unsafe fn returns() -> u32 {
    0
}

/// It is given a `String`.
#[kernel(threads = Layout!(32))]
unsafe fn owns(text: String) {
    let _ = text;
}

/// Its shared memory is no tuple.
#[kernel(threads = Layout!(32), shared = SharedTile<f32, Layout!(32)>)]
unsafe fn one_tile() {}

/// Its body has a type error.
#[kernel(threads = Layout!(32))]
unsafe fn confused(n: u32) -> Result<(), Trap> {
    let rows: usize = n;
    let _ = rows;
    Ok(())
}

/// It has more threads than a block may have.
#[kernel(threads = Layout!(2048))]
unsafe fn crowd() {}

/// Its shared memory is larger than that of any GPU.
#[kernel(threads = Layout!(32), shared = (SharedTile<f32, Layout!(1048576)>,))]
unsafe fn four_mebibytes() {}

/// Its tile in shared memory is known only at run time.
#[kernel(threads = Layout!(32), shared = (SharedTile<f32, Layout!((_, 8))>,))]
unsafe fn of_run_time() {}

/// An instance breaks its bound.
#[kernel(threads = Layout!(32), instances(<f32>, <String>))]
unsafe fn of_numbers<T: Copy>(to: *mut T) {
    let _ = to;
}

fn main() {
    let _ = <() as SharedTiles>::BYTES;
}
