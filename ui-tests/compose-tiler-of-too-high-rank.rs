use layout_algebra::prelude::*;

fn main() {
    layout!((4, 6)).compose(tiler!(2, 3, 2));
}
