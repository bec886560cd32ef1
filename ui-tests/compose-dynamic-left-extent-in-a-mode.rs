use layout_algebra::prelude::*;

fn main() {
    let rows = 4;
    layout!((5, (rows, 6)):(48, (1, 8))).compose(tiler!(_, 2));
}
