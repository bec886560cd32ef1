use layout_algebra::prelude::*;

fn main() {
    layout!((2, 2):(1, 6)).logical_product(layout!(4:2));
}
