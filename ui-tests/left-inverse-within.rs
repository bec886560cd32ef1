use layout_algebra::prelude::*;

fn main() {
    layout!((4, 3):(1, 2)).left_inverse();
}
