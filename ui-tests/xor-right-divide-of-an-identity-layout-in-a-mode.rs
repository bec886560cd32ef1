use layout_algebra::prelude::*;

fn main() {
    identity(shape!((8, 8))).zipped_divide(tiler!((2, 2):(^1, ^3), _));
}
