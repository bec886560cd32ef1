use layout_algebra::prelude::*;

fn main() {
    layout!((8, 8)).logical_divide(tiler!((3, 2):(^1, ^3), _));
}
