use layout_algebra::prelude::*;

fn main() {
    layout!((5, (4, 6)):(48, (1, 8))).logical_divide(tiler!(_, 3:2));
}
