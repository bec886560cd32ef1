use layout_algebra::prelude::*;

fn main() {
    let n = 3;
    layout!(((20, 3), 5):((n, 100), 1000)).compose(tiler!(6:8, _));
}
