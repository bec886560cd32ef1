use layout_algebra::prelude::*;

fn main() {
    let stride = 4;
    layout!((4, 3):(1, stride)).left_inverse();
}
