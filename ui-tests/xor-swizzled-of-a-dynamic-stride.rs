use layout_algebra::prelude::*;

fn main() {
    let d = 9;
    layout!((8, 8):(^1, ^d)).swizzled();
}
