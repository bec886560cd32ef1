//! Tensors are equal coordinate by coordinate.

use layout_algebra::prelude::*;

fn main() {
    assert!(Tensor::fixed([0; 24], layout!((4, 6))) == Tensor::fixed([0; 24], layout!((4, (2, 3)))));
}
