use layout_algebra::prelude::*;

fn main() {
    let n = 3;
    layout!((20, 3):(n, 100)).logical_divide(layout!(4:15));
}
