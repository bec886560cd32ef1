use layout_algebra::prelude::*;

fn main() {
    layout!(((2, 2), 4):((^8, ^16), 64)).logical_product(tiler!((2, 2):(4, 4)));
}
