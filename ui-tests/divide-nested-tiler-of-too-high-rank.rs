use layout_algebra::prelude::*;

fn main() {
    layout!((5, ((4, 2), 7))).logical_divide(tiler!(_, <<2, 2, 2>>));
}
