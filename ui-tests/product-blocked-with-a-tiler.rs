use layout_algebra::prelude::*;

fn main() {
    layout!((4, 4)).blocked_product(tiler!(2, 3));
}
