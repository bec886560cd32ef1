use layout_algebra::prelude::*;

fn main() {
    crd2crd((1, 2), (4i32, 6), shape!((2, 3)));
}
