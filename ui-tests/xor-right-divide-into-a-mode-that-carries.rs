use layout_algebra::prelude::*;

fn main() {
    layout!((8, 8):(3, 100)).logical_divide(layout!((2, 2):(^1, ^3)));
}
