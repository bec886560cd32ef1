use layout_algebra::prelude::*;

fn main() {
    layout!(2:3).logical_product(layout!((2, 2):(^1, ^3)));
}
