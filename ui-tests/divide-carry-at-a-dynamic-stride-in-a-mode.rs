use layout_algebra::prelude::*;

fn main() {
    let n = 3;
    layout!((4, (5, 6)):(1, (n, 100))).logical_divide(tiler!(_, 3:2));
}
