use layout_algebra::prelude::*;

fn main() {
    let n = 3;
    layout!(((4, 6), 5):((n, 8), 48)).compose(tiler!(3:2, _));
}
