use layout_algebra::prelude::*;

fn main() {
    let count = 2;
    layout!((2, 2):(1, 8)).logical_product(count);
}
