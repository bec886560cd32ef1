use layout_algebra::prelude::*;

fn main() {
    let stride = 8;
    layout!((4, 4):(1, stride)).complement(int!(64));
}
