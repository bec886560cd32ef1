use layout_algebra::prelude::*;

fn main() {
    let stride = 4;
    layout!((8, 6):(1, 10)).logical_divide(layout!(2:stride));
}
