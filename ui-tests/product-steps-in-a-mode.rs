use layout_algebra::prelude::*;

fn main() {
    layout!((3, (2, 2)):(20, (1, 12))).logical_product(tiler!(_, 5:4));
}
