use layout_algebra::prelude::*;

fn main() {
    layout!((5, (48, 7))).logical_divide(tiler!(_, <(4, 2):(1, 6)>));
}
