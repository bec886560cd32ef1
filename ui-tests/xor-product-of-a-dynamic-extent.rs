use layout_algebra::prelude::*;

fn main() {
    let n = 8;
    layout!((8, n):(^1, 8)).logical_product(int!(2));
}
