use layout_algebra::prelude::*;

fn main() {
    layout!((8, 8):(3, 24)).zipped_divide(tiler!((2, 2):(^1, ^3), _));
}
