use layout_algebra::prelude::*;

fn main() {
    let n = 3;
    layout!((20, 3):(n, 100)).compose(layout!(6:8));
}
