use layout_algebra::prelude::*;

fn main() {
    let stride = 4;
    layout!((5, (8, 6)):(1, (10, 100))).logical_divide(tiler!(_, 2:stride));
}
