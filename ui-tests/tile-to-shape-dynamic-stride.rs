use layout_algebra::prelude::*;

fn main() {
    let n = 8;
    layout!((2, 2):(1, 6)).tile_to_shape(Ordered::new((int!(4), n), shape!((1, 0))));
}
