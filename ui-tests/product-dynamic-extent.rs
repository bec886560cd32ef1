use layout_algebra::prelude::*;

fn main() {
    let count = 2;
    layout!((count, 2):(1, 8)).logical_product(int!(6));
}
