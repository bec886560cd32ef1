use layout_algebra::prelude::*;

fn main() {
    layout!((2, 2):(^8, ^16)).logical_product(layout!((2, 2):(4, 4)));
}
