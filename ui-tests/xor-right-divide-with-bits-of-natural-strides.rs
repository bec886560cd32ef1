use layout_algebra::prelude::*;

fn main() {
    layout!((64, 64)).logical_divide(layout!((2, 2):(3, ^16)));
}
