use layout_algebra::prelude::*;

fn main() {
    let n = 3;
    layout!((4, 2):(n, 8)).compose(layout!((2, 2):(2, 2)));
}
