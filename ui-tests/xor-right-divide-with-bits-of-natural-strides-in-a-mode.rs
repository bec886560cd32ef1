use layout_algebra::prelude::*;

fn main() {
    layout!((512, 8)).logical_divide(tiler!((2, 2):(3, ^16), _));
}
