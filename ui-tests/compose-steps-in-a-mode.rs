use layout_algebra::prelude::*;

fn main() {
    layout!(((4, 6), 5):((1, 8), 48)).compose(tiler!(3:2, _));
}
