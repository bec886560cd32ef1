use layout_algebra::prelude::*;

fn main() {
    layout!((8, 8):(^1, ^9)).complement(int!(128));
}
