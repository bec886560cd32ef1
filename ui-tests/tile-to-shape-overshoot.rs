use layout_algebra::prelude::*;

fn main() {
    layout!((2, 2):(1, 6)).tile_to_shape(shape!((4, 8)));
}
