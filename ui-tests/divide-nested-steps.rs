use layout_algebra::prelude::*;

fn main() {
    layout!((5, ((4, 6), 7)):(1, ((10, 80), 1000))).logical_divide(tiler!(_, <3:2>));
}
