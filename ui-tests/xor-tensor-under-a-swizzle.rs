//! A swizzle of XOR strides is a layout of XOR strides: `linear` computes it.

use layout_algebra::prelude::*;

fn main() {
    let swizzled = Swizzle::<1, 0, 3>::new().compose(layout!((8, 8):(^1, ^9)));
    Tensor::new(vec![0; 64], swizzled).unwrap();
}
