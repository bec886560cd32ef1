use layout_algebra::prelude::*;

fn main() {
    layout!((8, 4):(1, -8)).compose(layout!((2, 2, 4):(^1, ^3, 8)));
}
