//! Ragged tiles are ranges, and ranges are taken of natural strides.

use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::fixed([0; 64], layout!((8, 8):(^1, ^9)));
    t.ragged_tiles(tiler!(3, 3));
}
