use layout_algebra::prelude::*;

fn main() {
    let nine = layout!((2, 2, 2, 2, 2, 2, 2, 4):(1, 3, 7, 17, 41, 101, 211, 431));
    nine.layout_add(layout!((256, 2):(1, 1000)));
}
