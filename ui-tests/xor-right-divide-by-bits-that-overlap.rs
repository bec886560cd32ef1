use layout_algebra::prelude::*;

fn main() {
    layout!((8, 8)).logical_divide(layout!((2, 2):(^3, ^3)));
}
