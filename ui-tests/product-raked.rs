use layout_algebra::prelude::*;

fn main() {
    layout!((4, 4):(1, 2)).raked_product(layout!((2, 3)));
}
