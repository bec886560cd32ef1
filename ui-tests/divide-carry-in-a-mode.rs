use layout_algebra::prelude::*;

fn main() {
    layout!((4, (5, 6)):(1, (10, 100))).logical_divide(tiler!(_, 3:2));
}
