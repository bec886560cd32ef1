use layout_algebra::prelude::*;

fn main() {
    layout!((5, (9, 4)):(1, (10, 100))).logical_divide(tiler!(_, (2, 3):(1, 2)));
}
