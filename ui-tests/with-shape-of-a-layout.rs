use layout_algebra::prelude::*;

fn main() {
    layout!((2, 6)).with_shape(layout!((3, 4)));
}
