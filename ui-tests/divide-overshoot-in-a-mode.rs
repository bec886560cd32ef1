use layout_algebra::prelude::*;

fn main() {
    layout!((5, (20, 3)):(1, (10, 400))).logical_divide(tiler!(_, 4:15));
}
