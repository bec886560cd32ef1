use layout_algebra::prelude::*;

fn main() {
    layout!((4, 4):(1, 6)).complement(int!(48));
}
