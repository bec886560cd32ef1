use layout_algebra::prelude::*;

fn main() {
    layout!((64, 8)).logical_divide(tiler!((4, 4):(1, 2), 2));
}
