use layout_algebra::prelude::*;

fn main() {
    let count = 2;
    layout!((4, 6):(1, 8)).compose(layout!(count:1));
}
