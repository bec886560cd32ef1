use layout_algebra::prelude::*;

fn main() {
    layout!(((4, 8), 2):((1, 8), 64)).compose(tiler!(6:^3, _));
}
