use layout_algebra::prelude::*;

fn main() {
    layout!((5, (7, (8, 9)))).logical_divide(tiler!(_, <_, <_, 4>>));
}
