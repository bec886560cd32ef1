use layout_algebra::prelude::*;

fn main() {
    layout!((8, 8)).logical_product(layout!(4:-2));
}
