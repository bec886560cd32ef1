use layout_algebra::prelude::*;

fn main() {
    layout!((3, 2):(^1, ^4)).tile_to_shape(shape!((6, 2)));
}
