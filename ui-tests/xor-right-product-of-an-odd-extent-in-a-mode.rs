use layout_algebra::prelude::*;

fn main() {
    layout!((2, 8):(4, 64)).logical_product(tiler!(6:^3, _));
}
