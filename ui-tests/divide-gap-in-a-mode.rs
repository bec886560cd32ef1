use layout_algebra::prelude::*;

fn main() {
    layout!((8, 48)).logical_divide(tiler!(2, (4, 2):(1, 6)));
}
