use layout_algebra::prelude::*;

fn main() {
    layout!((2, 2):(^8, ^16)).logical_product(layout!((3, 2):(1, 3)));
}
