use layout_algebra::prelude::*;

fn main() {
    layout!((8, 8):(^1, ^9)).blocked_product(layout!((2, 2)));
}
