use layout_algebra::prelude::*;

fn main() {
    let mut t = Tensor::fixed([0; 24], layout!((5, 3):(3, 5)));
    t.tiles_mut(tiler!(_, 3));
}
