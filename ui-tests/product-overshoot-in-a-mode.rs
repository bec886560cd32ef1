use layout_algebra::prelude::*;

fn main() {
    layout!((3, (2, 2)):(20, (1, 8))).logical_product(tiler!(_, 4:3));
}
