use layout_algebra::prelude::*;

fn main() {
    layout!((4, 4, 4, 4, 4)).flat_divide(tiler!(2, 2, 2, 2, 2));
}
