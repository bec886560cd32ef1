use layout_algebra::prelude::*;

fn main() {
    let stride = 2;
    layout!((5, (4, 6)):(48, (1, 8))).compose(tiler!(_, 2:stride));
}
