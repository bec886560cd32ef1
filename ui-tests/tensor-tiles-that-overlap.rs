use layout_algebra::prelude::*;

fn main() {
    let mut t = Tensor::fixed([0; 24], layout!((4, 6):(1, 3)));
    t.tiles_mut(tiler!(2, 3)).next().unwrap().fill(1);
}
