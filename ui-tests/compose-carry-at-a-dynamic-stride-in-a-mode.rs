use layout_algebra::prelude::*;

fn main() {
    let n = 3;
    layout!((5, (4, 2)):(8, (n, 40))).compose(tiler!(_, (2, 2):(2, 2)));
}
