use layout_algebra::prelude::*;

fn main() {
    layout!((4, 2):(2, ^1)).compose(layout!((2, 2):(^1, ^13)));
}
