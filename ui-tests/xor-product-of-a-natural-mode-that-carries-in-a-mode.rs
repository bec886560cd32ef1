use layout_algebra::prelude::*;

fn main() {
    layout!(((6, 2), 2):((1, ^32), 64)).logical_product(tiler!(2));
}
