use layout_algebra::prelude::*;

fn main() {
    let n = 3;
    layout!((4, 6):(n, 8)).logical_divide(layout!(3:2));
}
