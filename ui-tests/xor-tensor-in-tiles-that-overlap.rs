//! `^3` is `^1` and `^2` together, which the first mode leads to.

use layout_algebra::prelude::*;

fn main() {
    let mut t = Tensor::fixed([0; 8], layout!((4, 4):(^1, ^3)));
    t.tiles_mut(tiler!(2, 2));
}
