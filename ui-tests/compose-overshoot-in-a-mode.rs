use layout_algebra::prelude::*;

fn main() {
    layout!(((20, 3), 5):((1, 40), 200)).compose(tiler!(6:8, _));
}
