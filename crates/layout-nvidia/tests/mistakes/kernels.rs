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

fn main() {
    let _ = <() as SharedTiles>::BYTES;
}
