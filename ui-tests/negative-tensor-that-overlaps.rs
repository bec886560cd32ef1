//! Backwards as forwards, two coordinates share an element.

use layout_algebra::prelude::*;

fn main() {
    let mut t = Tensor::fixed([0; 8], layout!((2, 4):(-1, 1)));
    t.tiles_mut(tiler!(1, 2));
}
