use layout_algebra::prelude::*;

fn main() {
    layout!((5, ((20, 3), 7)):(1, ((10, 400), 10000))).compose(tiler!(_, <6:8, _>));
}
