use layout_algebra::prelude::*;

fn main() {
    let n = 8;
    layout!(n).logical_product(layout!((2, 2):(^1, ^3)));
}
