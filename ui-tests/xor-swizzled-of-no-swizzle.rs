use layout_algebra::prelude::*;

fn main() {
    layout!((2, 2):(^3, ^3)).swizzled();
}
