use layout_algebra::prelude::*;

fn main() {
    layout!((2, 2, 2, 2, 2)).flat_product(tiler!(2, 2, 2, 2));
}
