use layout_algebra::prelude::*;

fn main() {
    let count = 2;
    layout!((5, (4, 6)):(48, (1, 8))).compose(tiler!(_, count));
}
