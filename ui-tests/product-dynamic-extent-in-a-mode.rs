use layout_algebra::prelude::*;

fn main() {
    let count = 2;
    layout!((3, (count, 2)):(50, (1, 8))).logical_product(tiler!(_, 6));
}
