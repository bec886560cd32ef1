//! How far the layout reaches is known only at run time.

use layout_algebra::prelude::*;

fn main() {
    let swizzle = DynSwizzle::new(1, 0, 3).unwrap();
    Tensor::fixed([0; 64], ComposedLayout::new(swizzle, 0, layout!((8, 8):(^1, ^9))));
}
