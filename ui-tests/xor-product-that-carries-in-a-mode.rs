use layout_algebra::prelude::*;

fn main() {
    layout!(((2, 2), 4):((^8, ^16), 64)).logical_product(tiler!((3, 2):(1, 3)));
}
