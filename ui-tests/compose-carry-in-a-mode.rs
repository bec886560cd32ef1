use layout_algebra::prelude::*;

fn main() {
    layout!((5, (4, 2)):(8, (1, 40))).compose(tiler!(_, (2, 2):(2, 2)));
}
