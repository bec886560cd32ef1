use layout_algebra::prelude::*;

fn main() {
    layout!((2, 2):(^8, ^16)).tile_to_shape(shape!((10, 4)));
}
