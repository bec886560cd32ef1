use layout_algebra::prelude::*;

fn main() {
    layout!(((6, 8), 2):((1, 8), 64)).zipped_divide(tiler!((4, 2):(^1, ^6), _));
}
