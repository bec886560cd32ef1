use layout_algebra::prelude::*;

fn main() {
    layout!((6, 2):(1, ^32)).logical_product(int!(2));
}
