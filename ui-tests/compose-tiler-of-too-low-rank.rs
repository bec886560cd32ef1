use layout_algebra::prelude::*;

fn main() {
    layout!((4, 6, 8)).compose(tiler!(2, 3));
}
