//! How far the layout reaches is known at run time only.

use layout_algebra::prelude::*;

fn main() {
    let n = 9;
    Tensor::fixed([0; 64], layout!((8, 8):(^1, ^n)));
}
