use layout_algebra::prelude::*;

fn main() {
    let rows = 4;
    layout!((rows, 6):(1, 8)).compose(layout!(2:2));
}
