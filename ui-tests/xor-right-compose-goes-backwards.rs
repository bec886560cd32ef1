use layout_algebra::prelude::*;

fn main() {
    layout!((8, 8)).compose(layout!(4:-2));
}
