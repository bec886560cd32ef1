use layout_algebra::prelude::*;

fn main() {
    layout!((4, 3)).tile_to_shape(layout!((8, 9)));
}
