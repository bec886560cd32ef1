use layout_algebra::prelude::*;

fn main() {
    let rows = 4;
    layout!((rows, 6):(1, 8)).layout_add(layout!((4, 6):(6, 1)));
}
