use layout_algebra::prelude::*;

fn main() {
    layout!((5, 12345)).logical_divide(tiler!(_, 4));
}
