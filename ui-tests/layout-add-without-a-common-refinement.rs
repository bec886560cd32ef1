use layout_algebra::prelude::*;

fn main() {
    layout!((3, 4):(1, 5)).layout_add(layout!((2, 6):(2, 1)));
}
