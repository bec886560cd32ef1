use layout_algebra::prelude::*;

fn main() {
    layout!(((6, 8), 2):((1, 8), 64)).compose(tiler!((4, 2):(^1, ^6), _));
}
