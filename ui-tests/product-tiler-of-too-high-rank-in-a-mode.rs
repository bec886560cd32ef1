use layout_algebra::prelude::*;

fn main() {
    layout!((2, (3, 5))).logical_product(tiler!(2, <2, 2, 2>));
}
