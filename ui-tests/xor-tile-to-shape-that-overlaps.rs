use layout_algebra::prelude::*;

fn main() {
    layout!((2, 2):(^3, ^3)).tile_to_shape(shape!((4, 2)));
}
