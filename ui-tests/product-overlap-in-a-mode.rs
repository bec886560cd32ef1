use layout_algebra::prelude::*;

fn main() {
    layout!(((4, 4), 8):((1, 2), 32)).logical_product(tiler!(6, 2));
}
