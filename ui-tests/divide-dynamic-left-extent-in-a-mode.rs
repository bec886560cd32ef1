use layout_algebra::prelude::*;

fn main() {
    let rows = 8;
    layout!((5, (rows, 6)):(1, (5, 100))).logical_divide(tiler!(_, 4));
}
