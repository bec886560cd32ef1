//! Behind XOR strides stands one swizzle, and no chain of them.

use layout_algebra::prelude::*;

fn main() {
    let chain = Swizzle::<1, 0, 3>::new().compose(Swizzle::<1, 1, 3>::new());
    Tensor::new(vec![0; 64], ComposedLayout::new(chain, 0, layout!((8, 8):(^1, ^9)))).unwrap();
}
