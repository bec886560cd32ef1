use layout_algebra::prelude::*;

fn main() {
    let n = 3;
    layout!((5, (20, 3)):(1, (n, 400))).logical_divide(tiler!(_, 4:15));
}
