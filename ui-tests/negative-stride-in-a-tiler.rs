use layout_algebra::prelude::*;

fn main() {
    layout!((8, 8)).compose(tiler!(4:-2, _));
}
