use layout_algebra::prelude::*;

fn main() {
    crd2crd((1, 2i32), (4, 6), shape!((2, 3)));
}
