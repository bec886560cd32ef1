use layout_algebra::prelude::*;

fn main() {
    identity(shape!((8, 8))).logical_divide(layout!((2, 2):(^1, ^3)));
}
