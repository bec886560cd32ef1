use layout_algebra::prelude::*;

fn main() {
    let n = 4;
    layout!((5, ((n, 2), 7)):(1, ((10, 80), 1000))).logical_divide(tiler!(_, <2>));
}
