use layout_algebra::prelude::*;

fn main() {
    let stride = 2;
    layout!((3, (2, 2)):(50, (1, 8))).logical_product(tiler!(_, 2:stride));
}
