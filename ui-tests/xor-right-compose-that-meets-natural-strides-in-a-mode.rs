use layout_algebra::prelude::*;

fn main() {
    layout!(((4, 2), 3):((2, ^1), 16)).compose(tiler!((2, 2):(^1, ^13), _));
}
