use layout_algebra::prelude::*;

fn main() {
    let d = 9;
    layout!((64, 8)).compose(tiler!((4, 4):(^1, ^d), _));
}
