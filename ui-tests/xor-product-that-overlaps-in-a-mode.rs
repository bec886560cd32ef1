use layout_algebra::prelude::*;

fn main() {
    layout!(((2, 2), 4):((^3, ^3), 64)).logical_product(tiler!(2));
}
