//! A ragged tile is a block, of XOR strides too.

use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::fixed([0; 64], layout!((8, 8):(^1, ^9)));
    t.ragged_tiles(tiler!(2:2, 4));
}
