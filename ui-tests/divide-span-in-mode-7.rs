use layout_algebra::prelude::*;

fn main() {
    layout!((2, 2, 2, 2, 2, 2, 2, 6)).logical_divide(tiler!(2, _, _, _, _, _, 2, 4));
}
