use layout_algebra::prelude::*;

fn main() {
    layout!((6, 5):(1, 10)).compose(layout!((2, 2):(3, 5)));
}
