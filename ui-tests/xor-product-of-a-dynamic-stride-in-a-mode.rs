use layout_algebra::prelude::*;

fn main() {
    let d = 9;
    layout!(((2, 2), 4):((^1, ^d), 64)).logical_product(tiler!(2));
}
