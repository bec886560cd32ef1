use layout_algebra::prelude::*;

fn main() {
    layout!((3, 2):(^1, ^4)).complement(int!(16));
}
