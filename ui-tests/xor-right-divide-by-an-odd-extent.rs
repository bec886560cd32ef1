use layout_algebra::prelude::*;

fn main() {
    layout!((8, 8)).logical_divide(layout!((3, 2):(^1, ^3)));
}
