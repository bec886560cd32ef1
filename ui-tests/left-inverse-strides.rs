use layout_algebra::prelude::*;

fn main() {
    layout!((2, 2):(2, 7)).left_inverse();
}
