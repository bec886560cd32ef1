use layout_algebra::prelude::*;

fn main() {
    layout!((3, 2):(1, 24)).logical_product(layout!((2, 2):(^1, ^3)));
}
