use layout_algebra::prelude::*;

fn main() {
    let n = 3;
    layout!((5, (4, 6)):(1, (n, 80))).logical_divide(tiler!(_, 3:2));
}
