use layout_algebra::prelude::*;

fn main() {
    layout!(4:-1).logical_product(layout!((2, 2):(^1, ^3)));
}
