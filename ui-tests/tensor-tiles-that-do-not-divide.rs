use layout_algebra::prelude::*;

fn main() {
    let mut t = Tensor::fixed([0; 24], layout!((4, 6)));
    t.tiles_mut(tiler!(2, 4));
}
