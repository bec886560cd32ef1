use layout_algebra::prelude::*;

fn main() {
    let n = 8;
    layout!((2, 2):(1, 6)).tile_to_shape((n, 8));
}
