use layout_algebra::prelude::*;

fn main() {
    layout!((6, 2):(1, ^32)).complement(int!(64));
}
