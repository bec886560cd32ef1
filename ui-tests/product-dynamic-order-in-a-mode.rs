use layout_algebra::prelude::*;

fn main() {
    let stride = 6;
    layout!((3, (2, 2)):(50, (1, stride))).logical_product(tiler!(_, 6));
}
