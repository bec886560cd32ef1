use layout_algebra::prelude::*;

fn main() {
    layout!((4, 3)).tile_to_shape(Ordered::new(shape!((8, 9)), shape!((0, 0))));
}
