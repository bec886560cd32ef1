use layout_algebra::prelude::*;

fn main() {
    layout!((9, 4):(1, 10)).logical_divide(layout!((2, 3):(1, 2)));
}
