use layout_algebra::prelude::*;

fn main() {
    layout!(((8, 8), 2):((3, 100), 1)).compose(tiler!((2, 2):(^1, ^3), _));
}
