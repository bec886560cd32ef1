//! A mode of stride 0 repeats the elements of the other one.

use layout_algebra::prelude::*;

fn main() {
    let mut t = Tensor::fixed([0; 16], layout!((8, 4):(^9, 0)));
    t.split_at_mut::<1>(2);
}
