use layout_algebra::prelude::*;

fn main() {
    let d = 8;
    layout!((8, 8):(d, 1)).compose(tiler!((2, 2):(^1, ^3), _));
}
