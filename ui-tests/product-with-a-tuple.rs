use layout_algebra::prelude::*;

fn main() {
    layout!((4, 6)).logical_product((2, 3));
}
