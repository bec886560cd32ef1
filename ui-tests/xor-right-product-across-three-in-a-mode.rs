use layout_algebra::prelude::*;

fn main() {
    layout!((2, 8):(3, 1)).logical_product(tiler!((2, 2):(^1, ^3), _));
}
