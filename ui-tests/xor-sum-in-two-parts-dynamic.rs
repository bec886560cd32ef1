use layout_algebra::prelude::*;

fn main() {
    let d = 64;
    layout!((8, 8):(^1, ^9)).layout_add(layout!((8, 8):(d, 512)));
}
