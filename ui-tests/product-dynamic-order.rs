use layout_algebra::prelude::*;

fn main() {
    let stride = 6;
    layout!((2, 2):(1, stride)).logical_product(int!(6));
}
