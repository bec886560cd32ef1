use layout_algebra::prelude::*;

fn main() {
    layout!((6, 2):(1, ^32)).tile_to_shape(shape!((12, 2)));
}
