use layout_algebra::prelude::*;

fn main() {
    layout!((12, 8)).flat_divide(tiler!(5, 4));
}
