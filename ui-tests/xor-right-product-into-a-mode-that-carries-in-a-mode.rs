use layout_algebra::prelude::*;

fn main() {
    layout!(((3, 2), 2):((1, 24), 100)).logical_product(tiler!((2, 2):(^1, ^3), _));
}
