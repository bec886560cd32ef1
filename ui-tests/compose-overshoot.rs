use layout_algebra::prelude::*;

fn main() {
    layout!((20, 3):(1, 40)).compose(layout!(6:8));
}
