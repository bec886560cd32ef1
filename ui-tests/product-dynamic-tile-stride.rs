use layout_algebra::prelude::*;

fn main() {
    let stride = 2;
    layout!((2, 2):(1, 8)).logical_product(layout!(2:stride));
}
