//! Elements lie under natural strides.

use layout_algebra::prelude::*;

fn main() {
    Tensor::new(vec![0; 64], layout!((8, 8):(^1, ^9)));
}
