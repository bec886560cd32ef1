use layout_algebra::prelude::*;

fn main() {
    layout!((4, 8):(1, 8)).compose(layout!(6:^3));
}
