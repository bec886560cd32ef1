use layout_algebra::prelude::*;

fn main() {
    layout!((8, 4):(1, -8)).logical_divide(layout!((2, 2):(^1, ^3)));
}
