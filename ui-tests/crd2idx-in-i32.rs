use layout_algebra::prelude::*;

fn main() {
    crd2idx((1, 2), (4i32, 6));
}
