use layout_algebra::prelude::*;

fn main() {
    crd2crd((1, 2), shape!(4), shape!((2, 3)));
}
