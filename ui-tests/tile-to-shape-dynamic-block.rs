use layout_algebra::prelude::*;

fn main() {
    let n = 4;
    layout!((n, 2):(1, 8)).tile_to_shape(shape!((8, 8)));
}
