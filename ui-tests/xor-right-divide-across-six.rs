use layout_algebra::prelude::*;

fn main() {
    layout!((6, 8):(1, 8)).logical_divide(layout!((4, 2):(^1, ^6)));
}
