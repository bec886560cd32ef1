use layout_algebra::prelude::*;

fn main() {
    let n = 3;
    layout!((9, 4):(n, 100)).logical_divide(layout!((2, 3):(1, 2)));
}
