use layout_algebra::prelude::*;

fn main() {
    let d = 9;
    layout!((8, 8)).logical_product(layout!((4, 4):(^1, ^d)));
}
