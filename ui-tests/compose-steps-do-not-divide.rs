use layout_algebra::prelude::*;

fn main() {
    layout!((4, 6):(1, 8)).compose(layout!(3:2));
}
