use layout_algebra::prelude::*;

fn main() {
    layout!((4, 4):(1, 2)).tile_to_shape(shape!((8, 8)));
}
