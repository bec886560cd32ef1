use layout_algebra::prelude::*;

fn main() {
    let n = 3;
    layout!((5, (9, 4)):(1, (n, 100))).logical_divide(tiler!(_, (2, 3):(1, 2)));
}
