use layout_algebra::prelude::*;

fn main() {
    let stride = 4;
    layout!((4, 4):(1, stride)).tile_to_shape(shape!((8, 8)));
}
