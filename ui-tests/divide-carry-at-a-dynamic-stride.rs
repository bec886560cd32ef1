use layout_algebra::prelude::*;

fn main() {
    let n = 3;
    layout!((5, 6):(n, 100)).logical_divide(layout!(3:2));
}
