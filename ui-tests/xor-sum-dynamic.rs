use layout_algebra::prelude::*;

fn main() {
    let n = 8;
    layout!((8, n):(^1, ^9)).layout_add(layout!((8, n):(64, 512)));
}
