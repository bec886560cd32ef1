use layout_algebra::prelude::*;

fn main() {
    let mut t = Tensor::fixed([0; 24], layout!((4, 6):(0, 1)));
    t.ragged_tiles_mut(tiler!(3, 4)).for_each(|mut tile| tile.fill(1));
}
