use layout_algebra::prelude::*;

fn main() {
    let n = 8;
    layout!((n, 8)).logical_product(tiler!((2, 2):(^1, ^3), _));
}
