use layout_algebra::prelude::*;

fn main() {
    layout!((5, (64, 7))).logical_divide(tiler!(_, <(4, 4):(1, 2)>));
}
