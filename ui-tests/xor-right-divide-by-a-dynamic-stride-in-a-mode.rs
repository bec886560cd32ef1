use layout_algebra::prelude::*;

fn main() {
    let d = 3;
    layout!((8, 8)).logical_divide(tiler!((2, 2):(^1, ^d), _));
}
