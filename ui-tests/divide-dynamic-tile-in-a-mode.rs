use layout_algebra::prelude::*;

fn main() {
    let tile = 4;
    layout!((5, (8, 6)):(1, (10, 100))).logical_divide(tiler!(_, tile));
}
