use layout_algebra::prelude::*;

fn main() {
    let t = Tensor::filled(layout!((5, 7)), 1);
    t.ragged_tile(tiler!(4, 4), (0, 0, 0)).unwrap();
}
