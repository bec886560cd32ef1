use layout_algebra::prelude::*;

fn main() {
    layout!((5, ((4, 2), 7)):(1, ((10, 80), 1000))).compose(tiler!(_, <(2, 2):(2, 2), _>));
}
