use layout_algebra::prelude::*;

fn main() {
    let n = 8;
    layout!((8, n)).zipped_divide(tiler!(_, (2, 2):(^1, ^3)));
}
