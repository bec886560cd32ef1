use layout_algebra::prelude::*;

fn main() {
    let stride = 2;
    layout!((4, 6):(1, 8)).compose(layout!(2:stride));
}
