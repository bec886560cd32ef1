use layout_algebra::prelude::*;

fn main() {
    let stride = 8;
    layout!((8, 64)).logical_divide(tiler!(2, (4, 4):(1, stride)));
}
