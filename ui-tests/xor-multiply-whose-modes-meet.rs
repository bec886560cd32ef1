//! Copies of the first mode reach bits of the second one, which is XORed.

use layout_algebra::prelude::*;

fn main() {
    layout!((4, 4):(^1, ^4)).tiled_product(tiler!(8:2, 4));
}
