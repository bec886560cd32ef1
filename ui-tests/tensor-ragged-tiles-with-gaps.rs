use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::fixed([0; 24], layout!((4, 6)));
    t.ragged_tiles(tiler!(2:2, 4));
}
