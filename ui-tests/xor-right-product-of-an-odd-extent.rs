use layout_algebra::prelude::*;

fn main() {
    layout!(2:4).logical_product(layout!(6:^3));
}
