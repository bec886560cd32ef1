use layout_algebra::prelude::*;

fn main() {
    layout!((3, 2):(^1, ^4)).logical_product(int!(2));
}
