use layout_algebra::prelude::*;

fn main() {
    layout!((4, 4):(1, 2)).blocked_product(layout!((2, 3)));
}
